"""Walks in continuous space are scored as Habitat's measures score them, on the mesh of their scene."""

from __future__ import annotations

from pathlib import Path

import msgspec
import numpy as np
import pytest

import vlnscope as vs
from habitat_measures import HabitatMeasures
from made_up import Held, dataset
from plane import Plane
from space_walks import ground_scene, space_episode, space_walk
from vlnscope.core.exceptions import DataNotFoundError, InputError
from vlnscope.core.rng import rng_for
from vlnscope.episodes.datasets.dataset import Dataset
from vlnscope.episodes.format import get_format
from vlnscope.metrics.encoding import GraphPairs, pair_episodes
from vlnscope.metrics.evaluate import evaluate
from vlnscope.metrics.kernels.loops import refreshes
from vlnscope.metrics.point_pairs import PointPairs
from vlnscope.metrics.profiles.profile import get_profile
from vlnscope.types import Episode, Floats, Point, Prediction, Tour
from vlnscope.worlds.continuous.navmesh.navmesh import NavMesh
from vlnscope.worlds.continuous.pathfinder import PathFinder
from vlnscope.worlds.scene import Scene

EXACT = ("TL", "steps", "NE", "SR", "OSR", "SPL", "oracle-SPL", "nDTW", "sDTW", "collisions")


class Counting(Plane):
    """A plane that counts what it is asked."""

    asked = 0

    def distance(self, starts: object, goals: object) -> Floats:
        found = super().distance(starts, goals)  # type: ignore[arg-type]
        self.asked += len(found)
        return found


def episodes_on(ground: PathFinder, count: int, seed: int = 0) -> list[Episode]:
    rng = rng_for(seed, "episodes")
    ends = ground.random_points(rng, 2 * count).reshape(count, 2, 3).tolist()
    return [space_episode(str(k), tuple(start), tuple(goal)) for k, (start, goal) in enumerate(ends)]


def measured_by_habitat(episode: Episode, walk: Prediction, ground: PathFinder) -> dict[str, float]:
    space = episode.continuous
    assert space is not None
    measures = HabitatMeasures(ground, space.start_position, space.goals[0], space.locations)
    for k, position in enumerate(walk.positions[1:]):
        measures.act(position, collided=k in walk.extra["collisions"])
    if walk.stopped:
        measures.act(walk.positions[-1], stop=True)
    return measures.finish()


def space_data(episodes: list[Episode], *scenes: Scene) -> Dataset:
    return dataset(episodes, *scenes, continuous=True)


def one(walk: list[Point], ground: PathFinder | None, profile: str = "vlnce", **more: object) -> vs.Score:
    """Score one walk from (0, 0, 0) to a goal at (4, 0, 0)."""
    data = space_data([space_episode("1", (0.0, 0.0, 0.0), (4.0, 0.0, 0.0))], ground_scene("hall", ground))
    prediction = Prediction(episode_id="1", positions=tuple(walk), **{"stopped": True, **more})  # type: ignore[arg-type]
    return vs.score([prediction], data, profile=profile)


def values(score: vs.Score) -> dict[str, float]:
    return next(iter(score.rows())).values


def reasons(score: vs.Score) -> dict[str, str]:
    return next(iter(score.rows())).undefined


def compared_with_habitat(ground: PathFinder, count: int) -> list[dict[str, float]]:
    """Score random walks, compare every value with Habitat's, and return what was found."""
    episodes = episodes_on(ground, count)
    walks = [space_walk(episode, ground, seed=1) for episode in episodes]
    return compare_with_habitat(episodes, walks, ground)


def compare_with_habitat(
    episodes: list[Episode], walks: list[Prediction], ground: PathFinder
) -> list[dict[str, float]]:
    score = vs.score(walks, space_data(episodes, ground_scene("hall", ground)), profile="vlnce")
    for row, episode, walk in zip(score.rows(), episodes, walks, strict=True):
        expected = measured_by_habitat(episode, walk, ground)
        for name in EXACT:
            if np.isfinite(expected[name]):
                assert row.values[name] == pytest.approx(expected[name], abs=1e-9), (name, walk.episode_id)
            else:
                assert row.undefined[name] == "no path on the navigation mesh leads from there to the goal"
    return [row.values for row in score.rows()]


