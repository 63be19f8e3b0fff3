"""Learned models: what they see, step by step, whatever the batch; the front view; tours."""

from __future__ import annotations

import math
from dataclasses import fields, replace
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from vlnscope.core.exceptions import InputError
from vlnscope.core.rng import rng_for
from vlnscope.types import Candidate, Observation
from vlnscope.worlds.graph.candidates import candidates_of
from vlnscope.worlds.graph.navgraph import NavGraph
from vlnscope.worlds.graph.views import STEP, VIEW_HEADINGS, view_index

torch = pytest.importorskip("torch", reason="needs torch (pip install 'vlnscope[learn]')")

from tiny_models import NAMES, TINY, WIDTH, on_paper, texts, tiny, visuals, walk  # noqa: E402
from vlnscope.agents.learned.checkpoints import make_model  # noqa: E402
from vlnscope.agents.learned.envdrop import EnvDropConfig  # noqa: E402
from vlnscope.agents.learned.hamt import Hamt  # noqa: E402
from vlnscope.agents.learned.hamt_transformer import HamtConfig  # noqa: E402
from vlnscope.agents.learned.inputs import (  # noqa: E402
    NOTHING,
    VisualInput,
    angles,
    candidate_angles,
    look_at,
    panorama_angles,
)
from vlnscope.agents.learned.model import NavModel, model_class, stack, unstack  # noqa: E402
from vlnscope.agents.learned.seq2seq import Seq2Seq, Seq2SeqConfig  # noqa: E402
from vlnscope.agents.learned.tensors import GraphInputs, SeenFeatures, ViewpointNumbers, visual_input  # noqa: E402
from vlnscope.agents.learned.tour_hamt import TourHamt, TourHamtConfig, inflection_weights  # noqa: E402

pytestmark = pytest.mark.usefixtures("one_thread_of_torch")

COLUMNS = ("views", "headings", "elevations", "open", "leads", "distances")
"""What a visual has of each candidate."""
UNUSED = (
    "linear_out",
    "prev_hist",
    "addlayer.0.lang_",
    "addlayer.1.lang_",
    "img_projection",
    "cand_LayerNorm",
)
"""Weights that official layouts have and models do not need."""


# visuals


def test_presets_are_small_and_wrong_sizes_are_refused() -> None:
    with pytest.raises(InputError) as error:
        model_class("none")
    assert all(name in error.value.expected for name in NAMES)
    for name in NAMES:
        assert sum(weight.numel() for weight in on_paper(name, "small").parameters()) < 2.1e6
    for changes in ({"angle_size": 6}, {"hidden": 7}, {"max_tokens": 999}, {"size": 3}):
        with pytest.raises(InputError):
            HamtConfig.preset("small", **changes)
    with pytest.raises(InputError, match="no preset"):
        EnvDropConfig.preset("huge")
    with pytest.raises(InputError, match="no model called 'hampt'; did you mean 'hamt'"):
        model_class("hampt")
    config = TourHamtConfig.preset("small", sep_hist=False)
    assert TourHamtConfig.of(config.to_dict()) == config


@given(st.floats(-10, 10), st.floats(-1.5, 1.5))
def test_views_looked_at_are_those_of_the_simulator(heading: float, elevation: float) -> None:
    numbers = (torch.tensor([value], dtype=torch.float64) for value in (heading, elevation))
    assert look_at(*numbers).tolist() == [view_index(heading, elevation)]


def test_angles_are_relative_in_heading_and_absolute_in_elevation() -> None:
    visual = visuals(3, 5, 4)
    found, around = candidate_angles(visual, 8), panorama_angles(visual.look, 4, visual.images)
    for row in range(5):
        facing = VIEW_HEADINGS[int(visual.look[row])]
        for way in range(4):
            h, e = float(visual.headings[row, way]) - facing, float(visual.elevations[row, way])
            four = (
                [math.sin(h), math.cos(h), math.sin(e), math.cos(e)] if visual.open[row, way] else [0.0] * 4
            )
            assert found[row, way].tolist() == pytest.approx(four * 2)
        view = 12 * 2 + 5
        ahead = angles(torch.tensor(5 * STEP - facing), torch.tensor(STEP), 4)
        assert around[row, view].tolist() == pytest.approx(ahead.tolist(), abs=1e-6)


GRAPH = NavGraph.build(
    ["a", "b", "c", "d"],
    [[0, 0, 0], [2, 1, 0.4], [0, 3, 0], [-2, -2, 1.5]],
    [("a", "b"), ("a", "c"), ("b", "c"), ("a", "d")],
)


