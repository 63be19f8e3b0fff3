"""Houses as files that Habitat loads: mesh, navigation mesh, semantics and configuration of each.

Habitat takes a GLB file to have z up unless a stage configuration says otherwise, so ``ID.stage_config.json``
lies beside ``ID.glb``, where Habitat finds it whether or not it is given the configuration of the whole
folder. Scene instances lie in a folder of their own: beside the mesh, Habitat would take them first, and
their handles mean nothing without that configuration.
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np

from vlnscope.core.exceptions import DataNotFoundError, UnknownNameError
from vlnscope.core.files import write_text
from vlnscope.worlds.continuous.navmesh.navmesh import NavMesh
from vlnscope.worlds.houses.edit.names import base_name
from vlnscope.worlds.houses.plan.plan import FloorPlan
from vlnscope.worlds.houses.splits import house_id, house_ids, is_house
from vlnscope.worlds.rendering.appearance import painted
from vlnscope.worlds.rendering.mesh import Mesh
from vlnscope.worlds.rendering.painted_glb import to_painted_glb
from vlnscope.worlds.rendering.semantic_parts import SemanticParts, part_colours, semantic_parts
from vlnscope.worlds.rendering.texture_bake import painted_mesh
from vlnscope.worlds.scene import Scene

SCENES, INSTANCES = "scenes", "scene_instances"
DATASET_CONFIG = "houses.scene_dataset_config.json"
"""What Habitat's ``scene_dataset`` is to name, in the folder that was exported to."""
_UP, _FRONT = [0, 1, 0], [0, 0, -1]
_NOWHERE = -1


def scene_id(house: str) -> str:
    """Return where the mesh of a house lies below the exported folder, as episodes say it.

    Example:
        >>> scene_id("house-00012")
        'scenes/house-00012/house-00012.glb'
    """
    return f"{SCENES}/{house}/{house}.glb"


def check_house_name(house: str) -> None:
    """Refuse what is not the name of a generated house; the one that was perhaps meant is suggested.

    Raises:
        DataNotFoundError: there is no such house, or it is an edited one, which has no episodes.
    """
    plain = base_name(house)
    if is_house(house) and plain == house:
        return
    digits = "".join(filter(str.isdigit, plain))[-9:]
    near = [house_id(int(digits))] if digits else house_ids("train")
    edited = is_house(house)
    raise DataNotFoundError(
        f"{house}: is an edited house" if edited else UnknownNameError("house", house, near).what,
        expected="house- and a seed of at least five digits, such as house-00012",
        fix=f"name {plain}" if edited else "correct the name; `vlnscope houses generate --help` has more",
    )


def write_habitat_scene(scene: Scene, out: str | Path) -> tuple[Path, ...]:
    """Write a house for Habitat and return the files; those that are there already are replaced.

    ``scenes/ID/`` gets ``ID.glb`` (y up, with texture images that hold patterns and light), ``ID.navmesh``
    (the house's own), ``ID.semantic.glb`` (a colour for each number of `semantic_parts`),
    ``ID.semantic.txt`` (number, colour, class and room of each, as HM3D has it) and
    ``ID.stage_config.json``; ``scene_instances/`` gets ``ID.scene_instance.json``.

    Args:
        scene: a house, as `house_scene` makes it.
        out: the folder; made if it is not there.
    """
    mesh: Mesh = scene.layer("mesh")
    ground: NavMesh = scene.layer("navmesh")
    parts = semantic_parts(mesh)
    stem = Path(out) / SCENES / scene.id / scene.id
    names = (".glb", ".navmesh", ".semantic.glb", ".semantic.txt", ".stage_config.json")
    paths = [stem.with_name(stem.name + ending) for ending in names]
    to_painted_glb(painted_mesh(mesh, scene.layer("light")), paths[0])
    ground.file.write(paths[1])
    to_painted_glb(_coloured(mesh, parts), paths[2])
    write_text(paths[3], semantic_text(scene.layer("plan"), parts))
    paths.append(Path(out) / INSTANCES / f"{scene.id}.scene_instance.json")
    write_text(paths[5], _json(scene_instance(scene.id)))
    write_text(paths[4], _json(stage_config(scene.id)))  # the last one: it tells that the house is complete
    return tuple(paths)


