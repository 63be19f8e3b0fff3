"""Episodes of continuous data sets with the paths that the same instructions have on a graph."""

from __future__ import annotations

import re
from collections.abc import Iterator

import msgspec

from vlnscope.episodes.datasets.dataset import Dataset
from vlnscope.types import Episode

_WORD = re.compile(r"\w+")


def episodes_on(dataset: Dataset, graph: Dataset | None) -> Iterator[Episode]:
    """Yield the episodes of a data set, those of VLN-CE with path, heading and chunks of their R2R twins.

    Args:
        dataset: where the instructions come from.
        graph: where the paths come from; None to take the episodes as they are. The twin of an episode has
            the same scene, the same path id and the same words. An episode without twin has no path.
    """
    twins = {} if graph is None else {_key(episode): episode for episode in graph.episodes()}
    for episode in dataset.episodes():
        extra = {key: value for key, value in episode.extra.items() if key != "file"}
        found = msgspec.structs.replace(episode, extra=extra)
        if twin := twins.get(_key(episode)):
            more = {"path": twin.path, "heading": twin.heading, "chunks": twin.chunks}
            found = msgspec.structs.replace(found, **more)
        yield found


def _key(episode: Episode) -> tuple[str, str, tuple[str, ...]]:
    return episode.scan, episode.path_id, tuple(_WORD.findall(episode.instruction.lower()))
