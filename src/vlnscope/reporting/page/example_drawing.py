"""What is drawn over the map of a card: the described way, the walk with its steps, and the choices."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import pairwise
from typing import NamedTuple

from markupsafe import Markup

from vlnscope.reporting.examples import ExampleTrajectory, FloorMap, MapPoint, StepChoice

_AROUND = 90.0
_LEAST = (440.0, 330.0)
_BROAD = 1.1
_NORMAL = 460.0
_LETTERS = "ABCDEFGHIJKLMNOPQRSTUVWXYZ"


class Window(NamedTuple):
    """The part of a map that is shown, in its own units."""

    x: float
    y: float
    width: float
    height: float


def floors_of(walk: ExampleTrajectory) -> list[str]:
    """Return the floors that a walk and its reference are on, in the order in which they are come to."""
    places = (*(step.place for step in walk.steps), *walk.reference)
    return list(dict.fromkeys(place.floor for place in places))


def drawing(walk: ExampleTrajectory, floor: str, drawn: FloorMap) -> tuple[Window, Markup]:
    """Return which part of a floor to show, and an SVG to lay over it.

    Marks have the same size on all cards: they grow with the part that is shown.
    """
    window = _window(walk, floor, drawn)
    pen = _Pen(walk, floor, max(1.0, window.width / _NORMAL))
    return window, Markup(
        '<svg class="walk-over" viewBox="{:.0f} {:.0f} {:.0f} {:.0f}" data-scale="{:.2f}" role="img" '
        'aria-label="{}">{}</svg>'
    ).format(*window, pen.scale, _described(walk), Markup("").join(pen.parts()))


def letter(number: int) -> str:
    """Return how the choice of a number is marked."""
    return _LETTERS[number] if number < len(_LETTERS) else str(number + 1)


def _described(walk: ExampleTrajectory) -> str:
    steps = f"{len(walk.steps)} step{'s' if len(walk.steps) > 1 else ''}"
    return f"Map of the walk of {walk.agent} in {steps}, beside the described way: {walk.outcome}"


def _window(walk: ExampleTrajectory, floor: str, drawn: FloorMap) -> Window:
    places = [step.place for step in walk.steps] + list(walk.reference)
    if walk.decisive is not None:
        places += [c.place for c in walk.steps[walk.decisive].choices if c.place is not None]
    here = [place for place in places if place.floor == floor]
    y, height = _span([place.y for place in here], _LEAST[1], drawn.height)
    x, width = _span([place.x for place in here], max(_LEAST[0], height * _BROAD), drawn.width)
    return Window(x, y, width, height)


def _span(values: Sequence[float], least: float, whole: float) -> tuple[float, float]:
    """Return where a side begins and how long it is: around the values, inside the map where it can be."""
    low, high = min(values) - _AROUND, max(values) + _AROUND
    short = max(0.0, least - (high - low))
    low, high = low - short / 2, high + short / 2
    size = min(high - low, whole)
    return min(max(0.0, low), whole - size), size


class _Pen:
    """Draws the parts of one floor."""

    def __init__(self, walk: ExampleTrajectory, floor: str, scale: float) -> None:
        self.walk = walk
        self.floor = floor
        self.scale = scale

    def parts(self) -> Iterator[Markup]:
        """Yield the parts, the lowest first."""
        walk = self.walk
        yield from self._line(walk.led_in, "walk-led")
        yield from self._line(walk.led_on, "walk-led")
        yield from self._line(walk.reference, "walk-way")
        if walk.goal is not None and walk.goal.floor == self.floor:
            yield self._goal(walk.goal)
        places = [step.place for step in walk.steps]
        forced = sum(step.forced for step in walk.steps)
        yield from self._line(places[: forced + 1], "walk-led")
        yield from self._line(places[forced:], "walk-taken")
        yield from self._heads(places[forced:])
        yield from self._climbs(places)
        yield from self._steps()
        yield self._choices()

    def _line(self, places: Sequence[MapPoint], kind: str) -> Iterator[Markup]:
        runs: list[list[MapPoint]] = [[]]
        for place in places:
            if place.floor == self.floor:
                runs[-1].append(place)
            elif runs[-1]:
                runs.append([])
        for run in runs:
            if len(run) > 1:
                points = " ".join(f"{place.x:.0f},{place.y:.0f}" for place in run)
                yield Markup('<polyline class="{}" points="{}"/>').format(kind, points)

    def _heads(self, places: Sequence[MapPoint]) -> Iterator[Markup]:
        """Draw an arrow head in the middle of each move that is long enough."""
        for a, b in pairwise(places):
            dx, dy = b.x - a.x, b.y - a.y
            length = (dx * dx + dy * dy) ** 0.5
            if a.floor == b.floor == self.floor and length > 40 * self.scale:
                x, y, size = a.x + 0.55 * dx, a.y + 0.55 * dy, 7 * self.scale
                ux, uy = dx / length * size, dy / length * size
                yield Markup(
                    '<path class="walk-head" d="M{:.1f} {:.1f}L{:.1f} {:.1f}L{:.1f} {:.1f}Z"/>'
                ).format(
                    x + ux, y + uy, x - ux - uy * 0.8, y - uy + ux * 0.8, x - ux + uy * 0.8, y - uy - ux * 0.8
                )

    def _climbs(self, places: Sequence[MapPoint]) -> Iterator[Markup]:
        """Mark where the walk goes to another floor."""
        for a, b in pairwise(places):
            if a.floor == self.floor != b.floor:
                sign = "▲" if _level(b) > _level(a) else "▼"
                yield self._text(a.x, a.y - 16 * self.scale, sign, "walk-climb", 15)

    def _goal(self, goal: MapPoint) -> Markup:
        size = 13 * self.scale
        return Markup(
            '<g class="walk-goal"><title>goal</title><circle cx="{0:.0f}" cy="{1:.0f}" r="{2:.1f}"/>'
            '<circle class="walk-goal-rim" cx="{0:.0f}" cy="{1:.0f}" r="{3:.1f}"/></g>'
        ).format(goal.x, goal.y, size, size * 1.35)

    def _steps(self) -> Iterator[Markup]:
        """Draw a numbered disc at each visited place; the numbers of several visits stand together."""
        visits: dict[tuple[float, float], list[int]] = {}
        for at, step in enumerate(self.walk.steps):
            if step.place.floor == self.floor:
                visits.setdefault((step.place.x, step.place.y), []).append(at)
        for (x, y), numbers in visits.items():
            decided = self.walk.decisive in numbers
            led = all(self.walk.steps[at].forced for at in numbers)
            kind = "walk-step" + (" walk-decisive" if decided else "") + (" walk-forced" if led else "")
            text = "·".join(str(at + 1) for at in numbers[:2]) + ("…" if len(numbers) > 2 else "")
            radius = (8.5 if len(text) < 3 else 11.5 if len(text) < 5 else 13.0) * self.scale
            disc = Markup('<circle cx="{:.0f}" cy="{:.0f}" r="{:.1f}"/>').format(x, y, radius)
            label = self._text(x, y, text, "", 10 if len(text) < 4 else 8)
            yield Markup('<g class="{}">{}{}</g>').format(kind, disc, label)

    def _choices(self) -> Markup:
        """Draw the choices of the decisive step; the player draws those of other steps in their place."""
        at = self.walk.decisive
        drawn = Markup("")
        if at is not None and self.walk.steps[at].place.floor == self.floor:
            here = self.walk.steps[at].place
            for number, choice in enumerate(self.walk.steps[at].choices):
                drawn += self._choice(here, number, choice)
        return Markup('<g class="walk-choices">{}</g>').format(drawn)

    def _choice(self, here: MapPoint, number: int, choice: StepChoice) -> Markup:
        if choice.place is None or choice.place.floor != self.floor:
            return Markup("")
        x, y = (0.5 * (a + b) for a, b in ((here.x, choice.place.x), (here.y, choice.place.y)))
        kind = (
            "walk-choice"
            + (" walk-right" if choice.right else "")
            + (" walk-chosen" if choice.chosen else "")
        )
        line = Markup('<line x1="{:.0f}" y1="{:.0f}" x2="{:.0f}" y2="{:.0f}"/>').format(
            here.x, here.y, choice.place.x, choice.place.y
        )
        disc = Markup('<circle cx="{:.0f}" cy="{:.0f}" r="{:.1f}"/>').format(x, y, 7 * self.scale)
        return Markup('<g class="{}">{}{}{}</g>').format(
            kind, line, disc, self._text(x, y, letter(number), "", 9)
        )

    def _text(self, x: float, y: float, text: str, kind: str, size: float) -> Markup:
        return Markup('<text class="{}" x="{:.0f}" y="{:.1f}" font-size="{:.1f}">{}</text>').format(
            kind, x, y + 0.35 * size * self.scale, size * self.scale, text
        )


def _level(place: MapPoint) -> int:
    return int(place.floor.rpartition("/")[2])
