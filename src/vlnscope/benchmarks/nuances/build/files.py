"""Writing the items as NavNuances files, ``R2R_DC.json`` and its sisters, for the official evaluators."""

from __future__ import annotations

from pathlib import Path

from vlnscope.benchmarks.kit.case_set import CaseSet
from vlnscope.benchmarks.nuances.evaluators.evaluator import CATEGORIES
from vlnscope.core.files import write_whole
from vlnscope.episodes.formats.navnuances import CODEC


def save_files(made: CaseSet, folder: str | Path) -> list[Path]:
    """Write a file for each category that has items; return the files."""
    folder = Path(folder)
    folder.mkdir(parents=True, exist_ok=True)
    written = []
    for category in CATEGORIES:
        episodes = [case.episode for case in made.cases if case.groups["category"] == category]
        if episodes:
            written.append(folder / f"R2R_{category}.json")
            with write_whole(written[-1]) as stream:
                CODEC.write(episodes, stream)
    return written
