"""Roofs of houses: they cover every room, stay above ceilings, and far things are told from near ones."""

from __future__ import annotations

import numpy as np
import pytest
from shapely import Polygon

from vlnscope.worlds.houses.house import generate
from vlnscope.worlds.houses.mesh.builder import inner
from vlnscope.worlds.houses.mesh.house import shell_mesh
from vlnscope.worlds.houses.mesh.house_roofs import widest_boxes
from vlnscope.worlds.houses.mesh.roofs import RoofKind, roof
from vlnscope.worlds.houses.surroundings.stage import look
from vlnscope.worlds.rendering.mesh import subset
from vlnscope.worlds.rendering.rays import RayScene
from vlnscope.worlds.rendering.remote import remoteness


def test_widest_boxes_of_an_l_are_its_two_arms() -> None:
    area = Polygon([(0, 0), (8, 0), (8, 3), (4, 3), (4, 9), (0, 9)])
    assert sorted(widest_boxes(area)) == [(0.0, 0.0, 4.0, 9.0), (0.0, 0.0, 8.0, 3.0)]


def test_widest_boxes_of_a_t_overlap_in_its_middle() -> None:
    area = Polygon([(0, 6), (0, 4), (3, 4), (3, 0), (5, 0), (5, 4), (9, 4), (9, 6)])
    assert sorted(widest_boxes(area)) == [(0.0, 4.0, 9.0, 6.0), (3.0, 0.0, 5.0, 6.0)]


@pytest.mark.parametrize("kind", ["gable", "hip", "flat"])
def test_roofs_cover_their_walls_and_lie_above_them(kind: RoofKind) -> None:
    box = (-4.0, -3.0, 4.0, 3.0)
    parts = roof(box, 5.0, kind, 0.6, 0.4, look(90, 90, 90), look(200, 200, 200))
    x, y = (grid.ravel() for grid in np.meshgrid(np.linspace(-3.95, 3.95, 40), np.linspace(-2.95, 2.95, 30)))
    low = np.full(len(x), np.inf)
    for points, faces in (shape for shape, _ in parts):
        low = np.minimum(low, _lowest(points[faces], x, y))
    assert np.isfinite(low).all()
    assert low.min() >= 5.0 - 0.6 * 0.4 - 1e-9


def _lowest(corners: np.ndarray, x: np.ndarray, y: np.ndarray) -> np.ndarray:
    """The lowest height at which faces lie over points; infinite where there is none."""
    low = np.full(len(x), np.inf)
    for a, b, c in corners:
        area = (b[0] - a[0]) * (c[1] - a[1]) - (b[1] - a[1]) * (c[0] - a[0])
        if abs(area) < 1e-12:
            continue
        s = ((x - a[0]) * (c[1] - a[1]) - (y - a[1]) * (c[0] - a[0])) / area
        t = ((b[0] - a[0]) * (y - a[1]) - (b[1] - a[1]) * (x - a[0])) / area
        over = (s >= -1e-9) & (t >= -1e-9) & (s + t <= 1 + 1e-9)
        low[over] = np.minimum(low[over], (a[2] + s * (b[2] - a[2]) + t * (c[2] - a[2]))[over])
    return low


@pytest.mark.parametrize("seed", range(10))
def test_every_room_has_a_roof_or_a_storey_over_it_and_none_within(seed: int) -> None:
    plan = generate(seed)
    mesh = shell_mesh(plan)
    top = max(floor.elevation for floor in plan.floors) + 40.0
    roofs = RayScene(subset(mesh, mesh.semantic == mesh.classes.index("roof")))
    for room in plan.rooms:
        floor = plan.floor_of(room)
        if room.outdoor or floor.level != max(f.level for f in plan.floors):
            continue
        x, y = inner(room).representative_point().coords[0]
        down = float(roofs.distances([(x, y, top)], [(0.0, 0.0, -1.0)])[0])
        up = float(roofs.distances([(x, y, floor.elevation + 0.1)], [(0.0, 0.0, 1.0)])[0])
        assert np.isfinite(down), room.id
        assert up + 0.1 >= floor.height, room.id


def test_remoteness_is_measured_from_where_most_faces_are() -> None:
    rng = np.random.default_rng(0)
    near = rng.uniform(-5, 5, (900, 1, 3)) + np.zeros((1, 3, 1))
    far = np.full((100, 3, 3), (200.0, 0.0, 0.0))
    away = remoteness(np.concatenate([near, far]))
    assert away[:900].max() < 2.0
    assert away[900:].min() > 180.0
    assert len(remoteness(np.zeros((0, 3, 3)))) == 0
