"""From runs of a benchmark's cases to rows, and from the rows of several agents to findings."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Protocol

import msgspec
from msgspec.json import decode, encode

from vlnscope.benchmarks.kit.benchmark import get_benchmark
from vlnscope.benchmarks.kit.case_set import CaseSet, is_case_set
from vlnscope.benchmarks.kit.findings import Findings
from vlnscope.core.exceptions import DataNotFoundError, InputError
from vlnscope.core.json_file import write_json_lines
from vlnscope.core.results import ROWS, check_target
from vlnscope.core.tables import Columns, Tabular, read_parquet, write_parquet
from vlnscope.engine.store.evidence_log import read_log
from vlnscope.engine.store.provenance import RunRecord
from vlnscope.engine.store.run_folder import EVIDENCE, read_record
from vlnscope.episodes.datasets.dataset import Dataset, open_dataset
from vlnscope.episodes.formats.evidence import EvidenceLine
from vlnscope.evaluate.run_scores import keep_scores, kept_scores, no_scores
from vlnscope.types import ScoreRow
from vlnscope.worlds.projection import RULE
from vlnscope.worlds.scene import Scenes

_IDS = ("episode_id", "scan", "path_id")
_GROUP = "group."
_UNDEFINED = "undefined"


@dataclass(frozen=True)
class ScoredRun(Tabular):
    """The rows of one run.

    Attributes:
        folder: the run.
        record: who ran, on what, how.
        case_set: the cases.
        rows: a row per case that was finished, and whatever else the benchmark scores.
        done: how many cases were finished.
        failed: how many of them failed.
        version: of the benchmark that scored them.
        projected: whether walks in continuous space were projected onto the graph.
    """

    folder: Path
    record: RunRecord
    case_set: CaseSet
    rows: list[ScoreRow]
    done: int
    failed: int
    version: int = 1
    projected: bool = False

    def columns(self) -> Columns:
        """Return a row per case: ids, one column per group, one per metric (null where undefined)."""
        groups = sorted({key for row in self.rows for key in row.groups})
        metrics = list(dict.fromkeys(name for row in self.rows for name in row.values))
        columns: dict[str, list[Any]] = {name: [getattr(row, name) for row in self.rows] for name in _IDS}
        columns |= {f"{_GROUP}{key}": [row.groups.get(key) for row in self.rows] for key in groups}
        columns |= {name: [row.values.get(name) for row in self.rows] for name in metrics}
        return columns

    def save(self, path: str | Path) -> Path:
        """Write the rows as the ending says (``.parquet``, ``.jsonl``), without why a metric is undefined."""
        if check_target(Path(path), ROWS) == ".parquet":
            return write_parquet(path, self.columns())
        return write_json_lines(path, _records(self.columns()))

    def keep(self, profile: str = "default") -> Path:
        """Write the rows into the run, so that it can be reported without its data; return their file.

        Args:
            profile: whose conventions they follow.
        """
        reasons = [encode(row.undefined).decode() if row.undefined else None for row in self.rows]
        columns = {**self.columns(), _UNDEFINED: reasons}
        about: dict[str, Any] = {"data": self.case_set.data, "version": self.version}
        return keep_scores(self.folder, columns, profile=profile, **about)


def read_rows(path: str | Path) -> list[ScoreRow]:
    """Read rows that `ScoredRun.save` or `ScoredRun.keep` wrote.

    Raises:
        InputError: the file is no such Parquet file.
    """
    columns = read_parquet(path)
    if lacking := [name for name in _IDS if name not in columns]:
        raise InputError(
            f"{path}: has no column {lacking[0]}",
            expected="rows of a benchmark's run as vlnscope keeps them",
            fix="make it again",
        )
    return [_row(record) for record in _records(columns)]


def _records(columns: Columns) -> list[dict[str, Any]]:
    return [dict(zip(columns, values, strict=True)) for values in zip(*columns.values(), strict=True)]


def _row(record: Mapping[str, Any]) -> ScoreRow:
    kept = {key: value for key, value in record.items() if value is not None}
    ids = {key: kept.pop(key) for key in _IDS}
    groups = {key.removeprefix(_GROUP): kept.pop(key) for key in list(kept) if key.startswith(_GROUP)}
    undefined = decode(kept.pop(_UNDEFINED, "{}"), type=dict[str, str])
    return ScoreRow(**ids, values=kept, undefined=undefined, groups=groups)


def build(
    benchmark: str,
    data: str | Path | Dataset,
    *,
    root: str | Path | None = None,
    out: str | Path | None = None,
    **options: Any,
) -> CaseSet:
    """Make the cases of a benchmark.

    Args:
        benchmark: its name, such as ``behavior``.
        data: a data set such as ``houses/val_unseen``, an episode file, or an opened data set.
        root: folder of the data; ``$VLNSCOPE_DATA`` if not given.
        out: a folder to keep them in, for `run`.
        options: those of the benchmark's ``build_cases``.

    Raises:
        InputError: the benchmark cannot be built from these data.
    """
    dataset = data if isinstance(data, Dataset) else open_dataset(data, root)
    case_set = get_benchmark(benchmark).build_cases(dataset, **options)
    if out is not None:
        case_set.save(out)
    return case_set


def is_benchmark_run(path: str | Path) -> bool:
    """Say whether a folder holds a run of a benchmark's cases."""
    return is_case_set(path) and (Path(path) / EVIDENCE).is_file()


