"""Readers of exported files that follow PROTOCOLS.md word by word, in plain Python: nothing here is ours.

They see the files and the navigation graph, as the tools of the papers do, and know no class of vlnscope.
"""

from __future__ import annotations

import heapq
import json
import math
from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import cache
from itertools import pairwise
from pathlib import Path
from typing import Any

Place = tuple[float, ...]
NEAR = 3.0


class PlainGraph:
    """Positions and edges, with shortest distances by Dijkstra's algorithm."""

    def __init__(self, positions: Mapping[str, Place], edges: Iterable[tuple[str, str]]) -> None:
        self.at = dict(positions)
        self.ways: dict[str, dict[str, float]] = {name: {} for name in self.at}
        for a, b in edges:
            self.ways[a][b] = self.ways[b][a] = math.dist(self.at[a], self.at[b])
        self.distances = cache(self._distances)

    @classmethod
    def of_connectivity(cls, path: Path) -> PlainGraph:
        """Read a file of the simulator (H.3)."""
        rows = json.loads(path.read_text())
        names = [row["image_id"] for row in rows]
        at = {row["image_id"]: (row["pose"][3], row["pose"][7], row["pose"][11]) for row in rows}
        used = [row["included"] for row in rows]
        edges = [
            (names[i], names[j])
            for i, row in enumerate(rows)
            for j, free in enumerate(row["unobstructed"])
            if free and used[i] and used[j]
        ]
        return cls(at, edges)

    def _distances(self, start: str) -> dict[str, float]:
        known: dict[str, float] = {}
        front = [(0.0, start)]
        while front:
            length, here = heapq.heappop(front)
            if here not in known:
                known[here] = length
                for there, metres in self.ways[here].items():
                    heapq.heappush(front, (length + metres, there))
        return known

    def far(self, a: str, b: str) -> float:
        """Return the distance along the graph."""
        return self.distances(a).get(b, math.inf)


Graphs = Callable[[str], PlainGraph]


def flattened(trajectory: Any) -> list[str]:
    """Return every string of a trajectory, as the loader of NavNuances does (E.1)."""
    return [part for element in trajectory for part in element if isinstance(part, str)]


def dtw(one: Sequence[Any], other: Sequence[Any], cost: Callable[[Any, Any], float]) -> float:
    """Return the cost of the cheapest alignment (A.3); a forbidden pair costs infinity."""
    row = [0.0] + [math.inf] * len(other)
    for a in one:
        last, row = row, [math.inf]
        for j, b in enumerate(other):
            row.append(cost(a, b) + min(last[j], last[j + 1], row[j]))
    return row[-1]


def mean(values: Iterable[float]) -> float:
    """Return a mean in percent."""
    listed = list(values)
    return 100 * sum(listed) / len(listed)


# R2R (A.1, A.2), RxR (A.5)


def r2r_eval(submission: Path, annotations: Path, graphs: Graphs) -> dict[str, float]:
    """Score a submission as Matterport's eval.py does: all instructions are there, every step is an edge."""
    truth = {f"{item['path_id']}_{k}": item for item in json.loads(annotations.read_text()) for k in range(3)}
    rows = []
    for record in json.loads(submission.read_text()):
        item = truth.pop(record["instr_id"])
        path = record["trajectory"]
        assert path[0][0] == item["path"][0]
        rows.append(walk_scores([element[0] for element in path], item["path"], graphs(item["scan"])))
    assert not truth
    return {
        "TL": mean(row["TL"] for row in rows) / 100,
        "NE": mean(row["NE"] for row in rows) / 100,
        "SR": mean(row["SR"] for row in rows),
        "OSR": mean(row["OSR"] for row in rows),
        "SPL": mean(row["SPL"] for row in rows),
    }


def walk_scores(
    walk: Sequence[str], reference: Sequence[str], graph: PlainGraph, *, check: bool = True
) -> dict[str, float]:
    """Return the scores of one walk; `check` refuses steps that are no edges, as eval.py does."""
    goal = reference[-1]
    length = 0.0
    for a, b in pairwise(walk):
        assert not check or a == b or b in graph.ways[a], "a step is no edge"
        length += graph.far(a, b)
    error = graph.far(walk[-1], goal)
    best = min(graph.far(node, goal) for node in walk)
    shortest = graph.far(walk[0], goal)
    success = float(error < NEAR)
    cost = dtw(walk, reference, graph.far)
    return {
        "TL": length,
        "NE": error,
        "SR": success,
        "OSR": float(best < NEAR),
        "SPL": success * shortest / max(length, shortest) if shortest else 0.0,
        "nDTW": math.exp(-cost / (NEAR * len(reference))),
    }


