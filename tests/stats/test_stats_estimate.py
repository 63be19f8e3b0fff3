"""Intervals in closed form: their standard errors, ranges and tests, and how often they cover the truth."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import stats

from interval_coverage import difference, episodes, items, rate, simulate
from vlnscope.benchmarks.errors.detection.scores import auc_over_scenes, roc_auc
from vlnscope.core.exceptions import InputError
from vlnscope.stats.columns import Sample
from vlnscope.stats.estimate import cluster_error, degrees_of_freedom, mean_interval, summarise, unit_sums
from vlnscope.stats.interval import ANY, SHARE, SIZE, Interval, Range
from vlnscope.stats.multiplicity import holm
from vlnscope.stats.nesting import Nesting
from vlnscope.stats.paired import paired_difference
from vlnscope.stats.ratio import relative_change
from vlnscope.stats.several import compare_agents
from vlnscope.types import Floats

LEVEL = 0.05


def sample(values: Floats) -> Sample:
    return Sample(np.asarray(values, dtype=np.float64), np.ones(len(values), dtype=np.bool_))


def one(values: Floats, scenes: Floats, within: Range = ANY, weights: Floats | None = None) -> Interval:
    nesting = Nesting.of({"scene": scenes})
    return mean_interval(
        sample(values), nesting, np.ones(len(values)) if weights is None else weights, within
    )


def by_matrices(values: Floats, weights: Floats, scenes: Floats) -> tuple[float, float]:
    """CR2 and Satterthwaite's degrees of freedom for a regression on an intercept, from their definitions."""
    design = np.sqrt(weights)[:, None]
    bread = 1 / float((design**2).sum())
    hat = design @ design.T * bread
    residuals = np.sqrt(weights) * (values - (weights * values).sum() / weights.sum())
    variance, rows = 0.0, []
    for scene in np.unique(scenes):
        own = np.flatnonzero(scenes == scene)
        eigenvalues, vectors = np.linalg.eigh(np.eye(own.size) - hat[np.ix_(own, own)])
        adjustment = vectors @ np.diag(eigenvalues**-0.5) @ vectors.T
        variance += float(bread * design[own, 0] @ adjustment @ residuals[own]) ** 2
        rows.append((np.eye(len(values)) - hat)[:, own] @ adjustment @ design[own, 0] * bread)
    products = np.array(rows) @ np.array(rows).T
    return float(np.sqrt(variance)), float(np.trace(products) ** 2 / (products**2).sum())


@given(st.integers(3, 9), st.integers(0, 10_000))
def test_standard_errors_are_cr2_with_satterthwaites_degrees_of_freedom(scenes: int, seed: int) -> None:
    rng = np.random.default_rng(seed)
    scene = np.repeat(np.arange(scenes), rng.integers(1, 6, scenes))
    values, weights = rng.normal(size=scene.size), rng.uniform(0.2, 3, scene.size)
    sums = unit_sums(values, weights, float((weights * values).sum() / weights.sum()), scene)
    expected = by_matrices(values, weights, scene)
    assert (cluster_error(sums), degrees_of_freedom(sums.masses)) == pytest.approx(expected, rel=1e-9)


def test_equal_scenes_are_a_t_test_of_their_means() -> None:
    values = np.random.default_rng(0).normal(0.3, 1, 60)
    found = one(values, np.repeat(np.arange(10), 6))
    test = stats.ttest_1samp(values.reshape(10, 6).mean(axis=1), 0.0)
    ends = test.confidence_interval(0.95)
    assert (found.low, found.high) == pytest.approx((ends.low, ends.high))
    assert found.p_value(0.0) == pytest.approx(test.pvalue)


