"""Names that pick out one thing among all in sight: a noun, if need be with attribute, side or neighbour."""

from __future__ import annotations

import math
from collections.abc import Iterator
from functools import cache
from typing import Literal, NamedTuple
from weakref import WeakKeyDictionary

from vlnscope.language.actions import Relation, Side
from vlnscope.language.describe.scene_index import SceneIndex
from vlnscope.language.geometry import flat_distance, relative, side_word
from vlnscope.language.lexicon.entries import lexicon
from vlnscope.types import Point

NEIGHBOURLY = 1.4
"""How far apart the middles of things are, at most, that are said to be next to each other, metres."""
_NOT_NEIGHBOURLY = 2.4
_TOGETHER = 2.8
_NO_GROUPS = frozenset({"door", "doorway", "stairs", "books", "blinds", "shoes", "dumbbells"})
_MARGIN = math.radians(8)
_NO_NEIGHBOURS = frozenset(
    {"window", "rug", "curtain", "chandelier", "picture", "door", "doorway", "radiator", "blinds", "cup",
     "plate", "bottle", "toilet paper", "bath mat", "yoga mat", "ceiling fan", "photo frame", "shoes",
     "scale", "wall shelf"}
)  # fmt: skip

VAGUE = frozenset({"furniture", "appliance", "wall decoration", "rack", "doorway"})
"""Broader names that nobody uses for a single thing that has a name of its own."""
LOOSE = frozenset({"seat", "shelf", "light", "exercise equipment"})
"""Broader names that people use now and then."""
COLOURLESS = frozenset(
    {"tv", "plant", "bush", "mirror", "stairs", "window", "shower", "toilet", "books", "whiteboard",
     "toilet paper", "aquarium", "dart board", "globe", "radiator"}
)  # fmt: skip
"""Things whose colour goes without saying."""
TOLD_MATERIALS = frozenset(
    {"wood", "glass", "leather", "marble", "stone", "brick", "wicker", "metal", "fabric", "ceramic"}
)
_MATERIAL_TOLD_OF = frozenset(
    {"desk", "sofa", "armchair", "coffee table", "side table", "dining table", "chair", "stool", "bench",
     "console table", "office chair", "fireplace", "statue", "basket", "kitchen counter", "kitchen island",
     "vase", "ottoman", "deck chair", "table lamp", "bowl", "kettle", "sink", "bathroom sink"}
)  # fmt: skip
_PLAIN_ROOMS = {"t": "bathroom", "z": "room"}


class Ref(NamedTuple):
    """How a place is spoken of, and which one is meant.

    Attributes:
        what: an object or a room.
        name: the entry of the lexicon that is said.
        attributes, ordinal, side, relations: as in `vlnscope.language.actions.NamedPlace`.
        number: its `count`.
        things: the objects meant.
        region: the room meant.
    """

    what: Literal["object", "room"]
    name: str
    attributes: tuple[str, ...] = ()
    ordinal: int | None = None
    number: int | None = None
    side: Side | None = None
    relations: tuple[tuple[Relation, Ref], ...] = ()
    things: tuple[int, ...] = ()
    region: int | None = None


@cache
def said_names(name: str) -> tuple[str, ...]:
    """Return the names that are used for a thing: its own and the broader ones that people use.

    Example:
        >>> said_names("armchair"), said_names("fireplace")
        (('armchair', 'chair', 'seat'), ('fireplace',))
    """
    words = lexicon()
    return (name, *(wide for wide in words.broader(name) if wide not in VAGUE and wide in words.objects))


@cache
def told_attributes(name: str, attributes: tuple[str, ...]) -> tuple[str, ...]:
    """Return the attributes of a thing that are worth telling."""
    kept = []
    for attribute in attributes:
        kinds = lexicon().attributes[attribute].kinds if attribute in lexicon().attributes else ()
        colour = "colour" in kinds and name not in COLOURLESS
        material = attribute in TOLD_MATERIALS and name in _MATERIAL_TOLD_OF
        if colour or material or (name == "door" and "state" in kinds):
            kept.append(attribute)
    return tuple(kept)


def in_view(index: SceneIndex, node: int, name: str, attributes: tuple[str, ...] = ()) -> tuple[int, ...]:
    """Return the things in sight of a viewpoint that answer to a name and have the attributes."""
    things = index.in_view(node, name)
    for attribute in attributes:
        things = tuple(thing for thing in things if attribute in index.things[thing].attributes)
    return things


def side_of(index: SceneIndex, node: int, heading: float, thing: int) -> Side:
    """Return on which side a walker who looks to `heading` sees a thing."""
    return side_word(relative(heading, index.visible[node][thing].heading))


class Namer:
    """Ways to name the things of a scene so that no other thing in sight is meant."""

    def __init__(self, index: SceneIndex) -> None:
        self._index = index
        self._plain: dict[tuple[int, int], tuple[Ref, ...]] = {}
        self._sided: dict[tuple[int, int, float], tuple[Ref, ...]] = {}

    def of(self, node: int, heading: float, thing: int) -> tuple[Ref, ...]:
        """Return ways to name a thing in sight of a viewpoint, the plainest first."""
        key = (node, thing)
        if key not in self._plain:
            self._plain[key] = tuple(_plain_names(self._index, node, thing))
        sided = (*key, heading)
        if sided not in self._sided:
            self._sided[sided] = self._plain[key] + tuple(_by_side(self._index, node, heading, thing))
        return self._sided[sided]


