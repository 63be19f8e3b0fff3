"""`vlnscope show`: the right walk is found, drawn where it was, told in words, and written whole."""

from __future__ import annotations

import json
import math
from dataclasses import replace
from pathlib import Path
from xml.etree import ElementTree

import msgspec
import numpy as np
import pytest

from commands import Cli
from made_up import dataset
from shown_walks import house_episode, on_graph, small_house, space_prediction
from vlnscope.core.exceptions import InputError
from vlnscope.episodes.datasets.dataset import Dataset
from vlnscope.episodes.format import get_format
from vlnscope.episodes.formats.evidence import line_of
from vlnscope.episodes.reading import read_predictions
from vlnscope.evaluate.show import show as shown
from vlnscope.evaluate.show.show import show
from vlnscope.evaluate.show.walk import collided, drawn_walk, reference_prediction
from vlnscope.reporting.walks.animation import FilmSize
from vlnscope.types import Continuous, Episode, Prediction
from vlnscope.worlds.frames import quaternion_of_heading
from vlnscope.worlds.maps.walks import feet_on_graph

SVG = "{http://www.w3.org/2000/svg}"


@pytest.fixture
def small(monkeypatch: pytest.MonkeyPatch) -> None:
    """Draw few small pictures."""
    film = shown.film
    monkeypatch.setattr(shown, "film", lambda scene, walk: film(scene, walk, FilmSize(height=40, frames=3)))


def in_space() -> Dataset:
    return replace(dataset([house_episode()], small_house()), continuous=True)


def on_viewpoints() -> Dataset:
    return dataset([on_graph(house_episode())], small_house())


def written(folder: Path, *predictions: Prediction) -> Path:
    file = folder / "mine.jsonl"
    file.write_bytes(b"".join(msgspec.json.encode(line_of(one)) + b"\n" for one in predictions))
    return file


def expert(turn: float) -> Episode:
    """An expert that walks 1 m north, turns right by so much twice, and walks 1 m on."""
    heading = 2 * turn
    north = [(0.0, 0.0, -0.25 * k) for k in range(5)]
    on = [(0.25 * k * math.sin(heading), 0.0, -1.0 - 0.25 * k * math.cos(heading)) for k in range(1, 5)]
    space = Continuous(
        start_position=north[0],
        start_rotation=quaternion_of_heading(0.0),
        goals=(on[-1],),
        locations=(*north, *on),
        actions=(1, 1, 1, 1, 3, 3, 1, 1, 1, 1, 0),
    )
    return msgspec.structs.replace(house_episode(), continuous=space)


@pytest.mark.parametrize("degrees", [15, 30])
def test_an_expert_has_a_pose_after_each_action(degrees: int) -> None:
    turn = math.radians(degrees)
    walk = reference_prediction(expert(turn))
    assert len(walk.positions) == 11
    assert walk.headings == pytest.approx([0.0] * 5 + [turn] + [2 * turn] * 5)
    assert walk.positions[4] == walk.positions[5] == walk.positions[6]
    assert walk.stopped is True


def test_predictions_of_vln_ce_look_where_the_evidence_does(tmp_path: Path) -> None:
    walk, file = space_prediction(), tmp_path / "predictions.json"
    with file.open("wb") as stream:
        get_format("vlnce").write([msgspec.structs.replace(walk, path=(), extra={})], stream)
    assert json.loads(file.read_bytes())[walk.episode_id][-1]["heading"] == -(walk.headings or (0.0,))[-1]
    (again,) = read_predictions(file)
    headings = [drawn_walk(small_house(), house_episode(), one).headings for one in (walk, again)]
    assert headings[1] == headings[0]


def test_a_walk_in_space_is_drawn_where_it_was() -> None:
    prediction = space_prediction()
    walk = drawn_walk(small_house(), house_episode(), prediction, radius=2.0)
    space = house_episode().continuous
    assert space is not None
    assert walk.positions == prediction.positions
    assert walk.collisions == (3,)
    assert (walk.reference, walk.goals, walk.radius) == (space.reference_path, space.goals, 2.0)
    shortest = sum(math.dist(a, b) for a, b in zip(walk.shortest, walk.shortest[1:], strict=False))
    assert shortest == pytest.approx(space.geodesic_distance, abs=1e-3)


def test_a_walk_on_the_graph_leaves_out_turns() -> None:
    episode = on_graph(house_episode())
    first, second = episode.path[:2]
    prediction = Prediction(
        episode_id="7_0", path=(first, first, second, second), headings=(0.0, 1.0, 1.5, 2.0)
    )
    walk = drawn_walk(small_house(), episode, prediction)
    assert walk.positions == feet_on_graph(small_house(), (first, second))
    assert walk.headings == (1.0, 2.0)
    assert walk.on_graph
    assert walk.goals == feet_on_graph(small_house(), episode.path[-1:])
    assert walk.shortest == ()  # the reference is the shortest path


@pytest.mark.parametrize("known", [None, "many", [-1, 2.5, 900]])
def test_collisions_that_cannot_be_are_left_out(known: object) -> None:
    extra = {} if known is None else {"collisions": known}
    assert collided(Prediction(episode_id="1", positions=((0.0, 0.0, 0.0),) * 3, extra=extra)) == ()


