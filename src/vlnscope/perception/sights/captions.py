"""``captions``: what NavGPT's vision models wrote about each direction of each Matterport viewpoint."""

from __future__ import annotations

import math
import re
from collections.abc import Mapping
from functools import cached_property, lru_cache
from pathlib import Path
from typing import Annotated, Literal, get_args

import msgspec

from vlnscope.core.exceptions import InputError, MissingLayerError
from vlnscope.core.files import find_file
from vlnscope.core.json_file import Parts, decode_part, read_json
from vlnscope.perception.sight import SightKind, SightRequest, register_sight
from vlnscope.worlds.objects import SECTORS

CaptionKind = Literal["raw", "summarized"]
_FILES: Mapping[CaptionKind, str] = {
    "raw": "observations_list_raw_captions.json",
    "summarized": "observations_list_summarized.json",
}
_EIGHT = "eight captions per viewpoint"
_Sectors = Annotated[tuple[str, ...], msgspec.Meta(min_length=SECTORS, max_length=SECTORS)]
_LEVEL = re.compile(r"^\s*(?:down|middle|top):\s*", re.MULTILINE)


def sector_of(heading: float) -> int:
    """Return which of the eight captions of a viewpoint looks along a heading.

    Example:
        >>> sector_of(0.0), sector_of(math.radians(50)), sector_of(math.radians(-20))
        (0, 1, 0)
    """
    return math.floor(heading / (math.tau / SECTORS) + 0.5) % SECTORS


class Captions:
    """The captions of one scan, eight per viewpoint: the first looks to heading 0, the next 45° to its right.

    Args:
        texts: the captions of each viewpoint.
    """

    def __init__(self, texts: Mapping[str, tuple[str, ...]]) -> None:
        self._texts = texts

    def at(self, viewpoint: str) -> tuple[str, ...]:
        """Return the eight captions of a viewpoint; nothing if it has none.

        Example:
            >>> Captions({"v": ("a sofa",) * 8}).at("v")[0], Captions({}).at("v")
            ('a sofa', ())
        """
        return self._texts.get(viewpoint, ())

    def viewpoints(self) -> tuple[str, ...]:
        """Return the viewpoints that have captions."""
        return tuple(self._texts)


class CaptionFile:
    """The captions of all scans of a data folder (``navgpt_text/observations_list_*.json``, may be ``.gz``).

    Nothing is read before it is needed; only the scans that were asked for are decoded and kept.

    Args:
        root: the data folder.
        kind: ``raw`` captions of three pictures per direction (down, level, up), one per line, or the
            ``summarized`` sentence per direction that a language model made of them.
    """

    def __init__(self, root: str | Path, kind: CaptionKind = "raw") -> None:
        if kind not in get_args(CaptionKind):
            raise InputError(
                f"there are no captions of the kind {kind!r}",
                expected=" or ".join(get_args(CaptionKind)),
                fix='leave the argument out to get "raw"',
            )
        self._wanted = Path(root) / "navgpt_text" / _FILES[kind]
        self._scans: dict[str, Captions] = {}

    def scan(self, scan: str) -> Captions:
        """Return the captions of a scan.

        Raises:
            MissingLayerError: there is no such file, or it does not hold this scan.
            InputError: the file is damaged.
        """
        if scan not in self._scans:
            path, parts = self._file
            if scan not in parts:
                raise self._missing(f"{path} has no captions of scan {scan}")
            texts = decode_part(parts[scan], dict[str, _Sectors], f"{path}: scan {scan}", _EIGHT)
            self._scans[scan] = Captions(
                {
                    viewpoint: tuple(_LEVEL.sub("", text) for text in eight)
                    for viewpoint, eight in texts.items()
                }
            )
        return self._scans[scan]

    def scans(self) -> tuple[str, ...]:
        """Return the scans that have captions, sorted."""
        return tuple(sorted(self._file[1]))

    @property
    def path(self) -> Path:
        """The file.

        Raises:
            MissingLayerError: there is none.
        """
        path = find_file(self._wanted)
        if path is None:
            raise self._missing(f"{self._wanted}: there is no such file, with or without .gz")
        return path

    @cached_property
    def _file(self) -> tuple[Path, Parts]:
        path = self.path
        return path, read_json(path, Parts, "scan → viewpoint → " + _EIGHT)

    def _missing(self, what: str) -> MissingLayerError:
        return MissingLayerError(
            what,
            expected="the captions of the NavGPT release",
            fix="add them to the data folder, or use an agent that does without captions",
        )


@lru_cache(maxsize=2)
def _caption_file(root: Path) -> CaptionFile:
    return CaptionFile(root)


def captions_of(scan: str, root: Path | None) -> Captions:
    """Return the captions of a scan in a data folder, which is opened once.

    Raises:
        MissingLayerError: no folder is named, or it has none.
    """
    if root is None:
        raise MissingLayerError(
            f"scene {scan} has no captions, since no data folder is named",
            expected="navgpt_text/ in a data folder",
            fix="add --root DIR, or set the environment variable VLNSCOPE_DATA",
        )
    return _caption_file(root).scan(scan)


def _show(request: SightRequest) -> tuple[str, ...]:
    return captions_of(request.scene.id, request.root).at(request.viewpoint)


register_sight(
    SightKind(
        name="captions",
        summary="a text per heading sector, the first at heading 0, clockwise",
        show=_show,
        decode=tuple,
    )
)
