"""Potentials: what a stage of an instruction makes of every step of a terrain, as log scores."""

from __future__ import annotations

from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
from msgspec.structs import replace

from vlnscope.language.actions import NamedPlace, Side
from vlnscope.language.geometry import FLAT
from vlnscope.language.ground.referents import ObjectEvidence, object_evidence
from vlnscope.language.ground.rooms import ANY, room_evidence
from vlnscope.language.ground.stages import OPENINGS, GroundingStage
from vlnscope.language.ground.terrain import Terrain
from vlnscope.language.ground.weights import Weights
from vlnscope.language.lexicon.matching import name_match
from vlnscope.types import Flags, Floats

_MOST_STEPS = {"turn": 2, "halt": 2, "look": 0, "climb": 7}
_USUAL_STEPS = 5
_ANY_OPENING = "doorway"
_EXPECTED = {"reach": 0.25, "cross": 0.6, "into": 0.4, "through": 0.6, "along": 0.3, "halt": 0.3, "out": 0.2}
"""What stages cost on walks that do as they are told, if they name a place; others cost next to nothing."""


@dataclass(frozen=True, eq=False)
class Potentials:
    """Log scores of a stage; columns are the things it may mean (one if it means none).

    Attributes:
        most: most steps that the stage may take.
        turn: per pair of steps, of which the second is the first of the stage.
        bend: per pair of steps within the stage.
        where: per edge and thing, how the thing must lie when the stage begins after that edge.
        begin: per edge and thing, of the first step.
        each: per edge and thing, of every step.
        event: per edge and thing, of the one step on which it happens; None if nothing has to.
        end: per edge and thing, of the last step.
        zero: per edge, of taking no step after it.
        expected: what to expect of the stage where nothing is known.
        onward: per edge and thing, what is to be added to that for the way to the thing.
    """

    most: int
    turn: Floats
    bend: Floats
    where: Floats
    begin: Floats
    each: Floats
    event: Floats | None
    end: Floats
    zero: Floats
    expected: float
    onward: Floats


def potentials_of(stage: GroundingStage, terrain: Terrain, weights: Weights) -> Potentials:
    """Hold a stage against a terrain."""
    stage = _through_door(stage, terrain)
    place = stage.place
    if stage.kind == "climb":
        return _climb(stage, terrain, weights)
    if place is None:
        return _plain(stage, terrain, weights)
    return (_room if place.what == "room" else _thing)(stage, place, terrain, weights)


def _through_door(stage: GroundingStage, terrain: Terrain) -> GroundingStage:
    """Return what going into a counted room asks for: the second room is behind the second opening."""
    place = stage.place
    if stage.kind not in ("into", "through") or place is None or place.ordinal is None:
        return stage
    if place.name not in ANY or not any(name_match(_ANY_OPENING, name) for name in terrain.map.things.names):
        return stage
    room = replace(place, ordinal=None, side=None)
    opening = NamedPlace(
        what="object", name=_ANY_OPENING, ordinal=place.ordinal, side=place.side, relations=(("at", room),)
    )
    return replace(stage, kind="cross", place=opening)


def level_cost(terrain: Terrain, weights: Weights) -> Floats:
    """Return, per edge, what climbing costs where nobody speaks of stairs."""
    rise = np.abs(terrain.climb)
    cost: Floats = -weights.level * np.where(rise > FLAT, rise, 0.0)
    return cost


def _made(
    stage: GroundingStage,
    terrain: Terrain,
    weights: Weights,
    *,
    zero: Floats | float,
    bend: Floats | float = 0.0,
    event: Floats | None = None,
    **parts: Floats | None,
) -> Potentials:
    """Return potentials; `parts` that are not given cost nothing, and all get as many columns."""
    nothing = np.zeros((len(terrain.source), 1))
    arrays = {name: parts.get(name) for name in ("where", "begin", "each", "end", "onward")}
    filled = {name: nothing if part is None else part for name, part in arrays.items()}
    columns = max(part.shape[1] for part in (*filled.values(), nothing if event is None else event))
    filled = {name: np.broadcast_to(part, (len(part), columns)) for name, part in filled.items()}
    if stage.kind != "climb":
        filled["each"] = filled["each"] + level_cost(terrain, weights)[:, None]
    return Potentials(
        most=_MOST_STEPS.get(stage.kind, _USUAL_STEPS),
        turn=_first_turn(stage, terrain, weights) - weights.step * (stage.kind in ("halt", "meet")),
        bend=_bend(stage, terrain, weights) + bend,
        event=event,
        zero=np.broadcast_to(zero, len(terrain.source)),
        expected=-_expected(stage, terrain, weights),
        **filled,
    )


