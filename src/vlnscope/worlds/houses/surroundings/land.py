"""The land: ground to the horizon, hills around it, fields, woods, the sea, and a skyline."""

from __future__ import annotations

import numpy as np

from vlnscope.types import Floats
from vlnscope.worlds.houses.mesh.colours import Paint, shade
from vlnscope.worlds.houses.mesh.shapes import Shape
from vlnscope.worlds.houses.surroundings.buildings import far_building, tower
from vlnscope.worlds.houses.surroundings.lot import Box
from vlnscope.worlds.houses.surroundings.plants import SHAPES, tree
from vlnscope.worlds.houses.surroundings.stage import Stage, hazy, look

EDGE = 640.0
"""How far the ground reaches, metres."""

SHORE = 55.0
"""How far behind the back of the lot the sea begins."""

_DEEP, _NEAR = 0.06, 70.0
_GRASSES = (look(104, 130, 66, "grass"), look(112, 132, 72, "grass"), look(98, 122, 64, "grass"))
_FIELDS = (
    look(190, 172, 104, "grass"), look(124, 144, 74, "grass"), look(146, 152, 84, "grass"),
    look(134, 110, 82, "soil"), look(102, 132, 66, "grass"), look(206, 190, 92, "grass"),
)  # fmt: skip
_SAND, _WATER = look(214, 198, 160, "soil"), look(72, 112, 132, "water")
_WOOD = look(70, 98, 56, "leaves")


def build_land(stage: Stage, rng: np.random.Generator, lawn: Box, z: float, shore: float | None) -> None:
    """Build the lawn and the ground around it, as far as the sea if there is a `shore` (its y)."""
    grass = _GRASSES[int(rng.integers(len(_GRASSES)))]
    stage.flat(lawn, z, grass, "ground")
    far = shade(grass, 0.96)
    top = EDGE if shore is None else shore
    near = min(_NEAR, top)
    stage.flat((-_NEAR, -_NEAR, _NEAR, near), z - _DEEP, far, "ground")
    for box in (
        (-EDGE, -EDGE, EDGE, -_NEAR),
        (-EDGE, -_NEAR, -_NEAR, near),
        (_NEAR, -_NEAR, EDGE, near),
        (-EDGE, near, EDGE, top),
    ):
        stage.flat(box, z - _DEEP - 0.01, far, "ground")
    if shore is not None:
        _sea(stage, shore, z)


def _sea(stage: Stage, shore: float, z: float) -> None:
    beach = np.array(
        [
            (-EDGE, shore, z - _DEEP),
            (EDGE, shore, z - _DEEP),
            (EDGE, shore + 22, z - 2.2),
            (-EDGE, shore + 22, z - 2.2),
        ]
    )
    stage.add((beach, np.array([(0, 1, 2), (0, 2, 3)], dtype=np.int32)), _SAND, "ground")
    for y0, y1, tone in (
        (shore + 8, shore + 120, 1.0),
        (shore + 120, shore + 300, 1.06),
        (shore + 300, 1.3 * EDGE, 1.14),
    ):
        stage.flat((-1.3 * EDGE, y0, 1.3 * EDGE, y1), z - 1.2, shade(_WATER, tone), "water")


def build_horizon(stage: Stage, rng: np.random.Generator, top: float, z: float, shore: float | None) -> None:
    """Close the horizon: two rings of hills, over the sea a far coast; all higher than `top`."""
    angles = np.linspace(0, 2 * np.pi, 97)[:-1]
    least = max(top - z + 3.0, 9.0)
    for radius, rise, paint in (
        (0.72 * EDGE, 14.0, look(92, 116, 72, "leaves")),
        (0.95 * EDGE, 46.0, look(96, 116, 92)),
    ):
        high = least + rise * (0.5 + 0.5 * _wave(rng, angles)) + (0.0 if rise < 20 else 0.3 * least)
        if shore is not None:
            seaward = np.clip((np.sin(angles) * radius - shore + 30.0) / 120.0, 0.0, 1.0)
            high = high * (1 - seaward) + (least if rise > 20 else 0.0) * seaward
        stage.add(_ring(angles, radius, high, z - 3.0), hazy(paint, 1.6 * radius), "hills")


