"""Statements that can show that an ability is missing, but not that it is there."""

from __future__ import annotations

from msgspec.structs import replace

from vlnscope.benchmarks.kit.findings import Statement

GRAVE = 0.95


def as_lack(said: Statement, topic: str, *, worst: float, best: float, weight: float = GRAVE) -> Statement:
    """Let a statement speak of an ability if it shows that the ability is missing; else leave it.

    Who goes left where the way does may have been led by a door that was named, and who stops at all may stop
    anywhere: that says nothing for the ability, and must not outweigh a test that was made for it. But who
    misses nearly every left turn does not heed “left”. `weight` is that of such a lack.

    Example:
        >>> from vlnscope.benchmarks.kit.findings import Wording
        >>> often = Statement(
        ...     key="never", agent="mine", value=99.0, low=95.0, high=100.0, wording=Wording(plain="")
        ... )
        >>> as_lack(often, "stopping", worst=100.0, best=0.0).topic
        'stopping'
        >>> as_lack(often, "stopping", worst=0.0, best=100.0).topic
        ''
    """
    about = replace(said, topic=topic, worst=worst, best=best)
    return replace(about, weight=weight) if about.shows_absence else said
