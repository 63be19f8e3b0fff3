"""`vlnscope agent-file` (agents)."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from vlnscope.cli.shared import output
from vlnscope.cli.shared.options import Json


def agent_file(
    target: Annotated[
        Path, typer.Argument(metavar="DEST", help="File to write, or a folder to write it into.")
    ] = Path("vlnscope_agent.py"),
    json: Json = False,
) -> None:
    """Write vlnscope_agent.py, with which agents in other environments are served or write evidence.

    It is one file that needs nothing but Python 3.6 or newer. Copy it into the environment of an agent that
    cannot be installed beside vlnscope (an old Habitat or PyTorch, say), and import it there. An older copy
    is replaced; any other file, and a copy that was changed, stays.

    **Examples**

    `vlnscope agent-file`

    `vlnscope agent-file ~/old-habitat/vlnscope_agent.py`
    """
    from vlnscope.agents.remote.agent_copy import copy_agent_file

    copy = copy_agent_file(target)
    if json:
        output.print_json({"file": str(copy.file), "version": copy.version, "replaced": copy.replaced})
    else:
        before = f", in the place of {copy.replaced}" if copy.replaced else ""
        output.show(f"{copy.file}: the file of vlnscope {copy.version}{before}")
