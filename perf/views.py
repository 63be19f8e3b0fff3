"""How many views per second: complete rendering beside bare Embree queries of the same rays, in the same run.

    python perf/views.py [--mesh FILE] [--seed N]

Without a file it takes a furnished house under baked light with what is around it, seen from several rooms,
the same mesh cut into at least 600,000 triangles, and this once more as if it were a scan, with texture
images on it. A batch is the 36 views of a panorama. "Bare" is Embree's answer to the rays (which triangle,
where) and nothing else; "full" is rgb, depth, semantic and instance pictures with textures, light, glass,
mirrors and shiny floors, the making of the rays counted. Both on one thread, then full on all cores.
"""

from __future__ import annotations

import argparse
import time
from collections.abc import Callable, Sequence
from dataclasses import replace

import numpy as np

from vlnscope.core.rng import rng_for
from vlnscope.types import Floats
from vlnscope.worlds.graph.views import VIEW_ELEVATIONS, VIEW_HEADINGS, VIEWS
from vlnscope.worlds.houses.house import generate, house_scene
from vlnscope.worlds.rendering.appearance import MeshAppearance, TextureImage
from vlnscope.worlds.rendering.light.bake import BakedLight
from vlnscope.worlds.rendering.mesh import Mesh, subdivided
from vlnscope.worlds.rendering.mesh_files import load_mesh
from vlnscope.worlds.rendering.pinhole import camera_axes, pixel_rays
from vlnscope.worlds.rendering.renderer import Renderer

LARGE, ROUNDS, PLACES = 600_000, 5, 4
IMAGES, TEXELS = 8, 2048
Work = Callable[[Floats], object]


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--mesh", help="a mesh file instead of a house")
    parser.add_argument("--seed", type=int, default=0, help="which house")
    options = parser.parse_args()
    if options.mesh:
        mesh, light = load_mesh(options.mesh), None
        places = middle(mesh)
    else:
        mesh, places, light = house(options.seed)
    large, large_light = mesh, light
    while len(large) < LARGE:
        large = subdivided(large)
        if large_light is not None:
            large_light = replace(large_light, frames=np.repeat(large_light.frames, 4, axis=0))
    print(" triangles  build s  pixels   bare/s   full/s  ratio  all cores/s")
    for shape, lit in ((mesh, light), (large, large_light), (scan(large), None)):
        report(shape, places, lit)


def report(mesh: Mesh, places: Floats, light: BakedLight | None) -> None:
    baked = None if light is None else lambda: light
    started = time.perf_counter()
    single = Renderer(mesh, light=baked, threads=1)
    built = time.perf_counter() - started
    every = Renderer(mesh, light=baked)
    for side in (128, 256):
        works = (bare_queries(single, side), panorama(single, side), panorama(every, side))
        bare, full, both = best(works, places)
        rates = [VIEWS * len(places) / seconds for seconds in (bare, full, both)]
        print(
            f"{len(mesh):>10,} {built:>8.2f} {side:>6}² {rates[0]:>8.0f} {rates[1]:>8.0f}"
            f" {rates[1] / rates[0]:>6.2f} {rates[2]:>12.0f}"
        )


def panorama(renderer: Renderer, side: int) -> Work:
    return lambda place: renderer.panorama(place, width=side, height=side)


def bare_queries(renderer: Renderer, side: int) -> Work:
    axes = camera_axes(VIEW_HEADINGS, VIEW_ELEVATIONS)
    rays = pixel_rays(axes, width=side, height=side, vfov=60.0).reshape(-1, 3)
    starts = np.empty_like(rays)

    def query(place: Floats) -> object:
        starts[:] = place
        return renderer.scene.run(starts, rays, query="INTERSECT", output=True)

    return query


def best(works: Sequence[Work], places: Floats) -> list[float]:
    """Return the shortest of several runs of each, taken in turn so that all meet the same load."""
    seconds = [float("inf")] * len(works)
    for _ in range(ROUNDS):
        for i, work in enumerate(works):
            started = time.perf_counter()
            for place in places:
                work(place)
            seconds[i] = min(seconds[i], time.perf_counter() - started)
    return seconds


def scan(mesh: Mesh) -> Mesh:
    """Return the mesh with noise on its faces, in texture images as large as those of scans."""
    rng = rng_for(0, "scan")
    noise = [rng.integers(0, 256, (TEXELS, TEXELS, 3), dtype=np.uint8) for _ in range(IMAGES)]
    x, y, z = np.moveaxis(mesh.vertices[mesh.faces], -1, 0)
    return replace(
        mesh,
        appearance=MeshAppearance(
            (mesh.instance % IMAGES).astype(np.int32),
            np.asarray(np.stack([x + z, y - z], axis=-1) / 3, dtype=np.float32),
            np.full((len(mesh), 3, 3), 255, dtype=np.uint8),
            tuple(TextureImage(pixels) for pixels in noise),
        ),
    )


def middle(mesh: Mesh) -> Floats:
    return np.asarray((mesh.vertices.min(axis=0) + mesh.vertices.max(axis=0))[None] / 2)


def house(seed: int) -> tuple[Mesh, Floats, BakedLight]:
    """Return a furnished house, a place in the middle of each of some of its rooms, and its light."""
    plan = generate(seed)
    level = {floor.level: floor.elevation for floor in plan.floors}
    rooms = [room for room in plan.rooms if room.label not in "sc" and not room.outdoor]
    corners = [np.asarray(room.polygon).mean(axis=0) for room in rooms[:PLACES]]
    eyes = [level[room.floor] + 1.5 for room in rooms[:PLACES]]
    scene = house_scene(plan)
    return scene.layer("mesh"), np.column_stack([corners, eyes]), scene.layer("light")


if __name__ == "__main__":
    main()
