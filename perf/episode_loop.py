"""Metrics the way evaluators are usually written: one episode after the other, dicts and small arrays.

Slow and simple on purpose: speed is compared with it, and the tests take it for an independent opinion.
"""

from __future__ import annotations

import itertools

import numpy as np

from vlnscope.types import Episode, Prediction
from vlnscope.worlds.graph.navgraph import NavGraph

Distances = dict[str, dict[str, float]]


def loop(
    graphs: dict[str, NavGraph], episodes: list[Episode], predictions: list[Prediction]
) -> list[dict[str, float]]:
    """Score predictions one after the other."""
    tables = {scan: nested(graph) for scan, graph in graphs.items()}
    gold = {e.episode_id: e for e in episodes}
    rows = []
    for prediction in predictions:
        episode = gold[prediction.episode_id]
        rows.append(one_episode(tables[episode.scan], list(prediction.path), list(episode.path)))
    return rows


def nested(graph: NavGraph) -> Distances:
    """Distances as a dict of dicts."""
    return {
        a: dict(zip(graph.nodes, row, strict=True))
        for a, row in zip(graph.nodes, graph.distances.tolist(), strict=True)
    }


def one_episode(d: Distances, path: list[str], reference: list[str]) -> dict[str, float]:
    """All metrics of one episode."""
    start, goal = reference[0], reference[-1]
    length = float(np.sum([d[a][b] for a, b in itertools.pairwise(path)]))
    reference_length = float(np.sum([d[a][b] for a, b in itertools.pairwise(reference)]))
    error = d[path[-1]][goal]
    oracle_error = min(d[node][goal] for node in path)
    success = float(error < 3.0)
    optimum = d[start][goal]
    coverage = float(np.mean([np.exp(-np.min([d[r][p] for p in path]) / 3.0) for r in reference]))
    expected = coverage * reference_length
    length_score = expected / (expected + abs(expected - length))
    dtw = warp(d, path, reference)
    ndtw = float(np.exp(-dtw / (3.0 * len(reference))))
    edits = levenshtein(moves(path), moves(reference))
    walked, best = 0.0, 0.0
    for i, node in enumerate(path):
        walked += d[path[i - 1]][node] if i else 0.0
        if d[node][goal] < 3.0:
            best = max(best, optimum / max(walked, optimum) if max(walked, optimum) else 1.0)
    spl = success * (optimum / max(length, optimum) if max(length, optimum) else 1.0)
    return {
        "TL": length, "steps": len(path) - 1, "NE": error, "ONE": oracle_error, "SR": success,
        "OSR": float(oracle_error < 3.0), "SPL": spl, "oracle-SPL": best,
        "SED": success * (1 - edits / max(len(path) - 1, len(reference) - 1, 1)),
        "PC": coverage, "LS": length_score, "CLS": coverage * length_score,
        "DTW": dtw, "nDTW": ndtw, "sDTW": success * ndtw, "ED": edits, "GD": optimum,
    }  # fmt: skip


def warp(d: Distances, path: list[str], reference: list[str]) -> float:
    """Dynamic time warping, cell by cell in a NumPy array."""
    table = np.inf * np.ones((len(path) + 1, len(reference) + 1))
    table[0][0] = 0
    for i in range(1, len(path) + 1):
        for j in range(1, len(reference) + 1):
            best = min(table[i - 1][j], table[i][j - 1], table[i - 1][j - 1])
            table[i][j] = d[path[i - 1]][reference[j - 1]] + best
    return float(table[len(path)][len(reference)])


def moves(path: list[str]) -> list[tuple[str, str]]:
    """Pairs of successive nodes."""
    return list(itertools.pairwise(path))


def levenshtein(a: list[tuple[str, str]], b: list[tuple[str, str]]) -> int:
    """Edit distance, row by row."""
    row = list(range(len(b) + 1))
    for i, x in enumerate(a, 1):
        corner, row[0] = row[0], i
        for j, y in enumerate(b, 1):
            corner, row[j] = row[j], min(corner + (x != y), row[j] + 1, row[j - 1] + 1)
    return row[-1]
