"""Joins the shards of a run: every case once, none missing, all of one run."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path

import msgspec

from vlnscope.benchmarks.kit.case_set import CaseSet, is_case_set
from vlnscope.core.exceptions import InputError
from vlnscope.engine.jobs import Shard
from vlnscope.engine.run import Run
from vlnscope.engine.store.evidence_log import read_log
from vlnscope.engine.store.provenance import RunRecord, differences
from vlnscope.engine.store.run_folder import EVIDENCE, Store, read_record
from vlnscope.episodes.formats.evidence import EvidenceLine

SAME = ("vlnscope", "agent", "action_space", "data", "cases", "rules")
"""Parts in which the shards of one run agree."""


def merge(runs: Sequence[str | Path], *, out: str | Path, partial: bool = False) -> Run:
    """Join runs into a new one.

    Args:
        runs: folders of runs, in any order.
        out: a new folder.
        partial: join what there is, though cases are missing.

    Raises:
        InputError: the runs are not parts of one run, a case is in two of them, or cases are missing.
    """
    folders = [Path(run) for run in runs]
    if not folders:
        raise InputError("no runs are named", expected="one run or more", fix="name the folders to join")
    records = {folder: read_record(folder) for folder in folders}
    if len(records) < len(folders):
        raise InputError(
            "a run is named twice", expected="each folder once", fix="name every shard's own folder"
        )
    first = records[folders[0]]
    _refuse_strangers(folders[0], records)
    evidence = _joined(folders)
    if (missing := _gaps(records, evidence)) and not partial:
        raise InputError(
            f"{first.cases.count - len(evidence)} of {first.cases.count} cases are missing: {missing}",
            expected="all shards of the run, each finished",
            fix="finish them with `vlnscope run … --resume`; --partial joins what there is",
        )
    whole = msgspec.structs.replace(
        first,
        shard=None,
        size=len(evidence),
        config={"merged": [record.shard for record in records.values()]},
        started=min(record.started for record in records.values()),
    )
    with Store(Path(out), whole, resume=False) as store:
        store.append(list(evidence.values()))
        if is_case_set(folders[0]):
            CaseSet.load(folders[0]).save(store.folder)
        store.complete()
        return Run(store.folder, store.record)


def _refuse_strangers(first: Path, records: Mapping[Path, RunRecord]) -> None:
    for folder, record in records.items():
        if odd := differences(records[first], record, SAME):
            raise InputError(
                f"{folder} is not of the same run as {first}: {'; '.join(odd)}",
                expected="shards of one run: the same agent, data, cases, rules and version of vlnscope",
                fix="leave it out, or compare the two runs instead",
            )


def _joined(folders: Sequence[Path]) -> dict[str, EvidenceLine]:
    owners: dict[str, Path] = {}
    evidence: dict[str, EvidenceLine] = {}
    for folder in folders:
        lines = read_log(folder / EVIDENCE)
        if twice := sorted(lines.keys() & evidence.keys()):
            raise InputError(
                f"{len(twice)} cases are in both {owners[twice[0]]} and {folder}: "
                f"{', '.join(twice[:3])}{', …' if len(twice) > 3 else ''}",
                expected="every case in one run",
                fix="name each shard once",
            )
        evidence |= lines
        owners |= dict.fromkeys(lines, folder)
    return evidence


def _gaps(records: Mapping[Path, RunRecord], evidence: Mapping[str, EvidenceLine]) -> str:
    """Say what is missing; nothing if all is there."""
    any_record = next(iter(records.values()))
    if len(evidence) == any_record.cases.count:
        return ""
    unfinished = [str(folder) for folder, record in records.items() if record.finished is None]
    shards = [Shard.parse(record.shard) for record in records.values() if record.shard]
    absent = [
        f"{number}/{of}"
        for of in sorted({shard.of for shard in shards})
        for number in range(1, of + 1)
        if Shard(number, of) not in shards
    ]
    parts = [f"shard {', '.join(absent)} is not named"] if absent else []
    parts += [f"{', '.join(unfinished)} is not finished"] if unfinished else []
    return "; ".join(parts) or "they are in none of the runs"
