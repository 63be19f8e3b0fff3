"""Scenes and episodes as arrays: the same world that the engine shows agents one by one."""

from __future__ import annotations

from dataclasses import replace
from functools import cache
from itertools import pairwise
from typing import Any

import msgspec
import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

torch = pytest.importorskip("torch", reason="needs torch (pip install 'vlnscope[learn]')")

from made_up import seen_at  # noqa: E402
from training_world import MadeFeatures, made, scene, task  # noqa: E402
from vlnscope.agents.learned.agent import LearnedAgent  # noqa: E402
from vlnscope.agents.learned.checkpoints import make_model  # noqa: E402
from vlnscope.agents.rules.shortest import guide  # noqa: E402
from vlnscope.core.exceptions import InputError  # noqa: E402
from vlnscope.engine.batched import roll_out_batches  # noqa: E402
from vlnscope.engine.environment import Environment  # noqa: E402
from vlnscope.engine.jobs import Job  # noqa: E402
from vlnscope.engine.rollout import roll_out  # noqa: E402
from vlnscope.engine.session import Session  # noqa: E402
from vlnscope.metrics.metric import get_metric  # noqa: E402
from vlnscope.metrics.profiles.switches import Switches  # noqa: E402
from vlnscope.training.arrays import HALT, EpisodeArrays, SceneArrays  # noqa: E402
from vlnscope.training.experiment import LearningConfig  # noqa: E402
from vlnscope.training.imitation import cross_entropy, step_weights, weighted_loss  # noqa: E402
from vlnscope.training.reinforce import returns, rewards  # noqa: E402
from vlnscope.training.rollouts import (  # noqa: E402
    ENDED,
    Learner,
    SampledActions,
    advised,
    led_or,
    likeliest,
    path_batch,
    roll_out_batch,
    rows_of,
)
from vlnscope.training.tours import tour_rollouts  # noqa: E402
from vlnscope.types import Case, Rules  # noqa: E402
from vlnscope.worlds.graph.views import view_index  # noqa: E402

pytestmark = pytest.mark.usefixtures("one_thread_of_torch")


@cache
def asked() -> Any:
    return task(made())


@cache
def model(name: str = "hamt") -> Any:
    return make_model(name, task(made(), model=name).config, seed=4).eval()


def named(nodes: Any) -> list[tuple[str, ...]]:
    names = list(asked().world.numbers)
    return [tuple(names[i][1] for i in row if i != ENDED) for row in nodes.tolist()]


def test_candidates_distances_and_ways_are_those_of_the_scenes() -> None:
    world = asked().world
    data = made()
    for (scan, viewpoint), number in world.numbers.items():
        place = data.scenes.scene(scan)
        visuals, there = world.visuals, int(world.visuals.open[number].sum())
        expected = place.candidates(viewpoint)
        names = list(world.numbers)
        assert [names[i][1] for i in visuals.nodes[number, :there]] == [c.viewpoint for c in expected]
        assert np.allclose(visuals.headings[number, :there], [c.heading for c in expected], atol=1e-6)
        assert visuals.views[number, :there].tolist() == [c.view_index for c in expected]
        goals = torch.tensor([n for (s, _), n in world.numbers.items() if s == scan])
        here = torch.full_like(goals, number)
        row = place.graph.row(viewpoint)
        assert np.array_equal(world.distance(here, goals), place.graph.distances[row])
        way = world.way(here, goals)
        assert int(way[row]) == HALT
        lengths = place.graph.distances[row]
        for goal, step in enumerate(way.tolist()):
            if step != HALT:
                onward = place.graph.row(expected[step].viewpoint)
                total = lengths[onward] + place.graph.distances[onward, goal]
                assert total == pytest.approx(lengths[goal])


@pytest.mark.parametrize("follow", ["goal", "reference"])
def test_the_teacher_walks_as_the_oracle_of_the_engine_does(follow: Any) -> None:
    data, batch = made(), asked().train
    environment = Environment(data.scenes, ("annotation",))
    walked = roll_out_batch(model(), asked().world, batch, advised, follow=follow, max_steps=15)
    paths = named(walked.nodes)
    for row, episode in enumerate(data.episodes()):
        job = Job(name="j", scan=episode.scan, cases=(Case(case_id="c", episode=episode),))
        line = next(roll_out(guide(follow), job, environment, Rules(max_steps=15)))
        assert paths[row] == line.path
        assert bool(walked.stopped[row]) == line.stopped
    if follow == "reference":
        assert paths == [episode.path for episode in data.episodes()]


