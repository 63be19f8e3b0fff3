"""Meshes from files: glTF, and any other kind that trimesh reads."""

from __future__ import annotations

import io
import json
from dataclasses import replace
from pathlib import Path
from typing import Any, Literal

import numpy as np
from numpy.typing import NDArray

from vlnscope.core.exceptions import InputError
from vlnscope.core.files import read_bytes
from vlnscope.core.limits import STREAM_MB
from vlnscope.types import Floats
from vlnscope.worlds.rendering.appearance import MeshAppearance, TextureImage, mean_colours, painted
from vlnscope.worlds.rendering.glb import GENERATOR, MAGIC, checked_header, opened, restored
from vlnscope.worlds.rendering.gltf import Shape, gltf_shapes
from vlnscope.worlds.rendering.mesh import Mesh, join
from vlnscope.worlds.rendering.texture_images import ImageReader


def load_mesh(path: str | Path, *, up: Literal["y", "z"] | None = None) -> Mesh:
    """Read a mesh from GLB, glTF, OBJ, PLY or whatever else trimesh reads.

    Files of `to_glb` come back with all labels. In others every face is of the class ``unknown`` and every
    node of the file is an object. If the file has texture images, or colours of vertices or faces, its faces
    are drawn in these (`Mesh.appearance`); a file that only has plain materials is lit as houses are.

    Args:
        path: the file, perhaps gzipped.
        up: which axis of the file points up; None means y for glTF (as its standard says), z otherwise.

    Raises:
        InputError: the file or a texture image of it cannot be read, or it holds no triangles.
    """
    path = Path(path)
    raw = read_bytes(path, STREAM_MB)
    kind = Path(path.stem if path.suffix == ".gz" else path.name).suffix.lower()
    gltf = raw[:4] == MAGIC or kind in (".glb", ".gltf")
    if gltf:
        header, data = opened(path, raw) if raw[:4] == MAGIC or kind == ".glb" else (_parsed(path, raw), b"")
        if header.get("asset", {}).get("generator") == GENERATOR:
            return restored(path, header, data)
        shapes = gltf_shapes(path, header, data)
    else:
        shapes = _trimesh_shapes(path, raw, kind)
    shapes = [shape for shape in shapes if len(shape.faces)]
    if not shapes:
        raise InputError(f"{path}: holds no triangles", expected="a mesh", fix="export it with its faces")
    coloured = any(shape.texture is not None or shape.painted for shape in shapes)
    mesh = join([_labelled(shape, coloured) for shape in shapes])
    x, y, z = mesh.vertices.T
    turned = (up or ("y" if gltf else "z")) == "y"
    return replace(mesh, vertices=np.stack([x, -z, y], axis=-1)) if turned else mesh


def _parsed(path: Path, raw: bytes) -> dict[str, Any]:
    try:
        return checked_header(json.loads(raw))
    except (ValueError, RecursionError) as error:
        raise InputError(
            f"{path}: cannot be read as glTF ({error})",
            expected="a JSON file of glTF 2.0",
            fix="export or copy the file again",
        ) from None


def _labelled(shape: Shape, coloured: bool) -> Mesh:
    zeros = np.zeros(len(shape.faces), dtype=np.int32)
    appearance = _appearance(shape)
    return Mesh(
        np.asarray(shape.points, dtype=np.float64),
        shape.faces,
        mean_colours(appearance),
        zeros.astype(np.uint8),
        zeros,
        zeros,
        ("unknown",),
        (shape.name,),
        appearance if coloured else None,
    )


def _appearance(shape: Shape) -> MeshAppearance:
    shown = np.rint(np.clip(shape.colours, 0.0, 1.0) * 255.0).astype(np.uint8)
    count = len(shape.faces)
    if len(shown) == len(shape.points) and shape.painted:
        corners = shown[shape.faces]
    else:  # one colour per face, or one for all
        corners = np.broadcast_to(shown[:, None], (count, 3, 3))
    plain = painted(np.ascontiguousarray(corners))
    if shape.texture is None or shape.uv is None:
        return plain
    places = shape.uv[shape.faces].astype(np.float32)
    return MeshAppearance(np.zeros(count, dtype=np.int32), places, plain.tint, (shape.texture,))


def _trimesh_shapes(path: Path, raw: bytes, kind: str) -> list[Shape]:
    import trimesh

    files = _files_beside(path)
    try:
        scene = trimesh.load_scene(io.BytesIO(raw), file_type=kind.lstrip("."), resolver=files, process=False)
        placed = [(str(node), *scene.graph[node]) for node in sorted(scene.graph.nodes_geometry)]
        meshes = [
            (node, scene.geometry[name], matrix)
            for node, matrix, name in placed
            if isinstance(scene.geometry[name], trimesh.Trimesh)
        ]
        images = ImageReader(path)
        files.check(images)
        return [
            _shape(node, shape, trimesh.transform_points(shape.vertices, matrix), images)
            for node, shape, matrix in meshes
        ]
    except InputError:
        raise
    except Exception as error:
        raise InputError(
            f"{path}: cannot be read as a mesh ({type(error).__name__}: {error})",
            expected="a complete file of a kind that trimesh reads: OBJ, PLY, …",
            fix="export it again as GLB",
        ) from None


def _files_beside(path: Path) -> Any:
    """Return a resolver for trimesh that remembers what was asked for: trimesh goes on without it."""
    from trimesh.resolvers import FilePathResolver

    class FilesBeside(FilePathResolver):  # type: ignore[misc, unused-ignore]
        def __init__(self) -> None:
            super().__init__(str(path))
            self.asked: dict[str, bytes | None] = {}

        def get(self, name: str) -> bytes:
            self.asked[name] = None
            self.asked[name] = read_bytes(path.parent / name, STREAM_MB)
            return self.asked[name] or b""

        def check(self, images: ImageReader) -> None:
            for name, content in self.asked.items():
                if Path(name).suffix.lower() != ".mtl":
                    if content is None:
                        raise images.damaged(name, "there is no such file beside the mesh")
                    images.read(content, name)

    return FilesBeside()


def _shape(name: str, shape: Any, points: Floats, images: ImageReader) -> Shape:
    visual, faces = shape.visual, np.asarray(shape.faces, dtype=np.int32)
    if visual.kind != "texture":
        own = visual.kind is not None
        rows = visual.vertex_colors if visual.kind == "vertex" else visual.face_colors
        return Shape(name, points, faces, None, None, np.asarray(rows)[:, :3] / 255.0, own)
    image = _image(visual.material)
    if image is not None and visual.uv is not None:
        uv = np.nan_to_num(np.asarray(visual.uv, dtype=np.float64), posinf=0.0, neginf=0.0)
        texture = TextureImage(images.decoded(image, "of a material"))
        return Shape(name, points, faces, texture, uv * (1.0, -1.0) + (0.0, 1.0), np.ones((1, 3)), False)
    return Shape(name, points, faces, None, None, _plain_colour(visual.material)[None], False)


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
