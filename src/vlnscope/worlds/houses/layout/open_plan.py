"""The open-plan zone: living, dining, kitchen and family rooms joined by wide passages."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from vlnscope.worlds.houses.layout.building_kinds import BuildingKind
from vlnscope.worlds.houses.layout.draft import DraftRoom, Frame, HouseDraft, Link, snap
from vlnscope.worlds.houses.layout.massing import Massing
from vlnscope.worlds.houses.layout.programme import Programme

_OPEN_KITCHENS = 0.35
"""How often a kitchen is open to the next room over the whole wall."""
_HOUSE = Frame((0.0, 0.0), (1.0, 0.0), (0.0, 1.0))


@dataclass(frozen=True)
class _Box:
    label: str
    box: tuple[float, float, float, float]


def zone_labels(programme: Programme, building: BuildingKind) -> tuple[str, ...]:
    """Return which rooms share the open plan: living room, kitchen, and what there is of the others."""
    labels = [label for label in ("l", "d", "k") if programme.has(label)]
    if building.void == "gallery":
        return tuple(labels)
    wants_family = programme.has("f") and programme.area_left(("l", "d", "k")) < 80
    return (*labels, "f") if wants_family and len(labels) == 3 else tuple(labels)


def build_zone(
    rng: np.random.Generator,
    draft: HouseDraft,
    massing: Massing,
    programme: Programme,
    labels: tuple[str, ...],
) -> list[DraftRoom]:
    """Lay out the open-plan zone at the west end of the ground floor and return its rooms."""
    areas = {label: programme.take(label) for label in labels}
    spaces = [draft.add(part.label, 0, _HOUSE.box(*part.box)) for part in _cut(rng, massing, areas)]
    for space in spaces:
        if massing.building.void == "zone" or (massing.building.void == "gallery" and space.label == "l"):
            above = massing.floors[1]
            space.height = round(above.elevation + (above.eaves or above.height), 2)
    _join(rng, draft, massing, spaces)
    return spaces


def _cut(rng: np.random.Generator, massing: Massing, areas: dict[str, float]) -> list[_Box]:
    width = massing.zone
    if massing.building.void == "gallery":
        return _below_gallery(massing, areas)
    if len(areas) == 4 and width >= 6.2:
        return _quarters(rng, massing, areas)
    if len(areas) == 3 and width >= 7.2:
        return _three(rng, massing, areas)
    return _stack(rng, massing, areas)


def _stack(rng: np.random.Generator, massing: Massing, areas: dict[str, float]) -> list[_Box]:
    """Rooms one behind the other from south to north; the corridor meets one of the inner ones."""
    labels = [label for label in ("l", "f", "d", "k") if label in areas]
    if rng.random() < 0.35:
        labels.reverse()
    low, high = _reach(massing)
    total = sum(areas.values())
    cuts = [low]
    for label in labels[:-1]:
        cuts.append(snap(cuts[-1] + max((high - low) * areas[label] / total, 2.9)))
    cuts = [low, *(_off_corridor(massing, cut) for cut in cuts[1:]), high]
    boxes = zip(labels, cuts, cuts[1:], strict=False)
    return [_Box(label, (0.0, low, massing.zone, high)) for label, low, high in boxes]


def _reach(massing: Massing) -> tuple[float, float]:
    """Return where the zone begins in the south and ends in the north."""
    return -massing.bulge[0], round(massing.depth + massing.bulge[1], 2)


def _off_corridor(massing: Massing, cut: float) -> float:
    """Move a wall that would end in the corridor's mouth to the nearer side of it."""
    low, high = massing.south, round(massing.south + massing.hall, 2)
    if low < cut < high:
        return low if cut - low < high - cut else high
    return cut


def _three(rng: np.random.Generator, massing: Massing, areas: dict[str, float]) -> list[_Box]:
    """The living room over the whole width, dining room and kitchen side by side behind it."""
    low, high = _reach(massing)
    wish = low + (high - low) * areas["l"] / sum(areas.values())
    cut = _off_corridor(massing, snap(min(max(wish, low + 4.0), high - 3.6)))
    share = areas["k"] / (areas["k"] + areas["d"])
    wall = snap(min(max(massing.zone * share, 3.0), massing.zone - 3.0))
    front = _Box("l", (0.0, low, massing.zone, cut))
    back = [_Box("k", (0.0, cut, wall, high)), _Box("d", (wall, cut, massing.zone, high))]
    parts = [front, *back]
    return _turned(massing, parts) if rng.random() < 0.5 else parts