def rxr_eval(submission: Path, annotations: Mapping[str, Any], graphs: Graphs) -> dict[str, float]:
    """Score RxR lines as its follower files do; `annotations` are guides' records by instruction id."""
    rows = []
    for text in submission.read_text().splitlines():
        record = json.loads(text)
        assert isinstance(record["instruction_id"], int)
        item = annotations[str(record["instruction_id"])]
        rows.append(walk_scores(record["path"], item["path"], graphs(item["scan"])))
    names = {"SR": 1, "SPL": 1, "nDTW": 1}
    scores = {name: mean(row[name] for row in rows) for name in names}
    return scores | {
        "NE": mean(row["NE"] for row in rows) / 100,
        "sDTW": mean(row["SR"] * row["nDTW"] for row in rows),
    }


# NavNuances (E.2)


def navnuances_eval(folder: Path, kind: str, graphs: Graphs) -> dict[str, float]:
    """Return what the released evaluator of a category prints, in percent."""
    items = {str(item["path_id"]): item for item in json.loads((folder / f"R2R_{kind}.json").read_text())}
    walks = {}
    for record in json.loads((folder / f"submit_{kind}.json").read_text()):
        name = record["instr_id"].split("_")[0]
        walks[name] = flattened(record["trajectory"])
        assert name in items
    judged = {
        name: _JUDGES[kind](
            items[name], walk if kind == "VM" else _collapsed(walk), graphs(items[name]["scan"])
        )
        for name, walk in walks.items()
    }
    summary = {key: mean(row[key] for row in judged.values()) for key in next(iter(judged.values()))}
    if kind == "DC":
        summary["pair_sr"] = _dual(judged)
    return summary


def _collapsed(walk: Sequence[str]) -> list[str]:
    return [walk[0], *(b for a, b in pairwise(walk) if a != b)]


def _minus(a: Place, b: Place) -> Place:
    return tuple(x - y for x, y in zip(a, b, strict=True))


def _direction(item: Mapping[str, Any], walk: Sequence[str], graph: PlainGraph) -> dict[str, float]:
    if len(walk) < 2:
        return {"sr": 0.0}
    at = graph.at
    origin = at[item["gt_vp"][0]]
    if item.get("heading_vp"):
        ahead = _minus(at[item["heading_vp"]], origin)
    else:
        ends = zip(at[item["gt_vp"][1]], at[item["vp_neg"][1]], strict=True)
        ahead = _minus(tuple((a + b) / 2 for a, b in ends), origin)
    moved = _minus(at[walk[1]], at[walk[0]])
    left = ahead[0] * moved[1] - ahead[1] * moved[0] > 0
    cosine = sum(a * b for a, b in zip(ahead, moved, strict=True)) / (math.hypot(*ahead) * math.hypot(*moved))
    around = math.degrees(math.acos(max(-1.0, min(1.0, cosine)))) > 120
    text = item["instruction_template"]
    if "around" in text:
        return {"sr": float(around)}
    return {"sr": float(not around and left == ("left" in text))}


def _dual(judged: Mapping[str, Mapping[str, float]]) -> float:
    pairs: dict[str, dict[str, float]] = {}
    for name, row in judged.items():
        pair, _, k = name.rpartition("-path-")
        if k in ("0", "1"):
            pairs.setdefault(pair, {})[k] = row["sr"]
    return mean(min(both.values()) for both in pairs.values() if len(both) == 2)


def _landmark(item: Mapping[str, Any], walk: Sequence[str], graph: PlainGraph) -> dict[str, float]:
    start, end, thing = graph.at[item["path"][0]][:2], graph.at[walk[-1]][:2], tuple(item["obj_center"][:2])
    text = item["instructions"][0].lower()
    if "walk towards" in text:
        return {"sr": float(math.dist(end, thing) < math.dist(start, thing))}
    assert "walk past" in text
    along = _minus(end, start)
    size = sum(x * x for x in along)
    if size == 0:
        return {"sr": 0.0}
    share = sum(a * b for a, b in zip(_minus(thing, start), along, strict=True)) / size
    foot = tuple(s + share * a for s, a in zip(start, along, strict=True))
    inside = math.dist(start, foot) + math.dist(foot, end) - math.dist(start, end) < 1e-7
    return {"sr": float(inside and math.dist(end, thing) < NEAR)}


def _region(item: Mapping[str, Any], walk: Sequence[str], graph: PlainGraph) -> dict[str, float]:
    text = item["instructions"][0].lower()
    into = "go into" in text
    assert into or "exit" in text
    right = [node in item["valid_ends"] if into else node not in item["region_starts"] for node in walk]
    return {"sr": float(right[-1]), "oracle_success": float(any(right))}


