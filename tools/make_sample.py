"""Makes the bundled sample: three small buildings, R2R-like episodes, and an imperfect walker's predictions.

Run `python tools/make_sample.py` to write it again; a test checks that the bytes have not changed.
"""

from __future__ import annotations

import itertools
import json
import math
import sys
from pathlib import Path

import numpy as np

from vlnscope.core.files import write_text
from vlnscope.core.rng import rng_for
from vlnscope.worlds.graph.navgraph import NavGraph

SEED = 7
SCANS = ("sample-attic", "sample-bakery", "sample-chapel")
COLUMNS, ROWS, SPACING, STOREY, EYE = 5, 4, 2.1, 3.0, 1.5
SHORTEST_PATHS, ROUND_TRIPS = 7, 3
WRONG_TURN, STOP_EARLY, SHORTCUT, LOGS_TURNS, LONGEST = 0.15, 0.05, 0.2, 0.3, 30
TURNS = ("keep straight on", "bear right", "turn right", "turn around", "turn left", "bear left")


def building(scan: str) -> NavGraph:
    """Two storeys of jittered grid points, some walls between them, one staircase."""
    rng = rng_for(SEED, "building", scan)
    names, places = [], []
    for floor in range(2):
        for row in range(ROWS):
            for column in range(COLUMNS):
                jitter = rng.uniform(-0.35, 0.35, size=2)
                names.append(f"{scan[7]}{floor}{row}{column}")
                places.append(
                    [
                        round(float(column * SPACING + jitter[0]), 3),
                        round(float(row * SPACING + jitter[1]), 3),
                        round(floor * STOREY + EYE, 3),
                    ]
                )
    edges = [(f"{scan[7]}0{ROWS - 1}0", f"{scan[7]}1{ROWS - 1}0")]
    for a in names:
        floor, row, column = (int(c) for c in a[1:])
        for r, c in ((row, column + 1), (row + 1, column)):
            spine = row == r == 1
            if r < ROWS and c < COLUMNS and (spine or c == column or rng.random() < 0.6):
                edges.append((a, f"{scan[7]}{floor}{r}{c}"))
    return NavGraph.build(names, places, edges)


def connectivity(graph: NavGraph) -> list[dict[str, object]]:
    """Write a graph the way Matterport3DSimulator does."""
    return [
        {
            "image_id": name,
            "pose": [1, 0, 0, x, 0, 1, 0, y, 0, 0, 1, z, 0, 0, 0, 1],
            "included": True,
            "visible": graph.adjacency[i].tolist(),
            "unobstructed": graph.adjacency[i].tolist(),
            "height": EYE,
        }
        for i, (name, (x, y, z)) in enumerate(zip(graph.nodes, graph.positions.tolist(), strict=True))
    ]


def episodes(scan: str, graph: NavGraph, first_id: int) -> list[dict[str, object]]:
    """Shortest paths of four to six edges and at least five metres, as in R2R, and some with a detour.

    A detour is what R4R has: two such paths joined, the second from where the first ends.
    """
    rng = rng_for(SEED, "paths", scan)
    found: list[dict[str, object]] = []
    seen: set[tuple[str, ...]] = set()
    while len(found) < SHORTEST_PATHS + ROUND_TRIPS:
        a, b, c = (str(node) for node in rng.choice(graph.nodes, size=3, replace=False))
        path = graph.shortest_path(a, b)
        fits = 5 <= len(path) <= 7 and graph.distance(a, b) >= 5
        if len(found) >= SHORTEST_PATHS:
            path += graph.shortest_path(b, c)[1:]
        if fits and path not in seen:
            seen.add(path)
            heading = round(float(rng.uniform(0, 2 * math.pi)), 3)
            found.append(
                {
                    "distance": round(sum(graph.distance(u, v) for u, v in itertools.pairwise(path)), 2),
                    "scan": scan,
                    "path_id": first_id + len(found),
                    "path": list(path),
                    "heading": heading,
                    "instructions": instructions(graph, path, heading),
                }
            )
    return found


def instructions(graph: NavGraph, path: tuple[str, ...], heading: float) -> list[str]:
    """Three wordings of the turns along a path."""
    words = []
    for a, b in itertools.pairwise(path):
        x, y, z = graph.positions[graph.row(b)] - graph.positions[graph.row(a)]
        if abs(z) > 1:
            words.append("climb the stairs" if z > 0 else "go down the stairs")
            continue
        new = math.atan2(x, y)
        words.append(TURNS[round(((new - heading) % (2 * math.pi)) / (math.pi / 3)) % 6])
        heading = new
    first = ", ".join(words)
    return [
        f"{first.capitalize()} and stop.",
        f"First {words[0]}, then {', then '.join(words[1:])}. Wait there.",
        f"{'. '.join(w.capitalize() for w in words)}. You have arrived.",
    ]


def walk(graph: NavGraph, path: list[str], key: str) -> list[list[object]]:
    """An agent that follows the path but sometimes takes a wrong turn, stops early or takes a shortcut.

    Every third one logs its turns on the spot, as egocentric agents do.
    """
    rng = rng_for(SEED, "walker", key)
    shortcut, logs_turns = rng.random() < SHORTCUT, rng.random() < LOGS_TURNS
    plan = list(graph.shortest_path(path[0], path[-1]) if shortcut else path)[1:]
    here, heading = path[0], 0.0
    trajectory: list[list[object]] = [[here, heading, 0.0]]
    while plan and len(trajectory) < LONGEST and rng.random() >= STOP_EARLY:
        if rng.random() < WRONG_TURN:
            aside = str(rng.choice(graph.neighbours(here)))
            plan = [aside, *graph.shortest_path(aside, plan[0])[1:], *plan[1:]]
        there = plan.pop(0)
        x, y, _ = graph.positions[graph.row(there)] - graph.positions[graph.row(here)]
        heading = round(float(np.arctan2(x, y) % (2 * np.pi)), 3)
        if logs_turns:
            trajectory.append([here, heading, 0.0])
        trajectory.append([there, heading, 0.0])
        here = there
    return trajectory


def make(target: Path) -> None:
    """Write the sample below `target`."""
    data: list[dict[str, object]] = []
    predictions = []
    for scan in SCANS:
        graph = building(scan)
        write_text(
            target / "connectivity" / f"{scan}_connectivity.json", json.dumps(connectivity(graph)) + "\n"
        )
        for item in episodes(scan, graph, 100 + len(data)):
            data.append(item)
            for k in range(3):
                key = f"{item['path_id']}_{k}"
                predictions.append({"instr_id": key, "trajectory": walk(graph, item["path"], key)})  # type: ignore[arg-type]
    write_text(target / "r2r" / "R2R_demo.json", json.dumps(data, indent=1) + "\n")
    write_text(target / "predictions" / "walker.json", json.dumps(predictions) + "\n")


if __name__ == "__main__":
    make(
        Path(sys.argv[1]) if len(sys.argv) > 1 else Path(__file__).parents[1] / "src" / "vlnscope" / "sample"
    )
