"""Diagnosis: who is asked what, what becomes of it, and that it survives being ended at any time."""

from __future__ import annotations

import io
import json
import re
import shutil
import signal
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

import msgspec
import pytest

import vlnscope as vs
from commands import Cli
from made_up import dataset, path, street
from sound_findings import check_findings
from vlnscope.benchmarks.kit.benchmark import diagnosed_names, get_benchmark
from vlnscope.benchmarks.kit.case_set import CaseSet
from vlnscope.benchmarks.kit.findings import Statement
from vlnscope.cli.shared.progress import PhaseLog
from vlnscope.core.exceptions import InputError, UnknownNameError
from vlnscope.engine.store.evidence_log import read_log
from vlnscope.episodes.datasets.dataset import open_dataset
from vlnscope.evaluate.benchmarking import read_rows
from vlnscope.evaluate.diagnose.assignments import assignments, unanswered
from vlnscope.evaluate.diagnose.case_config import agent_parts, resolved_data
from vlnscope.evaluate.diagnose.diagnose import Diagnosis, diagnose
from vlnscope.evaluate.diagnose.jobs import answers
from vlnscope.evaluate.diagnose.subjects import subjects
from vlnscope.reporting.report_data import Report
from vlnscope.reporting.sentences import number, sentence

DATA = "sample/demo"
SAMPLE = Path(vs.__file__).parent / "sample"
FEW = ("outcomes", "tours", "errors")


@pytest.fixture(scope="module")
def made(tmp_path_factory: pytest.TempPathFactory) -> Diagnosis:
    out = tmp_path_factory.mktemp("diagnosis") / "d"
    return diagnose(["random", "shortest"], DATA, out=out, size="quick", parts=FEW)


# who is meant


def test_subjects_are_told_apart(tmp_path: Path) -> None:
    file = tmp_path / "my.predictions.json.gz"
    file.write_bytes(b"")
    found = subjects([str(file), "noisy:p=0.3", "mine=package.agents:Mine:k=2", "http://127.0.0.1:80/"])
    assert [s.name for s in found] == ["my.predictions", "noisy:p=0.3", "mine", "127.0.0.1:80"]
    assert [s.agent for s in found[1:]] == ["noisy:p=0.3", "package.agents:Mine:k=2", "http://127.0.0.1:80/"]
    assert found[0].predictions == file
    assert all(re.fullmatch(r"[\w.-]+", s.folder) for s in found)


def test_an_agent_of_a_module_is_called_as_its_class() -> None:
    assert [s.name for s in subjects(["some.module:Agent", "some.module:Other:k=1"])] == [
        "Agent",
        "Other:k=1",
    ]


@pytest.mark.parametrize("given", [[], ["random", "random"], ["a=random", "a=stop"], ["none.json"]])
def test_bad_subjects_are_refused(given: list[str]) -> None:
    with pytest.raises(InputError):
        subjects(given)


# what is asked


def test_agents_are_asked_all_and_files_what_they_show(tmp_path: Path) -> None:
    file = tmp_path / "p.json"
    file.write_text("[]")
    both = assignments(subjects(["random", str(file)]), "r2r/val_unseen", "quick", 0)
    assert {q.benchmark for q in both} == set(diagnosed_names())
    by_name = {q.name: q for q in both}
    assert by_name["outcomes"].subjects == ("random", "p")
    assert by_name["behavior"].subjects == ("random",)
    assert by_name["behavior"].part is not None
    assert by_name["behavior"].part.data == "fgr2r/val_unseen"
    assert by_name["fidelity-as-is"].subjects == ("p",)
    alone = assignments(subjects([str(file)]), "r2r/val_unseen", "quick", 0)
    assert [q.name for q in alone] == ["outcomes", "fidelity"]
    left = unanswered(subjects([str(file)]), alone, [], diagnosed_names())
    assert [one.benchmark for one in left] == ["tours", "behavior", "nuances", "errors"]
    assert all("vlnscope build" in one.remedy for one in left)


def test_answers_need_their_cases(tmp_path: Path) -> None:
    file = tmp_path / "p.json"
    file.write_text("[]")
    who = subjects([str(file)])
    with pytest.raises(InputError, match="not its cases"):
        assignments(who, "d/s", "quick", 0, answers={"errors": [file]})
    folder = _errors().save(tmp_path / "cases")
    found = assignments(who, "d/s", "quick", 0, answers={"errors": [file]}, cases={"errors": folder})
    assert next(q for q in found if q.name == "errors").answers == {"p": (file, file)}
    with pytest.raises(InputError, match="holds cases of errors"):
        assignments(who, "d/s", "quick", 0, cases={"nuances": folder})
    with pytest.raises(InputError, match="there is no such file"):
        assignments(who, "d/s", "quick", 0, answers={"errors": [tmp_path / "x"]}, cases={"errors": folder})
    with pytest.raises(InputError, match="0 prediction files"):
        assignments(subjects(["random"]), "d/s", "quick", 0, answers={"errors": [file]})
    with pytest.raises(UnknownNameError):
        assignments(who, "d/s", "quick", 0, parts=["eror"])


