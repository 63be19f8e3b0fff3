"""Refuses tours that cannot be walked."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import pairwise

from vlnscope.core.exceptions import InputError
from vlnscope.types import Episode, Tour
from vlnscope.worlds.scene import Scenes


def check_tours(tours: Sequence[Tour], episodes: Mapping[str, Episode], scenes: Scenes) -> None:
    """Refuse tours that do not fit the data.

    Args:
        tours: what is to be walked.
        episodes: of the data, by id.
        scenes: where they take place.

    Raises:
        InputError: there are no tours; a tour is empty, names an episode that the data do not have in its
            scene, or one that it or another tour has already; or no way leads from one episode to the next.
    """
    if not tours:
        raise InputError("there are no tours", expected="at least one", fix="check the tour file")
    taken: dict[str, Tour] = {}
    for tour in tours:
        if not tour.episode_ids:
            raise _bad(tour, "has no episodes", "one episode or more")
        for name in tour.episode_ids:
            if name not in episodes or episodes[name].scan != tour.scan:
                raise _bad(
                    tour,
                    f"names episode {name}, which the data do not have in scene {tour.scan}",
                    "episodes of the data, in the scene of the tour",
                )
            if name in taken:
                raise _bad(
                    tour, f"names episode {name}, which tour {taken[name].tour_id} has", "each episode once"
                )
            taken[name] = tour
        _check_ways(tour, [episodes[name] for name in tour.episode_ids], scenes)


def _check_ways(tour: Tour, walked: Sequence[Episode], scenes: Scenes) -> None:
    graph = scenes.scene(tour.scan).graph
    for before, after in pairwise(walked):
        if graph.distance(before.path[-1], after.path[0]) == float("inf"):
            raise _bad(
                tour,
                f"goes from episode {before.episode_id} to {after.episode_id}, between which there is no way",
                "episodes of one connected part of the scene",
            )


def _bad(tour: Tour, what: str, expected: str) -> InputError:
    return InputError(
        f"tour {tour.tour_id} of scene {tour.scan} {what}",
        expected=expected,
        fix="name the data set and the split (--split) that the tours were made for, or build tours anew",
    )
