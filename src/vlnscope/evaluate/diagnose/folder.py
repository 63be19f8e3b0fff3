"""The folder of a diagnosis: what lies where, and what it was begun with.

=============================  ===========================================================================
``diagnosis.json``             what is asked (`DiagnosisConfig`)
``cases/ASSIGNMENT``           its cases
``runs/AGENT/ASSIGNMENT``      what an agent did
``scores/ASSIGNMENT-AGENT.…``  a row per case
``findings.json``              what it means (`Report`)
``walks.json``                 the walks that show it
``report.html``                both to look at
=============================  ===========================================================================
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Literal

import msgspec

from vlnscope.core.exceptions import InputError
from vlnscope.core.json_file import read_json, write_json
from vlnscope.evaluate.diagnose.case_config import CaseConfig
from vlnscope.evaluate.diagnose.subjects import Subject

PLAN = "diagnosis.json"
FINDINGS = "findings.json"
WALKS = "walks.json"
PAGE = "report.html"


class DiagnosisConfig(msgspec.Struct, frozen=True, kw_only=True):
    """The content of ``diagnosis.json``: what is asked, which must be the same for a diagnosis to go on."""

    v: Literal[1] = 1
    vlnscope: str
    data: str
    size: str
    seed: int
    parts: tuple[CaseConfig, ...]


@dataclass(frozen=True)
class DiagnosisFolder:
    """Where things lie in the folder of a diagnosis.

    Attributes:
        out: the folder.
        subjects: agents and prediction files.
    """

    out: Path
    subjects: Sequence[Subject]

    def cases(self, assignment: str) -> Path:
        """Return the folder of the cases of an assignment."""
        return self.out / "cases" / assignment

    def run(self, name: str, assignment: str) -> Path:
        """Return the folder of what an agent did there."""
        return self.out / "runs" / self._folder(name) / assignment

    def scores(self, name: str, assignment: str) -> Path:
        """Return the file of its rows."""
        return self.out / "scores" / f"{assignment}-{self._folder(name)}.parquet"

    def relative(self, path: Path) -> str:
        """Return a path as the report links to it."""
        return path.relative_to(self.out).as_posix()

    def begin(self, config: DiagnosisConfig, *, resume: bool) -> None:
        """Write down what is asked, or make sure that the folder holds a diagnosis that asks the same.

        Raises:
            InputError: the folder holds something else, or a diagnosis that is not to be gone on with.
        """
        path = self.out / PLAN
        try:
            self.out.mkdir(parents=True, exist_ok=True)
            if path.exists():
                _check_same(path, config, resume=resume)
            elif any(self.out.iterdir()):
                raise InputError(
                    f"{self.out}: holds other things and no {PLAN}",
                    expected="an empty or a new folder",
                    fix="name another with --out",
                )
            write_json(path, config)
        except OSError as error:
            raise InputError(
                f"{self.out}: a diagnosis cannot be kept there ({error.strerror or error})",
                expected="a folder that you may write to, or the name of a new one",
                fix="name another with --out",
            ) from None

    def _folder(self, name: str) -> str:
        return next(subject.folder for subject in self.subjects if subject.name == name)


def _check_same(path: Path, config: DiagnosisConfig, *, resume: bool) -> None:
    if not resume:
        raise InputError(
            f"{path.parent}: there is a diagnosis already",
            expected="a new folder",
            fix="add --resume to go on with it or to add agents, or name another folder",
        )
    there = read_json(path, DiagnosisConfig, "what `vlnscope diagnose` writes", "name another folder")
    wanted = msgspec.json.decode(msgspec.json.encode(config), type=DiagnosisConfig)
    for name in DiagnosisConfig.__struct_fields__:
        if getattr(there, name) != getattr(wanted, name):
            raise InputError(
                f"{path.parent}: is a diagnosis with other {name}: {_told(getattr(there, name))}",
                expected=f"{name}: {_told(getattr(wanted, name))}",
                fix="give the arguments it was begun with, or name another folder",
            )


def _told(value: object) -> str:
    if not isinstance(value, tuple):
        return str(value)
    return ", ".join(f"{part.benchmark} on {part.data}" for part in value)
