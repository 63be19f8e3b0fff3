"""REINFORCE: the loss is that of the paper, no unit matters, and two runs can begin with the same weights."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import msgspec
import pytest

torch = pytest.importorskip("torch", reason="needs torch (pip install 'vlnscope[learn]')")

from training_world import made, task  # noqa: E402
from vlnscope.agents.learned.checkpoints import load_checkpoint, make_model, save_checkpoint  # noqa: E402
from vlnscope.agents.learned.layers import read_words  # noqa: E402
from vlnscope.core.exceptions import InputError  # noqa: E402
from vlnscope.training import reinforce  # noqa: E402
from vlnscope.training.experiment import read_experiment  # noqa: E402
from vlnscope.training.loop import Trainer  # noqa: E402
from vlnscope.training.ranks import Ranks  # noqa: E402
from vlnscope.training.reinforce import level, policy_loss, returns, rewards  # noqa: E402
from vlnscope.training.rollouts import Learner, SampledActions, TrainingRollout, Update, roll_out_batch  # noqa: E402

pytestmark = pytest.mark.usefixtures("one_thread_of_torch")


LAID = task(
    made(), model="rcm", method="reinforce", reward="fidelity", entropy=0.02, critic=0.3, discount=0.8
)
LEARNING = LAID.experiment.learning
UPDATE = Update(4, 7, len(LAID.train))


def new_model() -> Any:
    return make_model("rcm", LAID.config, seed=2).eval()


def drawn(model: Any) -> TrainingRollout:
    """The walk of update 7 with seed 4."""
    choose = SampledActions(4, "policy 7", LAID.train.keys)
    return roll_out_batch(model, LAID.world, LAID.train, choose, max_steps=LEARNING.max_steps, values=True)


def test_the_loss_is_that_of_equation_ten() -> None:
    """Walked again decision by decision: log-probability times advantage, the critic's error, entropy."""
    model = new_model()
    with torch.no_grad():
        walked = drawn(model)
    gains = returns(rewards(LAID.world, LAID.train, walked, "fidelity"), 0.8)
    decisions = [
        (step.logits[i].softmax(0), int(step.chosen[i]), float(step.values[i]), float(gains[row, number]))
        for number, step in enumerate(walked.steps)
        for i, row in enumerate(step.rows.tolist())
        if step.values is not None
    ]
    every = torch.tensor([gain for *_, gain in decisions]).double()
    mean, unit = float(every.mean()), float(every.std(correction=0))
    expected = 0.0
    for shares, chosen, value, gain in decisions:
        advantage = (gain - mean) / unit - value
        entropy = -sum(float(p) * float(p.log()) for p in shares if p > 0)
        expected += -float(shares[chosen].log()) * advantage - 0.02 * entropy + 0.3 * advantage**2
    found = policy_loss(Learner(model, LAID.world, LEARNING), LAID.train, UPDATE)
    assert float(found.detach()) == pytest.approx(expected / len(LAID.train), rel=1e-4)


def test_the_policy_is_not_moved_through_the_baseline_of_its_advantage() -> None:
    """Without critic and entropy, the gradient is that of the log-probabilities, weighted by constants."""
    plain = msgspec.structs.replace(LEARNING, critic=0.0, entropy=0.0)
    model = new_model()
    policy_loss(Learner(model, LAID.world, plain), LAID.train, UPDATE).backward()  # type: ignore[no-untyped-call]
    assert all(p.grad is None or not p.grad.any() for p in model.critic.parameters())
    assert model.navigator.state_to_action.weight.grad.abs().sum() > 0


def test_the_unit_of_a_reward_does_not_matter(monkeypatch: pytest.MonkeyPatch) -> None:
    before = policy_loss(Learner(new_model(), LAID.world, LEARNING), LAID.train, UPDATE)
    monkeypatch.setattr(reinforce, "rewards", lambda *given: 100 * rewards(*given))
    after = policy_loss(Learner(new_model(), LAID.world, LEARNING), LAID.train, UPDATE)
    assert float(after.detach()) == pytest.approx(float(before.detach()), rel=1e-5)


