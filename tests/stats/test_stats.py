"""Nesting, hierarchical bootstrap, intervals, paired differences."""

from __future__ import annotations

import gzip
import itertools
import json
from collections.abc import Sequence
from pathlib import Path
from random import Random

import msgspec
import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from resampled_columns import resampled
from vlnscope.core.exceptions import InputError
from vlnscope.core.rng import rng_for
from vlnscope.stats.bootstrap import Bootstrap, bootstrap_means
from vlnscope.stats.columns import Sample
from vlnscope.stats.interval import Interval
from vlnscope.stats.nesting import Nesting, _below
from vlnscope.stats.paired import align, paired_difference, sign_flip
from vlnscope.types import Flags, Floats

MASK = 2**64 - 1
Problem = tuple[list[tuple[str, str]], Floats, Flags, Floats]


def sample(values: Sequence[float], defined: Sequence[bool] | None = None) -> Sample:
    marks = np.ones(len(values), dtype=np.bool_) if defined is None else np.array(defined, dtype=np.bool_)
    return Sample(np.array(values, dtype=np.float64), marks)


def one_interval(column: Sample, nesting: Nesting, **options: object) -> Interval:
    return resampled({"x": column}, nesting, **options)["x"]  # type: ignore[arg-type]


# A second implementation, from the definition: lists of rows, Python integers, no shortcuts.


class SplitMix:
    def __init__(self, state: int) -> None:
        self.state = state

    def below(self, size: int) -> int:
        while True:
            self.state = (self.state + 0x9E3779B97F4A7C15) & MASK
            z = self.state
            z = ((z ^ (z >> 30)) * 0xBF58476D1CE4E5B9) & MASK
            z = ((z ^ (z >> 27)) * 0x94D049BB133111EB) & MASK
            product = ((z ^ (z >> 31)) >> 32) * size
            if product % 2**32 >= 2**32 % size:
                return product >> 32


def brute_rows(keys: list[tuple[object, ...]], replace: Sequence[bool], random: SplitMix) -> list[int]:
    """Row numbers of one resample; a unit is the list of rows that share a key prefix."""
    drawn: list[list[int]] = [list(range(len(keys)))]
    for level in range(len(keys[0]) + 1):
        chosen: list[list[int]] = []
        for parent in drawn:
            if level < len(keys[0]):
                names = sorted({keys[row][level] for row in parent})  # type: ignore[type-var]
                children = [[row for row in parent if keys[row][level] == name] for name in names]
            else:
                children = [[row] for row in parent]
            if level < len(replace) and replace[level]:
                chosen += [children[random.below(len(children))] for _ in children]
            else:
                chosen += children
        chosen.sort(key=lambda rows: (*keys[rows[0]][: level + 1], rows[0]))
        drawn = chosen
    return [row for unit in drawn for row in unit]


def brute_mean(rows: list[int], values: Floats, defined: Flags, weights: Floats) -> float | None:
    used = [row for row in rows if defined[row]]
    mass = sum(weights[row] for row in used)
    return sum(weights[row] * values[row] for row in used) / mass if mass > 0 else None


@st.composite
def problems(draw: st.DrawFn) -> Problem:
    n = draw(st.integers(1, 14))
    keys = draw(st.lists(st.tuples(st.sampled_from("ABC"), st.sampled_from("xyz")), min_size=n, max_size=n))
    number = st.floats(-100, 100).map(lambda x: round(x, 3))
    values = np.array(draw(st.lists(number, min_size=n, max_size=n)))
    defined = np.array(draw(st.lists(st.booleans(), min_size=n, max_size=n)), dtype=np.bool_)
    weights = np.array(draw(st.lists(st.integers(0, 4), min_size=n, max_size=n)), dtype=np.float64)
    return keys, values, defined, weights


def nested(keys: list[tuple[str, str]]) -> Nesting:
    return Nesting.of({"scene": [k[0] for k in keys], "path": [k[1] for k in keys]})


CHOICES = list(itertools.product([False, True], repeat=3))


