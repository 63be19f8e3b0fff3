"""What a report can be made of: runs of a benchmark, runs of plain episodes, prediction files."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path
from typing import Any

from vlnscope.core import registry
from vlnscope.core.exceptions import DataNotFoundError, InputError
from vlnscope.core.tables import read_parquet, write_parquet
from vlnscope.engine.store.provenance import RunRecord
from vlnscope.engine.store.run_folder import EVIDENCE, RECORD, read_record
from vlnscope.evaluate.benchmarking import ScoredRun, is_benchmark_run, read_rows, scored_run
from vlnscope.evaluate.compare.compare import contender
from vlnscope.evaluate.data_profile import profile_for, profile_name
from vlnscope.evaluate.run_data import opened_for
from vlnscope.evaluate.run_scores import kept_scores, no_scores
from vlnscope.evaluate.score.score import score
from vlnscope.reporting.report_data import ReportedAgent
from vlnscope.reporting.sources.reproducibility import CardRun
from vlnscope.types import ScoreRow

SCORES = "scores"
"""Stands for the benchmark where plain episodes were scored."""


@dataclass(frozen=True)
class ReportSource:
    """The rows of one run or prediction file.

    Attributes:
        name: of its agent in the report.
        given: whether that name was given for it.
        path: the run or the file.
        card: what the reproducibility card tells of it.
        rows: a row per case or episode.
        save: writes them into a Parquet file.
        scored: the run, if it is of a benchmark.
        notes: what a reader must know.
    """

    name: str
    given: bool
    path: Path
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
        return self.scored.case_set.benchmark, self.scored.case_set.data, self.scored.record.cases.digest

    @property
    def evidence(self) -> Path:
        """The file that tells what the agent did."""
        return self.path / EVIDENCE if self.path.is_dir() else self.path

    @property
    def reported(self) -> ReportedAgent:
        """The agent, as a report lists it."""
        if self.card.record is None:
            return ReportedAgent(name=self.name, identity=self.path.name, source="predictions")
        its = self.card.record.agent
        return ReportedAgent(
            name=self.name,
            identity=its.identity,
            privileged=its.privileged,
            explored=its.explored,
            needs=its.needs,
        )


def read_source(
    text: str,
    *,
    data: str | None,
    root: str | Path | None,
    profile: str,
    metrics: Sequence[str] = (),
    incomplete: bool = False,
) -> ReportSource:
    """Score a run or a prediction file, written as its path or as ``NAME=PATH``.

    Plain episodes are scored by the metrics of the profile, and by those of `metrics` that it lacks.
    Prediction files must be complete, unless `incomplete`; a run may always be a part.

    Raises:
        InputError: it is neither, or a prediction file comes without a data set.
    """
    entrant = contender(text)
    if len(entrant.runs) > 1:
        raise InputError(
            f"{entrant.name}: {len(entrant.runs)} runs",
            expected="one run of each agent: sentences are about one",
            fix="`vlnscope compare` takes several runs of an agent",
        )
    path = Path(str(entrant.runs[0]))
    name = entrant.name if str(path) != text else ""
    if is_benchmark_run(path):
        run = scored_run(path, root=root, profile=profile)
        agent = name or run.record.agent.name
        card = CardRun(agent, shown_folder(path), run.record, run.case_set, run.case_set.data)
        return ReportSource(agent, bool(name), path, card, run.rows, run.save, run)
    record = read_record(path) if (path / RECORD).is_file() else None
    if not path.exists() or (path.is_dir() and record is None):
        raise _no_source(path)
    more = [name for name in metrics if registry.has("metric", name)]
    if record is not None:
        return _plain_run(path, record, name, profile, more, root)
    dataset = opened_for(path, data, root)
    names = [*profile_for(profile, dataset).metrics, *more]
    scores = score(path, dataset, profile=profile, metrics=names, partial=incomplete)
    files = dataset.digest() if dataset.files else None
    card = CardRun(name or entrant.name, str(path), None, None, scores.dataset, files)
    return ReportSource(
        card.agent, bool(name), path, card, list(scores.rows()), scores.save, None, scores.notes
    )


def _plain_run(
    path: Path,
    record: RunRecord,
    name: str,
    profile: str,
    more: Sequence[str],
    root: str | Path | None,
) -> ReportSource:
    """Return the scores that a run of plain episodes keeps, or score it; `more` are further metrics."""
    agent = name or record.agent.name
    profile = profile_name(profile, record.data.name)
    kept = kept_scores(path, profile)
    columns = read_parquet(kept.file) if kept else {}
    if kept and set(more) <= columns.keys():
        card = CardRun(agent, shown_folder(path), record, None, kept.record.data)
        save = partial(write_parquet, columns=columns)
        return ReportSource(
            agent, bool(name), path, card, read_rows(kept.file), save, None, kept.record.notes
        )
    try:
        dataset = opened_for(path, None, root)
        names = [*profile_for(profile, dataset).metrics, *more]
        scores = score(path, dataset, profile=profile, metrics=names, partial=True)
    except DataNotFoundError as error:
        raise no_scores(path, profile, error) from None
    card = CardRun(agent, shown_folder(path), record, None, scores.dataset)
    return ReportSource(agent, bool(name), path, card, list(scores.rows()), scores.save, None, scores.notes)


def shown_folder(path: Path) -> str:
    """Return a folder as commands name it, the same wherever it is moved: from here, or by its name."""
    if not path.is_absolute():
        return str(path)
    here = Path.cwd()
    return str(path.relative_to(here)) if path.is_relative_to(here) else path.name


def distinct(sources: Sequence[ReportSource]) -> list[ReportSource]:
    """Give sources that stand side by side names of their own: where two agents have one, their folders'.

    Raises:
        InputError: two cannot be told apart.
    """
    names = [source.name for source in sources]
    renamed = [
        source if source.given or names.count(source.name) == 1 else _renamed(source) for source in sources
    ]
    twice = [source.name for source in renamed if [one.name for one in renamed].count(source.name) > 1]
    if twice:
        raise InputError(
            f"two runs are called {twice[0]}",
            expected="runs of different agents, or in folders of different names",
            fix=f"name them: {twice[0]}-1=RUN {twice[0]}-2=RUN",
        )
    return renamed


def _renamed(source: ReportSource) -> ReportSource:
    name = source.path.name
    return replace(source, name=name, card=source.card._replace(agent=name))


def _no_source(path: Path) -> InputError:
    return InputError(
        f"{path}: {'holds no run' if path.exists() else 'does not exist'}",
        expected="a folder of `vlnscope run` or `vlnscope diagnose`, or a prediction file",
        fix="check the path",
    )
