"""What a run says, as predictions for the tools of others: without what only our own files hold."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from functools import partial
from itertools import groupby
from typing import IO, Any

import msgspec

from vlnscope.core.exceptions import InputError
from vlnscope.episodes.format import Format, optional_fields, used_fields
from vlnscope.episodes.formats.evidence import EvidenceLine, prediction_of
from vlnscope.evaluate.exchange.finished_run import FinishedRun
from vlnscope.evaluate.exchange.run_format import RunFile, RunFiles, run_formats
from vlnscope.types import Prediction
from vlnscope.worlds.projection import RULE

OURS = frozenset(EvidenceLine.__struct_fields__) - frozenset(Prediction.__struct_fields__) - {"v"}
"""What evidence says beyond a prediction: distributions, timing, events and so on."""
Change = Callable[[Prediction], Prediction]


def submission(
    run: FinishedRun,
    layout: Format,
    *,
    drop: Sequence[str] = (),
    change: Change = lambda prediction: prediction,
    order: Callable[[Prediction], Any] | None = None,
    notes: Sequence[str] = (),
) -> RunFiles:
    """Return the one file that holds a run in a format of predictions.

    Args:
        run: of which each episode was asked once.
        layout: the format; what it does not carry is dropped, and said.
        drop: fields to give up besides.
        change: fits a prediction to what the tools expect.
        order: by which predictions are sorted; as in the run if not given.
        notes: what to say besides.

    Raises:
        InputError: the run asked an episode several times, or lacks what the format needs.
    """
    _check_once(run, layout)
    dropped: Counter[str] = Counter()
    predictions = [change(_fitted(line, layout, drop, dropped)) for line in run.lines.values()]
    if order is not None:
        predictions.sort(key=order)
    told = [*notes, *_projection(run, predictions)]
    assert layout.write is not None  # a caller asks only formats that can be written
    file = RunFile("", len(predictions), partial(_write, layout.write, predictions))
    return RunFiles([file], dict(dropped), told)


def _write(
    write: Callable[[Iterable[Any], IO[bytes]], None], records: Sequence[Any], stream: IO[bytes]
) -> None:
    write(records, stream)


def walk(line: EvidenceLine) -> Prediction:
    """Return the walk of a line over viewpoints as R2R's tools read it: with both angles, or with none.

    Elements stand in arrays of their own even without angles, because these tools take the first member of
    each element for the viewpoint.
    """
    prediction = Prediction(
        episode_id=line.episode_id, path=line.path, headings=line.headings, elevations=line.elevations
    )
    return in_arrays(prediction)


def in_arrays(prediction: Prediction) -> Prediction:
    """Return a prediction whose trajectory is written as arrays, ``[viewpoint, …]`` each."""
    angles = (prediction.headings, prediction.elevations)
    if None not in angles or "trajectory" in prediction.extra or prediction.segments is not None:
        return prediction
    return msgspec.structs.replace(
        prediction, headings=None, elevations=None, segments=(1,) * len(prediction.path)
    )


def _fitted(line: EvidenceLine, layout: Format, drop: Sequence[str], dropped: Counter[str]) -> Prediction:
    prediction = prediction_of(line)
    extra = {name: value for name, value in prediction.extra.items() if name not in OURS}
    lost = (used_fields(prediction) - layout.carries) | (used_fields(prediction) & set(drop))
    absent = optional_fields(Prediction)
    dropped.update(sorted((lost - {"extra"}) | (prediction.extra.keys() & OURS)))
    kept = {"extra": extra} if "extra" not in lost else {}
    return msgspec.structs.replace(prediction, **{name: absent[name] for name in lost} | kept)


def _projection(run: FinishedRun, predictions: Sequence[Prediction]) -> list[str]:
    in_space = any(line.positions and line.path for line in run.lines.values())
    if in_space and any(prediction.path for prediction in predictions):
        return [f"walks in continuous space are given as viewpoints: at each position the {RULE}"]
    return []


def without_repeats(prediction: Prediction) -> Prediction:
    """Return a prediction whose positions differ from the one before, as RxR's own agents submit them."""
    moved = tuple(position for position, _ in groupby(prediction.positions))
    return msgspec.structs.replace(prediction, positions=moved)


def _check_once(run: FinishedRun, layout: Format) -> None:
    times = Counter(line.episode_id for line in run.lines.values())
    episode, most = times.most_common(1)[0]
    if most > 1:
        fitting = [name for name, one in run_formats().items() if one.benchmark == run.benchmark != ""]
        raise InputError(
            f"{run.folder}: asks episode {episode} {most} times, as runs of {run.benchmark or 'cases'} do",
            expected=f"a run that asks each episode once: {layout.name!r} files have one walk for each",
            fix=f"write it as {' or '.join(fitting)} (--to)" if fitting else "run the agent on episodes",
        )