class TestNesting:
    def test_a_path_id_in_two_scenes_is_two_paths(self) -> None:
        nesting = Nesting.of({"scene": ["A", "B", "A"], "path": [1, 1, 2]})
        assert nesting.names == ("scene", "path", "row")
        assert nesting.sizes == (2, 3, 3)
        assert [codes.tolist() for codes in nesting.codes] == [[0, 1, 0], [0, 2, 1], [0, 2, 1]]
        assert [starts.tolist() for starts in nesting.starts] == [[0, 2], [0, 2, 3], [0, 1, 2, 3]]

    @settings(deadline=None)
    @given(problems())
    def test_units_lie_inside_their_parents(self, problem: Problem) -> None:
        keys = problem[0]
        nesting = nested(keys)
        assert nesting.sizes == (len({k[0] for k in keys}), len(set(keys)), len(keys))
        for level in (1, 2):
            parent, own, starts = nesting.codes[level - 1], nesting.codes[level], nesting.starts[level]
            assert np.all(starts[parent] <= own)
            assert np.all(own < starts[parent + 1])
        assert sorted(nesting.codes[2].tolist()) == list(range(len(keys)))

    def test_arrays_and_lists_of_keys_give_the_same(self) -> None:
        keys = [3, 1, 2, 3]
        assert (
            Nesting.of({"s": keys}).codes[0].tolist() == Nesting.of({"s": np.array(keys)}).codes[0].tolist()
        )

    @pytest.mark.parametrize(
        "keys",
        [
            {},
            {"scene": ["A"], "path": ["1", "2"]},
            {"scene": ["A", 1]},
            {"scene": ["A", None]},
            {"row": ["A"]},
        ],
    )
    def test_wrong_keys_are_refused(self, keys: dict[str, list[str | int]]) -> None:
        with pytest.raises(InputError, match="nest the rows"):
            Nesting.of(keys)

    def test_too_many_choices_are_refused(self) -> None:
        with pytest.raises(InputError, match="3 choices of replacement for 2 levels"):
            bootstrap_means(
                np.ones((2, 1)), np.ones((2, 1), np.bool_), Nesting.of({"s": [0, 1]}), replace=[True] * 3
            )


class TestDraws:
    def test_draws_below_a_bound_that_divides_badly_are_unbiased(self) -> None:
        # Without rejection a bound of 3/4 of 2^32 would give a third of the integers half of the draws.
        state, counts = np.uint64(12345), [0, 0, 0]
        for _ in range(3000):
            state, pick = _below(state, 3 << 30)
            counts[int(pick) % 3] += 1
        assert all(880 < count < 1120 for count in counts)

    @pytest.mark.parametrize("units", [2, 3, 7, 60])
    def test_every_unit_is_drawn_equally_often(self, units: int) -> None:
        nesting = Nesting.of({"scene": range(units)})
        drawn = bootstrap_means(np.eye(units), np.ones((units, units), np.bool_), nesting, replicates=4000)
        counts = drawn.values * units
        np.testing.assert_allclose(counts.sum(axis=1), units)
        spread = np.sqrt((1 - 1 / units) / 4000)
        assert np.all(np.abs(counts.mean(axis=0) - 1) < 5 * spread)
        np.testing.assert_allclose(counts.var(axis=0), 1 - 1 / units, rtol=0.15)

    @settings(deadline=None, max_examples=80)
    @given(problems(), st.sampled_from(CHOICES), st.integers(0, 9))
    def test_equals_brute_force(
        self,
        problem: Problem,
        replace: tuple[bool, ...],
        seed: int,
    ) -> None:
        keys, values, defined, weights = problem
        got = bootstrap_means(
            values[:, None],
            defined[:, None],
            nested(keys),
            replicates=6,
            replace=replace,
            seed=seed,
            weights=weights,
        )
        seeds = rng_for(seed, "bootstrap").integers(2**64, size=6, dtype=np.uint64)
        for replicate, start in enumerate(seeds.tolist()):
            rows = brute_rows(keys, replace, SplitMix(start))  # type: ignore[arg-type]
            expected = brute_mean(rows, values, defined, weights)
            assert bool(got.defined[replicate, 0]) == (expected is not None)
            if expected is not None:
                assert got.values[replicate, 0] == pytest.approx(expected, abs=1e-10)
            else:
                assert got.values[replicate, 0] == 0

    def test_more_replicates_continue_the_same_series(self) -> None:
        nesting = Nesting.of({"scene": list("ABCDE")})
        values, defined = np.arange(5.0)[:, None], np.ones((5, 1), np.bool_)
        few = bootstrap_means(values, defined, nesting, replicates=10)
        many = bootstrap_means(values, defined, nesting, replicates=30)
        np.testing.assert_array_equal(few.values, many.values[:10])
        other = bootstrap_means(values, defined, nesting, replicates=10, seed=1)
        assert not np.array_equal(few.values, other.values)

    def test_variance_is_that_of_the_cluster_bootstrap(self) -> None:
        rng = np.random.default_rng(3)
        scenes = np.repeat(np.arange(20), 7)
        values = rng.normal(size=20)[scenes] + rng.normal(size=140)
        drawn = bootstrap_means(
            values[:, None], np.ones((140, 1), np.bool_), Nesting.of({"scene": scenes}), replicates=20_000
        )
        exact = np.var(values.reshape(20, 7).mean(axis=1)) / 20
        assert drawn.values.var() == pytest.approx(exact, rel=0.05)

    def test_resampling_every_level_overstates_the_variance(self) -> None:
        rng = np.random.default_rng(4)
        scenes = np.repeat(np.arange(200), 4)
        values, defined = rng.normal(size=(800, 1)), np.ones((800, 1), np.bool_)
        nesting = Nesting.of({"scene": scenes})
        outer = bootstrap_means(values, defined, nesting, replicates=4000).values.var()
        every = bootstrap_means(values, defined, nesting, replicates=4000, replace=(True, True)).values.var()
        truth = 1 / 800
        assert outer == pytest.approx(truth, rel=0.2)
        assert every > 1.5 * truth


