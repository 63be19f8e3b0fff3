"""Comparing agents: what is found, what is said, and what is refused."""

from __future__ import annotations

import json
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from types import ModuleType
from typing import Any, NamedTuple, get_args

import msgspec
import numpy as np
import pytest

import vlnscope
from vlnscope import registry
from vlnscope.benchmarks.benchmark import register_benchmark
from vlnscope.benchmarks.case_set import CaseSet
from vlnscope.cli.main import main
from vlnscope.engine.run import run
from vlnscope.episodes.datasets import open_dataset
from vlnscope.exceptions import InputError
from vlnscope.stats.columns import Sample
from vlnscope.stats.multiplicity import Correction, holm
from vlnscope.stats.nesting import Nesting
from vlnscope.stats.power import DataNeeded
from vlnscope.stats.several import Comparison, compare_agents, corrected
from vlnscope.studies.compare import Contender, compare, contender
from vlnscope.studies.compare_fields import smallest_p
from vlnscope.studies.comparison_table import PairRow
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
            main()
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
        table = compare(WALKER, stopper, data=DEMO, metrics=["SR", "NE"], replicates=50)
        walker, other = (
            vlnscope.score(p, DEMO, metrics=["SR", "NE"], replicates=5) for p in (WALKER, stopper)
        )
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

    def test_three_scenes_show_nothing_and_say_so(self, stopper: Path) -> None:
        table = compare(WALKER, stopper, data=DEMO, replicates=50)
        assert [p.metric for p in table.pairs] == ["SR", "SPL", "nDTW"]
        for pair in table.pairs:
            assert pair.comparison.difference.p_value == 0.25
            assert pair.comparison.adjusted == 0.75
            assert pair.better is None
            assert pair.sentence().endswith(
                "With 3 scenes nothing could be shown: the smallest possible p is 0.75."
            )

    def test_the_order_of_predictions_does_not_matter(self, tmp_path: Path, stopper: Path) -> None:
        shuffled = tmp_path / "shuffled.json"
        shuffled.write_text(json.dumps(json.loads(stopper.read_text())[::-1]))
        options: dict[str, Any] = {"data": DEMO, "metrics": ["SR"], "replicates": 50}
        first = compare(WALKER, f"x={stopper}", **options).to_dict()
        second = compare(WALKER, f"x={shuffled}", **options).to_dict()
        assert first == second

    def test_runs_of_an_agent_count_by_their_mean(self, tmp_path: Path) -> None:
        runs = [cut(tmp_path / f"{k}.json", lambda i, k=k: i % 5 == k) for k in range(3)]  # type: ignore[misc]
        named = f"mine={','.join(map(str, runs))}"
        table = compare(named, WALKER, data=DEMO, metrics=["SR"], replicates=50)
        single = [vlnscope.score(run, DEMO, metrics=["SR"], replicates=5) for run in runs]
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
        table = compare(WALKER, Contender("made", (made,)), data=DEMO, metrics=["SR"], replicates=5)
        filed = compare(WALKER, f"made={stopper}", data=DEMO, metrics=["SR"], replicates=5)
        assert table.to_dict() == filed.to_dict()

    def test_incomplete_predictions(self, tmp_path: Path) -> None:
        records = json.loads(WALKER.read_text())
        (tmp_path / "early.json").write_text(json.dumps(records[:80]))
        (tmp_path / "late.json").write_text(json.dumps(records[10:]))
        names = (tmp_path / "early.json", tmp_path / "late.json")
        with pytest.raises(InputError, match="have no prediction"):
            compare(*names, data=DEMO, replicates=5)
        table = compare(*names, data=DEMO, partial=True, replicates=5)
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
        assert (success.comparison.difference.p_value, success.comparison.adjusted) == (2**-10, 2**-9)
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
    found = compare_agents(columns, nesting, replicates=200)
    return PairRow(metric, found[0], smallest_p(found)[0], **more)


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
        assert "cannot be told apart by SR: " in said
        assert "40 scenes show true differences from 4.32 points on (power 80 %)" in said
        assert said.endswith("about 12 more scenes (60 episodes), or 80 more episodes in the same scenes.")
        assert needed(None, 0.02).sentence().endswith("and more episodes in the same scenes would not do.")
        assert needed(None, None).sentence().endswith("about 12 more scenes (60 episodes).")
        assert needed(80, 0.1, 4000).sentence().endswith("more than 1,000 more scenes.")

    def test_the_smallest_p_is_that_of_the_correction(self) -> None:
        found = []
        for scenes in (8, 6, 6, 8, 8):  # every scene agrees: no p-value could be smaller
            ones = {
                name: Sample(np.full(scenes, value), np.ones(scenes, dtype=np.bool_))
                for name, value in (("x", 1.0), ("y", 0.0))
            }
            nesting = Nesting.of({"scene": np.arange(scenes)})
            found += compare_agents(ones, nesting, replicates=50)
        for correction in get_args(Correction):
            tested = corrected(found, correction)
            assert smallest_p(tested, correction) == [one.adjusted for one in tested]
        assert smallest_p(found) == [5 / 128, 2 / 32, 2 / 32, 5 / 128, 5 / 128]
        weak = PairRow("SR", corrected(found)[1], smallest_p(found)[1])
        assert weak.sentence().endswith(
            "p = 0.062). With 6 scenes nothing could be shown: the smallest possible p is 0.062."
        )

    def test_no_test_and_no_difference(self) -> None:
        nesting = Nesting.of({"scene": ["A"]})
        ones = Sample(np.ones(1), np.ones(1, dtype=np.bool_))
        lone = PairRow("SR", compare_agents({"x": ones, "y": ones}, nesting)[0], 1.0)
        assert lone.sentence().startswith("SR of x and y cannot be compared: only one row")
        assert isinstance(lone.comparison, Comparison)
        assert lone.better is None


