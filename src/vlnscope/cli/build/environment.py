"""`vlnscope build environment`."""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING, Annotated, Any

import typer

from vlnscope.cli.build._command import BuildRequest, print_cases
from vlnscope.cli.shared.options import Json, Out, Seed, Workers, one_of

if TYPE_CHECKING:
    from vlnscope.benchmarks.behavior.environment.edits import Change


def environment(
    data: Annotated[str, typer.Option(help="Episodes in built-in houses, such as houses/val_unseen@3.")],
    out: Out,
    change: Annotated[
        list[str] | None, typer.Option(help="What is done to the houses; may be repeated; all if not given.")
    ] = None,
    paths: Annotated[int, typer.Option(min=1, help="Paths of each house that are asked.")] = 4,
    led: Annotated[
        bool,
        typer.Option(
            "--led/--free",
            help="Lead agents to where the words name what is changed, or let them walk there.",
        ),
    ] = True,
    workers: Workers = 1,
    seed: Seed = 0,
    json: Json = False,
) -> None:
    """Change what instructions name in houses, or something else: the same words, another world.

    Each path is asked in the house as it was, in a copy in which what the instructions name was changed, and
    in one in which other things were: `vlnscope report` compares the three, by the next step where the words
    first name what is changed, and by success. A house takes three to four seconds.

    **Examples**

    `vlnscope build environment --data houses/val_unseen@3 --workers 2 --out cases`

    `vlnscope build environment --data houses/val_unseen@8 --change removed --change relabelled --out cases`

    `vlnscope build environment --data houses/val_unseen@100 --workers 2 --out cases`
    """
    from vlnscope.benchmarks.behavior.environment.build import build_environment_cases
    from vlnscope.benchmarks.kit.benchmark import get_benchmark
    from vlnscope.episodes.datasets.dataset import open_dataset

    wanted: dict[str, Any] = {"changes": _changes(change)} if change else {}
    case_set = build_environment_cases(
        open_dataset(data), paths=paths, led=led, workers=workers, seed=seed, **wanted
    )
    case_set.save(out)
    request = BuildRequest(get_benchmark(case_set.benchmark), out, None, "connectivity", json)
    print_cases(case_set, request, counts=Counter(case.groups["sub"] for case in case_set.cases))


def _changes(names: list[str]) -> tuple[Change, ...]:
    from vlnscope.benchmarks.behavior.environment.edits import CHANGES

    return tuple(one_of("change", name, CHANGES) for name in names)
