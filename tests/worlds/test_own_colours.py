"""Meshes from files are drawn in their own colours: texel by texel, and between vertices interpolated."""

from __future__ import annotations

import base64
import io
import json
import math
import struct
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from PIL import Image

from vlnscope.core.exceptions import InputError
from vlnscope.core.rng import rng_for
from vlnscope.worlds.rendering.appearance import LIT
from vlnscope.worlds.rendering.glb import container, from_glb, opened, to_glb
from vlnscope.worlds.rendering.mesh import Mesh, join, scaled, subdivided, subset
from vlnscope.worlds.rendering.mesh_files import load_mesh
from vlnscope.worlds.rendering.renderer import Renderer

trimesh = pytest.importorskip("trimesh")

WIDTH, HEIGHT = 48, 36
# A sheet that leans away to the upper right, so that no pixel grid lines up with its texels; z up.
CORNERS = np.array([[-2.0, 3.0, -1.5], [2.2, 4.0, -1.2], [2.0, 5.0, 1.9], [-1.8, 3.5, 1.6]])
FACES = np.array([[0, 1, 2], [0, 2, 3]])
UV = np.array([[0.0, 0.0], [1.0, 0.1], [0.9, 1.0], [0.05, 0.95]])  # v up, as OBJ and trimesh have it
TEN = [(4, 9), (6, 24), (9, 34), (13, 14), (16, 30), (19, 8), (21, 37), (25, 20), (28, 6), (31, 12)]


def noise(height: int = 16, width: int = 24) -> np.ndarray:
    return rng_for(0, "texture").integers(0, 256, (height, width, 3), dtype=np.uint8)


def seen(mesh: Mesh) -> np.ndarray:
    return Renderer(mesh, threads=1).render((0, 0, 0), width=WIDTH, height=HEIGHT, vfov=60).rgb[0]


def shares(row: int, column: int) -> np.ndarray | None:
    """How much each corner counts where a pixel's ray meets the sheet, by solving for the point."""
    focus = HEIGHT / 2 / math.tan(math.radians(30))
    ray = np.array([(column + 0.5 - WIDTH / 2) / focus, 1.0, (HEIGHT / 2 - row - 0.5) / focus])
    for face in FACES:
        a, b, c = CORNERS[face]
        second, third, _ = np.linalg.solve(np.stack([b - a, c - a, -ray], axis=1), -a)
        if second >= 0 and third >= 0 and second + third <= 1:
            found = np.zeros(4)
            found[face] = 1 - second - third, second, third
            return found
    return None


def texel(image: np.ndarray, row: int, column: int, uv: np.ndarray = UV, wrap: str = "repeat") -> list[int]:
    found = shares(row, column)
    assert found is not None
    u, v = found @ uv
    place = np.array([1 - v, u])
    if wrap == "repeat":
        place = place % 1.0
    elif wrap == "mirror":
        place = np.where(np.floor(place) % 2 == 1, 1 - place % 1.0, place % 1.0)
    size = np.array(image.shape[:2])
    i, j = np.clip(np.floor(place * size).astype(int), 0, size - 1)
    return [int(shade) for shade in image[i, j]]


def y_up(points: np.ndarray) -> np.ndarray:
    return np.stack([points[:, 0], points[:, 2], -points[:, 1]], axis=-1)


def sheet(material: Any, points: np.ndarray = CORNERS, uv: np.ndarray = UV) -> Any:
    skin = trimesh.visual.TextureVisuals(uv=uv, material=material)
    return trimesh.Trimesh(points, FACES, visual=skin, process=False)


def png(pixels: np.ndarray) -> bytes:
    stream = io.BytesIO()
    Image.fromarray(pixels).save(stream, "PNG")
    return stream.getvalue()


