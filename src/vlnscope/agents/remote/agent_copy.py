"""Copies `vlnscope_agent.py` to where an agent lives.

A copy ends with a line that names its version and the digest of all above it. So a copy that nobody has
changed is known again, and a newer one takes its place; what a person has written is never replaced.
"""

from __future__ import annotations

import hashlib
import re
from pathlib import Path
from typing import NamedTuple

from vlnscope._version import __version__
from vlnscope.agents.remote import vlnscope_agent
from vlnscope.core.exceptions import InputError
from vlnscope.core.files import check_output, read_bytes, write_whole

SOURCE = Path(vlnscope_agent.__file__)
_STAMP = re.compile(
    rb"(?s)(?P<text>.*\n)# copied from vlnscope (?P<version>[\w.+-]+), sha256 (?P<digest>\w{64})\n"
)


class AgentCopy(NamedTuple):
    """A copy of `vlnscope_agent.py`.

    Attributes:
        file: where it is.
        version: of the vlnscope that it was copied from.
        replaced: version of the copy that was there before; None if there was none.
    """

    file: Path
    version: str
    replaced: str | None


def copy_agent_file(target: str | Path = SOURCE.name) -> AgentCopy:
    """Write `vlnscope_agent.py`, in the place of an older copy if there is one.

    Args:
        target: a file, or a folder to write it into under its own name.

    Raises:
        InputError: there is another file, a copy that was changed, or one of a newer vlnscope.
    """
    file = Path(target)
    if file.is_dir():
        file /= SOURCE.name
    before = _version_at(file)
    if before is not None and _parts(before) > _parts(__version__):
        raise InputError(
            f"{file}: is of vlnscope {before}, and this is {__version__}",
            expected="an older copy",
            fix="keep it: it serves older versions of vlnscope as well",
        )
    with write_whole(file) as stream:
        stream.write(stamped(read_bytes(SOURCE)))
    return AgentCopy(file, __version__, before)


def _version_at(file: Path) -> str | None:
    """Return the version of the copy that is there; None if nothing is, and refuse anything else."""
    check_output(file)
    if not file.exists():
        return None
    version = version_of(read_bytes(file))
    if version is None:
        raise InputError(
            f"{file}: is no copy of {SOURCE.name}, or was changed since",
            expected="a name that is not taken, or an older copy that nobody has changed",
            fix="name another file, or move this one away",
        )
    return version


def stamped(text: bytes) -> bytes:
    """Return a copy with the line that says where it is from.

    Example:
        >>> version_of(stamped(b"x = 1" + bytes([10]))) == __version__
        True
    """
    digest = hashlib.sha256(text).hexdigest()
    return text + f"# copied from vlnscope {__version__}, sha256 {digest}\n".encode()


def version_of(copy: bytes) -> str | None:
    """Return the version of vlnscope that a copy is from; None of what is no copy, or was changed."""
    stamp = _STAMP.fullmatch(copy.replace(b"\r\n", b"\n"))
    if stamp is None or hashlib.sha256(stamp["text"]).hexdigest().encode() != stamp["digest"]:
        return None
    return stamp["version"].decode()


def _parts(version: str) -> list[int]:
    return [int(number) for number in re.findall(r"\d+", version)]
