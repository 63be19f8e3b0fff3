"""Which version of a generator scenes are made by, and what was made for scenes of another one.

Cases and runs in built-in houses say which version of the houses they belong to. A house of another version
has other rooms under the same name, so they are refused wherever they would meet houses of this version.
"""

from __future__ import annotations

from typing import cast

from vlnscope.core import registry
from vlnscope.core.exceptions import InputError
from vlnscope.worlds.scene import Scenes
from vlnscope.worlds.world import World, world_of

UNNUMBERED = 1
"""The version of what was written before versions were kept."""


def generator_of(scenes: Scenes | None) -> int | None:
    """Return the version of the generator that makes scenes; None if they are read from files."""
    return getattr(scenes, "generator", None)


def generator_of_scan(scan: str) -> int | None:
    """Return the version of the generator that makes the scene of an id; None if such scenes are files.

    Example:
        >>> generator_of_scan("zsNo4HB9uLZ") is None
        True
    """
    return world_of(scan).generator


def generator_of_world(name: str) -> int | None:
    """Return the version of the generator of a world that is registered under a name."""
    return cast(World, registry.get("world", name)).generator


def check_generator(current: int | None, noted: int | None, *, what: str, again: str) -> None:
    """Refuse what was made for scenes of another version of their generator.

    Args:
        current: the version of the scenes where it would take place; None if they are read from files.
        noted: the version that it names; None if it names none.
        what: what it is, in the plural.
        again: how it is made again.

    Raises:
        InputError: it belongs to another version.
    """
    noted = noted or UNNUMBERED
    if current is not None and noted != current:
        raise InputError(
            f"{what} belong to version {noted} of the built-in houses, and this vlnscope makes version "
            f"{current}: other rooms under the same names",
            expected=f"version {current} of the houses",
            fix=again,
        )
