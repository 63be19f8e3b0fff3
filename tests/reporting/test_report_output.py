"""What goes into papers: LaTeX that compiles, marks that tests allow, references, the card, the command."""

from __future__ import annotations

import json
import re
import subprocess
from dataclasses import replace
from pathlib import Path

import msgspec
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from commands import Cli
from vlnscope.benchmarks.kit.findings import Figure, Findings, Table
from vlnscope.core import registry
from vlnscope.core.exceptions import InputError
from vlnscope.engine.run import run
from vlnscope.engine.store.provenance import DataRecord
from vlnscope.evaluate.benchmarking import build
from vlnscope.evaluate.report.report import ReportOptions, gather
from vlnscope.evaluate.report.results_table import Knowing, results_table
from vlnscope.reporting.report_data import Report, ReportedAgent
from vlnscope.reporting.report_folder import write_report
from vlnscope.reporting.sentences import sentence
from vlnscope.reporting.sources.bibliography import DATA, ENTRIES, bibtex, cited, references
from vlnscope.reporting.sources.reproducibility import (
    CardRun,
    _data,
    _merged,
    card_markdown,
    reproducibility_card,
)
from vlnscope.reporting.tables.latex import LONG, latex_document, latex_results, latex_table, latex_text
from vlnscope.reporting.tables.markdown import markdown_results
from vlnscope.reporting.tables.marks import Estimate, ResultRow, ResultsTable, folded, stars
from vlnscope.stats.multiplicity import holm
from vlnscope.types import ScoreRow

SAMPLE = Path(registry.__file__).parents[1] / "sample" / "predictions"
TOKEN = re.compile(r"\\[A-Za-z]+\*?|\\.|[{}$&%#_^~]|[^\\{}$&%#_^~]+", re.DOTALL)


def check_latex(text: str) -> None:
    """Refuse what LaTeX would stop at: braces, environments, special signs, rows of a wrong width."""
    depth, math, environments = 0, False, []
    tokens = TOKEN.findall(re.sub(r"(?<!\\)%\n", "\n", text))
    assert "".join(tokens) == re.sub(r"(?<!\\)%\n", "\n", text)
    for at, token in enumerate(tokens):
        depth += (token == "{") - (token == "}")
        assert depth >= 0, f"a brace too many after {''.join(tokens[max(0, at - 9) : at])}"
        if token == "$":
            math = not math
        if token == r"\begin":
            environments.append(tokens[at + 2])
        if token == r"\end":
            assert environments.pop() == tokens[at + 2]
        assert token not in ("%", "#", "~"), f"{token} is not escaped"
        assert token not in ("_", "^") or math, f"{token} outside of mathematics"
        if token == "&":
            assert environments[-1] in ("tabular", "longtable")
    assert not depth
    assert not math
    assert not environments
    assert all(sign.isascii() or sign.isalpha() for sign in text), "a sign that fonts may lack"
    for spec, body in re.findall(r"\\begin\{(?:tabular|longtable)\}\{(.*)\}\n(.*?)\\end\{", text, re.DOTALL):
        width = len(re.findall("[lrc]", re.sub(r"@\{[^}]*\}", "", spec)))
        for row in (line for line in body.splitlines() if line.endswith(r"\\") and "caption" not in line):
            spans = [int(span) - 1 for span in re.findall(r"\\multicolumn\{(\d)\}", row)]
            assert len(re.findall(r"(?<!\\)&", row)) + 1 + sum(spans) == width, row


@pytest.mark.parametrize(
    "wrong",
    [
        "a_b",
        "50 %",
        "{",
        "}",
        "$x",
        r"\begin{a}\end{b}",
        "a & b",
        "⚑",
        "\\begin{tabular}{lr}\na \\\\\n\\end{tabular}",
    ],
)
def test_the_check_finds_what_latex_would_stop_at(wrong: str) -> None:
    with pytest.raises((AssertionError, IndexError)):
        check_latex(wrong)


cells = (
    st.none()
    | st.integers(-9999, 9999)
    | st.floats(-1e4, 1e4)
    | st.text("aZ_%&#${}~^\\<>|−…“”≤ü \n\r", max_size=9)
)


@given(
    rows=st.lists(st.tuples(cells, cells, cells, cells), max_size=4),
    times=st.sampled_from([1, LONG]),
    names=st.sampled_from(
        [("a_b", "SR", "low", "high"), ("p", "x p", "from", "to"), ("a", "b", "c & d", "50 %")]
    ),
)
def test_any_table_is_latex(
    rows: list[tuple[str | float | int | None, ...]], times: int, names: tuple[str, ...]
) -> None:
    table = Table(
        name="t", title="A & B", columns=names, rows=tuple(rows) * times, notes=("50 %",), source="x_y"
    )
    text = latex_table(table)
    check_latex(text)
    assert ("longtable" in text) == (len(table.rows) > LONG)