def test_quick_houses_are_few() -> None:
    assert resolved_data("houses/val_unseen", "quick") == "houses/val_unseen@8"
    assert resolved_data("houses/val_unseen", "full") == "houses/val_unseen"
    assert resolved_data("r2r/val_unseen", "quick") == "r2r/val_unseen"
    with pytest.raises(UnknownNameError):
        agent_parts("houses/val_unseen", "tiny", 0)  # type: ignore[arg-type]


# answers that were given elsewhere


def _errors() -> CaseSet:
    texts = ("Turn left at the sofa and walk on to the kitchen.",)
    episodes = path(1, "abc", *texts) + path(2, "bcd", *texts)
    asked = dataset(episodes, street(0, 2, 4, 6))  # a street without a turn: strict filters find no error
    return get_benchmark("errors").build_cases(asked, types=("direction",), filters="paper")


def _predictions(file: Path, paths: dict[str, str]) -> Path:
    walks = [{"instr_id": k, "trajectory": [[v, 0.0, 0.0] for v in nodes]} for k, nodes in paths.items()]
    file.write_text(json.dumps(walks))
    return file


def test_two_files_answer_the_two_halves_of_errors(tmp_path: Path) -> None:
    asked = _errors()
    right = _predictions(tmp_path / "right.json", {"1_0": "abc", "2_0": "bcd"})
    wrong = _predictions(tmp_path / "wrong.json", {"1_0": "aa", "2_0": "ba"})
    found, unused = answers([right, wrong], asked)
    lines = {line.case_id: "".join(line.path) for line in found}
    assert unused == 0
    assert lines == {
        "direction-1_0-clean": "abc",
        "direction-1_0-wrong": "aa",
        "direction-2_0-clean": "bcd",
        "direction-2_0-wrong": "ba",
    }
    given = {"direction-2_0-wrong": "bcd", "direction-1_0-clean": "ab", "9_0": "ab"}
    found, unused = answers([_predictions(tmp_path / "one.json", given)], asked)
    assert {line.case_id for line in found} == {"direction-2_0-wrong", "direction-1_0-clean"}
    assert unused == 1


def test_a_file_that_answers_nothing_is_refused(tmp_path: Path) -> None:
    other = _predictions(tmp_path / "other.json", {"7_0": "ab"})
    with pytest.raises(InputError, match=r"other\.json: no prediction is for a case"):
        answers([other], _errors())


# the whole


def test_a_diagnosis_leaves_everything_in_its_folder(made: Diagnosis) -> None:
    report = Report.load(made.folder / "findings.json")
    assert report == made.report
    assert [agent.name for agent in report.agents] == ["random", "shortest"]
    assert [agent.privileged for agent in report.agents] == [False, True]
    assert {findings.benchmark for findings in report.findings} == set(FEW)
    assert len(report.links) == 2 * len(FEW)
    for link in report.links:
        assert read_log(made.folder / link.evidence)
        assert read_rows(made.folder / link.scores)
    assert made.page.read_text().startswith("<!doctype html>")
    assert (made.folder / "walks.json").exists()


def test_numbers_of_sentences_are_those_of_the_scores(made: Diagnosis) -> None:
    """What the score files say, found anew, is what is reported; sentences print these numbers."""
    for findings in made.report.findings:
        links = [link for link in made.report.links if link.benchmark == findings.benchmark]
        asked = CaseSet.load(made.folder / "cases" / findings.benchmark)
        rows = {link.agent: read_rows(made.folder / link.scores) for link in links}
        again = get_benchmark(findings.benchmark).find(asked, rows)
        assert again.statements == findings.statements
        for said in findings.statements:
            _check_sentence(said)
        assert check_findings(findings)
    for verdict in made.report.verdicts:
        findings = next(one for one in made.report.findings if one.benchmark == verdict.benchmark)
        assert verdict.statement in findings.statements


def _check_sentence(said: Statement) -> None:
    text = sentence(said)
    if said.value is None:
        return
    if "{value}" in getattr(said.wording, said.verdict):
        assert number(said.value) in text
    if said.verdict == "unclear":
        inside = (
            said.low is None or said.high is None or said.null is None or said.low <= said.null <= said.high
        )
        assert inside or (said.p is not None and said.p > 0.05)
    allowed = {said.value, said.low, said.high, said.null}
    shown = re.findall(r"−?\d+\.\d+", text)
    known = {number(value) for value in allowed if value is not None}
    template = "".join(msgspec.structs.astuple(said.wording))
    assert all(one in known or one in template for one in shown), (text, known)


