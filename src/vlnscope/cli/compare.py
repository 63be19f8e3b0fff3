"""`vlnscope compare`."""

from __future__ import annotations

from enum import StrEnum
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from vlnscope.cli.shared import output
from vlnscope.cli.shared.interval_option import HELP, Intervals, bootstrap

if TYPE_CHECKING:
    from vlnscope.evaluate.compare.comparison import ComparisonTable

EPILOG = """
**Examples**

`vlnscope compare mine.json theirs.json --data r2r/val_unseen`

`vlnscope compare mine.json theirs.json other.json --data r2r/val_unseen --against theirs --metric SPL`

`vlnscope compare mine=seed0.json,seed1.json,seed2.json theirs.json --data r2r/val_unseen --json`

`vlnscope compare runs/mine runs/theirs`  (runs know their data)

`vlnscope compare runs/mine runs/theirs --by skill --where variant=intervention`  (runs of a benchmark)
"""


class Correction(StrEnum):
    """Corrections of p-values."""

    holm = "holm"
    benjamini_hochberg = "benjamini-hochberg"
    none = "none"


def compare(
    agents: Annotated[
        list[str],
        typer.Argument(
            help="Prediction files, or folders of runs: FILE, NAME=FILE, or NAME=FILE,FILE,…"
            " for several runs of one agent."
        ),
    ],
    data: Annotated[
        str | None,
        typer.Option(help="Data set such as r2r/val_unseen, or an episode file; runs know theirs."),
    ] = None,
    root: Annotated[Path | None, typer.Option(help="Data folder; $VLNSCOPE_DATA if not given.")] = None,
    profile: Annotated[str, typer.Option(help="Whose conventions to follow.")] = "default",
    metric: Annotated[
        str | None, typer.Option(help="Metrics by name, with commas between; SR, SPL, nDTW if not given.")
    ] = None,
    by: Annotated[
        str | None,
        typer.Option(help="Benchmarks: groups to compare within, with commas between, such as skill,sub."),
    ] = None,
    where: Annotated[
        list[str] | None,
        typer.Option(help="Benchmarks: only cases of this group, such as skill=direction (repeatable)."),
    ] = None,
    against: Annotated[str | None, typer.Option(help="Compare all others with this agent only.")] = None,
    correction: Annotated[
        Correction, typer.Option(help="How p-values are corrected for all tests of a metric.")
    ] = Correction.holm,
    interval: Annotated[
        Intervals,
        typer.Option(help=f"{HELP} Bootstraps test by sign flips."),
    ] = Intervals.cluster_t,
    positions: Annotated[
        str, typer.Option(help="Where viewpoints lie: as in `connectivity` files, or as in `.house` files.")
    ] = "connectivity",
    partial: Annotated[
        bool, typer.Option("--partial", help="Compare the episodes that all have, if incomplete.")
    ] = False,
    out: Annotated[Path | None, typer.Option(help="Write the table (.json, .jsonl, .parquet).")] = None,
    resamples: Annotated[int, typer.Option(min=1, help="Resamples of a bootstrap.")] = 1000,
    seed: Annotated[int, typer.Option(help="Seed of a bootstrap.")] = 0,
    json: Annotated[bool, typer.Option("--json", help="Print one JSON object.")] = False,
) -> None:
    """Compare agents over the same episodes: is one really better than another?"""
    from vlnscope.evaluate.compare.compare import compare as compare_agents
    from vlnscope.evaluate.result_file import check_target

    if out:
        check_target(
            out, sources=[file for agent in agents for file in (agent.partition("=")[2] or agent).split(",")]
        )
    table = compare_agents(
        *agents,
        data=data,
        profile=profile,
        metrics=_names(metric),
        by=_names(by),
        where=_groups(where),
        against=against,
        correction=correction.value,
        bootstrap=bootstrap(interval, resamples, seed),
        root=root,
        positions=positions,
        partial=partial,
    )
    if out:
        table.save(out)
    if json:
        output.print_json(table.to_dict())
    else:
        _show(table)


