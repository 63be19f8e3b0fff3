"""A device that is none: tensors that keep their numbers on the CPU and behave as those of a card do.

While a `PretendDevice` is entered, `PRETEND` can be named wherever a device can. What would fail on a real
card fails here: tensors of two devices in one operation (numbers of no dimension may mix), `.numpy()`, and
double precision, which Apple's cards do not have. What goes to the CPU and back is counted.
"""

from __future__ import annotations

from collections import Counter
from typing import Any
from unittest.mock import patch

import torch
from torch.utils._python_dispatch import TorchDispatchMode
from torch.utils._pytree import tree_flatten, tree_map

PRETEND = torch.device("meta")
"""torch lets a tensor that is none of its own say that it is here."""
INDEXING = ("index", "index_put", "index_put_")
"""Their indices may come from the CPU; a list of rows is one such."""
_ALIKE = torch.device("cpu")


class Tagged(torch.Tensor):
    """A tensor that says that it is on the device."""

    inner: torch.Tensor

    @staticmethod
    def __new__(cls, inner: torch.Tensor) -> Tagged:
        made: Any = torch.Tensor._make_wrapper_subclass(
            cls,
            inner.size(),
            strides=inner.stride(),
            storage_offset=inner.storage_offset(),
            dtype=inner.dtype,
            device=PRETEND,
            requires_grad=inner.requires_grad,
        )
        made.inner = inner
        tagged: Tagged = made
        return tagged

    def __repr__(self) -> str:  # type: ignore[override]
        return f"Tagged({self.inner!r})"

    def numpy(self, *, force: bool = False) -> Any:
        raise AssertionError("`.numpy()` of a tensor on a device")

    def tolist(self) -> Any:
        return self.inner.tolist()

    def new_tensor(self, data: Any, **asked: Any) -> torch.Tensor:  # type: ignore[override]
        return torch.tensor(data, **{"dtype": self.dtype, **asked}).to(PRETEND)

    @classmethod
    def __torch_dispatch__(cls, func: Any, types: Any, args: Any = (), kwargs: Any = None) -> Any:
        return _run(func, args, kwargs or {}, None)


class PretendDevice(TorchDispatchMode):
    """Let `PRETEND` be a device.

    Attributes:
        counts: how often tensors went to the device, and back to the CPU.
    """

    def __init__(self) -> None:
        super().__init__()
        self.counts: Counter[str] = Counter()

    def __enter__(self) -> PretendDevice:
        self._patch = patch("torch.optim.adam._device_dtype_check_for_fused")  # knows real devices alone
        self._patch.start()
        super().__enter__()
        return self

    def __exit__(self, *raised: Any) -> None:
        super().__exit__(*raised)
        self._patch.stop()

    def __torch_dispatch__(self, func: Any, types: Any, args: Any = (), kwargs: Any = None) -> Any:
        return _run(func, args, kwargs or {}, self.counts)


@torch.inference_mode(False)  # tensors made in that mode cannot be ones of this kind
@torch.no_grad()
def _run(func: Any, args: Any, kwargs: dict[str, Any], counts: Counter[str] | None) -> Any:
    flat, _ = tree_flatten((args, kwargs))
    name = func.overloadpacket.__name__
    tensors = [each for each in flat if isinstance(each, torch.Tensor)]
    tagged = [each for each in tensors if isinstance(each, Tagged)]
    wanted = kwargs.get("device")
    here = bool(tagged) if wanted is None else torch.device(wanted) == PRETEND
    moves = name in ("_to_copy", "copy_")
    mixes = tree_flatten((args[0], args[2:]))[0] if name in INDEXING else tensors
    if tagged and not moves and any(map(_elsewhere, mixes)):
        raise AssertionError(f"{func}: tensors of two devices")
    if moves and counts is not None and len(tensors) and bool(tagged) != here:
        counts["to the device" if here else "to the CPU"] += 1
    plain, named = tree_map(_inner, (args, kwargs))
    if "device" in named and named["device"] is not None:
        named["device"] = _ALIKE
    done = func(*plain, **named)
    if name == "_local_scalar_dense" or not here:
        return done
    same = {id(_inner(each)): each for each in tagged}
    return tree_map(lambda each: _outer(each, same, func), done)


def _elsewhere(thing: Any) -> bool:
    return isinstance(thing, torch.Tensor) and not isinstance(thing, Tagged) and thing.dim() > 0


def _inner(thing: Any) -> Any:
    return thing.inner if isinstance(thing, Tagged) else thing


def _outer(thing: Any, same: dict[int, Any], func: Any) -> Any:
    """Tag what came out; what was changed in place stays the tensor that it was."""
    if not isinstance(thing, torch.Tensor) or isinstance(thing, Tagged):
        return thing
    if thing.dtype == torch.float64:
        raise AssertionError(f"{func}: double precision on a device")
    return same[id(thing)] if id(thing) in same else Tagged(thing)
