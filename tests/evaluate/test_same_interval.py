"""The same number has the same interval, whichever verb prints it."""

from __future__ import annotations

from pathlib import Path

import pytest

import vlnscope as vs
from vlnscope.benchmarks.behavior.findings.skills import DIRECTIONS, skill_mean
from vlnscope.benchmarks.tours.findings.tour_rows import tour_mean
from vlnscope.benchmarks.tours.score.cases import WEIGHT
from vlnscope.core.rng import rng_for
from vlnscope.engine.run import run
from vlnscope.episodes.datasets.dataset import open_dataset
from vlnscope.evaluate.compare.compare import compare
from vlnscope.evaluate.diagnose.diagnose import diagnose
from vlnscope.evaluate.report.report import gather
from vlnscope.evaluate.report.results_table import results_table
from vlnscope.metrics.metric import get_metric
from vlnscope.types import ScoreRow, Tour

SAMPLE = Path(vs.__file__).parent / "sample" / "predictions"
DATA = "sample/demo"
METRICS = ("SR", "SPL", "nDTW", "NE", "OSR", "CLS")


def test_score_compare_report_and_diagnose_agree(tmp_path: Path) -> None:
    file = SAMPLE / "walker.json"
    other = tmp_path / "other.json"
    other.write_text(file.read_text())
    expected = {
        name: (interval.mean, interval.low, interval.high)
        for name, interval in vs.score(file, DATA, metrics=METRICS).intervals.items()
    }
    assert all(None not in ends for ends in expected.values())

    compared = compare(file, other, data=DATA, metrics=METRICS)
    rows = {row.metric: row.interval for row in compared.agents if row.agent == "walker"}
    assert {name: (one.mean, one.low, one.high) for name, one in rows.items()} == expected

    findings = diagnose(str(file), DATA, out=tmp_path / "d", size="full", parts=["outcomes"]).report.findings
    reported = gather([str(file)], data=DATA).report.findings
    for found, prefix in ((findings[0], ""), (reported[0], "mean.")):
        said = {one.key: one for one in found.statements}
        for name, ends in expected.items():
            if prefix + name in said:
                one = said[prefix + name]
                scale = 100.0 if one.unit == "%" else 1.0
                assert (one.value, one.low, one.high) == pytest.approx(tuple(scale * end for end in ends))
        assert prefix + "SR" in said


def test_the_table_of_results_and_table_1_agree_where_directions_have_as_many_cases() -> None:
    """*Turn* of Table 1 is the mean of the directions: the plain mean if each has as many cases."""
    rows = [
        ScoreRow(
            episode_id=f"{scan}-{sub}-{k}",
            scan=scan,
            path_id=f"{scan}-{k}",
            values={"mass": float(rng_for(1, scan, sub, k).random())},
            groups={"skill": "direction", "variant": "intervention", "sub": sub},
        )
        for scan in "ABCDEFG"
        for sub in DIRECTIONS
        for k in range(3)
    ]
    (row,) = results_table({"a": rows}, name="behavior-results", title="Results", metrics=["mass"]).rows
    (shown,) = row.estimates
    turn = skill_mean(rows, "direction", "mass")
    assert None not in (turn.mean, turn.low, turn.high)
    assert shown is not None
    ends = [100.0 * end for end in (turn.mean, turn.low, turn.high) if end is not None]
    assert [shown.value, shown.low, shown.high] == pytest.approx(ends)


def test_score_and_report_agree_on_a_real_run(data_root: Path, tmp_path: Path) -> None:
    """A run keeps its scores; what `score` prints, the report's table, and its sentences are one."""
    run(agent="random", data="r2r/val_seen", root=data_root, out=tmp_path / "run")
    scored = vs.score(tmp_path / "run", root=data_root)
    gathered = gather([str(tmp_path / "run")], root=data_root)
    (table,) = gathered.results
    (row,) = table.rows
    said = {one.key: one for one in gathered.report.findings[0].statements}
    for name, estimate in zip(table.metrics, row.estimates, strict=True):
        interval, scale = scored.intervals[name], get_metric(name).scale
        ends = [None if end is None else scale * end for end in (interval.mean, interval.low, interval.high)]
        assert estimate is not None
        assert None not in ends
        assert [estimate.value, estimate.low, estimate.high] == pytest.approx(ends)
        one = said[f"mean.{name}"]
        assert [one.value, one.low, one.high] == pytest.approx(ends)


def test_tours_of_few_scenes_have_one_interval() -> None:
    """`score --tours` and the tours benchmark take the same observations: of few scenes, the tours."""
    by_scene: dict[str, list[str]] = {}
    for episode in open_dataset(DATA).episodes():
        by_scene.setdefault(episode.scan, []).append(episode.episode_id)
    tours = [
        Tour(tour_id=f"{scan}/{k}", scan=scan, episode_ids=tuple(names[k : k + 5]))
        for scan, names in by_scene.items()
        for k in range(0, len(names) - 5, 5)
    ]
    assert len(by_scene) < 6 < len(tours)
    scored = vs.score(SAMPLE / "walker.json", DATA, metrics=["t-nDTW"], tours=tours)
    assert scored.tours is not None
    values = scored.tours.values["t-nDTW"].values
    rows = [
        ScoreRow(
            episode_id=tour.tour_id,
            scan=tour.scan,
            path_id=tour.tour_id,
            values={"t-nDTW": float(value), WEIGHT: float(len(tour.episode_ids))},
        )
        for tour, value in zip(tours, values, strict=True)
    ]
    ours, theirs = scored.intervals["t-nDTW"], tour_mean(rows, "t-nDTW")
    assert ours.clusters == theirs.clusters == len(tours)
    assert ours.low is not None
    assert (ours.mean, ours.low, ours.high) == pytest.approx((theirs.mean, theirs.low, theirs.high))
