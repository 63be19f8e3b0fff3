"""Meshes as GLB files that keep every label.

glTF has y up and colours in linear light; meshes here have z up and colours as screens show them. Files
written here say so with a turned root node and linear vertex colours, so that other viewers agree.
"""

from __future__ import annotations

import json
import struct
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from vlnscope.core.exceptions import InputError
from vlnscope.core.files import read_bytes, write_whole
from vlnscope.core.limits import STREAM_MB
from vlnscope.worlds.rendering.glb_images import KeptImages, as_png, image_tables, printed_images
from vlnscope.worlds.rendering.light.screen import to_linear, to_screen
from vlnscope.worlds.rendering.mesh import TEXTURES, Mesh, join

_JSON, _BIN = 0x4E4F534A, 0x004E4942
FLOAT, USHORT, UINT = 5126, 5123, 5125
"""What glTF calls the kinds of numbers in a buffer."""
GENERATOR = "vlnscope"
"""What our files name as the program that wrote them."""
MAGIC = b"glTF"
_HALF = 0.7071067811865476


def to_glb(mesh: Mesh, path: str | Path) -> None:
    """Write a mesh as GLB: a node per object, a material per texture and image, a primitive per class in it.

    Equal meshes give equal bytes. `from_glb` restores everything but the order of faces and vertices, with
    positions in single precision. Images that are lit (`MeshAppearance`) are kept; colours of their own
    that other faces have are not (`to_painted_glb` writes those).
    """
    builder = GlbBuilder()
    image = printed_images(mesh)
    order = np.lexsort((image, mesh.texture, mesh.semantic, mesh.instance))
    keys = np.stack([mesh.instance, mesh.semantic, mesh.texture, image], axis=-1)[order]
    breaks = np.flatnonzero((np.diff(keys, axis=0) != 0).any(axis=1)) + 1
    meshes: dict[int, dict[str, Any]] = {}
    for part in np.split(order, breaks):
        if len(part):
            name = mesh.objects[int(mesh.instance[part[0]])]
            entry = meshes.setdefault(int(mesh.instance[part[0]]), {"name": name, "primitives": []})
            entry["primitives"].append(_primitive(builder, mesh, part, int(image[part[0]])))
    tables = _image_tables(builder, mesh, image)
    header: dict[str, Any] = {
        "asset": {
            "version": "2.0",
            "generator": GENERATOR,
            "extras": {"classes": list(mesh.classes), "objects": list(mesh.objects)},
        },
        "scene": 0,
        "scenes": [{"nodes": [0]}],
        "nodes": [
            {"name": "z-up", "rotation": [-_HALF, 0, 0, _HALF], "children": list(range(1, len(meshes) + 1))},
            *({"name": entry["name"], "mesh": i} for i, entry in enumerate(meshes.values())),
        ],
        "meshes": [{**entry, "extras": {"object": key}} for key, entry in meshes.items()],
        "materials": [_material(name) for name in TEXTURES],
        **tables,
        "accessors": builder.accessors,
        "bufferViews": builder.views,
        "buffers": [{"byteLength": len(builder.data)}],
    }
    header["materials"] += [_printed_material(k) for k in range(len(tables.get("textures", ())))]
    if not meshes:
        del header["meshes"], header["accessors"], header["bufferViews"], header["buffers"]
        header["nodes"] = [{"name": "z-up"}]
    with write_whole(path) as stream:
        stream.write(container(header, bytes(builder.data)))


def from_glb(path: str | Path) -> Mesh:
    """Read a GLB file that `to_glb` wrote.

    Raises:
        InputError: the file is no GLB file, or another program wrote it (`load_mesh` reads those).
    """
    header, data = opened(path, read_bytes(path, STREAM_MB))
    if header.get("asset", {}).get("generator") != GENERATOR:
        raise InputError(
            f"{path}: has no room and object labels, because vlnscope did not write it",
            expected="a GLB file of a vlnscope house",
            fix="load_mesh(path) reads its shape and colours",
        )
    return restored(path, header, data)


