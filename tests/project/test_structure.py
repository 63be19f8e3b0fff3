"""The shape of the source tree: small folders, one class per name, short modules and functions."""

from __future__ import annotations

import ast
from collections import defaultdict
from pathlib import Path

import pytest

from count_code import measure, percentile_90

ROOT = Path(__file__).resolve().parents[2]
SOURCE = ROOT / "src" / "vlnscope"
MOST_MODULES = 25
LONGEST_MODULE = 400
LONG_FUNCTION = 25
ONE_FILE = {"vlnscope_agent.py": 700}
"""Modules that people copy to where vlnscope is not, as one file each, and how long they may be."""


@pytest.mark.parametrize("tree", ["src", "tests"])
def test_no_folder_holds_many_modules(tree: str) -> None:
    counts: dict[Path, int] = defaultdict(int)
    for path in (ROOT / tree).rglob("*.py"):
        counts[path.parent] += 1
    assert {str(folder): count for folder, count in counts.items() if count > MOST_MODULES} == {}


def test_no_two_public_classes_share_a_name() -> None:
    homes: dict[str, list[str]] = defaultdict(list)
    for path in SOURCE.rglob("*.py"):
        for node in ast.parse(path.read_text(encoding="utf-8")).body:
            if isinstance(node, ast.ClassDef) and not node.name.startswith("_"):
                homes[node.name].append(str(path.relative_to(SOURCE)))
    assert {name: files for name, files in homes.items() if len(files) > 1} == {}


def test_modules_and_functions_stay_short() -> None:
    modules = list(measure([SOURCE]))
    long = [m for m in modules if m.lines > ONE_FILE.get(m.path.name, LONGEST_MODULE)]
    assert [str(module.path) for module in long] == []
    assert percentile_90(lines for module in modules for lines in module.functions) <= LONG_FUNCTION


def test_every_package_says_what_it_does() -> None:
    packages = SOURCE.rglob("__init__.py")
    assert [str(path) for path in packages if not ast.get_docstring(ast.parse(path.read_text("utf-8")))] == []
