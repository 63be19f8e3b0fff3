"""Instructions as the agents of continuous environments read them, each once however long it is followed."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import torch
from torch import Tensor, nn

from vlnscope.agents.learned.cma.config import PolicyConfig
from vlnscope.agents.learned.layers import read_words


@dataclass(frozen=True)
class Instructions:
    """Instructions that were read.

    Attributes:
        context: (K, L, width) what was made of each word, zeros where there is none.
        mask: (K, L) which words there are.
        last: (K, width) what the reading ended with.
    """

    context: Tensor
    mask: Tensor
    last: Tensor


class InstructionEncoder(nn.Module):
    """An LSTM over words; a word whose vector is all zeros is padding."""

    def __init__(self, config: PolicyConfig, *, both_ways: bool) -> None:
        super().__init__()
        self.width = config.word_hidden * (1 + both_ways)
        self.encoder_rnn = nn.LSTM(config.word_size, config.word_hidden, bidirectional=both_ways)
        self.embedding_layer: Any = None
        if config.vocabulary:
            self.embedding_layer = nn.Embedding(config.vocabulary, config.word_size, padding_idx=0)
            self.embedding_layer.weight.requires_grad_(config.trains_words)

    def forward(self, words: Tensor) -> Instructions:
        """Read (K, L) ids of words, or (K, L, word_size) vectors where the agent knows no words."""
        vectors = words if self.embedding_layer is None else self.embedding_layer(words.long())
        lengths = (vectors != 0).any(-1).sum(1, keepdim=True)
        mask = torch.arange(vectors.shape[1], device=vectors.device) < lengths
        context, hidden, _ = read_words(self.encoder_rnn, vectors, mask)
        return Instructions(context, mask, torch.cat(list(hidden), dim=1))
