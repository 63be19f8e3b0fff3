"""The desiderata table of the paper that introduced CLS (Jain et al. 2019, Table 2), computed.

The paper asserts which of five properties each of eight metrics has; here each property is an axiom that
is tried on adversarial paths, and the verdict is put beside the paper's. Where the two differ, a remark
says why.

What the paper asserts of SED and CLS is in its text; of SPL the text names the two it lacks, and its row has
three ticks. Of the other five metrics the text says nothing, and the copy that was at hand preserves how many
ticks a row has (two each), not where they stand. They are read here as the definitions suggest: all are fast
to compute (5), distances are graded (2), success within a radius does not depend on scale (4).
"""

from __future__ import annotations

from dataclasses import asdict, dataclass
from functools import lru_cache
from typing import Any, NamedTuple

from vlnscope.core.rng import rng_for
from vlnscope.metrics.lint.linter import DEFAULTS, MetricReport
from vlnscope.metrics.lint.probes import ProbeWorld, random_rooms, random_walk
from vlnscope.metrics.lint.trial import MetricTrial, Row, Space
from vlnscope.metrics.metric import Metric
from vlnscope.metrics.profiles.switches import Switches

DESIDERATA = ("path similarity", "soft penalties", "unique optimum", "scale invariance", "tractability")
AXIOM_OF = ("path similarity", "soft penalty", "uniqueness", "scale")
LENGTHS = (8, 11, 16, 23, 32, 45, 64, 91, 128, 181, 256, 362)
PAIRS = 16
PATIENCE = 5.0


class Assertion(NamedTuple):
    """What the paper asserts of a metric: the desiderata it meets, and whether its text settles them."""

    met: frozenset[int]
    in_text: bool


PAPER = {
    "TL": Assertion(frozenset({2, 5}), False),
    "NE": Assertion(frozenset({2, 5}), False),
    "ONE": Assertion(frozenset({2, 5}), False),
    "SR": Assertion(frozenset({4, 5}), False),
    "OSR": Assertion(frozenset({4, 5}), False),
    "SPL": Assertion(frozenset({2, 4, 5}), True),
    "SED": Assertion(frozenset({1, 3, 4, 5}), True),
    "CLS": Assertion(frozenset({1, 2, 3, 4, 5}), True),
}

REMARKS = {
    ("TL", 2): "the tick can only mean that TL is a sum of distances; it does not compare two paths",
    ("SPL", 2): "its length term is graded, but it is multiplied by success, which is 0 at any distance "
    "beyond the radius",
    ("CLS", 3): "coverage and length do not see the order of places: two orders of equal length tie, even "
    "if the reference is acyclic and both start alike, which the paper takes to exclude ties",
}


@dataclass(frozen=True)
class DesideratumVerdict:
    """Whether a metric meets a desideratum, as computed and as the paper asserts.

    Attributes:
        number: of the desideratum, from 1.
        met: as computed; None if it does not apply.
        asserted: by the paper; None if the metric is not in its table.
        text: the counter-example, or why it does not apply.
    """

    number: int
    met: bool | None
    asserted: bool | None
    text: str

    @property
    def differs(self) -> bool:
        """Whether the paper asserts something else; what does not apply counts as not met."""
        return self.asserted is not None and bool(self.met) is not self.asserted


@dataclass(frozen=True)
class DesiderataRow:
    """A metric's row of the table.

    Attributes:
        metric: its name.
        verdicts: one for each of `DESIDERATA`.
        growth: by how much the time multiplied when the paths doubled in length, as measured on this
            machine; None if the longest paths were out of reach.
        in_text: whether the paper's text settles what it asserts; None if it asserts nothing.
    """

    metric: str
    verdicts: tuple[DesideratumVerdict, ...]
    growth: float | None
    in_text: bool | None

    def differences(self) -> list[str]:
        """Say where the paper and the computation differ, with the counter-example and the reason."""
        sentences = []
        for verdict in (verdict for verdict in self.verdicts if verdict.differs):
            what = f"{self.metric} ({verdict.number}) {DESIDERATA[verdict.number - 1]}"
            sides = f"the paper says {'yes' if verdict.asserted else 'no'}, computed {_word(verdict.met)}"
            reasons = [text for text in (verdict.text, REMARKS.get((self.metric, verdict.number))) if text]
            sentences.append(": ".join([f"{what}: {sides}", "; ".join(reasons)]))
        return sentences

    def to_dict(self) -> dict[str, Any]:
        """Return plain data, fit for JSON."""
        verdicts = [
            {"desideratum": DESIDERATA[v.number - 1], **asdict(v), "differs": v.differs}
            for v in self.verdicts
        ]
        return {**asdict(self), "verdicts": verdicts, "differences": self.differences()}


def desiderata_row(
    metric: Metric, report: MetricReport, switches: Switches = DEFAULTS, *, space: Space = "graph"
) -> DesiderataRow:
    """Return the row of a metric from the report of checking it; only tractability is computed anew.

    Example:
        >>> from vlnscope.metrics.lint.linter import check_metric
        >>> from vlnscope.metrics.metric import get_metric
        >>> ndtw = get_metric("nDTW")
        >>> [verdict.met for verdict in desiderata_row(ndtw, check_metric(ndtw)).verdicts]
        [True, True, True, True, True]
    """
    findings = [report[axiom] for axiom in AXIOM_OF]
    met = [None if f.status == "not applicable" else f.status == "pass" for f in findings]
    texts = [f.text for f in findings]
    usable = report["contract"].status == "pass"
    growth = time_growth(metric, switches, space=space) if usable else None
    met.append(growth is not None if usable else None)
    texts.append("" if growth else f"paths of {LENGTHS[-1]} places were out of reach")
    asserted = PAPER.get(metric.name)
    verdicts = tuple(
        DesideratumVerdict(number, holds, None if asserted is None else number in asserted.met, text)
        for number, (holds, text) in enumerate(zip(met, texts, strict=True), 1)
    )
    return DesiderataRow(metric.name, verdicts, growth, asserted.in_text if asserted else None)


def _word(met: bool | None) -> str:
    return "not applicable" if met is None else "yes" if met else "no"


def time_growth(metric: Metric, switches: Switches = DEFAULTS, *, space: Space = "graph") -> float | None:
    """Return by how much the time multiplies when both paths double in length; 4 is quadratic.

    Paths get longer step by step up to `LENGTHS`' last, so that a metric whose time explodes is found out
    while it is still quick: None if the next step would take longer than `PATIENCE` seconds. The number
    is a measurement, so it differs a little from run to run; whether there is one does not.
    """
    trial = MetricTrial(metric, switches, space)
    before = trial.seconds(_long_walks(LENGTHS[0]))
    for length in LENGTHS[1:-1]:
        now = trial.seconds(_long_walks(length))
        if now > PATIENCE / 20 and now * now / before > PATIENCE:
            return None
        before = now
    half, whole = (trial.seconds(_long_walks(length), repeats=5) for length in (LENGTHS[-3], LENGTHS[-1]))
    return whole / half


@lru_cache(maxsize=len(LENGTHS))
def _long_walks(length: int) -> list[Row]:
    rng = rng_for(0, "check-metric", "long walks", length)
    rooms = random_rooms(0, 32, 27.0)
    return [
        (ProbeWorld(rooms.name, rooms.graph, random_walk(rooms.graph, 0, length - 1, rng), {}), walk)
        for walk in (random_walk(rooms.graph, 0, length - 1, rng) for _ in range(PAIRS))
    ]
