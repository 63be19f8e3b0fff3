"""The fast path in the action space ``graph``: thousands of trajectories in one scene, moved with arrays.

It is tested to end up where a `Session` does.
"""

from __future__ import annotations

import time
from collections.abc import Iterator, Sequence
from itertools import groupby
from typing import Any, NamedTuple

import numpy as np

from vlnscope.agents.vectorised import Keys, ManyStates, episode_keys
from vlnscope.engine.action_spaces.graph import GraphSpace, Pose, start_pose
from vlnscope.engine.case_rollout import evidence_line
from vlnscope.engine.decisions import AgentError
from vlnscope.engine.environment import Environment, without_answer
from vlnscope.engine.jobs import Job
from vlnscope.episodes.formats.evidence import EvidenceLine
from vlnscope.types import Case, Episode, Flags, Floats, Ints, Rules
from vlnscope.worlds.graph.candidates import Candidates, candidates
from vlnscope.worlds.graph.views import wrap_heading
from vlnscope.worlds.scene import Scene


class ArrayTrajectories(NamedTuple):
    """What many walks did.

    Attributes:
        starts: graph row of the first node of each walk.
        moves: per walk and step the row of the chosen candidate in the scene's table; -1 after the end.
        stopped: whether each walk ended because the agent stopped.
        table: the candidates of the scene.
    """

    starts: Ints
    moves: Ints
    stopped: Flags
    table: Candidates

    @property
    def lengths(self) -> Ints:
        """Number of moves of each walk."""
        return np.asarray((self.moves >= 0).sum(axis=1))

    def nodes(self) -> Ints:
        """Return graph rows, one walk a row, its start first; -1 after the end."""
        reached = np.where(self.moves >= 0, self.table.nodes[self.moves], -1)
        return np.concatenate([self.starts[:, None], reached], axis=1)


def move_many(
    agent: Any, scene: Scene, episodes: Sequence[Episode], rows: Ints, keys: Keys, max_steps: int
) -> ArrayTrajectories:
    """Walk many times in one scene.

    Args:
        agent: has ``act_many``.
        scene: the scene.
        episodes: episodes of the scene, as far as the agent may know them.
        rows: the episode of each walk; one episode may be walked many times.
        keys: a number per walk that its randomness depends on.
        max_steps: how many moves a walk has at most.

    Raises:
        AgentError: the agent chooses what is no candidate.
    """
    table = candidates(scene.graph)
    starts = np.asarray([scene.graph.row(e.path[0]) for e in episodes], dtype=np.int64)[rows]
    looks = np.asarray([start_pose(e).heading for e in episodes], dtype=np.float64)[rows]
    moves = np.full((len(rows), max_steps), -1, dtype=np.int64)
    stopped = np.zeros(len(rows), dtype=np.bool_)
    active, nodes, headings = np.arange(len(rows)), starts, looks
    wrapped = _wrapped(table.heading)
    for step in range(max_steps):
        states = ManyStates(scene, table, episodes, rows[active], keys[active], step, nodes, headings)
        chosen = _checked(agent.act_many(states), states.counts)
        ends = chosen == states.counts
        stopped[active[ends]] = True
        taken = (states.first + chosen)[~ends]
        active = active[~ends]
        moves[active, step] = taken
        nodes, headings = table.nodes[taken], wrapped[taken]
        if not len(active):
            break
    return ArrayTrajectories(starts, moves, stopped, table)


def are_free(jobs: Sequence[Job], rules: Rules) -> bool:
    """Return whether jobs ask for nothing that only one-by-one rollouts give."""
    if rules.sample or rules.log == "all":
        return False
    return not any(
        job.toured or job.lost or any(_is_forced_or_logged(case, rules) for case in job.cases) for job in jobs
    )


def roll_out_arrays(
    agent: Any, jobs: Sequence[Job], environment: Environment, rules: Rules
) -> Iterator[list[EvidenceLine]]:
    """Roll out free cases, scene after scene; yield the lines of each scene."""
    cases = sorted((case for job in jobs for case in job.cases), key=lambda case: case.episode.scan)
    for scan, group in groupby(cases, key=lambda case: case.episode.scan):
        here = list(group)
        begun = time.perf_counter()
        episodes = [case.episode for case in here]
        keys = episode_keys(e.episode_id for e in episodes)
        scene = environment.scene(scan)
        shown = episodes if environment.tells_answer else [without_answer(episode) for episode in episodes]
        walks = move_many(agent, scene, shown, np.arange(len(here)), keys, rules.max_steps)
        yield _lines(here, scene, walks, (time.perf_counter() - begun) / len(here))


def _lines(
    cases: Sequence[Case], scene: Scene, walks: ArrayTrajectories, seconds: float
) -> list[EvidenceLine]:
    table, names, space = walks.table, scene.graph.nodes, GraphSpace()
    poses = [
        Pose(names[node], wrap_heading(heading), elevation)
        for node, heading, elevation in zip(
            table.nodes.tolist(), table.heading.tolist(), table.elevation.tolist(), strict=True
        )
    ]
    moves, ends = walks.moves.tolist(), walks.lengths.tolist()
    lines = []
    for row, case in enumerate(cases):
        walked = [start_pose(case.episode), *(poses[move] for move in moves[row][: ends[row]])]
        trajectory = space.trajectory(walked)
        lines.append(evidence_line(case, trajectory, stopped=bool(walks.stopped[row]), seconds=seconds))
    return lines


def _checked(chosen: Any, counts: Ints) -> Ints:
    choices = np.asarray(chosen)
    if choices.shape != counts.shape or not np.issubdtype(choices.dtype, np.integer):
        raise AgentError(
            f"act_many returned {choices.dtype} of shape {choices.shape} for {len(counts)} walks"
        )
    if ((choices < 0) | (choices > counts)).any():
        raise AgentError("act_many chose what is no candidate")
    return choices.astype(np.int64)


def _wrapped(headings: Floats) -> Floats:
    return np.asarray([wrap_heading(heading) for heading in headings.tolist()], dtype=np.float64)


def _is_forced_or_logged(case: Case, rules: Rules) -> bool:
    return case.forced_steps > 0 or (rules.log == "scored" and bool(case.correct))
