"""What can be seen from where: what a source lists, and what captions mention in the right direction.

REVERIE lists what is within 3 m. What stands farther away in the same room is in sight too if a caption
of that direction speaks of such a thing. The other way round, whatever of the same name is listed a step
away, or stands in the same room, may be in sight as well, and a name means one thing only if there is
none.
"""

from __future__ import annotations

import math
from collections.abc import Sequence

from vlnscope.language.describe.scene_index import SceneIndex
from vlnscope.language.geometry import heading_to, same_storey
from vlnscope.language.lexicon import lexicon, mentions
from vlnscope.perception.sights.captions import sector_of
from vlnscope.perception.sights.percept import CaptionSource
from vlnscope.worlds.objects import SECTORS

FAR_SIGHT = 7.0
"""Most metres at which a caption is taken to speak of a thing."""


def seen_things(index: SceneIndex, captions: CaptionSource | None) -> tuple[frozenset[int], ...]:
    """Return the things in sight of each viewpoint."""
    return tuple(
        frozenset(index.visible[row]) | (_captioned(index, captions, row) if captions else frozenset())
        for row in range(len(index.nodes))
    )


def _captioned(index: SceneIndex, captions: CaptionSource, row: int) -> frozenset[int]:
    texts = captions.at(index.nodes[row])
    if len(texts) != SECTORS:
        return frozenset()
    here, room = index.positions[row], index.regions[row]
    return frozenset(
        number
        for number, thing in enumerate(index.things)
        if thing.centre is not None
        and room is not None
        and index.homes[number] == room
        and same_storey(here, thing.centre)
        and math.dist(here[:2], thing.centre[:2]) <= FAR_SIGHT
        and speaks_of(texts[sector_of(heading_to(here, thing.centre))], thing.name)
    )


def captions_towards(texts: Sequence[str], heading: float) -> list[str]:
    """Return the captions of a direction and of those beside it; none unless there are eight."""
    sector = sector_of(heading)
    return [texts[(sector + k) % SECTORS] for k in (-1, 0, 1)] if len(texts) == SECTORS else []


def confirmed(
    index: SceneIndex, captions: CaptionSource, path: tuple[int, ...], thing: int, name: str
) -> bool:
    """Return whether some caption of a walk, in the direction of a thing or next to it, calls it so.

    A caption that says less (“table” of a side table) does not.
    """
    centre = index.things[thing].centre
    if centre is None:
        return False
    for row in path:
        near = captions_towards(captions.at(index.nodes[row]), heading_to(index.positions[row], centre))
        if any(calls(text, name) for text in near):
            return True
    return False


def captioned_elsewhere(
    index: SceneIndex, captions: CaptionSource, row: int, name: str, things: tuple[int, ...]
) -> bool:
    """Return whether captions of a viewpoint speak of such a thing in directions where none of these is."""
    texts, here = captions.at(index.nodes[row]), index.positions[row]
    if len(texts) != SECTORS:
        return False
    places = [centre for thing in things if (centre := index.things[thing].centre) is not None]
    known = {(sector_of(heading_to(here, place)) + k) % SECTORS for place in places for k in (-1, 0, 1)}
    away = [text for sector, text in enumerate(texts) if sector not in known]
    return any(calls(text, name) for text in away)


def speaks_of(text: str, name: str) -> bool:
    """Return whether a text mentions a thing by its name of the lexicon, a broader or a narrower one.

    Example:
        >>> speaks_of("a living room with a couch", "sofa"), speaks_of("a couch", "bed")
        (True, False)
    """
    words = lexicon()
    said = [mention.name for mention in mentions(text) if mention.part == "object"]
    return any(words.is_a(other, name) or words.is_a(name, other) for other in said)


def calls(text: str, name: str) -> bool:
    """Return whether a text mentions a thing by its name of the lexicon or a narrower one.

    Example:
        >>> calls("an armchair", "chair"), calls("a chair", "armchair")
        (True, False)
    """
    return any(m.part == "object" and lexicon().is_a(m.name, name) for m in mentions(text))


def may_be_seen(index: SceneIndex, row: int, name: str, seen: frozenset[int]) -> tuple[int, ...]:
    """Return all things that answer to a name and are, or may be, in sight of a viewpoint."""
    near = seen.union(*(index.visible[other] for other in index.edges[row]))
    here, room = index.positions[row], index.regions[row]
    return tuple(
        number
        for number in sorted(index.answering(name))
        if number in near or (room is not None and index.homes[number] == room and _near(index, here, number))
    )


def _near(index: SceneIndex, here: tuple[float, float, float], number: int) -> bool:
    centre = index.things[number].centre
    return centre is None or math.dist(here[:2], centre[:2]) <= FAR_SIGHT
