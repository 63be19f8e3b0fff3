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
from typing import Protocol

import torch
from torch import Tensor

from vlnscope.worlds.graph.views import HEADINGS, STEP, VIEW_ELEVATIONS, VIEW_HEADINGS

NOTHING = -1
"""As `VisualInput.taken`: the agent came here by no candidate (a start, a place that it was put)."""


class SeenGrids(Protocol):
    """Grid features of the viewpoints where agents stand or stood, for models that look at them."""

    def at(self, row: int, number: int) -> tuple[Tensor, Tensor]:
        """Return patches (12, n, n, D) and depths (12, n, n) of a viewpoint where the agent of a row stood.

        They are laid out as in `vlnscope.perception.features.grids.PatchGrid`.
        """


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
        here: (B) number of the viewpoint that each agent stands at: the same number, the same viewpoint, as
            long as a state lives.
        leads: (B, C) number of the viewpoint that each candidate leads to.
        distances: (B, C) straight-line metres to each candidate.
        toward: (B) the candidate that a teacher goes to next, C to stop, `NOTHING` where it does not lead;
            for models that turn step by step, which follow it in training and never else.
        grids: grid features of where agents stand or stood; None unless somebody asked for them.
    """

    images: Tensor
    look: Tensor
    views: Tensor
    headings: Tensor
    elevations: Tensor
    open: Tensor
    taken: Tensor
    here: Tensor
    leads: Tensor
    distances: Tensor
    toward: Tensor | None = None
    grids: SeenGrids | None = None

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


def candidate_angles(visual: VisualInput, size: int, *, tilted: bool = False) -> Tensor:
    """(B, C, size): where the candidates lie, seen from where each agent looks; zeros for padding.

    With `tilted`, elevations are relative to the view that it looks at, too.
    """
    relative = visual.headings - facing(visual)[:, None]
    elevations = visual.elevations
    if tilted:
        elevations = elevations - tilt(visual.look, elevations)[:, None]
    return angles(relative, elevations, size) * visual.open[..., None]


def panorama_angles(look: Tensor, size: int, like: Tensor, *, tilted: bool = False) -> Tensor:
    """(B, 36, size): where the 36 views lie, seen from where each agent looks; typed as `like`.

    With `tilted`, elevations are relative to the view that it looks at, too.
    """
    headings, elevations = _views(like)
    relative = headings - (look % HEADINGS).to(like.dtype)[:, None] * STEP
    level = tilt(look, like)[:, None] if tilted else 0.0
    return angles(relative, (elevations - level).expand_as(relative), size)


def facing(visual: VisualInput) -> Tensor:
    """(B): the heading of the view that each agent looks at."""
    return (visual.look % HEADINGS).to(visual.headings.dtype) * STEP


def tilt(look: Tensor, like: Tensor) -> Tensor:
    """Return the elevations of views by number, typed as `like`."""
    return (look // HEADINGS - 1).to(like.dtype) * STEP


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
        torch.from_numpy(VIEW_HEADINGS).to(like.dtype).to(like.device),
        torch.from_numpy(VIEW_ELEVATIONS).to(like.dtype).to(like.device),
    )
