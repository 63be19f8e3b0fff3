"""Our numbers beside those that the authors of a file state in a summary among its records."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace

from vlnscope.core import registry
from vlnscope.episodes.stated import StatedSummary
from vlnscope.evaluate.score.result import Score
from vlnscope.metrics.metric import get_metric

SAME = 5e-5
"""Numbers that differ less, in the unit shown in tables, are the same to four decimals."""


def with_summaries(score: Score, summaries: Sequence[StatedSummary]) -> Score:
    """Return a score that says how its numbers compare with those that the file itself states."""
    if not summaries:
        return score
    said = [sentence for summary in summaries for sentence in _compared(score, summary)]
    return replace(score, notes=(*score.notes, *said))


def _compared(score: Score, summary: StatedSummary) -> Iterator[str]:
    where = summary.where.rpartition("/")[2]
    of = f" of {summary.episodes} episodes" if summary.episodes else ""
    same, other = [], []
    for name, value in summary.values.items():
        if name not in score.intervals or (ours := score.intervals[name].mean) is None:
            continue
        scale = get_metric(name).scale
        stated = value if scale == 1.0 or value > 1.0 else value * scale
        if abs(stated - ours * scale) < SAME:
            same.append(f"{name} {stated:.4f}")
        else:
            other.append(f"{name} {stated:.4f}, here {ours * scale:.4f}")
    left = f"{where} is the authors' own summary{of}, left out"
    if not same and not other:
        known = ", ".join(name for name in summary.values if registry.has("metric", name))
        yield f"{left}; it states {known or 'nothing that is measured here'}"
    if same:
        yield f"{left}; our numbers are the same to four decimals: {', '.join(same)}"
    if other:
        lead = "of it" if same else f"{left};"
        by = f" (over {score.n} episodes here)" if summary.episodes not in (None, score.n) else ""
        yield f"{lead} these differ{by}: {'; '.join(other)}"
