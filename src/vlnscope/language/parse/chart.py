"""Finding the best reading of a sentence under the compiled grammar.

Every category is matched at every place at most once, top down, and keeps its cheapest match for each
end. A sentence is covered with steps from left to right; what no step covers is skipped at a price.
"""

from __future__ import annotations

import heapq
from collections.abc import Iterator, Mapping, Sequence
from typing import NamedTuple

from vlnscope.language.lexicon.tokens import UNKNOWN, Lexeme, LexicalReading
from vlnscope.language.parse.rules import STARTS, Branch, Grammar, Rule, grammar

SKIPPED = 100
"""What a word costs that no step covers; a lexeme costs 1, a rule 10 per point of negative priority."""
_RULE = 10
_PASSED_OVER = 15


class Leaf(NamedTuple):
    """A terminal: its lexeme, its words ``[start, stop)``, and where the next one begins.

    Unknown words between `stop` and `end` are passed over.
    """

    lexeme: Lexeme
    start: int
    stop: int
    end: int

    @property
    def is_word(self) -> bool:
        """Whether it is a word that the lexicon knows, and no comma."""
        return self.lexeme.terminal not in (UNKNOWN, "COMMA")


class Node(NamedTuple):
    """A match of a rule."""

    name: str
    children: tuple[Node | Leaf, ...]

    def leaves(self) -> Iterator[Leaf]:
        """Yield all terminals below, from left to right."""
        for child in self.children:
            if isinstance(child, Leaf):
                yield child
            else:
                yield from child.leaves()

    def own_leaves(self) -> Iterator[Leaf]:
        """Yield the terminals that are not part of a phrase within."""
        return (child for child in self.children if isinstance(child, Leaf))

    def nodes(self) -> list[Node]:
        """Return the phrases within."""
        return [child for child in self.children if isinstance(child, Node)]

    def only(self) -> Node:
        """Return the first phrase within."""
        return self.nodes()[0]

    def terminals(self) -> set[str]:
        """Return the names of all terminals below."""
        return {leaf.lexeme.terminal for leaf in self.leaves()}

    def words(self) -> Iterator[int]:
        """Yield the places in the sentence of all words below that the lexicon knows."""
        return (word for leaf in self.leaves() if leaf.is_word for word in range(leaf.start, leaf.stop))


class _Link(NamedTuple):
    """The last part of a match and those before it; plain lists would be copied at every fork."""

    part: Leaf | _Match
    before: _Link | None


class _Match(NamedTuple):
    cost: int
    rule: Rule
    parts: _Link | None


def cover(readings: Sequence[Sequence[LexicalReading]], rules: Grammar | None = None) -> list[Node]:
    """Return the steps that cover a sentence best, in order; words between them are skipped.

    Commas and unknown words cost nothing to skip. The grammar is the package's, unless `rules` are given.
    """
    chart = _Chart(rules or grammar(), readings)
    size = len(readings)
    reached: dict[int, tuple[int, _Match | None]] = {}
    heap: list[tuple[int, int, int, _Match | None]] = [(0, 0, 0, None)]
    while size not in reached:
        cost, at, before, by = heapq.heappop(heap)
        if at in reached:
            continue
        reached[at] = (before, by)
        if at == size:
            break
        skip = 0 if chart.is_free(at) else SKIPPED
        heapq.heappush(heap, (cost + skip, at + 1, at, None))
        for start in STARTS:
            for end, match in chart.matches(start, at).items():
                heapq.heappush(heap, (cost + match.cost, end, at, match))
    return _steps(reached, size)


def _steps(reached: Mapping[int, tuple[int, _Match | None]], at: int) -> list[Node]:
    nodes: list[Node] = []
    while at > 0:
        at, match = reached[at]
        if match is not None:
            nodes.append(_node(match))
    return nodes[::-1]


def _is_unknown(here: Sequence[LexicalReading]) -> bool:
    return any(reading.lexeme.terminal == UNKNOWN for reading in here)


class _Chart:
    def __init__(self, rules: Grammar, readings: Sequence[Sequence[LexicalReading]]) -> None:
        self._heads, self._growth, self._firsts = rules
        self._done: dict[tuple[str, int], dict[int, _Match]] = {}
        self._here: list[dict[str, list[Leaf]]] = []
        for at, there in enumerate(readings):
            by_terminal: dict[str, list[Leaf]] = {}
            for lexeme, stop in there:
                ends = [stop]
                while ends[-1] < len(readings) and _is_unknown(readings[ends[-1]]):
                    ends.append(ends[-1] + 1)
                leaves = by_terminal.setdefault(lexeme.terminal, [])
                leaves += [Leaf(lexeme, at, stop, end) for end in (stop, *ends[-1:][: len(ends) - 1])]
            self._here.append(by_terminal)
        self._here.append({})

    def is_free(self, at: int) -> bool:
        """Tell whether skipping costs nothing: commas and unknown words."""
        return "COMMA" in self._here[at] or UNKNOWN in self._here[at]

    def matches(self, category: str, at: int) -> dict[int, _Match]:
        """Return the cheapest match of a category from a place to each end it can reach."""
        key = (category, at)
        matches = self._done.get(key)
        if matches is None:
            matches = self._done[key] = {}
            if not self._firsts[category].isdisjoint(self._here[at]):
                self._walk(self._heads[category], at, 0, None, matches)
                if category in self._growth:
                    self._extend(self._growth[category], matches)
        return matches

    def _extend(self, growth: Branch, matches: dict[int, _Match]) -> None:
        done: set[int] = set()
        while rest := [end for end in matches if end not in done]:
            end = min(rest)
            done.add(end)
            self._walk(growth, end, matches[end].cost, _Link(matches[end], None), matches)

    def _walk(
        self, branch: Branch, at: int, cost: int, parts: _Link | None, matches: dict[int, _Match]
    ) -> None:
        rule = branch.done
        if rule is not None:
            total = cost + _RULE * rule.cost
            if at not in matches or total < matches[at].cost:
                matches[at] = _Match(total, rule, parts)
        here = self._here[at]
        for terminal, further in branch.terminals.items():
            for leaf in here.get(terminal, ()):
                price = 1 + _PASSED_OVER * (leaf.end - leaf.stop)
                self._walk(further, leaf.end, cost + price, _Link(leaf, parts), matches)
        for category, further in branch.categories.items():
            if self._firsts[category].isdisjoint(here):
                continue
            for end, match in self.matches(category, at).items():
                self._walk(further, end, cost + match.cost, _Link(match, parts), matches)


def _node(match: _Match) -> Node:
    children: list[Node | Leaf] = []
    for part in _parts(match):
        if isinstance(part, Leaf):
            children.append(part)
        elif part.rule.melts:
            children += _node(part).children
        else:
            children.append(_node(part))
    return Node(match.rule.name, tuple(children))


def _parts(match: _Match) -> list[Leaf | _Match]:
    parts = []
    link = match.parts
    while link is not None:
        parts.append(link.part)
        link = link.before
    return parts[::-1]
