"""Plan files: round trips, normal form, and every error with its place."""

import json
import pickle
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from vlnscope.core.exceptions import DataNotFoundError, InputError
from vlnscope.worlds.houses.layout.generator import layout
from vlnscope.worlds.houses.plan.checks import check_plan, plan_problems
from vlnscope.worlds.houses.plan.file import decode_plan, encode_plan, normal_form, read_plan, write_plan

Raw = dict[str, Any]


def cottage() -> Raw:
    """Two floors: an entry and a bedroom below, a stairwell on both, a study above."""
    return {
        "id": "cottage",
        "floors": [{"level": 0, "elevation": 0.0}, {"level": 1, "elevation": 2.9}],
        "rooms": [
            {"id": "entry", "label": "e", "floor": 0, "polygon": [[0, 0], [4, 0], [4, 4], [0, 4]]},
            {"id": "bed", "label": "b", "floor": 0, "polygon": [[4, 0], [8, 0], [8, 4], [4, 4]]},
            {"id": "well", "label": "s", "floor": 0, "polygon": [[0, 4], [8, 4], [8, 6], [0, 6]]},
            {"id": "well-up", "label": "s", "floor": 1, "polygon": [[0, 4], [8, 4], [8, 6], [0, 6]]},
            {"id": "study", "label": "o", "floor": 1, "polygon": [[0, 0], [8, 0], [8, 4], [0, 4]]},
        ],
        "openings": [
            _hole("front", "door", ["entry", None], 0, [2, 0], "x", 0.9),
            _hole("inner", "door", ["entry", "bed"], 0, [4, 2], "y", 0.9),
            _hole("down", "passage", ["entry", "well"], 0, [2, 4], "x", 2.0),
            _hole("up", "passage", ["well-up", "study"], 1, [6, 4], "x", 2.0),
            _hole("view", "window", ["bed", None], 0, [8, 2], "y", 1.2, 0.9, 2.1),
        ],
        "stairs": [
            {
                "id": "stair",
                "floors": [0, 1],
                "rooms": ["well", "well-up"],
                "runs": [[[1.5, 5.4, 0.0], [6.2, 5.4, 2.9]]],
            }
        ],
        "items": [
            {"id": "bed-1", "name": "bed", "room": "bed", "position": [6, 2, 0], "size": [1.6, 2.0, 0.6]},
            {
                "id": "vase-1",
                "name": "vase",
                "room": "bed",
                "position": [6, 2, 0.6],
                "size": [0.1, 0.1, 0.3],
                "on": "bed-1",
            },
        ],
    }


def _hole(
    name: str,
    kind: str,
    rooms: list[str | None],
    floor: int,
    centre: list[float],
    axis: str,
    width: float,
    sill: float = 0.0,
    head: float = 2.05,
) -> Raw:
    return {
        "id": name, "kind": kind, "rooms": rooms, "floor": floor, "centre": centre, "axis": axis,
        "width": width, "sill": sill, "head": head,
    }  # fmt: skip


def _decoded(raw: Raw) -> Any:
    return decode_plan(json.dumps(raw).encode(), "my.json")


def test_a_hand_written_plan_is_read() -> None:
    plan = _decoded(cottage())
    assert [room.id for room in plan.rooms] == ["entry", "bed", "well", "well-up", "study"]
    check_plan(plan)


def test_round_trip_over_files(tmp_path: Path) -> None:
    plan = layout(6)
    for name in ("plan.json", "plan.json.gz"):
        write_plan(tmp_path / name, plan)
        assert read_plan(tmp_path / name) == plan
    lines = (tmp_path / "plan.json").read_text().splitlines()
    assert sum('"label"' in line for line in lines) == len(plan.rooms), "one line per room"
    assert encode_plan(plan) == (tmp_path / "plan.json").read_bytes()


def test_clockwise_closed_and_straight_cornered_polygons_are_put_right() -> None:
    raw = cottage()
    raw["rooms"][0]["polygon"] = [[0, 0], [0, 2], [0, 4], [4, 4], [4, 0], [0, 0]]
    plan = _decoded(raw)
    assert set(plan.rooms[0].polygon) == {(0, 0), (4, 0), (4, 4), (0, 4)}
    assert normal_form(plan) == plan
    assert plan_problems(plan) == []


def _room(raw: Raw, number: int, **change: Any) -> None:
    raw["rooms"][number].update(change)


def _opening(raw: Raw, number: int, **change: Any) -> None:
    raw["openings"][number].update(change)


def _stair(raw: Raw, **change: Any) -> None:
    raw["stairs"][0].update(change)


