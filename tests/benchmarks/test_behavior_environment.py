"""Environment interventions: names of edited houses, what is changed, and what is made of it."""

from __future__ import annotations

import json
from pathlib import Path

import msgspec
import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from vlnscope.benchmarks.behavior.environment.build import SHIFT, build_environment_cases, path_in, step_at
from vlnscope.benchmarks.behavior.environment.edits import (
    CHANGES,
    applied,
    may_mean_object,
    may_mean_room,
    named_targets,
    other_targets,
)
from vlnscope.benchmarks.behavior.findings.environment import paired_rows
from vlnscope.benchmarks.behavior.findings.find import find
from vlnscope.benchmarks.behavior.score.cases import score_cases
from vlnscope.benchmarks.kit.case_set import CaseSet
from vlnscope.core.exceptions import DataNotFoundError, InputError, UnknownNameError
from vlnscope.engine.run import run
from vlnscope.episodes.datasets.dataset import Dataset, open_dataset
from vlnscope.episodes.datasets.house_episodes import instructions
from vlnscope.language.describe import Description
from vlnscope.types import STOP, Case, Rules, ScoreRow
from vlnscope.worlds.graph.navgraph import NavGraph
from vlnscope.worlds.houses.edit.apply import edit
from vlnscope.worlds.houses.edit.edits import RecolourItem, RelabelRoom
from vlnscope.worlds.houses.edit.names import base_name, edited_name, edits_in
from vlnscope.worlds.houses.plan.plan import FloorPlan
from vlnscope.worlds.houses.splits import HouseScenes, is_house, load_house, seed_of, split_of

HOUSE = "house-40001"
NAMES = st.text(min_size=1, max_size=12)
EDITS = st.one_of(
    st.builds(lambda item: {"edit": "remove-item", "item": item}, NAMES),
    st.builds(lambda room, label: {"edit": "relabel-room", "room": room, "label": label}, NAMES, NAMES),
    st.builds(
        lambda item, x, y, on: {"edit": "move-item", "item": item, "at": [x, y], "on": on},
        NAMES, st.floats(-50, 50), st.floats(-50, 50), NAMES,
    ),
    st.builds(
        lambda name, hangs: {"edit": "add-item", "name": name, "room": "r", "mounted": hangs},
        NAMES, st.booleans(),
    ),
)  # fmt: skip


class TestNames:
    @settings(max_examples=60)
    @given(st.lists(EDITS, max_size=4))
    def test_edits_survive_being_named(self, history: list[dict[str, object]]) -> None:
        name = edited_name("house-00012", history)
        assert json.loads(json.dumps(edits_in(name))) == history
        assert base_name(name) == "house-00012"
        assert (name == "house-00012") == (not history)
        assert not set(name) & set("/\\ \n\t")

    @pytest.mark.parametrize("name", ["12", "true", "null", "[1]", '"x"'])
    def test_texts_that_look_like_numbers_stay_texts(self, name: str) -> None:
        history = [{"edit": "remove-item", "item": name}]
        assert list(edits_in(edited_name("house-00012", history))) == history

    @pytest.mark.parametrize(
        "tail", ["~", "~fly", "~remove-item", "~remove-item;items=x", "~remove-item;item=[1]"]
    )
    def test_nonsense(self, tail: str) -> None:
        with pytest.raises(DataNotFoundError, match="there is no house called"):
            edits_in(f"house-00012{tail}")

    def test_an_edited_house_belongs_to_the_split_of_what_it_was(self) -> None:
        name = f"{HOUSE}~remove-item;item=chair-1"
        assert (is_house(name), seed_of(name), split_of(name)) == (True, 40_001, "val_unseen")
        assert not is_house("zsNo4HB9uLZ~remove-item;item=chair-1")


@pytest.fixture(scope="module")
def plan() -> FloorPlan:
    return load_house(HOUSE)


class TestScenes:
    def test_loaded_by_name(self, plan: FloorPlan) -> None:
        room = next(room for room in plan.rooms if room.label == "k")
        edited = edit(plan, RelabelRoom(room.id, "o"), RecolourItem(plan.items[0].id, colour="#a02090"))
        name = edited_name(HOUSE, edited.history)
        assert load_house(name) == edited == load_house(name)  # made, then from the cache
        scenes = HouseScenes([HOUSE])
        scene, before = scenes.scene(name), scenes.scene(HOUSE)
        assert scene.id == name
        assert scene is scenes.scene(name)
        assert scene.graph.nodes == before.graph.nodes, "viewpoints keep their ids"
        changed = [v for v in before.graph.nodes if before.regions.label(v) != scene.regions.label(v)]
        assert {(before.regions.label(v), scene.regions.label(v)) for v in changed} == {("k", "o")}
        assert scenes.scans() == (HOUSE,)

    def test_unknown(self) -> None:
        scenes = HouseScenes([HOUSE])
        with pytest.raises(DataNotFoundError, match="house-40002"):
            scenes.scene("house-40002~remove-item;item=chair-1")
        with pytest.raises(InputError, match="no-such"):
            scenes.scene(f"{HOUSE}~remove-item;item=no-such")


