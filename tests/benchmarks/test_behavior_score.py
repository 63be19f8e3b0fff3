"""Behavior: scores against vln-behave's own numbers, agents of known skill, and what findings say of them."""

from __future__ import annotations

import json
import math
from collections import Counter
from pathlib import Path
from typing import Any

import msgspec
import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from sound_findings import checked
from vlnscope.agents.spec import make_agent
from vlnscope.benchmarks.behavior.build.cases import build_cases
from vlnscope.benchmarks.behavior.build.direction import lets_through, sector, sector_ends, turn_degrees
from vlnscope.benchmarks.behavior.findings.directions import data_sector_figure
from vlnscope.benchmarks.behavior.findings.effects import balanced_mean, mixed_effect
from vlnscope.benchmarks.behavior.findings.figures import data_path_figure
from vlnscope.benchmarks.behavior.findings.find import find
from vlnscope.benchmarks.behavior.findings.skills import DIRECTIONS, average, intervened, skill_mean
from vlnscope.benchmarks.behavior.result_files import (
    OfficialResult,
    official_id,
    official_lines,
    read_official,
    write_official,
)
from vlnscope.benchmarks.behavior.score.bins import (
    error_masses,
    forward_bias,
    legacy_forward_bias,
    polar_masses,
    progress_masses,
)
from vlnscope.benchmarks.behavior.score.cases import NOT_LOGGED, room_search, score_cases
from vlnscope.benchmarks.behavior.score.decisions import ScoredStep
from vlnscope.benchmarks.kit.case_file import episode_cases
from vlnscope.benchmarks.kit.case_set import CaseSet
from vlnscope.benchmarks.kit.estimates import mean_of
from vlnscope.benchmarks.kit.findings import Findings
from vlnscope.core.exceptions import InputError, UnknownNameError
from vlnscope.engine.environment import Environment
from vlnscope.engine.jobs import make_jobs
from vlnscope.engine.rollout import roll_out
from vlnscope.engine.vectorised import roll_out_arrays
from vlnscope.episodes.datasets.dataset import Dataset, open_dataset
from vlnscope.episodes.formats.evidence import EvidenceLine
from vlnscope.evaluate.conformance.check_agent import check_agent
from vlnscope.types import STOP, Decision, Observation, Rules, ScoreRow
from vlnscope.worlds.graph.navgraph import NavGraph
from vlnscope.worlds.rooms import Regions

OBEYS = "shortest:follow=reference"
AGENTS = (OBEYS, "stop", "forward", "random:protocol=uniform", "noisy:p=0.2,follow=reference")
FIXTURE = "vln_behave.json"


@pytest.fixture(scope="session")
def official(shared: Path) -> dict[str, Any]:
    loaded: dict[str, Any] = json.loads((shared / "fixtures" / FIXTURE).read_text())
    return loaded


@pytest.fixture(scope="session")
def results(official: dict[str, Any]) -> list[OfficialResult]:
    return msgspec.convert(official["results"], list[OfficialResult])


