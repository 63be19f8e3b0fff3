"""The segmenter that comes with vlnscope: tells the class of each pixel of a house from colours and depth."""

from __future__ import annotations

from functools import cached_property
from importlib import resources
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from vlnscope.core.exceptions import InputError, MissingPackageError

_COLOURS = 3


def segmenter_file() -> Path:
    """Return the weights that come with vlnscope."""
    return Path(str(resources.files("vlnscope.perception.mapping") / "weights" / "house_segmenter.npz"))


class HouseSegmenter:
    """A `semantics.Segmenter` trained on pictures of generated houses, as VLN-CE's camera takes them.

    Its weights are read when it first looks at something.

    Args:
        file: other weights, as `vlnscope train house-segmenter` writes them.

    Example:
        >>> from vlnscope.perception.mapping import InferredSemantics
        >>> semantics = InferredSemantics(HouseSegmenter())
    """

    def __init__(self, file: str | Path | None = None) -> None:
        self.path = Path(file) if file is not None else segmenter_file()

    def __call__(self, rgb: NDArray[np.uint8], depth: NDArray[np.float32], /) -> NDArray[np.uint8]:
        """Return the class of each pixel of the depth, (n, height, width).

        Args:
            rgb: colours 0-255, (n, height, width, 3); they may have another size than depth.
            depth: fractions of the camera's range, 0 to 1, (n, height, width, 1).

        Raises:
            InputError: pictures have another shape or type, or depth is in metres.
            MissingPackageError: torch is not installed.
        """
        _check(rgb, depth)
        network = self._network
        from vlnscope.perception.mapping.segmenting_network import segment

        return segment(network, rgb, np.ascontiguousarray(depth[..., 0]))

    @cached_property
    def _network(self) -> Any:
        try:
            import torch as torch
        except ImportError:
            raise MissingPackageError("torch", "learn", "the house segmenter needs") from None
        from vlnscope.perception.mapping.segmenting_network import load_network

        return load_network(self.path)


def _check(rgb: NDArray[np.uint8], depth: NDArray[np.float32]) -> None:
    coloured = rgb.dtype == np.uint8 and rgb.ndim == 4 and rgb.shape[-1] == _COLOURS
    deep = depth.dtype == np.float32 and depth.ndim == 4 and depth.shape[-1] == 1
    sized = coloured and deep and len(rgb) == len(depth) and rgb[:1].size and depth[:1].size
    if not sized and not (coloured and deep and len(rgb) == len(depth) == 0):
        raise InputError(
            f"colours are {rgb.dtype} {rgb.shape}, depth is {depth.dtype} {depth.shape}",
            expected="bytes (n, height, width, 3) and float32 (n, height, width, 1), as many of each",
            fix="give what `Look.rgb` and `Look.depth` hold",
        )
    if depth.size and not (depth.min() >= 0.0 and depth.max() <= 1.0):
        raise InputError(
            f"depth goes from {depth.min()} to {depth.max()}",
            expected="fractions of the camera's range, 0 to 1",
            fix="take depth of a camera that normalises it",
        )
