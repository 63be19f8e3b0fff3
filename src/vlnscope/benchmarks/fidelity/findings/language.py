"""How much the language matters: the same episodes with the whole instruction and with parts of it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

from vlnscope.benchmarks.fidelity.build.ablations import ABLATIONS, FULL
from vlnscope.benchmarks.kit.abilities import HALF
from vlnscope.benchmarks.kit.estimates import difference_of, partners
from vlnscope.benchmarks.kit.findings import (
    Figure,
    Panel,
    Series,
    Statement,
    Table,
    Wording,
    interval_series,
    percent,
    statement,
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


def language_effects(variants: Mapping[str, Sequence[ScoreRow]]) -> list[LanguageEffect]:
    """Compare the whole instruction with every ablation of which there are pairs, metric by metric."""
    full = variants.get(FULL, [])
    found: list[LanguageEffect] = []
    for ablation in ABLATIONS[1:]:
        left, right = partners(full, variants.get(ablation, []))
        if not left:
            continue
        for metric in METRICS:
            difference = difference_of(left, right, metric)
            examples = _examples(left, right, metric)
            found.append(LanguageEffect(ablation, metric, difference, examples))
    return found


def _examples(left: Sequence[ScoreRow], right: Sequence[ScoreRow], metric: str) -> tuple[str, ...]:
    losses = [
        (a.values[metric] - b.values[metric], a.episode_id)
        for a, b in zip(left, right, strict=True)
        if metric in a.values and metric in b.values
    ]
    worst = sorted(losses, key=lambda pair: (-pair[0], pair[1]))[:_SHOWN]
    return tuple(case_id for loss, case_id in worst if loss > 0)


def language_statements(agent: str, effects: Sequence[LanguageEffect]) -> list[Statement]:
    """Put effects into statements, ``language.CLS.none`` and so on."""
    return [
        statement(
            f"language.{effect.metric}.{effect.ablation}",
            agent,
            effect.difference,
            _wording(effect),
            weight=_weight(effect),
            episodes=effect.examples,
            metric=effect.metric,
            **_reading(effect),
        )
        for effect in effects
    ]


def _reading(effect: LanguageEffect) -> dict[str, Any]:
    """Return what an effect says of reading; who does not read does as well without words."""
    whole = effect.difference.mean_a
    if effect.metric != HEADLINE or effect.ablation not in ("none", "other") or not whole:
        return {}
    return {"topic": "reading", "worst": 0.0, "best": 100.0 * HALF * whole}


def _weight(effect: LanguageEffect) -> float:
    """Return how much an effect matters; that nothing changed at all need not be said for every metric."""
    repeats = effect.unchanged and effect.metric != HEADLINE
    return _WEIGHTS[effect.ablation] * _METRIC_WEIGHTS[effect.metric] * (0.2 if repeats else 1.0)


def _wording(effect: LanguageEffect) -> Wording:
    told, metric = TOLD[effect.ablation], effect.metric
    return Wording(
        above=f"needs its instructions: with {told} it loses {{value}} of {metric}",
        below=f"does better with {told} than with the whole instruction: {metric} changes by {{value}}",
        unclear=f"does exactly the same with {told}: {metric} changes by {{value}} in all {{n}} pairs"
        if effect.unchanged
        else f"cannot be said to lose {metric} with {told}: {{value}} over {{n}} pairs",
    )


def language_table(effects: Mapping[str, Sequence[LanguageEffect]]) -> Table:
    """Return all effects: what was reached with the whole instruction and without, and the difference."""
    columns = ("agent", "instruction", "metric", "full", "ablated", "difference", "low", "high", "p", "pairs")
    rows = [
        (
            agent,
            effect.ablation,
            effect.metric,
            *(percent(number) for number in _numbers(effect.difference)),
            effect.difference.p,
            effect.difference.n,
        )
        for agent, its in effects.items()
        for effect in its
    ]
    return Table(
        name="language",
        title="How much the language matters (percent, and points of difference)",
        columns=columns,
        rows=tuple(rows),
        notes=("difference: full − ablated, over pairs of cases; p: not corrected for many tests",),
        source="Jain et al. 2019, Tables 3 and 4, ablations",
    )


def language_figure(effects: Mapping[str, Sequence[LanguageEffect]]) -> Figure:
    """Return the differences as bars: a panel per metric, a series per agent."""
    panels = tuple(
        Panel(
            title=metric,
            series=tuple(
                _series(agent, [effect for effect in its if effect.metric == metric])
                for agent, its in effects.items()
            ),
        )
        for metric in METRICS
    )
    return Figure(
        name="language",
        title="What is lost without the whole instruction",
        kind="bars",
        x="what the agent was told instead",
        y="full − ablated (points)",
        panels=panels,
        caption="Mean differences over pairs of cases, with 95 % intervals; 0: it does not matter.",
    )


def _series(agent: str, effects: Sequence[LanguageEffect]) -> Series:
    return interval_series(
        agent, [effect.ablation for effect in effects], [effect.difference for effect in effects]
    )


def _numbers(found: PairedDifference) -> tuple[float | None, ...]:
    return found.mean_a, found.mean_b, found.mean, found.low, found.high