def seen_at(
    node: str, images: Any, heading: float = 1.0, ways: tuple[Candidate, ...] | None = None
) -> Observation:
    return Observation(
        episode_id="1", instruction="go", scan="s", viewpoint=node, heading=heading, elevation=0.0, step=0,
        candidates=candidates_of(GRAPH, node) if ways is None else ways, seen={"features:x": images},
    )  # fmt: skip


def test_graph_arrays_give_the_same_sights_as_observations() -> None:
    images = rng_for(0, "images").normal(size=(8, 36, WIDTH)).astype(np.float32)
    graphs = GraphInputs.of([GRAPH, GRAPH], torch.from_numpy(images))
    nodes, look = torch.tensor([0, 3, 6, 1]), torch.tensor([view_index(1.0)] * 4)
    taken = torch.tensor([NOTHING, 0, 1, 2])
    own = graphs.at(nodes, look, taken)
    shown = [seen_at("adcb"[k], images[int(node)]) for k, node in enumerate(nodes)]
    known = [ViewpointNumbers() for _ in nodes]
    for numbers, node in zip(known, nodes, strict=True):
        for name in ("wxyz" if node >= 4 else "") + "abcd":
            numbers.of(name)
    other = visual_input(shown, SeenFeatures("features:x"), taken.tolist(), known, torch.zeros(1), WIDTH)
    there = own.open
    own, other = (replace(each, leads=each.leads * there) for each in (own, other))
    for field in fields(VisualInput):
        first, second = getattr(own, field.name), getattr(other, field.name)
        assert first is second is None or torch.equal(first, second), field.name
    went, looking = graphs.moved(
        nodes, look, torch.tensor([1, 0, 0, 0]), torch.tensor([True, True, True, False])
    )
    names = [GRAPH.nodes[int(node) % 4] for node in went]
    ways = [seen.candidates[choice] for seen, choice in zip(shown, (1, 0, 0, 0), strict=True)]
    assert names == [*(way.viewpoint for way in ways[:3]), "b"]
    assert (went >= 4).tolist() == [False, False, True, False]
    assert looking.tolist() == [*(view_index(way.heading, way.elevation) for way in ways[:3]), look[3]]
    with pytest.raises(InputError, match="features of 3 viewpoints"):
        GraphInputs.of([GRAPH], torch.zeros(3, 36, 2))


def test_features_of_another_shape_are_refused() -> None:
    with pytest.raises(InputError, match=r"viewpoint a of scan s have the shape \(36, 5\)"):
        visual_input(
            [seen_at("a", np.zeros((36, 5)))],
            SeenFeatures("features:x"),
            [0],
            [ViewpointNumbers()],
            torch.zeros(1),
            WIDTH,
        )


def test_rows_may_have_no_candidates() -> None:
    images = np.ones((36, WIDTH), dtype=np.float32)
    shown = [seen_at("a", images), seen_at("d", images), seen_at("d", images, ways=())]
    like = torch.zeros(1, dtype=torch.float64)
    numbers = [ViewpointNumbers() for _ in shown]
    visual = visual_input(shown, SeenFeatures("features:x"), [NOTHING] * 3, numbers, like, WIDTH)
    for name in NAMES:
        model = tiny(name)
        logits, _ = model.step(model.start(*texts(1, 3)), visual)
        assert logits.isfinite().tolist() == [[True] * 4, [True, False, False, True], [False] * 3 + [True]]


# steps


@pytest.mark.parametrize("name", NAMES)
@settings(max_examples=3)
@given(seed=st.integers(0, 1000))
@torch.no_grad()
def test_batches_do_not_matter(name: str, seed: int) -> None:
    """Rows taken apart and put together in another order, with other lengths beside them, go on alike."""
    model = tiny(name)
    first = model.start(*texts(seed, 3))
    _, later = model.step(first, visuals(seed, 3, 3))
    older = walk(model, seed + 7, 2, 4)[1]
    mixed = stack([*unstack(older), *reversed(unstack(later))])
    visual = visuals(seed + 1, 5, 5)
    visual = replace(visual, taken=torch.zeros(5, dtype=torch.long))
    together, after = model.step(mixed, visual)
    for row in range(3):
        part = {field.name: getattr(visual, field.name) for field in fields(VisualInput)}
        alone = VisualInput(
            **{key: None if value is None else value[4 - row : 5 - row] for key, value in part.items()}
        )
        logits, state = model.step(unstack(later)[row], alone)
        torch.testing.assert_close(together[4 - row], logits[0], atol=1e-10, rtol=0)
        torch.testing.assert_close(model.value(after)[4 - row], model.value(state)[0], atol=1e-10, rtol=0)


