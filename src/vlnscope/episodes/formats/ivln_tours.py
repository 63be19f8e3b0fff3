"""IVLN tours: ``{split: {scene: [[episode id, …], …]}}``.

The discrete file (``tours_iVLN.json``) names episodes as R2R does, the one for continuous space
(``tours.json``) by VLN-CE's numbers. Files give tours no names; as in IVLN-CE, a tour is called by its
place among all tours of its split, counted from 0 over the scenes in the order of the file.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import IO, Any

import msgspec

from vlnscope.core.exceptions import InputError, LossyConversionError
from vlnscope.episodes.format import Format, Head, OnProblem, register_format
from vlnscope.episodes.json.stream import decode, member_keys, read_blocks
from vlnscope.episodes.records import RecordError, encoded, id_text, number_or_text
from vlnscope.types import Tour

_MEND = "download the file again"


class SplitTour(Tour, frozen=True, kw_only=True):
    """A tour that says of which split it is: tours of different splits have the same ids."""

    split: str


def read_split_tours(path: Path, on_problem: OnProblem) -> Iterator[SplitTour]:
    """Yield the tours of all splits of a file, in its order."""
    for split in member_keys(path):
        number = 0
        for block in read_blocks(path, member=split):
            if block.container != "object":
                raise InputError(
                    f"{path}: split {split!r} holds no scenes", expected="{scene: [[id, …], …]}", fix=_MEND
                )
            scenes = decode(block, path)
            if len(scenes) < block.count:
                raise InputError(
                    f"{path}: split {split!r} has a scene twice", expected="each scene once", fix=_MEND
                )
            for scan, tours in scenes.items():
                for ids in _tours(path, split, scan, tours, on_problem):
                    try:
                        yield SplitTour(tour_id=str(number), scan=scan, episode_ids=_ids(ids), split=split)
                    except RecordError as flaw:
                        on_problem(flaw.at(f"{path}: split {split}, scene {scan}, tour {number}", None))
                    number += 1


def write_split_tours(tours: Iterable[Tour], stream: IO[bytes]) -> None:
    """Write tours by split and scene; those that name no split stand under ``all``.

    Raises:
        LossyConversionError: a tour's id is not its place in the file, which is all that a file says.
    """
    content: dict[str, dict[str, list[list[int | str]]]] = {}
    order: dict[str, dict[str, list[str]]] = {}
    for tour in tours:
        split = getattr(tour, "split", "all")
        ids = [number_or_text(name) for name in tour.episode_ids]
        content.setdefault(split, {}).setdefault(tour.scan, []).append(ids)
        order.setdefault(split, {}).setdefault(tour.scan, []).append(tour.tour_id)
    for split, scenes in order.items():
        names = [name for scene in scenes.values() for name in scene]
        for index, name in enumerate(names):
            if name != str(index):
                raise LossyConversionError(
                    f"tour {name} of split {split} would be read back as tour {index}",
                    expected="tours numbered from 0 in each split, scene after scene",
                    fix="number them so; the file itself names no tour",
                )
    stream.write(encoded(content) + b"\n")


def _tours(path: Path, split: str, scan: str, tours: Any, on_problem: OnProblem) -> list[Any]:
    if isinstance(tours, list):
        return tours
    flaw = RecordError("wrong-type", "holds no list of tours", "a list of lists of episode ids")
    on_problem(flaw.at(f"{path}: split {split}, scene {scan}", None))
    return []


def _ids(ids: Any) -> tuple[str, ...]:
    try:
        names = msgspec.convert(ids, list[int | str])
    except msgspec.ValidationError as error:
        raise RecordError("bad-id", str(error), "a list of episode ids") from None
    if not names:
        raise RecordError("empty-tour", "has no episode", "at least one episode id")
    return tuple(id_text(name, "an episode id") for name in names)


def _sniff(head: Head) -> bool:
    if head.container != "object" or not isinstance(head.record, dict) or not head.record:
        return False
    return all(isinstance(tours, list) and all(map(_is_tour, tours)) for tours in head.record.values())


def _is_tour(ids: Any) -> bool:
    return isinstance(ids, list) and all(isinstance(name, int | str) for name in ids)


IVLN_TOURS = register_format(
    Format(
        name="ivln-tours",
        holds="tours",
        title="IVLN: episodes to walk one after the other, by split and scene",
        carries=frozenset({"scan", "episode_ids", "split"}),
        sniff=_sniff,
        read=read_split_tours,
        write=write_split_tours,
    )
)
