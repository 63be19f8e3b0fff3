"""`vlnscope experiment` (learning)."""

from __future__ import annotations

from contextlib import AbstractContextManager
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from vlnscope.cli.shared import output, signals
from vlnscope.cli.shared.options import Device, Json, Root, passed
from vlnscope.cli.shared.progress import RunTally, progress_bar
from vlnscope.cli.shared.training_log import TrainingLog
from vlnscope.cli.train import need_torch
from vlnscope.core.devices import AUTO
from vlnscope.core.exceptions import InputError
from vlnscope.core.results import Line, notes

if TYPE_CHECKING:
    from vlnscope.experiments.result import Written
    from vlnscope.training.watching import TrainingWatch


class ExperimentLog:
    """Hears how an experiment goes, and writes it to standard error."""

    def __init__(self) -> None:
        self._log = TrainingLog()
        self.training: TrainingWatch = self._log

    def tell(self, what: str) -> None:
        """Write what begins."""
        self._log.line(what)

    def running(self) -> AbstractContextManager[RunTally]:
        """Show a bar, on a terminal."""
        return progress_bar()


def experiment(
    name: Annotated[str, typer.Argument(help="r2r, r4r, houses, tours, skills, agents or probes.")],
    out: Annotated[Path, typer.Option(help="Folder for runs, result and page.")],
    root: Root = None,
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
        int | None, typer.Option(min=1, help="Ask only N episodes or cases of a kind, for a trial.")
    ] = None,
    workers: Annotated[int, typer.Option(min=1, help="Processes that run agents.")] = 1,
    processes: Annotated[int, typer.Option(min=1, help="Processes that share each batch of training.")] = 1,
    device: Device = AUTO,
    json: Json = False,
) -> None:
    """Make one of the papers' experiments with learned agents.

    `r2r`: agents trained on R2R through captions · `r4r`: goal against fidelity as reward · `houses`: agents
    trained in houses · `tours`: memory along tours · `skills`: do skills rise with success? · `agents`: the
    papers' agents side by side · `probes`: nuances and errors of the best agents. --out gets
    EXPERIMENT/page.md with pictures, EXPERIMENT/result.json, and all runs. All experiments may share a
    folder. The same command goes on with what was stopped.

    **Examples**

    `vlnscope experiment r2r --root ~/vln-data --out experiments`

    `vlnscope experiment r4r --root ~/vln-data --out experiments --seeds 0 --runs ~/runs`

    `vlnscope experiment houses --out experiments --limit 50 --seeds 0`
    """
    options = passed(locals(), "seeds", "runs", "world", "train")
    signals.watch_over()
    signals.on_stop(f"what is done is kept in {out}; the same command goes on")
    need_torch()
    from vlnscope.experiments.conduct import conduct

    written = conduct(
        **options,
        seeds=_seeds(seeds),
        runs=runs or (),
        only=world or (),
        trainings=train or (),
        progress=ExperimentLog(),
    )
    if json:
        output.print_json(written.numbers)
    else:
        _print(written)


def _seeds(text: str) -> tuple[int, ...]:
    try:
        return tuple(int(part) for part in text.split(","))
    except ValueError:
        raise InputError(
            f"the seeds {text!r} cannot be read",
            expected="whole numbers, separated by commas",
            fix="write for example --seeds 0,1,2",
        ) from None


def _print(written: Written) -> None:
    from vlnscope.reporting.sentences import ranked, sentence

    for findings in written.outcome.findings:
        output.show(Line(f"\n{findings.benchmark}: {findings.data}", style="bold"))
        output.show(*(f"  {one.agent}: {sentence(one)}" for one in ranked(findings.statements)))
    left_out = (
        f"left out: {left.benchmark} in the world {', '.join(left.agents)}: {left.reason}"
        for left in written.outcome.left_out
    )
    output.show(*notes(left_out), f"\nThe page: {written.page}")
