"""The walks that a report shows: for each statement the episodes that tell most, with maps and views.

What statements share is made once. Walks are taken in the order in which a reader meets them: first those of
the verdicts, then those of the weightiest statements, an equal number of each agent.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import suppress
from functools import cached_property
from pathlib import Path

from msgspec.structs import replace

from vlnscope.benchmarks.kit.case_set import CaseSet
from vlnscope.benchmarks.kit.findings import Statement
from vlnscope.benchmarks.outcomes.score.cases import score_cases
from vlnscope.core.exceptions import InputError
from vlnscope.core.tables import read_parquet
from vlnscope.engine.store.evidence_log import read_log
from vlnscope.episodes.datasets.dataset import Dataset, aligned_data, open_dataset
from vlnscope.episodes.formats.evidence import EvidenceLine
from vlnscope.evaluate.diagnose.examples.outcomes import outcome
from vlnscope.evaluate.diagnose.examples.scenes import KnownScenes, SceneMaps
from vlnscope.evaluate.diagnose.examples.space import SpaceAlbum, SpacePictures, space_trail
from vlnscope.evaluate.diagnose.examples.steps import Passage, shown_steps
from vlnscope.evaluate.diagnose.examples.words import Sources, due_words, planted
from vlnscope.reporting.examples import ExampleTrajectories, ExampleTrajectory, ShownStep
from vlnscope.reporting.report_data import EvidenceLink, Report
from vlnscope.types import Case, ScoreRow
from vlnscope.worlds.houses.splits import HouseScenes
from vlnscope.worlds.scene import Scenes

PER_STATEMENT = 3
MOST_WALKS = 110
"""Walks of an agent that are shown."""
MOST_BYTES = 1_100_000
"""All views of decisive steps together; `space` says how much it adds in continuous space."""


class ShownRun:
    """A run of one agent in one benchmark, read as far as it is asked for.

    Args:
        link: where its evidence and scores lie.
        folder: the folder of the report.
        root: folder of the data; ``$VLNSCOPE_DATA`` if not given.
    """

    def __init__(self, link: EvidenceLink, folder: Path, root: str | Path | None) -> None:
        self._link = link
        self._folder = folder
        self._evidence = folder / link.evidence
        self._root = root

    @cached_property
    def case_set(self) -> CaseSet:
        """The cases."""
        return CaseSet.load(self._evidence.parent)

    @cached_property
    def lines(self) -> dict[str, EvidenceLine]:
        """What was done, by case."""
        return read_log(self._evidence)

    @cached_property
    def _cases(self) -> dict[str, Case]:
        return {case.case_id: case for case in self.case_set.cases}

    def named(self, name: str) -> list[Case]:
        """Return the case of a name, or the cases of the pair of that name, as far as they were walked."""
        cases = [self._cases[name]] if name in self._cases else []
        cases = cases or [case for case in self.case_set.cases if case.groups.get("pair") == name]
        return [case for case in cases if case.case_id in self.lines and self.lines[case.case_id].path]

    @cached_property
    def dataset(self) -> Dataset:
        """Where the cases come from."""
        dataset = open_dataset(self.case_set.data, self._root)
        self.case_set.check_generator(dataset.scenes)
        return dataset

    @cached_property
    def successes(self) -> dict[str, bool]:
        """Whether the benchmark counts each case as a success, where it has such a value."""
        path = self._folder / self._link.scores
        if not self._link.scores or not path.is_file():
            return {}
        table = read_parquet(path)
        if "SR" not in table:
            return {}
        return {
            name: value == 1.0
            for name, value in zip(table["episode_id"], table["SR"], strict=True)
            if value is not None
        }

    @cached_property
    def sources(self) -> Sources:
        """The episodes that cases were made from, with sub-instructions where there are any."""
        aligned = aligned_data(self.case_set.data)
        if aligned != self.case_set.data:
            with suppress(InputError):
                return Sources(open_dataset(aligned, self._root).episodes())
        return Sources(self.dataset.episodes())


def show_walks(
    report: Report, folder: str | Path, *, root: str | Path | None = None, most: int = MOST_WALKS
) -> ExampleTrajectories:
    """Return the walks that show the statements of a report.

    Args:
        report: the findings, and where their evidence lies.
        folder: the folder of the report.
        root: folder of the data; ``$VLNSCOPE_DATA`` if not given.
        most: how many walks of each agent.
    """
    names = [findings.benchmark for findings in report.findings]
    show = _Show(Path(folder), root, several=len(set(names)) < len(names))
    left = dict.fromkeys((link.agent for link in report.links), most)
    for link, episodes in _wanted(report):
        for name in episodes:
            left[link.agent] -= show.add(link, name, left[link.agent])
    return show.finished()


def _wanted(report: Report) -> Iterator[tuple[EvidenceLink, tuple[str, ...]]]:
    """Yield the runs and the cases in them that statements name."""
    links = {(link.benchmark, link.data, link.agent): link for link in report.links}
    for data, benchmark, said in _in_order(report):
        link = links.get((benchmark, data, said.agent))
        if link is not None and said.episodes:
            yield link, said.episodes[:PER_STATEMENT]


def _in_order(report: Report) -> Iterator[tuple[str, str, Statement]]:
    """Yield statements with their data set and benchmark, those of verdicts first, then by weight."""
    every = [
        (findings.data, findings.benchmark, said)
        for findings in report.findings
        for said in findings.statements
    ]
    first = {(v.agent, v.benchmark, v.statement.key): k for k, v in enumerate(report.verdicts)}
    others = {(v.agent, *other) for v in report.verdicts for other in v.others}

    def rank(entry: tuple[str, str, Statement]) -> tuple[int, int, float]:
        _, benchmark, said = entry
        key = (said.agent, benchmark, said.key)
        return first.get(key, len(first)), int(key not in others), -said.weight

    yield from sorted(every, key=rank)


class _Show:
    """Makes walks, and keeps the scenes, words and pictures that they share."""

    def __init__(self, folder: Path, root: str | Path | None, *, several: bool) -> None:
        self._folder = folder
        self._root = root
        self._several = several
        self._runs: dict[EvidenceLink, ShownRun] = {}
        self._stages: dict[str, dict[str, SceneMaps]] = {}
        self._sources: dict[str, Sources] = {}
        self._walks: dict[str, ExampleTrajectory] = {}
        self._pictures: dict[str, str] = {}
        self._left = MOST_BYTES
        self._album = SpaceAlbum(self._pictures)

    def add(self, link: EvidenceLink, name: str, most: int) -> int:
        """Add the walks of a case or of a pair of cases, if they are not there yet; return how many."""
        run = self._run(link)
        added = 0
        for case in run.named(name):
            walk_id = self._id(link, case)
            if walk_id not in self._walks and added < most:
                self._walks[walk_id] = self._walk(link, run, case)
                added += 1
        return added

    def finished(self) -> ExampleTrajectories:
        """Return all that was made."""
        stages = [stage for known in self._stages.values() for stage in known.values()]
        maps = {key: drawn for stage in stages for key, drawn in stage.maps().items()}
        return ExampleTrajectories(walks=tuple(self._walks.values()), maps=maps, pictures=self._pictures)

    def _run(self, link: EvidenceLink) -> ShownRun:
        if link not in self._runs:
            self._runs[link] = ShownRun(link, self._folder, self._root)
        return self._runs[link]

    def _id(self, link: EvidenceLink, case: Case) -> str:
        where = f"@{link.data}" if self._several else ""
        return f"{link.benchmark}{where}/{link.agent}/{case.case_id}"

    def _walk(self, link: EvidenceLink, run: ShownRun, case: Case) -> ExampleTrajectory:
        line = run.lines[case.case_id]
        stages = self._stages_of(run)
        stage = stages.stage(case.episode.scan)
        passage = Passage.of(case, line, stage)
        became = outcome(passage, _row(run, passage, stages), run.successes.get(case.case_id))
        due = due_words(case, stage.graph, self._sources_of(run, case))
        reference = case.episode.path
        trail = space_trail(passage)
        pictures = self._album.add(passage, became.succeeded) if trail is not None else SpacePictures()
        return ExampleTrajectory(
            id=self._id(link, case),
            benchmark=link.benchmark,
            data=link.data,
            agent=link.agent,
            case_id=case.case_id,
            pair=case.groups.get("pair", ""),
            scan=case.episode.scan,
            words=due.words,
            wrong=planted(case.episode, due.words),
            steps=self._seen(passage, shown_steps(passage, due, became.decisive), became.decisive),
            reference=stage.places(reference),
            led_in=stage.places(line.phases.oracle_start) if line.phases else (),
            led_on=stage.places(line.phases.oracle_goal) if line.phases else (),
            goal=stage.place(reference[-1]) if reference and not case.correct else None,
            decisive=became.decisive,
            outcome=became.line,
            succeeded=became.succeeded,
            trail=trail,
            seen=pictures.seen,
            film=pictures.film,
        )

    def _stages_of(self, run: ShownRun) -> KnownScenes:
        scenes = run.dataset.scenes
        assert scenes is not None  # cases are only run on graphs
        kind = "houses" if isinstance(scenes, HouseScenes) else run.case_set.data.partition("/")[0]
        return KnownScenes(scenes, self._stages.setdefault(kind, {}))

    def _sources_of(self, run: ShownRun, case: Case) -> Sources:
        if case.episode.chunks or case.episode.words:
            return Sources(())
        data = run.case_set.data
        if data not in self._sources:
            self._sources[data] = run.sources
        return self._sources[data]

    def _seen(
        self, passage: Passage, steps: tuple[ShownStep, ...], decisive: int | None
    ) -> tuple[ShownStep, ...]:
        """Add what could be seen at the decisive step, as long as there is room."""
        if decisive is None:
            return steps
        heading = passage.heading(decisive)
        if heading is None:
            return steps
        key = passage.stage.view(passage.nodes[decisive], heading)
        if key not in self._pictures:
            picture = passage.stage.picture(key) if self._left > 0 else None
            if picture is None:
                return steps
            self._pictures[key] = picture
            self._left -= len(picture)
        changed = replace(steps[decisive], picture=key)
        return (*steps[:decisive], changed, *steps[decisive + 1 :])


def _row(run: ShownRun, passage: Passage, scenes: Scenes) -> ScoreRow | None:
    """Return how the benchmark `outcomes` would score a walk, whichever benchmark asked it."""
    if passage.scored is not None or len(passage.case.episode.path) < 2:
        return None
    case_set = replace(run.case_set, cases=(passage.case,), tours=None)
    return score_cases(case_set, {passage.case.case_id: passage.line}, scenes)[0]
