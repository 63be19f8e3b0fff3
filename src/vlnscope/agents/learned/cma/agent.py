"""A recurrent policy as an agent in continuous space, many lives at once.

As `vlnscope.agents.learned.agent`, it decides the same whoever else is in a batch: on a CPU it computes in
double precision and rounds logits; each life has a map of its own.

While an oracle leads it through a tour, a policy sees, and remembers what its kind remembers of a tour; one
whose memory ends with the episode only keeps its map. It sees the start of an episode before it is led there.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import NamedTuple, cast

import torch
from torch import Tensor
from torch.nn.utils.rnn import pad_sequence

from vlnscope.agents.learned.agent import distribution
from vlnscope.agents.learned.checkpoints import is_ours, load_network, read_content, weights_digest
from vlnscope.agents.learned.cma.cma import Cma
from vlnscope.agents.learned.cma.cross_modal import TourMemory
from vlnscope.agents.learned.cma.instructions import Instructions
from vlnscope.agents.learned.cma.policy import ContinuousPolicy
from vlnscope.agents.learned.cma.sensors import SensorChoice, Sensors, sensors_noted
from vlnscope.agents.learned.cma.steps import Steps
from vlnscope.agents.learned.network import network_classes
from vlnscope.agents.learned.public_checkpoints import files_of
from vlnscope.agents.learned.tensors import tokens_of
from vlnscope.agents.learned.vocabulary import AnyVocabulary, check_fit
from vlnscope.core.devices import AUTO, as_array, device_of, precision
from vlnscope.core.exceptions import InputError
from vlnscope.perception.mapping import Mapper
from vlnscope.types import STOP, Decision, Observation, SpaceObservation
from vlnscope.worlds.continuous.body import MOVES


@dataclass
class _Life:
    """One tour.

    Attributes:
        state: what the policy remembers.
        mapper: its map, if it has one.
        words: the instruction that it follows.
        shown: the start of the episode, until it has been looked at.
        last: what the policy decided at last, or would have.
        walks: whether the agent itself walks: it has decided, or is led along its own reference.
        decided: whether it has decided in this episode.
        begins_tour: whether the policy has seen nothing of the tour.
    """

    state: Tensor
    mapper: Mapper | None
    words: Instructions | None = None
    shown: SpaceObservation | None = None
    last: SpaceObservation | None = None
    walks: bool = False
    decided: bool = False
    begins_tour: bool = True


class _Glance(NamedTuple):
    """What an agent sees at a step: whether an oracle leads it there, and whether its own walk begins."""

    life: _Life
    seen: SpaceObservation
    led: bool = False
    begins: bool = False

    @property
    def previous(self) -> int:
        """The number of the action that led here."""
        return 0 if self.life.last is None else move_between(self.life.last, self.seen)


class PolicyAgent:
    """Lets a recurrent policy walk in continuous space.

    Args:
        policy: the policy; it is put into evaluation mode, and on a CPU made to compute in double precision.
        vocabulary: that it was trained with.
        choice: what it is shown.
        device: where it computes, as `device_of` takes it.

    Raises:
        InputError: the vocabulary does not fit the policy, or there is no such device.
    """

    batched = True

    def __init__(
        self, policy: ContinuousPolicy, vocabulary: AnyVocabulary, choice: SensorChoice, device: str = AUTO
    ) -> None:
        place = device_of(device)
        check_fit(vocabulary, policy.config, policy.name)
        self.fingerprint = weights_digest(policy) + ("" if place.type == "cpu" else f", {place.type}")
        self._sensors = Sensors(policy, choice)
        self.needs, self.action_space = self._sensors.needs, self._sensors.action_space
        self._policy = policy.eval().to(place, precision(place))
        self._vocabulary = vocabulary
        self._remembers = isinstance(policy, Cma) and policy.tour_memory != TourMemory()
        self._like = policy.action_distribution.linear.weight
        self._lives: dict[int, _Life] = {}

    @classmethod
    def from_file(
        cls, file: str | Path, *, memory: str = "", clouds: str = "", device: str = AUTO
    ) -> PolicyAgent:
        """Make the agent of a checkpoint of ours.

        Args:
            file: the checkpoint.
            memory: how long maps last, of a policy that sees one; as in training if empty.
            clouds: the folder of maps of whole houses, for the memory ``known``.
            device: where it computes.

        Raises:
            InputError: the checkpoint cannot be used, or holds no such policy.
        """
        loaded = load_network(file)
        if not isinstance(loaded.model, ContinuousPolicy):
            raise InputError(
                f"{file}: holds a {loaded.model.name!r}, which does not walk in continuous space",
                expected="a checkpoint of a model that does, such as map_cma",
                fix="name another file",
            )
        choice = sensors_noted(loaded.model, loaded.notes, memory, clouds)
        return cls(loaded.model, loaded.vocabulary, choice, device)

    def start_tour(self, slots: Sequence[int], scans: Sequence[str]) -> None:
        """Forget all about these slots."""
        for slot, scan in zip(slots, scans, strict=True):
            self._lives[slot] = _Life(self._policy.start(1), self._sensors.mapper(scan))

    @torch.inference_mode()
    def start_episode(
        self, slots: Sequence[int], instructions: Sequence[str], observations: Sequence[Observation]
    ) -> None:
        """Read instructions."""
        for slot, text, seen in zip(slots, instructions, observations, strict=True):
            life = self._lives[slot]
            tokens, _ = tokens_of([text], self._vocabulary, self._policy.config.max_tokens)
            life.words = self._policy.read(tokens.to(self._like.device))
            life.shown, life.walks, life.decided = _in_space(seen), False, False
            if life.mapper is not None:
                life.mapper.begin_episode()

    @torch.inference_mode()
    def observe(self, slots: Sequence[int], observations: Sequence[Observation]) -> None:
        """See places without deciding: led by an oracle, or along a part of the reference."""
        glances = []
        for life, seen in self._with_lives(slots, observations):
            forced = life.shown is not None and _same_pose(life.shown, seen)
            begins = forced and not life.walks
            life.walks = life.walks or forced
            glances.append(_Glance(life, seen, led=life.decided or not life.walks, begins=begins))
        self._see_starts(glances)
        self._see(glances)

    @torch.inference_mode()
    def act(self, slots: Sequence[int], observations: Sequence[Observation]) -> list[Decision]:
        """Return the policy's distributions."""
        glances = []
        for life, seen in self._with_lives(slots, observations):
            glances.append(_Glance(life, seen, begins=not life.walks))
            life.walks = life.decided = True
        self._see_starts(glances)
        logits = as_array(self._see(glances))
        decisions = []
        for row, shown in zip(logits, observations, strict=True):
            order = [0 if action == STOP else MOVES[str(action)] for action in shown.actions]
            decisions.append(Decision(distribution(row[order], len(order) - 1)))
        return decisions

    def end_episode(self, slots: Sequence[int]) -> None:
        """Keep what is remembered for the next episode of the tour."""

    def end_tour(self, slots: Sequence[int]) -> None:
        """Forget these slots."""
        for slot in slots:
            self._lives.pop(slot, None)

    def _with_lives(
        self, slots: Sequence[int], observations: Sequence[Observation]
    ) -> list[tuple[_Life, SpaceObservation]]:
        pairs = zip(slots, observations, strict=True)
        return [(self._lives[slot], _in_space(seen)) for slot, seen in pairs]

    def _see_starts(self, glances: Sequence[_Glance]) -> None:
        """Let agents see the starts of their episodes that are still to be led there."""
        starts = []
        for life, seen, *_ in glances:
            if life.shown is not None and not _same_pose(life.shown, seen):
                starts.append(_Glance(life, life.shown, led=True))
            life.shown = None
        self._see(starts)

    def _see(self, glances: Sequence[_Glance]) -> Tensor:
        """Let agents see; return the logits of those whose policy has to, a row each."""
        for life, seen, led, _ in glances:
            if life.mapper is not None:
                self._sensors.add(life.mapper, seen, led=led)
        runs = [glance for glance in glances if self._remembers or not glance.led]
        if not runs:
            return self._like.new_empty(0)
        lives = [glance.life for glance in runs]
        steps = self._steps(runs)
        state = torch.cat([life.state for life in lives])
        output = self._policy(_side_by_side([life.words for life in lives]), steps, state)
        for glance, after in zip(runs, output.state.split(1), strict=True):
            glance.life.state, glance.life.last, glance.life.begins_tour = after, glance.seen, False
        logits: Tensor = output.logits[0]
        return logits

    def _steps(self, runs: Sequence[_Glance]) -> Steps:
        device = self._like.device
        mappers = [glance.life.mapper for glance in runs]
        sights = self._sensors.sights([glance.seen for glance in runs], mappers, self._like)
        begins, led = (torch.tensor([getattr(g, name) for g in runs]) for name in ("begins", "led"))
        same_episode = self._policy.same_episode(begins, led).to(device)
        same_tour = ~torch.tensor([glance.life.begins_tour for glance in runs], device=device)
        previous = torch.tensor([glance.previous for glance in runs], device=device)
        return Steps.one(sights, previous, same_episode & same_tour, same_tour)


