"""Draws walks in continuous space as VLN-CE does: coloured along time, beside the reference and the goal."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from itertools import groupby, pairwise
from typing import Any

import numpy as np

from vlnscope.types import Points
from vlnscope.worlds.maps.canvas import SCALE, XY, Canvas, TakenPlaces, text_box
from vlnscope.worlds.maps.ground import GroundLevels
from vlnscope.worlds.maps.signs import (
    INK,
    PAPER,
    SHORTEST,
    WAY,
    draw_arrow,
    draw_cross,
    draw_number,
    draw_point,
    draw_pose,
    draw_ring,
    draw_star,
)
from vlnscope.worlds.maps.walks import MapWalk, time_colour, xy

_PIECES = 40
_HEAD_EVERY = 1.6
_ROUND: dict[str, Any] = {"stroke_linecap": "round", "stroke_linejoin": "round"}


class WalkPen:
    """Draws one walk on the map of one storey.

    Args:
        canvas: to draw on; x east, y north.
        walk: what is drawn.
        level: of the storey.
        levels: the storeys of the scene.
        size: of lines and signs: 1 for a map that is as wide as a page.
    """

    def __init__(
        self, canvas: Canvas, walk: MapWalk, level: int, levels: GroundLevels, size: float = 1.0
    ) -> None:
        self.canvas = canvas
        self.walk = walk
        self.size = size
        self._level = level
        self._levels = levels
        self._here = self._on(walk.positions)

    def draw(self) -> None:
        """Draw all of it, what matters most last."""
        self.draw_aims()
        self.draw_track()
        self.draw_bumps()
        self.draw_ends()
        self.draw_marks()

    def draw_aims(self) -> None:
        """Draw what the walk should have been: goals, reference and shortest path."""
        walk, size = self.walk, self.size
        for goal in self._shown(walk.goals):
            ring: dict[str, Any] = {"stroke": WAY, "stroke_width": 1.3 * size, "stroke_dasharray": "5 4"}
            self.canvas.circle(xy(goal), walk.radius * SCALE, fill=WAY, fill_opacity=0.07, **ring)
        for run in self._runs(walk.reference):
            self.canvas.line(run, stroke=WAY, stroke_width=7.0 * size, stroke_opacity=0.42, **_ROUND)
        for run in self._runs(walk.shortest):
            dash = f"{6 * size:.1f} {4.5 * size:.1f}"
            self.canvas.line(run, stroke=PAPER, stroke_width=3.2 * size, stroke_opacity=0.7, **_ROUND)
            self.canvas.line(run, stroke=SHORTEST, stroke_width=1.6 * size, stroke_dasharray=dash)
        for point in self._shown(walk.reference):
            draw_point(self.canvas, self._at(point), size)

    def draw_track(self, until: int | None = None) -> None:
        """Draw where the agent went, up to one of its positions or to the end, with heads of arrows."""
        size = self.size
        pieces = list(self._pieces(until))
        for _, line in pieces:
            self.canvas.line(line, stroke=PAPER, stroke_width=6.0 * size, stroke_opacity=0.9, **_ROUND)
        for colour, line in pieces:
            self.canvas.line(line, stroke=colour, stroke_width=3.4 * size, **_ROUND)
        for colour, place, heading in self._heads(until):
            rim: dict[str, Any] = {"stroke": PAPER, "stroke_width": 0.9 * size}
            draw_arrow(self.canvas, self.canvas.at(place), heading, 5.2 * size, fill=colour, **rim)
        if self.walk.on_graph and until is None:
            for at, point in enumerate(self.walk.positions):
                if self._here[at]:
                    colour = time_colour(self._share(at))
                    self.canvas.circle(
                        xy(point), 3.6 * size, fill=PAPER, stroke=colour, stroke_width=1.8 * size
                    )

    def draw_bumps(self, until: int | None = None) -> None:
        """Draw a cross where the agent ran into something, in front of it."""
        for at in self.walk.collisions:
            if at < len(self._here) and self._here[at] and (until is None or at <= until):
                draw_cross(self.canvas, self.canvas.at(_ahead(self.walk, at, 0.13)), self.size)

    def draw_ends(self, until: int | None = None) -> None:
        """Draw the start as a ring, goals as stars, and the final pose, or a pose before it, as an arrow."""
        walk, size = self.walk, self.size
        last = len(walk.positions) - 1 if until is None else until
        for goal in self._shown(walk.goals):
            draw_star(self.canvas, self._at(goal), size)
        if self._here and self._here[0]:
            draw_ring(self.canvas, self._at(walk.positions[0]), size)
        if self._here and (len(walk.positions) > 1 or until is not None):
            self.draw_agent(last)

    def draw_agent(self, at: int) -> None:
        """Draw the agent as an arrow at one of its positions, if that is on this storey."""
        if not self._here[at]:
            return
        colour = time_colour(self._share(at))
        draw_pose(self.canvas, self._at(self.walk.positions[at]), self.walk.heading(at), colour, self.size)

    def draw_marks(self) -> None:
        """Write marks in discs beside the walk, where they cover least of it."""
        taken, radius = TakenPlaces(), 6.6 * self.size
        for point in self._shown(self.walk.positions):
            taken.take(text_box(self.canvas.at(xy(point)), 6.0 * self.size, 6.0 * self.size))
        for mark in self.walk.marks:
            if self._here[mark.at]:
                self._disc(xy(self.walk.positions[mark.at]), mark.text, radius, taken)

    def _disc(self, point: XY, text: str, radius: float, taken: TakenPlaces) -> None:
        turns = np.arange(16) * math.tau / 16
        reach = np.concatenate([2.3 * radius * np.ones(16), 3.4 * radius * np.ones(16)])
        x, y = self.canvas.at(point)
        spots_x, spots_y = x + reach * np.cos([*turns, *turns]), y + reach * np.sin([*turns, *turns])
        cost = taken.overlaps(spots_x, spots_y, 2.4 * radius, 2.4 * radius) + 0.4 * reach
        best = int(np.argmin(cost.round(6)))
        spot = float(spots_x[best]), float(spots_y[best])
        taken.take(text_box(spot, 2.6 * radius, 2.6 * radius))
        line = f"M{x:.2f} {y:.2f}L{spot[0]:.2f} {spot[1]:.2f}"
        self.canvas.add("path", d=line, fill="none", stroke=INK, stroke_width=0.9 * self.size)
        draw_number(self.canvas, spot, text, radius)

    def _pieces(self, until: int | None) -> Iterator[tuple[str, list[XY]]]:
        """Yield the walk in pieces of one colour, each from where the one before it ends."""
        points, last = self.walk.positions, len(self.walk.positions) - 1
        last = last if until is None else min(until, last)
        moves = [k for k in range(last) if self._here[k] or self._here[k + 1]]
        moves = [k for k in moves if points[k] != points[k + 1]]
        whole = max(1, len(points) - 1)

        def piece(k: int) -> int:
            return k * min(_PIECES, whole) // whole

        for number, group in groupby(enumerate(moves), key=lambda pair: (piece(pair[1]), pair[1] - pair[0])):
            steps = [k for _, k in group]
            colour = time_colour((number[0] + 0.5) / min(_PIECES, whole))
            yield colour, [xy(points[k]) for k in (*steps, steps[-1] + 1)]

    def _heads(self, until: int | None) -> Iterator[tuple[str, XY, float]]:
        """Yield where a head of an arrow goes: its colour, place and direction, every so many metres."""
        points = self.walk.positions[: None if until is None else until + 1]
        gone, due = 0.0, _HEAD_EVERY / 2
        for k, (a, b) in enumerate(pairwise(points)):
            step = math.dist(a, b)
            gone += step
            if gone >= due and math.dist(a[::2], b[::2]) > 1e-3:
                due = gone + _HEAD_EVERY
                if self._here[k] and self._here[k + 1]:
                    middle = ((a[0] + b[0]) / 2, -(a[2] + b[2]) / 2)
                    yield time_colour(self._share(k)), middle, math.atan2(b[0] - a[0], a[2] - b[2])

    def _share(self, at: int) -> float:
        return at / max(1, len(self.walk.positions) - 1)

    def _on(self, points: Points) -> list[bool]:
        return [bool(level == self._level) for level in self._levels.of([p[1] for p in points])]

    def _at(self, point: Sequence[float]) -> XY:
        return self.canvas.at(xy(point))

    def _shown(self, points: Points) -> list[Any]:
        on = self._on(points)
        return [point for point, here in zip(points, on, strict=True) if here]

    def _runs(self, points: Points) -> list[list[XY]]:
        """Return the lines through points of this storey, one point of the next storey included."""
        on = self._on(points)
        moves = [k for k in range(len(points) - 1) if on[k] or on[k + 1]]
        runs = []
        for _, group in groupby(enumerate(moves), key=lambda pair: pair[1] - pair[0]):
            steps = [k for _, k in group]
            runs.append([xy(points[k]) for k in (*steps, steps[-1] + 1)])
        return runs


def _ahead(walk: MapWalk, at: int, metres: float) -> XY:
    x, y = xy(walk.positions[at])
    heading = walk.heading(at)
    if heading is None:
        return x, y
    return x + metres * math.sin(heading), y + metres * math.cos(heading)
