"""The words of a chain: a clause for each step, put together as a person would."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from importlib import resources

import msgspec

from vlnscope.benchmarks.nuances.build.items import NuanceItem
from vlnscope.core.rng import rng_for
from vlnscope.language.names.nouns import noun


class _Wordings(msgspec.Struct, forbid_unknown_fields=True):
    clauses: dict[str, tuple[str, ...]]
    joins: dict[str, tuple[str, ...]]


_WORDS = msgspec.toml.decode((resources.files(__package__) / "wordings.toml").read_bytes(), type=_Wordings)
CLAUSES: Mapping[str, tuple[str, ...]] = _WORDS.clauses
"""Wordings by kind of item."""


def chain_text(items: Sequence[NuanceItem], seed: int, name: str) -> str:
    """Return the instruction of a chain, or of a single step.

    The first two clauses of three or more may share a sentence. The words that join sentences differ from one
    to the next.

    Args:
        items: the steps.
        seed: of the choice of words.
        name: of the case, on which they depend too.
    """
    rng = rng_for(seed, "chain wording", name)
    clauses = [_clause(item, int(rng.integers(1_000))) for item in items]
    if len(clauses) > 2 and rng.random() < 0.5:
        clauses[:2] = [f"{clauses[0]}, then {clauses[1]}"]
    sentences = [_sentence("{Clause}.", clauses[0])]
    for number, clause in enumerate(clauses[1:], 2):
        joins = _joins(clause, sentences[-1], number, len(clauses))
        sentences.append(_sentence(joins[int(rng.integers(len(joins)))], clause))
    return " ".join(sentences)


def _joins(clause: str, before: str, number: int, count: int) -> list[str]:
    """Return how a clause may follow a sentence: not twice by one word, and not with “and … and”."""
    joins = _WORDS.joins["last" if number == count else "inner"]
    fitting = [join for join in joins if join.partition(" ")[0] != before.partition(" ")[0]]
    fitting = [join for join in fitting if count > 2 or not join.startswith("Finally")]
    return [join for join in fitting if " and " not in clause or " and " not in join]


def _clause(item: NuanceItem, draw: int) -> str:
    options = CLAUSES[item.phrase]
    slots = dict(item.slots)
    if "room" in item.groups:
        room = noun(item.groups["room"])
        slots |= {"enter": room.enter, "leave": room.leave}
    return options[draw % len(options)].format(**slots)


def _sentence(join: str, clause: str) -> str:
    return join.format(clause=clause, Clause=clause[:1].upper() + clause[1:])
