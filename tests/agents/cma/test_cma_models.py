"""Agents of continuous environments: rows do not see each other, masks make forget, padding is nothing."""

from __future__ import annotations

import itertools
from dataclasses import replace
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

torch = pytest.importorskip("torch", reason="needs torch (pip install 'vlnscope[learn]')")

from continuous_policies import ALL, LATENT, tiny_policy, tiny_sights, walk  # noqa: E402
from vlnscope.agents.learned.cma import RedNet  # noqa: E402
from vlnscope.agents.learned.cma.batches import WalkedEpisode, batch_of  # noqa: E402
from vlnscope.agents.learned.cma.config import CmaConfig  # noqa: E402
from vlnscope.agents.learned.cma.losses import inflection_weights, policy_loss  # noqa: E402
from vlnscope.agents.learned.cma.recurrence import MaskedGru  # noqa: E402
from vlnscope.agents.learned.cma.rednet import RedNetConfig  # noqa: E402
from vlnscope.agents.learned.cma.sights import Sights  # noqa: E402
from vlnscope.agents.learned.cma.steps import Steps  # noqa: E402
from vlnscope.agents.learned.cma.visual_encoders import CellTable  # noqa: E402
from vlnscope.agents.learned.network import class_named, network_classes  # noqa: E402
from vlnscope.core.exceptions import InputError  # noqa: E402

pytestmark = pytest.mark.usefixtures("one_thread_of_torch")

WORDS = torch.tensor([[3, 5, 7, 2, 0, 0], [4, 9, 0, 0, 0, 0], [8, 1, 6, 6, 2, 11]])


def some_steps(name: str, seed: int, count: int, rows: int) -> Steps:
    """Steps in which episodes and tours begin anywhere; rows change the instruction that they follow."""
    chance = torch.Generator().manual_seed(seed)
    same_episode = torch.rand(count, rows, generator=chance) < 0.7
    same_episode[0] = False
    new_tour = ~same_episode & (torch.rand(count, rows, generator=chance) < 0.4)
    new_tour[0] = True
    return Steps(
        tiny_sights(name, seed, count, rows),
        torch.randint(0, 4, (count, rows), generator=chance),
        same_episode,
        ~new_tour,
        torch.randint(0, len(WORDS), (count, rows), generator=chance),
        torch.ones(count, rows, dtype=torch.bool),
    )


def columns(steps: Steps, chosen: slice) -> Steps:
    parts = {
        name: getattr(steps, name)[:, chosen]
        for name in ("previous", "same_episode", "same_tour", "text", "valid")
    }
    return Steps(steps.sights.each(lambda tensor: tensor[:, chosen]), **parts)


def part_of(steps: Steps, chosen: slice) -> Steps:
    parts = {
        name: getattr(steps, name)[chosen]
        for name in ("previous", "same_episode", "same_tour", "text", "valid")
    }
    return Steps(steps.sights.each(lambda tensor: tensor[chosen]), **parts)


# steps


@torch.no_grad()
@pytest.mark.parametrize("seed", range(4))
@pytest.mark.parametrize("name", sorted(ALL))
def test_many_steps_at_once_are_steps_one_by_one(name: str, seed: int) -> None:
    policy, steps = tiny_policy(name), some_steps(name, seed, 1 + 2 * seed, 1 + seed % 3)
    whole = policy(policy.read(WORDS), steps, policy.start(1 + seed % 3))
    single = walk(policy, WORDS, steps)
    torch.testing.assert_close(whole.logits, torch.cat([each.logits for each in single]))
    torch.testing.assert_close(whole.progress, torch.cat([each.progress for each in single]))
    torch.testing.assert_close(whole.state, single[-1].state)


@torch.no_grad()
@pytest.mark.parametrize("seed", range(3))
@pytest.mark.parametrize("name", sorted(ALL))
def test_rows_do_not_see_each_other(name: str, seed: int) -> None:
    policy, steps = tiny_policy(name), some_steps(name, seed, 1 + 2 * seed, 3)
    whole = policy(policy.read(WORDS), steps, policy.start(3))
    for row in range(3):
        alone = policy(policy.read(WORDS), columns(steps, slice(row, row + 1)), policy.start(1))
        torch.testing.assert_close(alone.logits, whole.logits[:, row : row + 1])
        torch.testing.assert_close(alone.state, whole.state[row : row + 1])


