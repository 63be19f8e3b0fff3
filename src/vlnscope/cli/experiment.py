"""`vlnscope experiment`."""

from __future__ import annotations

import sys
from contextlib import AbstractContextManager
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from vlnscope.cli.shared import output
from vlnscope.cli.shared import signals as stopping
from vlnscope.cli.shared.run_progress import Tally, progress_bar
from vlnscope.cli.train import need_torch, tell
from vlnscope.core.exceptions import InputError

if TYPE_CHECKING:
    from vlnscope.experiments.outcome import Written
    from vlnscope.training.run_state import CurveRow

EPILOG = """
`r2r`: agents trained on R2R through captions · `r4r`: goal against fidelity as reward · `houses`: agents
trained in houses · `tours`: memory along tours · `skills`: do skills rise with success? · `probes`: nuances
and errors of the best agents. --out gets EXPERIMENT/page.md with pictures, EXPERIMENT/result.json, and all
runs. All experiments may share a folder. The same command goes on with what was stopped.

**Examples**

`vlnscope experiment r2r --root ~/vln-data --out experiments`

`vlnscope experiment r4r --root ~/vln-data --out experiments --seeds 0 --runs ~/runs`

`vlnscope experiment houses --out experiments --limit 50 --seeds 0`
"""


class Screen:
    """Hears how an experiment goes, and writes it to standard error."""

    def tell(self, what: str) -> None:
        """Write what begins."""
        sys.stderr.write(f"{what}\n")

    def row(self, row: CurveRow) -> None:
        """Write a line of the curves."""
        tell(row)

    def running(self) -> AbstractContextManager[Tally]:
        """Show a bar, on a terminal."""
        return progress_bar()


def experiment(
    name: Annotated[str, typer.Argument(help="r2r, r4r, houses, tours, skills or probes.")],
    out: Annotated[Path, typer.Option(help="Folder for runs, result and page.")],
    root: Annotated[Path | None, typer.Option(help="Data folder; $VLNSCOPE_DATA if not given.")] = None,
    seeds: Annotated[str, typer.Option(help="Seeds of the trainings.")] = "0,1,2",
    runs: Annotated[
        list[Path] | None, typer.Option(help="Finished training runs, or a folder of them, to use.")
    ] = None,
    world: Annotated[
        list[str] | None, typer.Option(help="Only this world, r2r or houses, of an experiment in both.")
    ] = None,
    train: Annotated[
        list[str] | None, typer.Option(help="Train this TOML file instead of the usual ones.")
    ] = None,
    data: Annotated[str, typer.Option(help="Test on this data set instead of the usual one.")] = "",
    limit: Annotated[
        int | None, typer.Option(min=1, help="Ask only so many episodes or cases of a kind, for a trial.")
    ] = None,
    workers: Annotated[int, typer.Option(min=1, help="Processes that run agents.")] = 1,
    processes: Annotated[int, typer.Option(min=1, help="Processes that share each batch of training.")] = 1,
    json: Annotated[bool, typer.Option("--json", help="Print one JSON object.")] = False,
) -> None:
    """Make one of the papers' experiments with learned agents."""
    stopping.watch_over()
    stopping.on_stop(f"what is done is kept in {out}; the same command goes on")
    need_torch()
    from vlnscope.experiments.conducting import conduct

    made = conduct(
        name,
        out,
        root=root,
        seeds=_seeds(seeds),
        runs=runs or (),
        only=world or (),
        trainings=train or (),
        data=data,
        limit=limit,
        workers=workers,
        processes=processes,
        watcher=Screen(),
    )
    if json:
        output.print_json(made.numbers)
    else:
        _print(made)


def _seeds(text: str) -> tuple[int, ...]:
    try:
        return tuple(int(part) for part in text.split(","))
    except ValueError:
        raise InputError(
            f"the seeds {text!r} cannot be read",
            expected="whole numbers with commas between them",
            fix="write for example --seeds 0,1,2",
        ) from None


def _print(made: Written) -> None:
    from vlnscope.reporting.sentences import ranked, sentence

    screen = output.console()
    for findings in made.outcome.findings:
        screen.print(f"\n[bold]{output.plain(f'{findings.benchmark}: {findings.data}')}[/]")
        for one in ranked(findings.statements):
            screen.print(output.plain(f"  {one.agent}: {sentence(one)}"), soft_wrap=True)
    for left in made.outcome.left_out:
        text = f"left out: {left.benchmark} in the world {', '.join(left.agents)}: {left.reason}"
        screen.print(f"[dim]{output.plain(text)}[/]", soft_wrap=True)
    screen.print(f"\nThe page: {output.plain(str(made.page))}", soft_wrap=True)
