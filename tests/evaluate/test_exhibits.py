"""Figures and tables of papers by name: `vlnscope paper`."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from commands import Cli
from vlnscope.benchmarks.kit.findings import Findings
from vlnscope.core import registry
from vlnscope.core.exceptions import InputError, UnknownNameError
from vlnscope.engine.run import run
from vlnscope.evaluate.benchmarking import build
from vlnscope.evaluate.exhibit import make_exhibit


@pytest.fixture(scope="module")
def runs(tmp_path_factory: pytest.TempPathFactory) -> list[Path]:
    """Two agents on a tour of a house."""
    folder = tmp_path_factory.mktemp("tours")
    build("tours", "houses/val_unseen@1", out=folder / "cases", max_tours=1)
    for agent in ("random", "noisy:p=0.4"):
        run(agent, cases=folder / "cases", out=folder / agent.partition(":")[0])
    return [folder / "random", folder / "noisy"]


def test_every_exhibit_says_what_it_is() -> None:
    known = registry.everything("exhibit")
    assert {"behavior-figure-2", "behavior-figure-4", "tours-figure-3", "tours-figure-6"} <= set(known)
    for name, exhibit in known.items():
        assert exhibit.name == name
        assert exhibit.title
        assert exhibit.paper


def test_figures_of_data_are_drawn(cli: Cli, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    told = cli("paper", "behavior-figure-2", "--data", "sample/demo", "--out", "two.svg")
    assert told.code == 0
    assert "written to two.svg" in told.out
    assert Path("two.svg").read_text("utf-8").startswith("<?xml")
    assert cli("paper", "behavior-figure-4", "--data", "houses/val_unseen@1").code == 0
    assert Path("behavior-figure-4.png").read_bytes()[:4] == b"\x89PNG"


def test_data_of_a_figure_are_kept(cli: Cli, tmp_path: Path) -> None:
    out = tmp_path / "two.json"
    told = cli("paper", "behavior-figure-2", "--data", "sample/demo", "--out", out, "--json")
    made = Findings.load(out)
    assert json.loads(told.out)["written"] == [str(out)]
    assert made.figures[0].name == json.loads(told.out)["exhibit"]["figures"][0]["name"]


def test_tours_are_drawn_on_maps(runs: list[Path]) -> None:
    whole = make_exhibit("tours-figure-1", runs=(runs[0],), most=4).figures[0]
    assert {series.name for panel in whole.panels for series in panel.series if series.role == "ordered"} == {
        f"episode {k}" for k in range(1, 5)
    }
    same = make_exhibit("tours-figure-1", data="houses/val_unseen@1", most=4).figures[0]
    assert len(same.panels) >= 1
    three = make_exhibit("tours-figure-3", runs=(runs[1],)).figures[0]
    assert (three.kind, len(three.panels)) == ("map", 3)
    six = make_exhibit("tours-figure-6", runs=tuple(runs), most=2).figures[0]
    assert six.columns == len({panel.note for panel in six.panels})
    assert len(six.panels) == 2 * six.columns


def test_what_is_missing_is_said(runs: list[Path], tmp_path: Path, cli: Cli) -> None:
    with pytest.raises(UnknownNameError, match="behavior-figure-2"):
        make_exhibit("behavior-figure-22")
    with pytest.raises(InputError, match="made of data, and none is given"):
        make_exhibit("behavior-figure-2")
    with pytest.raises(InputError, match="made of runs"):
        make_exhibit("tours-figure-3", data="sample/demo")
    with pytest.raises(InputError, match="does not exist"):
        make_exhibit("tours-figure-3", runs=(tmp_path / "no",))
    with pytest.raises(InputError, match="no episode in attic"):
        make_exhibit("tours-figure-1", data="houses/val_unseen@1", scene="attic")
    build("tours", "houses/val_unseen@1", out=tmp_path / "other", max_tours=1, seed=5)
    run("random", cases=tmp_path / "other", out=tmp_path / "again")
    with pytest.raises(InputError, match="different cases"):
        make_exhibit("tours-figure-6", runs=(runs[0], tmp_path / "again"))
    told = cli("paper", "behavior-figure-2", "--data", "sample/demo", "--out", tmp_path / "f.gif")
    assert told.code == 2
    assert ".svg, .pdf, .png, .json" in told.err


def test_random_rows_stand_beside_the_published_ones(data_root: Path, shared: Path) -> None:
    """Within four standard errors of both samples (the fixture walked 60,000 times)."""
    fixture = json.loads((shared / "fixtures" / "random_agent_r2r_r4r.json").read_text())["results"]
    (table,) = make_exhibit("fidelity-random", data="r2r/val_seen", root=data_root, most=20_000).tables
    rows = {(row[0], row[1]): row[2:] for row in table.rows}
    assert rows["as-is", "published"] == (10.4, 9.82, 5.0, 3.7, 29.4)
    assert rows["R4R", "published"] == (21.8, 11.4, 13.1, 2.0, 23.1)
    for paths, agent, name in (("as-is", "random", "R2R"), ("R4R", "random:edges=r4r", "R4R")):
        found, errors = rows[paths, agent], rows[paths, "standard error"]
        wanted = [fixture[f"{name}_val_seen"][key] for key in ("PL", "NE", "SR", "SPL", "CLS")]
        scaled = [value * (1.0 if k < 2 else 100.0) for k, value in enumerate(wanted)]
        for mean, error, official in zip(found, errors, scaled, strict=True):
            assert abs(float(mean or 0) - official) < 4 * 1.2 * float(error or 0), (paths, mean, official)


def test_random_rows_of_other_data_have_nothing_to_stand_beside() -> None:
    (table,) = make_exhibit("fidelity-random", data="houses/val_unseen@1", most=500).tables
    assert [row[1] for row in table.rows] == [
        "random",
        "standard error",
        "random:edges=r4r",
        "standard error",
    ]
