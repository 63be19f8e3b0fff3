"""Galleries: upper corridors and rooms that are open, behind a railing, to a room of double height."""

from __future__ import annotations

from vlnscope.worlds.houses.layout.draft import HouseDraft, Link, snap
from vlnscope.worlds.houses.layout.walls import shared_walls
from vlnscope.worlds.houses.plan.plan import Floor

KERB = 0.1
"""Height of the kerb on which the railing of a gallery stands."""

_OPEN = ("h", "f", "n", "o", "z", "r", "B")
_LEAST = 1.0


def add_galleries(draft: HouseDraft, floor: Floor) -> None:
    """Open what borders on a void of a floor towards it: corridors, and rooms that need no quiet."""
    voids = [space for space in draft.standing(floor.level) if space.floor < floor.level]
    head = round(min(floor.height - 0.25, floor.eaves or floor.height, 2.4), 2)
    for space in draft.on(floor.level):
        if space.label not in _OPEN:
            continue
        for void in voids:
            longest = max((w.high - w.low for w in shared_walls(space.polygon, void.polygon)), default=0.0)
            if longest - 0.5 >= _LEAST:
                link = Link(
                    space.number,
                    None,
                    "passage",
                    snap(longest - 0.5),
                    "middle",
                    head=head,
                    sill=KERB,
                    over=void.number,
                )
                draft.links.append(link)
