"""Every column of the oracle fixtures is matched by choosing a profile."""

from __future__ import annotations

import gzip
import json
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from vlnscope.evaluate.score.tour_logs import tour_log_batch
from vlnscope.metrics.batch import PathBatch, graph_batch, point_batch
from vlnscope.metrics.evaluate import evaluate
from vlnscope.metrics.kernels.geometry import GraphTable
from vlnscope.metrics.kernels.ragged import Ragged
from vlnscope.metrics.measures.tour_ndtw import tour_weights
from vlnscope.metrics.metric import get_metric
from vlnscope.metrics.profiles.profile import get_profile
from vlnscope.metrics.values import Values
from vlnscope.types import TourLog, TourStep
from vlnscope.worlds.matterport.scans import load_graph

PROFILES = {"hamt": "hamt", "mp3d": "r2r-server", "google": "google", "valan": "valan", "spec": "paper"}
COLUMNS = {
    "hamt_nav_error": "NE", "hamt_oracle_error": "ONE", "hamt_trajectory_steps": "steps",
    "hamt_trajectory_lengths": "TL", "hamt_success": "SR", "hamt_spl": "SPL", "hamt_oracle_success": "OSR",
    "hamt_DTW": "DTW", "hamt_nDTW": "nDTW", "hamt_SDTW": "sDTW", "hamt_CLS": "CLS",
    "mp3d_nav_error": "NE", "mp3d_oracle_error": "ONE", "mp3d_trajectory_length": "TL",
    "mp3d_shortest_path_length": "GD", "mp3d_success": "SR", "mp3d_oracle_success": "OSR", "mp3d_spl": "SPL",
    "google_cls": "CLS", "google_dtw": "DTW", "google_ndtw": "nDTW", "google_sdtw": "sDTW",
    "valan_path_length": "TL", "valan_navigation_error": "NE", "valan_success": "SR",
    "valan_oracle_success": "OSR", "valan_spl": "SPL", "valan_num_steps": "steps",
    "valan_dtw_over_ref_length": "DTW", "valan_ndtw": "nDTW", "valan_sdtw": "sDTW", "valan_cls": "CLS",
    "spec_edit_distance": "ED", "spec_sed": "SED", "spec_success_le": "SR", "spec_oracle_success_le": "OSR",
    "spec_spl_shortest_le": "SPL",
}  # fmt: skip


class Graphs:
    """The graphs of some scans as one table."""

    def __init__(self, root: Path, scans: Sequence[str]) -> None:
        self.scans = sorted(set(scans))
        graphs = [load_graph(root / "connectivity" / f"{s}_connectivity.json") for s in self.scans]
        self.index = [g.index for g in graphs]
        self.table = GraphTable(graphs)

    def batch(self, rows: Sequence[tuple[str, list[str], list[str]]]) -> PathBatch:
        scene = [self.scans.index(scan) for scan, _, _ in rows]
        pred = [[self.index[s][v] for v in path] for s, (_, path, _) in zip(scene, rows, strict=True)]
        ref = [[self.index[s][v] for v in path] for s, (_, _, path) in zip(scene, rows, strict=True)]
        return graph_batch(self.table, np.array(scene), Ragged.nodes(pred), Ragged.nodes(ref))


def assert_column(values: Values, expected: Sequence[Any], column: str) -> None:
    for i, number in enumerate(expected):
        if isinstance(number, str):  # the official code raises
            assert values.reason(i), f"{column} row {i}: the official code raises {number}"
        else:
            assert values.reason(i) is None, f"{column} row {i}: {values.reason(i)}"
            assert values.values[i] == pytest.approx(number, abs=1e-9), f"{column} row {i}"


@pytest.mark.parametrize("name", ["r2r", "r4r"])
def test_episode_metrics(shared: Path, name: str) -> None:
    rows = json.loads((shared / "fixtures" / f"episode_metrics_{name}.json").read_text())
    graphs = Graphs(shared / "data", [row["scan"] for row in rows])
    batch = graphs.batch([(row["scan"], row["prediction"], row["reference"]) for row in rows])
    found = {f"spec_{k}" for k in rows[0]["spec_values"]} | set(rows[0]["values"])
    assert found == set(COLUMNS)
    for column, metric in COLUMNS.items():
        family, key = column.split("_", 1)
        expected = [row["spec_values"][key] if family == "spec" else row["values"][column] for row in rows]
        found = evaluate(batch, get_profile(PROFILES[family]), [metric])
        assert_column(found[metric], expected, column)