class TestProperties:
    @settings(deadline=None)
    @given(problems(), st.randoms(use_true_random=False))
    def test_order_of_rows_does_not_matter(self, problem: Problem, random: Random) -> None:
        keys, values, defined, weights = problem
        order = list(range(len(keys)))
        random.shuffle(order)
        before = bootstrap_means(
            values[:, None],
            defined[:, None],
            nested(keys),
            replicates=20,
            replace=(True, True),
            weights=weights,
        )
        after = bootstrap_means(
            values[order, None],
            defined[order, None],
            nested([keys[i] for i in order]),
            replicates=20,
            replace=(True, True),
            weights=weights[order],
        )
        np.testing.assert_array_equal(before.defined, after.defined)
        np.testing.assert_allclose(before.values, after.values, atol=1e-9)

    @settings(deadline=None)
    @given(problems(), st.floats(-50, 50), st.floats(-8, 8))
    def test_shifting_and_scaling(self, problem: Problem, shift: float, scale: float) -> None:
        keys, values, defined, _ = problem
        columns = {"x": Sample(values, defined), "y": Sample(values * scale + shift, defined)}
        found = resampled(columns, nested(keys), replicates=50, replace=(True, True))
        x, y = found["x"], found["y"]
        if x.mean is None or y.mean is None:
            assert x.mean is None
            assert y.mean is None
            return
        assert y.mean == pytest.approx(x.mean * scale + shift, abs=1e-8)
        assert (x.low is None) == (y.low is None)
        if x.low is not None and x.high is not None:
            ends = sorted((x.low * scale + shift, x.high * scale + shift))
            assert (y.low, y.high) == pytest.approx(tuple(ends), abs=1e-8)

    @settings(deadline=None)
    @given(problems())
    def test_nothing_resampled_is_the_plain_mean(self, problem: Problem) -> None:
        keys, values, defined, _ = problem
        defined[0] = True
        found = one_interval(
            Sample(values, defined), nested(keys), replace=(False, False, False), replicates=9
        )
        assert found.mean == pytest.approx(values[defined].mean(), abs=1e-10)
        assert (found.low, found.high) == (found.mean, found.mean)
        assert (found.units, found.clusters, found.reason) == ((), 0, "")

    @settings(deadline=None)
    @given(problems(), st.floats(-1e6, 1e6), st.sampled_from(CHOICES))
    def test_a_constant_column_has_no_width(
        self,
        problem: Problem,
        constant: float,
        replace: tuple[bool, ...],
    ) -> None:
        keys, _, defined, weights = problem
        column = Sample(np.full(len(keys), constant), defined)
        found = one_interval(column, nested(keys), replicates=30, replace=replace, weights=weights)
        if found.reason:
            assert (found.low, found.high) == (None, None)
        else:
            assert (found.mean, found.low, found.high) == (constant, constant, constant)

    @settings(deadline=None)
    @given(problems(), st.floats(0.1, 9))
    def test_equal_weights_change_nothing(self, problem: Problem, weight: float) -> None:
        keys, values, defined, _ = problem
        column, nesting = Sample(values, defined), nested(keys)
        plain = one_interval(column, nesting, replicates=40)
        assert one_interval(column, nesting, replicates=40, weights=np.ones(len(keys))) == plain
        other = one_interval(column, nesting, replicates=40, weights=np.full(len(keys), weight))
        for name in ("mean", "low", "high"):
            assert getattr(other, name) == pytest.approx(getattr(plain, name), abs=1e-9)

    @settings(deadline=None)
    @given(problems())
    def test_a_whole_weight_is_that_many_rows(self, problem: Problem) -> None:
        keys, values, defined, weights = problem
        weights = weights + 1
        copies = np.repeat(np.arange(len(keys)), weights.astype(int))
        weighted = bootstrap_means(
            values[:, None],
            defined[:, None],
            nested(keys),
            replicates=15,
            replace=(True, True),
            weights=weights,
        )
        repeated = bootstrap_means(
            values[copies, None],
            defined[copies, None],
            nested([keys[i] for i in copies]),
            replicates=15,
            replace=(True, True),
        )
        np.testing.assert_array_equal(weighted.defined, repeated.defined)
        np.testing.assert_allclose(weighted.values, repeated.values, atol=1e-9)

    def test_a_column_has_the_same_interval_whatever_stands_beside_it(self) -> None:
        rng = np.random.default_rng(1)
        nesting = Nesting.of({"scene": np.arange(200) % 11})
        columns = {str(i): sample(rng.random(200).tolist()) for i in range(5)}
        together = resampled(columns, nesting)
        assert together == resampled(columns, nesting)
        assert list(together) == list(columns)
        for name, column in columns.items():
            assert resampled({name: column}, nesting)[name] == together[name]


