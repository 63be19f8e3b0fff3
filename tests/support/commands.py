"""Runs the command line in the process of a test."""

from __future__ import annotations

import json
import sys
from collections.abc import Callable
from typing import Any, NamedTuple

import pytest

from vlnscope.cli.main import command_line
from vlnscope.core.data_root import ROOT_VARIABLE, SCENES_VARIABLE


class Result(NamedTuple):
    """How a command ended and what it printed."""

    code: int
    out: str
    err: str

    @property
    def data(self) -> Any:
        return json.loads(self.out)


Cli = Callable[..., Result]


@pytest.fixture
def cli(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> Cli:
    """Run `vlnscope` with arguments."""
    for variable in (ROOT_VARIABLE, SCENES_VARIABLE):
        monkeypatch.delenv(variable, raising=False)

    def run(*arguments: object) -> Result:
        monkeypatch.setattr(sys, "argv", ["vlnscope", *map(str, arguments)])
        with pytest.raises(SystemExit) as end:
            command_line()
        captured = capsys.readouterr()
        code = end.value.code
        return Result(code if isinstance(code, int) else 0, captured.out, captured.err)

    return run
