"""`vlnscope houses export --habitat`: what Habitat would load, read back with our readers and others."""

from __future__ import annotations

import gzip
import json
import sys
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import trimesh
from shapely import Polygon

from commands import Cli
from gltf_files import valid_glb
from vlnscope.cli.main import command_line
from vlnscope.core.exceptions import InputError
from vlnscope.episodes.datasets.dataset import open_dataset
from vlnscope.episodes.datasets.habitat_houses import write_habitat_index
from vlnscope.habitat.cameras import drawn
from vlnscope.habitat.config.sensors import SensorSettings
from vlnscope.habitat.semantics import annotations_of
from vlnscope.worlds import habitat_files
from vlnscope.worlds.cameras import Camera
from vlnscope.worlds.continuous.motion import SpacePose
from vlnscope.worlds.continuous.navmesh.navmesh import NavMesh
from vlnscope.worlds.frames import turned_to_habitat
from vlnscope.worlds.habitat_files import exported_houses, write_dataset_config, write_habitat_scene
from vlnscope.worlds.houses.splits import HouseScenes
from vlnscope.worlds.mesh_scenes import MeshScenes
from vlnscope.worlds.rendering.mesh_files import load_mesh
from vlnscope.worlds.rendering.renderer import Renderer
from vlnscope.worlds.rendering.semantic_parts import semantic_parts
from vlnscope.worlds.rendering.views import Views
from vlnscope.worlds.scene import Scene
from vlnscope.worlds.scene_looks import look_in, semantic_classes

HOUSE = "house-40003"
DATA = "houses-ce/val_unseen@1+3"
STAGE_KEYS = {
    *("render_asset", "collision_asset", "semantic_asset", "nav_asset", "semantic_descriptor_filename"),
    *("up", "front", "semantic_up", "semantic_front", "origin", "scale", "gravity", "is_collidable"),
    *("force_flat_shading", "shader_type", "margin", "friction_coefficient", "restitution_coefficient"),
    *("units_to_meters", "has_semantic_textures"),
}
INSTANCE_KEYS = {
    *("stage_instance", "object_instances", "articulated_object_instances", "default_lighting"),
    *("navmesh_instance", "semantic_scene_instance"),
}
DATASET_KEYS = {
    *("stages", "objects", "articulated_objects", "light_setups", "scene_instances"),
    *("semantic_scene_descriptor_instances", "navmesh_instances"),
}
"""What habitat-sim documents; `has_semantic_textures` is in HM3D's own configuration."""


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder that a house was exported to."""
    out = tmp_path_factory.mktemp("habitat") / "houses"
    words = ("houses", "export", out, "--habitat", "--split", "val_unseen", "--seed", 3, "--count", 1)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(sys, "argv", ["vlnscope", *map(str, words)])
        with pytest.raises(SystemExit) as end:
            command_line()
    assert not end.value.code
    return out


@pytest.fixture(scope="module")
def house() -> Scene:
    return HouseScenes([HOUSE]).scene(HOUSE)


@pytest.fixture(scope="module")
def cameras(house: Scene) -> dict[str, Any]:
    """Six of the house's viewpoints, each looking somewhere."""
    rows = np.linspace(0, len(house.graph.nodes) - 1, 6).astype(int)
    return {"origins": house.graph.positions[rows], "headings": np.arange(6.0)}


@pytest.fixture(scope="module")
def own(house: Scene, cameras: dict[str, Any]) -> Views:
    """What the cameras see in the house itself."""
    return seen(house.layer("renderer"), cameras)


def seen(renderer: Renderer, cameras: dict[str, Any]) -> Views:
    return renderer.render(**cameras, width=96, height=96, vfov=90.0)


def config(path: Path) -> Any:
    return json.loads(path.read_text())


def test_every_file_is_there_and_named_in_a_configuration_that_habitat_knows(folder: Path) -> None:
    home, stem = folder / "scenes" / HOUSE, f"{HOUSE}."
    stage = config(home / f"{stem}stage_config.json")
    instance = config(folder / "scene_instances" / f"{stem}scene_instance.json")
    dataset = config(folder / "houses.scene_dataset_config.json")
    assert set(stage) <= STAGE_KEYS
    assert set(instance) <= INSTANCE_KEYS
    assert set(dataset) <= DATASET_KEYS
    assets = [stage[key] for key in stage if key.endswith(("_asset", "_filename"))]
    assert all((home / name).is_file() for name in assets)
    stages = dataset["stages"]["paths"][".json"]
    assert [path.name for place in stages for path in (folder / place).glob("*.stage_config.json")]
    assert list((folder / dataset["scene_instances"]["paths"][".json"][0]).glob("*.scene_instance.json"))
    navmesh = dataset["navmesh_instances"][instance["navmesh_instance"]]
    described = dataset["semantic_scene_descriptor_instances"][instance["semantic_scene_instance"]]
    template = instance["stage_instance"]["template_name"]
    assert (folder / f"{template}.stage_config.json").is_file()
    named = {home / name for name in (*assets, f"{stem}stage_config.json")} | {folder / navmesh}
    named |= {folder / described, folder / "scene_instances" / f"{stem}scene_instance.json"}
    named |= {folder / "houses.scene_dataset_config.json"}
    named |= {folder / "val_unseen" / name for name in ("val_unseen.json.gz", "val_unseen_gt.json.gz")}
    assert {path for path in folder.rglob("*") if path.is_file()} == named


