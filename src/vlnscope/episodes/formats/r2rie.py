"""R2RIE-CE episodes: VLN-CE episodes that say which words of the instruction were made wrong.

``error_information`` becomes `Episode.errors`; ``old_episode_id`` and the rest are kept in `Episode.extra`.
"""

from __future__ import annotations

from collections.abc import Sequence

import msgspec

from vlnscope.episodes.formats.vlnce import (
    CARRIES,
    ContinuousCodec,
    continuous_episode,
    continuous_record,
    holds_errors,
    resembles_vlnce,
)
from vlnscope.episodes.records import Record, shaped
from vlnscope.types import Episode, InstructionErrors, WordSwap


class _ErrorInformation(msgspec.Struct):
    episode_contains_error: bool
    error_type: int
    token_swapped: tuple[WordSwap, ...] | None = ()


class _ErrorRecord(msgspec.Struct):
    error_information: _ErrorInformation


def _parse(record: Record) -> list[Episode]:
    stated = shaped(record, _ErrorRecord).error_information
    errors = InstructionErrors(stated.episode_contains_error, stated.error_type, stated.token_swapped or ())
    return [msgspec.structs.replace(continuous_episode(record), errors=errors)]


def _build(episodes: Sequence[Episode]) -> Record:
    record = continuous_record(episodes[0])
    if errors := episodes[0].errors:
        record["error_information"] = {
            "episode_contains_error": errors.contains_error,
            "error_type": errors.error_type,
            "token_swapped": [_swapped(swap) for swap in errors.swaps],
        }
    return record


def _swapped(swap: WordSwap) -> Record:
    places = {"token_id": list(swap.token_id), "token_id_position": list(swap.token_id_position)}
    return {"old_word": swap.old_word, "new_word": swap.new_word} | places


CODEC = ContinuousCodec(
    name="r2rie-episodes",
    title="R2RIE-CE: VLN-CE episodes with planted instruction errors",
    carries=CARRIES | {"errors"},
    sniff=lambda head: resembles_vlnce(head) and holds_errors(head),
    needs=frozenset({"continuous", "errors"}),
    parse=_parse,
    build=_build,
)
CODEC.register()