def _expected(stage: GroundingStage, terrain: Terrain, weights: Weights) -> float:
    if stage.kind == "look":
        return 0.0
    placed = stage.place is not None
    cost = _EXPECTED.get(stage.kind, 0.1) if placed else 0.0
    cost += weights.unknown if stage.kind != "halt" else 0.0
    return cost + (weights.unknown_caption if placed and terrain.map.captioned else 0.0)


def _first_turn(stage: GroundingStage, terrain: Terrain, weights: Weights) -> Floats:
    if stage.direction is not None:
        return terrain.turn(stage.direction, weights)
    untold = terrain.bend(weights)
    return untold * weights.placed_bend if stage.place is not None else untold


def _bend(stage: GroundingStage, terrain: Terrain, weights: Weights) -> Floats:
    """Return, per pair of steps, what walking on costs.

    Stairs bend as they like, and who enters on the left turns left on the way.
    """
    bend = terrain.bend(weights)
    if stage.kind == "climb":
        return np.where(bend <= -weights.back, bend, 0.0)
    side = stage.side or (stage.place.side if stage.place else None)
    if stage.kind in ("cross", "into"):
        bend = np.where(bend <= -weights.back, bend, bend * weights.placed_bend)
        if side in ("left", "right"):
            bend = np.maximum(bend, terrain.turn(side, weights))
    return bend - (weights.step_along if stage.kind == "along" and not stage.counting else weights.step)


def _plain(stage: GroundingStage, terrain: Terrain, weights: Weights) -> Potentials:
    zero = {"halt": 0.0, "look": 0.0, "turn": -weights.skip_turn}.get(stage.kind, -weights.skip)
    return _made(stage, terrain, weights, zero=zero)


def _climb(stage: GroundingStage, terrain: Terrain, weights: Weights) -> Potentials:
    climb = terrain.climb
    on_stairs = np.array([letter == "s" for letter in terrain.map.letters], dtype=np.bool_)
    landing = on_stairs[terrain.source] & on_stairs[terrain.target]
    columns = []
    for sign in (stage.rise,) if stage.rise else (1, -1):
        event = np.where(climb * sign > FLAT, 0.0, -2 * weights.skip)
        level = np.where(np.abs(climb) <= FLAT, np.where(landing, 0.1, 2 * weights.step), 0.0)
        each = -weights.level * np.maximum(-climb * sign, 0.0) - level
        amid = _amid_stairs(terrain, sign)[terrain.target]
        columns.append((each, event, -weights.unclimbed * (amid & (not stage.halfway))))
    each, event, end = (np.stack(part, axis=1) for part in zip(*columns, strict=True))
    done = (event + end).max(axis=1) - 1.0
    return _made(
        stage, terrain, weights, each=each, event=event, end=end, zero=np.maximum(done, -2 * weights.skip)
    )


def _amid_stairs(terrain: Terrain, sign: int) -> Flags:
    """Return, per viewpoint, whether stairs go on from there, perhaps over a landing, and no floor does."""
    source, target = terrain.source[: terrain.start], terrain.target[: terrain.start]
    climb = terrain.climb[: terrain.start] * sign
    flat = np.abs(climb) <= FLAT
    on_stairs = np.array([letter == "s" for letter in terrain.map.letters], dtype=np.bool_)
    goes_on = np.zeros(len(on_stairs), dtype=np.bool_)
    goes_on[source[climb > FLAT]] = True
    landing = flat & on_stairs[source] & on_stairs[target] & (goes_on | terrain.map.frontier)[target]
    goes_on[source[landing]] = True
    leads_off = np.zeros(len(on_stairs), dtype=np.bool_)
    leads_off[source[flat & ~on_stairs[target]]] = True
    return goes_on & ~leads_off


