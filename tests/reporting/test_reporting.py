"""Sentences say no more than intervals allow; every kind of figure is drawn by both libraries."""

from __future__ import annotations

import json
import sys
from pathlib import Path
from typing import Any, get_args

import msgspec
import pytest
from hypothesis import example, given
from hypothesis import strategies as st
from markdown_it import MarkdownIt
from markdown_it.token import Token

import fetch_assets
from vlnscope.benchmarks.kit.abilities import abilities
from vlnscope.benchmarks.kit.estimates import difference_of, grouped, mean_of
from vlnscope.benchmarks.kit.findings import (
    Figure,
    Findings,
    Kind,
    Panel,
    Series,
    Statement,
    Table,
    Wording,
    statement,
)
from vlnscope.core.exceptions import InputError, UnknownNameError
from vlnscope.core.files import file_digest
from vlnscope.reporting.page.plots import plot
from vlnscope.reporting.page.render import plot_library
from vlnscope.reporting.report_data import LeftOut, Report, ReportedAgent
from vlnscope.reporting.report_folder import NOT_DRAWN, draw, write_report
from vlnscope.reporting.sentences import number, sentence
from vlnscope.reporting.tables.markdown import markdown, markdown_report, markdown_table, markdown_text
from vlnscope.reporting.verdicts import verdicts
from vlnscope.types import ScoreRow

WORDS = Wording(above="more {value}", below="less {value}", unclear="unclear {value}", plain="is {value}")


@given(
    value=st.floats(-50, 50),
    reach=st.floats(0, 40),
    null=st.none() | st.floats(-50, 50),
)
def test_words_for_an_effect_need_an_interval_that_excludes_the_null(
    value: float, reach: float, null: float | None
) -> None:
    made = Statement(
        key="k", agent="a", value=value, low=value - reach, high=value + reach, null=null, wording=WORDS
    )
    word = sentence(made).split()[0]
    if null is None:
        assert word == "is"
    elif value - reach <= null <= value + reach:
        assert word == "unclear"
    else:
        assert word == ("more" if value > null else "less")


def test_without_an_interval_nothing_is_claimed() -> None:
    made = Statement(key="k", agent="a", value=9.0, null=0.0, wording=WORDS, reason="one scene")
    assert sentence(made) == "unclear 9.0 %"
    nothing = Statement(key="k", agent="a", value=None, null=0.0, wording=WORDS, reason="one scene")
    assert "one scene" in sentence(nothing)


def test_numbers() -> None:
    assert [number(x) for x in (12.345, -3.21, 0.256, -0.001, 0.0)] == ["12.3", "−3.2", "0.26", "0.00", "0.0"]


def rows(values: list[float], variant: str) -> list[ScoreRow]:
    return [
        ScoreRow(
            episode_id=f"{variant}{k}",
            scan=f"s{k}",
            path_id=str(k),
            values={"SR": value},
            groups={"variant": variant, "pair": str(k)},
        )
        for k, value in enumerate(values)
    ]


def test_estimates_pair_rows_and_keep_scenes_together() -> None:
    full, none = rows([1.0] * 7 + [0.0], "full"), rows([0.0] * 8, "none")
    found = grouped([*full, *none], "variant")
    assert list(found) == [("full",), ("none",)]
    gap = difference_of(found["full",], found["none",], "SR")
    assert (gap.mean, gap.n, gap.clusters, gap.units) == (0.875, 8, 8, ("scene",))
    assert mean_of(full, "SR").mean == 0.875
    assert mean_of(full, "SR").method == "cluster-t"
    few = [msgspec.structs.replace(row, scan="s") for row in full]
    assert mean_of(few, "SR").units == ("path",)
    alike = mean_of(full[:7], "SR")
    assert (alike.method, alike.high) == ("exact", 1.0)
    assert 0.4 < (alike.low or 0.0) < 0.6
    with pytest.raises(InputError, match=r"SR has values from 3\.0 to 3\.0"):
        mean_of(rows([3.0], "full"), "SR")
    made = statement("language.SR", "a", gap, WORDS)
    assert (made.value, made.null, made.unit) == (87.5, 0.0, "points")
    with pytest.raises(InputError, match="same half"):
        difference_of([*full, *full], none, "SR")
    with pytest.raises(InputError, match="no two rows"):
        difference_of(full, [], "SR")


