"""Landmark recognition: towards or past one of several landmarks in sight.

No item is left that a walk with regard to *any* other landmark in sight would pass, unless the two stand
together. Where two items start from one view, they are a pair: the walk for the one fails the check of the
other. On houses some pairs are minimal: two things of one kind that differ in an attribute only.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import combinations
from typing import Any, NamedTuple

from vlnscope.benchmarks.kit.filter_counts import FilterCounts
from vlnscope.benchmarks.nuances.build.ambiguity import is_decided, passes
from vlnscope.benchmarks.nuances.build.items import IndexedScene, NuanceItem, flat
from vlnscope.benchmarks.nuances.build.landmark_names import NamedLandmark, is_plainly_named, named_landmark
from vlnscope.benchmarks.nuances.build.landmark_paths import (
    LandmarkWalk,
    Way,
    centre_of,
    landmarks,
    near_passes,
    walks_from,
)
from vlnscope.core.rng import rng_for
from vlnscope.language.geometry import relative
from vlnscope.language.lexicon import lexicon
from vlnscope.types import Episode
from vlnscope.worlds.graph.views import wrap_heading

TOGETHER = 1.5
"""Middles of things that stand together are at most so far apart, metres."""
MOST_RIGHT = 2 / 3
"""Greatest share of the ways from a start that may be right where no rival is asked for: more is no test."""
WAYS: tuple[Way, ...] = ("towards", "past")


class Group(NamedTuple):
    """One item, or two from one view with the kind of attribute by which alone they differ."""

    members: tuple[NamedLandmark, ...]
    attribute: str = ""


def landmark_items(site: IndexedScene, counts: FilterCounts, *, most: int, seed: int) -> list[NuanceItem]:
    """Return the items of a scene.

    Args:
        site: the scene.
        counts: counts what is left out.
        most: how many items of each kind are taken, drawn at random: minimal pairs, pairs, then single ones.
        seed: of the drawing.
    """
    named_by_way: dict[Way, list[NamedLandmark]] = {"towards": [], "past": []}
    for start in range(len(site.places)):
        things = landmarks(site, start)
        walks = list(walks_from(site, start, things))
        for way in WAYS:
            shaped = [walk for walk in walks if walk.way == way]
            counts.add(f"LR {way}: a walk of the right shape", len(things), len(shaped))
            named_by_way[way] += _decided(site, start, shaped, way, counts)
    chosen: list[Group] = []
    for way in WAYS:
        groups = _groups(site, named_by_way[way])
        picked = _drawn(groups, most, seed, f"{site.scene.id} {way}")
        counts.add(f"LR {way}: drawn", len(named_by_way[way]), sum(len(group.members) for group in picked))
        chosen += picked
    return [item for k, group in enumerate(chosen) for item in _items(site, group, k, seed)]


def _decided(
    site: IndexedScene, start: int, walks: list[LandmarkWalk], way: Way, counts: FilterCounts
) -> list[NamedLandmark]:
    told = site.estimated and site.clear
    if not told:
        rivalled = f"LR {way}: another landmark in sight"
        walks_to_name = counts.keep(rivalled, walks, lambda w: bool(_rivals(site, w, (w.thing,), walks)))
    else:
        walks_to_name = walks
    named = [name for walk in walks_to_name if (name := named_landmark(site, walk))]
    rule = "captions confirm it, and its name is clear" if told else "a name that means one thing in sight"
    counts.add(f"LR {way}: {rule}", len(walks_to_name), len(named))
    if site.clear:
        plain = f"LR {way}: it lies ahead at the end" if way == "towards" else "LR past: ahead, then behind"
        named = counts.keep(plain, named, lambda name: is_plainly_named(site, name))
    if told:
        enough = f"LR {way}: a third of the ways or more do not count"
        named = counts.keep(enough, named, lambda name: _can_go_wrong(site, name))
    if way == "past":
        named = counts.keep(
            "LR past: wherever a walk past it may end, it counts",
            named,
            lambda name: _is_clear(site, name),
        )
    return counts.keep(
        f"LR {way}: walks for other landmarks fail", named, lambda name: _is_decided(site, name, walks)
    )


def _rivals(
    site: IndexedScene, walk: LandmarkWalk, meant: tuple[int, ...], walks: Sequence[LandmarkWalk]
) -> list[LandmarkWalk]:
    """Return the walks for things that are not meant and do not stand together with that of a walk."""
    centre = centre_of(site, walk.thing)
    return [
        other
        for other in walks
        if other.thing not in meant and flat(centre_of(site, other.thing), centre) > TOGETHER
    ]


def _can_go_wrong(site: IndexedScene, name: NamedLandmark) -> bool:
    """Return whether enough steps from the start are not what is asked for."""
    draft, nodes, ways = _draft(site, name), site.graph.nodes, site.ways[name.walk.path[0]]
    right = sum(passes(draft, (nodes[end],), site.graph) for end in ways)
    return right <= MOST_RIGHT * len(ways)


def _is_clear(site: IndexedScene, name: NamedLandmark) -> bool:
    draft, nodes = _draft(site, name), site.graph.nodes
    return all(passes(draft, (nodes[end],), site.graph) for end in near_passes(site, name.walk))


def _is_decided(site: IndexedScene, name: NamedLandmark, walks: list[LandmarkWalk]) -> bool:
    wrong = [site.named(other.path) for other in _rivals(site, name.walk, name.meant, walks)]
    return is_decided(_draft(site, name), wrong, site.graph)


def _draft(site: IndexedScene, name: NamedLandmark) -> Episode:
    return Episode(
        episode_id="draft",
        path_id="draft",
        scan=site.scene.id,
        instruction=f"walk {name.walk.way}",
        path=site.named(name.walk.path),
        extra=_fields(site, name),
    )


def _fields(site: IndexedScene, name: NamedLandmark) -> dict[str, list[Any]]:
    fields: dict[str, list[Any]] = {"obj_center": _rounded(site, name.walk.thing)}
    if len(name.meant) > 1:
        fields["obj_centers"] = [_rounded(site, thing) for thing in name.meant]
    return fields


def _rounded(site: IndexedScene, thing: int) -> list[float]:
    return [round(value, 4) for value in centre_of(site, thing)]


def _groups(site: IndexedScene, named: list[NamedLandmark]) -> list[Group]:
    """Return all pairs and all single items: minimal pairs first, then pairs."""
    by_start: dict[int, list[NamedLandmark]] = {}
    for name in named:
        by_start.setdefault(name.walk.path[0], []).append(name)
    pairs = [
        Group((a, b), _contrast(a, b))
        for group in by_start.values()
        for a, b in combinations(group, 2)
        if _rivals(site, a.walk, a.meant, (b.walk,))
    ]
    pairs.sort(key=lambda pair: not pair.attribute)
    return pairs + [Group((name,)) for name in named]


def _contrast(a: NamedLandmark, b: NamedLandmark) -> str:
    """Return the kind of the attribute by which alone two names differ."""
    if a.noun != b.noun or not a.attribute or not b.attribute:
        return ""
    known = lexicon().attributes
    kinds = [kind for kind in known[a.attribute].kinds if kind in known[b.attribute].kinds]
    return kinds[0] if kinds else ""


def _drawn(groups: list[Group], most: int, seed: int, key: str) -> list[Group]:
    """Draw groups until there are enough items, those first whose landmarks were drawn least before."""
    order = rng_for(seed, "nuances LR", key).permutation(len(groups)).tolist()
    rank = {
        pick: (_several(groups[pick]), not groups[pick].attribute, -len(groups[pick].members), k)
        for k, pick in enumerate(order)
    }
    left = sorted(order, key=rank.__getitem__)
    used: dict[int, int] = {}
    starts: set[tuple[int, int]] = set()
    picked: list[Group] = []
    count = turn = 0
    while left and count < most:
        later = []
        for pick in left:
            members = groups[pick].members
            things = [name.walk.thing for name in members]
            if any(used.get(thing, 0) > turn for thing in things):
                later.append(pick)
            elif count + len(members) <= most and not starts & {
                (n.walk.path[0], n.walk.thing) for n in members
            }:
                picked.append(groups[pick])
                count += len(members)
                starts |= {(name.walk.path[0], name.walk.thing) for name in members}
                used |= {thing: used.get(thing, 0) + 1 for thing in things}
        left, turn = later, turn + 1
    return picked


def _several(group: Group) -> bool:
    """Return whether any of several things is meant."""
    return any(len(member.meant) > 1 for member in group.members)


def _items(site: IndexedScene, group: Group, number: int, seed: int) -> Iterator[NuanceItem]:
    pair = f"{site.scene.id}-lr{number}"
    for k, member in enumerate(group.members):
        groups = {"variant": member.text.removeprefix("the ")}
        if len(member.meant) > 1:
            groups["any_of"] = str(len(member.meant))
        if group.attribute:
            groups["attribute"] = group.attribute
        yield NuanceItem(
            category="LR",
            subset=member.walk.way,
            name=f"{pair}-{member.walk.way}-{k}",
            path=site.named(member.walk.path),
            heading=_view(site, group, seed, pair),
            phrase=member.walk.way,
            slots={"landmark": member.text},
            fields=_fields(site, member),
            pair=pair,
            groups=groups,
        )


def _view(site: IndexedScene, group: Group, seed: int, key: str) -> float:
    """Look at the middle between two ways; where there is one, up to a quarter turn to a side of it."""
    courses = [site.course(member.walk.path[0], member.walk.path[1]) for member in group.members]
    if len(courses) > 1:
        return wrap_heading(courses[0] + relative(courses[0], courses[1]) / 2)
    return wrap_heading(courses[0] + float(rng_for(seed, "nuances LR view", key).uniform(-1.5, 1.5)))
