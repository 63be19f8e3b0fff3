"""Meshes with colours of their own as GLB files that any viewer shows alike: unlit and y up."""

from __future__ import annotations

import io
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from vlnscope.core.exceptions import InputError
from vlnscope.core.files import write_whole
from vlnscope.worlds.frames import turned_to_habitat
from vlnscope.worlds.rendering.appearance import CLAMP, MIRROR, REPEAT, MeshAppearance, TextureImage
from vlnscope.worlds.rendering.glb import FLOAT, GENERATOR, UINT, USHORT, GlbBuilder, container
from vlnscope.worlds.rendering.light.screen import to_linear
from vlnscope.worlds.rendering.mesh import Mesh

PAINTER = f"{GENERATOR}, painted"
"""What these files name as the program that wrote them; `load_mesh` reads them as any other file."""
_WRAPS = {REPEAT: 10497, CLAMP: 33071, MIRROR: 33648}
_UNLIT = "KHR_materials_unlit"
_PANE: dict[str, Any] = {
    "name": "pane",
    "alphaMode": "BLEND",
    "pbrMetallicRoughness": {"baseColorFactor": [0.82, 0.9, 0.95, 0.16], "metallicFactor": 0.0},
    "doubleSided": True,
    "extensions": {_UNLIT: {}},
}


def to_painted_glb(mesh: Mesh, path: str | Path, *, panes: NDArray[np.bool_] | None = None) -> None:
    """Write a mesh with colours of its own as GLB: a node per object, a primitive per texture image of it.

    Images are kept as PNG, in which no colour changes. Where there is no image, vertices are coloured, in
    linear light as glTF wants it and in 16 bits, so that all 256 shades of a screen come back. Equal meshes
    give equal bytes.

    Args:
        mesh: what is written.
        path: file to write.
        panes: which faces are of clear glass, to be seen through instead of painted; none if not given.

    Raises:
        InputError: the mesh is empty, or some of its faces have no colours of their own.
    """
    look = mesh.appearance
    if look is None or not len(mesh) or (look.image < -1).any():
        raise InputError(
            f"{path}: a mesh without faces or without colours of its own cannot be written as painted",
            expected="texture images or coloured corners on all faces",
            fix="paint it first with painted_mesh(mesh), or write it with to_glb(mesh, path)",
        )
    builder = GlbBuilder()
    clear = np.zeros(len(mesh), dtype=np.bool_) if panes is None else panes
    order = np.lexsort((look.image, clear, mesh.instance))
    keys = np.stack([mesh.instance, clear, np.where(clear, 0, look.image)], axis=-1)[order]
    breaks = np.flatnonzero((np.diff(keys, axis=0) != 0).any(axis=1)) + 1
    meshes: dict[int, dict[str, Any]] = {}
    for part in np.split(order, breaks):
        name = mesh.objects[int(mesh.instance[part[0]])]
        entry = meshes.setdefault(int(mesh.instance[part[0]]), {"name": name, "primitives": []})
        entry["primitives"].append(_primitive(builder, mesh, look, part))
        if clear[part[0]]:
            entry["primitives"][-1]["material"] = _pane_number(look)
    tables = _tables(builder, look)
    if clear.any():
        tables["materials"].append(_PANE)
    header = {
        "asset": {"version": "2.0", "generator": PAINTER},
        "extensionsUsed": [_UNLIT],
        "scene": 0,
        "scenes": [{"nodes": list(range(len(meshes)))}],
        "nodes": [{"name": entry["name"], "mesh": i} for i, entry in enumerate(meshes.values())],
        "meshes": list(meshes.values()),
        **{name: table for name, table in tables.items() if table},
        "accessors": builder.accessors,
        "bufferViews": builder.views,
        "buffers": [{"byteLength": len(builder.data)}],
    }
    with write_whole(path) as stream:
        stream.write(container(header, bytes(builder.data)))


def _primitive(
    builder: GlbBuilder, mesh: Mesh, look: MeshAppearance, part: NDArray[np.integer[Any]]
) -> dict[str, Any]:
    number = int(look.image[part[0]])
    vertex = mesh.faces[part].reshape(-1, 1)
    more = look.uv[part].reshape(-1, 2) if number >= 0 else look.tint[part].reshape(-1, 3)
    rows, numbers = np.unique(np.concatenate([vertex, more], axis=1), axis=0, return_inverse=True)
    points = turned_to_habitat(mesh.vertices[rows[:, 0].astype(np.int64)]).astype("<f4")
    bounds = {"min": points.min(axis=0).tolist(), "max": points.max(axis=0).tolist()}
    attributes = {"POSITION": builder.add(points, FLOAT, "VEC3", **bounds)}
    if number >= 0:
        attributes["TEXCOORD_0"] = builder.add(rows[:, 1:].astype("<f4"), FLOAT, "VEC2")
    else:
        light = np.full((len(rows), 4), 65535, dtype="<u2")
        light[:, :3] = np.rint(to_linear(rows[:, 1:] / 255.0) * 65535.0)
        attributes["COLOR_0"] = builder.add(light, USHORT, "VEC4", normalized=True)
    return {
        "attributes": attributes,
        "indices": builder.add(numbers.reshape(-1).astype("<u4"), UINT, "SCALAR"),
        "material": number if number >= 0 else len(look.images),
    }


def _tables(builder: GlbBuilder, look: MeshAppearance) -> dict[str, list[dict[str, Any]]]:
    """Return materials with their textures: one for each image, and a white one if vertices are coloured."""
    materials = [_material(f"image-{k}", {"baseColorTexture": {"index": k}}) for k in range(len(look.images))]
    if (look.image < 0).any():
        materials.append(_material("coloured", {}))
    images = [
        {"bufferView": builder.add_bytes(_png(image)), "mimeType": "image/png"} for image in look.images
    ]
    samplers = [
        {"magFilter": 9729, "minFilter": 9987, "wrapS": _WRAPS[image.wrap[0]], "wrapT": _WRAPS[image.wrap[1]]}
        for image in look.images
    ]
    textures = [{"sampler": k, "source": k} for k in range(len(look.images))]
    return {"materials": materials, "textures": textures, "images": images, "samplers": samplers}


def _pane_number(look: MeshAppearance) -> int:
    """Return the number of the material of panes, which is the last one."""
    return len(look.images) + bool((look.image < 0).any())


def _material(name: str, surface: dict[str, Any]) -> dict[str, Any]:
    rough = {"metallicFactor": 0.0, "roughnessFactor": 1.0, **surface}
    return {"name": name, "pbrMetallicRoughness": rough, "doubleSided": True, "extensions": {_UNLIT: {}}}


def _png(image: TextureImage) -> bytes:
    from PIL import Image

    stream = io.BytesIO()
    Image.fromarray(image.pixels).save(stream, format="PNG", compress_level=6)
    return stream.getvalue()
