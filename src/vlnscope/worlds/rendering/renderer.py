"""Pictures of a mesh without a graphics card: rays through pixel centres, traced by Embree.

Headings are radians clockwise from +y, elevations radians up from level, as in `views`.
"""

from __future__ import annotations

import os
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from copy import copy
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from vlnscope.core.exceptions import InputError
from vlnscope.types import Floats
from vlnscope.worlds.graph.views import VIEW_ELEVATIONS, VIEW_HEADINGS
from vlnscope.worlds.rendering.bounces import add_bounces, find_bounces
from vlnscope.worlds.rendering.light.bake import BakedLight
from vlnscope.worlds.rendering.looks import USUAL, FaceLooks, face_looks
from vlnscope.worlds.rendering.mesh import TEXTURES, Mesh
from vlnscope.worlds.rendering.painting import Painter
from vlnscope.worlds.rendering.pinhole import camera_axes, check_cameras, half_tangents, pixel_rays
from vlnscope.worlds.rendering.rays import embree_scene
from vlnscope.worlds.rendering.shading import measure_rays, measure_surfaces, shade_surfaces
from vlnscope.worlds.rendering.tone import CURVE, develop
from vlnscope.worlds.rendering.views import Surfaces, Views

_BATCH = 1 << 17
_FAR = 1000.0


