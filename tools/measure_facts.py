"""Measure what real houses look like and write the small tables of facts that the house generator uses.

Usage: ``python tools/measure_facts.py --root ../shared/data``. The tables hold numbers only (quartiles,
counts, shares), never the data. They go to ``src/vlnscope/worlds/houses/facts/``.
"""

from __future__ import annotations

import argparse
import gzip
import io
import json
import zipfile
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any

import numpy as np

FACTS = Path(__file__).parent.parent / "src" / "vlnscope" / "worlds" / "houses" / "facts"

HM3D_LABELS = {
    "bathroom": "a",
    "bedroom": "b",
    "closet": "c",
    "dining room": "d",
    "garage": "g",
    "hallway": "h",
    "kitchen": "k",
    "living room": "l",
    "office": "o",
    "outdoor area": "p",
    "toilet": "t",
    "utility room": "u",
    "other": "z",
}
"""Matterport letter of each room name of DomestiGraph; names of joined rooms are left out."""

Table = dict[str, Any]


def quartiles(values: Iterable[float]) -> list[float]:
    """Return the three quartiles, rounded to centimetres."""
    return [round(float(q), 2) for q in np.percentile(list(values), [25, 50, 75])]


def read_hm3d(text: str) -> tuple[dict[int, Table], list[tuple[int, int]]]:
    """Read one scene of DomestiGraph: its rooms by number, and the pairs of rooms that are joined.

    The files are YAML of one fixed shape (rooms with a label and two vectors; a list of pairs).
    """
    rooms: dict[int, Table] = {}
    numbers: list[int] = []
    number, vector = 0, ""
    for line in text.splitlines():
        word, _, value = line.strip().partition(":")
        if word.startswith("room_"):
            number = int(word.removeprefix("room_"))
            rooms[number] = {}
        elif word == "label":
            rooms[number]["label"] = value.strip().strip("'\"")
        elif word in {"centroid", "dims"}:
            vector = word
        elif word in {"x", "y", "z"} and vector == "dims":
            rooms[number][word] = float(value)
        elif word.startswith("-"):
            numbers.append(int(word.replace("-", "")))
    pairs = sorted({(min(pair), max(pair)) for pair in zip(numbers[::2], numbers[1::2], strict=True)})
    return rooms, [(a, b) for a, b in pairs if a in rooms and b in rooms]


def hm3d_scenes(root: Path) -> Iterator[tuple[dict[int, Table], list[tuple[int, int]]]]:
    """Yield the scenes of the DomestiGraph archive in the order of their names."""
    with zipfile.ZipFile(root / "scenes" / "DomestiGraph_hm3d_rooms.zip") as archive:
        for name in sorted(archive.namelist()):
            if name.endswith(".yaml"):
                yield read_hm3d(io.TextIOWrapper(archive.open(name), "utf-8").read())


def measure_hm3d(root: Path) -> tuple[Table, Counter[str]]:
    """Return room sizes by letter and the number of joined pairs of letters."""
    sizes: dict[str, list[tuple[float, float]]] = defaultdict(list)
    joined: Counter[str] = Counter()
    for rooms, pairs in hm3d_scenes(root):
        letters = {number: HM3D_LABELS.get(room["label"]) for number, room in rooms.items()}
        for number, room in rooms.items():
            letter = letters[number]
            if letter and "x" in room:
                short, long = sorted((room["x"], room["z"]))
                sizes[letter].append((short, long))
        for a, b in pairs:
            if letters[a] and letters[b]:
                joined[_pair(str(letters[a]), str(letters[b]))] += 1
    table = {
        letter: {
            "rooms": len(found),
            "short": quartiles(short for short, _ in found),
            "long": quartiles(long for _, long in found),
            "area": quartiles(short * long for short, long in found),
        }
        for letter, found in sorted(sizes.items())
    }
    return table, joined


def measure_mp3d(root: Path) -> tuple[Table, Counter[str]]:
    """Return how common each room type is, in viewpoints and regions, and the joined pairs of letters."""
    with gzip.open(root / "mp3d_rooms" / "viewpoint_rooms.json.gz", "rt") as stream:
        scans = json.load(stream)["scans"]
    views: dict[str, list[int]] = defaultdict(list)
    houses: Counter[str] = Counter()
    joined: Counter[str] = Counter()
    for scan, rows in sorted(scans.items()):
        counts = Counter((row[0], row[1]) for row in rows.values() if row[3])
        for (_, letter), count in sorted(counts.items()):
            views[letter].append(count)
        houses.update(sorted({letter for _, letter in counts}))
        joined.update(_pair(a, b) for a, b in _joined_regions(root, scan, rows))
    total = sum(sum(counts) for counts in views.values())
    table = {
        letter: {
            "share": round(sum(counts) / total, 4),
            "regions_per_house": round(len(counts) / len(scans), 3),
            "houses_with": round(houses[letter] / len(scans), 3),
            "views": quartiles(counts),
        }
        for letter, counts in sorted(views.items())
    }
    return table, joined


