"""Compares agents over the same episodes: is one really better than another?"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from vlnscope.core.exceptions import InputError
from vlnscope.episodes.datasets.dataset import Dataset, open_dataset
from vlnscope.evaluate.benchmarking import is_benchmark_run
from vlnscope.evaluate.compare.comparison import ComparisonTable, measure_of
from vlnscope.evaluate.compare.rows import ComparedRows, Tables, aligned, nesting_of, shared_only, tabulated
from vlnscope.evaluate.data_profile import profile_for
from vlnscope.evaluate.run_data import data_of, run_folder
from vlnscope.evaluate.score.measured import (
    AS_STATED,
    UNNAMED,
    is_measured_run,
    score_measured,
    stated_names,
)
from vlnscope.evaluate.score.result import Score
from vlnscope.evaluate.score.score import plan, score
from vlnscope.metrics.metric import get_metric
from vlnscope.metrics.profiles.profile import Profile, get_profile
from vlnscope.reporting.tables.marks import counted
from vlnscope.stats.bootstrap import Bootstrap
from vlnscope.stats.multiplicity import Correction
from vlnscope.stats.several import pairs
from vlnscope.types import Prediction

USUAL = ("SR", "SPL", "nDTW")
Predictions = str | Path | Iterable[Prediction]


@dataclass(frozen=True)
class ComparedAgent:
    """An agent to be compared: its name, and the predictions of all its runs."""

    name: str
    runs: tuple[Predictions, ...]


def compare(
    *agents: str | Path | ComparedAgent,
    data: str | Path | Dataset | None = None,
    profile: str | Profile = "default",
    metrics: Sequence[str] | None = None,
    by: Sequence[str] | None = None,
    where: Mapping[str, str] | None = None,
    against: str | None = None,
    correction: Correction = "holm",
    bootstrap: Bootstrap | None = None,
    root: str | Path | None = None,
    positions: str = "connectivity",
    partial: bool = False,
) -> ComparisonTable:
    """Compare agents pair by pair over the same episodes, with scenes as the independent observations.

    Args:
        *agents: two or more: a prediction file each, or ``NAME=FILE``, or ``NAME=FILE,FILE,…`` for an
            agent with several runs, whose mean counts; or a `ComparedAgent`. A file may state metrics of
            episodes without walks, which count as they are. Folders of runs serve as files; if all are of a
            benchmark's cases, they are compared by what the benchmark scores.
        data: a data set such as ``r2r/val_unseen``, an episode file, or an opened data set; runs know
            theirs.
        profile: whose conventions to follow.
        metrics: what to compare; SR, SPL and nDTW if the profile has them.
        by: of benchmarks: groups to compare within, such as ``skill``; skill, category and variant if not
            given, none if empty.
        where: of benchmarks: compare only cases with these groups.
        against: compare all others with this agent only.
        correction: how p-values are corrected, over all tests of a metric.
        bootstrap: resample scenes and flip signs, instead of the t interval and its test.
        root: folder of the data; ``$VLNSCOPE_DATA`` if not given.
        positions: where viewpoints lie, ``connectivity`` or ``house`` (see `open_dataset`).
        partial: compare the episodes that all runs of all agents have.

    Raises:
        InputError: there are fewer than two agents, or their predictions cannot be scored or are not for
            the same episodes.
    """
    contenders = _distinct([a if isinstance(a, ComparedAgent) else contender(a) for a in agents])
    pairs([c.name for c in contenders], against)
    if by is not None or where is not None or (data is None and _is_of_benchmark(contenders[0])):
        from vlnscope.evaluate.compare.runs import compare_runs  # brings the benchmarks along

        return compare_runs(
            {c.name: _folders(c) for c in contenders},
            metrics=metrics,
            by=by,
            where=where,
            profile=profile if isinstance(profile, str) else profile.name,
            against=against,
            correction=correction,
            root=root,
            partial=partial,
            bootstrap=bootstrap,
        )
    plan(get_profile(profile) if isinstance(profile, str) else profile, metrics)  # meet wrong names first
    dataset, stated = None, all(is_measured_run(run) for one in contenders for run in one.runs)
    if data is not None or not stated:
        named = _shared_data(contenders, data, root)
        dataset = named if isinstance(named, Dataset) else open_dataset(str(named), root, positions=positions)
    chosen = profile_for(profile, dataset)
    names = _metrics(chosen, metrics, contenders)
    field, notes = _collect(contenders, dataset, chosen, names, partial)
    rows, table_pairs = tabulated([field], against, correction, bootstrap)
    return ComparisonTable(
        dataset=dataset.name if dataset is not None else UNNAMED,
        profile=AS_STATED if stated else chosen.name,
        n=field.nesting.rows,
        correction=correction,
        agents=rows,
        pairs=table_pairs,
        notes=notes,
    )


def contender(text: str | Path) -> ComparedAgent:
    """Read ``FILE``, ``NAME=FILE`` or ``NAME=FILE,FILE,…``; what exists as a file is one, whatever its name.

    Example:
        >>> contender("mine=seed0.json,seed1.json")
        ComparedAgent(name='mine', runs=('seed0.json', 'seed1.json'))
        >>> contender("results/theirs.json.gz").name
        'theirs'
    """
    written = str(text)
    name, equals, files = written.partition("=")
    if Path(written).exists() or not equals:
        name, files = Path(written).name.split(".")[0] or written, written
        return ComparedAgent(name, (files,))
    runs = (files,) if Path(files).exists() else tuple(file.strip() for file in files.split(","))
    if not name.strip() or not all(runs) or len(set(runs)) != len(runs):
        raise InputError(
            f"an agent given as {written!r}",
            expected="FILE, NAME=FILE, or NAME=FILE,FILE,… for several different runs of one agent",
            fix="for example mine=seed0.json,seed1.json",
        )
    return ComparedAgent(name.strip(), runs)


def _distinct(contenders: Sequence[ComparedAgent]) -> list[ComparedAgent]:
    names = [c.name for c in contenders]
    twice = sorted({name for name in names if names.count(name) > 1})
    if twice:
        raise InputError(
            f"several agents are called {', '.join(twice)}",
            expected="a name of its own for each agent",
            fix=f"name them: {twice[0]}-1=FILE {twice[0]}-2=FILE; runs of one agent: {twice[0]}=FILE,FILE",
        )
    return list(contenders)


def _metrics(
    profile: Profile, metrics: Sequence[str] | None, contenders: Sequence[ComparedAgent]
) -> tuple[str, ...]:
    wanted = plan(profile, metrics).metrics
    if metrics is None:
        stated = [stated_names([run]) for one in contenders for run in one.runs if is_measured_run(run)]
        wanted = tuple(name for name in wanted if all(name in names for names in stated))
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


def _is_of_benchmark(one: ComparedAgent) -> bool:
    return all(isinstance(run, str | Path) and is_benchmark_run(run) for run in one.runs)


def _shared_data(
    contenders: Sequence[ComparedAgent], data: str | Path | Dataset | None, root: str | Path | None
) -> str | Path | Dataset:
    """Return the data that all are scored on: those named, or those that the runs among them know.

    Raises:
        InputError: nobody knows the data, or a run is on others.
    """
    every = [run for one in contenders for run in one.runs]
    if data is None:
        data = data_of(next((run for run in every if run_folder(run)), every[0]))
    for run in every:
        data_of(run, data, root)
    return data


def _folders(one: ComparedAgent) -> list[str | Path]:
    """Return the runs of an agent, which must be of a benchmark's cases."""
    folders = []
    for run in one.runs:
        if not isinstance(run, str | Path) or not is_benchmark_run(run):
            shown = run if isinstance(run, str | Path) else "a list of predictions"
            raise InputError(
                f"{one.name}: {shown} is no run of a benchmark",
                expected="folders that `vlnscope run --cases` has written: --by and --where are for these",
                fix="name only such folders, or only others, without --by and --where",
            )
        folders.append(run)
    return folders


