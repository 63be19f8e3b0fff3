"""Texture images as they come in files of meshes."""

from __future__ import annotations

import io
import warnings
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from vlnscope.core.exceptions import InputError
from vlnscope.core.limits import STREAM_MB, WHOLE_MB, allowed, too_large


class ImageReader:
    """Decodes the texture images of one file, and keeps an eye on how large they become together.

    Args:
        path: the file that they belong to, for messages.
    """

    def __init__(self, path: Path) -> None:
        self._path = path
        self._total = 0

    def read(self, raw: bytes, name: str) -> NDArray[np.uint8]:
        """Return the pixels of an image, (height, width, 3); transparency is left out.

        Raises:
            InputError: the image is damaged, of a kind that Pillow does not read, or too large.
        """
        from PIL import Image  # slow to import, and most meshes are houses, which have no images

        with warnings.catch_warnings():
            warnings.simplefilter("ignore", Image.DecompressionBombWarning)  # our own limit is below
            try:
                return self.decoded(Image.open(io.BytesIO(raw)), name)
            except Image.DecompressionBombError:
                raise too_large(self._path, WHOLE_MB, f"the texture image {name}") from None
            except (OSError, ValueError, SyntaxError) as error:
                raise self.damaged(name, error) from None

    def decoded(self, image: Any, name: str) -> NDArray[np.uint8]:
        """Return the pixels of an image that Pillow has opened but perhaps not decoded."""
        size = 3 * image.width * image.height
        self._total += size
        if size > allowed(WHOLE_MB):
            raise too_large(self._path, WHOLE_MB, f"the texture image {name} ({image.width}×{image.height})")
        if self._total > allowed(STREAM_MB):
            raise too_large(self._path, STREAM_MB, "its texture images together")
        try:
            return np.asarray(image.convert("RGB"), dtype=np.uint8)
        except (OSError, ValueError, SyntaxError) as error:
            raise self.damaged(name, error) from None

    def damaged(self, name: str, why: object) -> InputError:
        """Return the error for an image that cannot be used."""
        return InputError(
            f"{self._path}: the texture image {name} cannot be read ({why})",
            expected="a complete PNG, JPEG or WebP image",
            fix="export or copy the mesh and its textures again",
        )
