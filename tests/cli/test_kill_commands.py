"""Commands that are killed at random moments go on to the same bytes; `tools/kill_commands.py` kills more."""

from __future__ import annotations

import signal
from pathlib import Path

import pytest

from kill_commands import CODES, VERBS, Undisturbed, kill

KILLS = 2


@pytest.mark.slow
@pytest.mark.parametrize("verb", VERBS)
def test_killed_commands_go_on_to_the_same_bytes(verb: str, tmp_path: Path) -> None:
    if verb in ("train", "features"):
        pytest.importorskip("torch", reason="needs torch (pip install 'vlnscope[learn]')")
    expected = Undisturbed(verb, tmp_path)
    for number in CODES:
        found = kill(expected, number, KILLS)
        assert (found.kills, found.wrong) == (KILLS, []), signal.Signals(number).name