@pytest.mark.parametrize("name", NAMES)
@torch.no_grad()
def test_padding_and_other_candidates_order_do_not_matter(name: str) -> None:
    model, visual, (tokens, mask) = tiny(name), visuals(5, 4, 5), texts(5, 4)
    visual = replace(visual, open=torch.ones_like(visual.open))
    logits, _ = model.step(model.start(tokens, mask), visual)
    order = torch.tensor([3, 1, 4, 0, 2])
    turned = {key: getattr(visual, key)[:, order] for key in COLUMNS}
    longer = (torch.nn.functional.pad(tokens, (0, 2), value=5), torch.nn.functional.pad(mask, (0, 2)))
    again, _ = model.step(model.start(*longer), replace(visual, **turned))
    torch.testing.assert_close(again[:, :-1], logits[:, :-1][:, order], atol=1e-10, rtol=0)
    torch.testing.assert_close(again[:, -1], logits[:, -1], atol=1e-10, rtol=0)


@pytest.mark.parametrize("name", NAMES)
@torch.no_grad()
def test_seeing_without_deciding_is_remembered_alike(name: str) -> None:
    model, (start, later) = tiny(name), (visuals(1, 2, 3), visuals(2, 2, 3))
    state, later = model.start(*texts(3, 2)), replace(later, taken=torch.tensor([0, NOTHING]))
    decided = model.step(model.step(state, start)[1], later)[0]
    torch.testing.assert_close(model.step(model.observe(state, start), later)[0], decided)
    assert not torch.allclose(model.step(state, later)[0], decided), "what was seen before matters"
    elsewhere = replace(later, taken=torch.tensor([NOTHING, 0]))
    if name not in ("clip_vil", "envdrop", "vlnbert"):  # they are told where they look, not what they did
        assert not torch.allclose(model.step(model.observe(state, start), elsewhere)[0], decided)


@pytest.mark.parametrize("name", NAMES)
def test_models_learn(name: str) -> None:
    """What is read, seen and done before matters, and a few steps of training bring the loss down."""
    config = tiny(name, dropout=0.0, feature_dropout=0.0).config
    model = make_model(name, config).double().train()
    goals, losses = torch.tensor([[0, 4], [4, 0], [0, 0]]), []
    for _ in range(12):
        state, loss = model.start(*texts(2, 3)), torch.zeros((), dtype=torch.float64)
        for step in range(2):
            visual = replace(visuals(step, 3, 4), toward=goals[:, step])
            logits, state = model.step(
                state, replace(visual, taken=goals[:, 0] * 0 if step else visual.taken)
            )
            loss = loss + torch.nn.functional.cross_entropy(logits, goals[:, step])
        loss = loss + model.value(state).square().mean()
        model.zero_grad()
        loss.backward()
        with torch.no_grad():
            for weight in model.parameters():
                weight -= 0.01 * (0 if weight.grad is None else weight.grad.sign())
        losses.append(loss.item())
    assert losses[-1] < 0.75 * losses[0]
    idle = {key for key, weight in model.named_parameters() if weight.grad is None}
    assert all(any(part in key for part in UNUSED) for key in idle), idle


@torch.no_grad()
def test_features_drop_out_of_whole_panoramas_in_training() -> None:
    model, visual = tiny("rcm", feature_dropout=0.5), visuals(1, 3, 4)
    assert model.dropped(visual) is visual
    seen = model.train().dropped(visual)
    kept = seen.images[:, :1] != 0
    assert 0 < kept.sum() < kept.numel()
    assert torch.equal(seen.images, visual.images * kept * 2)


@torch.no_grad()
def test_hamt_sees_the_official_list_of_tokens() -> None:
    """Candidates, stopping, then the views that no candidate is in: the layout with masks says the same."""
    model, rows = tiny("hamt"), 4
    assert isinstance(model, Hamt)
    visual, state = visuals(8, rows, 5), model.start(*texts(8, rows))
    logits, _ = model.step(state, visual)
    around = panorama_angles(visual.look, 4, visual.images)
    towards = candidate_angles(visual, 4)
    for row in range(rows):
        ways = int(visual.open[row].sum())
        views = visual.views[row, :ways].tolist()
        rest = [view for view in range(36) if view not in views]
        blank = torch.zeros(1, WIDTH), torch.zeros(1, 4)
        images = torch.cat([visual.images[row, views], blank[0], visual.images[row, rest]])
        turns = torch.cat([towards[row, :ways], blank[1], around[row, rest]])
        kinds = torch.tensor([1] * ways + [2] + [0] * len(rest))
        asked = (images[None], turns[None], kinds[None], torch.ones(1, len(kinds), dtype=torch.bool))
        alone = unstack(state)[row]
        looked = model.vln_bert.look(alone.read, alone.word_mask, alone.history, alone.history_mask, asked)
        own = torch.cat([logits[row, :ways], logits[row, -1:]])
        torch.testing.assert_close(own, looked.logits[0, : ways + 1], atol=1e-10, rtol=0)