def write_dataset_config(out: str | Path) -> Path:
    """Write the configuration of all houses in an exported folder and return the file."""
    path = Path(out) / DATASET_CONFIG
    write_text(path, _json(dataset_config(exported_houses(out))))
    return path


def exported_houses(out: str | Path) -> tuple[str, ...]:
    """Return the names of the houses that were exported to a folder, sorted."""
    suffix = ".stage_config.json"
    found = (path.name.removesuffix(suffix) for path in (Path(out) / SCENES).glob(f"*/*{suffix}"))
    return tuple(sorted(name for name in found if is_house(name)))


def _coloured(mesh: Mesh, parts: SemanticParts) -> Mesh:
    """Return a mesh whose faces have the colours of their parts."""
    colours = part_colours(parts.numbers(mesh.instance, mesh.semantic))
    return replace(mesh, appearance=painted(np.repeat(colours[:, None], 3, axis=1)))


def semantic_text(plan: FloorPlan, parts: SemanticParts) -> str:
    """Return what the colours of a house mean, in the form of HM3D: number, colour, class, room.

    Rooms are numbered as in the plan; what lies outside has -1. Doors, windows and stairs belong to the
    first of their rooms.
    """
    room = {room.id: number for number, room in enumerate(plan.rooms)}
    owner = dict(room)
    owner |= {item.id: room[item.room] for item in plan.items}
    owner |= {opening.id: room[opening.rooms[0]] for opening in plan.openings}
    owner |= {stair.id: room[stair.rooms[0]] for stair in plan.stairs}
    lines = ["HM3D Semantic Annotations"]
    colours = part_colours(np.array([part.number for part in parts.parts], dtype=np.int32))
    for part, colour in zip(parts.parts, colours, strict=True):
        region = owner.get(part.owner, _NOWHERE)
        lines.append(f'{part.number},{bytes(colour).hex().upper()},"{part.category}",{region}')
    return "\n".join(lines) + "\n"


def stage_config(house: str) -> dict[str, Any]:
    """Return the stage configuration of a house, with files named relative to it."""
    return {
        "render_asset": f"{house}.glb",
        "collision_asset": f"{house}.glb",
        "nav_asset": f"{house}.navmesh",
        "semantic_asset": f"{house}.semantic.glb",
        "semantic_descriptor_filename": f"{house}.semantic.txt",
        "has_semantic_textures": False,
        "up": _UP,
        "front": _FRONT,
        "semantic_up": _UP,
        "semantic_front": _FRONT,
        "origin": [0, 0, 0],
        "units_to_meters": 1.0,
        "shader_type": "flat",
        "force_flat_shading": True,
    }


def scene_instance(house: str) -> dict[str, Any]:
    """Return the scene instance of a house; its handles are those of `dataset_config`."""
    return {
        "stage_instance": {"template_name": f"{SCENES}/{house}/{house}"},
        "default_lighting": "no_lights",
        "navmesh_instance": house,
        "semantic_scene_instance": house,
    }


def dataset_config(houses: Sequence[str]) -> dict[str, Any]:
    """Return the configuration of a folder of houses, with paths relative to the folder."""
    home = f"{SCENES}/{{0}}"
    return {
        "stages": {"paths": {".json": [home.format(house) for house in houses]}},
        "scene_instances": {"paths": {".json": [INSTANCES]}},
        "navmesh_instances": {house: f"{home}/{{0}}.navmesh".format(house) for house in houses},
        "semantic_scene_descriptor_instances": {
            house: f"{home}/{{0}}.semantic.txt".format(house) for house in houses
        },
    }


def _json(content: Mapping[str, Any]) -> str:
    return json.dumps(content, indent=2) + "\n"
