"""Tours as a benchmark: cases with memory kept and reset, their scores, and what is found."""

from __future__ import annotations

import json
import sys
from collections.abc import Iterable, Mapping, Sequence
from itertools import pairwise
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from msgspec.structs import replace

from made_up import dataset, street
from made_up import repeated as path
from sound_findings import checked
from vlnscope.agents.rules.follower import FollowerAgent
from vlnscope.benchmarks.kit.benchmark import get_benchmark
from vlnscope.benchmarks.kit.case_set import CaseSet, CaseTour
from vlnscope.benchmarks.kit.findings import Findings, Statement
from vlnscope.benchmarks.tours.build.cases import build_cases
from vlnscope.benchmarks.tours.build.tours import build_tours
from vlnscope.benchmarks.tours.findings.find import find
from vlnscope.benchmarks.tours.score.cases import TOUR_METRICS, score_cases
from vlnscope.cli.main import command_line
from vlnscope.core.exceptions import InputError, UnknownNameError
from vlnscope.engine.run import run
from vlnscope.episodes.datasets.dataset import Dataset, open_dataset
from vlnscope.episodes.formats.evidence import EvidenceLine, TourPhases
from vlnscope.metrics.profiles.profile import profiles
from vlnscope.types import Decision, Episode, Observation, Rules, ScoreRow, Tour
from vlnscope.worlds.matterport.scans import MatterportScenes

NODES = "abcdefghijklmnop"


def small(gaps: Sequence[int] = (), texts: int = 3) -> Dataset:
    """Four paths along a street of eight viewpoints, 4 m apart."""
    paths = [path(1, "abc", texts), path(2, "cde", texts), path(3, "efg", texts), path(4, "fed", texts)]
    return dataset([episode for group in paths for episode in group], street(*range(0, 32, 4), gaps=gaps))


def walked(asked: CaseSet, paths: Mapping[str, Iterable[str]] | None = None) -> dict[str, EvidenceLine]:
    """Evidence of someone who walks some paths, and the references where none is given."""
    cases = {case.case_id: case for case in asked.cases}
    return {
        name: EvidenceLine(
            v=2,
            case_id=name,
            episode_id=cases[name].episode.episode_id,
            path=tuple((paths or {}).get(name, cases[name].episode.path)),
            stopped=True,
            phases=TourPhases(tour.tour_id, place),
        )
        for tour in asked.tours or ()
        for place, name in enumerate(tour.case_ids)
    }


def rows_of(
    asked: CaseSet, data: Dataset, paths: Mapping[str, Iterable[str]] | None = None, profile: str = "default"
) -> list[ScoreRow]:
    assert data.scenes is not None
    return score_cases(asked, walked(asked, paths), data.scenes, profile=profile)


def tour_row(rows: Sequence[ScoreRow], name: str) -> ScoreRow:
    return next(row for row in rows if row.groups["level"] == "tour" and row.episode_id == name)


def test_every_tour_is_asked_with_memory_kept_and_reset(tmp_path: Path) -> None:
    asked = build_cases(small(), seed=3)
    assert len(asked.cases) == 24
    assert [(tour.tour_id, tour.forgets) for tour in asked.tours or ()] == [
        *((f"kept/{k}", False) for k in range(3)),
        *((f"reset/{k}", True) for k in range(3)),
    ]
    by_id = {case.case_id: case for case in asked.cases}
    for kept, reset in zip((asked.tours or ())[:3], (asked.tours or ())[3:], strict=True):
        for place, (a, b) in enumerate(zip(kept.case_ids, reset.case_ids, strict=True)):
            assert by_id[a].episode == by_id[b].episode
            assert by_id[a].groups == {
                "level": "episode",
                "variant": "kept",
                "tour": kept.tour_id.removeprefix("kept/"),
                "place": str(place),
                "pair": by_id[a].episode.episode_id,
            }
            assert by_id[b].groups == by_id[a].groups | {"variant": "reset"}
    assert asked.rules == Rules()
    assert [(loss.before, loss.after) for loss in asked.losses] == [(12, 12), (3, 3), (12, 12)]
    assert CaseSet.load(asked.save(tmp_path)) == asked
    assert get_benchmark("tours").build_cases(small(), seed=3) == asked


