"""Makes the command `vlnscope build NAME` of what a benchmark says of its options."""

from __future__ import annotations

import inspect
from collections.abc import Callable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, NamedTuple

import typer

from vlnscope.cli.shared import output
from vlnscope.cli.shared.options import Data, Json, Out, Positions, Root, Seed
from vlnscope.core.results import TextTable, notes

if TYPE_CHECKING:
    from vlnscope.benchmarks.kit.benchmark import Benchmark, BuildOption
    from vlnscope.benchmarks.kit.case_set import CaseSet
    from vlnscope.episodes.datasets.dataset import Dataset

Command = Callable[..., None]


class BuildRequest(NamedTuple):
    """What every command of `vlnscope build` is told.

    Attributes:
        benchmark: whose cases are to be built.
        out: folder to write to.
        root: data folder.
        positions: where viewpoints lie.
        json: whether to print JSON.
        data: a data set; empty if the command takes several.
    """

    benchmark: Benchmark
    out: Path
    root: Path | None
    positions: str
    json: bool
    data: str = ""

    def dataset(self, name: str = "") -> Dataset:
        """Open a data set, that of the request if none is named."""
        from vlnscope.episodes.datasets.dataset import open_dataset

        return open_dataset(name or self.data, self.root, positions=self.positions)


def command_of(benchmark: Benchmark, special: Command | None = None) -> Command:
    """Return a function that Typer makes a command of.

    Args:
        benchmark: whose options it takes.
        special: does the work, if it is not the usual one. It gets the request, options of its own by
            keyword, and those of ``build_cases`` as ``**options``.
    """
    own = inspect.signature(special or _build, eval_str=True).parameters.values()
    own_options = [parameter for parameter in own if parameter.kind is parameter.KEYWORD_ONLY]
    by_name = {"data": _parameter("data", Data, ...), "out": _parameter("out", Out, ...)}
    by_name["root"] = _parameter("root", Root, None)
    by_name["positions"] = _parameter("positions", Positions, "connectivity")
    by_name |= {option.name: _parameter_of(option) for option in benchmark.options}
    by_name |= {parameter.name: parameter for parameter in own_options}
    by_name |= {"seed": _parameter("seed", Seed, 0), "json": _parameter("json", Json, False)}
    several = any(parameter.name == "data" for parameter in own_options)

    def command(**values: Any) -> None:
        names = [name for name in BuildRequest._fields if name in values and not (several and name == "data")]
        request = BuildRequest(benchmark, **{name: values.pop(name) for name in names})
        (special or _build)(request, **dict(_ready(benchmark, values)))

    command.__doc__ = benchmark.summary
    command.__signature__ = inspect.Signature(list(by_name.values()))  # type: ignore[attr-defined]
    command.__annotations__ = {}
    return command


def _build(request: BuildRequest, **options: Any) -> None:
    case_set = request.benchmark.build_cases(request.dataset(), **options)
    case_set.save(request.out)
    print_cases(case_set, request)


def _ready(benchmark: Benchmark, values: dict[str, Any]) -> Iterator[tuple[str, Any]]:
    """Yield values as the builder takes them; those that are not given are left to its defaults."""
    known = {option.name: option for option in benchmark.options}
    for name, value in values.items():
        option = known.get(name)
        if option is None:
            yield name, value
        elif value is not None and value != []:
            read = option.read or (str if option.type is Path else lambda value: value)
            yield name, tuple(map(read, value)) if option.repeated else read(value)


def _parameter_of(option: BuildOption) -> inspect.Parameter:
    default = option.default if isinstance(option.default, option.type) else None
    names = (option.option,) if option.flag or default is False else ()
    kind: Any = list[option.type] if option.repeated else option.type  # type: ignore[name-defined]
    kind = kind if default is not None else kind | None
    described = typer.Option(*names, help=option.help, min=option.least)
    return _parameter(option.name, Annotated[kind, described], default)


def _parameter(name: str, annotation: Any, default: Any) -> inspect.Parameter:
    default = inspect.Parameter.empty if default is ... else default
    return inspect.Parameter(name, inspect.Parameter.KEYWORD_ONLY, annotation=annotation, default=default)


def print_cases(
    case_set: CaseSet,
    request: BuildRequest,
    *,
    counts: Mapping[str, int] | None = None,
    published: Mapping[str, int | None] | None = None,
    files: Sequence[Path] = (),
) -> None:
    """Print how many cases there are of each kind and what each filter let through.

    Args:
        case_set: the cases.
        request: where they were written, and whether to print JSON.
        counts: how many there are of each kind, if not as the benchmark counts them.
        published: how many a paper has of each kind.
        files: what else was written.
    """
    counts = request.benchmark.count_cases(case_set) if counts is None else counts
    if request.json:
        from msgspec import to_builtins

        about = {"folder": str(request.out), "data": case_set.data, "cases": len(case_set.cases)}
        about |= {"counts": dict(counts), "losses": to_builtins(case_set.losses)}
        about |= {"options": case_set.options, "notes": list(case_set.notes)}
        output.print_json(about | {"files": [str(path) for path in files]})
        return
    columns = ["kind", "cases"] if published is None else ["kind", "pairs", "published"]
    kinds = [[name, f"{count:,}"] for name, count in counts.items()]
    if published is not None:
        kinds = [[*row, "" if (n := published.get(row[0])) is None else f"{n:,}"] for row in kinds]
    output.show(
        TextTable(f"{request.out}: {len(case_set.cases):,} cases of {case_set.data}", columns, kinds),
        losses_table("what each filter let through", case_set, ("filter", "of", "left")),
        *notes((*case_set.notes, *map(str, files))),
    )


def losses_table(title: str, case_set: CaseSet, columns: Sequence[str]) -> TextTable:
    """Return what each filter let through."""
    rows = [[loss.filter, f"{loss.before:,}", f"{loss.after:,}"] for loss in case_set.losses]
    return TextTable(title, columns, rows)