def _below_gallery(massing: Massing, areas: dict[str, float]) -> list[_Box]:
    """The living room in front, up to the line of the upper corridor; dining room and kitchen behind it."""
    low, high = _reach(massing)
    width, cut = massing.zone, massing.south
    front = _Box("l", (0.0, low, width, cut))
    rest = [label for label in ("k", "d") if label in areas]
    if len(rest) == 1:
        return [front, _Box(rest[0], (0.0, cut, width, high))]
    share = areas["k"] / (areas["k"] + areas["d"])
    if width >= 6.0:
        wall = snap(min(max(width * share, 2.9), width - 2.9))
        return [front, _Box("k", (0.0, cut, wall, high)), _Box("d", (wall, cut, width, high))]
    wall = _off_corridor(massing, snap(cut + (high - cut) * (1 - share)))
    if min(wall - cut, high - wall) < 2.4:
        return [front, _Box("k", (0.0, cut, width, high))]
    return [front, _Box("d", (0.0, cut, width, wall)), _Box("k", (0.0, wall, width, high))]


def _quarters(rng: np.random.Generator, massing: Massing, areas: dict[str, float]) -> list[_Box]:
    """Living and family room in front, dining room and kitchen behind; living and dining by the corridor."""
    front = areas["l"] + areas["f"]
    low, high = _reach(massing)
    cut = _off_corridor(massing, snap(low + (high - low) * front / sum(areas.values())))
    width = massing.zone
    south_wall = snap(min(max(width * areas["f"] / front, 3.0), width - 3.0))
    north_wall = snap(min(max(width * areas["k"] / (areas["k"] + areas["d"]), 2.9), width - 2.9))
    parts = [
        _Box("f", (0.0, low, south_wall, cut)),
        _Box("l", (south_wall, low, width, cut)),
        _Box("k", (0.0, cut, north_wall, high)),
        _Box("d", (north_wall, cut, width, high)),
    ]
    return _turned(massing, parts) if rng.random() < 0.5 else parts


def _turned(massing: Massing, parts: list[_Box]) -> list[_Box]:
    """Return the rooms with south and north exchanged, if no wall then ends in the corridor's mouth."""
    ends = sum(_reach(massing))
    turned = [
        _Box(p.label, (p.box[0], round(ends - p.box[3], 2), p.box[2], round(ends - p.box[1], 2)))
        for p in parts
    ]
    cut = max(part.box[1] for part in turned)
    return turned if _off_corridor(massing, cut) == cut else parts


def _join(rng: np.random.Generator, draft: HouseDraft, massing: Massing, spaces: list[DraftRoom]) -> None:
    """Join the rooms of a zone: those of a loft over the whole wall, others by wide passages."""
    for i, a in enumerate(spaces):
        for b in spaces[i + 1 :]:
            wall = _shared(a, b)
            if wall < 1.5:
                continue
            if massing.building.void == "zone":
                head = round(a.height - 0.3, 2)
                draft.links.append(Link(a.number, b.number, "passage", snap(wall - 0.5), "middle", head=head))
            elif rng.random() < _OPEN_KITCHENS and "k" in (a.label, b.label):
                draft.passage(a, b, snap(wall - 0.5))
            elif rng.random() < 0.85 or len(spaces) < 4:
                draft.passage(a, b, snap(min(float(rng.uniform(1.5, 3.0)), wall - 0.4)))


def _shared(a: DraftRoom, b: DraftRoom) -> float:
    ax0, ay0, ax1, ay1 = a.bounds
    bx0, by0, bx1, by1 = b.bounds
    across = min(ax1, bx1) - max(ax0, bx0)
    along = min(ay1, by1) - max(ay0, by0)
    return max(across, along) if min(across, along) > -1e-6 else 0.0
