"""What differs between two versions of a data set."""

from __future__ import annotations

from vlnscope.episodes.datasets.dataset import Dataset
from vlnscope.reporting.tables.marks import counted
from vlnscope.types import Episode


def data_differences(first: Dataset, second: Dataset) -> list[str]:
    """Say what differs between two data sets, episode by episode: ids, references, headings, texts."""
    ours = {episode.episode_id: episode for episode in first.episodes()}
    theirs = {episode.episode_id: episode for episode in second.episodes()}
    shared = [(ours[id_], episode) for id_, episode in theirs.items() if id_ in ours]
    counts = {
        ("episode", f"only in {first.name}"): len(ours) - len(shared),
        ("episode", f"only in {second.name}"): len(theirs) - len(shared),
        ("reference", ""): sum(_reference(x) != _reference(y) for x, y in shared),
        ("start heading", ""): sum(x.heading != y.heading for x, y in shared),
        ("instruction", ""): sum(x.instruction != y.instruction for x, y in shared),
        ("scene", ""): sum(x.scan != y.scan for x, y in shared),
    }
    found = [
        f"{counted(count, what)} {where or ('that differs' if count == 1 else 'that differ')}"
        for (what, where), count in counts.items()
        if count
    ]
    if not found:
        return ["data: the episodes are the same, so what differs lies in the scenes, such as positions"]
    return [f"data: {', '.join(found)} ({counted(len(shared), 'episode')} in both)"]


def _reference(episode: Episode) -> object:
    space = episode.continuous
    return (
        episode.path if space is None else (episode.path, space.start_position, space.goals, space.locations)
    )
