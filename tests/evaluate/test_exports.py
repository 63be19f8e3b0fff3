"""Exports of runs, read by the official rules: they give our numbers; and official files as runs."""

from __future__ import annotations

import gzip
import json
from collections.abc import Callable, Mapping
from functools import cache
from itertools import pairwise
from pathlib import Path
from typing import Any

import msgspec
import pytest

from commands import Cli
from official_readers import (
    Graphs,
    PlainGraph,
    behave_eval,
    box_heading,
    category_names,
    navnuances_eval,
    r2r_eval,
    reverie_eval,
    rxr_eval,
    tour_ndtw,
    vlnce_eval,
)
from vlnscope.benchmarks.nuances.evaluators.summary import official_summary
from vlnscope.benchmarks.tours.build.tours import build_tours
from vlnscope.core import registry
from vlnscope.core.exceptions import InputError, UnknownNameError
from vlnscope.engine.run import run
from vlnscope.engine.tour_reference import reference_logs
from vlnscope.episodes.convert import ConversionReport
from vlnscope.episodes.convert import convert as convert_records
from vlnscope.episodes.datasets.dataset import Dataset, open_dataset
from vlnscope.episodes.formats.ivln_log import write_logs
from vlnscope.evaluate.benchmarking import build, score_run
from vlnscope.evaluate.exchange.convert import convert
from vlnscope.evaluate.exchange.export import export_run
from vlnscope.evaluate.exchange.run_format import RunFile, RunFiles, RunFormat
from vlnscope.evaluate.exchange.take import take_run
from vlnscope.evaluate.score.result import Score
from vlnscope.evaluate.score.score import score
from vlnscope.evaluate.score.tour_logs import score_tour_logs
from vlnscope.types import Case, ScoreRow

HOUSES = "houses/val_unseen@2"
KINDS = ("DC", "VM", "NU", "LR", "RR")
Runs = Callable[[str], Path]
DIGIT = 0.005
"""Half of the last printed digit."""


def graphs_of(dataset: Dataset) -> Graphs:
    """The graphs of scenes as plain positions and edges."""

    @cache
    def graph(scan: str) -> PlainGraph:
        assert dataset.scenes is not None
        ours = dataset.scenes.scene(scan).graph
        places = {node: tuple(ours.positions[ours.row(node)].tolist()) for node in ours.nodes}
        return PlainGraph(places, [(a, b) for a in ours.nodes for b in ours.neighbours(a)])

    return graph


@pytest.fixture(scope="module")
def houses() -> Dataset:
    return open_dataset(HOUSES)


@pytest.fixture(scope="module")
def runs(tmp_path_factory: pytest.TempPathFactory, houses: Dataset) -> Runs:
    """Run an agent once for all tests of the module."""
    base = tmp_path_factory.mktemp("runs")

    @cache
    def made(name: str) -> Path:
        if name == "plain":
            return run("noisy:p=0.3", houses, out=base / name).folder
        if name == "small":
            return run("stop", houses, out=base / name, limit=3).folder
        if name == "nuances":
            asked = build("nuances", houses)
            return run("noisy:p=0.2", houses, cases=asked, out=base / name, max_steps=8).folder
        if name == "behavior":
            asked = build("behavior", houses, most=15, filters="legacy", skills=SKILLS)
            return run("forward", houses, cases=asked, out=base / name, log="all").folder
        asked = build("tours", houses, max_tours=1, max_episodes=5)
        return run("noisy:p=0.3", houses, cases=asked, out=base / name).folder

    return made


SKILLS = ("stop", "direction", "object", "room")


def written(report: ConversionReport) -> list[str]:
    return sorted(str(path.relative_to(report.target)) for path in report.target.rglob("*.json*"))


def printed(scored: Score) -> dict[str, float]:
    """The means of all metrics, as they are printed."""
    return {name: one["mean"] for name, one in scored.to_dict()["metrics"].items()}


def masses(rows: list[ScoreRow], **groups: str) -> float:
    chosen = [row.values["mass"] for row in rows if all(row.groups[k] == v for k, v in groups.items())]
    return 100 * sum(chosen) / len(chosen)


