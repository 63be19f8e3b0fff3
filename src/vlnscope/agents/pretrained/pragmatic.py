"""`pragmatic`: Speaker-Follower, which looks around the building and chooses a route with a speaker.

Nothing here imports torch before an agent is made, so that all else works without it.
"""

from __future__ import annotations

from typing import Any

from vlnscope.agents.spec import DEVICE, AgentSpec, Option, register_agent
from vlnscope.core.exceptions import InputError, MissingPackageError

_SEARCHES = ("states", "beam")


def make(
    follower: str,
    speaker: str,
    features: str,
    words: str,
    beam: int,
    w: float,
    spread: str,
    traversal: bool,
    search: str,
    device: str,
    seed: int,
) -> Any:
    """Make the agent of two checkpoints; it makes no random choices.

    Raises:
        InputError: torch is not installed, or an option or a checkpoint cannot be used.
    """
    try:
        import torch as torch
    except ImportError:
        raise MissingPackageError("torch", "learn", "learned agents need") from None
    from vlnscope.agents.learned.speaker_follower.files import pragmatic_agent, spread_of
    from vlnscope.agents.learned.speaker_follower.pragmatic import SearchSettings

    _require(beam >= 1, f"beam={beam}", "1 or more routes to choose from", "beam=40")
    _require(0 <= w <= 1, f"w={w}", "the share of the speaker, from 0 to 1", "w=0.95")
    _require(search in _SEARCHES, f"search={search}", " or ".join(_SEARCHES), "search=states")
    _require(
        not (traversal and search == "beam"),
        "traversal=yes with search=beam",
        "traversal only where states are searched: a beam goes on from many places at once",
        "search=states",
    )
    choosing = SearchSettings(beam, w, spread_of(spread), traversal, "beam" if search == "beam" else "states")
    return pragmatic_agent(follower, speaker, features, words, choosing, device)


def _require(fine: bool, option: str, expected: str, instead: str) -> None:
    if not fine:
        raise InputError(f"pragmatic: {option} cannot be", expected=expected, fix=f"write {instead}")


register_agent(
    AgentSpec(
        name="pragmatic",
        summary="Speaker-Follower: searches the building, and chooses with a speaker (pre-exploration)",
        make=make,
        options={
            "follower": Option(str, "follower.pt", "checkpoint of the follower"),
            "speaker": Option(str, "speaker.pt", "checkpoint of the speaker"),
            "features": Option(str, "", "name of image features; those of the follower's training if empty"),
            "words": Option(str, "", "file of the words, for public checkpoints, which do not hold them"),
            "beam": Option(int, 40, "how many routes it chooses from"),
            "w": Option(float, 0.95, "weight of the speaker; 0 for the follower alone"),
            "spread": Option(
                str,
                "instruction",
                "standard deviations that scores are divided by: those of each `instruction`, or, as the "
                "official code does, those over a data set: SPEAKER/FOLLOWER",
            ),
            "traversal": Option(bool, False, "whether it walks its whole search (long walks)"),
            "search": Option(str, "states", "how it searches: states, or beam"),
            "device": DEVICE,
        },
    )
)