def gltf(folder: Path, name: str, image: bytes = b"", **changes: Any) -> Path:
    """Write the sheet as glTF by hand, with the changes to its header; one buffer holds all."""
    uv = changes.pop("uv", UV) * (1, -1) + (0, 1)
    colours = changes.pop("colours", None)
    arrays = [y_up(CORNERS).astype("<f4"), uv.astype("<f4"), FACES.astype("<u2")]
    arrays += [] if colours is None else [np.asarray(colours, dtype="<f4")]
    parts = [array.tobytes() for array in arrays] + [image]
    starts = np.cumsum([0, *(len(part) for part in parts)]).tolist()
    data = b"".join(parts)
    types = [("VEC3", 4, 5126), ("VEC2", 4, 5126), ("SCALAR", 6, 5123), ("VEC3", 4, 5126)]
    attributes = {"POSITION": 0, "TEXCOORD_0": 1} | ({} if colours is None else {"COLOR_0": 3})
    header: dict[str, Any] = {
        "asset": {"version": "2.0"},
        "nodes": [{"mesh": 0, "name": "sheet"}],
        "meshes": [{"primitives": [{"attributes": attributes, "indices": 2, "material": 0}]}],
        "materials": [{"pbrMetallicRoughness": {"baseColorTexture": {"index": 0}} if image else {}}],
        "textures": [{"source": 0, "sampler": 0}],
        "samplers": [{}],
        "images": [{"bufferView": len(parts) - 1}],
        "accessors": [
            {"bufferView": i, "type": kind, "count": count, "componentType": component}
            for i, (kind, count, component) in enumerate(types[: len(arrays)])
        ],
        "bufferViews": [
            {"buffer": 0, "byteOffset": start, "byteLength": len(part)}
            for start, part in zip(starts, parts, strict=False)
        ],
        "buffers": [{"byteLength": len(data)}],
    }
    header |= changes
    path = folder / name
    if path.suffix == ".gltf":
        header["buffers"] = [
            {"byteLength": len(data), "uri": "data:;base64," + base64.b64encode(data).decode()}
        ]
        path.write_text(json.dumps(header))
        return path
    text = json.dumps(header).encode()
    text += b" " * (-len(text) % 4)
    data += b"\0" * (-len(data) % 4)
    chunks = (
        struct.pack("<II", len(text), 0x4E4F534A) + text + struct.pack("<II", len(data), 0x004E4942) + data
    )
    path.write_bytes(b"glTF" + struct.pack("<II", 2, 12 + len(chunks)) + chunks)
    return path


def test_the_ten_pixels_lie_on_both_halves_of_the_sheet_and_on_many_texels() -> None:
    found = [shares(*pixel) for pixel in TEN]
    assert all(each is not None for each in found)
    assert {bool(each[1] > 0) for each in found if each is not None} == {True, False}
    assert len({tuple(texel(noise(), *pixel)) for pixel in TEN}) >= 9


@pytest.mark.parametrize("material", ["pbr", "simple"])
def test_a_glb_with_a_known_texture_shows_the_expected_texels(tmp_path: Path, material: str) -> None:
    image = Image.fromarray(noise())
    kinds = trimesh.visual.material
    skin = (
        kinds.PBRMaterial(baseColorTexture=image) if material == "pbr" else kinds.SimpleMaterial(image=image)
    )
    sheet(skin, y_up(CORNERS)).export(tmp_path / "sheet.glb")
    rgb = seen(load_mesh(tmp_path / "sheet.glb"))
    assert [rgb[pixel].tolist() for pixel in TEN] == [texel(noise(), *pixel) for pixel in TEN]
    every = [(r, c) for r in range(HEIGHT) for c in range(WIDTH)]
    right = [rgb[p].tolist() == (texel(noise(), *p) if shares(*p) is not None else [0, 0, 0]) for p in every]
    assert np.mean(right) > 0.995  # but for rays within rounding of an edge


