"""`vlnscope train` (learning)."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from vlnscope.cli.shared import output, signals
from vlnscope.cli.shared.options import Json, Resume, Root
from vlnscope.core.exceptions import InputError, MissingPackageError

if TYPE_CHECKING:
    from vlnscope.training.experiment import Experiment
    from vlnscope.training.ranks import Ranks
    from vlnscope.training.run_state import CurveRow


def train(
    experiment: Annotated[str, typer.Argument(help="TOML file, or name of an experiment.")],
    out: Annotated[Path, typer.Option(help="Folder for the run.")],
    root: Root = None,
    resume: Resume = False,
    processes: Annotated[int, typer.Option(min=1, help="Processes that share each batch.")] = 1,
    change: Annotated[
        list[str] | None, typer.Option("--set", help="Change the experiment: PART.NAME=VALUE.")
    ] = None,
    json: Json = False,
) -> None:
    """Train a model as an experiment says.

    An experiment is a TOML file, or the name of one that comes with vlnscope: `r2r-captions` learns R2R
    through captions. --out gets `best.pt` (the best weights by the data set that the experiment chooses them
    on), `curves.csv`, and `last.pt`, from which a run that was stopped or killed goes on with --resume, in
    one process to the same weights bit for bit.

    `house-encoder` is not an agent: it makes the network that turns pictures of houses into numbers
    (`encoder.npz`, and `report.json` with what it can tell); it starts again if it is stopped.

    **Examples**

    `vlnscope features build captions --root ~/vln-data`

    `vlnscope train r2r-captions --root ~/vln-data --out runs/captions --processes 2`

    `vlnscope train my.toml --set learning.batch=32 --set seed=1 --out runs/mine`

    `vlnscope run learned:file=runs/captions/best.pt,features=captions-minilm --data r2r/val_unseen --out
    runs/x`
    """
    need_torch()
    from vlnscope.training.encoder.house_encoder import NAME
    from vlnscope.training.experiment import read_experiment

    if experiment == NAME:
        _refuse_unused(root, resume, processes)
        _make_encoder(change or [], out, json)
        return
    from vlnscope.training.ranks import with_ranks
    from vlnscope.training.run_state import check_run_folder

    config = read_experiment(experiment, change)
    check_run_folder(out, resume)
    signals.on_stop(f"the same command with --resume goes on with {out}")
    with_ranks(processes, learn, config, out, root, resume)
    _show(config, out, json)


def learn(ranks: Ranks, experiment: Experiment, out: Path, root: Path | None, resume: bool) -> None:
    """Train in one of several processes."""
    from vlnscope.training.loop import train as run
    from vlnscope.training.preparation import prepare

    run(
        prepare(experiment, root),
        out,
        resume=resume,
        ranks=ranks,
        progress=print_curve_row if ranks.leads else None,
    )


def print_curve_row(row: CurveRow) -> None:
    """Write a line of the curves to standard error."""
    shown = [
        f"update {row['update']:.0f}",
        f"loss {row['loss']:.3f}",
        f"{row['episodes_per_second']:.1f} episodes/s",
    ]
    shown += [f"{name} {100 * row[name]:.1f}" for name in ("SR", "SPL", "CLS", "nDTW") if name in row]
    sys.stderr.write("  ".join(shown) + "\n")


def _show(config: Experiment, out: Path, json: bool) -> None:
    from vlnscope.agents.learned.checkpoints import load_checkpoint

    file = out / "best.pt"
    best = load_checkpoint(file)
    update, validation = best.notes["update"], best.notes["validation"]
    if json:
        summary: dict[str, Any] = {"experiment": config.title, "out": str(out), "best": str(file)}
        summary |= {"weights": best.digest, "update": update, "validation": validation}
        output.print_json(summary)
        return
    numbers = ", ".join(f"{name} {value:.3f}" for name, value in validation.items())
    agent = f"learned:file={file},features={config.data.features}"
    output.show(
        f"best after {update} updates: {numbers}",
        f"run it: vlnscope run {agent} --data DATA --out RUN",
    )


def _refuse_unused(root: Path | None, resume: bool, processes: int) -> None:
    """Refuse what the house encoder does not use."""
    options = {"--root": root is not None, "--resume": resume, "--processes": processes != 1}
    if unused := [name for name, is_given in options.items() if is_given]:
        raise InputError(
            f"the house encoder has no use for {', '.join(unused)}",
            expected="--out, --set and --json: it is made of generated houses, all at once, in one process",
            fix=f"leave {' and '.join(unused)} out",
        )


def _make_encoder(changes: list[str], out: Path, json: bool) -> None:
    import msgspec

    from vlnscope.training.encoder.house_encoder import read_encoder_experiment
    from vlnscope.training.encoder.report import make_encoder

    def tell(row: CurveRow) -> None:
        sys.stderr.write(f"update {row['update']:.0f}  loss {row['loss']:.3f}\n")

    report = make_encoder(read_encoder_experiment(changes), out, tell)
    if json:
        output.print_json(msgspec.to_builtins(report) | {"out": str(out)})
        return
    output.show(
        f"{out / 'encoder.npz'}: finds the description of a picture among {report.batch} in "
        f"{100 * report.retrieval:.1f} % of cases (by chance {100 * report.chance:.1f} %); "
        f"a linear probe names the room in {100 * report.room:.1f} % "
        f"(the most frequent room: {100 * report.room_by_frequency:.1f} %)"
    )


def need_torch() -> None:
    """Refuse to go on where torch is not installed."""
    try:
        import torch as torch
    except ImportError:
        raise MissingPackageError("torch", "learn", "training needs") from None
