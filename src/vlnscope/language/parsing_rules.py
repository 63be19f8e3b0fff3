"""The grammar of ``grammar.lark``, compiled for matching.

Lark reads the grammar and writes its repetitions and options out as plain rules; here the rules of each
category become a prefix tree, so that alternatives that begin alike are matched once.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from functools import cache
from pathlib import Path
from typing import NamedTuple

from lark import Lark

GRAMMAR = Path(__file__).with_name("grammar.lark")
STARTS = ("step", "loose")
"""The categories that a sentence consists of."""


class Rule(NamedTuple):
    """What a finished match is called, whether it melts into what it is part of, and its cost."""

    name: str
    melts: bool
    cost: int


class Branch:
    """A node of a prefix tree: where each symbol leads, and which rule is complete here."""

    __slots__ = ("categories", "done", "terminals")

    def __init__(self) -> None:
        self.terminals: dict[str, Branch] = {}
        self.categories: dict[str, Branch] = {}
        self.done: Rule | None = None


class Grammar(NamedTuple):
    """The categories' prefix trees, the trees of what may follow a category that grows, and first words.

    Attributes:
        heads: how a category can begin.
        growth: for categories that may contain themselves first (repetitions): how they go on.
        firsts: the terminals that a category can begin with.
    """

    heads: Mapping[str, Branch]
    growth: Mapping[str, Branch]
    firsts: Mapping[str, frozenset[str]]


@cache
def lark_grammar() -> Lark:
    """Return the grammar as lark reads it."""
    return Lark(GRAMMAR.read_text(), parser="earley", lexer="basic", start="s")


@cache
def grammar() -> Grammar:
    """Return the grammar, compiled once."""
    heads: dict[str, Branch] = {}
    growth: dict[str, Branch] = {}
    for rule in lark_grammar().rules:
        name = str(rule.origin.name)
        symbols = [(str(symbol.name), symbol.is_term) for symbol in rule.expansion]
        called = rule.alias or name
        # nameless categories begin with an underscore, those of lark's repetitions with two
        melts = name.startswith("_") or (rule.options.expand1 and not rule.alias and len(symbols) == 1)
        made = Rule(called, melts, -(rule.options.priority or 0))
        if symbols and symbols[0] == (name, False):
            _grow(growth.setdefault(name, Branch()), symbols[1:], made)
        else:
            _grow(heads.setdefault(name, Branch()), symbols, made)
    return Grammar(heads, growth, _firsts(heads))


def _grow(branch: Branch, symbols: Iterable[tuple[str, bool]], rule: Rule) -> None:
    for symbol, is_terminal in symbols:
        ways = branch.terminals if is_terminal else branch.categories
        branch = ways.setdefault(symbol, Branch())
    if branch.done is None or rule.cost < branch.done.cost:
        branch.done = rule


def _firsts(heads: Mapping[str, Branch]) -> dict[str, frozenset[str]]:
    found: dict[str, set[str]] = {name: set(branch.terminals) for name, branch in heads.items()}
    changed = True
    while changed:
        changed = False
        for name, branch in heads.items():
            for category in branch.categories:
                if not found[category] <= found[name]:
                    found[name] |= found[category]
                    changed = True
    return {name: frozenset(first) for name, first in found.items()}
