"""Detections of many instructions and what they amount to, by type of error."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

import msgspec
import numpy as np

from vlnscope.benchmarks.errors.build.word_pieces import WordPieces
from vlnscope.benchmarks.errors.detection.annotation import is_wrong, wrong_words
from vlnscope.benchmarks.errors.detection.protocol import Detection, words_at
from vlnscope.benchmarks.errors.detection.scores import (
    OFFICIAL_TOKENS,
    AucEstimate,
    auc_over_scenes,
    average_precision,
    corrected_distance,
    hit_share,
    located,
    official_distance,
    risk_coverage,
    roc_auc,
)
from vlnscope.language.alignment import words_of
from vlnscope.language.parse import parse
from vlnscope.types import Case, Episode

LOCALISATION = ("ATD", "ATD official", "ATD pieces", "hit word", "hit part")


class DetectionRow(msgspec.Struct, frozen=True, kw_only=True):
    """One instruction and what was said of it.

    Attributes:
        case_id: the case.
        episode_id: the episode that it is made of.
        scan: the scene.
        groups: of the case; ``type`` is the type of error.
        instruction: the text.
        wrong: whether it contains an error; None if nobody knows.
        found: what the detector says.
        located: for wrong instructions, how well the errors were located: ATD in words over the words
            (corrected) and as the official code counts, ATD in word-pieces where a vocabulary was at hand,
            shares of errors whose word or whose part of the instruction was found.
    """

    case_id: str
    episode_id: str
    scan: str
    groups: dict[str, str]
    instruction: str
    wrong: bool | None
    found: Detection
    located: dict[str, float] = msgspec.field(default_factory=dict)


class DetectionScores(msgspec.Struct, frozen=True, kw_only=True):
    """How well the errors of one type were detected and located.

    Attributes:
        type: of the errors.
        right, wrong: how many instructions there are of each.
        auc: of the score of the whole instruction, with an interval over scenes.
        aspect_auc: of the score for what was made wrong alone (is a direction wrong?), where there is one.
        average_precision: see `vlnscope.benchmarks.errors.detection.scores`.
        risk_area: area under the risk–coverage curve.
        located: means of `DetectionRow.located` over wrong instructions.
    """

    type: str
    right: int
    wrong: int
    auc: AucEstimate
    aspect_auc: float | None
    average_precision: float | None
    risk_area: float
    located: dict[str, float]


def row_of(case: Case, detection: Detection, pieces: WordPieces | None = None) -> DetectionRow:
    """Put a case and what a detector says of it together."""
    episode = case.episode
    return DetectionRow(
        case_id=case.case_id,
        episode_id=episode.episode_id,
        scan=episode.scan,
        groups=case.groups,
        instruction=episode.instruction,
        wrong=None if episode.errors is None else is_wrong(episode),
        found=detection,
        located=_located(episode, detection, pieces),
    )


def score_detections(rows: Iterable[DetectionRow]) -> list[DetectionScores]:
    """Return the scores by type of error, in the order of first appearance.

    Rows of which nobody knows whether they are wrong are left out.
    """
    by_type: dict[str, list[DetectionRow]] = {}
    for row in rows:
        if row.wrong is not None:
            by_type.setdefault(row.groups.get("type", "all types"), []).append(row)
    return [_scored(name, group) for name, group in by_type.items()]


def _scored(name: str, rows: Sequence[DetectionRow]) -> DetectionScores:
    truth, scores = [bool(row.wrong) for row in rows], [row.found.score for row in rows]
    wrong = [row for row in rows if row.wrong]
    means = {}
    for key in LOCALISATION:
        values = [row.located[key] for row in wrong if key in row.located]
        if values:
            means[key] = float(np.mean(values))
    return DetectionScores(
        type=name,
        right=len(rows) - len(wrong),
        wrong=len(wrong),
        auc=auc_over_scenes(truth, scores, [row.scan for row in rows]),
        aspect_auc=_aspect_auc(name, truth, rows),
        average_precision=average_precision(truth, scores),
        risk_area=risk_coverage(truth, scores).area,
        located=means,
    )


def _aspect_auc(name: str, truth: Sequence[bool], rows: Sequence[DetectionRow]) -> float | None:
    aspect = {"vertical": "direction"}.get(name, name)
    if not any(aspect in row.found.aspects for row in rows):
        return None
    return roc_auc(truth, [row.found.aspects.get(aspect, 0.0) for row in rows])


def _located(episode: Episode, detection: Detection, pieces: WordPieces | None) -> dict[str, float]:
    errors = wrong_words(episode)
    if not errors:
        return {}
    first = [words[0] for words in errors]
    best = located(detection.words, len(errors))
    parts = parts_of(episode)
    measured = {
        "ATD": corrected_distance(first, detection.words),
        "ATD official": official_distance(first, detection.words),
        "hit word": hit_share([set(words) for words in errors], best),
        "hit part": hit_share([{parts[k] for k in words} for words in errors], [parts[k] for k in best]),
    }
    if pieces is not None:
        measured["ATD pieces"] = _in_pieces(episode.instruction, first, detection, pieces)
    return measured


def _in_pieces(text: str, first: Sequence[int], detection: Detection, pieces: WordPieces) -> float:
    """Return ATD over the 80 tokens of the official code, of which [CLS] and the padding score 0."""
    scores = np.zeros(OFFICIAL_TOKENS)
    starts = []
    for (_, span), score in zip(words_of(text), detection.words, strict=True):
        _, places = pieces.places(text, span.start, span.end)
        starts.append(places[0] if places else OFFICIAL_TOKENS - 1)
        for position in places:
            if position < OFFICIAL_TOKENS:
                scores[position] = score
    return official_distance([min(starts[k], OFFICIAL_TOKENS - 1) for k in first], scores)


def parts_of(episode: Episode) -> list[int]:
    """Return the number of the sub-instruction that each word belongs to.

    These are the chunks of the episode where they fit its words, else the actions that it is parsed into.
    """
    words = words_of(episode.instruction)
    sizes = [len(chunk.words) for chunk in episode.chunks]
    if sizes and sum(sizes) == len(words):
        return [number for number, size in enumerate(sizes) for _ in range(size)]
    parts, latest = [0] * len(words), 0
    tokens = parse(episode.instruction).tokens
    owner = {k: t.action for t in tokens for k in words_at(words, t.span) if t.action is not None}
    for k in range(len(words)):
        latest = owner.get(k, latest)
        parts[k] = latest
    return parts
