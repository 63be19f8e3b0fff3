"""The reproducibility card: what was run on what, with which code, and the commands that do it again.

It comes from ``run.json`` and the case sets of the runs. It holds no times and no names of machines, so that
the same runs give the same card.
"""

from __future__ import annotations

import re
import shlex
from collections.abc import Iterable, Sequence
from typing import Any, NamedTuple

import msgspec

from vlnscope._version import __version__
from vlnscope.benchmarks.kit.case_set import CaseSet
from vlnscope.core.files import file_digest
from vlnscope.engine.store.provenance import RunRecord
from vlnscope.reporting.report_data import LeftOut
from vlnscope.reporting.tables.markdown import markdown_text

_LONG = 120
_ODD = re.compile(r"[<`\x00-\x1f\x7f-\x9f\u2028\u2029]")
"""What would begin a tag, end a block of code, or end the line."""
_TICKS = re.compile("`+")


class CardRun(NamedTuple):
    """A run, as the card tells of it.

    Attributes:
        agent: its name in the report.
        where: its folder, as commands name it.
        record: what ``run.json`` says; None where there is only a prediction file.
        case_set: the cases of a benchmark; None where the episodes of a data set were run.
        data: the data set.
        files: SHA-256 of its files, where there is no ``run.json`` to say it.
    """

    agent: str
    where: str
    record: RunRecord | None
    case_set: CaseSet | None = None
    data: str = ""
    files: str | None = None


def reproducibility_card(
    runs: Sequence[CardRun],
    *,
    profile: str | None = "default",
    baseline: str = "",
    partial: bool = False,
    commands: Sequence[str] | None = None,
    left_out: Sequence[LeftOut] = (),
) -> dict[str, Any]:
    """Return the card as plain data, for `Report.card` and `card_markdown`.

    Args:
        runs: what the report rests on.
        profile: whose conventions were followed; None if that is not known.
        baseline: of the marks.
        partial: incomplete predictions were scored as far as they go.
        commands: what does all of it again; made from the runs if not given.
        left_out: what could not be said.
    """
    records = [(run, run.record) for run in runs if run.record is not None]
    return {
        "scored with": {
            "vlnscope": __version__,
            "profile": "unknown" if profile is None else profile,
            **({"baseline": baseline} if baseline else {}),
            **({"incomplete predictions": "scored as far as they go"} if partial else {}),
        },
        "run with": _distinct(_software(record) for _, record in records),
        "agents": _distinct(_agent(run) for run in runs),
        "data": _merged(_data(run) for run in runs),
        "cases": _distinct(_cases(run, record) for run, record in records),
        "rules": _distinct(_rules(run, record) for run, record in records),
        "unfinished or failed": [line for run, record in records for line in _troubles(run, record)],
        "left out": [f"{one.benchmark} ({', '.join(one.agents)}): {one.reason}" for one in left_out],
        "commands": list(
            _commands(runs, _asked(profile, baseline, partial)) if commands is None else commands
        ),
    }


def shell_line(words: Iterable[str]) -> str:
    r"""Return words as a line for a shell that stays a line, and no markup, wherever it is shown.

    Example:
        >>> print(shell_line(["vlnscope", "report", "my run", "<b>\n```=it's"]))
        vlnscope report 'my run' $'\x3cb>\n\x60\x60\x60=it\'s'
    """
    return " ".join(_quoted(word) for word in words)


def _quoted(word: str) -> str:
    if not _ODD.search(word):
        return shlex.quote(word)
    return "$'" + _ODD.sub(_code, word.replace("\\", r"\\").replace("'", r"\'")) + "'"


def _code(match: re.Match[str]) -> str:
    sign = match[0]
    return r"\n" if sign == "\n" else rf"\x{ord(sign):02x}" if sign < "\x80" else rf"\u{ord(sign):04x}"


def card_markdown(card: dict[str, Any]) -> str:
    """Return a card as a page.

    Example:
        >>> print(card_markdown({"seeds": [0, 1], "run with": {"python": "3.11"}, "commands": ["ls"]}))
        # Reproducibility card
        <BLANKLINE>
        ## seeds
        <BLANKLINE>
        - 0
        - 1
        <BLANKLINE>
        ## run with
        <BLANKLINE>
        - python: 3.11
        <BLANKLINE>
        ## commands
        <BLANKLINE>
        ```
        ls
        ```
        <BLANKLINE>
    """
    lines = ["# Reproducibility card"]
    for name, content in card.items():
        lines += ["", f"## {name}", ""]
        if name == "commands":
            fence = max(["```", *(f"{run}`" for run in _TICKS.findall("\n".join(content)))], key=len)
            lines += [fence, *content, fence]  # longer than what a card that was read may hold
        elif isinstance(content, dict):
            lines += [f"- {markdown_text(f'{key}: {_text(value)}')}" for key, value in content.items()]
        else:
            lines += [f"- {markdown_text(_text(one))}" for one in content] or ["- nothing"]
    return "\n".join(lines) + "\n"


