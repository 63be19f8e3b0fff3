"""Scenes and episodes as arrays, so that a step of a whole batch is a matter of indexing.

Viewpoints are numbered through all scenes of a `SceneArrays`. What depends on a viewpoint and a goal
(distances, the teacher's next step) lies in one long table, the square of one scene after that of the other.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, fields, replace
from functools import cached_property
from typing import Any, Self

import numpy as np
import torch
from torch import Tensor
from torch.nn import functional

from vlnscope.agents.learned.maps.seen_grids import GraphGrids
from vlnscope.agents.learned.tensors import GraphInputs, laid_out, tokens_of
from vlnscope.agents.learned.vocabulary import AnyVocabulary, SentenceVocabulary
from vlnscope.agents.rules.shortest import ways
from vlnscope.agents.vectorised import episode_keys
from vlnscope.core.devices import kept, moved, rows_of_table
from vlnscope.core.exceptions import InputError
from vlnscope.metrics.kernels.geometry import GraphTable
from vlnscope.perception.features.files import Features
from vlnscope.perception.features.grids import GridFeatures
from vlnscope.perception.features.minilm import text_vectors
from vlnscope.training.mirroring import MARK, MIRRORED_VIEWS, mirrored_graph
from vlnscope.training.watching import TrainingWatch
from vlnscope.types import Episode
from vlnscope.worlds.graph.candidates import candidates
from vlnscope.worlds.graph.navgraph import NavGraph
from vlnscope.worlds.graph.views import VIEWS, view_index
from vlnscope.worlds.scene import Scene

LARGEST = float(np.finfo(np.float16).max)
HALT = -1
"""Stands for stopping where a candidate is expected."""


@dataclass(frozen=True, eq=False)
class SceneArrays:
    """Scenes; N viewpoints, S scenes.

    Attributes:
        scans: names of the scenes.
        graphs: their graphs.
        visuals: what is seen from each viewpoint, and where its candidates lead.
        scene: (N) which scene each viewpoint is in.
        first: (S) number of each scene's first viewpoint.
        sizes: (S) how many viewpoints it has.
        begins: (S) where its square begins in the long tables.
        distances: shortest distances along edges, in metres; infinity where there is no way.
        ways: which candidate is next on a shortest way; `HALT` at the goal, and where there is no way.
    """

    scans: tuple[str, ...]
    graphs: tuple[NavGraph, ...]
    visuals: GraphInputs
    scene: Tensor
    first: Tensor
    sizes: Tensor
    begins: Tensor
    distances: Tensor
    ways: Tensor

    @classmethod
    def of(
        cls,
        scenes: Sequence[Scene],
        features: Features,
        *,
        mirror: bool = False,
        grids: GridFeatures | None = None,
        watch: TrainingWatch | None = None,
    ) -> SceneArrays:
        """Lay out scenes, with `mirror` each once more, mirrored; `watch` is told how it goes.

        Grid features, for models that look at them, are not laid out but read when they are asked for.

        Raises:
            InputError: a viewpoint has no features.
        """
        graphs = tuple(scene.graph for scene in scenes)
        scans = tuple(scene.id for scene in scenes)
        watch = watch or TrainingWatch()
        images = _images(scenes, features, watch)
        watch.phase("finding the ways", len(scenes) * (1 + mirror))
        if mirror:
            graphs += tuple(mirrored_graph(graph) for graph in graphs)
            scans += tuple(scan + MARK for scan in scans)
            images = torch.cat([images, images[:, MIRRORED_VIEWS]])
        sizes = np.array([len(graph.nodes) for graph in graphs], dtype=np.int64)
        visuals = GraphInputs.of(graphs, images)
        return cls(
            scans=scans,
            graphs=graphs,
            visuals=replace(visuals, grids=GraphGrids.of(scenes, grids)) if grids else visuals,
            scene=torch.from_numpy(np.repeat(np.arange(len(graphs)), sizes)),
            first=torch.from_numpy(np.cumsum(sizes) - sizes),
            sizes=torch.from_numpy(sizes),
            begins=torch.from_numpy(np.cumsum(sizes**2) - sizes**2),
            distances=torch.from_numpy(np.concatenate([graph.distances.ravel() for graph in graphs])),
            ways=torch.from_numpy(np.concatenate(list(_all_ways(graphs, watch)))),
        )

    def to(self, device: torch.device) -> SceneArrays:
        """Return the same on a device; what is double on the CPU is single elsewhere."""
        if device == self.scene.device:
            return self
        names = ("scene", "first", "sizes", "begins", "distances", "ways")
        columns: dict[str, Any] = {name: moved(getattr(self, name), device) for name in names}
        return replace(self, visuals=self.visuals.to(device), **columns)

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


def _images(scenes: Sequence[Scene], features: Features, watch: TrainingWatch) -> Tensor:
    size = sum(len(scene.graph.nodes) for scene in scenes)
    watch.phase("features of viewpoints", size)
    images = torch.empty((size, VIEWS, features.width), dtype=torch.float16)
    row = 0
    for scene in scenes:
        for viewpoint in scene.graph.nodes:
            seen = features.of(scene, viewpoint)
            if not np.abs(seen).max(initial=0.0) <= LARGEST:  # NaN is refused, too
                raise InputError(
                    f"the features of viewpoint {viewpoint} of scan {scene.id} have the extremes "
                    f"{seen.min()} and {seen.max()}",
                    expected=f"numbers between -{LARGEST:.0f} and {LARGEST:.0f}",
                    fix="repair or scale the features",
                )
            images[row] = torch.from_numpy(seen.astype(np.float16))
            row += 1
            watch.at(row)
    return images


def _all_ways(
    graphs: Sequence[NavGraph], watch: TrainingWatch
) -> Iterator[np.ndarray[tuple[int, ...], np.dtype[np.int64]]]:
    for done, graph in enumerate(graphs, 1):
        yield _ways(graph).ravel()
        watch.at(done)


def _ways(graph: NavGraph) -> np.ndarray[tuple[int, ...], np.dtype[np.int64]]:
    next_ways, counts = ways(graph), np.diff(candidates(graph).starts)
    return np.where(next_ways == counts[:, None], HALT, next_ways)


@dataclass(frozen=True, eq=False)
class EpisodeArrays:
    """Episodes, or a batch of them; E episodes.

    Attributes:
        ids: (E, L) the instructions: words, or rows of `table`.
        mask: (E, L) which of them are valid.
        start: (E) where they begin.
        look: (E) the view looked at in the beginning.
        reference: (E, R) the reference, its last node repeated to fill up.
        sizes: (E) how many nodes the reference has.
        keys: (E) a number per episode that its randomness depends on.
        table: (n, D) vectors of words, for models that read vectors; None for those that read ids.
    """

    ids: Tensor
    mask: Tensor
    start: Tensor
    look: Tensor
    reference: Tensor
    sizes: Tensor
    keys: Tensor
    table: Tensor | None = None

    def __len__(self) -> int:
        return len(self.start)

    @property
    def tokens(self) -> Tensor:
        """(E, L) ids or (E, L, D) vectors: the instructions as models read them."""
        return self.ids if self.table is None else rows_of_table(self.table, self.ids)

    @property
    def device(self) -> torch.device:
        """Where all is, but for a large table."""
        return self.start.device

    @property
    def goal(self) -> Tensor:
        """(E): where the reference ends."""
        return self.reference[:, -1]

    @classmethod
    def of(
        cls,
        episodes: Sequence[Episode],
        world: SceneArrays,
        vocabulary: AnyVocabulary,
        longest: int,
        *,
        device: str = "cpu",
        watch: TrainingWatch | None = None,
    ) -> EpisodeArrays:
        """Lay out episodes.

        Args:
            episodes: some, on the CPU wherever they will be learned from.
            world: where they are.
            vocabulary: in which instructions are read.
            longest: so many words of each, or pieces of words.
            device: where vectors are made of words, if the vocabulary needs it.
            watch: is told how it goes.

        Raises:
            InputError: there are none, or one names a viewpoint that its scene does not have.
        """
        if not episodes:
            raise InputError(
                "there are no episodes to train on", expected="at least one", fix="name another data set"
            )
        watch = watch or TrainingWatch()
        watch.phase("reading instructions", len(episodes))
        texts = [each.instruction for each in episodes]
        ids, mask, table = _texts(texts, vocabulary, longest, device, watch)
        sizes = [len(each.path) for each in episodes]
        most = max(sizes)
        reference = np.empty((len(episodes), most), dtype=np.int64)
        for row, each in enumerate(episodes):
            numbers = _numbered(each, world)
            reference[row] = numbers + numbers[-1:] * (most - len(numbers))
        keys = episode_keys([each.episode_id for each in episodes])
        return cls(
            ids=ids,
            mask=mask,
            start=torch.from_numpy(reference[:, 0].copy()),
            look=torch.tensor([view_index(each.heading or 0.0) for each in episodes]),
            reference=torch.from_numpy(reference),
            sizes=torch.tensor(sizes),
            keys=torch.from_numpy(keys.view(np.int64)),
            table=table,
        )

    def with_others(self, others: EpisodeArrays) -> EpisodeArrays:
        """Return these episodes and then others, laid out in the same world and with the same vocabulary."""
        table, shift = self.table, 0
        if self.table is not None and others.table is not None:
            table, shift = torch.cat([self.table, others.table]), len(self.table)
        parts = [(self, 0), (others, shift)]
        words = max(part.ids.shape[1] for part, _ in parts)
        nodes = max(part.reference.shape[1] for part, _ in parts)
        pad = functional.pad

        def referred(part: EpisodeArrays) -> Tensor:
            return torch.cat(
                [part.reference, part.goal[:, None].expand(-1, nodes - part.reference.shape[1])], 1
            )

        return replace(
            self,
            ids=torch.cat([pad(part.ids + by, (0, words - part.ids.shape[1])) for part, by in parts]),
            mask=torch.cat([pad(part.mask, (0, words - part.mask.shape[1])) for part, _ in parts]),
            reference=torch.cat([referred(part) for part, _ in parts]),
            table=table,
            **{
                name: torch.cat([getattr(part, name) for part, _ in parts])
                for name in ("start", "look", "sizes", "keys")
            },
        )

    def to(self, device: torch.device) -> EpisodeArrays:
        """Return the same on a device."""
        if device == self.device:
            return self
        columns: dict[str, Any] = {name: moved(getattr(self, name), device) for name in self._columns()}
        return replace(self, table=None if self.table is None else kept(self.table, device), **columns)

    def _columns(self) -> list[str]:
        return [field.name for field in fields(self) if field.name != "table"]

    def take(self, rows: Tensor) -> Self:
        """Return some episodes, without columns that none of them uses."""
        rows = rows.to(self.device)
        taken = replace(self, **{name: getattr(self, name)[rows] for name in self._columns()})
        longest = int(taken.mask.sum(1).max()) if len(taken) else 0
        most = int(taken.sizes.max()) if len(taken) else 0
        return replace(
            taken,
            ids=taken.ids[:, :longest],
            mask=taken.mask[:, :longest],
            reference=taken.reference[:, :most],
        )


def _texts(
    texts: Sequence[str], vocabulary: AnyVocabulary, longest: int, device: str, watch: TrainingWatch
) -> tuple[Tensor, Tensor, Tensor | None]:
    """Return ids, which are valid, and the table that they are rows of."""
    if not isinstance(vocabulary, SentenceVocabulary):
        return (*tokens_of(texts, vocabulary, longest), None)
    table, sizes = text_vectors(texts, longest, device, watch.at)
    ids, mask = laid_out(np.arange(len(table)), sizes)
    return torch.from_numpy(ids), torch.from_numpy(mask), torch.from_numpy(np.asarray(table))


def _numbered(episode: Episode, world: SceneArrays) -> list[int]:
    try:
        return [world.numbers[episode.scan, node] for node in episode.path]
    except KeyError as error:
        raise InputError(
            f"episode {episode.episode_id}: viewpoint {error.args[0][1]} is not in scan {episode.scan}",
            expected="viewpoint ids of that scan",
            fix="check that the episodes and the graphs belong together",
        ) from None
