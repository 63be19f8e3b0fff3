"""Converts files of episodes, predictions, tours and logs from one format to another, without loss.

Data sets are written as files in the same way.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import IO, Any, NamedTuple

import msgspec

from vlnscope.core.exceptions import InputError
from vlnscope.core.files import STDOUT, check_not_source, check_output, print_whole, write_whole
from vlnscope.episodes.datasets.dataset import Dataset, names_dataset, open_dataset
from vlnscope.episodes.datasets.ground_truth import write_ground_truth
from vlnscope.episodes.format import (
    Format,
    Holds,
    check_fit,
    formats,
    get_format,
    optional_fields,
    refuse,
    used_fields,
)
from vlnscope.episodes.measured import MeasuredEpisode
from vlnscope.episodes.reading import evidence_in, sniff
from vlnscope.types import Episode, Prediction, Tour, TourLog

_KINDS: dict[Holds, type[msgspec.Struct]] = {
    "episodes": Episode,
    "predictions": Prediction,
    "tours": Tour,
    "tour-logs": TourLog,
    "episode-metrics": MeasuredEpisode,
}


@dataclass(kw_only=True)
class ConversionReport:
    """What a conversion did.

    Attributes:
        source: the file that was read, or the name of the data set.
        target: the file that was written; ``-`` for the standard output.
        source_format: name of the format that was read; empty if the episodes were made and not read.
        target_format: name of the format that was written.
        records: how many records were written.
        dropped: fields that were given up, with the number of records that had used them.
        files: what was written, where that is a folder of files.
        notes: what a user of the result must know.
    """

    source: str
    target: Path
    source_format: str
    target_format: str
    records: int = 0
    dropped: dict[str, int] = field(default_factory=dict)
    files: list[str] = field(default_factory=list)
    notes: list[str] = field(default_factory=list)


def convert(
    source: str | Path | Dataset,
    target: str | Path,
    to: str | None = None,
    from_: str | None = None,
    drop: Sequence[str] = (),
    root: str | Path | None = None,
    in_place: bool = False,
) -> ConversionReport:
    """Write the records of a file or a data set in another format, record by record and without loss.

    Args:
        source: the file to read, gzip or not; the folder of a run, for its evidence; or a data set such as
            ``houses/val_unseen``, by name or opened.
        target: the file to write, compressed if its name ends in ``.gz``; it appears whole or not at all.
            ``-`` stands for the standard output. Beside the episodes of a data set in continuous space, the
            walks of its expert are written as ``TARGET_gt``.
        to: name of the format to write; that of the source if not given (to compress, or to drop fields).
        from_: name of the format to read; recognised if not given.
        drop: names of fields that may be given up, e.g. ``("headings", "elevations")``.
        root: folder of the data, for data sets named as source; ``$VLNSCOPE_DATA`` if not given.
        in_place: let the target be the source, which it replaces.

    Raises:
        LossyConversionError: a record uses a field that the target cannot carry; it is named, and nothing is
            written.
        InputError: the source is damaged, lacks what the target needs, or the formats hold different things;
            or the target is the source, or no regular file.
    """
    if isinstance(source, str) and from_ is None and names_dataset(source):
        source = open_dataset(source, root)
    target = Path(target)
    if not isinstance(source, Dataset):
        source = evidence_in(source)
    if str(target) != STDOUT:
        check_target_file(target)
        if not in_place:
            _check_other(target, source.files if isinstance(source, Dataset) else (source,))
    read = _dataset_source(source) if isinstance(source, Dataset) else _file_source(source, from_)
    if not to and not read.format:
        raise InputError(
            f"{read.name}: is made and has no format of its own",
            expected=f"the format to write: {', '.join(_writable(read.holds))}",
            fix="name one of these (--to)",
        )
    writer = get_format(to or read.format)
    write = _writing(read, writer, target)
    _check_drop(read.holds, drop)
    report = ConversionReport(
        source=read.name, target=target, source_format=read.format, target_format=writer.name
    )
    with print_whole() if str(target) == STDOUT else write_whole(target) as stream:
        write(_fitting(read.records(), writer, drop, report), stream)
    if isinstance(source, Dataset) and "continuous" in writer.carries and str(target) != STDOUT:
        _write_truth(source, target)
    return report


def _write_truth(source: Dataset, target: Path) -> None:
    """Write the expert's walks beside episodes in continuous space, as VLN-CE does."""
    walked = [e for e in source.episodes() if e.continuous is not None and e.continuous.locations]
    if walked:
        stem, dot, ending = target.name.partition(".")
        with write_whole(target.with_name(f"{stem}_gt{dot}{ending}")) as stream:
            write_ground_truth(walked, stream)


