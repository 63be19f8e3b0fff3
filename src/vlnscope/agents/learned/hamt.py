"""HAMT, the history-aware multimodal transformer (Chen, Guhur, Schmid and Laptev, NeurIPS 2021).

An instruction goes through a BERT. Each step walked becomes one history token: the view looked at, the
direction gone, and the whole panorama encoded by a small transformer of its own. What is seen now becomes a
token per candidate, one for stopping and one per other view. Cross-modal layers let words look at history and
visual and the other way round; a candidate is scored by its token times that of the words.

Parameters have the names and shapes of the official R2R and RxR checkpoints (``hamt_transformer``).
"""

from __future__ import annotations

from abc import abstractmethod
from dataclasses import dataclass, replace
from typing import Any, Self, TypeVar

import torch
from torch import Tensor

from vlnscope.agents.learned.hamt_transformer import CANDIDATE, OTHER, STOPPING, CrossModal, HamtConfig
from vlnscope.agents.learned.inputs import NOTHING, VisualInput, candidate_angles, panorama_angles
from vlnscope.agents.learned.layers import Critic
from vlnscope.agents.learned.layouts import Layout, Size
from vlnscope.agents.learned.model import NavModel, State
from vlnscope.worlds.graph.views import VIEWS


@dataclass(frozen=True)
class Moment(State):
    """The place seen last, which becomes history when it is known where the agent went from there.

    Attributes:
        image: (B, D) the view looked at.
        panorama: (B, 36, D) all views.
        look: (B) which view was looked at.
        offered: (B, C, A) angle features of the candidates.
        step: (B) number of the step.
        real: (B) whether there was such a place.
    """

    image: Tensor
    panorama: Tensor
    look: Tensor
    offered: Tensor
    step: Tensor
    real: Tensor

    def action(self, taken: Tensor) -> Tensor:
        """(B, A): the angle feature of the candidate taken; zeros if none was."""
        if not self.offered.shape[1]:
            return self.offered.new_zeros(len(taken), self.offered.shape[2])
        rows = torch.arange(len(taken), device=taken.device)
        chosen = self.offered[rows, taken.clamp(0, self.offered.shape[1] - 1)]
        return chosen * (taken != NOTHING)[:, None]


@dataclass(frozen=True)
class HamtState(State):
    """What HAMT remembers.

    Attributes:
        read: (B, n, L, hidden) the words, as `CrossModal.read` returns them.
        word_mask: (B, L).
        history: (B, T, hidden) the tokens of this episode, the learned one first.
        history_mask: (B, T).
        last: the place seen last.
        summary: (B, hidden) what the critic looks at.
    """

    read: Tensor
    word_mask: Tensor
    history: Tensor
    history_mask: Tensor
    last: Moment
    summary: Tensor

    def trimmed(self) -> Self:
        """Return the same without history that no row has."""
        used = self.history_mask.any(0)
        return replace(self, history=self.history[:, used], history_mask=self.history_mask[:, used])


H = TypeVar("H", bound=HamtState)

_IN = "vln_bert/vln_bert."
"""How the names of the transformer's weights begin in official checkpoints."""


def hamt_layout(
    title: str,
    *marks: str,
    features: tuple[str, ...] = ("pth_vit_base_patch16_224_imagenet_r2r.e2e.ft.22k.hdf5",),
    **more: Any,
) -> Layout:
    """Return what official checkpoints of HAMT and its kin look like; `more` as `Layout` has it."""
    return Layout(
        title,
        marks=(f"{_IN}img_embeddings.ang_linear.weight", *marks),
        sizes={
            "vocabulary": Size(f"{_IN}embeddings.word_embeddings.weight", 0),
            "max_positions": Size(f"{_IN}embeddings.position_embeddings.weight", 0),
            "hidden": Size(f"{_IN}embeddings.word_embeddings.weight", 1),
            "wide": Size(f"{_IN}encoder.layer.0.intermediate.dense.weight", 0),
            "image_size": Size(f"{_IN}img_embeddings.img_linear.weight", 1),
            "angle_size": Size(f"{_IN}img_embeddings.ang_linear.weight", 1),
            "max_steps": Size(f"{_IN}hist_embeddings.position_embeddings.weight", 0),
            "critic": Size("critic/state2value.0.weight", 0),
        },
        layers={
            "text_layers": f"{_IN}encoder.layer.",
            "cross_layers": f"{_IN}encoder.x_layers.",
            "pano_layers": f"{_IN}hist_embeddings.pano_encoder.layer.",
        },
        features=features,
        **more,
    )


