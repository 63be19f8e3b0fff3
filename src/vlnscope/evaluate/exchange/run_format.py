"""What a layout of whole runs is: files that the tools of a paper or of a challenge read, made from a run.

A `vlnscope.episodes.format.Format` turns records into records, and loses nothing. A `RunFormat` knows what
those tools expect beyond that: a file per category, ids of their own, headings that only the scenes tell, and
no members of ours. It may also read such files back, as the evidence of cases. Other packages add layouts
through the entry-point group ``vlnscope.run-format``.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import IO, TYPE_CHECKING, Any, NamedTuple, cast

from vlnscope.core import registry
from vlnscope.core.exceptions import InputError, UnknownNameError

if TYPE_CHECKING:
    from vlnscope.benchmarks.kit.case_set import CaseSet
    from vlnscope.episodes.datasets.dataset import Dataset
    from vlnscope.episodes.formats.evidence import EvidenceLine
    from vlnscope.evaluate.exchange.finished_run import FinishedRun


class RunFile(NamedTuple):
    """A file of an export.

    Attributes:
        name: in the folder, or empty where the export is this one file.
        records: how many predictions, cases or tours it holds.
        write: writes it.
        annotates: it says what was asked, and not what was done.
    """

    name: str
    records: int
    write: Callable[[IO[bytes]], None]
    annotates: bool = False


class RunFiles(NamedTuple):
    """What an export writes.

    Attributes:
        files: one, or several for a folder.
        dropped: what the layout has no place for, with the number of records that had it.
        notes: what a user of the files must know.
    """

    files: Sequence[RunFile]
    dropped: Mapping[str, int] = {}
    notes: Sequence[str] = ()


class RunAnswers(NamedTuple):
    """What files say of cases.

    Attributes:
        lines: the evidence.
        asked: the cases that such files are about, all or a part: one category, one half of the tours.
        unused: how many of their records are for no case.
    """

    lines: Sequence[EvidenceLine]
    asked: CaseSet
    unused: int = 0


@dataclass(frozen=True, kw_only=True)
class RunFormat:
    """A layout in which whole runs are exchanged.

    Attributes:
        name: what users call it on the command line.
        title: one line for `vlnscope ls run-formats`.
        files: ``files(run, drop, **options)`` says what an export writes, without the fields `drop`.
        benchmark: whose runs it holds; empty if any, as far as `files` takes them.
        ordinary: it holds runs of episodes as they are, too.
        suffix: ending of the one file; empty if an export is a folder.
        droppable: fields that a user may give up. What the layout has no place for is dropped anyway.
        options: what can be chosen as ``NAME:OPTION=VALUE``: the values of each option, the default first.
        recognises: is this file or folder of the layout?
        read: ``read(path, case_set, scenes, **options)`` returns what files say of cases; None if files are
            only written. It is given the options that users name, and needs none.
        cases: ``cases(path, dataset)`` makes the cases from files that come with their annotations; None if
            the layout has none.
    """

    name: str
    title: str
    files: Callable[..., RunFiles]
    benchmark: str = ""
    ordinary: bool = False
    suffix: str = ".json"
    droppable: frozenset[str] = frozenset()
    options: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    recognises: Callable[[Path], bool] = lambda path: False
    read: Callable[..., RunAnswers] | None = None
    cases: Callable[[Path, Dataset], CaseSet] | None = None

    def holds(self, benchmark: str) -> bool:
        """Say whether runs of a benchmark, or (empty) of episodes as they are, can be in this layout."""
        return self.benchmark in ("", benchmark) or (self.ordinary and not benchmark)

    def export(
        self, run: FinishedRun, options: Mapping[str, str] | None = None, drop: Sequence[str] = ()
    ) -> RunFiles:
        """Return the files of a run.

        Args:
            run: what is exported.
            options: other values than the defaults.
            drop: fields to give up.

        Raises:
            InputError: there is no such option or field, or the run is not one that the layout holds.
        """
        check_options(self, options or {})
        for name in drop:
            if name not in self.droppable:
                known = ", ".join(sorted(self.droppable))
                raise InputError(
                    f"{name!r} cannot be dropped from {self.name!r} files",
                    expected=f"any of {known}" if known else "nothing: what has no place there is left out",
                    fix=f"leave {name!r} out of --drop",
                )
        defaults = {name: values[0] for name, values in self.options.items()}
        return self.files(run, tuple(drop), **defaults | dict(options or {}))


registry.require("run-format", RunFormat)


def register_run_format(layout: RunFormat) -> RunFormat:
    """Make a layout known under its name."""
    return registry.register("run-format", layout.name, layout)


def run_formats() -> dict[str, RunFormat]:
    """Return all layouts by name, those of plug-ins too."""
    return cast(dict[str, RunFormat], registry.everything("run-format"))


def get_run_format(name: str) -> RunFormat:
    """Return the layout called `name`."""
    return cast(RunFormat, registry.get("run-format", name))


def parse_layout(text: str) -> tuple[str, dict[str, str]]:
    """Part ``NAME:OPTION=VALUE,…`` into the name and the options as they are written.

    Example:
        >>> parse_layout("ivln-log:memory=reset,phases=agent")
        ('ivln-log', {'memory': 'reset', 'phases': 'agent'})
    """
    name, _, rest = text.partition(":")
    options: dict[str, str] = {}
    for part in filter(None, (piece.strip() for piece in rest.split(","))):
        key, equals, value = part.partition("=")
        if not equals:
            raise InputError(
                f"{text!r}: {part!r} is no option",
                expected="NAME:OPTION=VALUE, such as ivln-log:memory=reset",
                fix=f"write {name} alone, or an option with its value",
            )
        options[key.strip()] = value.strip()
    return name.strip(), options


def check_options(layout: RunFormat, options: Mapping[str, Any]) -> None:
    """Refuse options that a layout does not have, and values that they cannot have."""
    for name, value in options.items():
        if name not in layout.options:
            raise UnknownNameError(f"option of {layout.name}", name, layout.options, listed=True)
        if value not in layout.options[name]:
            raise UnknownNameError(f"{name} of {layout.name}", str(value), layout.options[name], listed=True)