def score_run(
    folder: str | Path,
    *,
    root: str | Path | None = None,
    profile: str = "default",
    scenes: Scenes | None = None,
) -> ScoredRun:
    """Score a run of a benchmark's cases.

    Args:
        folder: the run.
        root: folder of the data; ``$VLNSCOPE_DATA`` if not given.
        profile: whose conventions to follow, where the benchmark has several.
        scenes: those of the data, if they are open already.

    Raises:
        InputError: the folder holds no such run.
    """
    folder, case_set = _opened(folder)
    try:
        scenes = scenes or open_dataset(case_set.data, root).scenes
    except DataNotFoundError as error:
        raise no_scores(folder, profile, error) from None
    assert scenes is not None  # cases are only run on graphs
    evidence = read_log(folder / EVIDENCE)
    benchmark = get_benchmark(case_set.benchmark)
    rows = benchmark.score_cases(case_set, evidence, scenes, profile=profile)
    return _scored(folder, case_set, rows, evidence, benchmark.version)


def scored_run(folder: str | Path, *, root: str | Path | None = None, profile: str = "default") -> ScoredRun:
    """Return the scores that a run of a benchmark's cases keeps, or score it where it keeps none.

    Args:
        folder: the run.
        root: folder of the data, which a run that keeps scores does not need.
        profile: whose conventions to follow.

    Raises:
        InputError: the folder holds no such run.
        DataNotFoundError: it keeps no scores of the profile, and the data are missing.
    """
    folder, case_set = _opened(folder)
    kept = kept_scores(folder, profile)
    if kept is None:
        return score_run(folder, root=root, profile=profile)
    rows, version = read_rows(kept.file), kept.record.version or case_set.version
    return _scored(folder, case_set, rows, read_log(folder / EVIDENCE), version)


def _opened(folder: str | Path) -> tuple[Path, CaseSet]:
    """Return the folder of a run and its cases."""
    folder = Path(folder)
    if not is_benchmark_run(folder):
        raise InputError(
            f"{folder}: {'is no run of a benchmark' if folder.exists() else 'does not exist'}",
            expected="a folder that `vlnscope run --cases` has written",
            fix="score prediction files and other runs with `vlnscope score`",
        )
    return folder, CaseSet.load(folder)


def _scored(
    folder: Path,
    case_set: CaseSet,
    rows: list[ScoreRow],
    evidence: Mapping[str, EvidenceLine],
    version: int,
) -> ScoredRun:
    failed = sum(line.failed is not None for line in evidence.values())
    projected = any(line.positions and line.path for line in evidence.values())
    record = read_record(folder)
    return ScoredRun(folder, record, case_set, rows, len(evidence), failed, version, projected)


def check_versions(runs: Iterable[ScoredRun]) -> None:
    """Refuse results of different versions of a benchmark: other cases, or cases that were scored otherwise.

    Raises:
        InputError: runs of one benchmark are of different versions.
    """
    by_benchmark: dict[str, list[ScoredRun]] = {}
    for run in runs:
        by_benchmark.setdefault(run.case_set.benchmark, []).append(run)
    for name, group in by_benchmark.items():
        _same_version(
            f"results of versions {{}} of {name}",
            {run.case_set.version for run in group},
            f"build the cases again with `vlnscope build {name}`, and run all agents on them",
        )
        _same_version(
            f"results of {name} in versions {{}} of the built-in houses",
            {run.case_set.generator for run in group if run.case_set.generator is not None},
            f"build the cases again with `vlnscope build {name}`, and run all agents on them",
        )
        _same_version(
            f"scores by versions {{}} of {name}",
            {run.version for run in group},
            "score each of these runs again with `vlnscope score RUN`",
        )


