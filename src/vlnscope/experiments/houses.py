"""Experiment (c): houses, seen through rendered views."""

from __future__ import annotations

from vlnscope.experiments.result import ExperimentResult
from vlnscope.experiments.single_episodes import walking
from vlnscope.experiments.workspace import Workspace

WORLDS = ("houses",)


def conduct(workspace: Workspace) -> ExperimentResult:
    """Train in houses, and compare with `follower` and `random` in unseen ones."""
    return walking(
        workspace,
        workspace.worlds[0],
        "houses",
        "Houses through views",
        "Agents see rendered views of houses. Do they learn to follow instructions in houses that they never "
        "saw? `follower`, which was never trained, is told what rooms and objects are in sight instead. "
        "“other” is the instruction of another path.",
    )
