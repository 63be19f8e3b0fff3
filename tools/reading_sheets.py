"""Draw items of a case set and put down, for each, what a reader needs to judge it: text, map, sights.

    python tools/reading_sheets.py CASES OUT --count 40 --seed 7 [--root DATA]

A sheet is ``NN.txt`` (what is asked, which answer counts as right, what is to be seen on the way) and
``NN.png`` (a map of the surroundings; in built-in houses also the views where the agent decides). Items are
drawn in turn from all skills, categories or types of the set, so that rare ones are read too. ``items.csv``
lists what was drawn.
"""

from __future__ import annotations

import argparse
import csv
import math
import sys
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

import matplotlib as mpl
import matplotlib.pyplot as plt
import numpy as np
from matplotlib.axes import Axes

from vlnscope.benchmarks.kit.case_set import CaseSet
from vlnscope.core.rng import rng_for
from vlnscope.episodes.datasets.dataset import open_dataset
from vlnscope.perception.sights.captions import CaptionFile
from vlnscope.types import Case
from vlnscope.worlds.scene import Scene, Scenes

DRAWN_BY = ("skill", "category", "type")
KINDS = (*DRAWN_BY, "sub", "variant", "hops")
SIDES = (
    "ahead",
    "ahead right",
    "right",
    "back right",
    "behind",
    "back left",
    "left",
    "ahead left",
)
AROUND = 7.0
"""Metres around the walk that the map shows."""
NAMED = 7.0
"""Metres around the walk within which objects are named on the map."""


def kind_of(case: Case, keys: Sequence[str] = KINDS) -> tuple[str, ...]:
    """Return what kind of item a case is, by the groups that benchmarks use for that."""
    return tuple(case.groups[key] for key in keys if key in case.groups)


def drawn(case_set: CaseSet, count: int, seed: int) -> list[Case]:
    """Draw items in turn from each skill, category or type, without controls and clean texts."""
    kinds: dict[tuple[str, ...], list[Case]] = {}
    for case in case_set.cases:
        if case.groups.get("variant") not in ("clean", "none"):
            kinds.setdefault(kind_of(case, DRAWN_BY), []).append(case)
    rng = rng_for(seed, "reading", case_set.benchmark, case_set.data)
    piles = [[pile[k] for k in rng.permutation(len(pile))] for _, pile in sorted(kinds.items())]
    piles = [piles[k] for k in rng.permutation(len(piles))]
    chosen: list[Case] = []
    while len(chosen) < count and any(piles):
        chosen.extend(pile.pop() for pile in piles if pile)
    return chosen[:count]


def heading_at(scene: Scene, case: Case, step: int) -> float:
    """Return where the walker looks at a step of the reference path."""
    if step == 0:
        return case.episode.heading or 0.0
    rows = [scene.graph.row(node) for node in case.episode.path[step - 1 : step + 1]]
    x, y, _ = scene.graph.positions[rows[1]] - scene.graph.positions[rows[0]]
    return math.atan2(x, y)


def side(angle: float) -> str:
    """Name the eighth of the circle that an angle to the right lies in, with the degrees."""
    degrees = (math.degrees(angle) + 180.0) % 360.0 - 180.0
    return f"{SIDES[round(degrees / 45.0) % 8]} ({degrees:+.0f}°)"


def room_at(scene: Scene, viewpoint: str) -> str:
    """Name the room of a viewpoint."""
    return scene.regions.name(viewpoint) or "?" if scene.has("regions") else "?"


def asked(case: Case, scene: Scene) -> Iterator[str]:
    """Say what is asked, and what counts as right."""
    yield f"ITEM {case.case_id}   ({', '.join(kind_of(case))})"
    yield f"TEXT: {case.episode.instruction.strip()}"
    errors = case.episode.errors
    if errors is not None and errors.contains_error:
        for swap in errors.swaps:
            yield f"  planted: {swap.new_word!r} instead of {swap.old_word!r} (claimed to be wrong here)"
    names = {node: f"P{k}" for k, node in enumerate(case.episode.path)}
    if case.correct:
        right = ", ".join(names.get(node, node) for node in case.correct)
        yield f"RIGHT at P{case.forced_steps} (neighbours are listed below): {right}"
    shown = {key: case.groups[key] for key in sorted(case.groups) if key not in ("pair", "scene", "path")}
    yield f"about: {shown}"
    if case.episode.extra:
        extra = {k: v for k, v in case.episode.extra.items() if k != "instruction"}
        yield f"rule: {str(extra)[:700]}"


