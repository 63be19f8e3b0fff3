"""The transformer of HAMT: words, history and visuals, each embedded, then looking at each other.

Parameters have the names and shapes of the official code's ``vln_bert``; `hamt` feeds it.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar, NamedTuple, Protocol

import torch
from torch import Tensor, nn

from vlnscope.agents.learned.layers import (
    EPS,
    AddNorm,
    BertLayer,
    CrossAttention,
    LayerSizes,
    SelfAttention,
    TransformerConfig,
    Widen,
)
from vlnscope.agents.learned.network import presets

OTHER, CANDIDATE, STOPPING = 0, 1, 2
"""Kinds of observation tokens (``nav_types``)."""


@dataclass(frozen=True, kw_only=True)
class HamtConfig(TransformerConfig):
    """Sizes of HAMT.

    Attributes:
        pano_layers: layers that encode panoramas for the history; none leaves panoramas out of it.
        max_steps: positions of history that have an embedding; later steps share the last.
        no_lang_ca: words do not look at what is seen, as in the agent for RxR.
        panorama: whether views without a candidate are seen, too.
        train_text: whether the text encoder learns.
        train_history: whether the history encoder learns.
    """

    PRESETS: ClassVar = presets("hamt")

    pano_layers: int = 2
    max_steps: int = 100
    no_lang_ca: bool = False
    panorama: bool = True
    train_text: bool = True
    train_history: bool = True


class WordSizes(Protocol):
    """What `Words` are made of; see `HamtConfig`."""

    @property
    def vocabulary(self) -> int:
        """How many words there are."""

    @property
    def hidden(self) -> int:
        """Width of tokens."""

    @property
    def max_positions(self) -> int:
        """Positions that have an embedding."""

    @property
    def layer_norm_eps(self) -> float:
        """Of the layer norm."""

    @property
    def dropout(self) -> float:
        """In training."""


class Words(nn.Module):
    """Embeddings of words: of ids or, with a `word_size`, of vectors that wide."""

    def __init__(self, config: WordSizes, word_size: int = 0) -> None:
        super().__init__()
        self.word_embeddings: nn.Module = (
            nn.Linear(word_size, config.hidden)
            if word_size
            else nn.Embedding(config.vocabulary, config.hidden, padding_idx=0)
        )
        self.position_embeddings = nn.Embedding(config.max_positions, config.hidden)
        self.token_type_embeddings = nn.Embedding(2, config.hidden)
        self.LayerNorm = nn.LayerNorm(config.hidden, eps=config.layer_norm_eps)
        self.dropout = nn.Dropout(config.dropout)

    def forward(self, tokens: Tensor, places: Tensor | None = None) -> Tensor:
        """(B, L, hidden); of packed tokens, with their `places` (N) in their texts, (N, hidden)."""
        if places is None:
            places = torch.arange(tokens.shape[1], device=tokens.device)
        kind = self.token_type_embeddings.weight[0]
        mixed = self.word_embeddings(tokens) + self.position_embeddings(places) + kind
        normed: Tensor = self.dropout(self.LayerNorm(mixed))
        return normed


class Images(nn.Module):
    """Embeddings of what is seen now."""

    def __init__(self, config: HamtConfig) -> None:
        super().__init__()
        self.img_linear = nn.Linear(config.image_size, config.hidden)
        self.img_layer_norm = nn.LayerNorm(config.hidden, eps=EPS)
        self.ang_linear = nn.Linear(config.angle_size, config.hidden)
        self.ang_layer_norm = nn.LayerNorm(config.hidden, eps=EPS)
        self.nav_type_embedding = nn.Embedding(3, config.hidden)
        self.layer_norm = nn.LayerNorm(config.hidden, eps=EPS)
        self.dropout = nn.Dropout(config.dropout)

    def forward(self, images: Tensor, angles: Tensor, kinds: Tensor, modality: Tensor) -> Tensor:
        """(B, n, hidden); `modality` is the embedding that says that this is no word."""
        mixed = self.img_layer_norm(self.img_linear(images)) + self.ang_layer_norm(self.ang_linear(angles))
        mixed = mixed + modality + self.nav_type_embedding(kinds)
        normed: Tensor = self.dropout(self.layer_norm(mixed))
        return normed


class PanoramaEncoder(nn.Module):
    """A small transformer over the views of a panorama."""

    def __init__(self, config: HamtConfig) -> None:
        super().__init__()
        self.layer = nn.ModuleList(BertLayer(config.block) for _ in range(config.pano_layers))

    def forward(self, views: Tensor) -> Tensor:
        """(B, hidden): the mean over the views."""
        for layer in self.layer:
            views = layer(views, None)
        return views.mean(1)


class History(nn.Module):
    """Embeddings of steps that were walked."""

    def __init__(self, config: HamtConfig) -> None:
        super().__init__()
        hidden = config.hidden
        self.cls_token = nn.Parameter(torch.zeros(1, 1, hidden))
        self.img_linear = nn.Linear(config.image_size, hidden)
        self.img_layer_norm = nn.LayerNorm(hidden, eps=EPS)
        self.ang_linear = nn.Linear(config.angle_size, hidden)
        self.ang_layer_norm = nn.LayerNorm(hidden, eps=EPS)
        self.position_embeddings = nn.Embedding(config.max_steps, hidden)
        self.type_embedding = nn.Embedding(1, hidden)
        self.layer_norm = nn.LayerNorm(hidden, eps=EPS)
        self.dropout = nn.Dropout(config.dropout)
        self.pano_encoder: PanoramaEncoder | None = None
        if config.pano_layers:
            self.pano_img_linear = nn.Linear(config.image_size, hidden)
            self.pano_img_layer_norm = nn.LayerNorm(hidden, eps=EPS)
            self.pano_ang_linear = nn.Linear(config.angle_size, hidden)
            self.pano_ang_layer_norm = nn.LayerNorm(hidden, eps=EPS)
            self.pano_encoder = PanoramaEncoder(config)

    def token(self, learned: Tensor, rows: int) -> Tensor:
        """(B, hidden): a learned token, such as that with which a history begins."""
        normed: Tensor = self.layer_norm(learned[:, 0] + self.type_embedding.weight)
        dropped: Tensor = self.dropout(normed.expand(rows, -1))
        return dropped

    def forward(
        self, images: Tensor, angles: Tensor, views: Tensor, view_angles: Tensor, steps: Tensor
    ) -> Tensor:
        """(B, hidden): one step each.

        Args:
            images: (B, D) the view looked at.
            angles: (B, A) the direction gone.
            views: (B, 36, D) the panorama.
            view_angles: (B, 36, A) where its views lie.
            steps: (B) number of the step.
        """
        position = steps.clamp(0, self.position_embeddings.num_embeddings - 1)
        mixed = self.img_layer_norm(self.img_linear(images)) + self.ang_layer_norm(self.ang_linear(angles))
        mixed = mixed + self.position_embeddings(position) + self.type_embedding.weight
        if self.pano_encoder is not None:
            seen = self.pano_img_layer_norm(self.pano_img_linear(views))
            seen = seen + self.pano_ang_layer_norm(self.pano_ang_linear(view_angles))
            mixed = mixed + self.pano_encoder(self.dropout(seen))
        normed: Tensor = self.dropout(self.layer_norm(mixed))
        return normed


class CrossLayer(nn.Module):
    """A layer in which words and visuals look at each other (LXMERT)."""

    def __init__(self, block: LayerSizes) -> None:
        super().__init__()
        self.lang_self_att = SelfAttention(block)
        self.lang_inter = Widen(block)
        self.lang_output = AddNorm(block.wide, block)
        self.visn_self_att = SelfAttention(block)
        self.visn_inter = Widen(block)
        self.visn_output = AddNorm(block.wide, block)
        self.visual_attention = CrossAttention(block)

    def words(self, words: Tensor, mask: Tensor, first: int | None = None) -> Tensor:
        """Let words look at each other, and return the `first` of them; all if not given."""
        words = self.lang_self_att(words, mask, first)
        said: Tensor = self.lang_output(self.lang_inter(words), words)
        return said

    def visuals(self, visuals: Tensor, mask: Tensor, first: int | None = None) -> Tensor:
        """Let visuals look at each other, and return the `first` of them; all if not given."""
        visuals = self.visn_self_att(visuals, mask, first)
        shown: Tensor = self.visn_output(self.visn_inter(visuals), visuals)
        return shown

    def cross(self, asking: Tensor, context: Tensor, mask: Tensor) -> Tensor:
        """Let words look at visuals, or visuals at words: both with the same weights."""
        mixed: Tensor = self.visual_attention(asking, context, mask)
        return mixed


class HamtEncoder(nn.Module):
    """The text layers and the cross-modal layers."""

    def __init__(self, config: HamtConfig) -> None:
        super().__init__()
        self.layer = nn.ModuleList(BertLayer(config.block) for _ in range(config.text_layers))
        self.x_layers = nn.ModuleList(CrossLayer(config.block) for _ in range(config.cross_layers))

    def cross_layers(self) -> list[CrossLayer]:
        """Return the cross-modal layers."""
        return [layer for layer in self.x_layers if isinstance(layer, CrossLayer)]


class NextAction(nn.Module):
    """Scores tokens."""

    def __init__(self, config: HamtConfig) -> None:
        super().__init__()
        self.net = nn.Sequential(
            nn.Linear(config.hidden, config.hidden),
            nn.ReLU(),
            nn.LayerNorm(config.hidden, eps=EPS),
            nn.Dropout(config.dropout),
            nn.Linear(config.hidden, 1),
        )

    def forward(self, tokens: Tensor) -> Tensor:
        """(B, n)."""
        scores: Tensor = self.net(tokens).squeeze(-1)
        return scores


class Looked(NamedTuple):
    """What the cross-modal layers make of a moment: scores of the visuals, and all tokens."""

    logits: Tensor
    words: Tensor
    history: Tensor
    visuals: Tensor


class CrossModal(nn.Module):
    """The whole transformer (``vln_bert``)."""

    def __init__(self, config: HamtConfig) -> None:
        super().__init__()
        self.no_lang_ca = config.no_lang_ca
        self.embeddings = Words(config)
        self.img_embeddings = Images(config)
        self.hist_embeddings = History(config)
        self.encoder = HamtEncoder(config)
        self.next_action = NextAction(config)
        self.apply(_initialised)
        nn.init.normal_(self.hist_embeddings.cls_token, std=0.02)

    def read(self, tokens: Tensor, mask: Tensor) -> Tensor:
        """(B, n, L, hidden): the words, as each of n cross-modal layers starts from them.

        n is 1 where words look at visuals. Where they do not (`no_lang_ca`), what a layer needs of them does
        not depend on what is seen: n is one more than there are layers, for the words after the last.
        """
        words: Tensor = self.embeddings(tokens)
        for layer in self.encoder.layer:
            words = layer(words, mask)
        later = [layer.words(words, mask) for layer in self.encoder.cross_layers()] if self.no_lang_ca else []
        return torch.stack([words, *later], dim=1)

    def look(
        self,
        read: Tensor,
        word_mask: Tensor,
        history: Tensor,
        history_mask: Tensor,
        visuals: tuple[Tensor, Tensor, Tensor, Tensor],
        scored: int | None = None,
    ) -> Looked:
        """Let words, history and visuals look at each other.

        Args:
            read: what `read` returned.
            word_mask: (B, L).
            history: (B, T, hidden).
            history_mask: (B, T).
            visuals: images, angles, kinds and mask of what is seen, (B, n, …) each.
            scored: how many of the visuals, from the first, matter in the end; all if not given. The last
                layer then leaves out all other visuals, and all words but the first.
        """
        images, angles, kinds, visual_mask = visuals
        modality = self.embeddings.token_type_embeddings.weight[1]
        tokens = torch.cat([history, self.img_embeddings(images, angles, kinds, modality)], dim=1)
        mask = torch.cat([history_mask, visual_mask], dim=1)
        words, layers = read[:, 0], self.encoder.cross_layers()
        for number, layer in enumerate(layers):
            few = scored is not None and number == len(layers) - 1
            shown = layer.cross(tokens, words, word_mask)
            if self.no_lang_ca:
                words = read[:, number + 1]
            else:
                words = layer.words(layer.cross(words, tokens, mask), word_mask, 1 if few else None)
            tokens = layer.visuals(shown, mask, history.shape[1] + (scored or 0) if few else None)
        old, new = tokens[:, : history.shape[1]], tokens[:, history.shape[1] :]
        scores: Tensor = self.next_action(new if self.no_lang_ca else new * words[:, :1])
        closed = ((kinds == OTHER) | ~visual_mask)[:, : new.shape[1]]
        return Looked(scores.masked_fill(closed, -torch.inf), words, old, new)


def _initialised(module: nn.Module) -> None:
    """Start as BERT does."""
    if isinstance(module, nn.Linear | nn.Embedding):
        nn.init.normal_(module.weight, std=0.02)
    if isinstance(module, nn.Linear) and module.bias is not None:
        nn.init.zeros_(module.bias)
