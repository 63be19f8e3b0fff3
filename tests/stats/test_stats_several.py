"""Several agents and several runs: corrections, power, best-of-N, and comparisons of every pair."""

from __future__ import annotations

import itertools

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from vlnscope.core.exceptions import InputError
from vlnscope.stats.columns import Sample
from vlnscope.stats.multiplicity import adjust, benjamini_hochberg, holm
from vlnscope.stats.nesting import Nesting
from vlnscope.stats.paired import paired_difference, sign_flip
from vlnscope.stats.power import data_needed, detection_power, minimum_detectable_effect
from vlnscope.stats.runs import Runs, expected_maximum
from vlnscope.stats.several import compare_agents, pairs
from vlnscope.types import Floats

P_VALUES = st.lists(st.floats(0, 1), min_size=1, max_size=12)


def sample(values: Floats, defined: list[bool] | None = None) -> Sample:
    marks = np.ones(len(values), dtype=np.bool_) if defined is None else np.array(defined)
    return Sample(np.asarray(values, dtype=np.float64), marks)


class TestMultiplicity:
    @given(P_VALUES)
    def test_holm_rejects_as_the_step_down_procedure_does(self, p_values: list[float]) -> None:
        adjusted = holm(p_values)
        for alpha in (0.01, 0.05, 0.3):
            rejected = set()
            for step, i in enumerate(sorted(range(len(p_values)), key=lambda i: p_values[i])):
                if p_values[i] * (len(p_values) - step) > alpha:
                    break
                rejected.add(i)
            assert rejected == {i for i, p in enumerate(adjusted) if p <= alpha}

    @given(P_VALUES)
    def test_benjamini_hochberg_rejects_as_the_step_up_procedure_does(self, p_values: list[float]) -> None:
        adjusted = benjamini_hochberg(p_values)
        ranked, m = sorted(p_values), len(p_values)
        for alpha in (0.01, 0.05, 0.3):
            last = max((k for k, p in enumerate(ranked, 1) if p * (m / k) <= alpha), default=0)
            limit = ranked[last - 1] if last else -1.0
            assert [p <= alpha for p in adjusted] == [p <= limit for p in p_values]

    @given(P_VALUES)
    def test_order_and_size(self, p_values: list[float]) -> None:
        for correct in (holm, benjamini_hochberg):
            adjusted = correct(p_values)
            assert all(p <= q <= 1 for p, q in zip(p_values, adjusted, strict=True))
            assert correct(p_values[::-1]) == adjusted[::-1]
        assert all(b <= h + 1e-15 for b, h in zip(benjamini_hochberg(p_values), holm(p_values), strict=True))

    def test_equals_statsmodels(self) -> None:
        multitest = pytest.importorskip("statsmodels.stats.multitest")
        p_values = np.random.default_rng(0).random(30) ** 3
        for ours, theirs in ((holm, "holm"), (benjamini_hochberg, "fdr_bh")):
            np.testing.assert_allclose(ours(p_values), multitest.multipletests(p_values, method=theirs)[1])

    def test_edges(self) -> None:
        assert holm([]) == benjamini_hochberg([]) == []
        assert adjust([0.2, 0.01], "none") == [0.2, 0.01]
        for wrong in ([1.2], [-0.1], [float("nan")]):
            with pytest.raises(InputError, match="p-values"):
                holm(wrong)
        with pytest.raises(InputError, match="'bonferoni'"):
            adjust([0.1], "bonferoni")  # type: ignore[arg-type]


