"""vlnscope scores, probes and diagnoses vision-and-language navigation agents.

The verbs of the command line are functions here::

    import vlnscope as vs

    vs.score("preds.json", data="r2r/val_unseen", profile="r2r-server").to_pandas()

Names are loaded when they are first used, so importing the package costs little.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

from vlnscope._version import __version__

if TYPE_CHECKING:
    from vlnscope.core.exceptions import (
        DataNotFoundError,
        DuplicateNameError,
        InputError,
        LossyConversionError,
        MissingLayerError,
        MissingPackageError,
        PluginError,
        UnknownNameError,
        VlnscopeError,
    )
    from vlnscope.engine.merge import merge
    from vlnscope.engine.run import run
    from vlnscope.episodes.datasets.dataset import open_dataset
    from vlnscope.episodes.doctor.check import check
    from vlnscope.episodes.reading import read_episodes, read_predictions
    from vlnscope.evaluate.benchmarking import build, find_runs, score_run
    from vlnscope.evaluate.compare.compare import compare
    from vlnscope.evaluate.conformance.check_agent import check_agent
    from vlnscope.evaluate.diagnose.diagnose import diagnose
    from vlnscope.evaluate.exchange.convert import convert
    from vlnscope.evaluate.gap.explain import explain_gap
    from vlnscope.evaluate.score.profile_table import score_all
    from vlnscope.evaluate.score.score import score
    from vlnscope.evaluate.show.show import show
    from vlnscope.metrics.metric import metric
    from vlnscope.metrics.values import Values
    from vlnscope.stats.paired import paired_difference
    from vlnscope.types import Decision, Episode, Observation, Prediction

_HOMES = {
    "DataNotFoundError": "core.exceptions",
    "DuplicateNameError": "core.exceptions",
    "InputError": "core.exceptions",
    "LossyConversionError": "core.exceptions",
    "MissingLayerError": "core.exceptions",
    "MissingPackageError": "core.exceptions",
    "PluginError": "core.exceptions",
    "UnknownNameError": "core.exceptions",
    "VlnscopeError": "core.exceptions",
    "build": "evaluate.benchmarking",
    "check": "episodes.doctor.check",
    "compare": "evaluate.compare.compare",
    "check_agent": "evaluate.conformance.check_agent",
    "convert": "evaluate.exchange.convert",
    "Decision": "types",
    "diagnose": "evaluate.diagnose.diagnose",
    "Episode": "types",
    "explain_gap": "evaluate.gap.explain",
    "find_runs": "evaluate.benchmarking",
    "merge": "engine.merge",
    "metric": "metrics.metric",
    "Observation": "types",
    "open_dataset": "episodes.datasets.dataset",
    "paired_difference": "stats.paired",
    "Prediction": "types",
    "read_episodes": "episodes.reading",
    "read_predictions": "episodes.reading",
    "run": "engine.run",
    "score": "evaluate.score.score",
    "score_all": "evaluate.score.profile_table",
    "show": "evaluate.show.show",
    "score_run": "evaluate.benchmarking",
    "Values": "metrics.values",
}

__all__ = [
    "DataNotFoundError",
    "Decision",
    "DuplicateNameError",
    "Episode",
    "InputError",
    "LossyConversionError",
    "MissingLayerError",
    "MissingPackageError",
    "Observation",
    "PluginError",
    "Prediction",
    "UnknownNameError",
    "Values",
    "VlnscopeError",
    "__version__",
    "build",
    "check",
    "check_agent",
    "compare",
    "convert",
    "diagnose",
    "explain_gap",
    "find_runs",
    "merge",
    "metric",
    "open_dataset",
    "paired_difference",
    "read_episodes",
    "read_predictions",
    "run",
    "score",
    "score_all",
    "score_run",
    "show",
]


def __dir__() -> list[str]:
    return __all__


def __getattr__(name: str) -> Any:
    if name not in _HOMES:
        raise AttributeError(f"module 'vlnscope' has no attribute {name!r}")
    return getattr(import_module(f"vlnscope.{_HOMES[name]}"), name)
