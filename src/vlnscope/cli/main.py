"""The `vlnscope` command."""

from __future__ import annotations

import io
import os
import sys
from collections.abc import Callable, Sequence
from functools import cache
from typing import Annotated

import typer
from typer.main import get_command

from vlnscope import __version__
from vlnscope.cli.shared import signals as stopping
from vlnscope.cli.shared.verbs import VerbGroup
from vlnscope.core.exceptions import InputError, VlnscopeError

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


def command_line() -> None:
    """Do what the arguments say: errors meant for users become three lines and exit code 2."""
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, io.TextIOWrapper):
            stream.reconfigure(errors="replace")  # a terminal that lacks a sign still gets the rest
    try:
        try:
            _check_arguments(sys.argv[1:])
            _command()()
        finally:
            sys.stdout.flush()  # a disk that is full is noticed here, and not when Python ends
    except VlnscopeError as error:
        from vlnscope.cli.shared.output import print_error

        print_error(error)
        sys.exit(2)
    except KeyboardInterrupt:
        sys.exit(stopping.stopped())
    except SystemExit as end:
        sys.exit(stopping.stopped() if end.code == stopping.INTERRUPTED else end.code)
    except BrokenPipeError:
        _print_no_more()
        sys.exit(0)
    except (OSError, MemoryError) as error:
        from vlnscope.cli.shared.output import print_error

        _print_no_more()
        print_error(_refused_by_system(error))
        sys.exit(2)


def _check_arguments(arguments: Sequence[str]) -> None:
    """Refuse arguments that are not UTF-8, names of files among them: they could not be written down."""
    for argument in arguments:
        try:
            argument.encode()
        except UnicodeEncodeError:
            raise InputError(
                f"the argument {argument[:100]!a} is not UTF-8",
                expected="arguments in UTF-8",
                fix="rename the file, or correct the encoding of the terminal (`locale`)",
            ) from None


def _print_no_more() -> None:
    """Let what is left to print go nowhere; Python would fail over it once more when it ends."""
    os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())


def _refused_by_system(error: OSError | MemoryError) -> InputError:
    if isinstance(error, MemoryError):
        return InputError(
            "there is not enough memory", expected="less to hold at once", fix="take fewer or smaller things"
        )
    return InputError(
        f"the system refuses: {error}",
        expected="files and folders that may be read and written, and room on the disk",
        fix="make room or check permissions (`df -h`, `ls -l`)",
    )


def main() -> None:
    """Be the command: take signals, and watch over agents."""
    stopping.begin()
    try:
        command_line()
    finally:
        stopping.end()


if __name__ == "__main__":
    main()
