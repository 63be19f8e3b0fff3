"""RxR's numbers (ne, sr, spl, dtw, ndtw, sdtw), computed here step by step from their formulas."""

from __future__ import annotations

import json
import math
import shutil
from itertools import pairwise
from pathlib import Path
from typing import Any

import pytest

import vlnscope as vs
from commands import Cli
from vlnscope.metrics.profiles.profile import get_profile
from vlnscope.worlds.graph.navgraph import NavGraph
from vlnscope.worlds.matterport.scans import MatterportScenes

SAMPLE = Path(vs.__file__).parent / "sample"


@pytest.fixture(scope="module")
def root(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The sample as RxR would have it: guides' lines, and a submission that cuts or lengthens each path."""
    folder = tmp_path_factory.mktemp("rxr")
    shutil.copytree(SAMPLE / "connectivity", folder / "connectivity")
    (folder / "rxr").mkdir()
    guides, walks = [], []
    for k, record in enumerate(json.loads((SAMPLE / "r2r" / "R2R_demo.json").read_text())):
        line = {key: record[key] for key in ("path_id", "scan", "path", "heading")}
        line |= {"instruction_id": 100 + k, "instruction": record["instructions"][0], "language": "en-US"}
        guides.append(json.dumps(line))
        path = record["path"]
        walked = [path, path[:-1], path[:2], [*path, path[-2]]][k % 4]
        walks.append(json.dumps({"instruction_id": 100 + k, "path": walked}))
    (folder / "rxr" / "rxr_val_unseen_guide.jsonl").write_text("\n".join(guides) + "\n")
    (folder / "walks.jsonl").write_text("\n".join(walks) + "\n")
    return folder


def lines(file: Path) -> list[dict[str, Any]]:
    return [json.loads(line) for line in file.read_text().splitlines()]


def warped(graph: NavGraph, walked: list[str], reference: list[str]) -> float:
    """Cost of the cheapest alignment, by the textbook recurrence."""
    table = {(i, 0): math.inf for i in range(len(walked) + 1)}
    table |= {(0, j): math.inf for j in range(len(reference) + 1)} | {(0, 0): 0.0}
    for i, a in enumerate(walked, 1):
        for j, b in enumerate(reference, 1):
            least = min(table[i - 1, j], table[i, j - 1], table[i - 1, j - 1])
            table[i, j] = graph.distance(a, b) + least
    return table[len(walked), len(reference)]


def expected(graph: NavGraph, walked: list[str], reference: list[str]) -> dict[str, float]:
    error = graph.distance(walked[-1], reference[-1])
    length = sum(graph.distance(a, b) for a, b in pairwise(walked))
    shortest = graph.distance(reference[0], reference[-1])
    dtw = warped(graph, walked, reference)
    success = float(error < 3.0)
    ndtw = math.exp(-dtw / (3.0 * len(reference)))
    spl = success * shortest / max(length, shortest)
    return {"NE": error, "SR": success, "SPL": spl, "DTW": dtw, "nDTW": ndtw, "sDTW": success * ndtw}


def test_every_episode_has_what_a_follower_file_states(root: Path) -> None:
    guides = lines(root / "rxr" / "rxr_val_unseen_guide.jsonl")
    walks = {line["instruction_id"]: line["path"] for line in lines(root / "walks.jsonl")}
    rows = {
        row.episode_id: row.values
        for row in vs.score(root / "walks.jsonl", "rxr/val_unseen", root=root, profile="rxr").rows()
    }
    scenes = MatterportScenes(root)
    for guide in guides:
        graph = scenes.scene(guide["scan"]).graph
        wanted = expected(graph, walks[guide["instruction_id"]], guide["path"])
        assert rows[str(guide["instruction_id"])] == pytest.approx(wanted, abs=1e-5)
    assert {row["SR"] for row in rows.values()} == {0.0, 1.0}


def test_the_profile_lists_what_rxr_reports_and_nothing_else(root: Path, cli: Cli) -> None:
    asked = ("score", root / "walks.jsonl", "--data", "rxr/val_unseen", "--root", root)
    assert list(cli(*asked, "--profile", "rxr", "--json").data["metrics"]) == [
        "NE", "SR", "SPL", "DTW", "nDTW", "sDTW",
    ]  # fmt: skip
    assert get_profile("rxr").switches == get_profile("default").switches
