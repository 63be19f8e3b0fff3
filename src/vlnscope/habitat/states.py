"""How agents and their sensors stand, as Habitat says it."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

import numpy as np
from numpy.typing import NDArray

from vlnscope.habitat.rotation import Rotation


@dataclass(eq=False)
class SixDOFPose:
    """Where a sensor is and how it is turned, in the frame of the world."""

    position: NDArray[np.float32] = field(default_factory=lambda: np.zeros(3, np.float32))
    rotation: Any = field(default_factory=Rotation)


@dataclass(eq=False)
class AgentState:
    """Where an agent stands and how it is turned.

    Attributes:
        position: x, y, z of its foot; y is up.
        rotation: a `Rotation`; loops may put four numbers x, y, z, w here.
        sensor_states: pose of each sensor by its name.
    """

    position: Any = field(default_factory=lambda: np.zeros(3, np.float32))
    rotation: Any = field(default_factory=Rotation)
    sensor_states: dict[str, SixDOFPose] = field(default_factory=dict)