class TestContender:
    def test_names(self, tmp_path: Path) -> None:
        assert contender("a/b/mine.json.gz") == Contender("mine", ("a/b/mine.json.gz",))
        assert contender("x=a.json, b.json") == Contender("x", ("a.json", "b.json"))
        odd = tmp_path / "p=0.1,seed=2.json"
        odd.write_text("[]")
        assert contender(odd) == Contender("p=0", (str(odd),))
        assert contender(f"x={odd}") == Contender("x", (str(odd),))

    @pytest.mark.parametrize("text", ["=a.json", "x=", "x=a.json,", "x=a.json,a.json"])
    def test_nonsense(self, text: str) -> None:
        with pytest.raises(InputError, match="an agent given as"):
            contender(text)

    def test_names_must_differ(self) -> None:
        with pytest.raises(InputError, match="several agents are called walker"):
            compare(WALKER, WALKER, data=DEMO)
        with pytest.raises(InputError, match="a comparison of walker"):
            compare(WALKER, data=DEMO)
        with pytest.raises(InputError, match="against nobody"):
            compare(WALKER, f"b={WALKER}", data=DEMO, against="nobody")


class TestOutput:
    def test_forms(self, tmp_path: Path, stopper: Path) -> None:
        table = compare(WALKER, stopper, f"again={stopper}", data=DEMO, metrics=["SR"], replicates=20)
        rows = table.to_pandas()
        assert list(rows["a"]) == ["walker", "walker", "stopper"]
        p_values = [p.comparison.difference.p_value or 0.0 for p in table.pairs]
        assert list(rows["p_corrected"]) == pytest.approx(holm(p_values))
        assert table.to_arrow().num_rows == 3
        assert "no interval" in rows["verdict"][0], "three scenes are too few for a studentised one"
        html = table._repr_html_()
        assert html.count("<tr>") == 4
        assert "cannot be told apart" in html
        for name in ("t.json", "t.jsonl", "t.parquet"):
            table.save(tmp_path / name)
        assert json.loads((tmp_path / "t.json").read_text()) == json.loads(json.dumps(table.to_dict()))
        assert len((tmp_path / "t.jsonl").read_text().splitlines()) == 3
        with pytest.raises(InputError, match="cannot be written as"):
            table.save(tmp_path / "t.txt")

    def test_command_line(self, cli: Cli, tmp_path: Path, stopper: Path) -> None:
        options = ("--data", DEMO, "--resamples", 20)
        shown = cli(WALKER, stopper, *options, "--out", tmp_path / "t.json")
        assert shown.code == 0
        assert "walker and stopper cannot be told apart by SR" in shown.out
        assert "p corrected by holm for the 3 tests" in shown.out
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
        table = compare(toy_runs["walks"], toy_runs["stays"], replicates=20)
        found = {(p.group, p.metric): p for p in table.pairs}
        assert list(found) == [("go", "mass"), ("stop", "mass")]
        assert (found["go", "mass"].better, found["stop", "mass"].better) == ("walks", "stays")
        assert found["go", "mass"].to_dict()["difference"] == 100.0
        assert "walks has higher mass (go) than stays, by 100.00 points" in table.sentences()[0]
        p_values = [p.comparison.difference.p_value or 0.0 for p in table.pairs]
        assert [p.comparison.adjusted for p in table.pairs] == pytest.approx(holm(p_values))
        assert (table.dataset, table.n, table.notes) == (f"toy on {DEMO}", 80, ("a toy",))

    def test_any_value_and_group(self, toy_runs: dict[str, Path]) -> None:
        agents = (toy_runs["walks"], toy_runs["stays"])
        table = compare(*agents, metrics=["moves", "way_m"], by=["kind", "skill"], replicates=20)
        rows = [(p.group, p.metric, p.measured.unit) for p in table.pairs]
        assert rows == [("x, go", "moves", ""), ("x, stop", "moves", ""), ("x, stop", "way_m", "m")]
        assert len(compare(*agents, by=[], replicates=20).pairs) == 1
        only = compare(*agents, where={"skill": "go"}, replicates=20)
        assert (only.n, [p.group for p in only.pairs]) == (40, ["go"])

    def test_several_runs_count_by_their_mean(self, toy_runs: dict[str, Path]) -> None:
        both = f"both={toy_runs['walks']},{toy_runs['stays']}"
        table = compare(both, toy_runs["errs"], replicates=20)
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
        shown = cli(walks, stays, "--resamples", 20, "--correction", "benjamini-hochberg")
        assert shown.code == 0
        assert "mass (go)" in shown.out
        assert "walks has higher mass (go) than stays" in " ".join(shown.out.split())
        found = json.loads(cli(walks, stays, "--by", "skill", "--where", "skill=stop", "--json").out)
        assert [(p["group"], p["better"]) for p in found["pairs"]] == [("stop", "stays")]
        assert cli(walks, stays, "--where", "skill").code == 2
