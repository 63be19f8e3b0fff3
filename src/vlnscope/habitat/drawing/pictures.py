"""Pictures of what an agent sees beside its map, and animations of them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from importlib import import_module
from pathlib import Path
from typing import Any

import numpy as np
from PIL import Image

from vlnscope.core import files
from vlnscope.core.exceptions import InputError
from vlnscope.habitat.drawing.maps import Picture, colorize_draw_agent_and_fit_to_height

_EDGE = (255, 0, 0)


def observations_to_image(observation: Mapping[str, Any], info: Mapping[str, Any]) -> Picture:
    """Return the pictures of an observation side by side, and the map beside them if there is one.

    A red edge says that the last step ran into something.

    Args:
        observation: its members that are pictures are shown: colours, and depth in grey.
        info: metrics; ``collisions`` and ``top_down_map`` are looked at.

    Raises:
        InputError: the observation has no picture.
    """
    pictures = [_coloured(value) for value in observation.values() if _is_picture(value)]
    if not pictures:
        raise InputError(
            "the observation has no picture", expected="rgb or depth", fix="add a camera to the configuration"
        )
    tallest = max(picture.shape[0] for picture in pictures)
    view = np.concatenate([_fitted(picture, tallest) for picture in pictures], axis=1)
    if (info.get("collisions") or {}).get("is_collision"):
        view[:4], view[-4:], view[:, :4], view[:, -4:] = _EDGE, _EDGE, _EDGE, _EDGE
    if info.get("top_down_map") is not None:
        view = np.concatenate(
            [view, colorize_draw_agent_and_fit_to_height(info["top_down_map"], tallest)], axis=1
        )
    return view


def images_to_video(
    images: Sequence[Picture],
    output_dir: str | Path,
    video_name: str,
    fps: int = 10,
    quality: float | None = 5,
    **options: Any,
) -> Path:
    """Write an animation, as GIF, and return its file; Habitat writes MP4.

    Args:
        images: at least one picture; all as large as the first.
        output_dir: the folder; made if it is not there.
        video_name: name of the file, to which ``.gif`` is added.
        fps: pictures a second.
        quality: has no effect, as other options of Habitat's.
        options: have no effect.
    """
    del quality, options
    frames = [Image.fromarray(np.asarray(image, dtype=np.uint8)) for image in images]
    if not frames:
        raise InputError("there is no picture to animate", expected="at least one", fix="collect some first")
    path = Path(output_dir) / f"{video_name}.gif"
    with files.write_whole(path) as stream:
        frames[0].save(
            stream, format="GIF", save_all=True, append_images=frames[1:], duration=1000 // fps, loop=0
        )
    return path


def try_cv2_import() -> Any:
    """Return OpenCV, which loops of their own may draw with; vlnscope does not need it.

    Raises:
        ImportError: it is not installed.
    """
    return import_module("cv2")


def _is_picture(value: Any) -> bool:
    return isinstance(value, np.ndarray) and value.ndim == 3 and value.shape[-1] in (1, 3)


def _coloured(value: Any) -> Picture:
    if value.shape[-1] == 3:
        return np.asarray(value, dtype=np.uint8)
    most = max(1.0, float(value.max(initial=0.0)))
    return np.repeat((np.asarray(value, dtype=np.float64) / most * 255).astype(np.uint8), 3, axis=2)


def _fitted(picture: Picture, height: int) -> Picture:
    if picture.shape[0] == height:
        return picture
    width = int(picture.shape[1] * height / picture.shape[0])
    return np.asarray(Image.fromarray(picture).resize((width, height), Image.Resampling.NEAREST))