@pytest.fixture(scope="module")
def houses() -> Dataset:
    return open_dataset("houses/val_unseen@1+1")


@pytest.fixture(scope="module")
def said(houses: Dataset) -> list[Description]:
    assert houses.scenes is not None
    scene = houses.scenes.scene(HOUSE)
    firsts = [e for e in houses.episodes() if e.scan == HOUSE and e.instruction_index == 0][:3]
    return [
        next(iter(instructions(scene, e.path, e.heading or 0.0, "r2r", seed=int(e.path_id)))) for e in firsts
    ]


class TestTargets:
    def test_what_is_named_and_what_is_not(self, plan: FloorPlan, said: list[Description]) -> None:
        items, rooms = {i.id: i for i in plan.items}, {r.id: r for r in plan.rooms}
        for change in CHANGES:
            rng = np.random.default_rng(1)
            for one in said:
                named = [target.name for target in named_targets(plan, change, one, rng)]
                mentioned = {name for statement in one.statements for name in statement.object_ids}
                if change == "relabelled":
                    assert all(may_mean_room(one, rooms[name].label) for name in named)
                else:
                    assert set(named) <= mentioned
            others = other_targets(plan, change, said, 5, rng)
            assert len(others) == 5
            for target in others:
                for one in said:
                    if change == "relabelled":
                        assert not may_mean_room(one, rooms[target.name].label)
                    else:
                        assert not may_mean_object(one, items[target.name].name)

    def test_new_labels_mean_nothing_that_is_named(self, plan: FloorPlan, said: list[Description]) -> None:
        rng = np.random.default_rng(0)
        for one in said:
            for target in named_targets(plan, "relabelled", one, rng):
                for (change,) in target.ways:
                    assert isinstance(change, RelabelRoom)
                    assert not may_mean_room(one, change.label)

    def test_what_cannot_be_done_is_left(self, plan: FloorPlan, said: list[Description]) -> None:
        target = other_targets(plan, "recoloured", said, 1, np.random.default_rng(0))[0]
        done = applied(plan, [target, target._replace(name="gone", ways=())])
        assert done.changed == (target.name,)
        assert len(done.plan.history) == 1


class TestPaths:
    BEFORE = NavGraph.build(list("abc"), [[0, 0, 0], [2, 0, 0], [4, 0, 0]], [("a", "b"), ("b", "c")])

    def test_stays_if_it_can(self) -> None:
        assert path_in(self.BEFORE, self.BEFORE, ("a", "b", "c")) == ("a", "b", "c")

    def test_goes_round_what_has_gone(self) -> None:
        nodes = [[0.0, 0.0, 0.0], [2.0, 1.0, 0.0], [4.3, 0.0, 0.0]]
        after = NavGraph.build(["a", "x", "y"], nodes, [("a", "x"), ("x", "y")])
        assert path_in(after, self.BEFORE, ("a", "b", "c")) == ("a", "x", "y")

    def test_the_step_at_a_place(self) -> None:
        path = ("a", "b", "c")
        assert step_at(self.BEFORE, path, np.array([2.3, 0.2, 0.0])) == 1
        assert step_at(self.BEFORE, path, np.array([3.0, 0.0, 0.0])) is None

    def test_is_none_if_an_end_has_gone(self) -> None:
        after = NavGraph.build(["a", "x"], [[0, 0, 0], [2, 1, 0]], [("a", "x")])
        assert path_in(after, self.BEFORE, ("a", "b", "c")) == ()


@pytest.fixture(scope="module")
def asked(houses: Dataset) -> CaseSet:
    return build_environment_cases(houses, changes=("relabelled",), paths=3)