@given(
    st.integers(3, 8),
    st.sampled_from([SHARE, SIZE, ANY, (-1.0, 1.0)]),
    st.floats(0.02, 0.98),
    st.integers(0, 10_000),
)
def test_an_interval_stays_in_its_range_and_agrees_with_its_test(
    scenes: int, within: Range, null: float, seed: int
) -> None:
    rng = np.random.default_rng(seed)
    scene = np.repeat(np.arange(scenes), rng.integers(1, 5, scenes))
    values = rng.beta(0.3, 0.3, scene.size) if seed % 2 else (rng.random(scene.size) < 0.3).astype(np.float64)
    found = one(values, scene, within)
    p = found.p_value(null)
    if found.low is None or found.high is None:
        assert found.reason
        assert p is None
        return
    assert found.low <= found.mean <= found.high  # type: ignore[operator]
    assert within[0] is None or found.low >= within[0]
    assert within[1] is None or found.high <= within[1]
    assert p is not None
    assert found.excludes(null) == (p < LEVEL) or p == pytest.approx(LEVEL)


@given(st.integers(1, 40), st.sampled_from([0.0, 0.4, 1.0]), st.floats(0, 1))
def test_rows_that_are_all_alike_are_no_proof(paths: int, value: float, null: float) -> None:
    nesting = Nesting.of({"scene": np.arange(3 * paths) % 3, "path": np.arange(3 * paths)})
    found = summarise({"": sample(np.full(3 * paths, value))}, nesting, ranges={"": SHARE})[""]
    assert found.method == "exact"
    assert 0 <= found.low <= value <= found.high <= 1  # type: ignore[operator]
    assert found.low < found.high  # type: ignore[operator]
    p = found.p_value(null)
    assert p is not None
    assert found.excludes(null) == (p < LEVEL) or p == pytest.approx(LEVEL)
    assert one(np.full(9, 2.5), np.arange(9)).reason == "all 9 values are alike, so their spread is unknown"


