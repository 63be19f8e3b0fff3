"""Runs the command line in the process of a test."""

from __future__ import annotations

import json
import os
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any, NamedTuple

import pytest

from vlnscope.cli.main import command_line
from vlnscope.core.data_root import ROOT_VARIABLE, SCENES_VARIABLE

FOLDERS = (ROOT_VARIABLE, SCENES_VARIABLE)


class Result(NamedTuple):
    """How a command ended and what it printed."""

    code: int
    out: str
    err: str

    @property
    def data(self) -> Any:
        return json.loads(self.out)


Cli = Callable[..., Result]


@contextmanager
def _folders_kept() -> Iterator[None]:
    """Forget afterwards which folders a command named, as the end of its process would."""
    before = {variable: os.environ.get(variable) for variable in FOLDERS}
    yield
    for variable, folder in before.items():
        os.environ.pop(variable, None)
        if folder is not None:
            os.environ[variable] = folder


@pytest.fixture
def cli(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> Cli:
    """Run `vlnscope` with arguments."""
    for variable in FOLDERS:
        monkeypatch.delenv(variable, raising=False)

    def run(*arguments: object) -> Result:
        monkeypatch.setattr(sys, "argv", ["vlnscope", *map(str, arguments)])
        with _folders_kept(), pytest.raises(SystemExit) as end:
            command_line()
        captured = capsys.readouterr()
        code = end.value.code
        return Result(code if isinstance(code, int) else 0, captured.out, captured.err)

    return run
