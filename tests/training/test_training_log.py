"""What is told of a training from its first second on, in logs and on terminals."""

from __future__ import annotations

import io
import pickle
import sys
import time
from pathlib import Path
from typing import Any

import pytest

from vlnscope.cli.shared.training_log import SECONDS_BETWEEN_LINES, TrainingLog
from vlnscope.training.watching import TrainingWatch, UpdateNews


class Clock:
    """A clock that a test turns."""

    def __init__(self) -> None:
        self.now = 0.0

    def __call__(self) -> float:
        return self.now


class Terminal(io.StringIO):
    def isatty(self) -> bool:
        return True


def news(update: int) -> UpdateNews:
    return UpdateNews(update, 100, 3.0, 8)


def test_a_log_has_a_line_at_once_and_then_every_few_seconds(capsys: pytest.CaptureFixture[str]) -> None:
    clock = Clock()
    log = TrainingLog(clock)
    log.phase("features of viewpoints", 1000)
    assert capsys.readouterr().err == "features of viewpoints: 1,000\n"
    for row in range(1, 1001):
        clock.now += 0.012
        log.at(row)
    lines = capsys.readouterr().err.splitlines()
    assert len(lines) == 12 // SECONDS_BETWEEN_LINES
    assert lines[0] == "features of viewpoints: 417 of 1,000 (5 s)"
    log.phase("learning")
    assert capsys.readouterr().err.splitlines() == [
        "features of viewpoints: 1,000 of 1,000 (12 s)",
        "learning",
    ]


def test_updates_are_told_from_the_first_on(capsys: pytest.CaptureFixture[str]) -> None:
    clock = Clock()
    log = TrainingLog(clock)
    log.phase("learning")
    for update in range(1, 12):
        clock.now += 1.0
        log.updated(news(update))
    assert capsys.readouterr().err.splitlines() == [
        "learning",
        "update 1 of 100  loss 3.000",
        "update 6 of 100  loss 3.000  8.0 episodes/s  2 min left",
        "update 11 of 100  loss 3.000  8.0 episodes/s  89 s left",
    ]
    log.row({"update": 20.0, "loss": 2.5, "episodes_per_second": 7.5, "SR": 0.25})
    log.row({"update": 50.0, "loss": 2.5})
    assert capsys.readouterr().err.splitlines() == [
        "update 20  loss 2.500  7.5 episodes/s  SR 25.0",
        "update 50  loss 2.500",
    ]


def test_a_terminal_keeps_only_what_stays(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "stderr", Terminal())
    clock = Clock()
    log = TrainingLog(clock)
    log.phase("reading scenes", 3)
    clock.now += 1
    log.at(2)
    log.updated(news(1))
    log.row({"update": 1.0, "loss": 2.5})
    written = sys.stderr.getvalue()  # type: ignore[attr-defined]
    shown = [line.rpartition("\r")[2].replace("\x1b[K", "") for line in written.split("\n")]
    assert shown == ["reading scenes: 2 of 3 (1 s)", "update 1  loss 2.500", ""]


def test_time_that_passes_is_told_where_nobody_says_anything(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "stderr", written := io.StringIO())
    clock = Clock()
    with TrainingLog(clock) as log:
        log.phase("loading")
        clock.now += 7.0
        _wait_for("loading (7 s)\n", written)
        log.updated(news(3))
        clock.now += 60.0
        _wait_for("update 3 of 100  loss 3.000  (60 s)\n", written)
    clock.now += 60.0
    assert written.getvalue().count("\n") == 4


def _wait_for(text: str, written: io.StringIO) -> None:
    for _ in range(6000):
        if text in written.getvalue():
            return
        time.sleep(0.01)
    raise AssertionError(f"{text!r} was not written, but {written.getvalue()!r}")


def test_a_log_goes_to_other_processes() -> None:
    assert isinstance(pickle.loads(pickle.dumps(TrainingLog())), TrainingLog)


class Heard(TrainingWatch):
    """Notes what it hears."""

    def __init__(self) -> None:
        self.phases: list[tuple[str, int]] = []
        self.done: dict[str, list[int]] = {}
        self.updates: list[Any] = []

    def phase(self, what: str, total: int = 0) -> None:
        self.phases.append((what, total))

    def at(self, done: int) -> None:
        self.done.setdefault(self.phases[-1][0], []).append(done)

    def updated(self, news: UpdateNews) -> None:
        self.updates.append(news)


def test_a_training_tells_all_it_does(tmp_path: Path) -> None:
    """Whatever takes time says so before it begins, and comes to its end."""
    pytest.importorskip("torch", reason="needs torch (pip install 'vlnscope[learn]')")
    from training_world import MadeFeatures, made, write_data
    from vlnscope.training.experiment import DataConfig, Experiment, LearningConfig, ModelChoice
    from vlnscope.training.loop import train
    from vlnscope.training.preparation import prepare

    write_data(tmp_path / "data", made())
    experiment = Experiment(
        title="told",
        data=DataConfig(train="r2r/train", validate="r2r/val_seen", features="made", mirror=True),
        model=ModelChoice(name="rcm", least=1, sizes={"hidden": 8}),
        learning=LearningConfig(updates=4, batch=8),
        validate_every=2,
    )
    heard: Any = Heard()
    task = prepare(experiment, tmp_path / "data", MadeFeatures(), watch=heard)  # type: ignore[arg-type]
    train(task, tmp_path / "run", watch=heard)
    names = [name for name, _ in heard.phases]
    assert names[:4] == [
        "reading r2r/train",
        "reading r2r/val_seen",
        "reading scenes",
        "features of viewpoints",
    ]
    assert names[-4:] == [
        "making the model rcm",
        "learning from update 1 of 4 on",
        "validating",
        "validating",
    ]
    totals = dict(heard.phases)
    for name, done in heard.done.items():
        assert done == sorted(done) or name == "validating"
        assert done[-1] == totals[name], name
    assert [each.update for each in heard.updates] == [1, 2, 3, 4]
    assert {each.episodes for each in heard.updates} == {8}