def figure(kind: Kind) -> Figure:
    first = Series(name="a", x=(1, 2, 3), y=(0.5, None, 0.7), low=(0.4, None, 0.6), high=(0.6, None, 0.8))
    second = Series(name="b", x=(1, 2, 3), y=(0.1, 0.2, 0.3), role="reference", labels=("p", "q", "r"))
    words = Series(name="c", x=("left", "right"), y=(1.0, 2.0))
    panels = (Panel(title="one", series=(first, second)), Panel(title="two", series=(words,)))
    return Figure(name=f"f-{kind}", title="T", kind=kind, x="x", y="y (%)", panels=panels, caption="C")


@pytest.mark.parametrize("kind", get_args(Kind))
def test_every_kind_is_drawn_twice(kind: Kind, tmp_path: Path) -> None:
    shown = plot(figure(kind), ["a", "c"])
    assert shown is not None
    assert sum(len(panel["traces"]) for panel in shown.drawn["panels"]) >= (2 if kind == "heatmap" else 3)
    draw(figure(kind), tmp_path / "f.svg")
    assert (tmp_path / "f.svg").stat().st_size > 2000


def test_the_same_figure_gives_the_same_bytes(tmp_path: Path) -> None:
    for ending in ("svg", "png", "pdf"):
        for name in "fg":
            draw(figure("lines"), tmp_path / f"{name}.{ending}")
        drawn = [(tmp_path / f"{name}.{ending}").read_bytes() for name in "fg"]
        assert drawn[0] == drawn[1]
        assert len(drawn[0]) > 2000


def test_a_report_is_a_folder(tmp_path: Path) -> None:
    said = Statement(key="k", agent="a", value=9.0, low=8.0, high=10.0, null=0.0, wording=WORDS)
    columns = ("agent", "SR", "n")
    table = Table(name="fidelity-t", title="Scores", columns=columns, rows=(("a|b", 51.256, 1200),))
    found = Findings(
        benchmark="fidelity",
        data="sample/demo",
        agents=("a",),
        statements=(said,),
        tables=(table,),
        figures=(figure("bars"),),
        notes=("mind this",),
    )
    made = Report(
        title="T",
        data="sample/demo",
        agents=(ReportedAgent(name="a", identity="a:seed=0"),),
        findings=(found, found),
    )
    folder = write_report(made, tmp_path, formats=("md", "latex"))
    assert Report.load(folder / "findings.json") == made
    text = (folder / "README.md").read_text()
    for part in ("more 9.0 % [8.0, 10.0]", "| a\\|b | 51.26 | 1,200 |", "- mind this"):
        assert text.count(part) == 2
    for stem in ("fidelity", "fidelity-2"):
        assert f"(figures/{stem}-f-bars.svg)" in text
        assert (folder / "figures" / f"{stem}-f-bars.svg").is_file()
        assert (folder / "tables" / f"{stem}-t.md").read_text().startswith("| agent | SR | n |")
        assert f"\\label{{tab:{stem}-t}}" in (folder / "tables" / f"{stem}-t.tex").read_text()
    assert "jain2019stay" in (folder / "references.bib").read_text()
    assert not (folder / "report.html").exists()
    assert markdown(found).startswith("# fidelity: sample/demo")
    with pytest.raises(UnknownNameError):
        write_report(made, tmp_path, figures="gif")
    with pytest.raises(UnknownNameError):
        write_report(made, tmp_path, formats=("docx",))


def shown(tokens: list[Token]) -> str:
    """Return the text that a reader of Markdown sees; tags that it would pass on count as lost."""
    held = [child for token in tokens for child in token.children or []]
    assert all(child.type in ("text", "text_special", "softbreak") for child in held), held
    return "".join(child.content for child in held)


