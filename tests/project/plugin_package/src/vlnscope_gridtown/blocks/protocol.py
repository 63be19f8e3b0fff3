"""How the cases are rolled out."""

from __future__ import annotations

from vlnscope.types import Rules


def rules() -> Rules:
    """Let an agent walk eight blocks at most."""
    return Rules(max_steps=8)
