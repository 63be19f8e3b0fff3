"""``wandb``: a run for Weights & Biases, in ``RUN/wandb``, written offline.

Nothing is sent anywhere; ``wandb sync`` of the folder does that, if somebody wants it. A run that goes on
keeps its id there.
"""

from __future__ import annotations

import importlib
import os
import shutil
from typing import Any

from vlnscope.training.tracking import TrackedRun, TrackerSpec, grouped, register_tracker
from vlnscope.training.watching import CurveRow

FOLDER = "wandb"
PROJECT = "vlnscope"
SILENT = {
    "WANDB_MODE": "offline",
    "WANDB_ERROR_REPORTING": "false",
    "WANDB_SILENT": "true",
    "OTEL_SDK_DISABLED": "true",
}
"""Set before the library is imported, so that neither it nor what it uses looks for a network."""


class OfflineRun:
    """Writes one offline run; what was written of the same run before is removed: it gets all rows again."""

    def __init__(self, run: TrackedRun) -> None:
        for folder in (run.folder / FOLDER).glob(f"offline-run-*-{run.id}"):
            shutil.rmtree(folder, ignore_errors=True)
        os.environ |= SILENT
        library: Any = importlib.import_module("wandb")
        self._library = library
        self._run: Any = library.init(
            project=PROJECT,
            name=run.folder.resolve().name,
            notes=run.title,
            id=run.id,
            dir=str(run.folder),
            config=run.settings,
            mode="offline",
            settings=library.Settings(console="off", silent=True, disable_git=True, save_code=False),
        )

    def add(self, row: CurveRow) -> None:
        """Write a row."""
        self._run.log(grouped(row), step=int(row["update"]))

    def end(self) -> None:
        """Close the run, and wait until all of it is written."""
        self._run.finish()
        self._library.teardown()


register_tracker(
    TrackerSpec(
        name="wandb",
        summary="a run for Weights & Biases, written offline, in RUN/wandb",
        module="wandb",
        package="wandb",
        extra="wandb",
        open=OfflineRun,
    )
)