@given(st.text('ab1 _*`|<>&;#[]()~!\\-+=.:\n"', min_size=1, max_size=14))
@example("[a]: b")
@example("12. a")
@example("&lt;b>")
@example("a ##")
@example("---")
def test_markdown_shows_any_text_as_it_is(text: str) -> None:
    line = " ".join(text.split())
    reader = MarkdownIt("commonmark").enable(["table", "strikethrough"])
    if not line:
        return
    for begin, kind in (("# ", "heading_open"), ("- ", "bullet_list_open"), ("", "paragraph_open")):
        tokens = reader.parse(f"{begin}{markdown_text(text)}\n")
        assert tokens[0].type == kind
        assert len([token for token in tokens if token.type == "inline"]) == 1
        assert shown(tokens) == line
    table = Table(name="t", title="T", columns=(text, "b"), rows=((text, "c"),))
    cells = [token for token in reader.parse(markdown_table(table)) if token.type == "inline"]
    assert [shown([cell]) for cell in cells] == [line, "b", line, "c"]


def test_pdfs_are_linked_and_not_shown() -> None:
    found = Findings(benchmark="b", data="d", agents=("a",), figures=(figure("bars"),))
    for ending, begin in (("svg", "!["), ("png", "!["), ("pdf", "[")):
        lines = markdown(found, {"f-bars": f"figures/f.{ending}"}).splitlines()
        assert f"{begin}T](figures/f.{ending})" in lines


def test_without_matplotlib_the_page_alone_shows_figures(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(sys.modules, "matplotlib.figure", None)
    found = Findings(benchmark="b", data="d", agents=("a",), figures=(figure("bars"),))
    made = Report(title="T", data="d", agents=(ReportedAgent(name="a", identity="a"),), findings=(found,))
    out = tmp_path / "report"
    with pytest.raises(InputError, match="matplotlib is not installed"):
        write_report(made, out, figures="svg")
    assert not out.exists()
    write_report(made, out)
    assert f"{NOT_DRAWN}; report.html shows them" in (out / "README.md").read_text()
    assert "figures/" not in (out / "report.tex").read_text()
    assert "data-plot=" in (out / "report.html").read_text()
    assert not (out / "figures").exists()


def test_verdicts_open_a_report() -> None:
    able: dict[str, Any] = {"topic": "left", "worst": 0.0, "best": 100.0}
    said = [
        Statement(
            key="k",
            agent=agent,
            value=v,
            low=max(v - 5, 0),
            high=v + 5,
            wording=Wording(plain="{value}"),
            **able,
        )
        for agent, v in (("good", 90.0), ("bad", 4.0))
    ]
    wide = Statement(
        key="w", agent="bad", value=50.0, low=0.0, high=100.0, wording=WORDS, **able | {"topic": "right"}
    )
    found = Findings(benchmark="nuances", data="d", agents=("good", "bad"), statements=(*said, wide))
    made = Report(
        title="T",
        data="d",
        agents=tuple(ReportedAgent(name=name, identity=name) for name in found.agents),
        findings=(found,),
        verdicts=tuple(verdict for name in found.agents for verdict in verdicts([found], name)),
        left_out=(LeftOut(benchmark="tours", agents=("bad",), reason="no tours", remedy="log them"),),
    )
    text = markdown_report(made)
    topic = abilities()["left"]
    assert f"- **{topic.can}** (can; nuances: 90.0 % of the best): 90.0 % [85.0, 95.0]" in text
    assert text.index(topic.cannot) < text.index("unclear whether it") < text.index("## nuances: d")
    assert "- tours (bad): no tours; log them" in text


def test_the_plot_library_is_the_one_that_was_fetched() -> None:
    folder = fetch_assets.FOLDER
    note = json.loads((folder / "plotly-cartesian.json").read_text())
    assert (note["package"], note["version"]) == (fetch_assets.PACKAGE, fetch_assets.VERSION)
    assert note["integrity"] == fetch_assets.INTEGRITY
    for name, digest in note["sha256"].items():
        assert file_digest(folder / name) == digest
    assert "MIT" in (folder / "plotly-cartesian.LICENSE").read_text()
    assert plot_library().source.startswith("/**\n* plotly.js (cartesian - minified) v4")
