"""What is said of stopping: whether an agent does, where on the way, and how far from its end."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from vlnscope.benchmarks.kit.declarations import declarations
from vlnscope.benchmarks.kit.estimates import mean_of, select, share_of
from vlnscope.benchmarks.kit.findings import Statement
from vlnscope.benchmarks.outcomes.findings.derived_rows import as_lack, examples, failure_weight
from vlnscope.stats.interval import SIZE
from vlnscope.types import ScoreRow

TOPIC = "stopping"
ENOUGH = 6
"""So many walks must stop elsewhere before it is said how far."""
_say = declarations(__package__).statement


def stop_statements(agent: str, rows: Sequence[ScoreRow]) -> Iterator[Statement]:
    """Say whether and where an agent stops; what is not known is not mentioned."""
    known = [row for row in rows if "stopped" in row.values]
    if known:
        yield _never(agent, known)
    on_way = [row for row in rows if "stop" in row.groups]
    if not on_way:
        return
    yield _there(agent, on_way)
    for where in ("short", "past"):
        yield from _elsewhere(agent, where, on_way)
    short = select(on_way, stop="short")
    past = [row for row in on_way if "metres-past" in row.values]
    for metric, stopped in (("steps-short", short), ("metres-short", short), ("metres-past", past)):
        yield from _extent(agent, stopped, metric)


def _never(agent: str, known: Sequence[ScoreRow]) -> Statement:
    endless = [row for row in known if row.values["stopped"] == 0.0]
    often = "always" if len(endless) == len(known) else "sometimes" if endless else "never"
    share = share_of(known, lambda row: row.values["stopped"] == 0.0)
    shown = examples(endless, lambda row: row.values.get("OSR", 0.0))
    said = _say(f"never-stops-{often}", agent, share, weight=failure_weight(share.low), episodes=shown)
    return as_lack(said, TOPIC, worst=100.0, best=0.0)


def _there(agent: str, on_way: Sequence[ScoreRow]) -> Statement:
    anywhere = 100.0 * sum(1.0 / row.values["places"] for row in on_way) / len(on_way)
    share = share_of(on_way, lambda row: row.groups["stop"] == "there")
    shown = examples((row for row in on_way if row.groups["stop"] != "there"), _metres_amiss)
    said = _say("stops-there", agent, share, null=anywhere, worst=anywhere, episodes=shown)
    # a statement that says where it stops instead tells more
    return as_lack(said, TOPIC, worst=anywhere, best=100.0, weight=0.9)


def _elsewhere(agent: str, where: str, on_way: Sequence[ScoreRow]) -> Iterator[Statement]:
    stopped = select(on_way, stop=where)
    if stopped:
        share = share_of(on_way, lambda row: row.groups["stop"] == where)
        name = f"stops-{where}" + ("-always" if len(stopped) == len(on_way) else "")
        shown = examples(stopped, _metres_amiss)
        said = _say(name, agent, share, weight=failure_weight(share.low), episodes=shown)
        yield as_lack(said, TOPIC, worst=100.0, best=0.0)


def _extent(agent: str, rows: Sequence[ScoreRow], metric: str) -> Iterator[Statement]:
    if len(rows) >= ENOUGH:
        shown = examples(rows, lambda row: row.values.get(metric, 0.0))
        yield _say(metric, agent, mean_of(rows, metric, within=SIZE), episodes=shown)


def _metres_amiss(row: ScoreRow) -> float:
    """Return how clearly a walk stopped in the wrong place."""
    return max(row.values.get("metres-short", 0.0), row.values.get("metres-past", 0.0))
