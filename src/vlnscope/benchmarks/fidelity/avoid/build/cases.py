"""Building the cases: routes of every scene on which the shortest way is wrong.

Cases are grouped by

============  ============================================================================================
``task``      ``avoid`` or ``rescue``
``variant``   ``told``, or ``direct`` where the shortest way to the same goal is described, as a control
``pair``      the route, shared by both
``room``      what the room is called
============  ============================================================================================
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterator, Mapping
from itertools import pairwise

import numpy as np

from vlnscope.benchmarks.fidelity.avoid.build.describing import (
    WordedRoute,
    described_routes,
    joined_routes,
)
from vlnscope.benchmarks.fidelity.avoid.build.single_rooms import SceneWithRooms, SingleRoom
from vlnscope.benchmarks.fidelity.avoid.build.wording import task_text
from vlnscope.benchmarks.fidelity.avoid.protocol import rules
from vlnscope.benchmarks.fidelity.avoid.tasks import FIELD, TASKS, Task
from vlnscope.benchmarks.fidelity.joins.join import join_paths
from vlnscope.benchmarks.fidelity.joins.paths import JoinedPath
from vlnscope.benchmarks.kit.case_set import CaseSet
from vlnscope.benchmarks.kit.filter_counts import FilterCounts
from vlnscope.core.exceptions import InputError, UnknownNameError
from vlnscope.core.rng import rng_for
from vlnscope.episodes.datasets.dataset import Dataset
from vlnscope.types import Case, Episode
from vlnscope.worlds.houses.splits import is_house

MOST = 6
"""How many routes of each task a scene gives."""


def build_cases(
    dataset: Dataset, *, seed: int = 0, tasks: Collection[str] = TASKS, most: int = MOST
) -> CaseSet:
    """Make the cases of avoid and rescue.

    Args:
        dataset: in built-in houses routes are drawn and described; of other data sets, paths are joined in
            pairs as in R4R, with their own instructions.
        seed: of all choices.
        tasks: which of ``avoid`` and ``rescue``.
        most: how many routes of each task a scene gives.

    Raises:
        InputError: the data set has no graphs, no rooms, or no such route.
        UnknownNameError: there is no such task.
    """
    chosen = _chosen(tasks)
    joined = _joined_by_scan(dataset)
    scans = tuple(joined) if joined is not None else _scans(dataset)
    counts, cases, lacking = FilterCounts(), [], 0
    for scan in scans:
        assert dataset.scenes is not None  # or there were no scans
        scene = dataset.scenes.scene(scan)
        if not scene.has("regions"):
            lacking += 1
            continue
        site = SceneWithRooms(scene)
        for task in chosen:
            routes = _drawn(site, task, most, seed, None if joined is None else joined[scan])
            counts.add(f"{task}: scenes with such a route", 1, bool(routes))
            cases += [case for k, route in enumerate(routes) for case in _cases(site, route, k, seed)]
    if not cases:
        raise InputError(
            f"{dataset.name}: has no route on which the shortest way is wrong",
            expected="scenes with rooms that can be named, and more than one way between places",
            fix="take more scenes, or a data folder with rooms (--root DIR)",
        )
    return CaseSet(
        benchmark="avoid",
        data=dataset.address,
        rules=rules(longest=max(len(case.episode.path) - 1 for case in cases)),
        cases=tuple(cases),
        options={"seed": seed, "tasks": list(chosen), "most": most},
        losses=counts.losses(),
        notes=(f"{lacking} of {len(scans)} scenes have no rooms and are left out",) if lacking else (),
    )


def _chosen(tasks: Collection[str]) -> tuple[Task, ...]:
    for name in tasks:
        if name not in TASKS:
            raise UnknownNameError("task", name, TASKS)
    return tuple(task for task in TASKS if task in tasks)


def _scans(dataset: Dataset) -> tuple[str, ...]:
    return dataset.scenes.scans() if dataset.scenes is not None else ()


def _joined_by_scan(dataset: Dataset) -> Mapping[str, list[JoinedPath]] | None:
    """Return joined paths by scene; None for built-in houses, whose ways are described anew."""
    if not dataset.files and all(map(is_house, _scans(dataset))):
        return None
    by_scan: dict[str, list[JoinedPath]] = {}
    for path in join_paths(dataset, "r4r").paths:
        by_scan.setdefault(path.scan, []).append(path)
    return by_scan


def _drawn(
    site: SceneWithRooms, task: Task, most: int, seed: int, joined: list[JoinedPath] | None
) -> list[WordedRoute]:
    """Draw routes, one for each room in turn, no two from one place to another."""
    rng = rng_for(seed, "avoid", site.scene.id, task)
    sources = [_routes(site, room, task, rng, seed, joined) for room in site.rooms]
    picked: list[WordedRoute] = []
    ends: set[str] = set()
    while sources and len(picked) < most:
        for source in list(sources):
            worded = next((it for it in source if not ends & _ends(it)), None)
            if worded is None:
                sources.remove(source)
            elif len(picked) < most:
                picked.append(worded)
                ends |= _ends(worded)
    return picked


def _ends(worded: WordedRoute) -> set[str]:
    shortest = worded.route.shortest
    return {f"{worded.route.room.label} from {shortest[0]}", f"{worded.route.room.label} to {shortest[-1]}"}


def _routes(
    site: SceneWithRooms,
    room: SingleRoom,
    task: Task,
    rng: np.random.Generator,
    seed: int,
    joined: list[JoinedPath] | None,
) -> Iterator[WordedRoute]:
    if joined is None:
        return described_routes(site, room, task, rng, seed)
    order = rng.permutation(len(joined)).tolist()
    return joined_routes(site, room, task, (joined[pick] for pick in order), rng)


def _cases(site: SceneWithRooms, worded: WordedRoute, number: int, seed: int) -> Iterator[Case]:
    route = worded.route
    name = f"{site.scene.id}-{route.task}{number}"
    groups = {"task": route.task, "pair": name, "room": route.room.name, "scene": site.scene.id}
    text = task_text(route.task, route.room.name, worded.ways, seed, name)
    yield _case(site, worded, name, "told", text, route.path, groups)
    if worded.direct:
        yield _case(site, worded, name, "direct", worded.direct, route.shortest, groups)


def _case(
    site: SceneWithRooms,
    worded: WordedRoute,
    pair: str,
    variant: str,
    text: str,
    path: tuple[str, ...],
    groups: dict[str, str],
) -> Case:
    room = worded.route.room
    graph = site.graph
    viewpoints = [graph.nodes[row] for row in room.rows]
    length = sum(graph.distance(a, b) for a, b in pairwise(path))
    return Case(
        case_id=f"{pair}-{variant}",
        episode=Episode(
            episode_id=f"{pair}-{variant}_0",
            path_id=pair,
            scan=site.scene.id,
            instruction=text,
            path=path,
            heading=worded.heading,
            distance=round(length, 2),
            extra={FIELD: {"task": worded.route.task, "room": room.name, "viewpoints": viewpoints}},
        ),
        groups={"variant": variant, **groups},
    )


def count_cases(case_set: CaseSet) -> dict[str, int]:
    """Return how many cases there are of each task and variant."""
    return dict(Counter(f"{case.groups['task']}, {case.groups['variant']}" for case in case_set.cases))
