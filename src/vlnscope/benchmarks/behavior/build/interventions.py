"""What can be asked at the end of a truncated episode, skill by skill, under the options of the builder."""

from __future__ import annotations

from collections.abc import Iterator

from vlnscope.benchmarks.behavior.build.direction import direction_questions, facing
from vlnscope.benchmarks.behavior.build.object_names import ObjectNames, names_for
from vlnscope.benchmarks.behavior.build.objects import object_questions
from vlnscope.benchmarks.behavior.build.options import BehaviorOptions
from vlnscope.benchmarks.behavior.build.question import AHEAD, CaseDraft
from vlnscope.benchmarks.behavior.build.rooms import far_room_questions, room_questions
from vlnscope.benchmarks.behavior.build.templates import Templates, draw, stop_sentences
from vlnscope.benchmarks.behavior.build.truncation import Truncation
from vlnscope.benchmarks.kit.filter_counts import FilterCounts
from vlnscope.types import STOP
from vlnscope.worlds.scene import Scene, Scenes


def plain(it: Truncation) -> CaseDraft:
    """Ask the truncated instruction as it is, which means to stop: what interventions are compared with."""
    return CaseDraft(it, "stop", "implicit", None, (STOP,), variant="none")


def stop_questions(it: Truncation, templates: Templates, seed: int) -> Iterator[CaseDraft]:
    """Yield the question that says to stop and, where there is one, that which says to go a step further."""
    yield CaseDraft(it, "stop", "explicit", draw(stop_sentences(templates), seed, "stop", it.pair), (STOP,))
    if it.ahead is not None:
        following = (it.following,)
        yield CaseDraft(it, "stop", "one-ahead", None, following, following, variant=AHEAD)


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
        return ask(it, self.scenes.scene(it.episode.scan))

    def _stop(self, it: Truncation, scene: Scene) -> Iterator[CaseDraft]:
        del scene
        return stop_questions(it, self.options.templates, self.options.seed)

    def _direction(self, it: Truncation, scene: Scene) -> Iterator[CaseDraft]:
        chosen = self.options
        return direction_questions(
            it,
            scene,
            self.look(it),
            self.counts,
            filters=chosen.filters,
            templates=chosen.templates,
            seed=chosen.seed,
        )

    def _object(self, it: Truncation, scene: Scene) -> Iterator[CaseDraft]:
        chosen, source = self.options, scene.objects.source
        if source not in self._names:
            self._names[source] = names_for(self.scenes, source)
        names = self._names[source]
        return object_questions(
            it, scene, names, self.counts, neighbours=chosen.neighbours, reach=chosen.reach
        )

    def _room(self, it: Truncation, scene: Scene) -> Iterator[CaseDraft]:
        chosen = self.options
        legacy = chosen.filters == "legacy"
        return room_questions(
            it, scene, self.counts, legacy=legacy, stop=chosen.one_hop_stop, seed=chosen.seed
        )

    def _far_room(self, it: Truncation, scene: Scene) -> Iterator[CaseDraft]:
        chosen = self.options
        return far_room_questions(
            it,
            scene,
            self.counts,
            hops=chosen.hops,
            rule=chosen.hop_rule,
            legacy=chosen.filters == "legacy",
            seed=chosen.seed,
        )