@pytest.mark.usefixtures("small")
def test_a_folder_gets_maps_poster_and_film(tmp_path: Path) -> None:
    found = show("7_0", in_space(), predictions=written(tmp_path, space_prediction()), out=tmp_path / "walk")
    assert sorted(file.suffix for file in found.files if file.suffix != ".svg") == [".gif", ".png"]
    assert all(file.is_file() for file in found.files)
    assert found.agent == "mine"
    assert found.profile.name == "vlnce"
    said = found.texts.outcome
    assert said.startswith(
        f"{found.walk.length:.1f} m in {len(found.walk.positions) - 1} actions, 1 collision; "
    )
    assert said.endswith("stopped at the goal: success (vlnce, < 3 m and stopped).")
    assert found.to_dict()["metrics"]["SR"] == 1.0
    assert [row["episode_id"] for row in found.records()] == ["7_0"]


def test_a_walk_that_was_cut_off_is_no_success(tmp_path: Path) -> None:
    cut = written(tmp_path, space_prediction(stopped=False))
    found = show("7_0", in_space(), predictions=cut, out=tmp_path / "map.svg")
    assert "ran out of steps at the goal: no success" in found.texts.outcome
    assert show("7_0", in_space(), predictions=cut, out=tmp_path / "map.svg", profile="default").row.values[
        "SR"
    ]


def test_a_file_gets_what_its_ending_says(tmp_path: Path) -> None:
    found = show("7_0", on_viewpoints(), out=tmp_path / "way.svg")
    assert {file.suffix for file in found.files} == {".svg"}
    assert found.agent == "reference"
    assert "moves; stopped at the goal: success (default, < 3 m)" in found.texts.outcome
    page = ElementTree.fromstring(found.files[0].read_text(encoding="utf-8"))
    texts = [one.text for one in page.iter(f"{SVG}text")]
    assert {"start", "reference path", "goal"} <= set(texts)
    assert sorted(tmp_path.iterdir()) == sorted(found.files)


def test_several_storeys_get_a_map_each(tmp_path: Path) -> None:
    (x, y, z), rest = space_prediction().positions[0], space_prediction().positions
    levels = [floor.elevation for floor in small_house().layer("plan").floors]
    up = Prediction(
        episode_id="7_0",
        positions=(*rest[:3], (x, y + math.copysign(np.ptp(levels), 1.0 - y), z)),
        stopped=True,
    )
    found = show("7_0", in_space(), predictions=written(tmp_path, up), out=tmp_path / "map.svg")
    assert len({file.name for file in found.files}) == len(found.files) > 1
    assert all("map-floor-" in file.name for file in found.files)


@pytest.mark.parametrize(
    ("name", "out", "said"),
    [
        ("7_1", "map.svg", "there is no episode called '7_1'; did you mean '7_0'?"),
        ("7_0", "map.pdf", "a walk cannot be drawn as .pdf"),
        ("7_0", "taken/walk", "is a file"),
    ],
)
def test_errors_come_before_anything_is_written(tmp_path: Path, name: str, out: str, said: str) -> None:
    (tmp_path / "taken").write_text("x")
    with pytest.raises(InputError) as error:
        show(name, in_space(), out=tmp_path / out)
    assert said in error.value.what
    assert [file.name for file in tmp_path.iterdir()] == ["taken"]


def test_an_episode_that_was_not_walked_is_named(tmp_path: Path) -> None:
    other = written(tmp_path, msgspec.structs.replace(space_prediction(), episode_id="7_2"))
    with pytest.raises(InputError, match="did you mean '7_2'") as error:
        show("7_0", in_space(), predictions=other, out=tmp_path / "map.svg")
    assert str(other) in error.value.what


def test_a_secret_reference_cannot_be_drawn(tmp_path: Path) -> None:
    secret = msgspec.structs.replace(on_graph(house_episode()), path=house_episode().path[:1])
    with pytest.raises(InputError, match="no reference"):
        show("7_0", dataset([secret], small_house()), out=tmp_path / "map.svg")
    with pytest.raises(InputError, match="which data set"):
        show("7_0", out=tmp_path / "map.svg")


def test_what_an_agent_failed_at_is_told(tmp_path: Path) -> None:
    failed = Prediction(episode_id="7_0", path=house_episode().path[:1], extra={"failed": "out of memory"})
    found = show("7_0", on_viewpoints(), predictions=written(tmp_path, failed), out=tmp_path / "map.svg")
    assert found.texts.outcome == "The agent failed: out of memory"


def test_the_command_shows_a_walk_of_a_data_set(cli: Cli, tmp_path: Path) -> None:
    done = cli("show", "100_0", "--data", "sample/demo", "--out", tmp_path / "map.svg")
    assert done.code == 0
    assert "Episode 100_0 of sample/demo: annotated walk" in done.out
    assert "no first-person views" in done.out
    told = cli("show", "100_0", "--data", "sample/demo", "--out", tmp_path / "map.svg", "--json").data
    assert told["files"] == [str(tmp_path / "map.svg")]
    for arguments, said in (
        (("--run", "a", "--predictions", "b"), "both --run and --predictions"),
        (("--run", tmp_path), "is not the folder of a run"),
    ):
        refused = cli("show", "100_0", "--data", "sample/demo", *arguments)
        assert refused.code == 2
        assert said in refused.err
