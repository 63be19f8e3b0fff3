"""How landmarks are called: by a name that means one thing in sight, or as one of several alike."""

from __future__ import annotations

import math
from typing import NamedTuple

from vlnscope.benchmarks.nuances.build.items import IndexedScene, flat
from vlnscope.benchmarks.nuances.build.landmark_paths import LandmarkWalk, centre_of, is_plain
from vlnscope.benchmarks.nuances.build.sight import captioned_elsewhere, confirmed, may_be_seen
from vlnscope.benchmarks.nuances.build.standing import BUILT_IN
from vlnscope.language.describe.candidates.referring import Ref, namer_for, said_names
from vlnscope.language.geometry import heading_to, relative
from vlnscope.language.lexicon import lexicon
from vlnscope.language.names import noun

MOST_ALIKE = 6
"""Of more things alike than so many nobody says “one of the”."""

APART, ONE_SIDE = 2.0, math.radians(60)
"""Who is to walk towards one of several is so many metres from each, and has each so nearly ahead."""

KITCHEN, KITCHEN_NAMES = "k", frozenset({"kitchen counter", "kitchen island", "kitchen cabinet"})
"""Names for things in rooms of this letter only; REVERIE's “countertop” may be anywhere."""


class NamedLandmark(NamedTuple):
    """A walk and how its landmark is called.

    Attributes:
        walk: the walk.
        text: what is said, with the article.
        noun: the entry of the lexicon.
        attribute: the attribute that is part of the name, if any.
        meant: the things that the words mean.
    """

    walk: LandmarkWalk
    text: str
    noun: str
    attribute: str
    meant: tuple[int, ...]


def named_landmark(site: IndexedScene, walk: LandmarkWalk) -> NamedLandmark | None:
    """Name the landmark of a walk as plainly as nothing else is meant; None where no name does.

    Where sizes and places are estimates, attributes are unknown, and what a source does not list may be
    in sight: then several things of the name are named together (“one of the chairs”), if that is asked
    for.
    """
    if site.clear and site.estimated:
        return _by_noun(site, walk)
    start = walk.path[0]
    for ref in namer_for(site.scene_index).of(start, 0.0, walk.thing):
        if ref.side is None and ref.number is None and not ref.relations:
            attribute = ref.attributes[0] if ref.attributes else ""
            if site.clear and _has_double(site, walk, ref):
                continue
            return NamedLandmark(walk, _text(ref), ref.name, attribute, (walk.thing,))
    return None


def _has_double(site: IndexedScene, walk: LandmarkWalk, ref: Ref) -> bool:
    """Return whether another thing that the words fit may come into sight on the way."""
    index, start = site.scene_index, walk.path[0]
    others = [*may_be_seen(index, start, ref.name, site.sights[start])]
    others += [thing for thing in index.answering(ref.name) if index.homes[thing] == index.homes[walk.thing]]
    wanted = set(ref.attributes)
    return any(wanted <= set(index.things[thing].attributes) for thing in others if thing != walk.thing)


def _by_noun(site: IndexedScene, walk: LandmarkWalk) -> NamedLandmark | None:
    index, captions = site.scene_index, site.captions
    own = index.things[walk.thing].name
    fitting = [
        name
        for name in said_names(own)
        if captions is None or confirmed(index, captions, walk.path, walk.thing, name)
    ]
    for name in fitting:
        known = not (name in KITCHEN_NAMES and site.label(walk.path[-1]) != KITCHEN)
        if known and _all_alike(site, walk, name) == (walk.thing,):
            return NamedLandmark(walk, _text(Ref("object", name)), name, "", (walk.thing,))
    several = site.any_of and own in fitting and own not in BUILT_IN
    alike = _all_alike(site, walk, own) if several else ()
    if 1 < len(alike) <= MOST_ALIKE and all(index.things[thing].centre is not None for thing in alike):
        return NamedLandmark(walk, f"one of the {noun(own).plural}", own, "", alike)
    return None


def _all_alike(site: IndexedScene, walk: LandmarkWalk, name: str) -> tuple[int, ...]:
    """Return all things of a name that may be in sight; none if captions at either end tell of others."""
    index, start = site.scene_index, walk.path[0]
    alike = may_be_seen(index, start, name, site.sights[start])
    captions, ends = site.captions, (start, walk.path[-1])
    if captions and any(captioned_elsewhere(index, captions, row, name, alike) for row in ends):
        return ()
    return alike


def is_plainly_named(site: IndexedScene, name: NamedLandmark) -> bool:
    """Return whether a stranger who sees the walk would describe it so.

    Nobody is told to walk past one of several. Towards one of several leads a walk on which all of them
    lie ahead, none of them near the start, and which ends before them all.
    """
    walk = name.walk
    if not all(is_plain(site, walk._replace(thing=thing)) for thing in name.meant):
        return False
    if len(name.meant) == 1:
        return True
    start, course = site.point(walk.path[0]), site.course(walk.path[0], walk.path[-1])
    centres = [centre_of(site, thing) for thing in name.meant]
    apart = all(flat(start, centre) >= APART for centre in centres)
    ahead = all(abs(relative(course, heading_to(start, centre))) <= ONE_SIDE for centre in centres)
    return walk.way == "towards" and apart and ahead


def _text(ref: Ref) -> str:
    words = lexicon()
    adjectives = [words.attributes[name].forms[0] for name in ref.attributes]
    return " ".join(("the", *adjectives, noun(ref.name).said))
