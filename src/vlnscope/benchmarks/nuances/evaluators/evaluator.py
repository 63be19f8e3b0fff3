"""What the five evaluators share: their wordings, what they answer, and how they read an annotation."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from itertools import pairwise
from typing import Any, Literal, TypeVar, get_args

import msgspec

from vlnscope.core.exceptions import InputError
from vlnscope.types import Episode

Wording = Literal["default", "official", "paper"]
"""Whose rules: the released evaluators', or the words of the paper's Appendix B.

``default`` is ``official`` but for landmarks of which several are meant, any of which is right.
"""
Category = Literal["DC", "VM", "NU", "LR", "RR"]
CATEGORIES: tuple[Category, ...] = get_args(Category)
NAMES: dict[Category, str] = {
    "DC": "direction change",
    "VM": "vertical movement",
    "NU": "numerical comprehension",
    "LR": "landmark recognition",
    "RR": "region recognition",
}
RADIUS = 3.0
"""How near is near enough, in metres."""

_MARKS: dict[str, Category] = {
    "gt_vp": "DC",
    "obj_center": "LR",
    "valid_ends": "RR",
    "region_starts": "RR",
    "set_paths": "NU",
    "has_both_dir": "VM",
}
Fields = TypeVar("Fields", bound=msgspec.Struct)


class Judgement(msgspec.Struct, frozen=True):
    """The scores of one case, and why others have no value.

    Every category has ``SR``; ``OSR`` is that of an agent told when to stop.
    """

    values: dict[str, float]
    undefined: dict[str, str] = msgspec.field(default_factory=dict)


def category_of(episode: Episode) -> Category:
    """Return the category of an annotation, told from the fields that only this category has."""
    for mark, category in _MARKS.items():
        if mark in episode.extra:
            return category
    raise InputError(
        f"episode {episode.episode_id} is of no NavNuances category",
        expected=f"a record with one of {', '.join(_MARKS)}",
        fix="name R2R_DC.json or one of its sisters, or build cases with `vlnscope build nuances`",
    )


def annotation(episode: Episode, kind: type[Fields]) -> Fields:
    """Return the fields that an evaluator needs.

    Raises:
        InputError: one is missing or of the wrong shape.
    """
    try:
        return msgspec.convert(episode.extra, kind)
    except msgspec.ValidationError as error:
        raise InputError(
            f"episode {episode.episode_id}: {error}",
            expected=f"the fields {', '.join(kind.__struct_fields__)} of NavNuances",
            fix="correct the record, or build the cases again",
        ) from None


def keyword(episode: Episode, text: str, words: dict[str, Any]) -> str:
    """Return what the first of some keywords that occurs in a text stands for."""
    for word, meaning in words.items():
        if word in text.casefold():
            return str(meaning)
    raise InputError(
        f"episode {episode.episode_id}: {text!r} has no keyword",
        expected=" or ".join(repr(word) for word in words),
        fix="keep the keyword when an instruction is rephrased",
    )


def without_repeats(path: Sequence[str]) -> tuple[str, ...]:
    """Return a path without viewpoints that equal the one before: turns on the spot are no moves."""
    return (*path[:1], *(b for a, b in pairwise(path) if a != b))


def judge_ends(path: Sequence[str], is_right_end: Callable[[str], bool]) -> Judgement:
    """Judge where an agent ends; oracle success asks whether any viewpoint was a good end."""
    right = [is_right_end(node) for node in without_repeats(path)]
    return Judgement({"SR": float(right[-1]), "OSR": float(any(right))})
