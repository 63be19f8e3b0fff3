"""What can be asked at the end of a truncated episode, skill by skill, under the options of the builder."""

from __future__ import annotations

from collections.abc import Iterator

from vlnscope.benchmarks.behavior.build.direction import direction_questions, facing, turn_degrees
from vlnscope.benchmarks.behavior.build.object_names import ObjectNames, names_for
from vlnscope.benchmarks.behavior.build.objects import object_questions
from vlnscope.benchmarks.behavior.build.options import BehaviorOptions
from vlnscope.benchmarks.behavior.build.question import AHEAD, CaseDraft
from vlnscope.benchmarks.behavior.build.room_kinds import RoomKinds
from vlnscope.benchmarks.behavior.build.rooms import far_room_questions, room_questions, ways_apart
from vlnscope.benchmarks.behavior.build.templates import Templates, draw, stop_sentences
from vlnscope.benchmarks.behavior.build.text_end import MOVES, text_end
from vlnscope.benchmarks.behavior.build.truncation import Truncation
from vlnscope.benchmarks.behavior.build.turns import MADE, turn_state
from vlnscope.benchmarks.behavior.build.witnesses import CaptionWitnesses
from vlnscope.benchmarks.kit.filter_counts import FilterCounts
from vlnscope.language.parse import parse
from vlnscope.types import STOP
from vlnscope.worlds.scene import Scene, Scenes

ONWARDS = 45.0
"""Degrees within which the next step goes on the same way."""
BACK = 130.0
"""Degrees of a turn that leads back where one came from."""


def plain(it: Truncation) -> CaseDraft:
    """Ask the truncated instruction as it is, which means to stop: what interventions are compared with."""
    return CaseDraft(it, "stop", "implicit", None, (STOP,), variant="none")


def stop_questions(it: Truncation, templates: Templates, seed: int) -> Iterator[CaseDraft]:
    """Yield the question that says to stop and, where there is one, that which says to go a step further."""
    yield CaseDraft(it, "stop", "explicit", draw(stop_sentences(templates), seed, "stop", it.pair), (STOP,))
    if it.ahead is not None:
        following, more = (it.following,), (("ahead", str(it.ahead_by)),)
        yield CaseDraft(it, "stop", "one-ahead", None, following, following, variant=AHEAD, more=more)


def is_open_ended(it: Truncation, scene: Scene) -> bool:
    """Say whether a text leads towards something, and the path goes on that way: it may end further on."""
    moves = [action for action in parse(it.text).actions if action.kind in MOVES]
    if not moves or moves[-1].kind not in ("towards", "go"):
        return False
    look, further = facing(scene, it.path, "exact"), facing(scene, (it.end, it.following), "exact")
    return abs(turn_degrees(further - look)) < ONWARDS


def leads_back(question: CaseDraft, scene: Scene) -> bool:
    """Say whether a question sends the walker back the way it came, which nobody says without “back”.

    A first step to a viewpoint of the path, or more than `BACK` degrees round, leads back.
    """
    it, step = question.truncation, question.way[0]
    if step in it.path:
        return True
    look = facing(scene, it.path, "exact")
    ways = [candidate for candidate in scene.candidates(it.end) if candidate.viewpoint == step]
    return any(abs(turn_degrees(way.heading - look)) > BACK for way in ways)


