"""`vlnscope build fidelity`."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, NamedTuple

import typer

from vlnscope.cli.build._command import BuildRequest, losses_table
from vlnscope.cli.shared import output
from vlnscope.cli.shared.options import SeveralData
from vlnscope.cli.shared.progress import progress
from vlnscope.core.exceptions import InputError
from vlnscope.core.results import Block, Line, TextTable, notes

if TYPE_CHECKING:
    from vlnscope.benchmarks.fidelity.joins.result import Joined
    from vlnscope.benchmarks.kit.case_set import CaseSet
    from vlnscope.episodes.datasets.dataset import Dataset


class _Built(NamedTuple):
    data: str
    joined: Joined | None
    file: Path | None
    asked: CaseSet | None
    folder: Path | None


def fidelity(
    request: BuildRequest,
    *,
    data: SeveralData,
    cases: Annotated[bool, typer.Option("--cases", help="Write cases for `vlnscope run` too.")] = False,
    **options: Any,
) -> None:
    """Join paths to longer ones that are not the shortest to their goal, and ask agents to follow them.

    There are two things to build. Without `--cases`, a **data file**, such as R4R_val_unseen.json, for
    training or scoring: R4R joins pairs of paths, R6R three and R8R four in a row. R4R comes out byte for
    byte as today's official script makes it. Of R6R and R8R 10,000 paths with 9 instructions each are kept,
    drawn at random; `--max-paths 0 --max-instructions 0` keeps all.

    With `--cases`, also the **cases** that `vlnscope run --cases` asks an agent: every episode with its whole
    instruction and with parts of it, so that `vlnscope report` can say how much the language matters. Several
    data sets get a folder each in `--out`. `--variant as-is` asks about the paths as they are.

    **Examples**

    `vlnscope build fidelity --variant r4r --data r2r/val_unseen --out r4r`

    `vlnscope build fidelity --data houses/val_unseen@3 --cases --max-episodes 60 --out cases/fidelity`

    `vlnscope build fidelity --variant as-is --data r2r/val_seen --cases --ablations full,none --out
    cases/r2r`

    `vlnscope build fidelity --variant r8r --max-paths 2000 --seed 7 --data r2r/train --out r8r`

    `vlnscope build fidelity --positions house --operator '<' --data r2r/val_unseen --out r4r-2019`
    """
    out, variant = request.out, options["variant"]
    if variant == "as-is" and not cases:
        raise InputError(
            "the variant as-is joins nothing, so there is no file to write",
            expected="a variant such as r4r, or --cases",
            fix="add --cases to ask agents about the paths as they are",
        )
    joining = {name: value for name, value in options.items() if name not in ("ablations", "max_episodes")}
    asking = options if cases else None
    built: list[_Built] = []
    for name in progress(data, len(data), "data sets"):
        folder = out if len(data) == 1 else out / name.replace("/", "-")
        written = [other.file for other in built]
        built.append(_build(request, request.dataset(name), folder, joining, asking, written))
    if request.json:
        output.print_json({"files": [_data(it) for it in built]})
    else:
        output.show(*_blocks(variant, built))


def _build(
    request: BuildRequest,
    dataset: Dataset,
    folder: Path,
    joining: dict[str, Any],
    asking: dict[str, Any] | None,
    written: list[Path | None],
) -> _Built:
    from vlnscope.benchmarks.fidelity.joins.join import join_paths

    case_set = None if asking is None else request.benchmark.build_cases(dataset, **asking)
    joined = None if joining["variant"] == "as-is" else join_paths(dataset, **joining)
    file = request.out / joined.file_name if joined else None
    if file is not None and file in written:
        raise InputError(
            f"{file}: would be written twice, the second time from {dataset.name}",
            expected="data sets of different splits",
            fix="build them into different folders",
        )
    if joined and file:
        joined.save(file)
    if case_set:
        case_set.save(folder)
    return _Built(dataset.name, joined, file, case_set, folder if case_set else None)


def _data(built: _Built) -> dict[str, Any]:
    from msgspec import to_builtins

    about: dict[str, Any] = {"data": built.data}
    if built.joined:
        about |= {"file": str(built.file), "variant": built.joined.variant}
        about |= {**to_builtins(built.joined.summary()), "notes": list(built.joined.notes)}
    if built.asked:
        cases = {"folder": str(built.folder), "count": len(built.asked.cases)}
        cases |= {"max_steps": built.asked.rules.max_steps, "losses": to_builtins(built.asked.losses)}
        about["cases"] = cases
    return about


def _blocks(variant: str, built: list[_Built]) -> Iterator[Block]:
    joined = [(it.joined, it.file) for it in built if it.joined and it.file]
    if joined:
        columns = ("file", "paths", "instructions", "mean metres", "shortest", "viewpoints", "shortest")
        title = f"{variant.upper()}: {', '.join(it.data for it in built)}"
        yield TextTable(title, columns, [_joined_row(*one) for one in joined])
    for paths, file in joined:
        yield from notes(f"{file.name}: {note}" for note in paths.notes)
    for case_set, folder in ((it.asked, it.folder) for it in built if it.asked):
        cases = f"{len(case_set.cases):,} cases of {case_set.data} in {folder}"
        title = f"{cases}, {case_set.rules.max_steps} steps each"
        yield losses_table(title, case_set, ("what was kept", "of", "kept"))
        yield Line(f"next: vlnscope run AGENT --cases {folder} --out RUN")


def _joined_row(joined: Joined, path: Path) -> list[str]:
    summary = joined.summary()
    means = (summary.avg_distance, summary.avg_shortest, summary.avg_path_nodes, summary.avg_shortest_nodes)
    cells = ["" if mean is None else f"{mean:.2f}" for mean in means]
    return [str(path), f"{summary.paths:,}", f"{summary.instructions:,}", *cells]
