"""Measure which objects R2R names, which rooms adjoin and which objects share a room, for `errors`.

Usage: ``python tools/measure_priors.py --root ../shared/data``. The tables hold names and counts only, never
the data. They go to ``src/vlnscope/benchmarks/errors/build/data/``.
"""

from __future__ import annotations

import argparse
import gzip
import json
from collections import Counter
from collections.abc import Iterable, Iterator
from itertools import combinations, groupby
from pathlib import Path
from typing import Any

import msgspec

from vlnscope.benchmarks.errors.build.priors import Counts, PriorFile
from vlnscope.benchmarks.errors.build.strict.plausible import RoomObjects
from vlnscope.benchmarks.errors.build.words import (
    DATA,
    ObjectFile,
    RoomFile,
    class_of_letter,
    class_of_object,
    object_classes,
    room_classes,
)
from vlnscope.episodes.datasets.dataset import open_dataset
from vlnscope.language.lexicon import lexicon, object_entry
from vlnscope.language.parse import parse
from vlnscope.worlds.houses.plan.plan import FloorPlan
from vlnscope.worlds.houses.splits import house_ids, load_house
from vlnscope.worlds.matterport.scans import MatterportScenes
from vlnscope.worlds.scene import Scene

LEAST = 30
HOUSES = 60
BUILDING = "a part of the building, which every room has"
PASSAGE = "a passage: only passages can be walked through, and anything else in its place is nonsense"
VAGUE = "says too little to be wrong"
LEFT_OUT = {
    **dict.fromkeys(
        ("wall", "floor", "ceiling", "corner", "tile", "railing", "pillar", "partition"), BUILDING
    ),
    **dict.fromkeys(("door", "doorway", "door frame", "archway", "exit", "gate", "path"), PASSAGE),
    **dict.fromkeys(("stairs", "spiral staircase", "elevator", "intersection"), PASSAGE),
    **dict.fromkeys(("edge", "furniture", "seat", "object", "glass", "rock", "light", "person"), VAGUE),
    "wall decoration": VAGUE,
}
Group = frozenset[str]


def spoken(root: Path) -> tuple[Counter[str], Counter[str]]:
    """Return how often R2R's training instructions name each object and each room, as they are parsed."""
    objects: Counter[str] = Counter()
    rooms: Counter[str] = Counter()
    for episode in open_dataset("r2r/train", root).episodes():
        tokens = parse(episode.instruction).tokens
        for (lemma, category, _), _ in groupby(tokens, key=lambda t: (t.lemma, t.category, t.action)):
            if category == "landmark" and lemma in lexicon().objects:
                objects[lemma] += 1
            elif category == "region":
                rooms[lemma] += 1
    return objects, rooms


def write_words(root: Path) -> None:
    """Write the list of objects, and how often each room is named."""
    objects, rooms = spoken(root)
    kept = {name: n for name, n in objects.most_common() if n >= LEAST and name not in LEFT_OUT}
    about = "Objects that R2R's training instructions name most often, by the lexicon's names, with counts."
    _write("objects", ObjectFile(about, LEAST, dict(sorted(LEFT_OUT.items())), kept))
    file = msgspec.json.decode((DATA / "rooms.json").read_bytes(), type=RoomFile)
    for facts in file.classes.values():
        facts.count = rooms[facts.entry] or objects[facts.entry]
    _write("rooms", file)


def counted(groups: Iterable[Group]) -> Counts:
    """Count in how many groups each name and each pair of names is."""
    single: Counter[str] = Counter()
    pairs: Counter[str] = Counter()
    total = 0
    for group in groups:
        total += 1
        single.update(group)
        pairs.update("|".join(pair) for pair in combinations(sorted(group), 2))
    return Counts(groups=total, names=dict(sorted(single.items())), pairs=dict(sorted(pairs.items())))


def joined_regions(scene: Scene) -> Iterator[Group]:
    """Yield the classes of each pair of regions that an edge joins, and of each with an archway in sight."""
    regions, graph = scene.regions, scene.graph
    borders = set()
    for node in graph.nodes:
        for other in graph.neighbours(node):
            a, b = regions.region(node), regions.region(other)
            if a is not None and b is not None and a != b:
                borders.add((min(a, b), max(a, b)))
    for a, b in sorted(borders):
        yield _rooms(regions.labels[a], regions.labels[b])
    arched = {
        regions.region(node)
        for node in graph.nodes
        if any(object_entry(thing.name) == "archway" for thing in scene.objects.at(node))
    }
    for region in sorted(region for region in arched if region is not None):
        yield _rooms(regions.labels[region]) | {"archway"}


