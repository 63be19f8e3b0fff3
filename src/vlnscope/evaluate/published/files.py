"""A file as it is found: what it holds, what it is for, its scores, and what cannot be said of it and why."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from vlnscope.core.exceptions import DataNotFoundError, InputError, VlnscopeError
from vlnscope.evaluate.published.file_data import FileRecords, FittingData, KnownSplits, file_records
from vlnscope.evaluate.published.no_targets import untargeted_walks
from vlnscope.evaluate.score.result import Score
from vlnscope.evaluate.score.score import score
from vlnscope.metrics.measures.ne import NO_NAVMESH
from vlnscope.reporting.tables.marks import counted

FOLDER = "agent_predictions"
"""Where prediction files lie in a data folder."""
_ENDINGS = re.compile(r"(\.jsonl?)?(\.gz)?$")
_SPLITS = frozenset({"val", "seen", "unseen", "test", "train"})
_TOKENS = 3


@dataclass(frozen=True)
class PublishedFile:
    """A file of somebody's agent.

    Attributes:
        name: of the agent on the page.
        path: the file.
        records: what it holds; None if it cannot be read.
        data: what it is for; None if no split of the data folder fits.
        score: its scores; None if it cannot be scored.
        facts: what can be said without scores.
        why_not: why something cannot be said, a sentence each.
    """

    name: str
    path: Path
    records: FileRecords | None = None
    data: FittingData | None = None
    score: Score | None = None
    facts: tuple[str, ...] = ()
    why_not: tuple[str, ...] = ()

    @property
    def holds(self) -> str:
        """What is in the file, in a few words."""
        if self.records is None:
            return "nothing that can be read"
        count = len(self.records.starts)
        if not self.records.has_walks:
            return f"metrics of {counted(count, 'episode')}, no walks"
        if self.records.in_space:
            return f"{counted(count, 'walk')} in continuous space"
        return f"{counted(count, 'walk')}{' and the objects chosen' if self.records.chooses else ''}"

    @property
    def remarks(self) -> tuple[str, ...]:
        """All that a reader must know of the file."""
        notes = self.score.notes if self.score else ()
        return (*self.facts, *(note.removeprefix(f"{self.path.name}: ") for note in notes), *self.why_not)

    @property
    def rank(self) -> tuple[bool, bool, str, float]:
        """Where it stands on a page: walks first, by data set, the best first; what has no score last."""
        rate = self.score.intervals["SR"].mean if self.score and "SR" in self.score.intervals else None
        walks = self.records is not None and self.records.has_walks and not self.records.in_space
        return self.score is None, not walks, self.data.dataset.name if self.data else "", -(rate or 0.0)


def published_files(given: Sequence[str | Path], root: Path) -> dict[str, Path]:
    """Return files by the names of their agents: those given, or all in ``agent_predictions`` of the folder.

    Args:
        given: paths, or ``NAME=PATH``.
        root: the data folder.

    Raises:
        InputError: a file is missing, or two agents have one name.
    """
    if given:
        named = [_named(str(text)) for text in given]
    else:
        found = sorted((root / FOLDER).glob("*.json*")) if (root / FOLDER).is_dir() else []
        if not found:
            raise DataNotFoundError(
                f"no prediction files in {root / FOLDER}",
                expected="files such as agent_predictions/mine_val_unseen.json",
                fix="put them there, or name the files",
            )
        named = [("", path) for path in found]
    return _distinct(named)


def read_published(name: str, path: Path, splits: KnownSplits) -> PublishedFile:
    """Find out what a file is for, and score it as far as it goes."""
    known = PublishedFile(name, path)
    try:
        records = file_records(path)
    except VlnscopeError as error:
        what = error.what.removeprefix(f"{path}: ")
        return replace(known, why_not=(f"it could not be read: {what}; {error.fix}",))
    known = replace(known, records=records)
    data = splits.fitting(records, path)
    if data is None:
        return replace(known, facts=tuple(_facts(known, splits.root)), why_not=(_fits_nowhere(records),))
    try:
        found = score(path, data.dataset, root=splits.root, partial=True)
    except VlnscopeError as error:
        return replace(known, data=data, why_not=(f"it could not be scored: {error.what}; {error.fix}",))
    return replace(known, data=data, score=found, why_not=tuple(_unsaid(data, found)))


def _facts(file: PublishedFile, root: Path) -> Iterator[str]:
    records = file.records
    if records is not None and records.has_walks and not records.in_space:
        walks = untargeted_walks(file.path, root)
        yield from walks.sentences() if walks is not None else ()


def _fits_nowhere(records: FileRecords) -> str:
    example = next(iter(records.starts), "")
    if records.chooses:
        return (
            f"no split of REVERIE that is here has its ids, such as {example}: they name no target, as those "
            "for the test split do, whose targets are not public, so that success is unknown"
        )
    return (
        f"no data set that is here has its ids and starts, such as {example}, so that nothing can be scored"
    )


def _unsaid(data: FittingData, found: Score) -> Iterator[str]:
    """Say which of the usual metrics have no value in any episode, and why."""
    if data.dataset.is_test:
        yield f"{data.dataset.name} keeps its goals secret, so that success is unknown"
        return
    reasons: dict[str, list[str]] = {}
    for name, values in found.episodes.values.items():
        if name in ("NE", "SR", "SPL") and not values.defined.any():
            reasons.setdefault(next(iter(values.undefined), ""), []).append(name)
    for reason, names in reasons.items():
        if reason == NO_NAVMESH:
            yield f"{', '.join(names)} have no value without navigation meshes of the scenes"
        else:
            yield f"{', '.join(names)} have no value: {reason}"


def _named(text: str) -> tuple[str, Path]:
    name, equals, rest = text.partition("=")
    written = Path(text)
    path = written if written.exists() or not equals else Path(rest)
    if not path.is_file():
        raise InputError(f"{path}: there is no such file", expected="a prediction file", fix="check the path")
    return ("" if path is written else name.strip(), path)


def _distinct(named: Sequence[tuple[str, Path]]) -> dict[str, Path]:
    short = [name or short_name(path) for name, path in named]
    count = Counter(short)
    files: dict[str, Path] = {}
    for name, (given, path) in zip(short, named, strict=True):
        chosen = name if given or count[name] == 1 else f"{name} ({_split_in(path) or path.name})"
        if chosen in files:
            raise InputError(
                f"two files are called {chosen}",
                expected="a name of its own for each",
                fix=f"name them, for example first={path}",
            )
        files[chosen] = path
    return files


def short_name(path: Path) -> str:
    """Return a name for the agent of a file: the first words of the file's name, without splits.

    Example:
        >>> short_name(Path("NaviLLM_val_seen.json.gz")), short_name(Path("CWP_CMA_stats_ep_val_unseen.json"))
        ('NaviLLM', 'CWP CMA stats')
    """
    stem = _ENDINGS.sub("", path.name)
    tokens = [token for token in re.split(r"[_\-. ]+", stem) if token and token.lower() not in _SPLITS]
    return " ".join(tokens[:_TOKENS]) or stem


def _split_in(path: Path) -> str:
    found = re.search(r"(val_?(?:un)?seen|test|train)", path.name)
    return found[0] if found else ""
