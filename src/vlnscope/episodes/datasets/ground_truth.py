"""The dense paths of VLN-CE (``{split}_gt.json``): what an oracle did that follows the reference path.

A file is one JSON object, ``{episode_id: {"locations": […], "actions": […], "forward_steps": n}}``, in any
order. RxR-CE has one for the guides and one for the followers; their ids do not overlap, so several files
are read as one.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import IO

import msgspec

from vlnscope.core.exceptions import InputError
from vlnscope.core.files import find_file
from vlnscope.episodes.format import OnProblem, get_format, refuse
from vlnscope.episodes.json.stream import BrokenRecordError, decode_record, read_blocks, try_decode
from vlnscope.episodes.records import RecordError, encoded, shaped
from vlnscope.types import Episode, Points


class GroundTruth(msgspec.Struct, frozen=True):
    """The oracle's way through one episode.

    Attributes:
        locations: positions in Habitat's frame; turning on the spot adds none.
        actions: 0 stop, 1 forward, 2 left, 3 right (RxR-CE: 4 look up, 5 look down).
        forward_steps: how many of the actions move forward.
    """

    locations: Points
    actions: tuple[int, ...] = ()
    forward_steps: int | None = None


_DECODER = msgspec.json.Decoder(dict[str, GroundTruth])


def read_ground_truth(path: str | Path, on_problem: OnProblem = refuse) -> Iterator[tuple[str, GroundTruth]]:
    """Yield the id and the oracle's way of each episode of a ``_gt`` file, without holding all of them.

    Raises:
        InputError: the file is not such a file; with the default `on_problem` also for a wrong record.
    """
    path = Path(path)
    seen: set[str] = set()
    for block in read_blocks(path):
        if block.container != "object":
            raise InputError(
                f"{path}: is not a ground truth file",
                expected="{episode_id: {locations, …}}",
                fix="give the _gt file that belongs to the split, or none",
            )
        whole = try_decode(block, _DECODER)
        if whole is not None and len(whole) == block.count and seen.isdisjoint(whole):
            seen.update(whole)
            yield from whole.items()
            continue
        for number, raw in enumerate(block.records(), block.first + 1):
            try:
                name, truth = _decode_one(raw, seen)
            except RecordError as flaw:
                on_problem(flaw.at(f"{path}: record {number}", None))
            else:
                yield name, truth


def attach_ground_truth(episodes: Iterable[Episode], truths: Mapping[str, GroundTruth]) -> Iterator[Episode]:
    """Yield the episodes with the oracle's way in `Episode.continuous`, where there is one."""
    for episode in episodes:
        truth = truths.get(episode.episode_id)
        if truth is None or episode.continuous is None:
            yield episode
        else:
            space = msgspec.structs.replace(episode.continuous, **msgspec.structs.asdict(truth))
            yield msgspec.structs.replace(episode, continuous=space)


def read_with_ground_truth(
    name: str, path: Path, truths: Sequence[Path], on_problem: OnProblem = refuse
) -> Iterator[Episode]:
    """Yield the episodes of a file with the oracle's way from ``_gt`` files, of which there may be none.

    Args:
        name: the file's format.
        path: the file with the episodes.
        truths: ``_gt`` files, read as one.
        on_problem: gets what is wrong in any of them.
    """
    episodes = get_format(name).read(path, on_problem)
    if not truths:
        return episodes
    ways = {name: way for file in truths for name, way in read_ground_truth(file, on_problem)}
    return attach_ground_truth(episodes, ways)


def ground_truth_beside(path: Path) -> tuple[Path, ...]:
    """Return the ``_gt`` file that lies beside a file of episodes, if there is one."""
    stem = path.name.partition(".json")[0].removesuffix("_bertidx")
    truth = find_file(path.with_name(f"{stem}_gt.json"))
    return () if truth is None else (truth,)


def write_ground_truth(episodes: Iterable[Episode], stream: IO[bytes]) -> None:
    """Write the ``_gt`` file of those episodes that have a dense path."""
    separator = b"{\n"
    for episode in episodes:
        space = episode.continuous
        if space is None or not space.locations:
            continue
        truth = {"locations": space.locations, "actions": space.actions, "forward_steps": space.forward_steps}
        stream.write(separator + encoded(episode.episode_id) + b": " + encoded(truth))
        separator = b",\n"
    stream.write(b"\n}\n" if separator == b",\n" else b"{}\n")


def _decode_one(raw: bytes, seen: set[str]) -> tuple[str, GroundTruth]:
    try:
        name, value = decode_record("object", raw)
    except BrokenRecordError as damage:
        raise RecordError(damage.code, damage.what, damage.expected) from None
    if name is None or name in seen:
        raise RecordError("duplicate-key", f"episode {name} stands twice in the file", "each episode once")
    seen.add(name)
    return name, shaped(value, GroundTruth)
