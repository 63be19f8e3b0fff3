"""What files of weights hold as they are released: the parts of a model, and the weights of each by name.

A file may hold all parts (``{'vln_bert': {'state_dict': …}, 'critic': …}``, ``{'encoder': …, 'decoder': …}``)
or one of them: a plain state dict, or one under ``state_dict``, ``model`` or any other name. A plain state
dict may also hold all parts, their names before those of the weights. ``module.`` in names is left out.

Public codes keep objects beside weights, such as a config of Habitat. To load it as what it is would run
the code of another package. Here nothing is run: a plain class stands for each class of such objects
(`stand_ins`), so that configs are dicts and numbers of numpy are left out. Files with any other are refused.
"""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Collection, Mapping, Sequence
from contextlib import AbstractContextManager
from typing import Any

from torch import Tensor
from torch.serialization import safe_globals

WHOLE = ""
"""The name of the part that a plain state dict holds."""

Parts = dict[str, dict[str, Tensor]]


def parts_of(content: Mapping[Any, Any]) -> Parts:
    """Return the weights of each part that a file holds, as `read_content` returns it.

    Example:
        >>> weight = Tensor([1.0])
        >>> list(parts_of({"encoder": {"state_dict": {"module.w": weight}}, "epoch": 3})["encoder"])
        ['w']
        >>> list(parts_of({"w": weight})[""])
        ['w']
    """
    inside = content.get("state_dict")
    whole = inside if isinstance(inside, Mapping) else content
    nested = {part: _weights(its) for part, its in whole.items() if isinstance(part, str)}
    if found := {part: weights for part, weights in nested.items() if weights}:
        return found
    return {WHOLE: _weights(whole)}


def _weights(content: Any) -> dict[str, Tensor]:
    inside = content.get("state_dict", content) if isinstance(content, Mapping) else None
    if not isinstance(inside, Mapping):
        return {}
    return {
        _unwrapped(key): value
        for key, value in inside.items()
        if isinstance(key, str) and isinstance(value, Tensor)
    }


def _unwrapped(key: str) -> str:
    """Return a name without what wrappers for several devices put into it, at its beginning or inside."""
    return f".{key}".replace(".module.", ".")[1:]


def named_weights(
    contents: Sequence[Mapping[Any, Any]], known: Mapping[str, Collection[str]]
) -> dict[str, Tensor]:
    """Return the weights of files as ``part/key``, under names of the model as far as they can be found.

    Args:
        contents: what the files hold.
        known: names of weights that a model has, by part.

    Example:
        >>> weight, known = Tensor([1.0]), {"vln_bert": ["vln_bert.a.w"], "critic": ["c"]}
        >>> whole = {"model": {"vln_bert.vln_bert.a.w": weight, "critic.c": weight}}
        >>> for content in ({"a.w": weight}, whole):
        ...     list(named_weights([content], known))
        ['vln_bert/vln_bert.a.w']
        ['vln_bert/vln_bert.a.w', 'critic/c']
    """
    named: dict[str, Tensor] = {}
    for content in contents:
        for part, weights in parts_of(content).items():
            names = _names(part, list(weights), known)
            named |= {names[key]: weight for key, weight in weights.items()}
    return named


def _names(part: str, keys: Sequence[str], known: Mapping[str, Collection[str]]) -> dict[str, str]:
    """Return ``part/key`` of each key: the first of the readings that agree with most known names.

    A wrapper's name (``vln_bert.``) may be missing before keys; keys that belong to no known part of a file
    may be of any.
    """
    places = [part] if part in known else list(known)
    readings = [
        {key: f"{place}/{before}{key}" for key in keys} for place in places for before in ("", f"{place}.")
    ]
    heads = {key: key.partition(".") for key in keys}
    if all(head in known for head, _, _ in heads.values()):
        readings += [
            {key: f"{head}/{head + '.' if wrapped else ''}{rest}" for key, (head, _, rest) in heads.items()}
            for wrapped in (False, True)
        ]
    every = {f"{place}/{name}" for place, its in known.items() for name in its}
    readings.append({key: f"{part or next(iter(known), '')}/{key}" for key in keys})
    counts = [len(every & set(reading.values())) for reading in readings]
    return readings[counts.index(max(counts))] if max(counts) else readings[-1]


class ForeignNumber:
    """A number or a type of numpy; what it was is not kept."""

    def __init__(self, *parts: Any) -> None:
        """Leave everything out."""

    def __setstate__(self, state: Any) -> None:
        """Leave everything out."""


_CONFIGS = ("habitat.config.default.Config", "habitat_baselines.config.default.Config", "yacs.config.CfgNode")
_NUMBERS = ("numpy.core.multiarray.scalar", "numpy._core.multiarray.scalar", "numpy.dtype")


def stand_ins() -> AbstractContextManager[None]:
    """Let torch read such objects while this is entered."""
    known: list[Any] = [(OrderedDict, name) for name in _CONFIGS]
    return safe_globals([*known, *((ForeignNumber, name) for name in _NUMBERS)])
