"""Experiment (a): real R2R, seen through captions."""

from __future__ import annotations

from vlnscope.studies.experiments.lab import Lab
from vlnscope.studies.experiments.outcome import Outcome
from vlnscope.studies.experiments.walking import walking

WORLDS = ("r2r",)


def conduct(lab: Lab) -> Outcome:
    """Train on R2R through captions, and compare with `captions` and `random` on unseen buildings."""
    return walking(
        lab,
        lab.worlds[0],
        "r2r",
        "R2R through captions",
        "Agents see real buildings through captions, since nobody may ship the pictures. Do they learn to "
        "follow instructions in buildings that they never saw? “other” is the instruction of another path.",
    )
