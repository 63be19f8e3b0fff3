"""Kinds of sight: what an agent may ask to see from a viewpoint, by name.

An agent declares in ``needs`` the names of what it wants to see. Each name is a `SightKind`, registered under
the kind ``sight``: the built-in ones in `vlnscope.perception.sights`, others through the entry-point group
``vlnscope.sight``. A kind may take an argument, written behind a colon: ``features:clip``. With some
kinds it may be left out: ``rgb``, ``rgb:256x256``.

``annotation``, the answer, is no kind of sight: the engine hands it to oracles.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from vlnscope.core import registry
from vlnscope.core.exceptions import InputError
from vlnscope.perception.wire import to_wire
from vlnscope.worlds.cameras import Stance
from vlnscope.worlds.scene import Scene


@dataclass(frozen=True, eq=False)
class SightRequest:
    """Where an agent looks about, and what it asked for.

    Attributes:
        scene: the scene.
        at: the viewpoint where the agent stands or that it is nearest to, or what finds it.
        root: the data folder, in which files beside the scene are looked for; None if there is none.
        argument: what follows the colon in the agent's need; empty if nothing does.
        stance: where exactly the agent stands in space; None if it stands at the viewpoint itself.
        drawn: what was drawn for other sights of the same observation, by what decides the picture.
    """

    scene: Scene
    at: str | Callable[[], str]
    root: Path | None = None
    argument: str = ""
    stance: Stance | None = None
    drawn: dict[Any, Any] | None = None

    @property
    def viewpoint(self) -> str:
        """Where the agent stands, or the viewpoint that it is nearest to: in space, that takes a search."""
        return self.at if isinstance(self.at, str) else self.at()


@dataclass(frozen=True, eq=False)
class SightKind:
    """A kind of perception.

    Attributes:
        name: what agents call it in ``needs``.
        summary: what it shows, in one line.
        show: returns what is seen; raises `MissingLayerError` if there is nothing of the kind.
        layers: layers that the scene must have.
        argument: what the argument stands for, as shown to users (``NAME[=FILE]``); empty if it takes none.
        optional: whether the argument may be left out, with its colon.
        check: raises `InputError` if the argument means nothing, so that an agent is refused before it walks.
        encode: makes plain JSON data of what is seen, for agents in other processes.
        decode: makes of these what `show` returned.
    """

    name: str
    summary: str
    show: Callable[[SightRequest], Any]
    layers: tuple[str, ...] = ()
    argument: str = ""
    optional: bool = False
    check: Callable[[str], object] = lambda argument: None
    encode: Callable[[Any], Any] = to_wire
    decode: Callable[[Any], Any] = lambda data: data

    @property
    def usage(self) -> str:
        """How an agent writes it in ``needs``."""
        if self.optional:
            return f"{self.name}[:{self.argument}]"
        return f"{self.name}:{self.argument}" if self.argument else self.name

    def takes(self, behind: str) -> bool:
        """Return whether agents can write this behind its name: a colon and an argument, or nothing."""
        if self.optional:
            return behind != ":"
        return bool(self.argument) == bool(behind)


def register_sight(kind: SightKind) -> SightKind:
    """Make a kind of sight known under its name."""
    return registry.register("sight", kind.name, kind)


def known_sights() -> list[str]:
    """Return how agents write the kinds of sight there are, in ``needs``."""
    return [kind.usage for kind in registry.everything("sight").values()]


def is_sight(need: Any) -> bool:
    """Return whether an agent can ask to see this.

    Example:
        >>> [is_sight(need) for need in ("objects", "features:clip", "features", "annotation", 3)]
        [True, True, False, False, False]
        >>> [is_sight(need) for need in ("rgb", "rgb:256x256", "rgb:")]
        [True, True, False]
    """
    if not isinstance(need, str):
        return False
    name, colon, argument = need.partition(":")
    return registry.has("sight", name) and bool(registry.get("sight", name).takes(colon + argument))


def sight_kind(need: str) -> SightKind:
    """Return the kind of sight that an agent asks for.

    Raises:
        InputError: there is none of this name, or its argument means nothing.
    """
    if not is_sight(need):
        raise InputError(
            f"nobody can show an agent {need!r}",
            expected=f"one of {', '.join(known_sights())}",
            fix="change the agent's `needs`, or install the package that shows it",
        )
    name, _, argument = need.partition(":")
    kind: SightKind = registry.get("sight", name)
    kind.check(argument)
    return kind


def sight(
    need: str,
    scene: Scene,
    viewpoint: str | Callable[[], str],
    root: Path | None = None,
    *,
    stance: Stance | None = None,
    drawn: dict[Any, Any] | None = None,
) -> Any:
    """Return what an agent that declared `need` sees from a viewpoint.

    Args:
        need: a kind of sight, with its argument: ``objects``, ``features:NAME``.
        scene: the scene.
        viewpoint: where the agent stands, or what finds it.
        root: data folder, in which captions and features are looked for.
        stance: where exactly it stands, in space; None for agents that stand at viewpoints.
        drawn: a dictionary for all sights of one observation, so that they share what they draw.

    Raises:
        MissingLayerError: the scene, or the folder, has nothing of the kind.
        InputError: a file is damaged or does not cover the viewpoint, or there is no such kind of sight.
    """
    argument = need.partition(":")[2]
    return sight_kind(need).show(SightRequest(scene, viewpoint, root, argument, stance, drawn))


def encode_sight(need: str, value: Any) -> Any:
    """Return what an agent that declared `need` sees as plain JSON data."""
    return (sight_kind(need).encode if is_sight(need) else to_wire)(value)


def decode_sight(need: str, data: Any) -> Any:
    """Return what `encode_sight` wrote; of a kind that is not installed here, the plain data."""
    return sight_kind(need).decode(data) if is_sight(need) else data
