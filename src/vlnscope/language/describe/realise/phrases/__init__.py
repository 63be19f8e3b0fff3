"""The phrases that instructions are built from, as data, and how to draw from them."""

from __future__ import annotations

from bisect import bisect
from functools import cache
from pathlib import Path
from typing import Literal

import msgspec
import numpy as np

from vlnscope.language.lexicon.entries import LexiconEntry, lexicon

_HERE = Path(__file__).parent
_FLAT, _FLAT_ROOMS = 0.5, 0.7
"""Exponents of the frequencies with which words are drawn; 1 would be as in R2R, 0 all alike."""


class _Clauses(msgspec.Struct):
    about: str
    starts: dict[str, dict[str, float]]
    leads: dict[str, dict[str, float]]
    ends: dict[str, dict[str, float]]
    clauses: dict[str, dict[str, dict[str, float]]]


class _Forms(msgspec.Struct):
    about: str
    rooms: dict[str, tuple[str, ...]]
    attributes: dict[str, tuple[str, ...]]
    unspoken: frozenset[str]


class WeightedChoice(msgspec.Struct, frozen=True):
    """Things to choose from, with the share of the draws up to each."""

    options: tuple[str, ...]
    upto: tuple[float, ...]

    @classmethod
    def of(cls, weights: dict[str, float]) -> WeightedChoice:
        """Make a choice from weights."""
        total = np.cumsum(list(weights.values()))
        return cls(tuple(weights), tuple((total / total[-1]).tolist()))

    def draw(self, rng: np.random.Generator) -> str:
        """Draw one option."""
        return self.options[min(bisect(self.upto, rng.random()), len(self.options) - 1)]


@cache
def _clauses() -> _Clauses:
    return msgspec.json.decode((_HERE / "clauses.json").read_bytes(), type=_Clauses)


@cache
def leads(part: Literal["starts", "leads", "ends"], register: str) -> WeightedChoice:
    """Return what the first sentence, one in between or the last may begin with; mostly nothing."""
    return WeightedChoice.of(getattr(_clauses(), part)[register])


@cache
def clauses(what: str, register: str) -> WeightedChoice:
    """Return the clauses that say something in a register."""
    by_register = _clauses().clauses[what]
    return WeightedChoice.of(by_register.get("all", {}) | by_register.get(register, {}))


@cache
def _forms() -> _Forms:
    return msgspec.json.decode((_HERE / "forms.json").read_bytes(), type=_Forms)


@cache
def _owners() -> dict[str, int]:
    owners: dict[str, int] = {}
    for part in (lexicon().objects, lexicon().rooms):
        for entry in part.values():
            for form in dict.fromkeys(entry.forms):
                owners[form] = owners.get(form, 0) + 1
    return owners


@cache
def forms(part: str, name: str) -> WeightedChoice:
    """Return the words for an entry of the lexicon that are spoken; commoner ones are drawn more often.

    Words that stand for several entries are left out, unless nothing else is left.
    """
    entry: LexiconEntry = getattr(lexicon(), part)[name]
    listed = {"rooms": _forms().rooms, "attributes": _forms().attributes}.get(part, {}).get(name)
    if listed is None:
        listed = tuple(form for form in entry.forms if form not in _forms().unspoken)
    clear = [form for form in listed if _owners().get(form, 1) == 1]
    counts = dict(zip(entry.forms, entry.counts, strict=False))
    flat = _FLAT_ROOMS if part == "rooms" else _FLAT
    said = clear or listed or entry.forms[:1]
    return WeightedChoice.of({form: (counts.get(form, 0) + 3) ** flat for form in said})
