"""Speaker-Follower: a follower, speakers, searches for routes, and the choice that both make together."""

from vlnscope.agents.learned.speaker_follower.envdrop_speaker import EnvDropSpeaker
from vlnscope.agents.learned.speaker_follower.follower import SpeakerFollower
from vlnscope.agents.learned.speaker_follower.speaker import Speaker

__all__ = ["EnvDropSpeaker", "Speaker", "SpeakerFollower"]