def test_an_obj_with_a_texture_and_a_ply_with_colours_show_theirs(tmp_path: Path) -> None:
    (tmp_path / "wall.png").write_bytes(png(noise()))
    (tmp_path / "wall.mtl").write_text("newmtl paper\nKd 0.6 0.6 0.6\nmap_Kd wall.png\n")
    lines = ["mtllib wall.mtl", "usemtl paper"]
    lines += [f"v {x} {y} {z}" for x, y, z in CORNERS] + [f"vt {u} {v}" for u, v in UV]
    lines += ["f " + " ".join(f"{i + 1}/{i + 1}" for i in face) for face in FACES]
    (tmp_path / "wall.obj").write_text("\n".join(lines) + "\n")
    rgb = seen(load_mesh(tmp_path / "wall.obj"))
    assert [rgb[pixel].tolist() for pixel in TEN] == [texel(noise(), *pixel) for pixel in TEN]

    colours = np.array([[250, 10, 20], [30, 240, 40], [50, 60, 230], [200, 210, 0]])
    rows = [" ".join(map(str, (*p, *c))) for p, c in zip(CORNERS.tolist(), colours.tolist(), strict=True)]
    names = [f"property float {axis}" for axis in "xyz"] + [
        f"property uchar {c}" for c in ("red", "green", "blue")
    ]
    head = ["ply", "format ascii 1.0", "element vertex 4", *names, "element face 2"]
    head += ["property list uchar int vertex_indices", "end_header"]
    (tmp_path / "wall.ply").write_text("\n".join([*head, *rows, "3 0 1 2", "3 0 2 3"]) + "\n")
    rgb = seen(load_mesh(tmp_path / "wall.ply"))
    for pixel in TEN:
        assert rgb[pixel] == pytest.approx(shares(*pixel) @ colours, abs=0.51)


def test_vertices_at_one_place_keep_colours_of_their_own(tmp_path: Path) -> None:
    """Two triangles that share an edge, one red, one green: the colours do not mix."""
    colours = np.repeat([[255, 0, 0, 255], [0, 255, 0, 255]], 3, axis=0)
    split = trimesh.Trimesh(CORNERS[FACES].reshape(-1, 3), np.arange(6).reshape(2, 3), process=False)
    split.visual = trimesh.visual.ColorVisuals(split, vertex_colors=colours)
    split.export(tmp_path / "two.ply")
    rgb = seen(load_mesh(tmp_path / "two.ply"))
    assert {tuple(p) for p in rgb.reshape(-1, 3).tolist()} == {(0, 0, 0), (255, 0, 0), (0, 255, 0)}


WIDE = UV * 2.6 - 0.7


@pytest.mark.parametrize(("code", "wrap"), [(10497, "repeat"), (33071, "clamp"), (33648, "mirror")])
def test_what_lies_beyond_the_edge_of_a_texture(tmp_path: Path, code: int, wrap: str) -> None:
    path = gltf(tmp_path, "wide.glb", png(noise()), uv=WIDE, samplers=[{"wrapS": code, "wrapT": code}])
    rgb = seen(load_mesh(path))
    assert [rgb[p].tolist() for p in TEN] == [texel(noise(), *p, WIDE, wrap) for p in TEN]
    places = np.array([shares(*p) @ WIDE for p in TEN])
    assert places.min() < 0
    assert places.max() > 1


def test_plain_colours_multiply_a_texture(tmp_path: Path) -> None:
    """trimesh writes colours as screens show them; others write amounts of light, as the standard says."""
    kinds = trimesh.visual.material
    factor = [255, 128, 0, 255]
    skin = kinds.PBRMaterial(baseColorTexture=Image.fromarray(noise()), baseColorFactor=factor)
    sheet(skin, y_up(CORNERS)).export(tmp_path / "screen.glb")
    rgb = seen(load_mesh(tmp_path / "screen.glb"))
    for pixel in TEN:
        assert rgb[pixel] == pytest.approx(np.array(texel(noise(), *pixel)) * factor[:3] / 255, abs=0.51)
    half = {"baseColorTexture": {"index": 0}, "baseColorFactor": [0.5, 0.5, 0.5, 1]}
    path = gltf(
        tmp_path,
        "light.glb",
        png(np.full((4, 4, 3), 255, np.uint8)),
        materials=[{"pbrMetallicRoughness": half}],
    )
    assert seen(load_mesh(path))[TEN[0]].tolist() == [188, 188, 188]


