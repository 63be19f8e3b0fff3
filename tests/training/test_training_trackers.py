"""Trackers: whatever happens to a run, they hold the rows of ``curves.csv``, each once, and send nothing."""

from __future__ import annotations

import csv
import os
import struct
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from types import ModuleType, SimpleNamespace
from typing import Any

import pytest

torch = pytest.importorskip("torch", reason="needs torch (pip install 'vlnscope[learn]')")

from commands import Cli  # noqa: E402
from training_world import task  # noqa: E402
from vlnscope.core import registry  # noqa: E402
from vlnscope.core.exceptions import InputError, UnknownNameError  # noqa: E402
from vlnscope.training.loop import Trainer, train  # noqa: E402
from vlnscope.training.ranks import Ranks  # noqa: E402
from vlnscope.training.tracking import TrackedRun, TrackerSpec, check_trackers, grouped  # noqa: E402
from vlnscope.training.watching import METRICS  # noqa: E402

pytestmark = pytest.mark.usefixtures("one_thread_of_torch")

LAID = task(model="rcm", updates=12, batch=4, max_steps=3, held_steps=3)


def truth(folder: Path) -> dict[int, dict[str, float]]:
    """The curves, by update."""
    rows = list(csv.DictReader((folder / "curves.csv").read_text().splitlines()))
    plain = [{name: float(value) for name, value in row.items() if value} for row in rows]
    return {int(row["update"]): grouped(row) for row in plain}


def broken_off(out: Path, tracker: str) -> None:
    """Train until after a validation that is kept and a row that is not."""
    broken = Trainer(LAID, out, Ranks())
    broken.begin(resume=False)
    trackers = broken.tracked([tracker])
    for _ in range(8):
        if row := broken.advance():
            trackers.add(row)
    trackers.add({"update": 8, "seconds": 1.0, "loss": 99.0})  # as if it had been told and then lost


def broken_and_gone_on_with(out: Path, tracker: str) -> None:
    broken_off(out, tracker)
    train(LAID, out, resume=True, track=[tracker])


KILLED = """
import os, sys
from pathlib import Path
sys.path[:0] = {folders!r}
import test_training_trackers
test_training_trackers.broken_off(Path({out!r}), {tracker!r})
os.kill(os.getpid(), 9)
"""


def killed_and_gone_on_with(out: Path, tracker: str) -> None:
    """The same, the first part in a process of its own that is killed."""
    here, support = Path(__file__).parent, Path(__file__).parent.parent / "support"
    folders = [str(folder) for folder in (here, support, support / "learned")]
    code = KILLED.format(folders=folders, out=str(out), tracker=tracker)
    assert subprocess.run([sys.executable, "-c", code], check=False).returncode == -9
    train(LAID, out, resume=True, track=[tracker])


def same(found: dict[int, dict[str, float]], folder: Path) -> bool:
    wanted = truth(folder)
    assert wanted.keys() == found.keys() == {6, 12}
    for update, row in wanted.items():
        assert row.keys() == found[update].keys()
        assert {n: found[update][n] for n in row} == {n: pytest.approx(row[n], rel=1e-4) for n in row}
    return True


class Notes:
    """A tracker of a plug-in: it keeps what it gets in lists."""

    runs: list[Notes] = []  # noqa: RUF012

    def __init__(self, run: TrackedRun) -> None:
        self.run, self.ended = run, False
        self.rows: list[dict[str, float]] = []
        self.runs.append(self)

    def add(self, row: dict[str, float]) -> None:
        self.rows.append(row)

    def end(self) -> None:
        self.ended = True


