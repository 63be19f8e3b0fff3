"""What finishes walls and ceilings: where it is, what it belongs to, and that it is in nobody's way."""

from __future__ import annotations

import math

import msgspec
import numpy as np
import pytest

from vlnscope.worlds.houses.mesh.ceilings import ceiling_build
from vlnscope.worlds.houses.mesh.house import shell_mesh
from vlnscope.worlds.houses.mesh.trim import wall_finish
from vlnscope.worlds.houses.plan.plan import WALL, Floor, FloorPlan, Opening, PlanItem, Room
from vlnscope.worlds.rendering.mesh import Mesh
from vlnscope.worlds.rendering.rays import RayScene

HALF = WALL / 2
DOOR = Opening(id="d", kind="door", rooms=("a", None), floor=0, centre=(3, 0), axis="x", width=0.9)
WINDOW = Opening(
    id="w",
    kind="window",
    rooms=("a", None),
    floor=0,
    centre=(1.5, 4),
    axis="x",
    width=1.2,
    sill=0.9,
    head=2.1,
)


def one_room(id: str = "box", style: str = "classic", label: str = "l", **changes: object) -> FloorPlan:  # noqa: A002
    room = Room(id="a", label=label, floor=0, polygon=((0, 0), (6, 0), (6, 4), (0, 4)))
    return FloorPlan(
        id=id,
        style=style,
        floors=(Floor(level=0, elevation=0.0),),
        rooms=(msgspec.structs.replace(room, **changes),),
        openings=(DOOR, WINDOW),
    )


def points(mesh: Mesh, kind: str) -> np.ndarray:
    if kind not in mesh.classes:
        return np.zeros((0, 3))
    return np.asarray(mesh.vertices[mesh.faces[mesh.semantic == mesh.classes.index(kind)].reshape(-1)])


def first(mesh: Mesh, origin: tuple[float, float, float], way: tuple[float, float, float]) -> str:
    return str(mesh.classes[mesh.semantic[RayScene(mesh).first_hits([origin], [way])[0]]])


def plan_with(kind: str) -> FloorPlan:
    """Return a room whose ceiling is built in some way."""
    styles = {"beams": "rustic", "coffers": "classic", "slats": "modern", "girders": "industrial"}
    plans = (one_room(f"box-{k}", styles.get(kind, "mediterranean")) for k in range(60))
    return next(plan for plan in plans if ceiling_build(plan, plan.rooms[0]).kind == kind)


def panelled(want: str) -> FloorPlan:
    plans = (one_room(f"box-{k}") for k in range(60))
    return next(plan for plan in plans if wall_finish(plan, plan.rooms[0]).dado == want)


def test_skirting_runs_along_all_walls_but_not_through_doors() -> None:
    mesh = shell_mesh(one_room())
    for x, y, way in ((1.0, 2.0, (0, -1, 0)), (3.0, 2.0, (-1, 0, 0)), (3.0, 3.0, (0, 1, 0))):
        assert first(mesh, (x, y, 0.05), way) == "skirting"
    assert first(mesh, (3.0, 2.0, 0.05), (0, -1, 0)) != "skirting"


@pytest.mark.parametrize("kind", ["skirting", "cornice", "panelling", "light switch", "socket"])
def test_trim_stays_close_to_walls(kind: str) -> None:
    reach = 0.19 if kind == "cornice" else 0.03
    found = points(shell_mesh(panelled("panelling")), kind)
    assert len(found) or kind == "cornice"
    gaps = np.stack(
        [found[:, 0] - HALF, 6 - HALF - found[:, 0], found[:, 1] - HALF, 4 - HALF - found[:, 1]], axis=1
    )
    assert (gaps.min(axis=1) <= reach).all()
    assert (gaps.min(axis=1) >= -1e-9).all()


def test_panelling_ends_at_its_height_and_leaves_openings_free() -> None:
    plan = panelled("panelling")
    mesh = shell_mesh(plan)
    height = wall_finish(plan, plan.rooms[0]).height
    assert points(mesh, "panelling")[:, 2].max() == pytest.approx(height)
    assert first(mesh, (1.0, 2.0, 0.5), (0, -1, 0)) == "panelling"
    assert first(mesh, (1.0, 2.0, height + 0.1), (0, -1, 0)) == "wall"
    assert first(mesh, (1.5, 2.0, 0.95), (0, 1, 0)) == "window"