def _wave(rng: np.random.Generator, angles: Floats) -> Floats:
    """Return smooth waves between -1 and 1 around the circle."""
    wave = np.zeros(len(angles))
    for k in range(2, 11):
        wave += np.cos(k * angles + rng.uniform(0, 6.28)) / k**0.8
    return np.asarray(wave / np.abs(wave).max())


def _ring(angles: Floats, radius: float, high: Floats, z: float) -> Shape:
    """Return a ring of slopes that rise outwards from its inner edge to its crest."""
    count = len(angles)
    rows = []
    for away, share in ((0.86, 0.0), (0.94, 0.62), (1.0, 1.0)):
        reach = radius * away
        rows.append(
            np.stack([reach * np.cos(angles), reach * np.sin(angles), z + (high + 3.0) * share], axis=1)
        )
    i, j = np.arange(count), (np.arange(count) + 1) % count
    faces = []
    for row in range(2):
        a, b, c, d = row * count + i, row * count + j, (row + 1) * count + j, (row + 1) * count + i
        faces += [np.stack([a, c, b], axis=1), np.stack([a, d, c], axis=1)]
    return np.concatenate(rows), np.concatenate(faces).astype(np.int32)


def build_fields(stage: Stage, rng: np.random.Generator, clear: Box, z: float) -> None:
    """Lay out fields of many colours beyond the box `clear`, with rows of trees between them."""
    xs = np.cumsum(rng.uniform(45, 110, 12)) - 430
    ys = np.cumsum(rng.uniform(40, 90, 12)) - 400
    for x0, x1 in zip(xs.tolist(), xs[1:].tolist(), strict=False):
        for y0, y1 in zip(ys.tolist(), ys[1:].tolist(), strict=False):
            meets = x0 < clear[2] and x1 > clear[0] and y0 < clear[3] and y1 > clear[1]
            paint = _FIELDS[int(rng.integers(len(_FIELDS)))]
            if not meets and rng.random() < 0.8:
                away = float(np.hypot((x0 + x1) / 2, (y0 + y1) / 2))
                stage.flat((x0 + 1, y0 + 1, x1 - 1, y1 - 1), z - 0.03, hazy(paint, 0.5 * away), "ground")