class TestSubmissions:
    def test_r2r_by_the_rules_of_the_server(self, runs: Runs, houses: Dataset, tmp_path: Path) -> None:
        report = export_run(runs("plain"), tmp_path / "out.json", "r2r")
        convert_records(houses, tmp_path / "truth.json", to="r2r-episodes", drop=("chunks",))
        theirs = r2r_eval(report.target, tmp_path / "truth.json", graphs_of(houses))
        ours = printed(score(runs("plain"), profile="r2r-server"))
        assert {name: ours[name] for name in theirs} == pytest.approx(theirs, abs=DIGIT)
        assert report.dropped.keys() >= {"stopped", "seconds"}
        record = json.loads(report.target.read_text())[0]
        assert set(record) == {"instr_id", "trajectory"}
        assert [type(part) for part in record["trajectory"][0]] == [str, float, float]

    def test_angles_can_be_given_up_and_elements_stay_arrays(self, runs: Runs, tmp_path: Path) -> None:
        out = tmp_path / "out.json"
        export_run(runs("small"), out, "r2r", drop=("headings", "elevations"))
        assert all(len(element) == 1 for element in json.loads(out.read_text())[0]["trajectory"])

    def test_an_agent_that_chose_no_object(self, runs: Runs, tmp_path: Path) -> None:
        report = export_run(runs("small"), tmp_path / "out.json", "reverie")
        assert [record["predObjId"] for record in json.loads(report.target.read_text())] == [None] * 3
        assert report.notes[0] == "no object was chosen in 3 episodes: predObjId is null there"
        assert "--limit 3" in report.notes[1]

    def test_rxr_ids_are_numbers_and_sorted(self, tmp_path: Path) -> None:
        data = open_dataset("houses-rxr/val_unseen@1")
        folder = run("noisy:p=0.3", data, out=tmp_path / "run").folder
        ours = printed(score(folder, profile="rxr"))
        named = export_run(folder, tmp_path / "named.jsonl", "rxr")
        assert "whole numbers, not 4000000_0" in named.notes[0]
        numbers = {e.episode_id: str(9999 - k) for k, e in enumerate(data.episodes())}
        evidence = folder / "evidence.jsonl"
        lines = [msgspec.json.decode(line) for line in evidence.read_bytes().splitlines()]
        for line in lines:
            line["case_id"] = line["episode_id"] = numbers[line["episode_id"]]
        evidence.write_bytes(b"".join(msgspec.json.encode(line) + b"\n" for line in lines))
        report = export_run(folder, tmp_path / "out.jsonl", "rxr")
        items = {numbers[e.episode_id]: {"scan": e.scan, "path": e.path} for e in data.episodes()}
        theirs = rxr_eval(report.target, items, graphs_of(data))
        assert {name: ours[name] for name in theirs} == pytest.approx(theirs, abs=DIGIT)
        ids = [json.loads(line)["instruction_id"] for line in report.target.read_text().splitlines()]
        assert ids == sorted(ids)
        assert len(ids) == len(numbers)
        assert not report.notes

    def test_vlnce_by_the_measures_of_habitat(self, tmp_path: Path) -> None:
        data = open_dataset("houses-ce/val_unseen@1")
        folder = run("shortest", data, out=tmp_path / "run", limit=4).folder
        report = export_run(folder, tmp_path / "out.json", "vlnce")
        truth: dict[str, Any] = {}
        for episode in data.episodes():
            place = episode.continuous
            assert place is not None
            truth[episode.episode_id] = {
                "scan": episode.scan,
                "start": place.start_position,
                "goal": place.goals[0],
                "locations": place.locations,
            }

        def geodesic(scan: str, a: Any, b: Any) -> float:
            assert data.scenes is not None
            return float(data.scenes.scene(scan).layer("navmesh").distance([a], [b])[0])

        theirs = vlnce_eval(report.target, truth, geodesic)
        ours = printed(score(folder, profile="vlnce", partial=True))
        assert {name: ours[name] for name in theirs} == pytest.approx(theirs, abs=DIGIT)
        assert report.dropped.keys() >= {"path", "actions", "seconds"}
        points = export_run(folder, tmp_path / "out.jsonl", "rxrce").target.read_text().splitlines()
        for path in (json.loads(line)["path"] for line in points):
            assert all(a != b for a, b in pairwise(path))
        nodes = export_run(folder, tmp_path / "nodes.json", "r2r")
        assert "nearest viewpoint" in nodes.notes[0]

    def test_other_formats_of_predictions_serve_too(self, runs: Runs, tmp_path: Path) -> None:
        report = convert(runs("small"), tmp_path / "out.json", to="r2r-by-id")
        assert len(json.loads(report.target.read_text())) == 3
        own = convert(runs("small"), tmp_path / "own.jsonl", to="evidence")
        assert own.dropped == {}
        assert own.target.read_bytes() == (runs("small") / "evidence.jsonl").read_bytes()


