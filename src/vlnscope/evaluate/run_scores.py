"""The scores that a run keeps: ``scores.parquet`` (a row per case or episode) and ``scores.json`` (how made).

`vlnscope score RUN` writes them, and `vlnscope report` reads them. So a run that was scored can be reported
anywhere, without the data that it was run on.
"""

from __future__ import annotations

from pathlib import Path
from typing import Literal, NamedTuple

import msgspec

from vlnscope._version import __version__
from vlnscope.core.exceptions import DataNotFoundError, InputError
from vlnscope.core.files import file_digest
from vlnscope.core.json_file import read_json, write_json
from vlnscope.core.tables import Columns, write_parquet
from vlnscope.engine.store.run_folder import EVIDENCE

SCORES = "scores.parquet"
RECORD = "scores.json"


class ScoresRecord(msgspec.Struct, frozen=True, kw_only=True):
    """The content of ``scores.json``.

    Attributes:
        v: version of this layout.
        vlnscope: the version that scored.
        profile: whose conventions were followed.
        data: the data set.
        evidence: SHA-256 of the evidence that was scored.
        scores: SHA-256 of ``scores.parquet``.
        notes: what a reader of the scores must know.
        version: of the benchmark that scored; 0 for plain episodes.
    """

    v: Literal[1] = 1
    vlnscope: str
    profile: str
    data: str
    evidence: str
    scores: str
    notes: tuple[str, ...] = ()
    version: int = 0


class KeptScores(NamedTuple):
    """Scores that a run keeps: the file of the rows, and how they were made."""

    file: Path
    record: ScoresRecord


def keep_scores(
    folder: Path, columns: Columns, *, profile: str, data: str, notes: tuple[str, ...] = (), version: int = 0
) -> Path:
    """Write scores into a run, and return their file; those that are there are replaced."""
    file = write_parquet(folder / SCORES, columns)
    record = ScoresRecord(
        vlnscope=__version__,
        profile=profile,
        data=data,
        evidence=file_digest(folder / EVIDENCE),
        scores=file_digest(file),
        notes=notes,
        version=version,
    )
    write_json(folder / RECORD, record)
    return file


def kept_scores(folder: Path, profile: str) -> KeptScores | None:
    """Return the scores that a run keeps; None if it has none of the profile, or has gone on since.

    Scores that are damaged count as none: they can be made again.
    """
    file = folder / SCORES
    if not (folder / RECORD).is_file() or not file.is_file():
        return None
    try:
        record = read_json(
            folder / RECORD, ScoresRecord, "what `vlnscope score` writes", "score the run again"
        )
    except InputError:
        return None
    current = (profile, file_digest(folder / EVIDENCE), file_digest(file))
    return KeptScores(file, record) if (record.profile, record.evidence, record.scores) == current else None


def no_scores(folder: Path, profile: str, error: DataNotFoundError) -> DataNotFoundError:
    """Return the error that a run keeps no scores, and the data to score it on are missing as well."""
    option = "" if profile == "default" else f" --profile {profile}"
    return DataNotFoundError(
        f"{folder}: holds no scores that could be used, and cannot be scored: {error.what}",
        expected=f"{SCORES} of this evidence and of profile {profile}, or the data that it was run on",
        fix=f"run `vlnscope score {folder}{option}` where the data are, or name their folder with --root",
    )