def test_a_tracker_gets_every_row_once(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(Notes, "runs", [])
    spec = TrackerSpec(name="notes", summary="lists", open=Notes)
    monkeypatch.setitem(registry._kinds["tracker"].entries, "notes", spec)
    broken_and_gone_on_with(tmp_path, "notes")
    killed, whole = Notes.runs
    assert (killed.ended, whole.ended) == (False, True)
    assert killed.run == whole.run
    assert whole.run.settings["learning"]["updates"] == 12
    assert same({int(row["update"]): grouped(row) for row in whole.rows}, tmp_path)
    assert [row["update"] for row in whole.rows] == [6, 12]


def test_only_the_process_that_leads_tracks(tmp_path: Path) -> None:
    second = Trainer(LAID, tmp_path, Ranks(1, 2))
    second.tracked(["tensorboard"]).add({"update": 1, "seconds": 1.0})
    assert not list(tmp_path.iterdir())


def test_trackers_that_cannot_be_had_are_refused(
    monkeypatch: pytest.MonkeyPatch, cli: Cli, tmp_path: Path
) -> None:
    for name in ("tensorboard", "wandb"):
        monkeypatch.setitem(sys.modules, name, None)
        with pytest.raises(InputError, match=f"{name} is not installed") as error:
            check_trackers([name])
        assert f"vlnscope[{name}]" in error.value.fix
    with pytest.raises(UnknownNameError, match="did you mean 'tensorboard'"):
        check_trackers(["tensorbord"])
    refused = cli("train", "r2r-captions", "--out", tmp_path / "run", "--track", "wandb")
    assert refused.code == 2
    assert "wandb is not installed" in refused.err
    assert not (tmp_path / "run").exists()
    assert {"tensorboard", "wandb"} <= {
        one["name"] for one in cli("ls", "trackers", "--json").data["trackers"]
    }


class FakeWandb(ModuleType):
    """What is used of the library, without the library."""

    def __init__(self) -> None:
        super().__init__("wandb")
        self.asked: list[dict[str, Any]] = []
        self.rows: list[tuple[int, dict[str, float]]] = []

    def teardown(self) -> None:
        self.asked[-1]["ended"] = True

    def Settings(self, **settings: Any) -> Any:
        return settings

    def init(self, **asked: Any) -> Any:
        assert os.environ["WANDB_MODE"] == "offline"
        self.asked.append(asked)
        (Path(asked["dir"]) / "wandb" / f"offline-run-{len(self.asked)}-{asked['id']}").mkdir(parents=True)
        return SimpleNamespace(log=lambda row, step: self.rows.append((step, row)), finish=lambda: None)


def test_weights_and_biases_are_written_offline(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    for variable in ("WANDB_MODE", "WANDB_ERROR_REPORTING", "WANDB_SILENT", "OTEL_SDK_DISABLED"):
        monkeypatch.setenv(variable, "online")  # so that what is set is gone afterwards
    fake = FakeWandb()
    monkeypatch.setitem(sys.modules, "wandb", fake)
    others = tmp_path / "run" / "wandb" / "offline-run-0-other"
    others.mkdir(parents=True)
    broken_and_gone_on_with(tmp_path / "run", "wandb")
    first, second = fake.asked
    assert second == {**first, "ended": True}
    assert first["mode"] == "offline"
    assert first["config"]["learning"]["updates"] == 12
    kept = sorted(path.name for path in (tmp_path / "run" / "wandb").iterdir())
    assert kept == ["offline-run-0-other", f"offline-run-2-{first['id']}"]
    assert same(dict(fake.rows[2:]), tmp_path / "run")


@pytest.mark.slow
def test_event_files_hold_the_curves(tmp_path: Path) -> None:
    pytest.importorskip("tensorboard", reason="needs tensorboard (pip install 'vlnscope[tensorboard]')")
    from tensorboard.backend.event_processing.event_accumulator import EventAccumulator

    killed_and_gone_on_with(tmp_path, "tensorboard")
    assert len(list((tmp_path / "tensorboard").iterdir())) == 1
    events = EventAccumulator(str(tmp_path / "tensorboard")).Reload()
    found: dict[int, dict[str, float]] = {}
    for name in events.Tags()["scalars"]:
        for event in events.Scalars(name):
            assert name not in found.setdefault(event.step, {})
            found[event.step][name] = event.value
    assert same(found, tmp_path)


@pytest.mark.slow
def test_offline_runs_hold_the_curves(tmp_path: Path) -> None:
    pytest.importorskip("wandb", reason="needs wandb (pip install 'vlnscope[wandb]')")
    from wandb.proto import wandb_internal_pb2

    killed_and_gone_on_with(tmp_path, "wandb")
    (file,) = tmp_path.glob("wandb/offline-run-*/*.wandb")
    found: dict[int, dict[str, float]] = {}
    for content in _records(file.read_bytes()):
        record = wandb_internal_pb2.Record()
        record.ParseFromString(content)
        if record.WhichOneof("record_type") == "history":
            items = {i.key or "/".join(i.nested_key): float(i.value_json) for i in record.history.item}
            found[int(items["_step"])] = {name: items[name] for name in items if not name.startswith("_")}
    assert same(found, tmp_path)


def _records(data: bytes) -> Iterator[bytes]:
    """Yield the records of a log of blocks of 32 kB, as LevelDB writes them, behind a head of 7 bytes."""
    at, whole = 7, b""
    while at + 7 <= len(data):
        if (left := 32768 - at % 32768) < 7:
            at += left
            continue
        size, kind = struct.unpack_from("<HB", data, at + 4)
        whole += data[at + 7 : at + 7 + size]
        at += 7 + size
        if kind in (1, 4):  # all of a record, or its last part
            yield whole
            whole = b""


def test_measures_are_told_from_what_tells_of_learning() -> None:
    row = dict.fromkeys(("update", "loss", *METRICS, "likelihood"), 1.0)
    groups = {name.partition("/")[2]: name.partition("/")[0] for name in grouped(row)}
    assert groups == {"loss": "learning"} | dict.fromkeys((*METRICS, "likelihood"), "validation")
