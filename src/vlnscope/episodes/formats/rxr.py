"""RxR episodes: JSON lines, one per instruction (guide file) or per demonstration (follower file).

An episode is called after its ``instruction_id``. ``timed_instruction`` becomes `Episode.words`; a time
that is missing, null or NaN is None. ``split``, ``annotator_id`` and ``edit_distance`` are kept in
`Episode.extra`.

A line of a follower file (``demonstration_id``, ``instruction_id``, ``path``, ``metrics``) says neither
scene nor text: both are empty until `follow` takes them from the guide's episode. Its path is the one
that the follower walked, and an instruction may have several followers.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import cast

import msgspec

from vlnscope.core.exceptions import InputError
from vlnscope.episodes.episode_codec import EpisodeCodec
from vlnscope.episodes.format import Head
from vlnscope.episodes.formats.r2r import Name, Viewpoints
from vlnscope.episodes.records import Record, id_text, number_or_text, shaped
from vlnscope.types import Episode, TimedWord


class _GuideLine(msgspec.Struct):
    instruction_id: int | str
    path_id: int | str
    scan: Name
    path: Viewpoints
    heading: float
    instruction: str
    language: str | None = None
    timed_instruction: tuple[TimedWord, ...] = ()


class _FollowerLine(msgspec.Struct):
    demonstration_id: int | str
    instruction_id: int | str
    path: Viewpoints


def follow(followers: Iterable[Episode], guides: Mapping[str, Episode]) -> Iterator[Episode]:
    """Give each follower's episode the scene, text and heading of the guide's episode.

    Args:
        followers: the episodes of a follower file.
        guides: the episodes of the guide file by id.

    Raises:
        InputError: a follower followed an instruction that the guide file does not have.
    """
    for episode in followers:
        guide = guides.get(episode.episode_id)
        if guide is None:
            raise InputError(
                f"a follower followed instruction {episode.episode_id}, which the guide file does not have",
                expected="guide and follower files of the same split",
                fix="download both files of the split again",
            )
        yield msgspec.structs.replace(guide, path=episode.path, extra=episode.extra)


def timed_words(words: Sequence[TimedWord]) -> list[Record]:
    """Return words as RxR stores them: times that are not known are left out.

    Example:
        >>> timed_words([TimedWord("Okay,", 0.4, 1.0), TimedWord("turn")])
        [{'word': 'Okay,', 'start_time': 0.4, 'end_time': 1.0}, {'word': 'turn'}]
    """
    return cast(list[Record], msgspec.to_builtins(list(words)))


def drop_null_times(holder: Record, words: Sequence[TimedWord]) -> None:
    """Remove times that are null from the raw ``timed_instruction``: they mean the same as missing ones.

    Args:
        holder: the object that has the timed words.
        words: the same words, converted.
    """
    if any(word.start_time is None or word.end_time is None for word in words):
        holder["timed_instruction"] = [
            {key: value for key, value in word.items() if value is not None}
            for word in holder["timed_instruction"]
        ]


def _parse(record: Record) -> list[Episode]:
    if "demonstration_id" in record:
        walked = shaped(record, _FollowerLine)
        name = id_text(walked.instruction_id, "instruction_id")
        return [Episode(episode_id=name, path_id="", scan="", instruction="", path=walked.path)]
    line = shaped(record, _GuideLine)
    drop_null_times(record, line.timed_instruction)
    return [
        Episode(
            episode_id=id_text(line.instruction_id, "instruction_id"),
            path_id=id_text(line.path_id, "path_id"),
            scan=line.scan,
            instruction=line.instruction,
            path=line.path,
            heading=line.heading,
            language=line.language,
            words=line.timed_instruction,
        )
    ]


def _build(episodes: Sequence[Episode]) -> Record:
    (episode,) = episodes
    record: Record = {"instruction_id": number_or_text(episode.episode_id), "path": list(episode.path)}
    if not episode.scan:
        return record
    record |= {"path_id": number_or_text(episode.path_id), "scan": episode.scan}
    record |= {"heading": episode.heading, "instruction": episode.instruction}
    if episode.language is not None:
        record["language"] = episode.language
    if episode.words:
        record["timed_instruction"] = timed_words(episode.words)
    return record


def _identity(episode: Episode) -> str:
    return str(episode.extra.get("demonstration_id", episode.episode_id))


def _sniff(head: Head) -> bool:
    if head.container != "lines" or not isinstance(head.record, dict) or "instruction_id" not in head.record:
        return False
    return "demonstration_id" in head.record or {"instruction", "scan"} <= head.record.keys()


CODEC = EpisodeCodec(
    name="rxr-episodes",
    title="RxR: one line per instruction (guide) or demonstration (follower)",
    carries=frozenset({"path_id", "scan", "instruction", "path", "heading", "language", "words", "extra"}),
    sniff=_sniff,
    parse=_parse,
    build=_build,
    container="lines",
    lenient=True,
    identity=_identity,
)
CODEC.register()
