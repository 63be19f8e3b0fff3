"""Region recognition: into the next room of a kind, or out of the room one is in.

`valid_ends` are all viewpoints of the rooms of that kind next to the room of the start, `region_starts`
those of the room of the start. Rooms are what the labels say, as far as the eye agrees (`scene_rooms`);
stairs, junk and unlabelled ones are never named.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Sequence
from typing import NamedTuple

from vlnscope.benchmarks.kit.filter_counts import FilterCounts
from vlnscope.benchmarks.nuances.build.items import IndexedScene, NuanceItem
from vlnscope.benchmarks.nuances.build.scene_rooms import SceneRooms
from vlnscope.core.rng import rng_for
from vlnscope.language.lexicon import room_match
from vlnscope.language.names import noun

FARTHEST, BEND = 2, math.radians(45)
"""Most steps into or out of a room, and the sharpest turn between them: what is farther cannot be seen."""
LEAST = 2
"""Fewest viewpoints of a room that is to be left."""
OPEN = "pxy"
"""Letters of places in the open, which nobody exits."""


class RegionMove(NamedTuple):
    """Going into another room or out of this one."""

    start: int
    path: tuple[int, ...]
    room: str
    ends: tuple[int, ...]
    into: bool


def region_items(site: IndexedScene, counts: FilterCounts, *, most: int, seed: int) -> list[NuanceItem]:
    """Return the items of a scene.

    Args:
        site: the scene.
        counts: counts what is left out.
        most: how many items of each kind are taken, drawn at random, other rooms first.
        seed: of the drawing.
    """
    rooms = SceneRooms(site)
    filters: dict[str, Callable[[RegionMove], bool]] = {
        "the room has a name of its own": lambda move: bool(move.room),
        "no other room may be meant": lambda move: _unmistakable(rooms, move),
        "a step or two away, ahead": lambda move: _is_at_hand(site, move),
        "not every way leads there": lambda move: not _every_way(rooms, move),
    }
    if site.clear:
        filters["no other room has the label"] = lambda move: not _is_borrowed(rooms, move)
        filters["indoors, and captions call it so"] = lambda move: _is_told(rooms, move)
    chosen: list[RegionMove] = []
    for kind, moves in (("into", list(_entries(rooms))), ("exit", list(_exits(rooms)))):
        for name, test in filters.items():
            moves = counts.keep(f"RR {kind}: {name}", moves, test)
        picked = _spread(moves, most, seed, f"{site.scene.id} {kind}", rooms)
        counts.add(f"RR {kind}: drawn", len(moves), len(picked))
        chosen += picked
    return list(_items(site, rooms, chosen, seed))


def _entries(rooms: SceneRooms) -> Iterator[RegionMove]:
    site = rooms.site
    for start, region in enumerate(rooms.of):
        if region is None:
            continue
        by_label: dict[str, list[int]] = {}
        for other in rooms.beside[region]:
            if rooms.labels[other] != rooms.labels[region]:
                by_label.setdefault(rooms.labels[other], []).append(other)
        for others in by_label.values():
            ends = tuple(row for other in others for row in rooms.rows[other])
            nearest = min(ends, key=lambda end: (site.graph.distances[start, end], end))
            yield RegionMove(start, site.walk(start, nearest), rooms.name(others[0]) or "", ends, True)


def _exits(rooms: SceneRooms) -> Iterator[RegionMove]:
    site = rooms.site
    for start, region in enumerate(rooms.of):
        if region is None or len(rooms.rows[region]) < LEAST or not rooms.beside[region]:
            continue
        if rooms.labels[region] in OPEN:
            continue
        ends = tuple(row for other in rooms.beside[region] for row in rooms.rows[other])
        nearest = min(ends, key=lambda end: (site.graph.distances[start, end], end))
        yield RegionMove(start, site.walk(start, nearest), rooms.name(region) or "", ends, False)


def _unmistakable(rooms: SceneRooms, move: RegionMove) -> bool:
    """Return whether the name fits no room nearby but those that are meant."""
    region = rooms.of[move.start]
    assert region is not None
    meant = {rooms.of[end] for end in move.ends} if move.into else {region}
    others = [other for other in (region, *rooms.beside[region]) if other not in meant]
    return all(room_match(move.room, rooms.labels[other]) == 0.0 for other in others)


def _is_borrowed(rooms: SceneRooms, move: RegionMove) -> bool:
    """Return whether a room that is meant goes by the label of another one, as family rooms may."""
    meant = {rooms.of[row] for row in (move.ends if move.into else (move.start,))}
    return any(region is not None and rooms.has_rival(region) for region in meant)


def _is_told(rooms: SceneRooms, move: RegionMove) -> bool:
    """Return whether the room may be gone into, looks as it is called inside, and does not outside."""
    inside, outside = (move.path[-1], move.start) if move.into else (move.start, move.path[-1])
    if not rooms.looks_like(move.room, inside) or not rooms.looks_unlike(move.room, outside):
        return False
    indoors = all(rooms.site.label(end) not in tuple(OPEN) for end in move.ends)
    return not move.into or (indoors and rooms.seen_ahead(move.room, move.path))


def _is_at_hand(site: IndexedScene, move: RegionMove) -> bool:
    return 2 <= len(move.path) <= FARTHEST + 1 and site.sharpest(move.path) <= BEND


def _every_way(rooms: SceneRooms, move: RegionMove) -> bool:
    """Return whether whoever takes any step is there."""
    inside = set(move.ends)
    return all(other in inside for other in rooms.site.ways[move.start])


def _spread(
    moves: Sequence[RegionMove], most: int, seed: int, key: str, rooms: SceneRooms
) -> list[RegionMove]:
    """Draw moves, taking each pair of room and name once before any a second time."""
    order = rng_for(seed, "nuances RR", key).permutation(len(moves)).tolist()
    rounds: dict[tuple[int | None, str], int] = {}
    ranked = []
    for position, pick in enumerate(order):
        move = moves[pick]
        turn = rounds.get((rooms.of[move.start], move.room), 0)
        rounds[rooms.of[move.start], move.room] = turn + 1
        ranked.append((turn, position, move))
    return [move for _, _, move in sorted(ranked, key=lambda entry: entry[:2])[:most]]


def _items(
    site: IndexedScene, rooms: SceneRooms, moves: Sequence[RegionMove], seed: int
) -> Iterator[NuanceItem]:
    for number, move in enumerate(moves):
        kind = "into" if move.into else "exit"
        name = f"{site.scene.id}-rr{number}-{kind}"
        region = rooms.of[move.start]
        assert region is not None
        turned = int(rng_for(seed, "nuances RR view", name).integers(12))
        yield NuanceItem(
            category="RR",
            subset=kind,
            name=name,
            path=site.named(move.path),
            heading=math.radians(30.0 * turned),
            phrase=kind,
            slots={"room": noun(move.room).definite},
            fields={
                "valid_ends": list(site.named(move.ends)),
                "region_starts": list(site.named(rooms.rows[region])),
            },
            pair=f"{site.scene.id}-rr-{site.graph.nodes[move.start]}",
            groups={"variant": kind, "room": move.room},
        )
