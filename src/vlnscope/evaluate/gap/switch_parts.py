"""The parts of a gap that the switches of the protocol explain."""

from __future__ import annotations

from vlnscope.evaluate.gap.result import Part
from vlnscope.evaluate.gap.settings import WORDS, Means, changed_for, partly
from vlnscope.evaluate.gap.shapley import Shares, shares, subsets
from vlnscope.metrics.profiles.profile import Profile


def switch_parts(
    means: Means, metric: str, base: Profile, other: Profile
) -> tuple[list[Part], Shares] | None:
    """Share out what changing the switches does to the mean of some walks.

    Returns None if a mean that is needed does not exist: no episode has a value under some setting.
    """
    changed = changed_for([metric], base.switches, other.switches)
    names = list(changed)
    asked = {made: partly(base.switches, other.switches, made) for made in subsets(names)}
    alone = {name: partly(base.switches, other.switches, [name]) for name in names}
    means.prepare((metric, setting) for setting in (*asked.values(), *alone.values()))
    worth = {made: means.of(metric, setting).points for made, setting in asked.items()}
    known = {made: points for made, points in worth.items() if points is not None}
    if len(known) < len(worth):
        return None
    found = shares(names, known.__getitem__)
    start = means.of(metric, base.switches)
    parts = [
        Part(
            "switch",
            name,
            WORDS.get(name, name),
            found.points[name],
            setting=changed[name],
            alone=start.to(means.of(metric, alone[name])),
        )
        for name in names
    ]
    return sorted(parts, key=lambda part: -abs(part.points)), found