def _same_version(what: str, versions: set[int], fix: str) -> None:
    if len(versions) > 1:
        numbers = " and ".join(map(str, sorted(versions)))
        raise InputError(
            f"these are {what.format(numbers)}",
            expected="results of one version, which can be compared",
            fix=fix,
        )


def find_runs(
    runs: Iterable[str | Path | ScoredRun],
    *,
    root: str | Path | None = None,
    profile: str = "default",
) -> list[Findings]:
    """Return what runs show: one `Findings` for all agents that were asked the same cases.

    Args:
        runs: folders of runs, or runs that are scored already.
        root: folder of the data.
        profile: whose conventions to follow.
    """
    scored = [
        run if isinstance(run, ScoredRun) else scored_run(run, root=root, profile=profile) for run in runs
    ]
    check_versions(scored)
    groups: dict[tuple[str, str, str], list[ScoredRun]] = {}
    for run in scored:
        key = (run.case_set.benchmark, run.case_set.data, run.record.cases.digest)
        groups.setdefault(key, []).append(run)
    return [findings_of(dict(zip(agent_names(group), group, strict=True))) for group in groups.values()]


def findings_of(runs: Mapping[str, ScoredRun]) -> Findings:
    """Return what runs on the same cases show, each under the name that is given for it."""
    case_set = next(iter(runs.values())).case_set
    rows = {name: run.rows for name, run in runs.items()}
    findings = get_benchmark(case_set.benchmark).find(case_set, rows)
    return msgspec.structs.replace(findings, notes=(*run_notes(runs), *findings.notes))


def run_notes(runs: Mapping[str, ScoredRun]) -> list[str]:
    """Say what readers must know of runs: who was told the reference, what failed, what is missing."""
    notes = []
    for name, run in runs.items():
        benchmark, version = get_benchmark(run.case_set.benchmark), run.case_set.version
        if version != benchmark.version:
            today = f"today's is {benchmark.version}"
            notes.append(f"{name}: cases of version {version} of {benchmark.name}, {today}")
        if run.version != benchmark.version:
            today = f"today's is {benchmark.version}"
            notes.append(f"{name}: scored by version {run.version} of {benchmark.name}, {today}")
        notes += [f"{name} {known}" for known in run.record.agent.knowledge]
        if run.projected:
            notes.append(f"{name} walked in continuous space, and counts as being at the {RULE}")
        if run.failed:
            notes.append(f"{name} failed in {run.failed:,} of {run.done:,} cases, which count as wrong")
        if run.done < len(run.case_set.cases):
            notes.append(f"{name}: {run.done:,} of {len(run.case_set.cases):,} cases were run")
        if unused := run.record.config.get("unused"):
            notes.append(f"{name}: {unused:,} of its predictions are for no case here, and were not used")
    rules = {name: msgspec.to_builtins(run.record.rules) for name, run in runs.items()}
    first: dict[str, Any] = next(iter(rules.values()), {})
    differ = [key for key in first if any(its[key] != first[key] for its in rules.values())]
    for key in differ:
        values = ", ".join(f"{name} {its[key]}" for name, its in rules.items())
        notes.append(f"the runs differ in {key}: {values}")
    return notes


class NamedRun(Protocol):
    """A run that can be named: by its agent, or by its folder."""

    @property
    def folder(self) -> Path:
        """Where it is."""

    @property
    def record(self) -> RunRecord:
        """Who ran."""


def agent_names(runs: Sequence[NamedRun]) -> list[str]:
    """Return a name for each run: its agent's, or where two have the same, that of the run's folder.

    Raises:
        InputError: two runs cannot be told apart.
    """
    names = [run.record.agent.name for run in runs]
    names = [
        name if names.count(name) == 1 else run.folder.name for name, run in zip(names, runs, strict=True)
    ]
    if len(set(names)) < len(names):
        twice = max(names, key=names.count)
        raise InputError(
            f"two runs are called {twice}",
            expected="runs of different agents, or in folders of different names",
            fix="name each run once",
        )
    return names
