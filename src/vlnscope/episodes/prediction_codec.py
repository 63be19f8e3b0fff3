"""What all readers and writers of prediction files share.

Reading first tries to decode a whole block of records with a typed decoder (a `RecordLayout`). Only a block
that no layout fits is looked at record by record, to accept rarer encodings and to find what is wrong
and where. Writing refuses a record that the format cannot hold exactly.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from operator import attrgetter
from pathlib import Path
from typing import IO, Any, Generic, NamedTuple, TypeVar

import msgspec

from vlnscope.core.exceptions import InputError, LossyConversionError
from vlnscope.episodes.format import (
    Format,
    Head,
    OnProblem,
    Problem,
    check_fit,
    if_lost,
    register_format,
    who,
)
from vlnscope.episodes.json.record import BrokenRecordError, Container, count_members, decode_record
from vlnscope.episodes.json.stream import RecordBlock, read_blocks, try_decode
from vlnscope.episodes.prediction_checks import check_sound
from vlnscope.episodes.records import Record, RecordError, encoded, summary_problem
from vlnscope.episodes.stated import is_summary
from vlnscope.types import Prediction

T = TypeVar("T")


class RecordLayout(NamedTuple):
    """A shape that all records of a block usually have.

    Attributes:
        decoder: decodes a whole block: a list of records, or a dict of them by key.
        make: turns one decoded record, or one pair of key and record, into what the reader yields, or
            raises `RecordError`.
        keys: the keys of a record; text in which one occurs more often is looked at closely.
    """

    decoder: msgspec.json.Decoder[Any]
    make: Callable[[Any], Any]
    keys: tuple[str, ...] = ()


@dataclass(frozen=True, kw_only=True)
class RecordReader(Generic[T]):
    """Reads the records of a file, typed where possible and one by one where not.

    Attributes:
        parse: turns the key (None unless the file is one object) and the value of any record into what
            is yielded, or raises `RecordError`.
        layouts: shapes to try first.
        container: how a file holds its records; arrays are read from lines too, and lines from an array.
        id_key: the member of a record that names it, for messages.
        identity: what must not occur twice in a file.
        fix: what to do about a record that is wrong; ``{path}`` stands for the file.
    """

    parse: Callable[[str | None, Any], T]
    layouts: tuple[RecordLayout, ...] = ()
    container: Container = "array"
    id_key: str = ""
    identity: Callable[[T], str]
    fix: str = "mend that record; `vlnscope check {path} --data DATA` lists all such records"

    def read(self, path: Path, on_problem: OnProblem, member: str | None = None) -> Iterator[T]:
        """Yield the records of a file, or of one member of a file; problems go to `on_problem`."""
        fix = self.fix.replace("{path}", str(path))

        def advise(problem: Problem) -> None:
            on_problem(problem._replace(fix=fix))

        seen: set[str] = set()
        for block in read_blocks(path, member=member):
            if (block.container == "object") != (self.container == "object"):
                raise _other_container(path, block.container, self.container)
            for number, item in self._items(path, block, advise):
                name = self.identity(item)
                if name in seen:
                    flaw = RecordError("duplicate-id", f"an earlier record has the id {name!r}", "unique ids")
                    advise(flaw.at(f"{path}: record {number}", name))
                else:
                    seen.add(name)
                    yield item

    def _items(self, path: Path, block: RecordBlock, on_problem: OnProblem) -> Iterator[tuple[int, T]]:
        for layout in self.layouts:
            decoded = try_decode(block, layout.decoder)
            if decoded is None or len(decoded) != block.count:
                continue
            if all(block.data.count(f'"{key}"'.encode()) == block.count for key in layout.keys):
                records = decoded.items() if self.container == "object" else decoded
                yield from self._typed(path, block, records, layout, on_problem)
                return
        yield from self._one_by_one(path, block, on_problem)

    def _typed(
        self,
        path: Path,
        block: RecordBlock,
        records: Iterable[Any],
        layout: RecordLayout,
        on_problem: OnProblem,
    ) -> Iterator[tuple[int, T]]:
        for number, record in enumerate(records, block.first + 1):
            try:
                yield number, layout.make(record)
            except RecordError as flaw:
                name = record[0] if self.container == "object" else getattr(record, self.id_key, None)
                on_problem(flaw.at(f"{path}: record {number}", name))

    def _one_by_one(self, path: Path, block: RecordBlock, on_problem: OnProblem) -> Iterator[tuple[int, T]]:
        for number, raw in enumerate(block.records(), block.first + 1):
            where = f"{path}: record {number}"
            try:
                key, value = decode_record(block.container, raw)
            except BrokenRecordError as damage:
                code = damage.code if block.terminated else "cut-off"
                name = self._name_of_broken(block.container, raw)
                on_problem(Problem(code, name, where, damage.what, damage.expected))
                continue
            if key is None and is_summary(value):
                on_problem(summary_problem(where, value))
                continue
            try:
                if key is None and isinstance(value, dict) and count_members(raw) != len(value):
                    raise RecordError("duplicate-key", "has the same key twice", "keys used once")
                item = self.parse(key, value)
            except RecordError as flaw:
                on_problem(flaw.at(where, self._name(key, value)))
            else:
                yield number, item

    def _name(self, key: str | None, value: Any) -> str | None:
        if key is not None:
            return key
        name = value.get(self.id_key) if isinstance(value, dict) else None
        return str(name) if isinstance(name, str | int) else None

    def _name_of_broken(self, container: Container, raw: bytes) -> str | None:
        try:
            name = self._name(*decode_record(container, raw, lenient=True))
        except BrokenRecordError:
            return None
        return name and name.encode(errors="backslashreplace").decode()


@dataclass(frozen=True, kw_only=True)
class PredictionCodec(RecordReader[Prediction]):
    """Reads predictions, and writes them, refusing what the format cannot hold exactly.

    Attributes:
        name: see `Format`, as for `title`, `carries`, `needs`, `sniff` and `own_success`.
        build: the record of a prediction (of an object: the value under the prediction's id); raises
            `RecordError` or `LossyConversionError` for what it cannot express.
    """

    name: str
    title: str
    carries: frozenset[str]
    needs: frozenset[str] = frozenset()
    sniff: Callable[[Head], bool]
    build: Callable[[Prediction], Any]
    identity: Callable[[Prediction], str] = attrgetter("episode_id")
    own_success: str = ""

    def register(self) -> Format:
        """Make the format known under its name."""
        return register_format(
            Format(
                name=self.name,
                holds="predictions",
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

    def write(self, predictions: Iterable[Prediction], stream: IO[bytes]) -> None:
        """Write a whole file."""
        seen: set[str] = set()
        opening, between, end = {
            "array": (b"[\n", b",\n", b"\n]\n"),
            "object": (b"{\n", b",\n", b"\n}\n"),
            "lines": (b"", b"\n", b"\n"),
        }[self.container]
        for prediction in predictions:
            text = self._text(prediction)
            name = self.identity(prediction)
            if name in seen:
                raise InputError(
                    f"two predictions have the id {name!r}", expected="one per file", fix="keep one of them"
                )
            stream.write((between if seen else opening) + text)
            seen.add(name)
        if seen:
            stream.write(end)
        elif self.container != "lines":
            stream.write(opening + end.lstrip())

    def _text(self, prediction: Prediction) -> bytes:
        check_fit(prediction, self.name, self.carries, self.needs)
        try:
            check_sound(prediction)
            text = encoded(self.build(prediction))
        except RecordError as flaw:
            raise InputError(
                f"{who(prediction)}: {flaw.what}",
                expected=flaw.expected,
                fix="give it what is expected, or choose another format (`vlnscope ls formats`)",
            ) from None
        except RecursionError:
            raise InputError(
                f"{who(prediction)}: extra is nested too deeply",
                expected="a few levels of nesting",
                fix=if_lost("extra"),
            ) from None
        return encoded(prediction.episode_id) + b": " + text if self.container == "object" else text


def without(record: Record, *keys: str) -> Record:
    """Return the members of a record that have no field of their own."""
    return {key: value for key, value in record.items() if key not in keys}


def with_extra(prediction: Prediction, name: str, record: Record, extra: Record) -> Record:
    """Return `record` with `extra` beside its members, unless both have the same key."""
    if taken := sorted(record.keys() & extra.keys()):
        raise LossyConversionError(
            f"{who(prediction)}: the format {name!r} uses the key {taken[0]!r} for something else",
            expected="other keys in extra",
            fix=if_lost("extra"),
        )
    return record | extra


def _other_container(path: Path, container: Container, expected: Container) -> InputError:
    kinds = {"array": "a JSON array", "object": "one JSON object", "lines": "JSON lines"}
    return InputError(
        f"{path}: the file is {kinds[container]}",
        expected="one JSON object"
        if expected == "object"
        else "a JSON array, or JSON lines in a file named .jsonl",
        fix="name the format that the file has; `vlnscope ls formats` lists all",
    )