def test_intervals_are_folded_only_where_they_are_numbers() -> None:
    table = Table(
        name="t",
        title="T",
        columns=("a", "SR", "SR low", "SR high", "from", "to"),
        rows=(("x", 50.0, 40.0, None, "here", "there"),),
    )
    shown = folded(table)
    assert shown.columns == ["a", "SR", "from", "to"]
    assert shown.rows == [["x", Estimate(value=50.0, low=40.0, high=None), "here", "there"]]
    words = Table(name="t", title="T", columns=("way", "from", "to"), rows=(("a", "b", "c"),))
    assert folded(words).columns == ["way", "from", "to"]


def scored(rate: float, seed: int, scenes: int = 12, each: int = 20, group: str = "") -> list[ScoreRow]:
    draws = np.random.default_rng(seed).random((scenes, each)) < rate
    return [
        ScoreRow(
            episode_id=f"{group}{scene}-{k}",
            scan=f"s{scene}",
            path_id=f"{scene}-{k}",
            values={"SR": float(draws[scene, k]), "NE": 10.0 - 8.0 * draws[scene, k]},
            groups={"variant": group} if group else {},
        )
        for scene in range(scenes)
        for k in range(each)
    ]


def test_stars_and_bold_need_corrected_tests() -> None:
    agents = {"good": scored(0.9, 1), "fair": scored(0.5, 2), "same": scored(0.5, 3), "told": scored(1.0, 4)}
    knowing = Knowing(told=("told",))
    table = results_table(agents, name="r", title="R", metrics=("SR", "NE"), baseline="fair", knowing=knowing)
    assert table.tests == 6
    marks = {row.agent: [stars(one.p) for one in row.estimates if one] for row in table.rows}
    assert marks["fair"] == marks["same"] == ["", ""]
    assert all(marks["good"])
    best = {row.agent: [one.best for one in row.estimates if one] for row in table.rows}
    assert best == {"good": [True, True], "fair": [False] * 2, "same": [False] * 2, "told": [False] * 2}
    text = latex_results(table)
    check_latex(text)
    assert r"\textbf{" in text
    assert r"told\textdagger{}" in text
    assert r"NE (m) $\downarrow$" in text
    assert "6 comparisons" in text
    assert "**" in markdown_results(table)
    alike = results_table({"a": scored(0.5, 2), "b": scored(0.5, 3)}, name="r", title="R", metrics=("SR",))
    assert not any(one.best for row in alike.rows for one in row.estimates if one)
    assert "No value is bold" in " ".join(alike.legend())


def test_p_values_are_holms_over_all_tests_of_a_metric() -> None:
    agents = {
        name: [*scored(rate, k, group="x"), *scored(rate, 9 - k, group="y")]
        for k, (name, rate) in enumerate({"a": 0.6, "b": 0.5, "c": 0.45}.items())
    }
    whole = results_table(agents, name="r", title="R", metrics=("SR",), baseline="a")
    raw = {}
    for group in ("x", "y"):
        for one, two in (("a", "b"), ("a", "c"), ("b", "c")):
            part = {n: [row for row in agents[n] if row.groups["variant"] == group] for n in (one, two)}
            alone = results_table(part, name="r", title="R", metrics=("SR",), baseline=one)
            raw[group, one, two] = next(row for row in alone.rows if row.agent == two).estimates[0].p  # type: ignore[union-attr]
    adjusted = dict(zip(raw, holm([p for p in raw.values() if p is not None]), strict=True))
    shown = {(row.group, row.agent): row.estimates[0].p for row in whole.rows if row.estimates[0]}
    for group in ("x", "y"):
        assert shown[group, "a"] is None
        for agent in ("b", "c"):
            assert shown[group, agent] == adjusted[group, "a", agent]


def test_six_scenes_show_what_is_clear() -> None:
    agents = {"a": scored(1.0, 1, scenes=6), "b": scored(0.0, 2, scenes=6)}
    table = results_table(agents, name="r", title="R", metrics=("SR",), baseline="b")
    assert [stars(one.p) for row in table.rows for one in row.estimates if one] == ["***", ""]
    more = {name: rows[:-5] if name == "a" else rows for name, rows in agents.items()}
    assert any("different cases" in note for note in results_table(more, name="r", title="R").notes)
    assert not results_table(agents, name="r", title="R", baseline="nobody").baseline
    with pytest.raises(InputError, match="no row has"):
        results_table(agents, name="r", title="R", metrics=("CLS",))


