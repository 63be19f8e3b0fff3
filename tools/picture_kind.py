"""Makes an unlabelled picture test: does a view look like a cartoon, a game or a photograph?

    python tools/picture_kind.py OUT [--seed N] [--count 40] [--size 288]

Writes numbered sheets of level views from random viewpoints of random houses that nobody trains on, each
looking where an agent could walk on, or any way if there is no such way. A reader who knows nothing of the
project says of each number "cartoon", "game" or "photograph". To compare two states of the code, run it with
the PYTHONPATH of each: seeds choose houses, viewpoints and directions by number, so that both see the same
draws; ``key.json`` says which they were.
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
from vlnscope.worlds.houses.house import generate, house_scene
from vlnscope.worlds.houses.splits import house_id
from vlnscope.worlds.rendering.images import contact_sheet, save_png
from vlnscope.worlds.rendering.renderer import Renderer

PER_SHEET, COLUMNS, VIEWS_PER_HOUSE = 10, 5, 4
FIRST_SEED = 150_000
VFOV = 75.0
Picture = NDArray[np.uint8]


def views(
    house: int, shares: NDArray[np.float64], size: int
) -> tuple[list[Picture], list[dict[str, object]]]:
    """Return pictures of a house and where they were taken; each share (two numbers in 0-1) chooses one."""
    scene = house_scene(generate(house))
    renderer: Renderer = scene.layer("renderer")
    graph = scene.graph
    pictures, places = [], list[dict[str, object]]()
    for where, way in shares.tolist():
        row = int(where * len(graph.nodes))
        ahead = [j if i == row else i for i, j in graph.edges.tolist() if row in (i, j)]
        heading = way * math.tau
        if ahead:
            x, y, _ = graph.positions[ahead[int(way * len(ahead))]] - graph.positions[row]
            heading = math.atan2(x, y)
        seen = renderer.render(
            graph.positions[row], heading, width=size, height=size, vfov=VFOV, supersample=2
        )
        pictures.append(seen.rgb[0])
        places.append({"house": house_id(house), "viewpoint": graph.nodes[row], "heading": round(heading, 3)})
    return pictures, places


def make(out: Path, seed: int, count: int, size: int) -> None:
    """Write the sheets and the key."""
    rng = rng_for(seed, "picture kind")
    pictures: list[Picture] = []
    places: list[dict[str, object]] = []
    for house in (FIRST_SEED + rng.choice(100_000, -(-count // VIEWS_PER_HOUSE), replace=False)).tolist():
        shares = rng.random((min(VIEWS_PER_HOUSE, count - len(pictures)), 2))
        drawn, taken = views(house, shares, size)
        pictures += drawn
        places += taken
    order = rng.permutation(len(pictures)).tolist()
    for start in range(0, len(order), PER_SHEET):
        part = order[start : start + PER_SHEET]
        labels = [str(start + i + 1) for i in range(len(part))]
        sheet = contact_sheet([pictures[i] for i in part], labels, columns=COLUMNS)
        save_png(sheet, out / f"views-{start // PER_SHEET + 1}.png")
    write_text(out / "key.json", json.dumps([places[i] for i in order], indent=1) + "\n")


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description="Draw numbered views without labels.")
    parser.add_argument("out", type=Path)
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--count", type=int, default=40)
    parser.add_argument("--size", type=int, default=288)
    arguments = parser.parse_args()
    make(arguments.out, arguments.seed, arguments.count, arguments.size)