def test_the_teacher_leads_a_lost_student_back_as_the_oracle_does() -> None:
    """Where a student strays, advice is what the engine's oracle says at the same place."""
    data, batch = made(), asked().train
    draw = SampledActions(1, "stray", batch.keys)
    walked = roll_out_batch(model(), asked().world, batch, draw, follow="reference", max_steps=8)
    paths = named(walked.nodes)
    for row, episode in enumerate(data.episodes()):
        oracle: Any = guide("reference")
        environment = Environment(data.scenes, ("annotation",))
        for number, step in enumerate(walked.steps):
            if row not in step.rows.tolist():
                break
            seen = seen_at(environment, episode, paths[row][number], step=number)
            right = oracle.right(seen)
            place = step.rows.tolist().index(row)
            told = int(step.advised[place])
            stops = bool(step.stops[place])
            assert stops if right == len(seen.candidates) else told == right


@settings(deadline=None)
@given(st.integers(0, 99))
def test_arrays_move_agents_as_a_session_does(seed: int) -> None:
    data, batch = made(), asked().train
    walked = roll_out_batch(
        model(), asked().world, batch, SampledActions(seed, "any", batch.keys), max_steps=6
    )
    for row, episode in enumerate(data.episodes()):
        session = Session(Environment(data.scenes))
        observation = session.reset(episode)
        for step in walked.steps:
            if row not in step.rows.tolist():
                break
            place = step.rows.tolist().index(row)
            column, stops = int(step.chosen[place]), step.logits.shape[1] - 1
            observation = session.step(observation.actions[-1 if column == stops else column])
        assert named(walked.nodes)[row] == tuple(pose.viewpoint for pose in session.poses)
        assert bool(walked.stopped[row]) == session.stopped
        assert int(walked.stand.look[row]) == view_index(observation.heading, observation.elevation)


def decided(name: str, config: Any, seed: int) -> Any:
    """A model with large random weights: it does different things, and none by a hair's breadth."""
    made = make_model(name, config, seed=seed).eval()
    with torch.no_grad():
        for parameter in made.parameters():
            parameter.mul_(8.0 if parameter.ndim > 1 else 1.0)
    return made


class Given:
    """Features as an agent in the engine gets them, rounded as the arrays hold them."""

    needs = ()

    def views(self, seen: Any) -> Any:
        return MadeFeatures().at(seen.scan, seen.viewpoint).astype(np.float16).astype(np.float32)


@pytest.mark.parametrize("name", ["hamt", "rcm", "scout"])
def test_a_model_walks_on_arrays_as_it_does_in_the_engine(name: str) -> None:
    data = made()
    laid = task(data, model=name)
    trained = decided(name, laid.config, seed=3)
    with torch.no_grad():
        walked = roll_out_batch(trained, laid.world, laid.train, likeliest, max_steps=6)
    assert len(set(walked.lengths.tolist())) > 2
    agent = LearnedAgent(make_model(name, laid.config, seed=4), laid.vocabulary, Given())
    agent._model.load_state_dict(trained.state_dict())
    jobs = [
        Job(name=e.episode_id, scan=e.scan, cases=(Case(case_id=e.episode_id, episode=e),))
        for e in data.episodes()
    ]
    lines = {
        line.episode_id: line
        for line in roll_out_batches(agent, jobs, Environment(data.scenes), Rules(max_steps=6))
    }
    for row, (episode, nodes) in enumerate(zip(data.episodes(), named(walked.nodes), strict=True)):
        assert nodes == lines[episode.episode_id].path
        assert bool(walked.stopped[row]) == lines[episode.episode_id].stopped