class TestFixtures:
    """Every number of the fixture that concerns scores."""

    @pytest.mark.parametrize("direction", DIRECTIONS)
    def test_direction_scores(
        self, official: dict[str, Any], results: list[OfficialResult], direction: str
    ) -> None:
        masses, hits = [], []
        for result in results:
            sectors = [sector(turn_degrees(way.heading)) for way in result.ways]
            if lets_through(sectors, direction, "legacy"):
                right = [w.viewpoint for w, its in zip(result.ways, sectors, strict=True) if its == direction]
                masses.append(result.step().mass(right))
                hits.append(result.step().choice() in right)
        assert len(masses) == len(official["direction_filter"][direction])
        assert np.mean(masses) == pytest.approx(official["direction_soft_score"][direction], abs=1e-12)
        assert np.mean(masses) == pytest.approx(official["direction_eq1_score"][direction], abs=1e-12)
        assert np.mean(hits) == pytest.approx(official["direction_hard_score"][direction], abs=1e-12)

    def test_polar_bins(self, official: dict[str, Any], results: list[OfficialResult]) -> None:
        pooled: dict[str, float] = {}
        stops = []
        for place in official["direction_filter"]["left"]:
            step = results[place].step()
            for name, mass in polar_masses([w.heading for w in results[place].ways], step.masses).items():
                pooled[name] = pooled.get(name, 0.0) + mass
            stops.append(step.stop)
        wanted = official["direction_binned_left_bin10"]
        total = sum(pooled.values())
        for start, share in wanted["dist"]:
            assert pooled.get(str(start), 0.0) / total == pytest.approx(share, abs=1e-12)
        assert np.mean(stops) == pytest.approx(wanted["stop"], abs=1e-12)

    def test_object_pairs_and_the_forward_bias_quirk(
        self, official: dict[str, Any], results: list[OfficialResult]
    ) -> None:
        first = results[0]
        target = official["object_gt"]["1000_2"]
        headings = [way.normalized_heading for way in first.ways]
        errors = [abs(turn_degrees(heading - target)) for heading in headings]
        pairs = official["object_pairs_item0"]
        assert errors == pytest.approx([error for error, _ in pairs])
        assert first.step().masses == pytest.approx([mass for _, mass in pairs])
        shares, again, stop = legacy_forward_bias(headings)
        wanted = official["object_forward_bias_item0"]
        assert [*shares, *again] == pytest.approx([mass for _, mass in wanted["pairs"]], abs=1e-12)
        assert stop == pytest.approx(wanted["stop"], abs=1e-12)
        assert sum(forward_bias(headings, 0.0)) == pytest.approx(1.0)
        assert forward_bias(headings, headings[1])[1] > 0.5 > shares[1]

    def test_a_file_of_results_is_read(self, shared: Path, tmp_path: Path, official: dict[str, Any]) -> None:
        path = tmp_path / "submit.json"
        path.write_text(json.dumps(official["results"]))
        found = read_official(path)
        assert len(found) == 160
        for result in found:
            assert result.step().stop == pytest.approx(result.stop_prob[0])


class TestBins:
    @settings(max_examples=40)
    @given(st.lists(st.tuples(st.floats(-20, 20), st.floats(0, 1)), max_size=12), st.floats(-7, 7))
    def test_no_mass_is_lost(self, ways: list[tuple[float, float]], target: float) -> None:
        headings, masses = [h for h, _ in ways], [m for _, m in ways]
        for found in (polar_masses(headings, masses), error_masses(headings, masses, target)):
            assert sum(found.values()) == pytest.approx(sum(masses))
        assert set(polar_masses(headings, masses)) <= {str(k) for k in range(-180, 180, 10)}
        assert set(error_masses(headings, masses, target)) <= {str(k) for k in range(5, 180, 10)}

    def test_edges(self) -> None:
        assert polar_masses([math.radians(x) for x in (-180, 180, 179.9, -0.1)], [1, 1, 1, 1]) == {
            "-180": 2, "170": 1, "-10": 1,
        }  # fmt: skip
        assert error_masses([math.pi], [1.0], 0.0) == {"175": 1.0}
        assert progress_masses([-5.0, 4.99, 5.0, -5.01], [1, 1, 1, 1]) == {"-5.0": 1, "4.5": 1}

    @settings(max_examples=40)
    @given(st.lists(st.floats(0.001, 1), min_size=2, max_size=8), st.data())
    def test_eq_1(self, weights: list[float], data: st.DataObject) -> None:
        total = sum(weights)
        *masses, stop = [weight / total for weight in weights]
        names = tuple(f"v{k}" for k in range(len(masses)))
        step = ScoredStep("here", names, tuple(masses), stop)
        right = data.draw(st.sets(st.sampled_from([*names, STOP])))
        wrong = {*names, STOP} - right
        assert step.mass(right) + step.mass(wrong) == pytest.approx(1.0)
        assert step.chance(right) + step.chance(wrong) == pytest.approx(1.0)
        assert (step.choice() in right) != (step.choice() in wrong)


