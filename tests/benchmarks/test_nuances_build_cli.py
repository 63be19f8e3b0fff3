"""`vlnscope build nuances`: cases, files, the page for people, and their verdicts."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from typer.testing import CliRunner

from vlnscope.benchmarks.kit.case_set import CaseSet
from vlnscope.benchmarks.nuances.build.cases import build_cases
from vlnscope.benchmarks.nuances.review.page import write_review
from vlnscope.benchmarks.nuances.review.verdict_files import REJECTED, ReviewVerdict, read_verdicts, reviewed
from vlnscope.cli.main import app
from vlnscope.core.exceptions import InputError
from vlnscope.episodes.datasets.dataset import open_dataset

HOUSE = ["--data", "houses/nuances@1", "--categories", "DC,RR"]


def _build(*options: str) -> dict[str, object]:
    result = CliRunner().invoke(app, ["build", "nuances", *options, "--json"])
    assert result.exit_code == 0, result.output
    found: dict[str, object] = json.loads(result.stdout)
    return found


def test_build_review_and_reject(tmp_path: Path) -> None:
    page = tmp_path / "look.html"
    told = _build(*HOUSE, "--out", str(tmp_path / "all"), "--review", str(page), "--review-most", "4")
    made = CaseSet.load(tmp_path / "all")
    assert told["cases"] == len(made.cases) > 20
    assert (tmp_path / "all" / "R2R_DC.json").is_file()
    text = page.read_text()
    shown = [case for case in made.cases if case.case_id in text]
    assert shown
    assert text.count("<svg") >= 4 == text.count("data:image/jpeg")
    assert "http" not in text.replace("http://www.w3.org/", "")
    for case in shown:
        assert case.episode.instruction in text
    verdicts = tmp_path / "verdicts.jsonl"
    verdicts.write_text(
        json.dumps({"case_id": shown[0].case_id, "verdict": "reject"})
        + "\n"
        + json.dumps({"case_id": shown[-1].case_id, "verdict": "accept"})
        + "\n"
    )
    told = _build(*HOUSE, "--out", str(tmp_path / "some"), "--verdicts", str(verdicts))
    kept = CaseSet.load(tmp_path / "some")
    assert [case for case in made.cases if case.case_id != shown[0].case_id] == list(kept.cases)
    assert told["losses"][-1] == {"filter": REJECTED, "before": len(made.cases), "after": len(made.cases) - 1}  # type: ignore[index]


def test_tables_on_the_sample(tmp_path: Path) -> None:
    result = CliRunner().invoke(app, ["build", "nuances", "--data", "sample/demo", "--out", str(tmp_path)])
    assert result.exit_code == 0
    assert "DC: junctions drawn" in result.stdout
    assert "NU needs the layer" in result.stdout


@pytest.mark.parametrize(
    ("options", "message"),
    [
        (["--categories", "DC,QQ"], "category of NavNuances"),
        (["--most", "DC=many"], "cannot be read"),
        (["--categories", "VM"], "no item of VM can be built"),
        (["--verdicts", "nowhere.csv"], "nowhere.csv"),
    ],
)
def test_bad_options_are_explained(tmp_path: Path, options: list[str], message: str) -> None:
    arguments = ["build", "nuances", "--data", "sample/demo", "--out", str(tmp_path / "out"), *options]
    result = CliRunner().invoke(app, arguments)
    assert isinstance(result.exception, InputError | SystemExit)
    told = result.output + str(getattr(result.exception, "what", ""))
    assert message in told
    assert not (tmp_path / "out").exists()


def test_a_page_without_pictures_for_scenes_that_cannot_be_drawn(tmp_path: Path) -> None:
    sample = open_dataset("sample/demo")
    made = build_cases(sample)
    assert sample.scenes is not None
    assert write_review(made, sample.scenes, tmp_path / "page.html", most=0, seed=0) == len(made.cases)
    text = (tmp_path / "page.html").read_text()
    assert "<svg" in text
    assert "data:image" not in text


def test_verdicts_as_csv(tmp_path: Path) -> None:
    path = tmp_path / "verdicts.csv"
    path.write_text("case_id,verdict,reason\na,reject,cannot be seen\nb,accept,\n")
    assert read_verdicts(path) == [
        ReviewVerdict("a", "reject", "cannot be seen"),
        ReviewVerdict("b", "accept"),
    ]


@pytest.mark.parametrize(
    "text",
    ["case_id,verdict\na,maybe\n", "case_id,verdict\na,reject\na,accept\n", "{nonsense\n", "a;b\n1;2\n"],
)
def test_bad_verdicts_are_refused(tmp_path: Path, text: str) -> None:
    path = tmp_path / "verdicts.txt"
    path.write_text(text)
    with pytest.raises(InputError):
        read_verdicts(path)


def test_verdicts_on_other_items_are_refused() -> None:
    made = build_cases(open_dataset("sample/demo"))
    with pytest.raises(InputError, match="none of the"):
        reviewed(made, [ReviewVerdict("elsewhere", "reject")])
