"""TOML: one way to read it that turns every defect into a plain error."""

from __future__ import annotations

import sys
import tomllib
from pathlib import Path
from typing import Any

from vlnscope.core.exceptions import InputError


def parse_toml(text: str, where: object) -> dict[str, Any]:
    """Return what a text in TOML says; ``str(where)`` names its source in errors.

    Raises:
        InputError: it is not TOML, nested too deeply, or has a number of thousands of digits.
    """
    try:
        return tomllib.loads(text)
    except RecursionError:
        reason = "nested too deeply"
    except ValueError as error:  # TOMLDecodeError is one; so is what Python says of very long integers
        reason = str(error)
    raise InputError(
        f"{where}: is no TOML ({reason})", expected="a TOML file", fix="mend the text at that place"
    )


def packaged_toml(module: str) -> dict[str, Any]:
    """Return the data that lies beside a module: a file of its name that ends in ``.toml``."""
    return tomllib.loads(Path(str(sys.modules[module].__file__)).with_suffix(".toml").read_text("utf-8"))
