"""The most suspicious episodes of an audit as one page that stands alone: text, reasons, a map."""

from __future__ import annotations

from collections import Counter
from html import escape
from pathlib import Path

from vlnscope.core.files import write_text
from vlnscope.evaluate.audit.audit import Audit, Suspicion
from vlnscope.reporting.page.packing import policy
from vlnscope.worlds.maps.floor_map import MapPath, floor_map, levels_of
from vlnscope.worlds.scene import Scene

_STYLE = """
body{font:15px/1.45 system-ui,sans-serif;max-width:60rem;margin:2rem auto;padding:0 1rem;color:#1b1b1b}
article{border-top:1px solid #ccc;padding:1rem 0}h2{font-size:1.05rem;margin:0}q{font-size:1.05rem}
.score{float:right;font-variant-numeric:tabular-nums}li{margin:.15rem 0}svg{max-width:100%;height:auto}
table{border-collapse:collapse}td{padding:.15rem .8rem .15rem 0}
@media (prefers-color-scheme:dark){body{background:#161616;color:#e8e8e8}svg{background:#fff}}
"""


def save_page(audit: Audit, path: str | Path, top: int = 25) -> Path:
    """Write the `top` most suspicious episodes, with the counts of all findings, as an HTML file."""
    counts = "".join(f"<tr><td>{escape(code)}</td><td>{n}</td></tr>" for code, n in audit.counts.items())
    shown = "".join(_article(number, one, audit) for number, one in enumerate(audit.suspicions[:top], 1))
    title = escape(f"Audit of {audit.data}")
    write_text(
        path,
        '<!doctype html><html lang="en"><meta charset="utf-8">'
        f'<meta http-equiv="Content-Security-Policy" content="{policy(())}">'
        '<meta name="referrer" content="no-referrer">'
        f"<title>{title}</title><style>{_STYLE}</style>"
        f'<meta name="viewport" content="width=device-width"><h1>{title}</h1>'
        f"<p>{_about(audit)}</p>"
        f"<table>{counts}</table>{shown}</html>\n",
    )
    return Path(path)


def _about(audit: Audit) -> str:
    """Say how many episodes there are, and how many of their instructions a detector read."""
    if not audit.detector:
        return f"{audit.episodes:,} episodes, held against rules alone: no detector read them."
    return f"{audit.episodes:,} episodes, held against rules; {escape(audit.detector)} read {audit.coverage}."


def _article(number: int, one: Suspicion, audit: Audit) -> str:
    episode = one.episode
    reasons = [*(f"{finding.code}: {finding.what}" for finding in one.findings), *one.reasons]
    listed = "".join(f"<li>{escape(reason)}</li>" for reason in reasons)
    picture = ""
    if audit.scenes is not None and episode.path:
        picture = picture_of(audit.scenes.scene(episode.scan), one)
    return (
        f'<article><span class="score">{one.score:.3f}</span>'
        f"<h2>{number}. {escape(episode.episode_id)}, {escape(episode.scan)}</h2>"
        f"<p><q>{escape(episode.instruction.strip())}</q></p><ul>{listed}</ul>{picture}</article>"
    )


def picture_of(scene: Scene, one: Suspicion) -> str:
    """Return a map of the reference path as SVG, on the floor where most of it lies; empty if broken."""
    path = tuple(node for node in one.episode.path if node in scene.graph.index)
    if len(path) != len(one.episode.path):
        return ""
    drawn = MapPath(path, "reference")
    floors = levels_of(None, scene)
    heights = {level: _height(scene, level, floors) for level in floors}
    votes = Counter(
        min(floors, key=lambda level: abs(scene.graph.positions[scene.graph.row(node)][2] - heights[level]))
        for node in path
    )
    level = max(votes, key=lambda floor: (votes[floor], -floor))
    return floor_map(None, level, scene=scene, paths=[drawn], title=one.episode.episode_id)


def _height(scene: Scene, level: int, floors: tuple[int, ...]) -> float:
    """Return about how high a floor is: floors divide the heights of the viewpoints evenly."""
    low, high = float(scene.graph.positions[:, 2].min()), float(scene.graph.positions[:, 2].max())
    return low + (high - low) * (floors.index(level) / max(len(floors) - 1, 1))
