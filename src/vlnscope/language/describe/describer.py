"""Describing a walk in words: true, as short as a person would, and leading to the goal alone."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Literal

import msgspec
import numpy as np

from vlnscope.core.exceptions import InputError
from vlnscope.core.rng import rng_for
from vlnscope.language.actions import Action, NamedPlace
from vlnscope.language.alignment import AlignedWord, StepSpan, align, chunks_of, times_of
from vlnscope.language.describe.candidates.referring import Ref
from vlnscope.language.describe.realise.realiser import RealisedStatement, Realiser
from vlnscope.language.describe.route import RouteIndex
from vlnscope.language.describe.scene_index import index_scene, path_rows
from vlnscope.language.describe.select.choice import Verbosity, words_in
from vlnscope.language.describe.select.selection import RouteCandidates, Selection, last_common_step, select
from vlnscope.types import Chunk, TimedWord
from vlnscope.worlds.scene import Scene

Register = Literal["terse", "r2r", "rxr"]
_TRIES = 4
REGISTERS: tuple[Register, ...] = ("terse", "r2r", "rxr")


class Referent(msgspec.Struct, frozen=True, kw_only=True):
    """What a place that an instruction names really is: objects by id, or a region."""

    place: NamedPlace
    object_ids: tuple[str, ...] = ()
    regions: tuple[int, ...] = ()


class GroundedAction(msgspec.Struct, frozen=True, kw_only=True):
    """One thing that an instruction says.

    Attributes:
        action: what, with the places and their spans in the text.
        first_step, last_step: the steps of the path that it speaks of (0 is the start).
        referents: what each place is, those in relations included.
    """

    action: Action
    first_step: int
    last_step: int
    referents: tuple[Referent, ...] = ()

    @property
    def object_ids(self) -> tuple[str, ...]:
        """The objects that the statement names."""
        return tuple(name for referent in self.referents for name in referent.object_ids)

    @property
    def regions(self) -> tuple[int, ...]:
        """The regions that the statement names."""
        return tuple(region for referent in self.referents for region in referent.regions)


class Description(msgspec.Struct, frozen=True, kw_only=True):
    """An instruction for a path, with what it says and where.

    Attributes:
        text: the instruction.
        register: how it is worded.
        statements: what it says, in order.
        words: its words with the step (0 is the start) at which each is acted upon.
        chunks: its sub-instructions with path steps, as in FGR2R.
        timed_words: its words with times, as a speaker says them who walks along.
        step_times: when that speaker reaches each step.
        ambiguous: why it may lead elsewhere too; None if it does not.
    """

    text: str
    register: Register
    statements: tuple[GroundedAction, ...]
    words: tuple[AlignedWord, ...]
    chunks: tuple[Chunk, ...]
    timed_words: tuple[TimedWord, ...]
    step_times: tuple[float, ...]
    ambiguous: str | None = None


class Describer:
    """Describes one path in as many ways as wanted; the path is looked at once.

    Args:
        scene: where the path is; rooms and objects are used if the scene has them.
        path: the viewpoints of a walk.
        heading: where the walker looks at the start, clockwise from +y.

    Raises:
        InputError: the path is empty or not a walk in the scene's graph.
    """

    def __init__(self, scene: Scene, path: Sequence[str], heading: float) -> None:
        rows = path_rows(scene, tuple(path))
        self._scene = scene
        self._route = RouteIndex(index_scene(scene), rows, heading)
        self._candidates = RouteCandidates(self._route, scene.graph.distances[rows[-1]])

    def describe(self, register: Register = "r2r", *, variant: int = 0, seed: int = 0) -> Description:
        """Return an instruction; other variants use other words and other landmarks."""
        if register not in REGISTERS:
            raise InputError(
                f"there is no register {register!r}",
                expected=f"one of {', '.join(REGISTERS)}",
                fix="choose one of them",
            )
        rows = self._route.rows
        nodes = self._route.index.nodes
        rng = rng_for(
            seed, "describe", self._scene.id, nodes[rows[0]], nodes[rows[-1]], len(rows), register, variant
        )
        chosen = self._planned(register, rng)
        text, said = Realiser(register, rng).write(chosen.statements)
        return self._finish(text, said, chosen, register)

    def _planned(self, register: Register, rng: np.random.Generator) -> Selection:
        """Return a plan without flaws if one is found in a few tries; for terse, the shortest found."""
        plans: list[Selection] = []
        while len(plans) < _TRIES and (register == "terse" or not plans or plans[-1].flaws):
            plans.append(select(self._candidates, rng, _verbosity(register, rng)))
        brief = register == "terse"
        return min(plans, key=lambda it: (it.flaws, sum(map(words_in, it.statements)) if brief else 0))

    def _finish(
        self, text: str, said: Sequence[RealisedStatement], chosen: Selection, register: Register
    ) -> Description:
        stretches = _stretches(said)
        words = align(text, stretches)
        positions = [self._route.index.positions[row] for row in self._route.rows]
        timed, times = times_of(words, positions)
        return Description(
            text=text,
            register=register,
            statements=tuple(self._statement(one) for one in said),
            words=words,
            chunks=chunks_of(text, _joined(stretches), self._route.end),
            timed_words=timed,
            step_times=times,
            ambiguous=self._why(chosen),
        )

    def _statement(self, said: RealisedStatement) -> GroundedAction:
        referents = tuple(referent for place, ref in said.refs for referent in self._referents(place, ref))
        return GroundedAction(
            action=said.action,
            first_step=said.statement.first,
            last_step=said.statement.last,
            referents=referents,
        )

    def _referents(self, place: NamedPlace, ref: Ref) -> list[Referent]:
        things = self._route.index.things
        referents = [
            Referent(
                place=place,
                object_ids=tuple(things[thing].id for thing in ref.things),
                regions=() if ref.region is None else (ref.region,),
            )
        ]
        for (_, other_place), (_, other) in zip(place.relations, ref.relations, strict=True):
            referents += self._referents(other_place, other)
        return referents

    def _why(self, chosen: Selection) -> str | None:
        if chosen.lost:
            return "nothing that can be said of the path fits it when taken literally"
        if not chosen.rivals:
            return None
        rows = self._route.rows
        rival = min(chosen.rivals, key=lambda other: -last_common_step(rows, other))
        away = float(self._candidates.to_goal[rival[-1]])
        return (
            f"a walk that leaves the path at step {last_common_step(rows, rival)} fits the instruction too "
            f"and ends {away:.1f} m from the goal"
        )


def _verbosity(register: Register, rng: np.random.Generator) -> Verbosity:
    """Draw how much is said, so that the lengths are spread as those of people are."""
    if register == "terse":
        return Verbosity(size=1, turns=0.4, places=0.0, embellished=0.0, faced=0.0, brevity=0.5)
    if register == "rxr":
        return Verbosity(size=6, turns=1.0, places=0.3, remarks=0.9, opening=True, embellished=0.3)
    words = 18.5 * math.exp(0.5 * float(rng.normal()))
    size = max(1, round((words - 13) / 7))
    return Verbosity(size=size, turns=0.65, places=0.15, remarks=0.04, embellished=0.2, stairs=0.85)


def _stretches(statements: Sequence[RealisedStatement]) -> list[StepSpan]:
    """Return what the words of each statement cover."""
    spans: list[StepSpan] = []
    before = None
    for said in statements:
        span, statement = said.action.span, said.statement
        start = spans.pop().start if statement is before else span.start
        spans.append(StepSpan(start, span.end, statement.first, statement.last))
        before = statement
    return spans


def _joined(stretches: list[StepSpan]) -> list[StepSpan]:
    """Join turns on the spot with what follows, and what covers the same steps."""
    joined: list[StepSpan] = []
    for stretch in stretches:
        if joined and (
            joined[-1].first == joined[-1].last or joined[-1].last >= stretch.last > stretch.first
        ):
            before = joined.pop()
            stretch = StepSpan(before.start, stretch.end, min(before.first, stretch.first), stretch.last)
        joined.append(stretch)
    return joined


def describe(
    scene: Scene,
    path: Sequence[str],
    heading: float,
    *,
    register: Register = "r2r",
    variant: int = 0,
    seed: int = 0,
) -> Description:
    """Describe a path in words; see `Describer` for several instructions about one path."""
    return Describer(scene, path, heading).describe(register, variant=variant, seed=seed)
