"""Figures 3 and 6 of IVLN: walks beside references on maps, with the points that t-nDTW matches."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import pairwise

from msgspec.structs import replace

from vlnscope.benchmarks.kit.declarations import declarations
from vlnscope.benchmarks.kit.findings import Figure, Panel
from vlnscope.benchmarks.tours.maps.lines import floor_series, walk_series
from vlnscope.benchmarks.tours.maps.subtours import SubTour
from vlnscope.benchmarks.tours.maps.whole import LED, short
from vlnscope.core.exceptions import InputError
from vlnscope.worlds.scene import Scenes

REFERENCES = 5
"""Pairs of references that Figure 6 has."""
WALKERS = 5
"""Walks of each pair that are drawn at most."""
Key = tuple[str, int]
Walker = tuple[str, str]
"""An agent, and whether its memory was kept or reset."""
_PERFECT = 0.99
"""A walk that keeps to the references throughout shows no alignment."""
_declared = declarations("vlnscope.benchmarks.tours.findings")


def telling_figure(agent: str, found: Sequence[SubTour], scenes: Scenes, *, data: str) -> Figure:
    """Return Figure 3: a pair of episodes that went well, a middling one, and one whose first went wrong.

    Args:
        agent: who walked.
        found: all pairs of episodes that it walked.
        scenes: where.
        data: name of the data set.

    Raises:
        InputError: there are fewer than three pairs.
    """
    if len(found) < 3:
        raise _too_few(len(found), 3)
    ranked = sorted(found, key=lambda one: (-one.score, one.key))
    moved = [one for one in ranked if all(len(walk) > 1 for walk in one.walked)] or ranked
    close = next((one for one in moved if one.score < _PERFECT), moved[0])
    spoilt = max(moved, key=lambda one: (one.each[1] - one.each[0], one.key))
    chosen = dict(zip("abc", (close, moved[len(moved) // 2], spoilt), strict=True))
    panels = [
        _panel(one, scenes, f"({letter}) t-nDTW {100 * one.score:.0f}", _each(one))
        for letter, one in chosen.items()
    ]
    where = "; ".join(f"({letter}) {_where(one)}" for letter, one in chosen.items())
    return _declared.figure("tours-aligned", panels, agent=agent, data=data, where=where)


def ranked_figure(
    walkers: Mapping[Walker, Sequence[SubTour]], scenes: Scenes, *, data: str, most: int = REFERENCES
) -> Figure:
    """Return Figure 6: for some pairs of references, the walks of all walkers, the best at the left.

    The pairs are those on which no two walkers are alike: the largest least difference of t-nDTW comes first,
    and different scenes while there are some. A walker that did the same as one before it throughout is left
    out, such as an agent without memory that was reset.

    Args:
        walkers: pairs of episodes by who walked them.
        scenes: where.
        data: name of the data set.
        most: pairs of references.

    Raises:
        InputError: no pair was walked by all.
    """
    by_walker = _distinct(walkers)
    shown = list(by_walker)
    keys = _chosen(list(by_walker.values()), most)
    if not keys:
        raise _too_few(0, 1)
    panels = []
    for number, key in enumerate(keys, 1):
        for walker in sorted(shown, key=lambda walker: -by_walker[walker][key].score):
            one = by_walker[walker][key]
            title = f"{number}: t-nDTW {100 * one.score:.0f}"
            panels.append(_panel(one, scenes, title, _called(walker, shown)))
    where = "; ".join(f"{number}: {_where(by_walker[shown[0]][key])}" for number, key in enumerate(keys, 1))
    made = _declared.figure("tours-ranked-on-maps", panels, data=data, where=where)
    return replace(made, columns=len(shown))


def _distinct(walkers: Mapping[Walker, Sequence[SubTour]]) -> dict[Walker, dict[Key, SubTour]]:
    by_walker = {walker: {one.key: one for one in found} for walker, found in walkers.items()}
    first: dict[frozenset[object], Walker] = {}
    for walker, its in by_walker.items():
        first.setdefault(frozenset((key, one.walked) for key, one in its.items()), walker)
    return {walker: by_walker[walker] for walker in list(first.values())[:WALKERS]}


def _chosen(walks: Sequence[Mapping[Key, SubTour]], most: int) -> list[Key]:
    """Return the pairs that all walked: first one of each scene, the clearest differences first."""
    shared = [key for key in walks[0] if all(key in its for its in walks)] if walks else []

    def clear(key: Key) -> float:
        scores = sorted(its[key].score for its in walks)
        return min((b - a for a, b in pairwise(scores)), default=0.0)

    ranked = sorted(shared, key=lambda key: (-clear(key), key))
    first: dict[str, Key] = {}
    for key in ranked:
        first.setdefault(walks[0][key].scan, key)
    of_scenes = list(first.values())
    return [*of_scenes, *(key for key in ranked if key not in of_scenes)][:most]


def _called(walker: Walker, shown: Sequence[Walker]) -> str:
    agent, variant = walker
    return agent if sum(its == agent for its, _ in shown) == 1 else f"{agent}, memory {variant}"


def _panel(one: SubTour, scenes: Scenes, title: str, note: str) -> Panel:
    scene, level = scenes.scene(one.scan), one.level
    matches = [match for episode in one.matches for match in episode if match[0] != match[1]]
    starts = ("1", "2")
    walks = (
        walk_series("agent's path", scene, one.walked, "data", level=level),
        walk_series("matched points", scene, matches, "matched", level=level),
        walk_series("target path", scene, one.references, "reference", level=level, starts=starts),
        walk_series(LED, scene, [one.led], "led", level=level),
    )
    return Panel(title=title, note=note, series=(*walks, *floor_series(scene, level)))


def _each(one: SubTour) -> str:
    return f"nDTW {100 * one.each[0]:.0f} in episode 1, {100 * one.each[1]:.0f} in 2"


def _where(one: SubTour) -> str:
    return f"{short(one.scan)}, tour {one.key[0]}, episodes {one.key[1] + 1} and {one.key[1] + 2}"


def _too_few(there: int, needed: int) -> InputError:
    return InputError(
        f"{there} pairs of successive episodes on one floor were walked",
        expected=f"{needed} or more, walked by all runs that are named",
        fix="take runs of the same cases of tours (`vlnscope build tours --cases`)",
    )
