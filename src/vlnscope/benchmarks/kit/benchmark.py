"""What a benchmark is: a package with four modules of fixed names, registered under its own name.

==============  ==========================================================================================
``build``       ``build_cases(dataset, *, seed=0, **options) -> CaseSet``
``protocol``    ``rules(**options) -> Rules``: how its cases are rolled out
``score``       ``score_cases(case_set, evidence, scenes, *, profile="default") -> list[ScoreRow]``
``findings``    ``find(case_set, rows_by_agent) -> Findings``
==============  ==========================================================================================

A benchmark is added by adding such a package: its ``__init__`` calls `register_benchmark`, and no list is
edited. All that `build`, `diagnose`, `report` and experiments have to know of it stands in its `Benchmark`.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from importlib import import_module
from typing import TYPE_CHECKING, Any, Literal, cast

import msgspec
from msgspec.structs import replace

from vlnscope.benchmarks.kit.abilities import Ability
from vlnscope.core import registry

if TYPE_CHECKING:
    from vlnscope.benchmarks.kit.case_set import CaseSet
    from vlnscope.benchmarks.kit.findings import Findings
    from vlnscope.episodes.datasets.dataset import Dataset
    from vlnscope.episodes.formats.evidence import EvidenceLine
    from vlnscope.types import ScoreRow
    from vlnscope.worlds.scene import Scenes

Size = Literal["quick", "full"]
"""How much a diagnosis asks."""
SIZES: tuple[Size, ...] = ("quick", "full")


class BuildOption(msgspec.Struct, frozen=True, kw_only=True):
    """An option of a benchmark's builder, and how `vlnscope build` takes it.

    Attributes:
        name: the keyword of ``build_cases``.
        help: one line for ``--help``.
        type: of a value on the command line: str, int, float, bool or Path.
        default: shown by ``--help``. An option that is None is not passed on, so that the builder's default
            holds.
        flag: on the command line; made from the name if empty: ``max_steps`` is ``--max-steps``.
        repeated: may be given several times; the builder gets a tuple.
        least: the lowest number that is taken.
        read: makes of the text of the command line what the builder takes.
    """

    name: str
    help: str
    type: type = str
    default: Any = None
    flag: str = ""
    repeated: bool = False
    least: float | None = None
    read: Callable[[str], Any] | None = None

    @property
    def option(self) -> str:
        """The option as a user writes it."""
        return self.flag or f"--{self.name.replace('_', '-')}"


class Chapter(msgspec.Struct, frozen=True, kw_only=True):
    """A chapter of the page about a benchmark.

    Attributes:
        title: its heading.
        anchor: for links to it; letters, digits and dashes.
        order: chapters with lower numbers come first.
        question: its lead sentence; that of the benchmark if empty.
        prefixes: the chapter takes the statements, tables and figures whose names begin with one of these and
            a dot, or are one of these. A chapter without prefixes takes what no other of the benchmark does.
    """

    title: str
    anchor: str
    order: int = 1000
    question: str = ""
    prefixes: tuple[str, ...] = ()


class Share(msgspec.Struct, frozen=True):
    """A share of an agent's episodes that its card shows: how they ended, and whether that is a success."""

    phrase: str
    succeeded: bool = False


