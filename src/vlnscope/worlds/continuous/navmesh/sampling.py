"""Random points of the ground."""

from __future__ import annotations

import numpy as np

from vlnscope.core.exceptions import InputError
from vlnscope.types import Floats
from vlnscope.worlds.continuous.navmesh.nearest import project_all
from vlnscope.worlds.continuous.navmesh.plane import Int32s
from vlnscope.worlds.continuous.navmesh.surface import Surface

_ROUNDS = 100


def draw_points(surface: Surface, rng: np.random.Generator, count: int, island: int | None) -> Floats:
    """Draw points of the walkable polygons, or of those of one island, each area as likely as its size.

    A point counts only if it snaps to the island that it was drawn from; on the brim of two it may not.

    Raises:
        InputError: there is no ground, or no such island.
    """
    triangles, islands, upto = _ground(surface, island)
    found: list[Floats] = []
    missing = count
    for _ in range(_ROUNDS):
        if missing <= 0:
            break
        which = np.searchsorted(upto, rng.random(missing) * upto[-1], side="right").clip(max=len(upto) - 1)
        root, along = np.sqrt(rng.random((missing, 1))), rng.random((missing, 1))
        a, b, c = triangles[which].transpose(1, 0, 2)
        points = (1 - root) * a + root * (1 - along) * b + root * along * c
        polys, near = project_all(surface, points.astype(np.float32))
        kept = near[(polys >= 0) & (surface.islands[polys] == islands[which])]
        found.append(kept.astype(np.float64))
        missing -= len(kept)
    if missing > 0:
        raise _no_ground(island)
    return np.concatenate([*found, np.empty((0, 3))])[:count]


def _ground(surface: Surface, island: int | None) -> tuple[Floats, Int32s, Floats]:
    """Triangles that points may lie on, their islands and the sum of the areas up to each."""
    owner = np.repeat(np.arange(len(surface.counts)), np.diff(surface.detail.first))
    asked = surface.walkable[owner] & ((surface.islands[owner] == island) if island is not None else True)
    triangles = surface.detail.triangles[asked].astype(np.float64)
    across = np.cross(triangles[:, 1] - triangles[:, 0], triangles[:, 2] - triangles[:, 0])
    upto = np.cumsum(np.linalg.norm(across, axis=1))
    if not len(upto) or upto[-1] <= 0:
        raise _no_ground(island)
    return triangles, surface.islands[owner[asked]], upto


def _no_ground(island: int | None) -> InputError:
    return InputError(
        f"the mesh has no ground on island {island}" if island is not None else "the mesh has no ground",
        expected="polygons with an area, flagged as walkable",
        fix="ask for another island, or bake the mesh again",
    )