class Renderer:
    """Draws views of one mesh; building it costs about a second per million triangles, drawing is cheap.

    Bytes depend on the mesh and the cameras only, never on the number of threads or on what else is drawn in
    the same call. Faces are seen from both sides. A mesh without faces shows the sky. Faces with colours of
    their own (`Mesh.appearance`) are drawn as these are, without light and haze; around a mesh that has no
    others it is black. What is seen through glass and in mirrors is in `rgb` only: depth and labels are those
    of the pane.

    Attributes:
        mesh: what is drawn.
        threads: how many draw at a time.
        scene: Embree's tree of the triangles, None without any.
    """

    def __init__(
        self,
        mesh: Mesh,
        *,
        light: Callable[[], BakedLight] | None = None,
        threads: int | None = None,
    ) -> None:
        """Prepare `mesh`; draw with `threads` threads (all cores of this process if None).

        Baked light is asked for when the first colours are; without it, faces are lit by their direction.
        """
        self.mesh = mesh
        self.threads = threads or len(os.sched_getaffinity(0))
        corners = np.asarray(mesh.vertices, dtype=np.float64)
        self._shift = _far_centre(corners)
        near = (corners - self._shift).astype(np.float32)
        self._planes = _planes(near.astype(np.float64), mesh.faces)
        self._painter = _painter(mesh, near.astype(np.float64))
        self._near = near
        self._labels = np.ascontiguousarray(np.stack([mesh.semantic, mesh.instance], axis=-1), dtype=np.int32)
        self._light = light
        self._exposure = 1.0
        self.scene: Any = embree_scene(near, mesh.faces) if len(mesh.faces) else None

    def exposed(self, factor: float) -> Renderer:
        """Return a renderer that shares everything with this one, with brighter or darker pictures.

        Args:
            factor: of the light, before the tone curve.
        """
        if not self._paints_all:
            _ = self._looks, self._without_glass  # which both then share
        other = copy(self)
        other._exposure = self._exposure * factor
        return other

    def render(
        self,
        origins: ArrayLike,
        headings: ArrayLike = 0.0,
        elevations: ArrayLike = 0.0,
        *,
        width: int = 640,
        height: int = 480,
        vfov: float = 60.0,
        supersample: int = 1,
    ) -> Views:
        """Draw one view per camera; origins, headings and elevations broadcast against each other.

        Args:
            origins: x, y, z of the cameras.
            headings: radians clockwise from +y.
            elevations: radians up from level.
            width: of the pictures in pixels.
            height: of the pictures in pixels.
            vfov: vertical angle of view in degrees, below 180.
            supersample: rgb is the mean of this many by this many rays per pixel; depth, semantic and
                instance always belong to the pixel's centre.

        Raises:
            InputError: sizes, angles or positions that no camera has.
        """
        places = np.atleast_2d(np.asarray(origins, dtype=np.float64))
        axes = camera_axes(headings, elevations)
        count = max(len(places), len(axes))
        if places.shape[1:] != (3,) or {len(places), len(axes)} - {1, count}:
            raise InputError(
                f"{places.shape} origins and {len(axes)} directions do not fit together",
                expected="x, y, z per camera, and as many headings and elevations as cameras (or one)",
                fix="give arrays of equal length",
            )
        places = np.broadcast_to(places, (count, 3))
        return self.render_axes(
            places,
            np.broadcast_to(axes, (count, 3, 3)),
            width=width,
            height=height,
            vfov=vfov,
            supersample=supersample,
        )

    def render_axes(
        self,
        origins: Floats,
        axes: Floats,
        *,
        width: int,
        height: int,
        vfov: float,
        supersample: int = 1,
        faces: NDArray[np.int32] | None = None,
    ) -> Views:
        """Draw one view per camera with any turn.

        Args:
            origins: x, y, z per camera.
            axes: unit vectors right, forward and up per camera.
            width: of the pictures in pixels.
            height: of the pictures in pixels.
            vfov: vertical angle of view in degrees, below 180.
            supersample: as in `render`.
            faces: what `measure_axes` found for the same cameras, so that it is not looked for again.
        """
        check_cameras(origins, width, height, vfov, supersample)
        views = self._draw(origins, axes, width, height, vfov, faces)
        if supersample == 1:
            return views
        fine = np.empty_like(views.rgb)
        for k in range(len(origins)):  # one at a time: fine pictures are large
            part = slice(k, k + 1)
            large = self._draw(origins[part], axes[part], width * supersample, height * supersample, vfov)
            fine[k] = _box_mean(large.rgb[0], supersample)
        return Views(fine, views.depth, views.semantic, views.instance, vfov)

    def measure_axes(
        self, origins: Floats, axes: Floats, *, width: int, height: int, vfov: float
    ) -> Surfaces:
        """Return what `render_axes` does but for the colours, which cost about a fifth of the time."""
        check_cameras(origins, width, height, vfov, 1)
        shape = (len(origins), height, width)
        found = Surfaces(
            np.empty(shape, dtype=np.int32),
            np.empty(shape, dtype=np.float32),
            np.empty(shape, dtype=np.int32),
            np.empty(shape, dtype=np.int32),
        )

        def measure(part: slice) -> None:
            places, rays = self._cast(part, origins, axes, width, height, vfov)
            found.face[part] = self._hits(places, rays)
            measure_surfaces(
                found.face[part],
                rays,
                places,
                self._planes,
                self._labels,
                found.depth[part],
                found.semantic[part],
                found.instance[part],
            )

        self._share_out(measure, shape)
        return found

    def panorama(
        self,
        position: ArrayLike,
        *,
        width: int = 640,
        height: int = 480,
        vfov: float = 60.0,
        supersample: int = 1,
    ) -> Views:
        """Draw the 36 views of MatterSim around `position`, in the order of `views.VIEW_HEADINGS`."""
        return self.render(
            position,
            VIEW_HEADINGS,
            VIEW_ELEVATIONS,
            width=width,
            height=height,
            vfov=vfov,
            supersample=supersample,
        )

    def _draw(
        self,
        origins: Floats,
        axes: Floats,
        width: int,
        height: int,
        vfov: float,
        faces: NDArray[np.int32] | None = None,
    ) -> Views:
        shape = (len(origins), height, width)
        if not self._paints_all:
            _ = self._looks, self._without_glass  # before threads ask for them
        views = Views(
            np.empty((*shape, 3), dtype=np.uint8),
            np.empty(shape, dtype=np.float32),
            np.empty(shape, dtype=np.int32),
            np.empty(shape, dtype=np.int32),
            vfov,
        )
        self._share_out(lambda part: self._draw_part(part, origins, axes, views, faces), shape)
        return views

    def _share_out(self, work: Callable[[slice], None], shape: tuple[int, int, int]) -> None:
        """Let the threads work on slices of the cameras."""
        count, height, width = shape
        step = max(1, min(_BATCH // (width * height), -(-count // self.threads)))
        parts = [slice(start, start + step) for start in range(0, count, step)]
        if self.threads == 1 or len(parts) == 1:
            for part in parts:
                work(part)
            return
        with ThreadPoolExecutor(self.threads) as pool:
            list(pool.map(work, parts))

    def _cast(
        self, part: slice, origins: Floats, axes: Floats, width: int, height: int, vfov: float
    ) -> tuple[Floats, NDArray[np.float32]]:
        places = np.ascontiguousarray(origins[part] - self._shift)
        return places, pixel_rays(np.ascontiguousarray(axes[part]), width=width, height=height, vfov=vfov)

    def _draw_part(
        self, part: slice, origins: Floats, axes: Floats, views: Views, faces: NDArray[np.int32] | None
    ) -> None:
        depth, rgb = views.depth[part], views.rgb[part]
        height, width = depth.shape[1:]
        places, rays = self._cast(part, origins, axes, width, height, views.vfov)
        prim = self._hits(places, rays) if faces is None else faces[part]
        labels = views.semantic[part], views.instance[part]
        measure_surfaces(prim, rays, places, self._planes, self._labels, depth, *labels)
        if not self._paints_all:
            self._shade(prim, rays, places, depth, views.vfov, rgb)
        if self._painter is not None:
            self._painter.paint(prim, rays, places, depth, rgb)

    @cached_property
    def _looks(self) -> FaceLooks:
        """What colours need, so that it is not made before."""
        looks = face_looks(self.mesh, None if self._light is None else self._light())
        moved = looks.frames[:, :, :3].astype(np.float64) @ self._shift
        frames = looks.frames.copy()
        frames[:, :, 3] += moved
        return looks._replace(frames=frames)

    @cached_property
    def _without_glass(self) -> tuple[Any, NDArray[np.int32]]:
        """Embree's tree of all faces but those of glass, and their numbers."""
        kept = np.flatnonzero(self.mesh.texture != TEXTURES.index("glass")).astype(np.int32)
        if len(kept) == len(self.mesh):
            return self.scene, kept
        return (embree_scene(self._near, self.mesh.faces[kept]) if len(kept) else None), kept

    @property
    def _paints_all(self) -> bool:
        return self._painter is not None and self._painter.covers_all

    def _shade(
        self,
        prim: NDArray[np.int32],
        rays: NDArray[np.float32],
        places: Floats,
        depth: NDArray[np.float32],
        vfov: float,
        rgb: NDArray[np.uint8],
    ) -> None:
        height, width = depth.shape[1:]
        pixel = 2.0 * half_tangents(width, height, vfov)[1] / height
        looks = self._looks
        light = np.empty((prim.size, 3), dtype=np.float32)
        self._arriving(prim.ravel(), rays.reshape(-1, 3), places, depth.ravel(), pixel, light)
        second = find_bounces(prim, rays, places, depth, self._planes, looks.kind, looks.gloss)
        if len(second.pixel):
            faces = self._hits_behind(second.starts, second.ways)
            away = measure_rays(faces, second.ways, second.starts, self._planes)
            seen = np.empty((len(faces), 3), dtype=np.float32)
            self._arriving(faces, second.ways, second.starts, away, 4.0 * pixel, seen)
            add_bounces(prim, looks.kind, *second[:2], away, seen, light.reshape(*prim.shape, 3))
        develop(light, CURVE, looks.exposure * self._exposure, rgb.reshape(-1, 3))

    def _arriving(
        self,
        prim: NDArray[np.int32],
        rays: NDArray[np.float32],
        starts: NDArray[Any],
        depth: NDArray[np.float32],
        pixel: float,
        out: NDArray[np.float32],
    ) -> None:
        """Fill in the light that arrives along rays."""
        looks = self._looks
        shade_surfaces(
            prim,
            rays,
            starts,
            len(prim) // len(starts),
            depth,
            pixel,
            self._planes,
            looks.colour,
            looks.frames,
            looks.kind,
            looks.tile,
            looks.texels,
            looks.pictures,
            looks.table,
            looks.atlas,
            looks.sky,
            USUAL / looks.exposure,
            out,
        )

    def _hits_behind(self, starts: NDArray[np.float32], ways: NDArray[np.float32]) -> NDArray[np.int32]:
        """Return the faces that second rays hit: glass does not stop them."""
        scene, kept = self._without_glass
        if scene is None:
            return np.full(len(starts), -1, dtype=np.int32)
        hits = np.asarray(scene.run(starts, ways, query="INTERSECT"), dtype=np.int32)
        return np.where(hits < 0, np.int32(-1), kept[hits])

    def _hits(self, places: Floats, rays: NDArray[np.float32]) -> NDArray[np.int32]:
        shape = rays.shape[:3]
        if self.scene is None:
            return np.full(shape, -1, dtype=np.int32)
        eyes, count = places.astype(np.float32), shape[1] * shape[2]
        if (eyes == eyes[0]).all():
            starts = np.broadcast_to(eyes[0], (len(eyes) * count, 3))
        else:
            starts = np.repeat(eyes, count, axis=0)
        hits = self.scene.run(starts, rays.reshape(-1, 3), query="INTERSECT")
        return np.asarray(hits, dtype=np.int32).reshape(shape)


def _painter(mesh: Mesh, vertices: Floats) -> Painter | None:
    if mesh.appearance is None or not mesh.appearance.own.any():
        return None
    return Painter(mesh.appearance, vertices, mesh.faces)


def _planes(vertices: Floats, faces: NDArray[np.int32]) -> Floats:
    """Return per face its unit normal and its distance from the origin along it, (n, 4)."""
    if not len(faces):
        return np.zeros((0, 4))
    a, b, c = (vertices[faces[:, i]] for i in range(3))
    normals = np.cross(b - a, c - a)
    length = np.sqrt((normals * normals).sum(axis=1, keepdims=True))
    normals = np.divide(normals, length, out=np.zeros_like(normals), where=length > 0)
    return np.ascontiguousarray(np.concatenate([normals, (normals * a).sum(axis=1, keepdims=True)], axis=1))


def _far_centre(vertices: Floats) -> Floats:
    """Return what to subtract so that single precision suffices: nothing unless the mesh lies far away."""
    if not len(vertices) or np.abs(vertices).max() < _FAR:
        return np.zeros(3)
    return np.asarray((vertices.min(axis=0) + vertices.max(axis=0)) / 2.0)


def _box_mean(rgb: NDArray[np.uint8], factor: int) -> NDArray[np.uint8]:
    height, width, _ = rgb.shape
    cells = rgb.reshape(height // factor, factor, width // factor, factor, 3).astype(np.uint32)
    total = cells.sum(axis=(1, 3))
    return np.asarray((total + factor * factor // 2) // (factor * factor), dtype=np.uint8)
