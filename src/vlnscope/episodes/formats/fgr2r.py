"""Fine-grained R2R episodes: R2R records whose instructions are cut into chunks.

``new_instructions`` is a string that holds a Python list (instruction → chunk → words), ``chunk_view`` the
first and last path step of each chunk, counted from 1. Of a path with four instructions only the first
three are cut; the fourth then has no chunks.
"""

from __future__ import annotations

import ast
import warnings
from collections.abc import Sequence
from typing import Any

import msgspec

from vlnscope.episodes.episode_codec import EpisodeCodec
from vlnscope.episodes.formats.r2r import CARRIES, path_episodes, path_record, relative
from vlnscope.episodes.records import Record, RecordError, shaped
from vlnscope.types import Chunk, Episode

_FORM = "a Python list of instructions, each a list of chunks, each a list of words"


class _ChunkFields(msgspec.Struct):
    new_instructions: str
    chunk_view: list[list[tuple[int, int]]]


def _parse(record: Record) -> list[Episode]:
    episodes = path_episodes(record)
    fields = shaped(record, _ChunkFields)
    words = _word_lists(fields.new_instructions)
    if len(words) != len(fields.chunk_view) or len(words) > len(episodes):
        raise RecordError(
            "chunk-count",
            f"{len(episodes)} instructions, {len(words)} cut ones and {len(fields.chunk_view)} chunk views",
            "as many chunk views as cut instructions",
        )
    cut = [_chunks(w, v) for w, v in zip(words, fields.chunk_view, strict=True)]
    cut += [()] * (len(episodes) - len(cut))
    return [msgspec.structs.replace(e, chunks=c) for e, c in zip(episodes, cut, strict=True)]


def _chunks(words: list[list[str]], views: list[tuple[int, int]]) -> tuple[Chunk, ...]:
    if len(words) != len(views):
        raise RecordError("chunk-count", f"{len(words)} chunks and {len(views)} views", "one view per chunk")
    return tuple(Chunk(tuple(w), first, last) for w, (first, last) in zip(words, views, strict=True))


def _word_lists(text: str) -> list[list[list[str]]]:
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # a stray backslash in a word is not worth a warning
            value: Any = ast.literal_eval(text)
        return msgspec.convert(value, list[list[list[str]]])
    except (ValueError, SyntaxError, TypeError, MemoryError, RecursionError):
        raise RecordError("bad-chunks", f"new_instructions cannot be read: {text[:40]!r}", _FORM) from None


def _build(episodes: Sequence[Episode]) -> Record:
    cut = [episode.chunks for episode in episodes]
    while cut and not cut[-1]:
        cut.pop()
    record = path_record(episodes)
    record["new_instructions"] = repr([[list(chunk.words) for chunk in chunks] for chunks in cut])
    record["chunk_view"] = [[[c.first_step, c.last_step] for c in chunks] for chunks in cut]
    return record


CODEC = EpisodeCodec(
    name="fgr2r-episodes",
    title="Fine-grained R2R: R2R with sub-instructions and their path steps",
    carries=CARRIES | {"chunks"},
    sniff=lambda head: relative(head) == "fgr2r-episodes",
    parse=_parse,
    build=_build,
    several=True,
)
CODEC.register()
