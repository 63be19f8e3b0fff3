"""Comparing agents: what is found, what is said, and what is refused."""

from __future__ import annotations

import json
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from types import ModuleType
from typing import Any, NamedTuple

import msgspec
import numpy as np
import pytest

import vlnscope
from vlnscope.benchmarks.kit.benchmark import register_benchmark
from vlnscope.benchmarks.kit.case_set import CaseSet
from vlnscope.cli.main import command_line
from vlnscope.core import registry
from vlnscope.core.exceptions import InputError
from vlnscope.engine.run import run
from vlnscope.episodes.datasets.dataset import open_dataset
from vlnscope.evaluate.compare.compare import ComparedAgent, compare
from vlnscope.evaluate.compare.comparison import PairRow
from vlnscope.stats.columns import Sample
from vlnscope.stats.multiplicity import holm
from vlnscope.stats.nesting import Nesting
from vlnscope.stats.power import DataNeeded
from vlnscope.stats.several import compare_agents
from vlnscope.types import Case, Rules, ScoreRow

WALKER = Path(vlnscope.__file__).parent / "sample" / "predictions" / "walker.json"
PREVALENT = "PREVALENT_seq2seq_teacher_imagenet_val_unseen_iter_36000.json.gz"
SHORTEST = "matterport3dsim_val_unseen_shortest_agent.json.gz"
DEMO = "sample/demo"


class Result(NamedTuple):
    code: int
    out: str
    err: str


Cli = Callable[..., Result]


