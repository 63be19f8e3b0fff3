"""What light comes from that rays should be aimed at: window panes, lamps and patches of sunlight.

A pane is the glass of one object if it is flat; the sky and the garden behind it light a room, and rays that
leave at random would seldom find it. A lamp is the glowing faces of one object. A
patch is what the sun lights of a flat piece indoors, often much brighter than all else in the room.
"""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from vlnscope.types import Floats
from vlnscope.worlds.rendering.light.charts import LightPoints
from vlnscope.worlds.rendering.light.surfaces import face_normals
from vlnscope.worlds.rendering.mesh import TEXTURES, Mesh

GLASS, GLOW = TEXTURES.index("glass"), TEXTURES.index("glow")
_SMALLEST = 0.05
_FLAT = 0.8
_LUMINOUS = 2.2
_FULL = 0.06


@dataclass(frozen=True, eq=False)
class Emitters:
    """Groups of triangles that light comes from or through.

    Attributes:
        corners: of the triangles, those of a group one after another, (n, 3, 3).
        normal: unit normal per triangle.
        share: running share of the group's area up to and with each triangle.
        first: number of the first triangle of each group, and after the last.
        centre: middle of each group.
        area: of each group, in square metres.
        power: radiance of each group, (n, 3); 0 for panes.
        of_face: number of the group of every face of the mesh (for patches: of every point), -1 for none;
            both sides of panes count.
    """

    corners: Floats
    normal: Floats
    share: Floats
    first: NDArray[np.int64]
    centre: Floats
    area: Floats
    power: Floats
    of_face: NDArray[np.int32]

    def __len__(self) -> int:
        return len(self.area)


def panes(mesh: Mesh) -> Emitters:
    """Find the window panes: glass of one object, almost all of it in parallel faces."""
    corners, normals, areas = _measured(mesh)
    glass = np.flatnonzero(mesh.texture == GLASS)
    of_face = np.full(len(mesh), -1, dtype=np.int32)
    kept: list[NDArray[np.int64]] = []
    for own in _by_object(mesh, glass):
        main = normals[own[np.argmax(areas[own])]]
        facing = normals[own] @ main
        front = areas[own][facing > 0.95].sum()
        parallel = areas[own][np.abs(facing) > 0.95].sum()
        if front < _SMALLEST or parallel < _FLAT * areas[own].sum():
            continue
        of_face[own] = len(kept)
        kept.append(own[facing > 0.95])
    return _emitters(kept, corners, normals, areas, np.zeros((len(kept), 3)), of_face)


def lamps(mesh: Mesh, albedo: Floats) -> Emitters:
    """Find the lamps: small ones shine like bulbs, large ones less, so that all give usual light."""
    corners, normals, areas = _measured(mesh)
    of_face = np.full(len(mesh), -1, dtype=np.int32)
    kept = _by_object(mesh, np.flatnonzero(mesh.texture == GLOW))
    power = np.zeros((len(kept), 3))
    for number, own in enumerate(kept):
        of_face[own] = number
        colour = np.average(albedo[own], axis=0, weights=areas[own] + 1e-12)
        colour = colour / max(float(colour.max()), 1e-6)
        power[number] = _LUMINOUS * min(1.0, _FULL / float(areas[own].sum())) * colour
    return _emitters(kept, corners, normals, areas, power, of_face)


def sun_patches(
    points: LightPoints, sent: NDArray[np.float32], indoors: NDArray[np.bool_]
) -> tuple[Emitters, NDArray[np.int32]]:
    """Find the patches of sunlight indoors.

    Args:
        points: where light is measured.
        sent: red, green and blue sunlight that each sends back.
        indoors: which points see little of the sky.

    Returns:
        The patches, and the number of the patch of each point, -1 for none.
    """
    lit = np.flatnonzero(indoors & (points.pitch > 0.0) & (sent.max(axis=1) > 0.0))
    of_point = np.full(len(points), -1, dtype=np.int32)
    _, patch = np.unique(points.group[lit], return_inverse=True)
    of_point[lit] = patch
    order = lit[np.argsort(patch, kind="stable")]
    groups = np.split(np.arange(len(order)), np.flatnonzero(np.diff(of_point[order])) + 1) if len(lit) else []
    corners, areas = _small_triangles(points, order)
    brightest = [np.average(sent[order[own]], axis=0, weights=areas[own]) for own in groups]
    power = np.array(brightest, dtype=np.float64).reshape(-1, 3)
    return _emitters(groups, corners, points.normal[order], areas, power, of_point), of_point


def _small_triangles(points: LightPoints, chosen: NDArray[np.int64]) -> tuple[Floats, Floats]:
    """Return triangles around points that are as large as their texels."""
    normal, pitch = points.normal[chosen], points.pitch[chosen].astype(np.float64)
    side = np.where(np.abs(normal[:, 2:]) < 0.9, [[0.0, 0.0, 1.0]], [[1.0, 0.0, 0.0]])
    u = np.cross(normal, side)
    u /= np.linalg.norm(u, axis=1, keepdims=True)
    v = np.cross(normal, u)
    radius = (0.8774 * pitch)[:, None]
    turns = [(math.cos(a), math.sin(a)) for a in (0.0, math.tau / 3, 2 * math.tau / 3)]
    corners = np.stack([points.position[chosen] + radius * (c * u + s * v) for c, s in turns], axis=1)
    return corners, pitch * pitch


def _measured(mesh: Mesh) -> tuple[Floats, Floats, Floats]:
    corners = np.asarray(mesh.vertices, dtype=np.float64)[mesh.faces]
    return corners, *face_normals(corners)


def _by_object(mesh: Mesh, faces: NDArray[np.int64]) -> list[NDArray[np.int64]]:
    if not len(faces):
        return []
    order = faces[np.argsort(mesh.instance[faces], kind="stable")]
    return np.split(order, np.flatnonzero(np.diff(mesh.instance[order])) + 1)


def _emitters(
    groups: list[NDArray[np.int64]],
    corners: Floats,
    normals: Floats,
    areas: Floats,
    power: Floats,
    of_face: NDArray[np.int32],
) -> Emitters:
    faces = np.concatenate(groups) if groups else np.zeros(0, dtype=np.int64)
    first = np.cumsum([0, *(len(own) for own in groups)])
    area = np.array([areas[own].sum() for own in groups])
    share = [np.cumsum(areas[own]) / max(float(areas[own].sum()), 1e-12) for own in groups]
    centre = [np.average(corners[own].mean(axis=1), axis=0, weights=areas[own] + 1e-12) for own in groups]
    return Emitters(
        corners[faces],
        normals[faces],
        np.concatenate(share) if share else np.zeros(0),
        first.astype(np.int64),
        np.array(centre).reshape(-1, 3),
        area,
        power,
        of_face,
    )
