"""What is said of agents with known habits on made-up cases, and the figures and tables of the paper."""

from __future__ import annotations

import msgspec
import pytest

from sound_findings import checked
from vlnscope.benchmarks.kit.case_set import CaseSet
from vlnscope.benchmarks.kit.findings import Findings
from vlnscope.benchmarks.nuances.findings.derived_rows import dual_rows, pair_rows
from vlnscope.benchmarks.nuances.findings.find import find
from vlnscope.benchmarks.nuances.findings.published import COUNTS, TABLE_2
from vlnscope.benchmarks.nuances.protocol import rules
from vlnscope.core.rng import rng_for
from vlnscope.reporting.sentences import sentence
from vlnscope.types import Case, Episode, ScoreRow

SCENES = [f"scene{k}" for k in range(8)]


def row(category: str, subset: str, scan: str, pair: str, success: float, **more: float) -> ScoreRow:
    groups = {"category": category, "subset": subset, "pair": pair, "scene": scan}
    if category == "VM":
        groups["both"] = "yes"
    values = {"SR": success, "OSR": max(success, more.pop("OSR", 0.0)), "chance": 0.25} | more
    return ScoreRow(episode_id=f"{pair}-{subset}", scan=scan, path_id=pair, values=values, groups=groups)


def made(habits: dict[str, float], *, always: bool = False) -> list[ScoreRow]:
    """Rows of an agent that succeeds in each subset with the given probability (by one draw per pair)."""
    rows = []
    for scan in SCENES:
        for k in range(12):
            draw = float(rng_for(0, "nuances test", scan, k).random())
            for category, subsets in PARTS.items():
                pair = f"{scan}-{category}-{k}"
                for subset in subsets:
                    share = habits.get(subset, 0.5)
                    success = float(draw < share if not always else draw >= 1 - share)
                    more = {"agent-1": 0.25, "agent-2": 0.5} if category == "NU" else {}
                    rows.append(row(category, subset, scan, pair, success, **more))
    return rows


PARTS = {
    "DC": ("left", "right", "around"),
    "VM": ("up", "down"),
    "NU": ("first left", "second left"),
    "LR": ("towards", "past"),
    "RR": ("into", "exit"),
}


def asked(rows: list[ScoreRow]) -> CaseSet:
    cases = [
        Case(
            case_id=each.episode_id,
            episode=Episode(episode_id=each.episode_id, path_id="p", scan=each.scan, instruction=""),
            groups=each.groups,
        )
        for each in rows
    ]
    return CaseSet(benchmark="nuances", data="made up", rules=rules(), cases=tuple(cases))


def found(**agents: list[ScoreRow]) -> Findings:
    return checked(find(asked(next(iter(agents.values()))), agents))


def verdicts(findings: Findings) -> dict[str, str]:
    return {each.key: each.verdict for each in findings.statements}


def test_habits_are_found() -> None:
    habits = {"right": 0.9, "left": 0.4, "up": 0.9, "down": 0.2, "past": 0.1, "towards": 0.9, "into": 0.2}
    said = verdicts(found(mine=made(habits | {"exit": 0.9})))
    assert said["DC.turn-bias"] == "above"
    assert said["VM.up-down"] == "above"
    assert said["LR.towards-past"] == "above"
    assert said["RR.into-exit"] == "below"
    assert said["NU.agent-1"] == "above"
    assert said["NU.agent-2"] == "unclear"


def test_nothing_is_found_where_there_is_nothing() -> None:
    said = verdicts(found(mine=made({name: 0.2 for part in PARTS.values() for name in part})))
    assert {said[f"{category}.SR"] for category in PARTS} == {"unclear"}
    assert {said[key] for key in ("DC.turn-bias", "VM.up-down", "LR.towards-past", "RR.into-exit")} == {
        "unclear"
    }
    assert said["RR.stopping"] == "unclear"


def test_who_goes_one_way_whatever_is_said_fails_both() -> None:
    """Each view is either always left or always right: each turn succeeds half the time, never both."""
    rows = [
        row("DC", subset, scan, f"{scan}-{k}", float((k % 2 == 0) == (subset == "left")))
        for scan in SCENES
        for k in range(10)
        for subset in ("left", "right")
    ]
    findings = found(mine=rows)
    dual = next(each for each in findings.statements if each.key == "DC.dual")
    assert (dual.value, dual.null, dual.verdict) == (0.0, 25.0, "below")
    assert "one way whatever it is told" in sentence(dual)


def test_a_nearly_perfect_agent_is_told_from_chance() -> None:
    """One failure in one scene."""
    rows = made({name: 1.0 for part in PARTS.values() for name in part})
    first = next(k for k, each in enumerate(rows) if each.groups["category"] == "RR")
    rows[first] = msgspec.structs.replace(rows[first], values=rows[first].values | {"SR": 0.0, "OSR": 1.0})
    findings = found(mine=rows)
    rate = next(each for each in findings.statements if each.key == "RR.SR")
    assert rate.verdict == "above"
    assert rate.episodes == (rows[first].episode_id,)
    assert "above the 25.0 %" in sentence(rate)


