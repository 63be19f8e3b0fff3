"""Search for routes: what a follower would do, followed further than it goes itself (Fried et al. 2018).

A search looks at places that its agent has not been to: it is *pre-exploration*. Two kinds find several
complete routes, the most probable first:

- `beam_search` keeps the best few partial routes of each length;
- `state_factored_search` keeps the best route to each state (a viewpoint and where the agent looks), goes on
  from the best of all, and so finds routes that end in different states.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import NamedTuple

from vlnscope.agents.learned.speaker_follower.routes import FoundRoute, Searcher, StateKey, common_walk

MAX_STEPS = 10
"""Actions of a route, stopping included, as in the official code."""


class Found(NamedTuple):
    """What a search found for one agent.

    Attributes:
        routes: complete ones, the most probable first.
        walked: the routes whose ends an agent would go through that walks its search, in that order: to
            each state that the search went on from, over where the routes part, and then to the complete
            ones. Empty for a beam search, which nobody could walk.
    """

    routes: list[FoundRoute]
    walked: list[FoundRoute]


def beam_search(
    searcher: Searcher, beam: int, max_steps: int = MAX_STEPS, starts: Sequence[FoundRoute] | None = None
) -> list[Found]:
    """Return for each agent up to `beam` complete routes.

    Args:
        searcher: the follower and the agents.
        beam: how many routes are wanted, and kept at each step.
        max_steps: actions after which a route is complete, if it does not stop before.
        starts: routes that were gone already, one per agent; none if not given.
    """
    beams: list[list[FoundRoute]] = [[start] for start in starts or searcher.begin()]
    done: list[list[FoundRoute]] = [[] for _ in beams]
    for step in range(1, max_steps + 1):
        flat = [(agent, route) for agent, routes in enumerate(beams) for route in routes]
        if not flat:
            break
        longer: list[list[FoundRoute]] = [[] for _ in beams]
        for (agent, _), found in zip(flat, searcher.successors(flat), strict=True):
            longer[agent] += found
        for agent, routes in enumerate(longer):
            best = _best_first(routes)[:beam]
            done[agent] += [route for route in best if route.stopped or step == max_steps]
            goes_on = len(done[agent]) < beam and step < max_steps
            beams[agent] = [route for route in best if not route.stopped] if goes_on else []
    return [Found(_best_first(routes)[:beam], []) for routes in done]


def _best_first(routes: Iterable[FoundRoute]) -> list[FoundRoute]:
    return sorted(routes, key=lambda route: route.score, reverse=True)


class _Agenda:
    """The state-factored search for one agent."""

    def __init__(self, start: FoundRoute, size: int, key_parts: int, max_steps: int) -> None:
        self.walked = [start]
        self._last = start
        self._size, self._key_parts, self._last_step = size, key_parts, start.steps + max_steps
        self._open: dict[StateKey, FoundRoute] = {start.key(key_parts): start}
        self._expanded: set[FoundRoute] = {start}
        self._halted: dict[StateKey, FoundRoute] = {}
        self._accepted: dict[StateKey, FoundRoute] = {}

    def learn(self, routes: Iterable[FoundRoute]) -> None:
        """Hear of longer routes; of those to one state, the best is kept, and gone on from again if new."""
        for route in routes:
            ends = route.stopped or route.steps == self._last_step
            known, key = self._halted if ends else self._open, route.key(self._key_parts)
            if key not in known or known[key].score < route.score:
                known[key] = route

    def pop(self) -> FoundRoute | None:
        """Take the best that was not taken yet; return it if it can be gone on from.

        A complete one is accepted instead.
        """
        waiting = self._waiting() if len(self._accepted) < self._size else []
        if not waiting:
            return None
        best, complete = max(waiting, key=lambda entry: entry[0].score)
        self._expanded.add(best)
        if complete:
            key = best.key(self._key_parts)
            if key not in self._accepted or self._accepted[key].score < best.score:
                self._accepted[key] = best
            return None
        self.walk(best)
        return best

    @property
    def wants_more(self) -> bool:
        """Whether not enough is accepted, and something is left that was not taken."""
        return len(self._accepted) < self._size and bool(self._waiting())

    def _waiting(self) -> list[tuple[FoundRoute, bool]]:
        """Return what was not taken yet, and whether it is complete."""
        known = [(route, False) for route in self._open.values()]
        known += [(route, True) for route in self._halted.values()]
        return [(route, complete) for route, complete in known if route not in self._expanded]

    def walk(self, to: FoundRoute) -> None:
        """Walk from where the search was last to where it goes on."""
        self.walked += common_walk(self._last, to)[1:]
        self._last = to

    def found(self) -> Found:
        routes = _best_first(self._accepted.values())[: self._size]
        for route in routes:
            self.walk(route)
        return Found(routes, self.walked)


def state_factored_search(
    searcher: Searcher,
    size: int,
    *,
    key_parts: int = 4,
    max_steps: int = MAX_STEPS,
    together: bool = False,
    starts: Sequence[FoundRoute] | None = None,
) -> list[Found]:
    """Return for each agent up to `size` complete routes that end in different states.

    Args:
        searcher: the follower and the agents.
        size: how many routes are wanted.
        key_parts: how much of a state tells it from others, see `FoundRoute.key`.
        max_steps: actions after which a route is complete, if it does not stop before.
        together: whether the search ends for all agents in the first round in which no agent goes on from
            anywhere, as in the official code, whose results therefore depend on the batch. Without it, it
            ends for each when it has enough, or nothing is left.
        starts: routes that were gone already, one per agent; none if not given.
    """
    starts = starts or searcher.begin()
    agendas = [_Agenda(start, size, key_parts, max_steps) for start in starts]
    beams: list[FoundRoute | None] = list(starts)
    while True:
        flat = [(agent, route) for agent, route in enumerate(beams) if route is not None]
        for (agent, _), found in zip(flat, searcher.successors(flat) if flat else [], strict=True):
            agendas[agent].learn(_best_first(found))
        beams = [_next(agenda, patient=not together) for agenda in agendas]
        if not any(beams):
            return [agenda.found() for agenda in agendas]


def _next(agenda: _Agenda, *, patient: bool) -> FoundRoute | None:
    """Return what an agent's search goes on from; None if it is over, or this round without `patient`."""
    route = agenda.pop()
    while patient and route is None and agenda.wants_more:
        route = agenda.pop()
    return route
