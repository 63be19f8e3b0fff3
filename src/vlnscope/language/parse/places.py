"""Places of an instruction: from a matched phrase to what it names and how it describes it."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any, NamedTuple

from msgspec.structs import replace

from vlnscope.language.actions import NamedPlace, Relation, Side, Span
from vlnscope.language.lexicon.entries import lexicon
from vlnscope.language.lexicon.tokens import RawWord
from vlnscope.language.parse.chart import Node

RELATIONS: dict[str, Relation] = {
    "at": "at", "near": "near", "in": "in", "on": "on", "in_front": "in front of", "behind": "behind",
    "between": "between", "under": "under", "opposite": "opposite", "before": "before", "after": "after",
    "left_of": "left of", "right_of": "right of", "inside_of": "in",
}  # fmt: skip
"""The relation that each alternative of the rule `where` expresses."""

_PARTS: dict[str, tuple[Relation, Relation]] = {
    "TOP": ("top of", "top of"),
    "BOTTOM": ("bottom of", "bottom of"),
    "END": ("at the end of", "at the end of"),
    "MIDDLE": ("in", "in"),
    "BORDER": ("near", "near"),
    "OTHER_SIDE": ("opposite", "opposite"),
    "FRONT_PART": ("in front of", "in"),
    "BACK_PART": ("behind", "in"),
    "BEGINNING": ("near", "near"),
}
"""What “the top of X” means for where one is: of an object, and of a room."""

_SIDES: dict[str, Side] = {
    "LEFT": "left", "LEFTMOST": "left", "RIGHT": "right", "RIGHTMOST": "right", "STRAIGHT": "ahead",
    "FRONT": "ahead", "BEHIND": "behind",
}  # fmt: skip


class ResolvedPlace(NamedTuple):
    """A place as a phrase has it.

    Attributes:
        place: None for a pronoun that stands for nothing that was said before.
        part: where at the place (“the top of the stairs”), which overrides a preposition.
        also: further places of the same phrase (“the table and the chairs”), with their words.
        side: where a thing is said to be that the lexicon does not know.
    """

    place: NamedPlace | None
    part: Relation | None = None
    also: tuple[tuple[NamedPlace, range], ...] = ()
    side: Side | None = None


class Location(NamedTuple):
    """Where something is said to be: on a side of the walker, or in a relation to a place."""

    side: Side | None = None
    relation: Relation | None = None
    resolved: ResolvedPlace = ResolvedPlace(None)


def is_doorlike(place: NamedPlace | None) -> bool:
    """Tell whether one goes through it rather than to it: a door, a doorway, an archway."""
    return place is not None and place.what == "object" and lexicon().is_a(place.name, "doorway")


def is_stairs(place: NamedPlace | None) -> bool:
    """Tell whether a place is stairs of any kind."""
    return place is not None and lexicon().is_a(place.name, "stairs")


def side_of(node: Node) -> Side | None:
    """Return the side that a phrase such as “on your left” names."""
    return next(
        (_SIDES[leaf.lexeme.terminal] for leaf in node.leaves() if leaf.lexeme.terminal in _SIDES), None
    )


class PlaceReader:
    """Makes places out of phrases and remembers the last one, for pronouns."""

    def __init__(self) -> None:
        self.words: Sequence[RawWord] = ()
        self.last: NamedPlace | None = None
        self._seen: list[NamedPlace] = []

    def span_of(self, start: int, end: int) -> Span:
        """Return the characters that words ``[start, end)`` of the present sentence cover."""
        return Span(self.words[start].start, self.words[end - 1].end)

    def within(self, node: Node) -> ResolvedPlace:
        """Return the first place named directly in a phrase; nothing if it names none."""
        for child in node.nodes():
            if child.name == "place":
                return self.place(child)
        return ResolvedPlace(None)

    def place(self, node: Node) -> ResolvedPlace:
        """Return what a `place` phrase names."""
        thing, *posts = node.nodes()
        resolved = self._thing(thing)
        for post in posts:
            resolved = self._also(resolved, post) if post.name == "also" else self._post(resolved, post)
        if resolved.place is None:
            return resolved
        leaves = list(node.leaves())
        span = self.span_of(leaves[0].start, leaves[-1].stop)
        self.last = replace(resolved.place, span=span)
        self._seen.append(self.last)
        return resolved._replace(place=self.last)

    def location(self, node: Node) -> Location:
        """Return where a `where` or `location` phrase says something is."""
        while node.name in ("spot", "tail_where", "post_where", "front"):
            node = node.only()
        if node.name == "at_side":
            return Location(side=side_of(node))
        resolved = self.within(node)
        relation = RELATIONS[node.name]
        if node.name == "inside_of" and is_doorlike(resolved.place):
            relation = "after"
        return Location(relation=resolved.part or relation, resolved=resolved)

    def _thing(self, node: Node) -> ResolvedPlace:
        if node.name in ("landmark", "region"):
            place = self._named(node)
            return ResolvedPlace(place, _end_of_stairs(place, node))
        if node.name == "counted":
            whole = self.within(node)
            ordinal = next(leaf.lexeme.value for leaf in node.leaves() if leaf.lexeme.terminal == "ORDINAL")
            return ResolvedPlace(whole.place and replace(whole.place, ordinal=ordinal, count=None))
        if node.name == "part":
            return self._side_of(self.within(node), node)
        if node.name == "nameless":
            return ResolvedPlace(None)
        if node.name == "part_alone":
            whole_place = self._whole(node)
            return ResolvedPlace(whole_place, _part(node, whole_place))
        return ResolvedPlace(self._meant(node))

    def _side_of(self, whole: ResolvedPlace, node: Node) -> ResolvedPlace:
        """Return a part of a place: an end, or, of an object, what is left or right of it."""
        part = _part(node, whole.place)
        side = next((side_of(mod) for mod in _modifiers(node) if mod.name == "side_adjective"), None)
        if side is None or part != "near" or whole.place is None:
            return whole._replace(part=part)
        if whole.place.what == "room":
            return whole._replace(part="in", side=side)
        return whole._replace(part="left of" if side == "left" else "right of")

    def _meant(self, node: Node) -> NamedPlace | None:
        """Return what a pronoun stands for: the last place, or another like it (“the second one”)."""
        if self.last is None:
            return None
        like_it = replace(self.last, relations=(), side=None, count=None)
        other = self._modified(like_it, node)
        return other if other.ordinal or other.side else self.last

    def _whole(self, node: Node) -> NamedPlace | None:
        """Return what “the top” or “the end” is of: stairs for the former, else the last room."""
        leaves = list(node.leaves())
        if _part_name(node) in ("TOP", "BOTTOM"):
            named = next((place for place in reversed(self._seen) if is_stairs(place)), None)
            return named or NamedPlace(
                what="object", name="stairs", span=self.span_of(leaves[0].start, leaves[-1].stop)
            )
        return next((place for place in reversed(self._seen) if place.what == "room"), None)

    def _also(self, resolved: ResolvedPlace, node: Node) -> ResolvedPlace:
        """Add a place that is named in the same breath."""
        place, last = resolved.place, self.last
        other = self.within(node)
        self.last = place or last
        if place is None or other.place is None:
            return resolved
        leaves = list(node.leaves())
        more = ((other.place, range(leaves[0].start, leaves[-1].stop)), *other.also)
        return resolved._replace(also=(*resolved.also, *more))

    def _named(self, node: Node) -> NamedPlace:
        nouns = [leaf.lexeme for leaf in node.own_leaves()]
        head = next(noun for noun in reversed(nouns) if noun.terminal in ("OBJECT", "DOOR", "ROOM"))
        place = NamedPlace(what="room" if head.terminal == "ROOM" else "object", name=head.name)
        if head.plural:
            place = replace(place, count=0)
        place = self._modified(place, node)
        if place.name == "room" and place.relations and place.relations[-1][1].what == "room":
            name = place.relations[-1][1].name  # “the balcony area” is a balcony
            place = replace(place, name=name, relations=place.relations[:-1])
        beyond = self.within(node).place
        return _related(place, "at", beyond) if beyond else place

    def _modified(self, place: NamedPlace, node: Node) -> NamedPlace:
        """Add what stands before the noun: colours, numbers, sides, other nouns."""
        changes: dict[str, Any] = {}
        attributes: list[str] = []
        relations = list(place.relations)
        if any(leaf.lexeme.name == "both" for leaf in node.own_leaves()):
            changes["count"] = 2
        for modifier in _modifiers(node):
            leaf = next(modifier.leaves()).lexeme
            if modifier.name == "attribute":
                attributes.append(leaf.name)
            elif modifier.name == "numerical":
                changes["ordinal"] = leaf.value
            elif modifier.name == "number":
                changes["count"] = leaf.value
            elif modifier.name == "side_adjective":
                changes["side"] = side_of(modifier)
            elif modifier.name == "noun" and (leaf.terminal == "ROOM" or place.what == "room"):
                inner = next(modifier.leaves())
                other = NamedPlace(
                    what="room" if leaf.terminal == "ROOM" else "object",
                    name=leaf.name,
                    span=self.span_of(inner.start, inner.stop),
                )
                of_room: Relation = "at" if is_doorlike(place) else "in"
                relations.append((of_room if other.what == "room" else "with", other))
        return replace(
            place, attributes=place.attributes + tuple(attributes), relations=tuple(relations), **changes
        )

    def _post(self, resolved: ResolvedPlace, node: Node) -> ResolvedPlace:
        """Add what stands after the noun."""
        place = resolved.place
        if place is None:
            is_side = node.name in ("post_side", "side_to")
            return resolved._replace(side=side_of(node)) if is_side else resolved
        if node.name in ("post_side", "side_to"):
            return resolved._replace(place=replace(place, side=side_of(node)))
        if node.name == "post_is":
            return resolved._replace(place=self._is(place, node))
        if node.name == "post_where":
            return resolved._replace(place=self.located(place, self.location(node)))
        inner = node
        if node.name == "post_leads":
            inner = node.only()
        other = self.within(inner)
        if other.place is None or node.name == "post_from":
            return resolved
        relation: Relation = "with" if node.name == "post_with" else "at" if is_doorlike(place) else "near"
        if node.name == "post_of" and other.place.what == "room" and not is_doorlike(place):
            relation = "in"
        return resolved._replace(place=_related(place, other.part or relation, other.place))

    def _is(self, place: NamedPlace, node: Node) -> NamedPlace:
        for child in node.nodes():
            if child.name == "spot":
                place = self.located(place, self.location(child))
            elif child.name == "attribute":
                name = next(child.leaves()).lexeme.name
                place = replace(place, attributes=(*place.attributes, name))
            elif child.name == "place":
                place = _same(place, self.place(child).place)
        return place

    def located(self, place: NamedPlace, location: Location) -> NamedPlace:
        """Return a place with what is said of where it is."""
        if location.side is not None:
            return replace(place, side=location.side)
        if location.relation is None or location.resolved.place is None:
            return place
        for other in (location.resolved.place, *(also for also, _ in location.resolved.also)):
            place = _related(place, location.relation, other)
        return place


def _same(place: NamedPlace, other: NamedPlace | None) -> NamedPlace:
    """Add what is said of a place named twice (“the bathroom, which is the first room on the left”)."""
    if other is None:
        return place
    return replace(
        place,
        ordinal=place.ordinal or other.ordinal,
        side=place.side or other.side,
        attributes=place.attributes + other.attributes,
        relations=place.relations + other.relations,
    )


def _related(place: NamedPlace, relation: Relation, other: NamedPlace) -> NamedPlace:
    return replace(place, relations=(*place.relations, (relation, other)))


def _part(node: Node, whole: NamedPlace | None) -> Relation:
    of_object, of_room = _PARTS[_part_name(node)]
    return of_room if whole is not None and whole.what == "room" else of_object


def _part_name(node: Node) -> str:
    return next(leaf.lexeme.terminal for leaf in node.own_leaves() if leaf.lexeme.terminal in _PARTS)


def _end_of_stairs(place: NamedPlace, node: Node) -> Relation | None:
    """Return which end “the top step” is at."""
    for modifier in _modifiers(node):
        terminal = next(modifier.leaves()).lexeme.terminal
        if modifier.name == "part_adjective" and terminal in ("TOP", "BOTTOM") and is_stairs(place):
            return _PARTS[terminal][0]
    return None


def _modifiers(node: Node) -> Iterator[Node]:
    for child in node.nodes():
        if child.name == "modifier":
            yield from child.nodes()
