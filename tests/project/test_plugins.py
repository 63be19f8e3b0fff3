"""A plug-in package, installed with pip, adds one of every kind; a broken one harms nothing."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
from importlib.util import find_spec
from pathlib import Path

import pytest

import vlnscope

HERE = Path(__file__).resolve().parent
WALKER = Path(vlnscope.__file__).parent / "sample" / "predictions" / "walker.json"


@pytest.fixture(scope="module")
def installed(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder into which pip has installed the plug-in package."""
    if find_spec("pip") is None:
        pytest.skip("needs pip in this environment, to install the plug-in package")
    source = tmp_path_factory.mktemp("source") / "plugin_package"
    shutil.copytree(HERE / "plugin_package", source)
    target = tmp_path_factory.mktemp("site")
    options = ["--quiet", "--no-deps", "--no-index", "--no-build-isolation", "--no-cache-dir", "--no-input"]
    subprocess.run(
        [sys.executable, "-m", "pip", "install", *options, "--target", str(target), str(source)],
        check=True,
        capture_output=True,
        env=os.environ | {"PIP_DISABLE_PIP_VERSION_CHECK": "1"},
    )
    return target


@pytest.fixture(scope="module")
def broken(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with a package that breaks in three ways."""
    folder = tmp_path_factory.mktemp("broken")
    (folder / "broken_plugin.py").write_text("raise RuntimeError('out of order')\n")
    info = folder / "broken_plugin-1.0.dist-info"
    info.mkdir()
    (info / "METADATA").write_text("Metadata-Version: 2.1\nName: broken-plugin\nVersion: 1.0\n")
    (info / "entry_points.txt").write_text(
        "[vlnscope.metric]\nraising = broken_plugin:thing\nSR = broken_plugin:thing\n"
        "[vlnscope.format]\nabsent = no_such_module:thing\n"
    )
    return folder


def vlnscope_with(folder: Path, *arguments: str | Path) -> subprocess.CompletedProcess[str]:
    inherited = os.environ.get("PYTHONPATH", "")
    return subprocess.run(
        [sys.executable, "-m", "vlnscope.cli.main", *map(str, arguments)],
        capture_output=True,
        text=True,
        check=False,
        env=os.environ | {"PYTHONPATH": os.pathsep.join(filter(None, [str(folder), inherited]))},
    )


def trails(path: Path) -> Path:
    """Write the sample's predictions in the plug-in's format."""
    lines = [
        {"episode": record["instr_id"], "trail": " ".join(step[0] for step in record["trajectory"])}
        for record in json.loads(WALKER.read_text())
    ]
    path.write_text("".join(json.dumps(line) + "\n" for line in lines))
    return path


def count_backtracking() -> int:
    total = 0
    for record in json.loads(WALKER.read_text()):
        nodes = [step[0] for step in record["trajectory"]]
        nodes = [b for a, b in zip([None, *nodes], nodes, strict=False) if a != b]
        total += sum(a == c for a, c in zip(nodes, nodes[2:], strict=False))
    return total


def test_installed_metric_is_listed(installed: Path) -> None:
    done = vlnscope_with(installed, "ls", "metrics", "backtracking", "--json")
    assert done.returncode == 0, done.stderr
    entry = json.loads(done.stdout)
    assert entry["better"] == "lower"
    assert entry["definition"].startswith("Number of moves that undo the move before")


def test_installed_metric_and_format_score(installed: Path, tmp_path: Path) -> None:
    options = ("--data", "sample/demo", "--metrics", "SR,backtracking", "--json")
    done = vlnscope_with(installed, "score", trails(tmp_path / "walker.jsonl"), *options)
    assert done.returncode == 0, done.stderr
    found = json.loads(done.stdout)
    assert found["metrics"]["backtracking"]["mean"] * found["n"] == pytest.approx(count_backtracking())
    assert count_backtracking() > 0


def test_installed_format_converts(installed: Path, tmp_path: Path) -> None:
    target = tmp_path / "walker.jsonl"
    options = ("--to", "trail", "--drop", "headings,elevations")
    done = vlnscope_with(installed, "convert", WALKER, target, *options)
    assert done.returncode == 0, done.stderr
    assert [json.loads(line) for line in target.read_text().splitlines()] == [
        json.loads(line) for line in trails(tmp_path / "expected.jsonl").read_text().splitlines()
    ]


def test_doctor_names_installed_plugins(installed: Path) -> None:
    done = vlnscope_with(installed, "doctor", "--json")
    assert done.returncode == 0, done.stdout
    states = {d["subject"]: d["state"] for d in json.loads(done.stdout)["diagnoses"]}
    assert states["plug-in metric backtracking"] == "fine"
    assert states["plug-in format trail"] == "fine"


KINDS = {
    "worlds": "gridtown",
    "datasets": "gridtown",
    "sights": "compass",
    "action-spaces": "blocks",
    "agents": "courier",
    "benchmarks": "blocks",
    "detectors": "counting",
    "report-sections": "street-map",
}


@pytest.mark.parametrize(("plural", "name"), KINDS.items(), ids=KINDS)
def test_one_of_every_kind_is_listed(installed: Path, plural: str, name: str) -> None:
    done = vlnscope_with(installed, "ls", plural, name, "--json")
    assert done.returncode == 0, done.stderr
    assert json.loads(done.stdout)["name"] == name


@pytest.mark.parametrize("agent", ["courier", "block-courier"])
def test_installed_agents_walk_in_the_installed_world(installed: Path, tmp_path: Path, agent: str) -> None:
    options = ("--data", "gridtown/small", "--out", tmp_path / "run", "--json")
    done = vlnscope_with(installed, "run", agent, *options)
    assert done.returncode == 0, done.stderr
    scored = vlnscope_with(installed, "score", tmp_path / "run", "--json")
    assert json.loads(scored.stdout)["metrics"]["SR"]["mean"] == 100.0, scored.stderr
    record = json.loads((tmp_path / "run" / "run.json").read_text())
    assert record.get("action_space", "graph") == ("blocks" if agent == "block-courier" else "graph")


def test_installed_benchmark_is_built_run_and_reported(installed: Path, tmp_path: Path) -> None:
    cases, run, report = tmp_path / "cases", tmp_path / "run", tmp_path / "report"
    for command in (
        ("build", "blocks", "--data", "gridtown/test", "--most", "48", "--out", cases),
        ("run", "courier", "--cases", cases, "--out", run),
        ("report", run, "--out", report),
    ):
        done = vlnscope_with(installed, *command)
        assert done.returncode == 0, done.stderr
    findings = json.loads((report / "findings.json").read_text())
    assert "walks the right number of blocks" in json.dumps(findings)


def test_diagnose_asks_the_installed_benchmark_in_the_installed_world(
    installed: Path, tmp_path: Path
) -> None:
    options = ("--data", "gridtown/test", "--quick", "--out", tmp_path / "diagnosis")
    done = vlnscope_with(installed, "diagnose", "courier", *options)
    assert done.returncode == 0, done.stderr
    shown = " ".join(done.stdout.split())
    assert "can counts blocks: walks the right number of blocks in 100.0 %" in shown
    page = (tmp_path / "diagnosis" / "report.html").read_text()
    assert "Counting blocks" in page
    assert "All streets of Gridtown are straight." in page


def test_plugin_is_absent_where_it_is_not_installed(tmp_path: Path) -> None:
    done = vlnscope_with(tmp_path, "ls", "metrics", "backtracking")
    assert done.returncode == 2
    assert "there is no metric called 'backtracking'" in done.stderr


def test_doctor_reports_broken_plugins(broken: Path) -> None:
    done = vlnscope_with(broken, "doctor", "--json")
    assert done.returncode == 1
    wrong = {d["subject"]: d["seen"] for d in json.loads(done.stdout)["diagnoses"] if d["state"] == "wrong"}
    assert set(wrong) == {"plug-in metric raising", "plug-in metric SR", "plug-in format absent"}
    assert "RuntimeError: out of order" in wrong["plug-in metric raising"]
    assert "belongs to a built-in metric" in wrong["plug-in metric SR"]
    assert "no_such_module" in wrong["plug-in format absent"]


def test_broken_plugins_break_nothing_else(broken: Path) -> None:
    done = vlnscope_with(broken, "score", WALKER, "--data", "sample/demo", "--json")
    assert done.returncode == 0, done.stderr
    assert json.loads(done.stdout)["n"] == len(json.loads(WALKER.read_text()))
    listed = vlnscope_with(broken, "ls", "metrics", "--json")
    assert "raising" in json.loads(listed.stdout)["broken_plugins"]


def test_using_a_broken_plugin_says_why(broken: Path) -> None:
    done = vlnscope_with(broken, "score", WALKER, "--data", "sample/demo", "--metrics", "raising")
    assert done.returncode == 2
    assert "out of order" in done.stderr
    assert "Traceback" not in done.stderr
