"""Polar figures, ridges and maps: where their shapes lie, and that both libraries draw the same ones."""

from __future__ import annotations

import math
from pathlib import Path

import pytest

from vlnscope.benchmarks.kit.findings import Figure, Kind, Panel, Series
from vlnscope.reporting.figures.map_plane import map_plane
from vlnscope.reporting.figures.palette import along, grid
from vlnscope.reporting.figures.plane import Plane, PlaneShape
from vlnscope.reporting.figures.polar import polar_plane, rim_of
from vlnscope.reporting.figures.ridges import TALLEST, median_of, ridge_plane
from vlnscope.reporting.page.plots import plot
from vlnscope.reporting.report_folder import draw

TOLD = Series(name="told", x=(15, 90), y=(None, None), role="region")
SHARES = Series(name="with", x=(-135, -45, 45, 135), y=(10.0, 0.0, 40.0, None))


def figure(kind: Kind, *panels: Panel) -> Figure:
    return Figure(name=f"f-{kind}", title="T", kind=kind, x="x", y="y", panels=panels)


def named(plane: Plane, name: str) -> PlaneShape:
    return next(shape for shape in plane.shapes if shape.legend == name)


def texts(plane: Plane) -> set[str]:
    return {shape.text for shape in plane.shapes if shape.text}


def turn_of(point: tuple[float, float]) -> float:
    return math.degrees(math.atan2(*point))


