"""Jobs: what is given to a worker at once, and what an agent's memory may span."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import NamedTuple

import msgspec

from vlnscope.benchmarks.kit.case_set import CaseSet
from vlnscope.core.exceptions import InputError
from vlnscope.types import Case, Tour

LOST = "the worker was lost"
"""How the reason begins of a case whose worker died: perhaps the agent's fault, perhaps not."""


class Job(msgspec.Struct, frozen=True, kw_only=True):
    """Cases of one scene that an agent lives through one after the other: a tour, or a single case.

    Attributes:
        name: the tour's id; the case's id where there is no tour.
        scan: the scene.
        cases: in the order in which they are walked.
        toured: whether oracles lead the agent to the goal and to the next start.
        forgets: whether its tour ends after each case, so that no memory is kept and what the oracles lead
            it through is not seen.
        lost: cases that are not tried (again), each with the reason.
    """

    name: str
    scan: str
    cases: tuple[Case, ...]
    toured: bool = False
    forgets: bool = False
    lost: Mapping[str, str] = msgspec.field(default_factory=dict)


class Shard(NamedTuple):
    """One of several equal parts of a run; `number` counts from 1."""

    number: int
    of: int

    @classmethod
    def parse(cls, text: str) -> Shard:
        """Read ``i/n``.

        Example:
            >>> Shard.parse("2/4")
            Shard(number=2, of=4)
        """
        number, slash, of = text.partition("/")
        if not slash or not number.isdecimal() or not of.isdecimal() or not 1 <= int(number) <= int(of):
            raise InputError(
                f"{text!r} is no shard",
                expected="i/n with i from 1 to n",
                fix="write for example --shard 1/4 on the first of four machines",
            )
        return cls(int(number), int(of))

    def __str__(self) -> str:
        return f"{self.number}/{self.of}"


def make_jobs(cases: Sequence[Case], tours: Sequence[Tour] | None = None) -> list[Job]:
    """Return the jobs of a run: a job per case, or a job per tour.

    Raises:
        InputError: a tour names an episode that there is no case for, or one of another scene, or that
            another tour has, or two cases are of one episode.
    """
    if tours is None:
        return [Job(name=case.case_id, scan=case.episode.scan, cases=(case,)) for case in cases]
    by_episode = {case.episode.episode_id: case for case in cases}
    if len(by_episode) < len(cases):
        raise InputError(
            "several cases are of one episode, so tours of episodes do not say which is meant",
            expected="one case per episode",
            fix="run these cases without tours",
        )
    taken: set[str] = set()
    jobs = []
    for tour in tours:
        for episode_id in tour.episode_ids:
            if episode_id not in by_episode or by_episode[episode_id].episode.scan != tour.scan:
                raise _odd(tour, episode_id, f"which there is no episode for in scene {tour.scan}")
            if episode_id in taken:
                raise _odd(tour, episode_id, "which is named twice")
            taken.add(episode_id)
        walked = tuple(by_episode[episode_id] for episode_id in tour.episode_ids)
        jobs.append(Job(name=tour.tour_id, scan=tour.scan, cases=walked, toured=True))
    return jobs


def case_set_jobs(case_set: CaseSet) -> list[Job]:
    """Return the jobs of a case set: a job per case, or per tour where there are tours."""
    if case_set.tours is None:
        return make_jobs(case_set.cases)
    cases = {case.case_id: case for case in case_set.cases}
    return [
        Job(
            name=tour.tour_id,
            scan=tour.scan,
            cases=tuple(cases[case_id] for case_id in tour.case_ids),
            toured=True,
            forgets=tour.forgets,
        )
        for tour in case_set.tours
    ]


def take_shard(jobs: Sequence[Job], shard: Shard | None) -> list[Job]:
    """Return the jobs of one shard: every n-th, so that the shards are equally long and never meet."""
    return list(jobs) if shard is None else list(jobs[shard.number - 1 :: shard.of])


def _odd(tour: Tour, episode_id: str, why: str) -> InputError:
    return InputError(
        f"tour {tour.tour_id} of scene {tour.scan} names episode {episode_id}, {why}",
        expected="episodes of the data, each in one tour",
        fix="name the data set and the split (--split) that the tours were made for",
    )
