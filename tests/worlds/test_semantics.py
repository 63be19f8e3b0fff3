"""Semantics of users' own scenes, in HM3D's form and in MP3D's, against where things stand in a room."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import trimesh
from hypothesis import given
from hypothesis import strategies as st
from numpy.typing import NDArray

from box_rooms import box, floor, joined
from ply_files import write_ply
from vlnscope.core.exceptions import InputError, MissingLayerError
from vlnscope.perception.sight import sight
from vlnscope.worlds.cameras import Camera, Look, Stance
from vlnscope.worlds.continuous.motion import SpacePose
from vlnscope.worlds.frames import turned_to_mattersim
from vlnscope.worlds.mesh_scenes import MeshScenes
from vlnscope.worlds.rendering.appearance import CLAMP, MeshAppearance, TextureImage, painted
from vlnscope.worlds.rendering.mesh import Mesh
from vlnscope.worlds.rendering.painted_glb import to_painted_glb
from vlnscope.worlds.scene import Scene
from vlnscope.worlds.scene_looks import look_in, semantic_classes
from vlnscope.worlds.semantics.hm3d import TITLE, read_hm3d, read_hm3d_table
from vlnscope.worlds.semantics.mp3d import read_mp3d
from vlnscope.worlds.semantics.semantics import Semantics

GROUND, WALL, FRIDGE = floor((0, 0), (6, 4)), box((0, 0, -0.2), (6, 2.5, 0)), box((2, 0, 1), (3, 1, 2))
SHED = box((5, 0, 3), (6, 2, 4))
PARTS = (GROUND, WALL, FRIDGE, SHED)
VERTICES, FACES = joined(*PARTS)
OWNER = np.repeat([12, 7, 3, -1], [len(faces) for _, faces in PARTS])
"""Numbers of the floor, the wall and the fridge; the shed has none."""
CLASSES = {12: "floor", 7: "wall", 3: "appliances", -1: "unknown"}
COLOURS = {12: (200, 10, 7), 7: (1, 2, 3), 3: (250, 251, 9), -1: (0, 0, 0)}
TABLE = f"""{TITLE}
12,C80A07,"floor",0
7,010203,"wall",0

3,FAFB09,"appliances",4
"""
HOUSE = """ASCII 1.1
R  0 0  0 0  k  0 0 0
C  0  8 floor  2 floor  0 0 0 0 0
C  1  1 wall  1 wall  0 0 0 0 0
C  2  89 kitchen#refrigerator  37 appliances  0 0 0 0 0
O  12 0 0  1 2 3
O  7 0 1  1 2 3
O  3 4 2  1 2 3
E  0 12 55  0.1
E  1 7 1000055  0.1
E  2 3 56  0.1
"""
CAMERA = Camera(48, 40)
STANCES = ([(2.5, 0.0, 3.5), (1.0, 0.0, 1.5), (4.0, 0.0, 2.0)], [0.0, -1.5, 2.6], [-0.2, -0.3, -0.4])


def z_up() -> Any:
    return turned_to_mattersim(VERTICES)


def mesh_of(appearance: MeshAppearance | None) -> Mesh:
    zeros = np.zeros(len(FACES), dtype=np.int32)
    grey = np.full((len(FACES), 3), 128, dtype=np.uint8)
    small = zeros.astype(np.uint8)
    return Mesh(z_up(), FACES.astype(np.int32), grey, small, zeros, zeros, ("?",), ("all",), appearance)


def face_colours() -> NDArray[np.uint8]:
    return np.array([COLOURS[number] for number in OWNER.tolist()], dtype=np.uint8)


def drawn(folder: Path) -> Path:
    """A scene in the folder, as Habitat has it: y up."""
    (folder / "hall").mkdir(parents=True, exist_ok=True)
    trimesh.Trimesh(VERTICES, FACES, process=False).export(folder / "hall" / "hall.glb")
    return folder / "hall"


def hm3d(folder: Path, table: str = TABLE) -> Scene:
    home = drawn(folder)
    corners = np.repeat(face_colours()[:, None], 3, axis=1)
    to_painted_glb(mesh_of(painted(corners)), home / "hall.semantic.glb")
    (home / "hall.semantic.txt").write_text(table)
    return MeshScenes(folder).scene("hall")


def mp3d(folder: Path, labels: dict[str, Any] | None = None, house: str = HOUSE) -> Scene:
    home = drawn(folder)
    write_ply(home / "hall_semantic.ply", z_up().tolist(), FACES.tolist(), labels or {"object_id": OWNER})
    (home / "hall.house").write_text(house)
    return MeshScenes(folder).scene("hall")


def places(seen: Look) -> NDArray[np.float64]:
    """The place that each pixel sees, in Habitat's frame."""
    focus = CAMERA.width / 2
    column, row = np.meshgrid(np.arange(CAMERA.width) + 0.5, np.arange(CAMERA.height) + 0.5)
    ray = (
        np.stack([column - CAMERA.width / 2, CAMERA.height / 2 - row, np.full_like(row, -focus)], -1) / focus
    )
    points = []
    for foot, yaw, pitch, metres in zip(*STANCES, seen.metres, strict=True):
        way = ray * np.nan_to_num(metres, posinf=0.0)[..., None]
        tilt = np.array([[1, 0, 0], [0, np.cos(pitch), -np.sin(pitch)], [0, np.sin(pitch), np.cos(pitch)]])
        turn = np.array([[np.cos(yaw), 0, np.sin(yaw)], [0, 1, 0], [-np.sin(yaw), 0, np.cos(yaw)]])
        points.append(way @ tilt.T @ turn.T + foot + (0.0, 1.25, 0.0))
    return np.array(points)


