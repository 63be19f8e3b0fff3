"""The agent that comes with vlnscope runs where torch is, and says what to install where it is not."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest

import vlnscope
from vlnscope.agents.hamt_houses import weights_file
from vlnscope.agents.spec import make_agent
from vlnscope.engine.run import run
from vlnscope.exceptions import InputError
from vlnscope.perception.feature_houses import HouseFeatures, encoder_file

MEGABYTE = 2**20


def test_weights_come_with_the_package_and_are_small() -> None:
    files = [encoder_file(), weights_file()]
    assert all(path.is_relative_to(Path(vlnscope.__file__).parent) for path in files)
    assert encoder_file().stat().st_size <= 3 * MEGABYTE
    assert sum(path.stat().st_size for path in files) <= 10 * MEGABYTE


def test_shipped_agent_walks_and_its_instruction_matters(tmp_path: Path) -> None:
    pytest.importorskip("torch", reason="needs torch (pip install 'vlnscope[learn]')")
    done = run("hamt-houses", "houses/val_unseen@1", out=tmp_path / "run", limit=2, log="all")
    assert not done.failures
    lines = list(done.lines().values())
    assert len(lines) == 2
    steps = [decision for line in lines for decision in line.decisions]
    assert any(0.05 < max(step.probabilities) < 1.0 for step in steps)


def test_without_torch_it_says_what_to_install(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "torch", None)
    with pytest.raises(InputError, match="need the package torch") as told:
        make_agent("hamt-houses")
    assert "vlnscope[learn]" in told.value.fix
    with pytest.raises(InputError, match="need the package torch"):
        HouseFeatures()._tower  # noqa: B018
