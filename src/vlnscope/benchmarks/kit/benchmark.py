"""What a benchmark is: a package with four modules of fixed names, registered under its own name.

==============  ==========================================================================================
``build``       ``build_cases(dataset, *, seed=0, **options) -> CaseSet``
``protocol``    ``rules(**options) -> Rules``: how its cases are rolled out
``score``       ``score_cases(asked, lines, scenes, *, profile="default") -> list[ScoreRow]``
``findings``    ``find(asked, scored) -> Findings``, `scored` being rows by agent
==============  ==========================================================================================

A benchmark is added by adding such a package: its ``__init__`` calls `register_benchmark`, and no list is
edited.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from importlib import import_module
from typing import Any

import msgspec
from msgspec.structs import replace

from vlnscope.benchmarks.kit.case_set import CaseSet
from vlnscope.benchmarks.kit.estimates import scope
from vlnscope.benchmarks.kit.findings import Findings
from vlnscope.core import registry
from vlnscope.episodes.datasets.dataset import Dataset
from vlnscope.episodes.formats.evidence import EvidenceLine
from vlnscope.types import ScoreRow
from vlnscope.worlds.scene import Scenes


class Benchmark(msgspec.Struct, frozen=True, kw_only=True):
    """A benchmark by name; its modules are imported when they are used.

    Attributes:
        name: as users write it.
        question: what it asks of an agent.
        paper: where it comes from.
        package: where its modules are.
    """

    name: str
    question: str
    paper: str
    package: str

    def build_cases(self, dataset: Dataset, **options: Any) -> CaseSet:
        """Make the cases from a data set."""
        made: CaseSet = self._module("build").build_cases(dataset, **options)
        return made

    def score_cases(
        self, asked: CaseSet, lines: Mapping[str, EvidenceLine], scenes: Scenes, *, profile: str = "default"
    ) -> list[ScoreRow]:
        """Score the evidence of cases, given by case id."""
        rows: list[ScoreRow] = self._module("score").score_cases(asked, lines, scenes, profile=profile)
        return rows

    def find(self, asked: CaseSet, scored: Mapping[str, Sequence[ScoreRow]]) -> Findings:
        """Say what the rows of one or several agents mean, and what the intervals hold for."""
        found: Findings = self._module("findings").find(asked, scored)
        every = [row for rows in scored.values() for row in rows]
        return replace(found, notes=(*found.notes, scope(every))) if every else found

    def _module(self, name: str) -> Any:
        return import_module(f"{self.package}.{name}")


def register_benchmark(name: str, *, question: str, paper: str, package: str) -> Benchmark:
    """Make a benchmark known under its name; `package` is the ``__name__`` of its package."""
    made = Benchmark(name=name, question=question, paper=paper, package=package)
    return registry.register("benchmark", name, made)


def get_benchmark(name: str) -> Benchmark:
    """Return a benchmark; an unknown name gets suggestions."""
    found: Benchmark = registry.get("benchmark", name)
    return found
