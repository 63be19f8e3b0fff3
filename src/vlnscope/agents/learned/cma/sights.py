"""What an agent is shown: images, or what networks made of them, and maps."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, fields

from torch import Tensor

from vlnscope.core.exceptions import InputError


@dataclass(frozen=True, kw_only=True)
class Sights:
    """What is seen; each agent takes what it needs, features rather than the images they are made of.

    Attributes:
        rgb: (…, H, W, 3) colours between 0 and 255.
        depth: (…, H, W, 1) depths between 0 and 1.
        rgb_features: (…, channels, cells, cells) made of colours by the agent's network.
        depth_features: (…, channels, cells, cells) made of depth.
        occupancy: (…, R, C) the map around the agent, facing up: 1 where something is.
        semantic: (…, R, C) the class of each cell of the map, 0 for none.
    """

    rgb: Tensor | None = None
    depth: Tensor | None = None
    rgb_features: Tensor | None = None
    depth_features: Tensor | None = None
    occupancy: Tensor | None = None
    semantic: Tensor | None = None

    def each(self, change: Callable[[Tensor], Tensor]) -> Sights:
        """Return the same with each tensor changed."""
        return Sights(**{name: change(tensor) for name, tensor in self.given().items()})

    def given(self) -> dict[str, Tensor]:
        """Return the tensors that there are, by name."""
        values = {field.name: getattr(self, field.name) for field in fields(self)}
        return {name: value for name, value in values.items() if value is not None}

    def need(self, *names: str) -> Tensor:
        """Return the first of these that there is.

        Raises:
            InputError: there is none.
        """
        given = self.given()
        for name in names:
            if name in given:
                return given[name]
        raise InputError(
            f"an agent was not shown {' or '.join(names)}",
            expected=f"it beside {', '.join(given) or 'nothing'}",
            fix="give the agent the cameras that it needs",
        )