def walked(case: Case, scene: Scene, captions: CaptionFile | None) -> Iterator[str]:
    """Say what is to be seen along the path, relative to where the walker looks."""
    path = case.episode.path
    first = max(0, case.forced_steps - 2)
    for step, node in enumerate(path[: case.forced_steps + 1 if case.forced_steps else None]):
        look = heading_at(scene, case, step)
        turn = ""
        if step + 1 < len(path):
            turn = f"; next viewpoint of the path: {side(heading_at(scene, case, step + 1) - look)}"
        yield f"\nP{step}: in the {room_at(scene, node)}{turn}"
        if scene.has("objects") and step >= first:
            seen = [f"{o.name} {side(o.heading - look)}" for o in scene.objects.at(node)][:40]
            yield f"   objects: {'; '.join(seen)}"
        texts = captions.scan(scene.id).at(node) if captions is not None and step >= first else ()
        for k, text in enumerate(texts):
            plain = " / ".join(line.strip() for line in text.splitlines())
            yield f"   looking {side(math.radians(45 * k) - look)}: {plain}"
    step = case.forced_steps
    look = heading_at(scene, case, step)
    yield f"\nNEIGHBOURS of P{step} (walker looks along the way it came; at P0 as the episode starts):"
    for one in scene.candidates(path[step]):
        mark = "RIGHT " if one.viewpoint in case.correct else ""
        rise = scene.graph.positions[scene.graph.row(one.viewpoint)][2]
        rise -= scene.graph.positions[scene.graph.row(path[step])][2]
        where = f"{side(one.heading - look)}, {one.distance:.1f} m, {rise:+.1f} m up"
        yield f"   {mark}{one.viewpoint[:8]}: {where}, in the {room_at(scene, one.viewpoint)}"


def draw_plan(axes: Axes, scene: Scene, level_of: float, near: np.ndarray[Any, Any]) -> None:
    """Draw rooms, openings and furniture of a built-in house on the floor of the walk."""
    plan = scene.layer("plan")
    floor = max((f for f in plan.floors if f.elevation <= level_of), key=lambda f: f.elevation)
    for room in plan.rooms:
        if room.floor == floor.level:
            axes.fill(*zip(*room.polygon, strict=True), fc="#f4f1ea", ec="#555555", lw=1.5, zorder=0)
            x, y = np.mean(room.polygon, axis=0)
            axes.text(x, y, room.id, color="#8a6d00", ha="center", fontsize=8, clip_on=True)
    for hole in plan.openings:
        if hole.floor == floor.level:
            dx, dy = (hole.width / 2, 0) if hole.axis == "x" else (0, hole.width / 2)
            (x, y), colour = hole.centre, {"window": "#56b4e9"}.get(hole.kind, "#ffffff")
            axes.plot([x - dx, x + dx], [y - dy, y + dy], color=colour, lw=4, zorder=1)
            if hole.closed:
                axes.plot([x - dx, x + dx], [y - dy, y + dy], color="#aa0000", lw=2, zorder=1)
    for item in plan.items:
        x, y, z = item.position
        if abs(z - floor.elevation) < 2.3 and np.hypot(*(near - (x, y)).T).min() < NAMED:
            axes.plot(x, y, "s", color="#999999", ms=3, zorder=1)
            axes.text(x, y, f"{item.colour} {item.name}", fontsize=5, color="#555555", clip_on=True)


