"""Small files that stand for large ones in a clone of a repository, until these are fetched."""

from __future__ import annotations

from pathlib import Path

from vlnscope.core.exceptions import InputError

_POINTERS = {
    b"version https://git-lfs.github.com/spec/": ("Git LFS", "git lfs pull"),
    b"/annex/objects/": ("git-annex", "git annex get ."),
}
_LARGEST = 1024


def refuse_pointer(path: Path, size: int) -> None:
    """Refuse a file that is a pointer of Git LFS or git-annex, and say how to fetch what it stands for.

    Args:
        path: a regular file.
        size: how many bytes it has; only small files are looked into.
    """
    if not 0 < size <= _LARGEST:
        return
    try:
        with path.open("rb") as stream:
            head = stream.read(max(map(len, _POINTERS)))
    except OSError:
        return  # whoever opens it says why it cannot be read
    for mark, (tool, command) in _POINTERS.items():
        if head.startswith(mark):
            raise InputError(
                f"{path}: is a pointer of {tool}, not the file that it stands for",
                expected="the file itself, which the clone of its repository has not fetched yet",
                fix=f"run `{command}` in {path.resolve().parent}, or download the file from its repository",
            )