class TestRooms:
    GRAPH = NavGraph.build(
        list("abcd"), [[0, 0, 0], [1, 0, 0], [2, 0, 0], [3, 0, 0]], [("a", "b"), ("b", "c"), ("c", "d")]
    )
    REGIONS = Regions({"a": 0, "b": 0, "c": 1, "d": 2}, {0: "h", 1: "k", 2: "b"})

    def test_distances_and_hops(self) -> None:
        search = room_search(self.GRAPH, self.REGIONS, "a", "k", 2)
        assert (search.distance("a"), search.distance("d"), search.holds("c")) == (2.0, 1.0, True)
        assert search.progress(["b", "a"]) == [1.0, 0.0]
        assert not room_search(self.GRAPH, self.REGIONS, "a", "k", 1).targets.any()
        assert not room_search(self.GRAPH, self.REGIONS, "a", "k", 3, "exactly").targets.any()

    def test_reached_counts_moves_and_not_stays(self) -> None:
        search = room_search(self.GRAPH, self.REGIONS, "a", "k", 2)
        assert search.reached(["a", "a", "b", "b", "c"])
        assert not search.reached(["a", "b", "a", "b", "c"])

    def test_chance_is_that_of_a_random_walk(self) -> None:
        search = room_search(self.GRAPH, self.REGIONS, "a", "k", 3)
        assert search.chance() == pytest.approx(1 / 2 * 1 / 3)  # a→b, b→c; a→b→a→b is too short
        rng = np.random.default_rng(0)
        found = 0
        for _ in range(4000):
            here = "a"
            for _ in range(3):
                ways = [*self.GRAPH.neighbours(here), None]
                here = ways[rng.integers(len(ways))] or ""
                if here in ("c", ""):
                    break
            found += here == "c"
        assert found / 4000 == pytest.approx(search.chance(), abs=0.02)


@pytest.fixture(scope="module")
def houses() -> Dataset:
    return open_dataset("houses/val_unseen@2")


@pytest.fixture(scope="module")
def asked(houses: Dataset) -> CaseSet:
    skills = ("stop", "direction", "object", "room", "room-k")
    return build_cases(houses, skills=skills, most=12, hops=(1, 3))


def lines_of(agent: Any, asked: CaseSet, houses: Dataset) -> dict[str, EvidenceLine]:
    made = make_agent(agent, seed=1).agent if isinstance(agent, str) else agent
    assert houses.scenes is not None
    environment = Environment(houses.scenes, getattr(made, "needs", ()))
    jobs = make_jobs(asked.cases)
    return {line.case_id: line for job in jobs for line in roll_out(made, job, environment, asked.rules)}


def rows_of(agent: Any, asked: CaseSet, houses: Dataset, **options: str) -> list[ScoreRow]:
    assert houses.scenes is not None
    return score_cases(asked, lines_of(agent, asked, houses), houses.scenes, **options)


@pytest.fixture(scope="module")
def scored(asked: CaseSet, houses: Dataset) -> dict[str, list[ScoreRow]]:
    return {agent: rows_of(agent, asked, houses) for agent in AGENTS}


SKILLS = ("stop", "direction", "object", "room")


