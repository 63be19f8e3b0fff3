"""Habitat's ``.navmesh`` files: a header, in version 2 the settings of the bake, and one Detour tile."""

from __future__ import annotations

import struct
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from vlnscope.core.exceptions import InputError
from vlnscope.core.files import read_bytes, write_whole
from vlnscope.worlds.continuous.navmesh.checks import check_tile, damaged
from vlnscope.worlds.continuous.navmesh.settings import NavMeshSettings
from vlnscope.worlds.continuous.navmesh.tile import BV_NODE, DETAIL, HEADER, LINK, POLY, Tile

FILE_MAGIC = 0x4D534554
"""``MSET``, as a number."""
LARGEST_MB = 256
"""How large a file may be; a large building has a few hundred kilobytes."""
_FILE_HEADER = struct.Struct("<3i5f2i")
_SETTINGS = struct.Struct("<13f4B")
_TILE_HEADER = struct.Struct("<Ii")
_PARTS = ("vert", "poly", "max_link", "detail_mesh", "detail_vert", "detail_tri", "bv_node", "off_mesh_con")
_OFF_MESH_BYTES = 36
_MOST_TILES, _MOST_POLYS, _FEWEST_SALT_BITS = 1 << 14, 1 << 20, 10
_VERTEX, _TRIANGLE = np.dtype(("<f4", 3)), np.dtype(("u1", 4))


@dataclass(frozen=True, eq=False)
class NavMeshFile:
    """What a ``.navmesh`` file holds.

    Attributes:
        tile: the mesh.
        settings: how it was baked; None in a file of version 1, which does not say.
        version: of the format, 1 or 2.
        origin: the corner where tiles are counted from.
        tile_size: extent of a tile along x and z.
        max_tiles: how many tiles there is room for.
        max_polys: how many polygons a tile has room for.
        tile_ref: Detour's reference of the tile.
    """

    tile: Tile
    settings: NavMeshSettings | None
    version: int
    origin: tuple[float, float, float]
    tile_size: tuple[float, float]
    max_tiles: int
    max_polys: int
    tile_ref: int

    @classmethod
    def of(cls, tile: Tile, settings: NavMeshSettings) -> NavMeshFile:
        """Wrap a baked tile as Habitat does: the only one, as large as the mesh.

        Raises:
            InputError: an index, a count or a coordinate of the tile cannot be.
        """
        check_tile("the baked mesh", tile)
        low, high = tile.header["bmin"], tile.header["bmax"]
        polys = int(tile.header["poly_count"])
        return cls(
            tile=tile,
            settings=settings,
            version=2,
            origin=(float(low[0]), float(low[1]), float(low[2])),
            tile_size=(float(high[0] - low[0]), float(high[2] - low[2])),
            max_tiles=1,
            max_polys=polys,
            tile_ref=1 << _bits(polys),
        )

    def to_bytes(self) -> bytes:
        """Return the content of the file; what was read comes out byte for byte."""
        head = (FILE_MAGIC, self.version, 1, *self.origin, *self.tile_size, self.max_tiles, self.max_polys)
        tile = _tile_bytes(self.tile)
        parts = [_FILE_HEADER.pack(*head)]
        if self.version > 1:
            parts.append(_settings_bytes(self.settings or NavMeshSettings()))
        return b"".join([*parts, _TILE_HEADER.pack(self.tile_ref, len(tile)), tile])

    def write(self, path: str | Path) -> None:
        """Write the file, whole or not at all."""
        with write_whole(path) as stream:
            stream.write(self.to_bytes())


def read_navmesh(path: str | Path) -> NavMeshFile:
    """Read a ``.navmesh`` file of Habitat and check all that it says.

    Raises:
        InputError: it is no such file, it is damaged or cut off, it has more than one tile, off-mesh
            connections or 64-bit references.
    """
    return parse_navmesh(read_bytes(path, LARGEST_MB), str(path))


def parse_navmesh(content: bytes, name: str = "the navigation mesh") -> NavMeshFile:
    """Read the content of a ``.navmesh`` file; `name` is what errors call it."""
    if len(content) < _FILE_HEADER.size:
        raise damaged(name, f"has {len(content)} bytes, too few for a header")
    magic, version, tiles, *numbers, max_tiles, max_polys = _FILE_HEADER.unpack_from(content)
    _check_kind(name, magic, version, tiles)
    settings, at = None, _FILE_HEADER.size
    if version > 1:
        settings, at = _settings(name, content, at), at + _SETTINGS.size
    if len(content) < at + _TILE_HEADER.size:
        raise damaged(name, "ends before its tile")
    tile_ref, size = _TILE_HEADER.unpack_from(content, at)
    at += _TILE_HEADER.size
    if size != len(content) - at:
        raise damaged(name, f"says that its tile has {size} bytes, but {len(content) - at} follow")
    _check_places(name, numbers, max_tiles, max_polys, tile_ref)
    tile = _tile(name, content[at:])
    check_tile(name, tile)
    if len(tile.polys) > 1 << _bits(max_polys):
        raise damaged(name, f"has {len(tile.polys)} polygons, and room for {max_polys}")
    return NavMeshFile(
        tile=tile,
        settings=settings,
        version=version,
        origin=(numbers[0], numbers[1], numbers[2]),
        tile_size=(numbers[3], numbers[4]),
        max_tiles=max_tiles,
        max_polys=max_polys,
        tile_ref=tile_ref,
    )


