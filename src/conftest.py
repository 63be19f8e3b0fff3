"""Examples in docstrings are tested; those of modules that need torch only where it is installed."""

from __future__ import annotations

from importlib.util import find_spec

collect_ignore_glob = (
    []
    if find_spec("torch")
    else [
        "vlnscope/agents/learned/*",
        "vlnscope/experiments/*",
        "vlnscope/perception/features/house_tower.py",
        "vlnscope/perception/mapping/segmenting_network.py",
        "vlnscope/perception/networks.py",
        "vlnscope/training/*",
    ]
)
