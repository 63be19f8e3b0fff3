"""How fast continuous space is: baking, distances, steps, and steps with pictures through the engine.

    python perf/continuous.py [--house NAME] [--seed N]

Everything runs on one thread, in processor time, the best of several rounds; what is compared is taken in
turn. All places lie within 1 m of a viewpoint: houses stand in wide gardens, most random points of the ground
lie out there, and a straight line across a lawn is found several times faster than a way through rooms.
Distances stand beside Dijkstra's algorithm on a grid of 5 cm of one storey without the garden (scipy) and
beside the same questions asked one at a time; steps beside steps made one at a time. For orientation only:
Detour itself, in C++, was measured at 58,000 to 70,000 distances and 1.1 million steps a second, on other
meshes and between other places. Steps with pictures (RGB, depth and semantics of 90°, through a session)
stand beside the renderer alone at the same poses, in the house and in the same house cut into at least
600,000 triangles. Last, what a body costs where many are moved at once.
"""

from __future__ import annotations

import argparse
import math
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import partial

import numpy as np
from scipy.sparse import csr_array
from scipy.sparse.csgraph import dijkstra

from vlnscope.core.rng import rng_for
from vlnscope.engine.environment import Environment
from vlnscope.engine.session import Session
from vlnscope.types import Continuous, Episode, Floats, Ints
from vlnscope.worlds.cameras import Camera, look
from vlnscope.worlds.continuous.bake.bake import bake_tile
from vlnscope.worlds.continuous.motion import SpacePose, directions, forward_many
from vlnscope.worlds.continuous.navmesh.navmesh import NavMesh
from vlnscope.worlds.continuous.navmesh.settings import NavMeshSettings
from vlnscope.worlds.frames import quaternion_of_heading, turned_to_habitat, turned_to_mattersim
from vlnscope.worlds.houses.splits import HouseScenes
from vlnscope.worlds.projection import feet_of
from vlnscope.worlds.rendering.mesh import Mesh, subdivided
from vlnscope.worlds.rendering.renderer import Renderer
from vlnscope.worlds.scene import Scene

LARGE, ROUNDS, CELL = 600_000, 5, 0.05
PAIRS, SINGLE, ON_GRID, STEPS = 20_000, 1000, 20, 100_000
WALK, CROWDS = 150, (1, 8, 64, 512)
Work = Callable[[], object]


@dataclass(frozen=True)
class OneScene:
    """A collection of one scene, for the engine."""

    only: Scene

    def scans(self) -> tuple[str, ...]:
        """Return its name."""
        return (self.only.id,)

    def scene(self, scan: str) -> Scene:
        """Return it, whatever is asked for."""
        return self.only


@dataclass(frozen=True)
class Indoors:
    """Where measurements take place.

    Attributes:
        ground: of the whole scene.
        feet: the viewpoints, on the ground.
        seed: of places and walks.
    """

    ground: NavMesh
    feet: Floats
    seed: int

    def places(self, name: str, count: int) -> Floats:
        """Return points of the ground at most 1 m from a viewpoint along each axis."""
        rng = rng_for(self.seed, name)
        around = self.feet[rng.integers(len(self.feet), size=count)]
        points = self.ground.snap(around + rng.uniform(-1, 1, (count, 3)) * np.array([1.0, 0.0, 1.0]))
        return np.where(np.isfinite(points), points, around)

    def yaws(self, name: str, count: int) -> Floats:
        """Return directions to look in."""
        return rng_for(self.seed, name, "yaws").uniform(-math.pi, math.pi, count)


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--house", default="house-40003", help="which house")
    parser.add_argument("--seed", type=int, default=0, help="of places and walks")
    given = parser.parse_args()
    scene = HouseScenes([given.house]).scene(given.house)
    mesh: Mesh = scene.layer("mesh")
    ground = baking(mesh)
    indoors = Indoors(ground, feet_of(scene), given.seed)
    distances(indoors)
    steps(indoors)
    large = mesh
    while len(large) < LARGE:
        large = subdivided(large)
    for shape in (mesh, large):
        pictures(scene, shape, indoors)
    crowds(indoors, Renderer(mesh, threads=1))