@torch.no_grad()
def test_hamt_can_do_without_panoramas() -> None:
    model = tiny("hamt", pano_layers=0, panorama=False, no_lang_ca=True)
    assert not any("pano" in key for key in model.state_dict())
    logits, state = walk(model, 4, 3, 3)
    assert state.history.shape[1] == 3
    assert all(found.shape == (3, 5) for found in logits)


# the front view


def plainly(model: Seq2Seq, state: Any, visual: VisualInput, row: int) -> list[float]:
    """Chances of one row, moment by moment, as the docstring says."""
    ways = int(visual.open[row].sum())
    chances, left, action, look = [0.0] * (ways + 1), 1.0, 6, int(visual.look[row])
    hidden, cell = state.hidden[row : row + 1], state.cell[row : row + 1]
    for _ in range(9):
        scores, hidden, cell = model.decoder(
            torch.tensor([action]), visual.images[row, look][None], hidden, cell,
            state.context[row : row + 1], state.word_mask[row : row + 1],
        )  # fmt: skip
        offs = []
        for way in range(ways):
            across = math.remainder(float(visual.headings[row, way]) - look % 12 * STEP, math.tau)
            above = float(visual.elevations[row, way]) - (look // 12 - 1) * STEP
            offs += [(math.hypot(across, above), way)] if abs(across) <= math.radians(40) else []
        if not offs:
            scores[0, 4] = -torch.inf
        shares = scores.softmax(1)[0].tolist()
        if offs:
            chances[min(offs)[1]] += left * shares[4]
        chances[-1] += left * shares[5]
        action = max(range(4), key=lambda turn: shares[turn])
        left *= shares[action]
        column, level = look % 12, look // 12
        look = (
            12 * min(2, max(0, level + (action == 2) - (action == 3)))
            + (column + (action == 1) - (action == 0)) % 12
        )
    spare = 1 - sum(chances)
    return [chance + spare / (ways + 1) for chance in chances]


@settings(max_examples=8)
@given(seed=st.integers(0, 1000))
@torch.no_grad()
def test_seq2seq_turns_about(seed: int) -> None:
    model = tiny("seq2seq")
    assert isinstance(model, Seq2Seq)
    visual, state = visuals(seed, 3, 4), model.start(*texts(seed, 3))
    found = model.step(state, visual)[0].softmax(1)
    assert found.sum(1).tolist() == pytest.approx([1.0] * 3)
    for row in range(3):
        own = [*found[row, : int(visual.open[row].sum())].tolist(), float(found[row, -1])]
        assert own == pytest.approx(plainly(model, state, visual, row), abs=1e-9)


@settings(max_examples=20)
@given(look=st.integers(0, 35), view=st.integers(0, 35))
@torch.no_grad()
def test_a_teacher_turns_seq2seq_to_the_candidate(look: int, view: int) -> None:
    """With a decoder that finds all actions equally likely, chances are known."""
    model = Seq2Seq(Seq2SeqConfig.preset("small", **TINY)).double().train()
    for weight in model.decoder.parameters():
        weight.zero_()
    visual = VisualInput(
        torch.zeros(1, 36, WIDTH, dtype=torch.float64), torch.tensor([look]), torch.tensor([[view]]),
        torch.tensor([[view % 12 * STEP]], dtype=torch.float64),
        torch.tensor([[(view // 12 - 1) * STEP]], dtype=torch.float64), torch.tensor([[True]]),
        torch.tensor([NOTHING]), torch.tensor([0]), torch.tensor([[1]]),
        torch.ones(1, 1, dtype=torch.float64), toward=torch.tensor([0]),
    )  # fmt: skip
    logits, _ = model.step(model.start(*texts(0, 1)), visual)
    # five actions where the candidate is out of visual, six where it is in visual: then the teacher goes
    turns = max(abs(math.remainder(view - look, 12)) - 1, 0)
    going, stopping = 0.2**turns / 6, sum(0.2 ** (turn + 1) for turn in range(int(turns))) + 0.2**turns / 6
    spare = (1 - going - stopping) / 2
    assert logits.exp()[0].tolist() == pytest.approx([going + spare, stopping + spare], abs=1e-9)


@torch.no_grad()
def test_a_teacher_is_not_heard_outside_training() -> None:
    for name in NAMES:
        model, visual = tiny(name), visuals(6, 3, 4)
        state = model.start(*texts(6, 3))
        told = model.step(state, replace(visual, toward=torch.tensor([0, 4, 0])))[0]
        assert torch.equal(told, model.step(state, visual)[0])


# tours


def toured(model: NavModel[Any], episodes: int = 3) -> list[Any]:
    state, found = model.start(*texts(0, 2)), []
    for episode in range(episodes):
        state = model.resume(state, *texts(episode, 2)) if episode else state
        for step in range(4):
            visual = visuals(10 * episode + step, 2, 3)
            taken = visual.taken if step + episode == 0 else torch.zeros(2, dtype=torch.long)
            logits, state = model.step(state, replace(visual, taken=taken))
            found.append(logits)
    return found


def same(first: list[Any], second: list[Any]) -> bool:
    return all(torch.allclose(a, b, atol=1e-9) for a, b in zip(first, second, strict=True))


@torch.no_grad()
def test_tours_are_remembered_as_the_flags_say() -> None:
    whole = tiny("tour_hamt")
    weights = whole.state_dict()

    def variant(**flags: Any) -> list[Any]:
        model = tiny("tour_hamt", **flags)
        model.load_state_dict(weights, strict=flags.get("sep_hist", True))
        return toured(model)

    told = toured(whole)
    assert same(told, variant(train_history=False)), "encoding anew changes nothing while weights stay"
    forgetful = variant(extended_history=False)
    assert same(told[:4], forgetful[:4])
    assert not same(told[4:], forgetful[4:])
    plain = variant(sep_hist=False)
    assert not same(told[:1], plain[:1])
    episodic = tiny("hamt")
    episodic.load_state_dict({k: v for k, v in weights.items() if "prev_hist" not in k})
    forgets = variant(extended_history=False, sep_hist=False)
    assert same(forgets[:4], toured(episodic)[:4])
    later = tiny("hamt")
    later.load_state_dict(episodic.state_dict())
    assert not same(plain[4:], toured(later)[4:])


@torch.no_grad()
def test_only_the_latest_steps_are_remembered() -> None:
    """With room for nine tokens, two of them learned, what is more than seven steps ago does not matter."""
    model = tiny("tour_hamt")
    assert isinstance(model, TourHamt)

    def last_logits(first: int) -> Any:
        state = model.start(*texts(0, 2))
        for episode in range(4):
            state = model.resume(state, *texts(1, 2)) if episode else state
            for step in range(3):
                seen = visuals(first if episode == 0 else 10 * episode + step, 2, 3)
                logits, state = model.step(state, replace(seen, taken=torch.zeros(2, dtype=torch.long)))
        return logits, state

    logits, state = last_logits(500)
    assert torch.allclose(logits, last_logits(900)[0], atol=1e-12)
    tokens, mask = model.history_of(state)
    assert int(mask.sum(1).max()) <= 9 == mask[0].sum()
    assert tokens.shape[:2] == mask.shape
    assert int(state.trail.real.sum(1).max()) <= 9 + 3


def test_gradients_stay_in_their_episode_and_reach_the_history_encoder() -> None:
    model = tiny("tour_hamt", dropout=0.0, feature_dropout=0.0)
    _, before = walk(model, 3, 2, 3)
    state = model.resume(before, *texts(4, 2))
    logits, _ = model.step(state, replace(visuals(9, 2, 3), taken=torch.zeros(2, dtype=torch.long)))
    leaf = before.history
    wanted = model.vln_bert.hist_embeddings.pano_img_linear.weight
    found = torch.autograd.grad(logits[:, -1].sum(), [leaf, wanted], allow_unused=True)
    assert found[0] is None
    assert found[1].abs().sum() > 0


def test_inflections_count_more() -> None:
    turns = torch.tensor([[0.0, 3.0, -2.0, 0.0], [0.0, 0.0, 9.0, 9.0]])
    stops = torch.tensor([[False, False, False, True], [False, True, False, False]])
    valid = torch.tensor([[True] * 4, [True, True, False, False]])
    found = inflection_weights(turns, stops, valid)
    torch.testing.assert_close(found, torch.tensor([[1, 4 / 3, 4 / 3, 4 / 3], [1.0, 2.0, 0.0, 0.0]]))
    assert torch.equal(tiny("tour_hamt").step_weights(turns, stops, valid), found)
    plain = tiny("tour_hamt", inflection_weighting=False)
    assert plain.step_weights(turns, stops, valid).tolist() == valid.float().tolist()