WRONG: dict[str, tuple[Callable[[Raw], Any], list[str]]] = {
    "overlap": (
        lambda raw: _room(raw, 1, polygon=[[3, 0], [8, 0], [8, 4], [3, 4]]),
        ["entry and bed overlap by 4.00 m²", "(3.50, 2.00)", "floor 0"],
    ),
    "slanted": (
        lambda raw: _room(raw, 1, polygon=[[4, 0], [8, 0], [9, 4], [4, 4]]),
        ["room bed has a slanted side from (8.00, 0.00) to (9.00, 4.00)"],
    ),
    "corners": (lambda raw: _room(raw, 1, polygon=[[4, 0], [8, 0], [8, 4]]), ["room bed has 3 corners"]),
    "crossing": (
        lambda raw: _room(raw, 1, polygon=[[4, 0], [8, 0], [8, 4], [6, 4], [6, -1], [4, -1]]),
        ["outline of room bed crosses"],
    ),
    "flat": (
        lambda raw: _room(raw, 1, polygon=[[4, 0], [8, 0], [8, 0.01], [4, 0.01]]),
        ["room bed has an area"],
    ),
    "label": (lambda raw: _room(raw, 1, label="Q"), ["room bed has the unknown label 'Q'"]),
    "floor": (lambda raw: _room(raw, 4, floor=7), ["room study is on floor 7"]),
    "twice": (lambda raw: _room(raw, 1, id="entry"), ["'entry' is used 2 times"]),
    "id across kinds": (lambda raw: _opening(raw, 0, id="bed-1"), ["'bed-1' is used 2 times"]),
    "low floor": (lambda raw: raw["floors"][1].update(elevation=2.0), ["floor 1 lies at 2.0 m"]),
    "no wall": (
        lambda raw: _opening(raw, 1, centre=[3, 2]),
        ["door inner at (3.00, 2.00)", "lies in no wall of entry or bed"],
    ),
    "wrong axis": (lambda raw: _opening(raw, 1, axis="x"), ["door inner", "lies in no wall"]),
    "not between": (
        lambda raw: _opening(raw, 1, centre=[2, 4], axis="x"),
        ["door inner at (2.00, 4.00)", "lies in a wall of entry, but not between entry and bed"],
    ),
    "not outside": (
        lambda raw: _opening(raw, 4, centre=[4, 3.2], rooms=["bed", None]),
        ["window view", "not between bed and the outside"],
    ),
    "too wide": (
        lambda raw: _opening(raw, 1, width=4.5),
        [
            "door inner",
            "4.50 m wide and leaves the wall between entry and bed",
            "(4.00, 0.00) to (4.00, 4.00)",
        ],
    ),
    "off the end": (lambda raw: _opening(raw, 1, centre=[4, 3.8]), ["door inner", "leaves the wall"]),
    "holes overlap": (
        lambda raw: raw["openings"].append(_hole("second", "door", ["bed", "entry"], 0, [4, 2.5], "y", 0.9)),
        ["door inner at (4.00, 2.00)", "door second at (4.00, 2.50)", "overlap"],
    ),
    "too high": (lambda raw: _opening(raw, 4, head=3.0), ["window view", "0.9 to 3.0 m"]),
    "no room": (lambda raw: _opening(raw, 1, rooms=["entry", "attic"]), ["door inner", "'attic'"]),
    "itself": (lambda raw: _opening(raw, 1, rooms=["bed", "bed"]), ["joins bed with itself"]),
    "stair leaves": (
        lambda raw: _stair(raw, runs=[[[1.5, 5.9, 0], [6.2, 5.9, 2.9]]]),
        ["stair stair from (1.50, 5.90) to (6.20, 5.90) leaves its room well"],
    ),
    "stair ends low": (
        lambda raw: _stair(raw, runs=[[[1.5, 5.4, 0], [6.2, 5.4, 2.5]]]),
        ["stair stair ends 2.50 m high", "not on floor 1 at 2.90 m"],
    ),
    "stair steep": (
        lambda raw: _stair(raw, runs=[[[1.5, 5.4, 0], [3.0, 5.4, 2.9]]]),
        ["stair stair climbs 2.90 m over 1.50 m", "too steep"],
    ),
    "stair broken": (
        lambda raw: _stair(raw, runs=[[[1, 5.4, 0], [3, 5.4, 1.2]], [[4, 5.4, 1.6], [6.4, 5.4, 2.9]]]),
        ["runs of stair stair do not meet"],
    ),
    "stair room": (lambda raw: _stair(raw, rooms=["well", "study-2"]), ["stair stair names 'study-2'"]),
    "stair floors": (lambda raw: _stair(raw, floors=[1, 0]), ["stair stair joins the floors 1 and 0"]),
    "stair empty": (lambda raw: _stair(raw, runs=[]), ["stair stair has no runs"]),
    "unreachable": (
        lambda raw: raw["openings"].pop(1),
        ["room bed on floor 0 cannot be reached from the entrance in entry"],
    ),
    "closed": (lambda raw: _opening(raw, 1, closed=True), ["room bed on floor 0 cannot be reached"]),
    "no stair": (lambda raw: raw.update(stairs=[]), ["room well-up on floor 1", "room study on floor 1"]),
    "item outside": (
        lambda raw: raw["items"][0].update(position=[4.5, 2, 0]),
        ["bed bed-1 at (4.50, 2.00) lies outside its room bed"],
    ),
    "item turned": (
        lambda raw: raw["items"][0].update(position=[6, 3, 0], yaw=45.0),
        ["bed bed-1", "outside"],
    ),
    "item room": (lambda raw: raw["items"][0].update(room="cellar"), ["bed bed-1 is in room 'cellar'"]),
    "item on": (lambda raw: raw["items"][1].update(on="table-9"), ["vase vase-1 stands on 'table-9'"]),
    "wall material": (
        lambda raw: _room(raw, 1, wall_material="lava"),
        ["room bed: there is no wall material called 'lava'"],
    ),
    "floor material": (lambda raw: _room(raw, 1, floor_material="wod"), ["room bed", "did you mean 'wood'?"]),
    "item material": (
        lambda raw: raw["items"][0].update(material="unobtainium"),
        ["bed bed-1: there is no material called 'unobtainium'"],
    ),
    "misspelt": (lambda raw: _room(raw, 1, poligon=[]), ["rooms[1] (bed)", "unknown member 'poligon'"]),
    "type": (lambda raw: _opening(raw, 1, width="wide"), ["not a floor plan", "$.openings[1].width"]),
    "version": (lambda raw: raw.update(version=2), ["version 2"]),
    "empty": (lambda raw: raw.update(rooms=[], openings=[], stairs=[], items=[]), ["no rooms"]),
}


