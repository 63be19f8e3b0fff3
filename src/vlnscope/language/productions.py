"""Productions that construction rounds added to the grammar: data that the parser reads.

A production of a category (``lead -> ONCE THERE``) is one more way to say it; one of a terminal
(``OBJECT -> gazebo``) is one more word for it. They lie in ``productions.json``, apart from the grammar
and the lexicon that were written by hand; `vlnscope grammar build` finds them.
"""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path

import msgspec

from vlnscope.core.files import write_text
from vlnscope.core.json_file import read_json

PRODUCTIONS = Path(__file__).with_name("productions.json")
NAMED = frozenset({"OBJECT", "ROOM", "ATTRIBUTE"})
"""Terminals whose words are names of things, rooms and qualities."""
_ABOUT = "Productions found in construction rounds; docs/grammar.md says how."


class Production(msgspec.Struct, frozen=True, order=True, omit_defaults=True):
    """One more way to say something.

    Attributes:
        head: a category of ``grammar.lark``, or a terminal (in capitals).
        symbols: what it may consist of: categories and terminals; of a terminal the words of a phrase.
        name: what it is understood as, where the category has several ways that mean different things.

    Example:
        >>> print(Production("post", ("THAT", "HAVE", "place"), "post_with"))
        post -> THAT HAVE place  (as post_with)
        >>> print(Production("OBJECT", ("gazebo",)))
        OBJECT -> "gazebo"
    """

    head: str
    symbols: tuple[str, ...]
    name: str = ""

    @property
    def is_word(self) -> bool:
        """Whether it gives a terminal another word."""
        return self.head.isupper()

    @property
    def phrase(self) -> str:
        """The word or words that it gives a terminal."""
        return " ".join(self.symbols)

    def __str__(self) -> str:
        if self.is_word:
            return f'{self.head} -> "{self.phrase}"'
        return f"{self.head} -> {' '.join(self.symbols)}" + (f"  (as {self.name})" if self.name else "")


class _File(msgspec.Struct):
    about: str
    productions: list[Production]


class _Chosen:
    """Which productions the parser reads: those of the package's file, unless others are being tried."""

    instead: tuple[Production, ...] | None = None


def accepted() -> tuple[Production, ...]:
    """Return the productions that the parser reads beside its grammar and its lexicon."""
    if _Chosen.instead is not None:
        return _Chosen.instead
    return read_productions(PRODUCTIONS)


def use_instead(productions: Iterable[Production] | None) -> None:
    """Make `accepted` return other productions; None for those of the package again."""
    _Chosen.instead = None if productions is None else tuple(productions)


def read_productions(path: str | Path) -> tuple[Production, ...]:
    """Return the productions of a file.

    Raises:
        InputError: the file is no file of productions.
    """
    expected = '{"about": …, "productions": [{"head": …, "symbols": […]}, …]}'
    return tuple(
        read_json(path, _File, expected, "take a file that `vlnscope grammar build` wrote").productions
    )


def write_productions(productions: Iterable[Production], path: str | Path) -> None:
    """Write a file of productions, one a line."""
    lines = ",\n".join("  " + msgspec.json.encode(each).decode() for each in productions)
    about = msgspec.json.encode(_ABOUT).decode()
    write_text(path, f'{{\n "about": {about},\n "productions": [\n{lines}\n ]\n}}\n')
