"""The page of a report: its structure, what it says, and that nothing of the content becomes markup."""

from __future__ import annotations

import base64
import hashlib
import json
import os
import re
import subprocess
import sys
from collections import Counter
from collections.abc import Sequence
from functools import cache
from html.parser import HTMLParser
from itertools import cycle, pairwise, product
from pathlib import Path
from typing import get_args

import pytest
from hypothesis import given
from hypothesis import strategies as st

from vlnscope.benchmarks.kit.abilities import abilities
from vlnscope.benchmarks.kit.findings import Figure, Findings, Kind, Panel, Series, Statement, Table, Wording
from vlnscope.core import registry
from vlnscope.reporting.examples import ExampleTrajectories, ExampleTrajectory, FloorMap, MapPoint, ShownStep
from vlnscope.reporting.page import render, write_page
from vlnscope.reporting.page.agent_cards import summary_html
from vlnscope.reporting.page.packing import json_block
from vlnscope.reporting.page.plots import plot
from vlnscope.reporting.page.render import style_sheet
from vlnscope.reporting.page.statements import address
from vlnscope.reporting.page.tables import reference_tables
from vlnscope.reporting.report_data import EvidenceLink, LeftOut, Report, ReportedAgent
from vlnscope.reporting.sentences import sentence
from vlnscope.reporting.sources.definitions import definition_of, glossary, metric_definition
from vlnscope.reporting.verdicts import Grade, Verdict, headline

HOSTILE = "</script><img src=x onerror=alert(1)>\"'&{{ 7*7 }}\u2028"
VOID = ("meta", "link", "br", "img", "input", "hr", "path", "rect", "circle", "use", "line", "polyline")
WORDS = Wording(above="is good at it: {value}", below="is bad at it: {value}", unclear="may be: {value}")