def expected(seen: Look) -> NDArray[Any]:
    """The number of what each pixel sees, by where that is; 0 where it is not clear, -2 where nothing is."""
    x, y, z = np.moveaxis(places(seen), -1, 0)
    fridge = (x > 1.99) & (x < 3.01) & (z > 0.99) & (z < 2.01)
    shed = (x > 4.99) & (z > 2.99)
    above = np.select([fridge, shed, z < 0.01], [3, -1, 7], 0)
    number = np.where(y > 0.01, above, np.where(fridge | shed | (z < 0.01), 0, 12))
    return np.where(np.isinf(seen.metres), -2, number)


def check(scene: Scene) -> None:
    """Compare both label pictures of a scene with where its things stand."""
    seen = look_in(scene, CAMERA, *STANCES)
    truth = expected(seen)
    clear = truth != 0
    assert {12, 7, 3, -1, -2} <= {*truth[clear].tolist()}
    assert clear.mean() > 0.98
    names = np.array([*semantic_classes(scene), "nothing"])[seen.semantic]
    assert (names == np.vectorize({**CLASSES, -2: "nothing", 0: ""}.get)(truth))[clear].all()
    assert (seen.instance == np.maximum(truth, -1))[clear].all()


@pytest.mark.parametrize("form", [hm3d, mp3d])
def test_pixels_have_the_classes_and_numbers_of_the_files(tmp_path: Path, form: Any) -> None:
    scene = form(tmp_path)
    check(scene)
    semantics: Semantics = scene.layer("semantics")
    assert semantic_classes(scene)[0] == "unknown"
    assert {number: thing.name for number, thing in semantics.by_number.items()} == {
        number: name for number, name in CLASSES.items() if number >= 0
    }
    assert semantics.by_number[3].region == 4


def test_without_semantics_the_class_is_unknown(tmp_path: Path) -> None:
    drawn(tmp_path)
    scene = MeshScenes(tmp_path).scene("hall")
    assert semantic_classes(scene) == ("unknown",)
    assert {*np.unique(look_in(scene, CAMERA, *STANCES).semantic)} == {-1, 0}


