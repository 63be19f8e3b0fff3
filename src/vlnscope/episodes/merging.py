"""Writes several files of predictions, or of metrics of episodes, as one."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import chain
from pathlib import Path
from typing import Any, NamedTuple

from vlnscope.core.exceptions import InputError
from vlnscope.core.files import check_output, write_whole
from vlnscope.episodes.format import Format, get_format, refuse
from vlnscope.episodes.joined import JoinedFiles, refuse_second
from vlnscope.episodes.reading import sniff

_ARRAY = "r2r"
"""What single records are written as."""


class MergedFile(NamedTuple):
    """What was written: the file, its format, how many records, and what a reader must know."""

    path: Path
    format: str
    records: int
    notes: tuple[str, ...]


def merge_files(paths: Sequence[str | Path], out: str | Path) -> MergedFile:
    """Write several files that share no episode as one, in the format that they have.

    Files with a record each become an R2R submission. Where ids are those of paths, and the name of each
    file says which instruction it holds (``…_inst_0.json``), ids become those of instructions. Summaries
    among the records are left out.

    Args:
        paths: the files.
        out: the file to write, compressed if its name ends in ``.gz``; whole or not at all.

    Raises:
        InputError: the files are not of one format that can be written, or share an episode.
    """
    files = [Path(path) for path in paths]
    writer = _writer(files)
    target = check_output(out, *files)
    is_lines = target.name.removesuffix(".gz").endswith(".jsonl")
    if is_lines != (writer.suffix == ".jsonl"):
        raise InputError(
            f"{out}: the name does not suit the format {writer.name!r}",
            expected=f"a name that ends in {writer.suffix} or {writer.suffix}.gz",
            fix="rename the file to write",
        )
    joined, count = JoinedFiles(files), 0

    def counted() -> Iterator[Any]:
        nonlocal count
        records = joined.resolve(joined.read(), None) if writer.holds == "predictions" else _rows(files)
        for record in records:
            count += 1
            yield record

    assert writer.write is not None
    with write_whole(target) as stream:
        writer.write(counted(), stream)
    return MergedFile(Path(out), writer.name, count, tuple(joined.notes()))


def _rows(files: Sequence[Path]) -> Iterator[Any]:
    seen: dict[str, Path] = {}
    every = chain.from_iterable(((path, one) for one in sniff(path).read(path, refuse)) for path in files)
    for path, episode in every:
        refuse_second(seen, episode.episode_id, path)
        yield episode


def _writer(files: Sequence[Path]) -> Format:
    found = {path: sniff(path) for path in files}
    first = next(iter(found.values()))
    for path, fmt in found.items():
        if fmt.holds not in ("predictions", "episode-metrics") or fmt is not first:
            raise InputError(
                f"{path}: is of the format {fmt.name!r}, {files[0]} of {first.name!r}",
                expected="files of predictions, or of metrics of episodes, all of one format",
                fix="bring them into one format with `vlnscope convert` first",
            )
    return first if first.write is not None else get_format(_ARRAY)