@pytest.mark.parametrize("wall", [None, 0.0])
def test_every_walk_is_scored_as_habitat_scores_it(wall: float | None) -> None:
    found = compared_with_habitat(Plane(wall), 60)
    assert {v["SR"] for v in found} == {0.0, 1.0}
    assert any(v["OSR"] > v["SR"] for v in found)
    assert any(0 < v["SPL"] < 1 for v in found)
    assert any(v["collisions"] for v in found) is (wall is not None)


@pytest.mark.parametrize("name", ["house-40003", "hssd_102817140"])
def test_walks_on_real_meshes_are_scored_as_habitat_scores_them(data_root: Path, name: str) -> None:
    ground = NavMesh.read(data_root / "habitat_navmesh" / f"{name}.navmesh")
    found = compared_with_habitat(ground, 40)
    assert {v["OSR"] for v in found} == {0.0, 1.0}
    assert any(v["collisions"] for v in found)
    assert any("NE" not in v for v in found), "islands"


def test_in_tours_an_episode_is_measured_from_its_start() -> None:
    """IVLN-CE resets its measures there, and only then puts the agent back to where the oracle left it."""
    ground = Plane()
    episodes = episodes_on(ground, 12)
    walks = [space_walk(episode, ground, 1, actions=6) for episode in episodes]
    at_once = {
        "positions": walks[0].positions[:1],
        "stopped": True,
        "extra": {"actions": [0], "collisions": []},
    }
    walks[0] = msgspec.structs.replace(walks[0], **at_once)
    led = []
    for walk in walks:
        x, y, z = walk.positions[0]
        extra = walk.extra | {"phases": {"tour_id": "1", "place": 0}}
        positions = ((x + 0.1, y, z - 0.1), *walk.positions[1:])
        led.append(msgspec.structs.replace(walk, positions=positions, extra=extra))
    compare_with_habitat(episodes, led, ground)


def test_distances_are_measured_where_the_agent_moved_and_nowhere_else() -> None:
    ground = Counting()
    still = [(0.0, 0.0, 0.0)] * 5 + [(9e-5, 0.0, 0.0)] * 3
    score = one([*still, (1.0, 0.0, 0.0)], ground)
    assert values(score)["NE"] == pytest.approx(3.0, abs=1e-12)
    assert ground.asked == 3  # from the start of the episode, the first position and the last
    assert values(one(still, Plane()))["NE"] == pytest.approx(4.0, abs=1e-12)


def test_small_moves_add_up_until_habitat_takes_notice() -> None:
    rng = rng_for(0, "small moves")
    points = np.cumsum(rng.normal(0, 8e-5, (400, 3)), axis=0) + np.array([30.0, 0.0, -4.0])
    offsets = np.array([0, 150, 400])
    found = refreshes(points, offsets)
    for first, end in ((0, 150), (150, 400)):
        last = first
        for at in range(first, end):
            if not np.allclose(points[last], points[at], atol=1e-4):
                last = at
            assert found[at] == last
    assert 20 < len(set(found.tolist())) < 380


def test_the_simulator_counts_and_not_what_the_file_states() -> None:
    score = one([(0.0, 0.0, 0.0), (0.0, 0.0, 3.0), (4.0, 0.0, 0.0)], Plane())
    assert values(score)["SPL"] == pytest.approx(4 / 8)
    assert values(one([(0.0, 0.0, 0.0), (4.0, 0.0, 0.0)], None, "vlnce-straight"))["SPL"] == pytest.approx(
        1 / 4
    )


def test_stop_must_be_called_and_is_a_step() -> None:
    walk = [(0.0, 0.0, 0.0), (0.25, 0.0, 0.0), (4.0, 0.0, 0.0)]
    stopping = one(walk, Plane(), extra={"actions": [1, 1, 0]})
    assert (values(stopping)["SR"], values(stopping)["steps"]) == (1.0, 3.0)
    unlisted = one(walk, Plane(), extra={"actions": (1, 1)})
    assert values(unlisted)["steps"] == 3.0
    cut_off = one(walk, Plane(), extra={"actions": [1, 1]}, stopped=False)
    assert (values(cut_off)["SR"], values(cut_off)["OSR"], values(cut_off)["steps"]) == (0.0, 1.0, 2.0)
    assert values(one(walk, Plane(), "r2rie", stopped=False))["SR"] == 1.0
    assert "does not say" in reasons(one(walk, Plane(), stopped=None))["SR"]
    assert values(one(walk, Plane()))["steps"] == 2.0, "a file of VLN-CE has an entry for STOP"


