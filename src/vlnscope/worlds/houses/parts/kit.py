"""The workbench on which a part is put together: shapes with paint, in the item's own coordinates."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from functools import cached_property

import numpy as np

from vlnscope.core.rng import rng_for
from vlnscope.types import Floats
from vlnscope.worlds.houses.mesh import shapes
from vlnscope.worlds.houses.mesh.colours import Paint, paint, shade
from vlnscope.worlds.houses.mesh.shapes import Point, Shape
from vlnscope.worlds.houses.plan.plan import PlanItem

Maker = Callable[["Kit"], None]

MAKERS: dict[str, Maker] = {}
"""Who makes the mesh of each class."""

WHITE = paint("white")
PORCELAIN = Paint(240, 240, 238)
BLACK = paint("black")
DARK = Paint(52, 53, 57)
SCREEN = Paint(24, 28, 36)
CHROME = Paint(196, 201, 206)
STEEL = Paint(152, 156, 160)
BRASS = Paint(190, 152, 74)
GLASS = Paint(178, 212, 226)
LIGHT = Paint(255, 243, 206)
WOOD = paint("oak", "wood")
DARK_WOOD = paint("walnut", "wood")
LEAF = Paint(72, 128, 58)


CORNERS = ((-1, -1), (-1, 1), (1, -1), (1, 1))
"""The signs of x and y at the four corners of a box."""
Range = tuple[float, float]


def both_sides(outer: float, inner: float) -> Iterator[tuple[int, float, float]]:
    """Yield -1 and 1, each with the bounds there of what reaches from `inner` to `outer`, in order."""
    for side in (-1, 1):
        yield side, *_span(side, outer, inner)


def _span(side: int, a: float, b: float) -> Range:
    return (side * a, side * b) if side * a <= side * b else (side * b, side * a)


class Kit:
    """Collects the shapes of one item.

    The item's box reaches from -x to x, -y to y and 0 to z; its front looks to -y. What is collected is
    stretched to fill the box exactly, so a part may be drawn with a little too much or too little.

    Attributes:
        item: what is made.
        x, y: half width and half depth.
        z: height.
        main: the look of its colour and material.
    """

    def __init__(self, item: PlanItem) -> None:
        self.item = item
        self.x, self.y, self.z = item.size[0] / 2, item.size[1] / 2, item.size[2]
        self.main = paint(item.colour, item.material)
        self._turned = False
        self._shapes: list[Shape] = []
        self._paints: list[Paint] = []

    def lengthwise(self) -> None:
        """Draw from now on with the longer side along x; if the item is deeper than wide, -x is its front."""
        if self.y > self.x:
            self.x, self.y, self._turned = self.y, self.x, True

    @cached_property
    def rng(self) -> np.random.Generator:
        """Chance that depends on the item's id alone."""
        return rng_for(0, "part", self.item.id)

    @property
    def oval(self) -> tuple[float, float]:
        """How far a circle within the item is stretched along x and y to fill it."""
        radius = min(self.x, self.y)
        return self.x / radius, self.y / radius

    @property
    def dark(self) -> Paint:
        """A darker tone of the main colour."""
        return shade(self.main, 0.72)

    @property
    def light(self) -> Paint:
        """A lighter tone of the main colour."""
        return shade(self.main, 1.3)

    def add(self, shape: Shape, look: Paint | None = None, at: Point | None = None) -> None:
        """Add a shape, in the main colour and where it is unless told."""
        self._shapes.append(shape if at is None else shapes.moved(shape, *at))
        self._paints.append(self.main if look is None else look)

    def box(
        self, x0: float, x1: float, y0: float, y1: float, z0: float, z1: float, look: Paint | None = None
    ) -> None:
        """Add a box; one with no extent is left out."""
        if x1 > x0 and y1 > y0 and z1 > z0:
            self.add(shapes.box(x0, x1, y0, y1, z0, z1), look)

    def soft(
        self,
        x0: float,
        x1: float,
        y0: float,
        y1: float,
        z0: float,
        z1: float,
        bevel: float,
        look: Paint | None = None,
    ) -> None:
        """Add a box with bevelled edges; one with no extent is left out."""
        if x1 > x0 and y1 > y0 and z1 > z0:
            self.add(shapes.soft(x0, x1, y0, y1, z0, z1, bevel), look)

    def frame(self, xs: Range, ys: Range, zs: Range, edge: float, look: Paint | None = None) -> None:
        """Add four bars around an upright rectangle, `edge` wide within it."""
        (x0, x1), (z0, z1) = xs, zs
        self.box(x0, x0 + edge, *ys, z0, z1, look)
        self.box(x1 - edge, x1, *ys, z0, z1, look)
        self.box(x0 + edge, x1 - edge, *ys, z0, z0 + edge, look)
        self.box(x0 + edge, x1 - edge, *ys, z1 - edge, z1, look)

    def frustum(
        self, low: shapes.Rectangle, high: shapes.Rectangle, z0: float, z1: float, look: Paint | None = None
    ) -> None:
        """Add a box whose lower and upper rectangle (x0, x1, y0, y1) differ."""
        self.add(shapes.frustum(low, high, z0, z1), look)

    def tube(
        self,
        start: Point,
        end: Point,
        radius: float,
        look: Paint | None = None,
        sides: int = 6,
        tip: float | None = None,
    ) -> None:
        """Add a round bar; with `tip` its end has another radius."""
        self.add(shapes.tube(start, end, radius, sides, tip), look)

    def path(self, points: Sequence[Point], radius: float, look: Paint | None = None) -> None:
        """Add round bars from point to point."""
        self.add(shapes.path(points, radius), look)

    def ball(self, centre: Point, radii: Point | float, look: Paint | None = None, sides: int = 10) -> None:
        """Add an ellipsoid or, with one radius, a ball."""
        three = (radii, radii, radii) if isinstance(radii, float | int) else radii
        self.add(shapes.ball(centre, three, sides, max(4, sides // 2 + 1)), look)

    def lathe(
        self,
        profile: Sequence[tuple[float, float]],
        look: Paint | None = None,
        at: tuple[float, float] = (0.0, 0.0),
        sides: int = 14,
        oval: tuple[float, float] = (1.0, 1.0),
        scale: tuple[float, float] = (1.0, 1.0),
    ) -> None:
        """Add a turned shape standing at `at`, its x and y stretched by `oval`.

        The profile is given in shares of a radius and a height if `scale` says these.
        """
        scaled = [(r * scale[0], z * scale[1]) for r, z in profile]
        self.add(shapes.stretched(shapes.lathe(scaled, sides), *oval), look, (*at, 0.0))

    def round(self, profile: Sequence[Range], look: Paint | None = None, sides: int = 14) -> None:
        """Add a turned shape that fills the item; the profile is given in shares of radius and height."""
        self.lathe(profile, look, sides=sides, oval=self.oval, scale=(min(self.x, self.y), self.z))

    def legs(
        self, thick: float, top: float, look: Paint | None = None, inset: float = 0.0, taper: float = 0.7
    ) -> None:
        """Add four legs at the corners that get thinner towards the floor."""
        x, y = self.x - inset, self.y - inset
        thin = thick * taper
        for sx, sy in CORNERS:
            low = (*_span(sx, x, x - thin), *_span(sy, y, y - thin))
            high = (*_span(sx, x, x - thick), *_span(sy, y, y - thick))
            self.frustum(low, high, 0.0, top, look)

    def collected(self) -> tuple[Floats, shapes.Faces, np.ndarray[tuple[int, ...], np.dtype[np.uint8]]]:
        """Return vertices (filling the item's box), faces, and a row red, green, blue, texture per face."""
        points, faces = shapes.together(self._shapes)
        if self._turned:
            points = points[:, (1, 0, 2)] * np.array((-1.0, 1.0, 1.0))
        low, high = points.min(axis=0), points.max(axis=0)
        size = np.array(self.item.size)
        points = (points - low) * (size / np.maximum(high - low, 1e-9)) - np.array(
            (size[0] / 2, size[1] / 2, 0.0)
        )
        looks = np.array(self._paints, dtype=np.uint8)
        return points, faces, np.repeat(looks, [len(f) for _, f in self._shapes], axis=0)


def part(name: str) -> Callable[[Maker], Maker]:
    """Register a function as the maker of a class."""

    def register(maker: Maker) -> Maker:
        MAKERS[name] = maker
        return maker

    return register
