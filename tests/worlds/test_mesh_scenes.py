"""Buildings from mesh files: which files belong to a scene, which way is up, and for whom the ground is."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
import trimesh

from box_rooms import Triangles, box, joined, room
from vlnscope.core.exceptions import DataNotFoundError, InputError, MissingLayerError
from vlnscope.worlds.continuous.bake.bake import bake
from vlnscope.worlds.continuous.navmesh.settings import NavMeshSettings
from vlnscope.worlds.frames import turned_to_mattersim
from vlnscope.worlds.mesh_scenes import MeshScenes

HALL = joined(room(6.0, 4.0), box((2.0, 0.0, 1.0), (3.0, 1.0, 3.9)))
START, GOAL = (1.0, 0.1, 3.0), (5.0, 0.1, 3.0)
RXR = NavMeshSettings(agent_height=0.88, agent_radius=0.18)


def save(mesh: Triangles, path: Path) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    trimesh.Trimesh(*mesh, process=False).export(path)


def habitat_folder(folder: Path) -> Path:
    """A folder as Habitat's: glTF has y up."""
    save(HALL, folder / "hall" / "hall.glb")
    return folder


def length(scenes: MeshScenes) -> float:
    return float(scenes.scene("hall").layer("navmesh").distance([START], [GOAL])[0])


def test_a_scene_is_a_mesh_with_its_ground(tmp_path: Path) -> None:
    scenes = MeshScenes(habitat_folder(tmp_path))
    scene = scenes.scene("hall")
    assert scenes.scans() == ("hall",)
    assert scene is scenes.scene("hall")
    assert length(scenes) == pytest.approx(bake(*HALL).distance([START], [GOAL])[0], abs=1e-3)
    eye = turned_to_mattersim(np.array([[1.0, 1.25, 0.5]]))[0]
    view = scene.layer("renderer").render(eye, width=9, height=9, vfov=90)
    assert view.depth[0, 4, 4] == pytest.approx(0.5, abs=1e-3)  # the wall to the north, at z = 0


@pytest.mark.parametrize("ending", ["ply", "obj"])
def test_other_kinds_of_files_lie_as_their_navmesh_does(tmp_path: Path, ending: str) -> None:
    vertices, faces = HALL
    for name, lying in (("hall", vertices), ("turned", turned_to_mattersim(vertices))):
        save((lying, faces), tmp_path / f"{name}.{ending}")
        bake(vertices, faces).file.write(tmp_path / f"{name}.navmesh")
    scenes = MeshScenes(tmp_path)
    one, other = (scenes.scene(name).layer("mesh").vertices for name in ("hall", "turned"))
    np.testing.assert_allclose(one, turned_to_mattersim(vertices), atol=1e-5)
    np.testing.assert_allclose(other, one, atol=1e-5)


def test_ground_beside_a_mesh_is_read_and_not_baked(tmp_path: Path) -> None:
    habitat_folder(tmp_path)
    bake(*room(6.0, 4.0)).file.write(tmp_path / "hall" / "hall.navmesh")  # without the table
    assert length(MeshScenes(tmp_path)) == pytest.approx(4.0, abs=1e-3)


def test_an_agent_of_another_size_gets_ground_of_its_own(tmp_path: Path) -> None:
    habitat_folder(tmp_path)
    bake(*HALL).file.write(tmp_path / "hall" / "hall.navmesh")
    ground = MeshScenes(tmp_path, agent=RXR).scene("hall").layer("navmesh")
    assert ground.settings.agent_radius == pytest.approx(0.18)
    assert length(MeshScenes(tmp_path, agent=RXR)) > length(MeshScenes(tmp_path)) + 0.05


def test_ground_alone_can_be_walked_but_not_seen(tmp_path: Path) -> None:
    bake(*HALL).file.write(tmp_path / "hall.navmesh")
    scenes = MeshScenes(tmp_path)
    assert length(scenes) > 4.0
    with pytest.raises(MissingLayerError):
        scenes.scene("hall").layer("renderer")


def test_what_is_missing_or_damaged_is_named(tmp_path: Path) -> None:
    with pytest.raises(DataNotFoundError, match="no folder"):
        MeshScenes(tmp_path / "nowhere")
    habitat_folder(tmp_path)
    with pytest.raises(DataNotFoundError, match="hal"):
        MeshScenes(tmp_path).scene("hal")
    (tmp_path / "hall" / "hall.navmesh").write_bytes(b"TESM" + bytes(40))
    with pytest.raises(InputError, match=r"hall\.navmesh"):
        length(MeshScenes(tmp_path))
    (tmp_path / "hall" / "hall.navmesh").unlink()
    (tmp_path / "hall" / "hall.glb").write_bytes(b"glTF" + bytes(40))
    with pytest.raises(InputError, match=r"hall\.glb"):
        length(MeshScenes(tmp_path))


def test_a_mesh_without_ground_is_named(tmp_path: Path) -> None:
    save(box((0.0, 0.0, 0.0), (0.1, 0.1, 0.1)), tmp_path / "matchbox" / "matchbox.glb")
    with pytest.raises(InputError, match=r"scene matchbox: the mesh has no walkable ground"):
        MeshScenes(tmp_path).scene("matchbox").layer("navmesh")


def test_endings_may_be_in_capitals(tmp_path: Path) -> None:
    save(HALL, tmp_path / "hall.glb")
    (tmp_path / "hall.glb").rename(tmp_path / "hall.GLB")
    assert length(MeshScenes(tmp_path)) > 4.0


def test_mirrored_nodes_keep_their_floor_up(tmp_path: Path) -> None:
    vertices, faces = HALL
    mirrored = trimesh.Trimesh(vertices * [-1.0, 1.0, 1.0], faces[:, ::-1], process=False)
    scene = trimesh.Scene()
    scene.add_geometry(mirrored, transform=np.diag([-1.0, 1.0, 1.0, 1.0]))
    scene.export(tmp_path / "hall.glb")
    assert length(MeshScenes(tmp_path)) == pytest.approx(bake(*HALL).distance([START], [GOAL])[0], abs=1e-3)


def test_names_may_have_dots_and_those_of_hm3d_say_how_textures_are_kept(tmp_path: Path) -> None:
    save(HALL, tmp_path / "my hall.v1.glb")
    save(HALL, tmp_path / "00800-scan" / "scan.basis.glb")
    bake(*HALL).file.write(tmp_path / "00800-scan" / "scan.basis.navmesh")
    scenes = MeshScenes(tmp_path)
    assert scenes.scans() == ("my hall.v1", "scan")
    assert {"mesh", "navmesh"} <= {*scenes.scene("scan").loaders}