class TestKnownAgents:
    def test_an_oracle_that_obeys_gets_everything(self, scored: dict[str, list[ScoreRow]]) -> None:
        for skill in SKILLS:
            rows = intervened(scored[OBEYS], skill)
            assert len(rows) >= 12
            assert {row.values["mass"] for row in rows} == {1.0} == {row.values["top1"] for row in rows}
        searches = intervened(scored[OBEYS], "room-k")
        assert (
            {row.values["reached"] for row in searches} == {1.0} == {row.values["ended"] for row in searches}
        )
        assert {row.values["distance_m"] for row in searches} == {0.0}

    def test_one_that_stops_can_only_stop(self, scored: dict[str, list[ScoreRow]]) -> None:
        assert {row.values["mass"] for row in intervened(scored["stop"], "stop")} == {1.0}
        for skill in SKILLS[1:]:
            assert {row.values["mass"] for row in intervened(scored["stop"], skill)} == {0.0}
        for row in intervened(scored["stop"], "room-k"):
            assert (row.values["reached"], row.values["distance_m"]) == (0.0, row.values["distance_m_stop"])
            assert row.values["distance_m_effect"] == 0.0

    def test_honest_chance_is_at_chance(self, scored: dict[str, list[ScoreRow]]) -> None:
        for skill in SKILLS:
            for row in intervened(scored["random:protocol=uniform"], skill):
                assert row.values["mass"] == pytest.approx(row.values["chance"], abs=1e-8)
                assert row.values["effect"] == pytest.approx(0.0, abs=1e-8)

    def test_forward_bias(self, scored: dict[str, list[ScoreRow]]) -> None:
        forward = {
            sub: mean_of(intervened(scored["forward"], "direction", sub), "mass").mean or 0.0
            for sub in DIRECTIONS
        }
        assert forward["forward"] > max(forward["left"], forward["right"]) > forward["backward"]
        elsewhere = [r for r in intervened(scored["forward"], "direction") if r.groups["sub"] != "forward"]
        shares = [mean_of(elsewhere, name).mean or 0.0 for name in ("ahead", "ahead_chance")]
        assert shares[0] > 1.5 * shares[1] > 0.0
        assert {row.values["effect"] for row in intervened(scored["forward"], "direction")} == {0.0}

    def test_noise_costs_monotonically(self, asked: CaseSet, houses: Dataset) -> None:
        runs = [rows_of(f"noisy:p={p},follow=reference", asked, houses) for p in (0.0, 0.3, 0.6, 1.0)]
        for skill in SKILLS:
            means = [skill_mean(rows, skill, "mass").mean or 0.0 for rows in runs]
            assert means == sorted(means, reverse=True)
            assert means[0] == 1.0
            assert 0.3 < means[1] < 1.0
            # other actions may be right too where several neighbours are; stopping has no other
            assert means[-1] < 0.3
        assert skill_mean(runs[-1], "stop", "mass").mean == 0.0


@pytest.mark.usefixtures("one_process")
def test_the_uniform_agent_draws_alike_by_arrays_and_conforms() -> None:
    demo = open_dataset("sample/demo")
    assert demo.scenes is not None
    agent, environment = make_agent("random:protocol=uniform", seed=5).agent, Environment(demo.scenes)
    jobs = make_jobs(episode_cases(demo))
    many = [line.path for lines in roll_out_arrays(agent, jobs, environment, Rules()) for line in lines]
    single = [line.path for job in jobs for line in roll_out(agent, job, environment, Rules())]
    assert many == single
    assert len({len(path) for path in single}) > 3
    first = [tuple(demo.scenes.scene(j.scan).candidates(j.cases[0].episode.path[0])) for j in jobs]
    stops = sum(len(path) == 1 for path in single)
    expected = sum(1 / (len(ways) + 1) for ways in first)
    assert stops == pytest.approx(expected, abs=4 * expected**0.5)
    assert check_agent("random:protocol=uniform", data="sample/demo").wrong == ()