def joined_rooms(plan: FloorPlan) -> Iterator[Group]:
    """Yield the classes of each pair of rooms of a house that an opening joins; passages are archways too."""
    labels = {room.id: room.label for room in plan.rooms}
    for opening in plan.openings:
        a, b = opening.rooms
        if opening.kind == "window" or b is None:
            continue
        yield _rooms(labels[a], labels[b])
        if opening.kind == "passage":
            yield _rooms(labels[a]) | {"archway"}
            yield _rooms(labels[b]) | {"archway"}


def seen_together(scene: Scene) -> Iterator[Group]:
    """Yield the classes of objects that REVERIE lists from the viewpoints of each region."""
    regions = scene.regions
    for region in sorted(regions.labels):
        views = [node for node in regions.viewpoints(region) if node in scene.objects.seen]
        yield _objects(thing.name for node in views for thing in scene.objects.at(node))


def objects_by_label(scenes: Iterable[Scene]) -> RoomObjects:
    """Count in how many rooms of each label REVERIE lists each class of objects; empty rooms are left out."""
    rooms: Counter[str] = Counter()
    found: dict[str, Counter[str]] = {}
    for scene in scenes:
        regions = scene.regions
        for region, group in zip(sorted(regions.labels), seen_together(scene), strict=True):
            if group:
                label = regions.labels[region]
                rooms[label] += 1
                found.setdefault(label, Counter()).update(group)
    about = "Rooms of each Matterport3D label in which REVERIE lists objects, and objects of each class."
    ordered = {label: dict(sorted(found[label].items())) for label in sorted(found)}
    return RoomObjects(about, dict(sorted(rooms.items())), ordered)


def annotated_together(path: Path) -> Iterator[Group]:
    """Yield the classes of objects of each region of a whole house annotation."""
    with gzip.open(path, "rt") as stream:
        house: dict[str, Any] = json.load(stream)
    kinds = house["categories"]
    names = dict(zip(map(str, kinds["category_index"]), kinds["category_mapping_name"], strict=True))
    its: dict[str, list[str]] = {str(region): [] for region in house["regions"]["region_index"]}
    things = house["objects"]
    for region, category in zip(things["region_index"], things["category_index"], strict=True):
        if str(region) in its and str(category) in names:
            its[str(region)].append(str(names[str(category)]).replace("#", " "))
    yield from (_objects(found) for found in its.values())


def placed_together(plan: FloorPlan) -> Iterator[Group]:
    """Yield the classes of objects in each room of a house."""
    for room in plan.rooms:
        yield _objects(item.name for item in plan.items if item.room == room.id)


def _rooms(*letters: str) -> Group:
    return frozenset(name for letter in letters if (name := class_of_letter(letter)))


def _objects(names: Iterable[str]) -> Group:
    entries = (object_entry(name) for name in names)
    return frozenset(name for entry in entries if entry and (name := class_of_object(entry)))


def write_priors(root: Path) -> None:
    """Write adjacency and co-location, each from all its sources."""
    scenes = MatterportScenes(root)
    real = [scenes.scene(scan) for scan in scenes.scans()]
    houses = [load_house(house) for house in house_ids("train", HOUSES)]
    about = (
        f"Pairs of adjoining rooms by class, of {len(real)} Matterport3D scans (an edge joins the rooms, or"
    )
    about += f" an archway is in sight of one) and {HOUSES} built-in houses (an opening joins them)."
    adjacency = {
        "real": counted(group for scene in real for group in joined_regions(scene)),
        "houses": counted(group for plan in houses for group in joined_rooms(plan)),
    }
    _write("room_adjacency", PriorFile(about, adjacency))
    about = (
        "Rooms in which objects of two classes are, by pair: what REVERIE lists within 3 m of the viewpoints"
    )
    about += f" of a room, eight whole Matterport3D house annotations, and {HOUSES} built-in houses."
    annotated = sorted((root / "mp3d_house").glob("*.house.json.gz"))
    together = {
        "reverie": counted(group for scene in real for group in seen_together(scene)),
        "mp3d_house": counted(group for path in annotated for group in annotated_together(path)),
        "houses": counted(group for plan in houses for group in placed_together(plan)),
    }
    _write("object_colocation", PriorFile(about, together))
    _write("room_objects", objects_by_label(real))


def _write(name: str, content: msgspec.Struct) -> None:
    text = msgspec.json.format(msgspec.json.encode(content), indent=1).decode()
    (DATA / f"{name}.json").write_text(text + "\n")


def main() -> None:
    """Measure everything and write the tables."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--root", type=Path, required=True, help="folder with the public data")
    root = parser.parse_args().root
    write_words(root)
    for cached in (object_classes, room_classes):
        cached.cache_clear()
    write_priors(root)


if __name__ == "__main__":
    main()
