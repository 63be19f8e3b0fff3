"""The stage on which surroundings are put together: shapes, and templates that stand in many places."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import NamedTuple

import numpy as np
from numpy.typing import ArrayLike, NDArray

from vlnscope.types import Floats
from vlnscope.worlds.houses.mesh import shapes
from vlnscope.worlds.houses.mesh.colours import Paint
from vlnscope.worlds.houses.mesh.shapes import Faces, Shape
from vlnscope.worlds.rendering.mesh import TEXTURES, Mesh

SURROUNDINGS = "surroundings"
"""The object that everything around a house belongs to."""

HAZE = (176, 190, 204)
"""What far things fade to."""

_HAZE_REACH = 900.0
Looks = NDArray[np.uint8]


class Template(NamedTuple):
    """A thing that may stand in many places: vertices, faces, and a row red, green, blue, texture each."""

    points: Floats
    faces: Faces
    looks: Looks


def look(red: int, green: int, blue: int, texture: str = "plain") -> Paint:
    """Return a paint with the texture of this name."""
    return Paint(red, green, blue, TEXTURES.index(texture))


def hazy(paint: Paint, away: float) -> Paint:
    """Return how a paint looks through the air from this many metres away."""
    share = 1.0 - float(np.exp(-away / _HAZE_REACH))
    red, green, blue = (round(own + (far - own) * share) for own, far in zip(paint[:3], HAZE, strict=True))
    return Paint(red, green, blue, paint.texture)


def template(parts: Sequence[tuple[Shape, Paint]]) -> Template:
    """Put painted shapes together into a template."""
    points, faces = shapes.together([shape for shape, _ in parts])
    looks = np.array([paint for _, paint in parts], dtype=np.uint8)
    return Template(points, faces, np.repeat(looks, [len(f) for (_, f), _ in parts], axis=0))


class Stage:
    """Collects what stands around a house, in a frame of its own: the street lies to -y."""

    def __init__(self) -> None:
        self._points: list[Floats] = []
        self._faces: list[Faces] = []
        self._looks: list[Looks] = []
        self._kinds: list[tuple[int, int]] = []
        self._classes: dict[str, int] = {}
        self._count = 0

    def add(self, shape: Shape, paint: Paint, kind: str) -> None:
        """Add one shape of the class `kind`."""
        looks = np.array([paint], dtype=np.uint8)
        self._take(shape[0], shape[1], np.broadcast_to(looks, (len(shape[1]), 4)), kind)

    def add_all(self, parts: Iterable[tuple[Shape, Paint]], kind: str) -> None:
        """Add painted shapes of one class."""
        for shape, paint in parts:
            self.add(shape, paint, kind)

    def flat(self, box: tuple[float, float, float, float], z: float, paint: Paint, kind: str) -> None:
        """Add a level rectangle x0, y0, x1, y1, seen from above; one with no extent is left out."""
        x0, y0, x1, y1 = box
        if x1 > x0 and y1 > y0:
            self.add(shapes.quad((x0, y0, z), (x1, y0, z), (x1, y1, z), (x0, y1, z)), paint, kind)

    def place(self, thing: Template, poses: ArrayLike, kind: str, tones: ArrayLike | None = None) -> None:
        """Let copies of a template stand in many places.

        Args:
            thing: what stands there.
            poses: one row x, y, z, turn (radians counter-clockwise), width and height (factors) per copy.
            kind: class of all copies.
            tones: factor of each copy's colours; 1 if not given.
        """
        rows = np.asarray(poses, dtype=np.float64).reshape(-1, 6)
        if not len(rows):
            return
        cos, sin, wide = np.cos(rows[:, 3, None]), np.sin(rows[:, 3, None]), rows[:, 4, None]
        x, y, z = thing.points.T
        points = np.stack(
            [
                rows[:, 0, None] + wide * (cos * x - sin * y),
                rows[:, 1, None] + wide * (sin * x + cos * y),
                rows[:, 2, None] + rows[:, 5, None] * z,
            ],
            axis=-1,
        )
        starts = np.arange(len(rows), dtype=np.int32) * np.int32(len(thing.points))
        faces = (thing.faces[None] + starts[:, None, None]).reshape(-1, 3)
        looks = np.tile(thing.looks, (len(rows), 1))
        if tones is not None:
            factors = np.repeat(np.asarray(tones, dtype=np.float64), len(thing.faces))[:, None]
            looks[:, :3] = np.clip(looks[:, :3] * factors, 0, 255).astype(np.uint8)
        self._take(points.reshape(-1, 3), faces, looks, kind)

    def mesh(self, quarters: int) -> Mesh:
        """Return what was collected, turned counter-clockwise by quarters of a circle about the origin."""
        points = np.concatenate(self._points)
        for _ in range(quarters % 4):
            points = points[:, (1, 0, 2)] * np.array((-1.0, 1.0, 1.0))
        faces, looks = np.concatenate(self._faces), np.concatenate(self._looks)
        kinds = np.array(self._kinds, dtype=np.int32)
        return Mesh(
            vertices=points,
            faces=faces,
            colour=np.ascontiguousarray(looks[:, :3]),
            texture=np.ascontiguousarray(looks[:, 3]),
            semantic=np.repeat(kinds[:, 0], kinds[:, 1]),
            instance=np.zeros(len(faces), dtype=np.int32),
            classes=tuple(self._classes),
            objects=(SURROUNDINGS,),
        )

    def _take(self, points: Floats, faces: Faces, looks: Looks, kind: str) -> None:
        self._points.append(points)
        self._faces.append(faces + np.int32(self._count))
        self._looks.append(looks)
        self._kinds.append((self._classes.setdefault(kind, len(self._classes)), len(faces)))
        self._count += len(points)
