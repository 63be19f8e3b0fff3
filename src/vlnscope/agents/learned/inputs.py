"""What models are shown at one step, as tensors, and the angle features they make of it.

A `VisualInput` is made of `Observation`s or straight of graph arrays (`tensors`). It holds plain facts: 36
images, the view that the agent looks at, where its candidates lie. What a paper calls an angle feature is
made of these facts here, in one place, as the official code has it: ``[sin h, cos h, sin e, cos e]``,
repeated. Headings are relative to the *view* that the agent looks at, a multiple of 30°; elevations are
absolute.
"""

from __future__ import annotations

import math
from dataclasses import dataclass

import torch
from torch import Tensor

from vlnscope.worlds.graph.views import HEADINGS, STEP, VIEW_ELEVATIONS, VIEW_HEADINGS

NOTHING = -1
"""As `VisualInput.taken`: the agent came here by no candidate (a start, a place that it was put)."""


@dataclass(frozen=True)
class VisualInput:
    """What a batch of agents sees; B agents with up to C candidates.

    Attributes:
        images: (B, 36, D) a feature per view.
        look: (B) the view that each agent looks at.
        views: (B, C) the view in which each candidate lies.
        headings: (B, C) absolute heading of each candidate.
        elevations: (B, C) absolute elevation of each candidate.
        open: (B, C) which candidates there are; the others are padding.
        taken: (B) which candidate of the visual before each agent went to; `NOTHING` if none.
        toward: (B) the candidate that a teacher goes to next, C to stop, `NOTHING` where it does not lead;
            for models that turn step by step, which follow it in training and never else.
    """

    images: Tensor
    look: Tensor
    views: Tensor
    headings: Tensor
    elevations: Tensor
    open: Tensor
    taken: Tensor
    toward: Tensor | None = None

    @property
    def candidate_images(self) -> Tensor:
        """(B, C, D): a feature per candidate."""
        return self.images[torch.arange(len(self.look), device=self.look.device)[:, None], self.views]

    @property
    def front(self) -> Tensor:
        """(B, D): the feature of the view that each agent looks at."""
        return self.images[torch.arange(len(self.look), device=self.look.device), self.look]


def angles(heading: Tensor, elevation: Tensor, size: int) -> Tensor:
    """Return the angle feature of directions, with one more dimension of `size` (a multiple of 4).

    Example:
        >>> angles(torch.tensor(0.0), torch.tensor(0.0), 8).tolist()
        [0.0, 1.0, 0.0, 1.0, 0.0, 1.0, 0.0, 1.0]
    """
    four = torch.stack([heading.sin(), heading.cos(), elevation.sin(), elevation.cos()], dim=-1)
    return four.repeat(*[1] * heading.dim(), size // 4)


def own_angles(visual: VisualInput, size: int) -> Tensor:
    """(B, size): where each agent looks, absolutely."""
    headings, elevations = _views(visual.images)
    return angles(headings[visual.look], elevations[visual.look], size)


def candidate_angles(visual: VisualInput, size: int) -> Tensor:
    """(B, C, size): where the candidates lie, seen from where each agent looks; zeros for padding."""
    relative = visual.headings - facing(visual)[:, None]
    return angles(relative, visual.elevations, size) * visual.open[..., None]


def panorama_angles(look: Tensor, size: int, like: Tensor) -> Tensor:
    """(B, 36, size): where the 36 views lie, seen from where each agent looks; typed as `like`."""
    headings, elevations = _views(like)
    relative = headings - (look % HEADINGS).to(like.dtype)[:, None] * STEP
    return angles(relative, elevations.expand_as(relative), size)


def facing(visual: VisualInput) -> Tensor:
    """(B): the heading of the view that each agent looks at."""
    return (visual.look % HEADINGS).to(visual.headings.dtype) * STEP


def look_at(headings: Tensor, elevations: Tensor) -> Tensor:
    """Return the views that look at directions most closely, as `worlds.views.view_index` does for one.

    Example:
        >>> look_at(torch.tensor([math.radians(95)] * 2), torch.tensor([math.radians(-20), 0.0])).tolist()
        [3, 15]
    """
    step = torch.floor(headings.remainder(math.tau) / STEP + 0.5).long() % HEADINGS
    level = 1 + (elevations > STEP / 2).long() - (elevations < -STEP / 2).long()
    return HEADINGS * level + step


def _views(like: Tensor) -> tuple[Tensor, Tensor]:
    return (
        torch.as_tensor(VIEW_HEADINGS, dtype=like.dtype, device=like.device),
        torch.as_tensor(VIEW_ELEVATIONS, dtype=like.dtype, device=like.device),
    )
