"""Outcomes: how walks end, where they leave the way, where they stop, and what is said of it."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Callable, Sequence
from itertools import pairwise
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import made_up
from commands import Cli
from sound_findings import checked
from vlnscope.benchmarks.kit.case_set import CaseSet
from vlnscope.benchmarks.kit.findings import Findings, Statement
from vlnscope.benchmarks.outcomes.build import build_cases
from vlnscope.benchmarks.outcomes.findings.find import find
from vlnscope.benchmarks.outcomes.kinds import OUTCOMES, SUCCESSES
from vlnscope.benchmarks.outcomes.score.cases import score_cases
from vlnscope.benchmarks.outcomes.score.outcomes import CLOSE
from vlnscope.benchmarks.outcomes.score.turns import TURNS
from vlnscope.core.exceptions import InputError
from vlnscope.episodes.datasets.dataset import Dataset, open_dataset
from vlnscope.episodes.formats.evidence import EvidenceLine, line_of
from vlnscope.episodes.reading import read_predictions
from vlnscope.evaluate.score.score import score
from vlnscope.reporting.sentences import sentence
from vlnscope.reporting.verdicts import verdicts
from vlnscope.types import Episode, ScoreRow
from vlnscope.worlds.graph.navgraph import NavGraph
from vlnscope.worlds.rooms import Regions
from vlnscope.worlds.scene import Scene, Scenes
from vlnscope.worlds.storeys import storey_heights, storeys_of

# a way north from p0 to the goal p5 and on to q2; at p2 there is a way left and one right; at p1 stairs lead
# up; e leads around everything
PLACES: dict[str, tuple[float, float, float]] = {
    **{f"p{k}": (0.0, 2.0 * k, 1.5) for k in range(6)},
    "q1": (0.0, 12.0, 1.5),
    "q2": (0.0, 14.0, 1.5),
    "l1": (-2.0, 4.0, 1.5),
    "l2": (-4.0, 4.0, 1.5),
    "r1": (2.0, 4.0, 1.5),
    "s1": (-2.0, 2.0, 3.0),
    "s2": (-4.0, 2.0, 4.5),
    "e0": (6.0, 0.0, 1.5),
    "e1": (6.0, 10.0, 1.5),
}
EDGES = [
    *pairwise(["p0", "p1", "p2", "p3", "p4", "p5", "q1", "q2"]),
    *pairwise(["p2", "l1", "l2"]),
    ("p2", "r1"),
    *pairwise(["p1", "s1", "s2"]),
    *pairwise(["p0", "e0", "e1", "p5"]),
]
WAY = ("p0", "p1", "p2", "p3", "p4", "p5")
Name = Callable[[str], str]


def same(name: str) -> str:
    return name


def town(scan: str = "town", *, mirrored: bool = False, name: Name = same, backwards: bool = False) -> Scene:
    nodes = list(reversed(PLACES)) if backwards else list(PLACES)
    points = [PLACES[node] for node in nodes]
    flip = -1.0 if mirrored else 1.0
    graph = NavGraph.build(
        [name(node) for node in nodes],
        [[flip * x, y, z] for x, y, z in points],
        [(name(a), name(b)) for a, b in EDGES],
    )
    return Scene(scan, graph)


def told(way: Sequence[str], scan: str = "town", number: int = 0, heading: float | None = 0.0) -> Episode:
    (episode,) = made_up.path(number, way, "go", scan=scan, heading=heading)
    return episode


def walked(case_id: str, path: Sequence[str], stopped: bool | None = True, **more: Any) -> EvidenceLine:
    return EvidenceLine(v=2, case_id=case_id, episode_id=case_id, path=tuple(path), stopped=stopped, **more)


def scored(
    path: Sequence[str],
    way: Sequence[str] = WAY,
    *,
    stopped: bool | None = True,
    scene: Scene | None = None,
    heading: float | None = 0.0,
    profile: str = "default",
) -> ScoreRow:
    data = made_up.dataset([told(way, heading=heading)], scene or town())
    asked = build_cases(data)
    (row,) = score_cases(asked, {"0_0": walked("0_0", path, stopped)}, scenes_of(data), profile=profile)
    return row


def scenes_of(data: Dataset) -> Scenes:
    scenes = data.scenes
    assert scenes is not None
    return scenes


@pytest.mark.parametrize(
    ("outcome", "stopped", "path"),
    [
        ("reached", True, WAY),
        ("reached", True, WAY[:-1]),
        ("reached", False, WAY),
        ("never-left", True, ["p0"]),
        ("never-left", False, ["p0", "p0"]),
        ("other-path", True, ["p0", "e0", "e1", "p5"]),
        ("overshot", True, [*WAY, "q1", "q2"]),
        ("overshot", False, [*WAY, "q1", "q2"]),
        ("overshot", True, [*WAY, "e1"]),
        ("overshot", True, ["p0", "e0", "e1", "p5", "p4", "p3"]),
        ("wandered", True, ["p0", "p1", "p0", "p1", "p0", "p1"]),
        ("wandered", False, ["p0", "p1", "p2", "p3", "p2", "p1", "p0"]),
        ("stopped-early", True, ["p0", "p1", "p2"]),
        ("stopped-early", None, ["p0", "p1", "p2"]),
        ("stopped-early", True, ["p0", "p1", "p2", "r1", "p2", "p3"]),
        ("ran-out", False, ["p0", "p1", "p2"]),
        ("wrong-floor", True, ["p0", "p1", "s1", "s2"]),
        ("wrong-turn", True, ["p0", "p1", "p2", "l1", "l2"]),
        ("wrong-turn", False, ["p0", "p1", "p2", "l1", "l2"]),
        ("wrong-turn", True, ["p0", "p1", "p2", "p1"]),
        ("wrong-turn", True, ["p0", "e0"]),
        ("wrong-turn", True, ["l2", "l1"]),
    ],
)
def test_each_kind(outcome: str, stopped: bool | None, path: Sequence[str]) -> None:
    assert scored(path, stopped=stopped).groups["outcome"] == outcome


def test_at_the_goal_without_the_stop_that_a_profile_asks_for() -> None:
    assert scored(WAY, stopped=False, profile="vlnce").groups["outcome"] == "ran-out"
    assert scored(WAY, stopped=True, profile="vlnce").groups["outcome"] == "reached"


def test_a_way_that_starts_at_its_goal_is_not_overshot_at_once() -> None:
    around = ("p5", "e1", "e0", "p0", "p1", "p2", "p3", "p4", "p5")
    assert scored(["p5", "e1"], around).groups["outcome"] == "stopped-early"
    assert scored(["p5", "q1", "q2"], around).groups["outcome"] == "wrong-turn"
    assert scored([*around, "q1", "q2"], around).groups["outcome"] == "overshot"
    assert scored(["p5"], around).groups["outcome"] == "never-left"


def test_where_the_way_was_left_and_what_was_due() -> None:
    row = scored(["p0", "p0", "p1", "p2", "p2", "l1", "l2"])
    assert (row.values["left-at"], row.values["decisive"]) == (2.0, 4.0)
    assert (row.groups["due"], row.groups["instead"]) == ("straight", "left")
    assert row.values["due-angle"] == pytest.approx(0.0)
    assert row.values["instead-angle"] == pytest.approx(-90.0)
    assert (row.values["due.straight"], row.values["taken.straight"]) == (3.0, 2.0)
    # p0 leads to p1 and e0; p1 to p0, p2 and s1; p2 to p1, p3, l1 and r1
    assert row.values["chance.straight"] == pytest.approx(1 / 2 + 1 / 3 + 1 / 4)
    left = scored(["p0", "p1", "p2", "r1"], ["p0", "p1", "p2", "l1", "l2"])
    assert (left.groups["due"], left.groups["instead"], left.values["due.left"]) == ("left", "right", 1.0)
    stairs = scored(["p0", "p1", "p2"], ["p0", "p1", "s1", "s2"])
    assert (stairs.groups["outcome"], stairs.groups["due"]) == ("wrong-floor", "up")
    turned = scored(["p0", "p1", "p2", "p1"])
    assert (turned.groups["due"], turned.groups["instead"]) == ("straight", "back")


def test_without_a_heading_the_first_turn_is_unknown() -> None:
    row = scored(["p0", "e0"], heading=None)
    assert "due" not in row.groups
    assert "due-angle" in row.undefined
    assert row.values["left-at"] == 0.0
    assert sum(row.values[f"due.{turn}"] for turn in TURNS) == 0.0
    later = scored(["p0", "p1", "p2", "l1"], heading=None)
    assert later.groups["due"] == "straight"
    assert later.values["due.straight"] == 2.0


@pytest.mark.parametrize(
    ("stop", "path", "stopped"),
    [
        ("there", WAY, True),
        ("there", WAY, None),
        ("short", WAY[:-1], True),
        ("short", ["p0"], True),
        ("past", [*WAY, "q1"], True),
        ("past", [*WAY, "q1", "q2"], True),
        ("never", [*WAY, "q1", "q2"], False),
        ("never", WAY, False),
        (None, ["p0", "p1", "p2", "l1"], True),
        (None, ["p0", "p1", "p2", "l1"], False),
        (None, ["p0", "p1", "p0", "p1", "p0", "p1"], True),
    ],
)
def test_where_it_stops(stop: str | None, path: Sequence[str], stopped: bool | None) -> None:
    row = scored(path, stopped=stopped)
    assert row.groups.get("stop") == stop
    assert ("stopped" in row.values) == (stopped is not None) == ("stopped" not in row.undefined)


def test_how_far_it_stops_from_the_end() -> None:
    early, late = scored(WAY[:3]), scored([*WAY, "q1", "q2"])
    assert (early.values["steps-short"], early.values["metres-short"]) == (3.0, 6.0)
    assert (late.values["steps-past"], late.values["metres-past"]) == (1.0, 4.0)
    assert [late.values[f"to-goal.{k}"] for k in (0, 5, 7, 15)] == [10.0, 0.0, 4.0, 4.0]


@st.composite
def walks(draw: st.DrawFn, *, start: str | None = None, least: int = 0) -> tuple[str, ...]:
    near: dict[str, list[str]] = {node: [] for node in PLACES}
    for a, b in EDGES:
        near[a].append(b)
        near[b].append(a)
    path = [start or draw(st.sampled_from(sorted(PLACES)))]
    for _ in range(draw(st.integers(least, 9))):
        path.append(draw(st.sampled_from(near[path[-1]])))
    return tuple(path)


@st.composite
def trials(draw: st.DrawFn) -> tuple[tuple[str, ...], tuple[str, ...], bool | None]:
    way = draw(walks(least=1))
    start = draw(st.sampled_from([way[0], way[0], None]))
    return way, draw(walks(start=start)), draw(st.sampled_from([True, False, None]))


@settings(max_examples=60)
@given(trials())
def test_every_walk_is_of_one_kind_that_its_scores_agree_with(
    trial: tuple[tuple[str, ...], tuple[str, ...], bool | None],
) -> None:
    way, path, stopped = trial
    row = scored(path, way, stopped=stopped)
    outcome, values = row.groups["outcome"], row.values
    close = values.get("CLS", 0.0) >= CLOSE
    assert outcome in OUTCOMES
    assert outcome != "failed"
    assert (outcome == "reached") == (values["SR"] == 1.0 and close)
    assert (values["SR"] == 1.0) == (outcome in SUCCESSES) or outcome == "never-left"
    assert ("decisive" in values) == (outcome not in SUCCESSES)
    assert 0 <= values.get("decisive", 0.0) < len(path)
    if outcome == "overshot":
        assert values["OSR"] == 1.0
        assert values["steps-past"] >= 1
    if outcome == "stopped-early":
        assert values["metres-short"] > 0
        assert row.groups["stop"] == "short"
    for turn in TURNS:
        assert 0 <= values[f"taken.{turn}"] <= values[f"due.{turn}"]
        assert 0 <= values[f"chance.{turn}"] <= values[f"due.{turn}"]
    assert all(math.isfinite(value) for value in values.values())


@settings(max_examples=30)
@given(trials(), st.data())
def test_names_order_and_turns_on_the_spot_do_not_matter(
    trial: tuple[tuple[str, ...], tuple[str, ...], bool | None], data: st.DataObject
) -> None:
    way, path, stopped = trial
    row = scored(path, way, stopped=stopped)

    def renamed(node: str) -> str:
        return f"x{node[::-1]}"

    other = scored(
        [renamed(node) for node in path],
        [renamed(node) for node in way],
        stopped=stopped,
        scene=town(name=renamed, backwards=True),
    )
    assert other.groups == row.groups
    assert other.values == pytest.approx(row.values)
    turning = [node for node in path for _ in range(data.draw(st.integers(1, 3)))]
    still = scored(turning, way, stopped=stopped)
    assert still.groups == row.groups
    assert still.values.get("left-at") == row.values.get("left-at")


@settings(max_examples=30)
@given(trials())
def test_in_a_mirror_left_is_right(trial: tuple[tuple[str, ...], tuple[str, ...], bool | None]) -> None:
    way, path, stopped = trial
    row, mirror = (
        scored(path, way, stopped=stopped),
        scored(path, way, stopped=stopped, scene=town(mirrored=True)),
    )
    assert mirror.groups["outcome"] == row.groups["outcome"]
    assert mirror.groups.get("stop") == row.groups.get("stop")
    for name in ("due", "taken", "chance"):
        assert mirror.values[f"{name}.left"] == pytest.approx(row.values[f"{name}.right"])
        assert mirror.values[f"{name}.up"] == pytest.approx(row.values[f"{name}.up"])


def test_viewpoints_beside_the_way_are_on_it() -> None:
    street = made_up.street(0.0, 2.0, 3.2, 5.0, 8.0, 11.0)
    # a b d e f is the way; c lies between b and d, 1.2 m from b
    row = scored("abc", "abdef", scene=Scene("town", street.graph))
    assert row.groups["outcome"] == "stopped-early"
    assert row.values["steps-short"] == 3.0


def test_storeys_are_told_apart_by_gaps_and_stairs_do_not_fill_them() -> None:
    points = [[0.0, float(k), z] for k, z in enumerate((1.5, 1.6, 2.2, 2.9, 3.6, 4.5))]
    graph = NavGraph.build(list("abcdef"), points, list(pairwise("abcdef")))
    labels = Regions({"a": 0, "b": 0, "c": 1, "d": 1, "e": 1, "f": 2}, {0: "h", 1: "s", 2: "h"})
    scene = Scene("two", graph, {"regions": lambda: labels})
    assert storey_heights(scene) == pytest.approx([1.55, 4.5])
    assert storeys_of(scene).tolist() == [0, 0, 0, 0, 1, 1]
    assert len(storey_heights(Scene("one", graph))) == 1


def test_episodes_are_asked_as_they_are_spread_over_scenes_and_paths() -> None:
    scans = ["x", "y", "z"]
    episodes = [
        episode
        for scan in scans
        for number, way in enumerate((WAY, WAY[:4]))
        for episode in made_up.path(number + 10 * scans.index(scan), way, "go", "walk", scan=scan)
    ]
    data = made_up.dataset(episodes, *(town(scan) for scan in scans))
    asked = build_cases(data)
    assert [case.episode for case in asked.cases] == episodes
    assert [case.case_id for case in asked.cases] == [episode.episode_id for episode in episodes]
    assert (asked.rules.log, asked.rules.max_steps) == ("all", 15)
    few = build_cases(data, most=6, seed=3)
    assert Counter(case.episode.scan for case in few.cases) == {"x": 2, "y": 2, "z": 2}
    assert len({case.episode.path_id for case in few.cases}) == 6
    assert {case.episode.episode_id: case.episode for case in few.cases}.items() <= {
        episode.episode_id: episode for episode in episodes
    }.items()
    assert few == build_cases(data, most=6, seed=3)
    long = made_up.dataset([told(WAY + WAY[::-1])], town())
    assert build_cases(long).rules.max_steps == 22
    with pytest.raises(InputError, match="at most 0"):
        build_cases(data, most=0)


SCANS = tuple(f"house{k}" for k in range(7))
LEFT, RIGHT = ("p0", "p1", "p2", "l1", "l2"), ("p0", "p1", "p2", "r1")
Walker = Callable[[Episode], tuple[Sequence[str], bool | None]]


def never(episode: Episode) -> tuple[Sequence[str], bool | None]:
    return [
        *episode.path,
        *({"p5": ["q1", "q2"], "l2": ["l1", "p2"], "r1": ["p2", "p3"]}[episode.path[-1]]),
    ], False


def early(episode: Episode) -> tuple[Sequence[str], bool | None]:
    return episode.path[:-1], True


def perfect(episode: Episode) -> tuple[Sequence[str], bool | None]:
    return episode.path, True


def predicted(episode: Episode) -> tuple[Sequence[str], bool | None]:
    return episode.path[: 3 + int(episode.path_id) % 4], None


def no_left(episode: Episode) -> tuple[Sequence[str], bool | None]:
    return (["p0", "p1", "p2", "r1"], True) if episode.path[-1] == "l2" else (episode.path, True)


@pytest.fixture(scope="module")
def asked() -> CaseSet:
    episodes = [
        told(way, scan, 100 * k + number)
        for k, scan in enumerate(SCANS)
        for number, way in enumerate((WAY, LEFT, RIGHT, LEFT, RIGHT, LEFT, RIGHT))
    ]
    return build_cases(made_up.dataset(episodes, *map(town, SCANS)))


def rows_of(asked: CaseSet, walker: Walker) -> list[ScoreRow]:
    lines = {case.case_id: walked(case.case_id, *walker(case.episode)) for case in asked.cases}
    return score_cases(asked, lines, made_up.Held(*map(town, SCANS)))


@pytest.fixture(scope="module")
def found(asked: CaseSet) -> Findings:
    walkers = {"never": never, "early": early, "perfect": perfect, "file": predicted, "no-left": no_left}
    return checked(find(asked, {name: rows_of(asked, walker) for name, walker in walkers.items()}))


def said(found: Findings, agent: str) -> dict[str, Statement]:
    return {one.key: one for one in found.statements if one.agent == agent}


def test_planted_defects_are_named(found: Findings) -> None:
    reasons = {agent: verdicts([found], agent)[0] for agent in ("never", "early", "perfect", "no-left")}
    about = {agent: (it.topic, it.grade, it.statement.key) for agent, it in reasons.items()}
    assert about == {
        "never": ("stopping", "cannot", "never-stops"),
        "early": ("stopping", "cannot", "stops-early"),
        "perfect": ("stopping", "can", "stops-there"),
        "no-left": ("left", "cannot", "missed.left"),
    }
    assert sentence(reasons["never"].statement) == "never stops: all of its 49 walks ran out of steps"
    assert sentence(reasons["early"].statement).startswith("always stops too early")
    assert all(it.statement.weight > 0.9 for agent, it in reasons.items() if agent != "perfect")
    assert said(found, "early")["SR"].value == 100.0


def test_what_is_done_well_is_no_proof_of_heeding_words(found: Findings) -> None:
    perfect = said(found, "perfect")
    assert perfect["missed.left"].value == 0.0
    assert not perfect["missed.left"].topic
    assert "stops-early" not in perfect
    assert not perfect["never-stops"].topic
    contrast = said(found, "no-left")["missed.left-right"]
    assert contrast.verdict == "above"
    assert "goes left than where it goes right" in sentence(contrast)
    assert "no clear difference" in sentence(perfect["missed.left-right"])


def test_a_file_of_paths_says_all_but_what_needs_a_stop(found: Findings) -> None:
    told = said(found, "file")
    assert "never-stops" not in told
    assert {"SR", "outcome.stopped-early", "stops-early", "short.metres"} <= told.keys()
    assert any(
        note.startswith("file: whether it called stop is not known of 49 of 49") for note in found.notes
    )
    assert not any(note.startswith("early: whether") for note in found.notes)


def test_numbers_are_those_of_the_rows(asked: CaseSet, found: Findings) -> None:
    rows = rows_of(asked, no_left)
    told = said(found, "no-left")
    counts = Counter(row.groups["outcome"] for row in rows)
    for name, count in counts.items():
        assert told[f"outcome.{name}"].value == pytest.approx(100 * count / len(rows))
    assert told["missed.left"].value == 100.0
    assert told["missed.left"].n == 21
    table = next(table for table in found.tables if table.name == "outcomes")
    assert {row[1]: row[3] for row in table.rows if row[0] == "no-left"} == {
        name: counts[name] for name in OUTCOMES
    }
    for agent in found.agents:
        assert sum(row[4] for row in table.rows if row[0] == agent) == pytest.approx(100)  # type: ignore[misc]


def test_shown_walks_are_cases_of_different_scenes(asked: CaseSet, found: Findings) -> None:
    scans = {case.case_id: case.episode.scan for case in asked.cases}
    for one in found.statements:
        assert len({scans[case_id] for case_id in one.episodes}) == len(one.episodes) <= 3
    assert len(said(found, "never")["never-stops"].episodes) == 3
    again = find(asked, {"never": rows_of(asked, never)[::-1]})
    shown = {one.key: one.episodes for one in again.statements}
    assert shown == {key: one.episodes for key, one in said(found, "never").items()}


def test_failed_cases_are_a_kind_of_their_own(asked: CaseSet) -> None:
    lines = {
        case.case_id: walked(case.case_id, case.episode.path[:1], False, failed="out of memory")
        for case in asked.cases[:20]
    }
    rows = score_cases(asked, lines, made_up.Held(*map(town, SCANS)))
    assert {row.groups["outcome"] for row in rows} == {"failed"}
    made = find(asked, {"broken": rows})
    assert "breaks down in all of its 20 walks" in {sentence(one) for one in made.statements}
    assert find(asked, {"nobody": []}).statements == ()


def test_walks_that_do_not_depend_on_the_instruction_are_noted() -> None:
    episodes = [
        one for k in range(12) for one in made_up.path(k, WAY, "go", "walk", scan="town", heading=0.0)
    ]
    data = made_up.dataset(episodes, town())
    asked = build_cases(data)

    def notes(other: Sequence[str]) -> tuple[str, ...]:
        lines = {one.episode_id: walked(one.episode_id, WAY[:3]) for one in episodes}
        lines["3_1"] = walked("3_1", other)
        return find(asked, {"mine": score_cases(asked, lines, scenes_of(data))}).notes

    assert any("the same for all instructions of a path, in all 12 paths" in note for note in notes(WAY[:3]))
    assert not any("the same for all instructions" in note for note in notes(WAY))


def test_the_verb_writes_cases(cli: Cli, tmp_path: Path) -> None:
    done = cli(
        "build", "outcomes", "--data", "sample/demo", "--most", "4", "--out", str(tmp_path / "c"), "--json"
    )
    assert done.code == 0
    assert done.data["cases"] == 4
    assert CaseSet.load(tmp_path / "c").benchmark == "outcomes"


def test_real_predictions_get_a_kind_each(data_root: Path, prevalent: Path) -> None:
    data = open_dataset("r2r/val_unseen", data_root)
    asked = build_cases(data)
    lines = {one.episode_id: line_of(one) for one in read_predictions(prevalent)}
    rows = score_cases(asked, lines, scenes_of(data))
    assert len(rows) == 2349
    counts = Counter(row.groups["outcome"] for row in rows)
    reached = score(prevalent, data, metrics=["SR"]).to_pandas()["SR"].sum()
    assert sum(counts[name] for name in SUCCESSES) == reached
    assert counts == {
        "reached": 1362, "wrong-turn": 591, "stopped-early": 123, "overshot": 111, "wandered": 78,
        "other-path": 51, "wrong-floor": 33,
    }  # fmt: skip
