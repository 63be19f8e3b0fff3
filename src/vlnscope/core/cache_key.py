"""Names of cache folders for what code makes: a version number, and what else decides how it comes out."""

from __future__ import annotations

from collections.abc import Iterable
from functools import cache
from importlib.metadata import version as installed_version
from pathlib import Path

from vlnscope.core.files import digest

PACKAGE = Path(__file__).parents[1]
"""Folder of the package."""


def cache_key(number: int | str, *, libraries: Iterable[str], sources: Iterable[Path]) -> str:
    """Return the name of a folder for what a version of some code makes.

    The number decides, together with the versions of libraries that take part. In a checkout, where code
    changes from minute to minute while the number stays, the sources count too.

    Args:
        number: version of the code, raised with every change of what it makes.
        libraries: names of packages that take part.
        sources: files of the code; asked for in a checkout only.

    Example:
        >>> cache_key(2, libraries=("numpy",), sources=()).startswith("v2-")
        True
    """
    parts = [f"{name} {installed_version(name)}".encode() for name in libraries]
    if in_checkout():
        parts += [path.read_bytes() for path in sources]
    return f"v{number}-{digest(*parts)[:12]}"


@cache
def in_checkout() -> bool:
    """Say whether the package lies in a checkout of its repository rather than among installed ones."""
    return PACKAGE.parent.name == "src" and (PACKAGE.parents[1] / "pyproject.toml").is_file()
