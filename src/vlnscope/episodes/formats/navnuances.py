"""NavNuances episodes (``R2R_DC.json`` and its sisters): R2R records with the rules of each test.

``path_id`` is a string without an underscore, because the benchmark takes what stands before the first
one in an ``instr_id`` for the annotation's name. What the five tests add (``gt_vp``, ``obj_center``,
``valid_ends``, ``set_paths``, ``has_both_dir``, …) is kept in `Episode.extra`.
"""

from __future__ import annotations

from collections.abc import Sequence

from vlnscope.episodes.episode_codec import EpisodeCodec
from vlnscope.episodes.formats.r2r import CARRIES, path_episodes, path_record, relative
from vlnscope.episodes.records import Record, RecordError
from vlnscope.types import Episode


def _parse(record: Record) -> list[Episode]:
    episodes = path_episodes(record)
    if "_" in episodes[0].path_id:
        raise RecordError(
            "bad-id", f"path_id {episodes[0].path_id!r} has an underscore", "a path_id without one"
        )
    return episodes


def _build(episodes: Sequence[Episode]) -> Record:
    return path_record(episodes) | {"path_id": episodes[0].path_id}


CODEC = EpisodeCodec(
    name="navnuances-episodes",
    title="NavNuances: R2R records with the rules of DC, LR, NU, RR or VM",
    carries=CARRIES,
    sniff=lambda head: relative(head) == "navnuances-episodes",
    parse=_parse,
    build=_build,
    several=True,
)
CODEC.register()
