"""Mixed models against lme4 and lmerTest (tests/lme4), against dense matrices, and at their edges."""

from __future__ import annotations

import csv
import json
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from vlnscope.core.exceptions import InputError
from vlnscope.stats.design import design_matrix
from vlnscope.stats.mixed import MixedFit, fit_mixed
from vlnscope.stats.nested_likelihood import Estimation, NestedProblem, deviance, gradient, profile
from vlnscope.stats.nesting import Nesting
from vlnscope.stats.term_tests import coefficient_tests, likelihood_ratio, satterthwaite, wald

LME4 = Path(__file__).parent / "lme4"
MODELS = json.loads((LME4 / "models.json").read_text())
INTERCEPTS = [name for name, model in MODELS.items() if "slopes" not in model]
SLOPES = [name for name, model in MODELS.items() if "slopes" in model]
DIGITS = 1e-6  # relative; lme4 itself is less exact on the data set `far`, whose columns nearly coincide
COARSE = {"far": 1e-3}


def expected(name: str) -> dict[str, Any]:
    return json.loads((LME4 / f"{name}.json").read_text())  # type: ignore[no-any-return]


@cache
def fitted(name: str, estimation: Estimation = "REML") -> MixedFit:
    with (LME4 / f"{name}.csv").open() as stream:
        rows = list(csv.DictReader(stream))
    model = MODELS[name]
    fixed = {n: [r[n] if n == "agent" else float(r[n]) for r in rows] for n in model["fixed"]}
    groups = {level: [r[level] for r in rows] for level in model["groups"]}
    y = [float(r["y"]) for r in rows]
    return fit_mixed(y, fixed, groups, estimation=estimation, slopes=model.get("slopes"))


def components(reference: dict[str, Any]) -> dict[str, float]:
    """lme4's variances, named as ours: `scan:path` is `path`, a slope `x` of `scan` is `scan: x`."""
    found = {}
    for part in reference["components"]:
        if part["var2"] is None:
            slope = "" if part["var1"] in (None, "(Intercept)") else f": {part['var1']}"
            found[part["grp"].split(":")[-1] + slope] = part["vcov"]
    return found


class TestAgainstLme4:
    @pytest.mark.parametrize("name", INTERCEPTS)
    def test_estimates(self, name: str) -> None:
        fit, reference, digits = fitted(name), expected(name), COARSE.get(name, DIGITS)
        assert len(fit.model.y) == reference["rows"]
        np.testing.assert_allclose(fit.coefficients, reference["coefficients"], rtol=digits)
        np.testing.assert_allclose(fit.errors, reference["errors"], rtol=digits)
        ours = {**fit.variances, "Residual": fit.residual}
        assert ours == pytest.approx(components(reference), rel=digits, abs=1e-9)
        assert fit.log_likelihood == pytest.approx(reference["reml"], abs=1e-6)
        assert bool(fit.singular) == reference["singular"]

    @pytest.mark.parametrize("name", INTERCEPTS)
    def test_full_maximum_likelihood(self, name: str) -> None:
        fit, reference, digits = fitted(name, "ML"), expected(name), COARSE.get(name, DIGITS)
        assert fit.log_likelihood == pytest.approx(reference["ml"], abs=1e-6)
        np.testing.assert_allclose(fit.coefficients, reference["ml_coefficients"], rtol=digits)
        ours = [*reversed(fit.variances.values()), fit.residual]
        assert sorted(ours) == pytest.approx(sorted(reference["ml_components"]), rel=digits, abs=1e-9)

    @pytest.mark.parametrize("name", INTERCEPTS)
    def test_satterthwaite_and_likelihood_ratio(self, name: str) -> None:
        fit, reference, digits = fitted(name), expected(name), COARSE.get(name, 1e-5)
        rows = coefficient_tests(fit)
        np.testing.assert_allclose([row.df for row in rows], reference["df"], rtol=digits)
        np.testing.assert_allclose([row.p_value for row in rows], reference["p"], rtol=10 * digits)
        for covariate, theirs in (reference["tests"] or {}).items():
            f, ratio = satterthwaite(fit, covariate), likelihood_ratio(fit, covariate)
            assert (f.statistic, f.df) == pytest.approx((theirs["f"], theirs["df"]), rel=digits)
            # lmerTest combines nearly equal degrees of freedom by a difference of nearly equal numbers
            assert f.denominator == pytest.approx(theirs["denominator"], rel=1e-3)
            assert f.p_value == pytest.approx(theirs["p"], rel=1e-3)
            assert (ratio.statistic, ratio.p_value) == pytest.approx(
                (theirs["chisq"], theirs["chisq_p"]), rel=1e-5
            )

    def test_shapes_are_different(self) -> None:
        singular = {name for name in INTERCEPTS if expected(name)["singular"]}
        assert singular == {"no_paths", "no_scans", "nothing"}
        assert {len(MODELS[name]["groups"]) for name in INTERCEPTS} == {1, 2, 3}
        assert fitted("no_paths").singular == ("path",)
        assert fitted("no_scans").singular == ("scan",)
        assert fitted("nothing").singular == ("scan", "path")
        assert fitted("no_slopes").singular == ("scan: x, (intercept)",)


