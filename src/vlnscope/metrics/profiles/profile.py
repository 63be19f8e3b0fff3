"""Profiles: whose convention the numbers follow."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal, cast

from vlnscope.core import registry
from vlnscope.metrics.profiles.switches import Switches

PATH_METRICS = (
    "TL", "steps", "NE", "ONE", "SR", "OSR", "SPL", "oracle-SPL", "SED", "PC", "LS", "CLS", "DTW", "nDTW",
    "sDTW", "ED", "GD", "t-nDTW",
)  # fmt: skip


@dataclass(frozen=True)
class Profile:
    """A named setting of all switches.

    Attributes:
        name: what users call it.
        title: whose numbers it reproduces.
        switches: the setting.
        metrics: what that source reports, in its order; `score` shows these unless told otherwise.
        space: where it applies: on graphs, in continuous space, or both.
    """

    name: str
    title: str
    switches: Switches
    metrics: tuple[str, ...] = PATH_METRICS
    space: Literal["graph", "continuous", "both"] = "both"


def get_profile(name: str) -> Profile:
    """Return the profile called `name`."""
    return cast(Profile, registry.get("profile", name))


def profiles() -> dict[str, Profile]:
    """Return all profiles, the default one first."""
    found = cast(dict[str, Profile], registry.everything("profile"))
    return dict(sorted(found.items(), key=lambda item: (item[0] != "default", item[0])))


def _add(
    name: str,
    title: str,
    metrics: tuple[str, ...],
    space: Literal["graph", "continuous", "both"],
    switches: Switches,
) -> None:
    registry.register("profile", name, Profile(name, title, switches, metrics, space))


_add("default", "the conventions that most code agrees on, nothing hidden", PATH_METRICS, "both", Switches())
_add(
    "paper",
    "the papers' own words: Jain et al. 2019 (R4R, CLS), Krantz et al. 2023 (tours)",
    ("TL", "NE", "ONE", "SR", "OSR", "SPL", "SED", "CLS", "PC", "LS", "ED", "t-nDTW"),
    "both",
    Switches(
        missing="left out",
        success="<=",
        tour_constraint="episode",
    ),
)
_add(
    "r2r-server",
    "Matterport3DSimulator's eval.py and the R2R test server",
    ("TL", "steps", "NE", "ONE", "SR", "OSR", "SPL", "GD"),
    "graph",
    Switches(
        spl_at_goal="undefined",
        jumps="undefined",
        start="reference",
        instructions=3,
    ),
)
_add(
    "hamt",
    "HAMT, DUET, NavGPT and the NavNuances base evaluator",
    ("TL", "steps", "NE", "ONE", "SR", "OSR", "SPL", "DTW", "nDTW", "sDTW", "CLS"),
    "graph",
    Switches(
        missing="left out",
        spl_optimum="reference",
        spl_floor=0.01,
        start="reference",
    ),
)
_add(
    "google",
    "the classes of google-research/r4r",
    ("CLS", "PC", "LS", "DTW", "nDTW", "sDTW"),
    "graph",
    Switches(
        missing="left out",
        success="<=",
        cls_length="edges",
    ),
)
_add(
    "valan",
    "google-research/valan",
    ("TL", "steps", "NE", "SR", "OSR", "SPL", "DTW", "nDTW", "sDTW", "CLS"),
    "graph",
    Switches(
        missing="left out",
        spl_at_goal="zero",
        cls_at_rest="one",
        dtw="per-metre",
    ),
)
_add(
    "vlnce",
    "VLN-CE on Habitat 0.1.7",
    ("TL", "steps", "NE", "SR", "OSR", "SPL", "oracle-SPL", "nDTW", "sDTW", "DTW"),
    "continuous",
    Switches(
        missing="left out",
        stop_required=True,
        warping="fastdtw",
        ignore_repeats=True,
    ),
)
_add(
    "vlnce-straight",
    "as vlnce, but the straight line stands in for navmesh distances (NE too small, SR too large)",
    ("TL", "steps", "NE", "SR", "OSR", "SPL", "oracle-SPL", "nDTW", "sDTW", "DTW"),
    "continuous",
    Switches(
        missing="left out",
        stop_required=True,
        warping="fastdtw",
        ignore_repeats=True,
        goal_distance="straight",
    ),
)
_add(
    "r2rie",
    "the R2RIE-CE trainer",
    ("TL", "steps", "NE", "SR", "OSR", "SPL", "nDTW", "sDTW"),
    "continuous",
    Switches(
        missing="left out",
        success="<=",
        warping="fastdtw",
    ),
)
_add(
    "ivln",
    "IVLN on graphs (IR2R)",
    ("TL", "steps", "NE", "ONE", "SR", "OSR", "SPL", "DTW", "nDTW", "sDTW", "CLS", "t-nDTW"),
    "graph",
    Switches(
        missing="left out",
        spl_optimum="reference",
        spl_floor=0.01,
        start="reference",
    ),
)
_add(
    "ivln-ce",
    "IVLN in continuous space (IR2R-CE)",
    ("TL", "steps", "NE", "SR", "OSR", "SPL", "nDTW", "sDTW", "t-nDTW"),
    "continuous",
    Switches(
        missing="left out",
        stop_required=True,
        warping="fastdtw",
        ignore_repeats=True,
        tour_weight="transitions",
    ),
)
