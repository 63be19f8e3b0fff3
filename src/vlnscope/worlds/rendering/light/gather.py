"""How light reaches the storage points: straight from the sun, the sky and lamps, and by way of other points.

Every point sends rays once; where each of them ends is kept. Light then travels along the rays as often as
it is to bounce, which costs no more rays. Light is measured so that a white page shows it as it is:
irradiance divided by pi.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from vlnscope.core.compiled import compiled
from vlnscope.types import Floats
from vlnscope.worlds.rendering.light.charts import LightAtlas
from vlnscope.worlds.rendering.light.emitters import GLASS, Emitters, lamps, panes
from vlnscope.worlds.rendering.light.sampling import OFF, PATTERNS, aim, aim_at, frame, hemisphere, spread
from vlnscope.worlds.rendering.light.sky import Sky, sky_radiance
from vlnscope.worlds.rendering.light.surfaces import face_normals
from vlnscope.worlds.rendering.light.tracing import FaceScene
from vlnscope.worlds.rendering.mesh import Mesh

BOUNCES = 4
"""How often light is handed on; what would follow is a few percent."""
_STEP = 1 << 15
_SUN_RAYS = 4
_SUN_WIDTH = 0.012
_THROUGH = 0.5


@dataclass(frozen=True, eq=False)
class Gathered:
    """Light at the points of an atlas, in parts that differ in how fast they change from place to place.

    Attributes:
        sun: straight from the sun, (n, 3).
        soft: everything else.
        room: per point the harmonic mean distance to what its rays meet, in metres.
        buried: share of a point's rays that meet the back of a face; above a half it lies inside something.
    """

    sun: NDArray[np.float32]
    soft: NDArray[np.float32]
    room: NDArray[np.float32]
    buried: NDArray[np.float32]


@dataclass(frozen=True, eq=False)
class _Aimed:
    """Rays through panes: what they add per unit of light, and the points where they end."""

    weight: NDArray[np.float32]
    ends: NDArray[np.int32]


class LightGatherer:
    """A mesh, its points and a sky, ready to let light travel."""

    def __init__(self, mesh: Mesh, atlas: LightAtlas, sky: Sky, albedo: Floats, rays: int) -> None:
        self.points, self.sky, self.rays = atlas.points, sky, rays
        self._atlas = atlas
        vertices = np.asarray(mesh.vertices, dtype=np.float64)
        normals, _ = face_normals(vertices[mesh.faces])
        offset = (normals * vertices[mesh.faces[:, 0]]).sum(axis=1, keepdims=True)
        self._planes = np.concatenate([normals, offset], axis=1)
        self._albedo = albedo
        self._panes = panes(mesh)
        solid = mesh.texture != GLASS
        self._open = FaceScene(vertices, mesh.faces, solid)
        self._glazed = (
            FaceScene(vertices, mesh.faces, solid | (self._panes.of_face >= 0))
            if len(self._panes)
            else self._open
        )
        self._params = sky.params(disc=False)
        self._lamps = lamps(mesh, albedo)
        self._bright = np.zeros(0)

    def gather(self, *, lamps_on: bool) -> Gathered:
        """Return the light at all points."""
        count = len(self.points)
        direct = np.zeros((count, 3), dtype=np.float32)
        ends = np.full((count, self.rays), -1, dtype=np.int32)
        room = np.zeros(count, dtype=np.float32)
        buried = np.zeros(count, dtype=np.float32)
        seen = np.zeros((int(self.points.group.max(initial=0)) + 1, max(len(self._panes), 1)), dtype=np.bool_)
        self._look_around(direct, ends, room, buried, seen)
        aimed = self._look_out(direct, seen)
        sun = self._sunlight()
        if lamps_on:
            self._lamplight(direct)
        soft = self._bounced(direct, sun, ends, aimed)
        return Gathered(sun, soft, room, buried)

    def _parts(self) -> list[slice]:
        return [slice(low, low + _STEP) for low in range(0, len(self.points), _STEP)]

    def _look_around(
        self,
        direct: NDArray[np.float32],
        ends: NDArray[np.int32],
        room: NDArray[np.float32],
        buried: NDArray[np.float32],
        seen: NDArray[np.bool_],
    ) -> None:
        table, points = hemisphere(self.rays), self.points
        for own in self._parts():
            normal = points.normal[own]
            origins = np.empty((len(normal) * self.rays, 3), dtype=np.float32)
            ways = np.empty_like(origins)
            aim(points.position[own], normal, points.pattern[own], table, origins, ways)
            faces = self._glazed.first_faces(origins, ways)
            _resolve(
                faces, origins, ways, self._planes, self._panes.of_face, self._atlas.frames,
                self._atlas.texel_point, self._params, points.group[own], seen,
                direct[own], ends[own], room[own], buried[own],
            )  # fmt: skip

    def _look_out(self, direct: NDArray[np.float32], seen: NDArray[np.bool_]) -> _Aimed:
        count, rays = len(self.points), max(2, self.rays // 3) if len(self._panes) else 0
        aimed = _Aimed(np.zeros((count, rays), dtype=np.float32), np.full((count, rays), -1, dtype=np.int32))
        if not rays:
            return aimed
        for own in self._parts():
            origins, ways, weight, _ = self._aim_at(self._panes, np.ones(len(self._panes)), seen, own, rays)
            used = np.flatnonzero(weight > 0.0)
            faces = self._open.first_faces(origins[used], ways[used])
            _resolve_aimed(
                faces, used, rays, origins, ways, weight, self._planes, self._atlas.frames,
                self._atlas.texel_point, self._params, direct[own], aimed.weight[own], aimed.ends[own],
            )  # fmt: skip
        return aimed

    def _aim_at(
        self, at: Emitters, bright: Floats, seen: NDArray[np.bool_], own: slice, rays: int
    ) -> tuple[NDArray[np.float32], NDArray[np.float32], NDArray[np.float32], NDArray[np.int32]]:
        points = self.points
        position = points.position[own]
        origins = np.empty((len(position) * rays, 3), dtype=np.float32)
        ways = np.empty_like(origins)
        weight = np.empty(len(origins), dtype=np.float32)
        which = np.empty(len(origins), dtype=np.int32)
        aim_at(
            position, points.normal[own], points.pattern[own], points.group[own], seen, rays,
            at.corners, at.normal, at.share, at.first, at.centre, at.area, bright,
            origins, ways, weight, which,
        )  # fmt: skip
        return origins, ways, weight, which

    def _sunlight(self) -> NDArray[np.float32]:
        points = self.points
        light = np.zeros((len(points), 3), dtype=np.float32)
        sun = np.array(self.sky.sun)
        facing = points.normal @ sun
        lit = np.flatnonzero(facing > 0.0)
        if max(self.sky.sunlight) <= 0.0 or sun[2] <= 0.0 or not len(lit):
            return light
        origins = np.empty((len(lit) * _SUN_RAYS, 3), dtype=np.float32)
        ways = np.empty_like(origins)
        _aim_at_sun(points.position, points.normal, points.pattern, lit, sun, _SUN_RAYS, origins, ways)
        reach = np.full(len(origins), 1e4, dtype=np.float32)
        open_ = ~self._open.blocked(origins, ways, reach)
        share = open_.reshape(-1, _SUN_RAYS).mean(axis=1) * facing[lit]
        light[lit] = (share[:, None] * np.array(self.sky.sunlight)).astype(np.float32)
        return light

    def _lamplight(self, direct: NDArray[np.float32]) -> None:
        if not len(self._lamps):
            return
        rays = max(4, self.rays // 3)
        seen = np.ones((int(self.points.group.max()) + 1, len(self._lamps)), dtype=np.bool_)
        bright = self._lamps.power.mean(axis=1)
        for own in self._parts():
            origins, ways, weight, which = self._aim_at(self._lamps, bright, seen, own, rays)
            used = np.flatnonzero(weight > 0.0)
            reach = np.full(len(used), 1.0 - 2e-3, dtype=np.float32)
            free = used[~self._open.blocked(origins[used], ways[used], reach)]
            for channel in range(3):
                added = weight[free] * self._lamps.power[which[free], channel]
                direct[own, channel] += np.bincount(free // rays, added, len(direct[own])).astype(np.float32)

    def _bounced(
        self, direct: NDArray[np.float32], sun: NDArray[np.float32], ends: NDArray[np.int32], aimed: _Aimed
    ) -> NDArray[np.float32]:
        albedo = self._albedo[self.points.face].astype(np.float32)
        soft = direct
        soft = direct.copy()
        for _ in range(BOUNCES):
            soft = _hand_on(albedo * (soft + sun), direct, ends, aimed.weight, aimed.ends)
        return soft


@compiled
def _aim_at_sun(
    position: Floats,
    normal: Floats,
    pattern: NDArray[np.int64],
    lit: NDArray[np.int64],
    sun: Floats,
    rays: int,
    origins: NDArray[np.float32],
    ways: NDArray[np.float32],
) -> None:
    ux, uy, uz, vx, vy, vz = frame(sun[0], sun[1], sun[2])
    for i in range(len(lit)):
        p = lit[i]
        for k in range(rays):
            s, t, _ = spread(pattern[p], k, rays)
            s, t = (2.0 * s - 1.0) * _SUN_WIDTH, (2.0 * t - 1.0) * _SUN_WIDTH
            at = i * rays + k
            for j in range(3):
                origins[at, j] = position[p, j] + OFF * normal[p, j]
            ways[at, 0] = sun[0] + s * ux + t * vx
            ways[at, 1] = sun[1] + s * uy + t * vy
            ways[at, 2] = sun[2] + s * uz + t * vz


@compiled
def _end_of(
    face: int,
    origin: NDArray[np.float32],
    way: NDArray[np.float32],
    planes: Floats,
    frames: NDArray[np.float32],
    texel_point: NDArray[np.int32],
) -> tuple[int, float, float]:
    """Return the point nearest to where a ray meets a face, how far that is, and the slope of the ray."""
    nx, ny, nz = planes[face, 0], planes[face, 1], planes[face, 2]
    slope = nx * way[0] + ny * way[1] + nz * way[2]
    far = 0.0
    if slope != 0.0:
        far = max(0.0, (planes[face, 3] - nx * origin[0] - ny * origin[1] - nz * origin[2]) / slope)
    x, y, z = origin[0] + far * way[0], origin[1] + far * way[1], origin[2] + far * way[2]
    column = frames[face, 0, 0] * x + frames[face, 0, 1] * y + frames[face, 0, 2] * z + frames[face, 0, 3]
    row = frames[face, 1, 0] * x + frames[face, 1, 1] * y + frames[face, 1, 2] * z + frames[face, 1, 3]
    i = min(max(int(row + 0.5), 0), texel_point.shape[0] - 1)
    j = min(max(int(column + 0.5), 0), texel_point.shape[1] - 1)
    return texel_point[i, j], far, slope


@compiled
def _resolve(
    faces: NDArray[np.int32],
    origins: NDArray[np.float32],
    ways: NDArray[np.float32],
    planes: Floats,
    pane_of: NDArray[np.int32],
    frames: NDArray[np.float32],
    texel_point: NDArray[np.int32],
    params: Floats,
    group: NDArray[np.int64],
    seen: NDArray[np.bool_],
    direct: NDArray[np.float32],
    ends: NDArray[np.int32],
    room: NDArray[np.float32],
    buried: NDArray[np.float32],
) -> None:
    """Note where the rays of points end: in the sky, at another point, or at a pane that is looked at later."""
    rays = ends.shape[1]
    for p in range(len(ends)):
        r, g, b = 0.0, 0.0, 0.0
        near, behind = 0.0, 0
        for k in range(rays):
            at = p * rays + k
            face = faces[at]
            if face < 0:
                red, green, blue = sky_radiance(params, ways[at, 0], ways[at, 1], ways[at, 2])
                r, g, b = r + red, g + green, b + blue
                continue
            point, far, slope = _end_of(face, origins[at], ways[at], planes, frames, texel_point)
            near += 1.0 / max(far, 0.01)
            if pane_of[face] >= 0:
                seen[group[p], pane_of[face]] = True
            else:
                ends[p, k] = point
                behind += slope > 0.0
        direct[p, 0] += r / rays
        direct[p, 1] += g / rays
        direct[p, 2] += b / rays
        room[p] = rays / max(near, 1e-3)
        buried[p] = behind / rays


@compiled
def _resolve_aimed(
    faces: NDArray[np.int32],
    used: NDArray[np.int64],
    rays: int,
    origins: NDArray[np.float32],
    ways: NDArray[np.float32],
    weight: NDArray[np.float32],
    planes: Floats,
    frames: NDArray[np.float32],
    texel_point: NDArray[np.int32],
    params: Floats,
    direct: NDArray[np.float32],
    weights: NDArray[np.float32],
    ends: NDArray[np.int32],
) -> None:
    """Note what rays through panes see; those that end before the pane count as rays that are not aimed."""
    for i in range(len(used)):
        at = used[i]
        p = at // rays
        if faces[i] < 0:
            x, y, z = ways[at, 0], ways[at, 1], ways[at, 2]
            length = (x * x + y * y + z * z) ** 0.5
            r, g, b = sky_radiance(params, x / length, y / length, z / length)
            direct[p, 0] += weight[at] * r
            direct[p, 1] += weight[at] * g
            direct[p, 2] += weight[at] * b
            continue
        point, far, _ = _end_of(faces[i], origins[at], ways[at], planes, frames, texel_point)
        if far > 1.0:
            weights[p, at % rays] = weight[at]
            ends[p, at % rays] = point


@compiled
def _hand_on(
    sent: NDArray[np.float32],
    direct: NDArray[np.float32],
    ends: NDArray[np.int32],
    weights: NDArray[np.float32],
    aimed: NDArray[np.int32],
) -> NDArray[np.float32]:
    """Return what points get if others send this on."""
    light = np.empty_like(direct)
    rays = ends.shape[1]
    for p in range(len(direct)):
        r, g, b = 0.0, 0.0, 0.0
        for k in range(rays):
            q = ends[p, k]
            if q >= 0:
                r, g, b = r + sent[q, 0], g + sent[q, 1], b + sent[q, 2]
        r, g, b = r / rays, g / rays, b / rays
        for k in range(weights.shape[1]):
            q, w = aimed[p, k], weights[p, k]
            if q >= 0:
                r, g, b = r + w * sent[q, 0], g + w * sent[q, 1], b + w * sent[q, 2]
        light[p, 0], light[p, 1], light[p, 2] = direct[p, 0] + r, direct[p, 1] + g, direct[p, 2] + b
    return light