class HamtBase(NavModel[H]):
    """What HAMT and its kin for tours share."""

    config: HamtConfig

    def __init__(self, config: HamtConfig) -> None:
        super().__init__(config)
        self.vln_bert = CrossModal(config)
        self.critic = Critic(config.hidden, config.critic, config.dropout)

    def value(self, state: H) -> Tensor:
        """(B): what the critic expects."""
        values: Tensor = self.critic(state.summary)
        return values

    def begun(self, tokens: Tensor, mask: Tensor) -> HamtState:
        """Return the state in which an agent has read and not yet looked."""
        with torch.set_grad_enabled(self.config.train_text and torch.is_grad_enabled()):
            read = self.vln_bert.read(tokens, mask)
        rows, (config, blank) = len(tokens), (self.config, read.new_zeros)
        last = Moment(
            blank(rows, config.image_size),
            blank(rows, VIEWS if config.pano_layers else 0, config.image_size),
            tokens.new_zeros(rows),
            blank(rows, 0, config.angle_size),
            tokens.new_full((rows,), NOTHING),
            torch.zeros_like(mask[:, 0]),
        )
        learned = self.vln_bert.hist_embeddings
        first = learned.token(learned.cls_token, rows)[:, None]
        return HamtState(read, mask, first, torch.ones_like(mask[:, :1]), last, blank(rows, config.hidden))

    def remembered(self, last: Moment, taken: Tensor) -> Tensor:
        """(B, 1, hidden): the history token of the place seen last."""
        with torch.set_grad_enabled(self.config.train_history and torch.is_grad_enabled()):
            angles = panorama_angles(last.look, self.config.angle_size, last.panorama)
            token: Tensor = self.vln_bert.hist_embeddings(
                last.image, last.action(taken), last.panorama, angles[:, : last.panorama.shape[1]], last.step
            )
        return token[:, None]

    @abstractmethod
    def walked(self, state: H, taken: Tensor) -> H:
        """Make the place seen last history, now that it is known where the agent went."""

    @abstractmethod
    def looked(self, state: H, now: Moment) -> H:
        """Note the place seen now."""

    @abstractmethod
    def history_of(self, state: H) -> tuple[Tensor, Tensor]:
        """Return the tokens of history that are looked at (B, T, hidden), and their mask (B, T)."""

    def observe(self, state: H, visual: VisualInput) -> H:
        """Look without deciding, which needs no cross-modal layers."""
        visual = self.dropped(visual)
        if state.last.real.any():
            state = self.walked(state, visual.taken)
        return self.looked(state, self._moment(state.last, visual))

    def step(self, state: H, visual: VisualInput) -> tuple[Tensor, H]:
        """Look, and say where to go."""
        visual = self.dropped(visual)
        if state.last.real.any():
            state = self.walked(state, visual.taken)
        logits, summary = self._decided(state, visual)
        now = self._moment(state.last, visual)
        return logits, replace(self.looked(state, now), summary=summary)

    def _moment(self, last: Moment, visual: VisualInput) -> Moment:
        return Moment(
            visual.front,
            visual.images[:, : last.panorama.shape[1]],
            visual.look,
            candidate_angles(visual, self.config.angle_size),
            last.step + 1,
            torch.ones_like(last.real),
        )

    def _decided(self, state: H, visual: VisualInput) -> tuple[Tensor, Tensor]:
        """Return logits over candidates and stopping, and what the critic looks at."""
        history, scored = self.history_of(state), visual.open.shape[1] + 1
        looked = self.vln_bert.look(state.read, state.word_mask, *history, self._visuals(visual), scored)
        summary = looked.history[:, 0]
        if not self.config.no_lang_ca:
            summary = summary * looked.words[:, 0]
        return looked.logits, summary

    def _visuals(self, visual: VisualInput) -> tuple[Tensor, Tensor, Tensor, Tensor]:
        """Return images, angles, kinds and mask of the candidates, stopping, and all 36 views.

        Views that have a candidate are masked, so that each is seen once, as in the official layout; tokens
        of visuals have no positions, so their order does not matter.
        """
        rows, size = len(visual.look), self.config.angle_size
        images, angles = visual.candidate_images, candidate_angles(visual, size)
        parts = [(images, angles, CANDIDATE, visual.open)]
        yes = torch.ones_like(visual.look[:, None], dtype=torch.bool)
        parts.append(
            (images.new_zeros(rows, 1, images.shape[2]), angles.new_zeros(rows, 1, size), STOPPING, yes)
        )
        if self.config.panorama:
            own = torch.zeros(rows, VIEWS + 1, dtype=torch.bool, device=yes.device)
            own = own.scatter(1, visual.views.masked_fill(~visual.open, VIEWS), True)[:, :VIEWS]
            parts.append((visual.images, panorama_angles(visual.look, size, visual.images), OTHER, ~own))
        kinds = [visual.look.new_full(mask.shape, kind) for _, _, kind, mask in parts]
        return (
            torch.cat([part[0] for part in parts], dim=1),
            torch.cat([part[1] for part in parts], dim=1),
            torch.cat(kinds, dim=1),
            torch.cat([part[3] for part in parts], dim=1),
        )


class Hamt(HamtBase[HamtState]):
    """HAMT: remembers the steps of an episode, and nothing of the episodes before."""

    name = "hamt"
    Config = HamtConfig
    layouts = (
        hamt_layout("HAMT (Chen et al. 2021)", f"{_IN}hist_embeddings.cls_token"),
        hamt_layout(
            "HAMT for RxR (Chen et al. 2021)",
            f"{_IN}hist_embeddings.cls_token",
            only={"vocabulary": (250002,)},
            fixed={"layer_norm_eps": 1e-5, "no_lang_ca": True, "max_tokens": 250},
            features=("CLIP-ViT-B-32-views.tsv",),
            words="XLM-R",
        ),
    )

    def start(self, tokens: Tensor, mask: Tensor) -> HamtState:
        """Read instructions."""
        return self.begun(tokens, mask)

    def walked(self, state: HamtState, taken: Tensor) -> HamtState:
        """Make the place seen last history."""
        history = torch.cat([state.history, self.remembered(state.last, taken)], dim=1)
        mask = torch.cat([state.history_mask, state.last.real[:, None]], dim=1)
        return replace(state, history=history, history_mask=mask)

    def looked(self, state: HamtState, now: Moment) -> HamtState:
        """Note the place seen now."""
        return replace(state, last=now)

    def history_of(self, state: HamtState) -> tuple[Tensor, Tensor]:
        """Return the history that is looked at: all there is."""
        return state.history, state.history_mask
