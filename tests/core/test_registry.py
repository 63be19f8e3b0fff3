"""Looking up a name imports the module that defines it, and no other."""

from __future__ import annotations

import json
import subprocess
import sys
from collections.abc import Sequence
from importlib.metadata import EntryPoint
from pathlib import Path

import pytest

import vlnscope
from vlnscope.cli.ls import ls
from vlnscope.core import registry
from vlnscope.core.exceptions import PluginError, UnknownNameError, VlnscopeError

LOOK_UP_EACH = """
import importlib, json, sys
from vlnscope.cli.ls import ls
from vlnscope.core import registry

kind, names = sys.argv[1], sys.argv[2:]
homes = tuple(f"{home}." for home in registry.HOMES[kind])
import_module = importlib.import_module
imported = {}
for name in names:
    for module in [module for module in sys.modules if module.startswith(homes)]:
        del sys.modules[module]
    registry._kinds[kind].entries.clear()
    imported[name] = []
    importlib.import_module = lambda module: imported[name].append(module) or import_module(module)
    registry.get(kind, name)
    importlib.import_module = import_module
print(json.dumps(imported))
"""


def python(code: str, *arguments: str) -> str:
    return subprocess.run(
        [sys.executable, "-c", code, *arguments], capture_output=True, text=True, check=True
    ).stdout


@pytest.mark.parametrize("kind", registry.kinds())
def test_looking_up_a_name_imports_one_module(kind: str) -> None:
    homes, built_in = registry.HOMES[kind], sorted(registry.names(kind))
    imported = json.loads(python(LOOK_UP_EACH, kind, *built_in)) if built_in else {}
    for name in built_in:
        modules = [module for module in imported[name] if module not in homes]
        assert len([m for m in modules if m.startswith(tuple(f"{home}." for home in homes))]) == 1, name


@pytest.mark.parametrize(
    ("kind", "name", "absent"),
    [
        ("metric", "SR", ["vlnscope.metrics.lint", "vlnscope.metrics.measures.cls"]),
        ("agent", "forward", ["torch", "lark", "vlnscope.language.parse", "vlnscope.agents.rules.noisy"]),
        ("agent", "random", ["torch", "lark", "vlnscope.language.parse", "vlnscope.agents.rules.noisy"]),
        ("dataset", "r2r", ["vlnscope.episodes.datasets.houses", "numba", "shapely"]),
        ("format", "r2r", ["vlnscope.episodes.formats.rxr"]),
    ],
)
def test_looking_up_leaves_the_rest_alone(kind: str, name: str, absent: Sequence[str]) -> None:
    code = (
        "import sys; from vlnscope.core import registry; registry.get(sys.argv[1], sys.argv[2]);"
        "print(*[m for m in sys.argv[3:] if m in sys.modules])"
    )
    assert python(code, kind, name, *absent).split() == []


def test_an_unknown_kind_is_refused() -> None:
    for look in (registry.names, registry.everything, registry.problems):
        with pytest.raises(UnknownNameError, match="no kind called 'metrik'; did you mean 'metric'"):
            look("metrik")


def test_what_is_built_in_takes_the_place_of_a_plugin(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "somebodys_plugin.py").write_text("thing = object()\n")
    monkeypatch.syspath_prepend(tmp_path)
    monkeypatch.setitem(registry._kinds, "sight", registry._Kind("sight"))
    points = registry._kinds["sight"].plugins
    points["mine"] = EntryPoint("mine", "somebodys_plugin:thing", "vlnscope.sight")
    points["bad"] = EntryPoint("bad", "somebodys_plugin:no_such_thing", "vlnscope.sight")
    assert registry.has("sight", "mine")
    assert "somebodys_plugin" not in sys.modules
    assert registry.get("sight", "mine") is sys.modules["somebodys_plugin"].thing
    with pytest.raises(PluginError, match="cannot be loaded: AttributeError"):
        registry.get("sight", "bad")
    assert list(registry.problems("sight")) == ["bad"]
    built_in = registry.register("sight", "mine", object())
    assert registry.get("sight", "mine") is built_in
    assert set(registry.problems("sight")) == {"bad", "mine"}


def test_a_plugin_that_ends_the_program_or_imports_what_is_built_in(tmp_path: Path) -> None:
    (tmp_path / "somebodys_agent.py").write_text(
        "from vlnscope.agents.rules import random\nthing = object()\n"
    )
    (tmp_path / "leaving.py").write_text("raise SystemExit(3)\n")
    code = (
        "import sys; sys.path.insert(0, sys.argv[1]); from importlib.metadata import EntryPoint;"
        "from vlnscope.core import registry; points = registry._kinds['agent'].plugins;"
        "points |= {name: EntryPoint(name, value, 'vlnscope.agent') for name, value in"
        " (('bad', 'leaving:x'), ('mine', 'somebodys_agent:thing'), ('random', 'somebodys_agent:thing'))};"
        "registry.get('agent', 'mine'); print(*sorted(registry.problems('agent')))"
    )
    assert python(code, str(tmp_path)).split() == ["bad", "random"]


def test_a_plugin_must_be_what_its_kind_requires(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(registry._kinds, "sight", registry._Kind("sight"))
    registry._kinds["sight"].plugins["pi"] = EntryPoint("pi", "math:pi", "vlnscope.sight")
    registry.require("sight", str)
    with pytest.raises(PluginError, match="cannot be loaded: TypeError: not a str, but float"):
        registry.get("sight", "pi")
    assert "pi" not in registry.everything("sight")
    with pytest.raises(PluginError, match="not a str"):
        ls("sights", "pi")


def test_errors_can_be_caught_by_their_public_types() -> None:
    with pytest.raises(vlnscope.InputError):
        registry.get("metric", "no-such-metric")
    for name in vlnscope.__all__:
        if name.endswith("Error"):
            assert issubclass(getattr(vlnscope, name), VlnscopeError)
