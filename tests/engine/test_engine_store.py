"""The folder of a run: nothing finished is lost, nothing foreign is touched; shards are joined whole."""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
from pathlib import Path
from typing import Any

import msgspec
import pytest

import vlnscope
from vlnscope import _version
from vlnscope.core.exceptions import DataNotFoundError, InputError
from vlnscope.engine.merge import merge
from vlnscope.engine.run import Run, run
from vlnscope.engine.store import evidence_log, provenance
from vlnscope.engine.store.evidence_log import EvidenceLog, read_log
from vlnscope.engine.store.run_folder import EVIDENCE, LOCK, RECORD, Store, read_record
from vlnscope.episodes.formats.evidence import EvidenceLine
from vlnscope.episodes.reading import read_predictions
from vlnscope.evaluate.score.score import score
from vlnscope.types import Decision, Observation

DATA = "sample/demo"


def line(name: str, failed: str | None = None) -> EvidenceLine:
    return EvidenceLine(v=2, case_id=name, episode_id=name, path=("a", "b"), failed=failed)


def plain(path: Path) -> bytes:
    """Evidence without what differs from run to run."""
    return re.sub(rb',"seconds":[^,}]*', b"", path.read_bytes())


def noisy(out: Path, **more: Any) -> Run:
    return run("noisy:p=0.3", DATA, out=out, **({"limit": 12} | more))


def cut_back(folder: Path, lines: int) -> None:
    """Make a run look as if it had been killed after some cases."""
    path = folder / EVIDENCE
    path.write_bytes(b"".join(path.read_bytes().splitlines(keepends=True)[:lines]))
    record = json.loads((folder / RECORD).read_text())
    (folder / RECORD).write_text(json.dumps(record | {"finished": None, "failed": None}))


# The file that grows.


def test_what_is_appended_can_be_read_at_once(tmp_path):
    path = tmp_path / "e.jsonl"
    log = EvidenceLog(path)
    log.append([line("b"), line("a", "broke")])
    assert list(read_log(path)) == ["b", "a"]
    log.append([line("c")])
    log.rewrite()
    assert list(read_log(path)) == ["a", "b", "c"]
    again = EvidenceLog(path)
    assert [name for name, place in again.places.items() if place.failed] == ["a"]
    again.rewrite(without={"a"})
    assert list(read_log(path)) == ["b", "c"]


@pytest.mark.parametrize("cut", range(1, 40, 3))
def test_a_last_line_that_is_cut_off_is_removed_and_the_rest_kept(tmp_path, cut):
    path = tmp_path / "e.jsonl"
    log = EvidenceLog(path)
    log.append([line("a"), line("b")])
    log.close()
    whole = path.read_bytes()
    path.write_bytes(whole[:-cut])
    assert list(read_log(path)) == (["a", "b"] if cut == 1 else ["a"])
    log = EvidenceLog(path)
    log.append([line("c")] if cut == 1 else [line("b"), line("c")])
    log.rewrite()
    assert path.read_bytes().startswith(whole)
    assert list(read_log(path)) == ["a", "b", "c"]


@pytest.mark.parametrize(
    "damage", [b"\x00" * 9 + b"\n", b'{"v":2}\n', b'{"v":9,"case_id":"x","episode_id":"x"}\n']
)
def test_damage_before_the_end_is_reported_and_left_alone(tmp_path, damage):
    path = tmp_path / "e.jsonl"
    log = EvidenceLog(path)
    log.append([line("a")])
    log.close()
    content = path.read_bytes() + damage + path.read_bytes().replace(b'"a"', b'"b"', 2)
    path.write_bytes(content)
    with pytest.raises(InputError, match="line 2 is damaged"):
        EvidenceLog(path)
    assert path.read_bytes() == content


def test_a_case_that_stands_twice_is_damage(tmp_path):
    path = tmp_path / "e.jsonl"
    log = EvidenceLog(path)
    log.append([line("a")])
    log.close()
    path.write_bytes(path.read_bytes() * 2)
    with pytest.raises(InputError, match="line 2 is damaged"):
        read_log(path)