class TestNavNuances:
    def test_evaluators_print_our_numbers(self, runs: Runs, houses: Dataset, tmp_path: Path) -> None:
        report = export_run(runs("nuances"), tmp_path / "files", "navnuances")
        assert written(report) == sorted(
            f"{stem}_{kind}.json" for stem in ("R2R", "submit") for kind in KINDS
        )
        check_nuances(report.target, runs("nuances"), graphs_of(houses))

    def test_what_comes_back_scores_the_same(self, runs: Runs, tmp_path: Path) -> None:
        files = export_run(runs("nuances"), tmp_path / "files", "navnuances").target
        again = take_run(files, tmp_path / "again", cases=runs("nuances"))
        ours = {row.episode_id: row.values for row in score_run(runs("nuances")).rows}
        assert {row.episode_id: row.values for row in score_run(again.target).rows} == ours
        annotated = take_run(files, tmp_path / "annotated", data=HOUSES)
        by_path = {row.path_id: row.values["SR"] for row in score_run(annotated.target).rows}
        assert by_path == {row.path_id: row.values["SR"] for row in score_run(runs("nuances")).rows}

    def test_one_category_alone(self, runs: Runs, tmp_path: Path) -> None:
        files = export_run(runs("nuances"), tmp_path / "files", "navnuances").target
        report = take_run(files / "submit_RR.json", tmp_path / "rr", cases=runs("nuances"), agent="theirs")
        scored = score_run(report.target)
        assert {row.groups["category"] for row in scored.rows} == {"RR"}
        assert scored.record.agent.name == "theirs"
        assert "and the run has these" in report.notes[0]


def check_nuances(files: Path, folder: Path, graphs: Graphs) -> None:
    rows = score_run(folder, profile="official").rows
    kinds = [kind for kind in KINDS if (files / f"R2R_{kind}.json").exists()]
    assert kinds
    for kind in kinds:
        theirs = navnuances_eval(files, kind, graphs)
        ours = official_summary(kind, rows)
        assert {name: ours[name] for name in theirs} == pytest.approx(theirs, abs=DIGIT), kind


class TestVlnBehave:
    def test_eq_1_gives_our_numbers(self, runs: Runs, tmp_path: Path) -> None:
        report = export_run(runs("behavior"), tmp_path / "files", "vln-behave")
        rows = score_run(runs("behavior")).rows
        check_behavior(report.target, rows)
        cases = {case.case_id: case for case in score_run(runs("behavior")).case_set.cases}
        headings = {
            f"{official_key(case)}_{case.groups['sub']}": float(case.groups["object_heading"])
            for case in cases.values()
            if case.groups["skill"] == "object"
        }
        theirs = behave_eval(report.target / "object.json", headings=headings)
        assert theirs == pytest.approx(masses(rows, skill="object"), abs=DIGIT)

    def test_what_comes_back_scores_the_same(self, runs: Runs, tmp_path: Path) -> None:
        files = export_run(runs("behavior"), tmp_path / "files", "vln-behave").target
        again = take_run(files, tmp_path / "again", cases=runs("behavior"))
        ours = {row.episode_id: row.values["mass"] for row in score_run(runs("behavior")).rows}
        found = {row.episode_id: row.values["mass"] for row in score_run(again.target).rows}
        assert found == pytest.approx(ours)

    def test_a_file_must_say_its_intervention(self, runs: Runs, tmp_path: Path) -> None:
        files = export_run(runs("behavior"), tmp_path / "files", "vln-behave").target
        (files / "object.json").rename(files / "results.json")
        with pytest.raises(InputError, match="does not say which intervention") as caught:
            take_run(files / "results.json", tmp_path / "again", cases=runs("behavior"))
        assert "direction_left" in caught.value.fix
        with pytest.raises(InputError, match="do not say what was asked"):
            take_run(files / "room.json", tmp_path / "again")
        assert not (tmp_path / "again").exists()