class TestUndefined:
    def test_garbage_in_undefined_rows_never_counts(self) -> None:
        nesting = Nesting.of({"scene": list("AABB")})
        marks = [True, False, True, False]
        clean = one_interval(sample([1, 0, 3, 0], marks), nesting)
        assert (clean.mean, clean.low, clean.high, clean.n, clean.undefined) == (2.0, 1.0, 3.0, 2, 2)
        for garbage in (np.nan, np.inf, -np.inf, 1e308):
            assert one_interval(sample([1, garbage, 3, -garbage], marks), nesting) == clean

    def test_replicates_without_any_value_are_left_out_and_counted(self) -> None:
        found = one_interval(
            sample([1, 5, 0], [True, True, False]), Nesting.of({"scene": list("ABC")}), replicates=5400
        )
        assert 140 < found.skipped < 260  # one in 27 draws scene C three times
        assert (found.low, found.high, found.clusters) == (1.0, 5.0, 2)

    @pytest.mark.parametrize(
        ("keys", "level", "clusters"),
        [
            ({"scene": "AABB", "path": "1122"}, "scene", 2),
            ({"scene": "AAAA", "path": "1122"}, "path", 2),
            ({"scene": "AAAA", "path": "1111"}, "row", 4),
        ],
    )
    def test_a_single_unit_leads_to_the_next_level_down(
        self, keys: dict[str, str], level: str, clusters: int
    ) -> None:
        found = one_interval(sample([0, 1, 2, 5]), Nesting.of(keys))
        assert (found.units, found.clusters) == ((level,), clusters)
        assert found.low < 2.0 < found.high  # type: ignore[operator]

    def test_each_column_descends_by_its_own_values(self) -> None:
        nesting = Nesting.of({"scene": list("AAABBB"), "path": list("112345")})
        columns = {
            "all": sample(range(6)),
            "one scene": sample(range(6), [True, True, True, False, False, False]),
            "one row": sample(range(6), [False] * 5 + [True]),
            "none": sample(range(6), [False] * 6),
        }
        found = resampled(columns, nesting)
        assert [i.units for i in found.values()] == [("scene",), ("path",), (), ()]
        assert [i.clusters for i in found.values()] == [2, 2, 0, 0]
        assert [i.mean for i in found.values()] == [2.5, 1.0, 5.0, None]
        assert [i.low is None for i in found.values()] == [False, False, True, True]
        assert "only one row" in found["one row"].reason
        assert found["none"].reason == "none of the 6 rows has a value"

    def test_explicit_choices_that_cannot_vary_give_a_reason(self) -> None:
        column = sample([1, 2, 3])
        alone = one_interval(column, Nesting.of({"scene": list("AAA")}), replace=(True,))
        assert (alone.mean, alone.low) == (2.0, None)
        assert "one unit wherever units are resampled (scene)" in alone.reason
        single_paths = Nesting.of({"scene": list("ABC"), "path": list("xyz")})
        assert one_interval(column, single_paths, replace=(False, True)).low is None

    def test_no_rows(self) -> None:
        found = one_interval(sample([]), Nesting.of({"scene": [], "path": []}))
        assert (found.mean, found.low, found.n, found.reason) == (None, None, 0, "there are no rows")
        every = one_interval(sample([]), Nesting.of({"scene": []}), replace=(True, True))
        assert every.reason == "there are no rows"

    def test_weights_of_zero(self) -> None:
        nesting = Nesting.of({"scene": list("ABC")})
        found = one_interval(sample([1, 2, 3]), nesting, weights=np.zeros(3))
        assert (found.mean, found.low, found.reason) == (
            None,
            None,
            "all 3 rows that have a value have weight 0",
        )
        half = one_interval(sample([1, 2, 9]), nesting, weights=np.array([1.0, 1.0, 0.0]))
        assert (half.mean, half.clusters, half.n) == (1.5, 2, 3)

    def test_results_are_plain_json(self) -> None:
        found = one_interval(sample([1, 2], [True, False]), Nesting.of({"scene": ["A", "B"]}))
        assert json.loads(msgspec.json.encode(found))["low"] is None


