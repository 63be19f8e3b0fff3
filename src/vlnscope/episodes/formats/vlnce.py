"""VLN-CE episodes (R2R-CE, RxR-CE): ``{"episodes": […], "instruction_vocab": {…}}``.

``episode_id`` names the episode, ``trajectory_id`` the path, ``scene_id`` (``mp3d/X/X.glb``) the scene;
positions are in Habitat's frame. Fields without a place in `Episode` (``instruction_tokens``, …) are kept in
`Episode.extra` at the level where they stood. What stands beside ``episodes`` in the file (the vocabulary)
rides on the first episode, as ``extra["file"]``.

The dense path of the oracle that follows the reference lies in a second file, see `ground_truth`.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from itertools import chain
from pathlib import Path, PurePosixPath
from typing import IO

import msgspec

from vlnscope.core.exceptions import InputError
from vlnscope.episodes.episode_codec import EpisodeCodec
from vlnscope.episodes.format import Head, OnProblem
from vlnscope.episodes.formats.rxr import drop_null_times, timed_words
from vlnscope.episodes.json.stream import beside
from vlnscope.episodes.records import (
    Record,
    RecordError,
    encoded,
    id_text,
    number_or_text,
    numbered_records,
    shaped,
)
from vlnscope.types import Continuous, Episode, Point, Points, TimedWord

CARRIES = frozenset({"path_id", "scan", "instruction", "language", "words", "continuous", "extra"})
FILE = "file"


class _Goal(msgspec.Struct):
    position: Point
    radius: float | None = None


class _Instruction(msgspec.Struct):
    instruction_text: str
    language: str | None = None
    timed_instruction: tuple[TimedWord, ...] | None = ()


class _Info(msgspec.Struct):
    geodesic_distance: float | None = None


class _ContinuousRecord(msgspec.Struct):
    episode_id: int | str
    trajectory_id: int | str
    scene_id: str
    start_position: Point
    start_rotation: tuple[float, float, float, float]
    instruction: _Instruction
    goals: tuple[_Goal, ...] | None = ()
    reference_path: Points | None = ()
    info: _Info | None = None


def continuous_episode(record: Record) -> Episode:
    """Return the episode of one VLN-CE record."""
    fields = shaped(record, _ContinuousRecord)
    words = fields.instruction.timed_instruction or ()
    drop_null_times(record["instruction"], words)
    goals = fields.goals or ()
    return Episode(
        episode_id=id_text(fields.episode_id, "episode_id"),
        path_id=id_text(fields.trajectory_id, "trajectory_id"),
        scan=_scan(fields.scene_id),
        instruction=fields.instruction.instruction_text,
        language=fields.instruction.language,
        words=words,
        continuous=Continuous(
            start_position=fields.start_position,
            start_rotation=fields.start_rotation,
            goals=tuple(goal.position for goal in goals),
            goal_radii=tuple(goal.radius for goal in goals),
            reference_path=fields.reference_path or (),
            geodesic_distance=fields.info.geodesic_distance if fields.info else None,
        ),
    )


def continuous_record(episode: Episode) -> Record:
    """Return the VLN-CE record of an episode, without `extra`."""
    space = episode.continuous
    if space is None:
        raise InputError(
            f"episode {episode.episode_id} has no positions",
            expected="an episode in continuous space",
            fix="choose a format on graphs, such as r2r-episodes",
        )
    instruction: Record = {"instruction_text": episode.instruction}
    if episode.language is not None:
        instruction["language"] = episode.language
    if episode.words:
        instruction["timed_instruction"] = timed_words(episode.words)
    record: Record = {
        "episode_id": number_or_text(episode.episode_id),
        "trajectory_id": number_or_text(episode.path_id),
        "scene_id": f"mp3d/{episode.scan}/{episode.scan}.glb",
        "start_position": list(space.start_position),
        "start_rotation": list(space.start_rotation),
        "instruction": instruction,
    }
    if space.geodesic_distance is not None:
        record["info"] = {"geodesic_distance": space.geodesic_distance}
    if space.goals:
        pairs = zip(space.goals, space.goal_radii, strict=True)
        record["goals"] = [
            {"position": list(p)} | ({} if radius is None else {"radius": radius}) for p, radius in pairs
        ]
    if space.reference_path:
        record["reference_path"] = [list(point) for point in space.reference_path]
    return record


@dataclass(frozen=True, kw_only=True)
class ContinuousCodec(EpisodeCodec):
    """Reads and writes files in the manner of VLN-CE."""

    lenient: bool = True

    def read(self, path: Path, on_problem: OnProblem) -> Iterator[Episode]:
        """Yield the episodes of a file, what stands beside them on the first one."""
        source = numbered_records(path, on_problem, lenient=self.lenient, member="episodes")
        episodes = self.read_records(source, on_problem)
        first = next(episodes, None)
        if first is None:
            return
        if header := beside(path, "episodes"):
            first = msgspec.structs.replace(first, extra=first.extra | {FILE: header})
        yield from chain([first], episodes)

    def write(self, episodes: Iterable[Episode], stream: IO[bytes]) -> None:
        """Write episodes; the dense path is left to `ground_truth.write_ground_truth`."""
        header: Record = {}
        stream.write(b'{"episodes": [')
        for number, episode in enumerate(episodes):
            header |= episode.extra.get(FILE, {})
            record = self.encode([_bare(episode)])
            stream.write((b",\n" if number else b"\n") + encoded(record))
        stream.write(b"\n]")
        for key, value in header.items():
            stream.write(b",\n" + encoded(key) + b": " + encoded(value))
        stream.write(b"}\n")


def holds_errors(head: Head) -> bool:
    """Do the episodes of a VLN-CE file say which errors were planted in them (R2RIE-CE)?"""
    first = head.record[0] if isinstance(head.record, list) and head.record else None
    return head.key == "episodes" and isinstance(first, dict) and "error_information" in first


def resembles_vlnce(head: Head) -> bool:
    """Does the file begin as VLN-CE files do?"""
    return head.container == "object" and head.key in ("episodes", "instruction_vocab")


def _bare(episode: Episode) -> Episode:
    """Drop what belongs to the file or to the ground truth instead of the record."""
    extra = {key: value for key, value in episode.extra.items() if key != FILE}
    space = episode.continuous
    if space is not None:
        space = msgspec.structs.replace(space, locations=(), actions=(), forward_steps=None)
    return msgspec.structs.replace(episode, extra=extra, continuous=space)


def _scan(scene_id: str) -> str:
    name = PurePosixPath(scene_id.replace("\\", "/")).name.partition(".")[0]
    if not name:
        raise RecordError("bad-id", f"scene_id {scene_id!r} names no scene", "mp3d/SCAN/SCAN.glb")
    return name


CODEC = ContinuousCodec(
    name="vlnce-episodes",
    title="VLN-CE: R2R-CE and RxR-CE episodes in continuous space",
    carries=CARRIES,
    sniff=lambda head: resembles_vlnce(head) and not holds_errors(head),
    needs=frozenset({"continuous"}),
    parse=lambda record: [continuous_episode(record)],
    build=lambda episodes: continuous_record(episodes[0]),
)
CODEC.register()
