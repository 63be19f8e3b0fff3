"""Building NavNuances: atomic instructions of five categories, from the layers of any scene."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Collection, Mapping
from typing import Any, Protocol

import numpy as np

from vlnscope.benchmarks.kit.case_set import CaseSet
from vlnscope.benchmarks.kit.filter_counts import FilterCounts
from vlnscope.benchmarks.nuances.build.direction import direction_items
from vlnscope.benchmarks.nuances.build.items import IndexedScene, NuanceItem, case_of
from vlnscope.benchmarks.nuances.build.landmark import landmark_items
from vlnscope.benchmarks.nuances.build.numerical import numerical_items
from vlnscope.benchmarks.nuances.build.paraphrases import reworded, template
from vlnscope.benchmarks.nuances.build.region import region_items
from vlnscope.benchmarks.nuances.build.vertical import vertical_items
from vlnscope.benchmarks.nuances.evaluators.evaluator import CATEGORIES, Category
from vlnscope.benchmarks.nuances.limits import MOST
from vlnscope.benchmarks.nuances.protocol import rules
from vlnscope.core.exceptions import InputError, UnknownNameError
from vlnscope.episodes.datasets.dataset import Dataset
from vlnscope.types import Case, Floats, Point, SeenObject
from vlnscope.worlds.objects import Objects
from vlnscope.worlds.scene import Scene, Scenes

WIDEST, CROSSING = 0.75, math.radians(25)
"""Most metres that a line of sight may miss the place by, and least angle between two lines."""
FARTHEST = 4.0
"""REVERIE lists what is within 3 m of a viewpoint; an object's middle may be a little farther, metres."""
_BELOW = 0.7


def with_placed_objects(scene: Scene) -> Scene:
    """Return a scene whose objects have a place where it can be told; the same scene if all have one."""
    if not scene.has("objects") or all(
        thing.centre for seen in scene.objects.seen.values() for thing in seen
    ):
        return scene
    placed = placed_objects(scene)
    return Scene(scene.id, scene.graph, {**scene.loaders, "objects": lambda: placed})


def placed_objects(scene: Scene) -> Objects:
    """Return the objects of a scene that have a place of their own or one that lines of sight tell."""
    lines: dict[str, list[tuple[str, float]]] = {}
    for viewpoint, seen in scene.objects.seen.items():
        for thing in seen:
            if thing.centre is None and thing.object_id is not None and viewpoint in scene.graph.index:
                lines.setdefault(thing.object_id, []).append((viewpoint, thing.heading))
    places = {key: _crossing(scene, sights) for key, sights in lines.items()}
    return Objects(
        scene.objects.source,
        {node: _placed(scene, node, things, places) for node, things in scene.objects.seen.items()},
    )


def _placed(
    scene: Scene, node: str, things: tuple[SeenObject, ...], places: Mapping[str, Point | None]
) -> tuple[SeenObject, ...]:
    placed = []
    for thing in things:
        centre = thing.centre or places.get(thing.object_id or "")
        if centre is not None and node in scene.graph.index:
            x, y, _ = scene.graph.positions[scene.graph.row(node)].tolist()
            apart = math.hypot(centre[0] - x, centre[1] - y)
            placed.append(
                thing._replace(centre=centre, distance=apart if thing.distance is None else thing.distance)
            )
        else:
            placed.append(thing)
    return tuple(placed)


def _crossing(scene: Scene, sights: list[tuple[str, float]]) -> Point | None:
    """Return the point that lies nearest to all lines of sight, None if they do not tell it well."""
    if len(sights) < 2:
        return None
    points = np.array([scene.graph.positions[scene.graph.row(node)] for node, _ in sights])
    headings = np.array([heading for _, heading in sights])
    if not _spread(headings):
        return None
    along = np.stack([np.sin(headings), np.cos(headings)], axis=1)
    across = np.stack([along[:, 1], -along[:, 0]], axis=1)
    level = points[:, :2]
    crossing: Floats = np.linalg.lstsq(across, (across * level).sum(axis=1), rcond=None)[0]
    offset = crossing - level
    misses = np.abs((across * offset).sum(axis=1))
    ahead = (along * offset).sum(axis=1)
    if misses.max() > WIDEST or ahead.min() <= 0 or ahead.max() > FARTHEST:
        return None
    return float(crossing[0]), float(crossing[1]), float(points[:, 2].mean() - _BELOW)


def _spread(headings: Floats) -> bool:
    """Return whether two of the lines cross at a wide angle."""
    apart = np.abs((headings[:, None] - headings[None, :] + math.pi / 2) % math.pi - math.pi / 2)
    return bool(apart.max() >= CROSSING)


class Builder(Protocol):
    """Makes the items of a category in a scene."""

    def __call__(self, site: IndexedScene, counts: FilterCounts, *, most: int, seed: int) -> list[NuanceItem]:
        """Return the items; `most` bounds how many junctions, starts, rows, items or moves are taken."""