def test_tour_ndtw_on_graphs(shared: Path) -> None:
    tours = json.loads((shared / "fixtures" / "tndtw_discrete.json").read_text())
    graphs = Graphs(shared / "data", [tour["scan"] for tour in tours])
    rows = [(t["scan"], e["prediction"], e["reference"]) for t in tours for e in t["episodes"]]
    sizes = [len(tour["episodes"]) for tour in tours]
    batch = replace(graphs.batch(rows), tour=np.repeat(np.arange(len(tours)), sizes))
    for column, profile in (
        ("official_ivln_discrete_tour_ndtw", "ivln"),
        ("paper_text_tour_ndtw", "paper"),
    ):
        values = get_metric("t-nDTW").compute(batch, get_profile(profile).switches)
        assert_column(values, [tour[column] for tour in tours], column)


def tour_logs(paths: dict[str, list[dict[str, Any]]]) -> list[TourLog]:
    return [
        TourLog(
            tour_id=tour,
            steps=tuple(
                TourStep(position=tuple(s["position"]), episode_id=s["episode_id"], phase=s["phase"])
                for s in steps
            ),
        )
        for tour, steps in paths.items()
    ]


def test_tour_ndtw_in_continuous_space(shared: Path) -> None:
    splits = json.loads((shared / "fixtures" / "tndtw_ce.json").read_text())
    official = get_profile("ivln-ce").switches
    for split in splits:
        batch, ids = tour_log_batch(tour_logs(split["agent_paths"]), tour_logs(split["gt_paths"]))
        values = get_metric("t-nDTW").compute(batch, official)
        assert_column(values, [split["per_tour_official"][tour] for tour in ids], "per tour")
        for column, switches in (
            ("split_tndtw_official", official),
            ("split_tndtw_paper_weights", replace(official, tour_weight="episodes")),
        ):
            weights = tour_weights(batch, switches)
            if isinstance(split[column], str):
                assert weights.sum() == 0, "the official code divides by zero"
            else:
                mean = np.average(values.values, weights=weights)
                assert mean == pytest.approx(split[column], abs=1e-9)


def ce_prediction(row: dict[str, Any]) -> list[list[float]]:
    if row["prediction"] is not None:
        return list(row["prediction"])
    gt = row["gt_locations"]
    path = {
        "gt": gt,
        "truncated": gt[: max(1, len(gt) // 2)],
        "static": gt[:1],
        "subsampled": gt[::4],
        "collinear_loop": gt + gt[::-1],
    }[row["kind"]]
    return [point for i, point in enumerate(path) if i == 0 or point != path[i - 1]]


def test_ndtw_in_continuous_space(shared: Path) -> None:
    fixture = json.loads((shared / "fixtures" / "ndtw_ce.json").read_text())
    with gzip.open(shared / "data" / "r2r_ce" / fixture["gt_file"]) as stream:
        truth = json.load(stream)
    rows = fixture["rows"] + fixture["random_walk_rows"]
    for row in rows:
        row["gt_locations"] = row["gt_locations"] or truth[row["episode_id"]]["locations"]
    pred = Ragged.points([ce_prediction(row) for row in rows])
    ref = Ragged.points([row["gt_locations"] for row in rows])
    batch = point_batch(pred, ref, np.array([row["gt_locations"][-1] for row in rows]))
    fast = get_profile("vlnce").switches
    exact = replace(fast, warping="exact")
    for column, metric, switches in (
        ("fastdtw_distance", "DTW", fast),
        ("dtw_distance", "DTW", exact),
        ("ndtw_fast", "nDTW", fast),
        ("ndtw_exact", "nDTW", exact),
        ("path_length_euclid", "TL", fast),
    ):
        values = get_metric(metric).compute(batch, switches)
        known = [i for i, row in enumerate(rows) if column in row]
        assert len(known) > 100
        assert_column(values.take(np.array(known)), [rows[i][column] for i in known], column)
