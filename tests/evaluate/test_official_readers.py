"""The readers with which exports are checked agree with what the official code gave."""

from __future__ import annotations

import json
from functools import cache
from math import dist
from pathlib import Path
from typing import Any

import pytest

from official_readers import PlainGraph, behave_eval, dtw, tour_ndtw, walk_scores


def fixture(shared: Path, name: str) -> Any:
    return json.loads((shared / "fixtures" / f"{name}.json").read_text())


@pytest.fixture(scope="module")
def graph(data_root: Path) -> Any:
    folder = data_root / "connectivity"
    return cache(lambda scan: PlainGraph.of_connectivity(folder / f"{scan}_connectivity.json"))


def test_scores_of_directions(shared: Path, tmp_path: Path) -> None:
    oracle = fixture(shared, "vln_behave")
    for direction, wanted in oracle["direction_soft_score"].items():
        path = tmp_path / f"direction_{direction.replace(' ', '-')}.json"
        path.write_text(json.dumps(oracle["results"]))
        assert behave_eval(path) == pytest.approx(100 * wanted, abs=1e-9), direction


def test_tours_in_continuous_space(shared: Path, tmp_path: Path) -> None:
    for number, one in enumerate(fixture(shared, "tndtw_ce")):
        log, reference = tmp_path / f"log{number}.json", tmp_path / f"gt{number}.json"
        log.write_text(json.dumps(one["agent_paths"]))
        reference.write_text(json.dumps(one["gt_paths"]))
        if not any(one["episodes_per_tour_official"].values()):
            with pytest.raises(ZeroDivisionError):  # as the code of IVLN-CE does (DIFF-10)
                tour_ndtw(log, reference)
            continue
        assert tour_ndtw(log, reference) == pytest.approx(100 * one["split_tndtw_official"], abs=1e-9)


def test_tours_on_graphs(shared: Path, graph: Any, tmp_path: Path) -> None:
    for number, one in enumerate(fixture(shared, "tndtw_discrete")):
        paths = []
        for side in ("prediction", "reference"):
            steps = [
                {"viewpoint": node, "place": place, "phase": "agent", "episode_id": str(k)}
                for k, episode in enumerate(one["episodes"])
                for place, node in enumerate(episode[side])
            ]
            paths.append(tmp_path / f"{side}{number}.json")
            paths[-1].write_text(json.dumps({"0": steps}))
        far = graph(one["scan"]).far
        found = tour_ndtw(
            *paths, far=lambda a, b, far=far: far(a["viewpoint"], b["viewpoint"]), by="episodes"
        )
        assert found == pytest.approx(100 * one["official_ivln_discrete_tour_ndtw"], abs=1e-9)


def _along(graph: PlainGraph, a: Any, b: Any) -> float:
    return graph.far(a["viewpoint"], b["viewpoint"])


def test_walks_on_graphs(shared: Path, graph: Any) -> None:
    names = {"NE": "mp3d_nav_error", "TL": "mp3d_trajectory_length", "SR": "mp3d_success", "SPL": "mp3d_spl"}
    names |= {"OSR": "mp3d_oracle_success", "nDTW": "hamt_nDTW"}
    compared = set()
    for one in fixture(shared, "episode_metrics_r2r"):
        scores = walk_scores(one["prediction"], one["reference"], graph(one["scan"]), check=False)
        for ours, theirs in names.items():
            if isinstance(one["values"].get(theirs), float):
                assert scores[ours] == pytest.approx(one["values"][theirs], abs=1e-9), (
                    one["instr_id"],
                    theirs,
                )
                compared.add(ours)
    assert compared >= {"SPL", "nDTW"}


def test_walks_in_continuous_space(shared: Path) -> None:
    for row in fixture(shared, "ndtw_ce")["random_walk_rows"]:
        cost = dtw(row["prediction"], row["gt_locations"], dist)
        assert cost == pytest.approx(row["dtw_distance"], abs=1e-6)
