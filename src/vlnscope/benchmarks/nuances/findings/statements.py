"""What is said of an agent: each category beside chance, and the contrasts of the paper's Figures 4 to 7."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from msgspec.structs import replace

from vlnscope.benchmarks.kit.estimates import mean_of
from vlnscope.benchmarks.kit.findings import Statement, Wording, statement
from vlnscope.benchmarks.nuances.evaluators.evaluator import CATEGORIES, NAMES
from vlnscope.benchmarks.nuances.findings.derived_rows import (
    chosen,
    dual_rows,
    pair_difference,
    pair_rows,
    scene_difference,
)
from vlnscope.stats.interval import Interval
from vlnscope.types import ScoreRow

_CATEGORY = Wording(
    above="{name}: succeeds in {value} of {n} cases, above the {null} of random moves",
    below="{name}: succeeds in {value} of {n} cases, below the {null} of random moves",
    unclear="{name}: succeeds in {value} of {n} cases, which random moves ({null}) may do as well",
)
_TOLD = Wording(
    above="told to {do}, does in {value} of {n} cases, above the {null} of random moves",
    below="told to {do}, does in {value} of {n} cases, below the {null} of random moves",
    unclear="told to {do}, does in {value} of {n} cases, no more than random moves ({null}) may",
)
_TURNS = Wording(
    above="turns right better than left when told to (right minus left: {value})",
    below="turns left better than right when told to (right minus left: {value})",
    unclear="no preference for a turn was found (right minus left: {value})",
)
_DUAL = Wording(
    above="does both turns from one view in {value} of {n} pairs, above the {null} of independent successes",
    below="does both turns from one view in {value} of {n} pairs, below the {null} of independent successes: "
    "from some views it goes one way whatever it is told",
    unclear="does both turns from one view in {value} of {n} pairs, which independent successes ({null}) may "
    "explain",
)
_BY_CHANCE = "; of random moves: {chance})"
_STAIRS = Wording(
    above="goes upstairs better than downstairs (up minus down: {value}" + _BY_CHANCE,
    below="goes downstairs better than upstairs (up minus down: {value}" + _BY_CHANCE,
    unclear="going up and down cannot be told apart (up minus down: {value}" + _BY_CHANCE,
)
_BOTH_WAYS = Wording(
    above="where stairs lead up and down it takes the right ones in {value} of {n} cases, above {null}",
    below="where stairs lead up and down it takes the right ones in {value} of {n} cases, below {null}",
    unclear="where stairs lead up and down it takes the right ones in {value} of {n} cases, which random "
    "moves ({null}) may do as well",
)
_COUNTS = Wording(
    above="counts: right in {value} of {n} cases, above the {null} of {who}",
    below="does not count: right in {value} of {n} cases, below the {null} of {who}",
    unclear="cannot be said to count: right in {value} of {n} cases, as {who} would be ({null})",
)
_LATER = Wording(
    above="told to take the second or a later one, does in {value} of {n} cases, above the {null} of {who}",
    below="told to take the second or a later one, does in {value} of {n} cases, below the {null} of {who}",
    unclear="told to take the second or a later one, does in {value} of {n} cases, as {who} would ({null})",
)
_LANDMARKS = Wording(
    above="walks towards landmarks better than past them (towards minus past: {value}" + _BY_CHANCE,
    below="walks past landmarks better than towards them (towards minus past: {value}" + _BY_CHANCE,
    unclear="walking towards and past things cannot be told apart (towards minus past: {value}" + _BY_CHANCE,
)
_PAIRS = Wording(
    above="tells the two {things} of a pair apart in {value} of {n} pairs, above the {null} of random moves",
    below="tells the two {things} of a pair apart in {value} of {n} pairs, below the {null} of random moves",
    unclear="tells the two {things} of a pair apart in {value} of {n} pairs, which random moves ({null}) may "
    "do as well",
)
_REGIONS = Wording(
    above="goes into rooms better than it leaves them (into minus exit: {value}" + _BY_CHANCE,
    below="leaves rooms better than it goes into them (into minus exit: {value}" + _BY_CHANCE,
    unclear="entering and leaving rooms cannot be told apart (into minus exit: {value}" + _BY_CHANCE,
)
_STOPS = Wording(
    above="was where it should have stopped and went on, or came back, in {value} of the region cases",
    below="",
    unclear="stops in the right region whenever it gets there",
)
_TOPICS = {"DC": "directions", "VM": "stairs", "NU": "counting", "LR": "things", "RR": "rooms"}
_WAYS = (
    ("DC", "left", "left", "turn left"),
    ("DC", "right", "right", "turn right"),
    ("VM", "up", "up", "go up"),
    ("VM", "down", "down", "go down"),
    ("RR", "into", "rooms", "go into a room that is named"),
)
"""Subsets that ask for something by itself: category, subset, topic, what is told. Who leaves a room need not
know its name; who goes into one must."""
WHO = {
    "agent-1": "someone who picks any of the choices",
    "agent-2": "someone who picks one on the right side",
}


def statements_of(agent: str, rows: Sequence[ScoreRow]) -> Iterator[Statement]:
    """Yield what can be said of an agent from its rows; what no row speaks of is not mentioned."""
    say = _Sayer(agent, rows)
    for category in CATEGORIES:
        wording = _filled(_CATEGORY, name=NAMES[category])
        topic = _TOPICS[category]
        yield from say.rate(
            f"{category}.SR", say.of(category), wording, null="chance", weight=0.9, topic=topic
        )
    for part, way, topic, told in _WAYS:
        wording = _filled(_TOLD, do=told)
        its = say.of(part, subset=way)
        yield from say.rate(f"{part}.{way}", its, wording, null="chance", weight=0.75, topic=topic)
    yield from say.turns()
    yield from say.stairs()
    yield from say.counting()
    yield from say.landmarks()
    yield from say.regions()


class _Sayer:
    """Makes the statements of one agent."""

    def __init__(self, agent: str, rows: Sequence[ScoreRow]) -> None:
        self._agent, self._rows = agent, rows

    def of(self, category: str, **groups: str) -> list[ScoreRow]:
        """Return the rows of a category."""
        return chosen(self._rows, category=category, **groups)

    def rate(
        self,
        key: str,
        rows: Sequence[ScoreRow],
        wording: Wording,
        *,
        null: str,
        weight: float = 0.5,
        topic: str = "",
    ) -> Iterator[Statement]:
        """Compare a success rate with the mean of another value of the same rows.

        That mean is what an agent without the ability `topic` gets; one that has it is always right.
        """
        if rows:
            made = self._compared(key, rows, wording, _mean(rows, null), weight)
            about = topic and made.null is not None
            yield replace(made, topic=topic, worst=made.null, best=100.0) if about else made

    def turns(self) -> Iterator[Statement]:
        """Left against right, and both from one view (Figure 6)."""
        left, right = self.of("DC", subset="left"), self.of("DC", subset="right")
        both = dual_rows([*left, *right], ("left", "right"))
        if not both:
            return
        bias = pair_difference(right, left, "SR")
        said = statement("DC.turn-bias", self._agent, bias, _TURNS, weight=0.8)
        yield _of_the_worse(said, left, right)
        independent = (_mean(left, "SR") or 0.0) * (_mean(right, "SR") or 0.0)
        yield self._compared("DC.dual", both, _DUAL, independent, 0.7)

    def stairs(self) -> Iterator[Statement]:
        """Up against down, and where both can be taken."""
        yield from self._contrast("VM", "up", "down", _STAIRS, 0.5)
        yield from self.rate("VM.both-ways", self.of("VM", both="yes"), _BOTH_WAYS, null="chance")

    def counting(self) -> Iterator[Statement]:
        """Counting against guessing (Figure 4)."""
        rows = [row for row in self.of("NU") if "agent-1" in row.values]
        for name, who in WHO.items():
            wording = _filled(_COUNTS, who=who)
            weight = 0.8 if name == "agent-2" else 0.6
            topic = "counting" if name == "agent-2" else ""
            yield from self.rate(f"NU.{name}", rows, wording, null=name, weight=weight, topic=topic)
        # who does not count takes the first, and is right wherever that is asked
        later = [row for row in rows if row.groups.get("ordinal", "first") != "first"]
        wording = _filled(_LATER, who=WHO["agent-2"])
        yield from self.rate("NU.later", later, wording, null="agent-2", weight=0.7, topic="counting")

    def landmarks(self) -> Iterator[Statement]:
        """Towards against past (Figure 5), and pairs of landmarks in one view."""
        yield from self._contrast("LR", "towards", "past", _LANDMARKS, 0.6)
        rows = self.of("LR")
        pairs = pair_rows(rows)
        alike = [row for row in pairs if "attribute" in row.groups]
        wording = _filled(_PAIRS, things="landmarks")
        yield from self.rate("LR.pairs", pairs, wording, null="chance", weight=0.6, topic="things")
        wording = _filled(_PAIRS, things="things of one kind")
        yield from self.rate("LR.attributes", alike, wording, null="chance", weight=0.6)

    def regions(self) -> Iterator[Statement]:
        """Into against exit (Figure 7), and stopping in the right place."""
        yield from self._contrast("RR", "into", "exit", _REGIONS, 0.6)
        rows = self.of("RR")
        if rows:
            seen = [_gap(row) for row in rows if "OSR" in row.values and "SR" in row.values]
            gap = mean_of(seen, "gap")
            yield statement("RR.stopping", self._agent, gap, _STOPS, null=0.0)

    def _contrast(
        self, category: str, a: str, b: str, wording: Wording, weight: float
    ) -> Iterator[Statement]:
        """Compare two subsets, and say how much of the difference random moves would show."""
        one, other = (self.of(category, subset=name) for name in (a, b))
        found, lucky = (scene_difference(one, other, metric) for metric in ("SR", "chance"))
        if found is not None:
            chance = "unknown" if lucky is None or lucky.mean is None else f"{100 * lucky.mean:.1f} points"
            words = _filled(wording, chance=chance)
            yield statement(f"{category}.{a}-{b}", self._agent, found, words, weight=weight)

    def _compared(
        self, key: str, rows: Sequence[ScoreRow], wording: Wording, null: float | None, weight: float
    ) -> Statement:
        found: Interval = mean_of(rows, "SR")
        missed = tuple(row.episode_id for row in rows if row.values.get("SR") == 0.0)[:3]
        level = None if null is None else 100 * null
        return statement(key, self._agent, found, wording, null=level, weight=weight, episodes=missed)


def _mean(rows: Sequence[ScoreRow], metric: str) -> float | None:
    values = [row.values[metric] for row in rows if metric in row.values]
    return sum(values) / len(values) if values else None


def _of_the_worse(bias: Statement, left: Sequence[ScoreRow], right: Sequence[ScoreRow]) -> Statement:
    """Let a clear difference of the turns, right minus left, speak of the one that is done worse.

    Who does not heed that one does it by chance, and the other as well as ever.
    """
    if bias.verdict not in ("above", "below"):
        return bias
    better, worse, sign = (right, left, 1.0) if bias.verdict == "above" else (left, right, -1.0)
    most = (_mean(better, "SR") or 0.0) - (_mean(worse, "chance") or 0.0)
    topic = "left" if bias.verdict == "above" else "right"
    return replace(bias, topic=topic, worst=sign * 100.0 * most, best=0.0) if most > 0 else bias


def _gap(row: ScoreRow) -> ScoreRow:
    return _with(row, "gap", float(row.values["OSR"] > row.values["SR"]))


def _with(row: ScoreRow, name: str, value: float) -> ScoreRow:
    return replace(row, values={name: value})


def _filled(wording: Wording, **words: str) -> Wording:
    """Fill in words, and leave the places of the numbers."""
    numbers = {name: "{" + name + "}" for name in ("value", "low", "high", "null", "n")}
    texts = (wording.above, wording.below, wording.unclear)
    above, below, unclear = (text.format(**numbers, **words) for text in texts)
    return Wording(above=above, below=below, unclear=unclear)
