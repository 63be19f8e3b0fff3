"""One registry for everything that can be added by adding a file: metrics, profiles, formats, data sets.

A kind has a *home* package. Looking up a name of that kind imports the modules of the home once; each
registers what it defines, so no list is kept anywhere. Other distributions add things through the
entry-point group ``vlnscope.<kind>``; they are imported only when asked for, and one that fails to
import is reported by `problems` instead of breaking the rest.
"""

from __future__ import annotations

import importlib
import pkgutil
from dataclasses import dataclass, field
from importlib.metadata import EntryPoint, entry_points
from typing import Any, TypeVar

from vlnscope.core.exceptions import UnknownNameError, VlnscopeError

HOMES = {
    "metric": ("vlnscope.metrics.measures",),
    "profile": ("vlnscope.metrics.profiles",),
    "format": ("vlnscope.episodes.formats",),
    "dataset": ("vlnscope.episodes.datasets",),
    "agent": ("vlnscope.agents.rules", "vlnscope.agents.pretrained"),
    "benchmark": ("vlnscope.benchmarks",),
    "detector": ("vlnscope.benchmarks.errors.detectors",),
}
T = TypeVar("T")


@dataclass
class _Kind:
    entries: dict[str, Any] = field(default_factory=dict)
    plugins: dict[str, EntryPoint] = field(default_factory=dict)
    problems: dict[str, str] = field(default_factory=dict)
    discovered: bool = False


_kinds: dict[str, _Kind] = {name: _Kind() for name in HOMES}


def kinds() -> tuple[str, ...]:
    """Return the kinds of things that can be registered."""
    return tuple(_kinds)


def register(kind: str, name: str, thing: T) -> T:
    """Add `thing` under `name` and return it.

    Raises:
        VlnscopeError: the name is taken by something else.
    """
    entries = _kinds[kind].entries
    if name in entries and entries[name] is not thing:
        raise VlnscopeError(
            f"two {kind}s are called {name!r}", expected="a name for each", fix="rename one of them"
        )
    entries[name] = thing
    return thing


def get(kind: str, name: str) -> Any:
    """Return what is registered under `name`; an unknown name gets suggestions."""
    state = _discover(kind)
    if name in state.entries:
        return state.entries[name]
    if name in state.plugins:
        return _load_plugin(kind, state, name)
    raise UnknownNameError(kind, name, names(kind))


def names(kind: str) -> list[str]:
    """Return all names of a kind, sorted without regard to case."""
    state = _discover(kind)
    return sorted({*state.entries, *state.plugins}, key=lambda n: (n.casefold(), n))


def everything(kind: str) -> dict[str, Any]:
    """Return all things of a kind by name, leaving out plug-ins that fail to load (see `problems`)."""
    found: dict[str, Any] = {}
    for name in names(kind):
        try:
            found[name] = get(kind, name)
        except VlnscopeError:
            if name not in _kinds[kind].problems:
                raise
    return found


def problems(kind: str) -> dict[str, str]:
    """Return the plug-ins of a kind that could not be loaded, with the reason."""
    everything(kind)
    return dict(_kinds[kind].problems)


def _discover(kind: str) -> _Kind:
    if kind not in _kinds:
        raise UnknownNameError("kind", kind, _kinds)
    state = _kinds[kind]
    if not state.discovered:
        for home in map(importlib.import_module, HOMES[kind]):
            for module in sorted(m.name for m in pkgutil.iter_modules(home.__path__)):
                importlib.import_module(f"{home.__name__}.{module}")
        for point in entry_points(group=f"vlnscope.{kind}"):
            if point.name in state.entries:
                state.problems[point.name] = f"{point.value}: the name belongs to a built-in {kind}"
            else:
                state.plugins[point.name] = point
        state.discovered = True
    return state


def _load_plugin(kind: str, state: _Kind, name: str) -> Any:
    point = state.plugins[name]
    try:
        thing = point.load()
    except Exception as error:  # a plug-in may fail in any way
        state.problems[name] = f"{point.value}: {type(error).__name__}: {error}"
        raise VlnscopeError(
            f"the plug-in {kind} {name!r} ({point.value}) cannot be loaded: {type(error).__name__}: {error}",
            expected="a package that can be imported",
            fix="repair or uninstall the package that provides it; `vlnscope doctor` lists plug-ins",
        ) from error
    state.entries.setdefault(name, thing)
    return state.entries[name]
