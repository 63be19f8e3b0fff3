"""How much the language matters: the same episodes with the whole instruction and with parts of it."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any, NamedTuple

from vlnscope.benchmarks.fidelity.build.ablations import ABLATIONS, FULL
from vlnscope.benchmarks.kit.abilities import HALF
from vlnscope.benchmarks.kit.declarations import declarations
from vlnscope.benchmarks.kit.estimates import difference_of, partners
from vlnscope.benchmarks.kit.findings import (
    Figure,
    Series,
    Statement,
    Table,
    difference_cells,
    interval_series,
)
from vlnscope.stats.paired import PairedDifference
from vlnscope.types import ScoreRow

METRICS = ("SR", "SPL", "CLS", "nDTW", "sDTW")
HEADLINE = "CLS"
TOLD = {
    "last-five": "only the last five tokens",
    "none": "no instruction",
    "other": "the instruction of another path",
    "shuffled": "the sub-instructions in another order",
}
_WEIGHTS = {"none": 0.9, "other": 0.8, "last-five": 0.75, "shuffled": 0.7}
_METRIC_WEIGHTS = {"CLS": 1.0, "nDTW": 0.9, "SR": 0.8, "sDTW": 0.7, "SPL": 0.6}
_SHOWN = 3
_declared = declarations(__package__)


class LanguageEffect(NamedTuple):
    """What an ablation costs an agent.

    Attributes:
        ablation: which.
        metric: in which metric.
        difference: full − ablated, over pairs of cases.
        examples: the cases with the whole instruction that lose most.
    """

    ablation: str
    metric: str
    difference: PairedDifference
    examples: tuple[str, ...]

    @property
    def unchanged(self) -> bool:
        """Whether no pair differs at all."""
        return self.difference.ties == self.difference.n


def language_effects(variants: Mapping[str, Sequence[ScoreRow]]) -> Iterator[LanguageEffect]:
    """Compare the whole instruction with every ablation of which there are pairs, metric by metric."""
    for ablation in ABLATIONS[1:]:
        left, right = partners(variants.get(FULL, []), variants.get(ablation, []))
        for metric in METRICS if left else ():
            difference = difference_of(left, right, metric)
            yield LanguageEffect(ablation, metric, difference, _examples(left, right, metric))


def _examples(left: Sequence[ScoreRow], right: Sequence[ScoreRow], metric: str) -> tuple[str, ...]:
    losses = [
        (b.values[metric] - a.values[metric], a.episode_id)
        for a, b in zip(left, right, strict=True)
        if metric in a.values and metric in b.values
    ]
    return tuple(case_id for change, case_id in sorted(losses)[:_SHOWN] if change < 0)


def language_statement(agent: str, effect: LanguageEffect) -> Statement:
    """Put an effect into words, as ``language.CLS.none`` and so on.

    That nothing changed at all need not be said for every metric.
    """
    ablation, metric, difference, examples = effect
    name = "language-unchanged" if effect.unchanged else "language"
    repeats = effect.unchanged and metric != HEADLINE
    weight = _WEIGHTS[ablation] * _METRIC_WEIGHTS[metric] * (0.2 if repeats else 1.0)
    words = {"metric": metric, "ablation": ablation, "told": TOLD[ablation]}
    return _declared.statement(
        name, agent, difference, words, weight=weight, episodes=examples, **_reading(effect)
    )


def _reading(effect: LanguageEffect) -> dict[str, Any]:
    """Return what an effect says of reading; who does not read does as well without words."""
    whole = effect.difference.mean_a
    if effect.metric != HEADLINE or effect.ablation not in ("none", "other") or not whole:
        return {}
    return {"topic": "reading", "worst": 0.0, "best": 100.0 * HALF * whole}


def language_table(effects: Mapping[str, Sequence[LanguageEffect]]) -> Table:
    """Return all effects: what was reached with the whole instruction and without, and the difference."""
    rows = (
        (agent, ablation, metric, *difference_cells(difference), difference.p, difference.n)
        for agent, of_agent in effects.items()
        for ablation, metric, difference, _ in of_agent
    )
    return _declared.table("language", rows)


def language_figure(effects: Mapping[str, Sequence[LanguageEffect]]) -> Figure:
    """Return the differences as bars: a panel per metric, a series per agent."""
    panels: dict[str, list[Series]] = {metric: [] for metric in METRICS}
    for agent, of_agent in effects.items():
        for metric, series in panels.items():
            some = {one.ablation: one.difference for one in of_agent if one.metric == metric}
            series.append(interval_series(agent, some, list(some.values())))
    return _declared.figure("language", panels)