class TestBadInput:
    nesting = Nesting.of({"scene": ["A", "B"]})

    @pytest.mark.parametrize("value", [np.nan, np.inf, -np.inf])
    def test_values_that_are_not_finite(self, value: float) -> None:
        with pytest.raises(InputError, match="'x': row 1 counts as defined but holds"):
            one_interval(sample([0, value]), self.nesting)
        with pytest.raises(InputError, match="'B': row 1"):
            paired_difference(sample([0, 1]), sample([0, value]), self.nesting)

    @pytest.mark.parametrize("weights", [[1.0], [1.0, -1.0], [1.0, np.nan], [1.0, np.inf]])
    def test_weights(self, weights: list[float]) -> None:
        with pytest.raises(InputError, match="weights of shape"):
            one_interval(sample([0, 1]), self.nesting, weights=np.array(weights))

    def test_shapes_levels_and_counts(self) -> None:
        with pytest.raises(InputError, match="shape"):
            one_interval(sample([0, 1, 2]), self.nesting)
        with pytest.raises(InputError, match="shape"):
            bootstrap_means(np.zeros(2), np.ones(2, np.bool_), self.nesting)
        for level in (0.0, 1.0, 95.0):
            with pytest.raises(InputError, match="confidence level"):
                one_interval(sample([0, 1]), self.nesting, level=level)
        with pytest.raises(InputError, match="0 bootstrap replicates"):
            one_interval(sample([0, 1]), self.nesting, replicates=0)


class TestCoverage:
    def test_clusters_cover_where_rows_do_not(self) -> None:
        trials, scenes, size = 600, 30, 12
        rng = np.random.default_rng(7)
        unit = np.repeat(np.arange(scenes), size)
        values = rng.normal(0, 0.7, (scenes, trials))[unit] + rng.normal(size=(scenes * size, trials))
        columns = {str(i): sample(values[:, i].tolist()) for i in range(trials)}

        def coverage(nesting: Nesting) -> float:
            found = resampled(columns, nesting, replicates=600).values()
            return float(np.mean([i.low <= 0 <= i.high for i in found]))  # type: ignore[operator]

        assert 0.90 <= coverage(Nesting.of({"scene": unit})) <= 0.97
        assert coverage(Nesting.of({"episode": range(unit.size)})) < 0.75


