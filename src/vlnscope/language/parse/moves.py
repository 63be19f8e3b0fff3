"""Single phrases of an instruction: what “past the table”, “take the second left” or “upstairs” ask for."""

from __future__ import annotations

from collections.abc import Callable

import msgspec

from vlnscope.language.actions import ActionKind, Direction, Place, Relation, Side
from vlnscope.language.parse.chart import Node
from vlnscope.language.parse.drafts import Draft, follow, own, put_at
from vlnscope.language.parse.places import Found, Places, Spot, is_doorlike, is_stairs, side_of

_SLIGHT: dict[str, Direction] = {"left": "slight left", "right": "slight right"}
_OTHER_SIDE: dict[Relation | None, Side] = {"left of": "right", "right of": "left"}
_BY: dict[str, Relation] = {"between": "between", "under": "under", "over": "on"}
_WAYS = ("path", "bridge", "driveway", "ramp", "rug", "runner")
_LEVELS = ("landing", "level", "floor")


class Moves:
    """Makes the actions of single phrases, their words included."""

    def __init__(self, places: Places) -> None:
        self.places = places

    def make(self, node: Node) -> list[Draft]:
        """Return the actions of a phrase by its rule's name."""
        drafts = _MAKE[node.name](self, node)
        own(node, drafts)
        return drafts

    # ---- turning and stairs

    def _turn(self, node: Node) -> list[Draft]:
        return [self._turning(node, slight=node.name == "veer")]

    def _turning(self, node: Node, slight: bool) -> Draft:
        leaves = {leaf.lexeme.terminal: leaf for leaf in node.leaves()}
        inner = {child.name for child in node.nodes()}
        if "turn_there" in inner:
            return Draft("turn")
        if "straight" in inner:
            return Draft("go", "straight")
        side = side_of(node)
        if side not in ("left", "right"):
            return Draft("turn", "around")
        number = leaves.get("NUMBER")
        slight = slight or "SLIGHT" in leaves or (number is not None and number.lexeme.value == 45)
        draft = Draft("turn", _SLIGHT[side] if slight else side)
        ordinal = leaves.get("ORDINAL")
        if ordinal is not None:
            span = self.places.span_of(ordinal.start, ordinal.stop)
            count = ordinal.lexeme.value
            draft.at = Place(what="object", name="doorway", span=span, ordinal=count, side=side)
            draft.at_relation = "at"
        return draft

    def _stairs(self, node: Node) -> list[Draft]:
        found = self.places.within(node)
        direction: Direction = "down" if node.name.startswith("downstairs") else "up"
        return [Draft("stairs", direction, found.place, found.part)]

    def _up_or_down(self, node: Node) -> list[Draft]:
        found = self.places.within(node)
        if is_stairs(found.place) or (found.place is not None and found.place.name == "ramp"):
            return [Draft("stairs", "up" if node.name == "up" else "down", found.place, found.part)]
        return [Draft("go", None, found.place, found.part)]

    def _upwards(self, node: Node) -> list[Draft]:
        direction: Direction = "up" if node.name == "upwards" else "down"
        return [Draft("stairs" if is_stairs(self.places.last) else "go", direction)]

    # ---- landmarks and regions

    def _towards(self, node: Node) -> list[Draft]:
        found = self.places.within(node)
        names = node.terminals()
        if found.place is not None and (found.place.name in _LEVELS or is_stairs(found.place)):
            if "UP" in names and found.part != "bottom of":
                return [Draft("stairs", "up", found.place, found.part)]
            if "DOWN" in names and found.part != "top of":
                return [Draft("stairs", "down", found.place, found.part)]
        return _each("towards", found)

    def _past(self, node: Node) -> list[Draft]:
        through = any(leaf.lexeme.terminal == "THROUGH" for leaf in node.own_leaves())
        return _each("through" if through else "past", self.places.within(node))

    def _through(self, node: Node) -> list[Draft]:
        return _each("through", self.places.within(node))

    def _enter(self, node: Node) -> list[Draft]:
        found = self.places.within(node)
        if found.part not in (None, "in"):
            return _each("towards", found)
        return _each("through" if is_doorlike(found.place) else "enter", found._replace(part=None))

    def _exit(self, node: Node) -> list[Draft]:
        found = self.places.within(node)
        return _each("through" if is_doorlike(found.place) else "exit", found)

    def _onto(self, node: Node) -> list[Draft]:
        found = self.places.within(node)
        place = found.place
        if found.part in _OTHER_SIDE:
            return [Draft("past", None, place, found.part, side=_OTHER_SIDE[found.part])]
        if place is not None and place.name in _WAYS:
            return [Draft("go", None, place)]
        if place is not None and place.what == "room":
            return [Draft("enter", None, place)]
        return [Draft("towards", None, place, "on")]

    def _along(self, node: Node) -> list[Draft]:
        found = self.places.within(node)
        return [Draft("go", None, found.place, found.part)]

    def _across(self, node: Node) -> list[Draft]:
        place = self.places.within(node).place
        is_room = place is None or place.what == "room"
        return [Draft("through" if is_room else "past", None, place)]

    def _take(self, node: Node) -> list[Draft]:
        found = self.places.within(node)
        if is_stairs(found.place):
            names = node.terminals()
            direction: Direction | None = "up" if "UP" in names else "down" if "DOWN" in names else None
            return [Draft("stairs", direction, found.place)]
        if is_doorlike(found.place):
            return _each("through", found)
        return [Draft("go", None, found.place)]

    def _between(self, node: Node) -> list[Draft]:
        found = self.places.within(node)
        place = found.place
        if place is None or is_doorlike(place):
            return _each("through", found)
        others: tuple[tuple[Relation, Place], ...] = tuple(("with", other) for other, _ in found.also)
        place = msgspec.structs.replace(place, relations=place.relations + others)
        return [Draft("past", None, place, _BY[node.name])]

    def _beside(self, node: Node) -> list[Draft]:
        relation: Relation = "left of" if side_of(node) == "left" else "right of"
        return [Draft("past", None, self.places.within(node).place, relation, side=_OTHER_SIDE[relation])]

    def _away(self, node: Node) -> list[Draft]:
        return [Draft("go", None, self.places.within(node).place, side="behind")]

    def _from(self, node: Node) -> list[Draft]:
        self.places.within(node)  # pronouns may stand for it, but it asks for nothing
        return []

    def _outside(self, node: Node) -> list[Draft]:
        leaf = list(node.leaves())[-1]
        span = self.places.span_of(leaf.start, leaf.stop)
        return [Draft("enter", None, Place(what="room", name="outdoor", span=span))]

    def _keep(self, node: Node) -> list[Draft]:
        found = self.places.within(node)
        if found.place is not None and found.place.side in ("ahead", "behind"):
            return [facing(found.place, node)]
        return _each("past", found)

    # ---- the rest

    def _walk(self, node: Node) -> list[Draft]:
        drafts = [Draft("go")]
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

    def _face(self, node: Node) -> list[Draft]:
        return [Draft("face", None, self.places.within(node).place)]

    def _stop(self, node: Node) -> list[Draft]:
        draft = Draft("stop")
        for child in node.nodes():
            if child.name == "spot":
                put_at(draft, self.places.spot(child))
            elif child.name == "outside":
                put_at(draft, Spot(relation="in", found=Found(self._outside(child)[0].place)))
            elif child.name == "stop_in":
                found = self.places.within(child)
                put_at(draft, Spot(relation="on" if is_stairs(found.place) else "in", found=found))
        return [draft]

    def _remark(self, node: Node) -> list[Draft]:
        draft = Draft("remark", None, self.places.within(node).place)
        for child in node.nodes():
            if child.name == "spot":
                spot = self.places.spot(child)
                if draft.place is None:
                    draft.place, draft.relation, draft.side = spot.found.place, spot.relation, spot.side
                else:
                    draft.place = self.places.located(draft.place, spot)
        return [draft]