def test_a_mean_of_the_scores_is_the_number(made: Diagnosis) -> None:
    """An independent way to one number: the success rate of plain episodes."""
    rows = read_rows(made.folder / "scores" / "outcomes-random.parquet")
    rate = 100 * sum(row.values["SR"] for row in rows) / len(rows)
    findings = next(one for one in made.report.findings if one.benchmark == "outcomes")
    said = next(one for one in findings.statements if one.agent == "random" and one.key == "SR")
    assert said.value == pytest.approx(rate, abs=1e-9)


def test_agents_can_be_added_to_a_diagnosis(made: Diagnosis, tmp_path: Path) -> None:
    out = tmp_path / "d"
    shutil.copytree(made.folder, out)
    how: dict[str, Any] = {"out": out, "size": "quick", "parts": FEW}
    with pytest.raises(InputError, match="there is a diagnosis already"):
        diagnose("random", DATA, **how)
    with pytest.raises(InputError, match="other seed"):
        diagnose("random", DATA, **how, seed=1, resume=True)
    more = diagnose(["random", "shortest", "stop"], DATA, **how, resume=True).report
    assert [agent.name for agent in more.agents] == ["random", "shortest", "stop"]
    before = {(v.agent, v.statement) for v in made.report.verdicts}
    assert before == {(v.agent, v.statement) for v in more.verdicts if v.agent != "stop"}


def test_what_cannot_be_asked_is_left_out_and_said(tmp_path: Path) -> None:
    """The sample has no aligned words, and nothing to look at."""
    parts = ["outcomes", "behavior"]
    found = diagnose(["captions", "stop"], DATA, out=tmp_path / "d", size="quick", parts=parts)
    left = {(one.benchmark, one.agents) for one in found.report.left_out}
    assert left == {("behavior", ("captions", "stop")), ("outcomes", ("captions",))}
    assert all(one.reason and one.remedy for one in found.report.left_out)
    with pytest.raises(InputError, match="nothing could be asked"):
        diagnose("stop", DATA, out=tmp_path / "e", size="quick", parts=["behavior"])


def test_a_file_that_cannot_be_scored_costs_its_own_part(tmp_path: Path) -> None:
    odd = _predictions(tmp_path / "odd.json", {"100_0": ["nowhere"]})
    how: dict[str, Any] = {"size": "quick", "parts": ["outcomes"], "partial": True}
    found = diagnose(["stop", str(odd)], DATA, out=tmp_path / "d", **how)
    assert [(one.benchmark, one.agents) for one in found.report.left_out] == [("outcomes", ("odd",))]
    assert found.report.findings[0].agents == ("stop",)


@pytest.mark.slow
def test_an_agent_that_ends_its_process_costs_its_own_cases(tmp_path: Path) -> None:
    given = ["deadly=engine_agents:Troubled:troubles=100_0/kill", "stop"]
    found = diagnose(given, DATA, out=tmp_path / "d", size="quick", parts=["outcomes"], workers=2)
    deadly, stop = found.report.agents
    assert (deadly.failed, deadly.cases) == (1, 90)
    assert stop.failed == 0
    assert found.report.findings[0].agents == ("deadly", "stop")


def test_incomplete_predictions_are_refused_as_by_score(cli: Cli, tmp_path: Path) -> None:
    walked = json.loads((SAMPLE / "predictions" / "walker.json").read_text())
    for name, held, complaint in (
        ("one-missing", walked[:-1], "1 of the 90 episodes of sample/demo have no prediction"),
        ("one-too-many", [*walked, walked[0] | {"instr_id": "7_0"}], "1 predictions are for episodes that"),
    ):
        file = tmp_path / f"{name}.json"
        file.write_text(json.dumps(held))
        out = tmp_path / name
        refused = cli("diagnose", file, "--data", DATA, "--out", out)
        assert refused.code == 2
        assert complaint in refused.err
        assert refused.err == cli("score", file, "--data", DATA).err
        assert not out.exists()


def test_incomplete_predictions_say_on_how_much_they_stand(cli: Cli, tmp_path: Path) -> None:
    walked = json.loads((SAMPLE / "predictions" / "walker.json").read_text())
    file = tmp_path / "third.json"
    file.write_text(json.dumps(walked[::3]))
    out = tmp_path / "d"
    asked = ("diagnose", file, "--data", DATA, "--out", out, "--partial")
    done = cli(*asked)
    assert done.code == 0, done.err
    note = "incomplete: outcomes and fidelity on 30 of 90 cases only"
    assert note in done.out
    assert note in (out / "report.html").read_text()
    (agent,) = Report.load(out / "findings.json").agents
    assert agent.notes == (note,)
    assert "--partial" in Report.load(out / "findings.json").card["commands"][0]


