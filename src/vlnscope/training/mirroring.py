"""Mirrored scenes: each building once more with left and right exchanged, also in what is said about it.

A mirrored scene is a new building for an agent: other turns lead to other places, and the words that tell of
them change with them. It costs nothing to make, and instructions fit it as well as before, but for the few
whose “right” means “just”.
"""

from __future__ import annotations

import math
import re

import msgspec
import numpy as np

from vlnscope.types import Episode
from vlnscope.worlds.graph.navgraph import NavGraph
from vlnscope.worlds.graph.views import HEADINGS, VIEWS

MARK = "~"
"""Ends the names of mirrored scenes and episodes."""

MIRRORED_VIEWS = [view - view % HEADINGS + -view % HEADINGS for view in range(VIEWS)]
"""The view that is seen, mirrored, where each view was."""

_SIDES = re.compile(r"\b(left|right)(?=\b|most|wards?|hand)", re.IGNORECASE)
_JUST = re.compile(r"\s+(next|after|behind|beside|inside|outside|there|in\s+front|above|below|where|away)\b")
_TURNS = re.compile(r"\b(turn|turning|make|take|go|head|bear|veer|walk|step|face|move|slight|hard|far)\s+$")
_OTHER = {
    "left": "right",
    "right": "left",
    "Left": "Right",
    "Right": "Left",
    "LEFT": "RIGHT",
    "RIGHT": "LEFT",
}


def mirrored_graph(graph: NavGraph) -> NavGraph:
    """Return a graph whose x axis points the other way.

    Example:
        >>> graph = NavGraph.build(["a", "b"], [[1, 2, 0], [3, 2, 0]], [("a", "b")])
        >>> mirrored_graph(graph).positions.tolist()
        [[-1.0, 2.0, 0.0], [-3.0, 2.0, 0.0]]
    """
    return NavGraph(graph.nodes, graph.positions * np.array([-1.0, 1.0, 1.0]), graph.edges)


def mirrored_text(text: str) -> str:
    """Exchange left and right, but not a “right” that means “just”.

    Example:
        >>> mirrored_text("Turn right after the sofa, then left. Stop right next to the rug on the right.")
        'Turn left after the sofa, then right. Stop right next to the rug on the left.'
    """

    def other(match: re.Match[str]) -> str:
        side = match.group(1)
        just = side.lower() == "right" and _JUST.match(text, match.end())
        if just and not _TURNS.search(text[: match.start()].lower()):
            return side
        return _OTHER.get(side, side)

    return _SIDES.sub(other, text)


def mirrored_episode(episode: Episode) -> Episode:
    """Return the episode in the mirrored scene."""
    heading = None if episode.heading is None else -episode.heading % math.tau
    return msgspec.structs.replace(
        episode,
        episode_id=episode.episode_id + MARK,
        scan=episode.scan + MARK,
        instruction=mirrored_text(episode.instruction),
        heading=heading,
    )
