"""Walks as a speaker reads them: routes that a search found, or references of episodes."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import pairwise
from typing import NamedTuple

import torch
from torch import Tensor

from vlnscope.agents.learned.inputs import NOTHING
from vlnscope.agents.learned.speaker_follower.routes import (
    UNTHOUGHT,
    FoundRoute,
    Look,
)
from vlnscope.agents.learned.speaker_network import SpeakerNetwork, SpeakerState, WalkStep
from vlnscope.agents.learned.tensors import ImageSource, ViewpointNumbers, visual_input
from vlnscope.agents.protocol import Exploration
from vlnscope.core.exceptions import InputError
from vlnscope.types import Observation
from vlnscope.worlds.graph.views import VIEW_ELEVATIONS, VIEW_HEADINGS


class Walks(NamedTuple):
    """Some walks.

    Attributes:
        routes: complete ones.
        looks: for each, what shows the places that it comes through.
        views: for each, the view that is looked at in the beginning.
    """

    routes: Sequence[FoundRoute]
    looks: Sequence[Look]
    views: Sequence[int]

    @property
    def sizes(self) -> Tensor:
        """(B): how many actions each has."""
        return torch.tensor([route.steps for route in self.routes])


def read_walks(
    speaker: SpeakerNetwork, source: ImageSource, walks: Walks, until: Tensor | None = None
) -> SpeakerState:
    """Let a speaker read walks; `until` as in `SpeakerNetwork.read`."""
    like = next(speaker.parameters())
    steps = _steps(walks, source, like, speaker.config.image_size)
    return speaker.read(steps, walks.sizes.to(like.device), None if until is None else until.to(like.device))


def _steps(walks: Walks, source: ImageSource, like: Tensor, width: int) -> Iterator[WalkStep]:
    """Yield what is seen and done at each step; of walks that are over, what was last."""
    parts, sizes = [route.parts for route in walks.routes], walks.sizes
    for step in range(int(sizes.max())):
        at = [min(step, len(route) - 2) for route in parts]
        seen = [
            look(route[here].viewpoint, route[here].view if here else first)
            for route, here, look, first in zip(parts, at, walks.looks, walks.views, strict=True)
        ]
        numbers = [ViewpointNumbers() for _ in seen]
        visual = visual_input(seen, source, [NOTHING] * len(seen), numbers, like, width)
        after = [route[here + 1] for route, here in zip(parts, at, strict=True)]
        halt = visual.open.shape[1]
        done = torch.tensor([halt if route.stopped else route.action for route in after], device=like.device)
        yield WalkStep(visual, done, (sizes > step).to(like.device))


def route_along(path: Sequence[str], look: Look, view: int) -> FoundRoute:
    """Return a path as a route that stops at its end.

    Args:
        path: viewpoints.
        look: what shows them.
        view: the view that is looked at in the beginning.

    Raises:
        InputError: a viewpoint of the path is no candidate of the one before.
    """
    route = FoundRoute(None, path[0], -1, -1, False, 0, 0.0, UNTHOUGHT)
    for here, there in pairwise(path):
        ways = look(here, view).candidates
        names = [way.viewpoint for way in ways]
        if there not in names:
            raise InputError(
                f"a path leads from {here} to {there}, where no way leads",
                expected="paths along the edges of the graph",
                fix="check that the episodes and the graphs belong together",
            )
        action, steps = names.index(there), route.steps + 1
        view = ways[action].view_index
        route = FoundRoute(route, there, view, action, False, steps, 0.0, UNTHOUGHT)
    ways = look(path[-1], view).candidates
    return FoundRoute(route, path[-1], view, len(ways), True, route.steps + 1, 0.0, UNTHOUGHT)


def remembering(explored: Exploration) -> Look:
    """Return what shows the views of a building, and shows the same again where it is asked twice."""
    known: dict[tuple[str, int], Observation] = {}

    def look(viewpoint: str, view: int) -> Observation:
        if (viewpoint, view) not in known:
            heading, elevation = float(VIEW_HEADINGS[view]), float(VIEW_ELEVATIONS[view])
            known[viewpoint, view] = explored.look(viewpoint, heading, elevation)
        return known[viewpoint, view]

    return look
