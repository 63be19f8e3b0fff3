"""What an oracle is told: the annotated episode and the whole scene."""

from __future__ import annotations

from typing import NamedTuple

from vlnscope.types import Episode
from vlnscope.worlds.scene import Scene


class Annotation(NamedTuple):
    """The value of ``observation.seen["annotation"]``; whoever needs it is privileged, and reports say so.

    Attributes:
        episode: the episode with its reference path.
        scene: the scene with its graph and all its layers.
    """

    episode: Episode
    scene: Scene
