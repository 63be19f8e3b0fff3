"""`vlnscope build NAME` is made of what a benchmark says of its options."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Any

import pytest
import typer
from typer.testing import CliRunner

from vlnscope.benchmarks.kit.benchmark import Benchmark, BuildOption, comma_list
from vlnscope.cli.build._command import BuildRequest, command_of

BENCHMARK = Benchmark(
    name="made-up",
    question="?",
    paper="",
    package="nowhere",
    summary="Make something up.",
    options=(
        BuildOption(name="skills", flag="--skill", repeated=True, help="Skills."),
        BuildOption(name="names", default="a,b", read=comma_list, help="Names."),
        BuildOption(name="most", type=int, least=1, help="How many."),
        BuildOption(name="loud", type=bool, default=False, help="Loudly."),
        BuildOption(name="folder", type=Path, help="Where."),
    ),
)


def called(*arguments: str, several: bool = False) -> tuple[Any, ...]:
    calls: list[tuple[Any, ...]] = []

    def one(
        request: BuildRequest, *, extra: Annotated[int, typer.Option(help="More.")] = 1, **options: Any
    ) -> None:
        calls.append((request, extra, options))

    def many(request: BuildRequest, *, data: Annotated[list[str], typer.Option()], **options: Any) -> None:
        calls.append((request, data, options))

    app = typer.Typer()
    app.command()(command_of(BENCHMARK, many if several else one))
    done = CliRunner().invoke(app, ["--out", "cases", *arguments])
    assert done.exit_code == 0, done.output
    [call] = calls
    return call


def test_what_is_not_given_is_left_to_the_builder() -> None:
    request, extra, options = called("--data", "sample/demo")
    assert (request.data, request.out, request.root, request.json) == (
        "sample/demo",
        Path("cases"),
        None,
        False,
    )
    assert extra == 1
    assert options == {"names": ["a", "b"], "loud": False, "seed": 0}


def test_values_come_as_the_builder_takes_them() -> None:
    arguments = (
        "--skill",
        "stop",
        "--skill",
        "room",
        "--names",
        "c",
        "--most",
        "3",
        "--loud",
        "--folder",
        "x",
    )
    _, extra, options = called("--data", "sample/demo", "--extra", "2", "--seed", "7", *arguments)
    assert extra == 2
    expected = {"skills": ("stop", "room"), "names": ["c"], "most": 3, "loud": True, "folder": "x", "seed": 7}
    assert options == expected


def test_a_command_may_take_several_data_sets() -> None:
    request, data, _ = called("--data", "a", "--data", "b", several=True)
    assert (request.data, data) == ("", ["a", "b"])


def test_limits_are_kept() -> None:
    app = typer.Typer()
    app.command()(command_of(BENCHMARK))
    done = CliRunner().invoke(app, ["--out", "cases", "--data", "sample/demo", "--most", "0"])
    assert done.exit_code == 2


@pytest.mark.parametrize("name", ["outcomes", "behavior", "errors", "fidelity", "tours", "nuances"])
def test_every_benchmark_has_its_verb(name: str) -> None:
    from vlnscope.cli.build import app

    done = CliRunner().invoke(app, [name, "--help"])
    assert done.exit_code == 0
    assert "Examples" in done.output
