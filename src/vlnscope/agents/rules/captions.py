"""An agent for real Matterport viewpoints without images: it reads what captions say of each direction.

It is the `follower` with other eyes: the same parser and the same grounding, fed with the captions per
direction and the nearby objects that NavGPT's authors published, and nothing else: no rooms, no map.
It was never trained; the few weights of the grounding were set on training houses and on R2R train.
"""

from __future__ import annotations

from vlnscope.agents.rules.follower import FollowerAgent
from vlnscope.agents.spec import AgentSpec, register_agent
from vlnscope.perception.sights.percept import PlainPercept
from vlnscope.types import Observation, Percept


class CaptionsAgent(FollowerAgent):
    """Follows instructions by what captions say; forgets each episode."""

    needs = ("captions", "objects")

    def __init__(self) -> None:
        super().__init__(memory=False)

    def percept(self, observation: Observation) -> Percept:
        """Return what captions and object lists say of a viewpoint; nothing is known of rooms."""
        return PlainPercept(objects=observation.seen["objects"], captions=observation.seen["captions"])


register_agent(
    AgentSpec(
        name="captions",
        summary="matches instructions with captions of real Matterport viewpoints (zero-shot)",
        make=lambda seed: CaptionsAgent(),
    )
)
