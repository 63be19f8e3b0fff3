"""Opens files of episodes, predictions, tours and logs, whatever their format.

The format is recognised from a file's first record unless it is named. Everything is streamed: what a
reader keeps is the ids that it has seen, to notice one that comes twice. A record that is wrong is handed
to `on_problem`, which refuses it unless the caller gives another function to collect `Problem`s; damage
after which nothing can be read (a file cut off, gzip that does not unpack) always raises `InputError`.
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

from vlnscope.core.exceptions import InputError
from vlnscope.episodes.format import Format, Head, Holds, OnProblem, formats, get_format, refuse
from vlnscope.episodes.json.stream import peek
from vlnscope.episodes.records import shown
from vlnscope.episodes.stated import is_number, is_summary, metric_called
from vlnscope.types import Episode, Prediction, Tour, TourLog

_NOUNS: dict[Holds, str] = {
    "episodes": "episodes",
    "predictions": "predictions",
    "tours": "tours",
    "tour-logs": "logs of tours",
    "episode-metrics": "metrics of episodes",
}


def sniff(path: str | Path, holds: Holds | None = None) -> Format:
    """Return the format of a file.

    Args:
        path: the file.
        holds: what the file must hold; only needed where formats of several kinds look alike.

    Raises:
        InputError: no format, or more than one, fits; or the file holds something else than `holds`.
    """
    path = evidence_in(path)
    head = head_of(path)
    fitting = [fmt for fmt in formats().values() if _recognises(fmt, head)]
    wanted = [fmt for fmt in fitting if holds is None or fmt.holds == holds]
    if len(wanted) == 1:
        return wanted[0]
    if len(wanted) > 1:
        raise InputError(
            f"{path}: could be {' or '.join(fmt.name for fmt in wanted)}",
            expected="a file that only one format fits",
            fix="name its format, as in `vlnscope convert IN OUT --from FORMAT --to FORMAT`",
        )
    if holds is not None and fitting:
        raise InputError(
            f"{path}: holds {_NOUNS[fitting[0].holds]} ({fitting[0].title})",
            expected=f"a file with {_NOUNS[holds]}",
            fix=f"give the file with the {_NOUNS[holds]}",
        )
    if head.container == "object" and head.key and metric_called(head.key) and is_number(head.record):
        raise InputError(
            f"{path}: holds means alone ({head.key} {shown(head.record)}, …), not the episodes behind them",
            expected="a file with a record per episode",
            fix="give the file beside it that has them (VLN-CE calls it stats_ep_*.json); "
            "`vlnscope explain-gap WALKS --claimed SR=…` explains means alone, from walks",
        )
    raise InputError(
        f"{path}: is in no format that is known: {_described(head)}",
        expected=f"one of {', '.join(formats(holds))}",
        fix="`vlnscope ls formats` lists all; `vlnscope convert IN OUT --from FORMAT --to FORMAT` says where "
        "a file departs from one; JSON lines belong in a file named .jsonl",
    )


def head_of(path: str | Path) -> Head:
    """Return the beginning of a file, from which its format is recognised; a summary in front is passed."""
    return Head(Path(path), *peek(path, passing=is_summary))


def evidence_in(path: str | Path) -> Path:
    """Return the evidence file of a run, if `path` is the folder of one; else `path`."""
    inside = Path(path) / "evidence.jsonl"
    return inside if inside.is_file() else Path(path)


def read_predictions(
    path: str | Path,
    format: str | Format | None = None,  # noqa: A002
    on_problem: OnProblem = refuse,
) -> Iterator[Prediction]:
    """Yield the predictions of a file.

    Args:
        path: the file, gzip or not; the folder of a run stands for the evidence in it.
        format: its format or the format's name; recognised if not given.
        on_problem: called for each record that is wrong; if it returns, reading goes on with the next.
    """
    path = evidence_in(path)
    return _chosen(path, format, "predictions").read(path, on_problem)


def read_episodes(
    path: str | Path,
    format: str | Format | None = None,  # noqa: A002
    on_problem: OnProblem = refuse,
) -> Iterator[Episode]:
    """Yield the episodes of a file; see `read_predictions` for the arguments."""
    return _chosen(path, format, "episodes").read(Path(path), on_problem)


def read_tours(
    path: str | Path,
    format: str | Format | None = None,  # noqa: A002
    split: str | None = None,
    on_problem: OnProblem = refuse,
) -> list[Tour]:
    """Return the tours of a file, or of one of its splits.

    Raises:
        InputError: the file does not have the split, or has several and none is named.
    """
    return list(_of_split(path, _chosen(path, format, "tours").read(Path(path), on_problem), split))


def read_tour_logs(
    path: str | Path,
    format: str | Format | None = None,  # noqa: A002
    split: str | None = None,
    on_problem: OnProblem = refuse,
) -> Iterator[TourLog]:
    """Yield the logs of the tours of a file, or of one of its splits; see `read_tours`."""
    return _of_split(path, _chosen(path, format, "tour-logs").read(Path(path), on_problem), split)


def _chosen(path: str | Path, named: str | Format | None, holds: Holds) -> Format:
    if named is None:
        return sniff(path, holds)
    chosen = named if isinstance(named, Format) else get_format(named)
    if chosen.holds != holds:
        raise InputError(
            f"{path}: the format {chosen.name!r} is one of {_NOUNS[chosen.holds]}",
            expected=f"a format of {_NOUNS[holds]}: {', '.join(formats(holds))}",
            fix="leave the format out to let it be recognised",
        )
    return chosen


def _of_split(path: str | Path, records: Iterator[Any], split: str | None) -> Iterator[Any]:
    """Yield the records of a split; those that name no split belong to any."""
    others: set[str] = set()
    seen = False
    for record in records:
        own = getattr(record, "split", split)
        if split is None and own is not None and others - {own}:
            raise InputError(
                f"{path}: has several splits ({', '.join(sorted(others | {own}))})",
                expected="the name of one of them",
                fix="name it with --split (in Python: split)",
            )
        if own == split or split is None:
            seen = True
            yield record
        if own is not None:
            others.add(own)
    if split is not None and not seen:
        raise InputError(
            f"{path}: there is no split {split!r}",
            expected=f"one of {', '.join(sorted(others))}" if others else "a file with records",
            fix="name one of these, or give the file that has this split",
        )


def _recognises(fmt: Format, head: Head) -> bool:
    """Ask a format; one that stumbles over a strange record (a plug-in may) does not recognise it."""
    try:
        return fmt.sniff(head)
    except (LookupError, TypeError, ValueError, AttributeError):
        return False


def _described(head: Head) -> str:
    kind = {"array": "a JSON array", "object": "a JSON object", "lines": "JSON lines"}[head.container]
    if head.record is None and head.key is None:
        return f"{kind} without records"
    if isinstance(head.record, dict):
        return f"{kind} whose first record has {', '.join(map(shown, list(head.record)[:8])) or 'no members'}"
    return f"{kind} whose first record is {shown(head.record)}"
