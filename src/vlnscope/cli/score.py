"""`vlnscope score`."""

from __future__ import annotations

from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from vlnscope.cli.shared import output
from vlnscope.cli.shared.data import opened_for
from vlnscope.cli.shared.interval_option import HELP, Intervals, bootstrap
from vlnscope.core.exceptions import InputError

if TYPE_CHECKING:
    from rich.table import Table

    from vlnscope.evaluate.score.profile_table import ProfileTable
    from vlnscope.evaluate.score.result import Score

EPILOG = """
**Examples**

`vlnscope score preds.json --data r2r/val_unseen --root ~/vln-data`

`vlnscope score preds.json --data r2r/val_unseen --profile all`

`vlnscope score preds.json --data r2r/val_unseen --profile r2r-server --json`

`vlnscope score preds.json --data houses/val_unseen`

`vlnscope score runs/mine`  (a run knows its data, and keeps its scores, which `report` reads)

`vlnscope score preds.json --data my_episodes.json --per-episode scores.parquet`

`vlnscope score preds.json --data r2r/val_unseen --tours tours_iVLN.json --split val_unseen --profile ivln`

`vlnscope score tour_log.json --data gt_ndtw.json --split val_unseen --profile ivln-ce`
"""


METHODS = {
    "cluster-t": "cluster-robust t (CR2)",
    "exact": "exact, all values alike,",
    "percentile": "percentile bootstrap",
    "studentised": "studentised bootstrap",
}


def score(
    predictions: Annotated[
        Path, typer.Argument(help="Prediction file, in any format of `ls formats`, or the folder of a run.")
    ],
    data: Annotated[
        str | None,
        typer.Option(help="Data set such as r2r/val_unseen, or an episode file; a run knows its own."),
    ] = None,
    root: Annotated[Path | None, typer.Option(help="Data folder; $VLNSCOPE_DATA if not given.")] = None,
    profile: Annotated[str, typer.Option(help="Whose conventions to follow, or `all`.")] = "default",
    metrics: Annotated[str | None, typer.Option(help="Metrics by name, with commas between.")] = None,
    per_episode: Annotated[
        Path | None, typer.Option(help="Write the values of each episode (.parquet, .jsonl).")
    ] = None,
    tours: Annotated[Path | None, typer.Option(help="Tour file, to score the episodes as tours.")] = None,
    split: Annotated[str | None, typer.Option(help="Split of a tour file that holds several.")] = None,
    positions: Annotated[
        str, typer.Option(help="Where viewpoints lie: as in `connectivity` files, or as in `.house` files.")
    ] = "connectivity",
    partial: Annotated[bool, typer.Option("--partial", help="Score what there is, if incomplete.")] = False,
    interval: Annotated[Intervals, typer.Option(help=HELP)] = Intervals.cluster_t,
    resamples: Annotated[int, typer.Option(min=1, help="Resamples of a bootstrap.")] = 1000,
    seed: Annotated[int, typer.Option(help="Seed of a bootstrap.")] = 0,
    json: Annotated[bool, typer.Option("--json", help="Print one JSON object.")] = False,
) -> None:
    """Score a prediction file or a run: every metric with its confidence interval."""
    from vlnscope.episodes.reading import read_tours, sniff
    from vlnscope.evaluate.benchmarking import is_benchmark_run
    from vlnscope.evaluate.result_file import ROWS, check_target
    from vlnscope.evaluate.score.profile_table import score_all
    from vlnscope.evaluate.score.score import plan
    from vlnscope.evaluate.score.score import score as score_one
    from vlnscope.evaluate.score.tour_logs import score_tour_logs
    from vlnscope.metrics.profiles.profile import get_profile

    if per_episode:
        check_target(per_episode, ROWS, [predictions, *([data] if data else [])])
    if is_benchmark_run(predictions):
        _score_cases(predictions, root, profile, json)
        return
    resampled = bootstrap(interval, resamples, seed)
    if sniff(predictions).holds == "tour-logs":
        for name, given in {"--metrics": metrics, "--tours": tours, "--partial": partial}.items():
            if given:
                raise InputError(
                    f"{name} does not apply to {predictions}, which is a log of tours",
                    expected="a log and its reference log, whose tours are scored whole",
                    fix=f"leave {name} out",
                )
        if data is None:
            raise InputError(
                f"{predictions}: a log of tours, and no reference log",
                expected="the log of the reference walks",
                fix="name it with --data",
            )
        chosen = "ivln-ce" if profile == "default" else profile
        found = score_tour_logs(predictions, data, profile=chosen, split=split, bootstrap=resampled)
        _show(found, json, per_episode)
        return
    options: dict[str, Any] = {
        "metrics": [name.strip() for name in metrics.split(",")] if metrics else None,
        "tours": read_tours(tours, split=split) if tours else None,
        "partial": partial,
        "bootstrap": resampled,
    }
    if profile != "all":
        plan(get_profile(profile), options["metrics"])  # a wrong name is told before anything is made
        dataset = opened_for(predictions, data, root, positions=positions)
        found = score_one(predictions, dataset, profile=profile, **options)
        if positions == "connectivity" and not (metrics or tours):
            _keep(found, predictions)
        _show(found, json, per_episode)
    elif per_episode:
        raise InputError(
            "--per-episode goes with one profile, not with all",
            expected="the name of a profile",
            fix="add for example --profile default",
        )
    else:
        dataset = opened_for(predictions, data, root, positions=positions)
        _show_all(score_all(predictions, dataset, **options), json)


