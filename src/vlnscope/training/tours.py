"""Tours: episodes of a scene one after the other, with a memory that lasts (Krantz et al. 2023, section 4.1).

Between two episodes an oracle leads the agent to the goal and on to the next start, as the engine does it by
the rule ``whole``: the agent sees every place that it is led through, and decides nothing. Gradients end
where an episode begins (`NavModel.resume`), and so do those of places that an agent is led through; there is
one step of the optimiser per batch of tours, as in the released code (the paper: one per episode, DIFF-12).
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

import torch
from torch import Tensor

from vlnscope.agents.learned.inputs import NOTHING
from vlnscope.agents.learned.model import NavModel, stack, unstack
from vlnscope.core.devices import chances
from vlnscope.training.arrays import HALT, EpisodeArrays, SceneArrays
from vlnscope.training.imitation import weighted_loss
from vlnscope.training.rollouts import (
    BatchPose,
    Chooser,
    Learner,
    SampledActions,
    TrainingRollout,
    Update,
    led_or,
    roll_out_batch,
    rows_of,
)


def tour_loss(learner: Learner, episodes: EpisodeArrays, tours: Tensor, update: Update) -> Tensor:
    """Return the imitation loss of a batch of tours, per episode.

    About half of the tours, drawn anew at each update, are led by the teacher, and the rest by what the model
    draws, so that both forcings share a batch; where one of them has no weight, all are led by the other.

    Args:
        learner: the model, in training mode.
        episodes: all episodes.
        tours: (B, K) the episodes of each tour, or of the part of it that is learned at once.
        update: which update it is.
    """
    learning = learner.learning
    leads = chances(update.seed, "leads", episodes.keys[tours[:, 0]], update.number) < 0.5
    leads = leads.to(episodes.device)
    if not learning.teacher or not learning.student:
        leads = torch.full_like(leads, bool(learning.teacher))
    shares = torch.where(leads, learning.teacher, learning.student) / (update.size * tours.shape[1])

    def choose(batch: EpisodeArrays) -> Chooser:
        return led_or(leads, SampledActions(update.seed, f"student {update.number}", batch.keys))

    total = shares.new_zeros(())
    steps = learning.max_steps
    for batch, walked in tour_rollouts(learner, episodes, tours, choose, max_steps=steps, taught=leads):
        total = total + weighted_loss(learner, batch, walked, shares)
    return total


def tour_rollouts(
    learner: Learner,
    episodes: EpisodeArrays,
    tours: Tensor,
    choose: Callable[[EpisodeArrays], Chooser],
    *,
    max_steps: int,
    taught: Tensor | None = None,
) -> Iterator[tuple[EpisodeArrays, TrainingRollout]]:
    """Yield what agents do in the first episode of each tour, in the second, and so on."""
    model, world, learning = learner
    state, taken = None, None
    for index in range(tours.shape[1]):
        batch = episodes.take(tours[:, index])
        if state is None or model.forgets:
            state = model.start(batch.tokens, batch.mask)
        else:
            state = model.resume(state, batch.tokens, batch.mask)
        walked = roll_out_batch(
            model,
            world,
            batch,
            choose(batch),
            state=state,
            taken=taken,
            taught=taught,
            follow=learning.follow,
            max_steps=max_steps,
            keep=not model.forgets,
        )
        yield batch, walked
        if not model.forgets and index + 1 < tours.shape[1]:
            ahead = episodes.start[tours[:, index + 1]]
            state, taken = led(model, world, batch, walked, ahead)


@torch.no_grad()
def led(
    model: NavModel[Any], world: SceneArrays, batch: EpisodeArrays, walked: TrainingRollout, ahead: Tensor
) -> tuple[Any, Tensor]:
    """Lead agents to their goals and on to where the next episodes begin.

    Returns:
        The states after it, and by which candidate of the place seen last each comes to the next start.
    """
    state, here = walked.state, walked.stand
    onward = _onward(world, batch.goal, ahead, False)[1]
    away = _onward(world, here.nodes, batch.goal, True)[1] | onward
    late = ~walked.stopped  # they have not seen yet where they stand, and do so if they are led anywhere
    before = walked.nodes.gather(1, (walked.lengths - 2).clamp(min=0)[:, None])[:, 0]
    last_seen = torch.where(late & ~away, before, here.nodes)
    state = _seen(model, world, state, (late & away).nonzero()[:, 0], here)
    for targets, last in ((batch.goal, True), (ahead, False)):
        going = torch.arange(len(batch), device=batch.device)
        while len(going):
            way, walks = _onward(world, here.nodes[going], targets[going], last)
            going, way = going[walks], way[walks]
            moved = world.visuals.moved(
                here.nodes[going], here.look[going], way, torch.ones_like(walks[walks])
            )
            for whole, part in zip(here, (*moved, way), strict=True):
                whole[going] = part
            last_seen[going] = here.nodes[going]
            state = _seen(model, world, state, going, here)
    beside = world.visuals.open[last_seen] & (world.visuals.nodes[last_seen] == ahead[:, None])
    taken = torch.where(beside.any(1), beside.int().argmax(1), NOTHING)
    return state, taken


def _onward(world: SceneArrays, nodes: Tensor, targets: Tensor, last: bool) -> tuple[Tensor, Tensor]:
    """Return the next candidates on the way to targets, and who goes: onto the target only if `last`."""
    way = world.way(nodes, targets)
    onto = world.visuals.nodes[nodes, way.clamp(min=0)]
    return way, (way != HALT) & (last | (onto != targets))


def _seen(model: NavModel[Any], world: SceneArrays, state: Any, rows: Tensor, here: BatchPose) -> Any:
    """Let some rows look at where they stand; return the states of all."""
    if not len(rows):
        return state
    visual = world.visuals.at(*(part[rows] for part in here))
    _, after = model.step(rows_of(state, rows), visual)
    if len(rows) == len(here.nodes):
        return after
    parts = unstack(state)
    for row, part in zip(rows.tolist(), unstack(after), strict=True):
        parts[row] = part
    return stack(parts)
