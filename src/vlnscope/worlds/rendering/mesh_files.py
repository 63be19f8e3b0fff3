"""Meshes from any file that trimesh reads; files of `glb.to_glb` come back with all their labels."""

from __future__ import annotations

import io
import re
from collections.abc import Container
from dataclasses import replace
from pathlib import Path
from typing import Any, Literal

import numpy as np
from numpy.typing import NDArray

from vlnscope.core.exceptions import InputError
from vlnscope.core.files import read_bytes
from vlnscope.core.limits import STREAM_MB
from vlnscope.types import Floats
from vlnscope.worlds.rendering.glb import GENERATOR, MAGIC, opened, restored, to_screen
from vlnscope.worlds.rendering.mesh import Mesh, join


def load_mesh(path: str | Path, *, up: Literal["y", "z"] | None = None) -> Mesh:
    """Read a mesh from GLB, OBJ, PLY or whatever else trimesh reads.

    Files of `to_glb` come back with all labels. In others every face is of the class ``unknown``, every node
    of the file is an object, and a face's colour is that of its material, its vertices or its part of the
    texture image.

    Args:
        path: the file, perhaps gzipped.
        up: which axis of the file points up; None means y for glTF (as its standard says), z otherwise.

    Raises:
        InputError: the file cannot be read or holds no triangles.
    """
    path = Path(path)
    raw = read_bytes(path, STREAM_MB)
    header: dict[str, Any] = {}
    if raw[:4] == MAGIC:
        header, data = opened(path, raw)
    generator = str(header.get("asset", {}).get("generator", ""))
    if generator == GENERATOR:
        return restored(header, data)
    kind = Path(path.stem if path.suffix == ".gz" else path.name).suffix.lower()
    gltf = kind in (".glb", ".gltf")
    linear = gltf and "trimesh" not in generator  # trimesh writes screen colours into linear fields
    known = {str(node.get("name")) for node in header.get("nodes", ())}
    shapes = _shapes(path, raw, kind, known)
    mesh = join([_labelled(*shape, linear) for shape in shapes if len(shape[1].faces)])
    if not len(mesh):
        raise InputError(f"{path}: holds no triangles", expected="a mesh", fix="export it with its faces")
    x, y, z = mesh.vertices.T
    turned = (up or ("y" if gltf else "z")) == "y"
    return replace(mesh, vertices=np.stack([x, -z, y], axis=-1)) if turned else mesh


def _shapes(path: Path, raw: bytes, kind: str, known: Container[str]) -> list[tuple[str, Any, Floats]]:
    import trimesh

    try:
        if path.suffix == ".gz":
            scene = trimesh.load_scene(io.BytesIO(raw), file_type=kind.lstrip("."))
        else:
            scene = trimesh.load_scene(str(path))
        shapes = []
        for node in scene.graph.nodes_geometry:
            matrix, name = scene.graph[node]
            shape = scene.geometry[name]
            if isinstance(shape, trimesh.Trimesh):
                points = trimesh.transform_points(shape.vertices, matrix)
                shapes.append((_own_name(str(node), known), str(name), shape, points))
    except Exception as error:
        raise InputError(
            f"{path}: cannot be read as a mesh ({type(error).__name__}: {error})",
            expected="a complete file of a kind that trimesh reads: GLB, OBJ, PLY, …",
            fix="export it again as GLB",
        ) from None
    return [(node, shape, points) for node, _, shape, points in sorted(shapes, key=lambda entry: entry[:2])]


def _own_name(node: str, known: Container[str]) -> str:
    """Undo the random ending that trimesh gives to the parts of a node of several materials."""
    part = re.fullmatch(r"(.+)_[0-9A-Za-z]{6}", node)
    return part[1] if part and node not in known and part[1] in known else node


def _labelled(name: str, shape: Any, points: Floats, linear: bool) -> Mesh:
    zeros = np.zeros(len(shape.faces), dtype=np.int32)
    return Mesh(
        np.asarray(points, dtype=np.float64),
        np.asarray(shape.faces, dtype=np.int32),
        np.rint(np.clip(_face_colours(shape, linear), 0.0, 1.0) * 255.0).astype(np.uint8),
        zeros.astype(np.uint8),
        zeros,
        zeros,
        ("unknown",),
        (name,),
    )


def _face_colours(shape: Any, linear: bool) -> Floats:
    visual = shape.visual
    if visual.kind != "texture":
        shown = np.asarray(visual.face_colors, dtype=np.float64)[:, :3] / 255.0
        return to_screen(shown) if linear else shown
    image = _image(visual.material)
    if image is not None and visual.uv is not None:
        return _image_colours(image, np.asarray(visual.uv, dtype=np.float64)[shape.faces])
    light = _plain_colour(visual.material) * np.ones((len(shape.faces), 3))
    painted = visual.vertex_attributes.get("color")
    if painted is not None and len(painted) == len(shape.vertices):
        light = light * _fractions(np.asarray(painted))[shape.faces].mean(axis=1)
    return to_screen(light) if linear else light


def _image(material: Any) -> Any:
    image = getattr(material, "baseColorTexture", None)
    return image if image is not None else getattr(material, "image", None)


def _plain_colour(material: Any) -> Floats:
    if hasattr(material, "baseColorFactor"):
        factor = material.baseColorFactor
        return np.ones(3) if factor is None else _fractions(np.asarray(factor))
    return _fractions(np.asarray(material.main_color))


def _fractions(colour: NDArray[Any]) -> Floats:
    whole = np.iinfo(colour.dtype).max if colour.dtype.kind in "iu" else 1.0
    return np.asarray(colour[..., :3] / whole, dtype=np.float64)


def _image_colours(image: Any, corners: Floats) -> Floats:
    """Return the mean of a texture image at four points inside each face."""
    pixels = np.asarray(image.convert("RGB"), dtype=np.float64) / 255.0
    height, width, _ = pixels.shape
    inside = np.array([[4, 1, 1], [1, 4, 1], [1, 1, 4], [2, 2, 2]]) / 6.0
    uv = np.einsum("pc,fck->fpk", inside, corners)
    column = np.floor(uv[..., 0] % 1.0 * width).astype(np.int64).clip(0, width - 1)
    row = np.floor((1.0 - uv[..., 1]) % 1.0 * height).astype(np.int64).clip(0, height - 1)
    return np.asarray(pixels[row, column].mean(axis=1))
