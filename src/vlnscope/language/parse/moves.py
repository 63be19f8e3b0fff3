"""Single phrases of an instruction: what “past the table”, “take the second left” or “upstairs” ask for."""

from __future__ import annotations

from collections.abc import Callable

import msgspec

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


class MotionReader:
    """Makes the actions of single phrases, their words included."""

    def __init__(self, places: PlaceReader) -> None:
        self.places = places

    def make(self, node: Node) -> list[DraftAction]:
        """Return the actions of a phrase by its rule's name."""
        drafts = _MAKE[node.name](self, node)
        own(node, drafts)
        return drafts

    # ---- turning and stairs

    def _turn(self, node: Node) -> list[DraftAction]:
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

    def _stairs(self, node: Node) -> list[DraftAction]:
        resolved = self.places.within(node)
        direction: Direction = "down" if node.name.startswith("downstairs") else "up"
        return [DraftAction("stairs", direction, resolved.place, resolved.part)]

    def _up_or_down(self, node: Node) -> list[DraftAction]:
        resolved = self.places.within(node)
        if is_stairs(resolved.place) or (resolved.place is not None and resolved.place.name == "ramp"):
            return [
                DraftAction("stairs", "up" if node.name == "up" else "down", resolved.place, resolved.part)
            ]
        return [DraftAction("go", None, resolved.place, resolved.part)]

    def _upwards(self, node: Node) -> list[DraftAction]:
        direction: Direction = "up" if node.name == "upwards" else "down"
        return [DraftAction("stairs" if is_stairs(self.places.last) else "go", direction)]

    # ---- landmarks and regions

    def _towards(self, node: Node) -> list[DraftAction]:
        resolved = self.places.within(node)
        names = node.terminals()
        if resolved.place is not None and (resolved.place.name in _LEVELS or is_stairs(resolved.place)):
            if "UP" in names and resolved.part != "bottom of":
                return [DraftAction("stairs", "up", resolved.place, resolved.part)]
            if "DOWN" in names and resolved.part != "top of":
                return [DraftAction("stairs", "down", resolved.place, resolved.part)]
        return _each("towards", resolved)

    def _past(self, node: Node) -> list[DraftAction]:
        through = any(leaf.lexeme.terminal == "THROUGH" for leaf in node.own_leaves())
        return _each("through" if through else "past", self.places.within(node))

    def _through(self, node: Node) -> list[DraftAction]:
        return _each("through", self.places.within(node))

    def _enter(self, node: Node) -> list[DraftAction]:
        resolved = self.places.within(node)
        if resolved.part not in (None, "in"):
            return _each("towards", resolved)
        return _each("through" if is_doorlike(resolved.place) else "enter", resolved._replace(part=None))

    def _exit(self, node: Node) -> list[DraftAction]:
        resolved = self.places.within(node)
        return _each("through" if is_doorlike(resolved.place) else "exit", resolved)

    def _onto(self, node: Node) -> list[DraftAction]:
        resolved = self.places.within(node)
        place = resolved.place
        if resolved.part in _OTHER_SIDE:
            return [DraftAction("past", None, place, resolved.part, side=_OTHER_SIDE[resolved.part])]
        if place is not None and place.name in _WAYS:
            return [DraftAction("go", None, place)]
        if place is not None and place.what == "room":
            return [DraftAction("enter", None, place)]
        return [DraftAction("towards", None, place, "on")]

    def _along(self, node: Node) -> list[DraftAction]:
        resolved = self.places.within(node)
        return [DraftAction("go", None, resolved.place, resolved.part)]

    def _across(self, node: Node) -> list[DraftAction]:
        place = self.places.within(node).place
        is_room = place is None or place.what == "room"
        return [DraftAction("through" if is_room else "past", None, place)]

    def _take(self, node: Node) -> list[DraftAction]:
        resolved = self.places.within(node)
        if is_stairs(resolved.place):
            names = node.terminals()
            direction: Direction | None = "up" if "UP" in names else "down" if "DOWN" in names else None
            return [DraftAction("stairs", direction, resolved.place)]
        if is_doorlike(resolved.place):
            return _each("through", resolved)
        return [DraftAction("go", None, resolved.place)]

    def _between(self, node: Node) -> list[DraftAction]:
        resolved = self.places.within(node)
        place = resolved.place
        if place is None or is_doorlike(place):
            return _each("through", resolved)
        others: tuple[tuple[Relation, NamedPlace], ...] = tuple(("with", other) for other, _ in resolved.also)
        place = msgspec.structs.replace(place, relations=place.relations + others)
        return [DraftAction("past", None, place, _BY[node.name])]

    def _beside(self, node: Node) -> list[DraftAction]:
        relation: Relation = "left of" if side_of(node) == "left" else "right of"
        return [
            DraftAction("past", None, self.places.within(node).place, relation, side=_OTHER_SIDE[relation])
        ]

    def _away(self, node: Node) -> list[DraftAction]:
        return [DraftAction("go", None, self.places.within(node).place, side="behind")]

    def _from(self, node: Node) -> list[DraftAction]:
        self.places.within(node)  # pronouns may stand for it, but it asks for nothing
        return []

    def _outside(self, node: Node) -> list[DraftAction]:
        leaf = list(node.leaves())[-1]
        span = self.places.span_of(leaf.start, leaf.stop)
        return [DraftAction("enter", None, NamedPlace(what="room", name="outdoor", span=span))]

    def _keep(self, node: Node) -> list[DraftAction]:
        resolved = self.places.within(node)
        if resolved.place is not None and resolved.place.side in ("ahead", "behind"):
            return [facing(resolved.place, node)]
        return _each("past", resolved)

    # ---- the rest

    def _walk(self, node: Node) -> list[DraftAction]:
        drafts = [DraftAction("go")]
        for child in node.nodes():
            if child.name == "left_right":
                slightly = any(leaf.lexeme.terminal == "SLIGHT" for leaf in node.own_leaves())
                turn = self._turning(child, slight=slightly)
                own(child, [turn])
                drafts = [turn] if drafts[-1].direction is None else [*drafts, turn]
            elif child.name == "straight":
                drafts[-1].direction = drafts[-1].direction or "straight"
            elif child.name == "in_room":
                drafts = follow(drafts, self.make(child))
        return drafts

    def _face(self, node: Node) -> list[DraftAction]:
        return [DraftAction("face", None, self.places.within(node).place)]

    def _stop(self, node: Node) -> list[DraftAction]:
        draft = DraftAction("stop")
        for child in node.nodes():
            if child.name == "spot":
                locate(draft, self.places.location(child))
            elif child.name == "outside":
                locate(draft, Location(relation="in", resolved=ResolvedPlace(self._outside(child)[0].place)))
            elif child.name == "stop_in":
                resolved = self.places.within(child)
                locate(
                    draft, Location(relation="on" if is_stairs(resolved.place) else "in", resolved=resolved)
                )
        return [draft]

    def _remark(self, node: Node) -> list[DraftAction]:
        draft = DraftAction("remark", None, self.places.within(node).place)
        for child in node.nodes():
            if child.name == "spot":
                location = self.places.location(child)
                if draft.place is None:
                    draft.place, draft.relation, draft.side = (
                        location.resolved.place,
                        location.relation,
                        location.side,
                    )
                else:
                    draft.place = self.places.located(draft.place, location)
        return [draft]


