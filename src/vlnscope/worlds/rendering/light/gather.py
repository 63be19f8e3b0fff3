"""How light reaches the storage points: straight from the sun, the sky and lamps, and by way of other points.

Every point sends rays once; where each of them ends is kept. Light then travels along the rays as often as
it is to bounce, which costs no more rays. Light is measured so that a white page shows it as it is:
irradiance divided by pi.
"""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from vlnscope.core.rng import rng_for
from vlnscope.types import Floats
from vlnscope.worlds.rendering.light.charts import LightAtlas
from vlnscope.worlds.rendering.light.emitters import GLASS, Emitters, lamps, panes, sun_patches
from vlnscope.worlds.rendering.light.ends import AWAY, Singles, hand_on, note_seen, resolve, resolve_aimed
from vlnscope.worlds.rendering.light.sampling import OFF, aim, aim_at, aim_at_sun, hemisphere
from vlnscope.worlds.rendering.light.sky import Sky
from vlnscope.worlds.rendering.light.surfaces import face_normals
from vlnscope.worlds.rendering.light.tracing import FaceScene
from vlnscope.worlds.rendering.mesh import TEXTURES, Mesh

BOUNCES = 4
"""How often light is handed on; what would follow is a few percent."""
_STEP = 1 << 15
_SUN_RAYS = 6
_OPEN = 0.2
_WITNESSES, _LOOKS = 12, 32
_PALE, _MOST_SENT = 0.45, 0.88
_THIN = tuple(TEXTURES.index(name) for name in ("leaves", "needles"))


@dataclass(frozen=True, eq=False)
class GatheredLight:
    """Light at the points of an atlas, in parts that differ in how fast they change from place to place.

    Attributes:
        sun: straight from the sun, (n, 3).
        soft: everything else.
        room: per point the harmonic mean distance to what its rays meet, in metres.
        ends: the point that each of a point's rays meets; `AWAY` where it leaves, `BACK` at the back of a
            face, `PANE` and below at a window (`PANE` minus the number of the pane).
        buried: share of a point's rays that meet the back of a face; above a half it lies inside something.
    """

    sun: Singles
    soft: Singles
    room: Singles
    ends: NDArray[np.int32]
    buried: Singles


@dataclass(frozen=True, eq=False)
class _Aimed:
    """Rays through panes: what they add per unit of light, and the points where they end."""

    weight: Singles
    ends: NDArray[np.int32]


