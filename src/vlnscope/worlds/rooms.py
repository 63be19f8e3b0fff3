"""Rooms: which region each viewpoint of a scene is in, and what that region is called."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path

import msgspec

from vlnscope.core.exceptions import InputError
from vlnscope.core.json_file import Parts, decode_part, read_json
from vlnscope.worlds.matterport.house_file import HouseFile

ROOM_NAMES: Mapping[str, tuple[str, ...]] = {
    "a": ("bathroom",),
    "b": ("bedroom",),
    "c": ("closet",),
    "d": ("dining room",),
    "e": ("entryway", "foyer", "lobby"),
    "f": ("familyroom",),
    "g": ("garage",),
    "h": ("hallway",),
    "i": ("library",),
    "j": ("laundryroom", "mudroom"),
    "k": ("kitchen",),
    "l": ("living room",),
    "m": ("meetingroom", "conferenceroom"),
    "n": ("lounge",),
    "o": ("office",),
    "p": ("porch", "terrace", "deck", "driveway"),
    "r": ("rec", "game"),
    "s": ("stairs",),
    "t": ("toilet",),
    "u": ("utilityroom", "toolroom"),
    "v": ("tv",),
    "w": ("workout", "gym", "exercise"),
    "x": ("outdoor",),
    "y": ("balcony",),
    "z": ("other room",),
    "B": ("bar",),
    "C": ("classroom",),
    "D": ("dining booth",),
    "S": ("spa", "sauna"),
    "Z": ("junk",),
    "-": ("no label",),
}
"""The names of each label letter of Matterport3D as released benchmarks spell them, the usual one first."""
SPOKEN_ROOMS: Mapping[str, tuple[str, ...]] = {
    "a": ("bathroom",),
    "b": ("bedroom",),
    "c": ("closet",),
    "d": ("dining room", "dining area"),
    "e": ("entryway", "foyer"),
    "f": ("family room", "den"),
    "g": ("garage",),
    "h": ("hallway", "hall", "corridor"),
    "i": ("library",),
    "j": ("laundry room", "mudroom"),
    "k": ("kitchen",),
    "l": ("living room",),
    "m": ("meeting room", "conference room"),
    "n": ("lounge",),
    "o": ("office", "study"),
    "p": ("patio", "porch", "deck", "terrace"),
    "r": ("rec room", "game room"),
    "s": ("stairs",),
    "t": ("toilet room", "restroom"),
    "u": ("utility room", "storage room"),
    "v": ("TV room",),
    "w": ("gym", "workout room", "exercise room"),
    "x": ("outdoor area", "yard", "garden"),
    "y": ("balcony",),
    "z": ("room",),
    "B": ("bar area",),
    "C": ("classroom",),
    "D": ("dining booth",),
    "S": ("spa",),
    "Z": (),
    "-": (),
}
"""What people call the rooms of each label letter, the usual name first; nothing for labels of no room.

Names that would be wrong for most rooms of a label (“lobby”, “driveway”, “sauna”) are left out, and so is
“toilet” for a room. `vlnscope.language.names` adds plural, article and the words for going in and out.
"""

_COPY = "copy or download the file again"
_RECORD = "[region index, label, region label, included] per viewpoint"


class _RoomsFile(msgspec.Struct):
    scans: Parts


@dataclass(frozen=True)
class Regions:
    """The rooms of a scene.

    Attributes:
        of: index of the region each viewpoint is in; None where it is in none.
        labels: label letter of each region, a key of `ROOM_NAMES`.

    Example:
        >>> regions = Regions({"v1": 0, "v2": 0, "v3": None}, {0: "e"})
        >>> regions.label("v1"), regions.name("v1"), regions.label("v3")
        ('e', 'entryway', None)
        >>> regions.viewpoints(0)
        ('v1', 'v2')
    """

    of: Mapping[str, int | None]
    labels: Mapping[int, str]

    def region(self, viewpoint: str) -> int | None:
        """Return the index of the region that `viewpoint` is in, None if it is in none."""
        try:
            return self.of[viewpoint]
        except KeyError:
            raise InputError(
                f"the room labels do not cover viewpoint {viewpoint!r}",
                expected=f"one of the {len(self.of)} viewpoints that they cover",
                fix="look the viewpoint up in its own scene, or add it to the file with the rooms",
            ) from None

    def label(self, viewpoint: str) -> str | None:
        """Return the label letter of the room that `viewpoint` is in, None if it is in none."""
        region = self.region(viewpoint)
        return None if region is None else self.labels[region]

    def name(self, viewpoint: str) -> str | None:
        """Return what the room that `viewpoint` is in is usually called, None if it is in none."""
        label = self.label(viewpoint)
        return None if label is None else usual_name(label)

    def viewpoints(self, region: int) -> tuple[str, ...]:
        """Return the viewpoints of a region, in the order of the source."""
        return tuple(viewpoint for viewpoint, its in self.of.items() if its == region)

    def only(self, viewpoints: Iterable[str]) -> Regions:
        """Return the same rooms for these viewpoints alone, in this order."""
        return Regions({name: self.of[name] for name in viewpoints if name in self.of}, self.labels)


def usual_name(label: str) -> str:
    """Return what people usually call the rooms of a label; as it is released where that is no room.

    Example:
        >>> usual_name("f"), usual_name("p"), usual_name("Z")
        ('family room', 'patio', 'junk')
    """
    return next(iter(SPOKEN_ROOMS[label] or ROOM_NAMES[label]))


def read_rooms_file(path: Path) -> Parts:
    """Return what ``viewpoint_rooms.json`` holds of each scan, still encoded; see `rooms_of_scan`."""
    return read_json(path, _RoomsFile, "an object with the member `scans`").scans


def rooms_of_scan(path: Path, scan: str, part: msgspec.Raw) -> Regions:
    """Decode one scan of a rooms file; `path` and `scan` are for error messages."""
    where = f"{path}: scan {scan}"
    rows = decode_part(part, dict[str, tuple[int, str, str, int]], where, _RECORD)
    regions = {viewpoint: row[0] for viewpoint, row in rows.items()}
    labels: dict[int, str] = {}
    for viewpoint, (index, label, _, _) in rows.items():
        if index >= 0 and labels.setdefault(index, label) != label:
            raise InputError(
                f"{where}, viewpoint {viewpoint}: region {index} is labelled {label!r} here and "
                f"{labels[index]!r} before",
                expected="one label per region",
                fix=_COPY,
            )
    return _regions(where, regions, labels)


def rooms_of_house(path: Path, house: HouseFile) -> Regions:
    """Take the rooms from a ``.house`` file; `path` is for error messages."""
    return _regions(str(path), house.regions, house.labels)


def _regions(where: str, regions: Mapping[str, int], labels: Mapping[int, str]) -> Regions:
    for region, label in labels.items():
        if label not in ROOM_NAMES:
            raise InputError(
                f"{where}: region {region} has the unknown label {label!r}",
                expected=f"one of {' '.join(ROOM_NAMES)}",
                fix=_COPY,
            )
    for viewpoint, region in regions.items():
        if region >= 0 and region not in labels:
            raise InputError(
                f"{where}: viewpoint {viewpoint} is in region {region}, which has no label",
                expected="a label for every region",
                fix=_COPY,
            )
    return Regions({name: None if region < 0 else region for name, region in regions.items()}, dict(labels))
