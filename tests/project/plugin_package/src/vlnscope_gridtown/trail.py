"""Trails: predictions as JSON lines ``{"episode": "1_0", "trail": "a b c"}``."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import IO, Any

import msgspec

from vlnscope.episodes.format import Format, Head, OnProblem, Problem
from vlnscope.episodes.json.stream import decode, read_blocks
from vlnscope.types import Prediction


def _sniff(head: Head) -> bool:
    return isinstance(head.record, dict) and {"episode", "trail"} <= head.record.keys()


def _problem(record: Any) -> str:
    if not isinstance(record, dict) or not {"episode", "trail"} <= record.keys():
        return "is no trail"
    return "" if str(record["trail"]).split() else "the trail is empty"


def _read(path: Path, on_problem: OnProblem) -> Iterator[Prediction]:
    for block in read_blocks(path):
        for number, record in enumerate(decode(block, path), block.first + 1):
            if what := _problem(record):
                on_problem(Problem("bad-trail", None, f"{path}: record {number}", what, "viewpoints"))
            else:
                yield Prediction(episode_id=str(record["episode"]), path=tuple(record["trail"].split()))


def _write(predictions: Iterable[Prediction], stream: IO[bytes]) -> None:
    for prediction in predictions:
        record = {"episode": prediction.episode_id, "trail": " ".join(prediction.path)}
        stream.write(msgspec.json.encode(record) + b"\n")


TRAIL = Format(
    name="trail",
    holds="predictions",
    title="trails: an example of a plug-in",
    carries=frozenset({"path"}),
    needs=frozenset({"path"}),
    sniff=_sniff,
    read=_read,
    write=_write,
    suffix=".jsonl",
)
