"""What all readers and writers of episode files share.

A format says two things in an `EpisodeCodec`: how one record of a file becomes episodes (`parse`) and how
those episodes become a record again (`build`). Everything else is here. What a record holds beyond the fields
of `Episode` is found by building it again and keeping what differs in `Episode.extra`; what is written
is parsed again before it leaves. So neither direction can lose anything without saying so.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import IO, Literal

import msgspec

from vlnscope.core.exceptions import LossyConversionError
from vlnscope.episodes.format import Format, Head, OnProblem, register_format
from vlnscope.episodes.records import (
    Record,
    RecordError,
    encoded,
    leftover,
    merged,
    numbered_records,
    record_id,
)
from vlnscope.types import Episode


@dataclass(frozen=True, kw_only=True)
class EpisodeCodec:
    """Turns records into episodes and back, without loss.

    Attributes:
        name: see `Format`, as for `title`, `carries`, `needs` and `sniff`.
        parse: the episodes of a record, `extra` left empty; raises `RecordError`.
        build: the record of some episodes that belong together, `extra` left out.
        several: whether a record holds all instructions of a path, numbered by `instruction_index`.
        container: how a file holds its records.
        lenient: whether ``NaN`` is read as null instead of being refused.
        identity: what must not occur twice in a file.
        own_success: see `Format`.
    """

    name: str
    title: str
    carries: frozenset[str]
    needs: frozenset[str] = frozenset({"path"})
    sniff: Callable[[Head], bool]
    parse: Callable[[Record], list[Episode]]
    build: Callable[[Sequence[Episode]], Record]
    several: bool = False
    container: Literal["array", "lines"] = "array"
    lenient: bool = False
    identity: Callable[[Episode], str] = lambda episode: episode.episode_id
    own_success: str = ""

    def register(self) -> Format:
        """Make the format known under its name."""
        return register_format(
            Format(
                name=self.name,
                holds="episodes",
                title=self.title,
                carries=self.carries,
                needs=self.needs,
                sniff=self.sniff,
                read=self.read,
                write=self.write,
                suffix=".jsonl" if self.container == "lines" else ".json",
                own_success=self.own_success,
            )
        )

    def decode(self, record: Record) -> list[Episode]:
        """Return the episodes of one record, with what no field holds in `extra`."""
        episodes = self.parse(record)
        extra = leftover(record, self.build(episodes))
        if extra:
            return [msgspec.structs.replace(episode, extra=extra) for episode in episodes]
        return episodes

    def encode(self, episodes: Sequence[Episode]) -> Record:
        """Return the record that reads as these episodes, or refuse if there is none.

        Source forms in `extra` (say, a number written as a string) are used as long as they still mean
        what the episode says; after an edit the plain form is written.
        """
        base = self.build(episodes)
        extra = episodes[0].extra
        differing: list[str] = []
        for record in (merged(base, extra), merged(extra, base)):
            try:
                differing = _differences(self.decode(record), episodes)
            except RecordError as flaw:
                differing = [flaw.what]
            if not differing:
                return record
        raise LossyConversionError(
            f"episode {episodes[0].episode_id} cannot be written in this format: "
            f"it would change or lose {', '.join(differing)}",
            expected="episodes as the format numbers them, all instructions of a path one after the other"
            if self.several
            else "episodes that have what the format stores",
            fix="choose a format that can carry them (`vlnscope ls formats`)",
        )

    def read(self, path: Path, on_problem: OnProblem) -> Iterator[Episode]:
        """Yield the episodes of a file; records that are wrong go to `on_problem`."""
        source = numbered_records(path, on_problem, lenient=self.lenient)
        return self.read_records(source, on_problem)

    def read_records(self, source: Iterable[tuple[str, Record]], on_problem: OnProblem) -> Iterator[Episode]:
        """Yield the episodes of records that come with the place where each was found."""
        seen: set[str] = set()
        for where, record in source:
            try:
                episodes = self.decode(record)
            except RecordError as flaw:
                on_problem(flaw.at(where, record_id(record)))
                continue
            for episode in episodes:
                identity = self.identity(episode)
                if identity in seen:
                    again = RecordError("duplicate-id", f"the id {identity!r} is used twice", "ids used once")
                    on_problem(again.at(where, episode.episode_id))
                    continue
                seen.add(identity)
                yield episode

    def write(self, episodes: Iterable[Episode], stream: IO[bytes]) -> None:
        """Write episodes as a file of records."""
        array = self.container == "array"
        first = True
        stream.write(b"[" if array else b"")
        for group in self.groups(episodes):
            separator = (b"\n" if first else b",\n") if array else b""
            stream.write(separator + encoded(self.encode(group)) + (b"" if array else b"\n"))
            first = False
        stream.write(b"\n]\n" if array else b"")

    def groups(self, episodes: Iterable[Episode]) -> Iterator[list[Episode]]:
        """Cut a sequence of episodes into the records that hold them."""
        group: list[Episode] = []
        for episode in episodes:
            if group and not (self.several and _continues(group[-1], episode)):
                yield group
                group = []
            group.append(episode)
        if group:
            yield group


def _continues(last: Episode, episode: Episode) -> bool:
    return (
        episode.instruction_index == last.instruction_index + 1
        and episode.path_id == last.path_id
        and episode.scan == last.scan
        and episode.path == last.path
        and episode.object_id == last.object_id
        and episode.heading == last.heading
        and episode.distance == last.distance
        and episode.extra == last.extra
    )


def _differences(got: Sequence[Episode], wanted: Sequence[Episode]) -> list[str]:
    if len(got) != len(wanted):
        return ["instruction"]
    fields = [field for field in Episode.__struct_fields__ if field != "extra"]
    return [
        f for f in fields if any(getattr(a, f) != getattr(b, f) for a, b in zip(got, wanted, strict=True))
    ]
