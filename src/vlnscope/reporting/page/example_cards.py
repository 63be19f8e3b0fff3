"""Cards on which walks are shown: readable as they stand, and played by ``static/player.js``.

A page holds `walks_payload` once: the maps as backgrounds that all cards share, and the steps as data. Maps
are no part of the document's tree, so a page with many closed cards opens fast.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from typing import Any

import msgspec
from markupsafe import Markup

from vlnscope.reporting.examples import (
    ExampleTrajectories,
    ExampleTrajectory,
    FloorMap,
    MapPoint,
    StepChoice,
)
from vlnscope.reporting.page.example_drawing import drawing, floors_of, letter
from vlnscope.reporting.page.packing import json_block, packed

_LARGE = 100_000
_SIGNS = re.compile(r"[%#'\\\n\r\f]|<(?=/)")


def walk_card(walk: ExampleTrajectory, maps: Mapping[str, FloorMap], *, opened: bool = False) -> Markup:
    """Return a card that opens: the instruction, what became of the walk, the map, and the choices.

    Args:
        walk: what to show.
        maps: `ExampleTrajectories.maps`, of which `walks_payload` makes the backgrounds.
        opened: whether it is open from the start.
    """
    figures = Markup("").join(_figure(walk, floor, maps) for floor in floors_of(walk))
    return Markup(
        '<details class="walk-card" data-walk="{id}"{opened}>'
        '<summary><span class="walk-mark walk-{kind}" role="img" aria-label="{said}">{sign}</span>'
        '<span class="walk-head"><span class="walk-told">{told}</span>'
        '<span class="walk-outcome">{agent}: {outcome}</span></span></summary>'
        '<div class="walk-body{broad}"><p class="walk-words">{words}</p>'
        '<div class="walk-maps">{figures}</div><div class="walk-side">{options}</div>'
        '<p class="walk-key">{key}<span class="walk-where">{where}</span></p></div></details>'
    ).format(
        id=walk.id,
        opened=Markup(" open") if opened else "",
        **_verdict(walk),
        told=_told(walk),
        agent=walk.agent,
        outcome=walk.outcome or "its walk",
        figures=figures,
        words=_words(walk),
        key=_key(walk),
        broad="" if any(step.choices for step in walk.steps) else " walk-broad",
        options=_options(walk),
        where=f"{walk.benchmark}, case {walk.case_id}",
    )


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


def _verdict(walk: ExampleTrajectory) -> dict[str, str]:
    if walk.succeeded is None:
        return {"kind": "plain", "sign": "•", "said": "not judged"}
    if walk.succeeded:
        return {"kind": "good", "sign": "✓", "said": "right"}
    return {"kind": "bad", "sign": "✗", "said": "wrong"}


def _told(walk: ExampleTrajectory) -> str:
    text = "".join(walk.words).strip()
    return f"“{text}”" if text else "(no instruction)"


def _words(walk: ExampleTrajectory) -> Markup:
    """Return the instruction, with the number of the step before the words that are due from there on."""
    first = {word: at for at, step in reversed(list(enumerate(walk.steps))) for word in step.words}
    wrong = {word for error in walk.wrong for word in error.words}
    meant = {max(error.words): error.meant for error in walk.wrong if error.meant}
    made = Markup("")
    before: int | None = None
    for number, word in enumerate(walk.words):
        at = first.get(number)
        if at is not None and at != before:
            made += Markup("<sup>{}</sup>").format(at + 1)
        before = at
        kind = f"walk-word{'' if at is not None else ' walk-unmet'}{' walk-wrong' if number in wrong else ''}"
        made += Markup('<span class="{}" data-word="{}">{}</span>').format(kind, number, word)
        if number in meant:
            made += Markup('<small class="walk-meant">(true: {})</small> ').format(meant[number])
    return made


def _key(walk: ExampleTrajectory) -> Markup:
    """Say what the lines on the map are."""
    led = max(len(walk.led_in), len(walk.led_on)) > 1 or any(step.forced for step in walk.steps)
    met = {word for step in walk.steps for word in step.words}
    lines = {
        "way": ("the described way", bool(walk.reference)),
        "taken": ("its walk", True),
        "goal": ("the goal", walk.goal is not None),
        "led": ("where it was led", led),
        "unmet": ("words that it never came to", len(met) < len(walk.words)),
        "wrong": ("words that are wrong on purpose", bool(walk.wrong)),
    }
    return Markup("").join(
        Markup('<span class="walk-key-{}">{}</span>').format(kind, text)
        for kind, (text, holds) in lines.items()
        if holds
    )


def _options(walk: ExampleTrajectory) -> Markup:
    """Return the choices at the decisive step as a list with bars."""
    if walk.decisive is None or not walk.steps[walk.decisive].choices:
        return Markup('<div class="walk-options" hidden></div>')
    rows = Markup("").join(
        _option(letter(number), choice) for number, choice in enumerate(walk.steps[walk.decisive].choices)
    )
    return Markup(
        '<div class="walk-options"><p class="walk-at">At step {}, the decisive one:</p><ol>{}</ol></div>'
    ).format(walk.decisive + 1, rows)


def _option(mark: str, choice: StepChoice) -> Markup:
    share = "" if choice.probability is None else f"{100 * choice.probability:.0f} %"
    kinds = [name for name, holds in (("walk-right", choice.right), ("walk-chosen", choice.chosen)) if holds]
    notes = [note for note, holds in (("correct", choice.right), ("what it did", choice.chosen)) if holds]
    bar = Markup('<span class="walk-bar" style="width:{}%"></span>').format(
        round(100 * (choice.probability or 0.0), 1)
    )
    return Markup(
        '<li class="{}"><b>{}</b><span class="walk-label">{}{}</span>'
        '<span class="walk-share">{}</span>{}</li>'
    ).format(" ".join(kinds), mark, choice.label, f" ({', '.join(notes)})" if notes else "", share, bar)


def _figure(walk: ExampleTrajectory, floor: str, maps: Mapping[str, FloorMap]) -> Markup:
    box, overlay = drawing(walk, floor, maps[floor])
    number, width, height = list(maps).index(floor), maps[floor].width, maps[floor].height
    sheet = (
        f"left:{-100 * box.x / box.width:.2f}%;top:{-100 * box.y / box.height:.2f}%;"
        f"width:{100 * width / box.width:.2f}%;height:{100 * height / box.height:.2f}%"
    )
    return Markup(
        '<figure class="walk-floor" data-floor="{}">'
        '<div class="walk-paper" style="aspect-ratio:{:.0f}/{:.0f}">'
        '<div class="walk-map walk-map-{}" style="{}"></div>{}</div><figcaption>{}</figcaption></figure>'
    ).format(floor, box.width, box.height, number, sheet, overlay, maps[floor].title)


def _background(svg: str) -> str:
    """Return a style with an SVG document in it; only what would end it, or the address, is written anew."""
    text = _SIGNS.sub(lambda sign: f"%{ord(sign[0]):02X}", svg)
    return f"background-image:url('data:image/svg+xml,{text}')"


def _data(walk: ExampleTrajectory) -> dict[str, Any]:
    """Return what the player needs of a walk: floors by number, and steps as short lists."""
    floors = floors_of(walk)
    return {
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


def _spot(place: MapPoint, floors: Sequence[str]) -> list[Any]:
    return [floors.index(place.floor) if place.floor in floors else -2, place.x, place.y]
