"""What differs between two versions of a data set."""

from __future__ import annotations

from vlnscope.episodes.datasets import Dataset
from vlnscope.types import Episode


def data_differences(first: Dataset, second: Dataset) -> list[str]:
    """Say what differs between two data sets, episode by episode: ids, references, headings, texts."""
    ours = {episode.episode_id: episode for episode in first.episodes()}
    theirs = {episode.episode_id: episode for episode in second.episodes()}
    shared = [(ours[id_], episode) for id_, episode in theirs.items() if id_ in ours]
    counts = {
        f"episodes only in {first.name}": len(ours) - len(shared),
        f"episodes only in {second.name}": len(theirs) - len(shared),
        "references that differ": sum(_reference(x) != _reference(y) for x, y in shared),
        "start headings that differ": sum(x.heading != y.heading for x, y in shared),
        "instructions that differ": sum(x.instruction != y.instruction for x, y in shared),
        "scenes that differ": sum(x.scan != y.scan for x, y in shared),
    }
    found = [f"{count} {what}" for what, count in counts.items() if count]
    if not found:
        return ["data: the episodes are the same, so what differs lies in the scenes, such as positions"]
    return [f"data: {', '.join(found)} ({len(shared)} episodes in both)"]


def _reference(episode: Episode) -> object:
    space = episode.continuous
    return (
        episode.path if space is None else (episode.path, space.start_position, space.goals, space.locations)
    )
