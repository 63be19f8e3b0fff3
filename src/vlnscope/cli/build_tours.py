"""`vlnscope build tours`."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from vlnscope.cli import output
from vlnscope.cli.build_options import Data, Json, Out, Positions, Root, Seed
from vlnscope.cli.progress import progress
from vlnscope.exceptions import UnknownNameError

if TYPE_CHECKING:
    from rich.table import Table

    from vlnscope.benchmarks.tours.build import BuiltTours
    from vlnscope.benchmarks.tours.coverage import CoverageCurve
    from vlnscope.benchmarks.tours.ordering_exact import Proof

EPILOG = """
Tours of all data sets stand in one file, tours_iVLN.json, by split and scene, as IVLN has it; `score --tours`
reads it.

**Examples**

`vlnscope build tours --data r2r/val_unseen --out tours`

`vlnscope build tours --data r2r/train --data r2r/val_seen --data r2r/val_unseen --out tours`

`vlnscope build tours --legs start-to-start --data r2r/test --out tours`

`vlnscope build tours --data r2r/val_unseen --coverage viewpoints --prove --out tours`
"""
SHOWN = (0, 1, 2, 5, 10, 20, 50)


def tours(
    data: Data,
    out: Out,
    root: Root = None,
    positions: Positions = "connectivity",
    legs: Annotated[
        str, typer.Option(help="What to keep short: end-to-start, or start-to-start as for test splits.")
    ] = "end-to-start",
    coverage: Annotated[
        str | None, typer.Option(help="Measure what is seen before each episode: viewpoints or floor.")
    ] = None,
    reach: Annotated[float, typer.Option(min=0, help="Metres that can be seen, for --coverage.")] = 10.0,
    prove: Annotated[bool, typer.Option("--prove", help="Compare with an exact solver (ortools).")] = False,
    seconds: Annotated[float, typer.Option(min=1, help="Time per tour of the exact solver.")] = 60.0,
    seed: Seed = 0,
    json: Json = False,
) -> None:
    """Order the paths of each scene to tours, in which an agent keeps its memory."""
    from vlnscope.benchmarks.tours.build import FILE_NAME, build_tours, save_tours
    from vlnscope.episodes.datasets import open_dataset

    opened = [open_dataset(name, root, positions=positions) for name in data]
    work = progress(opened, len(opened), "data sets")
    made = [build_tours(dataset, legs=legs, seed=seed) for dataset in work]
    curves = [_coverage(built, coverage, reach) for built in made] if coverage else []
    proofs = [_proofs(built, seconds) for built in made] if prove else []
    path = save_tours(out / FILE_NAME, made)
    if json:
        output.print_json({"file": str(path), "splits": _tour_data(made, curves, proofs)})
    else:
        _show_tours(path, made, curves, proofs)


def _coverage(built: BuiltTours, what: str, reach: float) -> CoverageCurve:
    from vlnscope.benchmarks.tours.coverage import coverage_curve, tour_walks
    from vlnscope.benchmarks.tours.sight import floor_in_sight, viewpoints_in_reach

    looks = {"viewpoints": viewpoints_in_reach, "floor": floor_in_sight}
    if what not in looks:
        raise UnknownNameError("kind of coverage", what, looks)
    scenes = built.source.scenes
    assert scenes is not None  # tours can only be built on graphs
    return coverage_curve(tour_walks(built), looks[what](scenes, reach))


def _proofs(built: BuiltTours, seconds: float) -> list[Proof]:
    from vlnscope.benchmarks.tours.ordering_exact import prove_tours

    proved = prove_tours(built, seconds=seconds)
    return [proof for _, proof in progress(proved, len(built.orders), "proofs")]


def _tour_data(
    made: list[BuiltTours], curves: list[CoverageCurve], proofs: list[list[Proof]]
) -> list[dict[str, Any]]:
    from msgspec import to_builtins

    from vlnscope.benchmarks.tours.lengths import tour_lengths

    found = []
    for k, built in enumerate(made):
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
            row["coverage"] = to_builtins(curves[k])
        if proofs:
            row["proofs"] = [
                {"scene": order.scan, "metres": proof.cost, "bound": proof.bound, "optimal": proof.optimal}
                for order, proof in zip(built.orders, proofs[k], strict=True)
            ]
        found.append(row)
    return found


def _show_tours(
    path: Path, made: list[BuiltTours], curves: list[CoverageCurve], proofs: list[list[Proof]]
) -> None:
    columns = ["split", "scenes", "episodes", "tours", "mean", "min", "max", "sd", "oracle m", "greedy m"]
    keys = ("split", "scenes", "episodes", "tours", "mean", "min", "max", "sd", "oracle_metres")
    rows = [[_cell(row[key]) for key in (*keys, "greedy_metres")] for row in _tour_data(made, curves, proofs)]
    screen = output.console()
    screen.print(output.table(output.plain(str(path)), columns, rows))
    for k, built in enumerate(made):
        if built.dropped:
            screen.print(f"[dim]{built.split}: {len(built.dropped)} paths are alone and in no tour[/]")
        if proofs:
            best = sum(proof.optimal for proof in proofs[k])
            worst = max(proof.gap for proof in proofs[k])
            screen.print(
                f"{built.split}: {best} of {len(proofs[k])} orders proved optimal, worst gap {worst:.4%}"
            )
        if curves:
            screen.print(_curve_table(built.split, curves[k]))


def _curve_table(split: str, curve: CoverageCurve) -> Table:
    rows = [
        [str(k), str(curve.walks[k]), f"{curve.upcoming[k]:.1%}", f"{curve.complete[k]:.1%}"]
        for k in SHOWN
        if k < len(curve.walks)
    ]
    columns = ["episodes done", "tours", "next path seen", "whole tour seen"]
    return output.table(f"{split}: seen before an episode", columns, rows)


def _cell(value: Any) -> str:
    return f"{value:,.1f}" if isinstance(value, float) else f"{value:,}" if isinstance(value, int) else value
