"""`vlnscope parse`: what an instruction asks for."""

from __future__ import annotations

import sys
from typing import Annotated

import typer
from rich.text import Text

from vlnscope.cli.shared import output

EPILOG = """
**Examples**

`vlnscope parse "Turn left at the sofa and wait by the second door on the right."`

`vlnscope parse --json "Walk past the kitchen and go upstairs."`

`cat instruction.txt | vlnscope parse -`
"""
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
    json: Annotated[bool, typer.Option("--json", help="Print one JSON object.")] = False,
) -> None:
    """Show what an instruction asks for, action by action, and the words that were not understood."""
    from vlnscope.language.parse.parser import parse as parse_text
    from vlnscope.language.parse.summary import outline

    found = parse_text(sys.stdin.read() if text == "-" else text)
    if json:
        skipped = [token.text for token in found.skipped]
        output.print_json({"parse": found, "coverage": found.coverage, "skipped": skipped})
        return
    painted = Text(found.text)
    for token in found.tokens:
        style = "strike dim" if token.action is None else _STYLES.get(token.category, "")
        painted.stylize(style, token.span.start, token.span.end)
    screen = output.console()
    screen.print(painted, soft_wrap=True)
    rows = [
        [outline(action), " ".join(token.text for token in found.tokens if token.action == i)]
        for i, action in enumerate(found.actions)
    ]
    screen.print(output.table("what it asks for", ("action", "words"), rows, texts=2))
    left = ", ".join(token.text for token in found.skipped)
    last = f"{found.coverage:.0%} of the words understood" + (f"; skipped: {left}" if left else "")
    screen.print(Text(last, style="dim"), soft_wrap=True)
