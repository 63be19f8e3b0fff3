"""Tours in continuous space: their order along the ground, IR2R-CE's files, and the expert's log."""

from __future__ import annotations

import itertools
import json
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import Any

import msgspec
import numpy as np
import pytest

from commands import Cli
from made_up import dataset, path, street
from plane import Plane
from vlnscope.benchmarks.kit.findings import Findings
from vlnscope.benchmarks.tours.build.exact_ordering import prove_tours
from vlnscope.benchmarks.tours.build.tours import BuiltTours, build_tours, save_tours
from vlnscope.benchmarks.tours.coverage import kinds
from vlnscope.benchmarks.tours.coverage.observed import observed_in_space
from vlnscope.core.exceptions import InputError
from vlnscope.engine.tour_reference import reference_logs
from vlnscope.episodes.datasets import dataset as datasets
from vlnscope.episodes.datasets.dataset import Dataset, open_dataset
from vlnscope.episodes.datasets.house_space import NEAR
from vlnscope.episodes.reading import read_tour_logs, read_tours
from vlnscope.types import Continuous, Episode, Point
from vlnscope.worlds.cameras import Camera
from vlnscope.worlds.scene import Scene

SPLIT = "val_unseen@1+3"
DATA = f"houses-ce/{SPLIT}"


@pytest.fixture(scope="module")
def house() -> Dataset:
    """Four paths in a house of three storeys."""
    whole = open_dataset(DATA)
    chosen = list(dict.fromkeys(episode.path_id for episode in whole.episodes()))[3::15]
    few = [episode for episode in whole.episodes() if episode.path_id in chosen]
    return replace(whole, load=lambda on_problem: iter(few))


@pytest.fixture(scope="module")
def built(house: Dataset) -> BuiltTours:
    return build_tours(house)


def in_space(number: int, nodes: str, start: float, goal: float, times: int = 3) -> list[Episode]:
    """Episodes from one place on the x axis to another."""
    ends: tuple[Point, Point] = (start, 0.0, 0.0), (goal, 0.0, 0.0)
    place = Continuous(
        start_position=ends[0], start_rotation=(0.0, 0.0, 0.0, 1.0), goals=ends[1:], reference_path=ends
    )
    return path(number, nodes, *["go"] * times, continuous=place)


def on_plane(episodes: list[Episode], wall_x: float | None = None) -> Dataset:
    graph = street(0, 1, 2, 3, 4, 5).graph
    scene = Scene("street", graph, {"navmesh": lambda: Plane(wall_x)})
    return dataset(episodes, scene, continuous=True)


def test_the_ground_decides_the_order(built: BuiltTours, house: Dataset) -> None:
    assert house.scenes is not None
    ground = house.scenes.scene("house-40003").layer("navmesh")
    (order,) = built.orders
    places = [route.episodes[0].continuous for route in order.routes]
    goals = [place.goals[0] for place in places if place is not None]
    starts = [place.start_position for place in places if place is not None]
    assert len({round(y) for _, y, _ in starts}) > 1  # on several storeys
    walked = ground.distance(np.array(goals[:-1]), np.array(starts[1:])).sum()
    assert order.oracle_distance == pytest.approx(walked)
    best = min(
        sum(float(ground.distance([goals[a]], [starts[b]])[0]) for a, b in itertools.pairwise(turn))
        for turn in itertools.permutations(range(len(starts)))
    )
    assert order.oracle_distance == pytest.approx(best)
    assert [tour.tour_id for tour in built.tours] == ["0", "1", "2"]
    assert sorted(name for tour in built.tours for name in tour.episode_ids) == sorted(
        episode.episode_id for episode in house.episodes()
    )


def test_the_ground_parts_what_the_graph_joins() -> None:
    paths = [*in_space(1, "ab", 0, 1), *in_space(2, "bc", 1, 2), *in_space(3, "de", 4, 5)]
    together = build_tours(on_plane(paths))
    assert [len(order.routes) for order in together.orders] == [3]
    assert together.oracle_distance == 2.0
    apart = build_tours(on_plane(paths, wall_x=3.0))
    assert [[route.path_id for route in order.routes] for order in apart.orders] == [["1", "2"]]
    assert [route.path_id for route in apart.dropped] == ["3"]
    assert apart.oracle_distance == 0.0
    starts = build_tours(on_plane(paths), legs="start-to-start")
    assert starts.oracle_distance == 4.0


def test_an_exact_solver_measures_along_the_ground() -> None:
    pytest.importorskip("ortools")
    paths = [*in_space(1, "ab", 0, 1), *in_space(2, "bc", 3, 2), *in_space(3, "cd", 4, 9)]
    ((order, proof),) = prove_tours(build_tours(on_plane(paths)))
    assert order.oracle_distance == 4.0  # 1 → 3 and 2 → 4; the graph would say 0
    assert proof.optimal


def test_episodes_without_a_place_are_named() -> None:
    with pytest.raises(InputError, match="episode 1_0 has no start and goal in space"):
        build_tours(on_plane([*path(1, "ab", "go"), *in_space(2, "bc", 1, 2)]))
    paths = [*in_space(1, "ab", 0, 1), *in_space(2, "bc", 1, 2)]
    tours = build_tours(on_plane(paths)).tours
    homeless = [msgspec.structs.replace(episode, continuous=None) for episode in paths]
    with pytest.raises(InputError, match="has no start and goal in space"):
        list(reference_logs(tours, on_plane(homeless)))
    with pytest.raises(InputError, match="has no scenes"):
        list(reference_logs(tours, replace(on_plane(paths), load_scenes=None)))


