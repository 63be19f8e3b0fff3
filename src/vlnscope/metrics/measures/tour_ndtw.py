"""t-nDTW, nDTW over whole tours."""

from __future__ import annotations

import numpy as np

from vlnscope.metrics.batch import PathBatch
from vlnscope.metrics.measures.dtw import NO_REFERENCE, UNCONNECTED
from vlnscope.metrics.metric import metric
from vlnscope.metrics.profiles.switches import Switches
from vlnscope.metrics.values import Values
from vlnscope.types import Floats, Ints

NO_ALIGNMENT = "no alignment obeys the episode boundaries (a reference of one point, a longer prediction)"


def episodes_per_tour(batch: PathBatch) -> Ints:
    """Return how many episodes each tour has."""
    if batch.tour is None:
        raise ValueError("the batch has no tours")
    return np.bincount(batch.tour)


def tour_weights(batch: PathBatch, switches: Switches) -> Floats:
    """Return how much each tour counts in the mean.

    The paper and the discrete code weight by episodes. IVLN-CE counts changes from one episode to the
    next, one fewer, so that a tour of a single episode counts nothing.
    """
    episodes = episodes_per_tour(batch).astype(np.float64)
    return episodes - 1.0 if switches.tour_weight == "transitions" else episodes


@metric(
    "t-nDTW",
    "tour nDTW",
    unit="%",
    better="higher",
    high=1.0,
    paper="Krantz et al. 2023, Iterative Vision-and-Language Navigation (CVPR)",
    switches=("radius", "tour_constraint", "tour_weight"),
    per="tour",
)
def tour_ndtw(batch: PathBatch, switches: Switches) -> Values:
    """How closely an agent kept to the references of all episodes of a tour, in order.

    The paths of a tour's episodes are joined, and points may be aligned only with points of the same
    episode; t-nDTW = exp(-DTW / (3 m · number of reference points of the tour)). Since an alignment can
    pass from one episode to the next only from last to first points, DTW is the sum over episodes.

    Official code is stricter than the paper (``tour_constraint = boundary``): the last reference point of
    every episode but the tour's last may be matched only by the agent's last point there, and the first
    of every episode but the tour's first only by its first. It is never larger, and has no value if a
    one-point reference meets a longer prediction. Bounds: (0, 1]. Only agent phases count.

    Example:
        >>> from vlnscope.metrics.example import example
        >>> example("t-nDTW", walked="abc cb", reference="abcd cb")
        0.895
    """
    if batch.tour is None:
        raise ValueError("the batch has no tours")
    first = np.zeros(len(batch), dtype=np.uint8)
    last = np.zeros(len(batch), dtype=np.uint8)
    if switches.tour_constraint == "boundary":
        joined = batch.tour[1:] == batch.tour[:-1]
        first[1:], last[:-1] = joined, joined
    cost = batch.pinned_warping(first, last)
    total = np.bincount(batch.tour, weights=np.where(np.isinf(cost), 0.0, cost))
    points = np.bincount(batch.tour, weights=batch.ref.sizes)
    free = batch.exact_warping
    return Values.of(
        np.exp(-total / (switches.radius * points)),
        {
            NO_REFERENCE: np.bincount(batch.tour, weights=~batch.has_reference) > 0,
            UNCONNECTED: np.bincount(batch.tour, weights=np.isinf(free)) > 0,
            NO_ALIGNMENT: np.bincount(batch.tour, weights=np.isinf(cost)) > 0,
        },
    )
