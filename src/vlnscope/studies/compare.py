"""Compares agents over the same episodes: is one really better than another?"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from vlnscope.episodes.datasets import Dataset, open_dataset
from vlnscope.exceptions import InputError
from vlnscope.metrics.metric import get_metric
from vlnscope.metrics.profiles import Profile, get_profile
from vlnscope.stats.bootstrap import REPLICATES, Method, summarise
from vlnscope.stats.columns import Sample
from vlnscope.stats.multiplicity import Correction
from vlnscope.stats.nesting import Nesting
from vlnscope.stats.paired import align
from vlnscope.stats.power import ALPHA, data_needed, minimum_detectable_effect
from vlnscope.stats.runs import Runs
from vlnscope.stats.several import Comparison, compare_agents, corrected, pairs
from vlnscope.studies.comparison_table import AgentRow, ComparisonTable, PairRow
from vlnscope.studies.score_result import Rows
from vlnscope.studies.scoring import plan, score
from vlnscope.types import Prediction

USUAL = ("SR", "SPL", "nDTW")
Predictions = str | Path | Iterable[Prediction]


@dataclass(frozen=True)
class Contender:
    """An agent to be compared: its name, and the predictions of all its runs."""

    name: str
    runs: tuple[Predictions, ...]


@dataclass(frozen=True)
class Field:
    """What is compared: every run of every agent, over the same episodes in the same order."""

    nesting: Nesting
    runs: Mapping[str, Sequence[Rows]]
    notes: tuple[str, ...]

    def of(self, metric: str) -> dict[str, Runs]:
        """Return the runs of each agent in one metric."""
        return {
            name: Runs.of(
                name,
                {f"run {i}": rows.values[metric] for i, rows in enumerate(runs, 1)},
                self.nesting,
                made=len(runs),
            )
            for name, runs in self.runs.items()
        }


def compare(
    *agents: str | Path | Contender,
    data: str | Path | Dataset,
    profile: str | Profile = "default",
    metrics: Sequence[str] | None = None,
    against: str | None = None,
    correction: Correction = "holm",
    method: Method = "studentised",
    root: str | Path | None = None,
    positions: str = "connectivity",
    partial: bool = False,
    replicates: int = REPLICATES,
    seed: int = 0,
) -> ComparisonTable:
    """Compare agents pair by pair over the same episodes, with scenes as the independent observations.

    Args:
        *agents: two or more: a prediction file each, or ``NAME=FILE``, or ``NAME=FILE,FILE,…`` for an
            agent with several runs, whose mean counts; or a `Contender`.
        data: a data set such as ``r2r/val_unseen``, an episode file, or an opened data set.
        profile: whose conventions to follow.
        metrics: what to compare; SR, SPL and nDTW if the profile has them.
        against: compare all others with this agent only.
        correction: how p-values are corrected, over all tests of the table.
        method: how intervals are made, as in `summarise`.
        root: folder of the data; ``$VLNSCOPE_DATA`` if not given.
        positions: where viewpoints lie, ``connectivity`` or ``house`` (see `open_dataset`).
        partial: compare the episodes that all runs of all agents have.
        replicates: resamples for the intervals.
        seed: of the resampling and of the sampled sign patterns.

    Raises:
        InputError: there are fewer than two agents, or their predictions cannot be scored or are not for
            the same episodes.
    """
    contenders = _distinct([a if isinstance(a, Contender) else contender(a) for a in agents])
    pairs([c.name for c in contenders], against)
    chosen = get_profile(profile) if isinstance(profile, str) else profile
    names = _metrics(chosen, metrics)
    dataset = data if isinstance(data, Dataset) else open_dataset(str(data), root, positions=positions)
    field = _collect(contenders, dataset, chosen, names, partial)
    options: dict[str, Any] = {"replicates": replicates, "seed": seed, "method": method}
    found: list[tuple[str, Comparison]] = []
    rows: list[AgentRow] = []
    for metric in names:
        by_agent = field.of(metric)
        means = {name: runs.mean_column() for name, runs in by_agent.items()}
        found += [(metric, c) for c in _pairwise(metric, means, field.nesting, against, options)]
        intervals = summarise(means, field.nesting, **options)
        rows += [AgentRow(metric, name, intervals[name], runs) for name, runs in by_agent.items()]
    tested = corrected([c for _, c in found], correction)
    return ComparisonTable(
        dataset=dataset.name,
        profile=chosen,
        n=field.nesting.rows,
        correction=correction,
        agents=tuple(rows),
        pairs=tuple(
            _pair_row(metric, c, field, len(tested)) for (metric, _), c in zip(found, tested, strict=True)
        ),
        notes=field.notes,
    )


def contender(text: str | Path) -> Contender:
    """Read ``FILE``, ``NAME=FILE`` or ``NAME=FILE,FILE,…``; what exists as a file is one, whatever its name.

    Example:
        >>> contender("mine=seed0.json,seed1.json")
        Contender(name='mine', runs=('seed0.json', 'seed1.json'))
        >>> contender("results/theirs.json.gz").name
        'theirs'
    """
    written = str(text)
    name, equals, files = written.partition("=")
    if Path(written).exists() or not equals:
        name, files = Path(written).name.split(".")[0] or written, written
        return Contender(name, (files,))
    runs = (files,) if Path(files).exists() else tuple(file.strip() for file in files.split(","))
    if not name.strip() or not all(runs) or len(set(runs)) != len(runs):
        raise InputError(
            f"an agent given as {written!r}",
            expected="FILE, NAME=FILE, or NAME=FILE,FILE,… for several different runs of one agent",
            fix="for example mine=seed0.json,seed1.json",
        )
    return Contender(name.strip(), runs)


def _distinct(contenders: Sequence[Contender]) -> list[Contender]:
    names = [c.name for c in contenders]
    twice = sorted({name for name in names if names.count(name) > 1})
    if twice:
        raise InputError(
            f"several agents are called {', '.join(twice)}",
            expected="a name of its own for each agent",
            fix=f"name them: {twice[0]}-1=FILE {twice[0]}-2=FILE; runs of one agent: {twice[0]}=FILE,FILE",
        )
    return list(contenders)


def _metrics(profile: Profile, metrics: Sequence[str] | None) -> tuple[str, ...]:
    wanted = plan(profile, metrics).metrics
    if metrics is None:
        directed = [name for name in wanted if get_metric(name).better != "none"]
        wanted = tuple(name for name in USUAL if name in directed) or tuple(directed[:1])
    tours = [name for name in wanted if get_metric(name).per == "tour"]
    if tours or not wanted:
        raise InputError(
            f"a comparison of {', '.join(tours) or 'no metric'}",
            expected="metrics that have a value for each episode",
            fix="name some with --metric; `vlnscope ls metrics` lists them",
        )
    return wanted


def _collect(
    contenders: Sequence[Contender],
    dataset: Dataset,
    profile: Profile,
    metrics: Sequence[str],
    partial: bool,
) -> Field:
    scores = {
        c.name: [
            score(run, dataset, profile=profile, metrics=metrics, partial=partial, replicates=1)
            for run in c.runs
        ]
        for c in contenders
    }
    notes = [f"{name}: {note}" for name, runs in scores.items() for s in runs for note in s.notes]
    tables = {name: [s.episodes for s in runs] for name, runs in scores.items()}
    if partial:
        shared = set.intersection(*(set(rows.ids) for runs in tables.values() for rows in runs))
        tables = {name: [_only(rows, shared) for rows in runs] for name, runs in tables.items()}
        notes.append(f"compared over the {len(shared)} episodes that all have")
    first_name, first = next((name, runs[0]) for name, runs in tables.items())
    tables = {
        name: [_take(rows, align(first.ids, rows.ids, (first_name, name)).tolist()) for rows in runs]
        for name, runs in tables.items()
    }
    nesting = Nesting.of({"scene": first.scans, "path": first.path_ids})
    return Field(nesting, tables, tuple(dict.fromkeys(notes)))


def _only(rows: Rows, ids: set[str]) -> Rows:
    return _take(rows, [i for i, id_ in enumerate(rows.ids) if id_ in ids])


def _take(rows: Rows, places: list[int]) -> Rows:
    chosen = np.asarray(places, dtype=np.int64)
    return Rows(
        [rows.ids[i] for i in places],
        [rows.scans[i] for i in places],
        [rows.path_ids[i] for i in places],
        {name: values.take(chosen) for name, values in rows.values.items()},
    )


def _pairwise(
    metric: str,
    means: Mapping[str, Sample],
    nesting: Nesting,
    against: str | None,
    options: Mapping[str, Any],
) -> list[Comparison]:
    higher = get_metric(metric).better != "lower"
    return compare_agents(means, nesting, against=against, higher_is_better=higher, **options)


def _pair_row(metric: str, comparison: Comparison, field: Field, tests: int) -> PairRow:
    """Add what these data could have shown, each test at its share of the level."""
    difference, alpha = comparison.difference, ALPHA / tests
    if not difference.error or difference.resampled != field.nesting.names[:1]:
        return PairRow(metric, comparison, tests)
    detectable = minimum_detectable_effect(difference.error, difference.clusters, alpha=alpha)
    if not difference.mean or (comparison.adjusted or 0.0) <= ALPHA:
        return PairRow(metric, comparison, tests, detectable)
    runs = field.of(metric)
    a, b = (runs[name].mean_column() for name in (comparison.a, comparison.b))
    both = a.defined & b.defined
    column = Sample(np.where(both, a.values - b.values, 0.0), both)
    needed = data_needed(column, field.nesting, difference.error, difference.mean, alpha=alpha)
    return PairRow(metric, comparison, tests, detectable, needed)
