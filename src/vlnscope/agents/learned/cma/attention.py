"""Attention of one vector over words or cells: a scaled dot product with keys of their own."""

from __future__ import annotations

import torch
from torch import Tensor

FAR = 1e8
"""What is taken from the scores of words that are not there, before they are scaled."""


def attend_cells(query: Tensor, keys: Tensor, values: Tensor, scale: Tensor) -> Tensor:
    """(M, v): values (M, v, n), weighted by how well keys (M, c, n) fit a query (M, c)."""
    scores = torch.einsum("mc,mcn->mn", query, keys) * scale
    return torch.einsum("mn,mvn->mv", scores.softmax(-1), values)


def attend_words(
    query: Tensor, keys: Tensor, words: Tensor, mask: Tensor, text: Tensor, scale: Tensor
) -> Tensor:
    """(M, width): words of the text that each query follows, weighted.

    Args:
        query: (M, c).
        keys: (K, c, L) of the words of each text.
        words: (K, L, width).
        mask: (K, L) which words there are.
        text: (M) which of the K texts is followed.
        scale: of scores.
    """
    order = text.argsort(stable=True)
    sizes = torch.bincount(text, minlength=len(keys)).tolist()
    groups: list[Tensor] = list(query[order].split_with_sizes(sizes))
    found = [
        ((rows @ own - FAR * ~valid) * scale).softmax(-1) @ context
        for rows, own, context, valid in zip(groups, keys, words, mask, strict=True)
    ]
    return torch.cat(found)[order.argsort()]
