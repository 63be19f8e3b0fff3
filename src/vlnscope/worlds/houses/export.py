"""Houses as files: a folder of exported houses is a data folder that any reader of Matterport scans opens."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import msgspec
import numpy as np

from vlnscope.core import files
from vlnscope.worlds.houses.plan.file import write_plan
from vlnscope.worlds.houses.plan.plan import FloorPlan
from vlnscope.worlds.rendering.glb import to_glb
from vlnscope.worlds.scene import Scene


def export_house(scene: Scene, out: str | Path, *, glb: bool = False) -> tuple[Path, ...]:
    """Write a house and return the files.

    ``plans/ID.json`` is the plan, ``connectivity/ID_connectivity.json`` the navigation graph and
    ``mp3d_house/ID.house`` the rooms, both in Matterport3D's formats, and ``meshes/ID.glb`` the mesh.

    Args:
        scene: a house, as `house_scene` makes it.
        out: the folder; made if it is not there. Files that are there already are replaced.
        glb: whether to write the mesh too, which takes several megabytes.
    """
    folder = Path(out)
    plan: FloorPlan = scene.layer("plan")
    paths = [
        folder / "plans" / f"{plan.id}.json",
        folder / "connectivity" / f"{plan.id}_connectivity.json",
        folder / "mp3d_house" / f"{plan.id}.house",
    ]
    mesh = scene.layer("mesh") if glb else None  # a plan that cannot be built writes nothing
    write_plan(paths[0], plan)
    with files.write_whole(paths[1]) as stream:
        stream.write(connectivity_json(scene))
    files.write_text(paths[2], house_text(scene))
    if mesh is not None:
        paths.append(folder / "meshes" / f"{plan.id}.glb")
        to_glb(mesh, paths[-1])
    return tuple(paths)


def connectivity_json(scene: Scene) -> bytes:
    """Return the graph of a scene as a Matterport3D connectivity file.

    A viewpoint counts as visible from another where there is an edge.
    """
    graph = scene.graph
    rows: list[dict[str, Any]] = []
    for i, name in enumerate(graph.nodes):
        pose = np.eye(4)
        pose[:3, 3] = graph.positions[i]
        joined = graph.adjacency[i].tolist()
        rows.append(
            {
                "image_id": name,
                "pose": pose.ravel().tolist(),
                "included": True,
                "visible": joined,
                "unobstructed": joined,
                "height": float(scene.heights[i]),
            }
        )
    return b"[\n" + b",\n".join(map(msgspec.json.encode, rows)) + b"\n]\n"


def house_text(scene: Scene) -> str:
    """Return the viewpoints and rooms of a house in the form of a Matterport3D ``.house`` file.

    Objects and surfaces are left out; the plan has them.
    """
    plan: FloorPlan = scene.layer("plan")
    graph, regions = scene.graph, scene.regions
    counts = f"0 {len(graph.nodes)} 0 0 0 0 {len(plan.rooms)} 0 {len(plan.floors)}"
    lines = ["ASCII 1.1", f"H {plan.id} {plan.style} {counts} 0 0 0 0 0 0 0 0 0 0 0"]
    for index, floor in enumerate(plan.floors):
        rooms = sum(room.floor == floor.level for room in plan.rooms)
        lines.append(f"L {index} {rooms} floor 0 0 {floor.elevation:.4f} 0 0 0 0 0 0 0 0 0 0 0")
    lines += [_room_line(plan, number) for number in range(len(plan.rooms))]
    for index, name in enumerate(graph.nodes):
        region = regions.region(name)
        position = " ".join(repr(float(part)) for part in graph.positions[index])
        lines.append(f"P {name} {index} {-1 if region is None else region} 0 {position} 0 0 0 0 0")
    return "\n".join(lines) + "\n"


def _room_line(plan: FloorPlan, number: int) -> str:
    room = plan.rooms[number]
    index, floor = next((k, f) for k, f in enumerate(plan.floors) if f.level == room.floor)
    xs, ys = zip(*room.polygon, strict=True)
    low = (min(xs), min(ys), floor.elevation)
    high = (max(xs), max(ys), floor.elevation + floor.height)
    middle = ((low[0] + high[0]) / 2, (low[1] + high[1]) / 2, floor.elevation)
    numbers = " ".join(f"{part:.4f}" for part in (*middle, *low, *high, floor.height))
    return f"R {number} {index} 0 0 {room.label} {numbers} 0 0 0 0"
