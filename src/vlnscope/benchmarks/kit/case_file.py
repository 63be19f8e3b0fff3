"""Case files: JSON lines, one `vlnscope.types.Case` a line, in the order in which they were built."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from itertools import islice
from pathlib import Path

import msgspec

from vlnscope.core.exceptions import InputError
from vlnscope.core.files import read_lines
from vlnscope.core.json_file import NOT_JSON, write_json_lines
from vlnscope.episodes.datasets.dataset import Dataset
from vlnscope.types import Case
from vlnscope.worlds.scene import Scenes

_FIX = "correct the line, or build the cases again"


def read_cases(path: str | Path) -> Iterator[Case]:
    """Yield the cases of a file; blank lines are passed over.

    Raises:
        InputError: a line is no case.
    """
    decoder = msgspec.json.Decoder(Case)
    for number, line in enumerate(read_lines(path), 1):
        if not line.strip():
            continue
        try:
            yield decoder.decode(line)
        except NOT_JSON as error:
            raise InputError(
                f"{path}: line {number} is no case ({error})",
                expected='{"case_id": …, "episode": {…}, "forced_steps": …, …}',
                fix=_FIX,
            ) from None


def write_cases(cases: Iterable[Case], path: str | Path) -> None:
    """Write a case file, whole or not at all."""
    write_json_lines(path, cases)


def episode_cases(dataset: Dataset, limit: int | None = None) -> list[Case]:
    """Return a case for each episode of a data set (the first `limit`), called after the episode."""
    return [Case(case_id=e.episode_id, episode=e) for e in islice(dataset.episodes(), limit)]


def check_cases(cases: Sequence[Case], scenes: Scenes) -> None:
    """Refuse cases that cannot be run: ids used twice, places that are not in the scene, too long prefixes.

    Raises:
        InputError: names the first such case.
    """
    seen: set[str] = set()
    if not cases:
        raise InputError("there are no cases", expected="one case or more", fix="name other data")
    for case in cases:
        if case.case_id in seen or not case.case_id:
            raise _bad(case, "the id is empty or another case has it too", "a different id for each case")
        seen.add(case.case_id)
        path = case.episode.path
        if not path and case.episode.continuous is not None and not case.forced_steps:
            continue
        if not path:
            raise _bad(case, "has no path, so no viewpoint to start from", "an episode on a graph")
        if not 0 <= case.forced_steps < len(path):
            what = f"{case.forced_steps} forced steps on a path of {len(path)} viewpoints"
            raise _bad(case, what, f"0 to {len(path) - 1} forced steps")
        index = scenes.scene(case.episode.scan).graph.index
        if strange := [node for node in path if node not in index]:
            raise _bad(
                case, f"viewpoint {strange[0]} is not in {case.episode.scan}", "viewpoints of the scene"
            )


def _bad(case: Case, what: str, expected: str) -> InputError:
    return InputError(f"case {case.case_id!r}: {what}", expected=expected, fix=_FIX)