def test_halves_and_tours_can_be_chosen() -> None:
    asked = build_cases(small(texts=2), memory=("reset",), max_tours=1, max_steps=9, oracle="ivln")
    assert [(tour.tour_id, tour.forgets) for tour in asked.tours or ()] == [("reset/0", True)]
    assert asked.rules == Rules(max_steps=9, oracle="ivln")
    assert [(loss.before, loss.after) for loss in asked.losses] == [(8, 8), (2, 1), (8, 4)]


def test_tours_can_be_cut() -> None:
    whole = build_cases(small(texts=2))
    cut = build_cases(small(texts=2), max_episodes=2)
    for tour, first in zip(whole.tours or (), cut.tours or (), strict=True):
        assert first.case_ids == tour.case_ids[:2]
    assert len(cut.cases) == sum(len(tour.case_ids) for tour in cut.tours or ())
    with pytest.raises(InputError, match="at most 0 episodes of each tour"):
        build_cases(small(), max_episodes=0)
    by_starts = build_cases(small(), legs="start-to-start")
    assert any("starts alone" in note for note in by_starts.notes)
    as_the_server = build_cases(small(), legs="start-to-start", oracle="starts")
    assert as_the_server.rules.oracle == "starts"
    assert as_the_server.notes == ()
    for memory in ((), ("kept", "kept")):
        with pytest.raises(InputError, match="memory is"):
            build_cases(small(), memory=memory)
    with pytest.raises(UnknownNameError, match="kind of memory"):
        build_cases(small(), memory=("lost",))  # type: ignore[arg-type]
    with pytest.raises(InputError, match="at most 0 tours"):
        build_cases(small(), max_tours=0)
    secret = dataset([*path(1, "a"), *path(2, "c")], street(0, 1, 2))
    with pytest.raises(InputError, match="the goals are secret"):
        build_cases(secret, legs="start-to-start")


def test_tours_can_be_given() -> None:
    asked = build_cases(
        small(), tours=[Tour(tour_id="x", scan="street", episode_ids=("3_1", "1_2"))], memory=("kept",)
    )
    assert [tour.case_ids for tour in asked.tours or ()] == [("kept/3_1", "kept/1_2")]
    assert asked.losses[0].after == 2


@pytest.mark.parametrize(
    ("ids", "what"),
    [
        ([("1_0", "9_0")], "names episode 9_0, which the data do not have"),
        ([("1_0", "2_0", "1_0")], "names episode 1_0, which tour 0 has"),
        ([("1_0", "2_0"), ("3_0", "2_0")], "tour 1 of scene street names episode 2_0, which tour 0 has"),
        ([()], "has no episodes"),
        ([], "there are no tours"),
        ([("1_0", "3_0")], "between which there is no way"),
    ],
)
def test_tours_that_cannot_be_walked(ids: list[tuple[str, ...]], what: str) -> None:
    tours = [Tour(tour_id=str(k), scan="street", episode_ids=names) for k, names in enumerate(ids)]
    episodes = [*path(1, "abc"), *path(2, "bc"), *path(3, "efg")]
    with pytest.raises(InputError, match=what):
        build_cases(dataset(episodes, street(*range(8), gaps=[3])), tours=tours)


def test_a_tour_of_another_scene_is_refused() -> None:
    with pytest.raises(InputError, match="do not have in scene elsewhere"):
        build_cases(small(), tours=[Tour(tour_id="0", scan="elsewhere", episode_ids=("1_0",))])


def test_who_walks_the_references_gets_everything() -> None:
    data = small()
    asked = build_cases(data)
    rows = rows_of(asked, data)
    assert [row.episode_id for row in rows if row.groups["level"] == "episode"] == [
        name for tour in asked.tours or () for name in tour.case_ids
    ]
    for row in rows:
        wanted = TOUR_METRICS if row.groups["level"] == "tour" else ("SR", "SPL", "nDTW", "CLS")
        assert [row.values[name] for name in wanted] == [1.0] * len(wanted)
    assert {row.episode_id: row.groups for row in rows}["reset/1"] == {
        "level": "tour",
        "variant": "reset",
        "tour": "1",
        "pair": "1",
    }


