"""Followers and speakers in files, as the pragmatic agent takes them: ours, or the public ones."""

from __future__ import annotations

from vlnscope.agents.learned.public_checkpoints import open_network
from vlnscope.agents.learned.speaker_follower.choice import ScoreSpread
from vlnscope.agents.learned.speaker_follower.follower import SpeakerFollower
from vlnscope.agents.learned.speaker_follower.pragmatic import PragmaticAgent, SearchSettings
from vlnscope.agents.learned.speaker_network import SpeakerNetwork
from vlnscope.agents.learned.tensors import SeenFeatures
from vlnscope.agents.learned.vocabulary import AnyVocabulary, WordVocabulary
from vlnscope.core.devices import AUTO
from vlnscope.core.exceptions import InputError

INSTRUCTION = "instruction"


def pragmatic_agent(
    follower: str, speaker: str, features: str, words: str, choosing: SearchSettings, device: str = AUTO
) -> PragmaticAgent:
    """Make the agent of checkpoints.

    Args:
        follower: checkpoint; of a public one, encoder and decoder with ``+`` between.
        speaker: likewise.
        features: name of image features; those that the checkpoints name if empty.
        words: the file of the words, for public checkpoints.
        choosing: how it searches and chooses.
        device: where it computes, as `device_of` takes it.

    Raises:
        InputError: a checkpoint cannot be used, or the two see different features.
    """
    follows, reads, own = open_follower(follower, words)
    speaks, says, other = open_speaker(speaker, words)
    name = features or own or other
    if not name or (not features and own and other and own != other):
        raise InputError(
            f"{follower} and {speaker} " + (f"see {own} and {other}" if name else "say no features"),
            expected="one name of image features for both",
            fix="name them: pragmatic:follower=FILE,speaker=FILE,features=NAME",
        )
    if follows.config.image_size != speaks.config.image_size:
        raise InputError(
            f"{follower} sees {follows.config.image_size} numbers per view, {speaker} "
            f"{speaks.config.image_size}",
            expected="a follower and a speaker that see the same features",
            fix="name two that were trained with the same",
        )
    return PragmaticAgent(
        (follows, reads), (speaks, says), SeenFeatures(f"features:{name}"), choosing, device
    )


def spread_of(text: str) -> ScoreSpread | None:
    """Return standard deviations as a user writes them; None for those of each instruction.

    Example:
        >>> spread_of("12.5/3")
        ScoreSpread(speaker=12.5, follower=3.0)
    """
    if text == INSTRUCTION:
        return None
    try:
        speaker, follower = map(float, text.split("/"))
    except ValueError:
        speaker = follower = 0.0
    if not (0 < speaker < float("inf") and 0 < follower < float("inf")):
        raise InputError(
            f"spread={text} cannot be understood",
            expected="instruction, or two numbers above 0: SPEAKER/FOLLOWER",
            fix="for example spread=12.5/3.1",
        )
    return ScoreSpread(speaker, follower)


def open_follower(file: str, words: str = "") -> tuple[SpeakerFollower, AnyVocabulary, str]:
    """Return a follower with its vocabulary and the name of its features.

    Raises:
        InputError: the file holds none.
    """
    network, vocabulary, features = open_network(file, words, SpeakerFollower.name)
    assert isinstance(network, SpeakerFollower)
    return network, vocabulary, features


def open_speaker(file: str, words: str = "") -> tuple[SpeakerNetwork, WordVocabulary, str]:
    """Return a speaker with its vocabulary and the name of its features.

    Raises:
        InputError: the file holds none.
    """
    network, vocabulary, features = open_network(file, words)
    if not isinstance(network, SpeakerNetwork):
        raise InputError(
            f"{file}: holds a {network.name!r}, which does not speak",
            expected="a checkpoint of a speaker",
            fix="name another file, or train one: `vlnscope train r2r-captions-speaker`",
        )
    assert isinstance(vocabulary, WordVocabulary)
    return network, vocabulary, features
