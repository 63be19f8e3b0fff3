"""The templates of pages; nothing that is put into them is taken for markup."""

from __future__ import annotations

import re
from functools import cache
from typing import Any

from jinja2 import Environment, PackageLoader, StrictUndefined
from markupsafe import Markup, escape

from vlnscope.reporting.page.statements import address
from vlnscope.reporting.page.tables import shown_table

_NUMBER = re.compile(r"−?\d[\d.,]*(?: %| points| m\b)|\[−?\d[\d.,]*, −?\d[\d.,]*\]")


def fill(template: str, **content: Any) -> str:
    """Return a template of the folder ``templates`` with its content."""
    return _environment().get_template(template).render(content)


@cache
def _environment() -> Environment:
    environment = Environment(
        loader=PackageLoader("vlnscope.reporting.page"),
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
        keep_trailing_newline=True,
    )
    environment.filters |= {
        "anchor": _anchor,
        "address": address,
        "ticked": _ticked,
        "sentence_case": _sentence_case,
        "together": _together,
    }
    environment.globals["shown_table"] = shown_table
    return environment


def _ticked(text: str) -> Markup:
    """Write what stands between backticks as code."""
    pieces = text.split("`")
    shown = (
        Markup("<code>{}</code>") if k % 2 and k + 1 < len(pieces) else Markup("{}")
        for k in range(len(pieces))
    )
    return Markup("").join(piece.format(text) for piece, text in zip(shown, pieces, strict=True))


def _together(text: str) -> Markup:
    """Keep numbers and their units, and intervals, on one line."""
    return Markup(_NUMBER.sub(r'<span class="n">\g<0></span>', str(escape(text))))


def _sentence_case(text: str) -> str:
    return text[:1].upper() + text[1:]


def _anchor(name: str) -> str:
    return re.sub(r"[^A-Za-z0-9-]", "-", name)