def test_answers_to_a_part_of_the_cases_are_left_out(tmp_path: Path) -> None:
    data = open_dataset(DATA)
    get_benchmark("errors").build_cases(data, types=("direction",), limit=4).save(tmp_path / "cases")
    asked = CaseSet.load(tmp_path / "cases").cases
    answered = _predictions(tmp_path / "some.json", {asked[0].case_id: list(asked[0].episode.path)})
    given: dict[str, Any] = {"answers": {"errors": [answered]}, "cases": {"errors": tmp_path / "cases"}}
    walker = SAMPLE / "predictions" / "walker.json"
    found = diagnose(walker, DATA, out=tmp_path / "d", parts=["outcomes", "errors"], **given)
    (left,) = found.report.left_out
    assert left.benchmark == "errors"
    assert "cases of errors on sample/demo have no answer in" in left.reason


def test_a_log_says_how_it_goes(cli: Cli, tmp_path: Path) -> None:
    asked = ("--only", "outcomes", "--data", DATA, "--workers", 1)
    done = cli("diagnose", "stop", *asked, "--out", tmp_path / "d", "--json")
    assert done.code == 0
    lines = [re.sub(r" \(\d+ s\)", "", line) for line in done.err.splitlines()]
    assert lines == [
        *("making cases: 0 of 1", "making cases: 1 of 1"),
        *("running: 0 of 90", "running: 90 of 90"),
        *("scoring: 0 of 1", "scoring: 1 of 1"),
        *("drawing: 0 of 2", "drawing: 2 of 2"),
    ]
    assert done.data["out"] == str(tmp_path / "d")


def test_a_log_grows_slowly() -> None:
    log, now = io.StringIO(), 0.0
    lines = PhaseLog(log, clock=lambda: now)
    lines.phase("running", 1000)
    for now in range(100):
        lines.at(10 * now)
    lines.end()
    expected = [(0, ""), (300, " (30 s)"), (600, " (60 s)"), (900, " (90 s)"), (990, " (99 s)")]
    assert log.getvalue().splitlines() == [f"running: {done} of 1,000{spent}" for done, spent in expected]


def test_killed_it_goes_on(cli: Cli, made: Diagnosis, tmp_path: Path) -> None:
    out = tmp_path / "d"
    asked = ["diagnose", "random", "shortest", "--quick", "--data", DATA, "--out", str(out), "--resume"]
    asked += [*(part for name in FEW for part in ("--only", name))]
    command = [sys.executable, "-m", "vlnscope.cli.main", *asked, "--workers", "2"]
    process = subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    _wait_for_evidence(out, process)
    process.send_signal(signal.SIGKILL)
    process.wait()
    done = cli(*asked, "--workers", "1")
    assert done.code == 0, done.err
    assert (out / "findings.json").read_bytes() == (made.folder / "findings.json").read_bytes()
    assert "shortest (privileged" in done.out


def _wait_for_evidence(out: Path, process: subprocess.Popen[bytes]) -> None:
    while process.poll() is None and not list(out.glob("runs/*/*/evidence.jsonl")):
        time.sleep(0.02)


def test_a_real_prediction_file_needs_no_agent(data_root: Path, prevalent: Path, tmp_path: Path) -> None:
    found = diagnose(f"PREVALENT={prevalent}", "r2r/val_unseen", out=tmp_path / "d", root=data_root)
    assert [findings.benchmark for findings in found.report.findings] == ["outcomes", "fidelity"]
    rate = next(s for s in found.report.findings[0].statements if s.key == "SR")
    assert rate.n == 2349
    assert rate.value == pytest.approx(60.15, abs=0.005)
    assert {left.benchmark for left in found.report.left_out} == {"tours", "behavior", "nuances", "errors"}
    assert found.to_arrow().num_rows == sum(len(one.statements) for one in found.report.findings)


def test_the_command_says_what_is_wrong(cli: Cli, tmp_path: Path) -> None:
    assert cli("diagnose", "no-such-agent", "--data", DATA, "--out", tmp_path / "a").code == 2
    bad = cli("diagnose", "random", "--answers", "errors", "--out", tmp_path / "b")
    assert bad.code == 2
    assert "assigns nothing" in bad.err


def test_it_is_a_function_of_the_package() -> None:
    assert vs.diagnose is diagnose
