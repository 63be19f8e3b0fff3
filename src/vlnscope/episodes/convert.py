"""Converts files of episodes, predictions, tours and logs from one format to another, without loss."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import IO, Any

import msgspec

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
from vlnscope.episodes.reading import sniff
from vlnscope.exceptions import InputError
from vlnscope.files import write_whole
from vlnscope.types import Episode, Prediction, Tour, TourLog

_KINDS: dict[Holds, type[msgspec.Struct]] = {
    "episodes": Episode,
    "predictions": Prediction,
    "tours": Tour,
    "tour-logs": TourLog,
}


@dataclass(kw_only=True)
class ConversionReport:
    """What a conversion did.

    Attributes:
        source: the file that was read.
        target: the file that was written.
        source_format: name of the format that was read.
        target_format: name of the format that was written.
        records: how many records were written.
        dropped: fields that were given up, with the number of records that had used them.
    """

    source: Path
    target: Path
    source_format: str
    target_format: str
    records: int = 0
    dropped: dict[str, int] = field(default_factory=dict)


def convert(
    source: str | Path,
    target: str | Path,
    to: str | None = None,
    from_: str | None = None,
    drop: Sequence[str] = (),
) -> ConversionReport:
    """Write the records of a file in another format, record by record and without loss.

    Args:
        source: the file to read, gzip or not.
        target: the file to write, compressed if its name ends in ``.gz``; it appears whole or not at all.
        to: name of the format to write; that of the source if not given (to compress, or to drop fields).
        from_: name of the format to read; recognised if not given.
        drop: names of fields that may be given up, e.g. ``("headings", "elevations")``.

    Raises:
        LossyConversionError: a record uses a field that the target cannot carry; it is named, and nothing is
            written.
        InputError: the source is damaged, lacks what the target needs, or the formats hold different things.
    """
    reader = get_format(from_) if from_ else sniff(source)
    writer = get_format(to) if to else reader
    write = _writing(reader, writer, Path(target))
    _check_drop(reader.holds, drop)
    report = ConversionReport(
        source=Path(source), target=Path(target), source_format=reader.name, target_format=writer.name
    )
    with write_whole(target) as stream:
        write(_fitting(reader.read(Path(source), refuse), writer, drop, report), stream)
    return report


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


def _writing(reader: Format, writer: Format, target: Path) -> Callable[[Iterable[Any], IO[bytes]], None]:
    """Return how to write the target, or refuse formats or names that do not go together."""
    if reader.holds != writer.holds:
        raise InputError(
            f"{reader.name!r} files hold {reader.holds}, {writer.name!r} files hold {writer.holds}",
            expected=f"a target format of {reader.holds}: {', '.join(_writable(reader.holds))}",
            fix="name one of these as the format to write (--to)",
        )
    if writer.write is None:
        raise InputError(
            f"the format {writer.name!r} can only be read",
            expected=f"a format that can be written: {', '.join(_writable(reader.holds))}",
            fix="name one of these as the format to write (--to)",
        )
    is_lines = target.name.removesuffix(".gz").endswith(".jsonl")
    if is_lines != (writer.suffix == ".jsonl"):
        stem = target.name.removesuffix(".gz").removesuffix(".jsonl").removesuffix(".json")
        raise InputError(
            f"{target}: the name does not suit the format {writer.name!r}",
            expected=f"a name that ends in {writer.suffix} or {writer.suffix}.gz",
            fix=f"call it {stem}{writer.suffix}",
        )
    return writer.write


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
