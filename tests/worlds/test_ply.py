"""Binary PLY files: what is said of faces comes back, and what is damaged is refused."""

from __future__ import annotations

import gzip
from pathlib import Path

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from ply_files import write_ply
from vlnscope.core.exceptions import InputError
from vlnscope.worlds.rendering.ply import read_ply

POINTS = [(0.0, 0.0, 0.0), (1.0, 0.0, 0.0), (0.0, 2.0, 0.0), (0.5, 0.5, 3.0)]
FACES = [(0, 1, 2), (1, 3, 2)]
LABELS = {"object_id": [7, -1], "category_id": [3, 4]}


@pytest.mark.parametrize("order", ["little", "big"])
@pytest.mark.parametrize("kind", ["int", "short"])
def test_points_faces_and_labels_come_back(tmp_path: Path, order: str, kind: str) -> None:
    path = write_ply(tmp_path / "a.ply", POINTS, FACES, LABELS, kind=kind, order=order)
    mesh = read_ply(path)
    assert mesh.points.tolist() == [list(point) for point in POINTS]
    assert mesh.faces.tolist() == [list(face) for face in FACES]
    assert {name: column.tolist() for name, column in mesh.labels.items()} == LABELS


def test_packed_files_and_labels_that_are_no_whole_numbers(tmp_path: Path) -> None:
    path = write_ply(tmp_path / "a.ply", POINTS, FACES, {"weight": [0.5, 0.25]}, kind="float")
    packed = tmp_path / "a.ply.gz"
    packed.write_bytes(gzip.compress(path.read_bytes()))
    assert read_ply(packed).faces.tolist() == read_ply(path).faces.tolist()
    assert read_ply(path).labels == {}


def test_what_is_no_mesh_of_triangles_is_refused(tmp_path: Path) -> None:
    good = write_ply(tmp_path / "good.ply", POINTS, FACES, LABELS).read_bytes()
    bad = {
        "no header": b"solid " + good[6:],
        "has no header": good.replace(b"end_header", b"end_headed"),
        "its format is ascii": good.replace(b"binary_little_endian", b"ascii"),
        "ends before the last face": good[:-1],
        "the size -2": good.replace(b"element face 2", b"element face -2"),
        "the size 99999999999": good.replace(b"element face 2", b"element face 99999999999"),
        "quaternion": good.replace(b"property int object_id", b"property quaternion object_id"),
        "'face'": good.replace(b"element face", b"element edge"),
        "no field of name vertex_index": good.replace(b"vertex_indices", b"vertex_numbers"),
    }
    for said, content in bad.items():
        path = tmp_path / "bad.ply"
        path.write_bytes(content)
        with pytest.raises(InputError, match=said) as caught:
            read_ply(path)
        assert str(path) in str(caught.value)


@pytest.mark.parametrize(
    ("points", "faces", "said"),
    [
        (POINTS, [(0, 1, 2, 3), (0, 1, 2)], "three corners"),
        (POINTS, [(0, 1, 4), (0, 1, 2)], "a face with another one"),
        (POINTS, [(0, 1, -1), (0, 1, 2)], "a face with another one"),
        ([*POINTS[:3], (0.0, float("nan"), 0.0)], FACES, "not finite"),
    ],
)
def test_faces_that_cannot_be(
    tmp_path: Path, points: list[tuple[float, ...]], faces: list[tuple[int, ...]], said: str
) -> None:
    with pytest.raises(InputError, match=said):
        read_ply(write_ply(tmp_path / "a.ply", points, faces, LABELS))


@given(st.floats(0, 1), st.binary(max_size=8), st.integers(0, 8))
@settings(suppress_health_check=[HealthCheck.function_scoped_fixture, HealthCheck.too_slow])
def test_mutated_files_give_a_mesh_or_an_error_for_users(
    tmp_path: Path, place: float, junk: bytes, cut: int
) -> None:
    content = write_ply(tmp_path / "a.ply", POINTS, FACES, LABELS).read_bytes()
    at = int(place * len(content))
    path = tmp_path / "b.ply"
    path.write_bytes(content[:at] + junk + content[at + cut :])
    try:
        mesh = read_ply(path)
    except InputError as error:
        said = str(error)
    else:
        said = f"{path} is fine"
        assert np.isfinite(mesh.points[mesh.faces]).all()
        assert all(len(column) == len(mesh.faces) for column in mesh.labels.values())
    assert str(path) in said
