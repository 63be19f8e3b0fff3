"""Detection of errors over many instructions: run a detector, score it where the truth is known, flag."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from vlnscope.benchmarks.errors.build.word_pieces import WordPieces
from vlnscope.benchmarks.errors.detection.protocol import Detector, make_detector
from vlnscope.benchmarks.errors.detection.rows import (
    DetectionRow,
    DetectionScores,
    row_of,
    score_detections,
)
from vlnscope.benchmarks.kit.case_set import CaseSet, is_case_set
from vlnscope.core.exceptions import InputError
from vlnscope.core.results import Block, Line, Result, TextTable, interval, notes
from vlnscope.core.tables import Columns
from vlnscope.episodes.datasets.dataset import Dataset, open_dataset
from vlnscope.evaluate.audit.path_observer import PathObserver, walks_of
from vlnscope.types import Case
from vlnscope.worlds.scene import Scenes

REFERENCE = "reference"
FLAG = 0.99
"""τ_a of the paper: instructions with a higher score are flagged."""


@dataclass(frozen=True)
class DetectionResult(Result):
    """What a detector said of the instructions of a data set.

    Attributes:
        data: what was looked at.
        detector: its name.
        walks: whose walks were looked at: ``reference``, or the agent's name. Numbers on the one and on the
            other answer different questions and are not to be compared.
        rows: one per instruction, in their order.
        left_out: instructions without a walk, or whose agent failed.
        given: how many instructions there are, read or not; 0 if nobody counted them.
    """

    data: str
    detector: str
    walks: str
    rows: list[DetectionRow]
    left_out: int = 0
    given: int = 0

    def scores(self) -> list[DetectionScores]:
        """Return AUC, ATD and so on by type of error; nothing where no truth is known."""
        return score_detections(self.rows)

    def flagged(self, threshold: float = FLAG) -> list[DetectionRow]:
        """Return the instructions with a score above a threshold, the most suspicious first."""
        above = [row for row in self.rows if row.found.score > threshold]
        return sorted(above, key=lambda row: (-row.found.score, row.case_id))

    def columns(self) -> Columns:
        """Return a row per instruction."""
        names = ("case_id", "episode_id", "scan", "instruction", "wrong")
        columns: dict[str, list[Any]] = {name: [getattr(row, name) for row in self.rows] for name in names}
        columns["type"] = [row.groups.get("type") for row in self.rows]
        columns["score"] = [row.found.score for row in self.rows]
        columns["words"] = [list(row.found.words) for row in self.rows]
        columns["reasons"] = [[reason.text for reason in row.found.reasons] for row in self.rows]
        for key in sorted({key for row in self.rows for key in row.located}):
            columns[key] = [row.located.get(key) for row in self.rows]
        return columns

    def records(self) -> list[DetectionRow]:
        """Return a row per instruction."""
        return self.rows

    def to_dict(self, threshold: float = FLAG) -> dict[str, Any]:
        """Return the scores, and the instructions above a threshold, as plain data."""
        return {
            "data": self.data,
            "detector": self.detector,
            "walks": self.walks,
            "instructions": len(self.rows),
            "left_out": self.left_out,
            "given": self.given,
            "scores": [_plain(one) for one in self.scores()],
            "threshold": threshold,
            "flagged": [
                {
                    "case_id": row.case_id,
                    "score": row.found.score,
                    "instruction": row.instruction,
                    "reasons": [reason.text for reason in row.found.reasons],
                }
                for row in self.flagged(threshold)
            ],
        }

    def display(self, threshold: float = FLAG) -> Iterator[Block]:
        """Yield the scores as a table, and the instructions above a threshold."""
        scores = self.scores()
        some = f" of the {self.given:,}" if len(self.rows) < self.given else ""
        read = f"{len(self.rows):,}{some} instructions of {self.data}"
        read += f", {self.walks} walks, detector {self.detector}"
        if scores:
            columns = ["error", "right", "wrong", "AUC", "95 % over scenes", "of its aspect", "AP", "risk"]
            measured = list(dict.fromkeys(key for one in scores for key in one.located))
            yield TextTable(read, [*columns, *measured], [_cells(one, measured) for one in scores])
        else:
            yield Line(read)
        flagged = self.flagged(threshold)
        yield Line(f"{len(flagged):,} above {threshold}")
        for row in flagged[:10] if scores else flagged:
            reasons = "; ".join(reason.text for reason in row.found.reasons[:3])
            yield Line(f"{row.found.score:.4f} {row.case_id}: {reasons}")
        if self.left_out:
            yield from notes([f"{self.left_out:,} without a walk were left out"])


def _plain(one: DetectionScores) -> dict[str, Any]:
    names = ("type", "right", "wrong", "aspect_auc", "average_precision", "risk_area")
    return {name: getattr(one, name) for name in names} | {"auc": one.auc._asdict(), "located": one.located}


def _cells(one: DetectionScores, measured: Sequence[str]) -> list[str]:
    auc, aspect, precision = (
        "" if value is None else f"{value:.3f}"
        for value in (one.auc.value, one.aspect_auc, one.average_precision)
    )
    located = [f"{one.located[key]:.2f}" if key in one.located else "" for key in measured]
    counts = [one.type, f"{one.right:,}", f"{one.wrong:,}"]
    ends = interval(one.auc.low, one.auc.high)
    return [*counts, auc, ends, aspect, precision, f"{one.risk_area:.3f}", *located]


def detect(
    cases: CaseSet | Dataset | str | Path,
    detector: str | Detector = "grounding",
    *,
    walks: str | Path | None = None,
    senses: Sequence[str] | None = None,
    vocabulary: str | Path | None = None,
    root: str | Path | None = None,
    limit: int | None = None,
    seed: int = 0,
) -> DetectionResult:
    """Look for errors in instructions.

    Args:
        cases: a folder of cases, or a data set by name, whose instructions are looked at as they are.
        detector: name of a detector, or one that was made.
        walks: a run of these cases by some agent, whose walks are looked at; the reference paths if None.
        senses: what detectors may see; see `PathObserver`.
        vocabulary: a BERT ``vocab.txt``, to measure distances in word-pieces too.
        root: folder of the data; ``$VLNSCOPE_DATA`` if not given.
        limit: look at the first so many instructions of each type of error.
        seed: of detectors that draw.

    Raises:
        InputError: nothing to look at, or something in it cannot be used.
    """
    reader = make_detector(detector, seed) if isinstance(detector, str) else detector
    name, instructions, scenes = _opened(cases, root)
    who, paths = (REFERENCE, None) if walks is None else walks_of(walks)
    lookout = PathObserver(scenes, senses, root)
    pieces = None if vocabulary is None else WordPieces(Path(vocabulary))
    rows, left_out = [], 0
    every = list(instructions)
    for case in _first(every, limit):
        path = case.episode.path if paths is None else paths.get(case.case_id, ())
        if not path:
            left_out += 1
            continue
        detection = reader.detect(case.episode.instruction, lookout.along(case.episode, path))
        rows.append(row_of(case, detection, pieces))
    if not rows:
        raise InputError(
            f"{name}: no instruction has a walk to hold it against",
            expected="paths over a navigation graph, as in r2r/val_unseen",
            fix="name a discrete data set, or a run of the same cases",
        )
    called = detector if isinstance(detector, str) else type(detector).__name__
    return DetectionResult(name, called, who, rows, left_out, len(every))


def _opened(
    cases: CaseSet | Dataset | str | Path, root: str | Path | None
) -> tuple[str, Iterable[Case], Scenes]:
    if isinstance(cases, str | Path) and is_case_set(cases):
        cases = CaseSet.load(cases)
    if isinstance(cases, CaseSet):
        scenes = _scenes(open_dataset(cases.data, root))
        cases.check_generator(scenes)
        return cases.data, cases.cases, scenes
    dataset = cases if isinstance(cases, Dataset) else open_dataset(cases, root)
    cases_of_data = (Case(case_id=episode.episode_id, episode=episode) for episode in dataset.episodes())
    return dataset.name, cases_of_data, _scenes(dataset)


def _scenes(dataset: Dataset) -> Scenes:
    if dataset.scenes is None:
        raise InputError(
            f"{dataset.name}: has no navigation graphs",
            expected="a data set whose episodes walk over a graph, as in R2R",
            fix="use the discrete data set, such as r2r/val_unseen, or build cases with --graph",
        )
    return dataset.scenes


def _first(cases: Iterable[Case], limit: int | None) -> Iterator[Case]:
    """Yield the first `limit` pairs of each type of error, or instructions where there are no pairs."""
    pairs: dict[str, set[str]] = {}
    for case in cases:
        seen = pairs.setdefault(case.groups.get("type", ""), set())
        pair = case.groups.get("pair", case.case_id)
        if limit is not None and pair not in seen and len(seen) >= limit:
            continue
        seen.add(pair)
        yield case