class TestPower:
    @pytest.mark.parametrize(
        (
            "clusters",
            "effect",
        ),  # R: power.t.test(n, power = .8, sd = sqrt(n), type = "one.sample", strict = TRUE)
        [(2, 16.33401), (3, 5.653497), (4, 4.255899), (5, 3.761062), (11, 3.109968)],
    )
    def test_equals_r(self, clusters: int, effect: float) -> None:
        assert minimum_detectable_effect(1.0, clusters) == pytest.approx(effect, rel=1e-4)
        assert detection_power(effect, 1.0, clusters) == pytest.approx(0.8, abs=1e-5)

    def test_is_what_a_simulation_finds(self) -> None:
        rng = np.random.default_rng(1)
        clusters, deviation = 12, 2.0
        effect = minimum_detectable_effect(deviation / np.sqrt(clusters), clusters)
        draws = rng.normal(effect, deviation, (4000, clusters))
        t = draws.mean(axis=1) / draws.std(axis=1, ddof=1) * np.sqrt(clusters)
        assert np.mean(np.abs(t) > 2.200985) == pytest.approx(0.8, abs=0.025)
        flipped = [sign_flip(row).p_value <= 0.05 for row in draws[:300]]
        assert np.mean(flipped) == pytest.approx(0.78, abs=0.06)

    def test_more_scenes_and_more_episodes(self) -> None:
        rng = np.random.default_rng(2)
        scene, path = np.repeat(np.arange(20), 30), np.arange(600) // 3
        values = 0.3 * rng.normal(size=20)[scene] + rng.normal(size=600)
        nesting = Nesting.of({"scene": scene, "path": path})
        found = paired_difference(sample(values), sample(np.zeros(600)), nesting)
        assert found.error is not None
        now = minimum_detectable_effect(found.error, 20)
        for share in (0.5, 0.8):
            needed = data_needed(sample(values), nesting, found.error, share * now)
            assert needed.scenes is not None
            scaled = found.error * np.sqrt(20 / needed.scenes)
            assert minimum_detectable_effect(scaled, needed.scenes) <= share * now
            fewer = needed.scenes - 1
            assert minimum_detectable_effect(found.error * np.sqrt(20 / fewer), fewer) > share * now
            assert needed.more_scenes == needed.scenes - 20
            assert needed.more_episodes == 30 * needed.more_scenes
        enough = data_needed(sample(values), nesting, found.error, 1.01 * now)
        assert (enough.more_scenes, enough.more_episodes, enough.episodes_in_same_scenes) == (0, 0, 0)
        assert data_needed(sample(values), nesting, found.error, 0.0).scenes is None

    def test_scenes_that_differ_set_a_limit(self) -> None:
        rng = np.random.default_rng(3)
        scene = np.repeat(np.arange(15), 40)
        nesting = Nesting.of({"scene": scene})
        noisy = rng.normal(size=600)
        between = 5 * rng.normal(size=15)[scene] + 0.1 * noisy
        for values, limited in ((between, True), (noisy - noisy.reshape(15, 40).mean(1)[scene], False)):
            found = paired_difference(sample(values + 0.1), sample(np.zeros(600)), nesting)
            error = found.error if limited else 0.04  # of no difference between scenes: about 1 / sqrt(600)
            assert error is not None
            needed = data_needed(sample(values), nesting, error, 2.0 * error)
            assert needed.limit is not None
            if limited:
                assert needed.episodes_in_same_scenes is None
                assert needed.limit > 0.99 * minimum_detectable_effect(error, 15)
            else:
                assert needed.limit == 0
                more = (minimum_detectable_effect(1.0, 15) / 2.0) ** 2 - 1
                assert needed.episodes_in_same_scenes == pytest.approx(600 * more, abs=1)

    def test_more_episodes_in_the_same_scenes_do_what_is_said(self) -> None:
        """Twice the paths: the error must shrink as the variance components say."""
        rng = np.random.default_rng(4)

        def draw(paths: int) -> tuple[Nesting, Floats]:
            scene = np.repeat(np.arange(300), paths)
            return Nesting.of({"scene": scene}), rng.normal(size=300)[scene] + rng.normal(0, 2, 300 * paths)

        nesting, values = draw(6)
        error = paired_difference(sample(values), sample(0 * values), nesting).error or 0.0
        more_nesting, more = draw(12)
        smaller = paired_difference(sample(more), sample(0 * more), more_nesting).error or 0.0
        reach = minimum_detectable_effect(smaller, 300)
        needed = data_needed(sample(values), nesting, error, reach)
        assert needed.episodes_in_same_scenes == pytest.approx(1800, rel=0.35)

    def test_what_cannot_be_told(self) -> None:
        with pytest.raises(InputError, match="standard error of 0"):
            minimum_detectable_effect(0.0, 11)
        with pytest.raises(InputError, match="over 1 units"):
            minimum_detectable_effect(1.0, 1)
        with pytest.raises(InputError, match="power"):
            minimum_detectable_effect(1.0, 11, power=80)
        single = data_needed(sample(np.arange(4.0)), Nesting.of({"scene": range(4)}), 1.0, 2.0)
        assert (single.limit, single.episodes_in_same_scenes) == (None, None)


