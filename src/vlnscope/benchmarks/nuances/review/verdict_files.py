"""What people say of items: verdicts as JSON lines (``{"case_id": …, "verdict": "reject"}``) or as CSV.

The page that `write_review` makes writes such a file. Items without a verdict stay.
"""

from __future__ import annotations

import csv
import io
from pathlib import Path
from typing import Any, Literal

import msgspec

from vlnscope.benchmarks.kit.case_set import CaseSet, Loss
from vlnscope.core.exceptions import InputError
from vlnscope.core.files import read_bytes
from vlnscope.core.json_file import NOT_JSON

REJECTED = "a person rejected it"
_FIX = 'write lines such as {"case_id": "…", "verdict": "reject"}, or a CSV file with these columns'


class ReviewVerdict(msgspec.Struct, frozen=True):
    """What a person says of an item."""

    case_id: str
    verdict: Literal["accept", "reject"]
    reason: str = ""


def read_verdicts(path: str | Path) -> list[ReviewVerdict]:
    """Return the verdicts of a file of JSON lines or CSV.

    Raises:
        InputError: the file is none of these, or names an item twice.
    """
    text = read_bytes(path).decode("utf-8", errors="replace")
    rows = _json_rows(text) if text.lstrip().startswith("{") else _csv_rows(path, text)
    by_case: dict[str, ReviewVerdict] = {}
    for number, row in enumerate(rows, 1):
        try:
            verdict = msgspec.convert(row, ReviewVerdict)
        except msgspec.ValidationError as error:
            raise InputError(
                f"{path}: entry {number}: {error}", expected="case_id and verdict", fix=_FIX
            ) from None
        if by_case.setdefault(verdict.case_id, verdict).verdict != verdict.verdict:
            raise InputError(
                f"{path}: {verdict.case_id} is accepted and rejected",
                expected="one verdict per item",
                fix=_FIX,
            )
    return list(by_case.values())


def reviewed(case_set: CaseSet, verdicts: list[ReviewVerdict]) -> CaseSet:
    """Return a case set without the items that people rejected, the loss recorded.

    Raises:
        InputError: a verdict is on an item that the set does not have.
    """
    known = {case.case_id for case in case_set.cases}
    for verdict in verdicts:
        if verdict.case_id not in known:
            raise InputError(
                f"there is a verdict on {verdict.case_id!r}, which is none of the {len(known)} items",
                expected="verdicts on items of this set",
                fix="build with the options that the reviewed set was built with",
            )
    rejected = {verdict.case_id for verdict in verdicts if verdict.verdict == "reject"}
    kept = tuple(case for case in case_set.cases if case.case_id not in rejected)
    loss = Loss(REJECTED, len(case_set.cases), len(kept))
    return msgspec.structs.replace(case_set, cases=kept, losses=(*case_set.losses, loss))


def _csv_rows(path: str | Path, text: str) -> list[Any]:
    try:
        return list(csv.DictReader(io.StringIO(text)))
    except csv.Error as error:
        raise InputError(f"{path}: {error}", expected="a table of case_id and verdict", fix=_FIX) from None


def _json_rows(text: str) -> list[Any]:
    try:
        return [msgspec.json.decode(line) for line in text.splitlines() if line.strip()]
    except NOT_JSON as error:
        raise InputError(f"verdicts: {error}", expected="JSON lines", fix=_FIX) from None
