"""Does an agent decide alike in other processes? Sets of texts have another order in each.

Two processes are started with different values of ``PYTHONHASHSEED``; each makes the agent and walks the same
episodes, and says what it did.
"""

from __future__ import annotations

import os
import pickle
import subprocess
import sys
from pathlib import Path

import msgspec

from vlnscope.engine.runner import batch_size
from vlnscope.evaluate.conformance.trial import (
    AgentTrial,
    Behaviour,
    NotApplicableError,
    TrialSetup,
    difference,
)

EPISODES = 100
"""Orders of sets show in few decisions, so that many are looked at."""

_HASH_SEEDS = (1, 2)
_CODE = "from vlnscope.evaluate.conformance.processes import main; main()"


class _ProcessAnswer(msgspec.Struct, frozen=True, kw_only=True):
    """What a process says: what the agent did there, or why it cannot be made there."""

    did: Behaviour = msgspec.field(default_factory=dict)
    unreachable: str | None = None


def hash_seeds(trial: AgentTrial) -> str | None:
    """It decides alike in fresh processes, whatever order sets of texts have there."""
    agent = trial.source.agent
    if isinstance(agent, str) and agent.startswith(("http://", "https://")):
        raise NotApplicableError("not tested: its server is not ours to start again")
    work = _pickled(trial.source)
    processes = [_start(seed) for seed in _HASH_SEEDS]
    outputs = [process.communicate(work)[0] for process in processes]
    for process in processes:
        if process.returncode:
            return f"a fresh process in which it ran ended with exit code {process.returncode}"
    answers = [msgspec.json.decode(output, type=_ProcessAnswer) for output in outputs]
    for each in answers:
        if each.unreachable:
            raise _unreachable(each.unreachable)
    first, second = (each.did for each in answers)
    return difference(first, second, "two processes with different PYTHONHASHSEED")


def main() -> None:
    """Do what standard input says, and write to standard output what the agent did."""
    answer = os.dup(1)
    os.dup2(2, 1)  # what agents print is not the answer
    answer_of_agent = _try(sys.stdin.buffer.read())
    with os.fdopen(answer, "wb") as stream:
        stream.write(msgspec.json.encode(answer_of_agent))


def _try(work: bytes) -> _ProcessAnswer:
    try:
        trial = AgentTrial(pickle.loads(work), EPISODES)
    except Exception as error:  # the module may be missing there, or fail in any way
        return _ProcessAnswer(unreachable=f"{type(error).__name__}: {error}")
    return _ProcessAnswer(did=trial.roll_out(trial.make(), trial.jobs(), size=batch_size(trial.sample)))


def _start(seed: int) -> subprocess.Popen[bytes]:
    found_from = os.pathsep.join(folder or str(Path.cwd()) for folder in sys.path)
    return subprocess.Popen(
        [sys.executable, "-c", _CODE],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        env={**os.environ, "PYTHONHASHSEED": str(seed), "PYTHONPATH": found_from},
    )


def _pickled(source: TrialSetup) -> bytes:
    try:
        return pickle.dumps(source)
    except (pickle.PicklingError, AttributeError, TypeError) as error:
        raise _unreachable(str(error)) from None


def _unreachable(why: str) -> NotApplicableError:
    return NotApplicableError(
        f"not tested: other processes cannot make the agent ({why}); define it in a module, or name it"
        " MODULE:OBJECT"
    )
