"""RxR pose traces: where an annotator stood and looked, moment by moment, while speaking or listening.

The files are called ``{instruction_id:06}_guide_pose_trace.npz`` and
``{demonstration_id:06}_follower_pose_trace.npz``. Below, n is the number of moments, k the number of
viewpoints of the path and m the number of word pieces of the instruction.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from vlnscope.core.array_file import read_arrays
from vlnscope.core.exceptions import InputError
from vlnscope.types import Flags, Floats

Arrays = Mapping[str, NDArray[Any]]
_COPY = "download the file again"


@dataclass(frozen=True, eq=False, kw_only=True)
class PoseTrace:
    """The camera of one annotator over time.

    Attributes:
        pano: viewpoint at each of the n moments.
        time: seconds since the recording began.
        audio_time: how far the follower had listened to the guide; None in a guide's trace.
        extrinsic: camera poses, n × 16, row by row.
        intrinsic: projections, n × 16, row by row.
        image_mask: what was seen of each panorama, k × 128 × 256; heading 0 is in the middle.
        text_mask: which word pieces were spoken or heard at each viewpoint, k × m.
        feature_weights: `image_mask` averaged over the 36 views, k × 36.

    All but `pano` and `time` are None where the file does not have them.
    """

    pano: tuple[str, ...]
    time: Floats
    audio_time: Floats | None = None
    extrinsic: Floats | None = None
    intrinsic: Floats | None = None
    image_mask: Flags | None = None
    text_mask: Flags | None = None
    feature_weights: Floats | None = None


def read_pose_trace(path: str | Path) -> PoseTrace:
    """Read one pose trace.

    Viewpoints may be stored as text or as bytes, and vectors as columns. Arrays of Python objects are
    refused, because reading them would run code from the file.

    Raises:
        InputError: the file is not a pose trace, is damaged, or its arrays do not fit together.
    """
    path = Path(path)
    return _trace(path, read_arrays(path, "a pose trace", "a complete .npz file of plain arrays", _COPY))


def _trace(path: Path, arrays: Arrays) -> PoseTrace:
    for name in ("pano", "time"):
        if name not in arrays:
            raise InputError(
                f"{path}: there is no array {name!r}", expected="the arrays pano and time", fix=_COPY
            )
    pano = arrays["pano"].reshape(-1)
    if pano.dtype.kind not in "US":
        raise InputError(f"{path}: pano holds no text", expected="viewpoint ids", fix=_COPY)
    size = pano.size
    names = tuple(p.decode("utf-8", "replace") if isinstance(p, bytes) else p for p in pano.tolist())
    time = _numbers(path, arrays, "time", (size,))
    if time is None or not np.isfinite(time).all():
        raise InputError(
            f"{path}: time holds a value that is not a finite number", expected="seconds", fix=_COPY
        )
    return PoseTrace(
        pano=names,
        time=time,
        audio_time=_numbers(path, arrays, "audio_time", (size,)),
        extrinsic=_numbers(path, arrays, "extrinsic_matrix", (size, 16)),
        intrinsic=_numbers(path, arrays, "intrinsic_matrix", (size, 16)),
        image_mask=_mask(path, arrays, "image_mask", (-1, 128, 256)),
        text_mask=_mask(path, arrays, "text_mask", (-1, -1)),
        feature_weights=_numbers(path, arrays, "feature_weights", (-1, 36)),
    )


def _numbers(path: Path, arrays: Arrays, name: str, shape: tuple[int, ...]) -> Floats | None:
    numbers = _shaped(path, arrays, name, shape)
    return None if numbers is None else numbers.astype(np.float64)


def _mask(path: Path, arrays: Arrays, name: str, shape: tuple[int, ...]) -> Flags | None:
    mask = _shaped(path, arrays, name, shape)
    return None if mask is None else mask.astype(np.bool_)


def _shaped(path: Path, arrays: Arrays, name: str, shape: tuple[int, ...]) -> NDArray[Any] | None:
    """Return an array under its name or a short form of it; -1 in `shape` stands for any length."""
    short = {name, name.removesuffix("_matrix"), f"{name}s"}
    array = next((arrays[key] for key in sorted(short, key=len) if key in arrays), None)
    if array is None:
        return None
    if len(shape) == 1 and array.ndim == 2 and array.shape[1] == 1:
        array = array[:, 0]
    fits = array.ndim == len(shape) and all(
        want in (-1, got) for want, got in zip(shape, array.shape, strict=True)
    )
    if not fits or array.dtype.kind not in "biuf":
        wanted = " × ".join("any" if length < 0 else str(length) for length in shape)
        raise InputError(
            f"{path}: {name} has shape {array.shape} and type {array.dtype}",
            expected=f"{wanted} numbers",
            fix=_COPY,
        )
    return array