def test_collisions_are_counted_where_the_file_lists_them() -> None:
    walk = [(0.0, 0.0, 0.0), (0.0, 0.0, 0.0), (0.1, 0.0, 0.0), (0.1, 0.0, 0.0)]
    said = {"actions": [1, 1, 2, 0], "collisions": [0, 1]}
    assert values(one(walk, Plane(), extra=said))["collisions"] == 2.0
    r2rie = values(one(walk, Plane(), "r2rie", extra=said))
    assert (r2rie["collisions"], r2rie["collision-rate"]) == (2.0, 1.0), "two different positions"
    data = space_data([space_episode("1", (0.0, 0.0, 0.0), (4.0, 0.0, 0.0))], ground_scene("hall", Plane()))
    logged = Prediction(episode_id="1", positions=tuple(walk), extra=said)
    assert values(vs.score([logged], data, metrics=["collision-rate"])) == {"collision-rate": 0.5}
    unsaid = reasons(one(walk, Plane(), "r2rie"))
    assert unsaid["collisions"] == unsaid["collision-rate"] == "the file does not say which steps collided"


def test_an_unreachable_goal_is_a_failure_without_a_distance() -> None:
    score = one([(0.0, 0.0, 0.0), (1.0, 0.0, 0.0)], Plane(wall_x=2.0))
    assert reasons(score) == {
        "NE": "no path on the navigation mesh leads from there to the goal",
        "collisions": "the file does not say which steps collided",
    }
    assert [values(score)[name] for name in ("SR", "OSR", "SPL", "sDTW")] == [0.0] * 4
    assert score.to_dict()["metrics"]["NE"]["mean"] is None
    assert any("1 goal cannot be reached" in note for note in score.notes)
    across = one([(0.0, 0.0, 0.0), (4.0, 0.0, 0.0)], Plane(wall_x=2.0))
    assert values(across)["SR"] == 1.0
    assert "no path" in reasons(across)["SPL"]


def test_scenes_without_a_mesh_leave_distances_unknown() -> None:
    ends: tuple[Point, Point] = (0.0, 0.0, 0.0), (4.0, 0.0, 0.0)
    episodes = [space_episode(scan, *ends, scan=scan) for scan in ("bare", "hall", "lost")]

    class Some(Held):
        def scene(self, scan: str) -> Scene:
            if scan == "lost":
                raise DataNotFoundError("no such scene", expected="one", fix="add it")
            return super().scene(scan)

    scenes = Some(ground_scene("bare", None), ground_scene("hall", Plane()))
    pairs = pair_episodes(episodes, scenes, continuous=True)
    pairs.add_predictions(Prediction(episode_id=e.episode_id, positions=ends, stopped=True) for e in episodes)
    assert isinstance(pairs, PointPairs)
    assert pairs.scenes_without_mesh == ("bare", "lost")
    found = evaluate(pairs.batch(np.arange(3)), get_profile("vlnce"), ["NE", "SR", "OSR", "SPL", "TL"])
    for name in ("NE", "SR", "OSR", "SPL"):
        assert found[name].defined.tolist() == [False, True, False]
        assert "no navmesh of the scene is at hand" in str(found[name].reason(0))
    assert found["TL"].defined.all()


def test_notes_say_how_distances_were_measured() -> None:
    walk: list[Point] = [(0.0, 0.0, 0.0), (1.0, 0.0, 0.0)]
    assert any("geodesics on the scenes' navigation meshes" in note for note in one(walk, Plane()).notes)
    assert any("no navigation mesh" in note for note in one(walk, None).notes)
    assert any("straight lines" in note for note in one(walk, Plane(), "vlnce-straight").notes)
    assert any("do not start where" in note for note in one([(3.0, 0.0, 0.0)], Plane()).notes)


