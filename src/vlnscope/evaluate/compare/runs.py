"""Compares agents over the cases of a benchmark, by whatever the benchmark scores and groups."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path

import numpy as np

from vlnscope.benchmarks.kit.benchmark import get_benchmark
from vlnscope.core.exceptions import InputError, UnknownNameError
from vlnscope.evaluate.benchmarking import ScoredRun, check_versions, scored_run
from vlnscope.evaluate.compare.comparison import ComparisonTable, measure_for
from vlnscope.evaluate.compare.rows import (
    ComparedRows,
    Tables,
    aligned,
    nesting_of,
    shared_only,
    tabulated,
    taken,
)
from vlnscope.evaluate.score.result import Rows
from vlnscope.metrics.values import Values
from vlnscope.stats.bootstrap import Bootstrap
from vlnscope.stats.multiplicity import Correction
from vlnscope.types import ScoreRow

GROUPS = ("skill", "category", "variant")
"""What rows are compared by if nothing else is asked for, as far as a benchmark has it."""
USUAL = ("SR", "SPL", "nDTW", "mass", "success", "reached")
"""What is compared if nothing else is asked for, as far as a benchmark has it."""
NO_VALUE = "the case has no such value"


def compare_runs(
    runs: Mapping[str, Sequence[str | Path]],
    *,
    metrics: Sequence[str] | None = None,
    by: Sequence[str] | None = None,
    where: Mapping[str, str] | None = None,
    profile: str = "default",
    against: str | None = None,
    correction: Correction = "holm",
    root: str | Path | None = None,
    partial: bool = False,
    bootstrap: Bootstrap | None = None,
) -> ComparisonTable:
    """Compare agents over the same cases, with scenes as the independent observations.

    Args:
        runs: folders of runs by agent; those of an agent with several runs count by their mean.
        metrics: values of the benchmark's rows; the usual ones if not given.
        by: groups to compare within, one after the other, such as ``skill``; none if empty.
        where: compare only cases with these groups.
        profile: whose conventions to follow, where the benchmark has several.
        against: compare all others with this agent only.
        correction: how p-values are corrected, over all tests of a value.
        root: folder of the data.
        partial: compare the cases that all runs have.
        bootstrap: resample scenes and flip signs, instead of the t interval and its test.

    Raises:
        InputError: the runs are not of the same cases, or no row has what is asked for.
    """
    scored = {
        name: [scored_run(folder, root=root, profile=profile) for folder in agent_runs]
        for name, agent_runs in runs.items()
    }
    check_versions(run for agent_runs in scored.values() for run in agent_runs)
    first = next(iter(scored.values()))[0]
    _refuse_others(scored, first)
    groups = {
        row.episode_id: row.groups for agent_runs in scored.values() for run in agent_runs for row in run.rows
    }
    names = _names(first.rows, metrics)
    tables: Tables = {
        name: [_table(_where(run.rows, where or {}), names) for run in agent_runs]
        for name, agent_runs in scored.items()
    }
    notes = [*_knowledge(scored), *first.case_set.notes]
    if partial:
        tables, count = shared_only(tables)
        notes.append(f"compared over the {count} cases that all have")
    tables = aligned(tables)
    keys = _keys(groups, by)
    fields = list(_fields(tables, names, groups, keys))
    if not fields:
        raise InputError(
            f"no case has {' or '.join(names)}" + (f" where {dict(where)}" if where else ""),
            expected="values and groups that the benchmark's rows have",
            fix=f"name others: values {_list(_values(first.rows))}; groups {_list(_all_keys(groups))}",
        )
    agents, pairs = tabulated(fields, against, correction, bootstrap)
    return ComparisonTable(
        dataset=f"{get_benchmark(first.case_set.benchmark).name} on {first.case_set.data}",
        profile=profile,
        n=len(next(iter(tables.values()))[0].ids),
        correction=correction,
        agents=agents,
        pairs=pairs,
        notes=tuple(notes),
    )


def _knowledge(scored: Mapping[str, Sequence[ScoredRun]]) -> list[str]:
    """Say which agents knew what others do not."""
    said = [
        f"{name} {known}"
        for name, agent_runs in scored.items()
        for run in agent_runs
        for known in run.record.agent.knowledge
    ]
    return list(dict.fromkeys(said))


def _refuse_others(scored: Mapping[str, Sequence[ScoredRun]], first: ScoredRun) -> None:
    for agent_runs in scored.values():
        for run in agent_runs:
            if run.record.cases.digest != first.record.cases.digest:
                raise InputError(
                    f"{run.folder} and {first.folder} are runs of different cases",
                    expected="runs of the same case set",
                    fix="run all agents on one folder that `vlnscope build` made",
                )


def _names(rows: Sequence[ScoreRow], metrics: Sequence[str] | None) -> tuple[str, ...]:
    known = _values(rows)
    if metrics is None:
        return tuple(name for name in USUAL if name in known) or tuple(known[:1])
    for name in metrics:
        if name not in known:
            raise UnknownNameError("value of these cases", name, known)
    return tuple(dict.fromkeys(metrics))


def _values(rows: Sequence[ScoreRow]) -> list[str]:
    """Return what rows have values of, without the bins of figures."""
    return list(dict.fromkeys(name for row in rows for name in row.values if "." not in name))


def _all_keys(groups: Mapping[str, Mapping[str, str]]) -> list[str]:
    return sorted({key for case_groups in groups.values() for key in case_groups})


def _keys(groups: Mapping[str, Mapping[str, str]], by: Sequence[str] | None) -> tuple[str, ...]:
    known = _all_keys(groups)
    if by is None:
        return tuple(key for key in GROUPS if key in known)
    for key in by:
        if key not in known:
            raise UnknownNameError("group of these cases", key, known)
    return tuple(by)


def _where(rows: Sequence[ScoreRow], wanted: Mapping[str, str]) -> list[ScoreRow]:
    return [row for row in rows if all(row.groups.get(key) == value for key, value in wanted.items())]


def _table(rows: Sequence[ScoreRow], names: Sequence[str]) -> Rows:
    values = {}
    for name in names:
        numbers = np.array([row.values.get(name, 0.0) for row in rows], dtype=np.float64)
        missing = np.array([name not in row.values for row in rows], dtype=np.bool_)
        values[name] = Values.of(numbers, {NO_VALUE: missing})
    return Rows(
        [row.episode_id for row in rows], [row.scan for row in rows], [row.path_id for row in rows], values
    )


def _fields(
    tables: Tables,
    names: Sequence[str],
    groups: Mapping[str, Mapping[str, str]],
    keys: Sequence[str],
) -> list[ComparedRows]:
    """Return a field per combination of groups, with the measures that some case of it has."""
    ids = next(iter(tables.values()))[0].ids
    places: dict[tuple[str, ...], list[int]] = {}
    for index, case in enumerate(ids):
        places.setdefault(tuple(groups[case].get(key, "") for key in keys), []).append(index)
    fields = []
    for combination, chosen in places.items():
        part = {name: [taken(rows, chosen) for rows in runs] for name, runs in tables.items()}
        every = [rows for runs in part.values() for rows in runs]
        measures = [
            measure_for(name, np.concatenate([r.values[name].values for r in every]))
            for name in names
            if all(r.values[name].defined.any() for r in every)
        ]
        if measures:
            group = ", ".join(value for value in combination if value)
            fields.append(ComparedRows(nesting_of(every[0]), part, tuple(measures), group))
    return fields


def _list(names: Sequence[str]) -> str:
    return ", ".join(names)
