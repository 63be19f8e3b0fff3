"""The scenes of a loop's episodes, and the ground on which an agent of a certain size walks there."""

from __future__ import annotations

from pathlib import Path

from vlnscope.core.exceptions import MissingLayerError
from vlnscope.worlds.continuous.navmesh.navmesh import NavMesh
from vlnscope.worlds.continuous.navmesh.settings import NavMeshSettings
from vlnscope.worlds.mesh_scenes import MeshScenes, baked_for, is_usual
from vlnscope.worlds.scene import Scene, Scenes


def ground_for(scene: Scene, wanted: NavMeshSettings) -> NavMesh:
    """Return the navigation mesh of a scene for an agent of a certain size.

    As in Habitat, it is the scene's own unless the agent's height or radius is not the usual one; then it is
    baked anew from the scene's triangles.
    """
    if is_usual(wanted):
        ground: NavMesh = scene.layer("navmesh")
        return ground
    return baked_for(scene, wanted)


def scenes_in(folder: Path, scene_id: str, scan: str) -> Scenes | None:
    """Return the scenes of Habitat's folder of scenes; None if it does not hold the one that is asked for.

    Args:
        folder: ``scenes_dir`` of the configuration.
        scene_id: where an episode says that its scene lies, as ``mp3d/SCAN/SCAN.glb``.
        scan: the id of the scene.
    """
    for home in (folder / Path(scene_id).parent.parent, folder):
        if (home / scan).is_dir() or any(home.glob(f"{scan}.*")):
            return MeshScenes(home)
    return None


def missing_scenes(data: str, folder: str) -> MissingLayerError:
    """Return the error that episodes have no scenes to take place in."""
    return MissingLayerError(
        f"{data}: the scenes of these episodes are not at hand",
        expected=f"SCAN/SCAN.glb and SCAN/SCAN.navmesh in dataset.scenes_dir ({folder})",
        fix="let dataset.scenes_dir name the folder with the scenes, or take houses-ce/{split} as data_path",
    )
