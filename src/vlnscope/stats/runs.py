"""Several runs of one agent: training seeds, or repetitions of an agent that draws its actions.

What an agent is worth is the mean over its runs, episode by episode. The best run is a maximum, which grows
with the number of runs even if they are all equal; it is only told beside all other runs.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
from scipy import integrate, stats

from vlnscope.core.exceptions import InputError
from vlnscope.stats.columns import Column, Sample, check_column
from vlnscope.stats.nesting import Nesting


class Spread(NamedTuple):
    """How runs differ.

    Attributes:
        mean: mean of the runs' means.
        deviation: standard deviation between runs; None for a single run.
        error: standard error of the mean that comes from having so few runs; None for a single run.
        low: the lowest mean of a run.
        high: the highest.
    """

    mean: float
    deviation: float | None
    error: float | None
    low: float
    high: float


class BestRun(NamedTuple):
    """The best of all runs, which is no estimate of what the agent is worth.

    Attributes:
        run: its name.
        value: its mean.
        mean: the mean of all runs.
        runs: how many there were.
        luck: by how much the best of so many equal runs beats their mean on average.
    """

    run: str
    value: float
    mean: float
    runs: int
    luck: float


@dataclass(frozen=True, eq=False)
class Runs:
    """The runs of one agent that are at hand, and how many were made.

    Attributes:
        agent: name of the agent.
        columns: one column per run, over the same rows.
        made: how many runs were made in all, shown or not.
    """

    agent: str
    columns: dict[str, Sample]
    made: int

    @classmethod
    def of(cls, agent: str, columns: Mapping[str, Column], nesting: Nesting, *, made: int) -> Runs:
        """Collect runs over the same rows.

        Raises:
            InputError: there is no run, there are more than were made, they have no row in common that is
                defined, or one does not fit the rows.

        Example:
            >>> nesting = Nesting.of({"scene": list("AABB")})
            >>> first = Sample(np.array([1.0, 0.0, 1.0, 1.0]), np.ones(4, dtype=np.bool_))
            >>> second = Sample(np.array([1.0, 0.0, 0.0, 1.0]), np.ones(4, dtype=np.bool_))
            >>> runs = Runs.of("mine", {"seed 0": first, "seed 1": second}, nesting, made=2)
            >>> runs.mean_column().values.tolist(), runs.spread().mean
            ([1.0, 0.0, 0.5, 1.0], 0.625)
            >>> runs.best().run, round(runs.best().luck, 3)
            ('seed 0', 0.1)
        """
        if not 1 <= len(columns) <= made:
            raise InputError(
                f"{agent}: {len(columns)} runs of {made} that were made",
                expected="at least one run, and no more than were made",
                fix="say how many runs were made in all",
            )
        checked = {name: check_column(f"{agent}, {name}", c, nesting) for name, c in columns.items()}
        if not np.logical_and.reduce([column.defined for column in checked.values()]).any():
            raise InputError(
                f"{agent}: no row is defined in all {len(columns)} runs",
                expected="runs over the same episodes",
                fix="score all runs on the same split",
            )
        return cls(agent, checked, made)

    def mean_column(self) -> Sample:
        """Return the mean over runs of each row; a row counts if it is defined in all of them."""
        defined = np.logical_and.reduce([column.defined for column in self.columns.values()])
        values = np.mean([column.values for column in self.columns.values()], axis=0)
        return Sample(np.where(defined, values, 0.0), defined)

    def means(self) -> dict[str, float]:
        """Return the mean of each run over the rows that all runs have."""
        defined = self.mean_column().defined
        return {name: float(column.values[defined].mean()) for name, column in self.columns.items()}

    def spread(self) -> Spread:
        """Say how the runs differ."""
        means = list(self.means().values())
        deviation = float(np.std(means, ddof=1)) if len(means) > 1 else None
        error = None if deviation is None else deviation / math.sqrt(len(means))
        return Spread(float(np.mean(means)), deviation, error, min(means), max(means))

    def best(self, *, higher_is_better: bool = True) -> BestRun:
        """Return the best run, beside what the best of so many would be by luck alone.

        Raises:
            InputError: not all runs that were made are given, or there was only one.
        """
        if len(self.columns) < max(self.made, 2):
            raise InputError(
                f"{self.agent}: the best of {self.made} runs, of which {len(self.columns)} are given",
                expected="all runs that were made, two or more: a maximum means nothing without the others",
                fix="give all of them, or report the mean of the runs",
            )
        means, spread = self.means(), self.spread()
        pick = max if higher_is_better else min
        run = pick(means, key=lambda name: means[name])
        luck = expected_maximum(len(means)) * (spread.deviation or 0.0)
        return BestRun(run, means[run], spread.mean, len(means), luck if higher_is_better else -luck)


def expected_maximum(count: int) -> float:
    """Return the expected maximum of so many independent standard normal numbers.

    Example:
        >>> round(expected_maximum(1), 6), round(expected_maximum(2), 6), round(expected_maximum(5), 4)
        (0.0, 0.56419, 1.163)
    """

    def density(z: float) -> float:
        return count * z * float(stats.norm.pdf(z)) * float(stats.norm.cdf(z)) ** (count - 1)

    return float(integrate.quad(density, -10, 10)[0])
