"""Effects of interventions by the statistics of the paper, beside ours.

Yang, Majumdar and Lee (2023) give intervals by a hierarchical bootstrap and test effects by linear mixed
models; their code fits three of them with lmer:

    m1: y ~ x + (1 | scan:path:step)
    m2: y ~ x + (1 | scan:path:step) + (x | scan)
    m3: y ~ x + (x | scan:path) + (1 | scan:path)

x says whether the words of the intervention were there. m1 takes all questions as independent, and so finds
effects that only some scenes have; m2 lets the effect differ between scenes, m3 between paths. The second
intercept of m3 cannot be told from the first, and is left out: fixed effects and tests are the same. Their
bootstrap draws scenes and keeps all of their paths, although the method they cite draws paths as well; both
are here.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import NamedTuple

import numpy as np

from vlnscope.benchmarks.behavior.findings.effects import MixedEffect, effect_of
from vlnscope.benchmarks.kit.estimates import nesting_of
from vlnscope.benchmarks.kit.findings import Cell, scaled
from vlnscope.stats.bootstrap import Bootstrap, bootstrap_intervals
from vlnscope.stats.columns import Sample
from vlnscope.types import ScoreRow

BOOTSTRAPS: Mapping[str, tuple[bool, ...]] = {"scenes": (True, False), "scenes and paths": (True, True)}
"""What the two bootstraps draw with replacement: as released, and as the cited method says."""


class PaperModel(NamedTuple):
    """One of the three models.

    Attributes:
        name: what the released code calls it.
        levels: units with random intercepts, outermost first; ``step`` is a truncated path.
        slopes: levels between whose units the effect differs.
    """

    name: str
    levels: tuple[str, ...]
    slopes: tuple[str, ...] = ()


MODELS = (
    PaperModel("m1", ("step",)),
    PaperModel("m2", ("scan", "step"), ("scan",)),
    PaperModel("m3", ("path",), ("path",)),
)


def model_effect(rows: Sequence[ScoreRow], metric: str, base: str, model: PaperModel) -> MixedEffect:
    """Return the effect of ``metric`` against ``base`` by one of the paper's models."""
    both = [row for row in rows if metric in row.values and base in row.values]
    units = {
        "scan": [row.scan for row in both],
        "path": [f"{row.scan} {row.path_id}" for row in both],
        "step": [f"{row.scan} {row.path_id} {row.groups.get('path_length', '')}" for row in both],
    }
    groups = {level: units[level] for level in model.levels}
    return effect_of(both, metric, base, groups, {level: ["x"] for level in model.slopes})


def bootstrap_bounds(
    rows: Sequence[ScoreRow], metric: str, base: str, draws: tuple[bool, ...]
) -> tuple[float | None, float | None]:
    """Return the percentile interval of an effect by a hierarchical bootstrap; nothing without two scenes."""
    both = [row for row in rows if metric in row.values and base in row.values]
    if len({row.scan for row in both}) < 2:
        return None, None
    effects = np.array([row.values[metric] - row.values[base] for row in both])
    sample = Sample(effects, np.ones(effects.size, dtype=np.bool_))
    interval = bootstrap_intervals({"effect": sample}, nesting_of(both), Bootstrap(replace=draws))["effect"]
    return interval.low, interval.high


def paper_cells(rows: Sequence[ScoreRow], metric: str, base: str, scale: float) -> Iterator[Cell]:
    """Yield the cells of an effect: both bootstraps, then effect, error and p of each model."""
    for draws in BOOTSTRAPS.values():
        yield from (scaled(bound, scale) for bound in bootstrap_bounds(rows, metric, base, draws))
    for model in MODELS:
        effect = model_effect(rows, metric, base, model)
        yield from (scaled(effect.effect, scale), scaled(effect.error, scale), effect.p_value)