class TestPaired:
    @settings(deadline=None)
    @given(problems(), st.integers(0, 5))
    def test_both_sides_share_resamples_and_rows(self, problem: Problem, seed: int) -> None:
        keys, values, defined, _ = problem
        other = Sample(np.round(np.sin(values) * 9, 3), np.roll(defined, 1))
        both = defined & other.defined
        nesting = nested(keys)
        found = paired_difference(
            Sample(values, defined), other, nesting, bootstrap=Bootstrap(replicates=60, seed=seed)
        )
        assert (found.n, found.undefined) == (both.sum(), len(keys) - both.sum())
        assert found.wins == int((values > other.values)[both].sum())
        assert found.wins + found.ties + found.losses == found.n
        if found.low is None:
            assert found.n < 2
            return
        drawn = bootstrap_means(
            np.stack([values, other.values], axis=1),
            np.stack([both, both], axis=1),
            nesting,
            replicates=60,
            replace=[name in found.units for name in nesting.names],
            seed=seed,
        )
        differences = (drawn.values[:, 0] - drawn.values[:, 1])[drawn.defined[:, 0]]
        assert (found.low, found.high) == pytest.approx(
            tuple(np.quantile(differences, [0.025, 0.975])), abs=1e-9
        )
        assert found.mean == pytest.approx(found.mean_a - found.mean_b, abs=1e-9)  # type: ignore[operator]
        assert found.skipped == 60 - differences.size

    def test_exchanging_the_sides_mirrors_everything(self) -> None:
        rng = np.random.default_rng(5)
        nesting = Nesting.of({"scene": rng.integers(0, 9, 120)})
        a, b = sample(rng.normal(0.2, 1, 120).tolist()), sample(rng.normal(size=120).tolist())
        ab, ba = (paired_difference(*both, nesting, bootstrap=Bootstrap()) for both in ((a, b), (b, a)))
        assert (ab.mean, ab.low, ab.high) == pytest.approx((-ba.mean, -ba.high, -ba.low))  # type: ignore[operator]
        assert (ab.wins, ab.losses) == (ba.losses, ba.wins)
        assert ab.p == ba.p
        lower = paired_difference(a, b, nesting, higher_is_better=False)
        assert (lower.wins, lower.losses, lower.mean) == (ab.losses, ab.wins, ab.mean)

    def test_a_result_does_not_differ_from_itself(self) -> None:
        column = sample(np.random.default_rng(0).random(50).tolist())
        found = paired_difference(
            column, column, Nesting.of({"scene": np.arange(50) % 20}), bootstrap=Bootstrap()
        )
        assert (found.mean, found.low, found.high, found.p) == (0.0, 0.0, 0.0, 1.0)
        assert (found.ties, found.excludes(0.0)) == (50, False)

    def test_a_constant_advantage_is_certain(self) -> None:
        b = np.random.default_rng(0).integers(0, 9, 40).astype(float)
        nesting = Nesting.of({"scene": np.arange(40) % 10})
        found = paired_difference(
            sample((b + 2).tolist()), sample(b.tolist()), nesting, bootstrap=Bootstrap()
        )
        assert (found.mean, found.low, found.high, found.excludes(0.0)) == (2.0, 2.0, 2.0, True)
        assert (found.p, found.p_method) == (2 / 2**10, "all sign flips")

    def test_one_cluster_and_no_rows_have_no_p_value(self) -> None:
        lone = paired_difference(sample([1]), sample([0]), Nesting.of({"scene": ["A"]}))
        assert (lone.mean, lone.low, lone.p, lone.p_method) == (1.0, None, None, "none")
        assert lone.reason
        assert not lone.excludes(0.0)
        empty = paired_difference(sample([]), sample([]), Nesting.of({"scene": []}))
        assert (empty.mean, empty.mean_a, empty.n, empty.p) == (None, None, 0, None)

    def test_weights_reach_the_test(self) -> None:
        nesting = Nesting.of({"tour": list("ABCD")})
        a, b = sample([1, 1, 1, 0]), sample([0, 0, 0, 1])
        assert paired_difference(a, b, nesting, bootstrap=Bootstrap()).p == 10 / 16
        weights = np.array([5.0, 1.0, 1.0, 1.0])
        heavy = paired_difference(a, b, nesting, weights=weights, bootstrap=Bootstrap())
        assert (heavy.mean, heavy.p) == (0.75, 8 / 16)

    @settings(deadline=None)
    @given(st.lists(st.integers(-6, 6), min_size=1, max_size=9))
    def test_exact_sign_flips_equal_enumeration(self, totals: list[int]) -> None:
        patterns = [
            abs(sum(sign * total for sign, total in zip(signs, totals, strict=True)))
            for signs in itertools.product([1, -1], repeat=len(totals))
        ]
        expected = np.mean([pattern >= abs(sum(totals)) for pattern in patterns])
        found = sign_flip(np.array(totals) / 10)  # tenths do not add up exactly: ties must still count
        assert found.exact
        assert found.p_value == pytest.approx(expected, abs=1e-12)

    def test_sampled_sign_flips_approach_the_exact_value(self) -> None:
        totals = np.random.default_rng(2).normal(0.3, 1, 16)
        sums = np.array([0.0])
        for total in totals:
            sums = np.concatenate([sums + total, sums - total])
        exact = np.mean(np.abs(sums) >= abs(totals.sum()) - 1e-9)
        found = sign_flip(totals)
        assert not found.exact
        assert found.p_value == pytest.approx(exact, abs=0.02)
        assert found == sign_flip(totals)
        assert found != sign_flip(totals, seed=1)
        assert sign_flip(np.ones(40)).p_value == 1 / 10_000

    def test_the_test_holds_its_size_and_has_power(self) -> None:
        rng = np.random.default_rng(11)
        null = [sign_flip(rng.normal(size=11)).p_value for _ in range(500)]
        real = [sign_flip(rng.normal(1.0, 1, size=11)).p_value for _ in range(200)]
        assert 0.02 < np.mean(np.array(null) <= 0.05) < 0.08
        assert np.mean(np.array(real) <= 0.05) > 0.7


