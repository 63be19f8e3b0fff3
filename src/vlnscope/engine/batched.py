"""Drives agents that take lists: many jobs at once, the calls of one kind made together."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

from vlnscope.engine.case_rollout import AgentCall
from vlnscope.engine.environment import Environment
from vlnscope.engine.jobs import Job
from vlnscope.engine.rollout import STOPS_THE_RUN, fail, resume, rollout
from vlnscope.episodes.formats.evidence import EvidenceLine
from vlnscope.types import Rules

BATCH_SIZE = 32
_ORDER = ("start_tour", "start_episode", "observe", "act", "end_episode", "end_tour")


def roll_out_batches(
    agent: Any, jobs: Sequence[Job], environment: Environment, rules: Rules, size: int = BATCH_SIZE
) -> Iterator[EvidenceLine]:
    """Roll out jobs in up to `size` slots at once; a slot that is free takes the next job.

    When the agent breaks over a list, nobody knows over which of its entries: the jobs under way are rolled
    out again one at a time, so that only the case that it breaks over fails. Cases that were finished
    before come up only once.
    """
    waiting = list(reversed(jobs))
    slots: dict[int, _Slot] = {}
    alone: list[_Slot] = []
    while waiting or slots or alone:
        if waiting:
            for number in range(size):
                if number not in slots and waiting:
                    slots[number] = _Slot(waiting.pop(), environment, rules)
        elif not slots:
            earlier = alone.pop(0)
            slots[0] = _Slot(earlier.job, environment, rules, earlier.finished)
        yield from _round(agent, slots, alone)


class _Slot:
    """A job under way."""

    def __init__(
        self, job: Job, environment: Environment, rules: Rules, finished: set[str] | None = None
    ) -> None:
        self.job = job
        self.steps = rollout(job, environment, rules)
        self.finished = finished or set()
        self.event = next(self.steps, None)

    def lines(self) -> Iterator[EvidenceLine]:
        """Yield the cases that have been finished, and go on to the next call."""
        while isinstance(self.event, EvidenceLine):
            if self.event.case_id not in self.finished:
                self.finished.add(self.event.case_id)
                yield self.event
            self.event = next(self.steps, None)


def _round(agent: Any, slots: dict[int, _Slot], alone: list[_Slot]) -> Iterator[EvidenceLine]:
    """Make every kind of call once, on all slots that wait for it."""
    for method in _ORDER:
        numbers = [n for n, s in slots.items() if isinstance(s.event, AgentCall) and s.event.method == method]
        if not numbers:
            continue
        try:
            answers = _call(agent, method, numbers, [slots[n].event for n in numbers])
        except STOPS_THE_RUN:
            raise
        except (Exception, SystemExit) as error:
            if len(slots) > 1:
                alone.extend(slots.values())
                slots.clear()
                return
            slots[numbers[0]].event = fail(slots[numbers[0]].steps, error)
        else:
            for number, answer in zip(numbers, answers, strict=True):
                slots[number].event = resume(slots[number].steps, answer)
        for number in numbers:
            yield from slots[number].lines()
            if slots[number].event is None:
                del slots[number]


def _call(agent: Any, method: str, numbers: list[int], calls: Sequence[Any]) -> Sequence[Any]:
    function = getattr(agent, method, None)
    if function is None:
        return [None] * len(numbers)
    columns = [list(column) for column in zip(*(call.arguments for call in calls), strict=True)]
    answers = function(list(numbers), *columns)
    if method != "act":
        return [None] * len(numbers)
    if not isinstance(answers, Sequence) or len(answers) != len(numbers):
        count = len(answers) if isinstance(answers, Sequence) else type(answers).__name__
        raise ValueError(f"act returned {count} for {len(numbers)} observations")
    return answers
