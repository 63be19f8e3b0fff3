"""Runs an agent on cases and keeps what it did."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from contextlib import closing
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Any, Protocol

import msgspec

from vlnscope._version import __version__
from vlnscope.agents.protocol import action_space_of, needs_of, notes_of, widths_of
from vlnscope.agents.spec import NamedAgent, make_agent
from vlnscope.benchmarks.kit.benchmark import get_benchmark
from vlnscope.benchmarks.kit.case_file import check_cases, episode_cases, read_cases
from vlnscope.benchmarks.kit.case_set import CaseSet, is_case_set
from vlnscope.core import registry
from vlnscope.core.data_root import data_root
from vlnscope.core.exceptions import InputError
from vlnscope.engine.action_space import make_action_space
from vlnscope.engine.environment import check_needs, check_widths
from vlnscope.engine.executors import Execution, execute
from vlnscope.engine.jobs import Job, Shard, case_set_jobs, make_jobs, take_shard
from vlnscope.engine.runner import WorkerConfig
from vlnscope.engine.store import provenance
from vlnscope.engine.store.evidence_log import read_log
from vlnscope.engine.store.provenance import RunRecord
from vlnscope.engine.store.run_folder import EVIDENCE, Store
from vlnscope.engine.store.tour_log import write_tour_log
from vlnscope.episodes.datasets.dataset import Dataset, open_dataset
from vlnscope.episodes.formats.evidence import EvidenceLine
from vlnscope.episodes.in_space import check_places, placed, unreachable
from vlnscope.episodes.reading import read_tours
from vlnscope.types import Case, Logged, OracleRule, Rules, Tour
from vlnscope.worlds.scene import Scenes


@dataclass(frozen=True)
class PreparedRun:
    """A run before it is begun.

    Attributes:
        worker_config: what workers need.
        jobs: what is to be done, the other shards left out.
        record: what ``run.json`` will say.
        scenes: where the jobs take place.
    """

    worker_config: WorkerConfig
    jobs: list[Job]
    record: RunRecord
    scenes: Scenes

    @property
    def cases(self) -> Iterator[Case]:
        """All cases, in order."""
        return (case for job in self.jobs for case in job.cases)


@dataclass(frozen=True)
class Run:
    """A finished run.

    Attributes:
        folder: where it is kept.
        record: what ``run.json`` says.
    """

    folder: Path
    record: RunRecord

    @property
    def evidence(self) -> Path:
        """The evidence file, which `vlnscope.score` takes as predictions."""
        return self.folder / EVIDENCE

    def lines(self) -> dict[str, EvidenceLine]:
        """Return the evidence of each case."""
        return read_log(self.evidence)

    def failures(self) -> dict[str, str]:
        """Return the cases that failed, each with the reason."""
        return {name: line.failed for name, line in self.lines().items() if line.failed is not None}


class RunProgress(Protocol):
    """Somebody who is told how a run goes."""

    def begin(self, task: PreparedRun, done: int) -> None:
        """Hear what is to be done, and how many cases were done before."""

    def add(self, lines: Sequence[EvidenceLine]) -> None:
        """Hear of cases that were finished."""


def run(
    agent: Any,
    data: str | Path | Dataset | None = None,
    *,
    out: str | Path,
    cases: str | Path | Sequence[Case] | CaseSet | None = None,
    tours: str | Path | Sequence[Tour] | None = None,
    split: str | None = None,
    root: str | Path | None = None,
    limit: int | None = None,
    seed: int = 0,
    max_steps: int | None = None,
    sample: bool = False,
    log: Logged | None = None,
    oracle: OracleRule | None = None,
    shard: str | None = None,
    executor: str | None = None,
    workers: int = 1,
    timeout: float | None = None,
    address: str | None = None,
    resume: bool = False,
    retry_failed: bool = False,
    progress: RunProgress | None = None,
) -> Run:
    """Run an agent, and keep what it does in the folder `out`.

    Args:
        agent: the name of an agent with its options (``noisy:p=0.3``), ``MODULE:OBJECT``, or an object.
        data: a data set such as ``r2r/val_unseen``, an episode file, or an opened data set; that of the
            case set if not given.
        out: a folder for the run.
        cases: a case set of a benchmark or its folder, the name of a benchmark, which makes cases of the
            data with its usual options, a case file, or cases; every episode of the data if
            not given. A copy of a case set is kept with the run.
        tours: a tour file or tours; the agent then keeps its memory through each tour.
        split: split of a tour file that holds several.
        root: folder of the data; ``$VLNSCOPE_DATA`` if not given.
        limit: only the first cases, or the first tours.
        seed: of the agent's random choices, and of drawing.
        max_steps: how many actions an agent has in an episode; if not given, as many steps as the case set
            says, else 15, and in continuous space as many actions as correspond to them (500 to 15).
        sample: draw from the agent's distribution instead of taking its most probable action.
        log: which decisions are kept: ``scored``, ``all`` or ``none``; as the case set says, else the
            scored ones.
        oracle: how agents are led from episode to episode of a tour: ``whole``, ``starts`` or ``ivln``; as
            the case set says, else the whole way.
        shard: run only part ``i/n``; `merge` joins the parts.
        executor: ``serial``, ``processes`` or ``ray``; chosen by `workers` and `timeout` if not given.
        workers: how many processes or Ray workers.
        timeout: seconds that a case may take (not with ``serial``).
        address: of a Ray cluster; one is started on this machine if not given.
        resume: go on with the run in `out`, if there is one.
        retry_failed: with `resume`, run all cases that failed again, not only those whose worker was lost.
        progress: is told how it goes.

    Raises:
        InputError: something does not fit together, or cannot be written; cases that were finished are kept.
    """
    case_set = _case_set(cases, data, root)
    overrides = {"sample": sample or None, "log": log, "oracle": oracle, "seed": seed}
    rules = _rules(case_set, {name: value for name, value in overrides.items() if value is not None})
    execution = Execution.choose(executor, workers, timeout, address)
    opened = data if isinstance(data, Dataset) else open_dataset(_data_of(data, case_set), root)
    if case_set:
        case_set.check_generator(opened.scenes)
    if case_set and tours is not None:
        raise InputError(
            f"the cases of {case_set.benchmark} say themselves in which tours they are walked",
            expected="a case set, or tours of episodes",
            fix="leave the tours out, or run the data without the cases",
        )
    jobs = case_set_jobs(case_set)[:limit] if case_set else _jobs(opened, cases, tours, split, limit)
    part = Shard.parse(shard) if shard else None
    prepared = prepare(agent, opened, jobs, rules, shard=part, root=data_root(root), max_steps=max_steps)
    arguments = {"data": data, "root": root, "cases": cases, "tours": tours, "split": split, "limit": limit}
    record = msgspec.structs.replace(prepared.record, config=_plain(arguments) | execution._asdict())
    with Store(Path(out), record, resume=resume, retry_failed=retry_failed) as store:
        if case_set and not is_case_set(store.folder):
            case_set.save(store.folder)
        _go(prepared, store, execution, progress)
        return Run(store.folder, store.record)


def prepare(
    agent: Any,
    dataset: Dataset,
    jobs: Sequence[Job],
    rules: Rules,
    *,
    shard: Shard | None = None,
    root: Path | None = None,
    max_steps: int | None = None,
) -> PreparedRun:
    """Check that an agent can be run on jobs, and write down what will be run.

    Args:
        agent: as in `run`.
        dataset: where the jobs are from.
        jobs: what is to be done.
        rules: how; its limit of steps is one on a graph, and translated for agents in continuous space.
        shard: which part of the jobs.
        root: the data folder.
        max_steps: another limit, in actions of the agent.
    """
    if dataset.load_scenes is None or dataset.scenes is None:
        raise InputError(
            f"the scenes of {dataset.name} are not there, and its episodes lie in continuous space",
            expected="meshes of the scenes: DIR/SCAN/SCAN.glb, with SCAN.navmesh beside it",
            fix="add --scenes DIR; without scenes, predictions can be scored",
        )
    check_cases([case for job in jobs for case in job.cases], dataset.scenes)
    named = name_agent(agent, rules.seed, continuous=dataset.continuous)
    needs, space = check_needs(needs_of(named.agent)), space_for(named.agent, dataset)
    rules = msgspec.structs.replace(
        rules, max_steps=max_steps or make_action_space(space).limit(rules.max_steps)
    )
    check_widths(widths_of(named.agent), root)
    if dataset.continuous:
        jobs = [_placed(job, dataset.scenes) for job in jobs]
        check_places([case.episode for job in jobs for case in job.cases])
    own_jobs = take_shard(jobs, shard)
    if not own_jobs:
        raise InputError(
            f"shard {shard} of {len(jobs)} jobs is empty",
            expected="at most as many shards as jobs",
            fix=f"cut the run into {len(jobs)} shards or fewer",
        )
    record = RunRecord(
        vlnscope=__version__,
        revision=provenance.revision(),
        agent=provenance.agent_record(named.name, named.identity, needs, notes_of(named.agent)),
        action_space=space,
        data=provenance.data_record(dataset, dataset.scenes, jobs),
        cases=provenance.cases_record(jobs),
        rules=rules,
        shard=str(shard) if shard else None,
        size=sum(len(job.cases) for job in own_jobs),
        unreachable=_unreachable(own_jobs, dataset.scenes) if dataset.continuous else (),
        machine=provenance.machine_record(),
        started=provenance.now(),
    )
    by_name = partial(_make, agent, rules.seed, dataset.continuous)
    make = by_name if isinstance(agent, str) else partial(_same, named.agent)
    return PreparedRun(
        WorkerConfig(make, dataset.load_scenes, rules, needs, root, space), own_jobs, record, dataset.scenes
    )


def _unreachable(jobs: Sequence[Job], scenes: Scenes) -> tuple[str, ...]:
    episodes = [case.episode for job in jobs for case in job.cases]
    return tuple(dict.fromkeys(unreachable(episodes, scenes)))


def _placed(job: Job, scenes: Scenes) -> Job:
    """Return a job whose episodes have places in continuous space."""
    cases = tuple(
        msgspec.structs.replace(case, episode=placed(scenes.scene(case.episode.scan), case.episode))
        for case in job.cases
    )
    return msgspec.structs.replace(job, cases=cases)


def space_for(agent: Any, dataset: Dataset) -> str:
    """Return the action space in which an agent acts on some data.

    An agent on graphs walks along their edges where the data are in continuous space.

    Raises:
        InputError: the agent needs continuous space, and the data are on graphs.
    """
    name = action_space_of(agent)
    if dataset.continuous and name == "graph":
        return "graph-ce"
    if make_action_space(name).continuous and not dataset.continuous:
        raise InputError(
            f"the agent acts in continuous space ({name}), and {dataset.name} is on graphs",
            expected="data in continuous space",
            fix="for example --data houses-ce/val_unseen",
        )
    return name


def name_agent(agent: Any, seed: int, *, continuous: bool = False) -> NamedAgent:
    """Return an agent with its name and identity, made if it is given by name."""
    if isinstance(agent, str):
        return make_agent(agent, seed=seed, continuous=continuous)
    if isinstance(agent, NamedAgent):
        return agent
    if not callable(getattr(agent, "act", None)) or isinstance(agent, type):
        raise InputError(
            f"{agent!r} is no agent",
            expected="an object with the method act, or the name of an agent",
            fix="give an instance, such as MyAgent()",
        )
    name = f"{type(agent).__module__}:{type(agent).__qualname__}"
    return NamedAgent(name, str(getattr(agent, "identity", name)), agent)


def _case_set(
    cases: str | Path | Sequence[Case] | CaseSet | None,
    data: str | Path | Dataset | None,
    root: str | Path | None,
) -> CaseSet | None:
    """Return the case set that is given, lies in a folder, or that a benchmark makes of the data."""
    if isinstance(cases, CaseSet):
        return cases
    if not isinstance(cases, str | Path):
        return None
    if Path(cases).is_dir():
        return CaseSet.load(cases)
    if Path(cases).exists() or not registry.has("benchmark", str(cases)):
        return None
    opened = data if isinstance(data, Dataset) else open_dataset(_data_of(data, None), root)
    return get_benchmark(str(cases)).build_cases(opened)


def _rules(case_set: CaseSet | None, overrides: Mapping[str, Any]) -> Rules:
    """Return the rules of the case set, or the usual ones, with what was given instead."""
    return Rules(**(msgspec.structs.asdict(case_set.rules if case_set else Rules()) | dict(overrides)))


def _data_of(data: str | Path | None, case_set: CaseSet | None) -> str | Path:
    if data is not None:
        return data
    if case_set is not None:
        return case_set.data
    raise InputError(
        "no data are named",
        expected="a data set, or the folder of a benchmark's cases, which names one",
        fix="add for example --data houses/val_unseen",
    )


def _jobs(
    dataset: Dataset,
    cases: str | Path | Sequence[Case] | CaseSet | None,
    tours: str | Path | Sequence[Tour] | None,
    split: str | None,
    limit: int | None,
) -> list[Job]:
    assert not isinstance(cases, CaseSet)  # whose jobs are made elsewhere
    listed = read_cases(cases) if isinstance(cases, str | Path) else cases
    case_list = list(listed) if listed is not None else episode_cases(dataset, None if tours else limit)
    walked = read_tours(tours, split=split) if isinstance(tours, str | Path) else tours
    return make_jobs(case_list, walked)[:limit]


def _go(prepared: PreparedRun, store: Store, execution: Execution, progress: RunProgress | None) -> None:
    unfinished = [job for job in prepared.jobs if any(case.case_id not in store for case in job.cases)]
    if progress is not None:
        progress.begin(prepared, len(store))
    try:
        with closing(execute(prepared.worker_config, unfinished, execution)) as batches:
            for lines in batches:
                fresh = store.append(lines)
                if progress is not None:
                    progress.add(fresh)
    except BaseException:
        store.pause()
        raise
    store.complete()
    if any(job.toured for job in prepared.jobs):
        write_tour_log(store.folder, prepared.jobs, prepared.scenes)


def _make(spec: str, seed: int, continuous: bool) -> Any:
    return make_agent(spec, seed=seed, continuous=continuous).agent


def _same(agent: Any) -> Any:
    return agent


def _plain(arguments: Mapping[str, Any]) -> dict[str, str | int]:
    """Return the arguments that can be written down; what lies in memory cannot."""
    texts = {key: str(value) if isinstance(value, Path) else value for key, value in arguments.items()}
    return {key: value for key, value in texts.items() if isinstance(value, str | int)}