def _numerical(item: Mapping[str, Any], walk: Sequence[str], graph: PlainGraph) -> dict[str, float]:
    own = "-".join(str(item["path_id"]).split("-")[-2:])

    def alike(reference: Sequence[str]) -> float:
        cost = dtw(walk, reference, lambda a, b: math.dist(graph.at[a], graph.at[b]))
        return math.exp(-cost / len(reference))

    mine = min(item["set_paths"][own], key=lambda path: graph.far(path[-1], walk[-1]))
    others = [alike(path) for key, paths in item["set_paths"].items() if key != own for path in paths]
    near = graph.far(mine[-1], walk[-1]) <= NEAR
    return {"path_SR": float(near and alike(mine) > max(others)), "nDTW": alike(mine)}


def _vertical(item: Mapping[str, Any], walk: Sequence[str], graph: PlainGraph) -> dict[str, float]:
    reference = item["path"]
    whole = sum(graph.far(a, b) for a, b in pairwise(reference))
    length = sum(graph.far(a, b) for a, b in pairwise(walk))
    success = float(graph.far(walk[-1], reference[-1]) < NEAR)
    cost = dtw(walk, reference, graph.far)
    return {
        "sr": success,
        "oracle_sr": float(min(graph.far(node, reference[-1]) for node in walk) < NEAR),
        "spl": success * whole / max(length, whole, 0.01),
        "nDTW": math.exp(-cost / (NEAR * len(reference))),
    }


_JUDGES: dict[str, Callable[[Mapping[str, Any], Sequence[str], PlainGraph], dict[str, float]]] = {
    "DC": _direction, "LR": _landmark, "RR": _region, "NU": _numerical, "VM": _vertical,
}  # fmt: skip


# vln-behave (D.3, D.6, D.7)

_ARCS = {
    "forward": (-15, 15),
    "right": (15, 90),
    "left": (-90, -15),
    "back-right": (90, 165),
    "back-left": (-165, -90),
}


def _wrapped(radians: float) -> float:
    degrees = math.degrees(radians)
    return degrees - 360 * math.ceil((degrees - 180) / 360)


def behave_eval(
    results: Path, items: Path | None = None, headings: Mapping[str, float] | None = None
) -> float:
    """Return the share of probability on correct actions (Eq. 1), in percent, from a result file.

    Args:
        results: called after its intervention.
        items: what was asked, which only rooms need.
        headings: of objects by ``instr_id``, which only objects need.
    """
    asked = [json.loads(line) for line in items.read_text().splitlines()] if items else []
    goals = {f"{item['path_id']}_{item['instruction_id']}_{item.get('region_name')}": item for item in asked}
    masses = []
    for record in json.loads(results.read_text()):
        ways = record["candidates"][0][1]
        shares = record["final_logits"][0]
        right: list[bool]
        if results.stem.startswith("stop"):
            assert shares[len(ways)] == record["stop_prob"][0]
            masses.append(shares[len(ways)])
            continue
        if results.stem.startswith("direction"):
            right = [_lies(_wrapped(way["heading"]), results.stem.partition("_")[2]) for way in ways]
            if True not in right or right.index(True) < 2:  # the released code stops counting there
                continue
        elif results.stem == "object":
            target = (headings or {})[record["instr_id"]]
            right = [abs(_wrapped(way["normalized_heading"] - target)) < 15 for way in ways]
        else:
            wanted = {index for index, _ in goals[record["instr_id"]]["goal_cand_indexes"]}
            right = [index in wanted for index in range(len(ways))]
        masses.append(sum(share for share, one in zip(shares, right, strict=False) if one))
    return mean(masses)


def _lies(degrees: float, direction: str) -> bool:
    if direction == "backward":
        return degrees > 165 or degrees <= -165
    low, high = _ARCS[direction]
    return low < degrees <= high


def category_names(table: Path) -> Callable[[str], str]:
    """Return how vln-behave calls an object: the mpcat40 name of its raw name, in words."""
    rows = [line.split("\t") for line in table.read_text().splitlines()]
    raw, common = rows[0].index("raw_category"), rows[0].index("mpcat40")
    known = {row[raw]: row[common].replace("_", " ") for row in rows[1:]}
    return lambda name: known.get(name.replace("#", " "), "")


def box_heading(boxes: Mapping[str, Any], name: Callable[[str], str], wanted: str) -> float:
    """Return where the first object of a name is, from REVERIE's boxes of a viewpoint (D.4)."""
    for thing in boxes.values():
        if name(thing["name"]) == wanted and thing["bbox2d"]:
            angles = [
                (view % 12) * math.radians(30) + math.atan((x + w / 2 - 320) / 415.692)
                for view, (x, _, w, _) in zip(thing["visible_pos"], thing["bbox2d"], strict=True)
            ]
            return math.atan2(sum(map(math.sin, angles)), sum(map(math.cos, angles))) % (2 * math.pi)
    raise LookupError(wanted)


# IVLN (B.4)


