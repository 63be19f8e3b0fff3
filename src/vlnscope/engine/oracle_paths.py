"""The ways along which an oracle leads an agent between the episodes of a tour (PROTOCOLS B.3).

``whole``: as the paper tells it, from where the agent stopped to the goal, and from the goal to the next
start; it sees every place it is led through, the goal included.

``ivln``: as the released discrete code does it: the places of the first way but for the goal, then those of a
way from the last of them but for the next start, where the place the agent stands at counts; of each way
only the last 50 places.
"""

from __future__ import annotations

from vlnscope.types import OracleRule
from vlnscope.worlds.graph.navgraph import NavGraph

_MOST = 50


def to_goal(graph: NavGraph, here: str, goal: str, rule: OracleRule) -> tuple[str, ...]:
    """Return the places that the agent is led through to the goal; none where there is no way.

    Example:
        >>> line = NavGraph.build("abcd", [[i, 0, 0] for i in range(4)], [*zip("abc", "bcd")])
        >>> to_goal(line, "a", "d", "whole"), to_goal(line, "a", "d", "ivln")
        (('b', 'c', 'd'), ('a', 'b', 'c'))
    """
    way = graph.shortest_path(here, goal)
    return way[1:] if rule == "whole" else way[:-1][-_MOST:]


def to_start(graph: NavGraph, here: str, start: str, rule: OracleRule) -> tuple[str, ...]:
    """Return the places that the agent is led through on the way to the next start, without that start."""
    way = graph.shortest_path(here, start)[:-1]
    return way[1:] if rule == "whole" else way[-_MOST:]
