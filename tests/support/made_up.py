"""Small made-up data sets."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from vlnscope.engine.action_spaces.graph import Pose
from vlnscope.engine.environment import Environment, without_answer
from vlnscope.episodes.datasets.dataset import Dataset
from vlnscope.types import Episode, Observation
from vlnscope.worlds.graph.navgraph import NavGraph
from vlnscope.worlds.scene import Scene


class Held:
    """Scenes held in memory."""

    def __init__(self, *scenes: Scene) -> None:
        self.held = {scene.id: scene for scene in scenes}

    def scans(self) -> tuple[str, ...]:
        return tuple(sorted(self.held))

    def scene(self, scan: str) -> Scene:
        return self.held[scan]


def dataset(episodes: Sequence[Episode], *scenes: Scene, **more: Any) -> Dataset:
    return Dataset(
        **{"name": "made/up", "split": "up", **more},
        format="",
        files=(),
        load=lambda on_problem: iter(episodes),
        load_scenes=lambda: Held(*scenes),
    )


def street(*places: float, scan: str = "street", gaps: Sequence[int] = ()) -> Scene:
    """Viewpoints a, b, c, … along a line, each joined to the next but after the ones in `gaps`."""
    names = "abcdefghijklmnop"[: len(places)]
    edges = [(names[i], names[i + 1]) for i in range(len(names) - 1) if i not in gaps]
    return Scene(scan, NavGraph.build(list(names), [[x, 0.0, 0.0] for x in places], edges))


def path(
    number: int, nodes: str | Sequence[str], *texts: str, scan: str = "street", **more: Any
) -> list[Episode]:
    """Return an episode per text over one path."""
    return [
        Episode(
            episode_id=f"{number}_{k}",
            path_id=str(number),
            scan=scan,
            instruction=text,
            instruction_index=k,
            path=tuple(nodes),
            **more,
        )
        for k, text in enumerate(texts)
    ]


def repeated(number: int, nodes: str | Sequence[str], times: int = 3, scan: str = "street") -> list[Episode]:
    """Return so many episodes over one path."""
    return path(number, nodes, *["go"] * times, scan=scan)


def seen_at(
    environment: Environment, episode: Episode, viewpoint: str, heading: float = 0.0, step: int = 0
) -> Observation:
    """What an agent is given at any viewpoint of an episode's scene."""
    pose = Pose(viewpoint, heading, 0.0)
    return environment.observe(without_answer(episode), pose, step, environment.annotation(episode))