def tour_ndtw(
    log: Path, reference: Path, *, far: Callable[[Any, Any], float] | None = None, by: str = "transitions"
) -> float:
    """Return t-nDTW in percent, as the code of IVLN-CE has it; `far` and `by` as the discrete code has it.

    Args:
        log: of the agent.
        reference: of the expert, of the same tours.
        far: between two entries; the straight line if not given.
        by: what tours are weighted by, ``transitions`` between episodes or ``episodes``.
    """
    ours, theirs = json.loads(log.read_text()), json.loads(reference.read_text())
    assert ours.keys() == theirs.keys()
    total = weights = 0.0
    for tour in ours:
        steps = [step for k, step in enumerate(ours[tour]) if k == 0 or step != ours[tour][k - 1]]
        walk = [step for step in steps if step["phase"] == "agent"]
        wanted = [step for step in theirs[tour] if step["phase"] == "agent"]
        episodes = list(dict.fromkeys(step["episode_id"] for step in walk))
        assert episodes == list(dict.fromkeys(step["episode_id"] for step in wanted))
        weight = len(episodes) - (by == "transitions")
        total += weight * _constrained(walk, wanted, far or _straight)
        weights += weight
    return 100 * total / weights


def _straight(a: Mapping[str, Any], b: Mapping[str, Any]) -> float:
    return math.dist(a["position"], b["position"])


def _ends(steps: Sequence[Mapping[str, Any]]) -> list[int]:
    return [
        place
        for k, (a, b) in enumerate(pairwise(steps))
        if a["episode_id"] != b["episode_id"]
        for place in (k, k + 1)
    ]


def _constrained(
    walk: Sequence[Mapping[str, Any]],
    wanted: Sequence[Mapping[str, Any]],
    far: Callable[[Any, Any], float],
) -> float:
    """Return nDTW where the reference's ends of episodes may be matched by the walk's only."""
    only = dict(zip(_ends(wanted), _ends(walk), strict=True))

    def cost(i: int, j: int) -> float:
        return far(walk[i], wanted[j]) if only.get(j, i) == i else math.inf

    return math.exp(-dtw(range(len(walk)), range(len(wanted)), cost) / (NEAR * len(wanted)))


# VLN-CE (A.3, A.6)


def vlnce_eval(
    predictions: Path, truth: Mapping[str, Any], geodesic: Callable[[str, Any, Any], float]
) -> dict[str, float]:
    """Score VLN-CE predictions: success needs STOP; nDTW by straight lines against the dense expert walk.

    Args:
        predictions: the file.
        truth: by episode ``scan``, ``start``, ``goal`` and ``locations``.
        geodesic: distance on the navigation mesh of a scan.
    """
    rows = []
    for name, steps in json.loads(predictions.read_text()).items():
        item = truth[name]
        points = [tuple(step["position"]) for step in steps]
        assert all(set(step) == {"position", "heading", "stop"} for step in steps)
        moved = [points[0], *(b for a, b in pairwise(points) if a != b)]
        error = geodesic(item["scan"], points[-1], item["goal"])
        length = sum(math.dist(a, b) for a, b in pairwise(points))
        shortest = geodesic(item["scan"], item["start"], item["goal"])
        success = float(error < NEAR and steps[-1]["stop"])
        cost = dtw(moved, item["locations"], math.dist)
        rows.append(
            {
                "TL": length,
                "NE": error,
                "SR": success,
                "SPL": success * shortest / max(shortest, length),
                "nDTW": math.exp(-cost / (NEAR * len(item["locations"]))),
            }
        )
    return {name: mean(row[name] for row in rows) / (100 if name in ("TL", "NE") else 1) for name in rows[0]}


# REVERIE (its eval_release.py: the object must be visible where the agent stops)


def reverie_eval(
    submission: Path, truth: Mapping[str, Any], graphs: Graphs, visible: Callable[[str, str, str], bool]
) -> dict[str, float]:
    """Score a REVERIE submission.

    Args:
        submission: the file.
        truth: by ``instr_id``: ``scan``, ``path`` and ``objId``.
        graphs: by scan.
        visible: is an object listed among the boxes of a viewpoint?
    """
    rows = []
    for record in json.loads(submission.read_text()):
        item = truth[record["instr_id"]]
        walk = [element[0] for element in record["trajectory"]]
        graph = graphs(item["scan"])
        seen = [visible(item["scan"], node, str(item["objId"])) for node in walk]
        shortest = graph.far(walk[0], item["path"][-1])
        length = sum(graph.far(a, b) for a, b in pairwise(walk))
        ratio = shortest / max(length, shortest, 0.01)
        found = str(record["predObjId"]) == str(item["objId"])
        rows.append((seen[-1], any(seen), seen[-1] * ratio, found, found * ratio))
    names = ("SR", "OSR", "SPL", "RGS", "RGSPL")
    return {name: mean(row[k] for row in rows) for k, name in enumerate(names)}
