"""Which files of a scene are its semantics, and how they lie."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import replace
from pathlib import Path
from typing import NamedTuple

import numpy as np

from vlnscope.core.exceptions import MissingLayerError
from vlnscope.types import Floats
from vlnscope.worlds.frames import turned_to_habitat, turned_to_mattersim
from vlnscope.worlds.rendering.mesh import Mesh
from vlnscope.worlds.semantics.semantics import Semantics


class SemanticForm(NamedTuple):
    """A form in which semantics are published.

    Attributes:
        mesh: how the name of the semantic mesh ends, after the scan's.
        table: how the name of its table ends.
    """

    mesh: str
    table: str


HM3D, MP3D = SemanticForm(".semantic.glb", ".semantic.txt"), SemanticForm("_semantic.ply", ".house")
SEMANTIC_ENDINGS = (*HM3D, *MP3D)
"""How the names of all files end that are read here."""


def load_semantics(scan: str, files: Mapping[str, Path], drawn: Callable[[], Mesh]) -> Semantics:
    """Read the semantics of a scene; if there are several, HM3D's.

    Args:
        scan: the id of the scene.
        files: its files, by the endings of `SEMANTIC_ENDINGS`.
        drawn: makes the mesh of the scene's pictures, as files do not say which of their axes is up.

    Raises:
        MissingLayerError: a mesh without a table, or a table without a mesh.
        InputError: a file is damaged, or the two do not belong together.
    """
    if {*HM3D} <= {*files}:
        from vlnscope.worlds.semantics.hm3d import read_hm3d

        return _lying_as(read_hm3d(files[HM3D.mesh], files[HM3D.table]), drawn())
    if {*MP3D} <= {*files}:
        from vlnscope.worlds.semantics.mp3d import read_mp3d

        return _lying_as(read_mp3d(files[MP3D.mesh], files[MP3D.table]), drawn())
    there = ", ".join(sorted(path.name for path in files.values()))
    raise MissingLayerError(
        f"scene {scan} has {there or 'no semantics'}, but not what belongs to it",
        expected=" or ".join(f"{scan}{form.mesh} with {scan}{form.table}" for form in (HM3D, MP3D)),
        fix="put both files beside the scene's mesh",
    )


def _lying_as(semantics: Semantics, drawn: Mesh) -> Semantics:
    """Turn semantics so that they lie where the drawn mesh does."""
    points = semantics.mesh.vertices
    ways = (points, turned_to_habitat(points), turned_to_mattersim(points))
    box = _box(drawn.vertices)
    best = min(ways, key=lambda way: float(np.abs(_box(way) - box).sum()))
    return replace(semantics, mesh=replace(semantics.mesh, vertices=best))


def _box(points: Floats) -> Floats:
    return np.stack([points.min(axis=0), points.max(axis=0)])