def test_every_metric_and_benchmark_has_a_reference() -> None:
    for kind in ("metric", "benchmark"):
        for name, thing in registry.everything(kind).items():
            if type(thing).__module__.startswith("vlnscope"):
                assert all(entry in ENTRIES for entry in cited(thing.paper)), name
    keys = [entry.key for entry in ENTRIES]
    assert keys == sorted(set(keys), key=keys.index)
    assert {key for its in DATA.values() for key in its} <= set(keys)
    for entry in ENTRIES:
        assert entry.key.startswith(entry.authors.split(",")[0].lower())
        assert str(entry.year) in entry.key
        assert not entry.doi or re.fullmatch(r"10\.\d{4,}/\S+", entry.doi)
        assert not entry.eprint or re.fullmatch(r"\d{4}\.\d{5}", entry.eprint)


def test_references_are_those_of_what_is_used() -> None:
    table = Table(name="t", title="T", columns=("metric", "t-nDTW (%)"), rows=(("sDTW", 1.0),))
    found = Findings(benchmark="errors", data="r2r/val_unseen", agents=("a",), tables=(table,))
    made = Report(
        title="T",
        data="r2r/val_unseen",
        agents=(ReportedAgent(name="a", identity="a", needs=("captions",)),),
        findings=(found,),
    )
    keys = [entry.key for entry in references(made)]
    assert keys == [
        "anderson2018vision",
        "chang2017matterport3d",
        "ilharco2019general",
        "krantz2023iterative",
        "taioli2024mind",
        "zhou2023navgpt",
        "vlnscope",
    ]
    assert "holm1979simple" in [entry.key for entry in references(made, tested=True)]
    text = bibtex(references(made, tested=True))
    assert text.count("{") == text.count("}")
    assert text.isascii()
    assert 'S{\\"u}nderhauf' in text


def test_commands_for_a_paper(cli: Cli, tmp_path: Path) -> None:
    runs = {}
    for agent in ("random", "shortest"):
        runs[agent] = tmp_path / agent
        assert cli("run", agent, "--data", "sample/demo", "--out", runs[agent]).code == 0
    walker = sorted(SAMPLE.glob("*.json"))[0]
    out = tmp_path / "report"
    usual = ("--baseline", "random")
    mine = (f"mine={walker}", "--data", "sample/demo")
    ran = cli("report", *runs.values(), *mine, *usual, "--out", out, "--figures", "pdf")
    assert ran.code == 0, ran.err
    assert "shortest†" in ran.out
    files = ["README.md", "card.md", "findings.json", "references.bib", "report.html", "report.tex"]
    assert sorted(path.name for path in out.iterdir() if path.is_file()) == files
    table = (out / "tables" / "scores-results.tex").read_text()
    check_latex(table)
    check_latex((out / "report.tex").read_text())
    assert "figures/scores-means.pdf" in (out / "report.tex").read_text()
    card = (out / "card.md").read_text()
    assert "sha256" in card
    assert "shortest:" in card
    saved = Report.load(out / "findings.json")
    told = {agent.name: (agent.source, agent.privileged) for agent in saved.agents}
    assert told == {"random": ("agent", False), "shortest": ("agent", True), "mine": ("predictions", False)}
    for link in saved.links:
        assert (out / link.evidence).is_file()
        assert (out / link.scores).is_file()

    again = tmp_path / "again"
    assert cli("report", out, *usual, "--out", again, "--format", "latex").code == 0
    assert (again / "tables" / "scores-results.tex").read_text() == table
    assert not (again / "README.md").exists()
    moved = Report.load(again / "findings.json")
    assert all((again / link.scores).is_file() for link in moved.links)
    assert moved.findings == saved.findings


def test_runs_of_benchmarks_are_reported_and_reported_again(tmp_path: Path) -> None:
    folders = []
    for seed in (0, 1):
        asked = build("fidelity", "sample/demo", max_episodes=4, seed=seed, ablations=("full", "none"))
        ran = [run(agent, cases=asked, out=tmp_path / f"{seed}" / agent) for agent in ("random", "shortest")]
        folders += [one.folder for one in ran]
    options = ReportOptions(baseline="random")
    found = gather(folders, options=options)
    assert [table.name for table in found.results] == ["fidelity-results", "fidelity-2-results"]
    assert [row.group for row in found.results[0].rows] == ["full", "full", "none", "none"]
    first, second = (findings.tables[0] for findings in found.report.findings)
    assert first.columns[:4] == ("agent", "group", "cases", "SR (%)")
    assert first.rows != second.rows
    plain = tuple(msgspec.structs.replace(findings, figures=()) for findings in found.report.findings)
    found = replace(found, report=msgspec.structs.replace(found.report, findings=plain))  # drawing takes long
    out = found.write(tmp_path / "report", formats=("latex",))
    for file in (out / "tables").iterdir():
        check_latex(file.read_text())
    again = gather([out], options=options)
    assert again.results == found.results
    assert again.report.findings == found.report.findings
    cases = found.report.card["cases"]
    assert [part["count"] for part in cases] == [8, 8]
    assert cases[0]["digest"] == found.sources[0].scored.record.cases.digest  # type: ignore[union-attr]


