"""`vlnscope score` (results)."""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from vlnscope.cli.shared import output
from vlnscope.cli.shared.options import (
    DataOfRun,
    Interval,
    Intervals,
    Json,
    Partial,
    Positions,
    Resamples,
    Root,
    SceneFolder,
    Seed,
    Split,
    bootstrap,
    names,
    opened_for,
)
from vlnscope.core.exceptions import InputError

if TYPE_CHECKING:
    from vlnscope.core.results import Result
    from vlnscope.evaluate.score.result import Score
    from vlnscope.stats.bootstrap import Bootstrap


def score(
    files: Annotated[
        list[Path],
        typer.Argument(
            metavar="PREDICTIONS...",
            help="Prediction file, in any format of `ls formats`, or the folder of a run; several files that "
            "share no episode are read as one.",
        ),
    ],
    data: DataOfRun = None,
    root: Root = None,
    scenes: SceneFolder = None,
    profile: Annotated[str, typer.Option(help="Whose conventions to follow, or `all`.")] = "default",
    metrics: Annotated[str | None, typer.Option(help="Metrics by name, separated by commas.")] = None,
    per_episode: Annotated[
        Path | None, typer.Option(help="Write the values of each episode (.parquet, .jsonl).")
    ] = None,
    tours: Annotated[Path | None, typer.Option(help="Tour file, to score the episodes as tours.")] = None,
    split: Split = None,
    positions: Positions = "connectivity",
    partial: Partial = False,
    interval: Interval = Intervals.cluster_t,
    resamples: Resamples = 1000,
    seed: Seed = 0,
    json: Json = False,
) -> None:
    """Score a prediction file or a run: every metric with its confidence interval.

    **Examples**

    `vlnscope score preds.json --data r2r/val_unseen --root ~/vln-data`

    `vlnscope score preds.json --data r2r/val_unseen --profile all`

    `vlnscope score preds.json --data r2r/val_unseen --profile r2r-server --json`

    `vlnscope score preds.json --data houses/val_unseen`

    `vlnscope score runs/mine`  (a run knows its data, and keeps its scores, which `report` reads)

    `vlnscope score preds.json --data my_episodes.json --per-episode scores.parquet`

    `vlnscope score preds.json --data r2r/val_unseen --tours tours_iVLN.json --split val_unseen --profile
    ivln`

    `vlnscope score seen_inst_0.json seen_inst_1.json seen_inst_2.json --data r2r/val_seen`  (read as one)

    `vlnscope score stats_ep_ckpt_val_unseen_r0_w1.json --data r2r-ce/val_unseen`  (metrics without walks)

    `vlnscope score tour_log.json --data gt_ndtw.json --split val_unseen --profile ivln-ce`
    """
    from vlnscope.core.results import ROWS, check_target
    from vlnscope.episodes.reading import read_tours, sniff
    from vlnscope.evaluate.benchmarking import is_benchmark_run

    resampled = bootstrap(interval, resamples, seed)
    predictions = files[0]
    if per_episode:
        check_target(per_episode, ROWS, [*files, *([data] if data else [])])
        if profile == "all":
            raise InputError(
                "--per-episode goes with one profile, not with all",
                expected="the name of a profile",
                fix="add for example --profile default",
            )
    if len(files) > 1:
        _refuse_runs(files)
    if is_benchmark_run(predictions):
        unusable: dict[str, Any] = {
            "--data": data,
            "--metrics": metrics,
            "--tours": tours,
            "--split": split,
            "--partial": partial,
        }
        unusable |= {"--positions": positions != "connectivity", "--interval": resampled}
        _refuse(unusable, f"{predictions}, which is a run of a benchmark's cases", "its own data and metrics")
        _score_cases(predictions, root, profile, per_episode, json)
        return
    holds = sniff(predictions).holds
    if holds == "episode-metrics":
        _refuse({"--tours": tours, "--split": split}, f"{predictions}, which has no walks", "no tours")
        chosen = {"metrics": names(metrics or None), "partial": partial, "bootstrap": resampled}
        result: Result = _measured(files, data, root, profile, chosen)
    elif holds == "tour-logs":
        others = {"--metrics": metrics, "--tours": tours, "--partial": partial}
        result = _tour_logs(predictions, data, profile, split, resampled, others)
    else:
        walked = read_tours(tours, split=split) if tours else None
        options = {
            "metrics": names(metrics or None),
            "tours": walked,
            "partial": partial,
            "bootstrap": resampled,
        }
        result = _predictions(files, data, root, profile, positions, options)
    if per_episode:
        result.save(per_episode)
    output.print_result(result, json)
    if per_episode and not json:
        output.show_notes([f"values of each episode: {per_episode}"])


