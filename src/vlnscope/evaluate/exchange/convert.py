"""Converts files, exports runs, and makes runs of files: whatever `vlnscope convert` is given."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from vlnscope.core.exceptions import InputError
from vlnscope.episodes.convert import ConversionReport
from vlnscope.episodes.convert import convert as convert_records
from vlnscope.episodes.datasets.dataset import Dataset
from vlnscope.evaluate.exchange.export import export_run, exports
from vlnscope.evaluate.exchange.take import RUN, take_run
from vlnscope.evaluate.run_data import run_folder


def convert(
    source: str | Path | Dataset,
    target: str | Path,
    to: str | None = None,
    from_: str | None = None,
    drop: Sequence[str] = (),
    root: str | Path | None = None,
    in_place: bool = False,
    *,
    cases: str | Path | None = None,
    data: str | Path | Dataset | None = None,
    agent: str | None = None,
    partial: bool = False,
) -> ConversionReport:
    """Write records in another format without loss, a run as others read it, or official files as a run.

    Args:
        source: a file of predictions, episodes, tours or logs; a data set, by name or opened; the folder of a
            run; or official files, for `to` = ``run``.
        target: the file or folder to write; it appears whole or not at all. ``-`` stands for the standard
            output.
        to: a format (`vlnscope ls formats`), a layout of runs (`vlnscope ls run-formats`, with options as
            in ``ivln-log:memory=reset``), or ``run``; the format of the source if not given.
        from_: name of the format or layout to read; recognised if not given.
        drop: names of fields that may be given up. From a run, what only our own files hold is left out
            of files for others without being asked, and the report says so.
        root: folder of the data; ``$VLNSCOPE_DATA`` if not given.
        in_place: let the target be the source, which it replaces.
        cases: for ``run``: the folder of the cases that the files answer.
        data: for ``run``: the data set that the files were made on.
        agent: for ``run``: what to call who made the files.
        partial: for ``run``: take what there is, though cases are missing.

    Raises:
        LossyConversionError: a record of a file uses a field that the target cannot carry.
        InputError: the source is damaged or lacks what the target needs, or something does not go together.
    """
    folder = run_folder(source)
    if to == RUN:
        if isinstance(source, Dataset) or folder is not None:
            what = f"{folder}: is a run already" if folder else "a data set does not say what an agent did"
            raise InputError(
                what,
                expected="files of an agent",
                fix="name what the agent wrote",
            )
        return take_run(
            source, target, cases=cases, data=data, from_=from_, agent=agent, root=root, partial=partial
        )
    given = {"cases": cases, "data": data, "agent": agent, "partial": partial or None}
    if unused := [name for name, value in given.items() if value is not None]:
        raise InputError(
            f"{unused[0]} is for making a run of files",
            expected=f"`--to {RUN}`",
            fix=f"leave --{unused[0]} out, or add --to {RUN}",
        )
    if folder is not None and to is not None and from_ is None and exports(to):
        return export_run(folder, target, to, drop=drop, root=root)
    return convert_records(source, target, to=to, from_=from_, drop=drop, root=root, in_place=in_place)
