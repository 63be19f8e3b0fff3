"""The `vlnscope` command."""

from __future__ import annotations

import io
import os
import sys
from collections.abc import Callable
from functools import cache
from typing import Annotated

import typer
from typer.main import get_command

from vlnscope import __version__
from vlnscope.cli.verbs import VerbGroup
from vlnscope.exceptions import VlnscopeError

app = typer.Typer(
    name="vlnscope",
    cls=VerbGroup,
    help="Scores, probes and diagnoses vision-and-language navigation agents.",
    no_args_is_help=True,
    add_completion=False,
    pretty_exceptions_enable=False,
    rich_markup_mode=None,  # plain text comes in half the time
    context_settings={"help_option_names": ["-h", "--help"]},
)


def _version(wanted: bool) -> None:
    if wanted:
        typer.echo(f"vlnscope {__version__}")
        raise typer.Exit


@app.callback()
def _options(
    version: Annotated[
        bool, typer.Option("--version", callback=_version, is_eager=True, help="Print the version.")
    ] = False,
) -> None:
    del version


@cache
def _command() -> Callable[[], object]:
    """Make the command, once in a process."""
    return get_command(app)


def main() -> None:
    """Run the command line: errors meant for users become three lines and exit code 2."""
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, io.TextIOWrapper):
            stream.reconfigure(errors="replace")  # a terminal that lacks a sign still gets the rest
    try:
        _command()()
    except VlnscopeError as error:
        from vlnscope.cli.output import print_error

        print_error(error)
        sys.exit(2)
    except KeyboardInterrupt:
        sys.exit(130)
    except BrokenPipeError:
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        sys.exit(0)


if __name__ == "__main__":
    main()
