"""Checks metrics: feeds them adversarial paths and reports which axioms they break, with counter-examples.

A metric that breaks a *hard* axiom is wrong; one that breaks another is limited, which may be what its
authors intended: success rate is meant to look at the last place only. Nothing here is asserted of any
metric; every verdict comes from computing it.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from dataclasses import asdict, dataclass
from typing import Any, Literal

from vlnscope.metrics.lint.axioms import (
    AXIOMS,
    Axiom,
    Check,
    ProbeEvidence,
    Score,
    paths,
    rows,
    scores,
    walked_twice,
)
from vlnscope.metrics.lint.probes import ProbeWorld, worlds
from vlnscope.metrics.lint.trial import BrokenContractError, MetricTrial, Row, Space
from vlnscope.metrics.metric import Metric
from vlnscope.metrics.profiles.switches import Switches
from vlnscope.types import Point

Status = Literal["pass", "fail", "varies", "not applicable"]

CONTRACT = "contract"
CONTRACT_SAYS = "returns one value per row, raises nothing, leaves its input alone"
UNDIRECTED = "no direction of this metric is better, so it has no optimum"
UNJUDGED = "the metric breaks its contract, so its values cannot be judged"
DEFAULTS = Switches()


@dataclass(frozen=True)
class CounterExample:
    """The smallest case found that breaks an axiom.

    Attributes:
        world: the graph.
        probe: what the agent does.
        value: what the metric gives it; None if undefined or not finite.
        reference: the places of the reference, in metres.
        prediction: the places the agent visits.
    """

    world: str
    probe: str
    value: Score
    reference: tuple[Point, ...]
    prediction: tuple[Point, ...]


@dataclass(frozen=True)
class MetricFinding:
    """What was found about one axiom.

    Attributes:
        axiom: its name.
        says: the axiom in one sentence.
        status: ``varies`` marks a property that is worth knowing and no fault.
        text: one line: the counter-example, or why the axiom does not apply; empty for a pass.
        hard: whether a metric that breaks it is wrong, not just limited.
        example: the counter-example in full.
    """

    axiom: str
    says: str
    status: Status
    text: str = ""
    hard: bool = False
    example: CounterExample | None = None


@dataclass(frozen=True)
class MetricReport:
    """All findings about one metric: its contract, then the axioms in the order of `AXIOMS`."""

    metric: str
    findings: tuple[MetricFinding, ...]

    def __getitem__(self, axiom: str) -> MetricFinding:
        return next(finding for finding in self.findings if finding.axiom == axiom)

    @property
    def wrong(self) -> tuple[str, ...]:
        """The hard axioms it breaks: those that make its numbers wrong rather than limited."""
        return tuple(f.axiom for f in self.findings if f.hard and f.status == "fail")

    def to_dict(self) -> dict[str, Any]:
        """Return plain data, fit for JSON."""
        return {
            "metric": self.metric,
            "wrong": list(self.wrong),
            "findings": [asdict(finding) for finding in self.findings],
        }


def check_metric(
    metric: Metric, switches: Switches = DEFAULTS, seed: int = 0, *, space: Space = "graph"
) -> MetricReport:
    """Feed a metric adversarial predictions and report which axioms it breaks.

    Args:
        metric: any metric, a plug-in's too; it may raise, return nonsense or change its input.
        switches: how it is to be computed.
        seed: of the random worlds and walks.
        space: give it paths as nodes of graphs, or as points.

    Example:
        >>> from vlnscope.metrics.metric import get_metric
        >>> report = check_metric(get_metric("SR"))
        >>> report.wrong, report["identity"].status, report["uniqueness"].status
        ((), 'pass', 'fail')
    """
    trial = MetricTrial(metric, switches, space)
    arena = worlds(seed, switches.radius)
    if metric.per == "tour":
        arena = (*arena, *walked_twice(arena))
    try:
        values = trial.run(rows(arena))
        changed = trial.altered(rows(arena))
    except BrokenContractError as error:
        return _unjudged(metric, _contract_fault(trial, arena, str(error)), UNJUDGED)
    if changed:
        return _unjudged(metric, _contract(f"changes {changed!r} of the batch it is given"), UNJUDGED)
    row_scores = scores(values)
    if all(score is None for score in row_scores):
        return _unjudged(metric, _contract(""), f"undefined for every probe: {values.reason(0)}")
    evidence = ProbeEvidence(trial, seed, arena, _by_world(arena, row_scores))
    return MetricReport(metric.name, (_contract(""), *(_finding(axiom, evidence) for axiom in AXIOMS)))


def _unjudged(metric: Metric, contract: MetricFinding, why: str) -> MetricReport:
    rest = (MetricFinding(axiom.name, axiom.says, "not applicable", why, axiom.hard) for axiom in AXIOMS)
    return MetricReport(metric.name, (contract, *rest))


def _contract(fault: str, example: CounterExample | None = None) -> MetricFinding:
    return MetricFinding(CONTRACT, CONTRACT_SAYS, "fail" if fault else "pass", fault, True, example)


def _contract_fault(trial: MetricTrial, arena: Sequence[ProbeWorld], complaint: str) -> MetricFinding:
    """Look for the smallest single path that shows the fault found in the whole batch."""
    checks = [
        Check(world, probe, None, f"{fault}, given {probe!r} on {world.name}")
        for world in arena
        for probe, path in paths(world).items()
        if (fault := _fault_alone(trial, (world, path)))
    ]
    if not checks:
        return _contract(f"{complaint}, given {len(rows(arena))} rows at once")
    smallest = min(checks, key=_size)
    return _contract(smallest.fault or "", _example(smallest))


def _fault_alone(trial: MetricTrial, row: Row) -> str | None:
    try:
        trial.run([row])
    except BrokenContractError as error:
        return str(error)
    return None


def _finding(axiom: Axiom, evidence: ProbeEvidence) -> MetricFinding:
    status: Status = "pass"
    text, example = "", None
    if axiom.directed and evidence.trial.metric.better == "none":
        return MetricFinding(axiom.name, axiom.says, "not applicable", UNDIRECTED, axiom.hard)
    try:
        checks = list(axiom.judge(evidence))
    except BrokenContractError as error:
        return MetricFinding(axiom.name, axiom.says, "fail", str(error), axiom.hard)
    faults = [check for check in checks if check.fault]
    if faults:
        smallest = min(faults, key=_size)
        status, text = "varies" if axiom.informs else "fail", smallest.fault or ""
        example = _example(smallest)
    elif not checks:
        status, text = "not applicable", "undefined for the paths that would show it"
    return MetricFinding(axiom.name, axiom.says, status, text, axiom.hard, example)


def _size(check: Check) -> tuple[bool, int]:
    """Order counter-examples: those that start where the reference does first, then by size."""
    path, reference = paths(check.world)[check.probe], check.world.reference
    return path[0] != reference[0], check.world.laps * (len(reference) + len(path))


def _example(check: Check) -> CounterExample:
    def places(path: Sequence[int]) -> tuple[Point, ...]:
        return tuple((float(x), float(y), float(z)) for x, y, z in check.world.graph.positions[list(path)])

    return CounterExample(
        check.world.name,
        check.probe,
        check.value if check.value is not None and math.isfinite(check.value) else None,
        places(check.world.reference),
        places(paths(check.world)[check.probe]),
    )


def _by_world(arena: Sequence[ProbeWorld], values: Iterable[Score]) -> tuple[dict[str, Score], ...]:
    rest = iter(values)
    return tuple({probe: next(rest) for probe in paths(world)} for world in arena)
