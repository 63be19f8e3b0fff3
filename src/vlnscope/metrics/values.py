"""The result of a metric over many episodes: a number each, or the reason why there is none."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

import numpy as np

from vlnscope.types import Flags, Floats, Ints

NOT_FINITE = "the metric returned a value that is not a finite number"


@dataclass(frozen=True)
class Values:
    """One number per episode, with those episodes marked for which the metric is undefined.

    Attributes:
        values: the numbers; 0 where undefined, never NaN or infinity.
        undefined: for each reason, which episodes are undefined for it. An episode with several reasons
            keeps the first.
    """

    values: Floats
    undefined: Mapping[str, Flags] = field(default_factory=dict)

    @classmethod
    def of(cls, values: Floats, undefined: Mapping[str, Flags] | None = None) -> Values:
        """Seal raw numbers: mask the undefined ones, and any other that is not finite.

        Example:
            >>> v = Values.of(np.array([1.0, np.nan, 3.0]), {"no goal": np.array([False, False, True])})
            >>> v.values.tolist(), v.reason(1), v.reason(2)
            ([1.0, 0.0, 0.0], 'the metric returned a value that is not a finite number', 'no goal')
        """
        taken = np.zeros(values.shape, dtype=np.bool_)
        kept: dict[str, Flags] = {}
        for reason, mask in [*(undefined or {}).items(), (NOT_FINITE, ~np.isfinite(values))]:
            new = mask & ~taken
            if new.any():
                kept[reason] = kept[reason] | new if reason in kept else new
                taken |= new
        return cls(np.where(taken, 0.0, values), kept)

    @property
    def defined(self) -> Flags:
        """Which episodes have a value."""
        mask = np.ones(self.values.shape, dtype=np.bool_)
        for undefined in self.undefined.values():
            mask &= ~undefined
        return mask

    def reason(self, row: int) -> str | None:
        """Return why `row` has no value, or None if it has one."""
        return next((reason for reason, mask in self.undefined.items() if mask[row]), None)

    def excluding(self, undefined: Mapping[str, Flags]) -> Values:
        """Return the same values with more episodes undefined; the new reasons come first."""
        return Values.of(self.values, {**undefined, **self.undefined}) if undefined else self

    def take(self, rows: Ints) -> Values:
        """Return the values of some rows, in that order."""
        return Values(self.values[rows], {r: m[rows] for r, m in self.undefined.items() if m[rows].any()})

    @staticmethod
    def join(parts: Sequence[Values]) -> Values:
        """Concatenate the results of several batches."""
        reasons = dict.fromkeys(reason for part in parts for reason in part.undefined)
        return Values(
            np.concatenate([part.values for part in parts]) if parts else np.zeros(0),
            {
                reason: np.concatenate(
                    [
                        part.undefined.get(reason, np.zeros(part.values.shape, dtype=np.bool_))
                        for part in parts
                    ]
                )
                for reason in reasons
            },
        )
