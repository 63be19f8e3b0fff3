"""Auditing a data set: which of its episodes are suspicious, why, and how suspicious."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import msgspec

from vlnscope.benchmarks.errors.detection.protocol import Detector, make_detector
from vlnscope.benchmarks.errors.detection.rows import DetectionRow, row_of
from vlnscope.benchmarks.errors.detectors.presence import sighted
from vlnscope.benchmarks.kit.routes import refuse_secret
from vlnscope.core.exceptions import InputError
from vlnscope.core.results import Block, Line, Result, lines
from vlnscope.episodes.datasets.dataset import Dataset, describe_root, open_dataset
from vlnscope.evaluate.audit.detect import FLAG
from vlnscope.evaluate.audit.path_observer import PathObserver
from vlnscope.evaluate.audit.rules import (
    AuditFinding,
    Weight,
    check_ids,
    check_leaks,
    check_paths,
    check_texts,
)
from vlnscope.language.parse import parse
from vlnscope.types import Case, Episode
from vlnscope.worlds.scene import Scenes

UNWALKABLE = frozenset({"unknown-viewpoint", "unreachable-goal", "no-edge"})
SHOWN = 5
TOP = 25
_WEIGHTS: dict[Weight, int] = {"error": 0, "warning": 1, "info": 2}
_BEING_THERE = ("enter", "exit", "through", "stop")


@dataclass(frozen=True)
class Suspicion:
    """An episode that deserves a look.

    Attributes:
        episode: the episode.
        score: of the detector, from 0 to 1; 0 where it was not asked.
        reasons: what speaks against the text, the weightiest first.
        findings: what the rules found.
    """

    episode: Episode
    score: float
    reasons: tuple[str, ...]
    findings: tuple[AuditFinding, ...]


@dataclass(frozen=True)
class Audit(Result):
    """What is suspicious in a data set.

    Attributes:
        data: its name.
        detector: which detector was asked; empty if none.
        episodes: how many there are.
        findings: what the rules found, the weightiest first.
        suspicions: the episodes that a detector or a rule finds suspicious, the most suspicious first.
        scenes: where they are, for pictures.
        read: how many instructions the detector read.
    """

    data: str
    detector: str
    episodes: int
    findings: list[AuditFinding]
    suspicions: list[Suspicion]
    scenes: Scenes | None
    read: int = 0

    @property
    def coverage(self) -> str:
        """How many of the instructions the detector read, in words."""
        if self.read == self.episodes:
            return f"all {self.episodes:,} instructions"
        return f"{self.read:,} of the {self.episodes:,} instructions"

    @property
    def counts(self) -> dict[str, int]:
        """How often each kind of finding came up."""
        return dict(Counter(finding.code for finding in self.findings))

    @property
    def ok(self) -> bool:
        """Whether no rule found an error."""
        return all(finding.weight != "error" for finding in self.findings)

    def flagged(self, threshold: float = FLAG) -> list[Suspicion]:
        """Return the episodes whose text scores above a threshold."""
        return [one for one in self.suspicions if one.score > threshold]

    def to_dict(self) -> dict[str, Any]:
        """Return everything as plain data."""
        return {
            "data": self.data,
            "detector": self.detector,
            "episodes": self.episodes,
            "read": self.read,
            "counts": self.counts,
            "findings": msgspec.to_builtins(self.findings),
            "suspicions": self.records(),
        }

    def records(self) -> list[dict[str, Any]]:
        """Return the suspicions, a row each."""
        return [
            {
                "episode_id": one.episode.episode_id,
                "scan": one.episode.scan,
                "instruction": one.episode.instruction,
                "score": one.score,
                "reasons": list(one.reasons),
                "findings": [finding.code for finding in one.findings],
            }
            for one in self.suspicions
        ]

    def display(self, top: int = TOP, threshold: float = FLAG) -> Iterator[Block]:
        """Yield some findings of each kind, and the `top` most suspicious episodes."""
        for code, count in self.counts.items():
            group = [finding for finding in self.findings if finding.code == code]
            yield Line(f" × {count}", f"{group[0].weight} {code}", "bold")
            yield from lines(f"    {finding.episode_id or ''} {finding.what}" for finding in group[:SHOWN])
        if self.detector:
            flagged = len(self.flagged(threshold))
            yield Line(
                f"{self.detector} read {self.coverage}: {flagged:,} of the {self.read:,} above {threshold}; "
                "the most suspicious:"
            )
        for one in self.suspicions[:top]:
            why = "; ".join([*(finding.code for finding in one.findings), *one.reasons[:3]])
            yield Line(f"{one.score:.4f} {one.episode.episode_id}: {why}")


def audit(
    data: str | Path | Dataset,
    *,
    detector: str | Detector | None = "grounding",
    senses: Sequence[str] | None = None,
    against: Sequence[str] | None = None,
    root: str | Path | None = None,
    limit: int | None = None,
    seed: int = 0,
) -> Audit:
    """Look for episodes that are wrong: by rules, and by holding each instruction against its reference.

    Args:
        data: a data set whose references are known.
        detector: who reads the instructions; None for rules alone.
        senses: what the detector may see.
        against: splits that must share nothing with it; by default all others of the data set that lie in
            files.
        root: folder of the data; ``$VLNSCOPE_DATA`` if not given.
        limit: let the detector read the first so many instructions only.
        seed: of detectors that draw.

    Raises:
        InputError: the references are secret, or there are no episodes.
    """
    dataset = data if isinstance(data, Dataset) else open_dataset(data, root)
    refuse_secret(dataset, "audit a split whose paths are known, such as val_unseen")
    episodes = list(dataset.episodes())
    if not episodes:
        raise InputError(f"{dataset.name}: has no episodes", expected="at least one", fix="name another")
    others = _siblings(dataset, root) if against is None else [open_dataset(name, root) for name in against]
    findings = [*check_ids(episodes), *check_texts(episodes), *check_leaks(dataset, episodes, others)]
    scenes = dataset.scenes
    rows: list[DetectionRow] = []
    if scenes is not None:
        findings += check_paths(episodes, lambda scan: scenes.scene(scan).graph)
        broken = {name for f in findings if f.code in UNWALKABLE for name in (f.episode_id, *f.others)}
        walkable = [e for e in episodes if e.path and e.episode_id not in broken]
        findings += _unvisited_rooms(walkable, scenes)
        if detector is not None:
            reader = make_detector(detector, seed) if isinstance(detector, str) else detector
            rows = _read(walkable[:limit], reader, PathObserver(scenes, senses, root))
    findings.sort(key=lambda finding: (_WEIGHTS[finding.weight], finding.code))
    called = detector if isinstance(detector, str) else type(detector).__name__ if detector else ""
    ranked = _ranked(episodes, rows, findings)
    return Audit(dataset.name, called, len(episodes), findings, ranked, scenes, len(rows))


def _siblings(dataset: Dataset, root: str | Path | None) -> list[Dataset]:
    head, _, split = dataset.name.partition("/")
    if not dataset.files or not split:
        return []
    splits = next((one.splits for one in describe_root(root) if one.name == head), {})
    return [open_dataset(f"{head}/{name}", root) for name, path in splits.items() if path and name != split]


def _read(episodes: Sequence[Episode], detector: Detector, lookout: PathObserver) -> list[DetectionRow]:
    rows = []
    for episode in episodes:
        case = Case(case_id=episode.episode_id, episode=episode)
        rows.append(row_of(case, detector.detect(episode.instruction, lookout.along(episode))))
    return rows


def _unvisited_rooms(episodes: Iterable[Episode], scenes: Scenes) -> Iterator[AuditFinding]:
    """Find rooms that one is told to enter, leave, cross or stop in, and that the reference never comes near.

    Rooms come from the labels of the scene; scenes without labels are passed over.
    """
    lookout = PathObserver(scenes, ("rooms",))
    for episode in episodes:
        scene = scenes.scene(episode.scan)
        if not scene.has("regions"):
            continue
        percepts = lookout.along(episode).percepts
        for action in parse(episode.instruction).actions:
            place = action.place
            if place is None or place.what != "room" or action.kind not in _BEING_THERE:
                continue
            if place.name in _NAMELESS or any(sighted("room", place.name, one) > 0.0 for one in percepts):
                continue
            passed = sorted({scene.regions.name(node) or "?" for node in episode.path})
            yield AuditFinding(
                code="room-never-passed",
                weight="info",
                episode_id=episode.episode_id,
                what=f"speaks of the {place.name} and passes only {', '.join(passed)}",
            )


_NAMELESS = frozenset({"room", "house", "level", "landing", "area"})


def _ranked(
    episodes: Sequence[Episode], rows: Sequence[DetectionRow], findings: Sequence[AuditFinding]
) -> list[Suspicion]:
    detections = {row.case_id: row.found for row in rows}
    ruled: dict[str, list[AuditFinding]] = {}
    for finding in findings:
        for name in (finding.episode_id, *(finding.others if finding.code in _OF_PATHS else ())):
            if name is not None:
                ruled.setdefault(name, []).append(finding)
    suspicions = []
    for episode in episodes:
        said = detections.get(episode.episode_id)
        here = tuple(ruled.get(episode.episode_id, ()))
        if said is None and not here:
            continue
        reasons = tuple(reason.text for reason in said.reasons) if said else ()
        suspicions.append(Suspicion(episode, said.score if said else 0.0, reasons, here))
    return sorted(suspicions, key=lambda one: (-_rank(one), one.episode.episode_id))


_OF_PATHS = UNWALKABLE | {"non-shortest"}


def _rank(one: Suspicion) -> float:
    """Return how suspicious an episode is: errors first, then by score, to which warnings add a little."""
    weights = [finding.weight for finding in one.findings]
    return one.score + 0.05 * weights.count("warning") + 2.0 * ("error" in weights)
