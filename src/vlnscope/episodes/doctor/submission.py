"""Checks of a submission as a whole: which episodes it answers, and what all its answers share."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from itertools import pairwise
from pathlib import Path

from vlnscope.core.data_root import data_root
from vlnscope.episodes.datasets.dataset import Dataset
from vlnscope.episodes.doctor.other_splits import best_split
from vlnscope.episodes.doctor.problems import SubmissionFinding, error, finding
from vlnscope.episodes.doctor.targets import (
    Place,
    Targets,
    label,
    own_success_of,
    paths_of,
    same_place,
    start_of,
    unscored_ids,
)
from vlnscope.types import Prediction

NEARLY_ALL = 0.9
LOOK_ELSEWHERE = 0.1  # share of predictions that must not fit before other splits are read


@dataclass
class Submission:
    """What was seen of a submission while it was read once.

    Attributes:
        dataset: what it answers.
        targets: the episodes of that.
        seen: ids of predictions, in order.
        broken: ids of records that could not be used.
        misfits: where those predictions start that have no episode, or start elsewhere.
        resting: how many predictions never leave their first viewpoint.
    """

    dataset: Dataset
    targets: Targets
    seen: dict[str, None] = field(default_factory=dict)
    broken: set[str] = field(default_factory=set)
    misfits: dict[str, Place] = field(default_factory=dict)
    resting: int = 0

    def add(self, prediction: Prediction) -> Iterator[SubmissionFinding]:
        """Take in a prediction; yield what is wrong with its id."""
        name = prediction.episode_id
        if name in self.seen:
            yield finding("duplicate-id", name)
            return
        self.seen[name] = None
        self.resting += _rests(prediction.path or prediction.positions)
        target, start = self.targets.get(name), start_of(prediction)
        if target is None or not same_place(start, target.start):
            self.misfits[name] = start
        if target is None:
            yield self._extra(name)

    def conclude(self, root: str | Path | None) -> Iterator[SubmissionFinding]:
        """Yield what is wrong with the submission as a whole, then the episodes without a prediction."""
        yield from self._other_splits(data_root(root))
        yield from self._test_split()
        if len(self.seen) > 1 and self.resting == len(self.seen):
            yield finding("never-moves", None, count=len(self.seen))
        answered = [name for name in self.seen if name in self.targets]
        missing = [name for name in self.targets if name not in self.seen and name not in self.broken]
        yield from self._first_instructions(answered, missing)
        unscored = unscored_ids(self.dataset, self.targets)
        yield from (finding("fourth-instruction", name) for name in answered if name in unscored)
        for name in missing:
            yield finding("fourth-instruction-missing" if name in unscored else "missing", name)

    def _extra(self, name: str) -> SubmissionFinding:
        example = next(iter(self.targets))
        what, fix = f"is not in {label(self.dataset)}", f"remove it; ids look like {example}"
        if name.strip() in self.targets:
            what, fix = "has blanks around its id", f"write {name.strip()!r}"
        elif f"{name}_0" in self.targets:
            what = f"is the id of a path, not of an instruction, in {label(self.dataset)}"
            fix = (
                f"append the number of the instruction: {name}_0, {name}_1, …; or say it in the file's name, "
                "as in preds_inst_0.json"
            )
        return error("extra", name, what, fix)

    def _test_split(self) -> Iterator[SubmissionFinding]:
        if self.dataset.is_test and not own_success_of(self.dataset):
            yield finding("test-split", None, data=label(self.dataset))

    def _first_instructions(
        self, answered: Sequence[str], missing: Sequence[str]
    ) -> Iterator[SubmissionFinding]:
        numbers = {self.targets[name].instruction for name in answered}
        others = [name for name in missing if self.targets[name].instruction not in numbers]
        if len(numbers) != 1 or len(answered) < 2:
            return
        if len(paths_of(self.targets, answered) & paths_of(self.targets, others)) == len(answered):
            counts = {"answered": len(answered), "episodes": len(self.targets)}
            yield finding("one-instruction", None, number=numbers.pop(), **counts)

    def _other_splits(self, root: Path | None) -> Iterator[SubmissionFinding]:
        """Say which other split of the data set the predictions that do not fit belong to."""
        if len(self.misfits) < max(1, LOOK_ELSEWHERE * len(self.seen)):
            return
        best = best_split(self.dataset, self.misfits, root)
        if best is not None:
            remedy = "keep the predictions of each split in a file of their own"
            if best.fitting > NEARLY_ALL * len(self.seen):
                remedy = f"use --data {best.name}"
            details = {"fitting": best.fitting, "count": len(self.seen), "data": best.name}
            yield finding("other-split", None, remedy=remedy, **details)


def _rests(places: Sequence[object]) -> bool:
    return all(a == b for a, b in pairwise(places))
