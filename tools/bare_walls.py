"""How many views show little but wall and ceiling.

python tools/bare_walls.py [--first 500000] [--houses 60] [--viewpoints 12] [--share 0.6] [--by-room]
    [--also CLASS ...]

From some viewpoints of every house, the 36 views of a panorama (twelve headings; 30° down, level and 30° up;
60° high, 4:3) are cast ray by ray. A view is bare if more than a share of its rays first meet faces of the
class ``wall`` or ``ceiling``.
"""

from __future__ import annotations

import argparse
from collections import Counter
from collections.abc import Sequence

import numpy as np

from vlnscope.core.rng import rng_for
from vlnscope.types import Floats
from vlnscope.worlds.graph.views import HEADINGS, VIEW_ELEVATIONS, VIEW_HEADINGS
from vlnscope.worlds.houses.house import generate, house_scene
from vlnscope.worlds.rendering.pinhole import camera_axes, pixel_rays
from vlnscope.worlds.rendering.rays import RayScene

FIRST_SEED = 500_000
BARE = ("wall", "ceiling")
WIDTH, HEIGHT, VFOV = 32, 24, 60.0
LEVELS = ("down", "level", "up")


def bare_shares(
    seed: int, viewpoints: int, classes: Sequence[str] = BARE
) -> tuple[Floats, list[str], Counter[str], int]:
    """Return of a house: bare shares (viewpoints, 36), the viewpoints' rooms, its classes and its faces."""
    scene = house_scene(generate(seed))
    mesh, plan = scene.layer("mesh"), scene.layer("plan")
    bare = np.isin(np.array(mesh.classes, dtype=object), classes)[mesh.semantic]
    rays = pixel_rays(camera_axes(VIEW_HEADINGS, VIEW_ELEVATIONS), width=WIDTH, height=HEIGHT, vfov=VFOV)
    rays = rays.reshape(-1, 3)
    caster = RayScene(mesh)
    nodes = scene.graph.nodes
    order = rng_for(seed, "bare walls").permutation(len(nodes))[:viewpoints].tolist()
    rows = []
    for row in order:
        hit = caster.first_hits(np.tile(scene.graph.positions[row], (len(rays), 1)), rays)
        rows.append(np.where(hit >= 0, bare[hit], False).reshape(len(VIEW_HEADINGS), -1).mean(axis=1))
    numbers = [scene.regions.region(nodes[row]) for row in order]
    rooms = ["-" if number is None else scene.regions.labels[number] for number in numbers]
    return np.array(rows), rooms, Counter(item.name for item in plan.items), len(mesh)


def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--houses", type=int, default=60)
    parser.add_argument("--viewpoints", type=int, default=12, help="viewpoints per house, drawn at random")
    parser.add_argument("--share", type=float, default=0.6)
    parser.add_argument("--first", type=int, default=FIRST_SEED, help="seed of the first house")
    parser.add_argument("--by-room", action="store_true", help="also per type of room")
    parser.add_argument("--also", nargs="*", default=[], help="classes to count as bare, too")
    options = parser.parse_args()
    classes = (*BARE, *options.also)
    measured = [bare_shares(options.first + k, options.viewpoints, classes) for k in range(options.houses)]
    bare = np.concatenate([shares for shares, *_ in measured]) > options.share
    found = Counter(name for *_, counts, _ in measured for name in counts)
    faces = [faces for *_, faces in measured]
    print(f"{options.houses} houses, {bare.size} views, more than {options.share:.0%} {', '.join(classes)}")
    print(f"  all    {bare.mean():6.1%}")
    for level, name in enumerate(LEVELS):
        print(f"  {name:6} {bare[:, level * HEADINGS : (level + 1) * HEADINGS].mean():6.1%}")
    print(f"classes {len(found)}, items per house {_median(measured):.0f}, faces {np.median(faces):.0f}")
    if options.by_room:
        rooms = np.array([room for _, names, *_ in measured for room in names])
        for room in sorted(set(rooms.tolist()), key=lambda room: -int((rooms == room).sum())):
            part = bare[rooms == room]
            levels = [part[:, k * HEADINGS : (k + 1) * HEADINGS].mean() for k in range(len(LEVELS))]
            print(f"  {room} {len(part):4} viewpoints {part.mean():6.1%}", *(f"{x:6.1%}" for x in levels))


def _median(measured: list[tuple[Floats, list[str], Counter[str], int]]) -> float:
    return float(np.median([counts.total() for *_, counts, _ in measured]))


if __name__ == "__main__":
    main()