class Asker:
    """Finds what can be asked.

    Attributes:
        scenes: where the episodes take place.
        counts: counts what filters leave out.
        options: of the builder.
    """

    def __init__(self, scenes: Scenes, counts: FilterCounts, options: BehaviorOptions) -> None:
        self.scenes = scenes
        self.counts = counts
        self.options = options
        self._names: dict[str, ObjectNames] = {}
        self._witnesses = CaptionWitnesses(scenes)

    def look(self, it: Truncation) -> float:
        """Return where the agent looks at the end of a truncated episode."""
        return facing(self.scenes.scene(it.episode.scan), it.path, self.options.facing)

    def ask(self, skill: str, it: Truncation) -> Iterator[CaseDraft]:
        """Yield the questions of a skill."""
        ask = {
            "stop": self._stop,
            "direction": self._direction,
            "object": self._object,
            "room": self._room,
            "room-k": self._far_room,
        }[skill]
        if not self._goes_on(it, skill):
            return iter(())
        scene = self.scenes.scene(it.episode.scan)
        asked = ask(it, scene)
        if not self.options.clear or skill not in ("object", "room", "room-k"):
            return asked
        return (one for one in asked if self._confirmed(one, scene))

    def _confirmed(self, question: CaseDraft, scene: Scene) -> bool:
        skill = question.skill
        return self.counts.passes(
            f"{skill}: not straight back", not leads_back(question, scene)
        ) and self.counts.passes(
            f"{skill}: captions do not say otherwise", self._witnesses.confirm(question, scene)
        )

    def _goes_on(self, it: Truncation, skill: str) -> bool:
        """Say whether somebody who has read the text has done all of it, and can be told to walk on.

        There is no turn to be made and, but for stopping, no stop. Directions see to turns themselves.
        """
        if not self.options.clear:
            return True
        stops = skill != "stop" and text_end(it.text).stops
        if not self.counts.passes(f"{skill}: the text does not say to stop", not stops):
            return False
        passed = self._witnesses.has_passed(it, self.scenes.scene(it.episode.scan))
        if not self.counts.passes(f"{skill}: what the text passes is not ahead", passed):
            return False
        if skill == "direction" or self.options.turns != "left-out":
            return True
        made = turn_state(it, self.scenes.scene(it.episode.scan).graph) in MADE
        return self.counts.passes(f"{skill}: no turn of the text is still to be made", made)

    def _stop(self, it: Truncation, scene: Scene) -> Iterator[CaseDraft]:
        if self.options.clear and not self.counts.passes(
            "stop: the text says where it ends", not is_open_ended(it, scene)
        ):
            return iter(())
        if it.ahead is not None and self.options.clear:
            around = scene.candidates(it.end)
            alone = ways_apart(around, [candidate.viewpoint == it.following for candidate in around])
            if not self.counts.passes("stop: no other way goes where the text ahead does", alone):
                it = it._replace(ahead=None)
        return stop_questions(it, self.options.templates, self.options.seed)

    def _direction(self, it: Truncation, scene: Scene) -> Iterator[CaseDraft]:
        """Yield questions about directions, seen from where the text has the walker look."""
        chosen, way = self.options, it.path
        state = turn_state(it, scene.graph)
        if chosen.turns != "released":
            seen = (*MADE, "to come") if chosen.turns == "facing" else MADE
            if not self.counts.passes("direction: it is clear where the walker looks", state in seen):
                return
            way = (it.end, it.following) if state == "to come" else way
        look = facing(scene, way, chosen.facing)
        for question in direction_questions(
            it,
            scene,
            look,
            self.counts,
            filters=chosen.filters,
            templates=chosen.templates,
            clear=facing(scene, way, "exact") if chosen.clear else None,
            seed=chosen.seed,
        ):
            yield question._replace(more=(("turn", state), ("facing", f"{look:.6f}")))

    def _object(self, it: Truncation, scene: Scene) -> Iterator[CaseDraft]:
        chosen, source = self.options, scene.objects.source
        if source not in self._names:
            self._names[source] = names_for(self.scenes, source)
        names = self._names[source]
        return object_questions(
            it,
            scene,
            names,
            self.counts,
            neighbours=chosen.neighbours,
            reach=chosen.reach,
            clear=chosen.clear,
        )

    def _room(self, it: Truncation, scene: Scene) -> Iterator[CaseDraft]:
        chosen = self.options
        return room_questions(it, scene, self.counts, self._kinds(), stop=chosen.one_hop_stop)

    def _far_room(self, it: Truncation, scene: Scene) -> Iterator[CaseDraft]:
        chosen = self.options
        return far_room_questions(
            it, scene, self.counts, self._kinds(), hops=chosen.hops, rule=chosen.hop_rule
        )

    def _kinds(self) -> RoomKinds:
        chosen = self.options
        return RoomKinds(chosen.clear, legacy=chosen.filters == "legacy", seed=chosen.seed)