def test_vertex_colours_multiply_a_texture(tmp_path: Path) -> None:
    path = gltf(tmp_path, "both.gltf", png(noise()), colours=np.eye(4)[:, :3], asset={"generator": "trimesh"})
    rgb = seen(load_mesh(path))
    for pixel in TEN:
        expected = np.array(texel(noise(), *pixel)) * (shares(*pixel) @ np.eye(4)[:, :3])
        assert rgb[pixel] == pytest.approx(expected, abs=1.0)


def test_nodes_move_what_they_hold_and_textures_can_be_moved(tmp_path: Path) -> None:
    quarter = math.sqrt(0.5)
    nodes = [
        {"children": [1], "translation": [1, 2, 3], "scale": [2, 2, 2]},
        {"mesh": 0, "rotation": [0, quarter, 0, quarter]},
    ]
    mesh = load_mesh(gltf(tmp_path, "moved.glb", png(noise()), nodes=nodes))
    x, y, z = y_up(CORNERS).T
    expected = 2 * np.stack([z, y, -x], axis=-1) + (1, 2, 3)
    assert np.allclose(
        mesh.vertices, np.stack([expected[:, 0], -expected[:, 2], expected[:, 1]], axis=-1), atol=1e-5
    )
    info = {"index": 0, "extensions": {"KHR_texture_transform": {"offset": [0.25, 0.5], "scale": [0.5, 2]}}}
    path = gltf(
        tmp_path, "shift.glb", png(noise()), materials=[{"pbrMetallicRoughness": {"baseColorTexture": info}}]
    )
    uv = np.stack([UV[:, 0] * 0.5 + 0.25, 1 - ((1 - UV[:, 1]) * 2 + 0.5)], axis=-1)
    rgb = seen(load_mesh(path))
    assert [rgb[p].tolist() for p in TEN] == [texel(noise(), *p, uv) for p in TEN]


def test_files_beside_a_gltf_are_read(tmp_path: Path) -> None:
    (tmp_path / "my texture.png").write_bytes(png(noise()))
    path = gltf(tmp_path, "sheet.gltf", b"x", images=[{"uri": "my%20texture.png"}])
    rgb = seen(load_mesh(path))
    assert [rgb[p].tolist() for p in TEN] == [texel(noise(), *p) for p in TEN]
    (tmp_path / "my texture.png").unlink()
    with pytest.raises(InputError, match=r"my texture\.png"):
        load_mesh(path)


def textured_sheet(folder: Path) -> Mesh:
    return load_mesh(gltf(folder, "sheet.glb", png(noise())))


def test_pieces_of_textured_meshes_look_as_the_whole(tmp_path: Path) -> None:
    mesh = textured_sheet(tmp_path)
    whole = seen(mesh)
    assert (seen(subdivided(subdivided(mesh))) == whole).all(axis=-1).mean() > 0.99
    assert np.array_equal(seen(scaled(mesh, 2.0)), whole)
    halves = [subset(mesh, np.array([i])) for i in range(2)]
    assert np.array_equal(seen(join(halves)), whole)
    assert len(join(halves).appearance.images) == 1
    assert mesh.colour.std() > 0
    to_glb(mesh, tmp_path / "plain.glb")
    assert from_glb(tmp_path / "plain.glb").appearance is None


