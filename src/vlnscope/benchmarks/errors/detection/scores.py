"""How well errors are detected and located: AUC, AP, risk and coverage, ATD, hits (R2RIE-CE, section VI).

Detection looks at one score per instruction, the higher the more suspicious. Localisation looks at one score
per token of the instructions that truly contain errors. Nothing here knows where the scores come from.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np
from scipy.stats import rankdata

from vlnscope.stats.columns import Sample
from vlnscope.stats.estimate import summarise
from vlnscope.stats.interval import SHARE
from vlnscope.stats.nesting import FEW_UNITS, Nesting
from vlnscope.types import Flags, Floats, Ints

OFFICIAL_TOKENS = 80
"""Tokens that the official code scores, however long the text is: the rest is padding."""
ONE_CLASS = "all instructions are right, or all are wrong"


class AucEstimate(NamedTuple):
    """A number between 0 and 1 with an interval over scenes; `reason` says why there is none."""

    value: float | None
    low: float | None = None
    high: float | None = None
    reason: str = ""


class RiskCoverage(NamedTuple):
    """What following the least suspicious instructions risks.

    Attributes:
        coverage: share of the instructions that are followed, the least suspicious ones first.
        risk: share of those that contain an error; the expected one where scores are tied.
        area: mean of `risk` over all coverages; lower is better.
    """

    coverage: Floats
    risk: Floats
    area: float


def roc_auc(wrong: Sequence[bool] | Flags, scores: Sequence[float] | Floats) -> float | None:
    """Return the probability that a wrong instruction scores higher than a right one; ties count half.

    None if there is only one kind of instructions (the official code writes -1).

    Example:
        >>> roc_auc([False, True, True], [0.1, 0.1, 0.9])
        0.75
    """
    truth, values = _checked(wrong, scores)
    positives, negatives = int(truth.sum()), int((~truth).sum())
    if not positives or not negatives:
        return None
    ranks = rankdata(values)
    return float((ranks[truth].sum() - positives * (positives + 1) / 2) / (positives * negatives))


def average_precision(wrong: Sequence[bool] | Flags, scores: Sequence[float] | Floats) -> float | None:
    """Return the mean precision over the thresholds at which a wrong instruction is found.

    Instructions with equal scores are found together. None if no instruction is wrong.

    Example:
        >>> average_precision([True, False, True], [0.9, 0.5, 0.4])
        0.8333333333333333
    """
    truth, values = _checked(wrong, scores)
    if not truth.any():
        return None
    order = np.argsort(-values, kind="stable")
    last = np.append(np.diff(values[order]) != 0, True)
    true_positives = np.cumsum(truth[order])[last]
    flagged = np.flatnonzero(last) + 1
    gained = np.diff(true_positives, prepend=0)
    return float((gained * true_positives / flagged).sum() / truth.sum())


def risk_coverage(wrong: Sequence[bool] | Flags, scores: Sequence[float] | Floats) -> RiskCoverage:
    """Return how many wrong instructions are followed if the more suspicious ones are not.

    Example:
        >>> risk_coverage([False, True], [0.1, 0.9]).risk.tolist()
        [0.0, 0.5]
    """
    truth, values = _checked(wrong, scores)
    order = np.argsort(values, kind="stable")
    _, group = np.unique(values[order], return_inverse=True)
    expected = np.bincount(group, truth[order]) / np.bincount(group) if len(group) else np.zeros(0)
    kept = np.arange(1, len(values) + 1)
    risk = np.cumsum(expected[group]) / kept
    return RiskCoverage(kept / max(len(values), 1), risk, float(risk.mean()) if len(risk) else 0.0)


def auc_over_scenes(wrong: Sequence[bool], scores: Sequence[float], scenes: Sequence[str]) -> AucEstimate:
    """Return the AUC with a 95 % interval that takes whole scenes as the independent observations.

    AUC is, to first order, a mean over instructions: of the share of right ones that a wrong one outranks,
    and of the share of wrong ones that outrank a right one (E. R. DeLong, D. M. DeLong and D. L.
    Clarke-Pearson, 1988; with clusters N. A. Obuchowski, 1997). Its interval is that of such a mean. Fewer
    than six scenes say nothing of others, so there is no interval then.
    """
    truth, values = _checked(wrong, scores)
    auc = roc_auc(truth, values)
    if auc is None:
        return AucEstimate(None, reason=ONE_CLASS)
    if len(set(scenes)) < FEW_UNITS:
        return AucEstimate(auc, reason=f"an interval needs {FEW_UNITS} scenes or more")
    parts = _auc_parts(truth, values, auc)
    column = Sample(parts, np.ones(len(parts), dtype=np.bool_))
    own = np.where(truth, np.cumsum(truth), np.cumsum(~truth))  # a wrong and a right one count as one pair
    nesting = Nesting.of({"scene": scenes, "pair": own})
    interval = summarise({"": column}, nesting, ranges={"": SHARE})[""]
    return AucEstimate(auc, interval.low, interval.high, interval.reason)


def _auc_parts(truth: Flags, values: Floats, auc: float) -> Floats:
    """Return numbers, one per instruction, whose mean is the AUC and whose spread is its spread."""
    inside = np.empty(len(values))
    inside[truth], inside[~truth] = rankdata(values[truth]), rankdata(values[~truth])
    outranked = rankdata(values) - inside  # how many of the other kind score lower, ties counting half
    positives, negatives = int(truth.sum()), int((~truth).sum())
    placed = np.where(truth, outranked / negatives, 1.0 - outranked / positives)
    return np.asarray(auc + len(values) * (placed - auc) / np.where(truth, positives, negatives))


def located(scores: Sequence[float] | Floats, count: int) -> tuple[int, ...]:
    """Return the `count` tokens with the highest scores, the highest first; the first of equals wins.

    Example:
        >>> located([0.1, 0.7, 0.2], 2)
        (1, 2)
    """
    order = np.argsort(-np.asarray(scores, dtype=np.float64), kind="stable")
    return tuple(int(position) for position in order[:count])


def token_distance(true: Sequence[int], predicted: Sequence[int]) -> float:
    """Return the mean distance between true and found positions, both sorted: ATD of one instruction.

    Both must be equally many. Sorting pairs them so that the distances are smallest.

    Example:
        >>> token_distance([7, 2], [3, 7])
        0.5
    """
    return float(np.abs(np.sort(np.asarray(true)) - np.sort(np.asarray(predicted))).mean())


def official_distance(true: Sequence[int], scores: Sequence[float] | Floats) -> float:
    """Return ATD of one instruction as the official code has it.

    It knows how many errors there are and takes as many of the best of all tokens it is given: those of
    the padding and the special tokens too, if their scores are given.
    """
    return token_distance(true, located(scores, len(true)))


def corrected_distance(
    true: Sequence[int], scores: Sequence[float] | Floats, text: slice = slice(None)
) -> float:
    """Return ATD of one instruction with only the tokens of the text to choose from.

    Where scores are tied, the official code takes the first tokens, so that a detector that says nothing
    looks good on early errors; here each tied token is as likely as the others.

    Args:
        true: positions of the errors.
        scores: one per token.
        text: which tokens belong to the text; the others are padding and special tokens.
    """
    values = np.asarray(scores, dtype=np.float64)
    places = np.arange(len(values))[text]
    inside = values[places]
    cut = np.sort(inside)[::-1][: len(true)]
    sure = places[inside > cut[-1]]
    tied = places[inside == cut[-1]]
    missing = len(true) - len(sure)
    if missing == len(tied):
        return token_distance(true, [*sure, *tied])
    draws = _spread(tied, missing)
    return float(np.mean([token_distance(true, [*sure, *draw]) for draw in draws]))


def _spread(tied: Ints, count: int) -> list[list[int]]:
    """Return choices of `count` tied tokens in which each is taken equally often."""
    if count == 1:
        return [[int(position)] for position in tied]
    size = len(tied)
    return [[int(tied[(start + k * size // count) % size]) for k in range(count)] for start in range(size)]


def hit_share(true: Sequence[set[int]], predicted: Sequence[int]) -> float:
    """Return the share of the errors of which one of the tokens was found.

    Args:
        true: for each error, its tokens.
        predicted: the tokens that were found.

    Example:
        >>> hit_share([{3, 4}, {9}], [4, 5])
        0.5
    """
    return sum(bool(tokens & set(predicted)) for tokens in true) / len(true)


def _checked(wrong: Sequence[bool] | Flags, scores: Sequence[float] | Floats) -> tuple[Flags, Floats]:
    truth, values = np.asarray(wrong, dtype=np.bool_), np.asarray(scores, dtype=np.float64)
    if truth.shape != values.shape:
        raise ValueError(f"{len(truth)} truths and {len(values)} scores")
    return truth, values
