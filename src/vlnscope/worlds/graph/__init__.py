"""Navigation graphs: distances, candidates, and the 36 views of a panorama."""

from vlnscope.worlds.graph.candidates import candidates_of
from vlnscope.worlds.graph.navgraph import Geodesics, NavGraph
from vlnscope.worlds.graph.views import VIEW_ELEVATIONS, VIEW_HEADINGS, VIEWS, view_index, wrap_heading

__all__ = [
    "VIEWS",
    "VIEW_ELEVATIONS",
    "VIEW_HEADINGS",
    "Geodesics",
    "NavGraph",
    "candidates_of",
    "view_index",
    "wrap_heading",
]
