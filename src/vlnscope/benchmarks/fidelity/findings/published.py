"""What V. Jain et al. (2019) report: their agents on R2R (Table 3) and on R4R (Table 4)."""

from __future__ import annotations

from typing import NamedTuple


class PublishedRow(NamedTuple):
    """A row of a table: metres, or percent; None where the paper has no number.

    Attributes:
        model: as the paper calls it.
        variant: what it was told, in the words of `ablations`.
        tl: path length.
        ne: navigation error.
        sr: success rate.
        spl: success weighted by path length, measured against the shortest way.
        cls: coverage weighted by length score.
    """

    model: str
    variant: str
    tl: float | None
    ne: float | None
    sr: float | None
    spl: float | None = None
    cls: float | None = None


_GOAL, _FIDELITY = "RCM, goal oriented", "RCM, fidelity oriented"
_FRIED, _WANG = "Speaker-Follower (Fried et al. 2018)", "RCM (Wang et al. 2019)"

PUBLISHED: dict[tuple[str, str], tuple[PublishedRow, ...]] = {
    ("as-is", "r2r/val_seen"): (
        PublishedRow("Random", "full", 10.4, 9.82, 5.0, 3.7, 29.4),
        PublishedRow(_FRIED, "full", None, 3.36, 66.4),
        PublishedRow(_WANG, "full", 12.1, 3.25, 67.6),
        PublishedRow("Speaker-Follower", "full", 15.5, 4.98, 50.1, 40.1, 54.8),
        PublishedRow(_GOAL, "full", 13.7, 4.48, 55.3, 47.9, 61.1),
        PublishedRow(_GOAL, "last-five", 16.9, 7.35, 26.5, 22.2, 39.0),
        PublishedRow(_GOAL, "none", 21.1, 7.78, 22.3, 11.6, 27.5),
        PublishedRow(_FIDELITY, "full", 12.2, 4.63, 57.3, 50.7, 60.2),
        PublishedRow(_FIDELITY, "last-five", 13.4, 8.08, 27.8, 23.5, 42.4),
        PublishedRow(_FIDELITY, "none", 20.1, 8.95, 18.2, 8.8, 24.8),
    ),
    ("as-is", "r2r/val_unseen"): (
        PublishedRow("Random", "full", None, 9.32, 5.2, 4.0, 29.0),
        PublishedRow(_FRIED, "full", None, 6.62, 35.5),
        PublishedRow(_WANG, "full", 15.0, 6.01, 40.6),
        PublishedRow("Speaker-Follower", "full", 15.2, 6.36, 35.3, 28.1, 42.9),
        PublishedRow(_GOAL, "full", 14.8, 6.00, 41.1, 32.7, 47.4),
        PublishedRow(_GOAL, "last-five", 15.1, 8.16, 22.2, 17.2, 35.1),
        PublishedRow(_GOAL, "none", 17.7, 8.69, 13.0, 9.4, 26.1),
        PublishedRow(_FIDELITY, "full", 13.2, 6.38, 40.8, 35.1, 50.9),
        PublishedRow(_FIDELITY, "last-five", 14.4, 8.29, 23.2, 17.7, 35.5),
        PublishedRow(_FIDELITY, "none", 20.5, 8.76, 14.3, 6.2, 22.7),
    ),
    ("r4r", "r2r/val_seen"): (
        PublishedRow("Random", "full", 21.8, 11.4, 13.1, 2.0, 23.1),
        PublishedRow("Speaker-Follower", "full", 15.4, 5.35, 51.9, 37.3, 46.4),
        PublishedRow(_GOAL, "full", 24.5, 5.11, 55.5, 32.3, 40.4),
        PublishedRow(_GOAL, "last-five", 29.5, 8.73, 26.4, 12.4, 35.1),
        PublishedRow(_GOAL, "none", 32.3, 9.50, 20.7, 8.0, 33.3),
        PublishedRow(_FIDELITY, "full", 18.8, 5.37, 52.6, 30.6, 55.3),
        PublishedRow(_FIDELITY, "last-five", 17.1, 8.88, 24.8, 11.7, 39.3),
        PublishedRow(_FIDELITY, "none", 12.7, 10.5, 12.1, 5.4, 37.2),
    ),
    ("r4r", "r2r/val_unseen"): (
        PublishedRow("Random", "full", 23.6, 10.4, 13.8, 2.2, 22.3),
        PublishedRow("Speaker-Follower", "full", 19.9, 8.47, 23.8, 12.2, 29.6),
        PublishedRow(_GOAL, "full", 32.5, 8.45, 28.6, 10.2, 20.4),
        PublishedRow(_GOAL, "last-five", 29.5, 9.04, 23.4, 4.5, 20.4),
        PublishedRow(_GOAL, "none", 34.0, 9.45, 19.0, 2.3, 17.4),
        PublishedRow(_FIDELITY, "full", 28.5, 8.08, 26.1, 7.7, 34.6),
        PublishedRow(_FIDELITY, "last-five", 25.5, 8.52, 18.9, 5.6, 25.3),
        PublishedRow(_FIDELITY, "none", 22.8, 9.41, 15.5, 4.9, 23.0),
    ),
}
"""By variant and data set. The path length of Random on R2R val_unseen is left out: the paper prints 9.32,
its navigation error."""

PUBLISHED_REFERENCES: dict[str, tuple[int, float, float]] = {
    "r2r/train": (14_039, 9.91, 9.91),
    "r2r/val_seen": (1_021, 10.2, 10.2),
    "r2r/val_unseen": (2_249, 9.50, 9.50),
    "r4r of r2r/train": (233_613, 20.6, 10.5),
    "r4r of r2r/val_seen": (1_035, 20.4, 11.1),
    "r4r of r2r/val_unseen": (45_162, 20.2, 10.1),
}
"""Table 1 as printed: instructions, mean length and mean shortest way. R2R val_unseen has 2,349 of them."""

EXAMPLES: dict[str, tuple[tuple[str, float, float], ...]] = {
    "figure-1": (("heads for the goal", 100.0, 23.0), ("keeps near the path", 17.0, 87.0)),
    "figure-4": (("keeps near the path", 0.0, 89.0), ("goes elsewhere", 0.0, 48.0)),
}
"""The two paths of Figure 1 (SPL, CLS) and those of Figure 4 (SED, CLS), in percent."""
