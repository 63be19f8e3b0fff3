"""`python -m vlnscope` is the `vlnscope` command."""

from __future__ import annotations

from vlnscope.cli.main import main

if __name__ == "__main__":
    main()
