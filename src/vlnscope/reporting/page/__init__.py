"""The report as one HTML file that needs no network.

`render` makes it of what ``findings.json`` and ``walks.json`` hold, and of nothing else.
"""

from vlnscope.reporting.page.render import render, write_page

__all__ = ["render", "write_page"]
