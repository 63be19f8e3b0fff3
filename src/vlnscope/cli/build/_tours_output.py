"""What `vlnscope build tours` says of what it built."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

from vlnscope.core.results import Block, Line, TextTable, notes

if TYPE_CHECKING:
    from vlnscope.benchmarks.kit.case_set import CaseSet
    from vlnscope.benchmarks.tours.build.exact_ordering import Proof
    from vlnscope.benchmarks.tours.build.tours import BuiltTours
    from vlnscope.benchmarks.tours.coverage.curves import CoverageCurve

SHOWN = (0, 1, 2, 3, 5, 10, 20, 50)


class Made(NamedTuple):
    """The tours of a data set with what was measured of them; empty where nothing was asked."""

    built: BuiltTours
    curves: dict[str, CoverageCurve]
    proofs: list[Proof]


def tour_data(measured: list[Made]) -> list[dict[str, Any]]:
    """Return what was built and measured, for JSON."""
    from msgspec import to_builtins

    from vlnscope.benchmarks.tours.findings.tour_rows import tour_lengths

    rows = []
    for built, curves, proofs in measured:
        row = {
            "split": built.split,
            "data": built.source.name,
            "legs": built.legs,
            **to_builtins(tour_lengths(built.tours)),
            "oracle_metres": built.oracle_distance,
            "greedy_metres": built.greedy_distance,
            "dropped_paths": [route.path_id for route in built.dropped],
        }
        if curves:
            row["coverage"] = {name: to_builtins(curve) for name, curve in curves.items()}
        if proofs:
            row["proofs"] = [
                {"scene": order.scan, "metres": proof.cost, "bound": proof.bound, "optimal": proof.optimal}
                for order, proof in zip(built.orders, proofs, strict=True)
            ]
        rows.append(row)
    return rows


def tour_blocks(path: Path, measured: list[Made]) -> Iterator[Block]:
    """Yield tables of tours, coverage and proofs."""
    columns = ["split", "scenes", "episodes", "tours", "mean", "min", "max", "sd", "oracle m", "greedy m"]
    keys = (*columns[:8], "oracle_metres", "greedy_metres")
    rows = [[_cell(row[key]) for key in keys] for row in tour_data(measured)]
    yield TextTable(str(path), columns, rows)
    for built, curves, proofs in measured:
        if built.dropped:
            yield from notes([f"{built.split}: {len(built.dropped)} paths are alone and in no tour"])
        if proofs:
            best = sum(proof.optimal for proof in proofs)
            worst = max(proof.gap for proof in proofs)
            yield Line(f"{built.split}: {best} of {len(proofs)} orders proved optimal, worst gap {worst:.4%}")
        for name, curve in curves.items():
            yield _curve_table(f"{built.split}, {name}", curve)


def case_blocks(folder: Path, case_set: CaseSet) -> Iterator[Block]:
    """Yield what cases were made."""
    tours = case_set.tours or ()
    rows = [
        [
            "reset" if forgets else "kept",
            f"{sum(tour.forgets is forgets for tour in tours):,}",
            f"{sum(len(tour.case_ids) for tour in tours if tour.forgets is forgets):,}",
        ]
        for forgets in dict.fromkeys(tour.forgets for tour in tours)
    ]
    yield Line(f"{folder}: cases of {case_set.data}", style="bold")
    yield TextTable("", ("memory", "tours", "cases"), rows)
    yield from notes(f"{loss.filter}: {loss.after:,} of {loss.before:,} kept" for loss in case_set.losses)
    yield from notes(case_set.notes)


def _curve_table(title: str, curve: CoverageCurve) -> TextTable:
    rows = [
        [str(k), str(curve.walks[k]), f"{curve.upcoming[k]:.1%}", f"{curve.complete[k]:.1%}"]
        for k in SHOWN
        if k < len(curve.walks)
    ]
    columns = ("episodes done", "walks", "next path seen", "whole region seen")
    return TextTable(f"{title}: seen before an episode", columns, rows)


def _cell(value: Any) -> str:
    return f"{value:,.1f}" if isinstance(value, float) else f"{value:,}" if isinstance(value, int) else value
