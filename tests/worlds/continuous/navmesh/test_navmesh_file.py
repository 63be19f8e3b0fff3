"""Files of Habitat come out of reader and writer as they went in; damaged ones are refused."""

from __future__ import annotations

import struct
from dataclasses import replace
from pathlib import Path
from typing import Any

import msgspec
import numpy as np
import pytest

from ground_tiles import ground
from vlnscope.core.exceptions import InputError
from vlnscope.worlds.continuous.navmesh.file import NavMeshFile, parse_navmesh, read_navmesh
from vlnscope.worlds.continuous.navmesh.navmesh import NavMesh
from vlnscope.worlds.continuous.navmesh.settings import NavMeshSettings
from vlnscope.worlds.continuous.navmesh.tile import HEADER

TILE_AT = 40 + 56 + 8
FILES = [
    "hssd_102817140", "hssd_102817140_version1", "hssd_108736851_177263586", "house-00012", "house-40003",
]  # fmt: skip


@pytest.fixture
def square() -> NavMeshFile:
    return ground(np.ones((3, 4), bool))


def changed(file: NavMeshFile, array: str, field: str, value: Any, row: int = 0) -> NavMeshFile:
    """The file with one entry of one of its arrays replaced."""
    rows = getattr(file.tile, array).copy()
    rows[field][row] = value
    return replace(file, tile=replace(file.tile, **{array: rows}))


def with_header(file: NavMeshFile, field: str, value: Any) -> NavMeshFile:
    header = np.array(file.tile.header)
    header[field] = value
    return replace(file, tile=replace(file.tile, header=header[()]))


@pytest.mark.parametrize("name", FILES)
def test_round_trip_is_byte_for_byte(shared: Path, tmp_path: Path, name: str) -> None:
    path = shared / "data" / "habitat_navmesh" / f"{name}.navmesh"
    file = read_navmesh(path)
    assert file.to_bytes() == path.read_bytes()
    file.write(tmp_path / "again.navmesh")
    assert (tmp_path / "again.navmesh").read_bytes() == path.read_bytes()


def test_version_1_says_no_settings(shared: Path) -> None:
    folder = shared / "data" / "habitat_navmesh"
    first = read_navmesh(folder / "hssd_102817140_version1.navmesh")
    second = read_navmesh(folder / "hssd_102817140.navmesh")
    assert (first.version, first.settings) == (1, None)
    assert second.settings is not None
    assert second.settings.agent_radius == pytest.approx(0.3)
    assert second.settings.include_static_objects
    assert NavMesh(first).settings == NavMeshSettings()


def test_wraps_a_baked_tile_as_habitat_does(shared: Path) -> None:
    file = read_navmesh(shared / "data" / "habitat_navmesh" / "house-40003.navmesh")
    assert file.settings is not None
    assert NavMeshFile.of(file.tile, file.settings).to_bytes() == file.to_bytes()


def test_keeps_made_up_meshes(square: NavMeshFile) -> None:
    again = parse_navmesh(square.to_bytes())
    assert again.to_bytes() == square.to_bytes()
    assert again.settings is not None
    assert msgspec.structs.astuple(again.settings) == pytest.approx(
        msgspec.structs.astuple(NavMeshSettings())
    )


@pytest.mark.parametrize("length", [0, 3, 39, 41, 95, 103, TILE_AT + 10, -1])
def test_cut_off(square: NavMeshFile, length: int) -> None:
    with pytest.raises(InputError, match="the mesh file"):
        parse_navmesh(square.to_bytes()[:length], "the mesh file")


def test_bytes_after_the_end(square: NavMeshFile) -> None:
    with pytest.raises(InputError, match="follow"):
        parse_navmesh(square.to_bytes() + b"\0")


@pytest.mark.parametrize(
    ("at", "value", "message"),
    [
        (0, 7, "does not begin"),
        (4, 3, "version 3"),
        (4, 0, "version 0"),
        (8, 2, "2 tiles"),
        (8, 0, "0 tiles"),
        (32, 0, "room for 0 tiles"),
        (36, 1 << 24, "room for 1 tiles"),
        (96, 0, "reference 0"),
        (TILE_AT, 1, "not of version 7"),
        (TILE_AT + 24, -1, "counts"),
        (TILE_AT + 24, 1 << 30, "counts"),
    ],
)
def test_numbers_of_the_headers(square: NavMeshFile, at: int, value: int, message: str) -> None:
    content = bytearray(square.to_bytes())
    content[at : at + 4] = struct.pack("<i", value)
    with pytest.raises(InputError, match=message):
        parse_navmesh(bytes(content))


