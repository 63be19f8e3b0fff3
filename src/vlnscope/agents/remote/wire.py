"""Observations as JSON, for agents in other processes; `docs/agents.md` describes the protocol.

Numbers in bulk (pictures, features) travel as ``{"dtype": "<f4", "shape": [36, 512], "base64": "…"}``.
"""

from __future__ import annotations

from collections.abc import Mapping
from contextlib import suppress
from typing import Any

import msgspec

from vlnscope.perception.sight import decode_sight, encode_sight
from vlnscope.perception.wire import array_from_wire, to_wire
from vlnscope.types import Action, Observation, SpaceObservation

_ARRAY = {"dtype", "shape", "base64"}
_FIELDS = frozenset(Observation.__struct_fields__)


class SentObservation(Observation, frozen=True, kw_only=True):
    """An observation of an action space that may not be known here: what it offers, and its own fields.

    Attributes:
        offers: its `actions`.
        more: the fields that not every observation has; each is found as an attribute too.
    """

    offers: tuple[Action, ...] = ()
    more: Mapping[str, Any] = msgspec.field(default_factory=dict)

    @property
    def actions(self) -> tuple[Action, ...]:
        """What the agent may do."""
        return self.offers

    def __getattr__(self, name: str) -> Any:
        if name in self.more:
            return self.more[name]
        raise AttributeError(f"an observation of this action space has no {name!r}")


def observation_to_json(observation: Observation) -> dict[str, Any]:
    """Return an observation as plain data, with all that its agent needs looked up, and with its actions."""
    seen = {need: encode_sight(need, value) for need, value in observation.seen.items()}
    data: dict[str, Any] = to_wire(msgspec.structs.replace(observation, seen=seen))
    return data | {"actions": to_wire(observation.actions)}


def observation_from_json(data: Mapping[str, Any]) -> Observation:
    """Return the observation that `observation_to_json` wrote; of an unknown kind, a `SentObservation`.

    Example:
        >>> told = {"episode_id": "1", "instruction": "Go.", "scan": "s", "heading": 0, "elevation": 0}
        >>> observation_from_json({**told, "step": 0}).actions
        ('<stop>',)
        >>> space = {"step": 0, "position": [1.0, 0.1, 2.0], "actions": ["forward", "<stop>"]}
        >>> observation_from_json(told | space).position, observation_from_json(told | space).actions
        ((1.0, 0.1, 2.0), ('forward', '<stop>'))
    """
    seen = {need: _with_arrays(decode_sight(need, value)) for need, value in data.get("seen", {}).items()}
    told = {name: value for name, value in data.items() if name != "actions"} | {"seen": {}}
    offers = msgspec.convert(data.get("actions", ()), tuple[Action, ...])
    for kind in (Observation, SpaceObservation):
        with suppress(msgspec.ValidationError):
            known = msgspec.convert(told, kind)
            if told.keys() <= set(kind.__struct_fields__) and known.actions == (offers or known.actions):
                return msgspec.structs.replace(known, seen=seen)
    plain = msgspec.structs.asdict(msgspec.convert(told, Observation)) | {"seen": seen}
    more = {name: _fixed(value) for name, value in told.items() if name not in _FIELDS}
    return SentObservation(**plain, offers=offers, more=more)


def _with_arrays(value: Any) -> Any:
    """Put arrays where their JSON stands; what a kind of sight has decoded itself is left alone."""
    if isinstance(value, dict):
        if value.keys() == _ARRAY:
            return array_from_wire(value)
        return {name: _with_arrays(part) for name, part in value.items()}
    return [_with_arrays(part) for part in value] if type(value) is list else value


def _fixed(value: Any) -> Any:
    """Return the value of a field: observations are frozen, so what was a tuple is one again."""
    if isinstance(value, list):
        return tuple(map(_fixed, value))
    return _with_arrays(value)
