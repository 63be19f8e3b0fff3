"""Numerical comprehension: the room behind the i-th door of a corridor, or the i-th of several things alike.

Rooms are counted by doors, which the plan of a house has and Matterport's labels have not: a closed door
counts for whoever walks by. All numbered walks from one start are the set (`set_paths`) in which each is a
negative of the others.
"""

from __future__ import annotations

from collections.abc import Iterator

from vlnscope.benchmarks.kit.filter_counts import FilterCounts
from vlnscope.benchmarks.nuances.build.files import ordinal_subset
from vlnscope.benchmarks.nuances.build.items import IndexedScene, NuanceItem
from vlnscope.benchmarks.nuances.build.numbered_walks import Counted, NumberedWalks, corridor_series, numbered
from vlnscope.benchmarks.nuances.build.object_rows import thing_series
from vlnscope.benchmarks.nuances.evaluators.numerical import outcomes
from vlnscope.core.rng import rng_for
from vlnscope.language.describe.candidates.referring import Ref, referents
from vlnscope.language.lexicon import lexicon
from vlnscope.types import Episode

OBJECTS = "objects"


def numerical_items(site: IndexedScene, counts: FilterCounts, *, most: int, seed: int) -> list[NuanceItem]:
    """Return the items of a house.

    Args:
        site: the house.
        counts: counts what is left out.
        most: how many corridors (in one direction), and how many rows of things, are taken, drawn at random.
        seed: of the drawing.
    """
    items: list[NuanceItem] = []
    for kind, walks in (("rooms", corridor_series(site, counts)), (OBJECTS, thing_series(site, counts))):
        walks = counts.keep(f"NU {kind}: two or more on one side", walks, lambda s: bool(numbered(s.row)))
        walks = counts.keep(f"NU {kind}: the words mean one thing", walks, lambda s: bool(_meant(site, s)))
        walks = counts.keep(
            f"NU {kind}: wherever a walk to it may end, it counts",
            walks,
            lambda s: bool(_told(site, s, _meant(site, s))),
        )
        order = rng_for(seed, "nuances NU", site.scene.id, kind).permutation(len(walks)).tolist()
        picked = _others_first([walks[k] for k in order])[:most]
        counts.add(f"NU {kind}: starts drawn", len(walks), len(picked))
        items += [item for k, series in enumerate(picked) for item in _items(site, series, kind, k)]
    return items


def _others_first(walks: list[NumberedWalks]) -> list[NumberedWalks]:
    """Put series that count what no earlier one counts first."""
    seen: set[frozenset[int]] = set()
    first: list[NumberedWalks] = []
    later: list[NumberedWalks] = []
    for series in walks:
        counted = frozenset(entry.thing for entry in series.row.values())
        (later if counted in seen else first).append(series)
        seen.add(counted)
    return first + later


def _items(site: IndexedScene, series: NumberedWalks, kind: str, number: int) -> Iterator[NuanceItem]:
    pair = f"{site.scene.id}-nu{number}-{kind}"
    paths = _paths(site, series)
    noun = lexicon().objects[series.name].forms[0]
    for key in _told(site, series, _meant(site, series)):
        ordinal, side = ordinal_subset(key).split()
        yield NuanceItem(
            category="NU",
            subset=OBJECTS if kind == OBJECTS else f"{ordinal} {side}",
            name=f"{pair}-{key}",
            path=tuple(paths[key][0]),
            heading=series.heading,
            phrase=series.phrase,
            slots={"ordinal": ordinal, "side": side, "thing": noun},
            fields={"set_paths": paths},
            pair=pair,
            groups={"variant": key, "ordinal": ordinal, "side": side},
        )


def _meant(site: IndexedScene, series: NumberedWalks) -> list[str]:
    """Return the keys of the things within reach that the words mean for who stands at the start."""
    keys = []
    for key in numbered(series.row):
        counted = series.row[key]
        number, side = key.split("-")
        ref = Ref("object", series.name, ordinal=int(number), side="left" if side == "left" else "right")
        literal = referents(site.survey, ref, series.start, series.heading)
        if counted.path and literal == (counted.thing,):
            keys.append(key)
    return keys


def _told(site: IndexedScene, series: NumberedWalks, keys: list[str]) -> list[str]:
    """Return the keys of the things to which every walk is told from those to the others."""
    paths = _paths(site, series)
    return [key for key in keys if _is_told(site, paths, key, series.row[key])]


def _is_told(site: IndexedScene, paths: dict[str, list[list[str]]], key: str, counted: Counted) -> bool:
    start = counted.path[0]
    walks = [site.named(counted.path), *(site.named(site.walk(start, end)) for end in counted.stops)]
    draft = Episode(
        episode_id="draft",
        path_id=f"draft-{key}",
        scan=site.scene.id,
        instruction="",
        path=walks[0],
        extra={"set_paths": paths},
    )
    return bool(outcomes(draft, walks, site.graph).success.all())


def _paths(site: IndexedScene, series: NumberedWalks) -> dict[str, list[list[str]]]:
    return {key: [list(site.named(counted.path))] for key, counted in series.row.items() if counted.path}
