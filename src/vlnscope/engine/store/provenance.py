"""What ``run.json`` says: which agent ran on what, how, with which code and where."""

from __future__ import annotations

import os
import platform
import subprocess
from collections.abc import Sequence
from datetime import UTC, datetime
from pathlib import Path
from typing import Any, Literal

import msgspec
import numpy as np

from vlnscope import _version
from vlnscope.agents.protocol import ANNOTATION, EXPLORATION
from vlnscope.core import files
from vlnscope.engine.jobs import Job
from vlnscope.episodes.datasets.dataset import Dataset
from vlnscope.types import Rules
from vlnscope.worlds.scene import Scenes
from vlnscope.worlds.scene_versions import generator_of

RUN_VERSION: Literal[1] = 1


class AgentRecord(msgspec.Struct, frozen=True, kw_only=True):
    """Who ran; a privileged agent was told the reference, one that explored saw the building before.

    `notes` is what it says of itself, such as how the weights of a public checkpoint fitted.
    """

    name: str
    identity: str
    privileged: bool
    needs: tuple[str, ...] = ()
    notes: tuple[str, ...] = ()

    @property
    def explored(self) -> bool:
        """Whether it looked around the building before it walked."""
        return EXPLORATION in self.needs

    @property
    def knowledge(self) -> tuple[str, ...]:
        """What it knew that others do not, to be said behind its name wherever its results are shown."""
        told = ("is privileged: it is told the reference",) if self.privileged else ()
        saw = ("explores the building before it walks: a setting of its own",) if self.explored else ()
        return (*told, *saw)


class DataRecord(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """What it ran on.

    Attributes:
        name: of the data set.
        files: SHA-256 of its files; None if it has none.
        scenes: a hash over the graphs of its scenes.
        generator: version of the built-in houses that they are; None if they are others.
    """

    name: str
    files: str | None
    scenes: str
    generator: int | None = None


class CasesRecord(msgspec.Struct, frozen=True, kw_only=True):
    """What was asked, all shards together: how many cases, and a hash over them and their tours."""

    count: int
    digest: str


class RunRecord(msgspec.Struct, frozen=True, kw_only=True):
    """The content of ``run.json``.

    Attributes:
        v: version of this layout.
        vlnscope: version of the package.
        revision: git revision of the package, if it runs from a checkout; ``+`` if that was changed.
        agent: who ran.
        action_space: what it could do.
        data: on what.
        cases: what was asked.
        rules: how cases were rolled out.
        shard: which part this is, as ``i/n``.
        size: how many cases this part has.
        unreachable: episodes in continuous space whose goal no path leads to, or whose start is off the
            navigation mesh; they are run all the same.
        config: the other arguments as they were resolved; they do not change what is found.
        machine: where it ran.
        started: when, in UTC.
        finished: when the last case was done; None while it runs, or when it was interrupted.
        failed: how many cases failed, once it is finished.
    """

    v: Literal[1] = RUN_VERSION
    vlnscope: str
    revision: str | None = None
    agent: AgentRecord
    action_space: str = "graph"
    data: DataRecord
    cases: CasesRecord
    rules: Rules
    shard: str | None = None
    size: int
    unreachable: tuple[str, ...] = ()
    config: dict[str, Any] = msgspec.field(default_factory=dict)
    machine: dict[str, Any] = msgspec.field(default_factory=dict)
    started: str = ""
    finished: str | None = None
    failed: int | None = None


BINDING = ("vlnscope", "agent", "action_space", "data", "cases", "rules", "shard", "size")
"""Parts that must be the same for a run to be continued."""


def differences(ours: RunRecord, theirs: RunRecord, parts: Sequence[str] = BINDING) -> list[str]:
    """Say in which parts two records differ, and how: one line each."""
    texts = []
    for part in parts:
        own, other = (msgspec.to_builtins(getattr(record, part)) for record in (ours, theirs))
        if own == other:
            continue
        if not isinstance(own, dict) or not isinstance(other, dict):
            texts.append(f"{part} is {other}, not {own}")
            continue
        texts += [
            f"{part} {key} is {other.get(key)}, not {own.get(key)}"
            for key in {**own, **other}
            if own.get(key) != other.get(key)
        ]
    return texts


def agent_record(
    name: str, identity: str, needs: tuple[str, ...], notes: tuple[str, ...] = ()
) -> AgentRecord:
    """Describe an agent."""
    return AgentRecord(name=name, identity=identity, privileged=ANNOTATION in needs, needs=needs, notes=notes)


def data_record(dataset: Dataset, scenes: Scenes, jobs: Sequence[Job]) -> DataRecord:
    """Describe a data set and the scenes that jobs take place in."""
    scans = sorted({job.scan for job in jobs})
    graphs = files.digest(*(f"{scan} {scenes.scene(scan).graph.digest}".encode() for scan in scans))
    return DataRecord(
        name=dataset.name,
        files=dataset.digest() if dataset.files else None,
        scenes=graphs,
        generator=generator_of(scenes),
    )


def cases_record(jobs: Sequence[Job]) -> CasesRecord:
    """Describe all jobs of a run, before it is cut into shards."""
    count = sum(len(job.cases) for job in jobs)
    digest = files.digest(*(msgspec.msgpack.encode(job) for job in jobs))
    return CasesRecord(count=count, digest=digest)


def machine_record() -> dict[str, Any]:
    """Describe this machine."""
    return {
        "host": platform.node(),
        "system": platform.platform(),
        "processors": os.cpu_count(),
        "python": platform.python_version(),
        "numpy": np.__version__,
    }


def now() -> str:
    """Return the time in UTC, to the second."""
    return datetime.now(UTC).isoformat(timespec="seconds")


def revision() -> str | None:
    """Return the git revision of the package, if its files are under git; ``+`` if they were changed."""
    folder = Path(_version.__file__).parent
    if _git(folder, "ls-files", "--error-unmatch", "_version.py") is None:
        return None
    head = _git(folder, "rev-parse", "HEAD")
    changed = _git(folder, "status", "--porcelain", "--", ".")
    return head and head + ("+" if changed else "")


def _git(folder: Path, *arguments: str) -> str | None:
    try:
        done = subprocess.run(
            ["git", "-C", str(folder), *arguments], capture_output=True, text=True, timeout=10, check=False
        )
    except (OSError, subprocess.TimeoutExpired):
        return None
    return done.stdout.strip() if done.returncode == 0 else None
