"""Stages: the actions of an instruction as a walker carries them out, one stretch after the other."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Literal

import msgspec
from msgspec.structs import replace

from vlnscope.language.actions import Action, Direction, NamedPlace, Relation, Side

StageKind = Literal[
    "walk", "turn", "reach", "meet", "pass", "cross", "into", "out", "through", "along", "climb", "halt",
    "look",
]  # fmt: skip
OPENINGS = ("door", "doorway", "archway", "door frame", "exit", "gate")


class GroundingStage(msgspec.Struct, frozen=True, kw_only=True):
    """One stretch of a walk.

    Attributes:
        kind: ``walk`` some way, ``turn`` into a new way, ``reach`` a place in sight, ``meet`` one,
            ``pass`` a thing, ``cross`` an opening, go ``into``, ``out`` of, ``through`` or ``along`` a room,
            ``climb`` stairs, ``halt`` for good, or ``look`` at something without a step.
        action: number of the action that asks for it; that after the last for a halt that nobody asks for.
        direction: which way its first step goes, seen from the step before.
        rise: 1 if it leads up, -1 if down, 0 if it is not said.
        place: what it is about.
        relation: how the walker stands to `place` at the end.
        side: where `place` is on the way.
        repeats: whether the stage before it is of the same kind, so that one step cannot be both.
        halfway: whether a climb ends on a landing.
        counting: whether the next stage counts what there is along this one, and so may begin with it.
    """

    kind: StageKind
    action: int
    direction: Direction | None = None
    rise: int = 0
    place: NamedPlace | None = None
    relation: Relation | None = None
    side: Side | None = None
    repeats: bool = False
    halfway: bool = False
    counting: bool = False


def stages_of(actions: Sequence[Action]) -> tuple[GroundingStage, ...]:
    """Return the stages of an instruction; the last one is always a halt.

    A turn is not a stage of its own if a stretch follows whose direction is not said: it then says in which
    direction that stretch begins.

    Example:
        >>> from vlnscope.language.actions import NamedPlace
        >>> kitchen = NamedPlace(what="room", name="kitchen")
        >>> turn_and_go = [Action(kind="turn", direction="left"), Action(kind="enter", place=kitchen)]
        >>> [(stage.kind, stage.direction) for stage in stages_of(turn_and_go)]
        [('into', 'left'), ('halt', None)]
    """
    builder = _Builder()
    for number, action in enumerate(actions):
        later = actions[number + 1 :]
        builder.add(number, _unrepeated(action, later[0] if later else None), later)
    return builder.finished(len(actions))


def _unrepeated(action: Action, later: Action | None) -> Action:
    """Return a turn without the place that the action after it names again."""
    if action.kind != "turn" or action.place is None or later is None or later.place is None:
        return action
    return replace(action, place=None) if later.place.name == action.place.name else action


class _Builder:
    def __init__(self) -> None:
        self.stages: list[GroundingStage] = []
        self.pending: GroundingStage | None = None

    def add(self, number: int, action: Action, later: Sequence[Action]) -> None:
        if action.at is not None:
            self._move(
                GroundingStage(kind="meet", action=number, place=action.at, relation=action.at_relation)
            )
        if action.kind == "turn":
            self._flush()
            self.pending = GroundingStage(kind="turn", action=number, direction=action.direction)
            if action.place is not None:
                self._move(_stage(number, action))
        elif action.kind in ("face", "remark"):
            self._look(number, action)
        else:
            stage = _stage(number, action)
            if stage.kind == "climb":
                landing = any(after.place is not None and after.place.name == "landing" for after in later)
                stage = replace(stage, halfway=landing)
            self._move(stage)

    def finished(self, count: int) -> tuple[GroundingStage, ...]:
        self._flush()
        if not any(stage.kind == "halt" for stage in self.stages):
            self.stages.append(GroundingStage(kind="halt", action=count))
        return tuple(self.stages)

    def _look(self, number: int, action: Action) -> None:
        if action.place is not None:
            self.stages.append(
                GroundingStage(
                    kind="look", action=number, place=action.place, side=action.side or action.place.side
                )
            )

    def _move(self, stage: GroundingStage) -> None:
        pending = self.pending
        if pending and stage.kind != "halt" and stage.direction in (None, "straight", pending.direction):
            stage = replace(stage, direction=pending.direction)
            self.pending = None
        self._flush()
        repeats = bool(self.stages) and self.stages[-1].kind == stage.kind
        if stage.direction is None and _is_counted(stage) and self.stages and self.stages[-1].kind == "along":
            self.stages[-1] = replace(self.stages[-1], counting=True)
        self.stages.append(replace(stage, repeats=repeats))

    def _flush(self) -> None:
        if self.pending is not None:
            self.stages.append(self.pending)
            self.pending = None


def _is_counted(stage: GroundingStage) -> bool:
    return stage.place is not None and stage.place.ordinal is not None and stage.side in ("left", "right")


def _stage(number: int, action: Action) -> GroundingStage:
    place = action.place
    direction = action.direction
    if action.kind == "stop" and place is not None and place.name == "floor":  # there is one everywhere
        place = None
    if place is not None and action.relation == "between":
        place = replace(place, relations=())
    if action.kind == "stairs" or direction in ("up", "down"):
        rise = {"up": 1, "down": -1}.get(direction or "", 0)
        way = None if rise else direction
        return GroundingStage(kind="climb", action=number, direction=way, rise=rise, place=place)
    return GroundingStage(
        kind=_kind(action, place),
        action=number,
        direction=None if place is not None and direction == "straight" else direction,
        place=place,
        relation=action.relation if place else None,
        side=action.side or (place.side if place else None),
    )


def _kind(action: Action, place: NamedPlace | None) -> StageKind:
    if action.kind == "stop":
        return "halt"
    if place is None:
        return "walk"
    if action.kind == "go" and action.side is not None and place.what == "object":
        return "walk"
    if action.kind in ("enter", "exit", "through"):
        if place.what == "room":
            return {"enter": "into", "exit": "out", "through": "through"}[action.kind]  # type: ignore[return-value]
        return "cross" if place.name in OPENINGS else ("pass" if action.kind == "through" else "reach")
    if action.kind == "past":
        return "pass" if place.what == "object" else "through"
    if place.what == "object" or action.kind == "towards":
        return "reach"
    return "along" if action.kind == "go" else "into"
