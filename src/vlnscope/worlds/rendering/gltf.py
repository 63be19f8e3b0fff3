"""Reads glTF files of other programs: nodes, triangles, texture images and vertex colours.

What has no place here is left out (cameras, skins, animation, transparency, all textures but that of the base
colour); what would change the shape or colours and cannot be read is refused.
"""

from __future__ import annotations

import base64
import math
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any, NamedTuple
from urllib.parse import unquote

import numpy as np
from numpy.typing import NDArray

from vlnscope.core.exceptions import InputError
from vlnscope.core.files import read_bytes
from vlnscope.core.limits import STREAM_MB
from vlnscope.types import Floats
from vlnscope.worlds.rendering.appearance import CLAMP, MIRROR, REPEAT, TextureImage
from vlnscope.worlds.rendering.light.screen import to_linear, to_screen
from vlnscope.worlds.rendering.texture_images import ImageReader

_KINDS = {5120: "<i1", 5121: "<u1", 5122: "<i2", 5123: "<u2", 5125: "<u4", 5126: "<f4"}
_WIDTHS = {"SCALAR": 1, "VEC2": 2, "VEC3": 3, "VEC4": 4}
_WRAPS = {10497: REPEAT, 33071: CLAMP, 33648: MIRROR}
_TRIANGLES, _STRIP, _FAN = 4, 5, 6
_WHITE = (1.0, 1.0, 1.0)
_UNMEANT = (0.4, 0.4, 0.4)
"""trimesh writes this, its default, beside every texture that was given no colour."""
_REFUSED = ("KHR_draco_mesh_compression", "EXT_meshopt_compression", "KHR_texture_basisu")


class Shape(NamedTuple):
    """Triangles of one material.

    Attributes:
        name: of the node that they belong to.
        points: x, y, z per vertex, y up.
        faces: three vertex numbers per triangle.
        texture: the image on them, if any.
        uv: place of each vertex in the image, if there is one.
        colours: red, green, blue per vertex as screens show them (0-1); one row if all are alike. An image
            has its own factor in it already.
        painted: whether each vertex has a colour of its own.
    """

    name: str
    points: Floats
    faces: NDArray[np.int32]
    texture: TextureImage | None
    uv: Floats | None
    colours: Floats
    painted: bool


def gltf_shapes(path: Path, header: Mapping[str, Any], data: bytes) -> list[Shape]:
    """Return the triangles of an opened file, in the order of its nodes.

    Args:
        path: the file; other files that it names are looked for beside it.
        header: its JSON.
        data: its binary part; empty if it has none.

    Raises:
        InputError: the file contradicts itself, is cut off, or is compressed in a way that cannot be read.
    """
    try:
        refused = sorted({*_REFUSED} & {*header.get("extensionsRequired", ())})
        if refused:
            raise _compressed(path, ", ".join(refused))
        return list(_Reader(path, header, data).shapes())
    except (KeyError, IndexError, TypeError, ValueError, AttributeError, OverflowError) as error:
        raise InputError(
            f"{path}: cannot be read as glTF ({type(error).__name__}: {error})",
            expected="a complete file of glTF 2.0",
            fix="export or copy the file again",
        ) from None


def _compressed(path: Path, how: str) -> InputError:
    return InputError(
        f"{path}: is compressed with {how}",
        expected="plain buffers, and textures as PNG, JPEG or WebP",
        fix="take the uncompressed file (of HM3D: NAME.glb instead of NAME.basis.glb), or convert it",
    )