@torch.no_grad()
@pytest.mark.parametrize("name", sorted(ALL))
def test_zeros_after_an_instruction_say_nothing(name: str) -> None:
    policy, steps = tiny_policy(name), some_steps(name, 4, 3, 2)
    longer = torch.cat([WORDS, torch.zeros(3, 4, dtype=torch.long)], dim=1)
    both = [policy(policy.read(words), steps, policy.start(2)).logits for words in (WORDS, longer)]
    torch.testing.assert_close(*both)
    silent = policy(policy.read(torch.zeros_like(WORDS)), steps, policy.start(2))
    assert silent.logits.isfinite().all()


@torch.no_grad()
@pytest.mark.parametrize("name", ["cma", "map_cma", "seq2seq_ce"])
def test_an_episode_begins_afresh(name: str) -> None:
    policy, steps = tiny_policy(name), some_steps(name, 5, 4, 2)
    fresh = policy(policy.read(WORDS), part_of(steps, slice(0, 1)), policy.start(2))
    used = policy(policy.read(WORDS), part_of(steps, slice(0, 1)), torch.randn_like(policy.start(2)))
    torch.testing.assert_close(fresh.logits, used.logits)
    other = replace(part_of(steps, slice(0, 1)), previous=steps.previous[:1] + 1)
    torch.testing.assert_close(policy(policy.read(WORDS), other, policy.start(2)).logits, fresh.logits)


@torch.no_grad()
def test_recurrent_units_are_those_of_torch_between_resets() -> None:
    unit = MaskedGru(3, 4).double()
    chance = torch.Generator().manual_seed(0)
    x, state = (torch.randn(*shape, generator=chance, dtype=torch.float64) for shape in ((5, 2, 3), (2, 4)))
    same_episode = torch.tensor([[1, 1], [1, 1], [0, 1], [1, 1], [1, 0]]).bool()
    passed = unit(x, state, same_episode, torch.ones_like(same_episode))
    for row, pieces in ((0, (0, 2, 5)), (1, (0, 4, 5))):
        before = state[row : row + 1]
        for start, end in itertools.pairwise(pieces):
            wanted, last = unit.rnn(x[start:end, row : row + 1], before[None])
            torch.testing.assert_close(passed.outputs[start:end, row : row + 1], wanted)
            before = torch.zeros_like(last[0])
        torch.testing.assert_close(passed.state[row], wanted[-1, 0])


# memories of tours


def one_step(name: str, *, new_tour: bool) -> Steps:
    """The first step of an episode."""
    begun = torch.zeros(1, 2, dtype=torch.bool)
    return replace(some_steps(name, 6, 1, 2), same_episode=begun, same_tour=begun | (not new_tour))


def begin_again(name: str, *, new_tour: bool) -> list[Any]:
    """Take the first step of an episode with something remembered, and with nothing."""
    policy, steps = tiny_policy(name), one_step(name, new_tour=new_tour)
    full = torch.full_like(policy.start(2), 0.5)
    return [policy(policy.read(WORDS), steps, state) for state in (full, policy.start(2))]


@torch.no_grad()
@pytest.mark.parametrize("name", sorted(LATENT))
def test_what_is_remembered_ends_with_the_tour_at_the_latest(name: str) -> None:
    used, fresh = begin_again(name, new_tour=True)
    torch.testing.assert_close(used.logits, fresh.logits)
    torch.testing.assert_close(used.state, fresh.state)


@torch.no_grad()
@pytest.mark.parametrize("name", sorted(LATENT))
def test_only_agents_with_a_memory_of_tours_remember_the_episode_before(name: str) -> None:
    used, fresh = begin_again(name, new_tour=False)
    assert torch.allclose(used.logits, fresh.logits) is (name == "cma")


@torch.no_grad()
def test_the_second_unit_of_tour_cma_remembers_only_as_in_the_official_code() -> None:
    for spans in (False, True):
        policy = tiny_policy("tour_cma", state_spans_tour=spans)
        state = policy.start(2)
        state[:, 1] = 0.5
        steps = one_step("tour_cma", new_tour=False)
        used, fresh = (policy(policy.read(WORDS), steps, each) for each in (state, policy.start(2)))
        assert torch.allclose(used.logits, fresh.logits) is not spans


@torch.no_grad()
@pytest.mark.parametrize("name", ["pool_cma", "pool_end_cma"])
def test_a_memory_only_grows_within_a_tour(name: str) -> None:
    policy = tiny_policy(name)
    steps = replace(some_steps(name, 7, 6, 2), same_tour=torch.ones(6, 2, dtype=torch.bool))
    output = walk(policy, WORDS, steps)
    memories = torch.stack([policy.start(2)[:, 2], *(each.state[:, 2] for each in output)])
    assert (memories.diff(dim=0) >= 0).all()
    for before, each in zip(memories, output, strict=False):
        torch.testing.assert_close(each.state[:, 2], torch.maximum(before, each.state[:, 0]))


