"""What the floor plan generator knows of each kind of room, beyond the tables of facts."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class RoomKind:
    """A kind of room.

    Attributes:
        area: usual area in houses as large as those of Matterport: 1.2 to 1.5 times the median
            there; where Matterport has no such room, the median number of viewpoints times the
            area of one.
        width: least width.
        annexes: labels of small rooms that may be carved out of its slice.
        open: how often it is joined to a corridor by a passage instead of a door.
        bias: correction of its share for what building makes of a programme.
        least, most: how many a house has.
        views: how many viewpoints a house must have for such a room.
        ground: how much likelier it is on the ground floor of a house with several floors than above.
        stretch: how much larger than usual it may be planned.
    """

    area: float
    width: float
    annexes: tuple[str, ...] = ()
    open: float = 0.0
    bias: float = 1.0
    least: int = 0
    most: int = 99
    views: float = 0.0
    ground: float = 1.0
    stretch: float = 1.3


KINDS: dict[str, RoomKind] = {
    "a": RoomKind(9.5, 1.7, bias=1.3, least=1, ground=0.7),
    "b": RoomKind(21.0, 2.9, ("a", "c"), bias=0.95, least=1, ground=0.4),
    "c": RoomKind(6.0, 1.3, ground=0.6),
    "d": RoomKind(23.0, 2.9, ("c", "t", "u"), open=0.7, most=1, stretch=1.6),
    "e": RoomKind(14.0, 2.2),
    "f": RoomKind(26.0, 3.4, ("c", "t", "a", "j"), open=0.6, bias=1.05, most=2, ground=1.6),
    "g": RoomKind(30.0, 3.3, ("u",), bias=3.2, most=1, ground=6.0),
    "i": RoomKind(34.0, 3.2, bias=1.3, most=1, views=95, stretch=1.6),
    "j": RoomKind(8.0, 1.7, bias=1.3, most=1, ground=1.3),
    "k": RoomKind(23.0, 2.8, ("c", "u", "j", "t"), open=0.5, least=1, most=1, stretch=1.6),
    "l": RoomKind(27.0, 3.5, ("t", "c"), open=0.9, least=1, most=1, stretch=1.6),
    "m": RoomKind(32.0, 3.2, ("t", "c"), bias=1.9, most=1, views=95),
    "n": RoomKind(20.0, 2.8, ("c", "t", "a"), open=0.6, ground=1.2),
    "o": RoomKind(15.5, 2.6, ("c", "t", "a"), bias=0.75),
    "r": RoomKind(32.0, 3.6, ("a", "u", "c"), open=0.35, bias=1.5, most=1, views=60, stretch=1.6),
    "S": RoomKind(16.0, 2.6, ("a",), bias=1.8, views=110),
    "t": RoomKind(2.6, 1.1, ground=1.4),
    "u": RoomKind(7.5, 1.6, ground=1.3),
    "v": RoomKind(28.0, 3.3, ("c", "t"), bias=1.6, most=1, views=60),
    "w": RoomKind(20.0, 2.9, ("a",), most=1),
    "y": RoomKind(16.0, 1.6),
    "z": RoomKind(28.0, 3.0, ("c", "u", "a"), open=0.15, bias=0.75, stretch=1.6),
    "B": RoomKind(14.0, 2.6, open=0.8, bias=2.0, most=1, views=80),
}
"""By Matterport letter."""

SMALL = ("a", "c", "t", "j", "u")
"""Labels of rooms that are carved out of, or put beside, larger ones."""

GROUND_ONLY = ("k", "l", "d", "g", "e")
NEEDED = ("b", "a")
"""What no house is without."""

FILLERS = {"b": 2.0, "o": 1.0, "z": 1.2, "n": 0.5, "f": 0.8, "w": 0.15}
"""What is built where the programme is exhausted, with weights."""
