"""VLN↻BERT, the recurrent BERT (Hong, Wu, Qi, Rodriguez-Opazo and Gould, CVPR 2021).

A BERT reads the instruction once. At each step one token, which takes the place of the first word, remembers:
it is told where the agent looks, looks with the candidates at the words and at each other, and how much it
looks at each candidate says where to go. Stopping is a candidate of zeros.

`vlnbert_net` has the layers, with the names and shapes of the official checkpoints. Words are ids or,
with a vocabulary of 0, vectors that an encoder made of the sentence.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import partial

import torch
from torch import Tensor, nn

from vlnscope.agents.learned.alike import in_image_space, preferred
from vlnscope.agents.learned.hamt_transformer import CrossLayer, Words
from vlnscope.agents.learned.inputs import VisualInput, candidate_angles, own_angles
from vlnscope.agents.learned.layers import BertLayer, Critic
from vlnscope.agents.learned.layouts import AngleConvention, Layout, Size
from vlnscope.agents.learned.model import NavModel, State, masked_logits
from vlnscope.agents.learned.packing import Packing
from vlnscope.agents.learned.recurrent_bert.vlnbert_config import VlnBertConfig
from vlnscope.agents.learned.recurrent_bert.vlnbert_net import OscarNet, PrevalentNet
from vlnscope.agents.learned.recurrent_bert.vlnbert_transformer import Memory, Pooler


@dataclass(frozen=True)
class VlnBertState(State):
    """What VLN↻BERT remembers.

    Attributes:
        words: (B, L, hidden) the words.
        stored: (B, layers, L, 2 hidden) keys and values of the words, for each layer.
        word_mask: (B, L).
        alike: (B, L, image) the words as vectors of length 1 in the space of images; no columns if not used.
        token: (B, hidden) the token that remembers.
        kept: (B, image) by what image features are multiplied: their scale, and dropout.
    """

    words: Tensor
    stored: Tensor
    word_mask: Tensor
    alike: Tensor
    token: Tensor
    kept: Tensor


def _layout(init: str, inside: str, layers: str, candidates: str) -> Layout:
    """Return what official checkpoints of one of the two inits look like."""
    words = f"vln_bert/vln_bert.{inside}embeddings"
    return Layout(
        f"VLN↻BERT (Hong et al. 2021), as {init.upper()} begins",
        marks=(f"{words}.word_embeddings.weight", "vln_bert/action_state_project.0.weight"),
        sizes={
            "vocabulary": Size(f"{words}.word_embeddings.weight", 0),
            "max_positions": Size(f"{words}.position_embeddings.weight", 0),
            "hidden": Size(f"{words}.word_embeddings.weight", 1),
            "wide": Size(f"vln_bert/vln_bert.{inside}{layers}0.intermediate.dense.weight", 0),
            "angle_size": Size("vln_bert/action_state_project.0.weight", 1, less="hidden"),
            "image_size": Size(f"vln_bert/{candidates}", 1, less="angle_size"),
            "critic": Size("critic/state2value.0.weight", 0),
        },
        layers={
            "text_layers": f"vln_bert/vln_bert.{inside}{layers}",
            **({"cross_layers": "vln_bert/vln_bert.addlayer."} if init == "prevalent" else {}),
        },
        fixed={"init": init},
        features=("ResNet-152-places365.tsv",),
        angles=AngleConvention(own=True),
        keeps_end=True,
    )


class VlnBert(NavModel[VlnBertState]):
    """The model."""

    name = "vlnbert"
    Config = VlnBertConfig
    layouts = (
        _layout("oscar", "bert.", "encoder.layer.", "img_projection.weight"),
        _layout("prevalent", "", "lalayer.", "vln_bert.vision_encoder.visn_fc.weight"),
    )
    config: VlnBertConfig

    def __init__(self, config: VlnBertConfig) -> None:
        super().__init__(config)
        self.vln_bert = OscarNet(config) if config.init == "oscar" else PrevalentNet(config)
        self.critic = Critic(config.hidden, config.critic, config.dropout)
        for part in self.vln_bert.modules():  # projections begin otherwise: stopping is zeros plus a bias
            if isinstance(part, BertLayer | CrossLayer | Pooler | Words):
                part.apply(partial(_initialised, std=0.02 * (768 / config.hidden) ** 0.5))

    def start(self, tokens: Tensor, mask: Tensor) -> VlnBertState:
        """Read instructions."""
        net, packing = self.vln_bert.vln_bert, Packing.of(mask)
        words = net.read(self._embedded(tokens, packing), packing)
        stored = [packing.spread(each) for each in net.keep(words)]
        rows, config = len(tokens), self.config
        return VlnBertState(
            packing.spread(words),
            torch.stack(stored, dim=1),
            mask,
            self._alike(tokens, mask),
            net.first(packing.first(words)),
            self.drop_features(words.new_full((rows, config.image_size), config.feature_scale)),
        )

    def step(self, state: VlnBertState, visual: VisualInput) -> tuple[Tensor, VlnBertState]:
        """Look, and say where to go."""
        token = self.vln_bert.begin_step(state.token, self._told(state, visual))
        offered = self._offered(visual, state.kept)
        yes = torch.ones_like(visual.look[:, None].expand(-1, 2), dtype=torch.bool)
        packing = Packing.of(torch.cat([yes, visual.open], dim=1))
        memory = self._heeding(readable_words(state), state, visual)
        scores, token = self.vln_bert.step(token, offered, packing, memory)
        scores = torch.cat([scores[:, 1:], scores[:, :1]], dim=1)
        return masked_logits(scores, visual), replace(state, token=token)

    def value(self, state: VlnBertState) -> Tensor:
        """(B): what the critic expects."""
        values: Tensor = self.critic(state.token)
        return values

    def _embedded(self, tokens: Tensor, packing: Packing) -> Tensor:
        """(N, hidden): words, before they look at each other."""
        words = packing.pack(tokens)
        if not self.config.vocabulary:
            words = words.to(self.vln_bert.cand_LayerNorm.weight.dtype)
        if self.training and self.config.word_dropout:
            kept = torch.rand(len(words), device=words.device) >= self.config.word_dropout
            words = words * kept.view(-1, *[1] * (words.dim() - 1))
        places = packing.places - packing.rows * tokens.shape[1]
        embedded: Tensor = self.vln_bert.vln_bert.embeddings(words, places)
        return embedded

    def _alike(self, tokens: Tensor, mask: Tensor) -> Tensor:
        """(B, L, image): the words in the space of images; no columns if that is not used."""
        like = self.vln_bert.cand_LayerNorm.weight
        if not self.config.alike_heads:
            return like.new_zeros((*mask.shape, 0))
        return in_image_space(tokens.to(like.dtype), self.config.image_size) * mask[..., None]

    def _told(self, state: VlnBertState, visual: VisualInput) -> Tensor:
        """(B, angle) or (B, angle + image): what the token that remembers is told."""
        angle = own_angles(visual, self.config.angle_size)
        if not self.config.surroundings:
            return angle
        return torch.cat([angle, visual.images.mean(1) * state.kept], dim=1)

    def _offered(self, visual: VisualInput, kept: Tensor) -> Tensor:
        """(B, 1 + C, hidden): stopping and the candidates; zeros for padding."""
        packing = Packing.of(visual.open)
        what = visual.images[packing.rows, visual.views.flatten()[packing.places]]
        what = what * kept.index_select(0, packing.rows)
        where = packing.pack(candidate_angles(visual, self.config.angle_size))
        seen = torch.cat([what, where], dim=1)
        embedded = self.vln_bert.candidates(torch.cat([seen.new_zeros(1, seen.shape[1]), seen]))
        stop = embedded[None, :1].expand(len(visual.look), -1, -1)
        return torch.cat([stop, packing.spread(embedded[1:])], dim=1)

    def _heeding(self, memory: Memory, state: VlnBertState, visual: VisualInput) -> Memory:
        """Let some heads prefer words that are like what is seen, if they do."""
        config = self.config
        if not config.alike_heads:
            return memory
        heed = preferred(visual, state.alike, memory.readable, config.alike_heads, config.heads)
        return memory._replace(heed=heed)


def readable_words(state: VlnBertState) -> Memory:
    """Return the words as steps look at them: all but the first, in whose place a token remembers."""
    mask = state.word_mask
    readable = torch.cat([torch.zeros_like(mask[:, :1]), mask[:, 1:]], dim=1)
    return Memory(state.words, state.stored, readable, readable[:, None, None])


def _initialised(module: nn.Module, std: float) -> None:
    """Start as BERT does, with what layers say as large as in a BERT of its width."""
    if isinstance(module, nn.Linear | nn.Embedding):
        nn.init.normal_(module.weight, std=std)
    if isinstance(module, nn.Linear) and module.bias is not None:
        nn.init.zeros_(module.bias)
