"""Configurations as Habitat has them: trees of options by attribute, from names or YAML files."""

from __future__ import annotations

from typing import Any

from vlnscope.habitat.config.files import get_agent_config, get_config
from vlnscope.habitat.config.node import Config, read_write

__all__ = ["Config", "get_agent_config", "get_config", "read_write"]


def __getattr__(name: str) -> Any:
    from vlnscope.habitat.addresses import found  # which imports this package

    if name.startswith("_"):
        raise AttributeError(name)
    return found("config", name)
