"""One registry for everything that can be added by adding a file or a plug-in package.

A kind has *homes*: packages whose modules register what they define when they are imported, so no list of
names is kept anywhere. Looking up a name imports the module that defines it and no other: modules whose
source quotes the name are tried first, and among them those that are called like it. `names` imports all
modules of a kind's homes.

Other distributions add things through the entry-point group ``vlnscope.<kind>``. A plug-in is imported only
when it is looked up, and one that fails to import is reported by `problems` instead of breaking the rest.
"""

from __future__ import annotations

import importlib
import pkgutil
import sys
from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import cache, cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar

from vlnscope.core.exceptions import DuplicateNameError, PluginError, UnknownNameError

if TYPE_CHECKING:
    from importlib.metadata import EntryPoint

HOMES: dict[str, tuple[str, ...]] = {
    "world": ("vlnscope.worlds.builtin",),
    "dataset": ("vlnscope.episodes.datasets",),
    "format": ("vlnscope.episodes.formats",),
    "sight": ("vlnscope.perception.sights",),
    "feature-store": ("vlnscope.perception.features.stores",),
    "tracker": ("vlnscope.training.trackers",),
    "action-space": ("vlnscope.engine.action_spaces",),
    "agent": ("vlnscope.agents.rules", "vlnscope.agents.pretrained"),
    "metric": ("vlnscope.metrics.measures",),
    "profile": ("vlnscope.metrics.profiles",),
    "benchmark": ("vlnscope.benchmarks",),
    "run-format": ("vlnscope.evaluate.exchange.run_formats",),
    "detector": ("vlnscope.benchmarks.errors.detectors",),
    "exhibit": ("vlnscope.evaluate.exhibits",),
    "report-section": ("vlnscope.reporting.page.sections",),
}
"""The packages in which the built-in things of each kind are defined; a kind may have none."""
T = TypeVar("T")


@dataclass
class _Kind:
    """A kind: what is registered, which of it by plug-ins, which of these failed, and what they must be."""

    name: str
    entries: dict[str, Any] = field(default_factory=dict)
    loaded: set[str] = field(default_factory=set)
    problems: dict[str, str] = field(default_factory=dict)
    contract: type = object

    @cached_property
    def plugins(self) -> dict[str, EntryPoint]:
        """The entry points of the kind."""
        from importlib.metadata import entry_points  # slow to import, and built-in names do without

        return {point.name: point for point in entry_points(group=f"vlnscope.{self.name}")}


_kinds = {kind: _Kind(kind) for kind in HOMES}


def kinds() -> tuple[str, ...]:
    """Return the kinds of things that can be registered."""
    return tuple(HOMES)


def register(kind: str, name: str, thing: T) -> T:
    """Add `thing` under `name` and return it; what is built in takes the place of a plug-in.

    Raises:
        DuplicateNameError: the name is taken by something else.
    """
    state = _state(kind)
    if name not in state.loaded and state.entries.get(name, thing) is not thing:
        raise DuplicateNameError(
            f"two {kind}s are called {name!r}", expected="a name for each", fix="rename one of them"
        )
    state.loaded.discard(name)
    state.entries[name] = thing
    return thing


def require(kind: str, contract: type) -> None:
    """Take only plug-ins of a kind that are instances of `contract`."""
    _state(kind).contract = contract


def get(kind: str, name: str) -> Any:
    """Return what is registered under `name`, importing the module that defines it and no other.

    Raises:
        UnknownNameError: nothing is called so; the message suggests the nearest names.
        PluginError: the plug-in of that name cannot be loaded.
    """
    if not has(kind, name):
        raise UnknownNameError(kind, name, names(kind), listed=True)
    state = _state(kind)
    return state.entries[name] if name in state.entries else _load_plugin(kind, state, name)


