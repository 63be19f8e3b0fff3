"""The documentation builds without a warning, loads nothing from the network, and tells the truth."""

from __future__ import annotations

import doctest
import re
import shlex
import shutil
from collections.abc import Iterator
from pathlib import Path
from typing import Any, NamedTuple

import pytest
from mkdocs.commands.build import build
from mkdocs.config import load_config

import build_reference
import vlnscope
from commands import Cli
from vlnscope import __all__ as public
from vlnscope.core import registry

ROOT = Path(__file__).resolve().parents[2]
DOCS = ROOT / "docs"
SAMPLE = ROOT / "src/vlnscope/sample/predictions/walker.json"
ANY_LINES = "…"


class Block(NamedTuple):
    """A block of a page that is marked with ``<!-- run -->``, or with the file that it is the content of."""

    file: str
    language: str
    text: str


def blocks(page: Path) -> list[Block]:
    marked = re.compile(r"^<!-- run ?(\S*) -->\n```(\w+)\n(.*?)^```$", re.M | re.S)
    return [Block(*found) for found in marked.findall(page.read_text("utf-8"))]


PAGES = {page.relative_to(DOCS).as_posix(): page for page in sorted(DOCS.rglob("*.md")) if blocks(page)}


def test_the_site_builds_without_a_warning_and_is_whole(tmp_path: Path) -> None:
    """One test, because the site takes seconds to build and processes that test together share nothing."""
    config = load_config(str(ROOT / "mkdocs.yml"), site_dir=str(tmp_path))
    assert config.strict, "a warning must fail the build"
    config.plugins.on_startup(command="build", dirty=False)
    build(config)
    every_page_is_built(tmp_path)
    no_page_loads_anything_from_the_network(tmp_path)
    no_page_names_a_folder_of_this_machine(tmp_path)
    the_reference_has_everything_that_is_registered(tmp_path)
    every_class_of_the_python_interface_is_described(tmp_path)
    every_command_has_a_guide_and_a_reference(tmp_path)


@pytest.fixture
def _own_registry(monkeypatch: pytest.MonkeyPatch) -> None:
    """Forget what a page registers."""
    for kind in registry.kinds():
        registry.names(kind)
        state = registry._kinds[kind]
        monkeypatch.setattr(state, "entries", dict(state.entries))


def every_page_is_built(site: Path) -> None:
    sources = {page.relative_to(DOCS).with_suffix(".html") for page in DOCS.rglob("*.md")}
    assert sources - {page.relative_to(site) for page in site.rglob("*.html")} == set()


def no_page_loads_anything_from_the_network(site: Path) -> None:
    loads = re.compile(
        r"""<(?:script|img|iframe|link|source|video|audio)\b[^>]*?(?:src|href)=["'](?:https?:)?//"""
    )
    assert not [page.name for page in site.rglob("*.html") if loads.search(page.read_text("utf-8"))]
    styles = re.compile(r"""(?:@import|url\()\s*["']?(?:https?:)?//""")
    assert not [sheet.name for sheet in site.rglob("*.css") if styles.search(sheet.read_text("utf-8"))]


def no_page_names_a_folder_of_this_machine(site: Path) -> None:
    assert not [page.name for page in site.rglob("*.html") if f"{ROOT}/" in page.read_text("utf-8")]


def the_reference_has_everything_that_is_registered(site: Path) -> None:
    pages = {"metric": "metrics", "profile": "profiles", "format": "formats", "dataset": "datasets",
             "agent": "agents", "benchmark": "benchmarks", "detector": "benchmarks",
             "world": "worlds"}  # fmt: skip
    for kind in registry.kinds():
        text = (site / f"reference/{pages.get(kind, 'kinds')}.html").read_text("utf-8")
        assert [name for name in registry.everything(kind) if f">{name}<" not in text] == []
    python = (site / "reference/python.html").read_text("utf-8")
    assert [name for name in public if not name.startswith("__") and f">{name}<" not in python] == []


def every_class_of_the_python_interface_is_described(site: Path) -> None:
    pages = {page.stem: page.read_text("utf-8") for page in (site / "reference").glob("*.html")}
    spoken_of = build_reference.spoken_of([getattr(vlnscope, name) for name in public])
    assert "vlnscope.evaluate.score.result.Score" in spoken_of
    assert [name for name in spoken_of if not any(f'id="{name}"' in text for text in pages.values())] == []
    for page, name in (
        ("format-contract", "vlnscope.episodes.format.Format"),
        ("data-sets-in-python", "vlnscope.episodes.datasets.dataset.Dataset.episodes"),
        ("findings", "vlnscope.benchmarks.kit.findings.Findings"),
    ):
        assert f'id="{name}"' in pages[page]


def every_command_has_a_guide_and_a_reference(site: Path) -> None:
    words = [words for words, _ in build_reference.commands()]
    reference = (site / "reference/commands.html").read_text("utf-8")
    assert [called for called in words if f'id="{"-".join(called)}"' not in reference] == []
    overview = (site / "commands/index.html").read_text("utf-8")
    linked = set(re.findall(r'href="[^"]*?([\w-]+)\.html', overview.partition('role="main"')[2]))
    assert {called[0] for called in words} - linked == set()


@pytest.mark.parametrize("name", PAGES)
@pytest.mark.usefixtures("_own_registry")
def test_marked_blocks_do_what_the_page_says(
    name: str, cli: Cli, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    shutil.copy(SAMPLE, tmp_path)
    monkeypatch.chdir(tmp_path)
    names: dict[str, Any] = {}
    for block in blocks(PAGES[name]):
        if block.file:
            Path(block.file).write_text(block.text, "utf-8")
        if block.language == "console":
            _check_commands(block.text, cli)
        elif block.language == "python" and ">>>" in block.text:
            _check_session(block.text, name, names)
        elif block.language == "python":
            exec(compile(block.text, name, "exec"), names)


def _check_session(text: str, name: str, names: dict[str, Any]) -> None:
    test = doctest.DocTestParser().get_doctest(text, names, name, name, 0)
    said: list[str] = []
    result = doctest.DocTestRunner().run(test, out=said.append, clear_globs=False)
    names.update(test.globs)
    assert not result.failed, "".join(said)


def _check_commands(text: str, cli: Cli) -> None:
    for command, expected in _commands(text):
        result = cli(*shlex.split(command)[1:])
        printed = [line.rstrip() for line in (result.out + result.err).splitlines()]
        assert _matches(printed, expected), "\n".join([f"$ {command}", *printed])


def _commands(text: str) -> Iterator[tuple[str, list[str]]]:
    for part in re.split(r"^\$ ", text, flags=re.M)[1:]:
        command, *expected = part.splitlines()
        yield command, [line.rstrip() for line in expected]


def _matches(printed: list[str], expected: list[str]) -> bool:
    lines = ["(?:.*\n)*?" if line == ANY_LINES else re.escape(line) + "\n" for line in expected]
    return re.fullmatch("".join(lines), "".join(f"{line}\n" for line in printed)) is not None


def test_a_wrong_output_would_be_found() -> None:
    assert _matches(["a", "b", "c"], ["a", ANY_LINES, "c"])
    assert not _matches(["a", "b", "c"], ["a", "c"])
    assert not _matches(["a", "b"], ["a", ANY_LINES, "c"])
    with pytest.raises(AssertionError):
        _check_session(">>> 1 + 1\n3\n", "page", {})
