"""Count lines of code: no blanks, no comments, no docstrings; by module and by function.

Usage: ``python tools/count_code.py [FOLDER …] [--by-package]``; the folder is ``src`` by default. Strings
that stand alone, such as docstrings of modules, classes, functions and attributes, do not count.
"""

from __future__ import annotations

import argparse
import ast
from collections import Counter
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import NamedTuple


class ModuleSize(NamedTuple):
    """How large a module is.

    Attributes:
        path: its file.
        lines: all its lines.
        code: lines that hold code.
        functions: lines of each function, from its first decorator to its end.
    """

    path: Path
    lines: int
    code: int
    functions: tuple[int, ...]


def code_lines(text: str) -> int:
    """Return how many lines hold code.

    Example:
        >>> code_lines('"A docstring."' + chr(10) + "x = 1  # one" + chr(10) + "# a comment" + chr(10))
        1
    """
    standing_alone: set[int] = set()
    for node in ast.walk(ast.parse(text)):
        if not (isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant)):
            continue
        if isinstance(node.value.value, str):
            standing_alone.update(range(node.lineno, (node.end_lineno or node.lineno) + 1))
    stripped = (line.strip() for line in text.splitlines())
    return sum(
        bool(line) and not line.startswith("#") and number not in standing_alone
        for number, line in enumerate(stripped, 1)
    )


def measure(folders: Iterable[Path]) -> Iterator[ModuleSize]:
    """Yield the size of every Python module below some folders."""
    for folder in folders:
        for path in sorted(folder.rglob("*.py")):
            text = path.read_text(encoding="utf-8")
            functions = tuple(
                (node.end_lineno or node.lineno)
                - min([node.lineno, *(d.lineno for d in node.decorator_list)])
                + 1
                for node in ast.walk(ast.parse(text))
                if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef)
            )
            yield ModuleSize(path, text.count("\n"), code_lines(text), functions)


def _function_lines(node: ast.FunctionDef | ast.AsyncFunctionDef) -> int:
    first = min([node.lineno, *(decorator.lineno for decorator in node.decorator_list)])
    return (node.end_lineno or node.lineno) - first + 1


def percentile_90(numbers: Iterable[int]) -> int:
    """Return the number that nine in ten do not exceed; 0 if there is none."""
    ordered = sorted(numbers)
    return ordered[(9 * len(ordered) - 1) // 10] if ordered else 0


def main() -> None:
    """Print the counts."""
    parser = argparse.ArgumentParser(description="Count lines of code.")
    parser.add_argument("folders", nargs="*", type=Path, default=[Path("src")])
    parser.add_argument("--by-package", action="store_true", help="also list code lines by package")
    args = parser.parse_args()
    modules = list(measure(args.folders))
    if args.by_package:
        packages = Counter[str]()
        for module in modules:
            packages[str(module.path.parent)] += module.code
        for package, count in sorted(packages.items()):
            print(f"{count:7,}  {package}")
    longest = max(modules, key=lambda module: module.lines)
    functions = [lines for module in modules for lines in module.functions]
    print(f"{sum(module.code for module in modules):,} lines of code in {len(modules):,} modules")
    print(f"longest module: {longest.path}, {longest.lines} lines")
    print(f"functions: {len(functions):,}, nine in ten have at most {percentile_90(functions)} lines")


if __name__ == "__main__":
    main()