class GlbBuilder:
    """Collects arrays into one buffer.

    Attributes:
        data: the buffer.
        views: glTF's list of what lies where in it.
        accessors: glTF's list of what kind of numbers that is.
    """

    def __init__(self) -> None:
        self.data = bytearray()
        self.views: list[dict[str, Any]] = []
        self.accessors: list[dict[str, Any]] = []

    def add(self, array: NDArray[Any], component: int, kind: str, **more: Any) -> int:
        """Add the rows of an array and return the number of its accessor."""
        target = 34963 if kind == "SCALAR" else 34962
        view = self.add_bytes(np.ascontiguousarray(array).tobytes(), target=target)
        entry = {"bufferView": view, "componentType": component, "count": len(array), "type": kind, **more}
        self.accessors.append(entry)
        return len(self.accessors) - 1

    def add_bytes(self, content: bytes, **more: Any) -> int:
        """Add bytes and return the number of their buffer view."""
        self.views.append({"buffer": 0, "byteOffset": len(self.data), "byteLength": len(content), **more})
        self.data += content + b"\0" * (-len(content) % 4)
        return len(self.views) - 1


def _primitive(builder: GlbBuilder, mesh: Mesh, part: NDArray[np.integer[Any]], image: int) -> dict[str, Any]:
    colour = mesh.colour[part].astype(np.int64)
    packed = (colour[:, 0] << 16) | (colour[:, 1] << 8) | colour[:, 2]
    keys = (mesh.faces[part].astype(np.int64) << 24) | packed[:, None]
    more = {"class": int(mesh.semantic[part[0]])}
    if image < 0:
        unique, numbers = np.unique(keys, return_inverse=True)
        return _written(builder, mesh, unique, numbers, int(mesh.texture[part[0]]), more)
    assert mesh.appearance is not None
    uv = mesh.appearance.uv[part].reshape(-1, 2)
    rows = np.concatenate([keys.reshape(-1, 1), uv.view(np.int32).astype(np.int64)], axis=1)
    unique, numbers = np.unique(rows, axis=0, return_inverse=True)
    more |= {"texture": int(mesh.texture[part[0]]), "image": image}
    entry = _written(builder, mesh, unique[:, 0], numbers, len(TEXTURES) + image, more)
    # a viewer would multiply the image with colours of vertices
    entry["attributes"]["_COLOUR"] = entry["attributes"].pop("COLOR_0")
    places = np.ascontiguousarray(unique[:, 1:].astype(np.int32)).view("<f4")
    entry["attributes"]["TEXCOORD_0"] = builder.add(places, FLOAT, "VEC2")
    return entry


def _written(
    builder: GlbBuilder,
    mesh: Mesh,
    keys: NDArray[np.int64],
    numbers: NDArray[np.integer[Any]],
    material: int,
    extras: dict[str, int],
) -> dict[str, Any]:
    """Write vertices, each a key of its number and its colour, and the faces between them."""
    points = mesh.vertices[keys >> 24].astype("<f4")
    shown = np.stack([(keys >> shift) & 255 for shift in (16, 8, 0)], axis=-1)
    linear = np.full((len(keys), 4), 65535, dtype="<u2")
    linear[:, :3] = np.rint(to_linear(shown / 255.0) * 65535.0)
    bounds = {"min": points.min(axis=0).tolist(), "max": points.max(axis=0).tolist()}
    return {
        "attributes": {
            "POSITION": builder.add(points, FLOAT, "VEC3", **bounds),
            "COLOR_0": builder.add(linear, USHORT, "VEC4", normalized=True),
        },
        "indices": builder.add(numbers.reshape(-1).astype("<u4"), UINT, "SCALAR"),
        "material": material,
        "extras": extras,
    }


def _image_tables(
    builder: GlbBuilder, mesh: Mesh, image: NDArray[np.int32]
) -> dict[str, list[dict[str, Any]]]:
    """Write the images of a mesh if any face has a lit one."""
    if mesh.appearance is None or not (image >= 0).any():
        return {}
    look = mesh.appearance
    return image_tables(look, [builder.add_bytes(as_png(each)) for each in look.images])


def _printed_material(number: int) -> dict[str, Any]:
    surface = {"metallicFactor": 0.0, "roughnessFactor": 0.9, "baseColorTexture": {"index": number}}
    return {"name": f"image-{number}", "pbrMetallicRoughness": surface, "doubleSided": True}


def _material(name: str) -> dict[str, Any]:
    surface = {"metallicFactor": 0.0, "roughnessFactor": 0.3 if name in ("glass", "mirror") else 0.9}
    return {"name": name, "pbrMetallicRoughness": surface, "doubleSided": True}


