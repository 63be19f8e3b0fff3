"""Files of published agents as they are found: what each is for, what it allows to say, and the page."""

from __future__ import annotations

import json
import shutil
from pathlib import Path
from typing import Any

import pytest

import vlnscope as vs
from commands import Cli
from vlnscope.core.exceptions import InputError
from vlnscope.core.rng import rng_for
from vlnscope.evaluate.published.file_data import KnownSplits, file_records
from vlnscope.evaluate.published.files import PublishedFile, published_files, read_published, short_name
from vlnscope.evaluate.published.published import PublishedAgents, published
from vlnscope.evaluate.published.words import spoken_of, telling_words
from vlnscope.types import ScoreRow

SAMPLE = Path(vs.__file__).parent / "sample"
POINTER = "version https://git-lfs.github.com/spec/v1\noid sha256:00\nsize 12\n"


def _write(path: Path, content: Any) -> None:
    path.write_text(content if isinstance(content, str) else json.dumps(content))


@pytest.fixture(scope="module")
def root(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The sample as a data folder, with files of several kinds in agent_predictions."""
    folder = tmp_path_factory.mktemp("published")
    for name in ("connectivity", "r2r"):
        shutil.copytree(SAMPLE / name, folder / name)
    files = folder / "agent_predictions"
    files.mkdir()
    walked: list[dict[str, Any]] = json.loads((SAMPLE / "predictions" / "walker.json").read_text())
    _write(files / "walker_val_seen.json", walked)
    summary = {"success_rate": 0.5, "spl": 0.4}
    _write(files / "few.json", [summary, *walked[:12]])
    stated = {record["instr_id"]: {"success": k % 2, "spl": 0.5 * (k % 2)} for k, record in enumerate(walked)}
    _write(files / "stated.json", stated)
    chosen = [record | {"instr_id": f"9{k}_0", "predObjId": k} for k, record in enumerate(walked)]
    _write(files / "objects_test.json", chosen)
    _write(files / "pointer.json", POINTER)
    return folder


@pytest.fixture(scope="module")
def found(root: Path, tmp_path_factory: pytest.TempPathFactory) -> PublishedAgents:
    return published(out=tmp_path_factory.mktemp("page") / "out", root=root)


def _file(found: PublishedAgents, name: str) -> PublishedFile:
    return next(file for file in found.files if file.path.name.startswith(name))


def test_each_file_finds_its_split(found: PublishedAgents) -> None:
    for name, count in (("walker", 90), ("few", 12), ("stated", 90)):
        file = _file(found, name)
        assert file.data is not None
        assert file.data.dataset.name == "r2r/demo"
        assert file.score is not None
        assert file.score.n == count
    assert _file(found, "objects").data is None


def test_scores_are_those_of_score(found: PublishedAgents, root: Path) -> None:
    file = _file(found, "walker")
    assert file.score is not None
    assert file.score.intervals == vs.score(file.path, "r2r/demo", root=root).intervals


def test_what_cannot_be_said_is_said_in_a_sentence(found: PublishedAgents) -> None:
    left_out = {(one.benchmark, *one.agents): one.reason for one in found.report.left_out}
    assert "states metrics of episodes and no walks" in left_out["outcomes and fidelity", "stated"]
    assert "targets are not public" in left_out["scores", "objects"]
    (unread,) = _file(found, "pointer").remarks
    assert unread.startswith("it could not be read: ")
    assert "git lfs pull" in unread
    assert any("78 of the 90 episodes" in remark for remark in _file(found, "few").remarks)
    assert any("authors' own summary" in remark for remark in _file(found, "few").remarks)


def test_a_submission_without_targets_is_counted(found: PublishedAgents) -> None:
    first, *_ = _file(found, "objects").facts
    assert first.startswith("its 90 walks are ")
    walker = _file(found, "walker")
    assert walker.score is not None
    length = walker.score.to_dict()["metrics"]["TL"]["mean"]
    assert f"{length:.2f} m" in first


def test_walks_are_diagnosed_and_the_page_opens_with_all_files(found: PublishedAgents) -> None:
    benchmarks = [findings.benchmark for findings in found.report.findings]
    assert benchmarks[0] == "overview"
    assert {"scores", "outcomes", "fidelity"} <= set(benchmarks)
    outcomes = next(one for one in found.report.findings if one.benchmark == "outcomes")
    assert set(outcomes.agents) == {"walker", "few"}
    page = (found.folder / "report.html").read_text()
    assert page.index('id="overview"') < page.index('id="summary"')
    assert "What the files hold, and what they do not say" in page
    for link in found.report.links:
        assert (found.folder / link.evidence).is_file()
        assert (found.folder / link.scores).is_file()


def test_pairs_are_compared_on_the_episodes_that_both_have(found: PublishedAgents, root: Path) -> None:
    tables = {table.name: table for table in found.report.findings[0].tables}
    rows = [dict(zip(tables["pairs"].columns, row, strict=True)) for row in tables["pairs"].rows]
    pair = next(row for row in rows if {"walker", "few"} == {row["first agent"], row["second agent"]})
    assert (pair["metric"], pair["episodes"], pair["difference"]) == ("SR", 12, 0.0)
    files = root / "agent_predictions"
    compared = vs.compare(
        f"walker={files / 'walker_val_seen.json'}",
        f"stated={files / 'stated.json'}",
        data="r2r/demo",
        root=root,
    )
    theirs = next(one for one in compared.pairs if one.metric == "SR").to_dict()
    ours = next(row for row in rows if {"walker", "stated"} == {row["first agent"], row["second agent"]})
    assert abs(float(ours["difference"] or 0.0)) == pytest.approx(abs(theirs["difference"]))


def test_the_command_prints_all_files(root: Path, tmp_path: Path, cli: Cli) -> None:
    files = root / "agent_predictions"
    asked = (f"a={files / 'walker_val_seen.json'}", files / "stated.json", "--root", root)
    printed = cli("published", *asked, "--out", tmp_path / "one", "--json").data
    assert [row["agent"] for row in printed["files"]] == ["a", "stated"]
    assert printed["files"][1]["profile"] == "as stated"
    again = cli("published", *asked, "--out", tmp_path / "one")
    assert again.code == 2
    assert "holds other things" in again.err


def test_no_files_and_twins_are_refused(root: Path, tmp_path: Path) -> None:
    with pytest.raises(InputError, match="no prediction files"):
        published_files((), tmp_path)
    with pytest.raises(InputError, match="no such file"):
        published_files((tmp_path / "none.json",), root)
    file = root / "agent_predictions" / "few.json"
    with pytest.raises(InputError, match="two files are called"):
        published_files((f"a={file}", f"a={file}"), root)


def test_names_are_short_and_tell_splits_apart(tmp_path: Path) -> None:
    assert short_name(Path("AGENT_seq2seq_val_unseen_iter_36000.json.gz")) == "AGENT seq2seq iter"
    (tmp_path / "agent_predictions").mkdir()
    for split in ("val_seen", "val_unseen"):
        _write(tmp_path / "agent_predictions" / f"mine_{split}.json", [])
    assert list(published_files((), tmp_path)) == ["mine (val_seen)", "mine (val_unseen)"]


def test_words_that_go_with_failure_are_found() -> None:
    rows, texts = [], {}
    for k in range(240):
        name, stairs = str(k), k % 3 == 0
        texts[name] = "Go up the stairs to the lamp." if stairs else "Walk to the lamp by the sofa."
        rate = 0.2 if stairs else 0.8
        success = float(rng_for(7, name).random() < rate)
        rows.append(ScoreRow(episode_id=name, scan=f"s{k % 10}", path_id=name, values={"SR": success}))
    told = telling_words(rows, texts)
    first = next(word for word in told if word.word == "stairs")
    assert first.p < 0.01
    assert first.difference.mean == pytest.approx(first.with_it - first.without)
    assert first.difference.high is not None
    assert first.difference.high < 0
    assert "lamp" not in {word.word for word in told}  # all speak of it
    assert telling_words([row for row in rows if row.scan < "s3"], texts) == []
    assert {"left", "second", "sofa"} <= spoken_of("Past the second couch turn left.")


REAL = {
    "CWP_CMA": ("r2r-ce/val_unseen", 1839, 40.84),
    "CWP_VLNBERT": ("r2r-ce/val_unseen", 1839, 44.05),
    "NaviLLM": ("r2r/val_seen", 1021, 73.56),
    "PREVALENT_seq2seq_teacher_imagenet_val_seen": ("r2r/val_seen", 1021, 66.11),
    "PREVALENT_seq2seq_teacher_imagenet_val_unseen": ("r2r/val_unseen", 2349, 60.15),
    "R2R_seq2seq": ("r2r/val_unseen", 24, 20.83),
    "glove": ("r2r-ce/val_unseen", 420, None),
    "matterport3dsim": ("r2r/val_unseen", 2349, 100.0),
}


def test_the_shared_files_of_real_agents(data_root: Path) -> None:
    splits = KnownSplits(data_root)
    files = published_files((), data_root)
    found = {path.name: read_published(name, path, splits) for name, path in files.items()}
    for start, (data, count, rate) in REAL.items():
        file = next(file for name, file in found.items() if name.startswith(start))
        assert file.data is not None
        assert file.data.dataset.name == data
        assert file.score is not None
        assert file.score.n == count
        mean = file.score.to_dict()["metrics"]["SR"]["mean"]
        assert mean is None if rate is None else round(mean, 2) == rate
    submission = next(file for name, file in found.items() if name.startswith("RoomTour3D"))
    assert submission.data is None
    assert submission.facts == (
        "its 6,292 walks are 14.24 m and 7.72 moves long on average",
        "6,292 of them choose an object; 87.7 % of these objects can be seen from where the agent stops, by "
        "REVERIE's boxes",
    )
    records = file_records(files["glove result sim"])
    assert records.in_space
