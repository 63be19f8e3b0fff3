"""vln-behave: what its agents log, a file for each intervention, and the items (PROTOCOLS D.1, D.6).

Files of different interventions use the same ids, so each has its own: ``stop_implicit.json`` (the plain
truncated instruction), ``stop_explicit.json``, ``direction_left.json``, ``object.json``, ``room.json``,
``room-4.json`` (rooms at most four steps away). ``items/NAME.jsonl`` has what was asked.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import partial
from pathlib import Path
from typing import IO, Any

import msgspec

from vlnscope.benchmarks.behavior.result_files import (
    OfficialResult,
    official_id,
    official_lines,
    official_records,
    read_official,
)
from vlnscope.benchmarks.kit.case_set import CaseSet
from vlnscope.core.exceptions import InputError
from vlnscope.episodes.formats.evidence import EvidenceLine
from vlnscope.evaluate.exchange.finished_run import FinishedRun
from vlnscope.evaluate.exchange.run_format import (
    RunAnswers,
    RunFile,
    RunFiles,
    RunFormat,
    register_run_format,
)
from vlnscope.types import Case
from vlnscope.worlds.scene import Scenes

ITEMS = "items"


def intervention(case: Case) -> str:
    """Return the name of the file that a case belongs to.

    Example:
        >>> from vlnscope.types import Episode
        >>> at = Episode(episode_id="7_1", path_id="7", scan="s", instruction="Go.", path=("a",))
        >>> intervention(Case(case_id="x", episode=at, groups={"skill": "direction", "sub": "back left"}))
        'direction_back-left'
    """
    skill, sub = case.groups.get("skill", "none"), case.groups.get("sub", "none")
    if skill == "room-k":
        return f"room-{case.groups['hops']}"
    return skill if skill in ("object", "room") else f"{skill}_{sub.replace(' ', '-')}"


def _by_file(case_set: CaseSet) -> dict[str, list[Case]]:
    files: dict[str, list[Case]] = {}
    for case in case_set.cases:
        files.setdefault(intervention(case), []).append(case)
    return files


def _files(run: FinishedRun, drop: Sequence[str]) -> RunFiles:
    assert run.case_set is not None  # the layout holds runs of a benchmark
    files: list[RunFile] = []
    unlogged = 0
    for name, cases in _by_file(run.case_set).items():
        _check_ids(run, name, cases)
        records = official_records(cases, run.lines, run.scenes)
        unlogged += len(cases) - len(records)
        done = [case for case in cases if case.case_id in records]
        if done:
            items = [_item(case, records[case.case_id]) for case in done]
            files.append(RunFile(f"{name}.json", len(done), partial(_write_list, list(records.values()))))
            files.append(RunFile(f"{ITEMS}/{name}.jsonl", len(done), partial(_write_lines, items), True))
    if not files:
        raise InputError(
            f"{run.folder}: no decision was logged in this run",
            expected="the agent's distribution where it is asked, which vln-behave scores",
            fix="run the agent again without --log none",
        )
    notes = [f"{unlogged:,} cases have no logged decision, and are in none of the files"] if unlogged else []
    return RunFiles(files, _dropped(run), notes)


def _check_ids(run: FinishedRun, name: str, cases: Sequence[Case]) -> None:
    seen: set[str] = set()
    for case in cases:
        if (own := official_id(case)) in seen:
            raise InputError(
                f"{run.folder}: two cases of {name} are {own} by the ids of vln-behave",
                expected="cases of `vlnscope build behavior`, each asked once",
                fix="build cases of one kind at a time (--skill), and run the agent on these",
            )
        seen.add(own)


def _item(case: Case, record: Mapping[str, Any]) -> dict[str, Any]:
    """Return what was asked, by the names of vln-behave's own files."""
    path = case.episode.path[: case.forced_steps + 1]
    item: dict[str, Any] = {
        "path_id": case.episode.path_id,
        "scan": case.episode.scan,
        "heading": case.episode.heading,
        "path": path,
        "instruction_id": f"{case.episode.episode_id}_{len(path)}",
        "language": case.episode.language,
        "instruction": case.episode.instruction,
    }
    if case.groups.get("skill") == "room":
        ways = [way["viewpointId"] for way in record["candidates"][0][1]]
        item |= {
            "region_name": case.groups["sub"],
            "region_type": case.groups["room"],
            "goal_cand_indexes": [[ways.index(node), node] for node in case.correct],
            "stop_viewpoint_id": path[-1],
        }
    return item


def _write_list(records: Sequence[Any], stream: IO[bytes]) -> None:
    stream.write(msgspec.json.encode(records))


def _write_lines(records: Sequence[Any], stream: IO[bytes]) -> None:
    stream.writelines(msgspec.json.encode(record) + b"\n" for record in records)


def _dropped(run: FinishedRun) -> dict[str, int]:
    """Return how many lines have what a result does not say: all but the scored decision and the end."""
    counts = {
        "path": sum(len(line.path) > 1 for line in run.lines.values()),
        "decisions after the first": sum(len(line.decisions or ()) > 1 for line in run.lines.values()),
    }
    for name in ("stopped", "seconds", "events"):
        counts[name] = sum(getattr(line, name) is not None for line in run.lines.values())
    return {name: count for name, count in counts.items() if count}


def _result_files(path: Path) -> list[Path]:
    if path.is_dir():
        return sorted(path.glob("*.json"))
    return [path]


def _recognises(path: Path) -> bool:
    files = _result_files(path)
    if not files:
        return False
    try:
        first = msgspec.json.decode(files[0].read_bytes())[0]
    except (OSError, msgspec.MsgspecError, LookupError, TypeError):
        return False
    return isinstance(first, dict) and first.keys() >= set(OfficialResult.__struct_fields__[:3])


def _read(path: Path, case_set: CaseSet, scenes: Scenes) -> RunAnswers:
    asked = _by_file(case_set)
    lines: list[EvidenceLine] = []
    about: set[str] = set()
    unused = 0
    for file in _result_files(path):
        if file.stem not in asked:
            raise InputError(
                f"{file}: the name does not say which intervention it is of",
                expected=f"a name such as {', '.join(f'{name}.json' for name in list(asked)[:3])}: "
                "files of different interventions use the same ids",
                fix=f"rename it; these cases have {', '.join(asked)}",
            )
        results = read_official(file)
        answered = official_lines(results, asked[file.stem])
        lines += answered.values()
        about.add(file.stem)
        unused += len(results) - len(answered)
    cases = tuple(case for case in case_set.cases if intervention(case) in about)
    return RunAnswers(lines, msgspec.structs.replace(case_set, cases=cases), unused)


register_run_format(
    RunFormat(
        name="vln-behave",
        title="vln-behave: results and items, two files for each intervention",
        files=_files,
        benchmark="behavior",
        suffix="",
        recognises=_recognises,
        read=_read,
    )
)