@pytest.fixture
def cli(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> Cli:
    monkeypatch.delenv("VLNSCOPE_DATA", raising=False)

    def run(*arguments: object) -> Result:
        monkeypatch.setattr(sys, "argv", ["vlnscope", "compare", *map(str, arguments)])
        with pytest.raises(SystemExit) as end:
            command_line()
        captured = capsys.readouterr()
        return Result(end.value.code if isinstance(end.value.code, int) else 0, captured.out, captured.err)

    return run


@pytest.fixture
def stopper(tmp_path: Path) -> Path:
    """The bundled walker, but every third prediction stays where it starts."""
    return cut(tmp_path / "stopper.json", lambda i: i % 3 == 0)


def cut(path: Path, stays: Callable[[int], bool]) -> Path:
    records = json.loads(WALKER.read_text())
    for i, record in enumerate(records):
        if stays(i):
            record["trajectory"] = record["trajectory"][:1]
    path.write_text(json.dumps(records))
    return path


class TestCompare:
    def test_equals_the_scores_of_each(self, stopper: Path) -> None:
        table = compare(WALKER, stopper, data=DEMO, metrics=["SR", "NE"])
        walker, other = (vlnscope.score(p, DEMO, metrics=["SR", "NE"]) for p in (WALKER, stopper))
        assert [(p.metric, p.comparison.a, p.comparison.b) for p in table.pairs] == [
            ("SR", "walker", "stopper"),
            ("NE", "walker", "stopper"),
        ]
        for pair in table.pairs:
            d = pair.comparison.difference
            assert d.mean_a == pytest.approx(walker.intervals[pair.metric].mean)
            assert d.mean_b == pytest.approx(other.intervals[pair.metric].mean)
            assert d.mean == pytest.approx(d.mean_a - d.mean_b)  # type: ignore[operator]
        success = table.pairs[0].comparison.difference
        lost = walker.episodes.values["SR"].values - other.episodes.values["SR"].values
        assert (success.wins, success.losses) == (int((lost > 0).sum()), int((lost < 0).sum()))
        error = table.pairs[1].comparison.difference
        assert error.wins > error.losses, "a smaller NE wins"
        assert table.n == 90

    def test_three_scenes_leave_it_to_paths(self, stopper: Path) -> None:
        table = compare(WALKER, stopper, data=DEMO)
        assert [p.metric for p in table.pairs] == ["SR", "SPL", "nDTW"]
        for pair in table.pairs:
            difference = pair.comparison.difference
            assert difference.units == ("path",)
            assert (pair.comparison.adjusted, pair.comparison.tests) == (difference.p, 1)
            assert (pair.better == "walker") == (not difference.low <= 0 <= difference.high)  # type: ignore[operator]

    def test_every_metric_is_corrected_by_itself(self, tmp_path: Path) -> None:
        files = [cut(tmp_path / f"{k}.json", lambda i, k=k: i % 7 < k) for k in range(1, 5)]  # type: ignore[misc]
        table = compare(WALKER, *files, data=DEMO)
        for metric in ("SR", "SPL", "nDTW"):
            its = [pair.comparison for pair in table.pairs if pair.metric == metric]
            assert len(its) == 10
            assert [c.adjusted for c in its] == pytest.approx(holm([c.difference.p or 0.0 for c in its]))
        assert not any("cannot be told apart" in said for said in table.sentences())

    def test_the_order_of_predictions_does_not_matter(self, tmp_path: Path, stopper: Path) -> None:
        shuffled = tmp_path / "shuffled.json"
        shuffled.write_text(json.dumps(json.loads(stopper.read_text())[::-1]))
        options: dict[str, Any] = {"data": DEMO, "metrics": ["SR"]}
        first = compare(WALKER, f"x={stopper}", **options).to_dict()
        second = compare(WALKER, f"x={shuffled}", **options).to_dict()
        assert first == second

    def test_runs_of_an_agent_count_by_their_mean(self, tmp_path: Path) -> None:
        runs = [cut(tmp_path / f"{k}.json", lambda i, k=k: i % 5 == k) for k in range(3)]  # type: ignore[misc]
        named = f"mine={','.join(map(str, runs))}"
        table = compare(named, WALKER, data=DEMO, metrics=["SR"])
        single = [vlnscope.score(run, DEMO, metrics=["SR"]) for run in runs]
        means = [s.intervals["SR"].mean for s in single]
        row = table.agents[0].to_dict()
        assert (row["agent"], row["runs"]) == ("mine", 3)
        assert row["run_means"] == pytest.approx([100 * m for m in means])  # type: ignore[operator]
        assert row["mean"] == pytest.approx(100 * np.mean(means))  # type: ignore[arg-type]
        assert row["run_deviation"] == pytest.approx(100 * np.std(means, ddof=1))  # type: ignore[arg-type]
        assert table.pairs[0].comparison.difference.mean_a == pytest.approx(np.mean(means))  # type: ignore[arg-type]
        best = table.agents[0].runs.best()
        assert best.value == max(means)  # type: ignore[type-var]

    def test_predictions_instead_of_files(self, stopper: Path) -> None:
        made = tuple(vlnscope.read_predictions(stopper))
        table = compare(WALKER, ComparedAgent("made", (made,)), data=DEMO, metrics=["SR"])
        filed = compare(WALKER, f"made={stopper}", data=DEMO, metrics=["SR"])
        assert table.to_dict() == filed.to_dict()

    def test_incomplete_predictions(self, tmp_path: Path) -> None:
        records = json.loads(WALKER.read_text())
        (tmp_path / "early.json").write_text(json.dumps(records[:80]))
        (tmp_path / "late.json").write_text(json.dumps(records[10:]))
        names = (tmp_path / "early.json", tmp_path / "late.json")
        with pytest.raises(InputError, match="have no prediction"):
            compare(*names, data=DEMO)
        table = compare(*names, data=DEMO, partial=True)
        assert table.n == 70
        assert "compared over the 70 episodes that all have" in table.notes
        assert "have the same SR in all 70 episodes" in table.sentences()[0]

    def test_metrics_of_tours_are_refused(self) -> None:
        with pytest.raises(InputError, match="a comparison of t-nDTW"):
            compare(WALKER, f"b={WALKER}", data=DEMO, metrics=["SR", "t-nDTW"])

    def test_real_submissions(self, data_root: Path) -> None:
        folder = data_root / "agent_predictions"
        table = compare(
            f"prevalent={folder / PREVALENT}",
            f"shortest={folder / SHORTEST}",
            data="r2r/val_unseen",
            root=data_root,
            metrics=["SR", "NE"],
        )
        success, error = table.pairs
        assert (success.comparison.adjusted, success.comparison.tests) == (success.comparison.difference.p, 1)
        assert (success.comparison.adjusted or 1.0) < 1e-4
        assert (success.better, error.better) == ("shortest", "shortest")
        row = success.to_dict()
        assert (row["mean_a"], row["mean_b"]) == pytest.approx((60.15, 100.0), abs=0.01)
        assert (row["units"], row["unit"], row["episodes"]) == (11, "scene", 2349)
        assert -55 < row["ci_low"] < -39.85 < row["ci_high"] < -30
        assert row["verdict"].startswith(
            "shortest has better SR than prevalent, by 39.85 points (95 % interval"
        )
        assert error.sentence().startswith("shortest has better NE than prevalent, by 4.1")


def pair(metric: str, shift: float, scenes: int = 40, **more: Any) -> PairRow:
    rng = np.random.default_rng(0)
    noise = rng.normal(0, 0.2, scenes * 5)
    columns = {
        name: Sample(values, np.ones(values.size, dtype=np.bool_))
        for name, values in (("mine", noise + shift), ("theirs", np.zeros(noise.size)))
    }
    nesting = Nesting.of({"scene": np.repeat(np.arange(scenes), 5)})
    found = compare_agents(columns, nesting)
    return PairRow(metric, found[0], **more)


class TestWords:
    def test_directions(self) -> None:
        assert (pair("SR", 0.3).better, pair("SR", -0.3).better) == ("mine", "theirs")
        assert (pair("NE", 0.3).better, pair("NE", -0.3).better) == ("theirs", "mine")
        assert "theirs has better NE than mine, by 0.3" in pair("NE", 0.3).sentence()
        assert "mine has higher TL than theirs, by 0.3" in pair("TL", 0.3).sentence()
        assert "theirs has better SR than mine, by 2" in pair("SR", -0.3).sentence()
        assert " points (95 % interval " in pair("SR", 0.3).sentence()

    def test_what_more_data_would_do(self) -> None:
        def needed(same: int | None, limit: float | None, scenes: int = 12) -> PairRow:
            wanted = DataNeeded(
                effect=0.01,
                power=0.8,
                scenes=40 + scenes,
                more_scenes=scenes,
                more_episodes=5 * scenes,
                episodes_in_same_scenes=same,
                limit=limit,
            )
            return pair("SR", 0.0, detectable=0.0432, needed=wanted)

        said = needed(80, 0.001).sentence()
        assert "no difference in SR is shown: " in said
        assert "40 scenes show true differences from 4.32 points on (power 80 %)" in said
        assert said.endswith("about 12 more scenes (60 episodes), or 80 more episodes in the same scenes.")
        assert needed(None, 0.02).sentence().endswith("and more episodes in the same scenes would not do.")
        assert needed(None, None).sentence().endswith("about 12 more scenes (60 episodes).")
        assert needed(80, 0.1, 4000).sentence().endswith("more than 1,000 more scenes.")

    def test_a_difference_that_the_correction_takes_back(self) -> None:
        """The words follow the interval that is printed, and say what the correction does to it."""
        rng = np.random.default_rng(1)
        found = 0
        for _ in range(40):
            shifts = {"x": 0.0, "y": 0.1, "z": 0.2, "w": 0.25}
            columns = {
                name: Sample(rng.normal(shift, 0.3, 40), np.ones(40, dtype=np.bool_))
                for name, shift in shifts.items()
            }
            for one in compare_agents(columns, Nesting.of({"scene": np.arange(40) % 8})):
                row = PairRow("SR", one)
                said, clear = row.sentence(), one.difference.excludes(0.0)
                assert ("has better" in said) == clear
                assert ("no difference in SR is shown" in said) == (not clear)
                if clear and not row.shown:
                    found += 1
                    assert "for this pair alone, but not after correcting for 6 tests" in said
                    assert row.better is None
        assert found

    def test_names_must_differ(self) -> None:
        with pytest.raises(InputError, match="several agents are called walker"):
            compare(WALKER, WALKER, data=DEMO)
        with pytest.raises(InputError, match="a comparison of walker"):
            compare(WALKER, data=DEMO)
        with pytest.raises(InputError, match="against nobody"):
            compare(WALKER, f"b={WALKER}", data=DEMO, against="nobody")


class TestOutput:
    def test_forms(self, tmp_path: Path, stopper: Path) -> None:
        table = compare(WALKER, stopper, f"again={stopper}", data=DEMO, metrics=["SR"])
        rows = table.to_pandas()
        assert list(rows["a"]) == ["walker", "walker", "stopper"]
        p_values = [p.comparison.difference.p or 0.0 for p in table.pairs]
        assert list(rows["p_corrected"]) == pytest.approx(holm(p_values))
        assert table.to_arrow().num_rows == 3
        html = table._repr_html_()
        assert html.count("<tr>") == 4
        assert "have the same SR in all 90 episodes" in html
        for name in ("t.json", "t.jsonl", "t.parquet"):
            table.save(tmp_path / name)
        assert json.loads((tmp_path / "t.json").read_text()) == json.loads(json.dumps(table.to_dict()))
        assert len((tmp_path / "t.jsonl").read_text().splitlines()) == 3
        with pytest.raises(InputError, match="cannot be written as"):
            table.save(tmp_path / "t.txt")

    def test_command_line(self, cli: Cli, tmp_path: Path, stopper: Path) -> None:
        options = ("--data", DEMO)
        shown = cli(WALKER, stopper, *options, "--out", tmp_path / "t.json")
        assert shown.code == 0
        assert "walker has better SR than stopper" in shown.out
        assert (
            "over 30 paths, and so for these scenes only, each for its pair alone; p: the same t" in shown.out
        )
        assert json.loads((tmp_path / "t.json").read_text())["n"] == 90
        found = json.loads(cli(WALKER, f"s={stopper},{WALKER}", *options, "--metric", "SPL", "--json").out)
        assert (found["correction"], found["tests"], found["pairs"][0]["b"]) == ("holm", 1, "s")
        assert found["agents"][1]["runs"] == 2
        runs = cli(WALKER, f"s={stopper},{WALKER}", *options, "--metric", "SPL")
        assert "s: SPL is the mean of 2 runs, which range from" in runs.out

    def test_refusals_have_three_lines(self, cli: Cli, stopper: Path) -> None:
        for arguments in (
            (WALKER, "--data", DEMO),
            (WALKER, "absent.json", "--data", DEMO),
            (WALKER, stopper, "--data", DEMO, "--metric", "NDTW"),
            (WALKER, stopper, "--data", DEMO, "--against", "me"),
        ):
            result = cli(*arguments)
            assert (result.code, result.out) == (2, "")
            labels = [line.split()[0] for line in result.err.splitlines() if line.split()]
            assert labels == ["error", "expected", "fix"], result.err


# Runs of a benchmark.


def toy_scores(asked: CaseSet, lines: Any, scenes: Any, *, profile: str = "default") -> list[ScoreRow]:
    """Half of the cases ask to stop at once, half to go; `moves` has no direction and is no share."""
    rows = []
    for case in asked.cases:
        if case.case_id in lines:
            path = lines[case.case_id].path
            went = len(path) > 1
            values = {"mass": float(went == (case.groups["skill"] == "go")), "moves": float(len(path) - 1)}
            if case.groups["skill"] == "stop":
                values["way_m"] = float(len(path))
            rows.append(
                ScoreRow(
                    episode_id=case.case_id,
                    scan=f"s{int(case.case_id) % 8}",
                    path_id=case.episode.path_id,
                    values=values,
                    groups=case.groups,
                )
            )
    return rows


@pytest.fixture(scope="module")
def toy_runs(tmp_path_factory: pytest.TempPathFactory) -> Iterator[dict[str, Path]]:
    module = ModuleType("toy_benchmark.score")
    module.score_cases = toy_scores  # type: ignore[attr-defined]
    sys.modules |= {"toy_benchmark": ModuleType("toy_benchmark"), "toy_benchmark.score": module}
    register_benchmark("toy", question="?", paper="none", package="toy_benchmark")
    folder = tmp_path_factory.mktemp("toy")
    episodes = list(open_dataset(DEMO).episodes())[:80]
    cases = [
        Case(case_id=str(k), episode=episode, groups={"skill": ("go", "stop")[k // 8 % 2], "kind": "x"})
        for k, episode in enumerate(episodes)
    ]
    asked = CaseSet(benchmark="toy", data=DEMO, rules=Rules(), cases=tuple(cases), notes=("a toy",))
    other = msgspec.structs.replace(asked, cases=tuple(cases[:16]))
    for name, agent, its in (
        ("walks", "shortest", asked),
        ("stays", "stop", asked),
        ("errs", "noisy:p=0.5", asked),
        ("fewer", "stop", other),
    ):
        run(agent, out=folder / name, cases=its)
    yield {path.name: path for path in folder.iterdir()}
    del registry._kinds["benchmark"].entries["toy"]


class TestBenchmarkRuns:
    def test_by_skill(self, toy_runs: dict[str, Path]) -> None:
        table = compare(toy_runs["walks"], toy_runs["stays"])
        found = {(p.group, p.metric): p for p in table.pairs}
        assert list(found) == [("go", "mass"), ("stop", "mass")]
        assert (found["go", "mass"].better, found["stop", "mass"].better) == ("walks", "stays")
        assert found["go", "mass"].to_dict()["difference"] == 100.0
        assert "walks has higher mass (go) than stays, by 100.00 points" in table.sentences()[0]
        p_values = [p.comparison.difference.p or 0.0 for p in table.pairs]
        assert [p.comparison.adjusted for p in table.pairs] == pytest.approx(holm(p_values))
        assert (table.dataset, table.n, table.notes) == (
            f"toy on {DEMO}",
            80,
            ("walks is privileged: it is told the reference", "a toy"),
        )

    def test_any_value_and_group(self, toy_runs: dict[str, Path]) -> None:
        agents = (toy_runs["walks"], toy_runs["stays"])
        table = compare(*agents, metrics=["moves", "way_m"], by=["kind", "skill"])
        rows = [(p.group, p.metric, p.measured.unit) for p in table.pairs]
        assert rows == [("x, go", "moves", ""), ("x, stop", "moves", ""), ("x, stop", "way_m", "m")]
        assert len(compare(*agents, by=[]).pairs) == 1
        only = compare(*agents, where={"skill": "go"})
        assert (only.n, [p.group for p in only.pairs]) == (40, ["go"])

    def test_several_runs_count_by_their_mean(self, toy_runs: dict[str, Path]) -> None:
        both = f"both={toy_runs['walks']},{toy_runs['stays']}"
        table = compare(both, toy_runs["errs"])
        assert [a.interval.mean for a in table.agents if a.agent == "both"] == [0.5, 0.5]
        assert {len(a.runs.columns) for a in table.agents if a.agent == "both"} == {2}

    def test_refusals(self, toy_runs: dict[str, Path]) -> None:
        walks, stays, fewer = (toy_runs[name] for name in ("walks", "stays", "fewer"))
        for arguments, options, said in (
            ((walks, fewer), {}, "runs of different cases"),
            ((walks, stays), {"metrics": ["mas"]}, "mass"),
            ((walks, stays), {"by": ["skil"]}, "skill"),
            ((walks, stays), {"where": {"skill": "fly"}}, "no case has mass where"),
            ((walks, WALKER), {}, "is no run of a benchmark"),
        ):
            with pytest.raises(InputError) as error:
                compare(*arguments, **options)
            assert said in str(error.value)

    def test_command_line(self, cli: Cli, toy_runs: dict[str, Path]) -> None:
        walks, stays = toy_runs["walks"], toy_runs["stays"]
        shown = cli(walks, stays, "--correction", "benjamini-hochberg")
        assert shown.code == 0
        assert "mass (go)" in shown.out
        assert "walks has higher mass (go) than stays" in " ".join(shown.out.split())
        found = json.loads(cli(walks, stays, "--by", "skill", "--where", "skill=stop", "--json").out)
        assert [(p["group"], p["better"]) for p in found["pairs"]] == [("stop", "stays")]
        assert cli(walks, stays, "--where", "skill").code == 2
