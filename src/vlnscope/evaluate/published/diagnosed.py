"""The diagnosis of the files of one data set that hold walks: how they end, whether they keep to the path."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import NamedTuple

import msgspec

from vlnscope.core.exceptions import VlnscopeError
from vlnscope.evaluate.diagnose.diagnose import diagnose
from vlnscope.evaluate.diagnose.folder import WALKS
from vlnscope.evaluate.published.files import PublishedFile
from vlnscope.reporting.examples import ExampleTrajectories
from vlnscope.reporting.report_data import EvidenceLink, LeftOut, Report

PARTS = ("outcomes", "fidelity")
"""What walks alone answer."""


class DiagnosedFiles(NamedTuple):
    """What a diagnosis found, and what is shown of walks; no report if nothing could be asked."""

    report: Report | None = None
    walks: ExampleTrajectories = ExampleTrajectories()
    links: tuple[EvidenceLink, ...] = ()
    left_out: tuple[LeftOut, ...] = ()


def diagnosed_files(data: str, files: Sequence[PublishedFile], out: Path, root: Path) -> DiagnosedFiles:
    """Diagnose the files of a data set side by side, as far as they hold walks.

    Args:
        data: the data set.
        files: all for it.
        out: the folder of the page; the diagnosis is kept in it.
        root: the data folder.
    """
    walking = [file for file in files if file.records and file.records.has_walks]
    left_out = [_no_walks(file) for file in files if file not in walking]
    if not walking:
        return DiagnosedFiles(left_out=tuple(left_out))
    if walking[0].records and walking[0].records.in_space:
        return DiagnosedFiles(left_out=(*left_out, *map(_in_space, walking)))
    folder = out / "diagnoses" / data.replace("/", "-")
    agents = [f"{file.name}={file.path}" for file in walking]
    try:
        found = diagnose(agents, data, out=folder, root=root, parts=PARTS, partial=True)
    except VlnscopeError as error:
        names = tuple(file.name for file in walking)
        left_out += [
            LeftOut(benchmark=part, agents=names, reason=error.what, remedy=error.fix) for part in PARTS
        ]
        return DiagnosedFiles(left_out=tuple(left_out))
    prefix = folder.relative_to(out).as_posix()
    links = tuple(
        msgspec.structs.replace(link, evidence=f"{prefix}/{link.evidence}", scores=f"{prefix}/{link.scores}")
        for link in found.report.links
    )
    walks = ExampleTrajectories.load(folder / WALKS)
    return DiagnosedFiles(found.report, walks, links, (*left_out, *found.report.left_out))


def joined_walks(parts: Sequence[ExampleTrajectories]) -> ExampleTrajectories:
    """Put what several diagnoses show of walks together."""
    return ExampleTrajectories(
        walks=tuple(walk for part in parts for walk in part.walks),
        maps={floor: drawn for part in parts for floor, drawn in part.maps.items()},
        pictures={key: picture for part in parts for key, picture in part.pictures.items()},
    )


def _in_space(file: PublishedFile) -> LeftOut:
    return LeftOut(
        benchmark=" and ".join(PARTS),
        agents=(file.name,),
        reason="how walks in continuous space end is told in scenes that have a navigation graph as well, as "
        "the built-in houses do; Matterport's episodes in continuous space name no viewpoints",
    )


def _no_walks(file: PublishedFile) -> LeftOut:
    return LeftOut(
        benchmark=" and ".join(PARTS),
        agents=(file.name,),
        reason="the file states metrics of episodes and no walks, so nobody can see how they end",
        remedy="give the file with the walks",
    )
