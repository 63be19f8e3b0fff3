"""The grammar of ``grammar.lark``, compiled for matching.

Lark reads the grammar, with the productions that construction rounds added (`productions`), and writes its
repetitions and options out as plain rules; here the rules of each category become a prefix tree, so that
alternatives that begin alike are matched once.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from vlnscope.core.exceptions import InputError
from vlnscope.language.productions import Production, accepted

if TYPE_CHECKING:
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


class PlainRule(NamedTuple):
    """A rule without repetitions or options: its category, and its symbols (are they terminals?)."""

    head: str
    symbols: tuple[tuple[str, bool], ...]
    rule: Rule


def grammar_text(productions: Iterable[Production] = ()) -> str:
    """Return the grammar in lark's language, with productions of categories appended to it."""
    added = [
        f"%extend {each.head}: {' '.join(each.symbols)}" + (f" -> {each.name}" if each.name else "")
        for each in productions
        if not each.is_word
    ]
    return "\n".join((GRAMMAR.read_text(), *added, ""))


@cache
def lark_grammar() -> Lark:
    """Return the grammar as it was written, as lark reads it."""
    from lark import Lark

    return Lark(grammar_text(), parser="earley", lexer="basic", start="s")


@cache
def written_rules() -> tuple[PlainRule, ...]:
    """Return the rules of the grammar as it was written, as lark writes them out."""
    return tuple(
        _plain(
            str(rule.origin.name),
            tuple((str(symbol.name), symbol.is_term) for symbol in rule.expansion),
            rule.alias,
            rule.options.expand1,
            rule.options.priority,
        )
        for rule in lark_grammar().rules
    )


@cache
def plain_rules() -> tuple[PlainRule, ...]:
    """Return the rules, with the productions that were accepted."""
    return _with(written_rules(), accepted())


@cache
def terminals() -> tuple[str, ...]:
    """Return the names of all terminals."""
    return tuple(sorted({name for rule in written_rules() for name, is_term in rule.symbols if is_term}))


def extended_rules(productions: Iterable[Production]) -> tuple[PlainRule, ...]:
    """Return the rules and further productions of categories; those of terminals are passed over.

    Raises:
        InputError: a production names what the grammar does not have, or would make it turn in circles.
    """
    return _with(plain_rules(), productions)


def _with(rules: tuple[PlainRule, ...], productions: Iterable[Production]) -> tuple[PlainRule, ...]:
    """Append productions to rules as lark would, which takes it a second."""
    options = {str(rule.origin.name): rule.options for rule in lark_grammar().rules}
    names = {rule.head for rule in rules}
    known = names | set(terminals())
    added: list[PlainRule] = []
    for each in productions:
        if each.is_word:
            continue
        strange = [symbol for symbol in (each.head, *each.symbols) if symbol not in known]
        if strange or each.head not in names or not each.symbols:
            raise InputError(
                f"{each}: the grammar has no {(strange or [each.head])[0]!r}",
                expected="categories and terminals of grammar.lark",
                fix="`vlnscope grammar show` lists them",
            )
        symbols = tuple((symbol, symbol not in names) for symbol in each.symbols)
        if any((rule.head, rule.symbols) == (each.head, symbols) for rule in (*rules, *added)):
            raise InputError(
                f"{each}: the grammar has it already", expected="a new production", fix="leave it out"
            )
        option = options[each.head]
        added.append(_plain(each.head, symbols, each.name or None, option.expand1, option.priority))
    _check_turns(rules, added)
    return (*rules, *added)


@cache
def grammar() -> Grammar:
    """Return the grammar, compiled once."""
    return compiled(plain_rules())


def compiled(rules: Iterable[PlainRule]) -> Grammar:
    """Compile rules for matching."""
    heads: dict[str, Branch] = {}
    growth: dict[str, Branch] = {}
    for head, symbols, rule in rules:
        if symbols and symbols[0] == (head, False):
            _grow(growth.setdefault(head, Branch()), symbols[1:], rule)
        else:
            _grow(heads.setdefault(head, Branch()), symbols, rule)
    return Grammar(heads, growth, _firsts(heads))


def _plain(
    head: str, symbols: tuple[tuple[str, bool], ...], alias: str | None, expand1: bool, priority: int | None
) -> PlainRule:
    # nameless categories begin with an underscore, those of lark's repetitions with two
    melts = head.startswith("_") or (expand1 and not alias and len(symbols) == 1)
    return PlainRule(head, symbols, Rule(alias or head, melts, -(priority or 0)))


def _check_turns(rules: Iterable[PlainRule], added: Iterable[PlainRule]) -> None:
    """Refuse rules that let a category begin with itself by way of another."""
    begins: dict[str, set[str]] = {}
    for head, symbols, _ in (*rules, *added):
        if symbols and not symbols[0][1] and symbols[0][0] != head:
            begins.setdefault(head, set()).add(symbols[0][0])
    for head, symbols, _ in added:
        front, seen = [symbols[0][0]], set()
        while front:
            name = front.pop()
            if name == head and symbols[0][0] != head:
                raise InputError(
                    f"{head} -> {' '.join(symbol for symbol, _ in symbols)} would begin with itself",
                    expected="a production whose first symbol does not lead back to its category",
                    fix="begin it with a word",
                )
            if name not in seen:
                seen.add(name)
                front += begins.get(name, ())


def _grow(branch: Branch, symbols: Iterable[tuple[str, bool]], rule: Rule) -> None:
    for symbol, is_terminal in symbols:
        ways = branch.terminals if is_terminal else branch.categories
        branch = ways.setdefault(symbol, Branch())
    if branch.done is None or rule.cost < branch.done.cost:
        branch.done = rule


def _firsts(heads: Mapping[str, Branch]) -> dict[str, frozenset[str]]:
    firsts: dict[str, set[str]] = {name: set(branch.terminals) for name, branch in heads.items()}
    changed = True
    while changed:
        changed = False
        for name, branch in heads.items():
            for category in branch.categories:
                if not firsts[category] <= firsts[name]:
                    firsts[name] |= firsts[category]
                    changed = True
    return {name: frozenset(first) for name, first in firsts.items()}
