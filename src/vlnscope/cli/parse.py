"""`vlnscope parse` (language)."""

from __future__ import annotations

import sys
from typing import Annotated

import typer
from rich.text import Text

from vlnscope.cli.shared import output
from vlnscope.cli.shared.options import Json
from vlnscope.core.results import TextTable

_STYLES = {
    "turning": "bold cyan",
    "direction": "bold cyan",
    "stairs": "bold magenta",
    "landmark": "green",
    "region": "blue",
    "number": "yellow",
    "attribute": "yellow",
    "stop": "bold red",
    "motion": "cyan",
    "unknown": "reverse",
}


def parse(
    text: Annotated[str, typer.Argument(help="The instruction; - reads standard input.")],
    json: Json = False,
) -> None:
    """Show what an instruction asks for, action by action, and the words that were not understood.

    **Examples**

    `vlnscope parse "Turn left at the sofa and wait by the second door on the right."`

    `vlnscope parse --json "Walk past the kitchen and go upstairs."`

    `cat instruction.txt | vlnscope parse -`
    """
    from vlnscope.language.actions import summarise
    from vlnscope.language.parse import parse as parse_text

    parsed = parse_text(sys.stdin.read() if text == "-" else text)
    skipped = [token.text for token in parsed.skipped]
    if json:
        output.print_json({"parse": parsed, "coverage": parsed.coverage, "skipped": skipped})
        return
    painted = Text(parsed.text)
    for token in parsed.tokens:
        style = "strike dim" if token.action is None else _STYLES.get(token.category, "")
        painted.stylize(style, token.span.start, token.span.end)
    rows = [
        [summarise(action), " ".join(token.text for token in parsed.tokens if token.action == i)]
        for i, action in enumerate(parsed.actions)
    ]
    rest = f"; skipped: {', '.join(skipped)}" if skipped else ""
    last = Text(f"{parsed.coverage:.0%} of the words understood{rest}", style="dim")
    output.show(painted, TextTable("what it asks for", ("action", "words"), rows, texts=2), last)