def official_key(case: Case) -> str:
    return f"{case.episode.path_id}_{case.episode.episode_id}_{case.forced_steps + 1}"


def check_behavior(files: Path, rows: list[ScoreRow]) -> None:
    for path in sorted(files.glob("*.json")):
        skill, _, sub = path.stem.partition("_")
        if skill == "object":
            continue
        groups = {"skill": skill} | (
            {"sub": sub if skill == "stop" else sub.replace("-", " ")} if sub else {}
        )
        if path.stem == "stop_one-ahead":
            continue  # where the right answer is not to stop
        items = files / "items" / f"{path.stem}.jsonl"
        assert behave_eval(path, items) == pytest.approx(masses(rows, **groups), abs=DIGIT), path.stem


class TestTours:
    def test_t_ndtw_of_logs_is_ours(self, runs: Runs, houses: Dataset, tmp_path: Path) -> None:
        reference = export_run(runs("tours"), tmp_path / "ref.json", "ivln-log:of=reference").target
        rows = score_run(runs("tours"), profile="ivln").rows
        graphs = graphs_of(houses)
        scans = {e.episode_id: e.scan for e in houses.episodes()}

        def along(a: Mapping[str, Any], b: Mapping[str, Any]) -> float:
            return graphs(scans[a["episode_id"]]).far(a["viewpoint"], b["viewpoint"])

        values = {}
        for memory in ("kept", "reset"):
            log = export_run(runs("tours"), tmp_path / f"{memory}.json", f"ivln-log:memory={memory}").target
            tours = [r for r in rows if r.groups["level"] == "tour" and r.groups["variant"] == memory]
            weights = [row.values["weight"] for row in tours]
            ours = 100 * sum(r.values["weight"] * r.values["t-nDTW"] for r in tours) / sum(weights)
            assert tour_ndtw(log, reference, far=along, by="episodes") == pytest.approx(ours, abs=DIGIT)
            in_space = printed(score_tour_logs(log, reference))["t-nDTW"]
            assert tour_ndtw(log, reference) == pytest.approx(in_space, abs=DIGIT)
            values[memory] = ours
        agent_only = export_run(runs("tours"), tmp_path / "agent.json", "ivln-log:phases=agent").target
        assert tour_ndtw(agent_only, reference, far=along, by="episodes") == pytest.approx(values["kept"])
        phases = {step["phase"] for steps in json.loads(agent_only.read_text()).values() for step in steps}
        assert phases == {"agent"}

    @pytest.mark.parametrize("memory", ["kept", "reset"])
    def test_a_log_comes_back_as_its_half(self, runs: Runs, tmp_path: Path, memory: str) -> None:
        layout = f"ivln-log:memory={memory}"
        log = export_run(runs("tours"), tmp_path / "log.json", layout).target
        again = take_run(log, tmp_path / "again", cases=runs("tours"), from_=layout)
        ours = {
            r.episode_id: r.values for r in score_run(runs("tours")).rows if r.groups["variant"] == memory
        }
        assert {row.episode_id: row.values for row in score_run(again.target).rows} == ours

    def test_options_are_checked(self, runs: Runs, tmp_path: Path) -> None:
        for layout in ("ivln-log:memory=lost", "ivln-log:memroy=kept"):
            with pytest.raises(UnknownNameError):
                export_run(runs("tours"), tmp_path / "log.json", layout)
        with pytest.raises(InputError, match="is no option"):
            export_run(runs("tours"), tmp_path / "log.json", "ivln-log:reset")
        with pytest.raises(InputError, match="no tour was walked"):
            export_run(runs("plain"), tmp_path / "log.json", "ivln-log")


