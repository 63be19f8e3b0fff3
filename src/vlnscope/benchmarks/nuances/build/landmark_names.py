"""How landmarks are called: by a name that means one thing in sight, or as one of several alike."""

from __future__ import annotations

from typing import NamedTuple

from vlnscope.benchmarks.nuances.build.items import IndexedScene
from vlnscope.benchmarks.nuances.build.landmark_paths import LandmarkWalk
from vlnscope.benchmarks.nuances.build.sight import may_be_seen
from vlnscope.benchmarks.nuances.build.standing import BUILT_IN
from vlnscope.language.describe.candidates.referring import Ref, namer_for, said_names
from vlnscope.language.lexicon import lexicon
from vlnscope.language.names import noun

MOST_ALIKE = 6
"""Of more things alike than so many nobody says “one of the”."""


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
            return NamedLandmark(walk, _text(ref), ref.name, attribute, (walk.thing,))
    return None


def _by_noun(site: IndexedScene, walk: LandmarkWalk) -> NamedLandmark | None:
    index, start = site.scene_index, walk.path[0]
    own = index.things[walk.thing].name
    for name in said_names(own):
        alike = may_be_seen(index, start, name, site.sights[start])
        if alike == (walk.thing,):
            return NamedLandmark(walk, _text(Ref("object", name)), name, "", alike)
    alike = may_be_seen(index, start, own, site.sights[start])
    placed = all(index.things[thing].centre is not None for thing in alike)
    if site.any_of and placed and len(alike) <= MOST_ALIKE and own not in BUILT_IN:
        return NamedLandmark(walk, f"one of the {noun(own).plural}", own, "", alike)
    return None


def _text(ref: Ref) -> str:
    words = lexicon()
    adjectives = [words.attributes[name].forms[0] for name in ref.attributes]
    return " ".join(("the", *adjectives, noun(ref.name).said))