class _Deed(NamedTuple):
    """What a stage does with a thing: see `Potentials`; `here` is how well it is done on each edge."""

    here: Floats
    begin: Floats
    each: Floats | None = None
    event: Floats | None = None
    end: Floats | None = None

    def twice(self, times: int) -> _Deed:
        """Return it for so many readings of each thing."""
        return _Deed(*(None if part is None else np.tile(part, times) for part in self))  # type: ignore[arg-type]


def _thing(stage: GroundingStage, place: NamedPlace, terrain: Terrain, weights: Weights) -> Potentials:
    evidence = object_evidence(place, terrain, weights)
    if stage.relation in ("top of", "bottom of"):
        evidence = evidence.at_end(1 if stage.relation == "top of" else -1)
    where, begin = _pointed_out(stage, place, evidence)
    readings = where.shape[1] // len(evidence.fit)
    deed = _deed(stage, place, evidence).twice(readings)
    there = (deed.here + np.tile(evidence.fit, readings) + where).max(axis=1)
    side = stage.side or place.side
    if stage.kind in ("halt", "meet", "look") and side is None and place.ordinal is None:  # whichever it is
        return _made(stage, terrain, weights, end=there[:, None], zero=_unmoved(stage, there, weights))
    return _made(
        stage,
        terrain,
        weights,
        where=where,
        begin=begin + deed.begin,
        each=deed.each,
        event=deed.event,
        end=deed.here if deed.event is None else deed.end,
        zero=_unmoved(stage, there, weights),
        bend=evidence.turning_back() if stage.kind == "cross" else 0.0,
        onward=np.tile(evidence.onward(), readings),
    )


def _deed(stage: GroundingStage, place: NamedPlace, evidence: ObjectEvidence) -> _Deed:
    terrain, weights = evidence.terrain, evidence.weights
    source, target = terrain.source, terrain.target
    definite = _definite(place, stage.side or place.side)
    alone = evidence.alone()[:, None] if definite else np.zeros((len(terrain.map.nodes), 1))
    if stage.kind == "pass":
        by = evidence.abreast(stage.side or place.side)
        deed = _Deed(by, (evidence.in_sight() + alone)[source], event=by)
    elif stage.kind == "cross":
        by = evidence.crossing() + _beyond(place, terrain, weights)
        deed = _Deed(by, (evidence.in_sight() + alone)[source], event=by, end=evidence.just_behind())
    elif stage.kind == "reach":
        near = evidence.reached() if place.ordinal is None else evidence.near() + evidence.nearest()
        deed = _Deed(near[target], evidence.aim() + alone[source], each=evidence.approach())
    else:
        nothing = np.zeros((len(target), len(evidence.fit)))
        within = stage.relation == "in" and place.name in OPENINGS
        if stage.kind == "look":
            near = evidence.in_sight()
        else:
            near = evidence.inside() if within else evidence.near() + alone
        deed = _Deed(nothing if stage.kind == "walk" else near[target], nothing)
    if stage.relation in ("top of", "bottom of") or place.name == "stairs":
        deed = deed._replace(here=deed.here + _stair_end(stage, place, terrain, weights)[:, None])
    return deed


def _beyond(place: NamedPlace, terrain: Terrain, weights: Weights) -> Floats:
    """Return, per edge, the cost of an opening to another room than is said (“the door to the hall”)."""
    cost = np.zeros((len(terrain.target), 1))
    for _, other in place.relations:
        if other.what == "room":
            cost += room_evidence(other, terrain, weights).inside[terrain.target][:, None] / 2
    return cost


def _definite(place: NamedPlace, side: Side | None) -> bool:
    return side is None and place.ordinal is None and place.count is None and not place.relations


