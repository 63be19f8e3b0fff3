"""Actions of an instruction: from matched steps to what they ask for.

A step is a verb phrase with what comes before it. Its head makes the first action; every further part of the
way (“past the table”, “into the bedroom”) makes another one, and phrases that say where or when something
happens are added to the action they belong to. A plain “walk” melts into the part of the way that follows it.
"""

from __future__ import annotations

from collections.abc import Sequence

from vlnscope.language.actions import ActionKind, Relation
from vlnscope.language.lexicon.tokens import RawWord
from vlnscope.language.parse.chart import Node
from vlnscope.language.parse.draft_actions import DraftAction, adopt, follow, locate, own, reached, repeats
from vlnscope.language.parse.moves import MotionReader, facing
from vlnscope.language.parse.places import Location, PlaceReader, ResolvedPlace


class ActionBuilder:
    """Makes the actions of one sentence after the other."""

    def __init__(self) -> None:
        self._places = PlaceReader()
        self._moves = MotionReader(self._places)
        self._before: DraftAction | None = None

    def begin(self, sentence: Sequence[RawWord]) -> None:
        """Go on to the next sentence."""
        self._places.words = sentence

    def step(self, node: Node, earlier: Sequence[DraftAction]) -> list[DraftAction]:
        """Return the actions of a step, in order; every word of it belongs to one of them.

        Where it only says more of the last of the `earlier` actions of this sentence (“stop there, near the
        sofa”), that action is changed and there are none.
        """
        drafts: list[DraftAction] = []
        fronts: list[tuple[Node, Location]] = []
        for child in node.nodes():
            if child.name == "front":
                first, location = self._condition(child.only())
                drafts += [draft for draft in first if not repeats(draft, self._before)]
                fronts += [(child, location)] if location is not None else []
            elif child.name == "vp":
                new = self._vp(child)
                for front, location in fronts:
                    locate(new[0], location)
                    own(front, new)
                drafts += new
                fronts = []
        if fronts and not drafts and earlier:
            return self._afterthought(node, fronts, earlier[-1])
        drafts += [self._alone(front, location) for front, location in fronts]
        drafts = drafts or [DraftAction("remark")]  # “once you have passed it,” and nothing else
        adopt(node, drafts)
        self._before = drafts[-1]
        return drafts

    def _afterthought(
        self, node: Node, fronts: Sequence[tuple[Node, Location]], last: DraftAction
    ) -> list[DraftAction]:
        for _, location in fronts:
            locate(last, location)
        own(node, [last])
        return []

    def _alone(self, front: Node, location: Location) -> DraftAction:
        draft = reached(location)
        own(front, [draft])
        return draft

    def _vp(self, node: Node) -> list[DraftAction]:
        head, *tails = node.nodes()
        if head.name == "bare":
            head = head.only()
        if head.name == "negated":
            drafts = self._negated(head)
        else:
            drafts = self._moves.make(head) or [DraftAction("remark", words=set(head.words()))]
        for tail in tails:
            drafts = self._tail(drafts, tail)
            own(tail, drafts, drafts[-1])
        return drafts

    def _negated(self, node: Node) -> list[DraftAction]:
        """Take what is not to be done for a remark."""
        unwanted = self._vp(node.only())
        return [DraftAction("remark", None, unwanted[0].place, words=set(node.words()))]

    def _tail(self, drafts: list[DraftAction], node: Node) -> list[DraftAction]:
        if node.name in ("tail_amount", "tail_how"):
            return drafts
        if node.name == "tail_where":
            return self._where(drafts, self._places.location(node), node)
        if node.name == "when_after":
            locate(drafts[-1], self._done(node, "after"))
            return drafts
        if node.name == "when_before":
            return self._before_that(drafts, node)
        if node.name.startswith("when"):
            first, location = self._condition(node)
            if location is not None:
                locate(drafts[-1], location)
            return [*drafts[:-1], *first, drafts[-1]]
        further = self._further(node)
        own(node, further)
        return follow(drafts, further)

    def _before_that(self, drafts: list[DraftAction], node: Node) -> list[DraftAction]:
        """Read “stop before entering the kitchen”, and “go on before turning left”, which is done next."""
        then = self._vp(node.only())
        if then[-1].place is None:
            own(node, then)
            return follow(drafts, then)
        locate(drafts[-1], Location(relation="before", resolved=ResolvedPlace(then[-1].place)))
        return drafts

    def _further(self, node: Node) -> list[DraftAction]:
        if node.name == "path":
            return self._moves.make(node.only())
        if node.name == "keeping":
            return self._moves.make(node)
        if node.name == "purpose":
            return self._vp(node.only())
        return self._until(node)

    def _where(self, drafts: list[DraftAction], location: Location, node: Node) -> list[DraftAction]:
        if drafts[-1].is_plain and drafts[-1].kind == "go" and location.resolved.place is not None:
            return follow(drafts, [self._alone(node, location)])
        locate(drafts[-1], location)
        return drafts

    def _condition(self, node: Node) -> tuple[list[DraftAction], Location | None]:
        """Return the actions that come first, and the place at which the next one happens."""
        if node.name == "keeping":
            return [facing(self._places.within(node).place, node)], None
        if node.name in ("when_done", "when_after"):
            first = self._vp(node.only())
            if first[-1].kind == "stop":  # “once you stand by the sofa”
                return first[:-1], Location(
                    relation=first[-1].relation, resolved=ResolvedPlace(first[-1].place)
                )
            return first, None
        if node.name == "when_before":
            return [], self._done(node, "before")
        if node.name == "when_at":
            resolved = self._places.within(node)
            if resolved.place is not None and node.nodes()[-1].name != "place":
                where = self._places.location(node.nodes()[-1])
                resolved = resolved._replace(place=self._places.located(resolved.place, where))
            return [], Location(relation=resolved.part or "at", resolved=resolved)
        return [], self._places.location(node.only() if node.name == "when_where" else node)

    def _done(self, node: Node, relation: Relation) -> Location:
        """Return the place of “before entering the kitchen” or “after passing the sofa”."""
        draft = self._vp(node.only())[-1]
        if relation == "after" and draft.kind == "enter":
            relation = "in"
        return Location(relation=relation, resolved=ResolvedPlace(draft.place))

    def _until(self, node: Node) -> list[DraftAction]:
        if node.name == "until_done":
            return [_arrived(draft) for draft in self._vp(node.only())]
        if node.name == "until_where":
            return [reached(self._places.location(node.only()))]
        resolved = self._places.within(node)
        if node.name == "until_at":
            return [DraftAction("towards", None, resolved.place, resolved.part)]
        side = self._places.location(node.nodes()[-1]).side
        kind: ActionKind = "face" if node.name == "so_side" else "past" if side else "towards"
        return [DraftAction(kind, None, resolved.place, side=side)]


def _arrived(draft: DraftAction) -> DraftAction:
    """Take standing somewhere for the way there (“walk until you are standing by the sofa”)."""
    if draft.kind != "stop" or draft.place is None:
        return draft
    there = reached(Location(relation=draft.relation, resolved=ResolvedPlace(draft.place)))
    there.words = draft.words
    return there
