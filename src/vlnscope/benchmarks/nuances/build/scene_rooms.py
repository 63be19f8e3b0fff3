"""The rooms of a scene as a stranger sees them: which adjoin, which are one, and what each is called.

Labels of Matterport3D tell living rooms, family rooms and lounges apart, which no eye does: they are
called living rooms here, and those that adjoin are one room, as are hallways that adjoin. Where captions
of a scene are to be had, a room is called what its label says only if two captions or more of the
viewpoint speak of such a room, and none more often of another.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping
from functools import cached_property
from itertools import pairwise

from vlnscope.benchmarks.nuances.build.items import IndexedScene
from vlnscope.benchmarks.nuances.build.sight import captions_towards
from vlnscope.language.describe.candidates.referring import room_name
from vlnscope.language.lexicon import mentions, room_match

UNNAMED = ("room", "outdoor")
"""Names that say too little."""
ONE_LOOK: Mapping[str, str] = {"f": "l", "n": "l"}
"""Labels that look like another, and which one they go by."""
OPEN_PLAN = "lh"
"""Letters of rooms that run into each other: where two of one letter adjoin, nobody sees a border."""
OFTEN = 2
"""How many of the eight captions of a viewpoint speak of the room it is in, at least."""
_ROUGH = frozenset({"room", "house"})


class SceneRooms:
    """The rooms of a scene and which of them adjoin."""

    def __init__(self, site: IndexedScene) -> None:
        self.site = site
        index = site.scene_index
        self.labels: dict[int, str] = dict(index.labels)
        self.of: tuple[int | None, ...] = index.regions
        if site.clear:
            self.labels = {region: ONE_LOOK.get(label, label) for region, label in index.labels.items()}
            self.of = self._joined()

    @cached_property
    def rows(self) -> dict[int, tuple[int, ...]]:
        """The viewpoints of each region."""
        by_region: dict[int, list[int]] = {}
        for row, region in enumerate(self.of):
            if region is not None:
                by_region.setdefault(region, []).append(row)
        return {region: tuple(rows) for region, rows in by_region.items()}

    @cached_property
    def beside(self) -> dict[int, tuple[int, ...]]:
        """The regions that a step leads to from each region."""
        neighbours: dict[int, dict[int, None]] = {region: {} for region in self.rows}
        for here, there in self._borders():
            neighbours[here][there] = None
        return {region: tuple(sorted(others)) for region, others in neighbours.items()}

    def name(self, region: int) -> str | None:
        """Return what a region is called, None if nothing says enough."""
        label = self.labels[region]
        name = room_name(label)
        return None if name is None or name in UNNAMED or room_match(name, label) < 1.0 else name

    def has_rival(self, region: int) -> bool:
        """Return whether a room goes by the label of another room of the scene, which it is no part of."""
        raw, label = self.site.scene_index.labels, self.labels[region]
        if any(raw[part] == label for part in self._parts[region]):
            return False
        return any(
            raw[part] == label for other, parts in self._parts.items() if other != region for part in parts
        )

    @cached_property
    def _parts(self) -> dict[int, set[int]]:
        """The labelled regions that each room is made of."""
        parts: dict[int, set[int]] = {}
        for part, room in zip(self.site.scene_index.regions, self.of, strict=True):
            if part is not None and room is not None:
                parts.setdefault(room, set()).add(part)
        return parts

    def looks_like(self, name: str, row: int) -> bool:
        """Return whether captions of a viewpoint speak of such a room; True if there are no captions."""
        captions = self.site.captions
        if captions is None:
            return True
        said = _rooms_in(captions.at(self.site.graph.nodes[row]))
        return said[name] >= max(OFTEN, *said.values())

    def looks_unlike(self, name: str, row: int) -> bool:
        """Return whether captions of a viewpoint speak of another room at least as often, or of none such."""
        captions = self.site.captions
        if captions is None:
            return True
        said = _rooms_in(captions.at(self.site.graph.nodes[row]))
        return said[name] <= max(count for room, count in said.items() if room != name)

    def seen_ahead(self, name: str, path: tuple[int, ...]) -> bool:
        """Return whether some caption ahead on a walk speaks of such a room; True if there are none."""
        captions = self.site.captions
        if captions is None:
            return True
        nodes = self.site.graph.nodes
        ahead = [
            text
            for here, there in pairwise(path)
            for text in captions_towards(captions.at(nodes[here]), self.site.course(here, there))
        ]
        return _rooms_in(ahead)[name] > 0

    def _borders(self) -> Iterable[tuple[int, int]]:
        for row, region in enumerate(self.of):
            for other in self.site.ways[row]:
                there = self.of[other]
                if region is not None and there is not None and there != region:
                    yield region, there

    def _joined(self) -> tuple[int | None, ...]:
        """Return the region of each viewpoint, where regions of open plan that adjoin are one."""
        lowest = {region: region for region in self.labels}

        def root(region: int) -> int:
            while lowest[region] != region:
                region = lowest[region]
            return region

        for here, there in self._borders():
            if self.labels[here] == self.labels[there] and self.labels[here] in OPEN_PLAN:
                a, b = sorted((root(here), root(there)))
                lowest[b] = a
        return tuple(None if region is None else root(region) for region in self.of)


def _rooms_in(texts: Iterable[str]) -> Counter[str]:
    """Count the texts that speak of each kind of room, lounges and family rooms as living rooms."""
    counted: Counter[str] = Counter({"": 0})
    for text in texts:
        rooms = {mention.name for mention in mentions(text) if mention.part == "room"} - _ROUGH
        counted.update({_SEEN_AS.get(room, room) for room in rooms})
    return counted


_SEEN_AS = {
    "family room": "living room",
    "lounge": "living room",
    "sitting room": "living room",
    "toilet": "bathroom",
}
