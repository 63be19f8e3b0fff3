"""Effects by the paper's own statistics: what each model and each bootstrap takes as independent."""

from __future__ import annotations

import numpy as np
import pytest

from vlnscope.benchmarks.behavior.findings.paper_statistics import (
    BOOTSTRAPS,
    MODELS,
    bootstrap_bounds,
    model_effect,
    paper_cells,
)
from vlnscope.types import ScoreRow


def rows(scenes: int, each: int, spread: float, seed: int = 0) -> list[ScoreRow]:
    """Questions whose effect is 0.1 on average and differs between scenes by `spread`."""
    rng = np.random.default_rng(seed)
    made = []
    for scene, effect in enumerate(rng.normal(0.1, spread, scenes)):
        for path in range(each):
            base = float(rng.uniform(0.2, 0.4))
            for step in (2, 3):
                noise = rng.normal(0.0, 0.03, 2)
                values = {"mass": base + effect + noise[0], "mass_none": base + noise[1]}
                groups = {"path_length": str(step)}
                ids = {"episode_id": f"{scene}-{path}-{step}", "scan": f"s{scene}", "path_id": str(path)}
                made.append(ScoreRow(**ids, values=values, groups=groups))
    return made


def width(asked: list[ScoreRow], draws: tuple[bool, ...]) -> float:
    low, high = np.array(bootstrap_bounds(asked, "mass", "mass_none", draws), dtype=np.float64)
    assert low < np.mean([row.values["mass"] - row.values["mass_none"] for row in asked]) < high
    return float(high - low)


def test_models_agree_on_the_effect_and_differ_in_what_they_take_as_independent() -> None:
    asked = rows(scenes=8, each=12, spread=0.15)
    m1, m2, m3 = (model_effect(asked, "mass", "mass_none", model) for model in MODELS)
    mean = np.mean([row.values["mass"] - row.values["mass_none"] for row in asked])
    for effect in (m1, m2, m3):
        assert effect.effect == pytest.approx(mean, abs=1e-6)
    errors = np.array([effect.error for effect in (m1, m3, m2)], dtype=np.float64)
    assert errors[0] < errors[1] < errors[2] / 2  # the effect differs between scenes, which only m2 sees
    p_values = np.array([m1.p_value, m2.p_value], dtype=np.float64)
    assert p_values[0] < 1e-6 < p_values[1]


def test_scenes_without_an_effect_of_their_own() -> None:
    asked = rows(scenes=8, each=12, spread=0.0)
    m1, m2, _ = (model_effect(asked, "mass", "mass_none", model) for model in MODELS)
    assert m1.error == pytest.approx(m2.error, rel=0.3)


def test_bootstrap_of_scenes_follows_the_spread_between_scenes() -> None:
    alike, unlike = rows(8, 12, 0.0), rows(8, 12, 0.15)
    for draws in BOOTSTRAPS.values():
        assert width(alike, draws) < width(unlike, draws) / 3


def test_drawing_paths_too_widens_the_interval_of_scenes_that_agree() -> None:
    asked = rows(8, 3, 0.0)
    assert width(asked, BOOTSTRAPS["scenes"]) < width(asked, BOOTSTRAPS["scenes and paths"])


def test_words_that_change_nothing_have_no_model() -> None:
    same = [
        ScoreRow(episode_id=str(k), scan=f"s{k % 3}", path_id=str(k), values={"mass": 0.5, "mass_none": 0.5})
        for k in range(12)
    ]
    for model in MODELS:
        assert model_effect(same, "mass", "mass_none", model).reason == "the words change nothing in any case"
    assert list(paper_cells(same, "mass", "mass_none", 100.0))[4:] == [None] * 9


def test_one_scene_has_no_bootstrap_of_scenes() -> None:
    assert bootstrap_bounds(rows(1, 5, 0.0), "mass", "mass_none", (True, False)) == (None, None)
