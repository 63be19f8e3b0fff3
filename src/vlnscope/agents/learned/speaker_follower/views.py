"""What Speaker-Follower is shown: views and actions with angles in blocks, and its own order of actions.

A direction is ``sin h`` n times, then ``cos h``, ``sin e``, ``cos e``; other models of the field take turns
(``sin h, cos h, sin e, cos e, sin h, …``). Headings are relative to the view that the agent looks at,
elevations to the horizon. An action is shown as its view and its direction; stopping is shown as zeros.
"""

from __future__ import annotations

import math
from dataclasses import replace

import torch
from torch import Tensor

from vlnscope.agents.learned.inputs import (
    VisualInput,
    candidate_angles,
    panorama_angles,
)

_FOUR = 4


def in_blocks(directions: Tensor) -> Tensor:
    """Return angle features that take turns as blocks.

    Example:
        >>> in_blocks(torch.arange(8.0)).tolist()
        [0.0, 4.0, 1.0, 5.0, 2.0, 6.0, 3.0, 7.0]
    """
    turns = directions.view(*directions.shape[:-1], directions.shape[-1] // _FOUR, _FOUR)
    return turns.transpose(-1, -2).flatten(-2)


def scaled(visual: VisualInput, by: float) -> VisualInput:
    """Return a visual with image features multiplied."""
    return visual if by == 1 else replace(visual, images=visual.images * by)


def shown_views(visual: VisualInput, size: int) -> Tensor:
    """(B, 36, D + size): the views, each with its direction."""
    return torch.cat([visual.images, in_blocks(panorama_angles(visual.look, size, visual.images))], dim=2)


def shown_actions(visual: VisualInput, size: int) -> Tensor:
    """(B, C + 1, D + size): the candidates in the order of the visual, zeros for padding; then stopping."""
    images = visual.candidate_images * visual.open[..., None]
    ways = torch.cat([images, in_blocks(candidate_angles(visual, size))], dim=2)
    return torch.nn.functional.pad(ways, (0, 0, 0, 1))


def official_order(headings: Tensor, facing: float) -> list[int]:
    """Return candidates as the official code numbers its actions from 1 on: what lies ahead first.

    Args:
        headings: (C) absolute headings of the candidates.
        facing: heading of the view that the agent looks at.

    Example:
        >>> official_order(torch.tensor([3.0, 0.1, -0.2]), 0.0)
        [1, 2, 0]
    """
    relative = (headings.double() - facing + math.pi).remainder(math.tau) - math.pi
    return [int(index) for index in relative.abs().argsort(stable=True)]
