"""How two walks of the same episode differ, and why the one that failed did so."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache
from itertools import pairwise

import numpy as np

from vlnscope.benchmarks.outcomes.score.outcomes import Ending, outcome_of
from vlnscope.benchmarks.outcomes.score.track import ReferencePath, Track
from vlnscope.evaluate.gap.flips import Cause, Change
from vlnscope.metrics.encoding import GraphPairs, Pairs
from vlnscope.metrics.kernels.ragged import Ragged
from vlnscope.metrics.measures.sr import near
from vlnscope.metrics.profiles.switches import Switches
from vlnscope.types import Ints
from vlnscope.worlds.scene import Scenes
from vlnscope.worlds.storeys import storeys_of

SAME = Cause("the same walk")
OTHER = Cause("another walk")
LEFT_THE_WAY = ("wrong-turn", "wrong-floor", "wandered")


class WalkCauses:
    """Compares the walks of two files, episode by episode; steps on the spot do not count.

    Of a flip, the cause is how the walk that failed ended, as `benchmarks.outcomes` names it, and if it left
    the described way, the number of the move that did so. In continuous space, and where nothing flips, it
    is only said whether the walks are the same.
    """

    def __init__(self, before: Pairs, after: Pairs, switches: Switches, scenes: Scenes | None) -> None:
        self._before, self._after = before, after
        self._switches = switches
        self._storeys = cache(lambda scan: storeys_of(scenes.scene(scan))) if scenes is not None else None

    def __call__(self, ids: Sequence[str], changes: Sequence[Change]) -> list[Cause]:
        """Say why each episode changed."""
        if not ids:
            return []
        walks = zip(_walks(self._before, ids), _walks(self._after, ids), strict=True)
        causes = [SAME if before == after else OTHER for before, after in walks]
        for side, change in ((self._after, "lost"), (self._before, "gained")):
            places = [i for i, cause in enumerate(causes) if cause is OTHER and changes[i] == change]
            if isinstance(side, GraphPairs) and self._storeys is not None and places:
                for i, cause in zip(places, self._failures(side, [ids[i] for i in places]), strict=True):
                    causes[i] = cause
        return causes

    def _failures(self, pairs: GraphPairs, ids: Sequence[str]) -> list[Cause]:
        rows = _rows(pairs, ids)
        batch = pairs.batch(rows)
        scans = list(pairs.scans)
        causes = []
        for row, walk, way, stopped in zip(
            rows, _split(batch.without_repeats.pred), _split(batch.ref), batch.stopped, strict=True
        ):
            number = int(pairs.scan[row])
            track = Track(
                ReferencePath(pairs.graphs[number], tuple(way)),
                tuple(walk),
                tuple(range(len(walk))),
                stopped=None if stopped < 0 else bool(stopped),
            )
            causes.append(self._failure(track, scans[number]))
        return causes

    def _failure(self, track: Track, scan: str) -> Cause:
        assert self._storeys is not None
        ending = Ending(success=False, close=False, near=near(track.way.to_goal, self._switches))
        outcome = outcome_of(track, ending, self._storeys(scan))
        left = track.left_at if outcome in LEFT_THE_WAY else None
        return Cause(outcome.replace("-", " "), None if left is None else left + 1)


def _rows(pairs: Pairs, ids: Sequence[str]) -> Ints:
    return np.asarray([pairs.rows[id_] for id_ in ids], dtype=np.int64)


def _walks(pairs: Pairs, ids: Sequence[str]) -> list[list[int]]:
    return _split(pairs.batch(_rows(pairs, ids)).without_repeats.pred)


def _split(rows: Ragged) -> list[list[int]]:
    places = rows.flat.tolist()
    return [places[start:end] for start, end in pairwise(rows.offsets)]
