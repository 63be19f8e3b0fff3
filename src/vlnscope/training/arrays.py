"""Scenes and episodes as arrays, so that a step of a whole batch is a matter of indexing.

Viewpoints are numbered through all scenes of a `World`. What depends on a viewpoint and a goal (distances,
the teacher's next step) lies in one long table, the square of one scene after that of the other.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, fields, replace
from functools import cached_property
from typing import Self

import numpy as np
import torch
from torch import Tensor

from vlnscope.agents.learned.tensors import GraphSights, tokens_of
from vlnscope.agents.learned.vocabulary import Vocabulary
from vlnscope.agents.many import episode_keys
from vlnscope.agents.shortest import ways
from vlnscope.exceptions import InputError
from vlnscope.metrics.geometry import GraphTable
from vlnscope.perception.features import Features
from vlnscope.types import Episode
from vlnscope.worlds.candidates import candidates
from vlnscope.worlds.navgraph import NavGraph
from vlnscope.worlds.scene import Scene
from vlnscope.worlds.views import VIEWS, view_index

HALT = -1
"""Stands for stopping where a candidate is expected."""


@dataclass(frozen=True, eq=False)
class World:
    """Scenes; N viewpoints, S scenes.

    Attributes:
        scans: names of the scenes.
        graphs: their graphs.
        sights: what is seen from each viewpoint, and where its candidates lead.
        scene: (N) which scene each viewpoint is in.
        first: (S) number of each scene's first viewpoint.
        sizes: (S) how many viewpoints it has.
        begins: (S) where its square begins in the long tables.
        distances: shortest distances along edges, in metres; infinity where there is no way.
        ways: which candidate is next on a shortest way; `HALT` at the goal, and where there is no way.
    """

    scans: tuple[str, ...]
    graphs: tuple[NavGraph, ...]
    sights: GraphSights
    scene: Tensor
    first: Tensor
    sizes: Tensor
    begins: Tensor
    distances: Tensor
    ways: Tensor

    @classmethod
    def of(cls, scenes: Sequence[Scene], features: Features) -> World:
        """Lay out scenes.

        Raises:
            InputError: a viewpoint has no features.
        """
        graphs = tuple(scene.graph for scene in scenes)
        sizes = np.array([len(graph.nodes) for graph in graphs], dtype=np.int64)
        images = torch.empty((int(sizes.sum()), VIEWS, features.width), dtype=torch.float16)
        row = 0
        for scene in scenes:
            for viewpoint in scene.graph.nodes:
                images[row] = torch.from_numpy(features.at(scene.id, viewpoint).astype(np.float16))
                row += 1
        return cls(
            scans=tuple(scene.id for scene in scenes),
            graphs=graphs,
            sights=GraphSights.of(graphs, images),
            scene=torch.from_numpy(np.repeat(np.arange(len(graphs)), sizes)),
            first=torch.from_numpy(np.cumsum(sizes) - sizes),
            sizes=torch.from_numpy(sizes),
            begins=torch.from_numpy(np.cumsum(sizes**2) - sizes**2),
            distances=torch.from_numpy(np.concatenate([graph.distances.ravel() for graph in graphs])),
            ways=torch.from_numpy(np.concatenate([_ways(graph).ravel() for graph in graphs])),
        )

    @cached_property
    def table(self) -> GraphTable:
        """The graphs as metrics take them."""
        return GraphTable(list(self.graphs))

    @cached_property
    def numbers(self) -> dict[tuple[str, str], int]:
        """Number of each viewpoint."""
        names = ((scan, node) for scan, g in zip(self.scans, self.graphs, strict=True) for node in g.nodes)
        return {name: number for number, name in enumerate(names)}

    def distance(self, nodes: Tensor, goals: Tensor) -> Tensor:
        """Return shortest distances; each goal is in the scene of its node."""
        return self.distances[self._cells(nodes, goals)]

    def way(self, nodes: Tensor, goals: Tensor) -> Tensor:
        """Return which candidate is next on a shortest way to each goal; `HALT` to stop."""
        return self.ways[self._cells(nodes, goals)]

    def _cells(self, nodes: Tensor, goals: Tensor) -> Tensor:
        scene = self.scene[nodes]
        first, size = self.first[scene], self.sizes[scene]
        return self.begins[scene] + (nodes - first) * size + goals - first


def _ways(graph: NavGraph) -> np.ndarray[tuple[int, ...], np.dtype[np.int64]]:
    found, counts = ways(graph), np.diff(candidates(graph).starts)
    return np.where(found == counts[:, None], HALT, found)


@dataclass(frozen=True, eq=False)
class Episodes:
    """Episodes, or a batch of them; E episodes.

    Attributes:
        tokens: (E, L) the instructions.
        mask: (E, L) which tokens are valid.
        start: (E) where they begin.
        look: (E) the view looked at in the beginning.
        reference: (E, R) the reference, its last node repeated to fill up.
        sizes: (E) how many nodes the reference has.
        keys: (E) a number per episode that its randomness depends on.
    """

    tokens: Tensor
    mask: Tensor
    start: Tensor
    look: Tensor
    reference: Tensor
    sizes: Tensor
    keys: Tensor

    def __len__(self) -> int:
        return len(self.start)

    @property
    def goal(self) -> Tensor:
        """(E): where the reference ends."""
        return self.reference[:, -1]

    @classmethod
    def of(cls, episodes: Sequence[Episode], world: World, vocabulary: Vocabulary, longest: int) -> Episodes:
        """Lay out episodes.

        Raises:
            InputError: there are none, or one names a viewpoint that its scene does not have.
        """
        if not episodes:
            raise InputError(
                "there are no episodes to train on", expected="at least one", fix="name another data set"
            )
        tokens, mask = tokens_of([each.instruction for each in episodes], vocabulary, longest)
        sizes = [len(each.path) for each in episodes]
        reference = np.empty((len(episodes), max(sizes)), dtype=np.int64)
        for row, each in enumerate(episodes):
            numbers = _numbered(each, world)
            reference[row] = numbers + numbers[-1:] * (max(sizes) - len(numbers))
        keys = episode_keys([each.episode_id for each in episodes])
        return cls(
            tokens=tokens,
            mask=mask,
            start=torch.from_numpy(reference[:, 0].copy()),
            look=torch.tensor([view_index(each.heading or 0.0) for each in episodes]),
            reference=torch.from_numpy(reference),
            sizes=torch.tensor(sizes),
            keys=torch.from_numpy(keys.view(np.int64)),
        )

    def take(self, rows: Tensor) -> Self:
        """Return some episodes, without columns that none of them uses."""
        taken = replace(self, **{field.name: getattr(self, field.name)[rows] for field in fields(self)})
        longest = int(taken.mask.sum(1).max()) if len(taken) else 0
        most = int(taken.sizes.max()) if len(taken) else 0
        return replace(
            taken,
            tokens=taken.tokens[:, :longest],
            mask=taken.mask[:, :longest],
            reference=taken.reference[:, :most],
        )


def _numbered(episode: Episode, world: World) -> list[int]:
    try:
        return [world.numbers[episode.scan, node] for node in episode.path]
    except KeyError as error:
        raise InputError(
            f"episode {episode.episode_id}: viewpoint {error.args[0][1]} is not in scan {episode.scan}",
            expected="viewpoint ids of that scan",
            fix="check that the episodes and the graphs belong together",
        ) from None