@pytest.mark.parametrize("name", SLOPES)
def test_random_slopes(name: str) -> None:
    fit, reference, digits = fitted(name), expected(name), 1e-5
    np.testing.assert_allclose(fit.coefficients, reference["coefficients"], rtol=digits)
    np.testing.assert_allclose(fit.errors, reference["errors"], rtol=digits)
    ours = {**fit.variances, "Residual": fit.residual}
    assert ours == pytest.approx(components(reference), rel=digits, abs=1e-9)
    assert fit.log_likelihood == pytest.approx(reference["reml"], abs=1e-6)
    theirs = [part["sdcor"] for part in reference["components"] if part["var2"] is not None]
    assert sorted(fit.correlations.values()) == pytest.approx(sorted(theirs), abs=1e-5)
    assert bool(fit.singular) == reference["singular"]


@pytest.mark.parametrize("name", SLOPES)
def test_tests_of_models_with_random_slopes(name: str) -> None:
    fit, reference = fitted(name), expected(name)
    rows = coefficient_tests(fit)
    np.testing.assert_allclose([row.df for row in rows], reference["df"], rtol=1e-3)
    test = satterthwaite(fit, "x")
    assert test.statistic == pytest.approx(reference["tests"]["x"]["f"], rel=1e-4)
    assert test.p_value == pytest.approx(reference["tests"]["x"]["p"], rel=1e-3)
    ml = fitted(name, "ML")
    assert ml.log_likelihood == pytest.approx(reference["ml"], abs=1e-6)
    np.testing.assert_allclose(ml.coefficients, reference["ml_coefficients"], rtol=1e-5)
    assert likelihood_ratio(fit, "x").statistic == pytest.approx(reference["tests"]["x"]["chisq"], abs=1e-4)
    assert wald(fit, "x").statistic == pytest.approx(
        (reference["coefficients"][1] / reference["errors"][1]) ** 2, rel=1e-4
    )


