"""What a report can be made of: runs of a benchmark, runs of plain episodes, prediction files."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from vlnscope.core import registry
from vlnscope.core.exceptions import InputError
from vlnscope.engine.store.run_folder import EVIDENCE, RECORD, read_record
from vlnscope.evaluate.benchmarking import ScoredRun, is_benchmark_run, score_run
from vlnscope.evaluate.compare.compare import contender
from vlnscope.evaluate.run_data import opened_for
from vlnscope.evaluate.score.score import score
from vlnscope.metrics.profiles.profile import get_profile
from vlnscope.reporting.report_data import ReportedAgent
from vlnscope.reporting.sources.reproducibility import CardRun
from vlnscope.types import ScoreRow

SCORES = "scores"
"""Stands for the benchmark where plain episodes were scored."""


@dataclass(frozen=True)
class Source:
    """The rows of one run or prediction file.

    Attributes:
        name: of its agent in the report.
        given: whether that name was given for it.
        card: what the reproducibility card tells of it.
        rows: a row per case or episode.
        save: writes them into a Parquet file.
        scored: the run, if it is of a benchmark.
        notes: what a reader must know.
    """

    name: str
    given: bool
    card: CardRun
    rows: list[ScoreRow]
    save: Callable[[Path], Any]
    scored: ScoredRun | None = None
    notes: tuple[str, ...] = ()

    @property
    def key(self) -> tuple[str, str, str]:
        """What sources must share to be put side by side: benchmark, data and cases."""
        if self.scored is None:
            return SCORES, self.card.data, ""
        return self.scored.asked.benchmark, self.scored.asked.data, self.scored.record.cases.digest

    @property
    def evidence(self) -> Path:
        """The file that tells what the agent did."""
        where = Path(self.card.where)
        return where / EVIDENCE if where.is_dir() else where

    @property
    def reported(self) -> ReportedAgent:
        """The agent, as a report lists it."""
        if self.card.record is None:
            shown = Path(self.card.where).name
            return ReportedAgent(name=self.name, identity=shown, source="predictions")
        its = self.card.record.agent
        return ReportedAgent(
            name=self.name, identity=its.identity, privileged=its.privileged, needs=its.needs
        )


def read_source(
    text: str,
    *,
    data: str | None,
    root: str | Path | None,
    profile: str,
    metrics: Sequence[str] = (),
    partial: bool = False,
) -> Source:
    """Score a run or a prediction file, written as its path or as ``NAME=PATH``.

    Plain episodes are scored by the metrics of the profile, and by those of `metrics` that it lacks.
    Prediction files must be complete, unless `partial`; a run may always be a part.

    Raises:
        InputError: it is neither, or a prediction file comes without a data set.
    """
    made = contender(text)
    if len(made.runs) > 1:
        raise InputError(
            f"{made.name}: {len(made.runs)} runs",
            expected="one run of each agent: sentences are about one",
            fix="`vlnscope compare` takes several runs of an agent",
        )
    path = Path(str(made.runs[0]))
    name = made.name if str(path) != text else ""
    if is_benchmark_run(path):
        run = score_run(path, root=root, profile=profile)
        card = CardRun(name or run.record.agent.name, str(path), run.record, run.asked, run.asked.data)
        return Source(card.agent, bool(name), card, run.rows, run.save, run)
    record = read_record(path) if (path / RECORD).is_file() else None
    if not path.exists() or (path.is_dir() and record is None):
        raise _no_source(path)
    dataset = opened_for(path, None if record else data, root)
    more = [name for name in metrics if registry.has("metric", name)]
    names = [*get_profile(profile).metrics, *more]
    found = score(path, dataset, profile=profile, metrics=names, partial=partial or record is not None)
    card = CardRun(
        name or (record.agent.name if record else made.name),
        str(path),
        record,
        None,
        found.dataset,
        dataset.digest() if dataset.files else None,
    )
    return Source(card.agent, bool(name), card, list(found.rows()), found.save, None, found.notes)


def distinct(sources: Sequence[Source]) -> list[Source]:
    """Give sources that stand side by side names of their own: where two agents have one, their folders'.

    Raises:
        InputError: two cannot be told apart.
    """
    names = [source.name for source in sources]
    made = [
        source if source.given or names.count(source.name) == 1 else _renamed(source) for source in sources
    ]
    twice = [source.name for source in made if [one.name for one in made].count(source.name) > 1]
    if twice:
        raise InputError(
            f"two runs are called {twice[0]}",
            expected="runs of different agents, or in folders of different names",
            fix=f"name them: {twice[0]}-1=RUN {twice[0]}-2=RUN",
        )
    return made


def _renamed(source: Source) -> Source:
    name = Path(source.card.where).name
    return replace(source, name=name, card=source.card._replace(agent=name))


def _no_source(path: Path) -> InputError:
    return InputError(
        f"{path}: {'holds no run' if path.exists() else 'does not exist'}",
        expected="a folder of `vlnscope run` or `vlnscope diagnose`, or a prediction file",
        fix="check the path",
    )