def baking(mesh: Mesh) -> NavMesh:
    settings, points = NavMeshSettings(), turned_to_habitat(mesh.vertices)
    tile = bake_tile(points, mesh.faces, settings)  # compiles
    (seconds,) = best([lambda: bake_tile(points, mesh.faces, settings)])
    print(f"bake a house of {len(mesh):,} triangles     {seconds:>9.2f} s")
    return NavMesh.of(tile, settings)


def distances(indoors: Indoors) -> None:
    ground = indoors.ground
    starts, goals = (indoors.places(name, PAIRS) for name in ("starts", "goals"))
    one = partial(one_by_one, ground.distance, starts[:SINGLE], goals[:SINGLE])
    links, cell_of = grid(indoors, float(np.median(indoors.feet[:, 1])))
    rows, columns = cell_of(starts), cell_of(goals)
    both = np.flatnonzero((rows >= 0) & (columns >= 0))[:ON_GRID]
    on_grid = partial(grid_distances, links, rows[both], columns[both])
    seconds = best([partial(ground.distance, starts, goals), one, on_grid])
    many, single, by_grid = rates(seconds, (PAIRS, SINGLE, len(both)))
    exact, straight = ground.distance(starts, goals), np.linalg.norm(starts - goals, axis=1)
    there, found = np.isfinite(exact), np.asarray(on_grid())
    known = np.isfinite(found) & there[both] & (exact[both] > 1)
    longer = float(np.median(found[known] / exact[both][known] - 1))
    print(
        f"distances, many in a call        {many:>12,.0f} /s   ({100 * there.mean():.0f} % have a way, of "
        f"{exact[there].mean():.1f} m where the straight line is {straight[there].mean():.1f} m)"
    )
    print(f"distances, one call each         {single:>12,.0f} /s   {many / single:,.1f} × slower")
    print(
        f"Dijkstra on {links.shape[0]:,} cells of 5 cm {by_grid:>8,.0f} /s   {many / by_grid:,.0f} × slower, "
        f"{100 * longer:+.1f} % in length (median of {known.sum()})"
    )


def grid(indoors: Indoors, height: float) -> tuple[csr_array, Callable[[Floats], Ints]]:
    """Return one storey as cells with eight neighbours each, and what tells the cell of a point."""
    low, high = indoors.feet.min(axis=0) - 2.0, indoors.feet.max(axis=0) + 2.0
    x, z = (np.arange(low[axis], high[axis], CELL) for axis in (0, 2))
    points = np.stack(np.broadcast_arrays(x, height, z[:, None]), axis=-1)
    free = indoors.ground.navigable(points.reshape(-1, 3)).reshape(len(z), len(x))
    number = np.where(free, np.cumsum(free).reshape(free.shape) - 1, -1)
    ends = []
    for down, right in ((0, 1), (1, 0), (1, 1), (1, -1)):
        here = number[: len(z) - down, max(0, -right) : len(x) - max(0, right)]
        there = number[down:, max(0, right) : len(x) + min(0, right)]
        joined = (here >= 0) & (there >= 0)
        a, b, length = here[joined], there[joined], np.full(joined.sum(), CELL * math.hypot(down, right))
        ends += [(a, b, length), (b, a, length)]
    first, second, lengths = (np.concatenate(part) for part in zip(*ends, strict=True))

    def cell_of(points: Floats) -> Ints:
        column, row = ((points[:, [0, 2]] - low[[0, 2]]) / CELL).round().astype(int).T
        return np.where(np.abs(points[:, 1] - height) < 0.5, number[row, column], -1)

    return csr_array((lengths, (first, second)), shape=(free.sum(), free.sum())), cell_of


def grid_distances(links: csr_array, starts: Ints, goals: Ints) -> list[float]:
    return [float(dijkstra(links, indices=start)[goal]) for start, goal in zip(starts, goals, strict=True)]


def steps(indoors: Indoors) -> None:
    starts = indoors.places("steps", STEPS)
    targets = starts + 0.25 * directions(indoors.yaws("steps", STEPS))
    for sliding, name in ((True, "sliding"), (False, "not sliding")):
        move = partial(indoors.ground.step, sliding=sliding)
        one = partial(one_by_one, move, starts[:SINGLE], targets[:SINGLE])
        many, single = rates(best([partial(move, starts, targets), one]), (STEPS, SINGLE))
        print(
            f"steps, {name:<12} many in a call    {many:>12,.0f} /s   "
            f"{many / single:,.1f} × one call each ({single:,.0f} /s)"
        )