def has(kind: str, name: str) -> bool:
    """Return whether something is called `name`; like `get`, but a plug-in is not imported for it."""
    state = _state(kind)
    if name in state.entries:
        return True
    quoting, others = _likely_modules(kind, name)
    return _import_until(quoting, state, name) or name in state.plugins or _import_until(others, state, name)


def names(kind: str) -> list[str]:
    """Return all names of a kind, sorted without regard to case; this imports all its modules."""
    state = _state(kind)
    for module in _sources(kind):
        importlib.import_module(module)
    return sorted({*state.entries, *state.plugins}, key=lambda n: (n.casefold(), n))


def everything(kind: str) -> dict[str, Any]:
    """Return all things of a kind by name, leaving out plug-ins that fail to load (see `problems`)."""
    things: dict[str, Any] = {}
    for name in names(kind):
        try:
            things[name] = get(kind, name)
        except PluginError:
            continue
    return things


def problems(kind: str) -> dict[str, str]:
    """Return the plug-ins of a kind that could not be loaded, with the reason."""
    everything(kind)
    state = _state(kind)
    hidden = {
        name: f"{point.value}: the name belongs to a built-in {kind}"
        for name, point in state.plugins.items()
        if name in state.entries and name not in state.loaded
    }
    return hidden | state.problems


def _state(kind: str) -> _Kind:
    if kind not in _kinds:
        raise UnknownNameError("kind", kind, _kinds, listed=True)
    return _kinds[kind]


@cache
def _sources(kind: str) -> dict[str, str]:
    """Return the source of each module of the kind's homes, and its data if that lies beside it as TOML."""
    sources: dict[str, str] = {}
    for home in map(importlib.import_module, HOMES[kind]):
        for module in sorted(pkgutil.iter_modules(home.__path__), key=lambda module: module.name):
            name = f"{home.__name__}.{module.name}"
            files = (Path(path, module.name) for path in home.__path__)
            texts = [text for file in files for text in (f"{file}.py", f"{file}/__init__.py", f"{file}.toml")]
            sources[name] = "".join(Path(text).read_text("utf-8") for text in texts if Path(text).is_file())
    return sources


def _likely_modules(kind: str, name: str) -> tuple[list[str], list[str]]:
    """Return the modules that quote a name and those that do not, each called most like it first."""
    wanted = name.casefold().replace("-", "_")

    def unlikeness(module: str) -> int:
        last = module.rpartition(".")[2]
        return -len(last) if wanted.startswith(last) else 0

    sources = _sources(kind)
    ranked = sorted(sources, key=unlikeness)
    quoting = [m for m in ranked if f'"{name}"' in sources[m] or f"'{name}'" in sources[m]]
    return quoting, [module for module in ranked if module not in quoting]


def _import_until(modules: Sequence[str], state: _Kind, name: str) -> bool:
    for module in modules:
        importlib.import_module(module)
        if name in state.entries:
            return True
    return False


def _load_plugin(kind: str, state: _Kind, name: str) -> Any:
    point, before, modules = state.plugins[name], set(state.entries), set(sys.modules)
    try:
        thing = point.load()
        if not isinstance(thing := state.entries.get(name, thing), state.contract):
            raise TypeError(f"not a {state.contract.__name__}, but {type(thing).__name__}")
    except (Exception, SystemExit) as error:  # a plug-in may fail in any way
        state.problems[name] = f"{point.value}: {type(error).__name__}: {error}"
        raise PluginError(
            f"the plug-in {kind} {name!r} ({point.value}) cannot be loaded: {type(error).__name__}: {error}",
            expected="a package that can be imported",
            fix="repair or uninstall the package that provides it; `vlnscope doctor` lists plug-ins",
        ) from error
    state.entries.setdefault(name, thing)
    new_modules = sys.modules.keys() - modules
    built_in = "".join(source for module, source in _sources(kind).items() if module in new_modules)
    state.loaded |= {name} | {one for one in state.entries.keys() - before if f'"{one}"' not in built_in}
    return state.entries[name]
