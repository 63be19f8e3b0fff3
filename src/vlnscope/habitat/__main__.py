"""Runs a script in which ``habitat`` means vlnscope: ``python -m vlnscope.habitat SCRIPT [ARGUMENTS]``."""

from __future__ import annotations

import runpy
import sys
from pathlib import Path

from vlnscope.habitat.addresses import stand_in


def main() -> None:
    """Run the script that the command line names."""
    if len(sys.argv) < 2 or not Path(sys.argv[1]).is_file():
        raise SystemExit("usage: python -m vlnscope.habitat SCRIPT [ARGUMENTS]")
    stand_in()
    del sys.argv[0]
    sys.path[0] = str(Path(sys.argv[0]).resolve().parent)
    runpy.run_path(sys.argv[0], run_name="__main__")


if __name__ == "__main__":
    main()
