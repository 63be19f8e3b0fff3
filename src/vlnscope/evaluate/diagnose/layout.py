"""The folder of a diagnosis: what lies where, and what it was begun with.

=============================  ===========================================================================
``diagnosis.json``             what is asked (`Plan`)
``cases/QUESTION``             its cases
``runs/AGENT/QUESTION``        what an agent did
``scores/QUESTION-AGENT.…``    a row per case
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
from vlnscope.evaluate.diagnose.named_agents import Subject
from vlnscope.evaluate.diagnose.sizes import Part

PLAN = "diagnosis.json"
FINDINGS = "findings.json"
WALKS = "walks.json"
PAGE = "report.html"


class Plan(msgspec.Struct, frozen=True, kw_only=True):
    """The content of ``diagnosis.json``: what is asked, which must be the same for a diagnosis to go on."""

    v: Literal[1] = 1
    vlnscope: str
    data: str
    size: str
    seed: int
    parts: tuple[Part, ...]


@dataclass(frozen=True)
class Layout:
    """Where things lie in the folder of a diagnosis.

    Attributes:
        out: the folder.
        who: agents and prediction files.
    """

    out: Path
    who: Sequence[Subject]

    def cases(self, question: str) -> Path:
        """Return the folder of the cases of a question."""
        return self.out / "cases" / question

    def run(self, name: str, question: str) -> Path:
        """Return the folder of what an agent did there."""
        return self.out / "runs" / self._folder(name) / question

    def scores(self, name: str, question: str) -> Path:
        """Return the file of its rows."""
        return self.out / "scores" / f"{question}-{self._folder(name)}.parquet"

    def relative(self, path: Path) -> str:
        """Return a path as the report links to it."""
        return path.relative_to(self.out).as_posix()

    def begin(self, plan: Plan, *, resume: bool) -> None:
        """Write down what is asked, or make sure that the folder holds a diagnosis that asks the same.

        Raises:
            InputError: the folder holds something else, or a diagnosis that is not to be gone on with.
        """
        path = self.out / PLAN
        try:
            self.out.mkdir(parents=True, exist_ok=True)
            if path.exists():
                _check_same(path, plan, resume=resume)
            elif any(self.out.iterdir()):
                raise InputError(
                    f"{self.out}: holds other things and no {PLAN}",
                    expected="an empty or a new folder",
                    fix="name another with --out",
                )
            write_json(path, plan)
        except OSError as error:
            raise InputError(
                f"{self.out}: a diagnosis cannot be kept there ({error.strerror or error})",
                expected="a folder that you may write to, or the name of a new one",
                fix="name another with --out",
            ) from None

    def _folder(self, name: str) -> str:
        return next(subject.folder for subject in self.who if subject.name == name)


def _check_same(path: Path, plan: Plan, *, resume: bool) -> None:
    if not resume:
        raise InputError(
            f"{path.parent}: there is a diagnosis already",
            expected="a new folder",
            fix="add --resume to go on with it or to add agents, or name another folder",
        )
    there = read_json(path, Plan, "what `vlnscope diagnose` writes", "name another folder")
    wanted = msgspec.json.decode(msgspec.json.encode(plan), type=Plan)
    for name in Plan.__struct_fields__:
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
