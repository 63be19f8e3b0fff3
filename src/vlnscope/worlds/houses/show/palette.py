"""The colours of a house: those that cover most of what is in it, no two alike."""

from __future__ import annotations

import numpy as np

from vlnscope.worlds.rendering.mesh import TEXTURES, Mesh

RGB = tuple[int, int, int]
_APART = 42.0
_OUTSIDE = ("ground", "sky", "roof", "tree", "hedge", "fence", "road", "neighbour", "grass", "path")
_CLEAR = tuple(TEXTURES.index(name) for name in ("glass", "mirror", "glow"))


def house_palette(mesh: Mesh, count: int) -> list[RGB]:
    """Return up to `count` colours by the area that they cover, those alike an earlier one left out.

    Large areas count by their square root, so that walls do not outshine everything. The colours are sorted
    from light to dark. What lies outside does not count, nor do panes, mirrors and lamps.
    """
    outside = [number for number, name in enumerate(mesh.classes) if name in _OUTSIDE]
    wanted = ~np.isin(mesh.semantic, outside) & ~np.isin(mesh.texture, _CLEAR)
    corners = mesh.vertices[mesh.faces[wanted]]
    area = np.linalg.norm(np.cross(corners[:, 1] - corners[:, 0], corners[:, 2] - corners[:, 0]), axis=1) / 2
    colours, number = np.unique(mesh.colour[wanted], axis=0, return_inverse=True)
    weight = np.sqrt(np.bincount(number.reshape(-1), weights=area, minlength=len(colours)))
    weight *= 1.0 + np.ptp(colours.astype(np.float64), axis=1) / 96.0
    chosen: list[RGB] = []
    for row in np.argsort(-weight, kind="stable").tolist():
        red, green, blue = (int(part) for part in colours[row])
        if all(_distance((red, green, blue), other) > _APART for other in chosen):
            chosen.append((red, green, blue))
        if len(chosen) == count:
            break
    return sorted(chosen, key=lambda colour: -(0.3 * colour[0] + 0.6 * colour[1] + 0.1 * colour[2]))


def _distance(one: RGB, other: RGB) -> float:
    return float(np.linalg.norm(np.subtract(one, other)))