def pictures(scene: Scene, mesh: Mesh, indoors: Indoors) -> None:
    renderer = Renderer(mesh, threads=1)
    shown = Scene(
        scene.id,
        scene.graph,
        {**scene.loaders, "renderer": lambda: renderer, "navmesh": lambda: indoors.ground},
    )
    start = indoors.places("walk", 1)[0].tolist()
    actions = (
        rng_for(indoors.seed, "walk")
        .choice(["forward", "forward", "forward", "left", "right"], WALK)
        .tolist()
    )
    for side in (128, 256):
        needs = [f"{kind}:{side}x{side}" for kind in ("rgb", "depth", "semantic")]
        session = Session(Environment(OneScene(shown), needs, action_space="vlnce"))
        walk = partial(through_engine, session, episode(scene.id, start), actions, needs)
        poses = walk()
        engine, alone = rates(best([walk, partial(draw, renderer, Camera(side, side), poses)]), (WALK, WALK))
        print(
            f"steps with {side}² pictures, {len(mesh):>9,} triangles  {engine:>6,.0f} /s   "
            f"{100 * engine / alone:.0f} % of the renderer alone ({alone:,.0f} /s)"
        )


def episode(scan: str, start: Sequence[float]) -> Episode:
    x, y, z = start
    space = Continuous(start_position=(x, y, z), start_rotation=quaternion_of_heading(0.0))
    return Episode(episode_id="1", path_id="1", scan=scan, instruction="Walk.", path=(), continuous=space)


def through_engine(session: Session, begin: Episode, actions: list[str], needs: list[str]) -> list[SpacePose]:
    """Walk, look at everything after each move, and return the poses."""
    session.reset(begin)
    for action in actions:
        seen = session.step(action).seen
        for need in needs:
            assert seen[need] is not None
    return [state.pose for state in session.poses[1:]]


def draw(renderer: Renderer, camera: Camera, poses: list[SpacePose]) -> None:
    """Draw what the engine shows, with nothing but the renderer."""
    for pose in poses:
        eye = turned_to_mattersim(pose.position) + np.array([0.0, 0.0, camera.sensor_height])
        renderer.render(eye, pose.heading, width=camera.width, height=camera.height, vfov=camera.vfov)


def crowds(indoors: Indoors, renderer: Renderer) -> None:
    ground, most = indoors.ground, max(CROWDS)
    feet, yaws = indoors.places("crowd", most), indoors.yaws("crowd", most)
    camera = Camera(128, 128)
    print("bodies at once   µs per step and body   ms per step with 128² pictures and body")
    for count in CROWDS:
        at, turned = feet[:count], yaws[:count]
        often = 4 * most // count
        moved = partial(repeatedly, often, partial(forward_many, ground, at, turned, 0.25))
        seen = partial(
            repeatedly, max(1, 32 // count), partial(step_and_look, ground, renderer, camera, at, turned)
        )
        move, view = best([moved, seen])
        print(
            f"{count:>14} {1e6 * move / often / count:>22.2f} "
            f"{1e3 * view / max(1, 32 // count) / count:>42.2f}"
        )


def step_and_look(ground: NavMesh, renderer: Renderer, camera: Camera, feet: Floats, yaws: Floats) -> None:
    ends, _ = forward_many(ground, feet, yaws, 0.25)
    seen = look(renderer, camera, ends, yaws)
    assert len(seen.rgb) == len(seen.depth) == len(seen.semantic) == len(feet)


def one_by_one(function: Callable[[Floats, Floats], object], starts: Floats, ends: Floats) -> None:
    for start, end in zip(starts, ends, strict=True):
        function(start, end)


def repeatedly(times: int, work: Work) -> None:
    for _ in range(times):
        work()


def rates(seconds: Sequence[float], counts: Sequence[int]) -> list[float]:
    return [count / taken for taken, count in zip(seconds, counts, strict=True)]


def best(works: Sequence[Work]) -> list[float]:
    """Return the least processor time of several runs of each, taken in turn."""
    seconds = [float("inf")] * len(works)
    for _ in range(ROUNDS):
        for i, work in enumerate(works):
            begun = time.process_time()
            work()
            seconds[i] = min(seconds[i], time.process_time() - begun)
    return seconds


if __name__ == "__main__":
    main()
