"""Referents: which things of a map an instruction may mean by a place, and how each step lies to them.

Arrays have a column per thing that may be meant, then one for what captions mention (if there are captions),
then one for a thing that is not in the map at all. All values are log scores, 0 at best.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from functools import cached_property

import numpy as np

from vlnscope.language.actions import NamedPlace, Side
from vlnscope.language.geometry import ABREAST
from vlnscope.language.ground.captions import CaptionEvidence
from vlnscope.language.ground.known_map import KnownMap
from vlnscope.language.ground.stages import OPENINGS
from vlnscope.language.ground.terrain import Terrain, degrees_between
from vlnscope.language.ground.weights import Weights
from vlnscope.language.lexicon.entries import lexicon
from vlnscope.language.lexicon.matching import name_match, room_match
from vlnscope.types import Flags, Floats, Ints

MOST = 40
"""Most things that are considered for one place."""
_BESIDE = (1.7, 3.2)
_REACHED = 2.5
_SIDES: dict[Side, tuple[float, float]] = {
    "ahead": (0.0, 40.0),
    "left": (-80.0, 65.0),
    "right": (80.0, 65.0),
    "behind": (180.0, 45.0),
}


@dataclass(frozen=True, eq=False)
class ObjectEvidence:
    """The things that a place may mean.

    Attributes:
        terrain, weights: where, and what counts how much.
        fit: how well each column fits the words (name, attributes, relations).
        centre, reach: of the things.
        seen: whether each viewpoint (row) sees each thing: 1, 0, or 0.5 on the frontier.
        exact: which things have the very name, and so are counted.
        caption_matches: what captions say; None where there are none.
    """

    terrain: Terrain
    weights: Weights
    fit: Floats
    centre: Floats
    reach: Floats
    seen: Floats
    exact: Flags
    caption_matches: CaptionEvidence | None

    def at_end(self, up: int) -> ObjectEvidence:
        """Return the upper (1) or lower (-1) ends of the things."""
        return replace(self, centre=self.centre + up * self.reach * (0.0, 0.0, 1.0))

    def near(self) -> Floats:
        """Per viewpoint: being at the thing, in sight of it."""
        unseen = self.weights.hidden * (1.0 - self.seen)
        return self._filled(self._closeness - unseen, _around)

    def reached(self) -> Floats:
        """Per viewpoint: having walked towards the thing, not necessarily all the way."""
        far = self._apart - _REACHED
        cost = -np.minimum(np.maximum(far, 0.0) * self.weights.far, self.weights.far_most / 3)
        return self._filled(cost + self._closeness / 6, _around)

    @cached_property
    def _closeness(self) -> Floats:
        w = self.weights
        far = np.maximum(self._apart - w.near, 0.0) * w.far
        return -np.minimum(far, w.far_most) - w.closer * np.minimum(self._apart, w.near)

    def aim(self) -> Floats:
        """Per edge: setting out towards the thing, in sight of it."""
        t, w = self.terrain, self.weights
        off = np.abs(self._bearing(t.source)) - 45.0
        cost = -np.minimum((np.maximum(off, 0.0) / 30.0) ** 2, w.aim) - w.hidden * (1.0 - self.seen[t.source])
        return self._filled(cost, lambda said: said.ahead)

    def approach(self) -> Floats:
        """Per edge: getting nearer."""
        t = self.terrain
        farther = self._apart[t.target] > self._apart[t.source] + 0.3
        cost = np.where(farther, -self.weights.away, 0.0)
        return self._filled(cost, lambda said: np.zeros(len(t.source)))

    def abreast(self, side: Side | None) -> Floats:
        """Per edge: going by the thing, on the said side."""
        t, w = self.terrain, self.weights
        along, aside = self._lying(t.source)
        ends = np.maximum(-along, along - t.length[:, None])
        wide = np.abs(aside)
        cost = -np.minimum(np.maximum(ends - 0.3, 0.0) * 2.0, w.far_most)
        cost = cost - np.minimum(np.maximum(wide - ABREAST, 0.0) * 2.0, w.far_most)
        sight = np.maximum(self.seen[t.source], self.seen[t.target])
        cost = np.where(self._level[t.source], cost - w.hidden * (1.0 - sight), -w.missing)
        if side in ("left", "right"):
            wrong = aside if side == "left" else -aside
            cost = cost - w.side * np.clip(wrong / 0.5 + 0.5, 0.0, 1.0)
        return self._filled(cost, lambda said: said.beside(side))

    def crossing(self) -> Floats:
        """Per edge: walking through the thing, which is an opening."""
        w, (through, _, after) = self.weights, self._opening
        amid = np.where(after == 0, -w.threshold, 0.0)
        return self._filled(np.where(through, amid, -w.missing), lambda said: said.ahead)

    def nearest(self) -> Floats:
        """Per viewpoint: no other such thing being nearer."""
        others = np.where(self.exact, self._apart, np.inf).min(axis=1, initial=np.inf)[:, None]
        cost = np.where(self._apart > others + 0.1, -self.weights.side / 2, 0.0)
        return self._filled(cost, _around)

    def just_behind(self) -> Floats:
        """Per edge: ending not far behind the thing, which is an opening."""
        w = self.weights
        far = -np.minimum(w.closer * self._apart, w.far_most)[self.terrain.target]
        return self._filled(far, lambda said: said.neutral)

    def turning_back(self) -> Floats:
        """Per pair of steps: going back, amid an opening, to the side that one came from."""
        through, side, after = self._opening
        first, second = self.terrain.follow.before, self.terrain.follow.after
        back = (through & (after == 0))[first] & (side[first] * after[second] > 0)
        return np.where(back.any(axis=1), -self.weights.back, 0.0)

    @cached_property
    def _opening(self) -> tuple[Flags, Floats, Floats]:
        """Per edge: whether it leads through an opening, and on which side it begins and ends; 0 is amid."""
        t = self.terrain
        flat = np.argmin(self.reach[:, :2], axis=1)
        each = np.arange(len(self.centre))
        here = t.points[t.source][:, None, :2] - self.centre[None, :, :2]
        there = t.points[t.target][:, None, :2] - self.centre[None, :, :2]
        a, b = here[:, each, flat], there[:, each, flat]
        thin, wide = 2 * self.reach[each, flat], self.reach[each, 1 - flat] + 0.1
        share = np.clip(np.divide(a, a - b, out=np.full_like(a, 0.5), where=a != b), 0.0, 1.0)
        at = here[:, each, 1 - flat] + share * (there - here)[:, each, 1 - flat]
        before, after = (np.where(np.abs(off) <= thin, 0.0, np.sign(off)) for off in (a, b))
        meets = (a * b <= 0) | (before == 0) | (after == 0)
        return meets & (np.abs(at) <= wide) & self._level[t.source], before, after

    def on_side(self, side: Side, at: Ints) -> Floats:
        """Per edge: having the thing on this side, seen from the viewpoints `at`, looking along the edge."""
        middle, half = _SIDES[side]
        off = np.abs((self._bearing(at) - middle + 180.0) % 360.0 - 180.0) - half
        cost = -np.minimum((np.maximum(off, 0.0) / 25.0) ** 2, self.weights.side)
        return self._filled(cost, lambda said: said.towards(middle))

    def counted(self, ordinal: int, side: Side | None, at: Ints) -> Floats:
        """Per edge: being the first, second, … or last such thing for who looks along it from `at`."""
        w = self.weights
        along, aside = self._lying(at)
        if not self.exact.any():
            return self._filled(np.zeros_like(along), lambda said: said.neutral)
        meant = self.exact & (along > 0.2) & (np.abs(aside) < ABREAST) & self._level[at]
        meant &= self.seen[at] > 0
        if side in ("left", "right"):
            meant &= (aside < 0.2) if side == "left" else (aside > -0.2)
        order = np.argsort(np.where(meant, along, np.inf), axis=1, kind="stable")
        rank = np.empty_like(order)
        np.put_along_axis(rank, order, np.arange(1, order.shape[1] + 1)[None, :], axis=1)
        wanted = np.full(len(along), ordinal) if ordinal > 0 else meant.sum(axis=1)
        off = np.abs(rank - wanted[:, None]) * w.ordinal
        return self._filled(
            -np.minimum(np.where(meant, off, w.ordinal_most), w.ordinal_most), lambda said: said.neutral
        )

    def onward(self) -> Floats:
        """Per edge: how far it is from its end to the thing."""
        w = self.weights
        cost = -np.minimum(self._apart * w.onward, w.onward_most)[self.terrain.target]
        return self._filled(cost, lambda said: said.neutral)

    def in_sight(self) -> Floats:
        """Per viewpoint: the thing being in sight."""
        return self._filled(-self.weights.hidden * (1.0 - self.seen), _around)

    def alone(self) -> Floats:
        """Per viewpoint: only one such thing being in sight, as “the” supposes."""
        fit = self.fit[: self.seen.shape[1]]
        rivals = np.maximum(self.seen[:, fit >= 0.0].sum(axis=1), 1.0)
        cost = np.minimum(self.weights.definite * np.log(rivals), self.weights.definite_most)
        return np.asarray(-cost)

    def inside(self) -> Floats:
        """Per viewpoint: standing in the thing."""
        return self._filled(-np.minimum(self._gap * 2 * self.weights.far, self.weights.far_most), _around)

    def _filled(self, things: Floats, captioned: Callable[[CaptionEvidence], Floats]) -> Floats:
        columns = [things]
        if self.caption_matches is not None:
            columns.append(captioned(self.caption_matches)[:, None])
        columns.append(np.zeros((len(things), 1)))
        return np.concatenate(columns, axis=1)

    @cached_property
    def _offset(self) -> Floats:
        return self.centre[None, :, :] - self.terrain.points[:, None, :]

    @cached_property
    def _level(self) -> Flags:
        """Whether a thing is on the floor of a viewpoint, or reaches it as stairs do."""
        rise, reach = self._offset[:, :, 2], np.maximum(self.reach[None, :, 2] - 1.0, 0.0)
        return (rise > -2.3 - reach) & (rise < 1.6 + reach)

    @cached_property
    def _apart(self) -> Floats:
        """Metres from each viewpoint to each thing's middle, seen from above; 99 on another floor."""
        return np.where(self._level, np.hypot(self._offset[:, :, 0], self._offset[:, :, 1]), 99.0)

    @cached_property
    def _gap(self) -> Floats:
        """Metres from each viewpoint to each thing's nearest side, seen from above; 99 on another floor."""
        beyond = np.maximum(np.abs(self._offset[:, :, :2]) - self.reach[None, :, :2], 0.0)
        return np.where(self._level, np.hypot(beyond[:, :, 0], beyond[:, :, 1]), 99.0)

    def _bearing(self, at: Ints) -> Floats:
        offset = self._offset[at]
        return degrees_between(self.terrain.heading[:, None], np.arctan2(offset[:, :, 0], offset[:, :, 1]))

    def _lying(self, at: Ints) -> tuple[Floats, Floats]:
        """Per edge: how far ahead and to the right the thing is for who looks along the edge from `at`."""
        t = self.terrain
        offset = self._offset[at][:, :, :2]
        along = np.einsum("exk,ek->ex", offset, t.direction)
        aside = offset[:, :, 0] * t.direction[:, None, 1] - offset[:, :, 1] * t.direction[:, None, 0]
        return along, aside


