"""Habitat's modules by name, so that a loop finds everything under the address that it knows.

`vlnscope.habitat.tasks.nav.shortest_path_follower` has what ``habitat.tasks.nav.shortest_path_follower`` has,
and so on. Most of these modules hold nothing of their own: ``addresses.toml`` says where their names are. A
name or a module that is not there raises `NotCoveredError`.
"""

from __future__ import annotations

import importlib.util
import logging
import sys
from collections.abc import Sequence
from functools import cache, partial
from importlib import import_module
from importlib.machinery import ModuleSpec, PathFinder
from types import ModuleType
from typing import Any

import numpy as np

from vlnscope.core.exceptions import InputError
from vlnscope.core.toml_file import packaged_toml
from vlnscope.habitat.coverage import NoSuchNameError, NotCoveredError

HOME = "vlnscope.habitat"
ELSEWHERE = ("habitat_sim", "habitat_baselines", "omegaconf", "quaternion")
"""Packages beside ``habitat`` that loops import; they are found below `HOME` too."""
OWN = "config"
"""The module that has names of its own."""
STRUCTURED = "config.default_structured_configs"

logger = logging.getLogger(HOME)


class NoSuchModuleError(NotCoveredError, ModuleNotFoundError):
    """A module of Habitat was imported that is not covered."""


class MirroredModule(ModuleType):
    """A module of Habitat whose names are elsewhere in vlnscope."""

    def __getattr__(self, name: str) -> Any:
        if name.startswith("_"):
            raise AttributeError(name)
        return found(self.__name__.removeprefix(HOME).removeprefix("."), name)

    def __dir__(self) -> list[str]:
        return sorted(names_of(self.__name__.removeprefix(HOME).removeprefix(".")))


class _Refuse:
    """Says of modules below `HOME` that nobody found that they are not covered.

    Python looks for a module too where ``from … import NAME`` finds no such name, so this also explains that.
    """

    def find_spec(self, name: str, path: Sequence[str] | None, target: Any = None) -> ModuleSpec | None:
        parent, _, last = name.rpartition(".")
        if not f"{parent}.".startswith(f"{HOME}.") or last.startswith("_") or _is_own(parent, name):
            return None
        address = parent.removeprefix(HOME).removeprefix(".")
        raise NoSuchModuleError(_written(address, last), sorted(names_of(address)))


def _is_own(parent: str, name: str) -> bool:
    """Say whether a module is vlnscope's own: some importers ask all finders, whatever others found."""
    return PathFinder.find_spec(name, sys.modules[parent].__path__) is not None


@cache
def _table() -> dict[str, dict[str, str]]:
    table: dict[str, dict[str, str]] = packaged_toml(__name__)
    return table


def addresses() -> tuple[str, ...]:
    """Return all modules of Habitat that there are, without ``habitat`` in front."""
    whole = {address for address in _table() if address}
    above = {address[:k] for address in whole for k, sign in enumerate(address) if sign == "."}
    return tuple(sorted(whole | above))


def names_of(address: str) -> set[str]:
    """Return the names of a module."""
    prefix = f"{address}." if address else ""
    below = {a.removeprefix(prefix).partition(".")[0] for a in addresses() if a.startswith(prefix)}
    return {*_table().get(address, {}), *below}


def found(address: str, name: str) -> Any:
    """Return what a module of Habitat has under a name.

    Raises:
        NoSuchNameError: it is not covered.
    """
    entry = _table().get(address, {}).get(name)
    if address == STRUCTURED:
        return structured_config(name)
    if entry is not None:
        module, _, own = entry.partition(":")
        return getattr(import_module(f"{HOME}.{module}"), own or name)
    inside = f"{HOME}.{address}.{name}".replace("..", ".")
    if name in names_of(address):
        return sys.modules[inside]
    raise NoSuchNameError(_written(address, name), sorted(names_of(address)))


def _written(address: str, name: str) -> str:
    """Return how a loop writes a name."""
    where = f"{address}.{name}" if address.startswith(ELSEWHERE) else f"habitat.{address}.{name}"
    return where.replace("..", ".")


def structured_config(name: str) -> Any:
    """Return the function that stands for a structured config of Habitat."""
    from vlnscope.habitat.config.structured import CLASSES, fog_of_war, structured

    if name == "FogOfWarConfig":
        return fog_of_war
    if name not in CLASSES:
        raise NoSuchNameError(f"{name}", sorted(CLASSES))
    return partial(structured, *CLASSES[name])


def lay_out() -> None:
    """Make the modules, unless they are there."""
    import_module(f"{HOME}.{OWN}")
    for address in addresses():
        name = f"{HOME}.{address}"
        if name not in sys.modules and address != OWN:
            module = MirroredModule(name, f"Stands for Habitat's module {address}.")
            module.__path__ = []
            sys.modules[name] = module
    if not any(isinstance(finder, _Refuse) for finder in sys.meta_path):
        sys.meta_path.append(_Refuse())


def stand_in() -> None:
    """Let ``import habitat``, ``habitat_sim`` and ``habitat_baselines`` in this process mean vlnscope.

    ``omegaconf`` and ``quaternion`` (with ``numpy.quaternion``) only if they are not installed.

    Raises:
        InputError: Habitat itself was imported before.
    """
    root = sys.modules[HOME]
    if sys.modules.get("habitat", root) is not root:
        raise InputError(
            "Habitat itself was imported already",
            expected="vlnscope.habitat.stand_in() before any import of habitat",
            fix="call it in the first line of the script",
        )
    sys.modules["habitat"] = root
    for address in addresses():
        first = address.partition(".")[0]
        if first in ("omegaconf", "quaternion") and _installed(first):
            continue
        name = address if first in ELSEWHERE else f"habitat.{address}"
        sys.modules[name] = sys.modules[f"{HOME}.{address}"]
    if isinstance(sys.modules.get("quaternion"), MirroredModule):
        setattr(np, "quaternion", found("quaternion", "quaternion"))  # noqa: B010


def _installed(package: str) -> bool:
    present = sys.modules.get(package)
    return not isinstance(present, MirroredModule) and importlib.util.find_spec(package) is not None
