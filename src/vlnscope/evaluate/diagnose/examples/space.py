"""What is shown of walks in continuous space: where the agent really was, what it saw, and a short film."""

from __future__ import annotations

import io
import math
from collections.abc import Iterator, MutableMapping, Sequence
from typing import NamedTuple

from PIL import Image

from vlnscope.episodes.formats.evidence import EvidenceLine
from vlnscope.evaluate.diagnose.examples.scenes import webp_address
from vlnscope.evaluate.diagnose.examples.steps import Passage
from vlnscope.reporting.examples import SeenMoment, SpaceTrail, TrailPoint
from vlnscope.reporting.walks.animation import SMALL, encoded, film
from vlnscope.reporting.walks.frames import can_see, frames
from vlnscope.reporting.walks.moments import telling_moments
from vlnscope.types import Points
from vlnscope.worlds.maps.walks import MapWalk, feet_on_graph

STRIP_BYTES = 900_000
"""All first-person strips of a report together."""
FILM_BYTES = 400_000
"""All films of a report together."""
MOMENTS = 5
"""Pictures of a strip."""
_SIDE = 112
_QUALITY = 45
_FILMED = 4.0


class SpacePictures(NamedTuple):
    """What a report shows of what an agent saw: some moments, and perhaps a film."""

    seen: tuple[SeenMoment, ...] = ()
    film: str = ""


def space_trail(passage: Passage) -> SpaceTrail | None:
    """Return where an agent really was; None if it walked on the graph."""
    line = passage.line
    if not line.positions or len(line.positions) != len(line.path):
        return None
    spots = [passage.stage.spot(*pair) for pair in zip(line.positions, line.path, strict=True)]
    places: list[TrailPoint] = []
    numbers: list[int] = []
    for spot in spots:
        if not places or places[-1] != spot:
            places.append(spot)
        numbers.append(len(places) - 1)
    reached = tuple(numbers[at] for at in _nearest(passage, spots))
    bumps = dict.fromkeys(numbers[at] for at in _bumped(line))
    return SpaceTrail(places=tuple(places), reached=reached, collisions=tuple(bumps))


class SpaceAlbum:
    """Takes the pictures of a report: strips as long as there is room, a film of a success and of a failure.

    Args:
        pictures: those of the report, to which it adds.
    """

    def __init__(self, pictures: MutableMapping[str, str]) -> None:
        self._pictures = pictures
        self._strips = STRIP_BYTES
        self._films = FILM_BYTES
        self._filmed: set[bool] = set()

    def add(self, passage: Passage, succeeded: bool | None) -> SpacePictures:
        """Take pictures of a walk, if its scene can be seen."""
        if not can_see(passage.stage.scene):
            return SpacePictures()
        walk = _walk(passage)
        key = f"{passage.stage.scene.id}/{passage.case.case_id}/{len(self._pictures)}"
        return SpacePictures(self._strip(passage, walk, key), self._film(passage, walk, key, succeeded))

    def _strip(self, passage: Passage, walk: MapWalk, key: str) -> tuple[SeenMoment, ...]:
        if self._strips <= 0:
            return ()
        moments = telling_moments(walk, MOMENTS)
        taken = frames(passage.stage.scene, walk, [moment.at for moment in moments], size=_SIDE)
        seen = []
        for number, (moment, picture) in enumerate(zip(moments, taken, strict=True)):
            written = webp_address(_webp(picture))
            self._pictures[f"{key}/{number}"] = written
            self._strips -= len(written)
            seen.append(SeenMoment(f"{key}/{number}", moment.caption))
        return tuple(seen)

    def _film(self, passage: Passage, walk: MapWalk, key: str, succeeded: bool | None) -> str:
        """Film the first walk that succeeds, and the first that does not; both must lead somewhere."""
        if succeeded is None or succeeded in self._filmed or walk.length < _FILMED:
            return ""
        written = webp_address(encoded(film(passage.stage.scene, walk, SMALL), "webp", SMALL))
        if len(written) > self._films:
            return ""
        self._filmed.add(succeeded)
        self._films -= len(written)
        self._pictures[f"{key}/film"] = written
        return f"{key}/film"


def _walk(passage: Passage) -> MapWalk:
    line, path = passage.line, passage.case.episode.path
    feet: Points = feet_on_graph(passage.stage.scene, path)
    return MapWalk(
        line.positions,
        headings=line.headings or (),
        collisions=_bumped(line),
        reference=feet,
        goals=feet[-1:] if not passage.case.correct else (),
        stopped=line.stopped,
    )


def _nearest(passage: Passage, spots: Sequence[TrailPoint]) -> Iterator[int]:
    """Yield at which position a walk came nearest to the viewpoint of each step; the first is its start."""
    first = 0
    for number, last in enumerate(passage.track.elements):
        place = passage.stage.place(passage.nodes[number])
        away = [math.hypot(spot.x - place.x, spot.y - place.y) for spot in spots[first : last + 1]]
        yield first + away.index(min(away)) if number else 0
        first = last + 1


def _bumped(line: EvidenceLine) -> tuple[int, ...]:
    return tuple(at + 1 for at in line.collisions or () if at + 1 < len(line.positions))


def _webp(picture: Image.Image) -> bytes:
    buffer = io.BytesIO()
    picture.save(buffer, "WEBP", quality=_QUALITY, method=6)
    return buffer.getvalue()
