"""Figures of outcomes: how walks end, when they go wrong, and how they come nearer to the goal."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from vlnscope.benchmarks.kit.estimates import mean_of
from vlnscope.benchmarks.kit.findings import Figure, Panel, Series, interval_series
from vlnscope.benchmarks.outcomes.findings.derived_rows import ends_as, share_of
from vlnscope.benchmarks.outcomes.findings.wrong_turns import left_way
from vlnscope.benchmarks.outcomes.score.outcomes import OUTCOMES
from vlnscope.stats.interval import SIZE
from vlnscope.types import MAX_STEPS, ScoreRow

Scored = Mapping[str, Sequence[ScoreRow]]
_INTERVALS = "95 % intervals"


def outcome_figure(scored: Scored) -> Figure:
    """Return the share of each outcome, a bar per agent."""
    used = [
        name
        for name in OUTCOMES
        if any(row.groups["outcome"] == name for its in scored.values() for row in its)
    ]
    series = []
    for agent, its in scored.items():
        found = [share_of(its, ends_as(name)) for name in used]
        series.append(interval_series(agent, used, found, [OUTCOMES[name] for name in used]))
    return Figure(
        name="outcomes",
        title="How walks end",
        kind="bars",
        x="outcome",
        y="walks (%)",
        panels=(Panel(series=tuple(series)),),
        caption=f"Every walk ends in exactly one of these ways. Whiskers: {_INTERVALS}.",
    )


def wrong_turn_figure(scored: Scored) -> Figure:
    """Return after how many steps walks leave the way for good."""
    found = {agent: left_way(its) for agent, its in scored.items()}
    return Figure(
        name="wrong-turn-steps",
        title="When walks leave the way",
        kind="histogram",
        x="steps before the way is left for good",
        y="walks",
        panels=(
            Panel(
                series=tuple(
                    Series(name=agent, y=tuple(row.values["left-at"] for row in wrong))
                    for agent, wrong in found.items()
                    if wrong
                )
            ),
        ),
        caption="Walks that failed because they left the described way and never came as far on it again.",
    )


def approach_figure(scored: Scored) -> Figure:
    """Return how far from the goal agents are after each step."""
    return Figure(
        name="distance-to-goal",
        title="How walks come nearer to the goal",
        kind="lines",
        x="steps",
        y="metres to the goal",
        panels=(Panel(series=tuple(_approach(agent, its) for agent, its in scored.items() if its)),),
        caption=f"Mean over all walks; one that has ended counts where it ended. Bands: {_INTERVALS}.",
    )


def _approach(agent: str, rows: Sequence[ScoreRow]) -> Series:
    found = [mean_of(rows, f"to-goal.{k}", within=SIZE) for k in range(MAX_STEPS + 1)]
    return Series(
        name=agent,
        x=tuple(range(len(found))),
        y=tuple(one.mean for one in found),
        low=tuple(one.low for one in found),
        high=tuple(one.high for one in found),
    )
