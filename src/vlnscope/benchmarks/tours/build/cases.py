"""Makes the cases of tours: each tour once with the agent's memory kept, once with it reset.

Both halves walk the same episodes in the same order, and oracles lead the agent in the same way, so whatever
differs between them is what its memory is worth. Cases are called ``kept/EPISODE`` and ``reset/EPISODE`` and
grouped by

==============  ==========================================================================================
``level``       ``episode``, in contrast to the rows of whole tours that scoring adds
``variant``     ``kept`` or ``reset``
``tour``        id of the tour, the same in both halves
``place``       position in the tour, from 0
``pair``        id of the episode
==============  ==========================================================================================
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from itertools import pairwise
from typing import Literal, get_args

import msgspec

from vlnscope.benchmarks.kit.case_set import CaseSet, CaseTour, Loss
from vlnscope.benchmarks.kit.routes import graphs_of, refuse_secret, routes_of
from vlnscope.benchmarks.tours.build.tours import build_tours
from vlnscope.benchmarks.tours.protocol import rules
from vlnscope.core.exceptions import InputError, UnknownNameError
from vlnscope.episodes.datasets.dataset import Dataset
from vlnscope.types import MAX_STEPS, Case, Episode, OracleRule, Tour
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


Memory = Literal["kept", "reset"]
_STARTS = (
    "the tours are ordered by starts alone; oracles lead to each goal all the same, which IVLN's test "
    "server does not let them do (oracle `starts` is its rule)"
)


def build_cases(
    dataset: Dataset,
    *,
    legs: str = "end-to-start",
    tours: Sequence[Tour] | None = None,
    memory: Sequence[Memory] = ("kept", "reset"),
    max_tours: int | None = None,
    max_episodes: int | None = None,
    max_steps: int = MAX_STEPS,
    oracle: OracleRule = "whole",
    seed: int = 0,
) -> CaseSet:
    """Make the cases of the tours of a data set.

    Args:
        dataset: any data set with whole paths over navigation graphs.
        legs: what the order of a tour makes short, see `build_tours`.
        tours: tours to walk instead of newly ordered ones, such as those of a ``tours_iVLN.json``.
        memory: which halves to make.
        max_tours: at most so many tours of each scene, the first ones.
        max_episodes: at most so many episodes of each tour, those that are walked first.
        max_steps: see `rules`.
        oracle: see `rules`.
        seed: of the order and of the instructions that each tour takes.

    Raises:
        InputError: goals are secret, paths do not lie on the graphs, or given tours cannot be walked.
    """
    _check_options(memory, max_tours, max_episodes)
    refuse_secret(dataset, "take a split whose paths are known; `build tours` can still order it by starts")
    episodes = {episode.episode_id: episode for episode in dataset.episodes()}
    all_tours = list(tours) if tours is not None else list(build_tours(dataset, legs=legs, seed=seed).tours)
    if tours is not None:
        graphs_of(dataset, routes_of(dataset))
    assert dataset.scenes is not None  # as both ways of having tours made sure
    check_tours(all_tours, episodes, dataset.scenes)
    walked = [_cut(tour, max_episodes) for tour in _first_of_scenes(all_tours, max_tours)]
    options = {
        "legs": legs if tours is None else None,
        "memory": list(memory),
        "max_tours": max_tours,
        "max_episodes": max_episodes,
    }
    return CaseSet(
        benchmark="tours",
        data=dataset.address,
        rules=rules(max_steps=max_steps, oracle=oracle),
        cases=tuple(case for kind in memory for tour in walked for case in _cases(tour, episodes, kind)),
        tours=tuple(_case_tour(tour, kind) for kind in memory for tour in walked),
        options=options | {"seed": seed, "given": tours is not None},
        losses=(
            Loss("episodes in tours", len(episodes), _episodes(all_tours)),
            Loss("tours per scene", len(all_tours), len(walked)),
            Loss("episodes asked", _episodes(all_tours), _episodes(walked)),
        ),
        notes=(_STARTS,) if _half_of_the_rule(tours, legs, oracle) else (),
    )


def _half_of_the_rule(tours: Sequence[Tour] | None, legs: str, oracle: OracleRule) -> bool:
    """Say whether tours are ordered as for IVLN's test server, and led otherwise."""
    return tours is None and legs == "start-to-start" and oracle != "starts"


def case_id(kind: str, episode_id: str) -> str:
    """Return what the case of an episode is called in one half."""
    return f"{kind}/{episode_id}"


def _cases(tour: Tour, episodes: Mapping[str, Episode], kind: Memory) -> Iterator[Case]:
    for position, name in enumerate(tour.episode_ids):
        groups = {
            "level": "episode",
            "variant": kind,
            "tour": tour.tour_id,
            "place": str(position),
            "pair": name,
        }
        yield Case(case_id=case_id(kind, name), episode=episodes[name], groups=groups)


def _case_tour(tour: Tour, kind: Memory) -> CaseTour:
    names = tuple(case_id(kind, name) for name in tour.episode_ids)
    return CaseTour(tour_id=f"{kind}/{tour.tour_id}", scan=tour.scan, case_ids=names, forgets=kind == "reset")


def _first_of_scenes(tours: Sequence[Tour], most: int | None) -> list[Tour]:
    if most is None:
        return list(tours)
    by_scene: dict[str, list[Tour]] = {}
    for tour in tours:
        by_scene.setdefault(tour.scan, []).append(tour)
    return [tour for group in by_scene.values() for tour in group[:most]]


def _episodes(tours: Sequence[Tour]) -> int:
    return sum(len(tour.episode_ids) for tour in tours)


def _cut(tour: Tour, most: int | None) -> Tour:
    return msgspec.structs.replace(tour, episode_ids=tour.episode_ids[:most])


def _check_options(memory: Sequence[str], max_tours: int | None, max_episodes: int | None) -> None:
    for kind in memory:
        if kind not in get_args(Memory):
            raise UnknownNameError("kind of memory", kind, get_args(Memory))
    if not memory or len(set(memory)) < len(memory):
        raise InputError(
            f"memory is {', '.join(memory) or 'nothing'}",
            expected="kept, reset or both",
            fix="name each once",
        )
    for most, what, name in (
        (max_tours, "tours of each scene", "max_tours"),
        (max_episodes, "episodes of each tour", "max_episodes"),
    ):
        if most is not None and most < 1:
            raise InputError(f"at most {most} {what}", expected="1 or more", fix=f"raise {name}")