def _refuse_runs(files: Sequence[Path]) -> None:
    for path in files:
        if path.is_dir():
            raise InputError(
                f"{path}: is a folder, and several predictions are named",
                expected="files that are read as one, or one run",
                fix="join shards of a run with `vlnscope merge`; score other runs one by one",
            )


def _measured(
    files: Sequence[Path], data: str | None, root: Path | None, profile: str, options: dict[str, Any]
) -> Result:
    from vlnscope.cli.shared.options import opened
    from vlnscope.evaluate.score.measured import score_measured

    dataset = None if data is None else opened(data, root)
    return score_measured(files, dataset, root=root, profile=profile, **options)


def _predictions(
    files: Sequence[Path],
    data: str | None,
    root: Path | None,
    profile: str,
    positions: str,
    options: dict[str, Any],
) -> Result:
    from vlnscope.evaluate.score.profile_table import score_all
    from vlnscope.evaluate.score.score import plan
    from vlnscope.evaluate.score.score import score as score_one
    from vlnscope.metrics.profiles.profile import get_profile

    if profile != "all":
        plan(get_profile(profile), options["metrics"])  # report a wrong name before anything is made
    dataset = opened_for(files[0], data, root, positions=positions)
    predictions = list(files) if len(files) > 1 else files[0]
    if profile == "all":
        return score_all(predictions, dataset, root=root, **options)
    score = score_one(predictions, dataset, profile=profile, root=root, **options)
    if positions == "connectivity" and not (options["metrics"] or options["tours"]):
        _keep(score, files[0])
    return score


def _score_cases(run: Path, root: Path | None, profile: str, per_episode: Path | None, json: bool) -> None:
    """Score a run of a benchmark's cases, and keep the scores in it."""
    from msgspec import to_builtins

    from vlnscope.cli.report import results_blocks
    from vlnscope.evaluate.benchmarking import score_run
    from vlnscope.evaluate.report.results_table import run_results

    scored = score_run(run, root=root, profile=profile)
    file = scored.keep(profile)
    if per_episode:
        scored.save(per_episode)
    table = run_results(scored)
    if json:
        case_set = scored.case_set
        about: dict[str, Any] = {"benchmark": case_set.benchmark, "data": case_set.data, "profile": profile}
        about |= {"cases": scored.done, "failed": scored.failed, "scores": str(file)}
        output.print_json(about | {"results": to_builtins(table)})
        return
    output.show(*(results_blocks(table) if table is not None else ()))
    output.show_notes([f"a row per case: {path}" for path in (file, per_episode) if path])


def _keep(score: Score, predictions: Path) -> None:
    """Keep scores in the run that they are of, if it is one and can be written to."""
    from vlnscope.evaluate.run_data import run_folder
    from vlnscope.evaluate.run_scores import keep_scores

    folder = run_folder(predictions)
    if folder is not None:
        with suppress(OSError, InputError):
            about: dict[str, Any] = {"data": score.dataset, "notes": score.notes}
            keep_scores(folder, score.columns(), profile=score.profile.name, **about)


def _tour_logs(
    log: Path,
    data: str | None,
    profile: str,
    split: str | None,
    resampled: Bootstrap | None,
    others: dict[str, Any],
) -> Result:
    from vlnscope.evaluate.score.tour_logs import score_tour_logs

    _refuse(
        others, f"{log}, which is a log of tours", "a log and its reference log, whose tours are scored whole"
    )
    if data is None:
        raise InputError(
            f"{log}: a log of tours, and no reference log",
            expected="the log of the reference walks",
            fix="name it with --data",
        )
    chosen = "ivln-ce" if profile == "default" else profile
    return score_tour_logs(log, data, profile=chosen, split=split, bootstrap=resampled)


def _refuse(options: dict[str, Any], what: str, expected: str) -> None:
    """Refuse options that would change nothing."""
    if unused := [name for name, value in options.items() if value]:
        raise InputError(
            f"{unused[0]} does not apply to {what}", expected=expected, fix=f"leave {unused[0]} out"
        )
