"""`random`: scores drawn at random, the lower bound of detection and localisation (R2RIE-CE, section VI)."""

from __future__ import annotations

from vlnscope.benchmarks.errors.detection.protocol import Detection, DetectorSpec, Outing, register_detector
from vlnscope.core.rng import rng_for
from vlnscope.language.alignment import words_of


class RandomDetector:
    """Draws every score; equal instructions on equal walks get equal scores.

    Args:
        seed: of the drawing.
    """

    def __init__(self, seed: int) -> None:
        self._seed = seed

    def detect(self, instruction: str, walk: Outing) -> Detection:
        """Draw a score for the instruction and one for each word."""
        rng = rng_for(self._seed, "detector", instruction, *walk.path)
        score = float(rng.random())
        return Detection(score=score, words=tuple(rng.random(len(words_of(instruction))).tolist()))


register_detector(
    DetectorSpec(name="random", summary="draws its scores: the lower bound", make=RandomDetector)
)