def test_every_profile_scores_tours() -> None:
    data = small()
    asked = build_cases(data, memory=("kept",), max_tours=1)
    (tour,) = asked.tours or ()
    off = {tour.case_ids[1]: "h"}
    found = {name: tour_row(rows_of(asked, data, off, name), "kept/0") for name in profiles()}
    assert all(set(row.values) | set(row.undefined) == {*TOUR_METRICS, "weight"} for row in found.values())
    assert found["default"].values["weight"] == 4.0
    assert found["ivln-ce"].values["weight"] == 3.0  # it counts transitions
    loose, strict = found["paper"].values["t-nDTW"], found["default"].values["t-nDTW"]
    assert 0 < strict <= loose < 1


def test_tours_of_the_fixtures(shared: Path) -> None:
    """t-nDTW through cases and evidence, against the official code and the paper's text."""
    tours = json.loads((shared / "fixtures" / "tndtw_discrete.json").read_text())
    episodes: list[Episode] = []
    given: list[Tour] = []
    predictions: dict[str, list[str]] = {}
    for number, tour in enumerate(tours):
        names = [f"{number}.{k}_0" for k in range(len(tour["episodes"]))]
        given.append(Tour(tour_id=str(number), scan=tour["scan"], episode_ids=tuple(names)))
        for name, one in zip(names, tour["episodes"], strict=True):
            reference = tuple(one["reference"])
            text = {"instruction": "go", "path_id": name.removesuffix("_0"), "scan": tour["scan"]}
            episodes.append(Episode(episode_id=name, path=reference, **text))
            predictions[f"kept/{name}"] = one["prediction"]
    scenes = MatterportScenes(shared / "data")
    data = Dataset(
        name="fixtures",
        split="",
        format="",
        files=(),
        load=lambda on_problem: iter(episodes),
        load_scenes=lambda: scenes,
    )
    asked = build_cases(data, tours=given, memory=("kept",))
    for profile, column in (
        ("ivln", "official_ivln_discrete_tour_ndtw"),
        ("paper", "paper_text_tour_ndtw"),
    ):
        rows = rows_of(asked, data, predictions, profile)
        found = [tour_row(rows, f"kept/{k}").values.get("t-nDTW") for k in range(len(tours))]
        for value, tour in zip(found, tours, strict=True):
            if tour[column] is None or not np.isfinite(tour[column]):
                assert value is None
            else:
                assert value == pytest.approx(tour[column], abs=1e-9)


def test_exploring_the_house_at_first_is_punished() -> None:
    """The paper's reason for t-nDTW: a mean over episodes would hardly notice."""
    data = small()
    asked = build_cases(
        data, tours=[Tour(tour_id="0", scan="street", episode_ids=_ids(10))], memory=("kept",)
    )
    (tour,) = asked.tours or ()
    everywhere = "abcdefghgfedcbabcdefghgfedcbabc"
    straying = rows_of(asked, data, {tour.case_ids[0]: everywhere})
    episodes = [row.values["nDTW"] for row in straying if row.groups["level"] == "episode"]
    assert episodes[1:] == [1.0] * 9
    assert np.mean(episodes) > 0.89
    punished = tour_row(straying, "kept/0").values["t-nDTW"]
    assert punished < 0.3
    lazy = rows_of(asked, data, {tour.case_ids[0]: "a"})  # fails the first episode, but does not stray
    assert tour_row(lazy, "kept/0").values["t-nDTW"] > 0.7 > punished


def _ids(count: int) -> tuple[str, ...]:
    return tuple(f"{1 + k // 3}_{k % 3}" for k in range(count))


@settings(max_examples=40)
@given(st.lists(st.lists(st.integers(-1, 1), max_size=6), min_size=4, max_size=4))
def test_success_over_tours_by_hand(moves: list[list[int]]) -> None:
    data = small(texts=1)
    asked = build_cases(data, memory=("kept",))
    (tour,) = asked.tours or ()
    cases = {case.case_id: case for case in asked.cases}
    paths: dict[str, str] = {}
    weights, successes, by_length = [], [], []
    for name, steps in zip(tour.case_ids, moves, strict=True):
        reference = cases[name].episode.path
        places = [NODES.index(reference[0])]
        for step in steps:
            places.append(min(7, max(0, places[-1] + step)))
        paths[name] = "".join(NODES[k] for k in places)
        length = 4.0 * sum(abs(a - b) for a, b in pairwise(places))
        success = float(places[-1] == NODES.index(reference[-1]))
        weights.append(max(length, 8.0) / 8.0)
        successes.append(success)
        by_length.append(success * 8.0 / max(length, 8.0))
    values = tour_row(rows_of(asked, data, paths), "kept/0").values
    assert values["t-SR"] == pytest.approx(np.average(successes, weights=weights))
    assert values["t-SPL"] == pytest.approx(np.average(by_length, weights=weights))


