"""TourHAMT: HAMT with a history that reaches back over a tour (Krantz et al., CVPR 2023, section 4.1).

What was walked in earlier episodes, oracle phases included, stays in the history. Four flags make the rows of
the paper's Table 2:

====  ======================  ==============================================================================
PH    `extended_history`      earlier episodes are remembered at all
TH    `train_history`         the history encoder learns; what is remembered is encoded anew in each episode
PHI   `sep_hist`              a learned token begins the earlier history, the usual one the present episode
IW    `inflection_weighting`  in imitation, steps that turn or stop count more (`inflection_weights`)
====  ======================  ==============================================================================

At most `max_steps` tokens are kept, the latest. A step keeps the position that it had in its own episode; the
paper and its code leave open what else could be meant.
"""

from __future__ import annotations

import math
from dataclasses import dataclass, fields, replace
from typing import ClassVar, Self

import torch
from torch import Tensor, nn

from vlnscope.agents.learned.hamt import HamtBase, HamtState, Moment, hamt_layout
from vlnscope.agents.learned.hamt_transformer import HamtConfig
from vlnscope.agents.learned.inputs import panorama_angles
from vlnscope.agents.learned.model import State
from vlnscope.agents.learned.network import presets


@dataclass(frozen=True, kw_only=True)
class TourHamtConfig(HamtConfig):
    """Sizes of TourHAMT, and its flags (see the module)."""

    PRESETS: ClassVar = presets("tour_hamt")

    extended_history: bool = True
    sep_hist: bool = True
    inflection_weighting: bool = True


@dataclass(frozen=True)
class Trail(State):
    """Steps as they were seen, to be encoded anew; (B, P, …) each.

    Attributes:
        images: the views looked at.
        panoramas: all views.
        looks: which views were looked at.
        actions: angle features of the directions gone.
        steps: number of each step in its episode.
        real: which there are.
    """

    images: Tensor
    panoramas: Tensor
    looks: Tensor
    actions: Tensor
    steps: Tensor
    real: Tensor

    def added(self, last: Moment, action: Tensor) -> Trail:
        """Return the trail with one more step."""
        step = (last.image, last.panorama, last.look, action, last.step, last.real)
        return Trail(
            *(torch.cat([old, new[:, None]], 1) for old, new in zip(self.tensors(), step, strict=True))
        )

    def latest(self, most: int) -> Trail:
        """Return the latest steps of each row, at most so many."""
        order, real = _latest(self.real, most)
        return replace(Trail(*(_ordered(column, order) for column in self.tensors())), real=real)

    def tensors(self) -> tuple[Tensor, ...]:
        """Return all columns."""
        return tuple(getattr(self, field.name) for field in fields(self))


@dataclass(frozen=True)
class TourHamtState(HamtState):
    """What TourHAMT remembers besides.

    Attributes:
        past: (B, P, hidden) history tokens of earlier episodes.
        past_mask: (B, P).
        trail: all steps as they were seen; none if the history encoder does not learn.
        carried: (B) whether the place seen last belongs to the episode before.
    """

    past: Tensor
    past_mask: Tensor
    trail: Trail
    carried: Tensor

    def trimmed(self) -> Self:
        """Return the same without columns that no row uses."""
        used, real = self.past_mask.any(0), self.trail.real.any(0)
        trail = Trail(*(column[:, real] for column in self.trail.tensors()))
        return replace(
            super().trimmed(), past=self.past[:, used], past_mask=self.past_mask[:, used], trail=trail
        )