def _score_cases(run: Path, root: Path | None, profile: str, json: bool) -> None:
    """Score a run of a benchmark's cases, and keep the scores in it."""
    from msgspec import to_builtins

    from vlnscope.cli.report import print_results
    from vlnscope.evaluate.benchmarking import score_run
    from vlnscope.evaluate.report.results_table import run_results

    scored = score_run(run, root=root, profile=profile)
    file = scored.keep(profile)
    table = run_results(scored)
    if json:
        about: dict[str, Any] = {
            "benchmark": scored.asked.benchmark,
            "data": scored.asked.data,
            "profile": profile,
        }
        about |= {"cases": scored.done, "failed": scored.failed, "scores": str(file)}
        output.print_json(about | {"results": to_builtins(table)})
        return
    if table is not None:
        print_results(table)
    output.console().print(f"[dim]a row per case: {output.plain(str(file))}[/]", soft_wrap=True)


def _keep(score: Score, predictions: Path) -> None:
    """Keep scores in the run that they are of, if it is one and can be written to."""
    from vlnscope.evaluate.run_data import run_folder
    from vlnscope.evaluate.run_scores import keep_scores

    folder = run_folder(predictions)
    if folder is not None:
        with suppress(OSError, InputError):
            about: dict[str, Any] = {"data": score.dataset, "notes": score.notes}
            keep_scores(folder, score.columns(), profile=score.profile.name, **about)


def show(number: float | None) -> str:
    """Write a number for a table (see `score_result.show`)."""
    from vlnscope.evaluate.score.result import show as written

    return written(number)


def _show(score: Score, json: bool, per_episode: Path | None) -> None:
    if per_episode:
        score.save(per_episode)
    if json:
        output.print_json(score.to_dict())
        return
    screen = output.console()
    screen.print(score_table(score))
    for note in score_notes(score):
        screen.print(f"[dim]{output.plain(note)}[/]", soft_wrap=True)
    if per_episode:
        screen.print(f"[dim]values of each episode: {output.plain(str(per_episode))}[/]")


def score_table(score: Score) -> Table:
    """Return the table of one score."""
    rows = [
        [
            name,
            show(s["mean"]),
            output.interval(s["ci_low"], s["ci_high"]),
            s["unit"],
            str(s["undefined"] or ""),
            {"higher": "↑", "lower": "↓", "none": ""}[s["better"]],
        ]
        for name, s in score.to_dict()["metrics"].items()
    ]
    title = f"{score.dataset}   profile {score.profile.name}   n = {score.n}"
    return output.table(title, ["metric", "mean", "95 % interval", "unit", "undefined", "better"], rows)


def score_notes(score: Score) -> list[str]:
    """Return what a reader of the table must know."""
    notes = [*score.notes, *_reasons(score)]
    drawn = {(i.method, i.units[0], i.clusters) for i in score.intervals.values() if i.low is not None}
    few = {"path": ", for these scenes only"}
    notes += [
        f"intervals: {METHODS[how]} over {n} {what}s{few.get(what, '')}" for how, what, n in sorted(drawn)
    ]
    return notes


def _reasons(score: Score) -> list[str]:
    """Say which metrics are undefined, for how many episodes, and why."""
    by_reason: dict[str, list[str]] = {}
    for name, summary in score.to_dict()["metrics"].items():
        for reason, count in summary.get("undefined_reasons", {}).items():
            by_reason.setdefault(f"undefined for {count}: {reason}", []).append(name)
        if "reason" in summary and not summary.get("undefined_reasons"):
            by_reason.setdefault(summary["reason"], []).append(name)
    return [f"{', '.join(names)} {reason}" for reason, names in by_reason.items()]


def _cell(summary: dict[str, Any]) -> str:
    missing = f" ({summary['undefined']} undefined)" if summary["undefined"] else ""
    return show(summary["mean"]) + missing


def _show_all(table: ProfileTable, json: bool) -> None:
    if json:
        output.print_json(table.to_dict())
        return
    screen = output.console()
    names = list(dict.fromkeys(m for s in table.scores.values() for m in s.intervals))
    cells = {p: s.to_dict()["metrics"] for p, s in table.scores.items()}
    rows = [[m, *(_cell(c[m]) if m in c else "" for c in cells.values())] for m in names]
    first = next(iter(table.scores.values()))
    screen.print(output.table(f"{first.dataset}   n = {first.n}", ["metric", *cells], rows))
    if table.differences:
        screen.print("\n[bold]what differs from `default`, and the switch that makes it differ[/]")
    for difference in table.differences:
        screen.print(f"  {output.plain(difference.sentence())}")
    by_note: dict[str, list[str]] = {}
    for name, score in table.scores.items():
        for note in (*score.notes, *_reasons(score)):
            by_note.setdefault(note, []).append(name)
    for note, names in by_note.items():
        whose = "" if len(names) == len(table.scores) else f"{', '.join(names)}: "
        screen.print(f"[dim]{output.plain(whose + note)}[/]", soft_wrap=True)