def test_meshes_keep_the_rules_of_gltf_and_lie_in_habitats_frame(folder: Path, house: Scene) -> None:
    mesh = house.layer("mesh")
    points = turned_to_habitat(mesh.vertices[np.unique(mesh.faces)])
    low, high = points.min(axis=0), points.max(axis=0)
    for ending in ("glb", "semantic.glb"):
        path = folder / "scenes" / HOUSE / f"{HOUSE}.{ending}"
        parts = valid_glb(path)
        assert sum(len(part.faces) for part in parts) == len(mesh)
        assert {part.node for part in parts} == set(mesh.objects)
        read = trimesh.load_scene(path, process=False)
        assert np.allclose(read.bounds, [low, high], atol=1e-4)
        assert sum(len(shape.faces) for shape in read.geometry.values()) == len(mesh)


def test_the_navigation_mesh_is_the_houses_own(folder: Path, house: Scene) -> None:
    path = folder / "scenes" / HOUSE / f"{HOUSE}.navmesh"
    assert path.read_bytes() == house.layer("navmesh").file.to_bytes()
    assert NavMesh.read(path).file.to_bytes() == path.read_bytes()


def test_pictures_of_the_exported_mesh_are_those_of_the_house(
    folder: Path, cameras: dict[str, Any], own: Views
) -> None:
    view = seen(MeshScenes(folder / "scenes").scene(HOUSE).layer("renderer"), cameras)
    assert np.array_equal(np.isfinite(view.depth), np.isfinite(own.depth))
    hit = np.isfinite(own.depth)
    assert np.abs(view.depth - own.depth)[hit].max() <= 1e-3
    difference = np.abs(view.rgb.astype(int) - own.rgb)[hit].mean(axis=1)
    assert difference.mean() < 10.0  # outlines, haze and the lamp at the camera are missing
    assert np.median(difference) < 6.0
    assert view.rgb[~hit].max(initial=0) == 0  # Habitat's sky is black


def test_semantic_colours_mean_the_numbers_classes_and_rooms_of_the_house(
    folder: Path, house: Scene, cameras: dict[str, Any], own: Views
) -> None:
    home = folder / "scenes" / HOUSE
    title, *lines = (home / f"{HOUSE}.semantic.txt").read_text().splitlines()
    assert title == "HM3D Semantic Annotations"
    rows = [line.split('"') for line in lines]
    colours = [row[0].split(",")[1] for row in rows]
    assert len({*colours}) == len(rows)
    parts = semantic_parts(house.layer("mesh"))
    assert [row[0].split(",")[0] for row in rows] == [str(part.number) for part in parts.parts]
    assert [row[1] for row in rows] == [part.category for part in parts.parts]
    rooms = [room.id for room in house.layer("plan").rooms]
    regions = {part.owner: int(row[2].lstrip(",")) for part, row in zip(parts.parts, rows, strict=True)}
    assert [regions[room] for room in rooms if room in regions] == [
        number for number, room in enumerate(rooms) if room in regions
    ]
    assert regions["outside"] == -1
    item = next(item for item in house.layer("plan").items if item.id in regions)
    assert rooms[regions[item.id]] == item.room
    number = dict(zip(colours, range(1, len(rows) + 1), strict=True))
    painted = seen(Renderer(load_mesh(home / f"{HOUSE}.semantic.glb")), cameras).rgb
    read = [number.get(bytes(pixel).hex().upper(), 0) for pixel in painted.reshape(-1, 3)]
    assert read == parts.numbers(own.instance, own.semantic).ravel().tolist()