def test_no_gradient_goes_through_a_memory() -> None:
    policy, steps = tiny_policy("pool_end_cma"), some_steps("pool_end_cma", 8, 3, 2)
    output = policy(policy.read(WORDS), steps, policy.start(2))
    weights = list(policy.parameters())
    for slot, moved in ((0, True), (2, False)):
        found = torch.autograd.grad(
            output.state[:, slot].sum(), weights, allow_unused=True, retain_graph=True
        )
        assert any(each is not None and each.any() for each in found) is moved


@given(st.lists(st.tuples(st.booleans(), st.booleans()), min_size=1, max_size=9))
def test_oracles_make_episodes_begin_only_as_in_the_official_code(flags: list[tuple[bool, bool]]) -> None:
    begins, led = (torch.tensor(column) for column in zip(*flags, strict=True))
    for resets, wanted in ((False, ~begins), (True, ~begins & ~led)):
        policy = tiny_policy("cma", resets_when_led=resets)
        assert torch.equal(policy.same_episode(begins, led), wanted)


# padding


def episodes(name: str, *lengths: int) -> list[WalkedEpisode]:
    made: list[WalkedEpisode] = []
    for seed, length in enumerate(lengths):
        chance = torch.Generator().manual_seed(seed)
        actions = torch.randint(0, 4, (length,), generator=chance)
        previous = torch.cat([torch.zeros(1, dtype=torch.long), actions[:-1]])
        progress = torch.linspace(0, 1, length, dtype=torch.float64)
        made.append(WalkedEpisode(WORDS[seed], tiny_sights(name, seed, length), previous, actions, progress))
    return made


@pytest.mark.parametrize("name", sorted(ALL))
def test_padding_leaves_no_trace_unless_it_runs_on(name: str) -> None:
    for runs_on in (False, True):
        policy = tiny_policy(name, padding_runs_on=runs_on)
        long, short = episodes(name, 5, 2)
        both, alone = (batch_of(these, padding_runs_on=runs_on) for these in ([long, short], [short]))
        beside = policy(policy.read(both.words), both.steps, policy.start(2))
        single = policy(policy.read(alone.words), alone.steps, policy.start(1))
        torch.testing.assert_close(beside.logits[:2, 1], single.logits[:, 0])
        assert torch.allclose(beside.state[1], single.state[0]) is not runs_on
        alone_cost = policy_loss(single, alone.actions, alone.weights).total
        first = batch_of([long], padding_runs_on=runs_on)
        output = policy(policy.read(first.words), first.steps, policy.start(1))
        first_cost = policy_loss(output, first.actions, first.weights).total
        both_cost = policy_loss(beside, both.actions, both.weights).total
        torch.testing.assert_close(both_cost, (first_cost + alone_cost) / 2)


def test_maps_of_padding_take_no_part_in_statistics() -> None:
    """Batch norms over maps see padding only where it runs on, as officially."""
    means = []
    for runs_on in (False, True):
        policy = tiny_policy("map_cma", padding_runs_on=runs_on).train()
        batch = batch_of(episodes("map_cma", 4, 1), padding_runs_on=runs_on)
        policy(policy.read(batch.words), batch.steps, policy.start(2))
        means.append(policy.net.map_encoder.cnn[0].conv[1].running_mean.clone())
    assert not torch.allclose(*means)


# losses


@given(st.lists(st.lists(st.integers(0, 3), min_size=1, max_size=6), min_size=1, max_size=3))
def test_inflections_count_more(walks: list[list[int]]) -> None:
    most = max(map(len, walks))
    actions = torch.tensor([walk + [0] * (most - len(walk)) for walk in walks]).T
    valid = torch.tensor([[True] * len(walk) + [False] * (most - len(walk)) for walk in walks]).T
    weights = inflection_weights(actions, valid)
    for column, walked in enumerate(walks):
        for step in range(most):
            new = step == 0 or (step < len(walked) and walked[step] != walked[step - 1])
            wanted = 0.0 if step >= len(walked) else 3.2 if new else 1.0
            assert weights[step, column].item() == pytest.approx(wanted)