def test_positions_are_scored_in_space_and_viewpoints_on_the_graph() -> None:
    episode = space_episode("1", (0.0, 0.0, 0.0), (4.0, 0.0, 0.0), path=("a", "b"))
    data = space_data([episode], ground_scene("hall", Plane()))
    floating = Prediction(episode_id="1", positions=((0.0, 0.0, 0.0), (3.0, 0.0, 0.0)))
    standing = Prediction(episode_id="1", path=("a", "b"))
    failed = Prediction(episode_id="1", path=("a",), extra={"failed": "it broke"})
    other = space_episode("2", (0.0, 0.0, 0.0), (4.0, 0.0, 0.0), path=("a", "b"))
    both = space_data([episode, other], ground_scene("hall", Plane()))
    assert values(vs.score([floating], data))["NE"] == 1.0
    assert values(vs.score([standing], data))["NE"] == 0.0
    rest = msgspec.structs.replace(floating, episode_id="2")
    assert [row.values["NE"] for row in vs.score([failed, rest], both).rows()] == [4.0, 1.0]
    with pytest.raises(InputError, match="has coordinates, but the data set is on graphs"):
        vs.score([floating], dataset([episode], ground_scene("hall", Plane())))
    assert isinstance(pair_episodes([episode], data.scenes), GraphPairs)
    assert isinstance(pair_episodes([episode], data.scenes, continuous=True), PointPairs)


def test_files_of_positions_are_scored_and_compared(tmp_path: Path) -> None:
    ground = Plane(wall_x=0.0)
    episodes = episodes_on(ground, 24)
    data = space_data(episodes, ground_scene("hall", ground))
    walks = [space_walk(episode, ground, seed=4) for episode in episodes]
    turned = [msgspec.structs.replace(w, headings=(0.0,) * len(w.positions)) for w in walks]
    bare = [msgspec.structs.replace(w, extra={}) for w in turned]
    for name, format_name, predictions in (("own", "evidence", turned), ("ce", "vlnce", bare)):
        with (tmp_path / f"{name}.json").open("wb") as stream:
            get_format(format_name).write(predictions, stream)
    own = vs.score(tmp_path / "own.json", data, profile="vlnce")
    assert list(own.rows()) == list(vs.score(walks, data, profile="vlnce").rows())
    ce = vs.score(tmp_path / "ce.json", data, profile="vlnce").to_dict()["metrics"]
    assert ce["collisions"]["undefined"] == len(episodes)
    for metric in ("NE", "SR", "SPL", "nDTW", "TL"):
        assert ce[metric] == own.to_dict()["metrics"][metric]
    table = vs.compare(tmp_path / "own.json", tmp_path / "ce.json", data=data, profile="vlnce")
    assert all(pair.comparison.difference.mean == 0.0 for pair in table.pairs)
    assert "distances to goals are geodesics on the scenes' navigation meshes" in table.notes


def test_long_walks_are_scored_in_small_blocks(monkeypatch: pytest.MonkeyPatch) -> None:
    ground = Plane()
    episodes = episodes_on(ground, 12)
    data = space_data(episodes, ground_scene("hall", ground))
    walks = [space_walk(episode, ground, seed=2) for episode in episodes]
    whole = vs.score(walks, data).to_dict()
    monkeypatch.setattr("vlnscope.metrics.pairs.CELLS_AT_ONCE", 1024)
    pairs = pair_episodes(episodes, data.scenes, continuous=True)
    pairs.add_predictions(walks)
    blocks = list(pairs.blocks(np.arange(12)))
    assert len(blocks) > 2
    assert np.concatenate(blocks).tolist() == list(range(12))
    assert list(pairs.blocks(np.zeros(0, dtype=np.int64))) == []
    assert vs.score(walks, data).to_dict() == whole


def test_all_profiles_and_tours_share_one_measurement() -> None:
    ground = Counting()
    episodes = episodes_on(ground, 8)
    walks = [space_walk(episode, ground, seed=3) for episode in episodes]
    data = space_data(episodes, ground_scene("hall", ground))
    tours = [Tour(tour_id="t", scan="hall", episode_ids=tuple(e.episode_id for e in episodes))]
    table = vs.score_all(walks, data, tours=tours)
    assert {"default", "vlnce", "vlnce-straight", "r2rie", "ivln-ce"} <= set(table.scores)
    assert ground.asked <= sum(len(walk.positions) + 1 for walk in walks)
    for name in ("default", "vlnce", "r2rie", "ivln-ce"):
        metrics = table.scores[name].to_dict()["metrics"]
        for metric in ("NE", "SR", "OSR", "SPL", "nDTW", "sDTW", "TL", "steps"):
            assert metrics[metric]["undefined"] == 0, (name, metric)
    assert 0 < table.scores["ivln-ce"].to_dict()["metrics"]["t-nDTW"]["mean"] < 100
