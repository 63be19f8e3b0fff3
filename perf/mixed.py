"""How long a nested mixed model takes: 16,000 rows, beside lme4 and statsmodels where they are installed.

The model is y ~ x + agent + (1 | scan) + (1 | scan:path), once more with a third level of steps, and once
with slopes of x that differ between scans. The time of lme4 is that of its call to lmer alone. Budget: 0.2
seconds for two levels.

    python perf/mixed.py
"""

from __future__ import annotations

import csv
import shutil
import subprocess
import tempfile
import time
import warnings
from collections.abc import Callable
from functools import partial
from operator import itemgetter
from pathlib import Path
from typing import Any, TypeVar

import numpy as np

from vlnscope.stats.mixed import MixedFit, fit_mixed
from vlnscope.stats.term_tests import coefficient_tests

ROWS, SCANS, PATHS = 16_000, 56, 5_124
LEVELS = {
    "two levels": ("scan", "path"),
    "three levels": ("scan", "path", "step"),
    "slopes of scenes": ("scan", "path"),
}
SLOPES = {"slopes of scenes": {"scan": ["x"]}}
Data = dict[str, Any]
T = TypeVar("T")

R_SCRIPT = """
suppressMessages(library(lme4))
d <- read.csv(commandArgs(TRUE)[1], stringsAsFactors = TRUE)
t <- system.time(m <- lmer(as.formula(commandArgs(TRUE)[2]), d))[["elapsed"]]
cat(format(c(t, as.numeric(logLik(m)), as.data.frame(VarCorr(m))$vcov), digits = 12), "\\n")
"""


def main() -> None:
    data = made()
    print(f"{ROWS:,} rows, {SCANS} scans, {PATHS:,} paths")
    first, _ = timed(partial(ours, data, ("scan", "path"), {}))
    print(f"first call in this process, with loading or compiling the kernels: {first:.2f} s")
    for name, levels in LEVELS.items():
        slopes = SLOPES.get(name, {})
        fast, fit = min((timed(partial(ours, data, levels, slopes)) for _ in range(7)), key=itemgetter(0))
        print(f"{name}: {fast:.3f} s; {described(fit)}")
        tests, _ = timed(partial(coefficient_tests, fit))
        print(f"  with Satterthwaite's degrees of freedom: {tests:.3f} s more")
        if shutil.which("Rscript"):
            slow, words = lme4(data, levels, slopes)
            print(f"  lme4 {slow:.2f} s, ratio {slow / fast:.0f}; {words}")
    try:
        slow, words = statsmodels(data)
    except ModuleNotFoundError:
        print("statsmodels is not installed")
    else:
        print(f"two levels, statsmodels {slow:.1f} s; {words}")


def made() -> Data:
    rng = np.random.default_rng(0)
    path = rng.integers(PATHS, size=ROWS)
    scan, step = path % SCANS, rng.integers(3, size=ROWS)
    x, agent = rng.normal(size=ROWS), rng.integers(2, size=ROWS)
    by_step = rng.normal(0, 0.7, (PATHS, 3))[path, step]
    by_unit = rng.normal(0, 0.5, SCANS)[scan] + rng.normal(0, 1.0, PATHS)[path] + by_step
    y = 0.3 * x + 0.1 * agent + by_unit + rng.normal(0, 1.4, ROWS)
    agents = ["AB"[i] for i in agent]
    return {"y": y, "x": x, "agent": agents, "scan": scan, "path": path, "step": step}


def ours(data: Data, levels: tuple[str, ...], slopes: dict[str, list[str]]) -> MixedFit:
    return fit_mixed(
        data["y"],
        {"x": data["x"], "agent": data["agent"]},
        {level: data[level] for level in levels},
        slopes=slopes,
    )


def described(fit: MixedFit) -> str:
    variances = " ".join(f"{v:.4f}" for v in [*reversed(fit.variances.values()), fit.residual])
    return f"log-likelihood {fit.log_likelihood:.3f}, variances {variances}"


def lme4(data: Data, levels: tuple[str, ...], slopes: dict[str, list[str]]) -> tuple[float, str]:
    random = [
        f"({' + '.join(slopes.get(level, ['1']))} | {':'.join(levels[: i + 1])})"
        for i, level in enumerate(levels)
    ]
    with tempfile.TemporaryDirectory() as folder:
        table, script = Path(folder) / "data.csv", Path(folder) / "fit.R"
        with table.open("w", newline="") as stream:
            writer = csv.writer(stream)
            writer.writerow(data)
            writer.writerows(zip(*data.values(), strict=True))
        script.write_text(R_SCRIPT)
        formula = " + ".join(["y ~ x + agent", *random])
        done = subprocess.run(
            ["Rscript", str(script), str(table), formula], capture_output=True, text=True, check=True
        )
    seconds, likelihood, *variances = map(float, done.stdout.split())
    return seconds, f"log-likelihood {likelihood:.3f}, variances {' '.join(f'{v:.4f}' for v in variances)}"


def statsmodels(data: Data) -> tuple[float, str]:
    import pandas as pd
    import statsmodels.formula.api as smf

    frame = pd.DataFrame(data)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        seconds, fit = timed(
            lambda: smf.mixedlm(
                "y ~ x + agent", frame, groups="scan", re_formula="1", vc_formula={"path": "0 + C(path)"}
            ).fit()
        )
    variances = [float(fit.vcomp[0]), float(fit.cov_re.iloc[0, 0]), float(fit.scale)]
    return seconds, f"log-likelihood {fit.llf:.3f}, variances {' '.join(f'{v:.4f}' for v in variances)}"


def timed(work: Callable[[], T]) -> tuple[float, T]:
    start = time.perf_counter()
    result = work()
    return time.perf_counter() - start, result


if __name__ == "__main__":
    main()
