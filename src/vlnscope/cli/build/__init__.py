"""`vlnscope build` (benchmarks): one verb per registered benchmark.

A benchmark says what options its builder has. A module here that is called like a benchmark does what its
command does besides; another module is a command of its own.
"""

from __future__ import annotations

import pkgutil
from importlib import import_module

import typer

from vlnscope.benchmarks.kit.benchmark import benchmarks
from vlnscope.cli.build._command import command_of
from vlnscope.cli.shared.verbs import described, subverb

app = typer.Typer(no_args_is_help=True)


@app.callback()
def build() -> None:
    """Build the files of a benchmark from a data set."""


def _add_commands() -> None:
    modules = {
        module.name: import_module(f"{__name__}.{module.name}")
        for module in pkgutil.iter_modules(__path__)
        if not module.name.startswith("_")
    }
    for benchmark in benchmarks():
        name, module = benchmark.name, modules.pop(benchmark.name, None)
        special = getattr(module, name) if module else None
        guide = described(special)[1] if special else benchmark.guide
        app.command(name, help=benchmark.summary, epilog=guide)(command_of(benchmark, special))
    for name, module in modules.items():
        subverb(app, name)(getattr(module, name))


_add_commands()
