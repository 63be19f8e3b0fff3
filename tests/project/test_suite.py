"""The suite itself: property tests draw the same for everyone, and fuzzing tells how to see what it found."""

from __future__ import annotations

import ast
import re
import shlex
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

import fuzz
from drawing import EVERYONE, FUZZ

TESTS = Path(__file__).parents[1]


def test_everyone_draws_the_same_examples() -> None:
    found = settings.get_profile(EVERYONE)
    assert (found.derandomize, found.database, found.deadline) == (True, None, None)
    assert HealthCheck.too_slow in found.suppress_health_check
    fuzzing = settings.get_profile(FUZZ)
    assert (fuzzing.derandomize, fuzzing.database, fuzzing.deadline) == (False, None, None)


def test_no_test_draws_in_its_own_way(request: pytest.FixtureRequest) -> None:
    for item in request.session.items:
        own = getattr(getattr(item, "obj", None), "_hypothesis_internal_use_settings", None)
        if own is not None:
            assert own.derandomize == settings.default.derandomize, item.nodeid
            assert (own.database, own.deadline) == (None, None), item.nodeid
            assert HealthCheck.too_slow in own.suppress_health_check, item.nodeid


@pytest.mark.parametrize("file", sorted(TESTS.rglob("test_*.py")), ids=lambda file: file.name)
def test_property_tests_inside_a_test_can_be_fuzzed_and_draw_as_all_do(file: Path) -> None:
    for test in _tests(ast.parse(file.read_text(encoding="utf-8"))):
        calls = [node for node in ast.walk(test) if isinstance(node, ast.Call)]
        names = [(ast.unparse(call.func), {word.arg for word in call.keywords}) for call in calls]
        inner = {
            name for call in calls if call not in test.decorator_list for name in [ast.unparse(call.func)]
        }
        if "given" in inner:
            marks = [ast.unparse(mark) for mark in test.decorator_list]
            assert "pytest.mark.hypothesis" in marks, (
                f"{file.name}: {test.name} needs @pytest.mark.hypothesis"
            )
        for name, words in names:
            assert name != "seed", f"{file.name}: {test.name}"
            assert name != "settings" or not words & {"derandomize", "database"}, f"{file.name}: {test.name}"


def _tests(tree: ast.Module) -> Iterator[ast.FunctionDef]:
    for node in ast.walk(tree):
        if isinstance(node, ast.FunctionDef) and node.name.startswith("test_"):
            yield node


def _drawn() -> list[str]:
    found = []

    @given(st.lists(st.integers(), min_size=20))
    def draw(values: list[int]) -> None:
        found.append(repr(values))

    draw()
    return found


def test_what_is_imported_changes_no_example(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    before = _drawn()
    numbers = "\n".join(f"NUMBER_{i} = {7919 * i}" for i in range(400))
    (tmp_path / "full_of_numbers.py").write_text(numbers)
    monkeypatch.syspath_prepend(tmp_path)
    __import__("full_of_numbers")
    assert _drawn() == before


PLANTED = """
import os

from hypothesis import given, strategies as st


@given(st.integers())
def test_holds(n):
    assert n + 1 > n


@given(st.integers())
def test_fails(n):
    assert n < 1000


@given(st.integers())
def test_dies(n):
    os._exit(7)


def test_is_no_property():
    raise AssertionError
"""


def test_fuzzing_goes_on_after_failures_and_tells_how_to_see_them_again(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "conftest.py").write_text("from drawing import register_profiles\n\nregister_profiles()\n")
    (tmp_path / "pytest.ini").write_text(f"[pytest]\npythonpath = {TESTS / 'support'}\n")
    (tmp_path / "test_planted.py").write_text(PLANTED)
    told = ["fuzz", "--minutes", "0.001", "--seed", "3", str(tmp_path / "test_planted.py")]
    monkeypatch.setattr(sys, "argv", told)
    assert fuzz.main() == 1
    out = capsys.readouterr().out
    assert "n=1000" in out
    assert "@reproduce_failure(" in out
    assert "its process ended with 7" in out
    assert re.search(r"^1 rounds, 3 tests, [\d,]+ examples, 2 failed$", out, re.MULTILINE)
    (again,) = [line for line in out.splitlines() if "--hypothesis-seed=" in line and "test_fails" in line]
    command = [sys.executable, "-m", "pytest", *shlex.split(again)[1:]]
    seen = subprocess.run(command, capture_output=True, text=True, cwd=tmp_path)
    assert seen.returncode == 1
    assert "n=1000" in seen.stdout
