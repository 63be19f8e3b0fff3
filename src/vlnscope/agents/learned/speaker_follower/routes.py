"""Routes that a follower thinks of: a tree of what it would do, grown one action at a time.

Decisions must not depend on who else is thought about, so logits are rounded to `DIGITS` digits.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import NamedTuple

import numpy as np
import torch
from torch import Tensor

from vlnscope.agents.learned.inputs import NOTHING
from vlnscope.agents.learned.speaker_follower.follower import FollowerState, SpeakerFollower
from vlnscope.agents.learned.speaker_follower.views import official_order
from vlnscope.agents.learned.tensors import ImageSource, ViewpointNumbers, visual_input
from vlnscope.core.devices import as_array
from vlnscope.types import Floats, Observation
from vlnscope.worlds.graph.views import HEADINGS, VIEW_HEADINGS, view_index

DIGITS = 6
Look = Callable[[str, int], Observation]
"""Shows a viewpoint to an agent that looks at one of the 36 views there."""
StateKey = tuple[int | str, ...]


class Thought(NamedTuple):
    """What the follower remembers at a state, and how its last action looked."""

    hidden: Tensor
    cell: Tensor
    done: Tensor


UNTHOUGHT = Thought(torch.empty(0), torch.empty(0), torch.empty(0))
"""Of routes that no follower thought of."""


@dataclass(frozen=True, eq=False)
class FoundRoute:
    """A route, told from its end: a tree of routes shares what they have in common.

    Attributes:
        before: the route without its last action; None in the beginning.
        viewpoint: where it ends.
        view: the view looked at there; -1 in the beginning, where an agent may look between views.
        action: what was done last: a candidate of the place before, their number to stop.
        stopped: whether that was stopping.
        steps: how many actions were done.
        score: logarithm of its probability.
        thought: what the follower remembers after it.
    """

    before: FoundRoute | None
    viewpoint: str
    view: int
    action: int
    stopped: bool
    steps: int
    score: float
    thought: Thought = field(repr=False)

    @property
    def parts(self) -> list[FoundRoute]:
        """This route and those that it goes on from, the beginning first."""
        found: list[FoundRoute] = [self]
        while (before := found[-1].before) is not None:
            found.append(before)
        return found[::-1]

    @property
    def viewpoints(self) -> list[str]:
        """Where it leads through, its last viewpoint twice if it stops there."""
        return [part.viewpoint for part in self.parts]

    def key(self, parts: int) -> StateKey:
        """Return its state: the scene and the viewpoint (2 parts), the heading (3), the elevation (4)."""
        heading, elevation = (-1, -1) if self.view < 0 else (self.view % HEADINGS, self.view // HEADINGS)
        return (self.viewpoint, heading, elevation)[: parts - 1]


class SearchStart(NamedTuple):
    """What is searched for one agent: where it stands and looks, and what shows it other places."""

    viewpoint: str
    view: int
    look: Look


class Searcher:
    """Lets a follower think about several agents at once.

    Args:
        model: the follower.
        source: where images come from.
        asked: the agents.
        state: the follower's, when it has read their instructions.

    Attributes:
        asked: the agents.
    """

    def __init__(
        self, model: SpeakerFollower, source: ImageSource, asked: Sequence[SearchStart], state: FollowerState
    ) -> None:
        self._model, self._source, self.asked, self._state = model, source, tuple(asked), state
        self._like = next(model.parameters())

    def begin(self) -> list[FoundRoute]:
        """Return the routes that go nowhere yet, one per agent."""
        nothing = self._state.offered.new_zeros(self._state.offered.shape[2])
        thoughts = zip(self._state.hidden, self._state.cell, strict=True)
        return [
            FoundRoute(None, asked.viewpoint, -1, -1, False, 0, 0.0, Thought(hidden, cell, nothing))
            for asked, (hidden, cell) in zip(self.asked, thoughts, strict=True)
        ]

    def seen(self, agent: int, route: FoundRoute) -> Observation:
        """Return what an agent sees at the end of a route."""
        asked = self.asked[agent]
        return asked.look(route.viewpoint, asked.view if route.view < 0 else route.view)

    def successors(self, routes: Sequence[tuple[int, FoundRoute]]) -> list[list[FoundRoute]]:
        """Return for each agent and route the routes that are longer by one action, stopping first.

        After it come the candidates, what lies ahead first, as in the official code.
        """
        seen = [self.seen(agent, route) for agent, route in routes]
        taken = [NOTHING if route.before is None else 0 for _, route in routes]
        width = self._model.config.image_size
        numbers = [ViewpointNumbers() for _ in seen]
        visual = visual_input(seen, self._source, taken, numbers, self._like, width)
        logits, state = self._model.step(self._thinking(routes), visual)
        rounded = np.round(as_array(logits).astype(np.float64), DIGITS)
        nothing = state.offered.new_zeros(state.offered.shape[2])
        found = []
        for row, ((_, route), here) in enumerate(zip(routes, seen, strict=True)):
            logs = _log_shares(rounded[row], len(here.candidates))
            thought = Thought(state.hidden[row], state.cell[row], nothing)
            found.append(_longer(route, here, logs, thought, state.offered[row]))
        return found

    def _thinking(self, routes: Sequence[tuple[int, FoundRoute]]) -> FollowerState:
        agents = torch.tensor([agent for agent, _ in routes], device=self._like.device)
        thoughts = [route.thought for _, route in routes]
        return FollowerState(
            self._state.context[agents],
            self._state.word_mask[agents],
            torch.stack([thought.hidden for thought in thoughts]),
            torch.stack([thought.cell for thought in thoughts]),
            torch.stack([thought.done for thought in thoughts])[:, None],
        )


def _log_shares(logits: Floats, ways: int) -> Floats:
    """Return logarithms of the probabilities of `ways` candidates and of stopping, the last column."""
    own = np.append(logits[:ways], logits[-1])
    shifted = own - own.max()
    logs: Floats = shifted - np.log(np.exp(shifted).sum())
    return logs


def _longer(
    route: FoundRoute, here: Observation, logs: Floats, thought: Thought, offered: Tensor
) -> list[FoundRoute]:
    ways, view = here.candidates, view_index(here.heading, here.elevation)
    steps, last = route.steps + 1, len(here.candidates)
    found = [
        FoundRoute(route, route.viewpoint, view, last, True, steps, route.score + float(logs[-1]), thought)
    ]
    order = official_order(torch.tensor([way.heading for way in ways]), float(VIEW_HEADINGS[view]))
    for k in order:
        score, way = route.score + float(logs[k]), ways[k]
        after = thought._replace(done=offered[k])
        found.append(FoundRoute(route, way.viewpoint, way.view_index, k, False, steps, score, after))
    return found


def common_walk(here: FoundRoute, there: FoundRoute) -> list[FoundRoute]:
    """Return the routes whose ends lead from one state to another, both included, on what was walked.

    The way goes back along the one to a viewpoint that the other comes through, and on from there; of the
    places of the other at that viewpoint, from the first.
    """
    ahead = there.parts
    first: dict[str, int] = {}
    for number, part in enumerate(ahead):
        first.setdefault(part.viewpoint, number)
    back: list[FoundRoute] = []
    for part in reversed(here.parts):
        back.append(part)
        if part.viewpoint in first:
            return back + ahead[first[part.viewpoint] + 1 :]
    raise ValueError("the routes do not begin at one place")
