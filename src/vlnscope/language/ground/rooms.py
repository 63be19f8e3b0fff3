"""Rooms of a map: which viewpoints and steps an instruction may mean by the name of a room."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from vlnscope.language.actions import NamedPlace
from vlnscope.language.geometry import FLAT
from vlnscope.language.ground.captions import caption_matches
from vlnscope.language.ground.referents import object_evidence
from vlnscope.language.ground.terrain import Terrain
from vlnscope.language.ground.weights import Weights
from vlnscope.language.lexicon.matching import room_match
from vlnscope.types import Flags, Floats

ANY = ("room", "house", "level")
"""Names that any room answers to."""
_ANY_ROOM = {"h": 0.6, "s": 0.6, "z": 1.0}
"""How well letters answer to “room”: best those of rooms that have no name of their own."""
_MISTAKEN = 0.25
"""How much of a match counts of the next room that may go by the same name."""


@dataclass(frozen=True, eq=False)
class RoomEvidence:
    """Log scores of a room's name.

    Attributes:
        inside: per viewpoint, being in such a room.
        beside: per viewpoint, being in it or at its door.
        entering, leaving: per edge.
    """

    inside: Floats
    beside: Floats
    entering: Floats
    leaving: Floats


def room_evidence(place: NamedPlace, terrain: Terrain, weights: Weights) -> RoomEvidence:
    """Look for what a place (a room) may mean."""
    letters = terrain.map.letters
    source, target = terrain.source, terrain.target
    match, known = _match(place, terrain)
    sure = np.where(known, weights.room, weights.room_unknown)
    inside = -sure * (1.0 - match) + _furnished(place, terrain, weights)
    names = np.array([letter or "?" for letter in letters])
    same = (names[source] == names[target]) & known[source]
    if place.name in ANY:
        change = np.where(same, -weights.room / 2, 0.0)
        entering, leaving = change + inside[target], change + inside[source]
    else:
        mistaken = np.where(match > 0.5, _MISTAKEN * match, 0.0)
        entering = inside[target] - sure[target] * np.where(same, match[source], mistaken[source])
        leaving = inside[source] - sure[source] * np.where(same, match[target], mistaken[target])
    beside = np.full(len(letters), -np.inf)
    np.maximum.at(beside, source, inside[target])
    return RoomEvidence(inside, np.maximum(inside, beside - 0.5), entering, leaving)


def _match(place: NamedPlace, terrain: Terrain) -> tuple[Floats, Flags]:
    """Return, per viewpoint, how well its room answers to the name, and whether anything is known of it."""
    letters = terrain.map.letters
    known = np.array([letter is not None for letter in letters], dtype=np.bool_)
    match = np.array([0.0 if letter is None else room_match(place.name, letter) for letter in letters])
    if place.name == "landing":
        match = np.maximum(0.7 * match, _landings(terrain))
    if place.name in ANY:
        match = np.array([_ANY_ROOM.get(letter or "z", 0.9) for letter in letters])
    if terrain.map.captioned and not known.all():
        said = np.minimum(caption_matches(place, terrain).mean(axis=1) * 3.0, 1.0)
        match = np.where(known, match, said)
    return match, known


def _landings(terrain: Terrain) -> Floats:
    """Return, per viewpoint, whether stairs lead both up and down from it or from beside it."""
    ways = [np.zeros(len(terrain.map.nodes), dtype=np.bool_) for _ in range(2)]
    on_stairs = np.array([letter == "s" for letter in terrain.map.letters], dtype=np.bool_)
    flat = np.abs(terrain.climb) <= FLAT
    beside = flat & on_stairs[terrain.source] & on_stairs[terrain.target]
    for leads, sign in zip(ways, (1, -1), strict=True):
        leads[terrain.source[terrain.climb * sign > FLAT]] = True
        leads[terrain.source[beside & leads[terrain.target]]] = True
    return (ways[0] & ways[1]).astype(np.float64)


def _furnished(place: NamedPlace, terrain: Terrain, weights: Weights) -> Floats:
    """Return, per viewpoint, the cost of a room without the things that it is said to have."""
    cost = np.zeros(len(terrain.map.nodes))
    for relation, other in place.relations:
        if relation == "with" and other.what == "object":
            evidence = object_evidence(other, terrain, weights)
            cost += np.maximum((evidence.in_sight() + evidence.fit).max(axis=1), -weights.relation)
    return cost