def test_classes_of_the_exported_files_are_those_of_the_house_in_every_pixel(
    folder: Path, house: Scene
) -> None:
    rows = np.linspace(0, len(house.graph.nodes) - 1, 20).astype(int)
    feet = turned_to_habitat(house.graph.positions[rows]) - (0.0, 1.25, 0.0)
    stances = (feet, np.arange(20.0), np.linspace(-0.6, 0.6, 20))
    exported = MeshScenes(folder / "scenes").scene(HOUSE)
    own, read = (look_in(scene, Camera(96, 96), *stances) for scene in (house, exported))
    names, others = (
        np.array([*semantic_classes(scene), "nothing"])[seen.semantic]
        for scene, seen in ((house, own), (exported, read))
    )
    assert len(np.unique(names)) > 20
    assert (names == others).all()
    numbers = semantic_parts(house.layer("mesh")).numbers(own.instance, own.semantic)
    assert (read.instance == np.where(numbers == 0, -1, numbers)).all()


def test_loops_written_for_habitat_get_the_same_numbers_and_objects(folder: Path, house: Scene) -> None:
    exported = MeshScenes(folder / "scenes").scene(HOUSE)
    place = turned_to_habitat(house.graph.positions[0]) - (0.0, 1.25, 0.0)
    pose = SpacePose((float(place[0]), float(place[1]), float(place[2])), 0.7)
    sensor = SensorSettings("semantic", "semantic", Camera(48, 48))
    own, read = (drawn(scene, [sensor], pose)["semantic"] for scene in (house, exported))
    assert (own == read).all()
    ours, theirs = (annotations_of(scene).objects for scene in (house, exported))
    for number in np.unique(own[own > 0]).tolist():
        one, other = ours[number], theirs[number]
        assert one is not None
        assert other is not None
        assert (other.semantic_id, other.category.name()) == (number, one.category.name())
        np.testing.assert_allclose(other.aabb.center, one.aabb.center, atol=1e-4)
        np.testing.assert_allclose(other.aabb.sizes, one.aabb.sizes, atol=1e-4)


def test_floors_face_up(folder: Path, house: Scene) -> None:
    mesh = house.layer("mesh")
    path = folder / "scenes" / HOUSE / f"{HOUSE}.glb"
    floors = {mesh.objects[k] for k in np.unique(mesh.instance[mesh.semantic == mesh.classes.index("floor")])}
    up = 0.0
    for part in valid_glb(path):
        if part.node in floors:
            a, b, c = (part.points[part.faces[:, i]].astype(float) for i in range(3))
            normal = np.cross(b - a, c - a)
            lowest = np.isclose(a[:, 1], part.points[:, 1].min(), atol=0.02)
            up += float(normal[lowest, 1].sum())
    area = 2.0 * sum(Polygon(room.polygon).area for room in house.layer("plan").rooms)
    assert up > 0.5 * area


def test_episodes_are_those_of_the_data_set(folder: Path) -> None:
    path = folder / "val_unseen" / "val_unseen.json.gz"
    file = json.loads(gzip.decompress(path.read_bytes()))
    assert {record["scene_id"] for record in file["episodes"]} == {f"scenes/{HOUSE}/{HOUSE}.glb"}
    assert file["instruction_vocab"]["word_list"] == ["<pad>", "<unk>"]
    needed = {"episode_id", "trajectory_id", "scene_id", "start_position", "start_rotation", "instruction"}
    assert all(set(record) == needed | {"info", "goals", "reference_path"} for record in file["episodes"])
    assert all((folder / record["scene_id"]).is_file() for record in file["episodes"])
    pairs = zip(open_dataset(path).episodes(), open_dataset(DATA).episodes(), strict=True)
    for read, made in pairs:
        assert (read.episode_id, read.path_id, read.scan) == (made.episode_id, made.path_id, made.scan)
        assert (read.instruction, read.continuous) == (made.instruction, made.continuous)


def test_an_agent_walks_the_exported_house_as_it_walks_the_house(
    cli: Cli, folder: Path, tmp_path: Path
) -> None:
    file = folder / "val_unseen" / "val_unseen.json.gz"
    scores = []
    for name, data in (("file", ("--data", file, "--scenes", folder / "scenes")), ("made", ("--data", DATA))):
        run = tmp_path / name
        assert cli("run", "shortest", *data, "--limit", 12, "--out", run).code == 0
        scored = cli("score", run, *data, "--profile", "vlnce", "--json")
        assert scored.code == 0
        scores.append([scored.data["metrics"][metric]["mean"] for metric in ("SR", "SPL", "NE", "nDTW")])
    lines = [
        [json.loads(line) for line in (tmp_path / name / "evidence.jsonl").read_text().splitlines()]
        for name in ("file", "made")
    ]
    for read, made in zip(*lines, strict=True):
        assert read["actions"] == made["actions"]
        assert np.allclose(read["positions"], made["positions"], atol=1e-4)
    assert scores[0] == scores[1]
    assert isinstance(open_dataset(file, scenes=folder / "scenes").scenes, MeshScenes)
    assert isinstance(open_dataset(file).scenes, HouseScenes)


