"""The data set that predictions are for: the one a user names, or the one that a run remembers."""

from __future__ import annotations

from pathlib import Path

from vlnscope.core.exceptions import DataNotFoundError, InputError
from vlnscope.engine.store.provenance import RunRecord
from vlnscope.engine.store.run_folder import EVIDENCE, RECORD, read_record
from vlnscope.episodes.datasets.dataset import Dataset, open_dataset, spec_of_dataset
from vlnscope.evaluate.benchmarking import is_benchmark_run
from vlnscope.worlds.scene_versions import check_generator, generator_of, generator_of_world


def run_folder(predictions: object) -> Path | None:
    """Return the folder of the run that predictions are given as; None if they are something else."""
    path = Path(predictions) if isinstance(predictions, str | Path) else None
    return path if path and (path / RECORD).is_file() else None


def knowledge_of(predictions: object) -> tuple[str, ...]:
    """Say what the agent of a run knew that others do not; nothing of predictions that are no run's.

    The evidence in the folder of a run counts as that run.
    """
    folder = run_folder(predictions)
    if folder is None and isinstance(predictions, str | Path) and Path(predictions).name == EVIDENCE:
        folder = run_folder(Path(predictions).parent)
    return tuple(f"the agent {known}" for known in read_record(folder).agent.knowledge) if folder else ()


def data_of(
    predictions: object,
    data: str | Path | Dataset | None = None,
    root: str | Path | None = None,
) -> str | Path | Dataset:
    """Return what predictions are scored on: `data`, or what the run they come from was run on.

    Args:
        predictions: a prediction file or several, the folder of a run, or predictions.
        data: the data set that is named, if one is.
        root: folder of the data; ``$VLNSCOPE_DATA`` if not given.

    Raises:
        InputError: nobody names a data set, the one that is named is not the run's, or the folder holds a
            run of a benchmark's cases, which are no episodes.
    """
    folder = run_folder(predictions)
    if folder is None:
        if data is None:
            raise _unknown_data(predictions)
        return data
    record = _plain_record(folder)
    if data is None:
        return _remembered(folder, record)
    if not _same(record, data, root):
        named = data.name if isinstance(data, Dataset) else data
        raise InputError(
            f"{folder}: is a run on {record.data.name}, not on {named}",
            expected=f"--data {record.data.name}, or none: a run knows its data",
            fix=f"leave --data out; to score it on other data, name the file {folder / EVIDENCE}",
        )
    return data


def opened_for(
    predictions: object,
    data: str | Path | Dataset | None,
    root: str | Path | None,
    *,
    positions: str = "connectivity",
) -> Dataset:
    """Open the data set that predictions are scored on, as `data_of` finds it.

    Raises:
        InputError: as `data_of`, or the predictions are a run in another version of the built-in houses.
    """
    source = data_of(predictions, data, root)
    dataset = source if isinstance(source, Dataset) else open_dataset(str(source), root, positions=positions)
    if folder := run_folder(predictions):
        _check_houses(folder, dataset)
    return dataset


def _check_houses(folder: Path, dataset: Dataset) -> None:
    noted = read_record(folder).data.generator
    spec = spec_of_dataset(dataset.name)
    if noted is None and (spec is None or not spec.world):
        return
    current = generator_of(dataset.scenes) if noted or spec is None else generator_of_world(spec.world)
    check_generator(
        current,
        noted,
        what=f"{folder}: the episodes of this run",
        again=f"run the agent again: `vlnscope run AGENT --data {dataset.name} --out DIR`",
    )


def _plain_record(folder: Path) -> RunRecord:
    if is_benchmark_run(folder):
        raise InputError(
            f"{folder}: is a run of a benchmark's cases, which are no episodes of a data set",
            expected="a run of a data set, or a prediction file",
            fix=f"`vlnscope report {folder}` says what it shows; `vlnscope compare` compares such runs",
        )
    return read_record(folder)


def _remembered(folder: Path, record: RunRecord) -> str | Path:
    """Return the data set of a run: its name, or the episode file, which must not have changed."""
    name = record.data.name
    if "/" in name:
        return name
    noted = record.config.get("data")
    path = Path(noted) if isinstance(noted, str) else Path(name)
    if path.is_file() and open_dataset(path).digest() == record.data.files:
        return path
    raise DataNotFoundError(
        f"{folder}: was run on the file {path}, which {'has changed' if path.is_file() else 'is not there'}",
        expected="the episode file that the agent was run on",
        fix="say with --data where it is now",
    )


def _same(record: RunRecord, data: str | Path | Dataset, root: str | Path | None) -> bool:
    """Say whether data are those of a run: called the same, or in files of the same content."""
    dataset = data if isinstance(data, Dataset) else open_dataset(str(data), root)
    if dataset.name == record.data.name and (dataset.split or not dataset.files):
        return True
    return bool(dataset.files) and dataset.digest() == record.data.files


def _unknown_data(predictions: object) -> InputError:
    shown = f"{predictions}: predictions" if isinstance(predictions, str | Path) else "predictions"
    return InputError(
        f"{shown} for an unknown data set",
        expected="the data set that they were made on; only the folder of a run knows it",
        fix="add --data, for example --data r2r/val_unseen",
    )
