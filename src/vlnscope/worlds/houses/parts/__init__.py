"""Meshes of furniture and smaller things, put together from parametric parts.

To add a class, add a function with the decorator ``@part("its name")`` to a module of this package (or a
new module; all modules here and in its rooms are loaded). To add another shape of a class, add another
function with the same name in its decorator.
"""

from __future__ import annotations

import difflib
import importlib
import math
import pkgutil
from collections.abc import Sequence
from functools import lru_cache

import numpy as np

from vlnscope.core.exceptions import InputError
from vlnscope.worlds.houses.parts.kit import MAKERS, Kit
from vlnscope.worlds.houses.plan.plan import PlanItem
from vlnscope.worlds.rendering.appearance import MeshAppearance, joined, lit
from vlnscope.worlds.rendering.mesh import Mesh

for _module in sorted(module.name for module in pkgutil.walk_packages(__path__, f"{__name__}.")):
    importlib.import_module(_module)

_KEPT = 1024
"""Meshes of items that are kept: copies of a house that was edited share nearly all of theirs."""


def part_names() -> tuple[str, ...]:
    """Return the classes of items that have a mesh, sorted."""
    return tuple(sorted(MAKERS))


def item_mesh(item: PlanItem) -> Mesh:
    """Return the mesh of an item, in the coordinates of the house.

    It fills the item's box (size, position, yaw) exactly. Patterns such as pictures and book spines depend
    on the item's id and size; the shape on its class, size, material, whether it is mounted and its id, but
    not on the id for classes that come in sets (`kit.SETS`), so that the chairs of a table are alike.

    Raises:
        InputError: the class, the colour or the size of the item cannot be used.
    """
    return items_mesh([item])


def items_mesh(items: Sequence[PlanItem], style: str = "") -> Mesh:
    """Return the meshes of many items as one mesh; without items it is empty.

    The style of the house decides the tone of the wood.
    """
    made = [_made(item, style) for item in items]
    meshes = [(points, faces, looks) for points, faces, looks, _ in made]
    classes = tuple(dict.fromkeys(item.name for item in items))
    objects = tuple(dict.fromkeys(item.id for item in items))
    counts = [len(faces) for _, faces, _ in meshes]
    starts = np.cumsum([0, *(len(points) for points, _, _ in meshes)])
    none = np.zeros((0, 3))
    looks = np.concatenate([np.zeros((0, 4), dtype=np.uint8), *(looks for _, _, looks in meshes)])
    return Mesh(
        vertices=np.concatenate([none, *(points for points, _, _ in meshes)]),
        faces=np.concatenate(
            [none.astype(np.int32), *(f + np.int32(s) for (_, f, _), s in zip(meshes, starts, strict=False))]
        ),
        colour=np.ascontiguousarray(looks[:, :3]),
        texture=np.ascontiguousarray(looks[:, 3]),
        semantic=np.repeat(np.array([classes.index(item.name) for item in items], dtype=np.int32), counts),
        instance=np.repeat(np.array([objects.index(item.id) for item in items], dtype=np.int32), counts),
        classes=classes,
        objects=objects,
        appearance=_printed([(len(faces), look) for _, faces, _, look in made]),
    )


def _printed(parts: Sequence[tuple[int, MeshAppearance | None]]) -> MeshAppearance | None:
    if all(look is None for _, look in parts):
        return None
    return joined([look or lit(count) for count, look in parts])


@lru_cache(maxsize=_KEPT)
def _made(item: PlanItem, style: str) -> tuple[np.ndarray, np.ndarray, np.ndarray, MeshAppearance | None]:
    kit = Kit(_checked(item), style)
    kit.make()
    points, faces, looks = kit.collected()
    angle = math.radians(item.yaw)
    cos, sin = round(math.cos(angle), 12), round(math.sin(angle), 12)
    turn = np.array(((cos, sin, 0.0), (-sin, cos, 0.0), (0.0, 0.0, 1.0)))
    return points @ turn + np.array(item.position), faces, looks, kit.appearance()


def _checked(item: PlanItem) -> PlanItem:
    if item.name not in MAKERS:
        near = difflib.get_close_matches(item.name, MAKERS, n=1)
        raise InputError(
            f"item {item.id}: no mesh is known for the class {item.name!r}"
            + (f"; did you mean {near[0]!r}?" if near else ""),
            expected=f"one of {', '.join(part_names())}",
            fix="change the name of the item in the plan",
        )
    if not all(math.isfinite(side) and side > 0 for side in item.size):
        raise InputError(
            f"item {item.id}: its size is {item.size}",
            expected="three positive numbers: width, depth, height",
            fix="change the size of the item in the plan",
        )
    return item
