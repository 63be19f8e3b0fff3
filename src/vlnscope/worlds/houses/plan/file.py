"""Plan files: reading, checking and writing the JSON floor plans of houses."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import msgspec

from vlnscope.core import files
from vlnscope.core.exceptions import InputError
from vlnscope.core.json_file import NOT_JSON
from vlnscope.worlds.houses.plan.checks import check_plan
from vlnscope.worlds.houses.plan.plan import XY, Floor, FloorPlan, Opening, PlanItem, Room, Stair
from vlnscope.worlds.houses.plan.polygons import counter_clockwise

VERSION = 1
"""Version of the file format that is written."""
PLAN_MB = 16
"""How large a file of a plan may be, unpacked; those of whole buildings have a few hundred kilobytes."""

_PARTS: dict[str, type[msgspec.Struct]] = {
    "floors": Floor,
    "rooms": Room,
    "openings": Opening,
    "stairs": Stair,
    "items": PlanItem,
}


def encode_plan(plan: FloorPlan) -> bytes:
    """Return a plan as readable JSON: one line per floor, room, opening, stair and object."""
    members = msgspec.to_builtins(plan)
    defaults = {field.name: field.default for field in msgspec.structs.fields(FloorPlan)}
    lines = []
    for name, value in members.items():
        if name not in _PARTS and value == defaults[name]:
            continue
        if name in _PARTS or name == "history":
            rows = ",\n".join(f"    {msgspec.json.encode(_telling(name, row)).decode()}" for row in value)
            lines.append(f'  "{name}": [\n{rows}\n  ]' if value else f'  "{name}": []')
        else:
            lines.append(f'  "{name}": {msgspec.json.encode(value).decode()}')
    return ("{\n" + ",\n".join(lines) + "\n}\n").encode()


def _telling(name: str, row: dict[str, object]) -> dict[str, object]:
    """Leave out members that have their default value.

    The plan's classes do so themselves, but by identity, so that equal plans could give other bytes.
    """
    if name not in _PARTS:
        return row
    defaults = {field.name: field.default for field in msgspec.structs.fields(_PARTS[name])}
    return {key: value for key, value in row.items() if value != defaults[key]}


def write_plan(path: str | Path, plan: FloorPlan) -> None:
    """Write a plan as JSON, whole or not at all; gzip-compressed if the name ends in ``.gz``."""
    with files.write_whole(path) as stream:
        stream.write(encode_plan(plan))


def read_plan(path: str | Path) -> FloorPlan:
    """Read a plan, put its polygons into normal form, and check it.

    Raises:
        InputError: the file is no plan, or the plan has errors; each is named with its place.
    """
    return decode_plan(files.read_bytes(path, PLAN_MB), str(path))


def decode_plan(data: bytes, where: str = "plan") -> FloorPlan:
    """Decode, normalise and check a plan; `where` names its source in errors."""
    try:
        raw = msgspec.json.decode(data.removeprefix(b"\xef\xbb\xbf"))
        _reject_unknown(raw)
        plan = msgspec.convert(raw, FloorPlan)
    except NOT_JSON as error:
        raise InputError(
            f"{where}: is not a floor plan: {error}",
            expected="JSON with the members id, floors, rooms and, if there are, openings, stairs and items",
            fix="compare with a plan that `vlnscope houses generate` writes",
        ) from None
    if plan.version != VERSION:
        raise InputError(
            f"{where}: is of version {plan.version}",
            expected=f"version {VERSION}",
            fix="write the plan again with this version of vlnscope, or correct the member `version`",
        )
    plan = normal_form(plan)
    check_plan(plan, where)
    return plan


def normal_form(plan: FloorPlan) -> FloorPlan:
    """Return the plan with counter-clockwise polygons that repeat no corner and have none on a straight side.

    Polygons without any area are left for `check_plan` to complain about.
    """
    rooms = tuple(msgspec.structs.replace(room, polygon=_normal_polygon(room.polygon)) for room in plan.rooms)
    return msgspec.structs.replace(plan, rooms=rooms)


def _normal_polygon(corners: Sequence[XY]) -> tuple[XY, ...]:
    kept = [corner for i, corner in enumerate(corners) if corner != corners[i - 1] or len(corners) == 1]
    turning = [
        kept[i] for i in range(len(kept)) if not _straight(kept[i - 1], kept[i], kept[(i + 1) % len(kept)])
    ]
    return counter_clockwise(turning) if len(turning) >= 4 else tuple(corners)


def _straight(a: XY, b: XY, c: XY) -> bool:
    return (a[0] == b[0] == c[0]) or (a[1] == b[1] == c[1])


def _reject_unknown(raw: object) -> None:
    """Complain about members that no part of a plan has, which are mostly misspelt ones."""
    if not isinstance(raw, dict):
        return
    _reject_members(raw, FloorPlan, "the plan")
    for name, kind in _PARTS.items():
        rows = raw.get(name)
        for i, row in enumerate(rows if isinstance(rows, list) else ()):
            if isinstance(row, dict):
                _reject_members(row, kind, f"{name}[{i}] ({row.get('id', i)})")


def _reject_members(row: dict[str, object], kind: type[msgspec.Struct], where: str) -> None:
    known = [field.name for field in msgspec.structs.fields(kind)]
    unknown = [name for name in row if name not in known]
    if unknown:
        raise msgspec.ValidationError(
            f"{where} has the unknown member {unknown[0]!r}; known are {', '.join(known)}"
        )
