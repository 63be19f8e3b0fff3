"""Construction rounds on data sets: propose from one, measure on another, keep a log, and go on from it.

A folder holds the state: ``rounds.jsonl`` (a round a line), ``productions.json`` (what was accepted so far,
in the format that the parser reads), and ``undecided.jsonl`` (proposals that wait for a verdict).
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from pathlib import Path
from typing import TypeVar

import msgspec

from vlnscope.core.files import read_bytes
from vlnscope.core.json_file import decode_part, write_json_lines
from vlnscope.episodes.datasets.dataset import Dataset
from vlnscope.language.induce.coverage import Text
from vlnscope.language.induce.proposals import Proposal, propose
from vlnscope.language.induce.rounds import Construction, ConstructionRound, ProposalDecision, Proposer
from vlnscope.language.productions import Production, accepted, write_productions

ROUNDS, PRODUCTIONS, UNDECIDED = "rounds.jsonl", "productions.json", "undecided.jsonl"
T = TypeVar("T")
Judge = Callable[[Proposal], bool | None]
"""Accepts (True), rejects (False), or leaves a proposal to somebody else (None)."""


class ProductionVerdict(msgspec.Struct, frozen=True):
    """A line of a file of verdicts: a production as it is printed, and whether it is accepted."""

    production: str
    accept: bool | None = None
    unlocks: int = 0


def build_grammar(
    corpus: Dataset,
    check: Dataset,
    out: Path,
    judge: Judge,
    *,
    rounds: int = 10,
    proposer: Proposer = propose,
    least: int = 2,
    most: int = 50,
) -> Iterator[ConstructionRound]:
    """Run rounds and yield each as it ends, until nothing is accepted any more.

    Args:
        corpus: instructions that proposals come from.
        check: instructions that coverage is measured on.
        out: folder of the log; rounds that it already holds are gone on from.
        judge: decides.
        rounds: how many at most.
        proposer: proposes; the built-in rules by default.
        least: how many instructions a proposal must unlock.
        most: how many proposals are put forward in a round.

    Raises:
        InputError: the folder holds something else.
    """
    done = read_rounds(out / ROUNDS)
    taken = [v.proposal.production for each in done for v in each.verdicts if v.accept]
    building = Construction(
        texts_of(corpus),
        texts_of(check),
        start=dict.fromkeys((*accepted(), *taken)),
        proposer=proposer,
        number=done[-1].number if done else 0,
    )
    if not done:
        done = [building.state()]
        _log(out, done, building.productions)
        yield done[0]
    for _ in range(rounds):
        proposals = building.proposals(least=least, most=most)
        verdicts = [ProposalDecision(proposal=each, accept=judge(each)) for each in proposals]
        _write_undecided(out, verdicts)
        if not any(each.accept for each in verdicts):
            return
        done.append(building.close(verdicts))
        _log(out, done, building.productions)
        yield done[-1]


def texts_of(dataset: Dataset) -> list[Text]:
    """Return the instructions of a data set with their ids."""
    return [(episode.episode_id, episode.instruction) for episode in dataset.episodes()]


def read_rounds(path: Path) -> list[ConstructionRound]:
    """Return the rounds of a log; none if there is no such file."""
    return _read_lines(path, ConstructionRound) if path.is_file() else []


def read_decisions(path: str | Path) -> Mapping[str, bool | None]:
    """Return the verdicts of a file, by production as it is printed."""
    return {each.production: each.accept for each in _read_lines(Path(path), ProductionVerdict)}


def judge_by(decisions: Mapping[str, bool | None]) -> Judge:
    """Return a judge who knows these verdicts, and leaves everything else to others."""
    return lambda proposal: decisions.get(str(proposal.production))


def accept_all(proposal: Proposal) -> bool:
    """Accept whatever unlocks something."""
    return proposal.unlocks > 0


def _log(out: Path, rounds: list[ConstructionRound], productions: tuple[Production, ...]) -> None:
    write_json_lines(out / ROUNDS, rounds)
    write_productions(productions, out / PRODUCTIONS)


def _write_undecided(out: Path, verdicts: list[ProposalDecision]) -> None:
    waiting = (each.proposal for each in verdicts if each.accept is None)
    write_json_lines(
        out / UNDECIDED, (ProductionVerdict(str(each.production), None, each.unlocks) for each in waiting)
    )


def _read_lines(path: Path, kind: type[T]) -> list[T]:
    expected, fix = "what `vlnscope grammar build` writes", "name another folder"
    lines = read_bytes(path).splitlines()
    return [decode_part(line, kind, path, expected, fix) for line in lines if line.strip()]
