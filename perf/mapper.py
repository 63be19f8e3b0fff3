"""What a map costs per step, by both rules, beside drawing the picture that it is made from.

    python perf/mapper.py [--seed N] [--frames N]

An agent looks about from one viewpoint of a furnished house after the other, four times from each, with
VLN-CE's 256² depth and the simulator's semantics, and keeps what it saw. A step is what an agent does: `add`
an observation, `read` the map. "First" and "last" are the first and the last eighth of the steps, when the
cloud is small and when it is large. Processor time of one thread, the least of several rounds per step;
pictures are drawn before. The released mapper, with PyTorch on another computer, took 11 ms at first and
46 ms with 85,000 points.
"""

from __future__ import annotations

import argparse
import math
import os
import time
from typing import NamedTuple

os.environ |= {"OMP_NUM_THREADS": "1", "NUMBA_NUM_THREADS": "1"}

import numpy as np
from numpy.typing import NDArray

from vlnscope.perception.mapping import Mapper, MapRule, TrueSemantics
from vlnscope.types import Floats
from vlnscope.worlds.cameras import CAMERAS, Stance
from vlnscope.worlds.frames import to_habitat
from vlnscope.worlds.houses.house import generate, house_scene
from vlnscope.worlds.scene import Scene
from vlnscope.worlds.scene_looks import look_in

ROUNDS, VIEWS = 3, 4
CAMERA = CAMERAS["vlnce"]["depth"]
RULES: tuple[MapRule, ...] = ("clean", "official")


class Frame(NamedTuple):
    """An observation, and how long it took to draw."""

    stance: Stance
    depth: NDArray[np.float32]
    classes: NDArray[np.uint8]
    seconds: float


class Costs(NamedTuple):
    """Seconds per step, and how many points there are in the end."""

    add: Floats
    read: Floats
    points: int


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--seed", type=int, default=3, help="which house")
    parser.add_argument("--frames", type=int, default=400, help="how many steps")
    options = parser.parse_args()
    scene = house_scene(generate(options.seed))
    frames = look_about(scene, options.frames)
    drawing = 1e3 * float(np.median([frame.seconds for frame in frames]))
    print(f"{len(frames)} steps; drawing depth and semantics: {drawing:.1f} ms per step")
    print("rule       points   add first   last   read first   last   ms per step   of drawing")
    for rule in RULES:
        costs = step_costs(rule, frames)
        add, read = 1e3 * costs.add, 1e3 * costs.read
        ends = max(1, len(frames) // 8)
        whole = float((add + read).mean())
        print(
            f"{rule:<9}{costs.points:>8,}{add[:ends].mean():>12.1f}{add[-ends:].mean():>7.1f}"
            f"{read[:ends].mean():>13.1f}{read[-ends:].mean():>7.1f}{whole:>14.1f}{whole / drawing:>13.2f}"
        )


def look_about(scene: Scene, count: int) -> list[Frame]:
    """Return what an agent sees on its way through the house's viewpoints, in the order of the graph."""
    feet = to_habitat(scene.graph.positions, scene.heights, above_floor=0.0)
    semantics = TrueSemantics(scene)
    frames = []
    for k in range(min(count, VIEWS * len(feet))):
        x, y, z = feet[k // VIEWS].tolist()
        stance = Stance((x, y, z), k * math.tau / VIEWS)
        begun = time.process_time()
        seen = look_in(scene, CAMERA, [stance.position], stance.yaw)
        depth, classes = seen.depth, semantics.classes(seen)
        frames.append(Frame(stance, depth, classes, time.process_time() - begun))
    return frames


def step_costs(rule: MapRule, frames: list[Frame]) -> Costs:
    """Return what each step costs in the cheapest of several rounds."""
    seconds = np.full((ROUNDS, len(frames), 2), np.inf)
    for k in range(ROUNDS):
        mapper = Mapper(rule=rule, memory="iterative")
        mapper.begin_tour()
        for step, frame in enumerate(frames):
            begun = time.process_time()
            mapper.add(frame.depth, [frame.stance], frame.classes)
            added = time.process_time()
            mapper.read([frame.stance])
            seconds[k, step] = added - begun, time.process_time() - added
    least = seconds.min(axis=0)
    return Costs(least[:, 0], least[:, 1], mapper.count())


if __name__ == "__main__":
    main()