def test_houses_and_scans_stand_beside_each_other(tmp_path: Path) -> None:
    """In a joined mesh, faces of a scan have their texels and faces of a house their light."""
    scan = textured_sheet(tmp_path)
    zeros = np.zeros(2, dtype=np.int32)
    wall = Mesh(
        CORNERS * (1.8, 2.0, 1.8),
        FACES.astype(np.int32),
        np.full((2, 3), 150, dtype=np.uint8),
        zeros.astype(np.uint8),
        zeros,
        zeros,
        ("wall",),
        ("wall",),
    )
    both = join([wall, scan])
    assert both.appearance is not None
    assert (both.appearance.image == [LIT, LIT, 0, 0]).all()
    rgb, house = seen(both), seen(wall)
    assert [rgb[p].tolist() for p in TEN] == [texel(noise(), *p) for p in TEN]
    views = Renderer(both).render((0, 0, 0), width=WIDTH, height=HEIGHT, vfov=60)
    rest = views.instance[0] < 1
    inner = rest & (np.roll(rest, 1, 0) & np.roll(rest, -1, 0) & np.roll(rest, 1, 1) & np.roll(rest, -1, 1))
    assert inner.sum() > 50
    assert (
        np.abs(rgb[inner].astype(int) - house[inner]).mean() < 3
    )  # a little shade from what stands in front


@pytest.mark.parametrize("damage", ["cut", "none", "kind", "huge"])
@pytest.mark.parametrize("kind", ["glb", "obj"])
def test_damaged_and_huge_textures_are_named(tmp_path: Path, damage: str, kind: str) -> None:
    whole = png(rng_for(1, "large").integers(0, 256, (64, 64, 3), dtype=np.uint8))
    header = struct.pack(">IIBBBBB", 60000, 60000, 8, 2, 0, 0, 0)
    content = {
        "cut": whole[:600],
        "none": b"",
        "kind": b"no image",
        "huge": whole[:16] + header + whole[29:],
    }[damage]
    if kind == "glb":
        path = gltf(
            tmp_path,
            "bad.glb",
            content,
            materials=[{"pbrMetallicRoughness": {"baseColorTexture": {"index": 0}}}],
        )
    else:
        path = tmp_path / "bad.obj"
        sheet(trimesh.visual.material.SimpleMaterial(image=Image.fromarray(noise()))).export(path)
        (image,) = tmp_path.glob("*.png")
        image.write_bytes(content)
    with pytest.raises(InputError, match=r"bad\.(glb|obj): .*texture image") as caught:
        load_mesh(path)
    assert caught.value.fix


def test_a_texture_that_is_not_there_is_named(tmp_path: Path) -> None:
    sheet(trimesh.visual.material.SimpleMaterial(image=Image.fromarray(noise()))).export(
        tmp_path / "bare.obj"
    )
    (image,) = tmp_path.glob("*.png")
    image.unlink()
    with pytest.raises(InputError, match="no such file beside"):
        load_mesh(tmp_path / "bare.obj")


@pytest.mark.parametrize(
    "changes",
    [
        {"extensionsRequired": ["KHR_draco_mesh_compression"]},
        {"textures": [{"extensions": {"KHR_texture_basisu": {"source": 0}}}]},
        {"nodes": [{"mesh": 0, "children": [0]}]},
        {"nodes": [{"mesh": 7}]},
        {"images": []},
        {"samplers": [{"wrapS": 3}]},
        {"bufferViews": [{"buffer": 0, "byteOffset": 4, "byteLength": 1 << 40}]},
        {"buffers": [{"uri": "https://example.org/a.bin"}]},
        {"accessors": [{"bufferView": 0, "type": "VEC3", "count": 1 << 50, "componentType": 5126}]},
        {"nodes": [{"mesh": 0, "translation": [0, math.nan, 0]}]},
        {"asset": "2.0"},
        {"extensionsRequired": 5},
    ],
)  # fmt: skip
def test_files_that_contradict_themselves_are_refused(tmp_path: Path, changes: dict[str, Any]) -> None:
    with pytest.raises(InputError, match=r"odd\.glb") as caught:
        load_mesh(gltf(tmp_path, "odd.glb", png(noise()), **changes))
    assert caught.value.fix


