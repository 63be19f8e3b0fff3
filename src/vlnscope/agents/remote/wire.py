"""Observations as JSON, for agents in other processes; `docs/agents.md` describes the protocol.

Numbers in bulk (pictures, features) travel as ``{"dtype": "<f4", "shape": [36, 512], "base64": "…"}``.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import msgspec

from vlnscope.perception.sight import decode_sight, encode_sight
from vlnscope.perception.wire import to_wire
from vlnscope.types import Observation

PROTOCOL = 1


def observation_to_json(observation: Observation) -> dict[str, Any]:
    """Return an observation as plain data, with all that its agent needs looked up."""
    seen = {need: encode_sight(need, value) for need, value in observation.seen.items()}
    data: dict[str, Any] = to_wire(msgspec.structs.replace(observation, seen=seen))
    return data


def observation_from_json(data: Mapping[str, Any]) -> Observation:
    """Return the observation that `observation_to_json` wrote."""
    seen = {need: decode_sight(need, value) for need, value in data.get("seen", {}).items()}
    rest = msgspec.convert({**data, "seen": {}}, Observation)
    return msgspec.structs.replace(rest, seen=seen)