class TestRows:
    def test_one_per_case_with_its_groups(self, asked: CaseSet, scored: dict[str, list[ScoreRow]]) -> None:
        for rows in scored.values():
            assert [row.episode_id for row in rows] == [case.case_id for case in asked.cases]
            assert all(row.groups == case.groups for row, case in zip(rows, asked.cases, strict=True))

    def test_effects_are_differences_of_the_same_actions(self, scored: dict[str, list[ScoreRow]]) -> None:
        for row in scored["noisy:p=0.2,follow=reference"]:
            if "effect" in row.values:
                assert row.values["effect"] == row.values["mass"] - row.values["mass_none"]
        assert all(
            "mass_none" in row.values for skill in SKILLS for row in intervened(scored["forward"], skill)
        )
        assert all("stop_ahead" in row.values for row in intervened(scored["forward"], "stop"))

    def test_bins_hold_what_is_not_stopped(self, scored: dict[str, list[ScoreRow]]) -> None:
        for rows in scored.values():
            for skill, name in (("direction", "polar."), ("object", "error.")):
                for row in intervened(rows, skill):
                    binned = sum(mass for key, mass in row.values.items() if key.startswith(name))
                    assert binned == pytest.approx(1.0 - row.values["stop"])

    def test_what_lacks_a_line_has_no_row(self, asked: CaseSet, houses: Dataset) -> None:
        lines = lines_of("stop", asked, houses)
        kept = {name: lines[name] for name in list(lines)[:7]}
        assert houses.scenes is not None
        assert [row.episode_id for row in score_cases(asked, kept, houses.scenes)] == list(kept)

    def test_failed_cases_are_wrong(self, asked: CaseSet, houses: Dataset) -> None:
        class Unnormalised:
            def act(self, observation: Observation) -> Decision:
                return Decision((0.4,) * (len(observation.candidates) + 1))

        class Short:
            def act(self, observation: Observation) -> Decision:
                return Decision((1.0,))

        for agent, why in ((Unnormalised(), "sum to"), (Short(), "1 probabilities for")):
            lines = lines_of(agent, asked, houses)
            assert all(why in (line.failed or "") for line in lines.values())
            rows = rows_of(agent, asked, houses)
            assert {row.values["mass"] for row in intervened(rows, "direction")} == {0.0}
            assert {row.values["reached"] for row in intervened(rows, "room-k")} == {0.0}
            assert all(why in row.undefined["stop"] and "chance" in row.values for row in rows)

    def test_what_was_not_logged_is_undefined(self, asked: CaseSet, houses: Dataset) -> None:
        lines = {
            name: msgspec.structs.replace(line, decisions=None)
            for name, line in lines_of("stop", asked, houses).items()
        }
        assert houses.scenes is not None
        rows = intervened(score_cases(asked, lines, houses.scenes), "direction")
        assert {row.undefined["mass"] for row in rows} == {NOT_LOGGED}

    def test_legacy(self, asked: CaseSet, houses: Dataset) -> None:
        ours, theirs = (rows_of("forward", asked, houses, profile=p) for p in ("default", "legacy"))
        for row in intervened(theirs, "room-k"):
            gained = row.values["distance_m"] - row.values["distance_m_stop"]
            assert row.values["distance_m_effect"] == gained
        sums = [
            [
                sum(m for k, m in row.values.items() if k.startswith("error_forward."))
                for row in intervened(rows, "object")
            ]
            for rows in (ours, theirs)
        ]
        assert sums[0] == pytest.approx([1.0] * len(sums[0]))
        assert min(sums[1]) > 1.0  # counted once as shares and once again
        assert [row.values["mass"] for row in intervened(ours, "object")] == [
            row.values["mass"] for row in intervened(theirs, "object")
        ]

    def test_unknown_profile(self, asked: CaseSet, houses: Dataset) -> None:
        assert houses.scenes is not None
        with pytest.raises(UnknownNameError, match="default"):
            score_cases(asked, {}, houses.scenes, profile="defualt")


class TestOfficial:
    def test_round_trip_scores_the_same(self, asked: CaseSet, houses: Dataset, tmp_path: Path) -> None:
        assert houses.scenes is not None
        some = [c for c in asked.cases if c.groups["skill"] == "object"]
        plain = {c.groups["pair"]: c for c in asked.cases if c.groups["variant"] == "none"}
        lines = lines_of("forward", asked, houses)
        path = tmp_path / "submit.json"
        assert write_official(path, some, lines, houses.scenes) == len(some)
        read = official_lines(read_official(path), some)
        assert list(read) == [case.case_id for case in some]
        others = {c.case_id: lines[c.case_id] for c in plain.values()}
        again = score_cases(asked, read | others, houses.scenes)
        ours = score_cases(asked, {c.case_id: lines[c.case_id] for c in some} | others, houses.scenes)
        for a, b in zip(again, ours, strict=True):
            assert a.values == pytest.approx(b.values)

    def test_ids(self, asked: CaseSet) -> None:
        for case in asked.cases:
            parts = official_id(case, suffix=False).split("_")
            assert parts[0] == case.episode.path_id
            assert parts[-1] == case.groups["path_length"]

    @pytest.mark.parametrize(
        ("change", "said"),
        [
            ({"final_logits": [[0.5, 0.5]]}, "2 probabilities for 2 candidates"),
            ({"final_logits": [[0.5, 0.5, 0.5]]}, "sum to 1.5"),
            ({"candidates": []}, "no candidates"),
            ({"instr_id": 7}, "no result file"),
        ],
    )
    def test_bad_files(self, tmp_path: Path, change: dict[str, Any], said: str) -> None:
        way = {"heading": 0.0, "normalized_heading": 0.0, "viewpointId": "b"}
        good = {"instr_id": "1_2_3", "candidates": [["a", [way, way]]], "final_logits": [[0.5, 0.25, 0.25]]}
        path = tmp_path / "x.json"
        path.write_text(json.dumps([good]))
        assert read_official(path)[0].step().stop == 0.25
        path.write_text(json.dumps([good | change]))
        with pytest.raises(InputError, match=said):
            read_official(path)


