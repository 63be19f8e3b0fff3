"""Speaker-Follower: a follower, a speaker, searches for routes, and the choice that both make together."""

from vlnscope.agents.learned.speaker_follower.follower import SpeakerFollower
from vlnscope.agents.learned.speaker_follower.speaker import Speaker

__all__ = ["Speaker", "SpeakerFollower"]
