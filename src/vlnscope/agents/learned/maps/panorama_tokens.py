"""Panoramas as tokens, as DUET and its kin have them: candidates first, then the views that have none.

Angles are relative to the view that an agent looks at, in heading *and elevation*, unlike those of HAMT,
EnvDrop and VLN-BERT, whose elevations are absolute: features of places made for one do not fit the other.
"""

from __future__ import annotations

from typing import NamedTuple

import torch
from torch import Tensor, nn
from torch.nn import functional

from vlnscope.agents.learned.inputs import VisualInput, candidate_angles, panorama_angles
from vlnscope.agents.learned.layers import EPS, RowDropout
from vlnscope.agents.learned.maps.map_config import MapConfig
from vlnscope.worlds.graph.views import VIEWS

OTHER, CANDIDATE = 0, 1
"""Kinds of tokens (``nav_type_embedding``; a third is for objects)."""
BOX = 3
"""Numbers for the size of an object's box, which is 1 for views."""


class PanoramaTokens(NamedTuple):
    """What is seen from where agents stand, as tokens: C candidates come first, then the other views.

    Attributes:
        tokens: (B, C + 36, H); (B, C + 1, H) where all views together are one token.
        mask: (B, C + 36) which there are: a view that has a candidate is left out.
    """

    tokens: Tensor
    mask: Tensor

    @property
    def mean(self) -> Tensor:
        """(B, H): the place as one token."""
        shares = self.mask.to(self.tokens.dtype)[:, None]
        return (shares @ self.tokens)[:, 0] / shares.sum(2)


class TokenEncoder(nn.Module):
    """Makes tokens of candidates and views, and lets them look at each other (``img_embeddings``)."""

    def __init__(self, sizes: MapConfig) -> None:
        super().__init__()
        hidden = sizes.hidden
        self.angle_size, self.panorama = sizes.angle_size, sizes.panorama
        self.img_linear = nn.Linear(sizes.image_size, hidden)
        self.img_layer_norm = nn.LayerNorm(hidden, eps=EPS)
        self.loc_linear = nn.Linear(sizes.angle_size + BOX, hidden)
        self.loc_layer_norm = nn.LayerNorm(hidden, eps=EPS)
        self.nav_type_embedding = nn.Embedding(3, hidden)
        self.layer_norm = nn.LayerNorm(hidden, eps=EPS)
        self.dropout = (RowDropout if sizes.dropout_by_row else nn.Dropout)(sizes.dropout)
        self.pano_encoder = PreNormEncoder(sizes) if sizes.pano_layers else None

    def forward(self, visual: VisualInput, kind: Tensor) -> PanoramaTokens:
        """Look around; `kind` (H) is the embedding that says that these are no words."""
        candidates = self.embedded(
            visual.candidate_images, candidate_angles(visual, self.angle_size, tilted=True), CANDIDATE, kind
        )
        others, there = visual.images, ~views_of(visual)
        where = panorama_angles(visual.look, self.angle_size, others, tilted=True)
        if not self.panorama:
            others, where = others.mean(1, keepdim=True), torch.zeros_like(where[:, :1])
            there = torch.ones_like(there[:, :1])
        tokens = torch.cat([candidates, self.embedded(others, where, OTHER, kind)], dim=1)
        mask = torch.cat([visual.open, there], dim=1)
        if self.pano_encoder is not None:
            tokens = self.pano_encoder(tokens, mask)
        return PanoramaTokens(tokens, mask)

    def embedded(self, images: Tensor, where: Tensor, number: int, kind: Tensor) -> Tensor:
        """(B, n, H): images and directions, before they look at each other."""
        places = functional.pad(where, (0, BOX), value=1.0)
        mixed = self.img_layer_norm(self.img_linear(images)) + self.loc_layer_norm(self.loc_linear(places))
        tokens: Tensor = self.layer_norm(mixed + self.nav_type_embedding.weight[number] + kind)
        dropped: Tensor = self.dropout(tokens)
        return dropped


def views_of(visual: VisualInput) -> Tensor:
    """(B, 36): which views have a candidate."""
    own = visual.open.new_zeros(len(visual.look), VIEWS + 1)
    return own.scatter(1, visual.views.masked_fill(~visual.open, VIEWS), True)[:, :VIEWS]


class PreNormEncoder(nn.Module):
    """A transformer that normalises what enters its layers; parameters are named as those of torch."""

    def __init__(self, sizes: MapConfig) -> None:
        super().__init__()
        self.layers = nn.ModuleList(PreNormLayer(sizes) for _ in range(sizes.pano_layers))
        self.norm = nn.LayerNorm(sizes.hidden, eps=EPS)

    def forward(self, tokens: Tensor, mask: Tensor) -> Tensor:
        """(B, n, H)."""
        for layer in self.layers:
            tokens = layer(tokens, mask)
        normed: Tensor = self.norm(tokens)
        return normed


class PreNormLayer(nn.Module):
    """One layer of it; its norms have torch's own eps of 1e-5."""

    def __init__(self, sizes: MapConfig) -> None:
        super().__init__()
        hidden = sizes.hidden
        self.self_attn = nn.MultiheadAttention(hidden, sizes.heads, sizes.dropout, batch_first=True)
        self.linear1 = nn.Linear(hidden, sizes.wide)
        self.linear2 = nn.Linear(sizes.wide, hidden)
        self.norm1 = nn.LayerNorm(hidden)
        self.norm2 = nn.LayerNorm(hidden)
        self.dropout = (RowDropout if sizes.dropout_by_row else nn.Dropout)(sizes.dropout)

    def forward(self, tokens: Tensor, mask: Tensor) -> Tensor:
        """(B, n, H)."""
        tokens = tokens + self.dropout(self._looked(self.norm1(tokens), mask))
        widened = self.dropout(functional.gelu(self.linear1(self.norm2(tokens))))
        done: Tensor = tokens + self.dropout(self.linear2(widened))
        return done

    def _looked(self, x: Tensor, mask: Tensor) -> Tensor:
        attention = self.self_attn
        parts = functional.linear(x, attention.in_proj_weight, attention.in_proj_bias).chunk(3, dim=2)
        query, key, value = (
            part.view(*part.shape[:2], attention.num_heads, -1).transpose(1, 2) for part in parts
        )
        rate = attention.dropout if self.training else 0.0
        mixed = functional.scaled_dot_product_attention(
            query, key, value, attn_mask=mask[:, None, None], dropout_p=rate
        )
        looked: Tensor = attention.out_proj(mixed.transpose(1, 2).flatten(2))
        return looked
