"""Conformance of agents: good ones pass, and each bad one is found by the rule that it breaks."""

from __future__ import annotations

import json
import random
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from typer.testing import CliRunner

from vlnscope.agents.remote.server import AgentServer
from vlnscope.agents.spec import make_agent
from vlnscope.agents.vectorised import ManyStates
from vlnscope.cli.main import app
from vlnscope.core.rng import rng_for
from vlnscope.evaluate.conformance.check_agent import check_agent
from vlnscope.evaluate.conformance.checks import CHECKS
from vlnscope.evaluate.conformance.processes import hash_seeds
from vlnscope.types import Decision, Ints, Observation

DATA = "sample/demo"
pytestmark = pytest.mark.usefixtures("one_process")


class Good:
    """Remembers within a tour, draws at random, and keeps all rules."""

    def __init__(self) -> None:
        self.places: set[str] = set()

    def start_tour(self, scan: str) -> None:
        self.places = set()

    def observe(self, observation: Observation) -> None:
        self.places.add(observation.viewpoint)

    def act(self, observation: Observation) -> Decision:
        self.observe(observation)
        chance = rng_for(0, "good", observation.episode_id, observation.step)
        shares = chance.random(len(observation.candidates) + 1)
        shares[-1] += 0.1 * len(self.places)
        return Decision(tuple((shares / shares.sum()).tolist()))


class BatchedGood:
    batched = True

    def __init__(self) -> None:
        self.agents: dict[int, Good] = {}

    def start_tour(self, slots: Sequence[int], scans: Sequence[str]) -> None:
        for slot in slots:
            self.agents[slot] = Good()

    def act(self, slots: Sequence[int], observations: Sequence[Observation]) -> list[Decision]:
        return [self.agents[slot].act(seen) for slot, seen in zip(slots, observations, strict=True)]

    def observe(self, slots: Sequence[int], observations: Sequence[Observation]) -> None:
        for slot, seen in zip(slots, observations, strict=True):
            self.agents[slot].observe(seen)


class NoMethod:
    act = 3


class TwoArguments(Good):
    def end_tour(self, scan: str) -> None:  # it gets none
        pass


class NeedsText(Good):
    needs = "objects"


class NeedsUnknown(Good):
    needs = ("smell",)


class HalfSure(Good):
    def act(self, observation: Observation) -> Decision:
        return Decision((0.5,) + (0.0,) * len(observation.candidates))


class NotANumber(Good):
    def act(self, observation: Observation) -> Decision:
        return Decision((float("nan"),) * (len(observation.candidates) + 1))


class NoDecision(Good):
    def act(self, observation: Observation) -> Any:
        return 0


class CannotBeLed(Good):
    def observe(self, observation: Observation) -> None:
        raise NotImplementedError


class AlwaysTwoWays(Good):
    """Chooses among the two ways that there are everywhere, or so it thinks."""

    def act(self, observation: Observation) -> Decision:
        if len(observation.candidates) < 2:
            raise ValueError("where to?")
        return super().act(observation)


class AlwaysGoes(Good):
    def act(self, observation: Observation) -> Decision:
        return Decision.choose(observation, 0) if observation.candidates else Decision((0.0,))


class NeedsToAct(Good):
    acted = False

    def start_episode(self, instruction: str, observation: Observation) -> None:
        self.acted = False

    def act(self, observation: Observation) -> Decision:
        self.acted = True
        return super().act(observation)

    def end_episode(self) -> None:
        assert self.acted


class Unseeded(Good):
    def act(self, observation: Observation) -> Decision:
        return Decision.choose(observation, random.randrange(len(observation.candidates) + 1))


class NumpyUnseeded(Good):
    def act(self, observation: Observation) -> Decision:
        return Decision.choose(observation, int(np.random.randint(len(observation.candidates) + 1)))


class OneStream(Good):
    """Seeded, but what it draws depends on how much it drew before."""

    def __init__(self) -> None:
        super().__init__()
        self.chance = random.Random(0)

    def act(self, observation: Observation) -> Decision:
        return Decision.choose(observation, self.chance.randrange(len(observation.candidates) + 1))


