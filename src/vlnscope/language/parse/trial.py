"""Parsing with other productions than those of the package, for a while."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from contextlib import contextmanager

from vlnscope.language.lexicon import lexicon, tokens
from vlnscope.language.parse import productions
from vlnscope.language.parse import rules as parsing_rules
from vlnscope.language.parse.productions import Production

_CACHES = (
    lexicon.lexicon,
    tokens.mend,
    tokens._index,
    tokens._parts_of_names,
    tokens._neighbours,
    parsing_rules.plain_rules,
    parsing_rules.grammar,
)


@contextmanager
def extended(more: Iterable[Production]) -> Iterator[None]:
    """Let the parser read these productions instead of the package's, until the block ends.

    For the whole process, so not beside other threads that parse.
    """
    _use(tuple(more))
    try:
        yield
    finally:
        _use(None)


def _use(chosen: tuple[Production, ...] | None) -> None:
    productions.put(chosen)
    for cached in _CACHES:
        cached.cache_clear()
