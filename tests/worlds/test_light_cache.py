"""Baked light on disk: kept, found again, told apart, and made anew when damaged."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from vlnscope.worlds.rendering.light import cache
from vlnscope.worlds.rendering.light.bake import RAYS, BakedLight, PointLight, bake_light
from vlnscope.worlds.rendering.light.cache import cache_path, cached_light
from vlnscope.worlds.rendering.light.screen import bytes_to_linear
from vlnscope.worlds.rendering.light.sky import sky_at
from vlnscope.worlds.rendering.mesh import Mesh

SKY = sky_at(10.0)


@pytest.fixture(autouse=True)
def _own_cache(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("VLNSCOPE_CACHE", str(tmp_path))


@pytest.fixture
def baking(monkeypatch: pytest.MonkeyPatch) -> list[int]:
    """Count how often light is really baked."""
    done: list[int] = []
    real = cache.bake_points

    def counted(*args: object, **more: object) -> PointLight:
        done.append(1)
        return real(*args, **more)  # type: ignore[arg-type]

    monkeypatch.setattr(cache, "bake_points", counted)
    return done


def step() -> Mesh:
    """Return a floor and a small slanted face above it."""
    vertices = np.array(
        [[0, 0, 0], [1, 0, 0], [1, 1, 0], [0, 1, 0], [0.4, 0.4, 0.2], [0.5, 0.4, 0.3], [0.4, 0.5, 0.3]]
    )
    faces = np.array([[0, 1, 2], [0, 2, 3], [4, 5, 6]], dtype=np.int32)
    labels = np.array([0, 0, 1], dtype=np.int32)
    colour = np.full((3, 3), 200, dtype=np.uint8)
    return Mesh(
        vertices.astype(float), faces, colour, np.zeros(3, np.uint8), labels, labels, ("a", "b"), ("a", "b")
    )


def same(one: BakedLight, other: BakedLight) -> bool:
    arrays = ("frames", "atlas", "sky")
    equal = all(np.array_equal(getattr(one, name), getattr(other, name)) for name in arrays)
    return equal and (one.exposure, one.lamps) == (other.exposure, other.lamps)


def path_of(mesh: Mesh) -> Path:
    return cache_path(mesh, SKY, False, bytes_to_linear(mesh.colour), RAYS, 0)


def test_light_is_baked_once_and_then_read(baking: list[int]) -> None:
    mesh = step()
    first, again = cached_light(mesh, SKY, False), cached_light(mesh, SKY, False)
    assert len(baking) == 1
    assert same(first, again)
    assert same(first, bake_light(mesh, SKY, False))
    assert path_of(mesh).is_file()


def test_without_the_cache_nothing_is_written(baking: list[int]) -> None:
    mesh = step()
    assert same(cached_light(mesh, SKY, False, cached=False), bake_light(mesh, SKY, False))
    assert not path_of(mesh).exists()
    assert len(baking) == 1


@pytest.mark.parametrize("damage", [b"", b"not light", None, "half"])
def test_damaged_files_are_baked_anew(damage: bytes | str | None, baking: list[int]) -> None:
    mesh = step()
    whole = cached_light(mesh, SKY, False)
    path = path_of(mesh)
    good = path.read_bytes()
    if damage is None:
        other = replace(mesh, faces=mesh.faces[:2], **_first_two(mesh))
        cached_light(other, SKY, False)
        baking.pop()
        path.write_bytes(path_of(other).read_bytes())
    else:
        path.write_bytes(good[: len(good) // 2] if isinstance(damage, str) else damage)
    assert same(cached_light(mesh, SKY, False), whole)
    assert len(baking) == 2
    assert same(cached_light(mesh, SKY, False), whole)
    assert len(baking) == 2


def _first_two(mesh: Mesh) -> dict[str, np.ndarray]:  # type: ignore[type-arg]
    names = ("colour", "texture", "semantic", "instance")
    return {name: getattr(mesh, name)[:2] for name in names}


def test_all_that_light_depends_on_is_told_apart() -> None:
    mesh = step()
    white = bytes_to_linear(mesh.colour)
    paths = {
        path_of(mesh),
        path_of(replace(mesh, vertices=mesh.vertices * 1.001)),
        path_of(replace(mesh, texture=np.array([0, 0, 13], dtype=np.uint8))),
        path_of(replace(mesh, colour=mesh.colour // 2)),
        cache_path(mesh, sky_at(11.0), False, white, RAYS, 0),
        cache_path(mesh, replace(SKY, seed=5), False, white, RAYS, 0),
        cache_path(mesh, SKY, True, white, RAYS, 0),
        cache_path(mesh, SKY, False, white * 0.5, RAYS, 0),
        cache_path(mesh, SKY, False, white, RAYS + 1, 0),
        cache_path(mesh, SKY, False, white, RAYS, 1),
    }
    assert len(paths) == 10
    assert path_of(step()) in paths


def test_a_cache_that_cannot_be_written_is_done_without(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    blocked = tmp_path / "file"
    blocked.write_text("in the way")
    monkeypatch.setenv("VLNSCOPE_CACHE", str(blocked))
    assert same(cached_light(step(), SKY, False), bake_light(step(), SKY, False))
