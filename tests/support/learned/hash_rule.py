"""Weights and inputs as the oracles of models make them: hashes of names and places."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor

INPUTS = 7
"""Salt of inputs."""

PRIME = 65521
"""After so many, residues come again."""


def key_of(name: str) -> int:
    return sum((place + 1) * ord(letter) for place, letter in enumerate(name)) % 997


def hashed(count: int, key: int, salt: int) -> NDArray[np.float64]:
    """Return numbers between -1 and 1."""
    whole = 2**32
    u: Any = np.arange(1, count + 1, dtype=np.uint32) * np.uint32(2654435761)  # arrays wrap around
    u += np.uint32(((key + 1) * 40503 * 65537 + salt * 97 * 1000003) % whole)
    u = (u ^ (u >> 15)) * np.uint32(2246822519)
    u = (u ^ (u >> 13)) * np.uint32(3266489917)
    u ^= u >> 16
    numbers: NDArray[np.float64] = 2 * u.astype(np.float64) / whole - 1
    return numbers


def made_input(shape: tuple[int, ...], seed: int, scale: float = 1.0) -> Tensor:
    values = (scale * hashed(math.prod(shape), seed, INPUTS)).astype(np.float32)
    return torch.from_numpy(values).reshape(shape)


@torch.no_grad()
def fill(module: Any, *, rule: str = "hash", salt: int = 0, scale: float = 0.2, prefix: str = "") -> Any:
    """Fill a module with weights by the rule of its oracles: ``hash``, ``sin`` or ``residues``.

    Names are its own, behind a `prefix` that the official code has.
    """
    for name, tensor in module.state_dict().items():
        if not tensor.is_floating_point() or not tensor.dim():
            continue
        make = {"sin": _sines, "hash": _hashes, "residues": _residues}[rule]
        values = make(prefix + name, tensor, salt, scale)
        tensor.copy_(torch.from_numpy(values).reshape(tensor.shape))
    return module.eval()


def _hashes(name: str, tensor: Tensor, salt: int, scale: float) -> NDArray[np.float32]:
    values = scale * hashed(tensor.numel(), key_of(name), salt)
    if tensor.dim() == 1 and name.endswith("weight"):
        values = 1 + 0.5 * values
    found: NDArray[np.float32] = values.astype(np.float32)
    return found


def _sines(name: str, tensor: Tensor, salt: int, scale: float) -> NDArray[np.float32]:
    values = np.sin(np.arange(tensor.numel()) * 0.37 + key_of(name)) * 0.15
    if name.endswith(("LayerNorm.weight", "layer_norm.weight")):
        values = 1 + 0.1 * values
    found: NDArray[np.float32] = values.astype(np.float32)
    return found


def residues(count: int, key: int) -> NDArray[np.float64]:
    """Return numbers between -1 and 1 by squares modulo a prime, as rule B of the oracles does."""
    place = np.arange(min(count, PRIME), dtype=np.int64)
    whole = (31 * place * place + 1597 * place + 7919 * key) % PRIME
    numbers: NDArray[np.float64] = np.resize(2 * whole / PRIME - 1, count)
    return numbers


def residue_input(shape: tuple[int, ...], key: int) -> Tensor:
    return torch.from_numpy(residues(math.prod(shape), key).astype(np.float32)).reshape(shape)


def _residues(name: str, tensor: Tensor, salt: int, scale: float) -> NDArray[np.float32]:
    values = residues(tensor.numel(), key_of(name))
    if name.endswith("running_var"):
        values = 1 + 0.5 * np.abs(values)
    elif tensor.dim() == 1:
        is_scale = name.endswith(".weight")
        values = 1 + 0.1 * values if is_scale else 0.1 * values
    else:
        values = math.sqrt(3 / math.prod(tensor.shape[1:])) * values
    found: NDArray[np.float32] = values.astype(np.float32)
    return found


def shapes(module: Any) -> dict[str, list[int]]:
    """Name and shape of each weight."""
    return {name: list(tensor.shape) for name, tensor in module.state_dict().items()}