@pytest.mark.parametrize("name", sorted(ALL))
def test_small_agents_learn(name: str) -> None:
    policy = tiny_policy(name).train()
    batch = batch_of(episodes(name, 4, 2), padding_runs_on=False)
    optimizer, costs = torch.optim.Adam(policy.parameters(), lr=0.02), []
    for _ in range(12):
        output = policy(policy.read(batch.words), batch.steps, policy.start(2))
        cost = policy_loss(output, batch.actions, batch.weights, batch.progress)
        optimizer.zero_grad()
        cost.total.backward()
        optimizer.step()
        costs.append(cost.total.item())
    assert costs[-1] < 0.8 * costs[0]


# what sees


def test_cells_have_their_own_numbers_unless_scrambled() -> None:
    seen = torch.zeros(1, 2, 4, 4)
    for scrambled in (False, True):
        table = CellTable(CmaConfig.preset("small", scrambled_cells=scrambled))
        size, flat = table.embedding_dim, table.weight.detach().flatten()
        joined = table.joined(seen)[0, 2:].detach()
        for channel in range(size):
            for cell in range(16):
                place = 16 * channel + cell if scrambled else size * cell + channel
                assert joined[channel, cell] == flat[place]


def pictures(rows: int) -> Sights:
    chance = torch.Generator().manual_seed(2)
    return Sights(
        rgb=torch.randint(0, 256, (rows, 64, 64, 3), generator=chance, dtype=torch.uint8),
        depth=torch.rand(rows, 64, 64, 1, generator=chance),
        occupancy=torch.zeros(rows, 64, 64),
        semantic=torch.zeros(rows, 64, 64, dtype=torch.long),
    )


def small(name: str, **changes: Any) -> Any:
    kind = class_named(name, network_classes())
    torch.manual_seed(1)
    return kind(kind.Config.preset("small", **changes))


@torch.no_grad()
@pytest.mark.parametrize("name", sorted(ALL))
def test_features_stand_for_images(name: str) -> None:
    policy, shown = small(name).eval(), pictures(2)
    made = policy.features(shown)
    assert made.rgb is None
    assert made.depth is None
    both = [
        policy(
            policy.read(WORDS[:2]),
            Steps.one(sights, torch.tensor([0, 1]), torch.tensor([False, True])),
            policy.start(2),
        ).logits
        for sights in (shown, made)
    ]
    torch.testing.assert_close(*both)


def test_networks_that_are_not_learned_keep_their_statistics_unless_they_drift() -> None:
    for drifts in (False, True):
        policy = small("cma", trains_encoders=False, encoders_drift=drifts).train()
        norm = policy.net.rgb_encoder.cnn[1]
        before = norm.running_mean.clone()
        policy.features(pictures(2))
        assert torch.equal(norm.running_mean, before) is not drifts
        policy.eval().features(pictures(2))
        assert not any(weight.requires_grad for weight in policy.net.rgb_encoder.cnn.parameters())
    learned = small("cma").train()
    assert all(weight.requires_grad for weight in learned.parameters())
    assert learned.net.rgb_encoder.cnn[1].training


def test_an_agent_says_what_it_was_not_shown() -> None:
    policy = small("cma").eval()
    shown = Sights(depth=torch.zeros(1, 64, 64, 1))
    with pytest.raises(InputError, match="not shown rgb") as refused:
        policy.features(shown)
    assert refused.value.expected == "it beside depth"


def test_sizes_that_no_agent_can_have_are_refused() -> None:
    for wrong in ({"rgb_layers": 7}, {"rgb_channels": 33}, {"hidden": 7}, {"depth_planes": 3}):
        with pytest.raises(InputError, match="cannot be"):
            CmaConfig.preset("small", **wrong)


@torch.no_grad()
def test_rednet_tells_a_class_for_each_pixel() -> None:
    torch.manual_seed(0)
    network = RedNet(RedNetConfig.preset("small", classes=5)).eval()
    shown = pictures(2)
    classes = network.classes(shown.rgb, shown.depth)
    assert (classes.shape, classes.dtype) == ((2, 256, 256), torch.uint8)
    assert int(classes.max()) < 5
    torch.testing.assert_close(network.classes(shown.rgb[:1], shown.depth[:1]), classes[:1])


@torch.no_grad()
def test_vectors_of_words_are_read_as_they_are() -> None:
    policy = tiny_policy("cma", vocabulary=0)
    vectors = torch.rand(2, 5, 6, dtype=torch.float64)
    vectors[1, 3:] = 0
    read = policy.read(vectors)
    assert read.mask.tolist() == [[True] * 5, [True] * 3 + [False] * 2]
    torch.testing.assert_close(policy.read(vectors[1:, :3]).context, read.context[1:, :3])
