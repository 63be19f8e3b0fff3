"""`vlnscope train` (learning)."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from vlnscope.cli.shared import output, signals
from vlnscope.cli.shared.options import Device, Json, Resume, Root
from vlnscope.cli.shared.training_log import TrainingLog
from vlnscope.core.devices import AUTO
from vlnscope.core.exceptions import InputError, MissingPackageError

if TYPE_CHECKING:
    from vlnscope.training.experiment import Experiment
    from vlnscope.training.ranks import Ranks
    from vlnscope.training.space.experiment import SpaceExperiment


def train(
    experiment: Annotated[str, typer.Argument(help="TOML file, or name of an experiment.")],
    out: Annotated[Path, typer.Option(help="Folder for the run.")],
    root: Root = None,
    resume: Resume = False,
    processes: Annotated[int, typer.Option(min=1, help="Processes that share each batch.")] = 1,
    change: Annotated[
        list[str] | None, typer.Option("--set", help="Change the experiment: PART.NAME=VALUE.")
    ] = None,
    device: Device = AUTO,
    track: Annotated[
        list[str] | None, typer.Option(help="Copy the curves to tensorboard or wandb, too; may be repeated.")
    ] = None,
    json: Json = False,
) -> None:
    """Train a model as an experiment says.

    An experiment is a TOML file, or the name of one that comes with vlnscope: `r2r-captions` learns R2R
    through captions. --out gets `best.pt` (the best weights by the data set that the experiment chooses them
    on), `curves.csv`, and `last.pt`, from which a run that was stopped or killed goes on with --resume, in
    one process to the same weights bit for bit.

    `house-encoder` is not an agent: it makes the network that turns pictures of houses into numbers
    (`encoder.npz`, and `report.json` with what it can tell); `house-segmenter` makes the one that tells the
    class of each pixel (`segmenter.npz`, `report.json`). They start again if they are stopped.

    `houses-ce-map-cma` learns in continuous space: an expert's walks through houses are collected first, once
    for all trainings that ask for the same.

    **Examples**

    `vlnscope features build captions --root ~/vln-data`

    `vlnscope train r2r-captions --root ~/vln-data --out runs/captions --processes 2`

    `vlnscope train my.toml --set learning.batch=32 --set seed=1 --out runs/mine`

    `vlnscope train r2r-captions --root ~/vln-data --out runs/captions --device cuda --track tensorboard`

    `vlnscope train houses-ce-map-cma --set data.train=houses-ce/train@8 --out runs/map`

    `vlnscope run learned:file=runs/captions/best.pt,features=captions-minilm --data r2r/val_unseen --out
    runs/x`
    """
    log = TrainingLog()
    log.phase(f"training {experiment}")
    with log:
        need_torch()
    from vlnscope.core.devices import device_of
    from vlnscope.training.experiment import read_experiment

    if makes := _NETWORKS.get(experiment):
        options = {"--root": root is not None, "--resume": resume, "--processes": processes != 1}
        _refuse_unused(
            experiment, options | {"--device": device not in (AUTO, "cpu"), "--track": bool(track)}
        )
        makes(change or [], out, log, json)
        return
    from vlnscope.training.ranks import with_ranks
    from vlnscope.training.run_state import check_run_folder
    from vlnscope.training.space.experiment import read_space_experiment
    from vlnscope.training.tracking import check_trackers

    device_of(device)
    check_trackers(track or ())
    in_space = read_space_experiment(experiment, change)
    config = in_space or read_experiment(experiment, change)
    check_run_folder(out, resume)
    signals.on_stop(f"the same command with --resume goes on with {out}")
    with_ranks(processes, learn, config, out, root, resume, device, tuple(track or ()), log)
    _show(config, out, json)


def learn(
    ranks: Ranks,
    experiment: Experiment | SpaceExperiment,
    out: Path,
    root: Path | None,
    resume: bool,
    device: str,
    track: tuple[str, ...],
    log: TrainingLog,
) -> None:
    """Train in one of several processes."""
    from vlnscope.core.devices import device_of
    from vlnscope.training.loop import train as run
    from vlnscope.training.preparation import prepare
    from vlnscope.training.space.experiment import SpaceExperiment
    from vlnscope.training.watching import TrainingWatch

    place = device_of(device)
    with log if ranks.leads else TrainingWatch() as watch:
        if isinstance(experiment, SpaceExperiment):
            from vlnscope.training.space.preparation import prepare_walks

            walks = prepare_walks(experiment, root, watch)
            run(walks, out, resume=resume, ranks=ranks, device=place, watch=watch, track=track)
            return
        task = prepare(experiment, root, device=device, watch=watch)
        run(task, out, resume=resume, ranks=ranks, device=place, watch=watch, track=track)


def _show(config: Experiment | SpaceExperiment, out: Path, json: bool) -> None:
    from vlnscope.agents.learned.checkpoints import load_network

    file = out / "best.pt"
    best = load_network(file)
    update, validation = best.notes["update"], best.notes["validation"]
    if json:
        summary: dict[str, Any] = {"experiment": config.title, "out": str(out), "best": str(file)}
        summary |= {"weights": best.digest, "update": update, "validation": validation}
        output.print_json(summary)
        return
    numbers = ", ".join(f"{name} {value:.3f}" for name, value in validation.items())
    output.show(f"best after {update} updates: {numbers}", _use_of(config, file))


def _use_of(config: Experiment | SpaceExperiment, file: Path) -> str:
    """Say what to do with the best weights."""
    from vlnscope.training.space.experiment import SpaceExperiment

    if isinstance(config, SpaceExperiment):
        return f"run it: vlnscope run learned:file={file} --data houses-ce/val_unseen --out RUN"
    if config.speaks:
        return f"let it write: vlnscope speak {file} --data DATA --out EPISODES.json"
    options = f"file={file},features={config.data.features}"
    return f"run it: vlnscope run learned:{options} --data DATA --out RUN"


def _refuse_unused(network: str, options: dict[str, bool]) -> None:
    """Refuse what the trainings of networks that are no agents do not use."""
    if unused := [name for name, is_given in options.items() if is_given]:
        raise InputError(
            f"the {network.replace('-', ' ')} has no use for {', '.join(unused)}",
            expected="--out, --set and --json: it is made of generated houses, all at once, on the CPU",
            fix=f"leave {' and '.join(unused)} out",
        )


def _make_encoder(changes: list[str], out: Path, log: TrainingLog, json: bool) -> None:
    import msgspec

    from vlnscope.training.encoder.house_encoder import read_encoder_experiment
    from vlnscope.training.encoder.report import make_encoder

    with log:
        report = make_encoder(read_encoder_experiment(changes), out, log)
    if json:
        output.print_json(msgspec.to_builtins(report) | {"out": str(out)})
        return
    output.show(
        f"{out / 'encoder.npz'}: finds the description of a picture among {report.batch} in "
        f"{100 * report.retrieval:.1f} % of cases (by chance {100 * report.chance:.1f} %); "
        f"a linear probe names the room in {100 * report.room:.1f} % "
        f"(the most frequent room: {100 * report.room_by_frequency:.1f} %)"
    )


def _make_segmenter(changes: list[str], out: Path, log: TrainingLog, json: bool) -> None:
    import msgspec

    from vlnscope.training.segmenter.house_segmenter import read_segmenter_experiment
    from vlnscope.training.segmenter.report import make_segmenter

    with log:
        report = make_segmenter(read_segmenter_experiment(changes), out, log)
    if json:
        output.print_json(msgspec.to_builtins(report) | {"out": str(out)})
        return
    pixels, maps = report.pixels, report.maps
    output.show(
        f"{out / 'segmenter.npz'}: tells {100 * pixels.right:.1f} % of pixels right "
        f"(no class at all: {100 * pixels.other:.1f} %), mean IoU {100 * pixels.mean_iou:.1f} %; "
        f"of {maps.true:,} cells with a class on true maps, {maps.same:,} have the same on its maps"
    )


_NETWORKS = {"house-encoder": _make_encoder, "house-segmenter": _make_segmenter}
"""Experiments that make no agent, but a network for the pictures of houses."""


def need_torch() -> None:
    """Refuse to go on where torch is not installed."""
    try:
        import torch as torch
    except ImportError:
        raise MissingPackageError("torch", "learn", "training needs") from None
