"""Cameras of agents in space: what they are, what they are called, and what they see.

A camera is data. Agents stand in Habitat's frame (y up, yaw 0 looks along -z and grows counter-clockwise);
the renderer has MatterSim's, and `frames` converts. Angles of a camera are degrees, as in files of settings;
angles of a stance are radians, as everywhere else.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from functools import cached_property, lru_cache
from typing import TYPE_CHECKING, Any, NamedTuple, TypeVar

import numpy as np
from numpy.typing import ArrayLike, NDArray

from vlnscope.core.exceptions import InputError
from vlnscope.types import Floats
from vlnscope.worlds.frames import heading_of_yaw, turned_to_mattersim

if TYPE_CHECKING:
    from vlnscope.worlds.rendering.renderer import Renderer
    from vlnscope.worlds.rendering.views import Surfaces, Views
    from vlnscope.worlds.semantics.semantics import SeenLabels, Semantics

T = TypeVar("T", bound=np.generic)
MOST_PIXELS = 1 << 26
"""How many pixels the views of one camera may have together."""


class Stance(NamedTuple):
    """How an agent stands in space.

    Attributes:
        position: x, y, z of its foot in Habitat's frame, in metres.
        yaw: radians counter-clockwise; 0 looks along -z.
        pitch: radians that its cameras are turned up, beyond their own pitch.
    """

    position: tuple[float, float, float]
    yaw: float = 0.0
    pitch: float = 0.0


@dataclass(frozen=True)
class Camera:
    """A pinhole camera on an agent.

    Attributes:
        width: of the picture in pixels.
        height: of the picture in pixels.
        hfov: horizontal angle of view in degrees.
        sensor_height: metres above the agent's foot.
        pitch: degrees up from level.
        near: least depth in metres; what is nearer counts as this far.
        far: greatest depth in metres; what is farther counts as this far.
        normalise: whether depth is given as 0 (`near`) to 1 (`far`) instead of metres.
        count: number of views, 360° / count apart; the first looks ahead, the next to its right.

    Example:
        >>> camera = Camera(640, 480, hfov=79)
        >>> round(camera.vfov, 2), camera.views
        (63.45, (640, 480, 79, 1.25, 0.0, 1))
    """

    width: int
    height: int
    hfov: float = 90.0
    sensor_height: float = 1.25
    pitch: float = 0.0
    near: float = 0.0
    far: float = 10.0
    normalise: bool = True
    count: int = 1

    def __post_init__(self) -> None:
        sizes = min(self.width, self.height, self.count) >= 1 and self._pixels <= MOST_PIXELS
        numbers = np.isfinite([self.hfov, self.sensor_height, self.pitch, self.near, self.far]).all()
        if not (sizes and numbers and 0.0 < self.hfov < 180.0 and 0.0 <= self.near < self.far):
            raise InputError(
                f"there is no such camera as {self}",
                expected=f"at least 1×1 and in all views together at most {MOST_PIXELS:,} pixels, "
                "0 < hfov < 180, 0 <= near < far",
                fix="VLN-CE's is Camera(224, 224, hfov=90)",
            )

    @property
    def _pixels(self) -> int:
        return self.width * self.height * self.count

    @property
    def vfov(self) -> float:
        """Vertical angle of view in degrees; pixels are square."""
        return math.degrees(2 * math.atan(math.tan(math.radians(self.hfov) / 2) * self.height / self.width))

    @property
    def views(self) -> tuple[float, ...]:
        """What decides which surfaces are seen: cameras that agree in it can share a `Look`."""
        return self.width, self.height, self.hfov, self.sensor_height, self.pitch, self.count

    def depth_of(self, metres: NDArray[np.float32]) -> NDArray[np.float32]:
        """Return depth as Habitat gives it of metres along the view axis.

        What is infinitely far counts as 0 and then as `near`, so that it never looks like a far wall.

        Example:
            >>> Camera(1, 1).depth_of(np.float32([5, 12, np.inf])).tolist()
            [0.5, 1.0, 0.0]
        """
        depth = np.clip(metres, np.float32(self.near), np.float32(self.far))
        depth[np.isinf(metres)] = self.near
        if self.normalise:
            depth -= np.float32(self.near)
            depth /= np.float32(self.far - self.near)
        return depth


_VLNCE, _RXR = Camera(256, 256), Camera(640, 480, hfov=79, sensor_height=0.88, near=0.5, far=5.0)
CAMERAS: Mapping[str, Mapping[str, Camera]] = {
    "vlnce": {"rgb": replace(_VLNCE, width=224, height=224), "depth": _VLNCE, "semantic": _VLNCE},
    "rxr-ce": {"rgb": _RXR, "depth": _RXR, "semantic": _RXR},
}
"""The cameras of benchmarks, by what they show: VLN-CE's RGB has fewer pixels than its depth."""
DEFAULT = "vlnce"
_KEYS = {"hfov": "hfov", "height": "sensor_height", "pitch": "pitch", "near": "near", "far": "far"}


