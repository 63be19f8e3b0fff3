"""What agents see as plain JSON data, for agents in other processes.

Numbers in bulk (pictures, features) travel as ``{"dtype": "<f4", "shape": [36, 512], "base64": "…"}``.
"""

from __future__ import annotations

import base64
from collections.abc import Mapping
from dataclasses import fields, is_dataclass
from typing import Any

import msgspec
import numpy as np
from numpy.typing import NDArray


def to_wire(value: Any) -> Any:
    """Return plain data that say the same: of arrays, records, mappings and sequences of them.

    Example:
        >>> to_wire({"numbers": np.zeros(1, np.float32), "names": ("a", None)})
        {'numbers': {'dtype': '<f4', 'shape': [1], 'base64': 'AAAAAA=='}, 'names': ['a', None]}
    """
    if value is None or isinstance(value, str | int | float):
        return value
    if isinstance(value, np.ndarray):
        return _array_to_wire(value)
    if isinstance(value, msgspec.Struct):
        return {name: to_wire(getattr(value, name)) for name in value.__struct_fields__}
    if isinstance(value, tuple) and hasattr(value, "_asdict"):
        return to_wire(value._asdict())
    if isinstance(value, Mapping):
        return {name: to_wire(part) for name, part in value.items()}
    if isinstance(value, list | tuple):
        return [to_wire(part) for part in value]
    if is_dataclass(value):
        return {part.name: to_wire(getattr(value, part.name)) for part in fields(value)}
    raise TypeError(f"{type(value).__name__} cannot be sent to an agent in another process")


def _array_to_wire(array: NDArray[Any]) -> dict[str, Any]:
    order = array.dtype.newbyteorder("<")
    packed = base64.b64encode(np.ascontiguousarray(array, dtype=order).tobytes()).decode()
    return {"dtype": order.str, "shape": list(array.shape), "base64": packed}


def array_from_wire(data: Mapping[str, Any]) -> NDArray[Any]:
    """Return the array that `to_wire` wrote."""
    flat = np.frombuffer(base64.b64decode(data["base64"]), dtype=np.dtype(data["dtype"]))
    return flat.reshape(data["shape"]).astype(flat.dtype.newbyteorder("="))
