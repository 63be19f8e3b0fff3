"""What every learned model is: a start from words, then one step after the other, on tensors alone.

    state = model.start(tokens, mask)
    logits, state = model.step(state, visual)          # again and again
    state = model.resume(state, tokens, mask)         # next episode of a tour

A state is a dataclass of tensors with the batch first, so that rows can be taken apart and put together
(`stack`, `unstack`): what differs in length is filled up with zeros at the end, which masks hide.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Sequence
from dataclasses import dataclass, fields, replace
from typing import Any, ClassVar, Generic, Self, TypeVar

import torch
from torch import Tensor, nn

from vlnscope.agents.learned.inputs import VisualInput
from vlnscope.agents.learned.network import Network, NetworkConfig, class_named, network_classes


@dataclass(frozen=True, kw_only=True)
class ModelConfig(NetworkConfig):
    """Sizes of a model that sees panoramas; each model adds its own.

    Attributes:
        vocabulary: how many words or word pieces it knows.
        image_size: numbers per image feature.
        angle_size: numbers per angle feature, a multiple of 4.
        max_tokens: how many words or pieces of an instruction it reads.
        dropout: of hidden layers, in training.
        feature_dropout: of image features, in training.
    """

    reads_vectors: ClassVar[bool] = False

    vocabulary: int
    image_size: int
    angle_size: int = 4
    max_tokens: int = 80
    dropout: float = 0.1
    feature_dropout: float = 0.4

    def __post_init__(self) -> None:
        vectors = type(self).reads_vectors
        self.require(
            self.vocabulary > 0 or vectors, "vocabulary", "1 or more: the model reads words by number"
        )
        self.require(self.angle_size > 0 and self.angle_size % 4 == 0, "angle_size", "a multiple of 4")

    @property
    def patch_width(self) -> int:
        """Numbers per patch of the grid features that the model looks at; 0 if it looks at none."""
        return 0


@dataclass(frozen=True)
class State:
    """What a model remembers of a batch: tensors with the batch first, or states again."""

    def trimmed(self) -> Self:
        """Return the same without columns that no row uses."""
        return self


S = TypeVar("S", bound=State)


class PanoramaNetwork(Network):
    """A model that sees panoramas and knows words: one that navigates, or one that speaks."""

    Config: ClassVar[type[ModelConfig]]
    config: ModelConfig

    def __init__(self, config: ModelConfig) -> None:
        super().__init__(config)
        self.drop_features = nn.Dropout(config.feature_dropout)

    def dropped(self, visual: VisualInput) -> VisualInput:
        """Return a visual with image features dropped out, in training.

        The same features are dropped in all views of a panorama, as if the place looked otherwise
        (environmental dropout, Tan et al. 2019); to draw for each view alone would take long on a CPU.
        """
        if not self.training:
            return visual
        kept = self.drop_features(torch.ones_like(visual.images[:, :1]))
        return replace(visual, images=visual.images * kept)


class NavModel(PanoramaNetwork, ABC, Generic[S]):
    """A model that navigates.

    Attributes:
        forgets: whether it starts each episode afresh, also within tours.
    """

    forgets = True

    @abstractmethod
    def start(self, tokens: Tensor, mask: Tensor) -> S:
        """Read instructions.

        Args:
            tokens: (B, L) ids, the first ones of each row valid.
            mask: (B, L) which are valid; at least one per row.
        """

    @abstractmethod
    def step(self, state: S, visual: VisualInput) -> tuple[Tensor, S]:
        """Look, and say where to go.

        Returns:
            (B, C + 1) logits of the candidates, minus infinity where there is none, then of stopping; and
            the state after.
        """

    @abstractmethod
    def value(self, state: S) -> Tensor:
        """(B): what the critic expects of a state that a step returned."""

    def observe(self, state: S, visual: VisualInput) -> S:
        """Look without deciding: the state is the same as after `step`, but for what the critic looks at."""
        return self.step(state, visual)[1]

    def resume(self, state: S, tokens: Tensor, mask: Tensor) -> S:
        """Begin the next episode of a tour; a model without a memory over tours starts afresh."""
        return self.start(tokens, mask)

    def step_weights(self, turns: Tensor, stops: Tensor, valid: Tensor) -> Tensor:
        """Return how much each step counts in imitation: all that are `valid` alike, unless a model differs.

        Args:
            turns: (B, T) change of heading of the teacher's actions.
            stops: (B, T) whether the teacher stops.
            valid: (B, T) which steps there are.
        """
        return valid.to(turns.dtype)


class LeapingModel(NavModel[S]):
    """A model that keeps a map and may choose any place on it, as DUET does.

    `step` returns (B, N + 1) logits over the places of the map, minus infinity where it cannot go, then of
    stopping. How a choice is walked, and what it means for the next step: `vlnscope.agents.learned.leaps`.
    """

    @abstractmethod
    def places(self, state: S) -> Tensor:
        """(B, N): the viewpoints that the columns of the last logits lead to; `NOTHING` if none."""

    @abstractmethod
    def routes(self, state: S, columns: Tensor) -> Tensor:
        """(B, K): the viewpoints on the way to the place of a column, it included; `NOTHING` after the end.

        For the last column, stopping, where the agent goes before it stops: nowhere, unless it stops
        elsewhere than where it is.
        """

    @abstractmethod
    def next_hops(self, state: S) -> Tensor:
        """(B, N): the first viewpoint on the way to the place of each column; `NOTHING` if there is none."""

    def ends(self, state: S) -> Tensor:
        """(B): whether the decision just made must be to stop, whatever the logits say; never by default."""
        return torch.zeros_like(self.places(state)[:, 0], dtype=torch.bool)


def masked_logits(scores: Tensor, visual: VisualInput) -> Tensor:
    """Set the scores of candidates that are not there to minus infinity; the last column is stopping."""
    closed = torch.cat([~visual.open, torch.zeros_like(visual.open[:, :1])], dim=1)
    if not visual.open.shape[1]:
        closed = torch.zeros_like(scores, dtype=torch.bool)
    return scores.masked_fill(closed, -torch.inf)


def model_class(name: str) -> type[NavModel[Any]]:
    """Return the model that navigates and is called `name`.

    Raises:
        InputError: there is none.

    Example:
        >>> model_class("envdrop").__name__
        'EnvDrop'
    """
    found: type[NavModel[Any]] = class_named(name, _of_kind(NavModel))
    return found


def model_names() -> list[str]:
    """Return the names of all models that navigate."""
    return list(_of_kind(NavModel))


def network_names() -> list[str]:
    """Return the names of all models that see panoramas."""
    return list(_of_kind(PanoramaNetwork))


def network_class(name: str) -> type[PanoramaNetwork]:
    """Return the model that sees panoramas and is called `name`, whatever it does.

    Raises:
        InputError: there is none.
    """
    found: type[PanoramaNetwork] = class_named(name, _of_kind(PanoramaNetwork))
    return found


def _of_kind(kind: Any) -> dict[str, Any]:
    return {name: each for name, each in network_classes().items() if issubclass(each, kind)}


def stack(states: Sequence[S]) -> S:
    """Put states together, batch after batch; shorter ones are filled up with zeros at the end."""
    first = states[0]
    columns: dict[str, Any] = {}
    for field in fields(first):
        values = [getattr(state, field.name) for state in states]
        columns[field.name] = stack(values) if isinstance(values[0], State) else _joined(values)
    return type(first)(**columns)


def _joined(tensors: Sequence[Tensor]) -> Tensor:
    if len({tensor.shape[1:] for tensor in tensors}) == 1:
        return torch.cat(list(tensors))
    shape = [max(sizes) for sizes in zip(*(tensor.shape[1:] for tensor in tensors), strict=True)]
    whole = tensors[0].new_zeros((sum(len(tensor) for tensor in tensors), *shape))
    row = 0
    for tensor in tensors:
        block = (slice(row, row + len(tensor)), *(slice(0, size) for size in tensor.shape[1:]))
        whole[block] = tensor
        row += len(tensor)
    return whole


def unstack(state: S) -> list[S]:
    """Take a state apart into its rows, each trimmed."""
    parts: list[dict[str, Any]] = []
    for field in fields(state):
        value = getattr(state, field.name)
        rows = unstack(value) if isinstance(value, State) else value.split(1)
        parts = parts or [{} for _ in rows]
        for part, row in zip(parts, rows, strict=True):
            part[field.name] = row
    return [type(state)(**part).trimmed() for part in parts]
