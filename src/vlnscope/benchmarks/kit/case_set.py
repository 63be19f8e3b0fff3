"""Case sets: what a benchmark asks, where it takes place, how it is rolled out, and what was left out.

In a folder, a case set is ``cases.json`` (everything but the cases) and ``cases.jsonl`` (a case a line,
see `vlnscope.benchmarks.kit.case_file`). `run` takes the folder and puts a copy of it into the run, so that
a run can be scored alone.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Any, Literal

import msgspec

from vlnscope.benchmarks.kit.case_file import read_cases, write_cases
from vlnscope.core.exceptions import DataNotFoundError, InputError
from vlnscope.core.json_file import read_json, write_json
from vlnscope.types import Case, Rules
from vlnscope.worlds.scene import Scenes
from vlnscope.worlds.scene_versions import UNNUMBERED, check_generator, generator_of, generator_of_scan

CASES = "cases.jsonl"
ABOUT = "cases.json"
VERSION: Literal[1] = 1


class Loss(msgspec.Struct, frozen=True):
    """What a filter of a builder let through: of `before` candidates `after` remained."""

    filter: str
    before: int
    after: int


class CaseTour(msgspec.Struct, frozen=True, kw_only=True):
    """Cases of one scene that are walked one after the other.

    Attributes:
        tour_id: unique in the set.
        scan: scene id.
        case_ids: in the order in which they are walked.
        forgets: end the agent's tour after each case, so that it keeps no memory, while oracles lead it
            as in any tour: the control of an agent that remembers.
    """

    tour_id: str
    scan: str
    case_ids: tuple[str, ...]
    forgets: bool = False


class CaseSet(msgspec.Struct, frozen=True, kw_only=True):
    """Everything that a benchmark asks of an agent in one run.

    Attributes:
        benchmark: name of the benchmark, which knows how to score the cases.
        data: name of the data set in whose scenes the cases take place.
        rules: how the cases are rolled out.
        cases: in the order in which they were built.
        tours: in which cases are walked; None if each stands for itself. Then every case is in one tour.
        options: the options of the builder as they were resolved.
        losses: what each filter of the builder let through, in order.
        notes: what a reader of the scores must know.
        version: of the benchmark that built the cases. The first version is not written into files.
        generator: version of the built-in houses that the cases take place in; None if they take place
            elsewhere, or were just made by hand. Files of cases in houses always say it.
    """

    benchmark: str
    data: str
    rules: Rules
    cases: tuple[Case, ...]
    tours: tuple[CaseTour, ...] | None = None
    options: dict[str, Any] = msgspec.field(default_factory=dict)
    losses: tuple[Loss, ...] = ()
    notes: tuple[str, ...] = ()
    version: int = 1
    generator: int | None = None

    def save(self, folder: str | Path) -> Path:
        """Write the set into a folder, which is made if it is not there; the cases first."""
        folder = Path(folder)
        folder.mkdir(parents=True, exist_ok=True)
        write_cases(self.cases, folder / CASES)
        about = {name: getattr(self, name) for name in _About.__struct_fields__ if name != "v"}
        about["version"] = msgspec.UNSET if self.version == 1 else self.version
        about["generator"] = self.generator or generator_of_cases(self.cases) or msgspec.UNSET
        write_json(folder / ABOUT, _About(**about))
        return folder

    @classmethod
    def load(cls, folder: str | Path) -> CaseSet:
        """Read a set from a folder.

        Raises:
            DataNotFoundError: the folder holds no case set.
            InputError: the files cannot be read, or tours name cases that there are not.
        """
        folder = Path(folder)
        if not is_case_set(folder):
            raise DataNotFoundError(
                f"{folder}: holds no cases",
                expected=f"a folder with {ABOUT} and {CASES}",
                fix="make one with `vlnscope build`",
            )
        about = read_json(folder / ABOUT, _About, "what `vlnscope build` writes", "build it again")
        rest = {name: getattr(about, name) for name in _About.__struct_fields__ if name != "v"}
        rest["version"] = about.version or 1
        cases = tuple(read_cases(folder / CASES))
        rest["generator"] = about.generator or (UNNUMBERED if generator_of_cases(cases) else None)
        case_set = cls(cases=cases, **rest)
        _check_tours(case_set, str(folder))
        return case_set

    def check_generator(self, scenes: Scenes | None) -> None:
        """Refuse scenes of another version than the cases were built in.

        Raises:
            InputError: they were built in other houses of the same names; it says how to build them again.
        """
        if self.generator is not None:
            build = f"`vlnscope build {self.benchmark} --data {self.data} --out DIR`"
            check_generator(
                generator_of(scenes),
                self.generator,
                what=f"these cases of {self.benchmark} on {self.data}",
                again=f"build them again with {build}, and run all agents on the new ones",
            )


class _About(msgspec.Struct, frozen=True, kw_only=True):
    v: Literal[1] = VERSION
    benchmark: str
    data: str
    rules: Rules
    tours: tuple[CaseTour, ...] | None = None
    options: dict[str, Any] = msgspec.field(default_factory=dict)
    losses: tuple[Loss, ...] = ()
    notes: tuple[str, ...] = ()
    version: int | msgspec.UnsetType = msgspec.UNSET
    generator: int | msgspec.UnsetType = msgspec.UNSET


def generator_of_cases(cases: Sequence[Case]) -> int | None:
    """Return the version of the generator that makes the scenes of cases, if one does."""
    return generator_of_scan(cases[0].episode.scan) if cases else None


def is_case_set(path: str | Path) -> bool:
    """Say whether a folder holds a case set."""
    return (Path(path) / ABOUT).is_file() and (Path(path) / CASES).is_file()


def _check_tours(case_set: CaseSet, where: str) -> None:
    if case_set.tours is None:
        return
    scans = {case.case_id: case.episode.scan for case in case_set.cases}
    walked = _named(case_set.tours)
    for case_id, tour in walked.items():
        if scans.get(case_id) != tour.scan:
            raise InputError(
                f"{where}: tour {tour.tour_id} names case {case_id}, which scene {tour.scan} does not have",
                expected="cases of the set, in the scene of the tour",
                fix="build the cases again",
            )


def _named(tours: Iterable[CaseTour]) -> dict[str, CaseTour]:
    named: dict[str, CaseTour] = {}
    for tour in tours:
        for case_id in tour.case_ids:
            if case_id in named:
                raise InputError(
                    f"case {case_id} is in tour {named[case_id].tour_id} and in tour {tour.tour_id}",
                    expected="each case in one tour, once",
                    fix="build the cases again",
                )
            named[case_id] = tour
    return named
