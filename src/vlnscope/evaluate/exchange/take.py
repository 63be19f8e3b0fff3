"""Makes a run of official files, so that it can be scored, reported and compared like one of ours."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from vlnscope.benchmarks.kit.case_file import episode_cases
from vlnscope.benchmarks.kit.case_set import CaseSet, is_case_set
from vlnscope.core import registry
from vlnscope.core.exceptions import InputError
from vlnscope.engine.jobs import case_set_jobs, make_jobs
from vlnscope.episodes.convert import ConversionReport
from vlnscope.episodes.datasets.dataset import Dataset, open_dataset
from vlnscope.episodes.formats.evidence import EvidenceLine, line_of
from vlnscope.episodes.reading import read_predictions
from vlnscope.evaluate.exchange.keep import keep_run
from vlnscope.evaluate.exchange.run_format import (
    RunFormat,
    check_options,
    get_run_format,
    parse_layout,
    run_formats,
)

RUN = "run"
"""What `vlnscope convert` takes for ``--to`` to make the folder of a run."""


def take_run(
    source: str | Path,
    folder: str | Path,
    *,
    cases: str | Path | None = None,
    data: str | Path | Dataset | None = None,
    from_: str | None = None,
    agent: str | None = None,
    root: str | Path | None = None,
    partial: bool = False,
) -> ConversionReport:
    """Keep what official files say as the folder of a run.

    Args:
        source: a file or a folder: predictions in any format, submissions of NavNuances, results of
            vln-behave, a log of IVLN, or whatever else `vlnscope ls run-formats` lists as read.
        folder: of the run, a new one.
        cases: the folder of a benchmark's cases, or of annotations in the layout; not needed for predictions
            of ordinary episodes, nor where annotations lie beside the files.
        data: the data set, for ordinary episodes and for annotations; that of the cases if not given.
        from_: the layout or format of the files; recognised if not given.
        agent: what to call who made them; after the file if not given.
        root: folder of the data; ``$VLNSCOPE_DATA`` if not given.
        partial: take what there is, though cases are missing.

    Raises:
        InputError: the files cannot be read, are for other cases, or do not answer all of them.
    """
    source, folder = Path(source), Path(folder)
    if not source.exists():
        raise InputError(f"{source}: is not there", expected="files of an agent", fix="check the name")
    named, options = parse_layout(from_) if from_ else (None, {})
    layout = _layout(source, named)
    name = agent or source.name.split(".")[0]
    if layout is None:
        if cases is not None:
            raise InputError(
                f"{source}: is in no layout of a benchmark's runs",
                expected=f"one of {', '.join(n for n, one in run_formats().items() if one.read)}",
                fix="say which with --from; for ordinary predictions, leave --cases out and name --data",
            )
        return _take_predictions(source, folder, name, _opened(data, root), from_, partial=partial)
    case_set, dataset = _asked(layout, source, cases, data, root)
    assert layout.read is not None
    assert dataset.scenes is not None
    case_set.check_generator(dataset.scenes)
    check_options(layout, options)
    answers = layout.read(source, case_set, dataset.scenes, **options)
    what = f"{case_set.benchmark} on {case_set.data}"
    _check_complete(source, what, answers.lines, len(answers.asked.cases), partial=partial)
    config = {"unused": answers.unused} if answers.unused else {}
    files = sorted(source.rglob("*.json*")) if source.is_dir() else [source]
    jobs = case_set_jobs(answers.asked)
    keep_run(folder, name, files, answers.lines, jobs, dataset, case_set=answers.asked, config=config)
    notes = [f"{answers.unused:,} records are for no case, and are left out"] if answers.unused else []
    if len(answers.asked.cases) < len(case_set.cases):
        share = f"{len(answers.asked.cases):,} of {len(case_set.cases):,}"
        notes.append(f"the files are about {share} cases, and the run has these")
    return _report(source, folder, layout.name, len(answers.lines), notes)


def _take_predictions(
    source: Path, folder: Path, name: str, dataset: Dataset, from_: str | None, *, partial: bool
) -> ConversionReport:
    if dataset.scenes is None:
        raise InputError(
            f"{dataset.name}: its scenes are not there, and a run notes in which it took place",
            expected="scenes",
            fix="name their folder with --scenes; `vlnscope score` and `--to evidence` do without",
        )
    cases = {case.case_id: case for case in episode_cases(dataset)}
    predictions = list(read_predictions(source, from_))
    lines = [line_of(prediction) for prediction in predictions if prediction.episode_id in cases]
    _check_complete(source, dataset.name, lines, len(cases), partial=partial)
    unused = len(predictions) - len(lines)
    config = {"data": str(dataset.address)} | ({"unused": unused} if unused else {})
    keep_run(folder, name, [source], lines, make_jobs(list(cases.values())), dataset, config=config)
    notes = (
        [f"{unused:,} predictions are for no episode of {dataset.name}, and are left out"] if unused else []
    )
    return _report(source, folder, from_ or "predictions", len(lines), notes)


def _report(source: Path, folder: Path, read: str, records: int, notes: list[str]) -> ConversionReport:
    return ConversionReport(
        source=str(source),
        target=folder,
        source_format=read,
        target_format=RUN,
        records=records,
        notes=notes,
    )


def _layout(source: Path, named: str | None) -> RunFormat | None:
    """Return the layout of files; None if they are predictions in some format."""
    if named is not None:
        layout = get_run_format(named) if registry.has("run-format", named) else None
        return layout if layout and layout.read else None
    fitting = [one for one in run_formats().values() if one.read and one.recognises(source)]
    if len(fitting) > 1:
        raise InputError(
            f"{source}: could be {' or '.join(one.name for one in fitting)}",
            expected="files that only one layout fits",
            fix="name it with --from",
        )
    if not fitting and source.is_dir():
        raise InputError(
            f"{source}: is a folder in no layout that is known",
            expected=f"files of {', '.join(name for name, one in run_formats().items() if one.read)}",
            fix="name the file itself; `vlnscope ls run-formats` says how files are called",
        )
    return fitting[0] if fitting else None


def _asked(
    layout: RunFormat,
    source: Path,
    cases: str | Path | None,
    data: str | Path | Dataset | None,
    root: str | Path | None,
) -> tuple[CaseSet, Dataset]:
    """Return the cases that files answer, and the data set in whose scenes they take place."""
    if cases is not None and is_case_set(cases):
        case_set = CaseSet.load(cases)
        if layout.benchmark not in ("", case_set.benchmark):
            raise InputError(
                f"{cases}: holds cases of {case_set.benchmark}",
                expected=f"cases of {layout.benchmark}, which {layout.name!r} files answer",
                fix=f"name the folder of `vlnscope build {layout.benchmark}`",
            )
        return case_set, _opened(data or case_set.data, root)
    if layout.cases is not None:
        dataset = _opened(data, root)
        return layout.cases(Path(cases or source), dataset), dataset
    raise InputError(
        f"{source}: {layout.name!r} files do not say what was asked",
        expected="the folder of the cases that were answered",
        fix=f"name it with --cases, as `vlnscope build {layout.benchmark or 'tours'} --out` writes it",
    )


def _opened(data: str | Path | Dataset | None, root: str | Path | None) -> Dataset:
    if data is None:
        raise InputError(
            "files do not name the data that they were made on",
            expected="a data set, or the folder of a benchmark's cases, which names one",
            fix="add for example --data r2r/val_unseen",
        )
    return data if isinstance(data, Dataset) else open_dataset(str(data), root)


def _check_complete(
    source: Path, what: str, lines: Sequence[EvidenceLine], count: int, *, partial: bool
) -> None:
    if not lines:
        raise InputError(
            f"{source}: nothing in it is for {what}",
            expected="files that were made on these data",
            fix="name the data or the cases that they were made on",
        )
    if len(lines) < count and not partial:
        raise InputError(
            f"{source}: answers {len(lines):,} of the {count:,} cases of {what}",
            expected="an answer for each case",
            fix="name all files; --partial takes what there is",
        )
