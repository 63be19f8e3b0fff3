"""Writes a run as files that the tools of others read, whole or not at all."""

from __future__ import annotations

import os
import shutil
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path

from vlnscope.core import registry
from vlnscope.core.exceptions import InputError, UnknownNameError
from vlnscope.core.files import STDOUT, check_folder, print_whole, write_whole
from vlnscope.episodes.convert import ConversionReport, check_name, check_target_file
from vlnscope.episodes.format import Format, formats, get_format, optional_fields
from vlnscope.evaluate.exchange.finished_run import FinishedRun
from vlnscope.evaluate.exchange.run_format import (
    RunFiles,
    RunFormat,
    get_run_format,
    parse_layout,
    run_formats,
)
from vlnscope.evaluate.exchange.submission import submission
from vlnscope.types import Prediction


def export_run(
    run: str | Path,
    target: str | Path,
    to: str,
    *,
    drop: Sequence[str] = (),
    root: str | Path | None = None,
) -> ConversionReport:
    """Write a run as the tools of others read it.

    Args:
        run: its folder.
        target: the file to write, ``-`` for the standard output, or a new folder for layouts of several
            files; it appears whole or not at all.
        to: a layout of `vlnscope ls run-formats`, perhaps with options (``ivln-log:memory=reset``), or any
            format of predictions. What it has no place for is left out, and the report says so.
        drop: fields to give up besides.
        root: folder of the data, for layouts that need the scenes; ``$VLNSCOPE_DATA`` if not given.

    Raises:
        InputError: the run is not one that the layout holds, or the target cannot be written.
    """
    opened, target = FinishedRun.open(run, root), Path(target)
    name, options = parse_layout(to)
    if registry.has("run-format", name):
        layout = get_run_format(name)
        _check_benchmark(opened, layout)
        suffix = layout.suffix
        _check_place(target, name, suffix)
        made = layout.export(opened, options, drop)
    else:
        fmt = prediction_format(name, options)
        suffix = fmt.suffix
        _check_place(target, name, suffix)
        made = submission(opened, fmt, drop=drop)
    _write(made, target, folder=not suffix)
    return ConversionReport(
        source=str(run),
        target=target,
        source_format="run",
        target_format=to,
        records=sum(file.records for file in made.files if not file.annotates),
        dropped=dict(made.dropped),
        files=[file.name for file in made.files if file.name],
        notes=[*made.notes, *opened.notes()],
    )


def exports(to: str) -> bool:
    """Say whether `to` names a layout of runs, or a format of predictions that is not our own."""
    name, _ = parse_layout(to)
    if registry.has("run-format", name) or not registry.has("format", name):
        return True
    fmt = get_format(name)
    return fmt.holds == "predictions" and not fmt.carries >= set(optional_fields(Prediction))


def prediction_format(name: str, options: object = None) -> Format:
    """Return a format of predictions that can be written.

    Raises:
        UnknownNameError: there is none of that name, and no layout of runs.
    """
    writable = {key: fmt for key, fmt in formats("predictions").items() if fmt.write is not None}
    if name not in writable or options:
        raise UnknownNameError("run-format", name, sorted({*writable, *run_formats()}), listed=True)
    return writable[name]


def _check_benchmark(run: FinishedRun, layout: RunFormat) -> None:
    if not layout.holds(run.benchmark):
        whose = f"a run of {run.benchmark}" if run.benchmark else "a run of episodes as they are"
        fitting = [name for name, one in run_formats().items() if one.holds(run.benchmark)]
        raise InputError(
            f"{run.folder}: is {whose}, and {layout.name!r} holds runs of {layout.benchmark}",
            expected=f"a run of the cases of `vlnscope build {layout.benchmark}`",
            fix=f"write this one as one of {', '.join(fitting)} (--to)",
        )


def _check_place(target: Path, name: str, suffix: str) -> None:
    if suffix:
        if str(target) != STDOUT:
            check_target_file(target)
        check_name(target, name, suffix)
    elif str(target) == STDOUT or target.suffix in (".json", ".jsonl", ".gz") or target.is_file():
        raise InputError(
            f"{target}: {name!r} is a folder of several files",
            expected="the name of a new folder",
            fix=f"name a folder, such as {name}-files",
        )
    elif target.is_dir() and any(target.iterdir()):
        raise InputError(
            f"{target}: holds other things",
            expected="an empty or a new folder, which is written whole or not at all",
            fix="name another, or remove this one",
        )
    else:
        try:
            check_folder(target)
        except InputError as error:
            error.fix = "name another one"
            raise


def _write(made: RunFiles, target: Path, *, folder: bool) -> None:
    if not folder:
        with print_whole() if str(target) == STDOUT else write_whole(target) as stream:
            made.files[0].write(stream)
        return
    with whole_folder(target) as place:
        for file in made.files:
            with write_whole(place / file.name) as stream:
                file.write(stream)


@contextmanager
def whole_folder(target: Path) -> Iterator[Path]:
    """Fill a folder that appears complete or not at all; `target` is a new or an empty one."""
    try:
        target.parent.mkdir(parents=True, exist_ok=True)
        place = target.parent / f".{target.name[:200]}.{os.getpid()}.part"
        place.mkdir()
    except OSError as error:
        raise _unwritable(target, error) from None
    try:
        yield place
        place.replace(target)  # takes the place of an empty folder, and of no other
    except BaseException as error:
        shutil.rmtree(place, ignore_errors=True)
        if isinstance(error, OSError):
            raise _unwritable(target, error) from None
        raise


def _unwritable(target: Path, error: OSError) -> InputError:
    return InputError(
        f"{target}: cannot be written ({error.strerror or error})",
        expected="a new folder, in one that you may write to, with room on its disk",
        fix="name another place",
    )