class OneOfTwo(Ranks):
    """A process whose partner has the values 10 and 20."""

    def sum(self, tensors: Any) -> None:
        for tensor in tensors:
            tensor += torch.tensor([2.0, 30.0, 500.0])


def test_processes_agree_on_the_unit() -> None:
    own = torch.tensor([1.0, 2.0, 3.0])
    whole = torch.tensor([1.0, 2.0, 3.0, 10.0, 20.0]).double()
    mean, unit = level(own, OneOfTwo())
    assert float(mean) == pytest.approx(float(whole.mean()))
    assert float(unit) == pytest.approx(float(whole.std(correction=0)))
    assert float(level(torch.full((4,), 0.1), Ranks())[1]) == 1.0


@pytest.mark.parametrize("reward", ["goal", "fidelity"])
def test_what_is_rewarded_becomes_more_likely(reward: Any, tmp_path: Path) -> None:
    changes: dict[str, Any] = {"updates": 40, "batch": 24, "rate": 1e-2, "cloning": 0.0, "max_steps": 5}
    laid = task(made(), model="rcm", method="reinforce", reward=reward, **changes)
    trainer = Trainer(laid, tmp_path, Ranks())

    def gained() -> float:
        with torch.no_grad():
            choose = SampledActions(0, "test", laid.train.keys)
            walked = roll_out_batch(trainer.model, laid.world, laid.train, choose, max_steps=5)
        return float(rewards(laid.world, laid.train, walked, reward).sum(1).mean())

    before = gained()
    for update in range(40):
        trainer._update(update)
    assert gained() > before + 0.1


def test_a_run_begins_with_the_weights_of_another(tmp_path: Path) -> None:
    kept = make_model("rcm", LAID.config, seed=9)
    save_checkpoint(tmp_path / "best.pt", kept, LAID.vocabulary)
    weights = load_checkpoint(tmp_path / "best.pt", "rcm").model.state_dict()
    begun = Trainer(LAID._replace(weights=weights), tmp_path / "run", Ranks()).model
    assert all(torch.equal(weights[name], tensor) for name, tensor in begun.state_dict().items())
    smaller = LAID.config.of({**LAID.config.to_dict(), "hidden": 8})
    with pytest.raises(InputError, match="has other sizes"):
        Trainer(LAID._replace(weights=weights, config=smaller), tmp_path / "run", Ranks())


def test_the_two_experiments_differ_in_the_reward_alone() -> None:
    goal, fidelity = (read_experiment(f"r4r-{kind}") for kind in ("goal", "fidelity"))
    same = msgspec.structs.replace(
        fidelity, title=goal.title, learning=msgspec.structs.replace(fidelity.learning, reward="goal")
    )
    assert (goal.learning.reward, fidelity.learning.reward) == ("goal", "fidelity")
    assert same == goal
    cloning = read_experiment("r4r-cloning")
    assert (cloning.data, cloning.model.sizes) == (goal.data, goal.model.sizes)


@pytest.mark.parametrize("both_ways", [False, True])
def test_words_are_read_as_packed_sequences_are(both_ways: bool) -> None:
    torch.manual_seed(1)
    lstm = torch.nn.LSTM(5, 3, batch_first=True, bidirectional=both_ways).double()
    words = torch.randn(4, 6, 5, dtype=torch.double, requires_grad=True)
    sizes = torch.tensor([6, 1, 4, 4])
    mask = torch.arange(6) < sizes[:, None]
    packed = torch.nn.utils.rnn.pack_padded_sequence(words, sizes, batch_first=True, enforce_sorted=False)
    spoken, (hidden, cell) = lstm(packed)
    spoken, _ = torch.nn.utils.rnn.pad_packed_sequence(spoken, batch_first=True)
    found = []
    for parts in ((spoken, hidden, cell), read_words(lstm, words, mask)):
        lost = sum(part.square().sum() for part in parts)
        inputs = [words, *lstm.parameters()]
        found.append([*parts, *torch.autograd.grad(lost, inputs)])
    for one, other in zip(*found, strict=True):
        assert torch.allclose(one, other)