class Benchmark(msgspec.Struct, frozen=True, kw_only=True):
    """A benchmark by name; its modules are imported when they are used.

    Attributes:
        name: as users write it.
        question: what it asks of an agent.
        paper: where it comes from.
        package: where its modules are.
        version: of its cases and scores. Raise it with every change that makes results incomparable: reports
            and comparisons do not put results of different versions side by side.
        summary: what `vlnscope build` does for it, one line.
        guide: more about that, with examples, for ``--help``.
        options: of its builder.
        sizes: options of the builder by size of a diagnosis.
        limit: the option that limits how many cases are built, for trials; empty if none does.
        order: benchmarks with lower numbers come first in a diagnosis.
        asked_by_default: whether a diagnosis asks it unless it is told what to ask.
        cost: how long a diagnosis takes with it, compared with others; the costliest are begun first.
        layers: layers that every scene must have; a diagnosis says which one is missing.
        aligned: whether it needs instructions that are aligned with paths. A diagnosis then takes the data
            set with the same episodes that has them, where there is one.
        predictions: options of the builder with which ordinary predictions answer its cases; None if they
            do not. Without options they answer the cases that agents are asked.
        partly_ordinary: some of its cases are ordinary episodes, which ordinary predictions answer.
        ordinary: it asks ordinary episodes as they are, so what it finds is no sign of an ability but the
            ability itself.
        chapters: of the page; one that is called as the benchmark, if there are none.
        abilities: that it was made to ask for, by name.
        headlines: keys of the statements whose numbers stand on the card of an agent.
        shares: how episodes end, by the key of the statement that says how many do.
    """

    name: str
    question: str
    paper: str
    package: str
    version: int = 1
    summary: str = ""
    guide: str = ""
    options: tuple[BuildOption, ...] = ()
    sizes: Mapping[Size, Mapping[str, Any]] = msgspec.field(default_factory=dict)
    limit: str = ""
    order: int = 1000
    asked_by_default: bool = True
    cost: float = 1.0
    layers: tuple[str, ...] = ()
    aligned: bool = False
    predictions: Mapping[str, Any] | None = None
    partly_ordinary: bool = False
    ordinary: bool = False
    chapters: tuple[Chapter, ...] = ()
    abilities: Mapping[str, Ability] = msgspec.field(default_factory=dict)
    headlines: tuple[str, ...] = ()
    shares: Mapping[str, Share] = msgspec.field(default_factory=dict)

    def build_cases(self, dataset: Dataset, **options: Any) -> CaseSet:
        """Make the cases from a data set.

        Raises:
            MissingLayerError: a scene lacks a layer that the benchmark needs.
        """
        from vlnscope.benchmarks.kit.case_set import generator_of_cases

        self._check_layers(dataset)
        case_set: CaseSet = self._module("build").build_cases(dataset, **options)
        return replace(case_set, version=self.version, generator=generator_of_cases(case_set.cases))

    def count_cases(self, case_set: CaseSet) -> dict[str, int]:
        """Return how many cases there are of each kind, as ``build.count_cases`` or their groups tell."""
        count = getattr(self._module("build"), "count_cases", None)
        if count is not None:
            return cast(dict[str, int], count(case_set))
        kinds = (next(iter(case.groups.values()), self.name) for case in case_set.cases)
        return dict(Counter(kinds))

    def limited(self, options: Mapping[str, Any], limit: int) -> dict[str, Any]:
        """Return options with which at most `limit` cases are built, and never more than usual."""
        if not self.limit:
            return dict(options)
        usual = next((one.default for one in self.options if one.name == self.limit), None)
        chosen = options.get(self.limit) or usual
        if isinstance(usual, Mapping):
            by_kind = {**usual, **(options.get(self.limit) or {})}
            return {**options, self.limit: {kind: min(limit, most) for kind, most in by_kind.items()}}
        return {**options, self.limit: min(limit, chosen or limit)}

    def score_cases(
        self,
        case_set: CaseSet,
        evidence: Mapping[str, EvidenceLine],
        scenes: Scenes,
        *,
        profile: str = "default",
    ) -> list[ScoreRow]:
        """Score the evidence of cases, given by case id.

        Raises:
            InputError: the cases were built in another version of the scenes.
        """
        case_set.check_generator(scenes)
        rows: list[ScoreRow] = self._module("score").score_cases(case_set, evidence, scenes, profile=profile)
        return rows

    def find(self, case_set: CaseSet, rows_by_agent: Mapping[str, Sequence[ScoreRow]]) -> Findings:
        """Say what the rows of one or several agents mean, and what the intervals hold for."""
        from vlnscope.benchmarks.kit.estimates import scope

        findings: Findings = self._module("findings").find(case_set, rows_by_agent)
        rows = [row for agent_rows in rows_by_agent.values() for row in agent_rows]
        return replace(findings, notes=(*findings.notes, scope(rows))) if rows else findings

    def _check_layers(self, dataset: Dataset) -> None:
        if self.layers and dataset.scenes is not None:
            for scan in dict.fromkeys(episode.scan for episode in dataset.episodes()):
                scene = dataset.scenes.scene(scan)
                for layer in self.layers:
                    scene.layer(layer)

    def _module(self, name: str) -> Any:
        return import_module(f"{self.package}.{name}")


registry.require("benchmark", Benchmark)


def comma_list(text: str) -> list[str]:
    """Read names with commas between, as `BuildOption.read`.

    Example:
        >>> comma_list("full, none")
        ['full', 'none']
    """
    return [name for part in text.split(",") if (name := part.strip())]


def register_benchmark(name: str, *, question: str, paper: str, package: str, **more: Any) -> Benchmark:
    """Make a benchmark known under its name; `package` is the ``__name__`` of its package.

    Args:
        name: as users write it.
        question: what it asks of an agent.
        paper: where it comes from.
        package: where its modules are.
        more: further attributes of `Benchmark`.
    """
    benchmark = Benchmark(name=name, question=question, paper=paper, package=package, **more)
    return registry.register("benchmark", name, benchmark)


def get_benchmark(name: str) -> Benchmark:
    """Return a benchmark; an unknown name gets suggestions."""
    return cast(Benchmark, registry.get("benchmark", name))


def benchmarks() -> list[Benchmark]:
    """Return all benchmarks, those of plug-ins too, in the order of a diagnosis."""
    known = cast(dict[str, Benchmark], registry.everything("benchmark"))
    return sorted(known.values(), key=lambda benchmark: (benchmark.order, benchmark.name))


def diagnosed_names() -> list[str]:
    """Return the names of the benchmarks that a diagnosis asks unless it is told what to ask."""
    return [benchmark.name for benchmark in benchmarks() if benchmark.asked_by_default]
