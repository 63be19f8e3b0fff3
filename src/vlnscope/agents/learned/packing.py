"""Rows of tokens of different number, one below the other, so that no layer works on padding."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from torch import Tensor
from torch.autograd import Function


class _Gather(Function):
    """Take rows, each at most once; so the gradient is put back, not added up, which is much faster."""

    @staticmethod
    def forward(ctx: Any, table: Tensor, places: Tensor) -> Tensor:
        ctx.save_for_backward(places)
        ctx.size = len(table)
        return table.index_select(0, places)

    @staticmethod
    def backward(ctx: Any, *gradients: Any) -> Any:
        (places,) = ctx.saved_tensors
        gradient = gradients[0]
        whole = gradient.new_zeros((ctx.size, *gradient.shape[1:]))
        return whole.index_copy_(0, places, gradient), None


@dataclass(frozen=True)
class Packing:
    """Where the valid tokens of a batch lie; B rows of up to n tokens, N of them valid.

    Attributes:
        mask: (B, n) which tokens are valid.
        places: (N) where they lie when all rows are laid one after the other.
        rows: (N) the row that each belongs to.

    Example:
        >>> import torch
        >>> packing = Packing.of(torch.tensor([[True, False], [True, True]]))
        >>> packed = packing.pack(torch.tensor([[[1.0], [0.0]], [[2.0], [3.0]]]))
        >>> packed.flatten().tolist(), packing.spread(packed).flatten().tolist()
        ([1.0, 2.0, 3.0], [1.0, 0.0, 2.0, 3.0])
    """

    mask: Tensor
    places: Tensor
    rows: Tensor

    @classmethod
    def of(cls, mask: Tensor) -> Packing:
        """Note which tokens are valid."""
        places = mask.flatten().nonzero()[:, 0]
        return cls(mask, places, places // max(mask.shape[1], 1))

    def pack(self, padded: Tensor) -> Tensor:
        """(N, …) of (B, n, …)."""
        packed: Tensor = _Gather.apply(padded.flatten(0, 1), self.places)  # type: ignore[no-untyped-call]
        return packed

    def spread(self, packed: Tensor) -> Tensor:
        """(B, n, …) of (N, …); zeros for padding."""
        whole = packed.new_zeros((self.mask.numel(), *packed.shape[1:]))
        return whole.index_copy(0, self.places, packed).view(*self.mask.shape, *packed.shape[1:])

    def each(self, row: Tensor) -> Tensor:
        """(N, …) of (B, …): what belongs to a row, for each of its tokens."""
        return self.pack(row[:, None].expand(-1, self.mask.shape[1], *row.shape[1:]))

    def first(self, packed: Tensor) -> Tensor:
        """(B, …) of (N, …): the first token of each row, which must be valid."""
        sizes = self.mask.sum(1)
        picked: Tensor = _Gather.apply(packed, sizes.cumsum(0) - sizes)  # type: ignore[no-untyped-call]
        return picked
