"""`alignment`: rooms and objects that the text names against rooms and objects that were seen.

The idea of the paper's “CLIP Alignment” with labels, object lists and captions in the place of CLIP: an
instruction is suspicious if it names what was never seen. Directions play no part, nor does order.
"""

from __future__ import annotations

from vlnscope.benchmarks.errors.detection.protocol import (
    Detection,
    DetectorSpec,
    Outing,
    Reason,
    register_detector,
    words_at,
)
from vlnscope.benchmarks.errors.detectors.presence import knows, sighted
from vlnscope.language.alignment import words_of
from vlnscope.language.parse import parse

_ASPECTS = {"landmark": "object", "region": "room"}


class AlignmentDetector:
    """Looks for names of things that were not seen."""

    def detect(self, instruction: str, walk: Outing) -> Detection:
        """Return the share of the named rooms and objects that were never seen; 1 for the words themselves.

        The share is above 0 where the paper's rule says “wrong”: not all that is named was seen.
        """
        words = words_of(instruction)
        marked = [0.0] * len(words)
        reasons, named = [], 0
        for token in parse(instruction).tokens:
            aspect = _ASPECTS.get(token.category)
            if aspect is None or not knows(aspect, walk):
                continue
            named += 1
            if not any(sighted(aspect, token.lemma, percept) > 0.0 for percept in walk.percepts):
                reasons.append(Reason(token.span, 1.0, f"“{token.lemma}”: never seen on the way"))
                for word in words_at(words, token.span):
                    marked[word] = 1.0
        return Detection(
            score=len(reasons) / named if named else 0.0, words=tuple(marked), reasons=tuple(reasons)
        )


register_detector(
    DetectorSpec(
        name="alignment",
        summary="rooms and objects that are named against those that were seen",
        make=lambda seed: AlignmentDetector(),
    )
)