class TestRefusals:
    def test_runs_that_a_layout_does_not_hold(self, runs: Runs, tmp_path: Path) -> None:
        with pytest.raises(
            InputError, match="is a run of tours, and 'navnuances' holds runs of nuances"
        ) as one:
            export_run(runs("tours"), tmp_path / "out", "navnuances")
        assert "ivln-log" in one.value.fix
        with pytest.raises(InputError, match=r"asks episode .* 2 times, as runs of tours do") as two:
            export_run(runs("tours"), tmp_path / "out.json", "r2r")
        assert "ivln-log" in two.value.fix
        with pytest.raises(InputError, match="has no positions"):
            export_run(runs("small"), tmp_path / "out.json", "vlnce")
        with pytest.raises(UnknownNameError, match="did you mean 'navnuances'"):
            export_run(runs("nuances"), tmp_path / "out", "navnuance")
        with pytest.raises(InputError, match="cannot be dropped"):
            export_run(runs("nuances"), tmp_path / "out", "navnuances", drop=("path",))
        assert not list(tmp_path.iterdir())

    def test_places_that_cannot_be_written(self, runs: Runs, tmp_path: Path) -> None:
        (tmp_path / "full").mkdir()
        (tmp_path / "full" / "mine.txt").write_text("kept")
        for target, said in (("full", "holds other things"), ("a.json", "folder of several files")):
            with pytest.raises(InputError, match=said):
                export_run(runs("nuances"), tmp_path / target, "navnuances")
        with pytest.raises(InputError, match="folder of several files"):
            export_run(runs("nuances"), "-", "navnuances")
        assert [path.name for path in tmp_path.rglob("*")] == ["full", "mine.txt"]

    def test_a_folder_appears_whole_or_not_at_all(
        self, runs: Runs, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        def fail(stream: Any) -> None:
            raise OSError(28, "No space left on device")

        def files(run: Any, drop: Any) -> RunFiles:
            return RunFiles([RunFile("a.json", 1, lambda stream: None), RunFile("b/c.json", 1, fail)])

        layout = RunFormat(name="failing", title="", files=files, suffix="")
        monkeypatch.setitem(registry._kinds["run-format"].entries, "failing", layout)
        with pytest.raises(InputError, match="No space left"):
            export_run(runs("small"), tmp_path / "out", "failing")
        assert not list(tmp_path.iterdir())

    def test_files_that_answer_something_else(self, runs: Runs, tmp_path: Path) -> None:
        out = export_run(runs("small"), tmp_path / "out.json", "r2r").target
        with pytest.raises(InputError, match="answers 3 of the"):
            take_run(out, tmp_path / "again", data=HOUSES)
        assert take_run(out, tmp_path / "again", data=HOUSES, partial=True).records == 3
        with pytest.raises(InputError, match="do not name the data"):
            take_run(out, tmp_path / "other")
        with pytest.raises(InputError, match="nothing in it is for"):
            take_run(out, tmp_path / "other", data="sample/demo")
        with pytest.raises(InputError, match="in no layout"):
            take_run(out, tmp_path / "other", cases=runs("nuances"))
        with pytest.raises(InputError, match="is a run already"):
            convert(runs("small"), tmp_path / "other", to="run")
        with pytest.raises(InputError, match="agent is for making a run"):
            convert(out, tmp_path / "other.json", to="r2r", agent="me")
        assert not (tmp_path / "other").exists()


class TestCommand:
    def test_there_and_back(self, cli: Cli, runs: Runs, tmp_path: Path) -> None:
        result = cli("convert", runs("nuances"), tmp_path / "files", "--to", "navnuances")
        assert result.code == 0
        assert "left out, for navnuances files have no place for it: seconds" in " ".join(result.out.split())
        back = cli(
            "convert", tmp_path / "files", tmp_path / "back", "--to", "run", "--cases", runs("nuances")
        )
        assert back.code == 0, back.err
        assert "vlnscope report" in back.out
        assert cli("report", tmp_path / "back", "--out", tmp_path / "report.html").code == 0

    def test_layouts_are_listed(self, cli: Cli) -> None:
        listed = json.loads(cli("ls", "run-formats", "--json").out)["run-formats"]
        assert {"navnuances", "vln-behave", "ivln-log", "r2r", "rxr", "reverie", "vlnce"} <= {
            one["name"] for one in listed
        }

    def test_a_run_is_printed(self, cli: Cli, runs: Runs, tmp_path: Path) -> None:
        cli("convert", runs("small"), tmp_path / "a.json", "--to", "r2r")
        printed = cli("convert", runs("small"), "-", "--to", "r2r")
        assert printed.code == 0


@pytest.fixture(scope="module")
def graphs(data_root: Path) -> Graphs:
    """The graphs of real scans, from their files."""
    folder = data_root / "connectivity"
    return cache(lambda scan: PlainGraph.of_connectivity(folder / f"{scan}_connectivity.json"))


class TestRealData:
    def test_r2r(self, data_root: Path, graphs: Graphs, tmp_path: Path) -> None:
        folder = run("random", "r2r/val_unseen", root=data_root, out=tmp_path / "run").folder
        out = export_run(folder, tmp_path / "out.json", "r2r", root=data_root).target
        with gzip.open(data_root / "r2r" / "R2R_val_unseen.json.gz") as stream:
            (tmp_path / "truth.json").write_bytes(stream.read())
        theirs = r2r_eval(out, tmp_path / "truth.json", graphs)
        ours = printed(score(folder, profile="r2r-server", root=data_root))
        assert {name: ours[name] for name in theirs} == pytest.approx(theirs, abs=DIGIT)
        again = take_run(out, tmp_path / "again", data="r2r/val_unseen", root=data_root).target
        assert printed(score(again, root=data_root)) == printed(score(folder, root=data_root))

    def test_reverie(self, data_root: Path, graphs: Graphs, tmp_path: Path) -> None:
        data = open_dataset("reverie/val_unseen", data_root)
        folder = run("random", data, root=data_root, out=tmp_path / "run", limit=300).folder
        out = export_run(folder, tmp_path / "out.json", "reverie", root=data_root).target
        truth = {
            e.episode_id: {"scan": e.scan, "path": e.path, "objId": e.object_id} for e in data.episodes()
        }

        @cache
        def boxes(scan: str) -> Any:
            with gzip.open(data_root / "reverie_bbox" / f"{scan}.json.gz") as stream:
                return json.load(stream)

        theirs = reverie_eval(
            out, truth, graphs, lambda scan, node, thing: thing in boxes(scan).get(node, ())
        )
        ours = printed(score(folder, data, profile="reverie", root=data_root, partial=True))
        assert {name: ours[name] for name in ("SR", "OSR", "SPL")} == pytest.approx(
            {name: theirs[name] for name in ("SR", "OSR", "SPL")}, abs=DIGIT
        )
        assert theirs["RGS"] == theirs["RGSPL"] == 0

    def test_navnuances(self, data_root: Path, graphs: Graphs, tmp_path: Path) -> None:
        asked = build("nuances", "r2r/val_unseen", root=data_root, most=dict.fromkeys(KINDS, 6))
        folder = run("noisy:p=0.2", cases=asked, root=data_root, out=tmp_path / "run").folder
        files = export_run(folder, tmp_path / "files", "navnuances", root=data_root).target
        rows = score_run(folder, profile="official", root=data_root).rows
        for kind in {row.groups["category"] for row in rows}:
            theirs = navnuances_eval(files, kind, graphs)
            ours = official_summary(kind, rows)
            assert {name: ours[name] for name in theirs} == pytest.approx(theirs, abs=DIGIT), kind

    def test_official_files_give_the_numbers_of_the_evaluators(
        self, shared: Path, data_root: Path, graphs: Graphs, tmp_path: Path
    ) -> None:
        oracle = json.loads((shared / "fixtures" / "navnuances_evaluators.json").read_text())
        (tmp_path / "files").mkdir()
        for kind, one in oracle.items():
            (tmp_path / "files" / f"R2R_{kind}.json").write_text(json.dumps(one["annotations"]))
            (tmp_path / "files" / f"submit_{kind}.json").write_text(json.dumps(one["submission"]))
        options: dict[str, Any] = {"data": "r2r/val_unseen", "root": data_root}
        taken = take_run(tmp_path / "files", tmp_path / "run", **options).target
        again = export_run(taken, tmp_path / "again", "navnuances", root=data_root).target
        rows = score_run(taken, profile="official", root=data_root).rows
        for kind, one in oracle.items():
            assert official_summary(kind, rows) == pytest.approx(one["summary"], abs=1e-9)
            for folder in (tmp_path / "files", again):
                theirs = navnuances_eval(folder, kind, graphs)
                assert {name: one["summary"][name] for name in theirs} == pytest.approx(theirs, abs=1e-9)

    def test_vln_behave(self, data_root: Path, tmp_path: Path) -> None:
        options: dict[str, Any] = {"most": 60, "filters": "legacy", "items": "released", "skills": SKILLS}
        asked = build("behavior", "fgr2r/val_unseen", root=data_root, **options)
        folder = run("forward", cases=asked, root=data_root, out=tmp_path / "run").folder
        files = export_run(folder, tmp_path / "files", "vln-behave", root=data_root).target
        rows = score_run(folder, root=data_root).rows
        check_behavior(files, rows)
        names = category_names(data_root / "mp3d_rooms" / "mp3d_category_mapping.tsv")
        headings = {}
        for case in asked.cases:
            if case.groups["skill"] == "object":
                scan, node = case.episode.scan, case.episode.path[case.forced_steps]
                with gzip.open(data_root / "reverie_bbox" / f"{scan}.json.gz") as stream:
                    boxes = json.load(stream)[node]
                wanted = case.groups["sub"]
                headings[f"{official_key(case)}_{wanted}"] = box_heading(boxes, names, wanted)
        theirs = behave_eval(files / "object.json", headings=headings)
        assert theirs == pytest.approx(masses(rows, skill="object"), abs=DIGIT)

    def test_tours(self, data_root: Path, graphs: Graphs, tmp_path: Path) -> None:
        asked = build(
            "tours", "r2r/val_unseen", root=data_root, max_tours=1, max_episodes=12, memory=("kept",)
        )
        folder = run("random", cases=asked, root=data_root, out=tmp_path / "run").folder
        log = export_run(folder, tmp_path / "log.json", "ivln-log", root=data_root).target
        reference = export_run(folder, tmp_path / "ref.json", "ivln-log:of=reference", root=data_root).target
        scans = {case.episode.episode_id: case.episode.scan for case in asked.cases}

        def along(a: Mapping[str, Any], b: Mapping[str, Any]) -> float:
            return graphs(scans[a["episode_id"]]).far(a["viewpoint"], b["viewpoint"])

        rows = [
            r for r in score_run(folder, profile="ivln", root=data_root).rows if r.groups["level"] == "tour"
        ]
        weights = [row.values["weight"] for row in rows]
        ours = 100 * sum(row.values["weight"] * row.values["t-nDTW"] for row in rows) / sum(weights)
        assert tour_ndtw(log, reference, far=along, by="episodes") == pytest.approx(ours, abs=DIGIT)


def test_lines_of_a_layout_are_whole_evidence(runs: Runs, tmp_path: Path) -> None:
    """What is read back from a log has its place in the tour and what oracles led through."""
    log = export_run(runs("tours"), tmp_path / "log.json", "ivln-log").target
    again = take_run(log, tmp_path / "again", cases=runs("tours")).target
    for text in (again / "evidence.jsonl").read_text().splitlines():
        line = msgspec.json.decode(text)
        assert line["phases"]["tour_id"].startswith("kept/")


def test_tours_in_continuous_space(tmp_path: Path) -> None:
    """A run with tours, on a mesh, against the walk of an expert on the same tours."""
    data = open_dataset("houses-ce/val_unseen@1")
    tour = build_tours(data).tours[0]
    tours = [msgspec.structs.replace(tour, episode_ids=tour.episode_ids[:3])]
    with (tmp_path / "gt_ndtw.json").open("wb") as stream:
        write_logs(reference_logs(tours, data), stream)
    split = json.loads((tmp_path / "gt_ndtw.json").read_text())[tour.split]
    (tmp_path / "reference.json").write_text(json.dumps(split))
    folder = run("shortest", data, tours=tours, out=tmp_path / "run").folder
    log = export_run(folder, tmp_path / "log.json", "ivln-log").target
    ours = printed(score_tour_logs(log, tmp_path / "reference.json"))["t-nDTW"]
    assert tour_ndtw(log, tmp_path / "reference.json") == pytest.approx(ours, abs=DIGIT)
    with pytest.raises(InputError, match="memory was kept"):
        export_run(folder, tmp_path / "reset.json", "ivln-log:memory=reset")
    with pytest.raises(InputError, match="how an expert walks"):
        export_run(folder, tmp_path / "of.json", "ivln-log:of=reference")