def test_every_sentence_can_be_said() -> None:
    findings = found(mine=made({"left": 0.9}), other=made({}, always=True))
    for each in findings.statements:
        for verdict in ("above", "below", "unclear"):
            low, high = {"above": (1e9, 1e9), "below": (-1e9, -1e9), "unclear": (-1e9, 1e9)}[verdict]
            text = sentence(msgspec.structs.replace(each, low=low, high=high))
            assert "{" not in text
    assert len({(each.agent, each.key) for each in findings.statements}) == len(findings.statements)


def test_figures_of_the_paper() -> None:
    figures = {each.source: each for each in found(mine=made({}), other=made({"left": 0.9})).figures}
    assert {"Figure 3", "Figure 4", "Figure 5", "Figure 6", "Figure 7"} <= set(figures)
    series = figures["Figure 3"].panels[0].series
    assert [each.name for each in series] == ["mine", "other", "random moves (expected)", "human (paper)"]
    assert series[2].y == pytest.approx([25.0] * 5)
    turns = figures["Figure 6"].panels[0].series
    assert turns[2].y == pytest.approx([25.0, 25.0, 25.0, 6.25])  # both at once by chance: the product
    relative = figures["Figure 4"].panels[0].series
    mine = [each for each in made({}) if each.groups["category"] == "NU"]
    rate = 100 * sum(each.values["SR"] for each in mine) / len(mine)
    assert relative[0].y[0] == pytest.approx(rate - 25)
    assert dict(zip(relative[1].x, relative[1].y, strict=True))["Human"] == pytest.approx(89.13 - 32.06)


def test_tables_of_the_paper() -> None:
    tables = {each.source: each for each in found(mine=made({})).tables}
    counts = {each[:2]: each[2:] for each in tables["Table 1"].rows}
    assert counts["direction change", "left"] == (96, 192)
    assert counts["direction change", "all"] == (288, 579)
    rates = {each[0]: each for each in tables["Table 2"].rows}
    assert rates["ScaleVLN"] == ("ScaleVLN", "paper", 72.88, 84.71, 26.92, 29.92, 84.73)
    assert rates["random moves"][2:] == (25.0,) * 5


def test_published_numbers_fit_the_published_counts() -> None:
    """Rates of models that were run on all items are whole numbers of items."""
    sizes = {category: sum(parts.values()) for category, parts in COUNTS.items()}
    assert sizes == {"DC": 579, "VM": 170, "NU": 78, "LR": 685, "RR": 275}
    for published in TABLE_2[:9]:
        for category, size in sizes.items():
            items = published.rate(category) * size / 100
            assert abs(items - round(items)) < 0.0001 * size, (published.name, category)


def test_partial_runs_and_single_categories() -> None:
    rows = [each for each in made({}) if each.groups["category"] == "LR"]
    findings = found(mine=rows)
    assert {each.key.split(".")[0] for each in findings.statements} == {"LR"}
    assert [each.source for each in findings.figures] == ["Figure 3", "Figure 5"]


def test_pairs() -> None:
    rows = [row("LR", "towards", "s", "p", 1.0), row("LR", "towards", "s", "p", 1.0)]
    rows += [row("LR", "towards", "s", "q", 1.0), row("LR", "towards", "s", "q", 0.0)]
    rows += [row("LR", "past", "s", "p", 0.0)]
    assert [(each.episode_id, each.values["SR"], each.values["chance"]) for each in pair_rows(rows)] == [
        ("p", 1.0, 0.0625),
        ("q", 0.0, 0.0625),
    ]
    assert [each.episode_id for each in dual_rows(rows, ("towards", "past"))] == ["p"]


def test_the_same_twice_and_through_a_file(tmp_path: object) -> None:
    findings = found(mine=made({}))
    assert findings == found(mine=made({}))
    assert msgspec.json.decode(msgspec.json.encode(findings), type=Findings) == findings


def test_contrasts_tell_what_chance_would_do() -> None:
    """Leaving rooms is easier by chance alone, and the statement says by how much."""
    rows = []
    for scan in SCENES:
        for k in range(12):
            draw = float(rng_for(1, "nuances test", scan, k).random())
            for subset, level in (("into", 0.2), ("exit", 0.7)):
                made_row = row("RR", subset, scan, f"{scan}-{k}", float(draw < level))
                rows.append(msgspec.structs.replace(made_row, values=made_row.values | {"chance": level}))
    (said,) = (one for one in found(mine=rows).statements if one.key == "RR.into-exit")
    assert said.verdict == "below"
    assert "of random moves: -50.0 points" in said.wording.below
    always = [msgspec.structs.replace(one, values=one.values | {"SR": 1.0}) for one in rows]
    assert verdicts(found(mine=always))["RR.into-exit"] == "unclear"


def test_whoever_is_worse_than_guessing_has_an_interval_below_nought() -> None:
    rows = [
        msgspec.structs.replace(one, values=one.values | {"agent-1": 0.5, "agent-2": 0.5})
        for scan in SCENES
        for k in range(6)
        for one in [row("NU", "first left", scan, f"{scan}-{k}", float(rng_for(2, scan, k).random() < 0.1))]
    ]
    (figure,) = (one for one in found(mine=rows).figures if one.name == "nuances-counting")
    here = figure.panels[0].series[0]
    low, value, high = here.low[0], here.y[0], here.high[0]
    assert None not in (low, value, high)
    assert low < value < high < 0