def test_a_goal_at_the_start_has_no_weight() -> None:
    data = dataset([*path(1, "aba", 1), *path(2, "bc", 1)], street(0, 4, 8))
    asked = build_cases(data, memory=("kept",))
    row = tour_row(rows_of(asked, data), "kept/0")
    assert "starts at its goal" in row.undefined["t-SR"]
    assert row.values["t-nDTW"] == 1.0


def test_what_was_seen_before_an_episode() -> None:
    far = street(*range(0, 80, 8), scan="street")  # 8 m apart: one viewpoint further is in reach
    data = dataset([*path(1, "ab", 1), *path(2, "ef", 1)], far)
    asked = build_cases(
        data, tours=[Tour(tour_id="0", scan="street", episode_ids=("1_0", "2_0"))], memory=("kept",)
    )
    first, second, _ = rows_of(asked, data)
    assert (first.values["seen-next"], first.values["seen-tour"]) == (0.0, 0.0)
    assert second.values["seen-next"] == 3 / 4  # d e f of d e f g, as it was led from b to e
    assert second.values["seen-tour"] == 6 / 7


def test_runs_that_are_not_complete() -> None:
    data = small()
    asked = build_cases(data, max_tours=1)
    lines = walked(asked)
    kept, reset = asked.tours or ()
    del lines[reset.case_ids[2]]
    lines[kept.case_ids[0]] = replace(
        lines[kept.case_ids[0]], path=lines[kept.case_ids[0]].path[:1], failed="lost", phases=None
    )
    assert data.scenes is not None
    rows = score_cases(asked, lines, data.scenes)
    by_id = {row.episode_id: row for row in rows}
    assert reset.case_ids[2] not in by_id
    assert by_id[kept.case_ids[0]].values["SR"] == 0.0  # as if it had not moved
    assert by_id["kept/0"].values["t-SR"] == 0.75
    assert by_id["reset/0"].undefined == dict.fromkeys(
        TOUR_METRICS, "1 of the 4 episodes of the tour were not walked"
    )
    found = find(asked, {"mine": rows})
    assert any("mine: 1 tours have no t-nDTW" in note for note in found.notes)
    assert score_cases(asked, {}, data.scenes) == []
    with pytest.raises(InputError, match="nothing was scored"):
        find(asked, {"mine": []})


def test_evidence_of_other_tours_is_refused() -> None:
    data = small()
    asked = build_cases(data, max_tours=1, memory=("kept",))
    assert data.scenes is not None
    (tour,) = asked.tours or ()
    lines = walked(asked)
    turned = replace(asked, tours=(replace(tour, case_ids=tour.case_ids[::-1]),))
    with pytest.raises(InputError, match="was walked at place 3 of tour kept/0") as refused:
        score_cases(turned, lines, data.scenes)
    assert refused.value.expected == "place 0 of tour kept/0"
    alone = {name: replace(line, phases=None) for name, line in lines.items()}
    with pytest.raises(InputError, match="was walked alone"):
        score_cases(asked, alone, data.scenes)
    for names, what in (
        ((*tour.case_ids, tour.case_ids[0]), "has a place already"),
        (("kept/9_0",), "is not in the set"),
        ((), "has no cases"),
    ):
        odd = replace(asked, tours=(CaseTour(tour_id="kept/0", scan="street", case_ids=names),))
        with pytest.raises(InputError, match=what):
            score_cases(odd, lines, data.scenes)
    with pytest.raises(InputError, match="in no tours"):
        score_cases(replace(asked, tours=None), lines, data.scenes)