def check_target_file(target: Path) -> None:
    """Refuse what no file can be written to, and say that one can print instead."""
    try:
        check_output(target)
    except InputError as error:
        error.fix += f", or {STDOUT} to print"
        raise


def _check_other(target: Path, sources: Sequence[Path]) -> None:
    try:
        check_not_source(target, *sources)
    except InputError as error:
        error.fix = "name another file, or add --in-place (in Python: in_place=True) to replace it"
        raise


class _Source(NamedTuple):
    name: str
    format: str
    holds: Holds
    records: Callable[[], Iterator[msgspec.Struct]]


def _file_source(path: Path, named: str | None) -> _Source:
    reader = get_format(named) if named else sniff(path)
    return _Source(str(path), reader.name, reader.holds, lambda: reader.read(path, refuse))


def _dataset_source(dataset: Dataset) -> _Source:
    return _Source(dataset.name, dataset.format, "episodes", dataset.episodes)


def _fitting(
    records: Iterator[msgspec.Struct], writer: Format, drop: Sequence[str], report: ConversionReport
) -> Iterator[msgspec.Struct]:
    for record in records:
        given_up = used_fields(record) & set(drop)
        if given_up:
            absent = optional_fields(type(record))
            record = msgspec.structs.replace(record, **{name: absent[name] for name in given_up})
        check_fit(record, writer.name, writer.carries, writer.needs)
        for name in sorted(given_up):
            report.dropped[name] = report.dropped.get(name, 0) + 1
        report.records += 1
        yield record


def _writing(read: _Source, writer: Format, target: Path) -> Callable[[Iterable[Any], IO[bytes]], None]:
    """Return how to write the target, or refuse formats or names that do not go together."""
    if read.holds != writer.holds:
        raise InputError(
            f"{read.format or read.name!r} files hold {read.holds}, "
            f"{writer.name!r} files hold {writer.holds}",
            expected=f"a target format of {read.holds}: {', '.join(_writable(read.holds))}",
            fix="name one of these as the format to write (--to)",
        )
    if writer.write is None:
        raise InputError(
            f"the format {writer.name!r} can only be read",
            expected=f"a format that can be written: {', '.join(_writable(read.holds))}",
            fix="name one of these as the format to write (--to)",
        )
    check_name(target, writer.name, writer.suffix)
    return writer.write


def check_name(target: Path, name: str, suffix: str) -> None:
    """Refuse a file whose ending says lines where a format is none, or the other way round."""
    is_lines = target.name.removesuffix(".gz").endswith(".jsonl")
    if str(target) != STDOUT and is_lines != (suffix == ".jsonl"):
        stem = target.name.removesuffix(".gz").removesuffix(".jsonl").removesuffix(".json")
        raise InputError(
            f"{target}: the name does not suit the format {name!r}",
            expected=f"a name that ends in {suffix} or {suffix}.gz",
            fix=f"call it {stem}{suffix}",
        )


def _check_drop(holds: Holds, drop: Sequence[str]) -> None:
    known = optional_fields(_KINDS[holds])
    for name in drop:
        if name not in known:
            raise InputError(
                f"there is no field {name!r} to drop in {holds}",
                expected=f"any of {', '.join(known)}" if known else "nothing: all fields are needed",
                fix=f"leave {name!r} out of what may be dropped",
            )


def _writable(holds: Holds) -> list[str]:
    return [name for name, fmt in formats(holds).items() if fmt.write is not None]