@pytest.mark.parametrize(("at", "value"), [(40, np.nan), (92, 2.4e-38), (24, np.inf), (24, 0.0)])
def test_settings_and_sizes(square: NavMeshFile, at: int, value: float) -> None:
    content = bytearray(square.to_bytes())
    content[at : at + 4] = struct.pack("<f", value)
    with pytest.raises(InputError, match=r"settings|size"):
        parse_navmesh(bytes(content))


@pytest.mark.parametrize(
    ("array", "field", "value", "message"),
    [
        ("polys", "vert_count", 2, "corners"),
        ("polys", "vert_count", 7, "corners"),
        ("polys", "area_and_type", 0x40, "no ground"),
        ("polys", "verts", 60000, "corners that are not there"),
        ("polys", "neis", 13, "neighbours that are not there"),
        ("details", "tri_base", 23, "triangles that are not there"),
        ("details", "vert_count", 1, "vertices that are not there"),
        ("details", "tri_base", 0xFFFFFFFF, "triangles that are not there"),
        ("bv_tree", "i", 12, "leads nowhere"),
        ("bv_tree", "i", -25, "leads nowhere"),
        ("bv_tree", "i", -(2**31), "leads nowhere"),
    ],
)
def test_indices(square: NavMeshFile, array: str, field: str, value: int, message: str) -> None:
    with pytest.raises(InputError, match=message):
        parse_navmesh(changed(square, array, field, value).to_bytes())


def test_corners_of_triangles(square: NavMeshFile) -> None:
    triangles = square.tile.detail_tris.copy()
    triangles[5, 1] = 4
    damaged = replace(square, tile=replace(square.tile, detail_tris=triangles))
    with pytest.raises(InputError, match="triangles with corners"):
        parse_navmesh(damaged.to_bytes())


@pytest.mark.parametrize("value", [np.nan, np.inf, 1e7])
def test_coordinates(square: NavMeshFile, value: float) -> None:
    verts = square.tile.verts.copy()
    verts[2, 1] = value
    with pytest.raises(InputError, match="coordinates"):
        parse_navmesh(replace(square, tile=replace(square.tile, verts=verts)).to_bytes())


@pytest.mark.parametrize(
    ("field", "value", "message"),
    [
        ("bmin", 9.0, "bounds"),
        ("bmax", np.nan, "bounds"),
        ("walkable_climb", np.inf, "climb"),
        ("bv_quant_factor", np.nan, "step"),
        ("bv_quant_factor", 1e12, "step"),
        ("bv_quant_factor", -1.0, "step"),
    ],
)
def test_numbers_of_the_tile(square: NavMeshFile, field: str, value: float, message: str) -> None:
    with pytest.raises(InputError, match=message):
        parse_navmesh(with_header(square, field, value).to_bytes())


def test_more_inner_edges_than_links(square: NavMeshFile) -> None:
    few = replace(square.tile, links=square.tile.links[:3])
    short = with_header(replace(square, tile=few), "max_link_count", 3)
    with pytest.raises(InputError, match="room for 3 links"):
        parse_navmesh(short.to_bytes())


def test_off_mesh_connections(square: NavMeshFile) -> None:
    joined = with_header(square, "off_mesh_con_count", 1)
    joined = replace(joined, tile=replace(joined.tile, off_mesh=bytes(36)))
    with pytest.raises(InputError, match="off-mesh"):
        parse_navmesh(joined.to_bytes())


def test_a_bake_is_checked_too(square: NavMeshFile) -> None:
    polys = square.tile.polys.copy()
    polys["neis"][0, 0] = 400
    with pytest.raises(InputError, match="neighbours"):
        NavMesh.of(replace(square.tile, polys=polys), NavMeshSettings())
    header = np.zeros((), HEADER)
    header[()] = square.tile.header
    header["vert_count"] = 3
    with pytest.raises(InputError, match="do not agree"):
        NavMesh.of(replace(square.tile, header=header[()]), NavMeshSettings())


def test_what_is_no_file(tmp_path: Path) -> None:
    with pytest.raises(InputError):
        read_navmesh(tmp_path)
    (tmp_path / "text.navmesh").write_text("nothing of the kind, but long enough for a header")
    with pytest.raises(InputError, match="no navigation mesh of Habitat"):
        read_navmesh(tmp_path / "text.navmesh")
