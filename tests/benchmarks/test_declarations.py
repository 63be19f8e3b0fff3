"""Findings are declared in TOML files; the kit fills in words and numbers."""

from importlib import resources
from pathlib import Path

import msgspec
import pytest

from vlnscope.benchmarks.kit.declarations import FILE, Declarations, declarations
from vlnscope.benchmarks.kit.findings import Series
from vlnscope.stats.interval import SHARE, Interval

TOML = """
[statements.level]
key = "level.{metric}"
plain = "reaches {value} of {n} {what}"
weight = 0.7
metric = "{metric}"

[tables.scores]
title = "Scores of {data}"
columns = ["agent", "SR (%)"]
notes = ["means over {data}"]

[figures.bars-of-agent]
title = "Bars of {agent}"
kind = "bars"
x = "what"
y = "%"
"""


@pytest.fixture
def declared() -> Declarations:
    return msgspec.toml.decode(TOML, type=Declarations)


def test_statement_keeps_places_of_numbers_and_fills_in_words(declared: Declarations) -> None:
    rate = Interval(
        mean=0.5, low=0.25, high=0.75, n=8, undefined=0, clusters=8, units=("scene",), within=SHARE
    )
    said = declared.statement("level", "mine", rate, {"metric": "SR", "what": "goals"}, episodes=("a",))
    assert (said.key, said.metric, said.value, said.weight) == ("level.SR", "SR", 50.0, 0.7)
    assert said.wording.plain == "reaches {value} of {n} goals"
    assert said.episodes == ("a",)


def test_tables_and_figures_are_filled_in(declared: Declarations) -> None:
    table = declared.table("scores", [("mine", 50.0)], data="r2r")
    assert (table.name, table.title, table.notes) == ("scores", "Scores of r2r", ("means over r2r",))
    figure = declared.figure("bars-of-agent", {"left": [Series(name="a", y=(1.0,))], "right": []}, agent="x")
    assert figure.title == "Bars of x"
    assert [(panel.title, len(panel.series)) for panel in figure.panels] == [("left", 1), ("right", 0)]


def test_unknown_members_are_refused() -> None:
    with pytest.raises(msgspec.ValidationError, match="wieght"):
        msgspec.toml.decode(TOML.replace("weight", "wieght"), type=Declarations)


@pytest.mark.parametrize("name", ["behavior", "errors", "fidelity", "nuances", "outcomes", "tours"])
def test_all_that_is_declared_is_used(name: str) -> None:
    package = f"vlnscope.benchmarks.{name}.findings"
    code = "\n".join(file.read_text() for file in Path(str(resources.files(package))).parent.rglob("*.py"))
    declared = declarations(package)
    assert (resources.files(package) / FILE).is_file()
    for key in (*declared.statements, *declared.tables, *declared.figures):
        assert key.rpartition("-")[2] in code, key
