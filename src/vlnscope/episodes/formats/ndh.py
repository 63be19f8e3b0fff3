"""NDH episodes (CVDN): a dialogue to go on from, and a region to reach.

A record has ``inst_idx``, ``scan``, ``start_pano`` (a viewpoint, or an object with ``pano``, ``heading`` and
``elevation``), ``target``, ``dialog_history``, and in public splits ``end_panos`` and paths of people. The
instruction is the dialogue; without one, it names the target. Of the path an episode has the start only: NDH
counts by how many metres an agent comes nearer to the region of the target, which no metric here measures, so
that nothing is measured against a path that was never asked for. All other fields are in `Episode.extra`.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import msgspec

from vlnscope.episodes.episode_codec import EpisodeCodec
from vlnscope.episodes.format import Head
from vlnscope.episodes.formats.ndh_soon import NDH_SUCCESS
from vlnscope.episodes.formats.r2r import Name
from vlnscope.episodes.records import Record, id_text, number_or_text, shaped
from vlnscope.types import Episode


class _Pano(msgspec.Struct):
    pano: Name
    heading: float | None = None


class _Turn(msgspec.Struct):
    message: str
    role: str = ""


class _Fields(msgspec.Struct):
    inst_idx: int | str
    scan: Name
    start_pano: _Pano | Name
    target: str = ""
    dialog_history: tuple[_Turn, ...] = ()


def _parse(record: Record) -> list[Episode]:
    fields = shaped(record, _Fields)
    start = fields.start_pano if isinstance(fields.start_pano, _Pano) else _Pano(fields.start_pano)
    name = id_text(fields.inst_idx, "inst_idx")
    said = " ".join(turn.message.strip() for turn in fields.dialog_history if turn.message.strip())
    return [
        Episode(
            episode_id=name,
            path_id=name,
            scan=fields.scan,
            instruction=said or f"The goal room contains a {fields.target}.",
            path=(start.pano,),
            heading=start.heading,
        )
    ]


def _build(episodes: Sequence[Episode]) -> Record:
    (episode,) = episodes
    start: dict[str, Any] = {"pano": episode.path[0]}
    if episode.heading is not None:
        start["heading"] = episode.heading
    return {"inst_idx": number_or_text(episode.episode_id), "scan": episode.scan, "start_pano": start}


def _sniff(head: Head) -> bool:
    record = head.record
    return (
        head.container == "array"
        and isinstance(record, dict)
        and record.keys() >= {"inst_idx", "scan", "start_pano"}
        and "trajectory" not in record
    )


CODEC = EpisodeCodec(
    name="ndh-episodes",
    title="NDH (CVDN): a dialogue and a region to reach",
    carries=frozenset({"path_id", "scan", "instruction", "path", "heading", "extra"}),
    sniff=_sniff,
    parse=_parse,
    build=_build,
    own_success=NDH_SUCCESS,
)
CODEC.register()