_NAMES: WeakKeyDictionary[SceneIndex, Namer] = WeakKeyDictionary()


def namer_for(index: SceneIndex) -> Namer:
    """Return the names of a scene's things, kept as long as the index is."""
    if index not in _NAMES:
        _NAMES[index] = Namer(index)
    return _NAMES[index]


def _plain_names(index: SceneIndex, node: int, thing: int) -> Iterator[Ref]:
    target = index.things[thing]
    attributes = told_attributes(target.name, target.attributes)
    for name in said_names(target.name):
        if in_view(index, node, name) == (thing,):
            yield Ref("object", name, things=(thing,))
        for attribute in attributes:
            if in_view(index, node, name, (attribute,)) == (thing,):
                yield Ref("object", name, (attribute,), things=(thing,))
    yield from _by_neighbour(index, node, thing)
    yield from _by_number(index, node, thing)


def _by_number(index: SceneIndex, node: int, thing: int) -> Iterator[Ref]:
    """Yield “the chairs” and “the two chairs” where all that are in sight stand together.

    Sources that do not know the boxes of things may list one of them several times, so theirs do not count.
    """
    name = index.things[thing].name
    alike = in_view(index, node, name)
    if not 2 <= len(alike) <= 6 or name in _NO_GROUPS:
        return
    known = [thing.centre for thing in map(index.things.__getitem__, alike) if thing.centre and thing.box]
    if len(known) < len(alike) or any(flat_distance(a, b) > _TOGETHER for a in known for b in known):
        return
    yield Ref("object", name, number=0, things=alike)
    if len(alike) <= 4:
        yield Ref("object", name, number=len(alike), things=alike)


def _by_side(index: SceneIndex, node: int, heading: float, thing: int) -> Iterator[Ref]:
    side = side_of(index, node, heading, thing)
    if side == "behind":
        return
    for name in said_names(index.things[thing].name):
        alike = in_view(index, node, name)
        if len(alike) > 1 and all(
            other == thing or _clearly_elsewhere(index, node, heading, other, side) for other in alike
        ):
            yield Ref("object", name, side=side, things=(thing,))


def _clearly_elsewhere(index: SceneIndex, node: int, heading: float, thing: int, side: Side) -> bool:
    angle = relative(heading, index.visible[node][thing].heading)
    return all(side_word(angle + shift) != side for shift in (-_MARGIN, 0.0, _MARGIN))


def _by_neighbour(index: SceneIndex, node: int, thing: int) -> Iterator[Ref]:
    """Yield the names of the kind “the chair next to the piano”."""
    target = index.things[thing]
    if target.centre is None:
        return
    alike = [other for other in in_view(index, node, target.name) if other != thing]
    if not 1 <= len(alike) <= 4:
        return
    for number in index.visible[node]:
        other = index.things[number]
        if number == thing or other.name in _NO_NEIGHBOURS or other.centre is None:
            continue
        if flat_distance(target.centre, other.centre) > NEIGHBOURLY or other.name in said_names(target.name):
            continue
        if in_view(index, node, other.name) == (number,) and all(
            flat_distance(index.things[a].centre or (math.inf, 0, 0), other.centre) > _NOT_NEIGHBOURLY
            for a in alike
        ):
            near = Ref("object", other.name, things=(number,))
            yield Ref("object", target.name, relations=(("near", near),), things=(thing,))


@cache
def room_name(label: str | None) -> str | None:
    """Return the entry of the lexicon for a room's label letter; None for what nobody calls a room.

    Example:
        >>> room_name("b"), room_name("z"), room_name("s")
        ('bedroom', 'room', None)
    """
    if label is None or label in "sZ-":
        return None
    if label in _PLAIN_ROOMS:
        return _PLAIN_ROOMS[label]
    return next((name for name, entry in lexicon().rooms.items() if entry.letters[:1] == (label,)), "room")


def referents(index: SceneIndex, ref: Ref, row: int, heading: float) -> tuple[int, ...]:
    """Return the things in sight that an expression can mean for a walker who looks to `heading`."""
    things = in_view(index, row, ref.name, ref.attributes)
    if ref.ordinal is not None:
        return _counted(index, ref, row, heading, things)
    if ref.side is not None:
        visible = index.visible[row]
        things = tuple(t for t in things if side_word(relative(heading, visible[t].heading)) == ref.side)
    for relation, other in ref.relations:
        if other.what == "object" and relation == "near":
            near = [index.things[t].centre for t in in_view(index, row, other.name, other.attributes)]
            things = tuple(t for t in things if _beside(index, t, near))
    return things


def _beside(index: SceneIndex, thing: int, others: list[Point | None]) -> bool:
    centre = index.things[thing].centre
    return centre is not None and any(
        other is not None and flat_distance(centre, other) <= NEIGHBOURLY + 0.3 for other in others
    )


def _counted(
    index: SceneIndex, ref: Ref, row: int, heading: float, alike: tuple[int, ...]
) -> tuple[int, ...]:
    sign = {"left": -1.0, "right": 1.0}.get(ref.side or "", 0.0)
    spots = sorted((spot, thing) for thing in alike if (spot := index.offset(row, heading, thing)))
    order = [thing for spot, thing in spots if spot[0] > 0.2 and spot[1] * sign >= 0 and abs(spot[1]) <= 3.0]
    if ref.ordinal is None:
        return ()
    return tuple(order[-1:] if ref.ordinal < 0 else order[ref.ordinal - 1 : ref.ordinal])