class Remembers(Good):
    def start_tour(self, scan: str) -> None:
        pass


class SharesSlots(BatchedGood):
    """All slots have one memory."""

    def start_tour(self, slots: Sequence[int], scans: Sequence[str]) -> None:
        one = Good()
        for slot in slots:
            self.agents[slot] = one


class SwapsAnswers(BatchedGood):
    def act(self, slots: Sequence[int], observations: Sequence[Observation]) -> list[Decision]:
        order = sorted(range(len(slots)), key=lambda k: observations[k].viewpoint)
        found = [self.agents[slots[k]].act(observations[k]) for k in order]
        sizes = [len(seen.candidates) + 1 for seen in observations]
        return [
            d if len(d.probabilities) == n else Decision((0.0,) * (n - 1) + (1.0,))
            for d, n in zip(found, sizes, strict=True)
        ]


class OtherWhenMany:
    def act(self, observation: Observation) -> Decision:
        return Decision.stop(observation)

    def act_many(self, states: ManyStates) -> Ints:
        return np.where(states.step < 1, np.minimum(states.counts, 0), states.counts)


class AddsToSeen(Good):
    def act(self, observation: Observation) -> Decision:
        observation.seen["map"] = self.places  # type: ignore[index]
        return super().act(observation)


class ChangesAnnotation(Good):
    needs = ("annotation",)

    def act(self, observation: Observation) -> Decision:
        observation.seen["annotation"].episode.extra["seen"] = True
        return super().act(observation)


class IteratesOverSet(Good):
    """Decides by the order of a set of texts, which is another in every process."""

    def act(self, observation: Observation) -> Decision:
        names = [candidate.viewpoint for candidate in observation.candidates]
        if len(names) < 2 or observation.step == 2:
            return Decision.stop(observation)
        return Decision.choose(observation, names.index(next(iter(set(names)))))


@pytest.mark.parametrize("make", [Good, BatchedGood])
def test_good_agents_pass(make: Any) -> None:
    report = check_agent(make, data=DATA)
    assert report.wrong == ()
    assert report["batches"].status == ("pass" if make is BatchedGood else "not applicable")


@pytest.mark.parametrize(
    "spec",
    [
        "random",
        "random:protocol=nuances",
        "random:protocol=mattersim",
        "stop",
        "forward",
        "shortest",
        "shortest:follow=reference",
        "noisy:p=0.5",
        "noisy:p=0.5,follow=reference",
    ],
)
def test_agents_of_vlnscope_pass(spec: str) -> None:
    report = check_agent(spec, data=DATA)
    assert report.wrong == ()
    assert report.privileged == spec.startswith(("shortest", "noisy"))


@pytest.mark.parametrize(
    ("make", "rule", "text"),
    [
        (NoMethod, "methods", "`act` is of the type int"),
        (TwoArguments, "methods", "`end_tour` cannot be called"),
        (NeedsText, "needs", "must be a tuple"),
        (NeedsUnknown, "needs", "'smell'"),
        (HalfSure, "decisions", "sum to 0.5"),
        (NotANumber, "decisions", "NaN"),
        (NoDecision, "decisions", "not a Decision"),
        (CannotBeLed, "forced", "NotImplementedError"),
        (CannotBeLed, "tours", "NotImplementedError"),
        (AlwaysTwoWays, "dead ends", "where to?"),
        (AlwaysGoes, "dead ends", "sum to 0"),
        (NeedsToAct, "idleness", "`end_episode` raised AssertionError"),
        (Unseeded, "determinism", "different"),
        (NumpyUnseeded, "determinism", "different"),
        (OneStream, "order", "another order"),
        (Remembers, "memory", "second time"),
        (SharesSlots, "batches", "at a time"),
        (SwapsAnswers, "batches", "at a time"),
        (OtherWhenMany, "batches", "act and act_many"),
        (AddsToSeen, "observations", "`act` changed"),
        (ChangesAnnotation, "observations", "`act` changed"),
    ],
)
def test_each_broken_rule_is_found(make: Any, rule: str, text: str) -> None:
    report = check_agent(make, data=DATA)
    assert report[rule].status == "fail"
    assert text in report[rule].text


