"""Environment interventions: the same instruction in a house as it was, and after it was changed.

What instructions name is removed, moved into another room, painted, or (rooms) called something else; in
other copies of the house, as many things are changed in the same way that no instruction names. Where a path
leads stays the same, so the right answer is known: the end of the path. An agent that follows the words
loses its way where what they name has changed, and only there; one that does not read them, nowhere.
Viewpoints may move a little where things were: the path then begins and ends at the nearest ones, and is a
shortest one.

Led cases lead the agent to where the words first name what is changed (in all three houses to the same
place), and keep what it decides there: the next step. From there it goes on until it stops, which decides
about success. Paths that pass that place in not all three houses have no next step, and are not led.

Each kind of change makes two copies of a house, whatever the number of paths: one in which the things that
its paths name are changed, and one in which others are. Cases name the copies by their edits, see
`vlnscope.worlds.houses.edit.names`.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import partial
from itertools import pairwise
from typing import NamedTuple

import msgspec
import numpy as np

from vlnscope.benchmarks.behavior.environment.edits import (
    CHANGES,
    Change,
    Edited,
    Target,
    applied,
    first_step_naming,
    named_targets,
    other_targets,
)
from vlnscope.benchmarks.kit.case_set import CaseSet
from vlnscope.benchmarks.kit.filter_counts import FilterCounts
from vlnscope.core.exceptions import InputError, UnknownNameError
from vlnscope.core.rng import rng_for
from vlnscope.episodes.datasets.dataset import Dataset
from vlnscope.episodes.datasets.house_episodes import instructions
from vlnscope.language.describe import REGISTERS, Description
from vlnscope.types import STOP, Case, Episode, Floats, Rules
from vlnscope.worlds.graph.navgraph import NavGraph
from vlnscope.worlds.houses.edit.names import edited_name
from vlnscope.worlds.houses.house import house_scene
from vlnscope.worlds.houses.parallel import for_houses
from vlnscope.worlds.houses.plan.plan import FloorPlan
from vlnscope.worlds.houses.splits import is_house, load_house
from vlnscope.worlds.scene import Scene

PATHS = 4
"""Paths of a house that are asked."""
SHIFT = 0.5
"""Metres that a viewpoint may move and still be where a path begins or ends."""


class DescribedEpisode(NamedTuple):
    """An episode and what its instruction says."""

    episode: Episode
    said: Description


def build_environment_cases(
    dataset: Dataset,
    *,
    changes: Sequence[Change] = CHANGES,
    paths: int = PATHS,
    led: bool = True,
    seed: int = 0,
    workers: int = 1,
) -> CaseSet:
    """Make the cases: per kind of change each path in the house as it was, and in two changed copies.

    Args:
        dataset: episodes in built-in houses.
        changes: what is done to the houses.
        paths: how many paths of each house are asked, one instruction each.
        led: lead the agent to where the words first name what is changed, and keep its next step; else it
            walks from the start, and only its success counts.
        seed: decides what else is changed, and into what.
        workers: number of processes; it changes nothing but the time.

    Raises:
        UnknownNameError: there is no such change.
        InputError: the episodes are not of built-in houses, or nothing that they name can be changed.
    """
    for change in changes:
        if change not in CHANGES:
            raise UnknownNameError("change", change, CHANGES)
    by_house = _first_episodes(dataset, paths)
    work = partial(_house_cases, by_house=by_house, changes=tuple(changes), led=led, seed=seed)
    counts = FilterCounts()
    cases: list[Case] = []
    for of_house, house_counts in for_houses(work, list(by_house), workers=workers):
        cases += of_house
        for name, (before, after) in house_counts.items():
            counts.add(name, before, after)
    if not cases:
        raise InputError(
            f"{dataset.name}: nothing that its instructions name can be changed",
            expected="instructions that name objects or rooms",
            fix="take more paths, or other changes",
        )
    return CaseSet(
        benchmark="behavior",
        data=dataset.address,
        rules=Rules(),
        cases=tuple(cases),
        options={"changes": list(changes), "paths": paths, "led": led, "seed": seed},
        losses=counts.losses(by_prefix=True),
        notes=(
            "environment cases: right is to end less than 3 m from where the path did in the house as it was",
            *(("the next step: what the agent decides where the words first name what is changed",) * led),
        ),
    )


def _first_episodes(dataset: Dataset, paths: int) -> dict[str, list[Episode]]:
    """Return the first episode of each of the first paths of each house."""
    by_house: dict[str, dict[str, Episode]] = {}
    for episode in dataset.episodes():
        if not is_house(episode.scan):
            raise InputError(
                f"{dataset.name}: episode {episode.episode_id} is in {episode.scan}, which is not built in",
                expected="episodes in houses that can be changed",
                fix="name a data set such as houses/val_unseen",
            )
        its = by_house.setdefault(episode.scan, {})
        if len(its) < paths:
            its.setdefault(episode.path_id, episode)
    return {house: list(its.values()) for house, its in by_house.items()}


Counts = dict[str, tuple[int, int]]


def _house_cases(
    house: str, *, by_house: Mapping[str, Sequence[Episode]], changes: Sequence[Change], led: bool, seed: int
) -> tuple[list[Case], Counts]:
    plan = load_house(house)
    scene = house_scene(plan)
    described = [it for episode in by_house[house] if (it := _described(scene, episode)) is not None]
    counts: Counts = {
        "environment: what the instruction says is known": (len(by_house[house]), len(described))
    }
    cases: list[Case] = []
    for change in changes:
        rng = rng_for(seed, "environment", house, change)
        its = list(_changed_cases(plan, scene.graph, described, change, rng, led=led))
        pairs = {case.groups["pair"]: bool(case.correct) for case in its}
        counts[f"environment: {change}: named things could be changed"] = (len(described), len(pairs))
        if led:
            stepped = sum(pairs.values())
            counts[f"environment: {change}: passes the place where they are named"] = (len(pairs), stepped)
        cases += its
    return cases, counts


def _described(scene: Scene, episode: Episode) -> DescribedEpisode | None:
    """Return what an instruction says: it is written again, and compared."""
    for register in REGISTERS:
        written = instructions(
            scene, episode.path, episode.heading or 0.0, register, seed=int(episode.path_id)
        )
        for said in written:
            if said.text == episode.instruction:
                return DescribedEpisode(episode, said)
    return None


def _changed_cases(
    plan: FloorPlan,
    before: NavGraph,
    described: Sequence[DescribedEpisode],
    change: Change,
    rng: np.random.Generator,
    *,
    led: bool,
) -> Iterator[Case]:
    """Yield the cases as it was and in both changed copies, for the paths that can be walked in both."""
    targets = {it.episode.episode_id: named_targets(plan, change, it.said, rng) for it in described}
    named = applied(plan, _distinct(targets.values()))
    if not named.changed:
        return
    said = [it.said for it in described]
    spare = other_targets(plan, change, said, 2 * len(named.changed), rng)
    other = _first(plan, spare, len(named.changed))
    if len(other.changed) < len(named.changed):
        return
    copies = {"original": plan, "named": named.plan, "other": other.plan}
    graphs = {variant: house_scene(copy).graph for variant, copy in copies.items()}
    for it in described:
        own = {target.name for target in targets[it.episode.episode_id]} & set(named.changed)
        ways = {variant: path_in(graph, before, it.episode.path) for variant, graph in graphs.items()}
        if not own or not all(ways.values()):
            continue
        steps: dict[str, int | None] = dict.fromkeys(copies)
        if led:
            place = before.positions[before.row(it.episode.path[first_step_naming(plan, it.said, own)])]
            steps |= {variant: step_at(graphs[variant], way, place) for variant, way in ways.items()}
        if None in steps.values():
            steps = dict.fromkeys(copies)
        for variant, copy in copies.items():
            scan = edited_name(plan.id, copy.history)
            episode = msgspec.structs.replace(it.episode, scan=scan, path=ways[variant])
            yield _case(episode, change, variant, len(own), steps[variant])


def _first(plan: FloorPlan, targets: Sequence[Target], count: int) -> Edited:
    """Change the first targets that can be changed, so many in all."""
    done = Edited(plan, ())
    while targets and (missing := count - len(done.changed)):
        more = applied(done.plan, targets[:missing])
        targets = targets[missing:]
        done = Edited(more.plan, (*done.changed, *more.changed))
    return done


def _distinct(groups: Iterable[Sequence[Target]]) -> list[Target]:
    return list({target.name: target for targets in groups for target in targets}.values())


def path_in(graph: NavGraph, before: NavGraph, path: Sequence[str]) -> tuple[str, ...]:
    """Return a path in the graph of a changed house; empty if it cannot begin or end where it did.

    Args:
        graph: of the house as it is.
        before: of the house as it was, where the path is.
        path: viewpoints.
    """
    index = graph.index
    known = all(node in index for node in path)
    if known and all(graph.adjacency[index[a], index[b]] for a, b in pairwise(path)):
        return tuple(path)
    ends = []
    for node in (path[0], path[-1]):
        away = np.linalg.norm(graph.positions - before.positions[before.row(node)], axis=1)
        if away.min() > SHIFT:
            return ()
        ends.append(graph.nodes[int(away.argmin())])
    return graph.shortest_path(*ends)


def step_at(graph: NavGraph, path: Sequence[str], place: Floats) -> int | None:
    """Return the step at which a path passes a place, less than half a metre away; None if it does not."""
    away = np.linalg.norm(graph.positions[[graph.row(node) for node in path]] - place, axis=1)
    return int(away.argmin()) if away.min() <= SHIFT else None


def _case(episode: Episode, change: str, variant: str, named: int, step: int | None) -> Case:
    """Return the case of an episode in one of the houses; it is led to `step` if that is known."""
    way = () if step is None else (episode.path[step + 1] if step + 1 < len(episode.path) else STOP,)
    return Case(
        case_id=f"environment.{change}.{variant}.{episode.episode_id}",
        episode=episode,
        forced_steps=step or 0,
        correct=way,
        groups={
            "skill": "environment",
            "sub": change,
            "variant": variant,
            "pair": episode.episode_id,
            "changed": str(named),
            "path_length": str(len(episode.path)),
            "source": "houses",
        },
    )
