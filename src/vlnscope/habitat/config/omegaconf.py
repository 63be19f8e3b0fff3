"""What loops call of OmegaConf, for configurations of `vlnscope.habitat`."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any

from vlnscope.habitat.config.node import Config, merge


class ConfigFunctions:
    """``OmegaConf``: functions on configurations."""

    @staticmethod
    def to_yaml(cfg: Config, *, resolve: bool = False, sort_keys: bool = False) -> str:
        """Return a configuration as text: JSON, which YAML readers read too."""
        del resolve
        return json.dumps(cfg, indent=2, sort_keys=sort_keys, default=str) + "\n"

    @staticmethod
    def to_container(cfg: Any, **options: Any) -> Any:
        """Return plain dictionaries and lists."""
        del options
        if isinstance(cfg, Mapping):
            return {name: ConfigFunctions.to_container(value) for name, value in cfg.items()}
        return [ConfigFunctions.to_container(value) for value in cfg] if isinstance(cfg, list) else cfg

    @staticmethod
    def create(obj: Mapping[str, Any] | None = None) -> Config:
        """Return a configuration of a mapping."""
        return Config(obj)

    @staticmethod
    def merge(*configs: Mapping[str, Any]) -> Config:
        """Return a configuration with the options of all; later ones go first."""
        whole = Config()
        for config in configs:
            merge(whole, Config(config).clone())
        return whole

    @staticmethod
    def set_readonly(conf: Config, value: bool | None) -> None:
        """Let options be changed, or not."""
        conf.freeze() if value else conf.defrost()

    @staticmethod
    def is_config(obj: Any) -> bool:
        """Return whether this is a configuration."""
        return isinstance(obj, Config)
