"""`vlnscope build`: one verb per benchmark."""

from __future__ import annotations

import typer

from vlnscope.cli.build import behavior as build_behavior
from vlnscope.cli.build import environment as build_environment
from vlnscope.cli.build import errors as build_errors
from vlnscope.cli.build import fidelity as build_fidelity
from vlnscope.cli.build import nuances as build_nuances
from vlnscope.cli.build import outcomes as build_outcomes
from vlnscope.cli.build import tours as build_tours

app = typer.Typer(no_args_is_help=True)


@app.callback()
def build() -> None:
    """Build the files of a benchmark from a data set."""


app.command("outcomes", epilog=build_outcomes.EPILOG)(build_outcomes.outcomes)
app.command("fidelity", epilog=build_fidelity.EPILOG)(build_fidelity.fidelity)
app.command("tours", epilog=build_tours.EPILOG)(build_tours.tours)
app.command("behavior", epilog=build_behavior.EPILOG)(build_behavior.behavior)
app.command("environment", epilog=build_environment.EPILOG)(build_environment.environment)
app.command("nuances", epilog=build_nuances.EPILOG)(build_nuances.nuances)
app.command("errors", epilog=build_errors.EPILOG)(build_errors.errors)