@pytest.mark.parametrize("name", WRONG)
def test_errors_name_their_place(name: str) -> None:
    change, expected = WRONG[name]
    raw = cottage()
    change(raw)
    with pytest.raises(InputError) as caught:
        _decoded(raw)
    assert caught.value.what.startswith("my.json: ")
    for part in expected:
        assert part in caught.value.what
    assert caught.value.expected
    assert caught.value.fix


def test_a_window_above_a_passage_is_no_overlap() -> None:
    raw = cottage()
    raw["openings"].append(_hole("light", "window", ["entry", "bed"], 0, [4, 2], "y", 0.9, 2.1, 2.4))
    assert plan_problems(_decoded(raw)) == []


def test_all_problems_are_reported_at_once() -> None:
    raw = cottage()
    _opening(raw, 1, centre=[3, 2])
    raw["items"][0]["room"] = "cellar"
    with pytest.raises(InputError) as caught:
        _decoded(raw)
    assert "door inner" in caught.value.what
    assert "cellar" in caught.value.what


@pytest.mark.parametrize("data", [b"", b"[]", b"{", b'{"id": "x"}', b"\xff\xfe", b"NaN"])
def test_what_is_no_plan_is_refused(data: bytes) -> None:
    with pytest.raises(InputError, match="not a floor plan"):
        decode_plan(data)


def test_a_missing_file_is_named(tmp_path: Path) -> None:
    with pytest.raises(DataNotFoundError, match=r"nowhere\.json"):
        read_plan(tmp_path / "nowhere.json")


def test_equal_plans_have_equal_bytes() -> None:
    plan = layout(3)
    assert encode_plan(pickle.loads(pickle.dumps(plan))) == encode_plan(plan)


CHAIR = {"id": "i", "name": "chair", "room": "bed", "position": [6, 2, 0], "size": [0.5, 0.5, 0.9]}


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"id": "../x"}, "called '../x'"),
        ({"id": ""}, "called ''"),
        ({"floors": [{"level": 0, "elevation": 1e300}]}, "lies at 1e\\+300 m"),
        ({"items": [{**CHAIR, "name": "flux capacitor"}]}, "no mesh"),
        ({"items": [{**CHAIR, "colour": "blurple"}]}, "chair i.*blurple"),
        ({"items": [{**CHAIR, "size": [0.5, -0.5, 0.9]}]}, "measures"),
        ({"items": [{**CHAIR, "position": [6, 2, 50]}]}, "height of 50 m"),
        ({"items": [{**CHAIR, "on": "j"}, {**CHAIR, "id": "j", "on": "i"}]}, "on itself"),
    ],
)
def test_what_no_building_has(change: Raw, message: str) -> None:
    with pytest.raises(InputError, match=message):
        decode_plan(json.dumps({**cottage(), **change}).encode())


def test_rooms_of_many_kilometres_and_deep_nesting_are_refused() -> None:
    plan = cottage()
    plan["rooms"][1]["polygon"] = [[4, 0], [1e5, 0], [1e5, 4], [4, 4]]
    with pytest.raises(InputError, match="room bed has a corner more than"):
        decode_plan(json.dumps(plan).encode())
    with pytest.raises(InputError, match="not a floor plan"):
        decode_plan(b"[" * 100_000)
