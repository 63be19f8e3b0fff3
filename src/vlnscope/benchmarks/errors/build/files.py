"""Files as R2RIE-CE has them: one split per type of error, right episodes first, then the wrong ones."""

from __future__ import annotations

from pathlib import Path

from msgspec.structs import replace

from vlnscope.benchmarks.errors.build.types import TYPES
from vlnscope.benchmarks.kit.case_set import CaseSet
from vlnscope.core.exceptions import InputError
from vlnscope.core.files import write_whole
from vlnscope.episodes.datasets.ground_truth import write_ground_truth
from vlnscope.episodes.formats.r2rie import CODEC
from vlnscope.types import Episode

_OWN = ("words_swapped", "words_agreed", "error_steps")


def save_episodes(case_set: CaseSet, folder: str | Path) -> list[Path]:
    """Write the episodes of a case set, of each type a folder ``{split}_error_v1_{type}`` with two files.

    ``…_bertidx.json.gz`` has the episodes, numbered from 1, with ``old_episode_id`` and
    ``error_information``; positions are those of word-pieces in the new instruction, [CLS] being 0, or,
    for sets built without a vocabulary, those of words. ``…_gt.json.gz`` has the dense paths.

    Returns:
        The files with episodes.

    Raises:
        InputError: the episodes have no positions in space.
    """
    split = str(case_set.options.get("instructions_from", case_set.data)).partition("/")[2] or "all"
    written = []
    for name in TYPES:
        cases = [case for case in case_set.cases if case.groups["type"] == name]
        if not cases:
            continue
        halves = sorted(cases, key=lambda case: case.groups["variant"] != "clean")
        episodes = [_numbered(case.episode, number) for number, case in enumerate(halves, 1)]
        if any(episode.continuous is None for episode in episodes):
            raise InputError(
                f"{case_set.data}: R2RIE-CE files hold episodes in continuous space, and these have no "
                "positions",
                expected="cases built from VLN-CE, such as r2r-ce/val_unseen",
                fix="build from r2r-ce/SPLIT, or leave the files out",
            )
        label = f"{split}_error_v1_{name.replace('-', '_')}"
        path = Path(folder) / label / f"{label}_bertidx.json.gz"
        path.parent.mkdir(parents=True, exist_ok=True)
        with write_whole(path) as stream:
            CODEC.write(episodes, stream)
        with write_whole(path.with_name(f"{label}_gt.json.gz")) as stream:
            write_ground_truth(episodes, stream)
        written.append(path)
    return written


def _numbered(episode: Episode, number: int) -> Episode:
    kept = {key: value for key, value in episode.extra.items() if key not in _OWN}
    extra = kept | {"old_episode_id": _old_id(episode)}
    return replace(episode, episode_id=str(number), path=(), heading=None, chunks=(), extra=extra)


def _old_id(episode: Episode) -> int | str:
    old = str(episode.extra.get("old_episode_id", episode.episode_id))
    return int(old) if old.isdigit() else old