def _around(said: CaptionEvidence) -> Floats:
    return said.around


def object_evidence(place: NamedPlace, terrain: Terrain, weights: Weights) -> ObjectEvidence:
    """Look for what a place (an object) may mean."""
    known_map = terrain.map
    things = known_map.things
    fits = fitting(place, known_map, weights)
    best = sorted(fits, key=lambda k: (-fits[k], k))[:MOST]
    rows = np.array(sorted(best), dtype=np.int64)
    seen = things.seen[:, rows].astype(np.float64)
    seen[known_map.frontier] = np.maximum(seen[known_map.frontier], 0.5)
    caption_matches = CaptionEvidence.of(place, terrain, weights) if known_map.captioned else None
    fit = [fits[row] for row in rows.tolist()] + [0.0] * (caption_matches is not None) + [-weights.missing]
    exact = np.array([name_match(place.name, things.names[row]) == 1.0 for row in rows.tolist()], dtype=bool)
    return ObjectEvidence(
        terrain, weights, np.array(fit), things.centre[rows], things.reach[rows], seen, exact, caption_matches
    )


def fitting(place: NamedPlace, known_map: KnownMap, weights: Weights) -> dict[int, float]:
    """Return the things of a map that a place may mean, with how well they fit its words."""
    things = known_map.things
    fits: dict[int, float] = {}
    for row, name in enumerate(things.names):
        match = name_match(place.name, name)
        if match > 0.0:
            described = _attributes(place.attributes, things.attributes[row], weights)
            fits[row] = -weights.name * (1.0 - match) * 2.0 + described
    for relation, other in place.relations:
        if relation not in ("top of", "bottom of") and not (other.what == "room" and place.name in OPENINGS):
            penalties = _related(fits, other, known_map, weights)
            fits = {row: fit + penalties[row] for row, fit in fits.items()}
    return fits


