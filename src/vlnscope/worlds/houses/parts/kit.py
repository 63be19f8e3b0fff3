"""The workbench on which a part is put together: shapes with paint, in the item's own coordinates."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from functools import cached_property
from typing import Literal, NamedTuple, TypeVar

import numpy as np
from numpy.typing import NDArray

from vlnscope.core.rng import rng_for
from vlnscope.types import Floats
from vlnscope.worlds.houses.mesh import shapes
from vlnscope.worlds.houses.mesh.colours import Paint, paint, shade, varied
from vlnscope.worlds.houses.mesh.shapes import Point, Shape
from vlnscope.worlds.houses.plan.plan import PlanItem
from vlnscope.worlds.rendering.appearance import MeshAppearance, TextureImage
from vlnscope.worlds.rendering.appearance import lit as unprinted
from vlnscope.worlds.rendering.mesh import TEXTURES

Maker = Callable[["Kit"], None]
Choice = TypeVar("Choice")
Plane = Literal["xz", "xy", "yz"]


class PartMaker(NamedTuple):
    """One shape in which a class comes: what makes it, and for which materials (none: for all)."""

    make: Maker
    materials: tuple[str, ...]


MAKERS: dict[str, list[PartMaker]] = {}
"""The shapes in which each class comes, in the order of their modules."""

SETS = frozenset(
    {
        *("chair", "stool", "bar stool", "office chair", "armchair", "nightstand", "side table", "cushion"),
        *("table lamp", "candle", "plate", "cup", "deck chair", "radiator", "blinds", "flower pot", "bowl"),
        *("kitchen counter", "cabinet", "sink", "speaker"),
    }
)
"""Classes of which people own several alike: those of equal class and size have equal shapes."""

WHITE = paint("white")
PORCELAIN = Paint(240, 240, 238, TEXTURES.index("gloss"))
BLACK = paint("black")
DARK = Paint(52, 53, 57)
SCREEN = Paint(24, 28, 36, TEXTURES.index("screen"))
CHROME = Paint(196, 201, 206, TEXTURES.index("metal"))
STEEL = Paint(152, 156, 160, TEXTURES.index("metal"))
BRASS = Paint(190, 152, 74, TEXTURES.index("metal"))
GLASS = Paint(178, 212, 226, TEXTURES.index("glass"))
LIGHT = Paint(255, 243, 206, TEXTURES.index("glow"))
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


class Print(NamedTuple):
    """An image on a shape: the number of the shape, and where in the image each of its vertices lies."""

    shape: int
    image: TextureImage
    uv: NDArray[np.float32]


def _toned(item: PlanItem, style: str) -> Paint:
    look = paint(item.colour, item.material)
    if TEXTURES[look.texture] in ("wood", "painted wood"):
        return varied(look, "wood", item.colour, style)
    return varied(look, item.name, item.colour, *(round(1000 * side) for side in item.size))


class Kit:
    """Collects the shapes of one item.

    The item's box reaches from -x to x, -y to y and 0 to z; its front looks to -y. What is collected is
    stretched to fill the box exactly, so a part may be drawn with a little too much or too little.

    Attributes:
        item: what is made.
        x, y: half width and half depth.
        z: height.
        main: the look of its colour and material, in a tone of its own: all wood of a style has
            the same, other things share it with those of their class and size.
    """

    def __init__(self, item: PlanItem, style: str = "") -> None:
        self.item = item
        self.x, self.y, self.z = item.size[0] / 2, item.size[1] / 2, item.size[2]
        self.main = _toned(item, style)
        self._turned = False
        self._shapes: list[Shape] = []
        self._paints: list[Paint] = []
        self._prints: list[Print] = []

    def lengthwise(self) -> None:
        """Draw from now on with the longer side along x; if the item is deeper than wide, -x is its front."""
        if self.y > self.x:
            self.x, self.y, self._turned = self.y, self.x, True

    @property
    def identity(self) -> str:
        """The item's id and size: what tells it from others, also from those of other houses."""
        return " ".join((self.item.id, *(str(round(1000 * side)) for side in self.item.size)))

    @cached_property
    def rng(self) -> np.random.Generator:
        """Chance that depends on the item's id and size alone."""
        return rng_for(0, "part", self.identity)

    @cached_property
    def taste(self) -> np.random.Generator:
        """Chance that decides about shapes.

        It depends on class and size for classes that come in sets (`SETS`), and for all others on the id
        too; never on the colour, so that a thing keeps its shape when it is painted, moved or turned.
        """
        own = "" if self.item.name in SETS else self.item.id
        return rng_for(0, "shape", self.item.name, own, *(round(1000 * side) for side in self.item.size))

    def pick(self, *choices: Choice) -> Choice:
        """Return one of the choices, by `taste`."""
        return choices[int(self.taste.integers(len(choices)))]

    def make(self) -> None:
        """Draw the item in one of the shapes of its class that suit its material."""
        makers = MAKERS[self.item.name]
        fitting = [maker for maker in makers if not maker.materials or self.item.material in maker.materials]
        self.pick(*(fitting or makers)).make(self)

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

    def printed(
        self,
        shape: Shape,
        image: TextureImage,
        look: Paint | None = None,
        at: Point | None = None,
        plane: Plane = "xz",
        part: tuple[float, float, float, float] = (0.0, 0.0, 1.0, 1.0),
    ) -> None:
        """Add a shape with an image all over it, upright as seen from the front or (``"xy"``) from above.

        Args:
            shape: what is printed on; the image spans its box.
            image: what is seen instead of the paint.
            look: about the mean colour of the image, and the texture whose gloss it has.
            at: where the shape is moved to.
            plane: the axes along the image's rows and up its columns.
            part: left, top, right and bottom of what is shown of the image.
        """
        u, v = (shape[0][:, "xyz".index(axis)] for axis in plane)
        left, top, right, bottom = part
        across = (u - u.min()) / max(float(np.ptp(u)), 1e-9)
        up = (v - v.min()) / max(float(np.ptp(v)), 1e-9)
        uv = np.stack([left + (right - left) * across, bottom + (top - bottom) * up], axis=1)
        self._prints.append(Print(len(self._shapes), image, uv.astype(np.float32)))
        self.add(shape, look, at)

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

    def path(
        self,
        points: Sequence[Point],
        radius: float | Sequence[float],
        look: Paint | None = None,
        sides: int = 5,
    ) -> None:
        """Add a round bar bent at each point; with several radii it is as thick as told at each."""
        self.add(shapes.path(points, radius, sides), look)

    def pillow(
        self,
        x0: float,
        x1: float,
        y0: float,
        y1: float,
        z0: float,
        z1: float,
        look: Paint | None = None,
        sides: int = 12,
        rings: int = 4,
        square: float = 0.45,
        flat: float = 0.6,
    ) -> None:
        """Add a rounded block as `shapes.pillow` makes it; one with no extent is left out."""
        if x1 > x0 and y1 > y0 and z1 > z0:
            self.add(shapes.pillow((x0, y0, z0), (x1, y1, z1), sides, rings, square, flat), look)

    def disc(
        self, centre: Point, radius: float, deep: float, look: Paint | None = None, sides: int = 14
    ) -> None:
        """Add a round plate that looks to the front, from `centre` (its back) `deep` to the front."""
        self.add(shapes.facing_front(shapes.cylinder(radius, 0, deep, sides)), look, centre)

    def slab(self, outline: shapes.Outline, z0: float, z1: float, look: Paint | None = None) -> None:
        """Raise an outline (x, y) from `z0` to `z1`; without extent it is left out."""
        if z1 > z0:
            self.add(shapes.prism(outline, z0, z1), look)

    def plate(self, outline: shapes.Outline, y0: float, y1: float, look: Paint | None = None) -> None:
        """Add an upright plate with an outline (x, z), its front at y = `y0`, its back at `y1`."""
        if y1 > y0:
            self.add(shapes.facing_front(shapes.prism(outline, -y1, -y0)), look)

    def ball(self, centre: Point, radii: Point | float, look: Paint | None = None, sides: int = 10) -> None:
        """Add an ellipsoid or, with one radius, a ball."""
        three = (radii, radii, radii) if isinstance(radii, float | int) else radii
        self.add(shapes.ball(centre, three, sides, max(3, sides // 2)), look)

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

    def appearance(self) -> MeshAppearance | None:
        """Return the images on the faces that `collected` returns; None without any."""
        if not self._prints:
            return None
        counts = [len(faces) for _, faces in self._shapes]
        starts = np.cumsum([0, *counts])
        images = tuple({id(each.image): each.image for each in self._prints}.values())
        whole = unprinted(int(starts[-1]))
        for number, image, uv in self._prints:
            rows = slice(starts[number], starts[number + 1])
            whole.image[rows] = next(i for i, other in enumerate(images) if other is image)
            whole.uv[rows] = uv[self._shapes[number][1]]
        return replace(whole, images=images)


def part(name: str, *materials: str) -> Callable[[Maker], Maker]:
    """Register a function as the maker of one shape of a class, if told only for some materials."""

    def register(maker: Maker) -> Maker:
        MAKERS.setdefault(name, []).append(PartMaker(maker, materials))
        return maker

    return register
