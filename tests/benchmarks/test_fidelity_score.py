"""Scores of fidelity: the same numbers as `score`, defined where cases fail, what the paper says of R4R."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from vlnscope.benchmarks.fidelity.build.cases import build_cases
from vlnscope.benchmarks.fidelity.score import NEEDED, score_cases
from vlnscope.benchmarks.kit.benchmark import get_benchmark
from vlnscope.benchmarks.kit.case_set import CaseSet
from vlnscope.engine.run import run
from vlnscope.episodes.datasets.dataset import Dataset, open_dataset
from vlnscope.episodes.formats.evidence import EvidenceLine
from vlnscope.evaluate.score.score import score
from vlnscope.types import ScoreRow
from vlnscope.worlds.scene import Scenes

PROFILES = ("default", "paper", "hamt", "r2r-server", "google", "valan")


def scenes_of(dataset: Dataset) -> Scenes:
    scenes = dataset.scenes
    assert scenes is not None
    return scenes


def walk(agent: str, asked: CaseSet, dataset: Dataset, out: Path) -> dict[str, EvidenceLine]:
    done = run(agent, dataset, out=out, cases=asked.cases, max_steps=asked.rules.max_steps)
    return done.lines()


def mean(rows: list[ScoreRow], metric: str) -> float:
    return float(np.mean([row.values[metric] for row in rows]))


@pytest.mark.parametrize("profile", PROFILES)
def test_the_numbers_are_those_of_score(profile: str, tmp_path: Path) -> None:
    dataset = open_dataset("sample/demo")
    asked = build_cases(dataset, variant="as-is", ablations=["full"])
    done = run("noisy:p=0.4", dataset, out=tmp_path, cases=asked.cases)
    rows = {
        row.groups["pair"]: row
        for row in score_cases(asked, done.lines(), scenes_of(dataset), profile=profile)
    }
    told = score(done.evidence, dataset, profile=profile).to_pandas().set_index("episode_id")
    metrics = [name for name in told.columns if name in next(iter(rows.values())).values]
    assert len(metrics) > 3
    for episode_id, other in told.iterrows():
        for name in metrics:
            mine = rows[str(episode_id)].values.get(name, np.nan)
            assert mine == pytest.approx(other[name], abs=1e-12, nan_ok=True)


def test_every_case_has_a_row_with_what_findings_need(tmp_path: Path) -> None:
    dataset = open_dataset("sample/demo")
    asked = build_cases(dataset, max_episodes=4)
    lines = walk("shortest", asked, dataset, tmp_path)
    rows = get_benchmark("fidelity").score_cases(asked, lines, scenes_of(dataset), profile="r2r-server")
    assert [row.episode_id for row in rows] == [case.case_id for case in asked.cases]
    assert [row.groups for row in rows] == [case.groups for case in asked.cases]
    assert all(set(NEEDED) <= row.values.keys() | row.undefined.keys() for row in rows)
    some = {case_id: lines[case_id] for case_id in list(lines)[::2]}
    partial = score_cases(asked, some, scenes_of(dataset), profile="r2r-server")
    assert partial == [row for row in rows if row.episode_id in some]
    assert score_cases(asked, {}, scenes_of(dataset)) == []


def test_a_failed_case_is_worst_even_where_staying_would_succeed() -> None:
    dataset = open_dataset("sample/demo")
    asked = build_cases(dataset, ablations=["full"])
    back = next(case for case in asked.cases if case.episode.extra["shortest_path_distance"] < 3)
    common: dict[str, Any] = {"v": 2, "case_id": back.case_id, "episode_id": back.episode.episode_id}
    stays = EvidenceLine(**common, path=back.episode.path[:1], stopped=True)
    failed = EvidenceLine(**common, path=back.episode.path[:1], failed="out of memory")
    (row,) = score_cases(asked, {back.case_id: stays}, scenes_of(dataset))
    assert row.values["SR"] == 1.0
    (row,) = score_cases(asked, {back.case_id: failed}, scenes_of(dataset))
    assert {row.values[name] for name in ("SR", "OSR", "SPL", "CLS", "nDTW", "sDTW", "SED")} == {0.0}
    assert row.undefined["NE"] == row.undefined["TL"] == "the case failed: out of memory"


@pytest.fixture(scope="module")
def r4r(data_root: Path) -> tuple[Dataset, CaseSet]:
    """R4R val_seen, one instruction of each path."""
    dataset = open_dataset("r2r/val_seen", data_root)
    return dataset, build_cases(dataset, ablations=["full"], max_instructions=1)


def test_a_perfect_follower_is_perfect_to_hamt_only(
    r4r: tuple[Dataset, CaseSet], shared: Path, tmp_path: Path
) -> None:
    dataset, asked = r4r
    lines = walk("shortest:follow=reference", asked, dataset, tmp_path)
    rows = {name: score_cases(asked, lines, scenes_of(dataset), profile=name) for name in ("hamt", "paper")}
    assert mean(rows["hamt"], "SPL") == 1.0
    assert mean(rows["paper"], "CLS") == pytest.approx(1.0)
    official: Any = json.loads((shared / "fixtures" / "r4r_construction.json").read_text())
    optima = [item["shortest_path_distance"] / item["distance"] for item in official["val_seen_items"]]
    assert mean(rows["paper"], "SPL") == pytest.approx(np.mean(optima), abs=1e-4)
    examples: Any = json.loads((shared / "fixtures" / "episode_metrics_r4r.json").read_text())
    perfect = {str(it["path_id"]): it["values"]["mp3d_spl"] for it in examples if it["agent"] == "reference"}
    chosen = {row.path_id: row.values["SPL"] for row in rows["paper"] if row.path_id in perfect}
    assert chosen == pytest.approx(perfect, abs=1e-9)
    assert np.mean(list(chosen.values())) == pytest.approx(0.597, abs=1e-3)


def test_heading_straight_for_the_goal_is_praised_by_spl(
    r4r: tuple[Dataset, CaseSet], tmp_path: Path
) -> None:
    dataset, asked = r4r
    rows = score_cases(asked, walk("shortest", asked, dataset, tmp_path), scenes_of(dataset), profile="paper")
    assert all(row.values["SPL"] >= row.values["CLS"] - 1e-12 for row in rows if row.values["SPL"])
    assert mean(rows, "SPL") > mean(rows, "CLS") + 0.3