def test_pictures_and_depth_load_no_semantics_and_a_look_is_cast_once(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    scene = hm3d(tmp_path)
    calls: list[int] = []
    own = Semantics.see

    def counted(self: Semantics, *args: Any, **words: Any) -> Any:
        calls.append(1)
        return own(self, *args, **words)

    monkeypatch.setattr(Semantics, "see", counted)
    shared: dict[Any, Any] = {}
    stance = Stance((2.5, 0.0, 3.5))
    for need in ("rgb:32x32", "depth:32x32"):
        sight(need, scene, "", stance=stance, drawn=shared)
    assert "semantics" not in scene._loaded
    assert not calls
    seen = sight("semantic:32x32", scene, "", stance=stance, drawn=shared)
    assert (seen.shape, seen.dtype) == ((32, 32), np.int32)
    assert {sight("semantic-classes", scene, "")[k] for k in np.unique(seen) if k >= 0} >= {"wall", "floor"}
    sight("semantic:32x32", scene, "", stance=stance, drawn=shared)
    assert len(calls) == 1
    assert len(shared) == 1


def test_environments_of_many_agents_see_the_same(tmp_path: Path) -> None:
    pytest.importorskip("gymnasium")
    from vlnscope.engine.gym.sensors import camera_sensors, draw

    scene = mp3d(tmp_path)
    poses = [SpacePose(*stance) for stance in zip(*STANCES, strict=True)]
    name = f"semantic:{CAMERA.width}x{CAMERA.height}"
    drawn_pictures = draw(camera_sensors([name]), scene, poses)[name]
    assert np.array_equal(drawn_pictures, look_in(scene, CAMERA, *STANCES).semantic)


def test_semantic_meshes_are_no_scenes_and_no_pictures(tmp_path: Path) -> None:
    home = drawn(tmp_path)
    (home / "hall.basis.glb").write_bytes(b"compressed")
    for name in ("hall.semantic.glb", "hall_semantic.ply", "other.semantic.glb", "other_semantic.ply"):
        (tmp_path / name).write_bytes(b"never read")
    scenes = MeshScenes(tmp_path)
    assert scenes.scans() == ("hall",)
    assert len(scenes.scene("hall").layer("mesh")) == len(FACES)


@pytest.mark.parametrize("turned", [False, True])
def test_semantics_lie_as_the_drawn_mesh_does(tmp_path: Path, turned: bool) -> None:
    mp3d(tmp_path)
    points = (z_up() if turned else VERTICES).tolist()
    write_ply(tmp_path / "hall" / "hall_semantic.ply", points, FACES.tolist(), {"object_id": OWNER})
    check(MeshScenes(tmp_path).scene("hall"))


def textured(folder: Path, pixels: Any) -> Semantics:
    """A wall two wide and one high, with a texture image."""
    points = np.array([(0.0, 5.0, 0.0), (2.0, 5.0, 0.0), (2.0, 5.0, 1.0), (0.0, 5.0, 1.0)])
    faces = np.array([(0, 1, 2), (0, 2, 3)], dtype=np.int32)
    uv = np.array([(0, 1), (1, 1), (1, 0), (0, 0)], dtype=np.float32)[faces]
    image = TextureImage(np.array(pixels, dtype=np.uint8), (CLAMP, CLAMP))
    look = MeshAppearance(np.zeros(2, np.int32), uv, np.full((2, 3, 3), 255, np.uint8), (image,))
    zeros = np.zeros(2, dtype=np.int32)
    grey = np.zeros((2, 3), dtype=np.uint8)
    mesh = Mesh(points, faces, grey, grey[:, 0], zeros, zeros, ("?",), ("wall",), look)
    to_painted_glb(mesh, folder / "a.semantic.glb")
    (folder / "a.semantic.txt").write_text(TABLE)
    return read_hm3d(folder / "a.semantic.glb", folder / "a.semantic.txt")


def test_colours_of_texture_images_count_texel_by_texel(tmp_path: Path) -> None:
    row = [COLOURS[12], COLOURS[7], (9, 9, 9), COLOURS[3]]
    semantics = textured(tmp_path, [row, row[::-1]])
    axes = np.eye(3)[None]
    seen = semantics.see(
        np.array([[1.0, 4.0, 0.5]]), axes, width=40, height=40, vfov=2 * np.degrees(np.arctan(1))
    )
    picture = seen.instance[0]
    assert (picture[:10] == -1).all()
    assert (picture[30:] == -1).all()
    top = np.repeat([12, 7, -1, 3], 10)
    assert (picture[10:20] == top).all()
    assert (picture[20:30] == top[::-1]).all()
    names = np.array([*semantics.classes, "nothing"])[seen.semantic[0]]
    assert names[15, [5, 15, 25, 35]].tolist() == ["floor", "wall", "unknown", "appliances"]
    assert (names[:10] == "nothing").all()


def test_a_face_belongs_to_most_of_its_corners(tmp_path: Path) -> None:
    corners = np.repeat(face_colours()[:, None], 3, axis=1)
    corners[:3] = [
        [COLOURS[7], COLOURS[12], COLOURS[12]],
        [COLOURS[12], COLOURS[7], COLOURS[12]],
        [COLOURS[3], COLOURS[7], COLOURS[12]],
    ]
    to_painted_glb(mesh_of(painted(corners)), tmp_path / "a.semantic.glb")
    (tmp_path / "a.semantic.txt").write_text(TABLE)
    semantics = read_hm3d(tmp_path / "a.semantic.glb", tmp_path / "a.semantic.txt")
    numbers = [semantics.objects[k].number for k in semantics.mesh.instance[:3]]
    assert numbers == [12, 12, 3]


names = st.text(
    st.characters(codec="utf-8", exclude_characters='"\r\n', exclude_categories=["Cs"]),
    min_size=1,
    max_size=6,
)
lines = st.tuples(st.integers(0, 10**9 - 1), st.integers(0, 0xFFFFFF), names, st.integers(-1, 99))


@given(st.lists(lines, min_size=1, max_size=5, unique_by=(lambda line: line[0], lambda line: line[1])))
def test_tables_come_back(
    tmp_path_factory: pytest.TempPathFactory, rows: list[tuple[int, int, str, int]]
) -> None:
    path = tmp_path_factory.getbasetemp() / "table.semantic.txt"
    text = "".join(f'{n},{colour:06X},"{name}",{region}\n' for n, colour, name, region in rows)
    path.write_text(f"{TITLE}\n{text}", encoding="utf-8")
    found = [
        (row.thing.number, row.colour, row.thing.name, row.thing.region) for row in read_hm3d_table(path)
    ]
    assert found == rows


@pytest.mark.parametrize(
    ("table", "said"),
    [
        ("", "begins with ''"),
        ('Replica\n1,000001,"wall",0\n', "begins with 'Replica'"),
        (TITLE + "\n\n", "names no objects"),
        (TABLE + '8,00FF,"wall",0\n', "line 6: cannot be read"),
        (TABLE + '8,00FF00,"wall"\n', "line 6: cannot be read"),
        (TABLE + '99999999999,00FF00,"wall",0\n', "line 6: cannot be read"),
        (TABLE + '12,00FF00,"wall",0\n', "line 6: its number or its colour is there already"),
        (TABLE + '13,c80a07,"wall",0\n', "line 6: its number or its colour is there already"),
        (TITLE + '\n1,FFFFFF,"wall",0\n', "no colour of it is in hall.semantic.txt"),
    ],
)
def test_tables_that_cannot_be(tmp_path: Path, table: str, said: str) -> None:
    scene = hm3d(tmp_path, table)
    with pytest.raises(InputError, match=said):
        look_in(scene, CAMERA, *STANCES).semantic  # noqa: B018


def test_a_mesh_without_colours_tells_nothing(tmp_path: Path) -> None:
    home = drawn(tmp_path)
    (home / "hall.glb").rename(home / "hall.semantic.glb")
    (home / "hall.semantic.txt").write_text(TABLE)
    with pytest.raises(InputError, match=r"hall\.semantic\.glb: has no colours"):
        read_hm3d(home / "hall.semantic.glb", home / "hall.semantic.txt")


@pytest.mark.parametrize(
    "name", ["hall.semantic.glb", "hall.semantic.txt", "hall_semantic.ply", "hall.house"]
)
def test_half_of_a_pair_is_an_error_that_names_the_other(tmp_path: Path, name: str) -> None:
    (drawn(tmp_path) / name).write_bytes(b"half")
    scene = MeshScenes(tmp_path).scene("hall")
    assert look_in(scene, CAMERA, *STANCES).rgb.any()
    with pytest.raises(MissingLayerError, match=rf"has {name}, but not what belongs to it"):
        look_in(scene, CAMERA, *STANCES).semantic  # noqa: B018
    assert not scene.has("semantics")


def test_faces_can_name_segments_instead_of_objects(tmp_path: Path) -> None:
    segment = np.vectorize({12: 55, 7: 1000055, 3: 56, -1: -1}.get)(OWNER)
    check(mp3d(tmp_path, {"material_id": segment, "segment_id": OWNER * 0, "category_id": OWNER * 0}))


def test_where_only_categories_are_known_there_are_no_objects(tmp_path: Path) -> None:
    category = np.vectorize({12: 8, 7: 1, 3: 89, -1: -1}.get)(OWNER)
    house = "\n".join(line for line in HOUSE.splitlines() if not line.startswith("E"))
    scene = mp3d(tmp_path, {"material_id": OWNER, "category_id": category}, house)
    seen = look_in(scene, CAMERA, *STANCES)
    truth = expected(seen)
    shown = np.array([*semantic_classes(scene), "nothing"])[seen.semantic]
    for number, name in CLASSES.items():
        assert (shown[truth == number] == name).all()
    assert (seen.instance == -1).all()
    assert not scene.layer("semantics").by_number


@pytest.mark.parametrize(
    ("labels", "said"),
    [
        ({"object_id": OWNER + 1}, "object_id 0 of 12 faces is not in hall.house, nor are 3 others"),
        ({"material_id": np.where(OWNER < 0, 99, -1)}, "material_id 99 of 12 faces is not in hall.house"),
        ({"colour_id": OWNER}, "do not say which objects they belong to"),
    ],
)
def test_faces_that_the_house_file_does_not_know(tmp_path: Path, labels: dict[str, Any], said: str) -> None:
    scene = mp3d(tmp_path, labels)
    with pytest.raises(InputError, match=said):
        scene.layer("semantics")


IVLN = (
    *("shelving", "chest_of_drawers", "bed", "cushion", "fireplace", "sofa"),
    *("table", "chair", "cabinet", "plant", "counter", "sink"),
)


def test_classes_of_ivlns_maps_follow_from_both_names(tmp_path: Path) -> None:
    house = HOUSE.replace("37 appliances", "28 furniture").replace("kitchen#refrigerator", "cabinet")
    mp3d(tmp_path, house=house.replace("C  1  1 wall  1 wall", "C  1  1 kitchen#sofa  10 sofa"))
    semantics = read_mp3d(tmp_path / "hall" / "hall_semantic.ply", tmp_path / "hall" / "hall.house")
    found = {}
    for number, thing in semantics.by_number.items():
        name = thing.raw_name if thing.name in ("appliances", "furniture") else thing.name
        found[number] = IVLN.index(name) + 1 if name in IVLN else 0
    assert found == {12: 0, 7: 6, 3: 9}


def test_a_building_far_away_and_hidden_faces_do_not_matter(tmp_path: Path) -> None:
    semantics = textured(tmp_path, [[COLOURS[12]]])
    far = replace(semantics, mesh=replace(semantics.mesh, vertices=semantics.mesh.vertices + 5000.0))
    seen = far.see(np.array([[5001.0, 5004.0, 5000.5]]), np.eye(3)[None], width=9, height=9, vfov=20.0)
    assert (seen.instance == 12).all()