@pytest.fixture(scope="module")
def found(asked: CaseSet, scored: dict[str, list[ScoreRow]]) -> Findings:
    return checked(find(asked, scored))


class TestFindings:
    def test_table_1(self, found: Findings) -> None:
        table = next(table for table in found.tables if table.name == "behavior-competence")
        rows = {(row[0], row[1]): dict(zip(table.columns, row, strict=True)) for row in table.rows}
        assert [rows[OBEYS, "probability"][name] for name in ("Stop", "Turn", "Object", "Room", "Avg.")] == [
            pytest.approx(100.0)
        ] * 5
        assert rows["stop", "probability"]["Avg."] == pytest.approx(25.0)
        for name in ("Stop", "Turn", "Object", "Room", "Avg."):
            chance = rows["chance", "probability"][name]
            assert rows["random:protocol=uniform", "probability"][name] == pytest.approx(chance, abs=1e-5)
        published = rows["HAMT (published)", "probability"]
        skills = [float(published[name] or 0.0) for name in ("Stop", "Turn", "Object", "Room")]
        assert published["Avg."] == pytest.approx(sum(skills) / 4, abs=0.01)

    def test_turn_is_the_mean_of_the_directions(self, scored: dict[str, list[ScoreRow]]) -> None:
        rows = intervened(scored["forward"], "direction")[7:]  # unequal numbers
        by_hand = np.mean(
            [np.mean([r.values["mass"] for r in rows if r.groups["sub"] == sub]) for sub in DIRECTIONS]
        )
        share = dict.fromkeys(DIRECTIONS, 1 / 6)
        found = balanced_mean(rows, "mass", lambda r: (r.groups["sub"], share[r.groups["sub"]]))
        assert found.mean == pytest.approx(by_hand)
        assert found.n == len(rows)

    def test_figures_of_the_paper(self, found: Findings) -> None:
        sources = " ".join(figure.source for figure in found.figures)
        for number in range(2, 9):
            assert f"Figure {number} " in sources
        for figure in found.figures:
            for panel in figure.panels:
                for series in panel.series:
                    assert len(series.x) == len(series.y)
        shares = next(f for f in found.figures if f.name == "behavior-direction-forward")
        assert shares.kind == "polar"
        for panel in shares.panels:
            *moves, told = panel.series
            assert [sum(y or 0.0 for y in s.y) for s in moves] == pytest.approx([100.0, 100.0])
            assert (told.role, told.x) == ("region", sector_ends(panel.title))
            assert panel.note.startswith("stops: ")
        assert {figure.kind for figure in found.figures if "search" in figure.name} == {"ridges"}

    def test_stopping_stands_above_the_circles(self, found: Findings) -> None:
        notes = {f.name: {panel.note for panel in f.panels} for f in found.figures if f.kind == "polar"}
        assert notes["behavior-direction-stop"] == {"stops: 100 %, without 100 %"}
        assert notes["behavior-direction-forward"] == {"stops: 0 %, without 0 %"}

    def test_sectors_say_how_many_cases_ask_for_them(self, found: Findings, asked: CaseSet) -> None:
        (panel,) = next(f for f in found.figures if f.name == "behavior-sectors").panels
        counts = Counter(c.groups["sub"] for c in asked.cases if c.groups["skill"] == "direction")
        assert {s.name for s in panel.series} == {f"{name} ({counts[name]:,})" for name in counts}
        covered = sum(float(s.x[1]) - float(s.x[0]) for s in panel.series)  # type: ignore[arg-type]
        assert covered == 360.0

    def test_statements_have_words_for_every_case(self, found: Findings) -> None:
        keys = {(s.agent, s.key) for s in found.statements}
        assert len(keys) == len(found.statements)
        for one in found.statements:
            for words in (one.wording.above, one.wording.below, one.wording.unclear):
                assert "{value}" in words
                words.format(value="1", null="2", n="3")
        assert {"stop.mass", "direction.left.mass", "room-k.3.reached"} <= {key for _, key in keys}

    def test_of_two_scenes_nothing_is_said_beyond_them(self, found: Findings) -> None:
        assert {s.over for s in found.statements if s.low is not None} == {"paths"}

    def test_eight_scenes_show_an_oracle(self, scored: dict[str, list[ScoreRow]], asked: CaseSet) -> None:
        spread = {
            agent: [msgspec.structs.replace(r, scan=f"s{k % 8}") for k, r in enumerate(rows)]
            for agent, rows in scored.items()
        }
        told_of = {(s.agent, s.key): s for s in find(asked, spread).statements}
        assert told_of[OBEYS, "direction.mass"].verdict == "above"
        assert told_of["stop", "direction.mass"].verdict == "below"
        assert told_of["random:protocol=uniform", "direction.effect"].verdict == "unclear"
        assert told_of["forward", "direction.forward-bias"].verdict == "above"
        assert told_of["forward", "direction.effect"].verdict == "unclear"
        known = average(spread["stop"], "mass")
        assert known is not None
        assert known.mean == pytest.approx(0.25)
        assert (known.low or 0.0) < 0.25 < (known.high or 0.0) < 0.3

    def test_saved_and_loaded(self, found: Findings, tmp_path: Path) -> None:
        assert Findings.load(found.save(tmp_path / "findings.json")) == found


