"""The detector `counting`: an instruction that asks for other numbers of blocks than were walked is wrong."""

from __future__ import annotations

from vlnscope.benchmarks.errors.detection.protocol import Detection, DetectorSpec, Outing
from vlnscope.language.alignment import words_of
from vlnscope_gridtown.couriers import route


class CountingDetector:
    """Compares the number of blocks told with the number walked."""

    def detect(self, instruction: str, walk: Outing) -> Detection:
        """Say 1 if the numbers differ, else 0."""
        score = float(len(route(instruction)) != len(walk.path) - 1)
        return Detection(score=score, words=(score,) * len(words_of(instruction)))


COUNTING = DetectorSpec(name="counting", summary="counts blocks", make=lambda seed: CountingDetector())