@lru_cache(maxsize=256)
def camera_of(text: str, shows: str = "rgb") -> Camera:
    """Return the camera that a text describes: a benchmark's or a size, then settings, separated by commas.

    Args:
        text: ``vlnce``, ``rxr-ce,count=12``, ``256x256,hfov=79,height=0.88,pitch=-10,near=0.5,far=5``,
            ``metres`` (depth is not normalised); what is not said is as in VLN-CE.
        shows: ``rgb``, ``depth`` or ``semantic``, as benchmarks have several cameras.

    Raises:
        InputError: the text describes none.

    Example:
        >>> camera_of("640x480,hfov=79,count=12").count, camera_of("").width, camera_of("", "depth").width
        (12, 224, 256)
    """
    first, *rest = parts = [part.strip() for part in text.split(",")]
    camera = CAMERAS[DEFAULT][shows]
    if first in CAMERAS:
        camera = CAMERAS[first][shows]
    elif "=" not in first and first not in ("", "metres"):
        width, _, height = first.partition("x")
        camera = replace(camera, width=_number(int, width, text), height=_number(int, height, text))
    else:
        rest = parts if first else rest
    return replace(camera, **{name: value for part in rest for name, value in [_setting(part, text)]})


def _setting(part: str, text: str) -> tuple[str, Any]:
    key, equals, value = part.partition("=")
    if part == "metres":
        return "normalise", False
    if key == "count":
        return "count", _number(int, value, text)
    if key in _KEYS and equals:
        return _KEYS[key], _number(float, value, text)
    raise _no_camera(text)


def _number(kind: type[int] | type[float], digits: str, text: str) -> Any:
    try:
        return kind(digits)
    except ValueError:
        raise _no_camera(text) from None


def _no_camera(text: str) -> InputError:
    settings = ", ".join(f"{key}=NUMBER" for key in (*_KEYS, "count"))
    return InputError(
        f"{text!r} describes no camera",
        expected=f"{', '.join(CAMERAS)} or WIDTHxHEIGHT, then any of {settings}, metres; between them commas",
        fix="write for example 256x256,hfov=90,height=1.25",
    )