class TestCases:
    def test_same_words_in_three_houses(self, asked: CaseSet, houses: Dataset) -> None:
        assert houses.scenes is not None
        texts = {e.episode_id: e.instruction for e in houses.episodes()}
        by_pair: dict[str, list[str]] = {}
        for case in asked.cases:
            assert case.episode.instruction == texts[case.groups["pair"]]
            by_pair.setdefault(case.groups["pair"], []).append(case.groups["variant"])
        assert by_pair
        assert {tuple(sorted(variants)) for variants in by_pair.values()} == {("named", "original", "other")}
        counts = {len(edits_in(c.episode.scan)) for c in asked.cases if c.groups["variant"] == "original"}
        assert counts == {0}
        for house in {base_name(case.episode.scan) for case in asked.cases}:
            edits = {
                case.groups["variant"]: len(edits_in(case.episode.scan))
                for case in asked.cases
                if base_name(case.episode.scan) == house
            }
            assert edits["named"] == edits["other"] > 0

    def test_led_to_where_the_words_name_what_is_changed(self, asked: CaseSet, houses: Dataset) -> None:
        assert houses.scenes is not None
        by_pair: dict[str, list[Case]] = {}
        for case in asked.cases:
            by_pair.setdefault(case.groups["pair"], []).append(case)
        led = [cases for cases in by_pair.values() if cases[0].correct]
        assert led
        for cases in led:
            places = []
            for case in cases:
                graph, path = houses.scenes.scene(case.episode.scan).graph, case.episode.path
                places.append(graph.positions[graph.row(path[case.forced_steps])])
                further = path[case.forced_steps + 1 : case.forced_steps + 2]
                assert case.correct == (further or (STOP,))
            assert np.ptp(places, axis=0).max() <= 2 * SHIFT

    def test_from_the_start(self, houses: Dataset) -> None:
        free = build_environment_cases(houses, changes=("relabelled",), paths=1, led=False)
        assert {(case.forced_steps, case.correct) for case in free.cases} == {(0, ())}

    def test_scored_by_the_next_step_and_by_success(self, asked: CaseSet, tmp_path: Path) -> None:
        rows = {
            agent: score_cases(
                asked, run(agent, out=tmp_path / agent, cases=asked).lines(), HouseScenes("val_unseen")
            )
            for agent in ("shortest", "stop")
        }
        stepped = [row for row in rows["shortest"] if "mass" in row.values]
        assert stepped
        assert {(row.values["mass"], row.values["top1"]) for row in stepped} == {(1.0, 1.0)}
        assert {row.values["success"] for row in rows["shortest"]} == {1.0}
        assert all(0 < row.values["chance"] < 1 for row in stepped)
        last = {c.case_id for c in asked.cases if c.correct == (STOP,)}
        assert all(
            row.values["mass"] == (row.episode_id in last) for row in rows["stop"] if row.values.get("mass")
        )

    @pytest.mark.slow
    def test_run_from_a_folder_by_workers(self, asked: CaseSet, tmp_path: Path) -> None:
        few = msgspec.structs.replace(asked, cases=asked.cases[:1] + asked.cases[-2:])
        folder = few.save(tmp_path / "cases")
        done = run("shortest", out=tmp_path / "run", cases=folder, executor="processes", workers=2)
        rows = score_cases(few, done.lines(), HouseScenes("val_unseen"))
        assert [row.values["success"] for row in rows] == [1.0, 1.0, 1.0]
        assert {row.scan for row in rows} == {HOUSE}

    def test_refusals(self, houses: Dataset) -> None:
        with pytest.raises(UnknownNameError, match="relabelled"):
            build_environment_cases(houses, changes=("relabeled",))  # type: ignore[arg-type]
        with pytest.raises(InputError, match="not built in"):
            build_environment_cases(open_dataset("sample/demo"))


def rows_with(named: float, other: float) -> list[ScoreRow]:
    """Rows of paths in eight scenes, of an agent that arrives so often in both copies."""
    rng = np.random.default_rng(0)
    rows = []
    for k in range(160):
        shares = {"original": 1.0, "named": named, "other": other}
        for variant, share in shares.items():
            rows.append(
                ScoreRow(
                    episode_id=f"{k}.{variant}",
                    scan=f"s{k % 8}",
                    path_id=str(k),
                    values={"success": float(rng.random() < share)},
                    groups={
                        "skill": "environment",
                        "sub": "none" if variant == "original" else "removed",
                        "variant": variant,
                        "pair": str(k),
                    },
                )
            )
    return rows


class TestFindings:
    @pytest.mark.parametrize(("named", "verdict"), [(0.3, "below"), (0.95, "unclear")])
    def test_reliance_on_what_is_named(self, named: float, verdict: str) -> None:
        asked = CaseSet(benchmark="behavior", data="houses/val_unseen", rules=Rules(), cases=())
        found = find(asked, {"mine": rows_with(named, 0.95)})
        by_key = {s.key: s for s in found.statements}
        assert set(by_key) == {"environment.removed.named", "environment.removed.other"}
        assert by_key["environment.removed.named"].verdict == verdict
        table = next(t for t in found.tables if t.name == "behavior-environment")
        assert table.rows[0][:5] == ("mine", "removed", "success", 160, 100.0)

    def test_the_next_step(self) -> None:
        rows = [
            msgspec.structs.replace(row, values={"success": 1.0, "mass": row.values["success"]})
            for row in rows_with(0.3, 0.95)
        ]
        asked = CaseSet(benchmark="behavior", data="houses/val_unseen", rules=Rules(), cases=())
        found = find(asked, {"mine": rows})
        verdicts = {s.key: s.verdict for s in found.statements}
        assert verdicts["environment.removed.named-step"] == "below"
        assert verdicts["environment.removed.named"] == "unclear"
        table = next(t for t in found.tables if t.name == "behavior-environment")
        assert [row[2] for row in table.rows] == ["next step", "success"]

    def test_paths_without_all_three_are_left_out(self) -> None:
        rows = rows_with(0.5, 0.5)
        assert len(paired_rows(rows, "removed")) == 160
        assert len(paired_rows(rows[1:], "removed")) == 159
        assert paired_rows(rows, "moved") == []
