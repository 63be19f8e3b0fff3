"""Which levels are resampled, standard errors by units, and studentised intervals."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from resampled_columns import resampled
from vlnscope.core.exceptions import InputError
from vlnscope.core.rng import rng_for
from vlnscope.stats.bootstrap import Bootstrap, bootstrap_means
from vlnscope.stats.columns import Sample
from vlnscope.stats.interval import Interval
from vlnscope.stats.nesting import Nesting
from vlnscope.stats.paired import paired_difference
from vlnscope.types import Floats


def sample(values: Floats) -> Sample:
    return Sample(np.asarray(values, dtype=np.float64), np.ones(len(values), dtype=np.bool_))


def one(column: Sample, nesting: Nesting, **options: object) -> Interval:
    return resampled({"x": column}, nesting, **options)["x"]  # type: ignore[arg-type]


def scenes_of(scenes: int, size: int) -> Nesting:
    return Nesting.of({"scene": np.repeat(np.arange(scenes), size), "path": np.arange(scenes * size) // 3})


class TestReplacement:
    def test_scenes_drawn_and_paths_kept_is_a_bootstrap_of_scenes(self) -> None:
        nesting = scenes_of(9, 12)
        values = np.random.default_rng(0).normal(size=(108, 2))
        defined = np.ones(values.shape, dtype=np.bool_)
        both = bootstrap_means(values, defined, nesting, replace=[True, False])
        only = bootstrap_means(
            values, defined, Nesting.of({"scene": nesting.codes[0]}), replace=[True], replicates=1000
        )
        np.testing.assert_allclose(both.values, only.values, atol=1e-12)

    def test_every_choice_changes_what_varies(self) -> None:
        rng = np.random.default_rng(1)
        scene, path = np.repeat(np.arange(20), 12), np.arange(240) // 3
        values = 3 * rng.normal(size=20)[scene] + 1 * rng.normal(size=80)[path] + 0.2 * rng.normal(size=240)
        nesting = Nesting.of({"scene": scene, "path": path})
        spreads = {
            replace: float(
                bootstrap_means(
                    values[:, None], np.ones((240, 1), np.bool_), nesting, replace=replace, replicates=4000
                ).values.std()
            )
            for replace in [(True, False, False), (False, True, False), (False, False, True)]
        }
        within_scenes = values.reshape(20, 4, 3).mean(axis=2).std(axis=1)
        within_paths = values.reshape(80, 3).std(axis=1)
        assert spreads[True, False, False] == pytest.approx(
            values.reshape(20, 12).mean(axis=1).std() / np.sqrt(20), rel=0.05
        )
        assert spreads[False, True, False] == pytest.approx(
            np.sqrt(np.sum(within_scenes**2 / 4)) / 20, rel=0.05
        )
        assert spreads[False, False, True] == pytest.approx(
            np.sqrt(np.sum(within_paths**2 / 3)) / 80, rel=0.05
        )


class TestError:
    def test_of_equal_units_is_that_of_their_means(self) -> None:
        values = np.random.default_rng(2).normal(size=60)
        found = one(sample(values), scenes_of(10, 6))
        means = values.reshape(10, 6).mean(axis=1)
        assert found.error == pytest.approx(means.std(ddof=1) / np.sqrt(10))

    def test_is_close_to_the_spread_of_resampled_means(self) -> None:
        rng = np.random.default_rng(3)
        scene = np.sort(rng.integers(0, 40, 900))
        values = rng.normal(size=40)[scene] + rng.normal(size=900)
        nesting = Nesting.of({"scene": scene})
        drawn = bootstrap_means(values[:, None], np.ones((900, 1), np.bool_), nesting, replicates=4000)
        assert one(sample(values), nesting).error == pytest.approx(float(drawn.values.std()), rel=0.06)

    def test_weights_and_undefined_rows_count_as_they_should(self) -> None:
        values, weights = np.array([1.0, 4.0, 2.0, 8.0, 5.0]), np.array([2.0, 1.0, 1.0, 3.0, 1.0])
        defined = np.array([True, True, True, True, False])
        found = one(Sample(values, defined), Nesting.of({"scene": list("AABCC")}), weights=weights)
        mean = (2 + 4 + 2 + 24) / 7
        sums = [2 * (1 - mean) + (4 - mean), 2 - mean, 3 * (8 - mean)]
        assert found.mean == pytest.approx(mean)
        assert found.error == pytest.approx(np.sqrt(1.5 * np.sum(np.square(sums))) / 7)

    def test_is_not_told_where_units_are_not_independent(self) -> None:
        column, nesting = sample(np.arange(24.0)), scenes_of(4, 6)
        assert one(column, nesting, replace=(True, True)).error is None
        assert one(column, nesting, replace=(False, True)).error is None
        assert one(column, nesting, replace=(False, False)).error is None
        assert one(sample(np.arange(3.0)), Nesting.of({"scene": list("AAA")}), replace=(True,)).error is None


def by_hand(values: Floats, scene: Floats, replicates: int, level: float) -> tuple[float, float]:
    """A studentised interval from the definition, one resample after the other."""
    groups = [values[scene == s] for s in np.unique(scene)]

    def estimate(chosen: list[Floats]) -> tuple[float, float]:
        rows = np.concatenate(chosen)
        sums = [np.sum(group - rows.mean()) for group in chosen]
        return float(rows.mean()), float(np.sqrt(np.sum(np.square(sums))) / rows.size)

    mean, error = estimate(groups)
    ratios = []
    for state in rng_for(0, "bootstrap").integers(2**64, size=replicates, dtype=np.uint64).tolist():
        picks = []
        for _ in groups:
            state, pick = below(state, len(groups))
            picks.append(groups[pick])
        drawn, own = estimate(picks)
        ratios.append((drawn - mean) / own)
    ratios.sort()
    last = replicates - 1
    low = ratios[int(np.floor(last * (1 - level) / 2 + 1e-9))]
    high = ratios[int(np.ceil(last * (1 + level) / 2 - 1e-9))]
    return mean - high * error, mean - low * error


def below(state: int, size: int) -> tuple[int, int]:
    while True:
        state = (state + 0x9E3779B97F4A7C15) % 2**64
        z = ((state ^ (state >> 30)) * 0xBF58476D1CE4E5B9) % 2**64
        z = ((z ^ (z >> 27)) * 0x94D049BB133111EB) % 2**64
        product = ((z ^ (z >> 31)) >> 32) * size
        if product % 2**32 >= 2**32 % size:
            return state, product >> 32


class TestStudentised:
    @pytest.mark.parametrize("level", [0.8, 0.95])
    def test_equals_the_definition(self, level: float) -> None:
        rng = np.random.default_rng(4)
        scene = np.sort(rng.integers(0, 9, 80))
        values = rng.exponential(size=80) + rng.normal(size=9)[scene]
        nesting = Nesting.of({"scene": scene})
        found = one(sample(values), nesting, replicates=300, level=level, method="studentised")
        assert found.method == "studentised"
        assert (found.low, found.high) == pytest.approx(by_hand(values, scene, 300, level), abs=1e-9)

    @settings(max_examples=30)
    @given(st.floats(-50, 50), st.floats(-8, 8), st.integers(0, 99))
    @example(3.0, 1e-15, 0)
    @example(3.0, 1e-16, 0)
    @example(-7.3, 3e-16, 2)
    def test_shifting_and_scaling(self, shift: float, scale: float, seed: int) -> None:
        values = np.random.default_rng(seed).normal(size=40)
        nesting = scenes_of(10, 4)
        x, y = (
            one(sample(column), nesting, replicates=99, method="studentised")
            for column in (values, values * scale + shift)
        )
        ends = sorted((x.low * scale + shift, x.high * scale + shift))  # type: ignore[operator]
        assert (y.low, y.high) == pytest.approx(tuple(ends), abs=1e-8)

    def test_a_constant_column_has_no_width(self) -> None:
        found = one(sample(np.full(12, 0.1)), scenes_of(4, 3), method="studentised")
        assert (found.mean, found.low, found.high, found.error) == (0.1, 0.1, 0.1, 0.0)

    def test_is_wider_where_scenes_are_few_and_the_same_where_they_are_many(self) -> None:
        rng = np.random.default_rng(5)

        def ratio(scenes: int) -> float:
            column, nesting = sample(rng.normal(size=scenes * 3)), scenes_of(scenes, 3)
            widths = [one(column, nesting, method=m, replicates=4000) for m in ("percentile", "studentised")]
            return (widths[1].high - widths[1].low) / (widths[0].high - widths[0].low)  # type: ignore[operator]

        assert ratio(8) > 1.2
        assert ratio(400) == pytest.approx(1.0, abs=0.06)

    def test_covers_better_with_eleven_scenes(self) -> None:
        trials, scenes, size = 1000, 11, 6
        rng = np.random.default_rng(6)
        unit = np.repeat(np.arange(scenes), size)
        values = rng.normal(0, 0.7, (scenes, trials))[unit] + rng.normal(size=(scenes * size, trials))
        columns = {str(i): sample(values[:, i]) for i in range(trials)}
        nesting = Nesting.of({"scene": unit})
        percentile, studentised = (
            float(np.mean([i.low <= 0 <= i.high for i in found.values()]))  # type: ignore[operator]
            for method in ("percentile", "studentised")
            for found in [resampled(columns, nesting, replicates=600, method=method)]  # type: ignore[arg-type]
        )
        assert 0.87 < percentile < 0.93
        assert 0.93 < studentised < 0.97

    def test_units_that_agree_too_often_give_a_reason(self) -> None:
        rare = sample(np.array([0.0] * 10 + [1.0]))
        found = one(rare, Nesting.of({"scene": range(11)}), method="studentised")
        assert (found.low, found.high) == (None, None)
        assert found.mean == pytest.approx(1 / 11)
        assert "of 1000 resamples all drawn units agree" in found.reason
        assert found.error == pytest.approx(1 / 11)
        assert one(sample(np.arange(2.0)), Nesting.of({"s": [0, 1]}), method="studentised").low is None

    def test_needs_independent_units_of_one_level(self) -> None:
        column, nesting = sample(np.arange(24.0)), scenes_of(4, 6)
        for replace in [(True, True), (False, True), (False, False)]:
            with pytest.raises(InputError, match="studentised interval that resamples"):
                one(column, nesting, replace=replace, method="studentised")

    def test_descends_to_paths_where_there_is_one_scene(self) -> None:
        nesting = Nesting.of({"scene": ["A"] * 24, "path": np.arange(24) // 3})
        column = sample(np.random.default_rng(7).normal(size=24))
        found = one(column, nesting, method="studentised")
        flat = one(column, Nesting.of({"path": np.arange(24) // 3}), method="studentised")
        assert (found.units, found.clusters) == (("path",), 8)
        assert found.error == pytest.approx(flat.error)
        assert (found.low, found.high) == pytest.approx((flat.low, flat.high))

    def test_two_results(self) -> None:
        rng = np.random.default_rng(8)
        nesting = scenes_of(11, 6)
        a, b = sample(rng.normal(0.4, 1, 66)), sample(rng.normal(size=66))
        found = paired_difference(a, b, nesting, bootstrap=Bootstrap("studentised"))
        alone = one(sample(a.values - b.values), nesting, method="studentised")
        assert found.method == "studentised"
        assert (found.low, found.high, found.error) == pytest.approx((alone.low, alone.high, alone.error))
        mirrored = paired_difference(b, a, nesting, bootstrap=Bootstrap("studentised"))
        assert (mirrored.low, mirrored.high) == pytest.approx((-found.high, -found.low))  # type: ignore[operator]