class _Reader:
    """The parts of one file, found by number."""

    def __init__(self, path: Path, header: Mapping[str, Any], data: bytes) -> None:
        self.path = path
        self.header = header
        self.data = data
        generator = str(header.get("asset", {}).get("generator", ""))
        self.linear = "trimesh" not in generator  # trimesh writes screen colours into linear fields
        self.images = ImageReader(path)
        self.buffers: dict[int, bytes] = {}
        self.pixels: dict[tuple[int, tuple[float, ...]], NDArray[np.uint8]] = {}
        self.textures: dict[tuple[object, ...], TextureImage] = {}

    def shapes(self) -> Iterator[Shape]:
        for number, matrix in self._placed_nodes():
            node = self.header["nodes"][number]
            if "mesh" not in node:
                continue
            mesh = self.header["meshes"][node["mesh"]]
            name = str(node.get("name") or mesh.get("name") or f"node-{number}")
            for primitive in mesh["primitives"]:
                if primitive.get("mode", _TRIANGLES) in (_TRIANGLES, _STRIP, _FAN):
                    yield self._shape(name, primitive, matrix)

    def _placed_nodes(self) -> Iterator[tuple[int, Floats]]:
        """Go through the nodes of the scene, each with the matrix that puts it in its place."""
        nodes = self.header.get("nodes", [])
        scenes = self.header.get("scenes", [])
        if scenes:
            roots = scenes[self.header.get("scene", 0)].get("nodes", [])
        else:
            roots = sorted(
                {*range(len(nodes))} - {child for node in nodes for child in node.get("children", ())}
            )
        waiting, met = [(root, np.eye(4)) for root in reversed(roots)], set()
        while waiting:
            number, above = waiting.pop()
            if number in met:
                raise ValueError(f"node {number} is in two places")
            met.add(number)
            matrix = above @ _matrix(nodes[number])
            yield number, matrix
            waiting += [(child, matrix) for child in reversed(nodes[number].get("children", ()))]

    def _shape(self, name: str, primitive: Mapping[str, Any], matrix: Floats) -> Shape:
        attributes = primitive["attributes"]
        points = self._array(attributes["POSITION"], 3) @ matrix[:3, :3].T + matrix[:3, 3]
        if "indices" in primitive:
            order = self._raw_array(primitive["indices"], 1)[:, 0].astype(np.int64)
        else:
            order = np.arange(len(points))
        wrong = order[(order < 0) | (order >= len(points))]
        if len(wrong):
            raise ValueError(f"{name} has {len(points)} vertices, and a face with vertex {wrong[0]}")
        faces = _triangles(order, primitive.get("mode", _TRIANGLES))
        if np.linalg.det(matrix[:3, :3]) < 0.0:  # mirrored, which turns faces around
            faces = faces[:, ::-1].copy()
        if not np.isfinite(points[faces]).all():
            raise ValueError(f"{name} has a vertex that is not finite")
        surface = _surface(self._entry("materials", primitive["material"]) if "material" in primitive else {})
        if not self.linear and surface.texture is not None and surface.factor == _UNMEANT:
            surface = surface._replace(factor=_WHITE)
        factor = np.asarray(surface.factor, dtype=np.float64)
        texture, uv = self._texture(surface, attributes)
        light = np.ones((1, 3)) if texture is not None else factor[None]
        if painted := "COLOR_0" in attributes:
            light = light * self._array(attributes["COLOR_0"])[:, :3]
        counts = {len(points), *([len(light)] if painted else []), *([len(uv)] if uv is not None else [])}
        if len(counts) > 1:
            raise ValueError(
                f"{name} has {len(points)} vertices, and not as many colours or places in images"
            )
        return Shape(name, points, faces, texture, uv, to_screen(light) if self.linear else light, painted)

    def _texture(
        self, surface: _Surface, attributes: Mapping[str, int]
    ) -> tuple[TextureImage | None, Floats | None]:
        info = surface.texture
        if info is None:
            return None, None
        moved = info.get("extensions", {}).get("KHR_texture_transform", {})
        corner = attributes.get(f"TEXCOORD_{moved.get('texCoord', info.get('texCoord', 0))}")
        if corner is None:
            return None, None
        uv = np.nan_to_num(_moved(self._array(corner, 2), moved), posinf=0.0, neginf=0.0)
        entry = self._entry("textures", info["index"])
        source = entry.get("extensions", {}).get("EXT_texture_webp", entry).get("source", entry.get("source"))
        if source is None:
            raise _compressed(self.path, ", ".join(entry.get("extensions", {"an unknown extension": None})))
        sampler = self._entry("samplers", entry["sampler"]) if "sampler" in entry else {}
        wrap = tuple(_WRAPS[sampler.get(side, 10497)] for side in ("wrapS", "wrapT"))
        key = (source, surface.factor, wrap)
        if key not in self.textures:
            self.textures[key] = TextureImage(self._pixels(source, surface.factor), (wrap[0], wrap[1]))
        return self.textures[key], uv

    def _pixels(self, source: int, factor: tuple[float, ...]) -> NDArray[np.uint8]:
        if (source, _WHITE) not in self.pixels:
            self.pixels[source, _WHITE] = self._image(source)
        if (source, factor) not in self.pixels:
            shades = np.arange(256)[:, None] / 255.0
            light = (to_linear(shades) if self.linear else shades) * np.asarray(factor)
            table = np.rint(np.clip(to_screen(light) if self.linear else light, 0.0, 1.0) * 255.0)
            pixels = self.pixels[source, _WHITE]
            self.pixels[source, factor] = table.astype(np.uint8)[pixels, np.arange(3)]
        return self.pixels[source, factor]

    def _image(self, source: int) -> NDArray[np.uint8]:
        entry = self._entry("images", source)
        name = repr(entry.get("name") or entry.get("uri", "")[:60] or f"number {source}")
        raw = self._view(entry["bufferView"])[0] if "bufferView" in entry else self._named_file(entry["uri"])
        return self.images.read(bytes(raw), name)

    def _array(self, number: int, width: int | None = None) -> Floats:
        """Return the rows of an accessor as numbers, whole ones as fractions if it says so."""
        entry, rows = self._entry("accessors", number), self._raw_array(number, width)
        if not entry.get("normalized", False):
            return rows.astype(np.float64)
        return np.maximum(rows / np.iinfo(rows.dtype).max, -1.0)

    def _raw_array(self, number: int, width: int | None = None) -> NDArray[Any]:
        entry = self._entry("accessors", number)
        columns, kind = _WIDTHS[entry["type"]], np.dtype(_KINDS[entry["componentType"]])
        if "sparse" in entry or "bufferView" not in entry or (width or columns) != columns:
            raise ValueError(f"accessor {number} is sparse, has no buffer, or is {entry['type']}")
        view, stride = self._view(entry["bufferView"])
        step = stride or columns * kind.itemsize
        start, count = int(entry.get("byteOffset", 0)), int(entry["count"])
        if not (count >= 0 and start >= 0 and step >= columns * kind.itemsize):
            raise ValueError(f"accessor {number} has impossible sizes")
        return np.ndarray((count, columns), kind, view, start, (step, kind.itemsize))

    def _view(self, number: int) -> tuple[memoryview, int]:
        entry = self._entry("bufferViews", number)
        start, length = int(entry.get("byteOffset", 0)), int(entry["byteLength"])
        whole = memoryview(self._buffer(entry["buffer"]))
        if not 0 <= start <= start + length <= len(whole):
            raise ValueError(f"buffer view {number} is not inside its buffer")
        return whole[start : start + length], int(entry.get("byteStride", 0))

    def _buffer(self, number: int) -> bytes:
        if number not in self.buffers:
            uri = self._entry("buffers", number).get("uri")
            self.buffers[number] = self.data if uri is None else self._named_file(uri)
        return self.buffers[number]

    def _named_file(self, uri: str) -> bytes:
        if uri.startswith("data:"):
            return base64.b64decode(uri.partition(",")[2])
        if "://" in uri or Path(unquote(uri)).is_absolute():
            raise ValueError(f"{uri[:60]} is not a file beside it")
        return read_bytes(self.path.parent / unquote(uri), STREAM_MB)

    def _entry(self, table: str, number: int) -> Mapping[str, Any]:
        if number < 0:
            raise ValueError(f"{table} are counted from 0, and {number} is asked for")
        entry: Mapping[str, Any] = self.header[table][number]
        return entry


