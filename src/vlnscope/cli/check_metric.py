"""`vlnscope check-metric` (results)."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, Annotated

import typer

from vlnscope.cli.shared import output
from vlnscope.cli.shared.options import Json, Profile, Seed
from vlnscope.core.exceptions import InputError
from vlnscope.core.results import Block, Line, TextTable, lines, notes

if TYPE_CHECKING:
    from vlnscope.metrics.lint.desiderata import DesiderataRow
    from vlnscope.metrics.lint.linter import MetricReport
    from vlnscope.metrics.lint.trial import Space
    from vlnscope.metrics.metric import Metric
    from vlnscope.metrics.profiles.profile import Profile as MetricProfile

SIGNS = {"pass": "✓", "fail": "✗", "varies": "~", "not applicable": "–"}


def check_metric(
    names: Annotated[list[str] | None, typer.Argument(help="Metrics, of `ls metrics`; plug-ins too.")] = None,
    all_metrics: Annotated[
        bool, typer.Option("--all", help="Check all metrics and print the desiderata table.")
    ] = False,
    profile: Profile = "default",
    seed: Seed = 0,
    json: Json = False,
) -> None:
    """Feed metrics adversarial paths and report which axioms they break.

    Exit code 1 if a metric is **wrong**: it breaks its contract, its range, identity, determinism or
    renaming. Any other axiom that fails is a limit of the metric, to be known when it is read, and leaves the
    exit code 0.

    Counter-examples name a small world: the *kite* (two places between start and goal, to be visited in
    either order over the same length), the *ring* (the goal is the start), the *corridor* (a straight line),
    the *hall* (lanes beside a straight reference), the *grid* (a staircase across it), *random rooms*, and a
    *winding way* (two shortest ways joined, as in R4R). `--json` gives the coordinates.

    **Examples**

    `vlnscope check-metric nDTW`

    `vlnscope check-metric SR SPL CLS --json`

    `vlnscope check-metric --all`

    `vlnscope check-metric SPL --profile hamt`
    """
    from vlnscope.metrics.lint.linter import check_metric as check
    from vlnscope.metrics.profiles.profile import get_profile

    rules = get_profile(profile)
    space: Space = "continuous" if rules.space == "continuous" else "graph"
    metrics = _chosen(names or [], all_metrics, rules)
    reports = [check(metric, rules.switches, seed, space=space) for metric in metrics]
    rows = _desiderata(metrics, reports, rules, space) if all_metrics else []
    if json:
        summary = {"profile": profile, "space": space, "metrics": [report.to_dict() for report in reports]}
        output.print_json({**summary, "desiderata": [row.to_dict() for row in rows]})
    else:
        output.show(*(_overview(reports, rows) if all_metrics else map(_table, reports)))
    if any(report.wrong for report in reports):
        raise typer.Exit(1)


def _chosen(names: list[str], all_metrics: bool, rules: MetricProfile) -> list[Metric]:
    from vlnscope.core import registry
    from vlnscope.metrics.metric import Metric, get_metric

    if bool(names) == all_metrics:
        raise InputError(
            "no metric is named" if not names else "metrics are named beside --all",
            expected="names of metrics, or --all",
            fix="`vlnscope ls metrics` lists them",
        )
    wanted = names or [*rules.metrics, *registry.everything("metric")]
    metrics = [get_metric(name) for name in dict.fromkeys(wanted)]
    for name, metric in zip(dict.fromkeys(wanted), metrics, strict=True):
        if not isinstance(metric, Metric):
            raise InputError(
                f"what is registered as the metric {name!r} is of the type {type(metric).__name__}",
                expected="a vlnscope.metrics.metric.Metric",
                fix="let the plug-in's entry point name a Metric",
            )
    return metrics


def _desiderata(
    metrics: list[Metric], reports: list[MetricReport], rules: MetricProfile, space: Space
) -> list[DesiderataRow]:
    from vlnscope.metrics.lint.desiderata import desiderata_row

    pairs = zip(metrics, reports, strict=True)
    return [desiderata_row(metric, report, rules.switches, space=space) for metric, report in pairs]


def _table(report: MetricReport) -> TextTable:
    rows = [
        [f.axiom, f"{SIGNS[f.status]} {f.status}{' (wrong)' * (f.axiom in report.wrong)}", f.text or f.says]
        for f in report.findings
    ]
    verdict = f"is wrong: it breaks {', '.join(report.wrong)}" if report.wrong else "breaks no hard axiom"
    return TextTable(f"{report.metric} {verdict}", ("axiom", "verdict", "why"), rows, texts=3)


def _overview(reports: list[MetricReport], rows: list[DesiderataRow]) -> Iterator[Block]:
    from vlnscope.metrics.lint.desiderata import DESIDERATA, LENGTHS

    axioms = [finding.axiom for finding in reports[0].findings]
    signs = [[report.metric, *(SIGNS[f.status] for f in report.findings)] for report in reports]
    yield TextTable("axioms", ("metric", *axioms), signs)
    yield from notes(["✓ passes  ✗ fails  ~ varies, which is no fault  – does not apply\n"])
    for report in reports:
        for axiom in report.wrong:
            fault = f"{report.metric} is wrong: {axiom}: {report[axiom].text}\n"
            yield Line(fault, style="bold")
    heads = [f"({k}) {name}" for k, name in enumerate(DESIDERATA, 1)]
    title = "desiderata of Jain et al. 2019, Table 2: computed, and as the paper asserts where it differs"
    yield TextTable(title, ("metric", *heads, "time ×", "paper"), [_cells(row) for row in rows])
    yield from notes(
        [
            f"time ×: measured when paths double to {LENGTHS[-1]} places; 4 is quadratic. "
            "paper: how many verdicts agree, * with ticks whose columns are inferred from their number\n"
        ]
    )
    yield from lines(sentence for row in rows for sentence in row.differences())


def _cells(row: DesiderataRow) -> list[str]:
    signs = {True: "✓", False: "✗", None: "–"}
    cells = [
        f"{signs[v.met]} (paper {signs[v.asserted]})" if v.differs else signs[v.met] for v in row.verdicts
    ]
    same = sum(not verdict.differs for verdict in row.verdicts)
    agreement = "" if row.in_text is None else f"{same} of {len(row.verdicts)}{' ' if row.in_text else '*'}"
    return [row.metric, *cells, "–" if row.growth is None else f"{row.growth:.1f}", agreement]