def test_numbers_of_a_report_are_those_of_score(cli: Cli) -> None:
    file = sorted(SAMPLE.glob("*.json"))[0]
    names = ["SR", "CLS", "SED"]
    told = cli("report", f"mine={file}", "--data", "sample/demo", "--metric", ",".join(names), "--json").data
    means = cli("score", file, "--data", "sample/demo", "--metrics", ",".join(names), "--json").data[
        "metrics"
    ]
    row = told["results"][0]["rows"][0]
    assert [one["value"] for one in row["estimates"]] == pytest.approx(
        [means[name]["mean"] for name in names]
    )
    assert told["results"][0]["tests"] == 0


def test_what_cannot_be_reported_is_refused(cli: Cli, tmp_path: Path) -> None:
    file = sorted(SAMPLE.glob("*.json"))[0]
    (tmp_path / "empty").mkdir()
    (tmp_path / "findings.json").write_text("{}")
    for arguments, words in (
        ((file,), "--data"),
        ((tmp_path / "nowhere",), "does not exist"),
        ((tmp_path / "empty",), "holds no run"),
        ((tmp_path,), "findings as"),
        ((tmp_path, file), "name the runs in it"),
        ((f"a={file}", f"a={file}", "--data", "sample/demo"), "called a"),
        ((f"a={file},{file}x", "--data", "sample/demo"), "one run of each agent"),
        ((f"a={file}", "--data", "sample/demo", "--baseline", "b"), "no agent of this report"),
        ((f"a={file}", "--data", "sample/demo", "--metric", "SR,SPLL"), "has SPLL"),
    ):
        ran = cli("report", *arguments)
        assert ran.code == 2, arguments
        assert words in ran.err
        assert "Traceback" not in ran.err


def test_a_name_may_hold_any_sign(cli: Cli, tmp_path: Path) -> None:
    file = sorted(SAMPLE.glob("*.json"))[0]
    few = tmp_path / "few.json"
    few.write_text(json.dumps(json.loads(file.read_text())[:15]))
    odd, out = "{x}&_$%|<b>\n`*", tmp_path / "report"
    asked = (f"{odd}={file}", f"mine={few}", "--data", "sample/demo", "--baseline", odd)
    refused = cli("report", *asked, "--out", out)
    assert refused.code == 2
    assert "--partial" in refused.err
    assert not out.exists()
    options = ("--partial", "--metric", "SR")
    ran = cli("report", *asked, *options, "--out", out)
    assert ran.code == 0, ran.err
    saved = Report.load(out / "findings.json")
    assert f"90 episodes ({odd}), 15 episodes (mine)" in saved.findings[0].figures[0].caption
    assert any(odd in sentence(said) for said in saved.findings[0].statements if said.agent == "mine")
    for file in (out / "tables").glob("*.tex"):
        check_latex(file.read_text())
    readme = (out / "README.md").read_text()
    assert "<b>" not in readme
    assert "![Results on sample/demo](figures/scores-means.svg)" in readme
    assert [part["name"] for part in saved.card["data"]] == ["sample/demo"]
    assert "--partial" in saved.card["commands"][-1]


def test_what_cannot_be_written_is_refused_first(cli: Cli, tmp_path: Path) -> None:
    file = sorted(SAMPLE.glob("*.json"))[0]
    taken = tmp_path / "taken"
    taken.write_text("mine")
    for out in (taken, taken / "report"):
        ran = cli("report", tmp_path / "nowhere", "--out", out)
        assert ran.code == 2
        assert "taken: is a file" in ran.err
    assert taken.read_text() == "mine"
    made = tmp_path / "made"
    asked = (f"a={file}", "--data", "sample/demo", "--metric", "SR", "--format", "latex")
    assert cli("report", *asked, "--out", made).code == 0
    for option in (("--profile", "hamt"), ("--data", "sample/demo"), ("--root", tmp_path), ("--partial",)):
        ran = cli("report", made, *option)
        assert ran.code == 2
        assert f"{option[0]} would change nothing" in ran.err
    saved = Report.load(made / "findings.json")
    msgspec.structs.replace(saved, card={}).save(made / "findings.json")
    assert gather([made]).report.card["scored with"]["profile"] == "unknown"
    (made / saved.links[0].scores).unlink()
    with pytest.raises(InputError, match=r"\.parquet: there is no such file"):
        gather([made])


