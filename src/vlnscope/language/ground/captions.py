"""What captions say of a place: which directions of which viewpoints mention it."""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np

from vlnscope.language.actions import NamedPlace, Side
from vlnscope.language.ground.known_map import KnownMap
from vlnscope.language.ground.terrain import Terrain
from vlnscope.language.ground.weights import Weights
from vlnscope.language.lexicon.matching import Concept, name_match
from vlnscope.types import Floats, Ints

SECTORS = 8
_NEXT_TO = 0.5
_HEARSAY = 0.25
"""How far from certain a neighbour's caption leaves one about a viewpoint."""


@dataclass(frozen=True, eq=False)
class CaptionEvidence:
    """How strongly the captions of each direction speak of a place.

    Attributes:
        terrain: where.
        said: one row per viewpoint, one column per sector: from 0 (no word of it) to 1.
        cost: what silence costs; rare words cost more than frequent ones.
    """

    terrain: Terrain
    said: Floats
    cost: float

    @classmethod
    def of(cls, place: NamedPlace, terrain: Terrain, weights: Weights) -> CaptionEvidence:
        """Look a place up in the captions of a map."""
        said = caption_matches(place, terrain)
        heard = np.maximum(said, _NEXT_TO * np.maximum(np.roll(said, 1, axis=1), np.roll(said, -1, axis=1)))
        return cls(terrain, heard, weights.caption * rarity(said, terrain.map))

    @property
    def around(self) -> Floats:
        """Per viewpoint: mentioned in some directions; what is near fills more than one."""
        most = np.sort(self.said, axis=1)[:, :-4:-1]
        return np.asarray(self.cost * (most @ np.array([0.5, 0.25, 0.25]) - 1.0))

    @property
    def ahead(self) -> Floats:
        """Per edge: mentioned in the direction of the step, where it begins."""
        return self.towards(0.0)

    @property
    def neutral(self) -> Floats:
        """Per edge: nothing known."""
        return np.zeros(len(self.terrain.source))

    def towards(self, angle: float) -> Floats:
        """Per edge: mentioned so many degrees to the right of the direction of the step, where it begins."""
        sectors = sector_of(self.terrain.heading + math.radians(angle))
        return np.asarray(self.cost * (self.said[self.terrain.source, sectors] - 1.0))

    def beside(self, side: Side | None) -> Floats:
        """Per edge: mentioned ahead or on a side of the step."""
        angles = {"left": (-45.0, -90.0), "right": (45.0, 90.0)}.get(side or "", (0.0, -45.0, 45.0))
        return np.asarray(np.max([self.towards(angle) for angle in angles], axis=0))


def sector_of(headings: Floats) -> Ints:
    """Return the sector (0-7) that each heading lies in."""
    return np.floor(headings / (math.tau / SECTORS) + 0.5).astype(np.int64) % SECTORS


def caption_matches(place: NamedPlace, terrain: Terrain) -> Floats:
    """Return, per viewpoint and sector, how well what the caption mentions answers to a place.

    Of a viewpoint without captions no more is known than what its neighbours' captions say of the direction
    in which it lies.
    """
    known_map = terrain.map
    said = np.zeros((len(known_map.nodes), SECTORS))
    for mention, where in known_map.captions.items():
        match = _match(place, mention)
        if match > 0.0:
            rows, sectors = np.array(where).T
            said[rows, sectors] = np.maximum(said[rows, sectors], match)
    silent = np.array([row not in known_map.captioned for row in range(len(said))], dtype=np.bool_)
    heard = np.zeros(len(said))
    np.maximum.at(heard, terrain.target, said[terrain.source, sector_of(terrain.heading)])
    said[silent] = _HEARSAY + (1.0 - 2 * _HEARSAY) * heard[silent, None]
    return said


def _match(place: NamedPlace, mention: Concept) -> float:
    if mention.part == place.what == "object":
        return name_match(place.name, mention.name)
    return float(mention.name == place.name) if mention.part == place.what else 0.0


def rarity(said: Floats, known_map: KnownMap) -> float:
    """Return from 0 to 1.5 how much a mention tells: little if every other caption has it."""
    rows = sorted(known_map.captioned)
    often = float((said[rows] > _HEARSAY).sum())
    return min(math.log((SECTORS * len(rows) + 1) / (1 + often)) / 3.0, 1.5)
