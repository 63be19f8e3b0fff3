"""The sentences that interventions are made of: the paper's, and those that the released code draws from."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache
from typing import Literal, NamedTuple

from vlnscope.core.exceptions import UnknownNameError
from vlnscope.core.rng import rng_for

Templates = Literal["paper", "released"]
DIRECTIONS = ("forward", "right", "left", "back right", "back left", "backward")
"""The six directions of the paper."""
DESTINATION = "This is your destination."
TOWARDS = "Walk towards the {}."

_STOP = (DESTINATION, "This is your end point.", "You reached your destination.", "You are done.")
_STOP_RELEASED = (*_STOP, "Stop.", "You have arrived.", "You've reached the end.", "This is where you stop.")
_TURNS: Mapping[str, str] = {
    "forward": "Walk forward.",
    "backward": "Turn around and walk forward.",
    "left": "Turn left and walk forward.",
    "right": "Turn right and walk forward.",
    "back left": "Turn around and go to your right.",
    "back right": "Turn around and go to your left.",
}
_AHEAD = ("Move forward", "Go forward", "Move ahead", "Walk ahead", "Go ahead")
_SIDE = ("Turn to your", "Take a", "Go to your", "Go", "Turn to the", "Make a", "Take")
_OPPOSITE = {"left": "right", "right": "left"}


class Sentence(NamedTuple):
    """A sentence that is appended to an instruction, and the id of the template that it is made from."""

    template: str
    text: str


@cache
def stop_sentences(templates: Templates) -> tuple[Sentence, ...]:
    """Return the ways to say that this is the end."""
    texts = _STOP if templates == "paper" else _STOP_RELEASED
    return tuple(Sentence(f"stop-{k}", text) for k, text in enumerate(texts, 1))


@cache
def turn_sentences(direction: str, templates: Templates) -> tuple[Sentence, ...]:
    """Return the ways to send somebody in a direction.

    What is behind to the left is to the right of somebody who has turned around, so it is called that.

    Example:
        >>> [sentence.text for sentence in turn_sentences("back left", "paper")]
        ['Turn around and go to your right.']
        >>> len(turn_sentences("left", "released")), turn_sentences("left", "released")[6].text
        (35, 'Take a left and go forward.')
    """
    if direction not in DIRECTIONS:
        raise UnknownNameError("direction", direction, DIRECTIONS)
    texts = (_TURNS[direction],) if templates == "paper" else tuple(_released(direction))
    name = direction.replace(" ", "-")
    kind = "released-" if templates == "released" else ""
    return tuple(Sentence(f"{kind}{name}-{k}", text) for k, text in enumerate(texts, 1))


def _released(direction: str) -> list[str]:
    if direction == "forward":
        return [f"{ahead}." for ahead in _AHEAD]
    if direction == "backward":
        return [f"Turn around and {ahead.lower()}." for ahead in _AHEAD]
    if direction in _OPPOSITE:
        return [f"{side} {direction} and {ahead.lower()}." for side in _SIDE for ahead in _AHEAD]
    turned = _OPPOSITE[direction.removeprefix("back ")]
    return [
        f"Turn around and {side.lower()} {turned}, {ahead.lower()}." for side in _SIDE for ahead in _AHEAD
    ]


def towards(name: str, *, stop: bool = False) -> Sentence:
    """Send somebody to a thing or a room, where the instruction may end.

    Example:
        >>> towards("kitchen", stop=True).text
        'Walk towards the kitchen. This is your destination.'
    """
    walk = TOWARDS.format(name)
    return Sentence("towards-stop", f"{walk} {DESTINATION}") if stop else Sentence("towards", walk)


def draw(sentences: tuple[Sentence, ...], seed: int, *keys: str) -> Sentence:
    """Draw one of several sentences; which one depends on the seed and the keys alone."""
    if len(sentences) == 1:
        return sentences[0]
    return sentences[int(rng_for(seed, "behavior", "template", *keys).integers(len(sentences)))]