def test_a_figure_without_panels_is_not_drawn(tmp_path: Path) -> None:
    empty = Figure(name="nothing", title="nothing to see", kind="bars", x="x", y="y", panels=())
    findings = Findings(benchmark="errors", data="sample/demo", agents=("a",), figures=(empty,))
    agents = (ReportedAgent(name="a", identity="a"),)
    report = Report(title="a few cases", data="sample/demo", agents=agents, findings=(findings,))
    write_report(report, tmp_path, figures="svg")
    assert not list(tmp_path.glob("figures/*"))
    assert (tmp_path / "report.html").is_file()


def test_the_card_lists_data_once() -> None:
    data = DataRecord(name="d", files="f", scenes="s")
    runs = [
        CardRun("a", "a.json", None, None, "d", "f"),
        CardRun("b", "b.json", None, None, "d", "other files"),
    ]
    parts = [_data(runs[0]), msgspec.to_builtins(data), _data(runs[1])]
    assert _merged(parts) == [
        {"name": "d", "files": "f", "scenes": "s"},
        {"name": "d", "files": "other files"},
    ]


def test_keys_of_unknown_papers_differ() -> None:
    papers = ["A very long title of a paper about walks", "A very long title of a paper about houses"]
    papers += ["A. Nobody 2019", "A. Nobody 2020", "…", "Ä", "Ö"]
    keys = [entry.key for paper in papers for entry in cited(paper)]
    assert len(set(keys)) == len(papers)
    assert all(re.fullmatch(r"[a-z][a-z0-9-]*", key) for key in keys)


def test_the_card_tells_how_to_run_again(cli: Cli, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    assert cli("run", "random:seed=3", "--data", "sample/demo", "--limit", 4, "--out", "runs/r").code == 0
    assert cli("report", "runs/r", "--out", "report", "--format", "md").code == 0
    card = json.loads(Path("report/findings.json").read_text())["card"]
    first, last = card["commands"]
    assert cli(*first.split()[1:]).code == 0
    assert cli(*last.split()[1:], "--format", "md").code == 0
    tables = [Path(folder, "tables/scores-results.md").read_text() for folder in ("report", "again/report")]
    assert tables[0] == tables[1]
    assert "again/runs/r" in first


def test_a_document_takes_all_in() -> None:
    text = latex_document("A_B", ["tables/a"], [("figures/f.pdf", "50 % & more")])
    check_latex(text.replace(r"\input{tables/a}", ""))
    assert latex_text("a^b~c") == r"a\textasciicircum{}b\textasciitilde{}c"
    row = ResultRow(agent="a", cases=1, estimates=(None, Estimate(value=None)))
    table = ResultsTable(
        name="n", title="T", metrics=("x", "y"), columns=("x", "y"), better=("none",) * 2, rows=(row,)
    )
    check_latex(latex_results(table))
    assert "–" in markdown_results(table)


EVIL = "<img src=x onerror=alert(1)>\n```\n# [mine](javascript:alert(1))\n<script>alert(2)</script>"


def test_names_of_agents_are_no_markup_in_the_card(tmp_path: Path) -> None:
    done = run("stop", "sample/demo", out=tmp_path / "run", limit=2)
    card = reproducibility_card([CardRun(EVIL, "run", done.record)])
    text = card_markdown(card)
    outside = re.sub(r"(?ms)^(`{3,})\n.*?^\1$", "", text)
    assert not re.search(r"<[A-Za-z/!?]", text)
    assert not re.search(r"\]\(", outside)
    assert [line for line in outside.splitlines() if line.startswith("#")] == [
        "# Reproducibility card",
        *(f"## {part}" for part in card),
    ]
    again = card["commands"][-1]
    words = subprocess.run(
        ["bash", "-c", f"printf '%s\\0' {again}"], capture_output=True, check=True
    ).stdout.decode()
    assert f"{EVIL}=again/run" in words.split("\0")


def test_a_card_that_was_read_cannot_leave_its_block_of_code() -> None:
    text = card_markdown({"commands": ["ls\n```\n<script>alert(1)</script>"]})
    assert text.endswith("````\nls\n```\n<script>alert(1)</script>\n````\n")
