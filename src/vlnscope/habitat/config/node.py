"""Configuration by attribute, as Habitat's: a tree of options that is read-only outside `read_write`."""

from __future__ import annotations

import copy
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import fields, is_dataclass
from difflib import get_close_matches
from typing import Any

from vlnscope.core.exceptions import InputError


class ReadOnlyConfigError(InputError):
    """An option was changed while its configuration is read-only."""


class NoOptionError(InputError, AttributeError, KeyError):
    """A configuration was asked for an option that it does not have."""

    __str__ = InputError.__str__


class Config(dict[str, Any]):
    """Options, which can be read as attributes too.

    It has what loops use of OmegaConf's nodes (Habitat 0.2 and later) and of yacs' (0.1.7).

    Args:
        options: any mapping, nested ones included, OmegaConf's and yacs' too.

    Example:
        >>> config = Config({"simulator": {"turn_angle": 15}})
        >>> config.simulator.turn_angle
        15
        >>> with read_write(config):
        ...     config.simulator.turn_angle = 30
        >>> config["simulator"]["turn_angle"]
        30
    """

    def __init__(self, options: Mapping[str, Any] | None = None) -> None:
        super().__init__()
        self.__dict__["_frozen"] = False
        for name, value in (options or {}).items():
            dict.__setitem__(self, str(name), as_option(value))

    def __getattr__(self, name: str) -> Any:
        if name.startswith("__"):  # Python itself asks for these
            raise AttributeError(name)
        return self[name]

    def __getitem__(self, name: str) -> Any:
        if name not in self:
            near = get_close_matches(str(name), list(self), n=3)
            guess = f"; did you mean {' or '.join(near)}?" if near else ""
            raise NoOptionError(
                f"the configuration has no option {name!r} here{guess}",
                expected=f"one of {', '.join(self)}" if self else "nothing: there are no options here",
                fix="correct the name, or set the option inside `with read_write(config)`",
            )
        return super().__getitem__(name)

    def __setattr__(self, name: str, value: Any) -> None:
        self[name] = value

    def __setitem__(self, name: str, value: Any) -> None:
        self._check(name)
        super().__setitem__(name, as_option(value))

    def __delitem__(self, name: str) -> None:
        self._check(name)
        super().__delitem__(name)

    __delattr__ = __delitem__

    def update(self, *others: Any, **options: Any) -> None:
        """Set many options; nested ones are replaced as a whole."""
        for name, value in dict(*others, **options).items():
            self[name] = value

    def pop(self, name: str, *default: Any) -> Any:
        """Take an option out."""
        self._check(name)
        return super().pop(name, *default)

    def setdefault(self, name: str, default: Any = None) -> Any:
        """Return an option, set to `default` first if it is not there."""
        if name not in self:
            self[name] = default
        return self[name]

    def clear(self) -> None:
        """Take all options out."""
        self._check("all")
        super().clear()

    def clone(self) -> Config:
        """Return a copy that shares nothing."""
        return copy.deepcopy(self)

    def __deepcopy__(self, memo: Any) -> Config:
        made = Config(copy.deepcopy(dict(self), memo))
        _freeze(made, self.is_frozen())
        return made

    def __reduce__(self) -> tuple[Any, ...]:
        return _restored, (dict(self), self.is_frozen())

    def freeze(self) -> None:
        """Let nobody change an option until `defrost` (yacs)."""
        _freeze(self, True)

    def defrost(self) -> None:
        """Let options be changed (yacs)."""
        _freeze(self, False)

    def is_frozen(self) -> bool:
        """Return whether options can only be read."""
        return bool(self.__dict__["_frozen"])

    def set_new_allowed(self, is_new_allowed: bool) -> None:
        """Do nothing: options may always be added (yacs)."""

    def merge_from_other_cfg(self, other: Mapping[str, Any]) -> None:
        """Take over all options of another configuration (yacs)."""
        merge(self, other)

    def merge_from_file(self, cfg_filename: str) -> None:
        """Take over the options of a YAML file (yacs)."""
        from vlnscope.habitat.config.files import merge_file  # which imports this module

        merge_file(self, cfg_filename)

    def merge_from_list(self, options: list[Any]) -> None:
        """Take over options from a list of names and values in turn (yacs)."""
        for name, value in zip(options[::2], options[1::2], strict=True):
            put(self, str(name), value)

    def _check(self, name: str) -> None:
        if self.is_frozen():
            raise ReadOnlyConfigError(
                f"option {name!r} was to be changed, and the configuration is read-only",
                expected="changes inside `with read_write(config)`, or after `config.defrost()`",
                fix="from vlnscope.habitat.config import read_write",
            )


@contextmanager
def read_write(config: Config) -> Iterator[Config]:
    """Let options of a configuration, and of all nodes in it, be changed inside a `with`."""
    frozen = config.is_frozen()
    _freeze(config, False)
    try:
        yield config
    finally:
        _freeze(config, frozen)


def merge(config: Config, other: Mapping[str, Any]) -> None:
    """Put all options of a mapping into a configuration; what is nested in both is merged too."""
    for name, value in other.items():
        present = config.get(name)
        if isinstance(present, Config) and isinstance(value, Mapping):
            merge(present, value)
        else:
            config[str(name)] = value


def put(config: Config, name: str, value: Any) -> None:
    """Set the option that a dotted name means; nodes on the way to it are made if they are not there."""
    *nodes, last = name.split(".")
    for node in nodes:
        config = config.setdefault(node, {})
    config[last] = value


def as_option(value: Any) -> Any:
    """Return a value as configurations hold it: mappings and structured configs become nodes."""
    if isinstance(value, Config):
        return value
    if isinstance(value, Mapping):
        return Config(value)
    if is_dataclass(value) and not isinstance(value, type):
        return Config({field.name: getattr(value, field.name) for field in fields(value)})
    if isinstance(value, list | tuple) or type(value).__name__ == "ListConfig":
        return [as_option(element) for element in value]
    return value


def _restored(options: dict[str, Any], frozen: bool) -> Config:
    made = Config(options)
    _freeze(made, frozen)
    return made


def _freeze(value: Any, frozen: bool) -> None:
    if isinstance(value, Config):
        value.__dict__["_frozen"] = frozen
        for nested in value.values():
            _freeze(nested, frozen)
    elif isinstance(value, list):
        for nested in value:
            _freeze(nested, frozen)