class TestRuns:
    nesting = Nesting.of({"scene": list("AABBCC")})
    first = sample(np.array([1.0, 1, 1, 1, 0, 0]))
    second = sample(np.array([1.0, 0, 0, 1, 0, 0]))
    third = sample(np.array([0.0, 0, 0, 1, 0, 0]), [True, True, True, True, True, False])

    def test_the_mean_of_runs_counts(self) -> None:
        runs = Runs.of("mine", {"0": self.first, "1": self.second, "2": self.third}, self.nesting, made=5)
        mean = runs.mean_column()
        assert mean.defined.tolist() == [True] * 5 + [False]
        assert mean.values.tolist() == pytest.approx([2 / 3, 1 / 3, 1 / 3, 1, 0, 0])
        assert runs.means() == {"0": 0.8, "1": 0.4, "2": 0.2}
        spread = runs.spread()
        assert (spread.mean, spread.low, spread.high) == pytest.approx((7 / 15, 0.2, 0.8))
        assert spread.deviation == pytest.approx(np.std([0.8, 0.4, 0.2], ddof=1))
        assert spread.error == pytest.approx(np.std([0.8, 0.4, 0.2], ddof=1) / np.sqrt(3))

    def test_the_best_is_only_told_beside_all_others(self) -> None:
        some = Runs.of("mine", {"0": self.first, "1": self.second}, self.nesting, made=3)
        with pytest.raises(InputError, match="best of 3 runs, of which 2 are given"):
            some.best()
        with pytest.raises(InputError, match="best of 1 runs"):
            Runs.of("mine", {"0": self.first}, self.nesting, made=1).best()
        columns = {"0": self.first, "1": self.second, "2": self.third}
        runs = Runs.of("mine", columns, self.nesting, made=3)
        best, worst = runs.best(), runs.best(higher_is_better=False)
        assert (best.run, best.value, best.runs) == ("0", 0.8, 3)
        assert best.mean == pytest.approx(7 / 15)
        assert best.luck == pytest.approx(0.8462844 * (runs.spread().deviation or 0))
        assert (worst.run, worst.luck) == ("2", pytest.approx(-best.luck))

    def test_luck_is_what_a_simulation_finds(self) -> None:
        draws = np.random.default_rng(5).normal(size=(20_000, 8))
        assert expected_maximum(8) == pytest.approx(draws.max(axis=1).mean(), abs=0.02)

    def test_wrong_numbers_of_runs(self) -> None:
        with pytest.raises(InputError, match="2 runs of 1 that were made"):
            Runs.of("mine", {"0": self.first, "1": self.second}, self.nesting, made=1)
        with pytest.raises(InputError, match="0 runs"):
            Runs.of("mine", {}, self.nesting, made=1)
        with pytest.raises(InputError, match="'mine, 0' has values of shape"):
            Runs.of("mine", {"0": sample(np.ones(2))}, self.nesting, made=1)
        never = sample(np.ones(6), [False] * 6)
        with pytest.raises(InputError, match="no row is defined in all 2 runs"):
            Runs.of("mine", {"0": self.first, "1": never}, self.nesting, made=2)


def four_agents() -> dict[str, Sample]:
    rng = np.random.default_rng(6)
    hard = rng.normal(size=99)
    shifts = {"w": 0.0, "x": 0.05, "y": 0.6, "z": 0.6}
    return {name: sample(hard + shift + 0.5 * rng.normal(size=99)) for name, shift in shifts.items()}


class TestSeveral:
    nesting = Nesting.of({"scene": np.repeat(np.arange(11), 9)})

    def test_every_pair_as_if_alone_and_corrected_together(self) -> None:
        columns = four_agents()
        found = compare_agents(columns, self.nesting)
        assert [(c.a, c.b) for c in found] == list(itertools.combinations("wxyz", 2))
        for c in found:
            alone = paired_difference(columns[c.a], columns[c.b], self.nesting)
            assert c.difference == alone
        assert [c.adjusted for c in found] == holm([c.difference.p or 0.0 for c in found])
        clear = {(c.a, c.b) for c in found if c.adjusted is not None and c.adjusted <= 0.05}
        assert clear == {("w", "y"), ("w", "z"), ("x", "y"), ("x", "z")}

    def test_against_one_costs_less(self) -> None:
        columns = four_agents()
        found = compare_agents(columns, self.nesting, against="w")
        assert [(c.a, c.b) for c in found] == [("x", "w"), ("y", "w"), ("z", "w")]
        every = {(c.b, c.a): c.adjusted for c in compare_agents(columns, self.nesting)}
        assert all(c.adjusted <= every[c.a, c.b] for c in found)  # type: ignore[operator]
        unkind = compare_agents(columns, self.nesting, against="w", correction="benjamini-hochberg")
        assert all(a.adjusted <= b.adjusted for a, b in zip(unkind, found, strict=True))  # type: ignore[operator]

    def test_pairs_without_a_test_do_not_count(self) -> None:
        never = sample(np.zeros(99), [False] * 99)
        columns = {"w": four_agents()["w"], "y": four_agents()["y"], "never": never}
        found = {(c.a, c.b): c for c in compare_agents(columns, self.nesting)}
        assert found["w", "never"].adjusted is None
        assert found["w", "y"].adjusted == found["w", "y"].difference.p

    def test_too_few_agents(self) -> None:
        with pytest.raises(InputError, match="a comparison of w"):
            pairs(["w"])
        with pytest.raises(InputError, match="against q"):
            pairs(["w", "x"], against="q")

    def test_chance_finds_are_held_off(self) -> None:
        """Five equal agents, ten pairs: without correction something is found in every other study."""
        rng = np.random.default_rng(7)
        loose = strict = 0
        for _ in range(60):
            columns = {str(i): sample(rng.normal(size=12)) for i in range(5)}
            found = compare_agents(columns, Nesting.of({"scene": range(12)}))
            loose += any((c.difference.p or 1) <= 0.05 for c in found)
            strict += any((c.adjusted or 1) <= 0.05 for c in found)
        assert strict <= 7
        assert loose >= 12
