"""Mutated files are refused or walked on; they never crash and never hang."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from ground_tiles import ground
from vlnscope.core.exceptions import InputError
from vlnscope.core.rng import rng_for
from vlnscope.worlds.continuous.navmesh.file import parse_navmesh
from vlnscope.worlds.continuous.navmesh.navmesh import NavMesh

ROUNDS = 400
_WORDS = [
    np.array(number, "<i4").tobytes() for number in (0, 1, -1, 2**31 - 1, -(2**31), 0x8000)
] + [np.array(number, "<f4").tobytes() for number in (np.nan, np.inf, 1e30, -9e5, 1e-30)]  # fmt: skip


def mutate(content: bytes, rng: np.random.Generator) -> bytes:
    """Change some bytes or words, most often one or two, now and then hundreds."""
    changed = bytearray(content)
    for _ in range(int(rng.choice([1, 2, 8, 60, 400]))):
        at = int(rng.integers(len(changed))) & ~3
        if rng.random() < 0.5:
            changed[at : at + 4] = _WORDS[rng.integers(len(_WORDS))]
        else:
            changed[at + int(rng.integers(4))] = int(rng.integers(256))
    return bytes(changed)


def ask_everything(mesh: NavMesh, rng: np.random.Generator) -> None:
    low, high = mesh.bounds
    points = rng.uniform(low - 2, high + 2, (12, 3))
    corners = mesh.file.tile.verts[rng.integers(0, len(mesh.file.tile.verts), 12)]
    snapped = mesh.snap(points)
    assert (np.isnan(snapped[:, 0]) == (mesh.islands(points) < 0)).all()
    assert (mesh.distance(points, corners) >= 0).all()
    assert len(mesh.path(points[0], corners[0])) <= 256
    for sliding in (True, False):
        assert np.isfinite(mesh.step(points, corners, sliding=sliding)).all()
    walls = mesh.wall_distance(corners)
    assert ((walls >= 0) & (walls <= 2) | np.isnan(walls)).all()


def walk_on_mutations(content: bytes, rng: np.random.Generator) -> None:
    walked = 0
    for _ in range(ROUNDS):
        try:
            mesh = NavMesh(parse_navmesh(mutate(content, rng)))
        except InputError:
            continue
        ask_everything(mesh, rng)
        walked += 1
    assert ROUNDS / 20 < walked < ROUNDS  # both happen


@pytest.mark.parametrize("seed", range(2))
def test_made_up_meshes(seed: int) -> None:
    rng = rng_for(seed, "mutations")
    cells = rng.random((8, 8)) < 0.8
    walk_on_mutations(ground(cells, heights=rng.normal(scale=0.2, size=(9, 9))).to_bytes(), rng)


def test_files_of_habitat(shared: Path) -> None:
    path = shared / "data" / "habitat_navmesh" / "hssd_108736851_177263586.navmesh"
    walk_on_mutations(path.read_bytes(), rng_for(0, "mutations"))


def test_cut_meshes() -> None:
    content = ground(np.ones((3, 3), bool)).to_bytes()
    for length in range(0, len(content), 7):
        with pytest.raises(InputError):
            parse_navmesh(content[:length])
