"""Checks GLB files against the rules of glTF 2.0, without the readers of vlnscope."""

from __future__ import annotations

import json
import struct
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

KINDS = {5121: "<u1", 5123: "<u2", 5125: "<u4", 5126: "<f4"}
WIDTHS = {"SCALAR": 1, "VEC2": 2, "VEC3": 3, "VEC4": 4}
ARRAY, ELEMENTS = 34962, 34963


class Primitive(NamedTuple):
    """Triangles of a file, in its own frame: there may be no transformed node."""

    node: str
    points: NDArray[Any]
    faces: NDArray[Any]
    attributes: dict[str, NDArray[Any]]


def valid_glb(path: Path) -> list[Primitive]:
    """Return all triangles of a file, having checked that everything in it is where it must be."""
    raw = path.read_bytes()
    magic, version, length = struct.unpack_from("<4sII", raw)
    assert (magic, version, length) == (b"glTF", 2, len(raw))
    size, kind = struct.unpack_from("<I4s", raw, 12)
    assert kind == b"JSON"
    assert size % 4 == 0
    header = json.loads(raw[20 : 20 + size])
    binary_size, kind = struct.unpack_from("<I4s", raw, 20 + size)
    assert kind == b"BIN\0"
    assert len(raw) == 28 + size + binary_size
    binary = raw[28 + size :]
    assert header["asset"]["version"] == "2.0"
    (buffer,) = header["buffers"]
    assert 0 <= binary_size - buffer["byteLength"] < 4
    for view in header["bufferViews"]:
        assert view["byteOffset"] % 4 == 0
        assert 0 < view["byteLength"] <= buffer["byteLength"] - view["byteOffset"]
    _check_materials(header, binary)
    roots = header["scenes"][header["scene"]]["nodes"]
    assert sorted(roots) == list(range(len(header["nodes"])))
    return [
        _primitive(header, binary, node, primitive)
        for node in header["nodes"]
        for primitive in header["meshes"][node["mesh"]]["primitives"]
    ]


def _check_materials(header: dict[str, Any], binary: bytes) -> None:
    for material in header["materials"]:
        assert set(material["extensions"]) <= set(header["extensionsUsed"])
        if "baseColorTexture" in material["pbrMetallicRoughness"]:
            texture = header["textures"][material["pbrMetallicRoughness"]["baseColorTexture"]["index"]]
            assert 0 <= texture["sampler"] < len(header["samplers"])
            image = header["images"][texture["source"]]
            view = header["bufferViews"][image["bufferView"]]
            assert "target" not in view
            assert image["mimeType"] == "image/png"
            assert binary[view["byteOffset"] :].startswith(b"\x89PNG")


def _primitive(
    header: dict[str, Any], binary: bytes, node: dict[str, Any], primitive: dict[str, Any]
) -> Primitive:
    assert set(node) == {"name", "mesh"}  # no transform
    assert 0 <= primitive["material"] < len(header["materials"])
    attributes = {
        name: _array(header, binary, number, ARRAY) for name, number in primitive["attributes"].items()
    }
    points = attributes["POSITION"]
    entry = header["accessors"][primitive["attributes"]["POSITION"]]
    assert np.array_equal(points.min(axis=0), np.float32(entry["min"]))
    assert np.array_equal(points.max(axis=0), np.float32(entry["max"]))
    assert {len(rows) for rows in attributes.values()} == {len(points)}
    faces = _array(header, binary, primitive["indices"], ELEMENTS).reshape(-1, 3)
    assert faces.max() < len(points)
    assert np.array_equal(np.unique(faces), np.arange(len(points)))
    return Primitive(node["name"], points, faces, attributes)


def _array(header: dict[str, Any], binary: bytes, number: int, target: int) -> NDArray[Any]:
    entry = header["accessors"][number]
    view = header["bufferViews"][entry["bufferView"]]
    kind, width = np.dtype(KINDS[entry["componentType"]]), WIDTHS[entry["type"]]
    assert view["target"] == target
    assert entry["count"] * width * kind.itemsize == view["byteLength"]
    rows = np.frombuffer(binary, kind, entry["count"] * width, view["byteOffset"]).reshape(-1, width)
    assert np.isfinite(rows).all()
    return rows