class Page(HTMLParser):
    """What a page is made of: tags in order, their attributes, its headings and its text."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.tags: list[tuple[str, dict[str, str]]] = []
        self.blocks: list[tuple[dict[str, str], str]] = []
        self.text = ""
        self._open: list[str] = []
        self.feed(text)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        held = {name: value or "" for name, value in attrs}
        self.tags.append((tag, held))
        if tag not in VOID:
            self._open.append(tag)
        if tag == "script":
            self.blocks.append((held, ""))

    def handle_startendtag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.append((tag, {name: value or "" for name, value in attrs}))

    def handle_endtag(self, tag: str) -> None:
        if tag not in VOID:
            assert self._open.pop() == tag

    def handle_data(self, data: str) -> None:
        if self._open and self._open[-1] == "script":
            held, before = self.blocks[-1]
            self.blocks[-1] = (held, before + data)
        elif self._open and self._open[-1] != "style":
            self.text += data

    def all(self, tag: str) -> list[dict[str, str]]:
        return [held for name, held in self.tags if name == tag]

    @property
    def ids(self) -> list[str]:
        return [held["id"] for _, held in self.tags if "id" in held]


def figure(kind: Kind, agents: Sequence[str]) -> Figure:
    where = ("here", "there")
    series = [
        Series(name=agent, x=where, y=(1.0, 2.0), low=(0.5, 1.5), high=(1.5, 2.5), labels=("n = 1", ""))
        for agent in agents
    ]
    chance = Series(name="chance", x=where, y=(0.5, 0.5), role="reference")
    if kind in ("boxes", "histogram"):
        series = [Series(name=agent, x=where * 3, y=(1.0, 2.0, 3.0, 4.0, 5.0, None)) for agent in agents]
    panels = (Panel(title="left", series=(*series, chance)), Panel(title="empty", series=()))
    name = f"figure-{kind}"
    return Figure(name=name, title=f"A <{kind}>", kind=kind, x="where", y="value (%)", panels=panels)


def findings(benchmark: str, agents: Sequence[str], case: str) -> Findings:
    said = [
        Statement(
            key=f"SR.{topic}",
            agent=agent,
            value=value,
            low=value - 5,
            high=value + 5,
            null=50.0,
            n=40,
            clusters=6,
            over="scenes",
            p=0.01,
            test="sign flips of scenes",
            wording=WORDS,
            weight=1 - k / 20,
            episodes=(case,),
            metric="SR",
            topic=topic,
            worst=0.0,
            best=100.0,
        )
        for agent, value in zip(agents, (90.0, 8.0), strict=True)
        for k, topic in enumerate(abilities())
    ]
    tiles = [
        Statement(key=key, agent=agent, value=61.5, low=50.0, high=70.0, wording=Wording(plain="{value}"))
        for agent, key in product(agents, ("SR", "SPL", "nDTW"))
    ]
    rows = tuple((agent, k, 1.5 * k, None) for k in range(5) for agent in agents)
    return Findings(
        benchmark=benchmark,
        data="made/up",
        agents=tuple(agents),
        statements=(*said, *tiles),
        tables=(Table(name="t", title="Scores", columns=("agent", "n", "SR (%)", "note"), rows=rows),),
        figures=tuple(figure(kind, agents) for kind in get_args(Kind)),
        notes=("mind this",),
    )


def made_up(strange: str = "plain") -> tuple[Report, ExampleTrajectories]:
    """A report and its walks in which `strange` is all that others may have named."""
    agents = (f"one {strange}", "two")
    found = tuple(findings(name, agents, strange) for name in ("outcomes", "nuances", "fidelity", "mine"))
    place = MapPoint("v", "ground", 1.0, 1.0)
    walk = ExampleTrajectory(
        id=f"nuances/two/{strange}",
        benchmark="nuances",
        data="made/up",
        agent="two",
        case_id=strange,
        scan="s",
        words=(strange, " go"),
        steps=(ShownStep(place=place, words=(0,)), ShownStep(place=MapPoint("w", "ground", 3.0, 2.0))),
        reference=(place,),
        outcome=f"went astray {strange}",
    )
    ground = '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 9 9"></svg>'
    maps = {"ground": FloorMap(floor="ground", title=strange, svg=ground, width=9, height=9)}
    report = Report(
        title=f"What is known of {strange}",
        data=strange,
        size="quick",
        agents=tuple(
            ReportedAgent(name=name, identity=strange, privileged=name == "two", needs=(strange,))
            for name in agents
        ),
        findings=found,
        verdicts=tuple(
            Verdict(
                agent=said.agent,
                topic=said.topic,
                grade=grade,
                ability=0.5,
                benchmark="nuances",
                statement=said,
                others=(("outcomes", said.key),),
            )
            for said, grade in zip(found[1].statements, cycle(get_args(Grade)), strict=False)
            if said.topic
        ),
        links=(
            EvidenceLink(
                benchmark="nuances",
                data="made/up",
                agent="two",
                evidence=f"runs/{strange}",
                scores="s.parquet",
            ),
        ),
        left_out=(LeftOut(benchmark="tours", agents=(strange,), reason=strange, remedy=f"run `{strange}`"),),
        card={"seed": 0, strange: [strange, {"digest": None}]},
    )
    return report, ExampleTrajectories(walks=(walk,), maps=maps)


@cache
def page(strange: str = "plain") -> Page:
    return Page(render(*made_up(strange)))


def test_ids_are_unique_and_links_lead_somewhere() -> None:
    made = page()
    ids = set(made.ids)
    assert [name for name, count in Counter(made.ids).items() if count > 1] == []
    inside = [held["href"][1:] for held in made.all("a") if held.get("href", "").startswith("#")]
    assert len(inside) > 50
    assert [name for name in inside if name not in ids] == []
    named = [held["aria-labelledby"] for _, held in made.tags if "aria-labelledby" in held]
    assert [name for name in named if name not in ids] == []
    assert "runs/plain" in [held.get("href") for held in made.all("a")]


def test_nothing_comes_from_elsewhere_and_only_own_scripts_run() -> None:
    made = page()
    for tag, held in made.tags:
        assert tag not in ("iframe", "object", "embed", "base", "form", "link")
        assert [name for name in held if name.startswith("on")] == []
        for name in ("src", "href", "srcset", "action", "poster", "data"):
            assert not re.match(r"[a-z+.-]+:|//", held.get(name, ""), re.I), (tag, held)
    policy = next(held["content"] for held in made.all("meta") if "http-equiv" in held)
    assert policy.startswith("default-src 'none'; script-src 'sha256-")
    assert "unsafe-eval" not in policy
    assert "unsafe-inline" not in policy.split("style-src")[0]
    running = [text for held, text in made.blocks if "type" not in held]
    assert len(running) == 6
    for text in running:
        assert base64.b64encode(hashlib.sha256(text.encode()).digest()).decode() in policy
    assert not re.search(r"url\((?!'?data:)|@import", style_sheet())


def test_headings_landmarks_and_tables_are_in_order() -> None:
    made = page()
    levels = [int(tag[1]) for tag, _ in made.tags if re.fullmatch("h[1-6]", tag)]
    assert levels[0] == 1
    assert levels.count(1) == 1
    assert all(after <= before + 1 for before, after in pairwise(levels))
    for tag in ("header", "nav", "main", "footer"):
        assert made.all(tag)
    assert made.all("html") == [{"lang": "en"}]
    assert made.all("a")[0]["class"] == "skip"
    assert len(made.all("caption")) == len(made.all("table")) > 10
    assert all(held.get("scope") in ("col", "row") for held in made.all("th"))
    images = [held for _, held in made.tags if held.get("role") == "img"]
    assert len(images) >= 4 * len(get_args(Kind))
    assert all(held["aria-label"] for held in images)


def test_all_sentences_and_verdicts_are_said() -> None:
    report, _ = made_up()
    text = " ".join(page().text.split())
    for said in (said for found in report.findings for said in found.statements):
        assert sentence(said) in text
    for verdict in report.verdicts:
        assert f"{verdict.grade} {headline(verdict)}" in text
    for words in ("What is known of plain", "61.5", "[50.0, 70.0]", "Run plain.", "mind this", "@"):
        assert words in text
    assert text.index("Summary") < text.index("Fidelity against") < text.index("How walks end")


def test_content_never_becomes_markup() -> None:
    """The page has the same tags and attributes whatever agents, cases and instructions are called."""

    def shape(made: Page) -> list[tuple[str, list[str]]]:
        return [(tag, sorted(held)) for tag, held in made.tags]

    strange = page(HOSTILE)
    assert shape(strange) == shape(page())
    assert "{{ 7*7 }}" in strange.text
    links = [held.get("href", "") for held in strange.all("a")]
    assert not [link for link in links if "<" in link or '"' in link or ":" in link]
    plots = next(text for held, text in strange.blocks if held.get("id") == "plot-data")
    assert "<" not in plots
    assert "\u2028" not in plots
    names = {
        trace["name"]
        for one in json.loads(plots).values()
        for trace in one["panels"][0]["traces"]
        if "name" in trace
    }
    assert not [name for name in names if "<" in name]
    assert HOSTILE in summary_html_text(made_up(HOSTILE)[0])


def summary_html_text(report: Report) -> str:
    made = Page(summary_html(report))
    assert {tag for tag, _ in made.tags} == {"div", "p", "b", "ol", "li", "br"}
    return made.text


def test_the_same_content_gives_the_same_bytes(tmp_path: Path) -> None:
    report, walks = made_up()
    here = render(report, walks)
    assert render(report, walks) == here
    written = write_page(report, walks, tmp_path / "report.html")
    assert written.read_text() == here
    report.save(tmp_path / "findings.json")
    walks.save(tmp_path / "walks.json")
    code = (
        "from vlnscope.reporting.page import write_page\n"
        "from vlnscope.reporting.report_data import Report\n"
        "from vlnscope.reporting.examples import ExampleTrajectories\n"
        "write_page(Report.load('findings.json'), ExampleTrajectories.load('walks.json'), 'again.html')"
    )
    environment = {**os.environ, "PYTHONHASHSEED": "7"}
    subprocess.run([sys.executable, "-c", code], cwd=tmp_path, env=environment, check=True)
    assert (tmp_path / "again.html").read_bytes() == written.read_bytes()


def test_a_report_with_next_to_nothing_has_a_page() -> None:
    bare = Report(title="t", data="d", agents=(ReportedAgent(name="a", identity="a"),), findings=())
    made = Page(render(bare, ExampleTrajectories()))
    assert "No ability could be judged" in made.text
    assert next(text for held, text in made.blocks if held.get("id") == "plot-library") == ""


def luminance(colour: str) -> float:
    shares = [int(colour[k : k + 2], 16) / 255 for k in (1, 3, 5)]
    linear = [s / 12.92 if s <= 0.04045 else ((s + 0.055) / 1.055) ** 2.4 for s in shares]
    return 0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2]


def contrast(a: str, b: str) -> float:
    low, high = sorted((luminance(a), luminance(b)))
    return (high + 0.05) / (low + 0.05)


@pytest.mark.parametrize("selector", [":root{color-scheme:light", ":root[data-theme=dark]"])
def test_text_can_be_read_in_both_themes(selector: str) -> None:
    css = style_sheet()
    block = css[css.index(selector) :].split("}")[0]
    shades = dict(re.findall(r"--([\w-]+):(#\w{6})", block))
    for text, ground in product(("ink", "muted", "accent", "good", "bad", "warn"), ("paper", "surface")):
        assert contrast(shades[text], shades[ground]) >= 4.5, (text, ground)
    for name in ("good", "bad", "warn", "muted"):
        assert contrast(shades[name], shades[f"{name}-tint"]) >= 4.5, name
    assert contrast(shades["ink"], shades["warn-tint"]) >= 4.5
    agents = [shades[f"agent-{k}"] for k in range(1, 9)]
    assert len(set(agents)) == 8
    assert all(contrast(shade, shades["surface"]) >= 2.2 for shade in agents)


def test_an_agent_has_one_colour_and_nobody_else_has_it() -> None:
    agents = ("a", "b")
    for kind in ("bars", "lines", "points", "boxes", "histogram"):
        names = ("b", "something", "a, kept", "a, reset")
        series = tuple(Series(name=name, x=(1, 2), y=(1.0, 2.0)) for name in names)
        made = plot(
            Figure(name="f", title="F", kind=kind, x="x", y="y", panels=(Panel(series=series),)), agents
        )
        assert made is not None
        shades = [named.look.colour for named in made.legend]
        assert shades == ["var(--agent-2)", "var(--agent-3)", "var(--agent-1)", "var(--agent-1)"]
        assert made.legend[2].look != made.legend[3].look


def test_plots_have_a_table_that_says_the_same() -> None:
    made = plot(figure("bars", ("a",)), ("a",))
    assert made is not None
    assert made.empty == ("empty",)
    assert made.table.rows[0] == ("left", "a", "here", 1.0, 0.5, 1.5, "n = 1")
    spread = plot(figure("boxes", ("a",)), ("a",))
    assert spread is not None
    assert spread.table.rows[0][:4] == ("left", "a", "here", 3)
    empty = Figure(name="f", title="F", kind="bars", x="x", y="y", panels=(Panel(series=()),))
    assert plot(empty, ("a",)) is None


def test_agents_stand_beside_references() -> None:
    agents = ("a", "b")
    one = Figure(
        name="f",
        title="F",
        kind="bars",
        x="x",
        y="SR (%)",
        panels=(figure("bars", agents).panels[0],),
    )
    rates = Table(name="r", title="R", columns=("agent", "SR"), rows=(("a", 1.0), ("HAMT", 2.0)))
    own = Table(name="o", title="O", columns=("agent", "SR"), rows=(("a", 1.0), ("b", 2.0)))
    figures = (figure("lines", agents), one)
    found = Findings(benchmark="nuances", data="d", agents=agents, figures=figures, tables=(own, rates))
    table, other = reference_tables(found)
    assert other == rates
    assert table.rows == (("a", 1.0, 2.0), ("b", 1.0, 2.0), ("chance", 0.5, 0.5))


def test_every_metric_and_benchmark_is_defined() -> None:
    report, _ = made_up()
    for name in registry.names("metric"):
        entry = metric_definition(name)
        assert entry is not None
        assert entry.text
        assert entry.paper
        assert not [text for text in entry.text if ">>>" in text]
    assert metric_definition("no such") is None
    said = report.findings[1].statements[0]
    defined = {name: definition_of(said, name) for name in ("fidelity", "nuances", "no such")}
    assert {name: entry and entry.name for name, entry in defined.items()} == {
        "fidelity": "SR",
        "nuances": "nuances",  # which has its own rules of success
        "no such": "SR",
    }
    names = [entry.name for entry in glossary(report.findings)]
    assert names[:3] == ["outcomes", "nuances", "fidelity"]
    assert {"SR", "SPL", "nDTW"} <= set(names)


@given(st.text())
def test_json_in_a_page_is_the_same_data_and_no_markup(text: str) -> None:
    block = json_block({text: [text]})
    assert json.loads(block) == {text: [text]}
    assert not set(block) & set("<>&\u2028\u2029")


@given(st.text())
def test_addresses_stay_beside_the_page(text: str) -> None:
    assert re.fullmatch(r"[\w/.~%-]*", address(text), re.ASCII)