BUILDERS: Mapping[Category, Builder] = {
    "DC": direction_items,
    "VM": vertical_items,
    "NU": numerical_items,
    "LR": landmark_items,
    "RR": region_items,
}
NEEDS: Mapping[Category, tuple[str, ...]] = {
    "DC": (),
    "VM": ("regions",),
    "NU": ("regions", "objects", "plan"),
    "LR": ("objects",),
    "RR": ("regions",),
}
"""The layers that a category is built from."""


def build_cases(
    dataset: Dataset,
    *,
    seed: int = 0,
    categories: Collection[str] = CATEGORIES,
    most: Mapping[str, int] | None = None,
    paraphrase: bool = True,
) -> CaseSet:
    """Return the items of all scenes of a data set as cases.

    A category that a scene lacks a layer for is left out there, and a note says so. The episodes carry the
    fields of the NavNuances files, so that the official evaluators read them.

    Args:
        dataset: whose scenes to take; its episodes do not matter.
        seed: of all random choices.
        categories: which of the five to build.
        most: how many of a scene, by category, where it is not to be `MOST`.
        paraphrase: draw from several wordings instead of using the paper's template throughout.

    Raises:
        InputError: the data set has no scenes, or nothing can be built.
        UnknownNameError: there is no such category.
    """
    chosen = _chosen(categories)
    limits: dict[str, int] = dict(MOST) | dict(_checked(most or {}))
    scenes, scans = scenes_of(dataset)
    counts = FilterCounts()
    lacking: dict[str, int] = {}
    cases: list[Case] = []
    for scan in scans:
        site = IndexedScene(with_placed_objects(scenes.scene(scan)))
        for category in chosen:
            missing = _missing(site.scene, category)
            if missing:
                key = f"{category} needs the layer {missing!r}"
                lacking[key] = lacking.get(key, 0) + 1
                continue
            items = BUILDERS[category](site, counts, most=limits[category], seed=seed)
            cases += [case_of(item, scan, _text(item, seed, paraphrase)) for item in items]
    options: dict[str, Any] = {"seed": seed, "categories": list(chosen), "paraphrase": paraphrase}
    return _finished(
        CaseSet(
            benchmark="nuances",
            data=dataset.address,
            rules=rules(),
            cases=tuple(cases),
            options=options | {"most": {category: limits[category] for category in chosen}},
            losses=counts.losses(),
            notes=tuple(
                f"{what}, which {count} of {len(scans)} scenes lack" for what, count in lacking.items()
            ),
        )
    )


def scenes_of(dataset: Dataset) -> tuple[Scenes, tuple[str, ...]]:
    """Return the scenes of a data set, and which of them its episodes take place in."""
    scenes = dataset.scenes
    if scenes is None:
        raise InputError(
            f"{dataset.name}: has no navigation graphs",
            expected="a data set whose episodes walk over a graph",
            fix="use the discrete data set, such as r2r/val_unseen, or houses/nuances",
        )
    if not dataset.files:  # houses: their episodes need not be made
        return scenes, scenes.scans()
    return scenes, tuple(dict.fromkeys(episode.scan for episode in dataset.episodes()))


def _chosen(categories: Collection[str]) -> tuple[Category, ...]:
    for name in categories:
        if name not in CATEGORIES:
            raise UnknownNameError("category of NavNuances", name, CATEGORIES)
    return tuple(category for category in CATEGORIES if category in categories)


def _checked(most: Mapping[str, int]) -> Mapping[str, int]:
    _chosen(most)
    for category, number in most.items():
        if number < 0:
            raise InputError(
                f"{category}: {number} of a scene cannot be taken",
                expected="0 or more",
                fix=f"write {category}=0 to take none, or leave {category} out",
            )
    return most


def _missing(scene: Scene, category: Category) -> str | None:
    return next((layer for layer in NEEDS[category] if not scene.has(layer)), None)


def _text(item: NuanceItem, seed: int, paraphrase: bool) -> str:
    if paraphrase:
        return reworded(item.phrase, item.slots, seed, item.name)
    return template(item.phrase, item.slots)


def _finished(case_set: CaseSet) -> CaseSet:
    if not case_set.cases:
        raise InputError(
            f"{case_set.data}: no item of {', '.join(case_set.options['categories'])} can be built"
            + (f" ({'; '.join(case_set.notes)})" if case_set.notes else ""),
            expected="scenes with junctions, stairs, corridors, landmarks or rooms",
            fix="take more scenes, other categories, or a data folder with rooms and objects (--root DIR)",
        )
    return case_set


def count_cases(case_set: CaseSet) -> dict[str, int]:
    """Return how many cases there are of each category and subset."""
    return dict(Counter(f"{case.groups['category']} {case.groups['subset']}" for case in case_set.cases))
