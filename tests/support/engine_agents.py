"""Agents for the tests of the engine; workers import them by name, as users' own agents."""

from __future__ import annotations

import os
import signal
import sys
import time
from collections.abc import Sequence
from pathlib import Path

from vlnscope.core.rng import rng_for
from vlnscope.types import Decision, Observation


def wandering(observation: Observation) -> Decision:
    """A decision that depends on the episode and the step alone, and stops now and then."""
    draw = rng_for(7, observation.episode_id, observation.step).random(len(observation.candidates) + 1)
    draw[-1] *= 0.5
    return Decision(tuple(draw / draw.sum()))


def run_command(folder: str, *arguments: str) -> None:
    """Be the command line, with what it prints going to files; the target of processes that are killed."""
    for number, name in ((1, "stdout"), (2, "stderr")):
        handle = os.open(Path(folder) / name, os.O_WRONLY | os.O_CREAT | os.O_TRUNC)
        os.dup2(handle, number)
    os.chdir(Path(__file__).parent)
    signal.signal(signal.SIGINT, signal.default_int_handler)
    sys.argv = ["vlnscope", *arguments]
    from vlnscope.cli.main import main  # workers that only walk do without

    main()


class Wanderer:
    """Walks about; sleeps a little before each step."""

    def __init__(self, seconds: float = 0.0) -> None:
        self.seconds = seconds

    def act(self, observation: Observation) -> Decision:
        time.sleep(self.seconds)
        return wandering(observation)


class Troubled:
    """Walks about, but does something bad in some episodes.

    Args:
        troubles: ``EPISODE/TROUBLE`` with semicolons between.
        once: a file that is made when the trouble ``kill-once`` has come.
    """

    def __init__(self, troubles: str = "", once: str = "") -> None:
        self.troubles = dict(part.split("/") for part in troubles.split(";") if part)
        self.once = once

    def act(self, observation: Observation) -> Decision:
        trouble = self.troubles.get(observation.episode_id) if observation.step == 1 else None
        if trouble == "raise":
            raise ValueError("lost the thread")
        if trouble == "exit":
            raise SystemExit(3)
        if trouble == "kill" or (trouble == "kill-once" and self._is_first()):
            os.kill(os.getpid(), signal.SIGKILL)
        if trouble == "leave":
            os._exit(0)
        if trouble == "replace":
            os.execv("/bin/true", ["true"])
        if trouble == "fork":
            os.fork()  # and both go on
        if trouble == "orphan":
            if os.fork():
                os._exit(3)
            time.sleep(600)
        if trouble == "hang":
            time.sleep(600)
        if trouble == "sum":
            return Decision((1.0,) * (len(observation.candidates) + 1))
        return wandering(observation)

    def _is_first(self) -> bool:
        try:
            Path(self.once).touch(exist_ok=False)
        except FileExistsError:
            return False
        return True


class Crowd:
    """Takes lists; remembers per slot how often it was asked; breaks over one episode if told to."""

    batched = True
    batch_size = 8

    def __init__(self, breaks: str = "") -> None:
        self.breaks = breaks
        self.asked: dict[int, int] = {}

    def start_tour(self, slots: Sequence[int], scans: Sequence[str]) -> None:
        self.asked |= dict.fromkeys(slots, 0)

    def act(self, slots: Sequence[int], observations: Sequence[Observation]) -> list[Decision]:
        for slot, observation in zip(slots, observations, strict=True):
            if observation.episode_id == self.breaks:
                raise RuntimeError("one of them is too much")
            self.asked[slot] += 1
            assert self.asked[slot] == observation.step + 1, "a slot is used for two tours at once"
        return [wandering(observation) for observation in observations]


class Refused:
    """Cannot be made."""

    def __init__(self) -> None:
        raise OSError("no weights")


if os.environ.get("WARM_UP"):  # in the process that runs are forked off: load what each begins and ends with
    from vlnscope.engine import run
    from vlnscope.evaluate.score.score import score

    score(Path(run.__file__).parents[1] / "sample" / "predictions" / "walker.json", "sample/demo")
