"""The version of the houses: what it stands for, and what refuses houses of another one."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import msgspec
import pytest

import vlnscope as vs
from commands import Cli
from house_digests import KEPT, PARTS, found, problem
from vlnscope.benchmarks.kit.case_set import ABOUT, CaseSet
from vlnscope.core import cache_key as keys
from vlnscope.core.exceptions import InputError
from vlnscope.evaluate.benchmarking import build, find_runs
from vlnscope.worlds.houses.edit.apply import edit
from vlnscope.worlds.houses.edit.edits import RemoveItem
from vlnscope.worlds.houses.house import generate, house_scene
from vlnscope.worlds.houses.plan.file import decode_plan, encode_plan
from vlnscope.worlds.houses.splits import cache_path, load_house
from vlnscope.worlds.houses.version import GENERATOR_VERSION, houses_key

DATA = "houses/val_unseen@1"
TOOLS = Path(__file__).resolve().parents[3] / "tools"


@pytest.fixture(scope="module")
def folders(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("of this version")
    build("outcomes", DATA, out=folder / "cases", most=4)
    vs.run("random", cases=folder / "cases", out=folder / "run")
    vs.run("random", DATA, limit=3, out=folder / "plain")
    return folder


def aged(path: Path, *members: str) -> None:
    """Write a JSON file as it was before versions of houses were kept."""
    whole = json.loads(path.read_text())
    inner = whole
    for member in members:
        inner = inner[member]
    assert inner.pop("generator") == GENERATOR_VERSION
    path.write_text(json.dumps(whole))


@pytest.mark.parametrize("part", PARTS)
def test_a_version_stands_for_the_same_houses(part: str) -> None:
    assert problem(part, json.loads(KEPT.read_text())[part], found(part)) == ""


@pytest.mark.slow
def test_houses_do_not_depend_on_the_processor() -> None:
    plain = {**os.environ, "NPY_DISABLE_CPU_FEATURES": "X86_V3 X86_V4 AVX512_ICL AVX512_SPR"}
    command = [sys.executable, str(TOOLS / "house_digests.py")]
    found = subprocess.run(command, env=plain, capture_output=True, text=True, check=True)
    assert found.stdout == ""


def test_corners_of_houses_lie_on_a_grid() -> None:
    corners = house_scene(generate(1), cached=False).layer("mesh").vertices * 2**20
    assert (corners == corners.round()).all()


def test_a_change_without_a_new_version_is_told() -> None:
    number = PARTS["houses"][2]
    kept = {"version": number, "digests": {"house-00001": "a"}}
    changed = {"version": number, "digests": {"house-00001": "b"}}
    assert "raise GENERATOR_VERSION" in problem("houses", kept, changed)
    assert "house-00001" in problem("houses", kept, changed)
    assert "--write" in problem("houses", {**kept, "version": number - 1}, changed)


def test_plans_say_which_version_made_them() -> None:
    plan = generate(1)
    assert plan.generator == GENERATOR_VERSION
    assert decode_plan(encode_plan(plan)) == plan
    item = plan.items[0].id
    assert edit(plan, RemoveItem(item=item)).generator == GENERATOR_VERSION


def test_houses_of_two_versions_share_no_viewpoint() -> None:
    plan = generate(1)
    other = msgspec.structs.replace(plan, generator=GENERATOR_VERSION + 1)
    ours, theirs = (set(house_scene(one, cached=False).graph.nodes) for one in (plan, other))
    assert len(ours) == len(theirs)
    assert not ours & theirs


def test_a_cached_plan_of_another_version_is_made_anew() -> None:
    plan = load_house("house-00001")
    old = msgspec.structs.replace(plan, generator=GENERATOR_VERSION - 1)
    cache_path("house-00001").unlink()
    with cache_path("house-00001").open("wb") as stream:
        stream.write(encode_plan(old))
    assert load_house("house-00001") == plan


def test_installed_packages_name_their_cache_by_the_number(monkeypatch: pytest.MonkeyPatch) -> None:
    source = Path(keys.__file__)
    assert keys.cache_key(2, libraries=(), sources=[source]) != keys.cache_key(2, libraries=(), sources=[])
    monkeypatch.setattr(keys, "in_checkout", lambda: False)
    assert keys.cache_key(2, libraries=(), sources=[source]) == keys.cache_key(2, libraries=(), sources=[])
    assert keys.cache_key(3, libraries=(), sources=[]) != keys.cache_key(2, libraries=(), sources=[])
    assert houses_key().startswith(f"v{GENERATOR_VERSION}-")


def test_cases_and_runs_say_their_version(folders: Path) -> None:
    assert CaseSet.load(folders / "cases").generator == GENERATOR_VERSION
    for name in ("run", "plain"):
        record = json.loads((folders / name / "run.json").read_text())
        assert record["data"]["generator"] == GENERATOR_VERSION


def test_real_data_have_no_version(tmp_path: Path) -> None:
    vs.run("random", "sample/demo", limit=2, out=tmp_path / "run")
    assert "generator" not in json.loads((tmp_path / "run" / "run.json").read_text())["data"]
    build("outcomes", "sample/demo", out=tmp_path / "cases", most=4)
    assert "generator" not in json.loads((tmp_path / "cases" / ABOUT).read_text())
    vs.run("random", cases=tmp_path / "cases", out=tmp_path / "again")


def test_old_cases_are_refused_with_the_command_that_builds_them(folders: Path, cli: Cli) -> None:
    old = CaseSet.load(folders / "cases").save(folders / "old")
    aged(old / ABOUT)
    assert CaseSet.load(old).generator == 1
    result = cli("run", "random", "--cases", old, "--out", folders / "refused")
    assert result.code == 2
    assert "belong to version 1 of the built-in houses" in result.err
    assert f"vlnscope build outcomes --data {DATA}" in " ".join(result.err.split())
    assert not (folders / "refused").exists()


def test_old_runs_of_cases_keep_their_scores_and_get_no_new_ones(tmp_path: Path, folders: Path) -> None:
    from vlnscope.evaluate.benchmarking import score_run, scored_run

    vs.run("random", cases=folders / "cases", out=tmp_path / "run")
    score_run(tmp_path / "run").keep()
    aged(tmp_path / "run" / ABOUT)
    aged(tmp_path / "run" / "run.json", "data")
    assert scored_run(tmp_path / "run").rows
    with pytest.raises(InputError, match="version 1 of the built-in houses"):
        score_run(tmp_path / "run")
    score_run(folders / "run").keep()
    with pytest.raises(InputError, match="in versions 1 and 2 of the built-in houses"):
        find_runs([tmp_path / "run", folders / "run"])


def test_old_runs_of_episodes_are_neither_scored_nor_resumed(tmp_path: Path, cli: Cli) -> None:
    vs.run("random", DATA, limit=3, out=tmp_path / "run")
    assert cli("score", tmp_path / "run", "--partial", "--metrics", "SR", "--json").code == 0
    aged(tmp_path / "run" / "run.json", "data")
    for command in (
        ("score", tmp_path / "run", "--partial"),
        ("run", "random", "--data", DATA, "--limit", 3, "--resume", "--out", tmp_path / "run"),
    ):
        result = cli(*command)
        assert result.code == 2
        assert "version 1 of the built-in houses" in result.err
