"""Builds the cases: every errand as it is."""

from __future__ import annotations

from itertools import islice

from vlnscope.benchmarks.kit.case_set import CaseSet
from vlnscope.episodes.datasets.dataset import Dataset
from vlnscope.types import Case
from vlnscope_gridtown.blocks.protocol import rules


def build_cases(dataset: Dataset, *, most: int | None = None, seed: int = 0) -> CaseSet:
    """Ask the errands of a data set."""
    return CaseSet(
        benchmark="blocks",
        data=dataset.address,
        rules=rules(),
        cases=tuple(
            Case(case_id=episode.episode_id, episode=episode, groups={"blocks": str(len(episode.path) - 1)})
            for episode in islice(dataset.episodes(), most)
        ),
        options={"most": most, "seed": seed},
    )