def _software(record: RunRecord) -> dict[str, Any]:
    kept = ("python", "numpy", "system", "processors")
    machine = {name: record.machine[name] for name in kept if name in record.machine}
    return {"vlnscope": record.vlnscope, "revision": record.revision or "unknown", **machine}


def _agent(run: CardRun) -> dict[str, Any]:
    if run.record is None:
        return {"name": run.agent, "predictions": f"sha256 {file_digest(run.where)}"}
    its = run.record.agent
    privilege = {"told the reference": "yes"} if its.privileged else {}
    privilege |= {"explored the building before": "yes"} if its.explored else {}
    return {"name": run.agent, "identity": its.identity, "needs": list(its.needs), **privilege}


def _data(run: CardRun) -> dict[str, Any]:
    if run.record is None:
        data = {"name": run.data, "files": run.files}
    else:
        data = msgspec.to_builtins(run.record.data)
    return {name: value for name, value in data.items() if value is not None}


def _cases(run: CardRun, record: RunRecord) -> dict[str, Any]:
    counted: dict[str, Any] = {"count": record.cases.count, "digest": record.cases.digest}
    if run.case_set is None:
        return {"benchmark": "episodes", "data": record.data.name, **counted}
    options = {
        name: value for name, value in run.case_set.options.items() if len(str(value)) <= _LONG
    }  # longer ones are tables, and are in cases.json
    lost = [f"{loss.filter}: {loss.after:,} of {loss.before:,}" for loss in run.case_set.losses]
    return {
        "benchmark": run.case_set.benchmark,
        "data": run.case_set.data,
        **counted,
        "options": options,
        "kept by filters": lost,
    }


def _rules(run: CardRun, record: RunRecord) -> dict[str, Any]:
    benchmark = run.case_set.benchmark if run.case_set else "episodes"
    return {"benchmark": benchmark, **msgspec.to_builtins(record.rules)}


def _troubles(run: CardRun, record: RunRecord) -> Iterable[str]:
    if record.finished is None:
        yield f"{run.agent}, {run.where}: not finished"
    if record.failed:
        yield f"{run.agent}, {run.where}: {record.failed:,} cases failed"


def _asked(profile: str | None, baseline: str, partial: bool) -> list[str]:
    """Return the options of a report as words of a command."""
    words = ["--profile", profile] if profile not in (None, "default") else []
    words += ["--baseline", baseline] if baseline else []
    return [*words, *(["--partial"] if partial else [])]


def _commands(runs: Sequence[CardRun], case_set: Sequence[str]) -> Iterable[str]:
    """Yield commands that run all agents again and report on them.

    A run holds its cases, so that it can be run again whatever they were built with.
    """
    again = []
    for run in runs:
        if run.record is None:
            again.append(f"{run.agent}={run.where}")
            continue
        folder = f"again/{run.where.strip('./')}"
        again.append(folder if run.agent == run.record.agent.name else f"{run.agent}={folder}")
        yield shell_line([*_run_again(run, run.record), "--out", folder])
    words = ["vlnscope", "report", *again]
    data = next((run.data for run in runs if run.record is None), "")
    words += ["--data", data] if data else []
    yield shell_line([*words, *case_set, "--out", "again/report"])


def _run_again(run: CardRun, record: RunRecord) -> Iterable[str]:
    yield from ("vlnscope", "run", record.agent.identity.split(" (")[0])
    yield from ("--cases", run.where) if run.case_set else ("--data", record.data.name)
    for name in ("limit",) if run.case_set else ("cases", "tours", "split", "limit"):
        if record.config.get(name):
            yield from (f"--{name}", str(record.config[name]))
    rules = record.rules
    yield from ("--max-steps", str(rules.max_steps), "--log", rules.log, "--oracle", rules.oracle)
    yield from ("--sample",) if rules.sample else ()
    yield from ("--shard", record.shard) if record.shard else ()
    yield from ("--seed", str(rules.seed))


def _distinct(parts: Iterable[dict[str, Any]]) -> list[dict[str, Any]]:
    distinct: list[dict[str, Any]] = []
    for part in parts:
        if part not in distinct:
            distinct.append(part)
    return distinct


def _merged(parts: Iterable[dict[str, Any]]) -> list[dict[str, Any]]:
    """Put together what tells of the same data: parts of one name that contradict each other in nothing."""
    merged: list[dict[str, Any]] = []
    for part in parts:
        for one in merged:
            if one["name"] == part["name"] and all(one.get(key, part[key]) == part[key] for key in part):
                one |= part
                break
        else:
            merged.append(dict(part))
    return merged


def _text(value: Any) -> str:
    if isinstance(value, dict):
        return "; ".join(f"{key} {_text(inner)}" for key, inner in value.items())
    if isinstance(value, list | tuple):
        return ", ".join(map(_text, value)) or "nothing"
    return "none" if value is None else str(value)
