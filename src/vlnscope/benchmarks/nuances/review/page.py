"""A page to look at: items with a map and, on houses, the view at the start, each to be accepted or rejected.

It is one HTML file that loads nothing from elsewhere. Items from one view stand together.
"""

from __future__ import annotations

import base64
import io
import math
from collections.abc import Iterator, Sequence
from html import escape
from importlib import resources
from pathlib import Path

from PIL import Image

from vlnscope.benchmarks.kit.case_set import CaseSet
from vlnscope.core.files import write_text
from vlnscope.core.rng import rng_for
from vlnscope.types import Case
from vlnscope.worlds.maps.floor_map import MapPath, floor_map, levels_of
from vlnscope.worlds.rendering.renderer import Renderer
from vlnscope.worlds.scene import Scene, Scenes

GLANCES = (-70, -35, 0, 35, 70)
"""Where the views look, degrees to the right of the start heading."""
_WIDTH, _HEIGHT = 180, 135

_PAGE = resources.files(__package__) / "page.html"
_ITEMS = "<!-- items -->\n"


def write_review(case_set: CaseSet, scenes: Scenes, path: str | Path, *, most: int, seed: int) -> int:
    """Write the page of a case set and return how many items it shows.

    Args:
        case_set: the items.
        scenes: where they take place.
        path: the HTML file.
        most: show the items of so many views, drawn at random; 0 for all.
        seed: of the drawing.
    """
    views: dict[str, list[Case]] = {}
    for case in case_set.cases:
        views.setdefault(case.groups["pair"], []).append(case)
    order = rng_for(seed, "nuances review").permutation(len(views)).tolist()
    names = sorted(order[:most] if most else order)
    groups = [list(views.values())[k] for k in names]
    parts = [part for group in groups for part in _section(group, scenes.scene(group[0].episode.scan))]
    write_text(path, _PAGE.read_text(encoding="utf-8").replace(_ITEMS, "".join(parts)))
    return sum(map(len, groups))


def _section(group: Sequence[Case], scene: Scene) -> Iterator[str]:
    first = group[0]
    yield f"<section><h2>{escape(first.groups['category'])}: {escape(first.groups['pair'])}</h2>\n"
    for case in group:
        name = escape(case.case_id, quote=True)
        yield f"<p>“{escape(case.episode.instruction)}” <code>{name}</code>"
        for verdict in ("accept", "reject"):
            yield f'<label><input type="radio" name="{name}" value="{verdict}"> {verdict}</label>'
        yield "</p>\n"
    yield _strip(first, scene)
    yield from _maps(group, scene)
    yield "</section>\n"


def _strip(case: Case, scene: Scene) -> str:
    """Return what is seen at the start, if the scene can be drawn."""
    if not scene.has("renderer"):
        return ""
    renderer: Renderer = scene.layer("renderer")
    position = scene.graph.positions[scene.graph.row(case.episode.path[0])]
    headings = [(case.episode.heading or 0.0) + math.radians(turn) for turn in GLANCES]
    views = renderer.render(position, headings, width=_WIDTH, height=_HEIGHT)
    strip = Image.new("RGB", (_WIDTH * len(headings), _HEIGHT))
    for k, picture in enumerate(views.rgb):
        strip.paste(Image.fromarray(picture), (k * _WIDTH, 0))
    stream = io.BytesIO()
    strip.save(stream, format="JPEG", quality=80)
    code = base64.b64encode(stream.getvalue()).decode()
    return (
        f'<p><img alt="the view at the start, from left to right" src="data:image/jpeg;base64,{code}"></p>\n'
    )


def _maps(group: Sequence[Case], scene: Scene) -> Iterator[str]:
    """Yield the maps of the floors that the walks touch."""
    plan = scene.layer("plan") if scene.has("plan") else None
    paths = [MapPath(case.episode.path, case.groups.get("variant", case.case_id)) for case in group]
    heights = [scene.graph.positions[scene.graph.row(node), 2] for path in paths for node in path.viewpoints]
    levels = levels_of(plan, scene)
    if plan is not None:
        bases = {floor.level: floor.elevation for floor in plan.floors}
        touched = {max((k for k in levels if bases[k] <= z), default=levels[0]) for z in heights}
        levels = tuple(level for level in levels if level in touched)
    for level in levels:
        yield floor_map(
            plan, level, scene=scene, paths=paths, furniture=group[0].groups["category"] in ("LR", "NU")
        )