def test_slopes_are_refused_where_they_cannot_be_fitted() -> None:
    y, x = np.random.default_rng(0).normal(size=(2, 40))
    groups = {"scan": np.arange(40) // 10, "path": np.arange(40) // 5}
    with pytest.raises(InputError, match="random slopes at step, which is no level"):
        fit_mixed(y, {"x": x}, groups, slopes={"step": ["x"]})
    with pytest.raises(InputError, match="not among the fixed effects"):
        fit_mixed(y, {"x": x}, groups, slopes={"scan": ["z"]})


class TestLikelihood:
    rng = np.random.default_rng(1)
    a, b, c = rng.integers(0, [[5], [4], [3]], (3, 150))
    nesting = Nesting.of({"a": a, "b": b, "c": c})
    matrix = np.stack([np.ones(150), rng.normal(size=150), rng.normal(size=150)], axis=1)
    y = rng.normal(size=150) + a

    @pytest.mark.parametrize("ratios", [(0.5, 0.2, 0.7), (0.0, 3.0, 0.0), (0.0, 0.0, 0.0), (40.0, 0.01, 9.0)])
    @pytest.mark.parametrize("estimation", ["REML", "ML"])
    def test_equals_dense_matrices(self, ratios: tuple[float, ...], estimation: Estimation) -> None:
        problem = NestedProblem.of(self.y, self.matrix, self.nesting)
        v = np.eye(150)
        for ratio, codes in zip(ratios, self.nesting.codes, strict=False):
            v += ratio * (codes[:, None] == codes)
        inverse = np.linalg.inv(v)
        information = self.matrix.T @ inverse @ self.matrix
        residuals = self.y - self.matrix @ np.linalg.solve(information, self.matrix.T @ inverse @ self.y)
        free = 147 if estimation == "REML" else 150
        dense = np.linalg.slogdet(v)[1] + free * (
            1 + np.log(2 * np.pi * residuals @ inverse @ residuals / free)
        )
        dense += np.linalg.slogdet(information)[1] if estimation == "REML" else 0.0
        assert deviance(problem, profile(problem, np.array(ratios)), estimation) == pytest.approx(dense)

    @pytest.mark.parametrize("estimation", ["REML", "ML"])
    def test_gradient_equals_differences(self, estimation: Estimation) -> None:
        problem = NestedProblem.of(self.y, self.matrix, self.nesting)
        ratios, step = np.array([0.5, 0.2, 0.7]), 1e-5
        differences = [
            (
                deviance(problem, profile(problem, ratios + step * e), estimation)
                - deviance(problem, profile(problem, ratios - step * e), estimation)
            )
            / (2 * step)
            for e in np.eye(3)
        ]
        found = gradient(problem, ratios, profile(problem, ratios), estimation)
        np.testing.assert_allclose(found, differences, rtol=1e-6)

    def test_no_neighbour_is_better(self) -> None:
        for name in INTERCEPTS:
            fit = fitted(name)
            problem = NestedProblem.of(fit.model.y, fit.model.design.matrix, fit.model.nesting)
            best = deviance(problem, profile(problem, fit.ratios), "REML")
            for place in range(fit.ratios.size):
                for moved in (fit.ratios[place] * 0.99, fit.ratios[place] * 1.01 + 1e-4):
                    ratios = fit.ratios.copy()
                    ratios[place] = moved
                    assert deviance(problem, profile(problem, ratios), "REML") >= best - 1e-9


class TestProperties:
    rng = np.random.default_rng(2)
    scan, path = np.repeat(np.arange(12), 10), np.repeat(np.arange(40), 3)
    x = rng.normal(size=120)
    y = 1 + 0.3 * x + rng.normal(size=12)[scan] + rng.normal(size=40)[path] + rng.normal(size=120)

    def fit(self, y: Any, x: Any, order: Any = slice(None)) -> MixedFit:
        return fit_mixed(y[order], {"x": x[order]}, {"scan": self.scan[order], "path": self.path[order]})

    def test_order_of_rows_does_not_matter(self) -> None:
        plain, shuffled = self.fit(self.y, self.x), self.fit(self.y, self.x, self.rng.permutation(120))
        np.testing.assert_allclose(plain.coefficients, shuffled.coefficients, rtol=1e-9)
        assert plain.variances == pytest.approx(shuffled.variances, rel=1e-6)

    def test_units_of_measure(self) -> None:
        plain, other = self.fit(self.y, self.x), self.fit(1000 * self.y + 5e6, self.x / 100 - 3)
        assert other.coefficients[1] == pytest.approx(1e5 * plain.coefficients[1], rel=1e-6)
        assert other.residual == pytest.approx(1e6 * plain.residual, rel=1e-6)
        tests = [satterthwaite(fit, "x") for fit in (plain, other)]
        assert tests[0][2:] == pytest.approx(tests[1][2:], rel=1e-5)

    def test_a_balanced_design_gives_the_anova_estimates(self) -> None:
        values = self.rng.normal(size=(9, 7)) + self.rng.normal(size=(9, 1))
        fit = fit_mixed(values.ravel(), {}, {"scan": np.repeat(np.arange(9), 7)})
        within = np.mean(values.var(axis=1, ddof=1))
        assert fit.coefficients[0] == pytest.approx(values.mean())
        assert fit.residual == pytest.approx(within)
        assert fit.variances["scan"] == pytest.approx(values.mean(axis=1).var(ddof=1) - within / 7)
        test = coefficient_tests(fit)[0]
        assert test.df == pytest.approx(8)
        assert test.error == pytest.approx(values.mean(axis=1).std(ddof=1) / 3)

    def test_one_level_of_joined_keys(self) -> None:
        joined = [f"{s}:{p}" for s, p in zip(self.scan, self.path, strict=True)]
        fit = fit_mixed(self.y, {"x": self.x}, {"scan:path": joined})
        assert list(fit.variances) == ["scan:path"]
        assert fit.log_likelihood < self.fit(self.y, self.x).log_likelihood

    def test_tests_hold_their_size_with_few_scenes(self) -> None:
        """A covariate of scenes, 8 of them: Satterthwaite is right, and Wald finds too much."""
        rng = np.random.default_rng(3)
        scan = np.repeat(np.arange(8), 6)
        small = {"wald": 0, "satterthwaite": 0}
        for _ in range(200):
            y = rng.normal(size=8)[scan] + rng.normal(size=48)
            fit = fit_mixed(y, {"x": (scan % 2).astype(float)}, {"scan": scan})
            small["wald"] += wald(fit, "x").p_value < 0.05
            small["satterthwaite"] += satterthwaite(fit, "x").p_value < 0.05
        assert 0.02 < small["satterthwaite"] / 200 < 0.08
        assert small["wald"] / 200 > 0.08


class TestBadInput:
    scan = np.repeat(np.arange(4), 5)
    y = np.random.default_rng(4).normal(size=20)

    def test_columns_that_do_not_fit(self) -> None:
        with pytest.raises(InputError, match="20 values of y for 19 rows"):
            fit_mixed(self.y, {}, {"scan": self.scan[:-1]})
        with pytest.raises(InputError, match="'x' has 3 values for 20 rows"):
            fit_mixed(self.y, {"x": [1, 2, 3]}, {"scan": self.scan})
        with pytest.raises(InputError, match="y holds nan in row 2"):
            fit_mixed([0, 1, np.nan, 3], {}, {"scan": [0, 0, 1, 1]})
        with pytest.raises(InputError, match="'x' holds None in row 1"):
            design_matrix({"x": [1.0, None, 2.0]}, 3)  # type: ignore[list-item]
        with pytest.raises(InputError, match="mixes texts and numbers"):
            design_matrix({"x": [1.0, "a", 2.0]}, 3)

    def test_levels_that_cannot_be_told_apart(self) -> None:
        with pytest.raises(InputError, match="every scan holds exactly one path"):
            fit_mixed(self.y, {}, {"scan": self.scan, "path": self.scan})
        with pytest.raises(InputError, match="every episode holds exactly one row"):
            fit_mixed(self.y, {}, {"scan": self.scan, "episode": range(20)})
        with pytest.raises(InputError, match="all rows lie in one scan"):
            fit_mixed(self.y, {}, {"scan": [1] * 20})

    def test_fixed_effects_that_depend_on_each_other(self) -> None:
        x = np.arange(20.0)
        for fixed in ({"x": x, "z": 3 * x - 4}, {"z": [2.0] * 20}, {"x": x, "z": np.zeros(20)}):
            with pytest.raises(InputError, match="follow from those before"):
                fit_mixed(self.y, fixed, {"scan": self.scan})
        with pytest.raises(InputError, match="follow from those before"):
            fit_mixed([1.0, 2.0, 3.0, 5.0], {"f": list("abcd"), "x": [1, 2, 4, 8]}, {"s": [0, 0, 1, 1]})
        assert design_matrix({"f": ["only"] * 3}, 3).terms == ("(intercept)",)

    def test_nothing_left_to_explain(self) -> None:
        x = np.arange(20.0)
        with pytest.raises(InputError, match="fixed effects explain every row"):
            fit_mixed(2 * x + 1, {"x": x}, {"scan": self.scan})
        with pytest.raises(InputError, match="explain every row exactly"):
            fit_mixed(self.scan**2.0, {}, {"scan": self.scan})

    def test_tests_of_what_is_not_there(self) -> None:
        fit = fit_mixed(self.y, {"x": np.arange(20.0)}, {"scan": self.scan})
        for test in (wald, satterthwaite, likelihood_ratio):
            with pytest.raises(InputError, match="no covariate 'z'"):
                test(fit, "z")
        full = fit_mixed(self.y, {"x": np.arange(20.0)}, {"scan": self.scan}, estimation="ML")
        with pytest.raises(InputError, match="by full maximum likelihood"):
            satterthwaite(full, "x")