class LightGatherer:
    """A mesh, its points and a sky, ready to let light travel."""

    def __init__(
        self, mesh: Mesh, atlas: LightAtlas, sky: Sky, albedo: Floats, rays: int, seed: int = 0
    ) -> None:
        self.points, self.sky, self.rays = atlas.points, sky, rays
        self._turn = float(rng_for(seed, "light").random())
        self._atlas = atlas
        vertices = np.asarray(mesh.vertices, dtype=np.float64)
        normals, _ = face_normals(vertices[mesh.faces])
        offset = (normals * vertices[mesh.faces[:, 0]]).sum(axis=1, keepdims=True)
        maps = atlas.frames.reshape(-1, 8)
        self._maps = np.concatenate([normals, offset, maps], axis=1).astype(np.float32)
        self._albedo = _sent_on(albedo)[atlas.points.face].astype(np.float32)
        self._thin = np.isin(mesh.texture, _THIN)
        self._groups = int(atlas.points.group.max(initial=0)) + 1
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

    def gather(self, *, lamps_on: bool) -> GatheredLight:
        """Return the light at all points."""
        count = len(self.points)
        direct = np.zeros((count, 3), dtype=np.float32)
        ends = np.full((count, self.rays), AWAY, dtype=np.int32)
        room = np.zeros(count, dtype=np.float32)
        buried = np.zeros(count, dtype=np.float32)
        place = np.zeros((count, 3))
        self._look_around(direct, ends, room, buried, place)
        self._move(place, buried)
        sun = self._sunlight(buried)
        aimed = self._look_out(direct, self._seen(ends, np.zeros(0, dtype=np.int32), len(self._panes)))
        sent = self._albedo * sun
        patches, patch_of = sun_patches(self.points, sent, (ends == AWAY).mean(axis=1) < _OPEN)
        self._add_from(patches, self._seen(ends, patch_of, len(patches)), direct)
        sent[patch_of >= 0] = 0.0
        if lamps_on and len(self._lamps):
            self._add_from(self._lamps, self._lamps_seen(), direct)
        soft = self._bounced(direct, sent, ends, aimed)
        return GatheredLight(sun, soft, room, ends, buried)

    def lamp_power(self) -> Floats:
        """Return the radiance of each lamp when it is on, (n, 3)."""
        return self._lamps.power

    def _parts(self) -> list[slice]:
        return [slice(low, low + _STEP) for low in range(0, len(self.points), _STEP)]

    def _look_around(
        self,
        direct: Singles,
        ends: NDArray[np.int32],
        room: Singles,
        buried: Singles,
        place: Floats,
    ) -> None:
        table, points = hemisphere(self.rays, self._turn), self.points
        for own in self._parts():
            normal = points.normal[own]
            origins = np.empty((len(normal) * self.rays, 3), dtype=np.float32)
            ways = np.empty_like(origins)
            aim(points.position[own], normal, points.pattern[own], points.spread[own], table, origins, ways)
            faces = self._glazed.first_faces(origins, ways)
            resolve(
                faces, origins, ways, self._maps, self._panes.of_face,
                self._atlas.texel_point, self._params, self._thin,
                direct[own], ends[own], room[own], buried[own], place[own],
            )  # fmt: skip

    def _look_out(self, direct: Singles, seen: NDArray[np.bool_]) -> _Aimed:
        count, rays = len(self.points), max(2, self.rays // 3) if len(self._panes) else 0
        aimed = _Aimed(np.zeros((count, rays), dtype=np.float32), np.full((count, rays), -1, dtype=np.int32))
        if not rays:
            return aimed
        for own in self._parts():
            origins, ways, weight, _ = self._aim_at(self._panes, np.ones(len(self._panes)), seen, own, rays)
            used = np.flatnonzero(weight > 0.0)
            faces = self._open.first_faces(origins[used], ways[used])
            resolve_aimed(
                faces, used, rays, origins, ways, weight, self._maps,
                self._atlas.texel_point, self._params, direct[own], aimed.weight[own], aimed.ends[own],
            )  # fmt: skip
        return aimed

    def _aim_at(
        self, at: Emitters, bright: Floats, seen: NDArray[np.bool_], own: slice | NDArray[np.int64], rays: int
    ) -> tuple[Singles, Singles, Singles, NDArray[np.int32]]:
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

    def _move(self, place: Floats, buried: Singles) -> None:
        """Move points of which some rays began inside something to where the others began."""
        points = self.points
        some = ((buried > 0.0) & (buried < 1.0) & (points.spread > 0.0))[:, None]
        self.points = replace(points, position=np.where(some, place - OFF * points.normal, points.position))

    def _sunlight(self, buried: Singles) -> Singles:
        points = self.points
        width = points.spread * (1.0 - buried)
        light = np.zeros((len(points), 3), dtype=np.float32)
        sun = np.array(self.sky.sun)
        facing = points.normal @ sun
        lit = np.flatnonzero(facing > 0.0)
        if max(self.sky.sunlight) <= 0.0 or sun[2] <= 0.0 or not len(lit):
            return light
        origins = np.empty((len(lit) * _SUN_RAYS, 3), dtype=np.float32)
        ways = np.empty_like(origins)
        aim_at_sun(points.position, points.normal, points.pattern, width, lit, sun, _SUN_RAYS, origins, ways)
        reach = np.full(len(origins), 1e4, dtype=np.float32)
        open_ = ~self._open.blocked(origins, ways, reach)
        share = open_.reshape(-1, _SUN_RAYS).mean(axis=1) * facing[lit]
        light[lit] = (share[:, None] * np.array(self.sky.sunlight)).astype(np.float32)
        return light

    def _add_from(self, emitters: Emitters, seen: NDArray[np.bool_], direct: Singles) -> None:
        """Add what emitters send straight to the points."""
        rays, bright = max(4, self.rays // 3), emitters.power.mean(axis=1)
        for own in self._parts() if len(emitters) else ():
            origins, ways, weight, which = self._aim_at(emitters, bright, seen, own, rays)
            used = np.flatnonzero(weight > 0.0)
            reach = np.full(len(used), 1.0 - 2e-3, dtype=np.float32)
            free = used[~self._open.blocked(origins[used], ways[used], reach)]
            for channel in range(3):
                added = weight[free] * emitters.power[which[free], channel]
                direct[own, channel] += np.bincount(free // rays, added, len(direct[own])).astype(np.float32)

    def _lamps_seen(self) -> NDArray[np.bool_]:
        """Return which lamps the points of a group may see: those that some of its points do see."""
        group = self.points.group
        order = np.argsort(group, kind="stable")
        start = np.searchsorted(group[order], np.arange(self._groups + 1))
        step = np.maximum(np.diff(start) // _WITNESSES, 1)
        first = start[:-1][group[order]]
        chosen = order[(np.arange(len(order)) - first) % step[group[order]] == 0]
        every = np.ones((self._groups, len(self._lamps)), dtype=np.bool_)
        bright = self._lamps.power.mean(axis=1)
        origins, ways, weight, which = self._aim_at(self._lamps, bright, every, chosen, _LOOKS)
        used = np.flatnonzero(weight > 0.0)
        reach = np.full(len(used), 1.0 - 2e-3, dtype=np.float32)
        free = used[~self._open.blocked(origins[used], ways[used], reach)]
        seen = np.zeros_like(every)
        seen[group[chosen[free // _LOOKS]], which[free]] = True
        return seen

    def _seen(self, ends: NDArray[np.int32], number: NDArray[np.int32], count: int) -> NDArray[np.bool_]:
        """Return which emitters any point of a group sees: rays that end at a point with their number."""
        seen = np.zeros((self._groups, max(count, 1)), dtype=np.bool_)
        note_seen(ends, number, self.points.group, seen)
        return seen

    def _bounced(self, direct: Singles, sent: Singles, ends: NDArray[np.int32], aimed: _Aimed) -> Singles:
        soft = direct
        for _ in range(BOUNCES):
            soft = hand_on(self._albedo * soft + sent, direct, ends, aimed.weight, aimed.ends)
        return soft


def _sent_on(albedo: Floats) -> Floats:
    """Return what surfaces send on: paler than they look, as most have seams, dust and gloss, and not all."""
    grey = albedo.mean(axis=1, keepdims=True)
    return np.asarray(np.minimum(albedo + _PALE * (grey - albedo), _MOST_SENT))