class Rememberer:
    """Walks to the end of the street, in vain; once it has been led by an oracle, it stays where it is."""

    def start_tour(self, scan: str) -> None:
        self.seen: set[str] = set()

    def observe(self, observation: Observation) -> None:
        self.seen.add(observation.viewpoint)

    def act(self, observation: Observation) -> Decision:
        if self.seen:
            return Decision.stop(observation)
        names = [candidate.viewpoint for candidate in observation.candidates]
        best = max(names)
        if best < observation.viewpoint:
            return Decision.stop(observation)
        return Decision.choose(observation, names.index(best))


def many_streets() -> Dataset:
    """Eight streets with paths of two steps, so that staying is better than walking to the end."""
    scenes = [street(*(np.arange(12) * (2 + 0.1 * k)).tolist(), scan=f"street{k}") for k in range(8)]
    episodes = [
        replace(episode, episode_id=f"{k}{episode.episode_id}", path_id=f"{k}{episode.path_id}", heading=0.0)
        for k, scene in enumerate(scenes)
        for number, nodes in enumerate(("abc", "cba", "bcd", "dcb", "cde" if k % 2 else "edc"))
        for episode in path(number, nodes, 3, scan=scene.id)
    ]
    return dataset(episodes, *scenes)


def findings_of(agent: Any, data: Dataset, folder: Path, **options: Any) -> Findings:
    asked = build_cases(data, **options)
    assert data.scenes is not None
    done = run(agent, data, out=folder, cases=asked)
    return checked(find(asked, {"mine": score_cases(asked, done.lines(), data.scenes)}))


def statements(found: Findings) -> dict[str, Statement]:
    named = {said.key: said for said in found.statements}
    assert len(named) == len(found.statements)
    return named


def test_memory_that_helps_is_found(tmp_path: Path) -> None:
    found = findings_of(Rememberer(), many_streets(), tmp_path / "run")
    said = statements(found)
    assert "scores the same" in said["memory.SR"].wording.unclear  # it never arrives
    for name in ("memory.t-nDTW", "memory.nDTW"):
        assert said[name].verdict == "above"
        assert (said[name].null, said[name].unit, said[name].clusters) == (0.0, "points", 8)
        assert "gets better by remembering" in said[name].wording.above
    assert all(name.startswith("kept/") for name in said["memory.nDTW"].episodes)
    assert "memory.nDTW.known" not in said  # no tour is so long
    table = next(table for table in found.tables if table.name == "tours-memory-gain")
    gains = {row[1]: dict(zip(table.columns, row, strict=True)) for row in table.rows}
    assert gains["nDTW"]["gain"] == pytest.approx(gains["nDTW"]["kept"] - gains["nDTW"]["reset"])  # type: ignore[operator]
    curve = next(figure for figure in found.figures if figure.name == "tours-gain-by-place")
    assert curve.panels[0].series[0].x == (2.0,)


def test_memory_that_hurts_is_found(tmp_path: Path) -> None:
    class Confused(Rememberer):
        def act(self, observation: Observation) -> Decision:
            if not self.seen:
                return Decision.stop(observation)
            self.seen, kept = set(), self.seen
            decision = super().act(observation)
            self.seen = kept
            return decision

    said = statements(findings_of(Confused(), many_streets(), tmp_path / "run"))
    assert said["memory.t-nDTW"].verdict == "below"


def test_agents_without_memory_gain_nothing(tmp_path: Path) -> None:
    data = open_dataset("sample/demo")
    tours = [
        Tour(tour_id=str(k), scan=tour.scan, episode_ids=tour.episode_ids[:6])
        for k, tour in enumerate(build_tours(data).tours[::3])
    ]
    asked = build_cases(data, tours=tours)
    assert data.scenes is not None
    scored = {}
    for agent in ("random", "follower:memory=false"):
        done = run(agent, data, out=tmp_path / agent, cases=asked)
        lines = done.lines()
        for name, line in lines.items():
            other = lines[name.replace("kept/", "reset/")]
            assert (line.path, line.headings, line.failed) == (other.path, other.headings, None)
        scored[agent] = score_cases(asked, lines, data.scenes)
    found = find(asked, scored)
    for said in found.statements:
        if said.key.startswith("memory."):
            assert (said.value, said.verdict) == (0.0, "unclear")
    assert "scores the same" in found.statements[1].wording.unclear