def container(header: dict[str, Any], data: bytes) -> bytes:
    """Return the bytes of a GLB file with this header and this binary part."""
    text = json.dumps(header, separators=(",", ":"), ensure_ascii=True).encode()
    text += b" " * (-len(text) % 4)
    chunks = struct.pack("<II", len(text), _JSON) + text
    if data:
        chunks += struct.pack("<II", len(data), _BIN) + data
    return MAGIC + struct.pack("<II", 2, 12 + len(chunks)) + chunks


def opened(path: str | Path, raw: bytes) -> tuple[dict[str, Any], bytes]:
    """Return the header and the binary part of a GLB file, whoever wrote it."""
    try:
        _, total = struct.unpack_from("<II", raw, 4)
        size, kind = struct.unpack_from("<II", raw, 12)
        if raw[:4] != MAGIC or kind != _JSON or total > len(raw):
            raise ValueError("not a GLB file, or cut off")
        return checked_header(json.loads(raw[20 : 20 + size])), raw[28 + size :]
    except (struct.error, ValueError, RecursionError) as error:
        raise _unreadable(path, str(error)) from None


def checked_header(header: Any) -> dict[str, Any]:
    """Return the JSON of a glTF file, if it is an object that says what it is.

    Raises:
        ValueError: it is not.
    """
    if not (isinstance(header, dict) and isinstance(header.get("asset", {}), dict)):
        raise ValueError("its JSON is no object with an asset")
    return header


def restored(path: str | Path, header: dict[str, Any], data: bytes) -> Mesh:
    """Return the mesh of an opened file that `to_glb` wrote.

    Raises:
        InputError: the file was changed or cut off since.
    """
    try:
        mesh = _restored_mesh(header, data)
        numbers = (
            (mesh.faces, len(mesh.vertices)),
            (mesh.texture, len(TEXTURES)),
            (mesh.semantic, len(mesh.classes)),
            (mesh.instance, len(mesh.objects)),
        )
        if any(len(rows) and not 0 <= rows.min() <= rows.max() < count for rows, count in numbers):
            raise ValueError("a face names what the file does not have")
        if not np.isfinite(mesh.vertices).all():
            raise ValueError("a vertex is not finite")
        return mesh
    except (KeyError, IndexError, TypeError, ValueError, AttributeError, OverflowError) as error:
        raise _unreadable(path, f"{type(error).__name__}: {error}") from None


def _unreadable(path: str | Path, why: str) -> InputError:
    return InputError(
        f"{path}: cannot be read as GLB ({why})",
        expected="a complete binary glTF file",
        fix="export or copy the file again",
    )


def _restored_mesh(header: dict[str, Any], data: bytes) -> Mesh:
    tables = header["asset"]["extras"]
    classes, objects = tuple(tables["classes"]), tuple(tables["objects"])
    images = KeptImages(header, data)
    parts = [
        _restored_part(header, data, entry["extras"]["object"], primitive, classes, objects, images)
        for entry in header.get("meshes", ())
        for primitive in entry["primitives"]
    ]
    if not parts:
        return replace(join([]), classes=classes, objects=objects)
    return join(parts)


def _restored_part(
    header: dict[str, Any],
    data: bytes,
    instance: int,
    primitive: dict[str, Any],
    classes: tuple[str, ...],
    objects: tuple[str, ...],
    images: KeptImages,
) -> Mesh:
    def array(accessor: int, kind: str, width: int) -> NDArray[Any]:
        entry = header["accessors"][accessor]
        start = header["bufferViews"][entry["bufferView"]]["byteOffset"]
        return np.frombuffer(data, dtype=kind, count=entry["count"] * width, offset=start).reshape(-1, width)

    faces = array(primitive["indices"], "<u4", 1).reshape(-1, 3).astype(np.int32)
    attributes, extras, texture = primitive["attributes"], primitive["extras"], primitive["material"]
    look = None
    if "image" in extras:
        texture = extras["texture"]
        look = images.on(extras["image"], array(attributes["TEXCOORD_0"], "<f4", 2)[faces])
    colours = attributes["COLOR_0"] if look is None else attributes["_COLOUR"]
    linear = array(colours, "<u2", 4)[faces[:, 0], :3] / 65535.0
    n = len(faces)
    return Mesh(
        array(attributes["POSITION"], "<f4", 3).astype(np.float64),
        faces,
        np.rint(to_screen(linear) * 255.0).astype(np.uint8),
        np.full(n, texture, dtype=np.uint8),
        np.full(n, extras["class"], dtype=np.int32),
        np.full(n, instance, dtype=np.int32),
        classes,
        objects,
        look,
    )
