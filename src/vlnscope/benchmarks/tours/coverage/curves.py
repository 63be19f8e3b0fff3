"""How much of a tour has been seen before each episode: Figures 2b, 5 and 7 of IVLN.

An oracle walks the paths of a tour one after the other, is led from each to the start of the next, and sees
on the way what is in sight. Before each episode two shares are measured: how much of what that episode's
path will show is known already (*upcoming episode*), and how much of what the whole tour will show
(*complete tour*). IVLN measured pieces of floor on maps from depth images, by a script that was not
released; here `kinds` says what a cell is: a viewpoint within reach, a piece of floor in line of sight, or
one in the depth images of an oracle that walks in space.

What the paper says of IR2R-CE's train split (after ten episodes over 50 % of the next path and over 70 % of
the region of the tour have been seen) holds on IR2R's train split for every reach from 8 m on; with 10 m it
is 97 % and 76 %. Its other figure, that R8R has shown less than 30 % of the region before the last part,
holds only up to 2 m, and with 10 m it is 74 %: viewpoints are coarser cells than maps. By the floor of 30
built-in houses (val_unseen, 10 m) ten episodes show 93 % and 60 %; by depth images in ten of them, 93 % and
52 %, and R8R has shown 44 %.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from itertools import pairwise
from typing import NamedTuple

import msgspec
import numpy as np

from vlnscope.benchmarks.fidelity.joins.paths import JoinedPath
from vlnscope.benchmarks.fidelity.joins.result import Joined
from vlnscope.benchmarks.kit.routes import graphs_of
from vlnscope.benchmarks.tours.build.tours import BuiltTours
from vlnscope.benchmarks.tours.coverage.visibility import Visibility
from vlnscope.core.exceptions import InputError
from vlnscope.types import Flags
from vlnscope.worlds.graph.navgraph import NavGraph

TOURS = "tours"


class Leg(NamedTuple):
    """An episode of a walk: the way on which the agent is led to its start (or empty), and its path."""

    approach: tuple[str, ...]
    path: tuple[str, ...]


class OracleWalk(NamedTuple):
    """Episodes that are walked one after the other in a scene."""

    scan: str
    legs: tuple[Leg, ...]


class SeenBefore(NamedTuple):
    """Shares that were seen before an episode: of what its path shows, and of what the whole walk shows."""

    upcoming: float
    complete: float


class CoverageCurve(msgspec.Struct, frozen=True, kw_only=True):
    """Mean shares by the number of episodes that were walked before: element k is measured after k of them.

    Attributes:
        walks: how many walks have such an episode; the means are over these.
        upcoming: share of what the next path shows that has been seen.
        complete: share of what the whole walk (or the given region of its scene) shows that has been seen.
    """

    walks: tuple[int, ...]
    upcoming: tuple[float, ...]
    complete: tuple[float, ...]


def tour_walks(built: BuiltTours) -> list[OracleWalk]:
    """Return how an oracle walks tours: once per order of paths, as the instructions make no difference."""
    graphs = graphs_of(built.source, {order.scan: [] for order in built.orders})
    return [
        led_walk(order.scan, graphs[order.scan], [route.path for route in order.routes])
        for order in built.orders
    ]


def led_walk(scan: str, graph: NavGraph, paths: Sequence[tuple[str, ...]]) -> OracleWalk:
    """Return how an oracle walks paths one after the other, led from the end of each to the next start."""
    rest = (Leg(graph.shortest_path(a[-1], b[0]), b) for a, b in pairwise(paths))
    return OracleWalk(scan, (Leg((), paths[0]), *rest))


def joined_walks(joined: Joined) -> list[OracleWalk]:
    """Return joined paths (R4R, R6R, R8R) as walks whose episodes are their parts."""
    return [OracleWalk(whole.scan, _parted(whole)) for whole in joined.paths]


def seen_regions(walks: Iterable[OracleWalk], look: Visibility) -> dict[str, Flags]:
    """Return by scene which cells are seen on any of the walks."""
    regions: dict[str, Flags] = {}
    for walk in walks:
        seen = _seen_after(walk, look)[-1]
        regions[walk.scan] = regions[walk.scan] | seen if walk.scan in regions else seen
    return regions


def seen_before(walk: OracleWalk, look: Visibility, region: Flags | None = None) -> list[SeenBefore]:
    """Return what has been seen before each episode of a walk; `region` as in `coverage_curve`."""
    sight, known = look(walk.scan), _seen_after(walk, look)
    region = known[-1] if region is None else region
    return [
        SeenBefore(_share(known[2 * k], sight.along(leg.path)), _share(known[2 * k], region))
        for k, leg in enumerate(walk.legs)
    ]


def coverage_curve(
    walks: Sequence[OracleWalk], look: Visibility, regions: Mapping[str, Flags] | None = None
) -> CoverageCurve:
    """Measure how much has been seen before each episode.

    Args:
        walks: tours or joined paths.
        look: what is seen from where.
        regions: by scene, what counts as the complete region, to compare short walks with long ones
            (Figure 7); what each walk itself shows if not given (Figure 2b).

    Raises:
        InputError: there are no walks, or `regions` lacks a scene.
    """
    if not walks:
        raise InputError("there are no walks to measure", expected="at least one", fix="build tours first")
    upcoming: list[list[float]] = []
    complete: list[list[float]] = []
    for walk in walks:
        if regions is not None and walk.scan not in regions:
            raise InputError(
                f"the regions lack scene {walk.scan}",
                expected="a region for each scene that has walks",
                fix="take the regions from walks through the same scenes",
            )
        for k, share in enumerate(seen_before(walk, look, None if regions is None else regions[walk.scan])):
            if k == len(upcoming):
                upcoming.append([])
                complete.append([])
            upcoming[k].append(share.upcoming)
            complete[k].append(share.complete)
    return CoverageCurve(
        walks=tuple(map(len, upcoming)),
        upcoming=tuple(float(np.mean(shares)) for shares in upcoming),
        complete=tuple(float(np.mean(shares)) for shares in complete),
    )


def _parted(whole: JoinedPath) -> tuple[Leg, ...]:
    ends = [start + len(part.path) - 1 for start, part in zip(whole.starts, whole.parts, strict=True)]
    rest = zip(ends[:-1], whole.starts[1:], whole.parts[1:], strict=True)
    return (
        Leg((), whole.parts[0].path),
        *(Leg(whole.path[end : start + 1], part.path) for end, start, part in rest),
    )


def _seen_after(walk: OracleWalk, look: Visibility) -> list[Flags]:
    """Return what is known after each approach and after each path, in turn."""
    sight = look(walk.scan)
    known: list[Flags] = []
    for leg in walk.legs:
        for path in leg:
            seen = sight.along(path)
            known.append(known[-1] | seen if known else seen)
    return known


def _share(known: Flags, of: Flags) -> float:
    total = np.count_nonzero(of)
    return float(np.count_nonzero(known & of) / total) if total else 1.0


def coverage_curves(
    built: BuiltTours, look: Visibility, joined: Sequence[Joined] = ()
) -> dict[str, CoverageCurve]:
    """Measure the coverage of tours, and of joined paths where there are any.

    Alone, tours are measured against what each of them shows. Beside joined paths, all are measured against
    what the tours of a scene show together, because short walks soon know all that they will ever see.
    """
    walks = tour_walks(built)
    if not joined:
        return {TOURS: coverage_curve(walks, look)}
    regions = seen_regions(walks, look)
    others = {paths.variant.upper(): joined_walks(paths) for paths in joined}
    return {name: coverage_curve(group, look, regions) for name, group in ({TOURS: walks} | others).items()}
