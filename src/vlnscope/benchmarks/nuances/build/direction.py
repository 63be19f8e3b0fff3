"""Direction change: junctions from which one view shows a way to the left, one to the right and one back.

The agent looks towards a viewpoint (`heading_vp` of the official files). The official check knows three arcs
and no way ahead, so a step straight on would pass as a turn: no way may lead there, and none may lie near
the border between a side and the back.
"""

from __future__ import annotations

import math
from collections.abc import Iterator
from typing import NamedTuple

import numpy as np

from vlnscope.benchmarks.kit.filter_counts import FilterCounts
from vlnscope.benchmarks.nuances.build.ambiguity import is_decided
from vlnscope.benchmarks.nuances.build.items import IndexedScene, NuanceItem, case_of
from vlnscope.benchmarks.nuances.build.paraphrases import template
from vlnscope.benchmarks.nuances.evaluators.direction import ARC
from vlnscope.core.rng import rng_for
from vlnscope.language.geometry import FLAT, relative
from vlnscope.types import Floats

AHEAD = 30.0
"""A way within so many degrees of where the agent looks leads straight on."""
OFF = {"left": 45.0, "right": 45.0, "around": 35.0}
"""Most degrees between a way and its word (left is 90 to the left); the official check is content with 90.

A turn of less than 145° is no turn around (`vlnscope.language.geometry.AROUND`).
"""
BORDER = 15.0
"""A way within so many degrees of the border of two arcs is unclear, and so are stairs."""
FARTHEST = 12.0
"""How far away the viewpoint that the agent looks at may be, metres."""
SIDES = ("left", "right", "around")
_IDEAL = {"left": -math.pi / 2, "right": math.pi / 2, "around": math.pi}


class View(NamedTuple):
    """A junction seen from one heading.

    Attributes:
        start: the junction.
        towards: the viewpoint that the agent looks at.
        ways: by arc, the neighbours that clearly lie in it, the clearest first.
        straight: whether a way leads straight on.
        unclear: whether a way lies near a border.
        margin: by how many degrees the ways stay clear of the borders.
    """

    start: int
    towards: int
    ways: dict[str, tuple[int, ...]]
    straight: bool
    unclear: bool
    margin: float


def direction_items(site: IndexedScene, counts: FilterCounts, *, most: int, seed: int) -> list[NuanceItem]:
    """Return the items of a scene, three per junction.

    Args:
        site: the scene.
        counts: counts what is left out.
        most: how many junctions of the scene are taken, drawn at random.
        seed: of the drawing.
    """
    rows = range(len(site.ways))
    forks = counts.keep("DC: three ways or more", rows, lambda row: len(site.ways[row]) > 2)
    views = [[view for view in _views(site, row) if all(view.ways.values())] for row in forks]
    views = counts.keep("DC: a way left, right and back from one view", views, bool)
    views = [[view for view in group if not view.straight] for group in views]
    views = counts.keep("DC: a walk straight on does not pass as a turn", views, bool)
    views = [[view for view in group if not view.unclear] for group in views]
    views = counts.keep("DC: no way near the border of two turns", views, bool)
    if site.clear:
        views = [[view for view in group if _is_square(site, view)] for group in views]
        views = counts.keep("DC: turns within 45° of left and right, 35° of back", views, bool)
    best = [max(group, key=lambda view: view.margin) for group in views]
    best = counts.keep("DC: walks of the other turns fail", best, lambda view: _is_decided(site, view))
    order = rng_for(seed, "nuances DC", site.scene.id).permutation(len(best)).tolist()[:most]
    counts.add("DC: junctions drawn", len(best), len(order))
    return [item for k, pick in enumerate(order) for item in _items(site, best[pick], k)]


def _views(site: IndexedScene, row: int) -> Iterator[View]:
    here = site.places[row]
    for towards in range(len(site.places)):
        ahead = site.places[towards] - here
        if towards != row and abs(ahead[2]) <= FLAT and np.linalg.norm(ahead) <= FARTHEST:
            yield _view(site, row, towards, ahead)


def _view(site: IndexedScene, row: int, towards: int, ahead: Floats) -> View:
    ways: dict[str, list[tuple[float, int]]] = {side: [] for side in SIDES}
    margins = [math.inf]
    heading = _heading(ahead)
    straight = unclear = False
    for other in site.ways[row]:
        step = site.places[other] - site.places[row]
        angle = relative(heading, _heading(step))
        level = math.degrees(abs(angle))
        border = abs(level - ARC) if abs(step[2]) <= FLAT else 0.0
        if level <= AHEAD:
            straight = True
        elif border <= BORDER:
            unclear = True
        else:
            side = "around" if level > ARC else "right" if angle > 0 else "left"
            ways[side].append((abs(relative(_IDEAL[side], angle)), other))
        margins.append(min(level - AHEAD, border - BORDER))
    by_side = {side: tuple(other for _, other in sorted(group)) for side, group in ways.items()}
    return View(row, towards, by_side, straight, unclear, min(margins))


def _is_square(site: IndexedScene, view: View) -> bool:
    """Return whether the clearest way of each turn leads nearly where the word says."""
    heading = site.course(view.start, view.towards)
    turns = {side: relative(heading, site.course(view.start, ways[0])) for side, ways in view.ways.items()}
    return all(math.degrees(abs(relative(_IDEAL[side], turn))) <= OFF[side] for side, turn in turns.items())


def _heading(vector: Floats) -> float:
    return math.atan2(float(vector[0]), float(vector[1]))


def _is_decided(site: IndexedScene, view: View) -> bool:
    """Return whether each turn passes its check and every way of the other turns fails it."""
    start = site.graph.nodes[view.start]
    for item in _items(site, view, 0):
        wrong = [other for side, ways in view.ways.items() if side != item.subset for other in ways]
        walks = [(start, site.graph.nodes[other]) for other in wrong]
        episode = case_of(item, site.scene.id, item.fields["instruction_template"]).episode
        if not is_decided(episode, walks, site.graph):
            return False
    return True


def _items(site: IndexedScene, view: View, number: int) -> Iterator[NuanceItem]:
    nodes = site.graph.nodes
    pair = f"{site.scene.id}-dc{number}"
    start = nodes[view.start]
    ends = {side: nodes[ways[0]] for side, ways in view.ways.items()}
    for k, side in enumerate(SIDES):
        slots = {"way": side}
        fields = {
            "instruction_template": template(side, slots),
            "gt_vp": [start, ends[side]],
            "vp_neg": [start, ends["left" if side == "right" else "right"]],
            "heading_vp": nodes[view.towards],
        }
        yield NuanceItem(
            category="DC",
            subset=side,
            name=f"{pair}-path-{k}",
            path=(start, ends[side]),
            heading=site.course(view.start, view.towards),
            phrase=side,
            slots=slots,
            fields=fields,
            pair=pair,
            groups={"variant": side},
        )
