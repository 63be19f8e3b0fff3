"""Scripts that import Habitat itself run unchanged where vlnscope stands in for it."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from types import ModuleType

import numpy as np
import pytest

import vlnscope.habitat as habitat
from vlnscope.core.exceptions import InputError
from vlnscope.habitat.__main__ import main
from vlnscope.habitat.addresses import ELSEWHERE

SCRIPT = """\
import sys
import numpy as np
import habitat
import habitat_sim
import quaternion
from habitat.config.default_structured_configs import CollisionsMeasurementConfig
from habitat.core.utils import try_cv2_import
from habitat.tasks.nav.shortest_path_follower import ShortestPathFollower
from habitat.utils.visualizations import fog_of_war, maps
from omegaconf import DictConfig, OmegaConf
from habitat_baselines.config.default import get_config

import beside  # a module next to the script

config = get_config("vlnce")
assert isinstance(config, DictConfig)
assert isinstance(np.quaternion(1, 0, 0, 0), quaternion.quaternion)
assert habitat_sim.ShortestPath().points == []
print(habitat.Env.__module__, ShortestPathFollower.__module__, sys.argv[1:], __name__, beside.NAME)
"""


@pytest.fixture
def script(tmp_path: Path) -> Path:
    (tmp_path / "evaluate.py").write_text(SCRIPT, "utf-8")
    (tmp_path / "beside.py").write_text("NAME = 'beside'\n", "utf-8")
    return tmp_path / "evaluate.py"


@pytest.fixture
def _restored(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """Let nobody else find what stands in."""
    before = dict(sys.modules)
    monkeypatch.setattr(sys, "path", list(sys.path))
    monkeypatch.setattr(np, "quaternion", None, raising=False)
    yield
    for name in [name for name in sys.modules if name not in before]:
        if name.partition(".")[0] in ("habitat", "beside", *ELSEWHERE):
            del sys.modules[name]


@pytest.mark.usefixtures("_restored")
def test_a_script_runs_with_its_own_imports_and_arguments(
    script: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(sys, "argv", ["vlnscope.habitat", str(script), "--split", "val"])
    main()
    assert capsys.readouterr().out == (
        "vlnscope.habitat.env vlnscope.habitat.follower ['--split', 'val'] __main__ beside\n"
    )


@pytest.mark.parametrize("arguments", [[], ["gone.py"]])
def test_a_script_that_is_not_there_is_refused(arguments: list[str], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "argv", ["vlnscope.habitat", *arguments])
    with pytest.raises(SystemExit, match=r"usage: python -m vlnscope\.habitat SCRIPT"):
        main()


@pytest.mark.usefixtures("_restored")
def test_habitat_itself_is_not_replaced(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "habitat", ModuleType("habitat"))
    with pytest.raises(InputError, match="Habitat itself was imported already"):
        habitat.stand_in()


@pytest.mark.slow
def test_the_command_runs_a_script(script: Path) -> None:
    command = [sys.executable, "-m", "vlnscope.habitat", str(script), "3"]
    done = subprocess.run(command, capture_output=True, text=True, check=True, cwd=script.parent)
    assert done.stdout == "vlnscope.habitat.env vlnscope.habitat.follower ['3'] __main__ beside\n"
