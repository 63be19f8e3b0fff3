"""What is drawn over the map of a card: the described way, the walk with its steps, and the choices."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import groupby, pairwise
from typing import NamedTuple

from markupsafe import Markup

from vlnscope.reporting.examples import ExampleTrajectory, FloorMap, MapPoint, SpaceTrail, TrailPoint
from vlnscope.reporting.page.templating import fill

_AROUND = 90.0
_LEAST = (440.0, 330.0)
_BROAD = 1.1
_NORMAL = 460.0
_STRIDE = 41.0
AnyPoint = MapPoint | TrailPoint
_LETTERS = "ABCDEFGHIJKLMNOPQRSTUVWXYZ"


class Window(NamedTuple):
    """The part of a map that is shown, in its own units."""

    x: float
    y: float
    width: float
    height: float


def floors_of(walk: ExampleTrajectory) -> list[str]:
    """Return the floors that a walk and its reference are on, in the order in which they are come to."""
    trail = walk.trail.places if walk.trail else ()
    places: list[AnyPoint] = [*(step.place for step in walk.steps), *trail, *walk.reference]
    return list(dict.fromkeys(point.floor for point in places))


def drawing(walk: ExampleTrajectory, floor: str, drawn: FloorMap) -> tuple[Window, Markup]:
    """Return which part of a floor to show, and an SVG to lay over it.

    Marks have the same size on all cards: they grow with the part that is shown. The player draws the choices
    of other steps in the place of those of the decisive one.
    """
    window = _window(walk, floor, drawn)
    scale = max(1.0, window.width / _NORMAL)
    places = [step.place for step in walk.steps]
    forced = sum(step.forced for step in walk.steps)
    went: Sequence[AnyPoint] = places if walk.trail is None else walk.trail.places
    led = forced if walk.trail is None else walk.trail.reached[forced]
    decisive = None if walk.decisive is None else walk.steps[walk.decisive]
    here = decisive.place if decisive and decisive.place.floor == floor else None
    text = fill(
        "example_map.html.j2",
        window=window,
        scale=scale,
        described=_described(walk),
        led_in=_runs(walk.led_in, floor),
        led_on=_runs(walk.led_on, floor),
        reference=_runs(walk.reference, floor),
        goal=walk.goal if walk.goal and walk.goal.floor == floor else None,
        forced=_runs(went[: led + 1], floor),
        taken=_runs(went[led:], floor),
        heads=list(_heads(_strides(went[led:], scale), floor, scale)),
        bumps=[] if walk.trail is None else [p for p in _bumps(walk.trail) if p.floor == floor],
        projected=walk.trail is not None,
        climbs=list(_climbs(places, floor)),
        visits=list(_visits(walk, floor)),
        here=here,
        choices=[
            (number, choice)
            for number, choice in enumerate(decisive.choices if decisive and here else ())
            if choice.place is not None and choice.place.floor == floor
        ],
        letter=letter,
    )
    return window, Markup(text)  # the template escapes what is put into it


def letter(number: int) -> str:
    """Return how the choice of a number is marked."""
    return _LETTERS[number] if number < len(_LETTERS) else str(number + 1)


def _described(walk: ExampleTrajectory) -> str:
    steps = f"{len(walk.steps)} step{'s' if len(walk.steps) > 1 else ''}"
    return f"Map of the walk of {walk.agent} in {steps}, beside the described way: {walk.outcome}"


def _window(walk: ExampleTrajectory, floor: str, drawn: FloorMap) -> Window:
    places: list[AnyPoint] = [*(step.place for step in walk.steps), *walk.reference]
    places += walk.trail.places if walk.trail else ()
    if walk.decisive is not None:
        places += [c.place for c in walk.steps[walk.decisive].choices if c.place is not None]
    here = [point for point in places if point.floor == floor]
    y, height = _span([point.y for point in here], _LEAST[1], drawn.height)
    x, width = _span([point.x for point in here], max(_LEAST[0], height * _BROAD), drawn.width)
    return Window(x, y, width, height)


def _span(values: Sequence[float], least: float, whole: float) -> tuple[float, float]:
    """Return where a side begins and how long it is: around the values, inside the map where it can be."""
    low, high = min(values) - _AROUND, max(values) + _AROUND
    short = max(0.0, least - (high - low))
    low, high = low - short / 2, high + short / 2
    size = min(high - low, whole)
    return min(max(0.0, low), whole - size), size


class _Visit(NamedTuple):
    """A numbered disc; the numbers of several visits stand together."""

    x: float
    y: float
    text: str
    decisive: bool
    forced: bool


def _bumps(trail: SpaceTrail) -> Iterator[TrailPoint]:
    """Yield where an agent ran into something, each place once."""
    return iter(dict.fromkeys(trail.places[at] for at in trail.collisions))


def _strides(places: Sequence[AnyPoint], scale: float) -> list[AnyPoint]:
    """Return places so far apart that an arrow head fits between them; the others are left out."""
    kept = list(places[:1])
    for place in places[1:]:
        far = ((place.x - kept[-1].x) ** 2 + (place.y - kept[-1].y) ** 2) ** 0.5
        if far > _STRIDE * scale or place.floor != kept[-1].floor:
            kept.append(place)
    return kept


def _runs(places: Sequence[AnyPoint], floor: str) -> list[list[AnyPoint]]:
    """Return the stretches of places on a floor that are long enough for a line."""
    runs = [list(group) for here, group in groupby(places, lambda point: point.floor == floor) if here]
    return [run for run in runs if len(run) > 1]


def _heads(places: Sequence[AnyPoint], floor: str, scale: float) -> Iterator[tuple[float, ...]]:
    """Yield the corners of an arrow head in the middle of each move that is long enough."""
    for a, b in pairwise(places):
        dx, dy = b.x - a.x, b.y - a.y
        length = (dx * dx + dy * dy) ** 0.5
        if a.floor == b.floor == floor and length > 40 * scale:
            x, y, size = a.x + 0.55 * dx, a.y + 0.55 * dy, 7 * scale
            ux, uy = dx / length * size, dy / length * size
            tip, left = (x + ux, y + uy), (x - ux - uy * 0.8, y - uy + ux * 0.8)
            yield *tip, *left, x - ux + uy * 0.8, y - uy - ux * 0.8


def _climbs(places: Sequence[MapPoint], floor: str) -> Iterator[tuple[float, float, str]]:
    """Yield where a trajectory goes to another floor, and a sign for up or down."""
    for a, b in pairwise(places):
        if a.floor == floor != b.floor:
            yield a.x, a.y, "▲" if _level(b) > _level(a) else "▼"


def _visits(walk: ExampleTrajectory, floor: str) -> Iterator[_Visit]:
    visits: dict[tuple[float, float], list[int]] = {}
    for at, step in enumerate(walk.steps):
        if step.place.floor == floor:
            visits.setdefault((step.place.x, step.place.y), []).append(at)
    for (x, y), numbers in visits.items():
        text = "·".join(str(at + 1) for at in numbers[:2]) + ("…" if len(numbers) > 2 else "")
        forced = all(walk.steps[at].forced for at in numbers)
        yield _Visit(x, y, text, walk.decisive in numbers, forced)


def _level(point: MapPoint) -> int:
    return int(point.floor.rpartition("/")[2])
