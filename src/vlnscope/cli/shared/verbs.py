"""The verbs of the command line. A verb's module is imported when the verb is called, and not to list it.

A verb `check-agent` is the function ``check_agent`` of the module ``vlnscope.cli.check_agent``; one that has
verbs of its own has the Typer ``app`` there, with that function as its callback. The first line of the
function's docstring is what ``vlnscope --help`` says of it.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from importlib import import_module
from importlib.util import find_spec
from types import CodeType
from typing import Any

import typer
from typer.core import TyperGroup
from typer.main import get_group

VERBS = (
    "score",
    "report",
    "diagnose",
    "compare",
    "explain-gap",
    "check",
    "convert",
    "run",
    "merge",
    "check-agent",
    "check-metric",
    "build",
    "detect",
    "audit",
    "houses",
    "grammar",
    "features",
    "train",
    "experiment",
    "parse",
    "ls",
    "doctor",
)


class _Commands(Mapping[str, Any]):
    """Commands by verb; asking for one imports its module."""

    def __init__(self) -> None:
        self._made: dict[str, Any] = {}

    def __getitem__(self, verb: str) -> Any:
        if verb not in VERBS:
            raise KeyError(verb)
        if verb not in self._made:
            self._made[verb] = _command(verb)
        return self._made[verb]

    def __iter__(self) -> Iterator[str]:
        return iter(VERBS)

    def __len__(self) -> int:
        return len(VERBS)


class VerbGroup(TyperGroup):
    """The command ``vlnscope``."""

    def __init__(self, **settings: Any) -> None:
        super().__init__(**settings)
        self.commands: Any = _Commands()

    def list_commands(self, ctx: Any) -> list[str]:
        """Return the verbs."""
        return list(VERBS)

    def format_commands(self, ctx: Any, formatter: Any) -> None:
        """Write the list of verbs."""
        with formatter.section("Commands"):
            formatter.write_dl([(verb, summary(verb)) for verb in VERBS])


def summary(verb: str) -> str:
    """Return what a verb is for: the first line of its function's docstring, which is read and not run.

    Example:
        >>> summary("convert")
        'Write a file of predictions, episodes or tours, or a data set, in another format.'
    """
    name = verb.replace("-", "_")
    spec = find_spec(f"vlnscope.cli.{name}")
    assert spec is not None
    assert spec.loader is not None
    module: CodeType = spec.loader.get_code(spec.name)  # type: ignore[attr-defined]  # all usual loaders have it
    functions = {held.co_name: held for held in module.co_consts if isinstance(held, CodeType)}
    return str(functions[name].co_consts[0]).partition("\n")[0]


def _command(verb: str) -> Any:
    name = verb.replace("-", "_")
    module = import_module(f"vlnscope.cli.{name}")
    holder = typer.Typer(rich_markup_mode="markdown", pretty_exceptions_enable=False)
    if hasattr(module, "app"):
        holder.add_typer(module.app, name=verb)
    else:
        holder.command(verb, epilog=module.EPILOG)(getattr(module, name))
    return get_group(holder).commands[verb]
