"""What is to be seen at the viewpoints of a scene, from all that the data folder has on it."""

from __future__ import annotations

from collections.abc import Iterable

from vlnscope.core.exceptions import MissingLayerError
from vlnscope.language.lexicon import Concept, lexicon, mentions, object_entry
from vlnscope.language.names import look_alikes
from vlnscope.language.names.table import name_table
from vlnscope.perception.sights.captions import CaptionFile
from vlnscope.worlds.matterport.scans import MatterportScenes
from vlnscope.worlds.scene import Scene, Scenes

DIRECTIONS = 2
"""Of eight, in how many captions must name a room that is there."""

NEAR = 4.0
"""Metres within which what is listed at a neighbour counts as being here."""


class Witnesses:
    """What objects and rooms are at a viewpoint.

    The objects of Matterport scans are those of REVERIE, those that NavGPT lists and all that its captions
    name, as far as the data folder has them: none of the three is complete. Those of houses are.

    Args:
        scenes: the scenes.
    """

    def __init__(self, scenes: Scenes) -> None:
        self.complete = not isinstance(scenes, MatterportScenes)
        self._others: Scenes | None = None
        self._captions: CaptionFile | None = None
        if isinstance(scenes, MatterportScenes):
            self._others = MatterportScenes(scenes.root, objects="navgpt")
            self._captions = CaptionFile(scenes.root)
        self._seen: dict[tuple[str, str], frozenset[str]] = {}

    def objects(self, scene: Scene, viewpoint: str) -> frozenset[str]:
        """Return the objects that anything says are at a viewpoint, as entries of the lexicon."""
        key = scene.id, viewpoint
        if key not in self._seen:
            self._seen[key] = frozenset(self._found(scene, viewpoint))
        return self._seen[key]

    def says_room(self, scene: Scene, viewpoint: str, room: str) -> bool:
        """Return whether the captions of a viewpoint name a room, by its entry, in two directions or more."""
        wanted = Concept("room", room)
        named = [wanted in mentions(caption) for caption in self._captions_at(scene.id, viewpoint)]
        return sum(named) >= DIRECTIONS

    def _found(self, scene: Scene, viewpoint: str) -> Iterable[str]:
        scenes = [scene, *([self._others.scene(scene.id)] if self._others else [])]
        for each in scenes:
            things = each.objects.seen.get(viewpoint, ()) if each.has("objects") else ()
            yield from (entry for thing in things if (entry := object_entry(thing.name)))
        for caption in self._captions_at(scene.id, viewpoint):
            yield from (concept.name for concept in mentions(caption) if concept.part == "object")

    def _captions_at(self, scan: str, viewpoint: str) -> tuple[str, ...]:
        try:
            return self._captions.scan(scan).at(viewpoint) if self._captions else ()
        except MissingLayerError:
            return ()


def labels_around(scene: Scene, viewpoints: Iterable[str]) -> frozenset[str]:
    """Return the label letters of the rooms at viewpoints and one step from them."""
    there = {node for each in viewpoints for node in (each, *scene.graph.neighbours(each))}
    return labels_at(scene, there)


def near(scene: Scene, viewpoints: Iterable[str]) -> frozenset[str]:
    """Return viewpoints and their neighbours within 4 m: what is seen from there may be seen from here."""
    graph = scene.graph
    return frozenset(
        node
        for each in viewpoints
        for node in (each, *graph.neighbours(each))
        if graph.distance(each, node) <= NEAR
    )


def labels_at(scene: Scene, viewpoints: Iterable[str]) -> frozenset[str]:
    """Return the label letters of the rooms at viewpoints; “-” for those in no room."""
    return frozenset(scene.regions.label(node) or "-" for node in viewpoints)


def may_be(letters: Iterable[str]) -> frozenset[str]:
    """Return the label letters that a room with one of these may have been given instead, these included.

    Example:
        >>> sorted(may_be("k")), sorted(may_be("f"))
        (['k'], ['f', 'l', 'n', 'v'])
    """
    unclear = set(name_table().unclear)
    own = set(letters)
    return frozenset(own | {other for letter in own for other in look_alikes(letter)} - unclear)


def unclear_labels() -> frozenset[str]:
    """Return the labels that do not say what a room is."""
    return frozenset(name_table().unclear)


def is_named(text: str, entry: str) -> bool:
    """Return whether a text names an object or a room in any way.

    Example:
        >>> is_named("Go down the hall.", "hallway"), is_named("Pass the armchair.", "chair")
        (True, True)
    """
    return any(
        concept.name == entry or lexicon().is_a(concept.name, entry) or lexicon().is_a(entry, concept.name)
        for concept in mentions(text)
        if concept.part in ("object", "room")
    )