def test_walls_without_panelling_are_walls() -> None:
    mesh = shell_mesh(panelled(""))
    assert first(mesh, (1.0, 2.0, 0.5), (0, -1, 0)) == "wall"
    assert "panelling" not in mesh.classes


def test_bathrooms_are_tiled_and_the_plan_decides_where_it_says_so() -> None:
    plan = one_room(label="a")
    assert wall_finish(plan, plan.rooms[0]).dado == "tiles"
    plan = one_room(wall_material="panelling")
    assert wall_finish(plan, plan.rooms[0]).dado == "panelling"
    plan = one_room(wall_material="metro tiles")
    assert wall_finish(plan, plan.rooms[0]).dado == "tiles"


def test_a_switch_is_beside_the_door() -> None:
    switch = points(shell_mesh(one_room()), "light switch")
    assert len(switch)
    assert np.all(np.abs(switch[:, 0] - 3) > DOOR.width / 2)
    assert np.all(np.abs(switch[:, 0] - 3) < DOOR.width / 2 + 0.3)
    assert 0.9 < switch[:, 2].mean() < 1.2


@pytest.mark.parametrize("kind", ["beams", "coffers", "slats", "girders"])
def test_ceilings_leave_head_room_and_end_at_the_walls(kind: str) -> None:
    beams = points(shell_mesh(plan_with(kind)), "beam")
    assert len(beams)
    assert beams[:, 2].min() > 2.2
    assert beams[:, 2].max() == pytest.approx(2.6)
    assert beams[:, 0].min() >= HALF - 1e-9
    assert beams[:, 0].max() <= 6 - HALF + 1e-9


def test_plain_ceilings_have_no_beams() -> None:
    assert "beam" not in shell_mesh(plan_with("plain")).classes


def test_beams_keep_out_of_the_way_of_lamps() -> None:
    plan = plan_with("beams")
    lamp = PlanItem(
        id="c", name="chandelier", room="a", position=(3.0, 2.0, 2.1), size=(0.6, 0.6, 0.5), mounted=True
    )
    mesh = shell_mesh(msgspec.structs.replace(plan, items=(lamp,)))
    assert first(mesh, (3.0, 2.0, 1.0), (0, 0, 1)) == "ceiling"


def test_rafters_follow_the_slope_of_an_attic() -> None:
    plan = plan_with("beams")
    floor = Floor(level=0, elevation=0.0, height=2.8, eaves=1.9, ridge="x")
    beams = points(shell_mesh(msgspec.structs.replace(plan, floors=(floor,), openings=())), "beam")
    near = beams[(beams[:, 1] < HALF + 0.02) & (beams[:, 2] < 2.0)]
    assert len(near)
    slope = 1.9 + np.minimum(beams[:, 1] - HALF, 4 - HALF - beams[:, 1])
    assert (beams[:, 2] <= np.minimum(slope, 2.8) + 1e-6).all()


def test_all_trim_belongs_to_its_room() -> None:
    mesh = shell_mesh(panelled("panelling"))
    for kind in ("skirting", "panelling", "light switch", "socket"):
        owners = {mesh.objects[i] for i in mesh.instance[mesh.semantic == mesh.classes.index(kind)]}
        assert owners == {"a"}


def test_faces_of_trim_look_into_the_room() -> None:
    mesh = shell_mesh(plan_with("beams"))
    middle = np.array((3.0, 2.0, 1.3))
    for kind in ("skirting", "beam"):
        faces = mesh.faces[mesh.semantic == mesh.classes.index(kind)]
        a, b, c = (mesh.vertices[faces[:, k]] for k in range(3))
        normal = np.cross(b - a, c - a)
        lower = np.abs(normal[:, 2]) > 0.5 * np.linalg.norm(normal, axis=1)
        inward = (normal * (middle - a)).sum(axis=1)
        assert (inward[lower] > 0).mean() >= (0.99 if kind == "beam" else 0.0)
        assert math.isfinite(float(inward.sum()))
