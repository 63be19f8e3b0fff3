"""Lines for those who wait: shown on terminals alone, and taken away again, whatever happens."""

from __future__ import annotations

import io

import pytest

from vlnscope.core.waiting import waiting_line


class Terminal(io.StringIO):
    def isatty(self) -> bool:
        return True


def bake(terminal: Terminal) -> None:
    with waiting_line("baking", terminal):
        raise ValueError(terminal.getvalue())


def test_a_line_is_shown_on_a_terminal_and_taken_away_even_after_an_error() -> None:
    terminal = Terminal()
    with pytest.raises(ValueError, match="baking"):
        bake(terminal)
    assert terminal.getvalue().endswith("\r\x1b[K")


def test_nothing_is_written_into_files() -> None:
    file = io.StringIO()
    with waiting_line("baking", file):
        pass
    assert file.getvalue() == ""