@pytest.mark.parametrize(
    ("make", "rules"),
    [
        (NeedsText, {"needs"}),
        (NeedsToAct, {"idleness"}),
        (AlwaysGoes, {"dead ends"}),
        (OtherWhenMany, {"batches"}),
        (SwapsAnswers, {"batches"}),
        (ChangesAnnotation, {"observations"}),
        (AddsToSeen, {"observations"}),
    ],
)
def test_only_the_broken_rule_is_found(make: Any, rules: set[str]) -> None:
    assert set(check_agent(make, data=DATA).wrong) == rules


@pytest.fixture
def processes(one_process: None, monkeypatch: pytest.MonkeyPatch) -> None:
    """Only the rule for which processes are started."""
    monkeypatch.setattr("vlnscope.evaluate.conformance.check_agent.CHECKS", {"hash seeds": hash_seeds})


@pytest.mark.usefixtures("processes")
def test_the_order_of_sets_must_not_matter() -> None:
    found = check_agent(IteratesOverSet, data=DATA)["hash seeds"]
    assert found.status == "fail"
    assert "PYTHONHASHSEED" in found.text
    assert check_agent(BatchedGood, data=DATA)["hash seeds"].status == "pass"


@pytest.mark.usefixtures("processes")
def test_agents_that_other_processes_cannot_make_are_not_called_deterministic() -> None:
    class Local(Good):
        pass

    with AgentServer(Local, 0, name="served") as server:
        for agent in (Local, lambda: Good(), server.url):
            found = check_agent(agent, data=DATA)["hash seeds"]
            assert found.status == "not applicable"
            assert "not tested" in found.text


def test_served_agents_can_be_checked() -> None:
    with AgentServer(lambda: make_agent("random").agent, 0, name="served") as server:
        assert check_agent(server.url, data=DATA).wrong == ()
    with AgentServer(OneStream, 0, name="served") as server:
        assert "order" in check_agent(server.url, data=DATA).wrong


def test_agents_are_checked_in_a_house_unless_told_otherwise() -> None:
    assert check_agent("noisy:p=0.3").wrong == ()

    class Looks(Good):
        needs = ("objects", "rooms")

        def act(self, observation: Observation) -> Decision:
            assert observation.seen["objects"] is not None
            assert observation.seen["rooms"].here
            return super().act(observation)

    assert check_agent(Looks).wrong == ()


def test_on_real_episodes(data_root: Path) -> None:
    class Looks(Good):
        needs = ("objects", "rooms")

        def act(self, observation: Observation) -> Decision:
            assert len(observation.seen["rooms"].ahead) <= len(observation.candidates) + 1
            assert all(thing.name for thing in observation.seen["objects"])
            return super().act(observation)

    assert check_agent(Looks, data="r2r/val_unseen", root=data_root).wrong == ()


def test_command_line(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    run = CliRunner().invoke
    good = run(app, ["check-agent", "random", "--data", DATA, "--json"])
    assert good.exit_code == 0
    found = json.loads(good.stdout)
    assert (found["agent"], found["conforms"]) == ("random:edges=r2r,protocol=r4r,seed=0", True)
    assert [finding["check"] for finding in found["findings"]] == list(CHECKS)
    (tmp_path / "bad_agent.py").write_text("class Bad:\n    def act(self, observation): return None\n")
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(sys, "path", list(sys.path))
    bad = run(app, ["check-agent", "bad_agent:Bad", "--data", DATA])
    assert bad.exit_code == 1
    assert "breaks decisions" in bad.stdout
    assert "act returned NoneType" in bad.stdout
    shown = run(app, ["check-agent", "shortest", "--data", DATA])
    assert "an oracle" in shown.stdout


def test_needs_that_the_data_do_not_meet_are_an_error(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    from vlnscope.core.exceptions import InputError

    class Looks(Good):
        needs = ("objects",)

        def act(self, observation: Observation) -> Decision:
            assert observation.seen["objects"]
            return super().act(observation)

    with pytest.raises(InputError, match="objects"):
        check_agent(Looks, data=DATA)