def draw_map(axes: Axes, case: Case, scene: Scene) -> None:
    """Draw the graph around the walk, its rooms, the path P0 … and what counts as right (green)."""
    graph, path = scene.graph, case.episode.path
    places = graph.positions
    rows = [graph.row(node) for node in path]
    walk = places[rows]
    decide = walk[case.forced_steps]
    if scene.has("plan"):
        draw_plan(axes, scene, float(decide[2]), walk[:, :2])
    here = np.abs(places[:, 2] - decide[2]) < 1.6
    for i, j in graph.edges.tolist():
        if here[i] and here[j]:
            axes.plot(*places[[i, j], :2].T, color="#bbccdd", lw=1, zorder=1)
    right = {graph.row(node) for node in case.correct if node in graph.index}
    for row in np.flatnonzero(here):
        colour = "#009e73" if row in right else "#2f6db3"
        axes.plot(*places[row, :2], "o", color=colour, ms=9 if row in right else 4, zorder=3, clip_on=True)
        if not scene.has("plan"):
            name = room_at(scene, graph.nodes[row])
            x, y, _ = places[row]
            axes.text(x, y, f" {name}", fontsize=6, color="#8a6d00", clip_on=True)
    axes.plot(*walk[:, :2].T, color="#d55e00", lw=2.5, zorder=2)
    for k, (x, y, _) in enumerate(walk):
        axes.text(x, y, f"P{k}", color="#d55e00", fontsize=11, weight="bold", zorder=4, clip_on=True)
    look = heading_at(scene, case, case.forced_steps)
    arrow = {"arrowstyle": "-|>", "color": "black", "lw": 2}
    tip = (decide[0] + 1.2 * math.sin(look), decide[1] + 1.2 * math.cos(look))
    axes.annotate("", tip, (decide[0], decide[1]), arrowprops=arrow, zorder=5)
    for limit, column in ((axes.set_xlim, walk[:, 0]), (axes.set_ylim, walk[:, 1])):
        middle = (column.min() + column.max()) / 2
        half = max((column.max() - column.min()) / 2 + 2.5, AROUND)
        limit(middle - half, middle + half)
    axes.set_aspect("equal")
    axes.set_title("north is up; the arrow is where the walker looks; 1 unit is 1 m", fontsize=8)


def draw_views(axes: Axes, case: Case, scene: Scene) -> None:
    """Show the views where the agent decides: from behind on the left, over ahead, to behind on the right."""
    look = heading_at(scene, case, case.forced_steps)
    turns = (-144, -108, -72, -36, 0, 36, 72, 108, 144)
    position = scene.graph.positions[scene.graph.row(case.episode.path[case.forced_steps])]
    views = scene.layer("renderer").render(
        position, [look + math.radians(turn) for turn in turns], width=300, height=240
    )
    axes.imshow(np.hstack(list(views.rgb)))
    for k, turn in enumerate(turns):
        axes.text(300 * k + 150, -8, f"{turn:+d}°", ha="center", fontsize=8)
    axes.axis("off")


def sheet(case: Case, scene: Scene, captions: CaptionFile | None, stem: Path) -> None:
    """Write the text and the picture of one item."""
    lines = [*asked(case, scene), *walked(case, scene, captions)]
    stem.with_suffix(".txt").write_text("\n".join(lines) + "\n", encoding="utf-8")
    views = scene.has("renderer")
    size = (14, 15) if views else (11, 11)
    figure, panels = plt.subplots(
        2 if views else 1, 1, figsize=size, squeeze=False, height_ratios=[1, 5] if views else [1]
    )
    if views:
        draw_views(panels[0, 0], case, scene)
    draw_map(panels[-1, 0], case, scene)
    figure.suptitle(case.episode.instruction.strip(), wrap=True, fontsize=10)
    figure.tight_layout()
    figure.savefig(stem.with_suffix(".png"), dpi=80)
    plt.close(figure)


def write(case_set: CaseSet, scenes: Scenes, cases: Sequence[Case], out: Path) -> None:
    """Write the sheets of some items, and their list."""
    out.mkdir(parents=True, exist_ok=True)
    root = getattr(scenes, "root", None)
    captions = CaptionFile(root, "raw") if root is not None else None
    with (out / "items.csv").open("w", newline="", encoding="utf-8") as stream:
        table = csv.writer(stream)
        table.writerow(("number", "case_id", "kind", "text", "true", "clear", "natural", "reason"))
        for number, case in enumerate(cases, 1):
            scene = scenes.scene(case.episode.scan)
            sheet(case, scene, captions, out / f"{number:02d}")
            kind = " ".join(kind_of(case))
            table.writerow((number, case.case_id, kind, case.episode.instruction.strip(), "", "", "", ""))
    print(f"{len(cases)} sheets of {case_set.benchmark} on {case_set.data} in {out}")


def main() -> None:
    """Draw items and write their sheets."""
    mpl.use("agg")
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("cases", type=Path)
    parser.add_argument("out", type=Path)
    parser.add_argument("--count", type=int, default=40)
    parser.add_argument("--seed", type=int, required=True)
    parser.add_argument("--root", type=Path)
    args = parser.parse_args()
    case_set = CaseSet.load(args.cases)
    scenes = open_dataset(case_set.data, args.root).scenes
    if scenes is None:
        sys.exit(f"{case_set.data}: its scenes are not there; name the data folder (--root)")
    write(case_set, scenes, drawn(case_set, args.count, args.seed), args.out)


if __name__ == "__main__":
    main()