def build_woods(
    stage: Stage,
    rng: np.random.Generator,
    kinds: tuple[str, ...],
    spots: Floats,
    z: float,
    sizes: tuple[float, float],
) -> None:
    """Plant coarse trees at these places (rows x, y)."""
    pick = rng.integers(0, len(kinds) * SHAPES, len(spots))
    for number in np.unique(pick).tolist():
        own = spots[pick == number]
        rows = np.zeros((len(own), 6))
        rows[:, :2], rows[:, 2], rows[:, 3] = own, z, rng.uniform(0, 6.28, len(own))
        rows[:, 4] = rng.uniform(*sizes, len(own))
        rows[:, 5] = rows[:, 4] * rng.uniform(0.9, 1.15, len(own))
        stage.place(
            tree(kinds[number // SHAPES], number % SHAPES, near=False),
            rows,
            "tree",
            rng.uniform(0.82, 1.1, len(own)),
        )


def tree_line(
    rng: np.random.Generator, a: tuple[float, float], b: tuple[float, float], z: float, high: float
) -> Shape:
    """Return the edge of a wood seen from afar: a lumpy wall along a line."""
    length = float(np.hypot(b[0] - a[0], b[1] - a[1]))
    count = max(3, round(length / 7.0) + 1)
    share = np.linspace(0, 1, count)[:, None]
    base = np.array([a]) * (1 - share) + np.array([b]) * share
    out = np.array((-(b[1] - a[1]), b[0] - a[0])) / length
    rows = []
    for shift, level in ((0.0, 0.0), (-1.2, 0.55), (0.6, 0.9), (3.5, 1.0), (8.0, 0.0)):
        rough = rng.uniform(-1.4, 1.4, (count, 1)) if level > 0 else 0.0
        tall = z + level * high * (1 + (rng.uniform(-0.28, 0.16, count) if level > 0.6 else 0.0))
        rows.append(np.column_stack([base + (shift + rough) * out, np.broadcast_to(tall, (count,))]))
    i, row = (grid.ravel() for grid in np.meshgrid(np.arange(count - 1), np.arange(4)))
    p, q = row * count + i, (row + 1) * count + i
    faces = np.concatenate([np.stack([p, q + 1, p + 1], axis=1), np.stack([p, q, q + 1], axis=1)])
    return np.concatenate(rows), faces.astype(np.int32)


def build_tree_lines(stage: Stage, rng: np.random.Generator, count: int, z: float, near: float) -> None:
    """Let edges of woods stand at random around the house, further away than `near`."""
    for _ in range(count):
        angle, away = float(rng.uniform(0, 6.28)), float(rng.uniform(near, 330.0))
        half = float(rng.uniform(25, 60))
        middle = away * np.array((np.cos(angle), np.sin(angle)))
        side = np.array((-np.sin(angle), np.cos(angle))) * half
        a, b = middle + side, middle - side
        line = tree_line(
            rng, (float(a[0]), float(a[1])), (float(b[0]), float(b[1])), z - 0.2, float(rng.uniform(6, 11))
        )
        stage.add(line, hazy(_tone(rng, _WOOD), away), "tree")


def _tone(rng: np.random.Generator, paint: Paint) -> Paint:
    return shade(paint, float(rng.uniform(0.85, 1.05)))


def build_far_houses(
    stage: Stage, rng: np.random.Generator, clear: Box, street: float, z: float, count: int, reach: float
) -> None:
    """Scatter simple houses beyond the box `clear`, in rows along the street (its middle's y)."""
    x0, y0, x1, y1 = clear
    rows: dict[int, list[tuple[float, ...]]] = {}
    tries = rng.uniform(-1, 1, (count * 4, 2)) * reach
    taken: list[tuple[float, float]] = []
    for x, y in tries.tolist():
        x, y = round(x / 19) * 19.0, round(y / 24) * 24.0
        inside = x0 - 12 < x < x1 + 12 and y0 - 12 < y < y1 + 12
        if inside or abs(y - street) < 13 or (x, y) in taken or len(taken) >= count:
            continue
        taken.append((x, y))
        turn = float(rng.choice([0.0, np.pi, np.pi / 2])) + float(rng.uniform(-0.06, 0.06))
        rows.setdefault(int(rng.integers(9)), []).append((x, y, z, turn, 1.0, 1.0))
    for number, poses in rows.items():
        stage.place(far_building(number), poses, "building")


def build_skyline(stage: Stage, rng: np.random.Generator, z: float, near: float, shore: float | None) -> None:
    """Let towers of many heights stand around the house, from `near` on."""
    poses: dict[int, list[tuple[float, ...]]] = {}
    for i in range(44):
        angle, away = (
            2.399 * i + float(rng.uniform(-0.1, 0.1)),
            near + (EDGE * 0.55 - near) * ((i + 1) / 44) ** 0.7,
        )
        wide, high = (
            float(rng.uniform(14, 26)),
            float(rng.uniform(12, 30)) * (1 + (rng.random() < 0.25) * 1.2),
        )
        spot = (away * float(np.cos(angle)), away * float(np.sin(angle)))
        if shore is None or spot[1] < shore - 20:
            poses.setdefault(i % 8, []).append((*spot, z, round(angle) * 0.4, wide, high))
    for number, rows in poses.items():
        stage.place(tower(number), rows, "building")
