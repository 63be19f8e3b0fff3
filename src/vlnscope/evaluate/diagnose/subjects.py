"""Who is diagnosed: agents and prediction files, each with a name for the report and one for its folder."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Sequence
from pathlib import Path
from typing import Any, NamedTuple

from vlnscope.core.exceptions import InputError

_NAMED = re.compile(r"(?P<name>[^=:/\\]+)=(?P<rest>.+)")
_ENDINGS = re.compile(r"(\.jsonl?)?(\.gz)?$")


class Subject(NamedTuple):
    """An agent or a prediction file.

    Attributes:
        name: in the report.
        folder: in paths: letters, digits, dashes.
        agent: how it is made: a spec or an object; None for predictions.
        predictions: the file; None for an agent.
    """

    name: str
    folder: str
    agent: Any = None
    predictions: Path | None = None


def subjects(things: Sequence[Any]) -> list[Subject]:
    """Return who is meant: prediction files by their path, all others agents; ``NAME=…`` gives a name.

    Example:
        >>> [subject.name for subject in subjects(["noisy:p=0.3", "mine=my_package.agents:Careful"])]
        ['noisy:p=0.3', 'mine']

    Raises:
        InputError: nobody is named, or two cannot be told apart.
    """
    if not things:
        raise InputError("nobody is named", expected="an agent or a prediction file", fix="name one")
    named = [_subject(thing) for thing in things]
    name, count = Counter(subject.name for subject in named).most_common(1)[0]
    if count > 1:
        raise InputError(
            f"two agents are called {name}",
            expected="a name for each",
            fix=f"name them: first={name} second={name}",
        )
    return _apart(named)


def _apart(named: Sequence[Subject]) -> list[Subject]:
    """Give each a folder of its own, also where names differ only in signs that paths do without."""
    apart: list[Subject] = []
    for subject in named:
        folder, number = subject.folder, 1
        while folder.casefold() in {other.folder.casefold() for other in apart}:
            number += 1
            folder = f"{subject.folder}-{number}"
        apart.append(subject._replace(folder=folder))
    return apart


def _subject(thing: Any) -> Subject:
    if not isinstance(thing, str | Path):
        return _named(type(thing).__name__, agent=thing)
    text = str(thing)
    match = _NAMED.fullmatch(text)
    if match and not _is_file(text):
        name, text = match["name"], match["rest"]
    else:
        name = _short(text)
    path = Path(text).expanduser()
    if _is_file(path):
        return _named(name, predictions=path)
    if isinstance(thing, Path) or path.suffix in (".json", ".jsonl", ".gz"):
        raise InputError(
            f"{text}: there is no such file", expected="a prediction file or an agent", fix="check the name"
        )
    return _named(name, agent=text)


def _short(text: str) -> str:
    """Return a name that is short enough to read: of a file its stem, of a module its object."""
    if text.startswith(("http://", "https://")):
        return text.partition("//")[2].rstrip("/")
    if _is_file(text):
        return _ENDINGS.sub("", Path(text).name)
    _, colon, rest = text.partition(":")
    return rest if colon and "=" not in rest.partition(":")[0] else text


def _is_file(text: str | Path) -> bool:
    try:
        return Path(text).is_file()
    except OSError:  # too long for a file's name
        return False


def _named(name: str, **what: Any) -> Subject:
    folder = re.sub(r"[^A-Za-z0-9._-]+", "-", name)[:80].strip("-.") or "agent"
    return Subject(name, folder, **what)
