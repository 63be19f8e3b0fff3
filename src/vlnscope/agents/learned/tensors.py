"""Sights as tensors: of observations, for running agents, and of graph arrays, for training them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, fields
from functools import cached_property
from typing import Any, Protocol

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor

from vlnscope.agents.learned.inputs import SeenGrids, VisualInput, look_at
from vlnscope.agents.learned.vocabulary import AnyVocabulary, SentenceVocabulary
from vlnscope.core.devices import as_array, kept, moved, rows_of_table
from vlnscope.core.exceptions import InputError
from vlnscope.core.files import digest
from vlnscope.perception.features.grids import PatchGrid
from vlnscope.types import Flags, Observation
from vlnscope.worlds.graph.candidates import candidates
from vlnscope.worlds.graph.navgraph import NavGraph
from vlnscope.worlds.graph.views import VIEWS, view_index

Rows = NDArray[np.float32]


class ImageSource(Protocol):
    """Where an agent's image features come from."""

    @property
    def needs(self) -> tuple[str, ...]:
        """What must be found in ``observation.seen``."""

    def views(self, observation: Observation) -> Rows:
        """Return 36 rows, one per view."""

    def grid(self, observation: Observation) -> PatchGrid | None:
        """Return grid features, for models that look at them; None if there are none."""


@dataclass(frozen=True)
class SeenFeatures:
    """Features that the environment shows.

    Attributes:
        need: a row of numbers per view, such as ``features:NAME``.
        grid_need: grid features, such as ``grid:NAME``; empty for none.
    """

    need: str
    grid_need: str = ""

    @property
    def needs(self) -> tuple[str, ...]:
        """What must be seen."""
        return (self.need, self.grid_need) if self.grid_need else (self.need,)

    def views(self, observation: Observation) -> Rows:
        """Return 36 rows, one per view."""
        rows: Rows = observation.seen[self.need]
        return rows

    def grid(self, observation: Observation) -> PatchGrid | None:
        """Return grid features, if they were asked for."""
        seen: PatchGrid | None = observation.seen[self.grid_need] if self.grid_need else None
        return seen


class ViewpointNumbers:
    """Numbers of viewpoints, in the order in which an agent comes to know them.

    Example:
        >>> numbers = ViewpointNumbers()
        >>> numbers.of("a"), numbers.of("b"), numbers.of("a"), numbers.name(1)
        (0, 1, 0, 'b')
    """

    def __init__(self) -> None:
        self._numbers: dict[str, int] = {}
        self._names: list[str] = []

    def of(self, viewpoint: str) -> int:
        """Return the number of a viewpoint."""
        if viewpoint not in self._numbers:
            self._numbers[viewpoint] = len(self._names)
            self._names.append(viewpoint)
        return self._numbers[viewpoint]

    def name(self, number: int) -> str:
        """Return the viewpoint of a number."""
        return self._names[number]


def tokens_of(texts: Sequence[str], vocabulary: AnyVocabulary, longest: int) -> tuple[Tensor, Tensor]:
    """(B, L): the ids of some texts, and which are valid; L is the length of the longest of them.

    Of a `SentenceVocabulary` there are vectors instead of ids, (B, L, 768).
    """
    if isinstance(vocabulary, SentenceVocabulary):
        rows = [vocabulary.vectors(text, longest) for text in texts]
        laid, there = laid_out(np.concatenate(rows), np.array([len(row) for row in rows]))
        return torch.from_numpy(laid), torch.from_numpy(there)
    ids = [vocabulary.encode(text, longest) for text in texts]
    tokens, mask = laid_out(np.concatenate(ids), np.array([len(row) for row in ids]))
    return torch.from_numpy(tokens), torch.from_numpy(mask)


def laid_out(rows: NDArray[Any], sizes: NDArray[np.int64]) -> tuple[NDArray[Any], Flags]:
    """(B, L, …): rows of several texts, given one below the other, side by side; and which are valid.

    Example:
        >>> laid_out(np.array([7, 8, 9]), np.array([1, 2]))[0].tolist()
        [[7, 0], [8, 9]]
    """
    mask = np.arange(sizes.max()) < sizes[:, None]
    laid = np.zeros((*mask.shape, *rows.shape[1:]), dtype=rows.dtype)
    laid[mask] = rows
    return laid, mask


def visual_input(
    observations: Sequence[Observation],
    source: ImageSource,
    taken: Sequence[int],
    numbers: Sequence[ViewpointNumbers],
    like: Tensor,
    width: int,
) -> VisualInput:
    """Make the visual of some observations.

    Args:
        observations: what each agent is given.
        source: where images come from.
        taken: which candidate of its last observation each went to; `NOTHING` if none.
        numbers: the numbers by which each knows viewpoints; those that it sees for the first time are added.
        like: a tensor of the type and on the device wanted.
        width: how many numbers per image the model takes.

    Raises:
        InputError: images have another shape.
    """
    counts = np.array([len(seen.candidates) for seen in observations])
    there = np.arange(counts.max(initial=0)) < counts[:, None]
    here = [known.of(seen.viewpoint) for known, seen in zip(numbers, observations, strict=True)]
    facts = [
        (c.view_index, c.heading, c.elevation, known.of(c.viewpoint), c.distance)
        for known, seen in zip(numbers, observations, strict=True)
        for c in seen.candidates
    ]
    table = np.zeros((*there.shape, 5))
    table[there] = np.array(facts).reshape(-1, 5)
    look = [view_index(seen.heading, seen.elevation) for seen in observations]
    images = np.stack([_checked(source.views(seen), (VIEWS, width), seen) for seen in observations])
    return VisualInput(
        _typed(images, like),
        torch.tensor(look).to(like.device),
        torch.from_numpy(table[..., 0].astype(np.int64)).to(like.device),
        _typed(table[..., 1], like),
        _typed(table[..., 2], like),
        torch.from_numpy(there).to(like.device),
        torch.tensor(list(taken)).to(like.device),
        torch.tensor(here).to(like.device),
        torch.from_numpy(table[..., 3].astype(np.int64)).to(like.device),
        _typed(table[..., 4], like),
    )