def _names(text: str | None) -> list[str] | None:
    return None if text is None else [name.strip() for name in text.split(",") if name.strip()]


def _groups(texts: list[str] | None) -> dict[str, str] | None:
    from vlnscope.core.exceptions import InputError

    if not texts:
        return None
    pairs = [text.partition("=") for text in texts]
    if wrong := [text for text, (_, equals, _) in zip(texts, pairs, strict=True) if not equals]:
        raise InputError(
            f"--where {wrong[0]}", expected="GROUP=VALUE", fix="for example --where skill=direction"
        )
    return {key.strip(): value.strip() for key, _, value in pairs}


def _show(table: ComparisonTable) -> None:
    screen = output.console()
    title = f"{table.dataset}   profile {table.profile}   n = {table.n}"
    columns = ["metric", "A", "B", "A", "B", "A − B", "95 % interval", "p", "p corrected", "better"]
    screen.print(output.table(title, columns, [_row(pair.to_dict()) for pair in table.pairs], texts=3))
    screen.print()
    for sentence in table.sentences():
        screen.print(output.plain(sentence), soft_wrap=True)
    for note in _notes(table):
        screen.print(f"[dim]{output.plain(note)}[/]")


def _row(pair: dict[str, Any]) -> list[str]:
    from vlnscope.evaluate.compare.comparison import pair_label
    from vlnscope.evaluate.score.result import show

    return [
        pair_label(pair),
        pair["a"],
        pair["b"],
        show(pair["mean_a"]),
        show(pair["mean_b"]),
        show(pair["difference"]),
        output.interval(pair["ci_low"], pair["ci_high"]),
        _p(pair["p_value"]),
        _p(pair["p_corrected"]),
        pair["better"] or "–",
    ]


def _p(number: float | None) -> str:
    return "–" if number is None else f"{number:.2g}"


def _notes(table: ComparisonTable) -> list[str]:
    from vlnscope.evaluate.compare.comparison import pair_label

    notes = list(table.notes)
    for row in (agent.to_dict() for agent in table.agents):
        if "run_means" in row:
            means = row["run_means"]
            notes.append(
                f"{row['agent']}: {pair_label(row)} is the mean of {row['runs']} runs, which range from"
                f" {min(means):.2f} to {max(means):.2f} (standard deviation {row['run_deviation']:.2f});"
                " intervals and tests hold for these runs"
            )
    found = [pair.comparison.difference for pair in table.pairs]
    for what in dict.fromkeys(one.units[0] for one in found if one.units):
        drawn = [one for one in found if one.units and one.units[0] == what]
        sizes = sorted({one.clusters for one in drawn})
        count = f"{sizes[0]}" if len(sizes) == 1 else f"{sizes[0]} to {sizes[-1]}"
        rows = "" if len(drawn) == len(found) else f" ({len(drawn)} of {len(found)} rows)"
        how = next((one for one in drawn if one.p_method != "exact"), drawn[0])
        test = "the same t" if how.p_method in ("cluster-t", "exact") else f"{how.p_method} of {what}s"
        these = "" if what == "scene" else ", and so for these scenes only"
        notes.append(
            f"intervals: {how.method} over {count} {what}s{rows}{these}, each for its pair alone; p: {test}"
        )
    return [*notes, *_correction_notes(table)]


def _correction_notes(table: ComparisonTable) -> list[str]:
    tests = max((pair.comparison.tests for pair in table.pairs), default=1)
    if table.correction == "none" or tests < 2:
        return []
    notes = [f"p corrected by {table.correction} for the {tests} tests of each metric"]
    if any(pair.comparison.difference.excludes(0.0) and not pair.shown for pair in table.pairs):
        notes.append(
            "fewer tests need less correction: --against NAME compares with one agent only,"
            " --correction benjamini-hochberg suits screening; more scenes show smaller differences"
        )
    return notes