class TourHamt(HamtBase[TourHamtState]):
    """HAMT that remembers a tour."""

    name = "tour_hamt"
    Config = TourHamtConfig
    layouts = (
        hamt_layout(
            "TourHAMT (Krantz et al. 2023)",
            "vln_bert/vln_bert.hist_embeddings.cls_token",
            "vln_bert/vln_bert.hist_embeddings.prev_hist_token",
        ),
    )
    config: TourHamtConfig

    def __init__(self, config: TourHamtConfig) -> None:
        super().__init__(config)
        self.forgets = not config.extended_history
        if config.sep_hist:
            token = nn.Parameter(torch.empty(1, 1, config.hidden))
            nn.init.normal_(token, std=0.02)
            self.vln_bert.hist_embeddings.register_parameter("prev_hist_token", token)

    def start(self, tokens: Tensor, mask: Tensor) -> TourHamtState:
        """Begin a tour."""
        fresh = self.begun(tokens, mask)
        last = fresh.last
        columns = (last.image, last.panorama, last.look, last.offered.sum(1), last.step, last.real)
        trail = Trail(*(column[:, None][:, :0] for column in columns))
        return self._state(fresh, fresh.history[:, :0], fresh.history_mask[:, :0], trail, last.real)

    def resume(self, state: TourHamtState, tokens: Tensor, mask: Tensor) -> TourHamtState:
        """Begin the next episode of a tour; gradients do not reach back into the one before."""
        if self.forgets:
            return self.start(tokens, mask)
        most = self.config.max_steps
        trail = state.trail.latest(most)
        if self.config.train_history:
            past, past_mask = self._encoded(trail), trail.real
        else:
            both = torch.cat([state.past, state.history[:, 1:]], dim=1).detach()
            order, past_mask = _latest(torch.cat([state.past_mask, state.history_mask[:, 1:]], dim=1), most)
            past = _ordered(both, order)
        fresh = replace(self.begun(tokens, mask), last=state.last)
        return self._state(fresh, past, past_mask, trail, torch.ones_like(state.carried))

    def walked(self, state: TourHamtState, taken: Tensor) -> TourHamtState:
        """Make the place seen last history: of this episode, or of those before."""
        last, carried, trail = state.last, state.carried, state.trail
        token = self.remembered(last, taken)
        if self.config.train_history and not self.forgets:
            trail = trail.added(last, last.action(taken))
        past, past_mask = state.past, state.past_mask
        if carried.any():
            past = torch.cat([past, token], dim=1)
            past_mask = torch.cat([past_mask, (last.real & carried)[:, None]], dim=1)
        return replace(
            state,
            history=torch.cat([state.history, token], dim=1),
            history_mask=torch.cat([state.history_mask, (last.real & ~carried)[:, None]], dim=1),
            past=past,
            past_mask=past_mask,
            trail=trail,
        )

    def looked(self, state: TourHamtState, now: Moment) -> TourHamtState:
        """Note the place seen now; the first of an episode is its step 0."""
        now = replace(now, step=now.step.masked_fill(state.carried, 0))
        return replace(state, last=now, carried=torch.zeros_like(state.carried))

    def step_weights(self, turns: Tensor, stops: Tensor, valid: Tensor) -> Tensor:
        """Return how much each step counts in imitation; see `inflection_weights`."""
        if not self.config.inflection_weighting:
            return super().step_weights(turns, stops, valid)
        return inflection_weights(turns, stops, valid)

    def _state(
        self, fresh: HamtState, past: Tensor, mask: Tensor, trail: Trail, carried: Tensor
    ) -> TourHamtState:
        own = {field.name: getattr(fresh, field.name) for field in fields(fresh)}
        return TourHamtState(**own, past=past, past_mask=mask, trail=trail, carried=carried)

    def _encoded(self, trail: Trail) -> Tensor:
        """(B, P, hidden): a trail as history tokens."""
        flat = Trail(*(column.flatten(0, 1) for column in trail.tensors()))
        angles = panorama_angles(flat.looks, self.config.angle_size, flat.panoramas)
        angles = angles[:, : flat.panoramas.shape[1]]
        tokens: Tensor = self.vln_bert.hist_embeddings(
            flat.images, flat.actions, flat.panoramas, angles, flat.steps
        )
        return tokens.view(*trail.real.shape, -1)

    def history_of(self, state: TourHamtState) -> tuple[Tensor, Tensor]:
        """Return the tokens that are looked at, and their mask."""
        learned, rows = self.vln_bert.hist_embeddings, len(state.past)
        heads, first = 1, [state.history[:, :1]]
        if self.config.sep_hist:
            heads, first = 2, [learned.token(learned.get_parameter("prev_hist_token"), rows)[:, None], *first]
        steps = torch.cat([state.past_mask, state.history_mask[:, 1:]], dim=1)
        steps = steps & (_from_end(steps) <= self.config.max_steps - heads)
        old, new = steps[:, : state.past.shape[1]], steps[:, state.past.shape[1] :]
        yes = torch.ones_like(state.history_mask[:, :1])
        tokens = [first[0], state.past, *first[1:], state.history[:, 1:]]
        return torch.cat(tokens, dim=1), torch.cat([yes, old, *[yes] * (heads - 1), new], dim=1)


def inflection_weights(turns: Tensor, stops: Tensor, valid: Tensor) -> Tensor:
    """Weigh the steps of demonstrations: those where something changes count more (Wijmans et al. 2019).

    A step is an inflection if it turns by more than 60° (as the number says, not wrapped) or stops. It counts
    as often as there are steps per inflection in its episode; other steps count once.

    Args:
        turns: (B, T) change of heading.
        stops: (B, T) whether the step stops.
        valid: (B, T) which steps there are.

    Example:
        >>> turns, stops = torch.tensor([[0.0, 2.0, 0.1, 0.0]]), torch.tensor([[False, False, False, True]])
        >>> inflection_weights(turns, stops, torch.ones_like(stops)).tolist()
        [[1.0, 2.0, 1.0, 2.0]]
    """
    changes = ((turns.abs() > math.pi / 3) | stops) & valid
    share = valid.sum(1, keepdim=True) / changes.sum(1, keepdim=True).clamp(min=1)
    return torch.where(changes, share, 1.0).to(turns.dtype) * valid


def _from_end(mask: Tensor) -> Tensor:
    """Number what is valid in each row from its end, beginning with 1."""
    return mask.flip(1).cumsum(1).flip(1)


def _latest(mask: Tensor, most: int) -> tuple[Tensor, Tensor]:
    """Return the places of the latest valid entries of each row, at most so many, and their mask."""
    kept = mask & (_from_end(mask) <= most)
    size = int(kept.sum(1).max()) if kept.numel() else 0
    order = kept.int().argsort(dim=1, descending=True, stable=True)[:, :size]
    return order, kept.gather(1, order)


def _ordered(column: Tensor, order: Tensor) -> Tensor:
    rows = torch.arange(len(order), device=order.device)[:, None]
    return column[rows, order]
