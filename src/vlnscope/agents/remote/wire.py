"""Observations as JSON, for agents in other processes; `docs/agents.md` describes the protocol.

Numbers in bulk (pictures, features) travel as ``{"dtype": "<f4", "shape": [36, 512], "base64": "…"}``.
"""

from __future__ import annotations

import base64
from collections.abc import Callable, Mapping
from dataclasses import fields, is_dataclass
from typing import TYPE_CHECKING, Any

import msgspec
import numpy as np
from numpy.typing import NDArray

from vlnscope.perception.sights import RoomSight
from vlnscope.types import Candidate, Observation, Percept, SeenObject, SeenRoom

if TYPE_CHECKING:
    from vlnscope.worlds.rendering.renderer import Views

PROTOCOL = 1


def observation_to_json(observation: Observation) -> dict[str, Any]:
    """Return an observation as plain data, with all that its agent needs looked up."""
    told = {name: getattr(observation, name) for name in Observation.__struct_fields__}
    return plain(told)  # type: ignore[no-any-return]


def observation_from_json(data: Mapping[str, Any]) -> Observation:
    """Return the observation that `observation_to_json` wrote."""
    seen = {need: restored(need, value) for need, value in data.get("seen", {}).items()}
    rest = msgspec.convert({**data, "seen": {}}, Observation)
    return msgspec.structs.replace(rest, seen=seen)


def plain(value: Any) -> Any:
    """Return plain data that say the same as what an agent may be shown."""
    if value is None or isinstance(value, str | int | float):
        return value
    if isinstance(value, np.ndarray):
        return _packed(value)
    if isinstance(value, Candidate):
        return {name: getattr(value, name) for name in Candidate.__struct_fields__}
    if isinstance(value, Percept):
        parts = {"room": value.room(), "rooms": value.rooms(), "objects": value.objects()}
        return plain({**parts, "captions": value.captions()})
    if isinstance(value, tuple) and hasattr(value, "_asdict"):
        return {name: plain(part) for name, part in value._asdict().items()}
    if isinstance(value, Mapping):
        return {name: plain(part) for name, part in value.items()}
    if isinstance(value, list | tuple):
        return [plain(part) for part in value]
    if is_dataclass(value):
        return {part.name: plain(getattr(value, part.name)) for part in fields(value)}
    raise TypeError(f"{type(value).__name__} cannot be sent to an agent in another process")


class SentPercept:
    """A percept as it came over the wire."""

    def __init__(self, value: Mapping[str, Any]) -> None:
        self._room: str | None = value["room"]
        self._rooms = tuple(SeenRoom(**each) for each in value["rooms"])
        self._objects = _objects(value["objects"])
        self._captions = tuple(value["captions"])

    def room(self) -> str | None:
        """Return the label letter of the room that the viewpoint is in."""
        return self._room

    def rooms(self) -> tuple[SeenRoom, ...]:
        """Return the rooms of the neighbouring viewpoints."""
        return self._rooms

    def objects(self) -> tuple[SeenObject, ...]:
        """Return the objects in sight."""
        return self._objects

    def captions(self) -> tuple[str, ...]:
        """Return a description per heading sector."""
        return self._captions


def restored(need: str, value: Any) -> Any:
    """Return what an agent that declared `need` expects, from plain data."""
    if need.startswith("features:"):
        return _unpacked(value)
    return _RESTORE[need](value) if need in _RESTORE else value


def _objects(value: Any) -> tuple[SeenObject, ...]:
    return tuple(
        SeenObject(**{**each, **{name: _tuple(each[name]) for name in ("attributes", "centre", "box")}})
        for each in value
    )


def _tuple(value: Any) -> Any:
    return None if value is None else tuple(value)


def _rooms(value: Any) -> RoomSight:
    return RoomSight(value["here"], tuple(SeenRoom(**each) for each in value["ahead"]))


def _views(value: Any) -> Views:
    from vlnscope.worlds.rendering.renderer import (
        Views,  # slow to import, needed only by agents that see pictures
    )

    arrays = {name: _unpacked(part) for name, part in value.items() if name != "vfov"}
    return Views(**arrays, vfov=value["vfov"])


_RESTORE: Mapping[str, Callable[[Any], Any]] = {
    "captions": tuple,
    "objects": _objects,
    "percept": SentPercept,
    "rooms": _rooms,
    "views": _views,
}


def _packed(array: NDArray[Any]) -> dict[str, Any]:
    order = array.dtype.newbyteorder("<")
    packed = base64.b64encode(np.ascontiguousarray(array, dtype=order).tobytes()).decode()
    return {"dtype": order.str, "shape": list(array.shape), "base64": packed}


def _unpacked(value: Mapping[str, Any]) -> NDArray[Any]:
    flat = np.frombuffer(base64.b64decode(value["base64"]), dtype=np.dtype(value["dtype"]))
    return flat.reshape(value["shape"]).astype(flat.dtype.newbyteorder("="))