def _typed(array: NDArray[Any], like: Tensor) -> Tensor:
    """Return numbers typed as `like`, which may be where there is no double precision."""
    return torch.from_numpy(array).to(like.dtype).to(like.device)


def _checked(rows: Rows, shape: tuple[int, int], seen: Observation) -> Rows:
    if np.shape(rows) != shape:
        raise InputError(
            f"the features of viewpoint {seen.viewpoint} of scan {seen.scan} have the shape {np.shape(rows)}",
            expected=f"{shape[0]} rows of {shape[1]} numbers, as the model was trained with",
            fix="name the features that the model was trained with; `features:NAME@WIDTH` takes some columns",
        )
    return rows


@dataclass(frozen=True, eq=False)
class GraphInputs:
    """All that can be seen on some graphs, so that a batch of visuals is a matter of indexing.

    Nodes are numbered through all graphs, in the order in which these are given; N nodes, up to C candidates.

    Attributes:
        images: (N, 36, D) features, of any floating type.
        nodes: (N, C) where each candidate leads.
        arrival: (N, C) the view that an agent looks at when it comes there.
        views: (N, C) as in `VisualInput`, and so are the others.
        headings: (N, C).
        elevations: (N, C).
        open: (N, C).
        distances: (N, C).
        grids: grid features of the nodes, by their numbers; None where no model looks at them.
    """

    images: Tensor
    nodes: Tensor
    arrival: Tensor
    views: Tensor
    headings: Tensor
    elevations: Tensor
    open: Tensor
    distances: Tensor
    grids: SeenGrids | None = None

    @classmethod
    def of(cls, graphs: Sequence[NavGraph], images: Tensor) -> GraphInputs:
        """Lay out the candidates of graphs.

        Raises:
            InputError: there are not as many images as nodes.
        """
        sizes = [len(graph.nodes) for graph in graphs]
        if len(images) != sum(sizes):
            raise InputError(
                f"there are features of {len(images)} viewpoints, but {sum(sizes)} viewpoints",
                expected="features of every viewpoint",
                fix="make the features for these scans",
            )
        tables = [candidates(graph) for graph in graphs]
        counts = np.concatenate([np.diff(table.starts) for table in tables])
        there = np.arange(counts.max(initial=0)) < counts[:, None]
        offsets = np.repeat(np.cumsum([0, *sizes[:-1]]), [len(table.nodes) for table in tables])

        def laid(column: NDArray[Any]) -> Tensor:
            whole = np.zeros(there.shape, dtype=column.dtype)
            whole[there] = column
            return torch.from_numpy(whole)

        headings = laid(np.concatenate([table.heading for table in tables]))
        elevations = laid(np.concatenate([table.elevation for table in tables]))
        return cls(
            images=images,
            nodes=laid(np.concatenate([table.nodes for table in tables]) + offsets),
            arrival=look_at(headings, elevations),
            views=laid(np.concatenate([table.view_index for table in tables])),
            headings=headings.float(),
            elevations=elevations.float(),
            open=torch.from_numpy(there),
            distances=laid(np.concatenate([table.distance for table in tables])).float(),
        )

    @cached_property
    def digest(self) -> str:
        """A digest of the features."""
        images = as_array(self.images.contiguous())
        return digest(f"{images.dtype} {images.shape}".encode(), images.reshape(-1).view(np.uint8).data)

    def to(self, device: torch.device) -> GraphInputs:
        """Return the same on a device, but for images that are too large for it, and grid features."""
        names = [field.name for field in fields(self) if field.name not in ("images", "grids")]
        columns = {name: moved(getattr(self, name), device) for name in names}
        return GraphInputs(images=kept(self.images, device), grids=self.grids, **columns)

    def at(self, nodes: Tensor, look: Tensor, taken: Tensor) -> VisualInput:
        """Return what agents see who stand at `nodes` and look at views; (B) each."""
        most = int(self.open[nodes].sum(1).max()) if len(nodes) else 0
        return VisualInput(
            rows_of_table(self.images, nodes).float(),
            look,
            self.views[nodes, :most],
            self.headings[nodes, :most],
            self.elevations[nodes, :most],
            self.open[nodes, :most],
            taken,
            nodes,
            self.nodes[nodes, :most],
            self.distances[nodes, :most],
            grids=self.grids,
        )

    def moved(self, nodes: Tensor, look: Tensor, choice: Tensor, going: Tensor) -> tuple[Tensor, Tensor]:
        """Return where agents stand and look after they went to candidates; those not `going` stay."""
        index = choice.clamp(0, self.nodes.shape[1] - 1)
        return (
            torch.where(going, self.nodes[nodes, index], nodes),
            torch.where(going, self.arrival[nodes, index], look),
        )