def test_instructions_of_one_path_count_once_where_all_are_alike() -> None:
    keys = {"scene": np.repeat(np.arange(8), 6), "path": np.repeat(np.arange(16), 3)}
    alone = {"scene": np.arange(16) // 2, "path": np.arange(16)}
    several = summarise({"": sample(np.ones(48))}, Nesting.of(keys), ranges={"": SHARE})[""]
    single = summarise({"": sample(np.ones(16))}, Nesting.of(alone), ranges={"": SHARE})[""]
    assert several.low == pytest.approx(single.low)


def test_the_worst_intervals_of_a_bootstrap_are_gone() -> None:
    """Seven scenes, of which two lose everything: a studentised difference once reached 220 points."""
    a = np.array([1.0] * 14)
    b = np.array([1.0] * 10 + [0.0] * 4)
    found = paired_difference(sample(a), sample(b), Nesting.of({"scene": np.arange(14) // 2}), within=SHARE)
    assert -1 <= found.low < 0 < found.high <= 1  # type: ignore[operator]
    assert found.p is not None
    assert found.p > LEVEL


def test_too_few_units_say_so() -> None:
    for count in (1, 2):
        found = one(np.arange(4.0 * count), np.repeat(np.arange(count), 4), SIZE)
        assert (found.low, found.high) == (None, None) or found.units == ("row",)
    pair = one(np.arange(8.0), np.repeat([0, 1], 4))
    assert pair.reason == "2 scenes say too little of their spread"
    level = summarise(
        {"": sample(np.array([1.0, 1, 3, 3, 2, 2]))}, Nesting.of({"scene": [0, 0, 1, 1, 2, 2]})
    )[""]
    assert level.low is not None
    same = one(np.array([0.0, 1, 0, 1, 0, 1]), np.array([0, 0, 1, 1, 2, 2]))
    assert same.reason == "all 3 scenes have the same mean, so their spread is unknown"


def test_fewer_than_six_scenes_leave_it_to_paths() -> None:
    rng = np.random.default_rng(1)
    keys = {"scene": np.repeat(np.arange(5), 12), "path": np.arange(60) // 3}
    found = summarise({"": sample(rng.random(60))}, Nesting.of(keys))[""]
    assert (found.units, found.clusters) == (("path",), 20)
    keys["scene"] = np.repeat(np.arange(6), 10)
    found = summarise({"": sample(rng.random(60))}, Nesting.of(keys))[""]
    assert (found.units, found.clusters) == (("scene",), 6)


@given(st.integers(0, 10_000), st.integers(4, 12))
def test_a_relative_change_says_what_the_difference_says(seed: int, scenes: int) -> None:
    rng = np.random.default_rng(seed)
    scene = np.repeat(np.arange(scenes), rng.integers(1, 5, scenes))
    nesting = Nesting.of({"scene": scene})
    base = sample((rng.random(scene.size) < 0.7).astype(np.float64))
    changed = sample((rng.random(scene.size) < rng.choice([0.2, 0.6])).astype(np.float64))
    found = relative_change(base, changed, nesting)
    by_difference = paired_difference(changed, base, nesting)
    if found.low is None or found.high is None:
        assert found.reason
        return
    assert -1 <= found.low <= found.mean <= found.high  # type: ignore[operator]
    assert found.excludes(0.0) == by_difference.excludes(0.0)
    assert found.mean == pytest.approx(changed.values.mean() / base.values.mean() - 1)


def test_a_relative_change_without_a_base_has_no_interval() -> None:
    nesting = Nesting.of({"scene": range(8)})
    nothing, some = sample(np.zeros(8)), sample(np.array([1.0, 0, 0, 0, 0, 0, 0, 0]))
    assert relative_change(nothing, some, nesting).mean is None
    unsure = relative_change(some, sample(np.array([0.0, 1, 0, 0, 0, 0, 0, 0])), nesting)
    assert (unsure.mean, unsure.low) == (0.0, None)
    assert unsure.reason == "the mean that changes is not clearly above 0"
    gone = relative_change(sample(np.linspace(0.5, 1, 8)), nothing, nesting)
    assert (gone.mean, gone.low, gone.reason) == (-1.0, None, "nothing is left of it in any row")


@given(st.integers(0, 10_000))
def test_a_corrected_interval_agrees_with_the_corrected_test(seed: int) -> None:
    rng = np.random.default_rng(seed)
    nesting = Nesting.of({"scene": np.repeat(np.arange(8), 4)})
    columns = {name: sample(rng.normal(shift, 1, 32)) for name, shift in {"a": 0, "b": 0.4, "c": 0.8}.items()}
    found = compare_agents(columns, nesting)
    assert [c.adjusted for c in found] == holm([c.difference.p or 0.0 for c in found])
    for c in found:
        assert c.adjusted is not None
        assert c.low is not None
        assert c.high is not None
        assert c.low <= c.difference.low  # type: ignore[operator]
        assert (c.adjusted < LEVEL) == (not c.low <= 0 <= c.high) or c.adjusted == pytest.approx(LEVEL)


def test_a_metric_that_leaves_its_range_has_none() -> None:
    found = one(np.array([-3.0, -1, 0, -2, 1, -4]), np.arange(6), SIZE)
    assert found.within == ANY
    assert found.low is not None
    with pytest.raises(InputError, match="confidence level of 95"):
        found.at(95)


def test_auc_is_the_mean_of_what_each_instruction_adds() -> None:
    rng = np.random.default_rng(3)
    wrong, scores = rng.random(80) < 0.4, rng.normal(size=80).round(1)
    found = auc_over_scenes(wrong.tolist(), scores.tolist(), [str(k) for k in range(80)])
    assert found.value == roc_auc(wrong, scores)
    positives, negatives = scores[wrong], scores[~wrong]
    above = (positives[:, None] > negatives) + 0.5 * (positives[:, None] == negatives)
    delong = above.mean(axis=1).var() / positives.size + above.mean(axis=0).var() / negatives.size
    error = np.sqrt(delong * 80 / 79)
    expected = Interval(
        mean=found.value, low=None, high=None, n=80, undefined=0, clusters=80, units=("scene",),
        error=float(error), df=79.0, scale="logit", within=SHARE,
    ).at(0.95)  # fmt: skip
    assert (found.low, found.high) == pytest.approx((expected.low, expected.high))


@pytest.mark.parametrize("scenes", [8, 11, 30])
def test_intervals_cover_the_truth(scenes: int) -> None:
    """A short run of ``perf/interval_coverage.py``: 400 samples are uncertain by two points."""
    for name, kind, layout in (
        ("rate", rate(0.3), episodes),
        ("difference", difference(0.6, 0.5), episodes),
        ("rare", rate(0.05), items),
    ):
        tally = simulate(name, kind, layout, scenes, 400)
        assert 0.915 <= tally.covered / tally.made <= 0.99, (name, scenes)
