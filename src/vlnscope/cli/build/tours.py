"""`vlnscope build tours`."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from vlnscope.cli.build._command import BuildRequest
from vlnscope.cli.build._tours_files import Seeing, refuse_mixture, save_coverage, save_tour_files
from vlnscope.cli.build._tours_output import Made, case_blocks, tour_blocks, tour_data
from vlnscope.cli.shared import output
from vlnscope.cli.shared.options import SeveralData, Split
from vlnscope.cli.shared.progress import progress
from vlnscope.core.exceptions import InputError, UnknownNameError

if TYPE_CHECKING:
    from vlnscope.benchmarks.kit.case_set import CaseSet
    from vlnscope.benchmarks.tours.build.exact_ordering import Proof
    from vlnscope.benchmarks.tours.build.tours import BuiltTours
    from vlnscope.benchmarks.tours.coverage.curves import CoverageCurve
    from vlnscope.episodes.datasets.dataset import Dataset


def tours(
    request: BuildRequest,
    *,
    data: SeveralData,
    cases: Annotated[bool, typer.Option("--cases", help="Write the cases of the benchmark too.")] = False,
    tours_file: Annotated[
        Path | None, typer.Option("--tours", help="Take the tours of this file, for --cases.")
    ] = None,
    split: Split = None,
    coverage: Annotated[
        str | None,
        typer.Option(
            help="Measure what is seen before each episode: viewpoints, floor; in space, observed or mapped."
        ),
    ] = None,
    reach: Annotated[float, typer.Option(min=0, help="Metres that can be seen, for --coverage.")] = 10.0,
    joined: Annotated[
        list[str] | None, typer.Option(help="Measure r4r, r6r or r8r beside the tours; may be repeated.")
    ] = None,
    prove: Annotated[bool, typer.Option("--prove", help="Compare with an exact solver (ortools).")] = False,
    seconds: Annotated[float, typer.Option(min=1, help="Time per tour of the exact solver.")] = 60.0,
    **options: Any,
) -> None:
    """Order the paths of each scene to tours, in which an agent keeps its memory.

    Tours of all data sets stand in one file, tours_iVLN.json, by split and scene, as IVLN has it; `score
    --tours` and `run --tours` read it. In continuous space the file is called tours.json, as in IVLN-CE, and
    gt_ndtw.json beside it says where an expert goes on each tour, for `score LOG --data gt_ndtw.json`.

    With `--cases` the folder also gets the cases of the benchmark, for `run --cases`: every tour twice, once
    with the agent's memory kept and once with it reset before each episode.

    **Examples**

    `vlnscope build tours --data r2r/val_unseen --out tours`

    `vlnscope build tours --data houses-terse/train@30 --cases --max-tours 1 --max-steps 25 --out tours`

    `vlnscope build tours --data r2r/train --data r2r/val_seen --data r2r/val_unseen --out tours`

    `vlnscope build tours --data r2r/val_unseen --tours tours_iVLN.json --cases --out released`

    `vlnscope build tours --legs start-to-start --data r2r/test --out tours`

    `vlnscope build tours --legs start-to-start --oracle starts --data r2r/val_unseen --cases --out tours`

    `vlnscope build tours --data r2r/val_unseen --coverage viewpoints --joined r8r --prove --out tours`

    `vlnscope build tours --data houses-ce/val_unseen@2 --coverage observed --joined r8r --out tours`
    """
    from vlnscope.benchmarks.tours.build.tours import build_tours

    out, legs, seed = request.out, options["legs"], options["seed"]
    seeing = Seeing(coverage, reach, tuple(joined or ()), seed) if coverage else None
    _check(data, tours_file, seeing, wants_cases=cases or tours_file is not None, joined=joined)
    opened = [request.dataset(name) for name in data]
    refuse_mixture(opened)
    case_set = (
        _cases(request, opened[0], tours_file, split, options) if cases or tours_file is not None else None
    )
    measured: list[Made] = []
    if tours_file is None:
        for dataset in progress(opened, len(opened), "data sets"):
            built = build_tours(dataset, legs=legs, seed=seed)
            curves = _coverage(built, seeing) if seeing else {}
            measured.append(Made(built, curves, _proofs(built, seconds) if prove else []))
    written = save_tour_files(out, [one.built for one in measured], options["oracle"]) if measured else []
    if seeing:
        written.append(save_coverage(out, measured, seeing))
    if case_set is not None:
        written.append(case_set.save(out))
    if request.json:
        about = {
            "file": str(written[0]),
            "written": [str(path) for path in written],
            "splits": tour_data(measured),
        }
        output.print_json(about | ({"cases": _summary(case_set)} if case_set is not None else {}))
        return
    if measured:
        output.show(*tour_blocks(written[0], measured))
    if case_set is not None:
        output.show(*case_blocks(out, case_set))


def _check(
    data: list[str],
    tours_file: Path | None,
    seeing: Seeing | None,
    *,
    wants_cases: bool,
    joined: list[str] | None,
) -> None:
    from vlnscope.benchmarks.fidelity.joins.join import VARIANTS
    from vlnscope.benchmarks.tours.coverage.kinds import coverage_kind

    if seeing is not None:
        coverage_kind(seeing.what)
    for name in joined or ():
        if name not in VARIANTS:
            raise UnknownNameError("kind of joined paths", name, VARIANTS)
    if wants_cases and len(data) > 1:
        raise InputError(
            f"cases of {len(data)} data sets",
            expected="a folder of cases for each",
            fix="build them one by one",
        )
    if tours_file is not None and seeing is not None:
        raise InputError(
            "coverage is measured of tours that are built here",
            expected="--coverage without --tours",
            fix="leave one of them out",
        )
    if joined and seeing is None:
        raise InputError(
            "joined paths are measured beside the coverage of tours",
            expected="--joined with --coverage",
            fix="add --coverage viewpoints",
        )


def _cases(
    request: BuildRequest,
    dataset: Dataset,
    tours_file: Path | None,
    split: str | None,
    options: dict[str, Any],
) -> CaseSet:
    from vlnscope.episodes.reading import read_tours

    tours = None if tours_file is None else read_tours(tours_file, split=split)
    return request.benchmark.build_cases(dataset, tours=tours, **options)


def _coverage(built: BuiltTours, seeing: Seeing) -> dict[str, CoverageCurve]:
    from vlnscope.benchmarks.fidelity.joins.join import join_paths
    from vlnscope.benchmarks.tours.coverage.curves import coverage_curves
    from vlnscope.benchmarks.tours.coverage.kinds import coverage_kind

    look = coverage_kind(seeing.what).look(built.source, seeing.reach)
    others = [join_paths(built.source, name, seed=seeing.seed) for name in dict.fromkeys(seeing.joined)]
    return coverage_curves(built, look, others)


def _proofs(built: BuiltTours, seconds: float) -> list[Proof]:
    from vlnscope.benchmarks.tours.build.exact_ordering import prove_tours

    proved = prove_tours(built, seconds=seconds)
    return [proof for _, proof in progress(proved, len(built.orders), "proofs")]


def _summary(case_set: CaseSet) -> dict[str, Any]:
    from msgspec import to_builtins

    return {
        "data": case_set.data,
        "cases": len(case_set.cases),
        "tours": len(case_set.tours or ()),
        "rules": to_builtins(case_set.rules),
        "options": case_set.options,
        "losses": to_builtins(case_set.losses),
        "notes": list(case_set.notes),
    }
