"""The verbs of the command line, found among the modules of ``vlnscope.cli``, which are not imported for it.

A verb `check-agent` is the function ``check_agent`` of the module ``vlnscope.cli.check_agent``; one that has
verbs of its own has the Typer ``app`` there, with that function as its callback. The first line of the
module's docstring names the verb and, in brackets, the section of ``vlnscope --help`` in which it stands; the
first line of the function's docstring says what it is for, and the rest, with examples, ends its own help.
"""

from __future__ import annotations

import inspect
import pkgutil
import re
from collections.abc import Callable, Iterator, Mapping
from functools import cache
from importlib import import_module
from importlib.util import find_spec
from types import CodeType
from typing import Any, NamedTuple, TypeVar

import typer
from typer.core import TyperGroup
from typer.main import get_group

from vlnscope import cli

SECTIONS = ("results", "agents", "benchmarks", "data", "language", "learning", "about")
"""The sections of the help, in order; others come last."""
F = TypeVar("F", bound=Callable[..., Any])
_TITLE = re.compile(r"`vlnscope (?P<verb>[\w-]+)` \((?P<section>\w+)\)")


class Verb(NamedTuple):
    """A verb, where it stands in the help, and what it is for."""

    name: str
    section: str
    summary: str


class _Commands(Mapping[str, Any]):
    """Commands by verb; asking for one imports its module."""

    def __init__(self) -> None:
        self._made: dict[str, Any] = {}

    def __getitem__(self, verb: str) -> Any:
        if verb not in self._made:
            if verb_of(verb.replace("-", "_")) is None:
                raise KeyError(verb)
            self._made[verb] = _command(verb)
        return self._made[verb]

    def __iter__(self) -> Iterator[str]:
        return (verb.name for verb in verbs())

    def __len__(self) -> int:
        return len(verbs())


class VerbGroup(TyperGroup):
    """The command ``vlnscope``."""

    def __init__(self, **settings: Any) -> None:
        super().__init__(**settings)
        self.commands: Any = _Commands()

    def list_commands(self, ctx: Any) -> list[str]:
        """Return the verbs."""
        return list(self.commands)

    def format_commands(self, ctx: Any, formatter: Any) -> None:
        """Write the verbs, section by section."""
        for section in dict.fromkeys(verb.section for verb in verbs()):
            with formatter.section(section.capitalize()):
                formatter.write_dl([(v.name, v.summary) for v in verbs() if v.section == section])


@cache
def verbs() -> list[Verb]:
    """Return all verbs in the order of the help."""
    every = [verb for module in pkgutil.iter_modules(cli.__path__) if (verb := verb_of(module.name))]
    ranks = {section: rank for rank, section in enumerate(SECTIONS)}
    return sorted(every, key=lambda verb: (ranks.get(verb.section, len(ranks)), verb.name))


@cache
def verb_of(module: str) -> Verb | None:
    """Return the verb that a module of ``vlnscope.cli`` is; None if it is none.

    Example:
        >>> verb_of("check_agent").section, verb_of("main")
        ('agents', None)
    """
    spec = find_spec(f"{cli.__name__}.{module}") if module.isidentifier() else None
    if spec is None or spec.loader is None:
        return None
    code: CodeType = spec.loader.get_code(spec.name)  # type: ignore[attr-defined]  # all usual loaders have it
    title = _TITLE.match(code.co_consts[0] if isinstance(code.co_consts[0], str) else "")
    if title is None:
        return None
    functions = {constant.co_name: constant for constant in code.co_consts if isinstance(constant, CodeType)}
    summary = str(functions[module].co_consts[0]).partition("\n")[0]
    return Verb(title["verb"], title["section"], summary)


def _command(verb: str) -> Any:
    name = verb.replace("-", "_")
    module = import_module(f"vlnscope.cli.{name}")
    holder = typer.Typer(rich_markup_mode="markdown", pretty_exceptions_enable=False)
    if hasattr(module, "app"):
        holder.add_typer(module.app, name=verb)
    else:
        subverb(holder, verb)(getattr(module, name))
    return get_group(holder).commands[verb]


def subverb(app: typer.Typer, name: str) -> Callable[[F], F]:
    """Make a function a verb of `app`: its summary leads the help, and the rest of its docstring ends it."""

    def add(function: F) -> F:
        summary, guide = described(function)
        app.command(name, help=summary, epilog=guide)(function)
        return function

    return add


def described(function: Callable[..., Any]) -> tuple[str, str]:
    """Return the first paragraph of a function's docstring, and all others."""
    summary, _, guide = (inspect.getdoc(function) or "").partition("\n\n")
    return summary, guide
