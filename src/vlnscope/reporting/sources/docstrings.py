"""Docstrings for readers: their paragraphs without doctests, and the terms that their tables define."""

from __future__ import annotations

import inspect
import re
from collections.abc import Iterator

_RULE = re.compile(r"(=+)\s+=+")


def paragraphs(text: str) -> tuple[str, ...]:
    """Return the paragraphs of a docstring, without its doctests and tables.

    Example:
        >>> paragraphs("How far.\\n\\n    In ``metres``,\\n    not feet.\\n\\n    Example:\\n        >>> 1")
        ('How far.', 'In metres, not feet.')
    """
    blocks = re.split(r"\n\s*\n", inspect.cleandoc(text))
    kept = [block for block in blocks if not re.match(r"Example|=+\s", block) and ">>>" not in block]
    return tuple(_plain(block) for block in kept if block)


def terms(text: str) -> tuple[tuple[str, str], ...]:
    """Return the rows of the tables of two columns in a docstring: what is defined, and how.

    Example:
        >>> terms("=====  ====\\n``a``  one\\n       two\\nb      three\\n=====  ====")
        (('a', 'one two'), ('b', 'three'))
    """
    return tuple((_plain(name), _plain(meaning)) for name, meaning in _rows(inspect.cleandoc(text)))


def _rows(text: str) -> Iterator[tuple[str, str]]:
    """Yield the rows of tables; lines without a name go on with the row before."""
    width, held = 0, ("", "")
    for line in text.splitlines():
        rule = _RULE.match(line)
        if rule or not width:
            if held[0]:
                yield held
            width = (0 if width else len(rule[1])) if rule else 0
            held = ("", "")
        elif line[:width].strip() and line[width : width + 1] == " ":
            if held[0]:
                yield held
            held = (line[:width], line[width:])
        else:
            held = (held[0], f"{held[1]} {line}")


def _plain(text: str) -> str:
    return " ".join(text.split()).replace("`", "")
