"""Rows made of rows: the steps of chains, and what single steps promise for the whole chain."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence

from msgspec.structs import replace

from vlnscope.benchmarks.kit.estimates import grouped, plain_mean, select
from vlnscope.types import ScoreRow

INDEPENDENT, ALL_ALONE = "independent", "all-alone"
"""Values of the row of a chain: what its steps promise by their kinds, and whether each was done alone."""


def chain_rows(rows: Sequence[ScoreRow]) -> list[ScoreRow]:
    """Return the rows of chains; where their steps were asked alone, with what these promise.

    The rates of kinds are means over all steps that were asked alone, those of the chain among them.
    """
    alone = _alone_by_chain(rows)
    rates = kind_rates(rows)
    made = []
    for row in select(rows, variant="chain"):
        steps = alone.get(row.groups["pair"], {})
        if len(steps) == int(row.groups["length"]):
            promised = {
                INDEPENDENT: math.prod(rates[step.groups["kind"]] for step in steps.values()),
                ALL_ALONE: math.prod(step.values["SR"] for step in steps.values()),
            }
            row = replace(row, values={**row.values, **promised})
        made.append(row)
    return made


def kind_rates(rows: Sequence[ScoreRow]) -> dict[str, float]:
    """Return the success rate of each kind of step that was asked alone."""
    by_kind = grouped(select(rows, variant="alone"), "kind")
    return {kind: plain_mean(members, "SR") or 0.0 for (kind,), members in by_kind.items()}


def step_rows(rows: Sequence[ScoreRow]) -> list[ScoreRow]:
    """Return a row for each step that was begun in a chain: ``SR`` says whether it was carried out.

    ``alone`` says whether the same step was done when it was asked alone, if it was.
    """
    alone = _alone_by_chain(rows)
    made = []
    for row in select(rows, variant="chain"):
        kinds = row.groups["kinds"].split("; ")
        for place, kind in enumerate(kinds[: int(row.values["steps"]) + 1], 1):
            values = {"SR": float(place <= row.values["steps"])}
            step = alone.get(row.groups["pair"], {}).get(str(place))
            if step is not None:
                values["alone"] = step.values["SR"]
            groups = {"place": str(place), "kind": kind, "length": row.groups["length"]}
            made.append(
                replace(
                    row, episode_id=f"{row.episode_id}-{place}", values=values, undefined={}, groups=groups
                )
            )
    return made


def _alone_by_chain(rows: Sequence[ScoreRow]) -> Mapping[str, dict[str, ScoreRow]]:
    """Return the steps that were asked alone, by chain and place."""
    by_chain: dict[str, dict[str, ScoreRow]] = {}
    for row in select(rows, variant="alone"):
        by_chain.setdefault(row.groups["pair"], {})[row.groups["place"]] = row
    return by_chain