class Look:
    """What the cameras of n agents see, drawn when it is first asked for.

    Each attribute has a row per agent. With a `count` of more than one, the views of an agent follow as a
    second dimension. Asked for depth or semantics alone, it draws no colours; asked for several, it finds out
    only once what is seen. Semantics with a mesh of their own are looked at once, if at all.

    Attributes:
        camera: the camera that each agent has.
    """

    def __init__(
        self,
        renderer: Renderer,
        camera: Camera,
        origins: Floats,
        headings: Floats,
        elevations: Floats,
        semantics: Callable[[], Semantics] | None = None,
    ) -> None:
        """Prepare a look; `look` says what to call."""
        from vlnscope.worlds.rendering.pinhole import camera_axes  # slow to import, and here already

        self.camera = camera
        self._renderer = renderer
        self._semantics = semantics
        self._origins = origins
        self._axes = camera_axes(headings, elevations)
        self._size: dict[str, Any] = {"width": camera.width, "height": camera.height, "vfov": camera.vfov}

    @property
    def rgb(self) -> NDArray[np.uint8]:
        """Colours, (n, height, width, 3)."""
        return self._shaped(self._views.rgb)

    @property
    def metres(self) -> NDArray[np.float32]:
        """Metres along the view axis, (n, height, width); infinite where there is nothing."""
        return self._shaped(self._surfaces.depth)

    @cached_property
    def depth(self) -> NDArray[np.float32]:
        """Depth as Habitat gives it (`Camera.depth_of`), (n, height, width, 1)."""
        return self.camera.depth_of(self.metres)[..., None]

    @property
    def semantic(self) -> NDArray[np.int32]:
        """Index into the classes, (n, height, width); -1 where there is nothing."""
        return self._shaped(self._labels.semantic)

    @property
    def instance(self) -> NDArray[np.int32]:
        """Index into the objects of the mesh, (n, height, width); -1 where there is nothing.

        Of semantics with a mesh of their own, the number of the object in the file; -1 also for surfaces
        that belong to no object.
        """
        return self._shaped(self._labels.instance)

    @cached_property
    def _labels(self) -> Views | Surfaces | SeenLabels:
        if self._semantics is None:
            return self._surfaces
        return self._semantics().see(self._origins, self._axes, **self._size)

    @cached_property
    def _views(self) -> Views:
        known = self.__dict__.get("_surfaces")
        faces = None if known is None else known.face
        return self._renderer.render_axes(self._origins, self._axes, **self._size, faces=faces)

    @cached_property
    def _surfaces(self) -> Views | Surfaces:
        if "_views" in self.__dict__:
            return self._views
        return self._renderer.measure_axes(self._origins, self._axes, **self._size)

    def _shaped(self, pictures: NDArray[T]) -> NDArray[T]:
        if self.camera.count == 1:
            return pictures
        return pictures.reshape(-1, self.camera.count, *pictures.shape[1:])


def look(
    renderer: Renderer,
    camera: Camera,
    positions: ArrayLike,
    yaws: ArrayLike = 0.0,
    pitches: ArrayLike = 0.0,
    *,
    semantics: Callable[[], Semantics] | None = None,
) -> Look:
    """Return what many agents see with the same camera, drawn when it is first asked for.

    Args:
        renderer: of the scene that all of them are in.
        camera: of each of them.
        positions: x, y, z of their feet in Habitat's frame, one row per agent.
        yaws: radians counter-clockwise, one per agent or one for all; 0 looks along -z.
        pitches: radians up, beyond the camera's own; one per agent or one for all.
        semantics: loads the semantics if they have a mesh of their own; `scene_looks.look_in` knows.

    Raises:
        InputError: something is not finite, or the numbers of positions and angles differ.
    """
    feet, turns, tilts = _stances(positions, yaws, pitches)
    eyes = turned_to_mattersim(feet)
    eyes[:, 2] += camera.sensor_height
    ahead = np.array([heading_of_yaw(turn) for turn in turns.tolist()])
    headings = ahead[:, None] + np.arange(camera.count) * (math.tau / camera.count)
    return Look(
        renderer,
        camera,
        np.repeat(eyes, camera.count, axis=0),
        headings.ravel(),
        np.repeat(tilts + math.radians(camera.pitch), camera.count),
        semantics,
    )


def _stances(positions: ArrayLike, yaws: ArrayLike, pitches: ArrayLike) -> tuple[Floats, Floats, Floats]:
    feet = np.atleast_2d(np.asarray(positions, dtype=np.float64))
    try:
        turns, tilts = (
            np.broadcast_to(np.asarray(angle, dtype=np.float64), len(feet)) for angle in (yaws, pitches)
        )
    except ValueError:
        raise InputError(
            f"there are {len(feet)} positions, {np.shape(yaws)} yaws and {np.shape(pitches)} pitches",
            expected="as many angles as positions, or one for all",
            fix="give arrays of equal length",
        ) from None
    if not (np.isfinite(feet).all() and np.isfinite(turns).all() and np.isfinite(tilts).all()):
        raise InputError(
            "an agent stands at a place, or looks in a direction, that is not finite",
            expected="x, y, z in metres, yaw and pitch in radians",
            fix="check the pose; a point off the navigation mesh snaps to NaN",
        )
    return feet, turns, tilts
