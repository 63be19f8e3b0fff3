"""Writes the data on which mixed models are compared with lme4; `Rscript tests/lme4/fit.R` then fits them.

python tests/lme4/make_data.py
"""

from __future__ import annotations

import csv
import json
from pathlib import Path
from typing import Any

import numpy as np

HERE = Path(__file__).parent
Columns = dict[str, list[Any]]

MODELS: dict[str, dict[str, Any]] = {
    "balanced": {"fixed": ["x"], "groups": ["scan"]},
    "ragged": {"fixed": ["agent"], "groups": ["scan"]},
    "paths": {"fixed": ["x", "agent"], "groups": ["scan", "path"]},
    "steps": {"fixed": ["x", "agent"], "groups": ["scan", "path", "step"]},
    "no_paths": {"fixed": ["x"], "groups": ["scan", "path"]},
    "no_scans": {"fixed": ["x"], "groups": ["scan", "path"]},
    "nothing": {"fixed": ["agent"], "groups": ["scan", "path"]},
    "intercept": {"fixed": [], "groups": ["scan", "path"]},
    "success": {"fixed": ["length", "agent"], "groups": ["scan", "path"]},
    "far": {"fixed": ["x", "z"], "groups": ["scan", "path"]},
    "slopes": {"fixed": ["x"], "groups": ["scan"], "slopes": {"scan": ["x"]}},
    "slopes_paths": {"fixed": ["x"], "groups": ["scan", "path"], "slopes": {"scan": ["x"]}},
}


def keys(rng: np.random.Generator, scans: int, paths: tuple[int, int], rows: tuple[int, int]) -> Columns:
    """Keys of scans with paths with rows, their numbers drawn from ranges; path ids repeat across scans."""
    columns: Columns = {"scan": [], "path": []}
    for scan in range(scans):
        for path in range(int(rng.integers(*paths, endpoint=True))):
            count = int(rng.integers(*rows, endpoint=True))
            columns["scan"] += [f"s{scan:02d}"] * count
            columns["path"] += [f"p{path:02d}"] * count
    return columns


def effects(rng: np.random.Generator, columns: Columns, levels: list[str], deviation: float) -> Any:
    """One normal draw per unit of the innermost of `levels`, spread over the rows."""
    units = ["/".join(unit) for unit in zip(*(columns[level] for level in levels), strict=True)]
    draws = {unit: rng.normal(0, deviation) for unit in sorted(set(units))}
    return np.array([draws[unit] for unit in units])


def data() -> dict[str, Columns]:
    made: dict[str, Columns] = {}
    for seed, name in enumerate(MODELS):
        rng = np.random.default_rng(seed)
        sizes: dict[str, Any] = {
            "balanced": (12, (1, 1), (10, 10)),
            "ragged": (40, (1, 1), (1, 15)),
            "paths": (11, (2, 14), (1, 6)),
            "steps": (9, (3, 10), (4, 12)),
            "success": (11, (5, 40), (3, 3)),
            "slopes": (20, (1, 1), (6, 14)),
            "slopes_paths": (16, (3, 6), (3, 7)),
        }
        columns = keys(rng, *sizes.get(name, (15, (2, 7), (2, 5))))
        n = len(columns["scan"])
        columns["step"] = [f"t{i}" for i in rng.integers(1, 4, n)]
        columns["agent"] = ["ABC"[i] for i in rng.integers(3, size=n)]
        x = rng.normal(size=n)
        agent = np.array([{"A": 0.0, "B": 0.4, "C": -0.2}[a] for a in columns["agent"]])
        scan = 0.0 if name in ("no_scans", "nothing") else 0.8
        path = 0.0 if name in ("no_paths", "nothing") else 0.6
        y = 2 + 0.5 * x + agent + rng.normal(size=n)
        y += effects(rng, columns, ["scan"], scan) + effects(rng, columns, ["scan", "path"], path)
        if name == "steps":
            y += effects(rng, columns, ["scan", "path", "step"], 0.7)
        if name in ("no_paths", "no_scans", "nothing"):
            y -= spread_between(columns, y, name)
        if name.startswith("slopes"):
            y += effects(rng, columns, ["scan"], 0.5) * x
        if name == "far":
            y, x = 1e5 + 20 * y, 1e-3 * x + 7.0
            columns["z"] = np.round(rng.uniform(2000, 2020, n)).tolist()
        columns["length"] = rng.integers(4, 9, n).tolist()
        if name == "success":
            y = (y - 0.3 * np.array(columns["length"]) > 0).astype(float)
        columns["x"] = np.round(x, 6).tolist()
        columns["y"] = np.round(y, 4).tolist()
        spec = MODELS[name]
        made[name] = {column: columns[column] for column in ["y", *spec["fixed"], *spec["groups"]]}
    return made


def spread_between(columns: Columns, y: Any, name: str) -> Any:
    """Most of the differences between units, so that their estimated variance is zero."""
    level = {"no_paths": ["scan", "path"], "no_scans": ["scan"], "nothing": ["scan", "path"]}[name]
    units = ["/".join(unit) for unit in zip(*(columns[k] for k in level), strict=True)]
    outer = columns["scan"] if name == "no_paths" else [""] * len(units)
    excess = np.zeros(len(units))
    for unit in set(units):
        rows = np.array([u == unit for u in units])
        inside = np.array([o == outer[int(np.flatnonzero(rows)[0])] for o in outer])
        excess[rows] = 0.9 * (y[rows].mean() - y[inside].mean())
    return excess


def main() -> None:
    for name, columns in data().items():
        with (HERE / f"{name}.csv").open("w", newline="") as stream:
            writer = csv.writer(stream)
            writer.writerow(columns)
            writer.writerows(zip(*columns.values(), strict=True))
    (HERE / "models.json").write_text(json.dumps(MODELS, indent=1) + "\n")


if __name__ == "__main__":
    main()
