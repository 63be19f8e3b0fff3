"""Experiment (a): real R2R, seen through captions."""

from __future__ import annotations

from vlnscope.experiments.result import ExperimentResult
from vlnscope.experiments.single_episodes import walking
from vlnscope.experiments.workspace import Workspace

WORLDS = ("r2r",)


def conduct(workspace: Workspace) -> ExperimentResult:
    """Train on R2R through captions, and compare with `captions` and `random` on unseen buildings."""
    return walking(
        workspace,
        workspace.worlds[0],
        "r2r",
        "R2R through captions",
        "Agents see real buildings through captions, since nobody may ship the pictures. Do they learn to "
        "follow instructions in buildings that they never saw? “other” is the instruction of another path.",
    )