@pytest.mark.parametrize("trains_history", [True, False])
def test_tours_are_walked_on_arrays_as_in_the_engine(trains_history: bool) -> None:
    data = made()
    found = list(data.episodes())
    laid = task(data, model="tour_hamt", method="tours", max_steps=5)
    config = replace(laid.config, train_history=trains_history)
    trained = decided("tour_hamt", config, seed=2)
    with torch.no_grad():
        walks = tour_rollouts(
            Learner(trained, laid.world, laid.experiment.learning),
            laid.train,
            laid.train_tours,
            lambda batch: likeliest,
            max_steps=5,
        )
        paths = [named(walked.nodes) for _, walked in walks]
    assert len({len(path) for part in paths for path in part}) > 2
    agent = LearnedAgent(make_model("tour_hamt", config, seed=4), laid.vocabulary, Given())
    agent._model.load_state_dict(trained.state_dict())
    jobs = [
        Job(
            name=str(number),
            scan=found[rows[0]].scan,
            cases=tuple(Case(case_id=found[row].episode_id, episode=found[row]) for row in rows),
            toured=True,
        )
        for number, rows in enumerate(laid.train_tours.tolist())
    ]
    lines = {
        line.episode_id: line.path
        for line in roll_out_batches(agent, jobs, Environment(data.scenes), Rules(max_steps=5))
    }
    for tour, rows in enumerate(laid.train_tours.tolist()):
        assert [paths[place][tour] for place in range(3)] == [lines[found[row].episode_id] for row in rows]


def test_what_is_drawn_depends_on_the_episode_and_not_on_its_company() -> None:
    laid = asked()
    whole = roll_out_batch(
        model(), laid.world, laid.train, SampledActions(7, "x", laid.train.keys), max_steps=5
    )
    some = torch.tensor([9, 2, 17])
    few = laid.train.take(some)
    alone = roll_out_batch(model(), laid.world, few, SampledActions(7, "x", few.keys), max_steps=5)
    assert [named(whole.nodes)[i] for i in some] == named(alone.nodes)
    other = roll_out_batch(
        model(), laid.world, laid.train, SampledActions(8, "x", laid.train.keys), max_steps=5
    )
    assert named(other.nodes) != named(whole.nodes)


def test_drawing_follows_the_distribution() -> None:
    logits = torch.tensor([[0.0, 1.0, -torch.inf, 2.0]]).expand(4000, -1)
    from vlnscope.training.rollouts import ChoiceContext

    keys = torch.arange(4000)
    drawn = SampledActions(0, "many", keys)(ChoiceContext(torch.arange(4000), logits, keys, 0))
    shares = np.bincount(drawn.numpy(), minlength=4) / 4000
    assert np.abs(shares - logits[0].softmax(0).numpy()).max() < 0.03
    assert shares[2] == 0


def test_the_teacher_leads_some_rows_only() -> None:
    laid = asked()
    leads = torch.arange(len(laid.train)) < 6
    choose = led_or(leads, SampledActions(1, "y", laid.train.keys))
    walked = roll_out_batch(model(), laid.world, laid.train, choose, follow="reference", max_steps=15)
    references = [episode.path for episode in made().episodes()]
    paths = named(walked.nodes)
    assert paths[:6] == references[:6]
    assert paths[6:] != references[6:]


@pytest.mark.parametrize("kind", ["goal", "fidelity"])
def test_rewards_are_those_of_the_paper(kind: Any) -> None:
    laid = asked()
    walked = roll_out_batch(
        model(), laid.world, laid.train, SampledActions(3, "r", laid.train.keys), max_steps=4
    )
    found = rewards(laid.world, laid.train, walked, kind)
    cls = get_metric("CLS").compute(path_batch(laid.world, laid.train, walked), Switches()).values
    data = made()
    for row, (episode, path) in enumerate(zip(data.episodes(), named(walked.nodes), strict=True)):
        graph = data.scenes.scene(episode.scan).graph
        left = [graph.distance(node, episode.path[-1]) for node in path]
        expected = [a - b if kind == "goal" else 0.0 for a, b in pairwise(left)]
        expected += [0.0] if walked.stopped[row] else []
        expected[-1] += (left[-1] <= 3) + (cls[row] if kind == "fidelity" else 0.0)
        assert np.allclose(found[row, : len(expected)], expected)
        assert not found[row, len(expected) :].any()
    assert torch.allclose(returns(found, 1.0)[:, 0], found.sum(1))


def test_smoothed_targets_leave_out_what_cannot_be_done() -> None:
    logits = torch.tensor([[1.0, -torch.inf, 0.0, 2.0]])
    plain = torch.nn.functional.cross_entropy(
        logits[:, [0, 2, 3]], torch.tensor([2]), label_smoothing=0.2, reduction="none"
    )
    assert torch.allclose(cross_entropy(logits, torch.tensor([3]), torch.tensor([False]), 0.2), plain)


