"""R2R episodes, and R4R, which adds fields: a JSON array with one record per path.

A record holds ``path_id``, ``scan``, ``heading``, ``path``, ``distance`` (not in test splits) and three or
four ``instructions``; each instruction is an episode called ``{path_id}_{k}``. The fields that R4R adds
(``shortest_path``, ``first_path_id``, …) and all unknown ones are kept in `Episode.extra`.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Annotated, Any

import msgspec

from vlnscope.episodes.episode_codec import EpisodeCodec
from vlnscope.episodes.format import Head
from vlnscope.episodes.records import Record, id_text, number_or_text, shaped
from vlnscope.types import Episode

CARRIES = frozenset(
    {"path_id", "scan", "instruction", "path", "heading", "distance", "instruction_index", "extra"}
)
_MARKS = {
    "fgr2r-episodes": frozenset({"new_instructions", "chunk_view"}),
    "reverie-episodes": frozenset({"objId", "instructions_l", "id"}),
    "navnuances-episodes": frozenset(
        {"instruction_template", "gt_vp", "obj_center", "valid_ends", "region_starts", "set_paths"}
        | {"has_both_dir"}
    ),
}

Name = Annotated[str, msgspec.Meta(min_length=1)]
Viewpoints = Annotated[tuple[Name, ...], msgspec.Meta(min_length=1)]
Texts = Annotated[tuple[str, ...], msgspec.Meta(min_length=1)]


class PathRecord(msgspec.Struct):
    """The fields of an R2R record that have a meaning here."""

    path_id: int | str
    scan: Name
    path: Viewpoints
    instructions: Texts
    heading: float | None = None
    distance: float | None = None


def relative(head: Head) -> str | None:
    """Return which of the formats that are made of R2R records a file has; None if none of them."""
    keys = {"scan", "path", "instructions"}
    if head.container != "array" or not isinstance(head.record, dict) or not keys <= head.record.keys():
        return None
    if "path_id" not in head.record:  # as in the public test split of REVERIE
        return "reverie-episodes" if "id" in head.record else None
    for name, marks in _MARKS.items():
        if marks & head.record.keys():
            return name
    numbered = isinstance(number_or_text(str(head.record["path_id"])), int)
    return "r2r-episodes" if numbered else "navnuances-episodes"


def path_episodes(record: Record, name: str | None = None, **more: Any) -> list[Episode]:
    """Return the episodes of a record in the manner of R2R.

    Args:
        record: the record.
        name: what episode ids start with, if it is not the path id.
        **more: further fields of all the episodes.
    """
    fields = shaped(record, PathRecord)
    path_id = id_text(fields.path_id, "path_id")
    return [
        Episode(
            episode_id=f"{name or path_id}_{k}",
            path_id=path_id,
            scan=fields.scan,
            instruction=text,
            path=fields.path,
            heading=fields.heading,
            distance=fields.distance,
            instruction_index=k,
            **more,
        )
        for k, text in enumerate(fields.instructions)
    ]


def path_record(episodes: Sequence[Episode]) -> Record:
    """Return the R2R record of the episodes of one path."""
    first = episodes[0]
    record: Record = {} if first.distance is None else {"distance": first.distance}
    record["scan"] = first.scan
    record["path_id"] = number_or_text(first.path_id)
    record["path"] = list(first.path)
    if first.heading is not None:
        record["heading"] = first.heading
    record["instructions"] = [episode.instruction for episode in episodes]
    return record


CODEC = EpisodeCodec(
    name="r2r-episodes",
    title="R2R and R4R: one record per path with its instructions",
    carries=CARRIES,
    sniff=lambda head: relative(head) == "r2r-episodes",
    parse=path_episodes,
    build=path_record,
    several=True,
)
CODEC.register()
