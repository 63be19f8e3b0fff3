"""What finishes a wall: skirting boards, panelling, tiles, cornices.

Every piece is built before the wall with a class of its own. It stands out by less than 2 cm, so that
furniture, pictures and door leaves clear it.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Literal, NamedTuple

from vlnscope.core.rng import rng_for
from vlnscope.worlds.houses.mesh import shapes
from vlnscope.worlds.houses.mesh.builder import MeshBuilder, across, upright
from vlnscope.worlds.houses.mesh.colours import Paint, shade, wall_bands, wall_paint
from vlnscope.worlds.houses.mesh.fittings import build_fittings, owner_of, raised
from vlnscope.worlds.houses.mesh.walls import TRIM, Face, WallHole
from vlnscope.worlds.houses.plan.plan import FloorPlan, Room

Dado = Literal["", "panelling", "tiles"]

_SKIRTING, _PROUD = 0.1, 0.018
_CORNICE = 0.18
_PANEL = 0.62
_DADO = 0.96
_UPPER = 0.75
_WET = frozenset("atS")
_TILED = ("tile", "metro tiles", "mosaic")
_PANELLED = {
    "classic": 0.75, "cottage": 0.65, "rustic": 0.4, "scandinavian": 0.4, "plain": 0.45,
    "mediterranean": 0.25, "modern": 0.2, "industrial": 0.15, "colourful": 0.35,
}  # fmt: skip
_ROOMS = {
    "h": 1.8, "e": 1.7, "s": 2.0, "d": 1.5, "l": 1.2, "n": 1.2, "i": 1.3, "o": 1.1, "m": 1.1, "b": 0.7,
    "k": 0.7,
}  # fmt: skip
_NO_CORNICE = frozenset("guwjc")


class WallFinish(NamedTuple):
    """How the walls of a room are finished.

    Attributes:
        dado: what covers their lower part; empty for nothing.
        height: of that part.
        look: of that part.
        cornice: whether a moulding runs below the ceiling.
        upper: look of the panels on the upper part of a high room; None if it has none.
    """

    dado: Dado
    height: float
    look: Paint
    cornice: bool
    upper: Paint | None = None


def wall_finish(plan: FloorPlan, room: Room) -> WallFinish:
    """Return how the walls of a room are finished.

    Where the plan has tiles or panels on the walls, these are built. Plastered walls of bathrooms get tiles,
    and others panels now and then: the house and the room decide, and the style how often.
    """
    rng = rng_for(0, "trim", plan.id, room.id)
    house = rng_for(0, "trim", plan.id)
    white = house.random() < 0.7
    cornice = room.label not in _NO_CORNICE and bool(house.random() < 0.85)
    upper = wall_paint(room.wall_colour) if room.height and rng.random() < _UPPER else None
    (height, look), *above = wall_bands(room.wall_colour, room.wall_material)
    if above:
        dado: Dado = "panelling" if room.wall_material == "panelling" else "tiles"
    elif room.wall_material == "plaster" and room.label in _WET:
        (low, look), *_ = wall_bands(room.wall_colour, _TILED[int(house.integers(len(_TILED)))])
        dado, height = "tiles", max(low, 2.0) if rng.random() < 0.4 else 1.22
    elif rng.random() < _PANELLED.get(plan.style, 0.3) * _ROOMS.get(room.label, 0.5):
        dado, height, look = "panelling", _DADO, TRIM if white else shade(look, 0.86)
    else:
        dado, height = "", 0.0
    return WallFinish(dado, height, look, cornice, upper)


def build_trim(
    site: MeshBuilder,
    faces: Sequence[Face],
    holes: Sequence[WallHole],
    heights: tuple[float, float],
    finish: WallFinish,
    *,
    foot: bool = True,
) -> None:
    """Build what finishes the walls of a room.

    Args:
        site: where to build.
        faces: the walls of one room as seen from within.
        holes: openings of the storey.
        heights: elevations of the floor and of the ceiling.
        finish: how the walls are finished.
        foot: whether the walls stand on the room's floor, or are the upper part of a high room.
    """
    floor, ceiling = heights
    for face in faces:
        cut = [hole for hole in holes if face in hole.faces]
        if finish.cornice:
            for a, b in _free(face, cut, ceiling - _CORNICE, ceiling):
                _cornice(site, face, a, b, ceiling)
        if not foot:
            _upper(site, face, cut, (floor, ceiling - _CORNICE), finish)
            continue
        for a, b in _free(face, cut, floor, floor + _SKIRTING):
            _ledge(site, face, (a, b), (floor, floor + _SKIRTING), _PROUD, TRIM, "skirting")
        if finish.dado:
            _dado(site, face, cut, floor, finish)
        build_fittings(site, face, cut, floor)


def _free(face: Face, holes: Sequence[WallHole], low: float, high: float) -> Iterator[tuple[float, float]]:
    """Yield the stretches of a face that no opening interrupts between two heights."""
    start = face.a
    for lo, hi in sorted((h.lo, h.hi) for h in holes if h.z0 < high - 1e-6 and h.z1 > low + 1e-6):
        if lo > start + 0.02:
            yield start, lo
        start = max(start, hi)
    if face.b > start + 0.02:
        yield start, face.b


def _ledge(
    site: MeshBuilder,
    face: Face,
    along: tuple[float, float],
    up: tuple[float, float],
    proud: float,
    look: Paint,
    kind: str,
) -> None:
    """Add a strip that stands out from a wall: its front and its upper side."""
    at = face.at + face.sign * proud
    site.add(upright(face.axis, at, *along, *up, face.sign), look, kind, owner_of(face))
    near, far = sorted((face.at, at))
    x0, x1, y0, y1, _, z = across(face.axis, *along, near, far, *up)
    site.add(shapes.quad((x0, y0, z), (x1, y0, z), (x1, y1, z), (x0, y1, z)), look, kind, owner_of(face))


def _dado(site: MeshBuilder, face: Face, holes: Sequence[WallHole], floor: float, finish: WallFinish) -> None:
    top = floor + finish.height
    for a, b in _free(face, holes, floor, top):
        _ledge(site, face, (a, b), (floor + _SKIRTING, top), 0.008, finish.look, finish.dado)
        cap = (top - 0.045, top) if finish.dado == "panelling" else (top - 0.03, top)
        _ledge(site, face, (a, b), cap, _PROUD, shade(finish.look, 0.97), finish.dado)
        if finish.dado == "panelling":
            _panels(site, face, (a, b), (floor + _SKIRTING, top), finish.look)
    _below_windows(site, face, holes, floor, finish)


def _upper(
    site: MeshBuilder,
    face: Face,
    holes: Sequence[WallHole],
    heights: tuple[float, float],
    finish: WallFinish,
) -> None:
    """Panel the upper part of the walls of a high room, over a rail at the height of the storey."""
    low, high = heights
    for a, b in _free(face, holes, low, low + 0.16):
        _ledge(site, face, (a, b), (low, low + 0.16), _PROUD, TRIM, "cornice")
    if not finish.upper:
        return
    for a, b in _free(face, holes, low, high):
        _ledge(site, face, (a, b), (low + 0.16, high), 0.008, finish.upper, "panelling")
        _panels(site, face, (a, b), (low + 0.16, high), finish.upper, 0.95)


def _below_windows(
    site: MeshBuilder, face: Face, holes: Sequence[WallHole], floor: float, finish: WallFinish
) -> None:
    """Fill in below the windows whose sills are lower than the dado."""
    for hole in holes:
        low, high = floor + _SKIRTING, min(hole.z0, floor + finish.height)
        if hole.z0 < floor + finish.height and high > low + 0.15:
            _ledge(site, face, (hole.lo, hole.hi), (low, high), 0.008, finish.look, finish.dado)
            if finish.dado == "panelling":
                _panels(site, face, (hole.lo, hole.hi), (low, high), finish.look)


def _panels(
    site: MeshBuilder,
    face: Face,
    along: tuple[float, float],
    up: tuple[float, float],
    look: Paint,
    wide: float = _PANEL,
) -> None:
    """Add raised panels of equal width, with a frame of flat wood around them."""
    count = max(round((along[1] - along[0]) / wide), 1)
    step = (along[1] - along[0]) / count
    if step < 0.25:
        return
    low, high = up[0] + 0.1, up[1] - 0.12
    if high - low < 0.1:
        return
    for k in range(count):
        a = along[0] + k * step + 0.07
        b = along[0] + (k + 1) * step - 0.07
        site.add(raised(face, (a, b), 0.012, (low, high)), shade(look, 0.9), "panelling", owner_of(face))
        inner = (a + 0.035, b - 0.035)
        site.add(
            raised(face, inner, 0.017, (low + 0.035, high - 0.035)),
            shade(look, 1.03),
            "panelling",
            owner_of(face),
        )


def _cornice(site: MeshBuilder, face: Face, a: float, b: float, ceiling: float) -> None:
    """Add a moulding: a fillet on the wall, then a slope up to the ceiling."""
    foot = ceiling - _CORNICE
    _ledge(site, face, (a, b), (foot, foot + 0.025), 0.014, TRIM, "cornice")
    low, high = face.at + face.sign * 0.01, face.at + face.sign * _CORNICE
    if face.axis == "x":
        ring = [(b, low, foot + 0.02), (a, low, foot + 0.02), (a, high, ceiling), (b, high, ceiling)]
    else:
        ring = [(low, a, foot + 0.02), (low, b, foot + 0.02), (high, b, ceiling), (high, a, ceiling)]
    p, q, r, s = ring if face.sign > 0 else ring[::-1]
    site.add(shapes.quad(p, q, r, s), shade(TRIM, 0.985), "cornice", owner_of(face))