def test_right_is_right_and_the_rim_is_the_greatest_share() -> None:
    plane = polar_plane(Panel(series=(SHARES, TOLD)))
    middles = [part[len(part) // 2] for part in named(plane, "with").parts]
    assert [math.hypot(*point) for point in middles] == pytest.approx([0.25, 0.0, 1.0])
    assert turn_of(middles[2]) == pytest.approx(45.0)
    assert {"40 %", "20 %", "ahead", "right"} <= texts(plane)


def test_the_arc_of_a_region_runs_clockwise_outside_of_the_circle() -> None:
    for ends in ((15.0, 90.0), (165.0, 195.0), (-165.0, -90.0), (170.0, -170.0)):
        told = Series(name="told", x=ends, y=(None, None), role="region")
        (arc,) = named(polar_plane(Panel(series=(SHARES, told))), "told").parts
        assert all(math.hypot(*point) > 1.0 for point in arc)
        passed = [(turn_of(point) - ends[0] + 1.0) % 360 - 1.0 for point in arc]
        assert passed == sorted(passed)
        assert (passed[0], passed[-1]) == pytest.approx((0.0, (ends[1] - ends[0]) % 360), abs=1e-6)


def test_numbers_of_circles_keep_out_of_the_region() -> None:
    for low, high in ((15.0, 90.0), (-90.0, -15.0), (90.0, 165.0), (-165.0, -90.0)):
        told = Series(name="told", x=(low, high), y=(None, None), role="region")
        plane = polar_plane(Panel(series=(SHARES, told)))
        (number,) = (shape for shape in plane.shapes if shape.text == "40 %")
        assert number.points[0] is not None
        assert not low <= turn_of(number.points[0]) <= high


def test_without_shares_regions_are_sectors_with_their_names() -> None:
    ways = Series(name="ways", x=(0.0, 90.0), y=(2.0, 4.0), role="ways")
    plane = polar_plane(Panel(series=(TOLD, ways)))
    assert "told" in texts(plane)
    near, far = (point for point in named(plane, "ways").points if point)
    assert (near[0], near[1]) == pytest.approx((0.0, 0.45))
    assert (far[0], far[1]) == pytest.approx((0.9, 0.0), abs=1e-9)


def test_rims_are_round_numbers() -> None:
    assert [rim_of(most) for most in (0.0, 0.55, 9.9, 10.0, 10.1, 33.3, 100.0)] == pytest.approx(
        [0.1, 0.6, 10.0, 10.0, 12.0, 35.0, 100.0]
    )


def test_ridges_stand_one_above_the_other_with_ticks_at_their_medians() -> None:
    curve = Series(name="with", x=(0, 1, 2, 3, 4), y=(0.0, 1.0, 2.0, 1.0, 0.0))
    low = Series(name="stop", x=(0, 1, 2), y=(0.0, 0.1, 0.0), role="reference")
    panels = Panel(title="one", series=(curve,)), Panel(title="two", series=(low,))
    plane = ridge_plane(figure("ridges", *panels))
    assert plane.rows == ((0.0, "one"), (-1.0, "two"))
    heights = [max(y for _, y in part) for shape in plane.shapes if shape.data for part in shape.parts]
    assert heights == pytest.approx([TALLEST, TALLEST - 1.0])
    ticks = [shape.points[0][0] for shape in plane.shapes if shape.line == 2.0 and shape.points[0]]
    assert ticks == pytest.approx([2.0, 1.0])
    assert not [shape for shape in plane.shapes if shape.fill and shape.paint.series == "stop"]
    assert median_of([(0.0, 1.0), (1.0, 1.0), (2.0, 0.0)]) == pytest.approx(0.75)


def walk(name: str, *points: tuple[float, float] | None, **more: object) -> Series:
    x = tuple(point[0] if point else None for point in points)
    y = tuple(point[1] if point else None for point in points)
    return Series(name=name, x=x, y=y, **more)  # type: ignore[arg-type]


def test_maps_show_all_walks_and_what_lies_beneath_at_the_back() -> None:
    ground = walk("rooms", (-90.0, -90.0), (90.0, -90.0), (90.0, 90.0), role="ground")
    first = walk("episode 1", (0.0, 0.0), (10.0, 0.0), role="ordered", labels=("1", ""))
    second = walk("episode 2", (0.0, 0.0), (0.0, 4.0), role="ordered", labels=("2", ""))
    led = walk("led", (10.0, 0.0), (0.0, 0.0), role="led")
    plane = map_plane(Panel(series=(first, second, led, ground)))
    assert plane.shapes[0].paint.tone == "muted-tint"
    assert plane.x[0] < 0 < 10 < plane.x[1] < 20
    assert {"1", "2", "2 m"} <= texts(plane)
    assert named(plane, "led").dash == "dash"
    places = [shape.paint.place for shape in plane.shapes if shape.line == 2.0]
    assert places == [0.0, 1.0]
    discs = [shape.points[0] for shape in plane.shapes if shape.mark and shape.size == 11.0]
    assert None not in discs
    assert math.dist(*discs) > 0.3  # type: ignore[arg-type]  # starts in one place do not cover each other
    tip = [shape for shape in plane.shapes if shape.fill == 1.0 and shape.paint.place == 0.0]
    assert tip[0].points[0] == (10.0, 0.0)


def test_colours_of_an_order_differ() -> None:
    assert len({along(k / 9) for k in range(10)}) == 10
    assert along(-1.0) == along(0.0)
    assert along(2.0) == along(1.0)


def test_columns_are_those_that_a_figure_asks_for() -> None:
    panels = tuple(Panel(title=str(k), series=(SHARES,)) for k in range(5))
    assert grid(figure("polar", *panels)) == (2, 3)
    four = Figure(name="f", title="T", kind="polar", x="x", y="y", panels=panels, columns=4)
    assert grid(four) == (2, 4)


def test_pages_and_files_draw_the_same_shapes(tmp_path: Path) -> None:
    panel = Panel(title="left", note="stops: 5 %", series=(SHARES, TOLD))
    drawn = figure("polar", panel, Panel(title="bare", series=()))
    shown = plot(drawn, ["a"])
    assert shown is not None
    assert shown.empty == ("bare",)
    (held,) = shown.drawn["panels"]
    assert (held["title"], held["note"], held["plane"]["square"]) == ("left", "stops: 5 %", True)
    assert [entry.name for entry in shown.legend] == ["with", "told"]
    said = [text for trace in held["traces"] for text in trace.get("hovertext", ())]
    assert said[2] == "<b>with</b><br>45: 40.0"
    assert not [trace for trace in held["traces"] if trace["type"] != "scatter"]
    for ending in ("svg", "pdf", "png"):
        draw(drawn, tmp_path / f"f.{ending}")
    picture = (tmp_path / "f.svg").read_text("utf-8")
    assert picture.count("<path") > 10


def test_tables_of_maps_leave_the_ground_out() -> None:
    ground = walk("rooms", (0.0, 0.0), (9.0, 0.0), (9.0, 9.0), role="ground")
    shown = plot(figure("map", Panel(series=(ground, walk("w", (1.0, 2.0), (3.0, 4.0))))), ["a"])
    assert shown is not None
    assert shown.table.rows == (("w", 1.0, 2.0), ("w", 3.0, 4.0))