class _Surface(NamedTuple):
    factor: tuple[float, ...]
    texture: Mapping[str, Any] | None


def _surface(material: Mapping[str, Any]) -> _Surface:
    glossy = material.get("extensions", {}).get("KHR_materials_pbrSpecularGlossiness")
    if glossy is not None:
        factor, texture = glossy.get("diffuseFactor"), glossy.get("diffuseTexture")
    else:
        rough = material.get("pbrMetallicRoughness", {})
        factor, texture = rough.get("baseColorFactor"), rough.get("baseColorTexture")
    shades = [float(shade) for shade in factor or (1.0, 1.0, 1.0)]
    if len(shades) < 3 or not all(math.isfinite(shade) and shade >= 0.0 for shade in shades):
        raise ValueError(f"a material has the colour {factor}")
    return _Surface(tuple(shades[:3]), texture)


def _matrix(node: Mapping[str, Any]) -> Floats:
    if "matrix" in node:
        return np.array(node["matrix"], dtype=np.float64).reshape(4, 4).T
    x, y, z, w = node.get("rotation", (0.0, 0.0, 0.0, 1.0))
    turn = np.array(
        [
            [1 - 2 * (y * y + z * z), 2 * (x * y - z * w), 2 * (x * z + y * w)],
            [2 * (x * y + z * w), 1 - 2 * (x * x + z * z), 2 * (y * z - x * w)],
            [2 * (x * z - y * w), 2 * (y * z + x * w), 1 - 2 * (x * x + y * y)],
        ]
    )
    matrix = np.eye(4)
    matrix[:3, :3] = turn * np.asarray(node.get("scale", (1.0, 1.0, 1.0)), dtype=np.float64)
    matrix[:3, 3] = node.get("translation", (0.0, 0.0, 0.0))
    return matrix


def _triangles(order: NDArray[np.int64], mode: int) -> NDArray[np.int32]:
    if mode == _TRIANGLES:
        faces = order[: len(order) // 3 * 3].reshape(-1, 3)
    elif mode == _STRIP:
        faces = np.stack([order[:-2], order[1:-1], order[2:]], axis=-1)
        faces[1::2] = faces[1::2, [1, 0, 2]]
    else:
        faces = np.stack([np.full(max(len(order) - 2, 0), order[0]), order[1:-1], order[2:]], axis=-1)
    return faces.astype(np.int32)


def _moved(uv: Floats, transform: Mapping[str, Any]) -> Floats:
    """Apply KHR_texture_transform: scale, then turn, then shift."""
    angle = float(transform.get("rotation", 0.0))
    turn = np.array([[math.cos(angle), math.sin(angle)], [-math.sin(angle), math.cos(angle)]])
    scaled = uv * np.asarray(transform.get("scale", (1.0, 1.0)), dtype=np.float64)
    return np.asarray(scaled @ turn.T + np.array(transform.get("offset", (0.0, 0.0)), dtype=np.float64))
