"""The folder of a run: ``run.json`` (`RunRecord`), ``evidence.jsonl`` (one line per case) and a lock.

While a run is under way, lines stand in the order in which cases were finished. When the last is done they
are sorted by case id, so that the evidence of a run is the same however it was executed, but for ``seconds``.
"""

from __future__ import annotations

import fcntl
import os
import platform
import time
from collections.abc import Sequence
from pathlib import Path
from types import TracebackType

import msgspec

from vlnscope.core.exceptions import DataNotFoundError, InputError
from vlnscope.core.files import read_bytes
from vlnscope.core.json_file import NOT_JSON, write_json
from vlnscope.engine.jobs import LOST
from vlnscope.engine.store.evidence_log import EvidenceLog
from vlnscope.engine.store.provenance import RUN_VERSION, RunRecord, differences, now
from vlnscope.episodes.formats.evidence import EvidenceLine
from vlnscope.worlds.scene_versions import check_generator

RECORD = "run.json"
EVIDENCE = "evidence.jsonl"
LOCK = "run.lock"
PATIENCE = 1.0
"""Seconds that are waited for another process to leave a folder."""


class Store:
    """A run's folder, open for writing by this process alone.

    Attributes:
        folder: where it is.
        record: what ``run.json`` says.
        log: the evidence.
    """

    def __init__(self, folder: Path, record: RunRecord, *, resume: bool, retry_failed: bool = False) -> None:
        """Begin a run, or go on with one.

        Args:
            folder: where it is or will be.
            record: what is to be run.
            resume: go on with the run that is there, if there is one.
            retry_failed: forget all cases that failed, so that they are run again, and not only those
                whose worker was lost.

        Raises:
            InputError: the folder holds something else, another run, or a run that must not be touched.
        """
        self.folder = folder
        self._process = os.getpid()
        self._lock = _lock(folder)
        try:
            self.record = self._begin(record, resume)
            self.log = EvidenceLog(folder / EVIDENCE)
            if again := self._to_try_again(retry_failed):
                self.log.rewrite(without=again)
                self.log = EvidenceLog(folder / EVIDENCE)
        except BaseException:
            os.close(self._lock)
            raise

    def __enter__(self) -> Store:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        os.close(self._lock)

    def __contains__(self, case_id: object) -> bool:
        return case_id in self.log.places

    def __len__(self) -> int:
        return len(self.log.places)

    @property
    def failed(self) -> int:
        """How many of the stored cases failed."""
        return sum(line.failed is not None for line in self.log.places.values())

    def append(self, lines: Sequence[EvidenceLine]) -> list[EvidenceLine]:
        """Store the lines of cases that are not stored yet, and return these.

        Raises:
            RuntimeError: another process than the one that opened the folder, such as a fork of it, tries.
        """
        if os.getpid() != self._process:
            raise RuntimeError(f"process {os.getpid()} may not write to the run of process {self._process}")
        fresh = [line for line in lines if line.case_id not in self]
        if fresh:
            self.log.append(fresh)
        return fresh

    def pause(self) -> None:
        """Leave the run so that it can be gone on with."""
        self.log.sync()
        self.log.close()

    def complete(self) -> None:
        """Sort the evidence and note that the run is finished."""
        self.log.sync()
        self.log.rewrite()
        self.record = msgspec.structs.replace(self.record, finished=now(), failed=self.failed)
        write_record(self.folder, self.record)

    def _to_try_again(self, all_failed: bool) -> set[str]:
        reasons = {name: line.failed for name, line in self.log.places.items() if line.failed is not None}
        return {name for name, why in reasons.items() if all_failed or why.startswith(LOST)}

    def _begin(self, record: RunRecord, resume: bool) -> RunRecord:
        for leftover in self.folder.glob(".*.part"):  # of a process that was killed while it wrote
            leftover.unlink(missing_ok=True)
        if not (self.folder / RECORD).exists():
            _check_empty(self.folder)
            write_record(self.folder, record)
            return record
        stored = read_record(self.folder)
        if not resume:
            raise InputError(
                f"{self.folder}: there is a run of {stored.agent.identity} on {stored.data.name} already",
                expected="a new folder",
                fix="add --resume to go on with that run, or name another folder",
            )
        check_generator(
            record.data.generator,
            stored.data.generator,
            what=f"{self.folder}: the cases of this run",
            again="name another folder, to run the agent again",
        )
        if odd := differences(record, stored):
            raise InputError(
                f"{self.folder}: is another run: {'; '.join(odd)}",
                expected="the run that these arguments and this version of vlnscope began",
                fix="give the arguments it was begun with, or name another folder",
            )
        kept = msgspec.structs.replace(stored, config=record.config, finished=None, failed=None)
        write_record(self.folder, kept)
        return kept