def test_a_full_disk_leaves_whole_lines(tmp_path, monkeypatch):
    path = tmp_path / "e.jsonl"
    log = EvidenceLog(path)
    log.append([line("a")])
    before = path.read_bytes()
    real = os.write

    def half(handle: int, data: bytes) -> int:
        if half.full:  # type: ignore[attr-defined]
            raise OSError(28, "No space left on device")
        half.full = True  # type: ignore[attr-defined]
        return real(handle, bytes(data)[: len(data) // 2])

    half.full = False  # type: ignore[attr-defined]
    monkeypatch.setattr(evidence_log.os, "write", half)
    with pytest.raises(InputError, match="No space left on device") as caught:
        log.append([line("b")])
    assert "--resume" in caught.value.fix
    assert path.read_bytes() == before


# The folder.


def test_a_run_says_all_that_one_must_know_to_repeat_it(tmp_path):
    found = noisy(tmp_path / "run", seed=4, max_steps=9)
    record = json.loads((tmp_path / "run" / RECORD).read_text())
    assert record["v"] == 1
    assert record["vlnscope"] == vlnscope.__version__
    assert record["agent"]["identity"].startswith("noisy:")
    assert "seed=4" in record["agent"]["identity"]
    assert record["agent"]["privileged"] is True
    assert record["data"]["name"] == DATA
    assert re.fullmatch("[0-9a-f]{64}", record["data"]["files"])
    assert record["rules"] == {"max_steps": 9, "sample": False, "log": "scored", "seed": 4, "oracle": "whole"}
    assert record["cases"]["count"] == record["size"] == 12
    assert record["config"]["executor"] == "serial"
    assert record["config"]["limit"] == 12
    assert {"python", "numpy", "system", "processors"} <= record["machine"].keys()
    assert record["started"] <= record["finished"]
    assert record["failed"] == 0
    assert found.record == read_record(tmp_path / "run")


def test_the_revision_is_of_a_checkout_only(tmp_path, monkeypatch):
    monkeypatch.setattr(_version, "__file__", str(tmp_path / "vlnscope" / "_version.py"))
    (tmp_path / "vlnscope").mkdir()
    (tmp_path / "vlnscope" / "_version.py").touch()
    subprocess.run(["git", "init", "-q", str(tmp_path)], check=True)
    assert provenance.revision() is None, "a file that another project's git does not know"
    identity = ["-c", "user.name=n", "-c", "user.email=e@x", "-c", "commit.gpgsign=false"]
    subprocess.run(["git", "-C", str(tmp_path), "add", "."], check=True)
    subprocess.run(["git", "-C", str(tmp_path), *identity, "commit", "-qm", "m"], check=True)
    assert re.fullmatch("[0-9a-f]{40}", provenance.revision() or "")
    (tmp_path / "vlnscope" / "_version.py").write_text("changed")
    assert re.fullmatch(r"[0-9a-f]{40}\+", provenance.revision() or "")


def test_a_run_can_be_gone_on_with_from_every_case(tmp_path):
    noisy(tmp_path / "whole")
    for done in (0, 1, 7, 11, 12):
        folder = tmp_path / str(done)
        noisy(folder)
        cut_back(folder, done)
        noisy(folder, resume=True)
        assert plain(folder / EVIDENCE) == plain(tmp_path / "whole" / EVIDENCE)
        assert read_record(folder).finished is not None


def test_what_is_stored_is_not_run_again(tmp_path):
    asked: list[str] = []

    class Counting:
        def act(self, observation: Observation) -> Decision:
            asked.append(observation.episode_id)
            return Decision.stop(observation)

    run(Counting(), DATA, out=tmp_path / "run", limit=6)
    cut_back(tmp_path / "run", 4)
    before = len(asked)
    run(Counting(), DATA, out=tmp_path / "run", limit=6, resume=True)
    assert len(asked) - before == 2


def test_resume_begins_a_run_that_is_not_there(tmp_path):
    folder = tmp_path / "deep" / "run"
    assert len(noisy(folder, resume=True).lines()) == 12


def test_a_run_killed_before_it_wrote_anything_can_be_begun(tmp_path):
    (tmp_path / LOCK).touch()
    (tmp_path / f".{RECORD}.x.part").touch()
    assert len(noisy(tmp_path).lines()) == 12


def test_a_run_is_not_written_over(tmp_path):
    noisy(tmp_path / "run")
    before = (tmp_path / "run" / EVIDENCE).read_bytes()
    with pytest.raises(InputError, match="there is a run of noisy") as caught:
        noisy(tmp_path / "run")
    assert "--resume" in caught.value.fix
    assert (tmp_path / "run" / EVIDENCE).read_bytes() == before


def test_a_folder_with_other_things_is_left_alone(tmp_path):
    (tmp_path / "thesis.tex").touch()
    with pytest.raises(InputError, match=r"holds other things \(thesis.tex\)"):
        noisy(tmp_path)


@pytest.mark.parametrize(
    ("changes", "said"),
    [
        ({"agent": "noisy:p=0.4"}, "agent identity is noisy"),
        ({"seed": 1}, "agent identity is .*seed=0.*rules seed is 0, not 1"),
        ({"limit": 13}, "cases count is 12, not 13"),
        ({"max_steps": 3}, "rules max_steps is 15, not 3"),
        ({"sample": True}, "rules sample is False, not True"),
        ({"shard": "1/2"}, "shard is None, not 1/2"),
    ],
)
def test_another_run_is_not_gone_on_with(tmp_path, changes, said):
    noisy(tmp_path / "run")
    before = (tmp_path / "run" / EVIDENCE).read_bytes()
    arguments = {"agent": "noisy:p=0.3", "limit": 12} | changes
    with pytest.raises(InputError, match=said):
        run(arguments.pop("agent"), DATA, out=tmp_path / "run", resume=True, **arguments)
    assert (tmp_path / "run" / EVIDENCE).read_bytes() == before


def test_other_data_of_the_same_name_are_noticed(tmp_path):
    source = Path(vlnscope.__file__).parent / "sample"
    episodes = json.loads((source / "r2r" / "R2R_demo.json").read_text())
    file = tmp_path / "mine.json"
    file.write_text(json.dumps(episodes))
    run("stop", file, root=source, out=tmp_path / "run")
    episodes[0]["instructions"][0] = "Go somewhere else."
    file.write_text(json.dumps(episodes))
    with pytest.raises(InputError, match=r"data files is .*cases digest is"):
        run("stop", file, root=source, out=tmp_path / "run", resume=True)


@pytest.mark.parametrize(
    ("change", "said"),
    [
        ({"v": 2}, "is of layout 2"),
        ({"vlnscope": "9.9"}, "vlnscope is 9.9, not"),
        ({"agent": 3}, "is damaged"),
    ],
)
def test_runs_of_other_versions_and_damaged_ones_are_left_alone(tmp_path, change, said):
    noisy(tmp_path / "run")
    path = tmp_path / "run" / RECORD
    path.write_text(json.dumps(json.loads(path.read_text()) | change))
    before = path.read_text()
    with pytest.raises(InputError, match=said):
        noisy(tmp_path / "run", resume=True)
    assert path.read_text() == before
    path.write_text("{")
    with pytest.raises(InputError, match="is damaged"):
        noisy(tmp_path / "run", resume=True)


def test_two_writers_do_not_meet(tmp_path):
    found = noisy(tmp_path / "run")
    with Store(found.folder, found.record, resume=True), pytest.raises(InputError) as caught:
        noisy(tmp_path / "run", resume=True)
    assert f"process {os.getpid()} on " in caught.value.what
    assert "is writing to this run" in caught.value.what
    assert len(noisy(tmp_path / "run", resume=True).lines()) == 12


def test_cases_that_failed_are_kept_unless_they_are_to_be_tried_again(tmp_path):
    class Moody:
        broken = True

        def act(self, observation: Observation) -> Decision:
            if self.broken and observation.episode_id == "100_1":
                raise ValueError("not today")
            return Decision.stop(observation)

    first = run(Moody(), DATA, out=tmp_path / "run", limit=4)
    assert list(first.failures()) == ["100_1"]
    assert "ValueError: not today" in first.failures()["100_1"]
    assert first.record.failed == 1
    notes = score(tmp_path / "run", DATA, partial=True).notes
    assert any("1 cases failed" in note and "100_1" in note for note in notes)
    Moody.broken = False
    assert run(Moody(), DATA, out=tmp_path / "run", limit=4, resume=True).record.failed == 1
    healed = run(Moody(), DATA, out=tmp_path / "run", limit=4, resume=True, retry_failed=True)
    assert healed.record.failed == 0
    assert len(healed.lines()) == 4


def test_the_folder_of_a_run_can_be_scored(tmp_path):
    noisy(tmp_path / "run", limit=None)
    by_folder = score(tmp_path / "run", DATA).to_dict()
    assert by_folder == score(tmp_path / "run" / EVIDENCE, DATA).to_dict()
    assert len(list(read_predictions(tmp_path / "run"))) == by_folder["n"] == 90


# Disks.


@pytest.mark.skipif(os.geteuid() == 0, reason="nothing is read-only for root")
def test_a_folder_that_may_not_be_written_to(tmp_path):
    tmp_path.chmod(0o500)
    with pytest.raises(InputError, match="cannot be kept there"):
        noisy(tmp_path / "run")


def test_a_folder_that_cannot_be_made(tmp_path):
    (tmp_path / "file").touch()
    with pytest.raises(InputError, match="cannot be kept there"):
        noisy(tmp_path / "file" / "run")
    with pytest.raises(InputError, match="cannot be kept there"):
        noisy(Path("/proc/run"))


def test_a_disk_that_fills_up_loses_nothing(tmp_path):
    """A limit on the size of files stands in for a full disk."""
    whole = noisy(tmp_path / "whole", limit=60)
    program = (
        "import resource; resource.setrlimit(resource.RLIMIT_FSIZE, (9000, 9000))\n"
        "from vlnscope.cli.main import main; main()\n"
    )
    arguments = ["run", "noisy:p=0.3", "--data", DATA, "--limit", "60", "--out", str(tmp_path / "run")]
    command = [sys.executable, "-B", "-c", program, *arguments]  # -B: Python would cut off its own files
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert done.returncode == 2, done.stderr
    assert "cannot be written (File too large)" in done.stderr
    assert "--resume" in done.stderr
    assert "Traceback" not in done.stderr
    kept = read_log(tmp_path / "run" / EVIDENCE)
    assert 10 < len(kept) < 60
    assert (tmp_path / "run" / EVIDENCE).read_bytes().endswith(b"}\n")
    noisy(tmp_path / "run", limit=60, resume=True)
    assert plain(tmp_path / "run" / EVIDENCE) == plain(whole.evidence)


# Shards.


@pytest.fixture(scope="module")
def shards(tmp_path_factory: pytest.TempPathFactory) -> list[Path]:
    folder = tmp_path_factory.mktemp("shards")
    return [noisy(folder / str(i), shard=f"{i}/3", limit=13).folder for i in (1, 2, 3)]


def test_shards_in_any_order_make_the_whole(tmp_path, shards):
    whole = noisy(tmp_path / "whole", limit=13)
    for name, order in (("a", shards), ("b", [shards[2], shards[0], shards[1]])):
        joined = merge(order, out=tmp_path / name)
        assert plain(joined.evidence) == plain(whole.evidence)
        assert joined.record.shard is None
        assert joined.record.finished is not None
        assert joined.record.size == joined.record.cases.count == 13


def test_gaps_are_noticed(tmp_path, shards):
    with pytest.raises(InputError, match=r"4 of 13 cases are missing: shard 2/3 is not named"):
        merge([shards[0], shards[2]], out=tmp_path / "m")
    assert not (tmp_path / "m").exists()
    part = merge([shards[0], shards[2]], out=tmp_path / "m", partial=True)
    assert (part.record.size, part.record.cases.count) == (9, 13)


def test_a_shard_that_is_not_finished_is_named(tmp_path, shards):
    last = noisy(tmp_path / "last", shard="3/3", limit=13).folder
    cut_back(last, 2)
    with pytest.raises(InputError, match=r"2 of 13 cases are missing: \S*last is not finished"):
        merge([*shards[:2], last], out=tmp_path / "m")


def test_cases_in_two_runs_are_noticed(tmp_path, shards):
    with pytest.raises(InputError, match="named twice"):
        merge([shards[0], shards[0]], out=tmp_path / "m")
    other = noisy(tmp_path / "again", shard="2/3", limit=13).folder
    with pytest.raises(InputError, match="4 cases are in both"):
        merge([*shards, other], out=tmp_path / "m")


def test_foreign_runs_are_noticed(tmp_path, shards):
    foreign = run("noisy:p=0.1", DATA, out=tmp_path / "f", shard="2/3", limit=13).folder
    with pytest.raises(InputError, match=r"is not of the same run as .*: agent identity is noisy.*p=0\.1"):
        merge([shards[0], foreign, shards[2]], out=tmp_path / "m")
    with pytest.raises(DataNotFoundError, match="not the folder of a run"):
        merge([tmp_path], out=tmp_path / "m")
    with pytest.raises(InputError, match="no runs"):
        merge([], out=tmp_path / "m")


def test_a_merged_run_does_not_replace_another(tmp_path, shards):
    merge(shards, out=tmp_path / "m")
    with pytest.raises(InputError, match="already"):
        merge(shards, out=tmp_path / "m")


def test_a_shard_without_jobs_is_refused(tmp_path):
    with pytest.raises(InputError, match="shard 5/5 of 2 jobs is empty"):
        noisy(tmp_path / "run", limit=2, shard="5/5")


def test_records_of_the_future_are_not_half_understood():
    record = msgspec.json.encode({"v": 1, "vlnscope": "0"})
    with pytest.raises(msgspec.ValidationError):
        msgspec.json.decode(record, type=provenance.RunRecord)


def test_a_case_whose_worker_was_lost_is_tried_again_on_resume(tmp_path):
    found = noisy(tmp_path / "run")
    whole = plain(found.evidence)
    lines = [
        b'{"v":2,"case_id":"100_1","episode_id":"100_1","path":["a"],"failed":"the worker was lost (x)"}\n'
    ]
    lines += [one for one in found.evidence.read_bytes().splitlines(keepends=True) if b'"100_1"' not in one]
    found.evidence.write_bytes(b"".join(lines))
    assert list(found.failures()) == ["100_1"]
    assert noisy(tmp_path / "run", resume=True).record.failed == 0
    assert plain(found.evidence) == whole
