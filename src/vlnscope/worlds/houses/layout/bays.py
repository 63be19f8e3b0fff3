"""Rows of rooms: a stretch of building beside a corridor is cut into slices, each a room with its annexes."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Literal

import numpy as np

from vlnscope.worlds.houses.layout.draft import DraftRoom, Frame, HouseDraft, floor_to_grid, snap
from vlnscope.worlds.houses.layout.programme import Programme, choose, joined
from vlnscope.worlds.houses.layout.room_kinds import FILLERS, KINDS, SMALL

_VESTIBULE = 1.3
_ROW_WIDTHS = (2.5, 3.2)


@dataclass(frozen=True)
class Bay:
    """A rectangle beside a corridor: u along it from 0 to `length`, v from it to `depth`.

    In a `row`, rooms are narrow and all have a door to the corridor.
    """

    frame: Frame
    length: float
    depth: float
    floor: int
    row: bool = False


@dataclass(frozen=True)
class Slice:
    """A room over the depth of a bay, with small rooms in its corner or along its side.

    ``plain`` has none; ``carved`` one in a corner at the corridor; ``sided`` two in a strip at its side.
    """

    label: str
    form: Literal["plain", "carved", "sided"]
    annexes: tuple[str, ...]
    width: float

    @property
    def least(self) -> float:
        """The least width it can have."""
        own = KINDS[self.label].width
        if self.form == "carved":
            return max(own + 0.7, KINDS[self.annexes[0]].width + _VESTIBULE + 0.2)
        return own + _STRIP[0] if self.form == "sided" else own


_STRIP = (1.7, 2.4)


def fill_bay(rng: np.random.Generator, draft: HouseDraft, bay: Bay, programme: Programme) -> list[DraftRoom]:
    """Cut a bay into rooms, take them from the programme, and return the rooms that need the corridor."""
    best: tuple[float, list[Slice], Programme] | None = None
    for _ in range(14):
        trial = programme.copy()
        slices = _draw_slices(rng, bay, trial)
        misfit = _misfit(slices, bay)
        if best is None or misfit < best[0]:
            best = (misfit, slices, trial)
        if misfit < 0.05:
            break
    assert best is not None
    programme.left = best[2].left
    return _build(rng, draft, bay, best[1])


def _draw_slices(rng: np.random.Generator, bay: Bay, programme: Programme) -> list[Slice]:
    slices: list[Slice] = []
    left = bay.length
    while left > 0.12 * bay.length and (left > 1.2 or not slices):
        drawn = _draw_slice(rng, bay, programme, left)
        slices.append(drawn)
        left -= drawn.width
    return slices


def _draw_slice(rng: np.random.Generator, bay: Bay, programme: Programme, left: float) -> Slice:
    weights = {
        label: weight
        for label, weight in programme.mains(bay.floor).items()
        if max(KINDS[label].width, 0.7 * programme.least(label) / bay.depth) <= left
        and (label != "g" or bay.depth > 4.9)
    }
    if left < 2.9 or (bay.row and rng.random() < 0.55 * _small_share(programme)):
        return _small_slice(rng, bay, programme)
    label = choose(rng, weights or FILLERS)
    area = programme.take(label, at_most=1.3 * left * bay.depth)
    width = _within(area / bay.depth, KINDS[label].width, 1.5 * bay.depth)
    if bay.row:
        width = _within(width, KINDS[label].width, float(rng.uniform(*_ROW_WIDTHS)))
        return Slice(label, "plain", (), width if width < 1.15 * left else left)
    plain = Slice(label, "plain", (), width if width < 1.15 * left else left)
    return _with_annexes(rng, bay, programme, plain, left)


def _small_share(programme: Programme) -> float:
    """Return which share of the rooms that are left are small ones."""
    counts = {label: len(areas) for label, areas in programme.left.items()}
    small = sum(count for label, count in counts.items() if label in SMALL)
    return small / max(sum(counts.values()), 1)


def _small_slice(rng: np.random.Generator, bay: Bay, programme: Programme) -> Slice:
    label = choose(rng, programme.small(bay.floor, ("a", "j", "u", "c")) or {"a": 1.0, "c": 0.7, "u": 0.5})
    return Slice(label, "plain", (), max(programme.take(label) / bay.depth, KINDS[label].width))


def _with_annexes(
    rng: np.random.Generator, bay: Bay, programme: Programme, plain: Slice, left: float
) -> Slice:
    wanted = KINDS[plain.label].annexes
    weights = {
        label: weight * joined(plain.label, label) ** 0.5
        for label, weight in programme.small(bay.floor, wanted).items()
    }
    need = sum(len(programme.left.get(label, ())) for label in SMALL)
    mains = sum(len(areas) for label, areas in programme.left.items() if label not in SMALL) + 1
    if left < KINDS[plain.label].width + 1.0:
        return plain
    if not weights or rng.random() > (1.0 if plain.label == "b" else 0.55) * need / mains * 1.1:
        return plain
    first = choose(rng, weights)
    first_area = programme.take(first)
    second = programme.small(bay.floor, tuple(x for x in wanted if x in ("a", "c", "u")))
    if (
        plain.label in ("b", "n", "f", "o")
        and second
        and bay.depth > 4.2
        and left > 5.0
        and rng.random() < 0.75
    ):
        other = choose(rng, second)
        strip = _within((first_area + programme.take(other)) / bay.depth, *_STRIP)
        return replace(plain, form="sided", annexes=(first, other), width=plain.width + strip)
    return replace(plain, form="carved", annexes=(first,), width=plain.width + first_area / bay.depth)


def _within(value: float, low: float, high: float) -> float:
    return min(max(value, low), high)


def _misfit(slices: list[Slice], bay: Bay) -> float:
    total = sum(piece.width for piece in slices)
    stretch = bay.length / total
    tight = sum(max(piece.least - piece.width * stretch, 0) for piece in slices)
    return abs(float(np.log(stretch))) + 3 * tight


def _build(rng: np.random.Generator, draft: HouseDraft, bay: Bay, slices: list[Slice]) -> list[DraftRoom]:
    order = [slices[i] for i in rng.permutation(len(slices))]
    if bay.row:
        order = _wide_ends(order)
    ends = _ends(order, bay.length)
    facing: list[DraftRoom] = []
    mains: list[DraftRoom] = []
    for piece, start, end in zip(order, ends, ends[1:], strict=False):
        built = _build_slice(rng, draft, bay, piece, start, end)
        facing += built
        mains.append(built[0])
    for i, piece in enumerate(order):
        beside = [mains[j] for j in (i - 1, i + 1) if 0 <= j < len(order) and order[j].label not in SMALL]
        if piece.label in SMALL and beside and ends[i + 1] - ends[i] < 2.7 and bay.depth > 4.2:
            _split_small(rng, draft, bay, mains[i], (ends[i], ends[i + 1]), beside)
    return facing


def _split_small(
    rng: np.random.Generator,
    draft: HouseDraft,
    bay: Bay,
    room: DraftRoom,
    reach: tuple[float, float],
    beside: list[DraftRoom],
) -> None:
    """Shorten a small room that would be long and narrow; its neighbour gets what lies behind it."""
    start, end = reach
    deep = snap(_within(KINDS[room.label].area / (end - start), 1.9, bay.depth - 1.7))
    host = beside[int(rng.integers(len(beside)))]
    if host.label == "b":
        label = str(rng.choice(["a", "c"]))
    else:
        label = "c" if host.label in ("k", "o", "z") else "u"
    room.polygon = bay.frame.box(start, 0, end, deep)
    draft.door(host, draft.add(label, bay.floor, bay.frame.box(start, deep, end, bay.depth)), width=0.8)


def _ends(slices: list[Slice], length: float) -> list[float]:
    """Return where the slices begin and end: stretched, none narrower than it can be."""
    widths = np.asarray([piece.width for piece in slices])
    least = np.asarray([piece.least for piece in slices])
    if least.sum() < length:
        spare = np.maximum(widths - least, 0.05)
        widths = least + spare * (length - least.sum()) / spare.sum()
    widths *= length / widths.sum()
    inner = [snap(float(end)) for end in np.cumsum(widths)[:-1]]
    return [0.0, *inner, length]


def _wide_ends(order: list[Slice]) -> list[Slice]:
    """Put the widest rooms of a row to its ends, so that one enters a corridor before its first door."""
    wide = sorted(range(len(order)), key=lambda i: (-order[i].width, i))[:2]
    rest = [piece for i, piece in enumerate(order) if i not in wide]
    ends = [order[i] for i in wide]
    return [*ends[:1], *rest, *ends[1:]]


def _build_slice(
    rng: np.random.Generator, draft: HouseDraft, bay: Bay, piece: Slice, start: float, end: float
) -> list[DraftRoom]:
    width = end - start
    mirrored = bool(rng.random() < 0.5)
    frame = bay.frame
    frame = Frame(
        frame.point(end if mirrored else start, 0.0),
        (-frame.u[0], -frame.u[1]) if mirrored else frame.u,
        frame.v,
    )
    if piece.form == "sided" and width >= piece.least - 0.4:
        return _sided(rng, draft, frame, bay, piece, width)
    if piece.form == "carved" and width >= piece.least - 0.25:
        return _carved(rng, draft, frame, bay, piece, width)
    return [draft.add(piece.label, bay.floor, frame.box(0, 0, width, bay.depth))]


def _carved(
    rng: np.random.Generator, draft: HouseDraft, frame: Frame, bay: Bay, piece: Slice, width: float
) -> list[DraftRoom]:
    small = piece.annexes[0]
    area = KINDS[small].area * float(rng.uniform(0.8, 1.15))
    widest = min(width - _VESTIBULE, max(0.55 * width, KINDS[small].width))
    across = snap(_within(area**0.5 * 1.1, KINDS[small].width, widest))
    deep = snap(_within(area / across, 1.5, min(0.5 * bay.depth, bay.depth - 2.4)))
    room = draft.add(
        piece.label,
        bay.floor,
        frame.polygon((across, 0), (width, 0), (width, bay.depth), (0, bay.depth), (0, deep), (across, deep)),
    )
    annex = draft.add(small, bay.floor, frame.box(0, 0, across, deep))
    if piece.label == "b" or (small == "c" and rng.random() < 0.5) or (small == "a" and rng.random() < 0.4):
        draft.door(room, annex, width=0.8)
        return [room]
    return [room, annex]


def _sided(
    rng: np.random.Generator, draft: HouseDraft, frame: Frame, bay: Bay, piece: Slice, width: float
) -> list[DraftRoom]:
    first, second = piece.annexes
    strip = snap(_within(width - KINDS[piece.label].width, 1.6, _STRIP[1]))
    wishes = [KINDS[first].area, KINDS[second].area]
    cut = floor_to_grid(_within(bay.depth * wishes[0] / sum(wishes), 1.5, bay.depth - 1.5))
    room = draft.add(piece.label, bay.floor, frame.box(strip, 0, width, bay.depth))
    inner = draft.add(first, bay.floor, frame.box(0, 0, strip, cut))
    outer = draft.add(second, bay.floor, frame.box(0, cut, strip, bay.depth))
    draft.door(room, outer, width=0.8)
    if piece.label == "b" and first == "c":
        draft.door(room, inner, width=0.8)
        return [room]
    return [room, inner]


def corridor_width(rng: np.random.Generator, label: str) -> float | None:
    """Return how wide the passage from a corridor to a room is, or None for a door."""
    if rng.random() < KINDS[label].open:
        return float(snap(rng.uniform(1.2, 2.2)))
    return None
