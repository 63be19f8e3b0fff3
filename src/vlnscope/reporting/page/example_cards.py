"""Cards on which walks are shown: readable as they stand, and played by ``static/player.js``.

A page holds `walks_payload` once: the maps as backgrounds that all cards share, and the steps as data. Maps
are no part of the document's tree, so a page with many closed cards opens fast.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from typing import Any, NamedTuple

import msgspec
from markupsafe import Markup

from vlnscope.reporting.examples import (
    ExampleTrajectories,
    ExampleTrajectory,
    FloorMap,
    MapPoint,
    SpaceTrail,
    StepChoice,
)
from vlnscope.reporting.page.example_drawing import drawing, floors_of, letter
from vlnscope.reporting.page.packing import json_block, packed
from vlnscope.reporting.page.templating import fill
from vlnscope.worlds.projection import RULE

_LARGE = 100_000
_SIGNS = re.compile(r"[%#'\\\n\r\f]|<(?=/)")


def walk_card(walk: ExampleTrajectory, maps: Mapping[str, FloorMap], *, opened: bool = False) -> Markup:
    """Return a card that opens: the instruction, what became of the walk, the map, and the choices.

    Args:
        walk: what to show.
        maps: `ExampleTrajectories.maps`, of which `walks_payload` makes the backgrounds.
        opened: whether it is open from the start.
    """
    decided = () if walk.decisive is None else walk.steps[walk.decisive].choices
    met = {word for step in walk.steps for word in step.words}
    text = fill(
        "example_card.html.j2",
        walk=walk,
        opened=opened,
        told="".join(walk.words).strip(),
        words=list(_words(walk)),
        floors=[_floor(walk, floor, maps) for floor in floors_of(walk)],
        has_choices=any(step.choices for step in walk.steps),
        decided=decided,
        led=max(len(walk.led_in), len(walk.led_on)) > 1 or any(step.forced for step in walk.steps),
        unmet=len(met) < len(walk.words),
        rule=RULE,
        letter=letter,
    )
    return Markup(text)  # the template escapes what is put into it


def walks_payload(walks: ExampleTrajectories) -> Markup:
    """Return what all cards of a page share: the maps, and the steps as JSON, packed if that is much."""
    rules = "".join(f".walk-map-{k}{{{_background(m.svg)}}}" for k, m in enumerate(walks.maps.values()))
    data = {"walks": {walk.id: _data(walk) for walk in walks.walks}, "pictures": walks.pictures}
    plain = msgspec.json.encode(data)
    if len(plain) < _LARGE:
        block = Markup('<script type="application/json" id="walks-data">{}</script>').format(json_block(data))
    else:
        block = Markup('<script type="text/plain" id="walks-data" data-packed>{}</script>').format(
            packed(plain)
        )
    return Markup("<style>{}</style>").format(Markup(rules)) + block  # the rules hold no text of users


class _Word(NamedTuple):
    """A piece of an instruction: `step` from which on it is due where that begins, and what was `meant`."""

    text: str
    step: int | None
    met: bool
    wrong: bool
    meant: str


def _words(walk: ExampleTrajectory) -> Iterator[_Word]:
    """Yield the instruction, with the number of the step before the words that are due from there on."""
    first = {word: at for at, step in reversed(list(enumerate(walk.steps))) for word in step.words}
    wrong = {word for error in walk.wrong for word in error.words}
    meant = {max(error.words): error.meant for error in walk.wrong}
    before: int | None = None
    for number, word in enumerate(walk.words):
        at = first.get(number)
        step = at if at != before else None
        yield _Word(word, step, at is not None, number in wrong, meant.get(number, ""))
        before = at


def _floor(walk: ExampleTrajectory, floor: str, maps: Mapping[str, FloorMap]) -> dict[str, Any]:
    box, overlay = drawing(walk, floor, maps[floor])
    width, height = maps[floor].width, maps[floor].height
    sheet = (
        f"left:{-100 * box.x / box.width:.2f}%;top:{-100 * box.y / box.height:.2f}%;"
        f"width:{100 * width / box.width:.2f}%;height:{100 * height / box.height:.2f}%"
    )
    number, title = list(maps).index(floor), maps[floor].title
    return {"name": floor, "box": box, "overlay": overlay, "sheet": sheet, "number": number, "title": title}


def _background(svg: str) -> str:
    """Return a style with an SVG document in it; only what would end it, or the address, is written anew."""
    text = _SIGNS.sub(lambda sign: f"%{ord(sign[0]):02X}", svg)
    return f"background-image:url('data:image/svg+xml,{text}')"


def _data(walk: ExampleTrajectory) -> dict[str, Any]:
    """Return what the player needs of a walk: floors by number, and steps as short lists."""
    floors = floors_of(walk)
    trail = walk.trail
    return {
        **({} if trail is None else {"trail": _trail(trail, floors), "reached": trail.reached}),
        "floors": floors,
        "decisive": walk.decisive,
        "steps": [
            [
                *_spot(step.place, floors),
                step.heading,
                int(step.forced),
                step.words,
                [_choice_data(choice, floors) for choice in step.choices],
                step.picture,
            ]
            for step in walk.steps
        ],
    }


def _choice_data(choice: StepChoice, floors: Sequence[str]) -> list[Any]:
    spot = _spot(choice.place, floors) if choice.place is not None else [-1, 0, 0]
    return [*spot, choice.probability, int(choice.right), int(choice.chosen), choice.bearing, choice.label]


def _trail(trail: SpaceTrail, floors: Sequence[str]) -> list[list[Any]]:
    return [[floors.index(place.floor), place.x, place.y] for place in trail.places]


def _spot(point: MapPoint, floors: Sequence[str]) -> list[Any]:
    return [floors.index(point.floor) if point.floor in floors else -2, point.x, point.y]