@pytest.mark.parametrize(("attribute", "count"), [("COLOR_0", 2), ("TEXCOORD_0", 2), ("TEXCOORD_0", 0)])
def test_files_with_too_few_colours_are_refused(tmp_path: Path, attribute: str, count: int) -> None:
    path = gltf(tmp_path, "few.glb", png(noise()))
    header, data = opened(path, path.read_bytes())
    (primitive,) = header["meshes"][0]["primitives"]
    few = {**header["accessors"][primitive["attributes"]["POSITION"]], "count": count}
    few["type"] = "VEC2" if attribute == "TEXCOORD_0" else "VEC3"
    primitive["attributes"][attribute] = len(header["accessors"])
    header["accessors"].append(few)
    path.write_bytes(container(header, data))
    with pytest.raises(InputError, match=r"few\.glb.* vertices"):
        load_mesh(path)


@pytest.mark.parametrize("width", [1e5, 1e25])
def test_endless_ground_is_drawn(tmp_path: Path, width: float) -> None:
    corners = np.array([[-width, 1.0, -1.0], [width, 1.0, -1.0], [0.0, width, -1.0]])
    ground = trimesh.Trimesh(corners, [[0, 1, 2]], process=False)
    sheet = trimesh.Trimesh(CORNERS, FACES, process=False)
    trimesh.Scene([ground, sheet]).export(tmp_path / "wide.ply")
    assert seen(load_mesh(tmp_path / "wide.ply")).shape == (HEIGHT, WIDTH, 3)


def test_faces_without_vertices_are_refused(tmp_path: Path) -> None:
    mesh = load_mesh(gltf(tmp_path, "good.glb", png(noise())))
    to_glb(replace(mesh, faces=mesh.faces % 3), tmp_path / "own.glb")
    header, data = opened(tmp_path / "own.glb", (tmp_path / "own.glb").read_bytes())
    (primitive,) = header["meshes"][0]["primitives"]
    start = header["bufferViews"][header["accessors"][primitive["indices"]]["bufferView"]]["byteOffset"]
    changed = data[:start] + struct.pack("<I", 99) + data[start + 4 :]
    (tmp_path / "own.glb").write_bytes(container(header, changed))
    with pytest.raises(InputError, match=r"own\.glb"):
        load_mesh(tmp_path / "own.glb")


@pytest.mark.parametrize("own", [False, True], ids=["foreign", "own"])
def test_mutated_files_are_read_or_refused(tmp_path: Path, own: bool) -> None:
    path = gltf(tmp_path, "good.glb", png(noise()))
    if own:
        to_glb(load_mesh(path), path)
    good = path.read_bytes()
    rng, refused = rng_for(0, "own mutations" if own else "mutations"), 0
    for _ in range(300):
        raw = bytearray(good)
        for at in rng.integers(12, len(raw), int(rng.integers(1, 4))):
            raw[at] = int(rng.integers(32, 127))
        path.write_bytes(raw)
        try:
            mesh = load_mesh(path)
        except InputError:
            refused += 1
        else:
            assert seen(mesh).shape == (HEIGHT, WIDTH, 3)
    assert 0 < refused < 300


def test_plain_materials_are_lit_and_have_no_appearance(tmp_path: Path) -> None:
    plain = load_mesh(
        gltf(tmp_path, "plain.glb", materials=[{"pbrMetallicRoughness": {"baseColorFactor": [1, 0, 0, 1]}}])
    )
    assert plain.appearance is None
    assert plain.colour.tolist() == [[255, 0, 0]] * 2
    assert (
        opened(tmp_path / "plain.glb", (tmp_path / "plain.glb").read_bytes())[0]["asset"]["version"] == "2.0"
    )
