"""Exhibits: figures and tables of papers that are made again by name, from a data set or from runs.

What a report of runs shows anyway is no exhibit. A module of `vlnscope.evaluate.exhibits`, or a plug-in
(entry-point group ``vlnscope.exhibit``), registers what it can make.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Literal, cast

import msgspec

from vlnscope.benchmarks.kit.case_set import CaseSet
from vlnscope.benchmarks.kit.findings import Findings
from vlnscope.core import registry
from vlnscope.core.exceptions import InputError
from vlnscope.engine.store.evidence_log import read_log
from vlnscope.engine.store.provenance import RunRecord
from vlnscope.engine.store.run_folder import EVIDENCE, read_record
from vlnscope.episodes.datasets.dataset import Dataset, open_dataset
from vlnscope.episodes.formats.evidence import EvidenceLine
from vlnscope.evaluate.benchmarking import is_benchmark_run
from vlnscope.worlds.scene import Scenes

Needs = Literal["data", "runs", "either"]
_ADD = {
    "data": "add --data, such as --data r2r/val_unseen",
    "runs": "name the folders of runs (`vlnscope run AGENT --cases DIR --out RUN`)",
    "either": "name the folder of a run, or add --data",
}


@dataclass(frozen=True)
class WalkedRun:
    """A run of a benchmark's cases, with what the agent did.

    Attributes:
        folder: where it is.
        root: folder of the data.
    """

    folder: Path
    root: Path | None = None

    @cached_property
    def case_set(self) -> CaseSet:
        """What was asked."""
        return CaseSet.load(self.folder)

    @cached_property
    def evidence(self) -> dict[str, EvidenceLine]:
        """What was done, by case."""
        return dict(read_log(self.folder / EVIDENCE))

    @cached_property
    def record(self) -> RunRecord:
        """Who did it, and how."""
        return read_record(self.folder)


@dataclass(frozen=True)
class ExhibitRequest:
    """What an exhibit is to be made of.

    Attributes:
        runs: folders of runs.
        data: name of a data set, or an episode file.
        root: folder of the data; ``$VLNSCOPE_DATA`` if None.
        scene: show only this one; empty for any.
        most: how much to show, or to measure; what is counted is up to the exhibit. None for its usual.
        direction: that is asked, where one is.
        profile: whose conventions to follow.
    """

    runs: tuple[Path, ...] = ()
    data: str | None = None
    root: Path | None = None
    scene: str = ""
    most: int | None = None
    direction: str = "left"
    profile: str = "default"

    def dataset(self, name: str | None = None) -> Dataset:
        """Open the data set, or one of another name."""
        return open_dataset(name or self.data or "", self.root)

    def walked(self) -> list[WalkedRun]:
        """Return the runs.

        Raises:
            InputError: a folder holds no run of a benchmark's cases, or they were asked different cases.
        """
        for folder in self.runs:
            if not is_benchmark_run(folder):
                raise InputError(
                    f"{folder}: {'is no run of a benchmark' if folder.exists() else 'does not exist'}",
                    expected="a folder that `vlnscope run --cases` has written",
                    fix="run an agent first (`vlnscope run AGENT --cases DIR --out RUN`)",
                )
        if len({read_record(folder).cases.digest for folder in self.runs}) > 1:
            raise InputError(
                f"these {len(self.runs)} runs were asked different cases",
                expected="runs on the same cases, which can stand side by side",
                fix="run all agents on the same folder of cases",
            )
        return [WalkedRun(folder, self.root) for folder in self.runs]

    def scenes_of(self, run: WalkedRun) -> Scenes:
        """Return where the cases of a run take place."""
        scenes = self.dataset(run.case_set.data).scenes
        assert scenes is not None  # cases are only run on graphs
        return scenes


class Exhibit(msgspec.Struct, frozen=True, kw_only=True):
    """A figure or a table of a paper that can be made again.

    Attributes:
        name: as users write it, such as ``behavior-figure-2``.
        title: what it shows, one line.
        paper: where it is from.
        needs: what it is made of.
        counts: what ``most`` of the request limits; empty if nothing.
        make: makes it; the findings hold its figures and tables.
    """

    name: str
    title: str
    paper: str
    needs: Needs
    counts: str = ""
    make: Callable[[ExhibitRequest], Findings]

    def of(self, request: ExhibitRequest) -> Findings:
        """Make it.

        Raises:
            InputError: what it is made of is not given.
        """
        given = {"data": request.data is not None, "runs": bool(request.runs)}
        enough = any(given.values()) if self.needs == "either" else given[self.needs]
        if not enough:
            what = "a data set or a run" if self.needs == "either" else f"{self.needs}"
            raise InputError(
                f"{self.name} is made of {what}, and none is given",
                expected=self.title,
                fix=_ADD[self.needs],
            )
        return self.make(request)


registry.require("exhibit", Exhibit)


def register_exhibit(exhibit: Exhibit) -> Exhibit:
    """Make an exhibit known under its name."""
    return registry.register("exhibit", exhibit.name, exhibit)


def make_exhibit(name: str, **request: object) -> Findings:
    """Make a figure or a table of a paper; `request` are attributes of `ExhibitRequest`.

    Raises:
        UnknownNameError: there is no such exhibit.
        InputError: what it is made of is not given, or cannot be read.

    Example:
        >>> made = make_exhibit("behavior-figure-2", data="sample/demo")
        >>> made.figures[0].source
        "Figure 2 of Yang, Majumdar and Lee, 2023, there of RxR's training paths"
    """
    exhibit = cast(Exhibit, registry.get("exhibit", name))
    return exhibit.of(ExhibitRequest(**request))  # type: ignore[arg-type]


def scans_of(dataset: Dataset, scene: str) -> Sequence[str]:
    """Return the scenes of the episodes of a data set, or the one that is asked for.

    Raises:
        InputError: no episode is there.
    """
    scans = list(dict.fromkeys(episode.scan for episode in dataset.episodes()))
    if scene and scene not in scans:
        raise InputError(
            f"{dataset.name}: has no episode in {scene}",
            expected=f"one of {', '.join(scans[:5])}{' …' if len(scans) > 5 else ''}",
            fix="name one of its scenes with --scene",
        )
    return [scene] if scene else scans