def test_sectors_of_a_data_set() -> None:
    """Figure 4: each example is what its panel says, and the shares of the three kinds are all."""
    drawn = data_sector_figure(open_dataset("houses/val_unseen@1"), "right")
    low, high = sector_ends("right")
    for panel in drawn.panels[1:]:
        turns = [float(x) for x in panel.series[1].x]  # type: ignore[arg-type]
        there = sum(low < turn <= high for turn in turns)
        expected = {"b": there and len(turns) - there >= 2, "c": not there, "d": len(turns) - there < 2}
        assert expected[panel.title[1]]
    assert sum(float(panel.note.split()[0]) for panel in drawn.panels[1:]) == pytest.approx(100, abs=0.2)
    with pytest.raises(UnknownNameError, match="sideways"):
        data_sector_figure(open_dataset("sample/demo"), "sideways")


def test_paths_of_a_data_set() -> None:
    demo = open_dataset("sample/demo")
    turns, nodes = (panel.series[0] for panel in data_path_figure(demo).panels)
    assert sum(share or 0.0 for share in turns.y) == pytest.approx(100.0)
    lengths = [len(episode.path) for episode in demo.episodes()]
    assert dict(zip(nodes.x, nodes.y, strict=True)) == {
        length: pytest.approx(100 * lengths.count(length) / len(lengths)) for length in set(lengths)
    }


def test_mixed_effect_is_the_mean_difference_of_balanced_pairs() -> None:
    rng = np.random.default_rng(3)
    rows = []
    for k in range(240):
        level = 0.1 * (k % 8)
        values = {"mass": level + 0.5 + rng.normal(0, 0.1), "mass_none": level + rng.normal(0, 0.1)}
        rows.append(ScoreRow(episode_id=str(k), scan=f"s{k % 8}", path_id=f"p{k % 40}", values=values))
    found = mixed_effect(rows, "mass", "mass_none")
    assert found.effect == pytest.approx(np.mean([r.values["mass"] - r.values["mass_none"] for r in rows]))
    assert found.p_value is not None
    assert found.p_value < 1e-6


def test_mixed_effect_says_why_there_is_none() -> None:
    rows = [
        ScoreRow(episode_id=str(k), scan=f"s{k % 3}", path_id=str(k // 2), values={"a": 1.0, "b": 0.0})
        for k in range(12)
    ]
    assert "explain every row" in mixed_effect(rows, "a", "b").reason
