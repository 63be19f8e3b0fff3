"""An agent for real Matterport viewpoints without images: it reads what captions say of each direction.

It is the `follower` with other eyes: the same parser and the same grounding, fed with the captions per
direction and the nearby objects that NavGPT's authors published, and nothing else: no rooms, no map.
It was never trained; the few weights of the grounding were set on training houses and on R2R train.
"""

from __future__ import annotations

from collections.abc import Sequence

from vlnscope.agents.rules.follower import FollowerAgent
from vlnscope.agents.spec import AgentSpec, register_agent
from vlnscope.types import Observation, Percept, SeenObject, SeenRoom


class CaptionPercept:
    """Captions and objects in sight; nothing is known of rooms.

    Args:
        captions: a text per heading sector.
        objects: what is near.
    """

    def __init__(self, captions: Sequence[str], objects: Sequence[SeenObject]) -> None:
        self._captions = captions
        self._objects = objects

    def room(self) -> str | None:
        """Return None: no labels here."""
        return None

    def rooms(self) -> Sequence[SeenRoom]:
        """Return nothing: no labels here."""
        return ()

    def objects(self) -> Sequence[SeenObject]:
        """Return the objects in sight."""
        return self._objects

    def captions(self) -> Sequence[str]:
        """Return a text per heading sector."""
        return self._captions


class CaptionsAgent(FollowerAgent):
    """Follows instructions by what captions say; forgets each episode."""

    needs = ("captions", "objects")

    def __init__(self) -> None:
        super().__init__(memory=False)

    def percept(self, observation: Observation) -> Percept:
        """Return what captions and object lists say of a viewpoint."""
        return CaptionPercept(observation.seen["captions"], observation.seen["objects"])


register_agent(
    AgentSpec(
        name="captions",
        summary="matches instructions with captions of real Matterport viewpoints (zero-shot)",
        make=lambda seed: CaptionsAgent(),
    )
)