def test_findings_have_the_papers_tables_and_figures() -> None:
    data = small()
    asked = build_cases(data)
    rows = rows_of(asked, data)
    found = find(asked, {"one": rows, "two": rows})
    assert found == find(asked, {"one": rows, "two": rows})
    sources = {table.source for table in found.tables} | {figure.source for figure in found.figures}
    assert sources >= {
        "IVLN, Table 1",
        "IVLN, Tables 2 to 4",
        "IVLN, Figure 2a",
        "IVLN, Figure 2b",
        "IVLN, Figures 3 and 6",
    }
    names = [figure.name for figure in found.figures]
    assert len(set(names)) == len(names)
    lengths = next(table for table in found.tables if table.name == "tours-lengths")
    assert lengths.rows == (("made/up", 1, 12, 3, 3.0, 4.0, 4, 4, 0.0),)
    scores = next(table for table in found.tables if table.name == "tours-scores")
    assert [row[:2] for row in scores.rows] == [
        (agent, kind) for agent in ("one", "two") for kind in ("kept", "reset")
    ]
    examples = next(table for table in found.tables if table.name == "tours-examples")
    assert [row[2] for row in examples.rows] == [1, 2, 3, 1, 2, 3]
    for table in found.tables:
        assert all(len(row) == len(table.columns) for row in table.rows)


def test_one_half_alone_says_nothing_of_memory() -> None:
    data = small()
    asked = build_cases(data, memory=("reset",))
    found = find(asked, {"mine": rows_of(asked, data)})
    assert [said.key for said in found.statements] == ["t-nDTW"]
    assert any("gain of memory cannot be told" in note for note in found.notes)


def test_follower_gains_by_remembering_a_house(tmp_path: Path) -> None:
    data = open_dataset("houses-terse/train@1+7")
    whole = build_tours(data).tours[0]
    first = Tour(tour_id="0", scan=whole.scan, episode_ids=whole.episode_ids[:9])
    asked = build_cases(data, tours=[first], max_steps=25)
    assert data.scenes is not None
    lines = run(FollowerAgent(memory=True), data, out=tmp_path / "run", cases=asked).lines()
    assert all(line.failed is None for line in lines.values())
    rows = score_cases(asked, lines, data.scenes)
    found = statements(find(asked, {"follower": rows}))
    for key in ("memory.t-nDTW", "memory.nDTW", "memory.SPL"):
        assert (found[key].value or 0.0) > 5.0


def command(monkeypatch: pytest.MonkeyPatch, *arguments: object) -> int:
    monkeypatch.setattr(sys, "argv", ["vlnscope", *map(str, arguments)])
    with pytest.raises(SystemExit) as end:
        command_line()
    return end.value.code if isinstance(end.value.code, int) else 0


def test_from_the_command_line(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    build = ("build", "tours", "--data", "sample/demo")
    cases = tmp_path / "cases"
    assert command(monkeypatch, *build, "--cases", "--max-tours", 1, "--out", cases) == 0
    shown = capsys.readouterr().out
    assert "cases of sample/demo" in shown
    assert "tours per scene: 3 of 9 kept" in shown
    asked = CaseSet.load(cases)
    assert (len(asked.cases), len(asked.tours or ())) == (60, 6)
    given = ("--tours", cases / "tours_iVLN.json", "--memory", "kept", "--json", "--out", tmp_path / "given")
    assert command(monkeypatch, *build, *given) == 0
    report = json.loads(capsys.readouterr().out)
    assert (report["cases"]["cases"], report["cases"]["tours"], report["splits"]) == (90, 9, [])
    assert not (tmp_path / "given" / "tours_iVLN.json").exists()
    assert command(monkeypatch, *build, "--data", "houses/train@1", "--cases", "--out", tmp_path / "x") == 2
    assert "build them one by one" in capsys.readouterr().err
    assert command(monkeypatch, *build, *given, "--coverage", "floor") == 2
    assert "without --tours" in capsys.readouterr().err
    out = tmp_path / "run"
    assert command(monkeypatch, "run", "random", "--cases", cases, "--out", out, "--json") == 0
    assert CaseSet.load(out) == asked
