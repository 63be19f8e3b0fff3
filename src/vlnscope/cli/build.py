"""`vlnscope build`: one verb per benchmark."""

from __future__ import annotations

import typer

from vlnscope.cli import build_errors, build_fidelity, build_tours

app = typer.Typer(
    help="Build the files of a benchmark from a data set.", no_args_is_help=True, rich_markup_mode="markdown"
)
app.command("fidelity", epilog=build_fidelity.EPILOG)(build_fidelity.fidelity)
app.command("tours", epilog=build_tours.EPILOG)(build_tours.tours)
app.command("errors", epilog=build_errors.EPILOG)(build_errors.errors)
