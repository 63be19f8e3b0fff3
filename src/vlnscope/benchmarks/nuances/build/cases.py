"""Building NavNuances: atomic instructions of five categories, from the layers of any scene."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Mapping
from typing import Any, Protocol

from vlnscope.benchmarks.kit.case_set import CaseSet
from vlnscope.benchmarks.kit.filter_counts import FilterCounts
from vlnscope.benchmarks.nuances.build.direction import direction_items
from vlnscope.benchmarks.nuances.build.items import IndexedScene, NuanceItem, case_of
from vlnscope.benchmarks.nuances.build.landmark import landmark_items
from vlnscope.benchmarks.nuances.build.numerical import numerical_items
from vlnscope.benchmarks.nuances.build.paraphrases import reworded, template
from vlnscope.benchmarks.nuances.build.placing import with_placed_objects
from vlnscope.benchmarks.nuances.build.region import region_items
from vlnscope.benchmarks.nuances.build.vertical import vertical_items
from vlnscope.benchmarks.nuances.evaluators.evaluator import CATEGORIES, Category
from vlnscope.benchmarks.nuances.limits import MOST
from vlnscope.benchmarks.nuances.protocol import rules
from vlnscope.core.exceptions import InputError, MissingLayerError, UnknownNameError
from vlnscope.episodes.datasets.dataset import Dataset
from vlnscope.language.geometry import STRAIGHT, relative
from vlnscope.perception.sights.captions import captions_of
from vlnscope.perception.sights.percept import CaptionSource
from vlnscope.types import Case
from vlnscope.worlds.matterport.scans import MatterportScenes
from vlnscope.worlds.scene import Scene, Scenes


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
    clear: bool = True,
    any_of: bool = True,
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
        clear: leave out what a stranger may doubt: turns far off their word, landmarks that are small or
            do not stand on the floor, rooms that do not look like their label.
        any_of: ask for one of several landmarks alike too, where few are alone; any of them is right.

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
        site = site_of(scenes, scan, clear=clear, any_of=any_of)
        for category in chosen:
            missing = _missing(site.scene, category)
            if missing:
                key = f"{category} needs the layer {missing!r}"
                lacking[key] = lacking.get(key, 0) + 1
                continue
            items = BUILDERS[category](site, counts, most=limits[category], seed=seed)
            cases += [case_of(item, scan, _text(site, item, seed, paraphrase)) for item in items]
    options: dict[str, Any] = {"seed": seed, "categories": list(chosen), "paraphrase": paraphrase}
    options |= {"clear": clear, "any_of": any_of}
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


def site_of(scenes: Scenes, scan: str, *, clear: bool, any_of: bool) -> IndexedScene:
    """Return a scene as the builders take it; see `build_cases` for the options."""
    scene = with_placed_objects(scenes.scene(scan), sized=clear)
    return IndexedScene(scene, clear, any_of, _captions(scenes, scan) if clear else None)


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


def _captions(scenes: Scenes, scan: str) -> CaptionSource | None:
    """Return the captions of a scan, None where there are none."""
    if not isinstance(scenes, MatterportScenes):
        return None
    try:
        return captions_of(scan, scenes.root)
    except MissingLayerError:
        return None


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


def _text(site: IndexedScene, item: NuanceItem, seed: int, paraphrase: bool) -> str:
    if not paraphrase:
        return template(item.phrase, item.slots)
    here, there = (site.graph.row(node) for node in item.path[:2])
    ahead = site.clear and abs(relative(item.heading, site.course(here, there))) <= STRAIGHT
    return reworded(item.phrase, item.slots, seed, item.name, ahead=ahead)


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
