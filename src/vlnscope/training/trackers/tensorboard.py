"""``tensorboard``: event files for TensorBoard, in ``RUN/tensorboard``."""

from __future__ import annotations

import importlib
import shutil
import time
from typing import Any

from vlnscope.core.json_file import json_text
from vlnscope.training.tracking import TrackedRun, TrackerSpec, grouped, register_tracker
from vlnscope.training.watching import CurveRow

FOLDER = "tensorboard"


class EventFiles:
    """Writes one event file; those that are there already are removed, since it gets all rows again."""

    def __init__(self, run: TrackedRun) -> None:
        folder = run.folder / FOLDER
        shutil.rmtree(folder, ignore_errors=True)
        module: Any = importlib.import_module("torch.utils.tensorboard")
        self._writer: Any = module.SummaryWriter(str(folder))
        self._writer.add_text("experiment", f"```\n{json_text(run.settings)}```", 0)
        self._begun = time.time()

    def add(self, row: CurveRow) -> None:
        """Write a row; time goes on as if the run had never been stopped."""
        for name, value in grouped(row).items():
            self._writer.add_scalar(name, value, int(row["update"]), self._begun + row["seconds"])
        self._writer.flush()

    def end(self) -> None:
        """Close the file."""
        self._writer.close()


register_tracker(
    TrackerSpec(
        name="tensorboard",
        summary="event files for TensorBoard, in RUN/tensorboard",
        module="tensorboard",
        package="tensorboard",
        extra="tensorboard",
        open=EventFiles,
    )
)
