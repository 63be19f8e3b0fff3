"""Puts data into a page: JSON that cannot end its script block, packed text, and which scripts may run."""

from __future__ import annotations

import base64
import gzip
import hashlib
from collections.abc import Iterable
from typing import Any

import msgspec
from markupsafe import Markup

_UNSAFE = {"<": "\\u003c", ">": "\\u003e", "&": "\\u0026", "\u2028": "\\u2028", "\u2029": "\\u2029"}


def json_block(data: Any) -> Markup:
    """Return data as JSON that is safe between script tags.

    Example:
        >>> json_block({"name": "</script>"})
        Markup('{"name":"\\\\u003c/script\\\\u003e"}')
    """
    text = msgspec.json.encode(data).decode()
    for sign, written in _UNSAFE.items():
        text = text.replace(sign, written)
    return Markup(text)  # the signs that markup is made of are gone


def packed(content: bytes) -> str:
    """Return bytes as gzip in base64, the same for the same content."""
    return base64.b64encode(gzip.compress(content, 9, mtime=0)).decode()


def policy(scripts: Iterable[str]) -> str:
    """Return a content security policy: nothing from anywhere, and no script but these."""
    allowed = " ".join(f"'sha256-{_digest(script)}'" for script in scripts) or "'none'"
    return (
        f"default-src 'none'; script-src {allowed}; style-src 'unsafe-inline'; "
        "img-src data: blob:; base-uri 'none'; form-action 'none'"
    )


def _digest(script: str) -> str:
    return base64.b64encode(hashlib.sha256(script.encode()).digest()).decode()
