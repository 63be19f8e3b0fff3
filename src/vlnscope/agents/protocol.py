"""What an agent is.

An agent is any object with the method ``act``; no base class is needed. Its life::

    start_tour(scan)
        start_episode(instruction, observation)
            act(observation) -> Decision         # it decides
            observe(observation)                 # it is walked; it sees, its choice is not asked for
        end_episode()
    end_tour()

All but ``act`` may be left out. What an agent remembers may live from ``start_tour`` to ``end_tour`` and
no longer; where a benchmark has no tours, every episode is a tour of its own. ``observe`` is called at every
place that the agent is led through (forced prefixes, oracle phases of a tour) *instead of* ``act``.

``action_space`` names what the agent can do; without it, the agent goes to candidates of a navigation graph
(``graph``). A decision is a distribution over ``observation.actions``, of which the last is to stop.

``needs`` names what the agent wants to find in ``observation.seen``: kinds of sight such as ``captions``,
``objects``, ``rooms``, ``percept``, ``views``, ``features:NAME`` (`vlnscope.perception.sight`);
``annotation`` (the reference and the whole scene) makes it an oracle, which every report marks as privileged;
``exploration`` lets it look around the whole building before it walks, which every report marks as well.
``widths``, a mapping, says how many numbers per view such features must have, so that others are refused
before the first step.

An agent that sets ``batched = True`` gets lists: ``act(slots, observations) -> list[Decision]`` and so on,
where a *slot* is a number that stands for one tour from its start to its end. See `BatchedAgent`.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any, NamedTuple, Protocol, runtime_checkable

from vlnscope.perception.sight import is_sight, known_sights
from vlnscope.types import Decision, Episode, Observation

if TYPE_CHECKING:
    from vlnscope.worlds.scene import Scene

ANNOTATION = "annotation"
"""The need that makes an agent an oracle: the episode with its reference, and the whole scene."""


EXPLORATION = "exploration"
"""The need of an agent that looks around the whole building before it walks (pre-exploration)."""


class Exploration(Protocol):
    """The building, as ``observation.seen["exploration"]``; reports mark agents that need it.

    It shows what the agent would see elsewhere, and nothing of the answer.
    """

    def look(self, viewpoint: str, heading: float, elevation: float) -> Observation:
        """Return what the agent would be given at a viewpoint of the scene."""


class Annotation(NamedTuple):
    """The answer, as ``observation.seen["annotation"]``; whoever needs it is privileged, and reports say so.

    Attributes:
        episode: the episode with its reference path.
        scene: the scene with its graph and all its layers.
    """

    episode: Episode
    scene: Scene


@runtime_checkable
class Agent(Protocol):
    """The least that an agent must have; the rest of its life is optional (see the module)."""

    def act(self, observation: Observation) -> Decision:
        """Return probabilities over ``observation.actions``."""


class BatchedAgent(Protocol):
    """An agent that lives many lives at once.

    Every method takes the slots concerned and, where the single form takes a value, a list of values in
    the same order. A slot is used for one tour at a time.
    """

    batched: bool

    def start_tour(self, slots: Sequence[int], scans: Sequence[str]) -> None:
        """Forget all about these slots; each is now in the scene named."""

    def start_episode(
        self, slots: Sequence[int], instructions: Sequence[str], observations: Sequence[Observation]
    ) -> None:
        """Begin an episode in each slot."""

    def act(self, slots: Sequence[int], observations: Sequence[Observation]) -> Sequence[Decision]:
        """Return a decision per slot."""

    def observe(self, slots: Sequence[int], observations: Sequence[Observation]) -> None:
        """See places without deciding."""

    def end_episode(self, slots: Sequence[int]) -> None:
        """End the episode of each slot."""

    def end_tour(self, slots: Sequence[int]) -> None:
        """End the tour of each slot."""


def needs_of(agent: Any) -> tuple[str, ...]:
    """Return what an agent declares that it needs; nothing if it does not say."""
    return tuple(getattr(agent, "needs", ()))


def knows_more(needs: Sequence[str]) -> str:
    """Say in brackets what an agent with these needs knows and others do not; nothing if nothing.

    Example:
        >>> knows_more(("captions", "exploration"))
        ' (pre-exploration: it sees the building before it walks)'
    """
    told = "privileged: it is told the reference" if ANNOTATION in needs else ""
    saw = "pre-exploration: it sees the building before it walks" if EXPLORATION in needs else ""
    known = "; ".join(filter(None, (told, saw)))
    return f" ({known})" if known else ""


def is_need(need: Any) -> bool:
    """Return whether an agent may need this: a kind of sight, the annotation, or exploration."""
    return need in (ANNOTATION, EXPLORATION) or is_sight(need)


def known_needs() -> list[str]:
    """Return what agents may need, as they write it."""
    return [*known_sights(), ANNOTATION, EXPLORATION]


def action_space_of(agent: Any) -> str:
    """Return the name of the action space that an agent acts in."""
    return str(getattr(agent, "action_space", "graph"))


def widths_of(agent: Any) -> dict[str, int]:
    """Return how wide features must be that an agent needs, by need; nothing if it does not say."""
    return dict(getattr(agent, "widths", {}))


def notes_of(agent: Any) -> tuple[str, ...]:
    """Return what an agent says of itself that readers of its results should know."""
    return tuple(map(str, getattr(agent, "notes", ())))


def is_batched(agent: Any) -> bool:
    """Return whether an agent takes lists."""
    return bool(getattr(agent, "batched", False))