def facing(place: NamedPlace | None, node: Node) -> DraftAction:
    """Return the action of standing so that a place is where the phrase says it is."""
    draft = DraftAction("face", words=set(node.words()))
    if place is not None:
        draft.side, draft.place = place.side, msgspec.structs.replace(place, side=None)
    return draft


def _each(kind: ActionKind, resolved: ResolvedPlace) -> list[DraftAction]:
    """Return an action for the place, and for those named with it one each where all are passed."""
    first = DraftAction(kind, None, resolved.place, resolved.part, side=resolved.side)
    if kind in ("past", "through"):
        return [first, *(DraftAction(kind, None, other, words=set(words)) for other, words in resolved.also)]
    return [first]


def _plain(kind: ActionKind, direction: Direction | None = None) -> Make:
    return lambda moves, node: [DraftAction(kind, direction)]


Make = Callable[[MotionReader, Node], list[DraftAction]]
_MAKE: dict[str, Make] = {
    "across": MotionReader._across,
    "action_t": MotionReader._turn,
    "along": MotionReader._along,
    "around": MotionReader._past,
    "around_corner": MotionReader._past,
    "around_it": MotionReader._past,
    "away": MotionReader._away,
    "backwards": _plain("go", "back"),
    "beside": MotionReader._beside,
    "between": MotionReader._between,
    "down": MotionReader._up_or_down,
    "downstairs": MotionReader._stairs,
    "downstairs_adverb": MotionReader._stairs,
    "downwards": MotionReader._upwards,
    "exit": MotionReader._exit,
    "face": MotionReader._face,
    "fragment": MotionReader._remark,
    "from": MotionReader._from,
    "in_room": MotionReader._enter,
    "inside": _plain("enter"),
    "into": MotionReader._enter,
    "ir": MotionReader._remark,
    "keep": MotionReader._keep,
    "keeping": MotionReader._keep,
    "left_right": MotionReader._turn,
    "onto": MotionReader._onto,
    "out": MotionReader._exit,
    "outside": MotionReader._outside,
    "outward": _plain("exit"),
    "over": MotionReader._between,
    "pass_by": MotionReader._past,
    "pass_it": MotionReader._past,
    "past": MotionReader._past,
    "reach": MotionReader._towards,
    "stop": MotionReader._stop,
    "straight": _plain("go", "straight"),
    "take": MotionReader._take,
    "through": MotionReader._through,
    "towards": MotionReader._towards,
    "turning": MotionReader._turn,
    "under": MotionReader._between,
    "up": MotionReader._up_or_down,
    "upstairs": MotionReader._stairs,
    "upstairs_adverb": MotionReader._stairs,
    "upwards": MotionReader._upwards,
    "veer": MotionReader._turn,
    "walk": MotionReader._walk,
}