def holds_policy(file: str | Path) -> bool:
    """Say whether a file is a checkpoint of ours that a `PolicyAgent` can be made of."""
    if len(files_of(file)) != 1:
        return False
    content = read_content(file)
    kind = network_classes().get(str(content.get("model"))) if is_ours(content) else None
    return kind is not None and issubclass(kind, ContinuousPolicy)


def move_between(before: SpaceObservation, after: SpaceObservation) -> int:
    """Return the number of the move that led from one place to the other; against a wall nothing changes."""
    turned = (after.heading - before.heading + torch.pi) % (2 * torch.pi) - torch.pi
    tilted = after.elevation - before.elevation
    if after.position != before.position or after.collided:
        return MOVES["forward"]
    if abs(turned) > abs(tilted):
        return MOVES["right" if turned > 0 else "left"]
    return MOVES["forward"] if tilted == 0 else MOVES["up" if tilted > 0 else "down"]


def _side_by_side(read: Sequence[Instructions | None]) -> Instructions:
    """Put instructions that were read one by one into one batch."""
    words = [each for each in read if each is not None]
    context = pad_sequence([each.context[0] for each in words], batch_first=True)
    mask = pad_sequence([each.mask[0] for each in words], batch_first=True)
    return Instructions(context, mask, torch.cat([each.last for each in words]))


def _same_pose(one: SpaceObservation, other: SpaceObservation) -> bool:
    return one.position == other.position and one.rotation == other.rotation


def _in_space(seen: Observation) -> SpaceObservation:
    return cast(SpaceObservation, seen)