def test_the_folder_lists_all_houses_that_are_complete(tmp_path: Path) -> None:
    for name in ("house-00002", "house-00001"):
        (tmp_path / "scenes" / name).mkdir(parents=True)
        (tmp_path / "scenes" / name / f"{name}.stage_config.json").write_text("{}")
    (tmp_path / "scenes" / "house-00003").mkdir()
    (tmp_path / "scenes" / "house-00003" / "house-00003.glb").write_text("")
    assert exported_houses(tmp_path) == ("house-00001", "house-00002")
    dataset = config(write_dataset_config(tmp_path))
    assert dataset["stages"]["paths"][".json"] == ["scenes/house-00001", "scenes/house-00002"]
    assert set(dataset["navmesh_instances"]) == {"house-00001", "house-00002"}


def test_an_interrupted_export_leaves_no_half_file_and_no_incomplete_house(
    house: Scene, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def cut_off(*ignored: object) -> str:
        raise KeyboardInterrupt

    monkeypatch.setattr(habitat_files, "painted_mesh", lambda mesh, _: habitat_files._coloured(mesh, parts))
    monkeypatch.setattr(habitat_files, "semantic_text", cut_off)
    parts = semantic_parts(house.layer("mesh"))
    with pytest.raises(KeyboardInterrupt):
        write_habitat_scene(house, tmp_path)
    names = {path.name for path in tmp_path.rglob("*") if path.is_file()}
    assert names == {f"{HOUSE}{ending}" for ending in (".glb", ".navmesh", ".semantic.glb")}
    assert exported_houses(tmp_path) == ()


def test_episodes_of_others_are_not_overwritten(cli: Cli, folder: Path, tmp_path: Path) -> None:
    record = json.loads(gzip.decompress((folder / "val_unseen" / "val_unseen.json.gz").read_bytes()))
    record["episodes"] = record["episodes"][:1]
    record["episodes"][0]["scene_id"] = "mp3d/zsNo4HB9uLZ/zsNo4HB9uLZ.glb"
    theirs = tmp_path / "val_unseen" / "val_unseen.json.gz"
    theirs.parent.mkdir()
    theirs.write_bytes(gzip.compress(json.dumps(record).encode()))
    before = theirs.read_bytes()
    result = cli("houses", "export", tmp_path, HOUSE, "--habitat")
    assert result.code == 2
    assert "has other episodes than those of houses" in result.err
    with pytest.raises(InputError, match="other episodes"):
        write_habitat_index(tmp_path, ["val_unseen"])
    assert theirs.read_bytes() == before
    assert not (tmp_path / "scenes").exists()


def test_what_cannot_be_exported_is_refused_before_anything_is_written(cli: Cli, tmp_path: Path) -> None:
    out, file = tmp_path / "out", tmp_path / "file"
    file.write_text("mine")
    cases: dict[str, tuple[object, ...]] = {
        "did you mean 'house-00012'?": (out, "house-12"),
        "did you mean 'house-00013'?": (out, "house-00012", "hous-00013"),
        "is an edited house": (out, f"{HOUSE}~remove-item;item=chair-1"),
        "is a file": (file, HOUSE),
        "no folder is named": (HOUSE,),
        "both houses and a part of a split are named": (out, HOUSE, "--count", 2),
        "there is no split of houses called 'nowhere'": (out, "--split", "nowhere"),
    }
    for words, arguments in cases.items():
        result = cli("houses", "export", *arguments, "--habitat")
        assert result.code == 2
        assert words in " ".join(result.err.split())
        assert "Traceback" not in result.err
    assert [path.name for path in tmp_path.iterdir()] == ["file"]
    assert file.read_text() == "mine"


def test_without_habitat_it_writes_what_generate_writes(cli: Cli, tmp_path: Path) -> None:
    named = cli("houses", "export", tmp_path / "named", HOUSE, "--json")
    split = ("--split", "val_unseen", "--seed", 3, "--count", 1)
    assert cli("houses", "generate", *split, "--out", tmp_path / "made").code == 0
    assert [one["id"] for one in named.data["houses"]] == [HOUSE]
    contents = [
        {path.relative_to(root): path.read_bytes() for path in root.rglob("*") if path.is_file()}
        for root in (tmp_path / "named", tmp_path / "made")
    ]
    assert contents[0] == contents[1]
    assert len(contents[0]) == 3
