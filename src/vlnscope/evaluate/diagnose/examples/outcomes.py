"""What became of a walk, in one line, and the step at which it was decided."""

from __future__ import annotations

from itertools import takewhile
from typing import NamedTuple

from vlnscope.benchmarks.outcomes.kinds import SUCCESSES
from vlnscope.evaluate.diagnose.examples.steps import Passage, label, spoken
from vlnscope.types import STOP, ScoreRow

_DONE = {"stop": "stopped", "back": "turned back", "ahead": "went straight on", "": "went elsewhere"}
_TO_DO = {"stop": "stop", "back": "turn back", "ahead": "go straight on", "": "go elsewhere"}


class TrajectoryVerdict(NamedTuple):
    """One line, whether that is right (None where it is not to be said), and the decisive step if any."""

    line: str
    succeeded: bool | None
    decisive: int | None


def outcome(passage: Passage, row: ScoreRow | None, success: bool | None) -> TrajectoryVerdict:
    """Say what became of a walk.

    Args:
        passage: the walk.
        row: how the benchmark `outcomes` scores it; None where a case asks for one step.
        success: whether the benchmark that asked it counts it as right; None if it does not say.
    """
    if passage.line.failed is not None:
        return TrajectoryVerdict(f"the agent failed: {passage.line.failed}", False, None)
    if passage.case.groups.get("category") == "DC":  # where NavNuances counts the first move only
        return _answer(passage, 0, passage.right(0), success)
    if passage.scored is not None:
        return _answer(passage, passage.scored, passage.case.correct, success)
    if row is None:
        return TrajectoryVerdict("", success, None)
    return _walked(passage, row, success)


def _answer(passage: Passage, at: int, right: tuple[str, ...], success: bool | None) -> TrajectoryVerdict:
    """Say what was done at the one step that a case asks for."""
    at = min(at, len(passage.nodes) - 1)
    done = passage.done(at)
    if done is None or not right:
        return TrajectoryVerdict(_did(passage, at, done), success, at)
    obeyed = done in right if success is None else success
    line = _did(passage, at, done)
    if done in right:
        return TrajectoryVerdict(f"{line}, as it should", obeyed, at)
    if obeyed:
        return TrajectoryVerdict(f"{line}, which counts as right", True, at)
    if _says(passage, at, done) & _says(passage, at, *right):
        should = " or ".join(dict.fromkeys(label(passage, at, name) for name in right))
        did = f"went {label(passage, at, done)}{_mass(passage, at, (done,))}"
        return TrajectoryVerdict(f"{did}; correct was “{should}”{_mass(passage, at, right)}", False, at)
    return TrajectoryVerdict(
        f"{line}; it should {_should(passage, at, right)}{_mass(passage, at, right)}", False, at
    )


def _walked(passage: Passage, row: ScoreRow, success: bool | None) -> TrajectoryVerdict:
    kind = row.groups.get("outcome", "")
    reached = success if success is not None else kind in SUCCESSES
    decided = row.values.get("decisive")
    at = None if decided is None else passage.track.elements.index(int(decided))
    if kind == "other-path":
        at = _parted(passage)
    ending = _ends(passage, row, kind, at)
    if success is not None and success != (kind in SUCCESSES):
        ending = f"{'did' if success else 'did not do'} what it was told: {ending}"
    return TrajectoryVerdict(ending, reached, at)


def _parted(passage: Passage) -> int | None:
    """Return the first step from which a walk did not go on as described; None if there is none."""
    pairs = zip(passage.nodes, passage.case.episode.path, strict=False)
    same = sum(1 for _ in takewhile(lambda pair: pair[0] == pair[1], pairs))
    return max(0, same - 1) if same < len(passage.nodes) else None


def _ends(passage: Passage, row: ScoreRow, kind: str, at: int | None) -> str:
    away = "where no way leads to the goal"
    if "NE" in row.values:
        away = f"{row.values['NE']:.1f} m from the goal"
    if kind == "stopped-early" and "metres-short" in row.values:
        return f"stopped {row.values['metres-short']:.1f} m short of the goal, on the described way"
    if kind in ("wrong-turn", "wrong-floor") and at is not None:
        end = "ended on the wrong floor" if kind == "wrong-floor" else f"ended {away}"
        return f"{_astray(passage, at)}; {end}"
    endings = {
        "reached": f"took the described way and stopped {away}",
        "other-path": f"took another way from step {(at or 0) + 1} on and stopped {away}",
        "never-left": f"never left the start, {away}",
        "overshot": f"came to the goal, went on, and ended {away}",
        "wandered": f"walked to and fro and ended {away}",
        "ran-out": f"was still walking when its steps ran out, {away}",
        "wrong-turn": f"was never on the described way; ended {away}",
        "wrong-floor": "was never on the described way; ended on the wrong floor",
    }
    return endings.get(kind, "")


def _astray(passage: Passage, at: int) -> str:
    done, right = passage.done(at), passage.right(at)
    if done is None or not right or _says(passage, at, done) & _says(passage, at, *right):
        return f"left the described way at step {at + 1}"
    return f"at step {at + 1} it {_did(passage, at, done)}; the way was to {_should(passage, at, right)}"


def _says(passage: Passage, at: int, *names: str) -> set[str]:
    return {spoken(passage, at, name) for name in names}


def _did(passage: Passage, at: int, done: str | None) -> str:
    if done is None:
        return "did nothing"
    word = spoken(passage, at, done)
    return f"{_DONE.get(word, f'went {word}')}{_mass(passage, at, (done,))}"


def _should(passage: Passage, at: int, right: tuple[str, ...]) -> str:
    words = dict.fromkeys(spoken(passage, at, name) for name in right)
    return " or ".join(_TO_DO.get(word, f"go {word}") for word in words)


def _mass(passage: Passage, at: int, names: tuple[str, ...]) -> str:
    """Return the probability that an agent gave to some choices, where it was logged."""
    record = passage.decision(at)
    if record is None:
        return ""
    shares = zip([*record.candidates, STOP], record.probabilities, strict=True)
    return f" ({100 * sum(share for name, share in shares if name in names):.0f} %)"