class TestAlign:
    @settings(deadline=None)
    @given(st.lists(st.text(max_size=3), unique=True, max_size=12), st.randoms(use_true_random=False))
    def test_finds_the_same_ids(self, ids: list[str], random: Random) -> None:
        other = list(ids)
        random.shuffle(other)
        assert [other[row] for row in align(ids, other)] == ids

    def test_mismatches_are_named(self) -> None:
        with pytest.raises(InputError) as caught:
            align(["1_0", "2_0", "3_0", "4_0", "5_0"], ["1_0", "9_0"], names=("a.json", "b.json"))
        assert "2_0, 3_0, 4_0 and 1 more only in a.json, 9_0 only in b.json" in str(caught.value)
        with pytest.raises(InputError, match=r"b\.json has several rows for 7_0"):
            align(["7_0", "7_1"], ["7_0", "7_0"], names=("a.json", "b.json"))


def test_real_episodes_spread_by_scene(data_root: Path) -> None:
    with gzip.open(data_root / "r2r" / "R2R_val_unseen.json.gz") as stream:
        items = json.load(stream)
    name = "PREVALENT_seq2seq_teacher_imagenet_val_unseen_iter_36000.json.gz"
    with gzip.open(data_root / "agent_predictions" / name) as stream:
        ends = {p["instr_id"]: p["trajectory"][-1][0] for p in json.load(stream)}
    rows = [(item, f"{item['path_id']}_{k}") for item in items for k in range(3)]
    nesting = Nesting.of(
        {"scene": [item["scan"] for item, _ in rows], "path": [item["path_id"] for item, _ in rows]}
    )
    assert nesting.sizes == (11, 783, 2349)
    arrived = sample([float(ends[row] == item["path"][-1]) for item, row in rows])
    by_scene = one_interval(arrived, nesting)
    by_row = one_interval(arrived, nesting, replace=(False, False, True))
    assert by_scene.clusters == 11
    assert by_scene.mean == by_row.mean == pytest.approx(arrived.values.mean())
    assert by_scene.high - by_scene.low > 1.5 * (by_row.high - by_row.low)  # type: ignore[operator]