def _attributes(wanted: tuple[str, ...], has: tuple[str, ...], weights: Weights) -> float:
    known = lexicon().attributes
    plain = [name for name in wanted if name in known and known[name].kinds in (("colour",), ("material",))]
    return -weights.attribute * sum(name not in has for name in plain) if has else 0.0


def _related(
    fits: dict[int, float], other: NamedPlace, known_map: KnownMap, weights: Weights
) -> dict[int, float]:
    things = known_map.things
    if other.what == "room":
        return {row: -weights.relation * (1.0 - _in_room(row, other.name, known_map)) for row in fits}
    others = sorted(fitting(other, known_map, weights))
    if not others:
        return dict.fromkeys(fits, -weights.relation)
    penalties = {}
    for row in fits:
        apart = np.hypot(*(things.centre[others] - things.centre[row])[:, :2].T)
        nearest = float(np.where(np.array(others) == row, np.inf, apart).min())
        penalties[row] = -weights.relation * min(
            max((nearest - _BESIDE[0]) / (_BESIDE[1] - _BESIDE[0]), 0.0), 1.0
        )
    return penalties


def _in_room(row: int, name: str, known_map: KnownMap) -> float:
    things = known_map.things
    viewers = np.flatnonzero(things.seen[:, row])
    if not len(viewers):
        return 0.5
    points = np.array([known_map.positions[k] for k in viewers.tolist()])
    nearest = int(viewers[np.linalg.norm(points - things.centre[row], axis=1).argmin()])
    letter = known_map.letters[nearest]
    return 0.5 if letter is None else room_match(name, letter)
