"""Rows of papers' tables that a result can be held against: facts with their sources, not measured here."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from difflib import get_close_matches
from functools import cache

from vlnscope.benchmarks.fidelity.findings.published import PUBLISHED as OF_FIDELITY
from vlnscope.benchmarks.fidelity.findings.published import PublishedRow
from vlnscope.benchmarks.nuances.findings.published import PAPER as NUANCES_PAPER
from vlnscope.benchmarks.nuances.findings.published import TABLE_2
from vlnscope.core.exceptions import InputError
from vlnscope.core.toml_file import packaged_toml
from vlnscope.evaluate.gap.claims import ClaimedNumber

JAIN = "Jain et al. 2019, Stay on the Path: Instruction Fidelity in Vision-and-Language Navigation"
KRANTZ = "Krantz et al. 2023, Iterative Vision-and-Language Navigation"
_QUOTED = "quoted there from the paper named, whose conventions are not stated"
NEAREST = 3
LIST = "--list-published"
_SMALL = ("NavGPT4", "NavGPT4v")


@dataclass(frozen=True)
class PublishedResult:
    """A row of a paper's table.

    Attributes:
        key: how users name it: AGENT/DATASET/SPLIT.
        agent: as the paper calls it.
        data: the data set whose episodes it was measured on.
        profile: whose conventions the row follows.
        source: paper and table.
        numbers: as printed, by metric.
        note: what else a reader must know.
    """

    key: str
    agent: str
    data: str
    profile: str
    source: str
    numbers: dict[str, ClaimedNumber]
    note: str = ""


def get_published(key: str) -> PublishedResult:
    """Return the row called `key`.

    Raises:
        InputError: there is none.
    """
    rows = published()
    if key in rows:
        return rows[key]
    near = _nearest(key.lower(), list(rows))
    raise InputError(
        f"there is no published row {key!r}" + (f"; did you mean {' or '.join(near)}?" if near else ""),
        expected=f"AGENT/DATASET/SPLIT, such as {next(iter(near or rows))}",
        fix=f"`vlnscope explain-gap {LIST}` lists all {len(rows)} rows; or state the numbers with --claimed",
    )


def _nearest(key: str, rows: Sequence[str]) -> list[str]:
    agent, slash, data = key.partition("/")
    if slash:
        there = [row for row in rows if row.partition("/")[2] == data]
        return get_close_matches(key, there or rows, n=NEAREST)
    names = get_close_matches(agent, dict.fromkeys(row.partition("/")[0] for row in rows), n=1)
    return [row for row in rows if row.partition("/")[0] in names][:NEAREST]


@cache
def published() -> dict[str, PublishedResult]:
    """Return all rows by key.

    Example:
        >>> row = published()["hamt/r2r/val_unseen"]
        >>> row.profile, str(row.numbers["SPL"])
        ('hamt', '57.70')
    """
    rows = [*_jain(), *_nuances(), *_krantz()]
    return {row.key: row for row in rows}


def _slug(*words: str) -> str:
    return re.sub(r"[^a-z0-9.]+", "-", " ".join(words).lower()).strip("-")


def _jain() -> list[PublishedResult]:
    results = []
    for (variant, data), rows in OF_FIDELITY.items():
        split = data.partition("/")[2]
        name = "r2r" if variant == "as-is" else variant
        for row in rows:
            variant_name = "" if row.variant == "full" else row.variant
            results.append(
                PublishedResult(
                    key=f"{_slug(row.model, variant_name)}/{name}/{split}",
                    agent=f"{row.model}, {variant_name}" if variant_name else row.model,
                    data=f"{name}/{split}",
                    profile="paper",
                    source=f"{JAIN}, Table {3 if name == 'r2r' else 4}",
                    numbers=_jain_numbers(row),
                    note=_QUOTED if re.search(r"\d{4}", row.model) else "",
                )
            )
    return results


def _jain_numbers(row: PublishedRow) -> dict[str, ClaimedNumber]:
    """Shares have one decimal; lengths have three digits."""
    numbers = {"TL": row.tl, "NE": row.ne, "SR": row.sr, "SPL": row.spl, "CLS": row.cls}
    lengths = ("TL", "NE")
    return {
        metric: ClaimedNumber(value, 2 if metric in lengths and value < 10 else 1)
        for metric, value in numbers.items()
        if value is not None
    }


def _nuances() -> list[PublishedResult]:
    return [
        PublishedResult(
            key=f"{_slug('random of nuances' if row.name == 'Random' else row.name)}/r2r/val_unseen",
            agent=row.name,
            data="r2r/val_unseen",
            profile="hamt",
            source=f"{NUANCES_PAPER}, Table 2",
            numbers={m: ClaimedNumber(v, 2) for m, v in zip(("SR", "nDTW", "SPL"), row.r2r, strict=True)},
            note="measured on a random subset of about 130 episodes" if row.name in _SMALL else "",
        )
        for row in TABLE_2
        if row.r2r is not None
    ]


_IVLN_METRICS = ("TL", "NE", "OSR", "nDTW", "SR", "SPL")


def _krantz() -> list[PublishedResult]:
    results = []
    for name, agents in packaged_toml(__name__).items():
        for index, (agent, splits) in enumerate(agents.items()):
            table = 2 if name == "ir2r" else 3 if index < 4 else 4
            for split, numbers in zip(("val_seen", "val_unseen"), splits, strict=True):
                results.append(
                    PublishedResult(
                        key=f"{_slug(agent)}/{name}/{split}",
                        agent=agent,
                        data=f"{name.removeprefix('i')}/{split}",
                        profile="ivln" if name == "ir2r" else "ivln-ce",
                        source=f"{KRANTZ}, Table {table}",
                        numbers=dict(
                            zip(_IVLN_METRICS, map(ClaimedNumber.read, numbers.split()), strict=True)
                        ),
                        note="episodes of tours; mean of three runs" if table < 4 else "episodes of tours",
                    )
                )
    return results