def _check_kind(name: str, magic: int, version: int, tiles: int) -> None:
    if magic != FILE_MAGIC:
        raise InputError(
            f"{name}: is no navigation mesh of Habitat (it does not begin with TESM)",
            expected="a .navmesh file that Habitat wrote",
            fix="check the path; navigation meshes of other programs must be baked again",
        )
    if version not in (1, 2):
        raise InputError(
            f"{name}: has version {version} of the format",
            expected="version 1 or 2",
            fix="write it again with a release of Habitat up to 0.3, or bake the mesh here",
        )
    if tiles != 1:
        raise InputError(
            f"{name}: has {tiles} tiles",
            expected="a mesh of one tile, as Habitat bakes it",
            fix="bake the scene again as one tile",
        )


def _check_places(name: str, numbers: list[float], max_tiles: int, max_polys: int, tile_ref: int) -> None:
    if not all(np.isfinite(numbers)) or min(numbers[3:]) <= 0:
        raise damaged(name, "has a tile without a place or a size")
    if not (1 <= max_tiles <= _MOST_TILES and 1 <= max_polys <= _MOST_POLYS):
        raise damaged(name, f"has room for {max_tiles} tiles of {max_polys} polygons")
    tile_bits, poly_bits = _bits(max_tiles), _bits(max_polys)
    if 32 - tile_bits - poly_bits < _FEWEST_SALT_BITS:
        raise damaged(name, f"has room for {max_tiles} tiles of {max_polys} polygons, too many to refer to")
    if not tile_ref or (tile_ref >> poly_bits) & ((1 << tile_bits) - 1) >= max_tiles:
        raise damaged(name, f"has a tile with the reference {tile_ref}, for which there is no room")


def _bits(count: int) -> int:
    """Bits that numbers below `count` need."""
    return max(count - 1, 0).bit_length()


def _settings(name: str, content: bytes, at: int) -> NavMeshSettings:
    if len(content) < at + _SETTINGS.size:
        raise damaged(name, "ends within its settings")
    values = _SETTINGS.unpack_from(content, at)
    if not all(np.isfinite(values)) or max(values[13:]) > 1:
        raise damaged(name, "has settings that are no numbers, or switches neither on nor off")
    fields = NavMeshSettings.__struct_fields__
    return NavMeshSettings(**dict(zip(fields, (*values[:13], *map(bool, values[13:])), strict=True)))


def _settings_bytes(settings: NavMeshSettings) -> bytes:
    return _SETTINGS.pack(*(getattr(settings, field) for field in settings.__struct_fields__))


def _tile(name: str, data: bytes) -> Tile:
    if len(data) < HEADER.itemsize:
        raise damaged(name, f"has a tile of {len(data)} bytes, too few for a header")
    header = np.frombuffer(data, HEADER, 1)[0]
    counts = {part: int(header[f"{part}_count"]) for part in _PARTS}
    if min(counts.values()) < 0:
        raise damaged(name, f"counts {counts}")
    kinds = (_VERTEX, POLY, LINK, DETAIL, _VERTEX, _TRIANGLE, BV_NODE, np.dtype(("V", _OFF_MESH_BYTES)))
    sizes = [kind.itemsize * count for kind, count in zip(kinds, counts.values(), strict=True)]
    if sum(sizes) + HEADER.itemsize != len(data):
        raise damaged(name, f"has a tile of {len(data)} bytes, but counts {counts}, or 64-bit references")
    arrays: list[NDArray[Any]] = []
    at = HEADER.itemsize
    for kind, count, size in zip(kinds, counts.values(), sizes, strict=True):
        arrays.append(np.frombuffer(data, kind, count, at) if count else np.empty(0, kind))
        at += size
    verts, polys, links, details, detail_verts, detail_tris, bv_tree, off_mesh = arrays
    return Tile(
        header=header,
        verts=verts.reshape(-1, 3),
        polys=polys,
        links=links,
        details=details,
        detail_verts=detail_verts.reshape(-1, 3),
        detail_tris=detail_tris.reshape(-1, 4),
        bv_tree=bv_tree,
        off_mesh=off_mesh.tobytes(),
    )


def _tile_bytes(tile: Tile) -> bytes:
    arrays = (
        np.asarray(tile.header, HEADER), np.asarray(tile.verts, "<f4"), np.asarray(tile.polys, POLY),
        np.asarray(tile.links, LINK), np.asarray(tile.details, DETAIL), np.asarray(tile.detail_verts, "<f4"),
        np.asarray(tile.detail_tris, "u1"), np.asarray(tile.bv_tree, BV_NODE),
    )  # fmt: skip
    return b"".join(array.tobytes() for array in arrays) + tile.off_mesh
