"""Submissions to the challenges: R2R, RxR and RxR-Habitat, REVERIE, and VLN-CE."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import msgspec

from vlnscope.core.exceptions import InputError
from vlnscope.episodes.format import get_format, optional_fields
from vlnscope.evaluate.exchange.finished_run import FinishedRun
from vlnscope.evaluate.exchange.run_format import RunFiles, RunFormat, register_run_format
from vlnscope.evaluate.exchange.submission import in_arrays, submission, without_repeats
from vlnscope.types import Prediction

_FIELDS = frozenset(optional_fields(Prediction))
_ON_GRAPH = "a run on a navigation graph, or one in continuous space whose scenes have viewpoints"
_IN_SPACE = "a run in continuous space, such as one on houses-ce/val_unseen or r2r-ce/val_unseen"


def _r2r(run: FinishedRun, drop: Sequence[str]) -> RunFiles:
    _check_walks(run, "r2r", "path", _ON_GRAPH)
    strange = _strange(run, lambda name: len(name.split("_")) == 2)
    notes = [f"R2R's tools take ids such as 4332_1 (path and instruction), not {strange}"] if strange else []
    return submission(run, get_format("r2r"), drop=drop, change=in_arrays, notes=notes)


def _reverie(run: FinishedRun, drop: Sequence[str]) -> RunFiles:
    _check_walks(run, "reverie", "path", _ON_GRAPH)
    without = sum(line.object_id is None for line in run.lines.values())
    notes = [f"no object was chosen in {without:,} episodes: predObjId is null there"] if without else []
    return submission(run, get_format("reverie"), drop=drop, change=_with_object, notes=notes)


def _with_object(prediction: Prediction) -> Prediction:
    prediction = in_arrays(prediction)
    if prediction.object_id is not None:
        return prediction
    return msgspec.structs.replace(prediction, extra=prediction.extra | {"predObjId": None})


def _rxr(run: FinishedRun, drop: Sequence[str]) -> RunFiles:
    _check_walks(run, "rxr", "path", _ON_GRAPH)
    return submission(run, get_format("rxr"), drop=drop, order=_by_number, notes=_not_numbers(run))


def _rxrce(run: FinishedRun, drop: Sequence[str]) -> RunFiles:
    _check_walks(run, "rxrce", "positions", _IN_SPACE)
    how: dict[str, Any] = {"change": without_repeats, "order": _by_number, "notes": _not_numbers(run)}
    return submission(run, get_format("rxrce"), drop=drop, **how)


def _vlnce(run: FinishedRun, drop: Sequence[str]) -> RunFiles:
    _check_walks(run, "vlnce", "positions", _IN_SPACE)
    return submission(run, get_format("vlnce"), drop=drop, change=_said_to_stop)


def _said_to_stop(prediction: Prediction) -> Prediction:
    """Return a prediction that says whether the agent stopped; one that failed did not."""
    return msgspec.structs.replace(prediction, stopped=bool(prediction.stopped))


def _by_number(prediction: Prediction) -> tuple[bool, int, str]:
    name = prediction.episode_id
    return (not name.isdecimal(), int(name) if name.isdecimal() else 0, name)


def _strange(run: FinishedRun, is_usual: Callable[[str], bool]) -> str:
    """Return an id that is not as the tools expect, if there is one."""
    return next((line.episode_id for line in run.lines.values() if not is_usual(line.episode_id)), "")


def _check_walks(run: FinishedRun, name: str, field: str, expected: str) -> None:
    without = next((line for line in run.lines.values() if not getattr(line, field)), None)
    if without is not None:
        what = "viewpoints" if field == "path" else "positions"
        raise InputError(
            f"{run.folder}: episode {without.episode_id} has no {what}, which {name!r} files consist of",
            expected=expected,
            fix=f"choose another layout, such as {'vlnce' if field == 'path' else 'r2r'}",
        )


def _not_numbers(run: FinishedRun) -> list[str]:
    strange = _strange(run, str.isdecimal)
    return [f"RxR's tools take instruction ids, which are whole numbers, not {strange}"] if strange else []


for _name, _title, _files, _suffix in (
    ("r2r", "R2R submission (also R4R): viewpoints, with angles where they are known", _r2r, ".json"),
    ("reverie", "REVERIE submission: R2R's, with the chosen object or null", _reverie, ".json"),
    ("rxr", "RxR submission: viewpoints by instruction id, sorted", _rxr, ".jsonl"),
    ("rxrce", "RxR-Habitat submission: positions by instruction id, sorted, no repeats", _rxrce, ".jsonl"),
    ("vlnce", "VLN-CE predictions (R2R-CE): position, heading and stop of every step", _vlnce, ".json"),
):
    register_run_format(RunFormat(name=_name, title=_title, files=_files, suffix=_suffix, droppable=_FIELDS))