def read_record(folder: Path) -> RunRecord:
    """Return what a run's ``run.json`` says.

    Raises:
        DataNotFoundError: the folder is no run.
        InputError: it is damaged, or another version of vlnscope wrote it.
    """
    path = folder / RECORD
    if not path.exists():
        raise DataNotFoundError(
            f"{folder}: is not the folder of a run (no {RECORD} can be read there)",
            expected="a folder that `vlnscope run --out` made",
            fix="name such a folder, or begin a run with `vlnscope run --out`",
        )
    text = read_bytes(path)
    try:
        version = msgspec.json.decode(text, type=dict)["v"]
        if version == RUN_VERSION:
            return msgspec.json.decode(text, type=RunRecord)
        what = f"is of layout {version}"
    except (KeyError, *NOT_JSON) as error:
        what = f"is damaged ({error})"
    raise InputError(
        f"{path}: {what}",
        expected=f"layout {RUN_VERSION}, which this version of vlnscope writes",
        fix="use the version of vlnscope that made the run, or begin a new one in another folder",
    )


def write_record(folder: Path, record: RunRecord) -> None:
    """Write ``run.json``, whole or not at all."""
    write_json(folder / RECORD, record)


def _lock(folder: Path) -> int:
    """Make the folder and return the file that is locked while this process writes to it."""
    try:
        folder.mkdir(parents=True, exist_ok=True)
        handle = os.open(folder / LOCK, os.O_RDWR | os.O_CREAT, 0o666)
    except OSError as error:
        raise InputError(
            f"{folder}: a run cannot be kept there ({error.strerror or error})",
            expected="a folder that you may write to, or the name of a new one",
            fix="name another with --out",
        ) from None
    try:
        _wait_for(handle)
    except BlockingIOError:
        owner = os.read(handle, 200).decode(errors="replace").strip() or "another process"
        os.close(handle)
        raise InputError(
            f"{folder}: {owner} is writing to this run",
            expected="one process per run",
            fix="wait until it is done or end it; for several at once, give each its --shard and --out",
        ) from None
    except OSError as error:
        os.close(handle)
        raise InputError(
            f"{folder}: cannot be locked ({error.strerror or error})",
            expected="a file system that has locks, so that two processes never write to one run",
            fix="name a folder on another disk with --out",
        ) from None
    os.ftruncate(handle, 0)
    os.write(handle, f"process {os.getpid()} on {platform.node()}\n".encode())
    return handle


def _wait_for(handle: int) -> None:
    """Lock a file; a process that was killed a moment ago may take another to let go of it."""
    end = time.monotonic() + PATIENCE
    while True:
        try:
            fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            if time.monotonic() > end:
                raise
            time.sleep(0.02)
        else:
            return


def _check_empty(folder: Path) -> None:
    """Refuse a folder that holds other things."""
    others = [path.name for path in folder.iterdir() if path.name != LOCK]
    if others:
        raise InputError(
            f"{folder}: holds other things ({', '.join(sorted(others)[:3])}) and no {RECORD}",
            expected="an empty or a new folder",
            fix="name another with --out",
        )
