"""The grammar as the NavNuances paper writes it: productions, terminals and categories.

The paper's grammar is one of concepts (its Appendix E); ours is one of words, and keeps the names of the
paper's categories where it has them. The view lists what ours derives for each of them, and which atomic
category each belongs to.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping

import msgspec

from vlnscope.language.lexicon.entries import lexicon
from vlnscope.language.parse.rules import plain_rules, terminals

PAPER_NAMES: Mapping[str, str] = {
    "s": "S", "vp": "Vp", "action_t": "ActionT", "action_s": "ActionS", "action_o": "ActionO",
    "action_r": "ActionR", "landmark": "Landmark", "region": "Region", "modifier": "Modifier",
    "numerical": "Numerical", "direction": "Direction", "attribute": "Attribute", "ir": "Ir",
}  # fmt: skip
"""Our categories that the paper's grammar has too, and what they are called there."""
PAPER_TERMINALS: Mapping[str, str] = {
    "OBJECT": "Object", "ROOM": "Room", "ORDINAL": "Numerical", "ATTRIBUTE": "Attribute", "LEFT": "Direction",
    "RIGHT": "Direction",
}  # fmt: skip
"""Our terminals whose words the paper lists under a category."""
ATOMIC: Mapping[str, tuple[str, ...]] = {
    "DC": ("action_t", "veer"),
    "VM": ("action_s", "upstairs", "downstairs", "up", "down"),
    "NU": ("numerical", "number"),
    "LR": ("action_o", "landmark", "towards", "past", "pass_by", "beside"),
    "RR": ("action_r", "region", "into", "exit", "through", "in_room"),
}
"""The categories (and kinds of productions) that each atomic category of the paper is induced from."""


class GrammarCategory(msgspec.Struct, frozen=True, kw_only=True):
    """A category and what it may consist of.

    Attributes:
        name: in ``grammar.lark``.
        paper: in the paper, if it is there.
        productions: each a sequence of symbols; terminals are in capitals.
        atomic: the atomic instruction categories that it belongs to.
    """

    name: str
    paper: str = ""
    productions: tuple[tuple[str, ...], ...]
    atomic: tuple[str, ...] = ()


class GrammarTerminal(msgspec.Struct, frozen=True, kw_only=True):
    """A terminal and its words, the commonest in R2R train first."""

    name: str
    paper: str = ""
    words: tuple[str, ...] = ()


class GrammarView(msgspec.Struct, frozen=True, kw_only=True):
    """The grammar: what it starts with, its categories and its terminals."""

    start: str
    categories: tuple[GrammarCategory, ...]
    terminals: tuple[GrammarTerminal, ...]


def view(names: Iterable[str] = ()) -> GrammarView:
    """Return the grammar, or those of its categories and terminals that are named.

    Repetitions are written as ``(…)+``, and options as productions with and without them.

    Example:
        >>> [found.name for found in view(["numerical"]).categories]
        ['numerical']
        >>> view(["ORDINAL"]).terminals[0].words[:2]
        ('first', 'second')
    """
    wanted, repeated = set(names), _repeated()
    rules: dict[str, list[tuple[str, ...]]] = {}
    for head, symbols, _ in plain_rules():
        if not head.startswith("__"):
            rules.setdefault(head, []).append(tuple(repeated.get(symbol, symbol) for symbol, _ in symbols))
    categories = tuple(
        GrammarCategory(
            name=head,
            paper=PAPER_NAMES.get(head, ""),
            productions=tuple(sorted(set(productions))),
            atomic=tuple(kind for kind, members in ATOMIC.items() if head in members),
        )
        for head, productions in rules.items()
        if not wanted or head in wanted
    )
    words = tuple(
        GrammarTerminal(name=name, paper=PAPER_TERMINALS.get(name, ""), words=words_of(name))
        for name in terminals()
        if not wanted or name in wanted
    )
    return GrammarView(start="s", categories=categories, terminals=words)


def words_of(terminal: str) -> tuple[str, ...]:
    """Return the words of a terminal, the commonest first."""
    words = lexicon()
    if terminal in words.by_terminal:
        entries = words.by_terminal[terminal].values()
        ranked = sorted((-(entry.counts or (0,))[0], entry.forms[0]) for entry in entries)
        return tuple(form for _, form in ranked)
    facts = words.words.get(terminal)
    return facts.forms if facts else ()


def _repeated() -> dict[str, str]:
    """Return what lark's helpers for repetitions repeat, such as ``(AND | THEN)+``."""
    bodies: dict[str, set[str]] = {}
    for head, symbols, _ in plain_rules():
        if head.startswith("__") and symbols[0][0] != head:
            bodies.setdefault(head, set()).add(" ".join(symbol for symbol, _ in symbols))
    return {head: f"({' | '.join(sorted(options))})+" for head, options in bodies.items()}
