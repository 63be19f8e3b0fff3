"""What networks share whose weights lie in files: sizes, parts, layouts, and how they are found by name."""

from __future__ import annotations

import importlib
import inspect
import pkgutil
import tomllib
from collections.abc import Mapping
from dataclasses import asdict, dataclass, fields
from importlib import resources
from typing import Any, ClassVar, Self, TypeVar

import msgspec
from torch import nn

from vlnscope.agents.learned.layouts import Layout
from vlnscope.core.exceptions import InputError, UnknownNameError

K = TypeVar("K")

_MAY_BE_ZERO = ("vocabulary", "pano_layers", "alike_heads", "reach", "rgb_layers", "depth_layers")


def presets(model: str) -> Mapping[str, Mapping[str, Any]]:
    """Return the sizes of a model that comes with vlnscope, by preset (``presets.toml``)."""
    text = (resources.files("vlnscope.agents.learned") / "presets.toml").read_text("utf-8")
    table: Mapping[str, Mapping[str, Any]] = tomllib.loads(text)[model]
    return table


@dataclass(frozen=True, kw_only=True)
class NetworkConfig:
    """Sizes and options of a network; each network adds its own."""

    PRESETS: ClassVar[Mapping[str, Mapping[str, Any]]] = {}

    def require(self, fine: bool, size: str, expected: str) -> None:
        """Refuse a size that no model can have."""
        if not fine:
            raise InputError(
                f"{type(self).__name__}: {size} cannot be {getattr(self, size)}",
                expected=expected,
                fix="choose another, or leave it as a preset has it",
            )

    @classmethod
    def preset(cls, name: str, /, **changes: Any) -> Self:
        """Return the sizes called `name` (``full``: the official ones; ``small``), with changes.

        Raises:
            InputError: there is no such preset or no such size.
        """
        if name not in cls.PRESETS:
            raise InputError(
                f"there is no preset {name!r} of {cls.__name__}",
                expected=f"one of {', '.join(cls.PRESETS)}",
                fix="write preset = NAME under [model]",
            )
        return cls.of({**cls.PRESETS[name], **changes})

    @classmethod
    def of(cls, sizes: Mapping[str, Any]) -> Self:
        """Make a config of plain values, as a file or a user gives them."""
        known = {field.name for field in fields(cls)}
        if unknown := sorted(sizes.keys() - known):
            raise InputError(
                f"{cls.__name__} has no {unknown[0]!r}",
                expected=f"among {', '.join(sorted(known))}",
                fix="change or remove it under [model.sizes]",
            )
        for field in fields(cls):
            if field.name in sizes:
                _check_size(cls.__name__, field.name, sizes[field.name], str(field.type))
        return cls(**sizes)

    def to_dict(self) -> dict[str, Any]:
        """Return plain values, of which `of` makes the same config."""
        return asdict(self)


def read_sizes(text: str) -> dict[str, Any]:
    """Read sizes of a model as users write them.

    Raises:
        InputError: the text is of another form.

    Example:
        >>> read_sizes("begin:last+keeps_map:true+reach:2")
        {'begin': 'last', 'keeps_map': True, 'reach': 2}
    """
    sizes: dict[str, Any] = {}
    for part in filter(None, text.split("+")):
        name, colon, value = part.partition(":")
        if not (name and colon and value):
            raise InputError(
                f"sizes cannot be read from {part!r}",
                expected="NAME:VALUE, several with + between",
                fix="write for example sizes=begin:last or sizes=keeps_map:true",
            )
        try:
            sizes[name] = msgspec.json.decode(value)
        except msgspec.DecodeError:
            sizes[name] = value
    return sizes


def _check_size(kind: str, name: str, value: Any, wanted: str) -> None:
    """Refuse a value of another kind, or one that no network can have."""
    least = 0 if name in _MAY_BE_ZERO else 1
    if wanted == "int" and (isinstance(value, bool) or not isinstance(value, int) or value < least):
        expected = f"a whole number from {least}"
    elif wanted == "bool" and not isinstance(value, bool):
        expected = "true or false"
    elif name.endswith("dropout") and not (_is_number(value) and 0 <= value < 1):
        expected = "a share below 1"
    elif wanted == "float" and not _is_number(value):
        expected = "a number"
    else:
        return
    raise InputError(
        f"{kind}: {name} cannot be {value!r}", expected=expected, fix="change it under [model.sizes]"
    )


def _is_number(value: Any) -> bool:
    return isinstance(value, int | float) and not isinstance(value, bool)


class Network(nn.Module):
    """A network whose weights lie in files, of ours or of a public code.

    Attributes:
        name: what users call it.
        Config: the type of its sizes.
        config: its sizes.
        layouts: what its public checkpoints look like; none if there are none.
        sees: what it must be shown, in words, by what it is about; of a network that sees panoramas, its
            layouts say so.
    """

    name: ClassVar[str]
    Config: ClassVar[type[NetworkConfig]]
    layouts: ClassVar[tuple[Layout, ...]] = ()
    sees: ClassVar[Mapping[str, str]] = {}
    config: NetworkConfig

    def __init__(self, config: NetworkConfig) -> None:
        super().__init__()
        self.config = config

    def parts(self) -> dict[str, nn.Module]:
        """Return the modules as official checkpoints name them."""
        return {name: module for name, module in self.named_children() if list(module.parameters())}


def network_classes() -> dict[str, type[Network]]:
    """Return all networks by name."""
    package = importlib.import_module("vlnscope.agents.learned")
    for module in sorted(m.name for m in pkgutil.iter_modules(package.__path__)):
        importlib.import_module(f"{package.__name__}.{module}")
    return {
        kind.name: kind for kind in _below(Network) if hasattr(kind, "name") and not inspect.isabstract(kind)
    }


def class_named(name: str, classes: Mapping[str, K]) -> K:
    """Return the network that is called `name`.

    Raises:
        InputError: there is none.
    """
    if name not in classes:
        raise UnknownNameError("model", name, classes)
    return classes[name]


def _below(kind: Any) -> list[Any]:
    return [each for child in kind.__subclasses__() for each in (child, *_below(child))]
