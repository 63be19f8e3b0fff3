"""The bird's-eye grid: where points fall, and what cells are told of them."""

from __future__ import annotations

import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

torch = pytest.importorskip("torch", reason="needs torch (pip install 'vlnscope[learn]')")

from vlnscope.agents.learned.maps.bev_grid import NO_CELL, BevGrid, lift, seen_from, splat  # noqa: E402

pytestmark = pytest.mark.usefixtures("one_thread_of_torch")
GRID = BevGrid()
NEAR = st.floats(-4.9, 4.9).filter(lambda x: abs(x / 0.5 - math.floor(x / 0.5) - 0.5) > 1e-6)
HEADING = st.floats(0, math.tau)


def point(*metres: float) -> torch.Tensor:
    return torch.tensor(metres, dtype=torch.float64)


@pytest.mark.parametrize(
    ("right", "ahead", "cell"),
    [
        *((0.0, 0.0, 220), (0.0, 1.0, 220 - 2 * 21), (1.0, 0.0, 222), (-5.0, 5.0, 0), (5.0, -5.0, 440)),
        *((0.25, 0.0, 220), (0.75, 0.0, 222), (0.0, -0.24, 220), (5.3, 0.0, NO_CELL), (0.0, -5.3, NO_CELL)),
    ],
)
def test_points_fall_into_cells(right: float, ahead: float, cell: int) -> None:
    assert GRID.cells_of(point(right, ahead, 0.0)) == cell


def test_only_what_is_overhead_is_left_out() -> None:
    heights = torch.tensor([-90.0, 0.0, 0.5, 0.51, 3.0])
    points = torch.stack([torch.zeros(5), torch.ones(5), heights], dim=-1)
    assert GRID.cells_of(points).tolist() == [178, 178, 178, NO_CELL, NO_CELL]


@given(NEAR, NEAR)
def test_the_cell_says_where_the_point_is(right: float, ahead: float) -> None:
    cell = int(GRID.cells_of(point(right, ahead, 0.0)))
    cosine, sine, distance = GRID.positions(torch.zeros(1, dtype=torch.float64))[cell].tolist()
    far = distance * 21 / 2 * 0.5
    assert abs(cosine * far - right) <= 0.25 + 1e-9
    assert abs(sine * far - ahead) <= 0.25 + 1e-9


def test_the_middle_lies_nowhere() -> None:
    positions = GRID.positions(torch.zeros(1))
    assert positions.shape == (441, 3)
    assert positions[GRID.centre].tolist() == [0, 0, 0]
    assert positions.isfinite().all()


@given(st.floats(-30, 30), st.floats(-30, 30))
def test_far_points_are_moved_to_the_edge(right: float, ahead: float) -> None:
    row, column = divmod(int(GRID.nearest_cells(point(right, ahead, 2.0))), 21)
    assert column == min(max(round(right / 0.5 + 10), 0), 20)
    assert row == min(max(round(-ahead / 0.5 + 10), 0), 20)


@given(HEADING, st.floats(0.1, 9), st.floats(-math.pi, math.pi), st.floats(-2, 2))
def test_what_lies_in_a_direction_is_seen_there(
    heading: float, far: float, turn: float, height: float
) -> None:
    around = point(far * math.sin(heading + turn), far * math.cos(heading + turn), height)[None, None]
    found = seen_from(around, torch.tensor([heading], dtype=torch.float64))[0, 0]
    torch.testing.assert_close(found, point(far * math.sin(turn), far * math.cos(turn), height))


@given(st.integers(0, 11), st.integers(1, 5), st.floats(0.05, 1))
def test_patches_lie_in_front_of_their_view(view: int, half: int, depth: float) -> None:
    side = 2 * half + 1  # so that one patch is in the very middle
    depths = torch.zeros(12, side, side, dtype=torch.float64)
    depths[view, half, half] = depth
    points, known = lift(depths)
    assert known.nonzero().tolist() == [[view * side**2 + half * side + half]]
    heading = view * math.pi / 6
    expected = point(10 * depth * math.sin(heading), 10 * depth * math.cos(heading), 0)
    torch.testing.assert_close(points[known][0], expected)


@pytest.mark.parametrize(("row", "column"), [(0, 0), (0, 3), (3, 0), (2, 1)])
def test_patches_fan_out_45_degrees_to_each_side(row: int, column: int) -> None:
    depths = torch.zeros(12, 4, 4, dtype=torch.float64)
    depths[3, row, column] = 0.2  # two metres to the east
    points, known = lift(depths)
    slope = [-0.75, -0.25, 0.25, 0.75]
    torch.testing.assert_close(points[known][0], point(2.0, -2 * slope[column], -2 * slope[row]))


def test_lifting_takes_batches() -> None:
    depths = torch.rand(3, 2, 12, 4, 4, generator=torch.Generator().manual_seed(0))
    points, known = lift(depths)
    assert points.shape == (3, 2, 192, 3)
    assert known.shape == (3, 2, 192)
    assert torch.equal(points[1, 1], lift(depths[1, 1])[0])


def test_cells_are_told_the_mean_of_their_points() -> None:
    like = torch.zeros(1, dtype=torch.float64)
    features = torch.tensor([[2.0, 0.0], [4.0, 2.0], [8.0, 8.0], [5.0, 5.0]], dtype=torch.float16)
    cells = torch.tensor([1, 1, NO_CELL, 3])
    whole = [(features, cells)]
    halves = [(features[:1], cells[:1]), (features[1:], cells[1:])]
    for parts in (whole, halves):
        mean, points = splat(parts, (4, 2), like)
        assert mean.dtype == torch.float64
        assert mean.tolist() == [[0, 0], [3, 1], [0, 0], [5, 5]]
        assert points.tolist() == [0, 2, 0, 1]
    nothing, none = splat([], (4, 2), like)
    assert not nothing.any()
    assert not none.any()
