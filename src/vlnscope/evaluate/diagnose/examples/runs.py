"""Runs whose walks are shown: what was asked, what was done, what counts as right."""

from __future__ import annotations

from contextlib import suppress
from functools import cached_property
from pathlib import Path

from vlnscope.benchmarks.kit.case_set import CaseSet
from vlnscope.core.exceptions import InputError
from vlnscope.core.tables import read_parquet
from vlnscope.engine.store.evidence_log import read_log
from vlnscope.episodes.datasets.dataset import Dataset, aligned_data, open_dataset
from vlnscope.episodes.formats.evidence import EvidenceLine
from vlnscope.evaluate.diagnose.examples.words import Sources
from vlnscope.reporting.report_data import EvidenceLink
from vlnscope.types import Case


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
        found = [self._cases[name]] if name in self._cases else []
        found = found or [case for case in self.case_set.cases if case.groups.get("pair") == name]
        return [case for case in found if case.case_id in self.lines and self.lines[case.case_id].path]

    @cached_property
    def dataset(self) -> Dataset:
        """Where the cases come from."""
        return open_dataset(self.case_set.data, self._root)

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
