"""Checks that the trajectories of a submission are all written in the same way."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Literal

from vlnscope.episodes.doctor.problems import SubmissionFinding, error, warning
from vlnscope.types import Prediction

FORMATS = ("r2r", "reverie", "r2r-by-id")
"""Formats whose trajectories can be written in several ways."""
Encoding = Literal["bare", "pieces", "triples", "mixed", "torn"]

_SHOWN: dict[Encoding, str] = {
    "bare": "bare viewpoints",
    "pieces": "arrays of viewpoints",
    "triples": "[viewpoint, heading, elevation]",
    "mixed": "arrays of both kinds",
    "torn": "bare viewpoints among arrays",
}
_FIX = "write all trajectories alike, best as [viewpoint, heading, elevation]"


class Encodings:
    """How the trajectories of a submission are written.

    The official evaluators take the first part of each element of a trajectory for its viewpoint, and the
    first part of a bare viewpoint is a letter: a file that mixes them breaks there, though it is read here.
    """

    def __init__(self) -> None:
        self._ids: dict[Encoding, list[str]] = {}

    def add(self, prediction: Prediction) -> None:
        """Take in a prediction."""
        self._ids.setdefault(encoding_of(prediction), []).append(prediction.episode_id)

    def conclude(self) -> Iterator[SubmissionFinding]:
        """Yield the records that are written otherwise than most are."""
        if not self._ids:
            return
        usual = max(self._ids, key=lambda encoding: (len(self._ids[encoding]), encoding != "bare"))
        for encoding, names in self._ids.items():
            breaks = encoding == "torn" or "bare" in (encoding, usual)
            if encoding == usual and encoding != "torn":
                continue
            for name in names:
                what = f"the trajectory is written as {_SHOWN[encoding]}"
                if encoding != usual:
                    what += f", most others as {_SHOWN[usual]}"
                yield (error if breaks else warning)("mixed-encodings", name, what, _FIX)


def encoding_of(prediction: Prediction) -> Encoding:
    """Return how the trajectory of a prediction was written in the file that it comes from.

    Example:
        >>> encoding_of(Prediction(episode_id="1_0", path=("a", "b")))
        'bare'
    """
    source = prediction.extra.get("trajectory")
    if isinstance(source, list):
        return "torn" if any(isinstance(element, str) for element in source) else "mixed"
    if prediction.headings is not None:
        return "triples"
    return "bare" if prediction.segments is None else "pieces"
