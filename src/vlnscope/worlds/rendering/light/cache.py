"""Baked light on disk: one small file per mesh, sky and quality, made anew when it is damaged."""

from __future__ import annotations

from contextlib import suppress
from dataclasses import astuple
from pathlib import Path

import numpy as np

from vlnscope.core import files
from vlnscope.core.array_file import read_arrays
from vlnscope.core.exceptions import InputError
from vlnscope.core.waiting import waiting_line
from vlnscope.types import Floats
from vlnscope.worlds.rendering.light.bake import (
    RAYS,
    VERSION,
    BakedLight,
    PointLight,
    bake_points,
    baked,
)
from vlnscope.worlds.rendering.light.charts import light_atlas
from vlnscope.worlds.rendering.light.screen import bytes_to_linear
from vlnscope.worlds.rendering.light.sky import Sky
from vlnscope.worlds.rendering.mesh import Mesh


def cached_light(
    mesh: Mesh,
    sky: Sky,
    lamps_on: bool,
    *,
    albedo: Floats | None = None,
    rays: int = RAYS,
    seed: int = 0,
    cached: bool = True,
) -> BakedLight:
    """Return `bake_light` of the same arguments, from the cache if it was baked before.

    Several processes may bake the same light at once: files appear whole, and all write the same. A damaged
    file in the cache is made anew, and a cache that cannot be written to is done without.

    Args:
        mesh: as for `bake_light`.
        sky: as there.
        lamps_on: as there.
        albedo: as there.
        rays: as there.
        seed: as there.
        cached: whether to look into the cache and to keep the light there.
    """
    atlas = light_atlas(mesh)
    albedo = bytes_to_linear(mesh.colour) if albedo is None else albedo
    path = cache_path(mesh, sky, lamps_on, albedo, rays, seed)
    light = _read(path, len(atlas.points)) if cached else None
    if light is None:
        with waiting_line("baking light, which is kept" if cached else "baking light"):
            light = bake_points(mesh, atlas, sky, lamps_on, albedo=albedo, rays=rays, seed=seed)
        if cached:
            with suppress(InputError):
                _write(path, light)
    return baked(atlas, sky, lamps_on, light)


def cache_path(mesh: Mesh, sky: Sky, lamps_on: bool, albedo: Floats, rays: int, seed: int) -> Path:
    """Return where the light of a mesh lies in the cache, if it is there."""
    arrays = (mesh.vertices, mesh.faces, mesh.texture, mesh.semantic, mesh.instance, albedo)
    name = files.digest(
        repr((VERSION, astuple(sky), lamps_on, rays, seed)).encode(),
        *(np.ascontiguousarray(array).tobytes() for array in arrays),
    )
    return files.cache_dir() / "light" / f"{name}.npz"


def _write(path: Path, light: PointLight) -> None:
    with files.write_whole(path) as stream:
        np.savez_compressed(stream, light=light.light, usual=np.float64(light.usual))


def _read(path: Path, points: int) -> PointLight | None:
    """Return what a cache file holds, or None if it is absent or is not what was once written."""
    if not path.is_file():
        return None
    with suppress(InputError):
        stored = read_arrays(path, "baked light", "arrays of light", "remove it")
        light, usual = stored.get("light"), stored.get("usual")
        if light is None or usual is None or light.dtype != np.float16 or light.shape != (points, 3):
            return None
        if usual.shape == () and np.isfinite(light).all() and np.isfinite(usual):
            return PointLight(light, float(usual))
    return None