def _collect(
    contenders: Sequence[ComparedAgent],
    dataset: Dataset | None,
    profile: Profile,
    metrics: Sequence[str],
    partial: bool,
) -> tuple[ComparedRows, tuple[str, ...]]:
    scores = {
        c.name: [_scored(run, dataset, profile, metrics, partial) for run in c.runs] for c in contenders
    }
    for name, runs in scores.items():
        for one in runs:
            _refuse_undefined(name, one)
    notes = _shared_notes({name: [note for s in runs for note in s.notes] for name, runs in scores.items()})
    tables: Tables = {name: [s.episodes for s in runs] for name, runs in scores.items()}
    if partial:
        tables, shared = shared_only(tables)
        notes.append(f"compared over the {counted(shared, 'episode')} that all have")
    tables = aligned(tables)
    first = next(iter(tables.values()))[0]
    measures = tuple(measure for name in metrics if (measure := measure_of(name)) is not None)
    return ComparedRows(nesting_of(first), tables, measures), tuple(dict.fromkeys(notes))


def _scored(
    run: Predictions, dataset: Dataset | None, profile: Profile, metrics: Sequence[str], partial: bool
) -> Score:
    if is_measured_run(run):
        return score_measured([run], dataset, metrics=metrics, partial=partial)
    return score(run, dataset, profile=profile, metrics=metrics, partial=partial)


def _shared_notes(by_agent: Mapping[str, Sequence[str]]) -> list[str]:
    """Return the notes on all agents, each with the agent's name unless it holds for all of them."""
    every = set.intersection(*(set(notes) for notes in by_agent.values()))
    named = [f"{name}: {note}" for name, notes in by_agent.items() for note in notes if note not in every]
    return [*named, *(note for note in next(iter(by_agent.values())) if note in every)]


def _refuse_undefined(name: str, score: Score) -> None:
    """Refuse a metric that has no value for any episode, with the reason."""
    for metric, summary in score.to_dict()["metrics"].items():
        if summary["mean"] is None:
            reasons = [f"undefined for {n}: {why}" for why, n in summary["undefined_reasons"].items()]
            raise InputError(
                f"{metric} of {name}: {'; '.join(reasons)}",
                expected="metrics that have values for these data under this profile",
                fix="name others with --metric, for example --metric NE,nDTW",
            )