def facing(place: Place | None, node: Node) -> Draft:
    """Return the action of standing so that a place is where the phrase says it is."""
    draft = Draft("face", words=set(node.words()))
    if place is not None:
        draft.side, draft.place = place.side, msgspec.structs.replace(place, side=None)
    return draft


def _each(kind: ActionKind, found: Found) -> list[Draft]:
    """Return an action for the place, and for those named with it one each where all are passed."""
    first = Draft(kind, None, found.place, found.part, side=found.side)
    if kind in ("past", "through"):
        return [first, *(Draft(kind, None, other, words=set(words)) for other, words in found.also)]
    return [first]


def _plain(kind: ActionKind, direction: Direction | None = None) -> Make:
    return lambda moves, node: [Draft(kind, direction)]


Make = Callable[[Moves, Node], list[Draft]]
_MAKE: dict[str, Make] = {
    "across": Moves._across,
    "action_t": Moves._turn,
    "along": Moves._along,
    "around": Moves._past,
    "around_corner": Moves._past,
    "around_it": Moves._past,
    "away": Moves._away,
    "backwards": _plain("go", "back"),
    "beside": Moves._beside,
    "between": Moves._between,
    "down": Moves._up_or_down,
    "downstairs": Moves._stairs,
    "downstairs_adverb": Moves._stairs,
    "downwards": Moves._upwards,
    "exit": Moves._exit,
    "face": Moves._face,
    "fragment": Moves._remark,
    "from": Moves._from,
    "in_room": Moves._enter,
    "inside": _plain("enter"),
    "into": Moves._enter,
    "ir": Moves._remark,
    "keep": Moves._keep,
    "keeping": Moves._keep,
    "left_right": Moves._turn,
    "onto": Moves._onto,
    "out": Moves._exit,
    "outside": Moves._outside,
    "outward": _plain("exit"),
    "over": Moves._between,
    "pass_by": Moves._past,
    "pass_it": Moves._past,
    "past": Moves._past,
    "reach": Moves._towards,
    "stop": Moves._stop,
    "straight": _plain("go", "straight"),
    "take": Moves._take,
    "through": Moves._through,
    "towards": Moves._towards,
    "turning": Moves._turn,
    "under": Moves._between,
    "up": Moves._up_or_down,
    "upstairs": Moves._stairs,
    "upstairs_adverb": Moves._stairs,
    "upwards": Moves._upwards,
    "veer": Moves._turn,
    "walk": Moves._walk,
}
