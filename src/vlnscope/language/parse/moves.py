"""Single phrases of an instruction: what “past the table”, “take the second left” or “upstairs” ask for.

`MotionReader.make` looks a phrase up by the name of its rule: in `_OF_PLACE` if it asks for something that
depends on the place that it names, in `_PLAIN` if it always asks for the same, else it is a method.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TypeVar

from msgspec.structs import replace

from vlnscope.language.actions import ActionKind, Direction, NamedPlace, Relation, Side
from vlnscope.language.parse.chart import Node
from vlnscope.language.parse.draft_actions import DraftAction, follow, locate, own
from vlnscope.language.parse.places import (
    Location,
    PlaceReader,
    ResolvedPlace,
    is_doorlike,
    is_stairs,
    side_of,
)

_SLIGHT: dict[str, Direction] = {"left": "slight left", "right": "slight right"}
_OTHER_SIDE: dict[Relation | None, Side] = {"left of": "right", "right of": "left"}
_BY: dict[str, Relation] = {"between": "between", "under": "under", "over": "on"}
_WAYS = ("path", "bridge", "driveway", "ramp", "rug", "runner")
_LEVELS = ("landing", "level", "floor")
T = TypeVar("T")


class MotionReader:
    """Makes the actions of single phrases, their words included."""

    def __init__(self, places: PlaceReader) -> None:
        self.places = places

    def make(self, node: Node) -> list[DraftAction]:
        """Return the actions of a phrase by its rule's name."""
        if node.name in _OF_PLACE:
            drafts = _OF_PLACE[node.name](node, self.places.within(node))
        elif node.name in _PLAIN:
            drafts = [DraftAction(*_PLAIN[node.name])]
        else:
            drafts = _OTHERS[node.name](self, node)
        own(node, drafts)
        return drafts

    def turn(self, node: Node) -> list[DraftAction]:
        """Return “turn left”, “veer right”, “take the second left”."""
        return [self._turning(node, slight=node.name == "veer")]

    def _turning(self, node: Node, slight: bool) -> DraftAction:
        leaves = {leaf.lexeme.terminal: leaf for leaf in node.leaves()}
        inner = {child.name for child in node.nodes()}
        if "turn_there" in inner:
            return DraftAction("turn")
        if "straight" in inner:
            return DraftAction("go", "straight")
        side = side_of(node)
        if side not in ("left", "right"):
            return DraftAction("turn", "around")
        number = leaves.get("NUMBER")
        slight = slight or "SLIGHT" in leaves or (number is not None and number.lexeme.value == 45)
        draft = DraftAction("turn", _SLIGHT[side] if slight else side)
        ordinal = leaves.get("ORDINAL")
        if ordinal is not None:
            span = self.places.span_of(ordinal.start, ordinal.stop)
            count = ordinal.lexeme.value
            draft.at = NamedPlace(what="object", name="doorway", span=span, ordinal=count, side=side)
            draft.at_relation = "at"
        return draft

    def rise(self, node: Node) -> list[DraftAction]:
        """Return “up” or “down” alone, which speaks of stairs if they were named last."""
        kind: ActionKind = "stairs" if is_stairs(self.places.last) else "go"
        return [DraftAction(kind, _vertical(node))]

    def outside(self, node: Node) -> list[DraftAction]:
        """Return “go outside”."""
        leaf = list(node.leaves())[-1]
        span = self.places.span_of(leaf.start, leaf.stop)
        return [DraftAction("enter", None, NamedPlace(what="room", name="outdoor", span=span))]

    def walk(self, node: Node) -> list[DraftAction]:
        """Return “walk”, with what says in which direction."""
        drafts = [DraftAction("go")]
        for child in node.nodes():
            if child.name == "left_right":
                turn = self._turning(child, slight=_says(node, "SLIGHT"))
                own(child, [turn])
                drafts = [turn] if drafts[-1].direction is None else [*drafts, turn]
            elif child.name == "straight":
                drafts[-1].direction = drafts[-1].direction or "straight"
            elif child.name == "in_room":
                drafts = follow(drafts, self.make(child))
        return drafts

    def stop(self, node: Node) -> list[DraftAction]:
        """Return “stop”, with where."""
        draft = DraftAction("stop")
        for child in node.nodes():
            if child.name == "spot":
                locate(draft, self.places.location(child))
            elif child.name == "outside":
                locate(draft, Location(relation="in", resolved=ResolvedPlace(self.outside(child)[0].place)))
            elif child.name == "stop_in":
                resolved = self.places.within(child)
                relation: Relation = "on" if is_stairs(resolved.place) else "in"
                locate(draft, Location(relation=relation, resolved=resolved))
        return [draft]

    def remark(self, node: Node) -> list[DraftAction]:
        """Return “you will see a sofa on your left”."""
        draft = DraftAction("remark", None, self.places.within(node).place)
        for child in node.nodes():
            if child.name == "spot":
                location = self.places.location(child)
                if draft.place is not None:
                    draft.place = self.places.located(draft.place, location)
                else:
                    draft.place, draft.relation = location.resolved.place, location.relation
                    draft.side = location.side
        return [draft]


def facing(place: NamedPlace | None, node: Node) -> DraftAction:
    """Return the action of standing so that a place is where the phrase says it is."""
    draft = DraftAction("face", words=set(node.words()))
    if place is not None:
        draft.side, draft.place = place.side, replace(place, side=None)
    return draft


def _each(kind: ActionKind, resolved: ResolvedPlace) -> list[DraftAction]:
    """Return an action for the place, and for those named with it one each where all are passed."""
    first = DraftAction(kind, None, resolved.place, resolved.part, side=resolved.side)
    if kind in ("past", "through"):
        return [first, *(DraftAction(kind, None, other, words=set(words)) for other, words in resolved.also)]
    return [first]


