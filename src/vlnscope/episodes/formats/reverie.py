"""REVERIE episodes: R2R records with a target object.

``id`` is ``{path_id}_{objId}``, and an episode is called ``{id}_{k}``. The test split names neither ``objId``
nor ``path_id``, and of the path only the start; its ``id`` stands for the path as well.
The instructions of R2R for the same path (``instructions_l``) and ``ix`` are kept in `Episode.extra`.
"""

from __future__ import annotations

from collections.abc import Sequence

import msgspec

from vlnscope.episodes.episode_codec import EpisodeCodec
from vlnscope.episodes.formats.r2r import CARRIES, path_episodes, path_record, relative
from vlnscope.episodes.records import Record, RecordError, id_text, number_or_text, shaped
from vlnscope.types import Episode


class _ObjectFields(msgspec.Struct):
    objId: int | str | None = None  # noqa: N815  (the name in the file)
    id: int | str | None = None


def _parse(record: Record) -> list[Episode]:
    fields = shaped(record, _ObjectFields)
    target = None if fields.objId is None else id_text(fields.objId, "objId")
    if fields.id is not None:
        name = id_text(fields.id, "id")
    elif target is not None:
        name = f"{record.get('path_id')}_{target}"
    else:
        raise RecordError("missing-key", "has neither an id nor an objId", "id, as in 4634_215")
    return path_episodes({"path_id": name} | record, name=name, object_id=target)


def _build(episodes: Sequence[Episode]) -> Record:
    first = episodes[0]
    record = path_record(episodes)
    if first.object_id is not None:
        record["objId"] = number_or_text(first.object_id)
    record["id"] = first.episode_id.rpartition("_")[0]
    if record["id"] == first.path_id:
        del record["path_id"]
    return record


CODEC = EpisodeCodec(
    name="reverie-episodes",
    title="REVERIE: one record per path and target object",
    carries=CARRIES | {"object_id"},
    sniff=lambda head: relative(head) == "reverie-episodes",
    parse=_parse,
    build=_build,
    several=True,
)
CODEC.register()
