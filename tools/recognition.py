"""Makes an unlabelled picture test: can a reader name objects and rooms of generated houses?

    python tools/recognition.py OUT [--seed N]

Writes numbered sheets of 50 crops of single objects (classes drawn at random without repetition) and 30
views of rooms (kinds drawn at random, at least two of each of the common ones, no room twice), and
``key.json`` with the answers, which the reader must not see. A crop is cut from a picture taken at a
viewpoint of the graph that sees the object; of a room the view that shows most of its objects is taken, from
one viewpoint.
"""

from __future__ import annotations

import argparse
import json
import math
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from vlnscope.core.files import write_text
from vlnscope.core.rng import rng_for
from vlnscope.types import Floats
from vlnscope.worlds.houses.house import generate, house_scene
from vlnscope.worlds.houses.plan.plan import FloorPlan, PlanItem
from vlnscope.worlds.rendering.images import contact_sheet, save_png
from vlnscope.worlds.rendering.renderer import Renderer
from vlnscope.worlds.rooms import ROOM_NAMES
from vlnscope.worlds.scene import Scene

OBJECTS, ROOMS, PER_SHEET, HOUSES, FIRST_SEED = 50, 30, 10, 14, 200_000
SIZE = 320
Picture = NDArray[np.uint8]
KINDS = "bbbaaakkkllldddffhhhssooeeppynjgwrcuzvt"


def crop(scene: Scene, item: PlanItem) -> Picture | None:
    """Cut an object out of the best picture of it from any viewpoint, with some of what is around it."""
    renderer: Renderer = scene.layer("renderer")
    middle = np.asarray(item.position) + np.array([0, 0, item.size[2] / 2])
    best: tuple[float, Picture] | None = None
    graph = scene.graph
    away = np.linalg.norm(graph.positions - middle, axis=1)
    for row in np.argsort(away, kind="stable")[:8]:
        if away[row] < 0.8:
            continue
        x, y, z = middle - graph.positions[row]
        heading, elevation = math.atan2(x, y), math.atan2(z, math.hypot(x, y))
        reach = math.degrees(math.atan2(np.linalg.norm(item.size) / 2 * 1.25, float(away[row])))
        views = renderer.render(
            graph.positions[row], heading, elevation,
            width=SIZE, height=SIZE, vfov=min(max(2 * reach, 12), 100), supersample=2,
        )  # fmt: skip
        mesh = scene.layer("mesh")
        if item.id not in mesh.objects:
            return None
        shown = float((views.instance[0] == mesh.objects.index(item.id)).mean())
        if best is None or shown > best[0]:
            best = (shown, views.rgb[0])
    return best[1] if best and best[0] > 0.06 else None


def room_view(scene: Scene, plan: FloorPlan, region: int) -> Picture | None:
    """Return the view from a room's viewpoints in which most of its own objects show."""
    renderer: Renderer = scene.layer("renderer")
    mesh = scene.layer("mesh")
    own = {
        mesh.objects.index(i.id)
        for i in plan.items
        if i.room == plan.rooms[region].id and i.id in mesh.objects
    }
    nodes = [node for node in scene.graph.nodes if scene.regions.region(node) == region]
    best: tuple[float, Floats, float] | None = None
    for node in nodes:
        place = scene.graph.positions[scene.graph.row(node)]
        headings = np.arange(12) * math.pi / 6
        views = renderer.render(place, headings, -0.2, width=64, height=48, vfov=75.0)
        for heading, instance in zip(headings, views.instance, strict=True):
            names, pixels = np.unique(instance, return_counts=True)
            worth = sum(min(p, 120) for n, p in zip(names, pixels, strict=True) if n in own and p > 8)
            if best is None or worth > best[0]:
                best = (float(worth), place, float(heading))
    if best is None:
        return None
    views = renderer.render(best[1], best[2], -0.2, width=SIZE + 80, height=SIZE, vfov=75.0, supersample=2)
    picture: Picture = views.rgb[0]
    return picture


def make(out: Path, seed: int) -> None:
    """Write the sheets and the key."""
    plans = [generate(FIRST_SEED + 100 * seed + k) for k in range(HOUSES)]
    scenes = [house_scene(plan) for plan in plans]
    rng = rng_for(seed, "recognition")
    classes = sorted({item.name for plan in plans for item in plan.items})
    objects: list[tuple[str, Picture]] = []
    for name in rng.permutation(classes):
        places = [(k, item) for k, plan in enumerate(plans) for item in plan.items if item.name == name]
        for choice in rng.permutation(len(places))[:6]:
            house, item = places[choice]
            picture = crop(scenes[house], item)
            if picture is not None:
                objects.append((str(name), picture))
                break
        if len(objects) == OBJECTS:
            break
    rooms: list[tuple[str, Picture]] = []
    drawn: set[tuple[int, int]] = set()
    for label in rng.permutation(list(KINDS)):
        there = [
            (k, r)
            for k, plan in enumerate(plans)
            for r, room in enumerate(plan.rooms)
            if room.label == label and (k, r) not in drawn
        ]
        if there and len(rooms) < ROOMS:
            house, region = there[int(rng.integers(len(there)))]
            drawn.add((house, region))
            view = room_view(scenes[house], plans[house], region)
            if view is not None:
                rooms.append((ROOM_NAMES[str(label)][0], view))
    for kind, pictures in (("objects", objects), ("rooms", rooms)):
        for start in range(0, len(pictures), PER_SHEET):
            part = pictures[start : start + PER_SHEET]
            labels = [str(start + i + 1) for i in range(len(part))]
            sheet = contact_sheet([picture for _, picture in part], labels, columns=5)
            save_png(sheet, out / f"{kind}-{start // PER_SHEET + 1}.png")
    key = {"objects": [n for n, _ in objects], "rooms": [n for n, _ in rooms]}
    write_text(out / "key.json", json.dumps(key, indent=1) + "\n")


if __name__ == "__main__":
    parser = argparse.ArgumentParser()
    parser.add_argument("out", type=Path)
    parser.add_argument("--seed", type=int, default=0)
    arguments = parser.parse_args()
    make(arguments.out, arguments.seed)