def _joined_regions(root: Path, scan: str, rows: Table) -> list[tuple[str, str]]:
    nodes = json.loads((root / "connectivity" / f"{scan}_connectivity.json").read_text())
    of = [rows.get(node["image_id"]) if node["included"] else None for node in nodes]
    found = set()
    for i, node in enumerate(nodes):
        for j, free in enumerate(node["unobstructed"]):
            a, b = of[i], of[j]
            if free and a and b and a[0] != b[0]:
                found.add(tuple(sorted([(a[0], a[1]), (b[0], b[1])])))
    return [(a[1], b[1]) for a, b in sorted(found)]


def _pair(a: str, b: str) -> str:
    return "-".join(sorted((a, b)))


def measure_objects(root: Path) -> Table:
    """Return the sizes of the objects of eight annotated houses: longer side, shorter side, height."""
    sizes: dict[str, list[tuple[float, float, float]]] = defaultdict(list)
    for path in sorted((root / "mp3d_house").glob("*.house.json.gz")):
        with gzip.open(path, "rt") as stream:
            house = json.load(stream)
        names = dict(zip(house["categories"]["category_index"], _names(house["categories"]), strict=True))
        for name, size in _object_boxes(house["objects"], names):
            sizes[name].append(size)
    return {
        name: {
            "objects": len(found),
            "long": quartiles(size[0] for size in found),
            "short": quartiles(size[1] for size in found),
            "height": quartiles(size[2] for size in found),
        }
        for name, found in sorted(sizes.items())
        if len(found) >= 3
    }


def _names(categories: Table) -> list[str]:
    return [str(name).replace("#", " ") for name in categories["category_mapping_name"]]


def _object_boxes(objects: Table, names: dict[str, str]) -> Iterator[tuple[str, tuple[float, float, float]]]:
    """Yield name and size; of the three axes of a box the one nearest to the vertical is its height."""
    keys = ("category_index", "a0x", "a0y", "a0z", "a1x", "a1y", "a1z", "r0", "r1", "r2")
    for row in zip(*(objects[key] for key in keys), strict=True):
        first, second = np.array(row[1:4], dtype=float), np.array(row[4:7], dtype=float)
        up = np.abs([first[2], second[2], np.cross(first, second)[2]])
        sides = [2 * float(radius) for radius in row[7:10]]
        height = sides.pop(int(up.argmax()))
        name = names.get(str(row[0]))
        if name and min(*sides, height) > 0.005:
            yield name, (max(sides), min(sides), height)


def write(name: str, source: str, table: Table) -> None:
    """Write one table of facts, with where it comes from."""
    FACTS.mkdir(parents=True, exist_ok=True)
    lines = [f"  {json.dumps(key)}: {json.dumps(value)}" for key, value in table.items()]
    text = "{\n" + f'"source": {json.dumps(source)},\n"facts": {{\n' + ",\n".join(lines) + "\n}\n}\n"
    (FACTS / f"{name}.json").write_text(text)


def main() -> None:
    """Measure everything and write the tables."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--root", type=Path, required=True, help="folder with the public data")
    root = parser.parse_args().root
    sizes, hm3d_joined = measure_hm3d(root)
    types, mp3d_joined = measure_mp3d(root)
    write("room_sizes", "Room boxes of 50 HM3D scenes (DomestiGraph): quartiles in metres", sizes)
    write("room_types", "Region labels of 10,567 viewpoints in 90 Matterport3D houses", types)
    write(
        "room_adjacency",
        "How many pairs of rooms are joined, by type: DomestiGraph (hm3d); Matterport3D graphs (mp3d)",
        {"hm3d": dict(sorted(hm3d_joined.items())), "mp3d": dict(sorted(mp3d_joined.items()))},
    )
    write(
        "object_sizes",
        "Oriented boxes of the objects in 8 Matterport3D houses: quartiles in metres",
        measure_objects(root),
    )


if __name__ == "__main__":
    main()
