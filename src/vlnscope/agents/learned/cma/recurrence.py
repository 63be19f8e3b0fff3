"""Recurrent units over steps at which some rows begin anew, and the memory of tours that PoolCMA adds."""

from __future__ import annotations

from typing import Any, NamedTuple

import torch
from torch import Tensor, nn
from torch.nn import functional


class GruOutput(NamedTuple):
    """What a recurrent unit made of steps.

    Attributes:
        outputs: (T, B, hidden) its state after each.
        state: (B, hidden) its state after all.
    """

    outputs: Tensor
    state: Tensor


class PooledGruOutput(NamedTuple):
    """What a recurrent unit with a memory made of steps.

    Attributes:
        gru: what it made of them.
        memory_before: (T, B, hidden) the memory before each.
        memory: (B, hidden) the memory after all.
    """

    gru: GruOutput
    memory_before: Tensor
    memory: Tensor


class MaskedGru(nn.Module):
    """A gated recurrent unit whose state is forgotten before some steps."""

    def __init__(self, inward: int, hidden: int) -> None:
        super().__init__()
        self.rnn: Any = nn.GRU(inward, hidden)
        for name, weight in self.rnn.named_parameters():
            if name.startswith("weight"):
                nn.init.orthogonal_(weight)
            else:
                nn.init.zeros_(weight)

    def forward(self, x: Tensor, state: Tensor, keeps: Tensor, valid: Tensor) -> GruOutput:
        """Go through steps.

        Args:
            x: (T, B, inward) what is put in.
            state: (B, hidden) to start from.
            keeps: (T, B) whether the state is kept; else a step starts from zeros.
            valid: (T, B) which steps there are; others change nothing.
        """
        outputs: list[Tensor] = []
        weighed = self._input_gates(x)
        for each, kept, real in zip(weighed, keeps[..., None], valid[..., None], strict=True):
            state = torch.where(real, self._next_state(each, state * kept), state)
            outputs.append(state)
        return GruOutput(torch.stack(outputs), state)

    def _input_gates(self, x: Tensor) -> Tensor:
        """(…, 3 hidden): gates as far as what is put in decides them, which may be the first columns only."""
        columns = self.rnn.weight_ih_l0[:, : x.shape[-1]]
        return functional.linear(x, columns, self.rnn.bias_ih_l0)

    def _next_state(self, weighed: Tensor, state: Tensor) -> Tensor:
        reset, update, new = weighed.chunk(3, dim=-1)
        back = functional.linear(state, self.rnn.weight_hh_l0, self.rnn.bias_hh_l0)
        again_reset, again_update, again_new = back.chunk(3, dim=-1)
        kept = torch.sigmoid(update + again_update)
        fresh = torch.tanh(new + torch.sigmoid(reset + again_reset) * again_new)
        return fresh + kept * (state - fresh)


class PoolingGru(MaskedGru):
    """A recurrent unit that also hears the greatest it ever said in a tour; no gradient goes through that."""

    def __init__(self, inward: int, hidden: int) -> None:
        super().__init__(inward + hidden, hidden)

    def pool(
        self, x: Tensor, state: Tensor, memory: Tensor, keeps: Tensor, keeps_memory: Tensor, valid: Tensor
    ) -> PooledGruOutput:
        """Go through steps.

        Args:
            x: (T, B, inward) what is put in besides the memory.
            state: (B, hidden) to start from.
            memory: (B, hidden) likewise.
            keeps: (T, B) whether the state is kept.
            keeps_memory: (T, B) whether the memory is kept.
            valid: (T, B) which steps there are.
        """
        outputs: list[Tensor] = []
        memory_before: list[Tensor] = []
        memory_columns = self.rnn.weight_ih_l0[:, x.shape[-1] :]
        steps = zip(
            self._input_gates(x), *(mask[..., None] for mask in (keeps, keeps_memory, valid)), strict=True
        )
        for each, kept, kept_memory, real in steps:
            entered = memory * kept_memory
            after = self._next_state(each + functional.linear(entered, memory_columns), state * kept)
            state = torch.where(real, after, state)
            memory = torch.where(real, torch.maximum(entered, after.detach()), memory)
            outputs.append(state)
            memory_before.append(entered)
        return PooledGruOutput(GruOutput(torch.stack(outputs), state), torch.stack(memory_before), memory)
