"""Two opinions made one, as in DUET: that of the map (global) and that of what is seen now (local)."""

from __future__ import annotations

from typing import NamedTuple

import torch
from torch import Tensor

from vlnscope.agents.learned.inputs import NOTHING
from vlnscope.agents.learned.maps.topological_map import TopologicalMap


class Opinions(NamedTuple):
    """Scores of the two branches, before masking, and how much the map counts.

    Attributes:
        nodes: (B, N) of the nodes of the map.
        map_stop: (B) of stopping, by the map.
        candidates: (B, C) of the candidates.
        view_stop: (B) of stopping, by what is seen now.
        weight: (B) share of the map; the rest is that of what is seen now.
    """

    nodes: Tensor
    map_stop: Tensor
    candidates: Tensor
    view_stop: Tensor
    weight: Tensor


def fused(said: Opinions, plan: TopologicalMap, ways: Tensor) -> Tensor:
    """(B, N + 1): logits of the nodes, minus infinity where an agent cannot go, and of stopping.

    An agent goes to nodes that it knows a way to and has not visited. Those that are candidates now get the
    local score besides; all others get the *sum* of the local scores of visited candidates instead, which is
    the way back (0 if there is none).

    Args:
        said: what the branches say.
        plan: the map.
        ways: (B, C) nodes of the candidates, `NOTHING` for padding.
    """
    share = said.weight[:, None]
    near = (1 - share) * said.candidates
    index = torch.arange(said.nodes.shape[1], device=ways.device)
    is_node = (ways[..., None] == index).to(near.dtype)
    is_old = plan.visited.gather(1, ways.clamp(min=0)) & (ways != NOTHING) if ways.shape[1] else ways.bool()
    back = (near * is_old).sum(1, keepdim=True)
    own = (near.masked_fill(ways == NOTHING, 0.0)[:, None] @ is_node)[:, 0]
    is_near = is_node.any(1)
    scores = share * said.nodes + torch.where(is_near, own, back)
    scores = scores.masked_fill(~(plan.known & ~plan.visited), -torch.inf)
    stop = said.weight * said.map_stop + (1 - said.weight) * said.view_stop
    return torch.cat([scores, stop[:, None]], dim=1)
