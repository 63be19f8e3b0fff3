"""Worlds: kinds of scenes by name, such as Matterport scans and built-in houses; plug-ins may add others.

A world is registered under the kind ``world`` (a plug-in does so by an entry point of the group
``vlnscope.world``). It opens scenes by their ids, so that a file of episodes needs no more than the ids.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import cast

from vlnscope.core import registry
from vlnscope.core.exceptions import DataNotFoundError
from vlnscope.worlds.scene import Scenes

MATTERPORT = "matterport"


@dataclass(frozen=True, kw_only=True)
class World:
    """A kind of scenes.

    Attributes:
        name: as it is registered.
        summary: one line about it.
        open: returns scenes, given their ids and the folder with the user's data, if there is one. A world
            that lives in files returns all that the folder holds.
        recognises: whether a text has the form of an id of this world. None if ids have no form of their own:
            such a world is only opened by its name.
        captioned: whether the data folder may hold captions of its scenes.
        generator: version of what makes the scenes from their ids; None if they are read from files.
    """

    name: str
    summary: str
    open: Callable[[Sequence[str], Path | None], Scenes]
    recognises: Callable[[str], bool] | None = None
    captioned: bool = False
    generator: int | None = None


def register_world(world: World) -> World:
    """Make a world known under its name."""
    return registry.register("world", world.name, world)


def world_of(scan: str) -> World:
    """Return the world that a scene belongs to by its id; ``matterport`` if no other recognises it.

    Example:
        >>> world_of("house-00012").name, world_of("zsNo4HB9uLZ").name
        ('houses', 'matterport')
    """
    worlds = cast(dict[str, World], registry.everything("world"))
    recognising = (world for world in worlds.values() if world.recognises and world.recognises(scan))
    return next(recognising, worlds[MATTERPORT])


def scenes_of(scans: Iterable[str], root: Path | None) -> Scenes:
    """Open the scenes with these ids.

    Files come first: where the data folder holds graphs of all of them, these are taken (say, houses that the
    user changed). Otherwise the world that recognises all ids makes the scenes.

    Args:
        scans: ids; only the first is looked at if no world but ``matterport`` recognises it.
        root: the folder with the user's data, if there is one.
    """
    remaining = iter(scans)
    first = next(remaining, "")
    world, folder = world_of(first), cast(World, registry.get("world", MATTERPORT))
    if world is folder:
        return folder.open((first,), root)
    ids = tuple(dict.fromkeys((first, *remaining)))
    if any(world_of(scan) is not world for scan in ids):
        return folder.open(ids, root)
    with suppress(DataNotFoundError):
        in_folder = folder.open(ids, root)
        if set(ids) <= set(in_folder.scans()):
            return in_folder
    return world.open(ids, root)