def _pointed_out(stage: GroundingStage, place: NamedPlace, evidence: ObjectEvidence) -> tuple[Floats, Floats]:
    """Return how a thing must lie before the first step, and how it fits the words on the first step.

    Things are counted as they lie for who looks ahead before the first step, which is likely at the start of
    a walk, or along that step, which is likely later: if both can be meant, there are twice the columns.
    """
    terrain = evidence.terrain
    side = stage.side or place.side
    where = np.zeros((len(terrain.target), len(evidence.fit)))
    begin: Floats = np.broadcast_to(evidence.fit, where.shape)
    unturned = stage.direction in (None, "straight") and stage.kind != "walk"
    if side and stage.kind != "pass":
        if unturned:
            where = evidence.on_side(side, terrain.target)
        else:  # seen after the turn
            begin = begin + evidence.on_side(side, terrain.source)
    if place.ordinal is not None:
        by_step = begin + evidence.counted(place.ordinal, side, terrain.source)
        if not unturned:
            return where, by_step
        by_view = where + evidence.counted(place.ordinal, side, terrain.target)
        start = (np.arange(len(where)) == terrain.start)[:, None]
        unlikely = evidence.weights.reading
        where = np.hstack([by_view - unlikely * ~start, where - unlikely * start])
        begin = np.hstack([begin, by_step])
    return where, begin


def _unmoved(stage: GroundingStage, there: Floats, weights: Weights) -> Floats:
    """Return, per edge, the score of a stage that takes no step, given how well it is fulfilled already."""
    if stage.kind in ("halt", "meet"):
        return there
    if stage.kind == "look":
        return weights.look * there
    if stage.counting:
        return np.zeros_like(there)
    counted = stage.place is not None and stage.place.ordinal is not None
    if stage.kind in ("along", "walk") or stage.repeats or stage.direction is not None or counted:
        return np.full_like(there, -weights.skip)
    return np.maximum(2 * there - weights.together, -weights.skip)


def _stair_end(stage: GroundingStage, place: NamedPlace, terrain: Terrain, weights: Weights) -> Floats:
    """Return, per edge, the cost of not ending at the said end of the stairs."""
    relations = {stage.relation, *(relation for relation, _ in place.relations)}
    cost = np.zeros(len(terrain.target))
    for relation, sign in (("top of", -1), ("bottom of", 1)):
        if relation in relations:
            leads = np.zeros(len(terrain.map.nodes), dtype=np.bool_)
            leads[terrain.source[terrain.climb * sign > FLAT]] = True
            cost -= weights.side * ~leads[terrain.target]
            leads = _amid_stairs(terrain, -sign)
            leads[terrain.source[terrain.climb * sign < -FLAT]] = True
            cost -= weights.side / 2 * leads[terrain.target]
    return cost


def _room(stage: GroundingStage, place: NamedPlace, terrain: Terrain, weights: Weights) -> Potentials:
    rooms = room_evidence(place, terrain, weights)
    inside = rooms.inside[:, None]
    source, target = terrain.source, terrain.target
    side = stage.side or place.side
    if stage.direction is None and side in ("left", "right"):
        stage = replace(stage, direction=side)
    entering, leaving = rooms.entering[:, None], rooms.leaving[:, None]
    event: Floats | None = None
    if stage.kind == "into":
        event, end = entering, inside[target]
        here = np.maximum(entering, inside[target] - 0.5)
    elif stage.kind in ("out", "through", "along"):
        both = inside[source] + inside[target]
        one_end = np.maximum(inside[source], inside[target]) - weights.together
        event = here = {
            "out": leaving,
            "through": np.maximum(leaving, both - 1.2),
            "along": np.maximum(one_end, both),
        }[stage.kind]
        end = np.zeros_like(event)
    else:
        here = end = rooms.beside[target][:, None] if stage.kind in ("reach", "meet") else inside[target]
    return _made(
        stage,
        terrain,
        weights,
        begin=np.full_like(inside[target], -weights.reading * stage.counting),
        event=event,
        end=end,
        zero=_unmoved(stage, here.max(axis=1), weights),
    )