def test_files_are_read_back(built: BuiltTours, tmp_path: Path) -> None:
    saved = save_tours(tmp_path / "tours.json", [built])
    assert read_tours(saved, split=built.split) == list(built.tours)
    assert list(json.loads(saved.read_text())) == [SPLIT]


def test_an_expert_walks_the_paths_and_is_led_between(built: BuiltTours, house: Dataset) -> None:
    logs = list(reference_logs(built.tours, house))
    episodes = {episode.episode_id: episode for episode in house.episodes()}
    for log, tour in zip(logs, built.tours, strict=True):
        assert (log.tour_id, log.split) == (tour.tour_id, tour.split)
        spans = [list(group) for _, group in itertools.groupby(log.steps, lambda step: step.episode_id)]
        assert tuple(span[0].episode_id for span in spans) == tour.episode_ids
        assert {step.phase for step in spans[0]} <= {"agent", "oracle_goal"}  # nobody leads to the first
        for span in spans:
            place = episodes[span[0].episode_id].continuous
            agent = [step.position for step in span if step.phase == "agent"]
            assert place is not None
            assert np.linalg.norm(np.subtract(agent[0], place.start_position)) < 0.25
            assert np.linalg.norm(np.subtract(agent[-1], place.goals[0])) <= NEAR
    assert [step.position for step in logs[0].steps] == [step.position for step in logs[1].steps]
    first = episodes[built.tours[0].episode_ids[0]].continuous
    assert first is not None
    walked = [step.position for step in logs[0].steps if step.episode_id == built.tours[0].episode_ids[0]]
    assert [place for place, _ in itertools.groupby(walked)] == list(first.locations)  # no oracle before


@pytest.fixture
def made(
    cli: Cli, house: Dataset, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> tuple[dict[str, Any], Path]:
    """What the command says and writes, with few paths and small pictures."""
    monkeypatch.setattr(datasets, "open_dataset", lambda name, root, positions: house)
    small = kinds.CoverageKind("floor up to {:g} m", partial(observed_in_space, camera=Camera(16, 16)))
    monkeypatch.setattr(kinds, "KINDS", {**kinds.KINDS, "observed": small})
    out = tmp_path / "tours"
    done = cli(
        *(
            "build",
            "tours",
            "--data",
            DATA,
            "--coverage",
            "observed",
            "--joined",
            "r4r",
            "--out",
            out,
            "--json",
        )
    )
    assert done.code == 0, done.err
    monkeypatch.undo()
    return done.data, out


def test_the_command(made: tuple[dict[str, Any], Path], built: BuiltTours, cli: Cli, tmp_path: Path) -> None:
    said, out = made
    names = [Path(name).name for name in said["written"]]
    assert names == ["tours.json", "gt_ndtw.json", "coverage.json"]
    (split,) = said["splits"]
    assert (split["scenes"], split["episodes"], split["tours"]) == (1, 12, 3)
    curve = split["coverage"]["tours"]["complete"]
    assert curve[0] == 0.0
    assert curve == sorted(curve)
    assert 0.0 < split["coverage"]["R4R"]["complete"][1] < curve[-1] <= 1.0
    (figure,) = Findings.load(out / "coverage.json").figures
    assert figure.source == "IVLN, Figure 7"
    assert "floor up to 10 m" in figure.caption
    assert [line.name for panel in figure.panels for line in panel.series] == ["tours", "R4R"] * 2
    assert read_tours(out / "tours.json", split=SPLIT) == list(built.tours)
    done = cli("build", "tours", "--data", DATA, "--data", "houses/val_unseen@1+3", "--out", tmp_path / "x")
    assert done.code == 2
    assert "tours on graphs and tours in continuous space" in done.err
    assert not (tmp_path / "x").exists()


def test_agents_walk_the_tours_and_their_logs_are_scored(
    made: tuple[dict[str, Any], Path], cli: Cli, tmp_path: Path
) -> None:
    _, out = made
    given = ("--data", DATA, "--tours", out / "tours.json", "--split", SPLIT)
    scores = {}
    for agent in ("shortest:follow=reference", "stop"):
        done = cli("run", agent, *given, "--out", tmp_path / agent, "--json")
        assert done.code == 0, done.err
        assert done.data["cases"] == 12
        log = tmp_path / agent / "tour_log.json"
        reference = ("--data", out / "gt_ndtw.json", "--split", SPLIT, "--profile", "ivln-ce", "--json")
        logged = cli("score", log, *reference)
        assert logged.code == 0, logged.err
        scores[agent] = [d["metrics"]["t-nDTW"]["mean"] for d in (done.data["score"], logged.data)]
    assert min(scores["shortest:follow=reference"]) > 80
    assert max(scores["stop"]) < 40
    phases = {step.phase for tour in read_tour_logs(log) for step in tour.steps}
    assert phases == {"agent", "oracle_goal", "oracle_start"}  # who stops at once is led all the way
