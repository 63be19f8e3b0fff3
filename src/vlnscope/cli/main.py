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
from vlnscope.cli import (
    audit,
    build,
    check,
    check_agent,
    check_metric,
    compare,
    convert,
    detect,
    diagnose,
    doctor,
    experiment,
    explain_gap,
    features,
    grammar,
    houses,
    ls,
    merge,
    output,
    parse,
    report,
    run,
    score,
    stopping,
    train,
)
from vlnscope.exceptions import InputError, VlnscopeError

app = typer.Typer(
    name="vlnscope",
    help="Scores, probes and diagnoses vision-and-language navigation agents.",
    no_args_is_help=True,
    add_completion=False,
    pretty_exceptions_enable=False,
    rich_markup_mode="markdown",
    context_settings={"help_option_names": ["-h", "--help"]},
)
app.command("score", epilog=score.EPILOG)(score.score)
app.command("report", epilog=report.EPILOG)(report.report)
app.command("diagnose", epilog=diagnose.EPILOG)(diagnose.diagnose)
app.command("compare", epilog=compare.EPILOG)(compare.compare)
app.command("explain-gap", epilog=explain_gap.EPILOG)(explain_gap.explain_gap)
app.command("check", epilog=check.EPILOG)(check.check)
app.command("convert", epilog=convert.EPILOG)(convert.convert)
app.command("run", epilog=run.EPILOG)(run.run)
app.command("merge", epilog=merge.EPILOG)(merge.merge)
app.command("check-agent", epilog=check_agent.EPILOG)(check_agent.check_agent)
app.command("check-metric", epilog=check_metric.EPILOG)(check_metric.check_metric)
app.add_typer(build.app, name="build")
app.command("detect", epilog=detect.EPILOG)(detect.detect)
app.command("audit", epilog=audit.EPILOG)(audit.audit)
app.add_typer(houses.app, name="houses")
app.add_typer(grammar.app, name="grammar")
app.add_typer(features.app, name="features")
app.command("train", epilog=train.EPILOG)(train.train)
app.command("experiment", epilog=experiment.EPILOG)(experiment.experiment)
app.command("parse", epilog=parse.EPILOG)(parse.parse)
app.command("ls", epilog=ls.EPILOG)(ls.ls)
app.command("doctor", epilog=doctor.EPILOG)(doctor.doctor)


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
    """Make the commands, once in a process: that takes longer than many of them."""
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
        output.print_error(error)
        sys.exit(2)
    except KeyboardInterrupt:
        sys.exit(stopping.stopped())
    except SystemExit as end:
        sys.exit(stopping.stopped() if end.code == stopping.INTERRUPTED else end.code)
    except BrokenPipeError:
        _print_no_more()
        sys.exit(0)
    except (OSError, MemoryError) as error:
        _print_no_more()
        output.print_error(_refused_by_system(error))
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