def _says(node: Node, terminal: str) -> bool:
    return any(leaf.lexeme.terminal == terminal for leaf in node.own_leaves())


def _vertical(node: Node) -> Direction:
    return "down" if node.name.startswith("down") else "up"


def _name(resolved: ResolvedPlace) -> str:
    return resolved.place.name if resolved.place else ""


def _stairs(node: Node, resolved: ResolvedPlace) -> list[DraftAction]:
    return [DraftAction("stairs", _vertical(node), resolved.place, resolved.part)]


def _up_or_down(node: Node, resolved: ResolvedPlace) -> list[DraftAction]:
    if is_stairs(resolved.place) or _name(resolved) == "ramp":
        return _stairs(node, resolved)
    return _along(node, resolved)


def _towards(node: Node, resolved: ResolvedPlace) -> list[DraftAction]:
    names = node.terminals()
    if _name(resolved) in _LEVELS or is_stairs(resolved.place):
        if "UP" in names and resolved.part != "bottom of":
            return [DraftAction("stairs", "up", resolved.place, resolved.part)]
        if "DOWN" in names and resolved.part != "top of":
            return [DraftAction("stairs", "down", resolved.place, resolved.part)]
    return _each("towards", resolved)


def _past(node: Node, resolved: ResolvedPlace) -> list[DraftAction]:
    return _each("through" if _says(node, "THROUGH") else "past", resolved)


def _enter(node: Node, resolved: ResolvedPlace) -> list[DraftAction]:
    if resolved.part not in (None, "in"):
        return _each("towards", resolved)
    return _each("through" if is_doorlike(resolved.place) else "enter", resolved._replace(part=None))


def _exit(node: Node, resolved: ResolvedPlace) -> list[DraftAction]:
    return _each("through" if is_doorlike(resolved.place) else "exit", resolved)


def _onto(node: Node, resolved: ResolvedPlace) -> list[DraftAction]:
    place = resolved.place
    if resolved.part in _OTHER_SIDE:
        return [DraftAction("past", None, place, resolved.part, side=_OTHER_SIDE[resolved.part])]
    if _name(resolved) in _WAYS:
        return [DraftAction("go", None, place)]
    if place is not None and place.what == "room":
        return [DraftAction("enter", None, place)]
    return [DraftAction("towards", None, place, "on")]


def _along(node: Node, resolved: ResolvedPlace) -> list[DraftAction]:
    return [DraftAction("go", None, resolved.place, resolved.part)]


def _across(node: Node, resolved: ResolvedPlace) -> list[DraftAction]:
    is_room = resolved.place is None or resolved.place.what == "room"
    return [DraftAction("through" if is_room else "past", None, resolved.place)]


def _take(node: Node, resolved: ResolvedPlace) -> list[DraftAction]:
    if is_stairs(resolved.place):
        names = node.terminals()
        direction: Direction | None = "up" if "UP" in names else "down" if "DOWN" in names else None
        return [DraftAction("stairs", direction, resolved.place)]
    if is_doorlike(resolved.place):
        return _each("through", resolved)
    return [DraftAction("go", None, resolved.place)]


def _between(node: Node, resolved: ResolvedPlace) -> list[DraftAction]:
    place = resolved.place
    if place is None or is_doorlike(place):
        return _each("through", resolved)
    others: tuple[tuple[Relation, NamedPlace], ...] = tuple(("with", other) for other, _ in resolved.also)
    place = replace(place, relations=place.relations + others)
    return [DraftAction("past", None, place, _BY[node.name])]


def _beside(node: Node, resolved: ResolvedPlace) -> list[DraftAction]:
    relation: Relation = "left of" if side_of(node) == "left" else "right of"
    return [DraftAction("past", None, resolved.place, relation, side=_OTHER_SIDE[relation])]


def _keep(node: Node, resolved: ResolvedPlace) -> list[DraftAction]:
    if resolved.place is not None and resolved.place.side in ("ahead", "behind"):
        return [facing(resolved.place, node)]
    return _each("past", resolved)


def _by_rule(makers: dict[str, T]) -> dict[str, T]:
    """Return what is listed for several rules at once by rule."""
    return {name: maker for names, maker in makers.items() for name in names.split()}


_PLAIN: dict[str, tuple[ActionKind, Direction | None]] = {
    "backwards": ("go", "back"),
    "inside": ("enter", None),
    "outward": ("exit", None),
    "straight": ("go", "straight"),
}
_OF_PLACE: dict[str, Callable[[Node, ResolvedPlace], list[DraftAction]]] = _by_rule(
    {
        "across": _across,
        "along": _along,
        "around around_corner around_it pass_by pass_it past": _past,
        "away": lambda node, resolved: [DraftAction("go", None, resolved.place, side="behind")],
        "beside": _beside,
        "between over under": _between,
        "up down": _up_or_down,
        "upstairs upstairs_adverb downstairs downstairs_adverb": _stairs,
        "exit out": _exit,
        "face": lambda node, resolved: [DraftAction("face", None, resolved.place)],
        "from": lambda node, resolved: [],  # pronouns may stand for it, but it asks for nothing
        "in_room into": _enter,
        "keep keeping": _keep,
        "onto": _onto,
        "reach towards": _towards,
        "take": _take,
        "through": lambda node, resolved: _each("through", resolved),
    }
)
_OTHERS: dict[str, Callable[[MotionReader, Node], list[DraftAction]]] = _by_rule(
    {
        "action_t left_right turning veer": MotionReader.turn,
        "fragment ir": MotionReader.remark,
        "outside": MotionReader.outside,
        "stop": MotionReader.stop,
        "upwards downwards": MotionReader.rise,
        "walk": MotionReader.walk,
    }
)
