"""Where learned agents compute: on the CPU, on a graphics card (``cuda``), or on Apple's (``mps``).

`device_of` decides for training, for running and for making features. On the CPU a run is the same to the
bit wherever it is made. Elsewhere there is single precision only: sums depend on what else is in a batch, in
their last digits, and so do weights that are trained.
"""

from __future__ import annotations

import importlib
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from vlnscope.core.exceptions import InputError
from vlnscope.core.rng import uniforms

if TYPE_CHECKING:
    import torch
    from torch import Tensor

AUTO = "auto"
CHOICES = ("cpu", "cuda", "mps", AUTO)
"""What users can name; ``cuda:1`` names the second graphics card."""

LARGEST_MB = 4096
"""Tables of features that are larger stay in the machine's memory; what a step needs of them is moved."""

HELP = "Where to compute: cpu, cuda, mps, or auto (cuda if there is one, else mps, else cpu)."


def device_of(name: str = AUTO) -> torch.device:
    """Return the device that `name` means.

    Args:
        name: ``cpu``, ``cuda``, ``cuda:N``, ``mps``, or ``auto``: cuda if it is there, else mps, else cpu.

    Raises:
        InputError: there is no such device here.

    Example:
        >>> device_of("cpu")
        device(type='cpu')
    """
    library: Any = importlib.import_module("torch")
    there = present()
    if name == AUTO:
        name = there[0]
    if name not in there:
        kind, known = name.partition(":")[0], f"here there is {', '.join(there)}"
        raise InputError(
            f"the device {name!r} cannot be used" if kind in CHOICES else f"there is no device {name!r}",
            expected=f"one of {', '.join(CHOICES)}; {known}",
            fix=f"write {there[0]} or auto" + ("" if kind == "cpu" else ", or install a torch that knows it"),
        )
    found: torch.device = library.device(name)
    return found


def present() -> list[str]:
    """Return the devices that are there, the fastest first; the CPU always is."""
    library: Any = importlib.import_module("torch")
    cards = range(library.cuda.device_count()) if library.cuda.is_available() else ()
    names = ["cuda", *(f"cuda:{number}" for number in cards)] if cards else []
    names += ["mps"] if library.backends.mps.is_available() else []
    return [*names, "cpu"]


def precision(device: torch.device) -> torch.dtype:
    """Return the type of numbers in which agents compute: double on the CPU, single elsewhere."""
    library: Any = importlib.import_module("torch")
    found: torch.dtype = library.float64 if device.type == "cpu" else library.float32
    return found


def moved(tensor: Tensor, device: torch.device) -> Tensor:
    """Return a tensor on a device; what is double on the CPU is single elsewhere."""
    if device.type != "cpu" and tensor.is_floating_point() and tensor.element_size() == 8:
        tensor = tensor.float()
    return tensor.to(device)


def as_array(tensor: Tensor) -> NDArray[Any]:
    """Return the numbers of a tensor, wherever it is, without its gradients."""
    array: NDArray[Any] = tensor.detach().cpu().numpy()
    return array


def chances(seed: int, purpose: str, keys: Tensor, number: int) -> Tensor:
    """(n): a number in [0, 1) per key, on the CPU in double precision; see `uniforms`.

    What is drawn does not depend on the device.
    """
    library: Any = importlib.import_module("torch")
    drawn: Tensor = library.from_numpy(uniforms(seed, purpose, as_array(keys).view(np.uint64), number))
    return drawn


def kept(table: Tensor, device: torch.device) -> Tensor:
    """Return a table on a device if it is at most `LARGEST_MB`; larger ones stay in the machine's memory."""
    small = table.numel() * table.element_size() <= LARGEST_MB * 2**20
    return moved(table, device) if small else table


def rows_of_table(table: Tensor, rows: Tensor) -> Tensor:
    """Return rows of a table that `kept` may have left in the machine's memory, on the device of `rows`."""
    return table[rows.to(table.device)].to(rows.device)