@torch.no_grad()
def test_near_the_goal_stopping_is_right_as_well() -> None:
    data, laid = made(), asked()
    batch, shares = laid.train, torch.ones(len(laid.train))
    walked = roll_out_batch(model(), laid.world, batch, advised, max_steps=15)
    strict, lenient = (
        float(
            weighted_loss(Learner(model(), laid.world, LearningConfig(lenient=metres)), batch, walked, shares)
        )
        for metres in (0.0, 2.5)
    )
    gained = 0.0
    episodes, paths = list(data.episodes()), named(walked.nodes)
    for number, step in enumerate(walked.steps):
        shown = step.logits.detach().log_softmax(1)
        for row, logs, wanted in zip(step.rows.tolist(), shown, step.advised.tolist(), strict=True):
            graph, goal = data.scenes.scene(episodes[row].scan).graph, episodes[row].path[-1]
            if 0 < graph.distance(paths[row][number], goal) <= 2.5:
                gained += float(torch.logaddexp(logs[wanted], logs[-1]) - logs[wanted])
    assert gained > 0.1
    assert strict - lenient == pytest.approx(gained, rel=1e-4)


@torch.no_grad()
def test_stopping_where_the_reference_passes_its_goal_early_is_wrong() -> None:
    data = made()
    home = data.scenes.scene(next(data.episodes()).scan)
    first = next(e for e in data.episodes() if e.scan == home.id and len(e.path) > 2)
    out_and_back = (*first.path, first.path[-2], first.path[-1])
    looped = replace(data, load=lambda on_problem: iter([msgspec.structs.replace(first, path=out_and_back)]))
    laid = task(looped)
    walked = roll_out_batch(model(), laid.world, laid.train, advised, follow="reference", max_steps=15)
    assert named(walked.nodes)[0] == out_and_back
    learning = LearningConfig(follow="reference", lenient=0.0)
    found = weighted_loss(Learner(model(), laid.world, learning), laid.train, walked, torch.ones(1))
    logs = [step.logits.log_softmax(1)[0] for step in walked.steps]
    expected = -sum(log[int(step.advised[0])] for log, step in zip(logs, walked.steps, strict=True))
    assert float(found) == pytest.approx(float(expected), rel=1e-5)
    assert [bool(step.stops[0]) for step in walked.steps] == [False] * (len(out_and_back) - 1) + [True]


def test_a_model_says_how_much_steps_count() -> None:
    laid = task(made(), model="tour_hamt")
    weighing: Any = make_model("tour_hamt", laid.config)
    walked = roll_out_batch(weighing, laid.world, laid.train, advised, follow="reference", max_steps=15)
    weights = step_weights(weighing, walked, len(laid.train))
    valid = weights > 0
    assert (valid.sum(1) == laid.train.sizes).all()  # each node of the reference is decided at once
    rows = torch.arange(len(laid.train))
    assert (weights[rows, laid.train.sizes - 1] > 1).any()  # stopping counts more
    assert (step_weights(model(), walked, len(laid.train)) == valid).all()


def test_rows_of_a_state_can_be_taken_more_than_once() -> None:
    laid = asked()
    state = model().start(laid.train.tokens, laid.train.mask)
    twice = rows_of(state, torch.tensor([1, 0, 1]))
    assert torch.equal(twice.read[0], twice.read[2])
    assert torch.equal(twice.read[1], state.read[0])
    assert twice.last.step.shape == (3,)


def test_episodes_that_do_not_fit_are_refused() -> None:
    laid = asked()
    stray = next(made().episodes())
    stray = type(stray)(episode_id="9_0", path_id="9", scan="a", instruction="go", path=("a0", "nowhere"))
    with pytest.raises(InputError, match="9_0: viewpoint nowhere"):
        EpisodeArrays.of([stray], laid.world, laid.vocabulary, 12)
    with pytest.raises(InputError, match="no episodes"):
        EpisodeArrays.of([], laid.world, laid.vocabulary, 12)
    assert len(SceneArrays.of([scene("b", 9)], MadeFeatures()).numbers) == 9  # type: ignore[arg-type]
