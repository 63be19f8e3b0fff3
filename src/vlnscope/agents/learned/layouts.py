"""What public checkpoints of a model look like, so that a file can be recognised and its sizes read off it.

Each model says so of itself (`NavModel.layouts`): by which weights its sizes show, what it reads and what it
is shown. Names of weights are ``part/key``, as `vlnscope.agents.learned.released_files` finds them.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any, NamedTuple

Shape = tuple[int, ...]


class Size(NamedTuple):
    """A size that a weight shows: its length along a dimension, less another size that lies there too."""

    weight: str
    dimension: int
    less: int | str = 0


class WordReading(NamedTuple):
    """How a model that reads words reads a text.

    Attributes:
        begin: whether a mark of the beginning stands before it.
        backwards: whether it is read from the end.
        cut_end: whether a text that is too long loses its mark of the end.
    """

    begin: bool = True
    backwards: bool = False
    cut_end: bool = False


@dataclass(frozen=True)
class AngleConvention:
    """How a model is told directions; features that were made for another convention mislead it silently.

    Attributes:
        heading: relative to the view that the agent looks at, or absolute.
        elevation: the same.
        layout: ``interleaved`` is ``[sin h, cos h, sin e, cos e]`` repeated, ``blocks`` is each of the four
            repeated on its own.
        own: whether the model is told the direction that the agent itself looks in, absolutely.
    """

    heading: str = "relative"
    elevation: str = "absolute"
    layout: str = "interleaved"
    own: bool = False

    def __str__(self) -> str:
        where = "the agent's own direction besides" if self.own else "nothing of the agent's own direction"
        return f"{self.heading} heading, {self.elevation} elevation, {self.layout}; {where}"


@dataclass(frozen=True)
class Layout:
    """One way in which public checkpoints of a model are laid out.

    Attributes:
        title: what it is called, with the paper.
        marks: weights that no other layout has all of.
        sizes: by which weights sizes show.
        layers: by size, before which number the names of its layers count up from 0.
        fixed: sizes that every such checkpoint has.
        only: values that sizes have; other checkpoints are of another layout.
        condition: what else must hold of the shapes of weights.
        settings: values in the config of such checkpoints, by path (``MODEL.tour_memory``), where weights
            alone do not tell.
        told: by option of the model, the path in the config of a checkpoint that says it.
        switches: by option of the model, how the names of weights begin that are there where it is on.
        words: what it reads: ``pieces`` (of bert-base-uncased), ``words`` (one per line, such as
            ``train_vocab.txt``), or the name of a tokenizer that vlnscope does not have.
        features: usual names of files of image features.
        grids: likewise of files of grid features, for models that look at them.
        angles: how it is told directions.
        reads: how it reads them, where it reads words.
        keeps_end: whether word pieces that are too many are cut before the mark of the end, not with it.
        steps: decisions per episode at most, in the official code.
    """

    title: str
    marks: tuple[str, ...]
    sizes: Mapping[str, Size]
    layers: Mapping[str, str] = field(default_factory=dict)
    fixed: Mapping[str, Any] = field(default_factory=dict)
    only: Mapping[str, tuple[int, ...]] = field(default_factory=dict)
    condition: Callable[[Mapping[str, Shape]], bool] | None = None
    settings: Mapping[str, Any] = field(default_factory=dict)
    told: Mapping[str, str] = field(default_factory=dict)
    switches: Mapping[str, str] = field(default_factory=dict)
    words: str = "pieces"
    features: tuple[str, ...] = ()
    grids: tuple[str, ...] = ()
    angles: AngleConvention = field(default_factory=AngleConvention)
    reads: WordReading = field(default_factory=WordReading)
    keeps_end: bool = False
    steps: int = 15

    @property
    def needed(self) -> tuple[str, ...]:
        """Weights by which the layout is known and its sizes are read off."""
        return tuple(dict.fromkeys([*self.marks, *(size.weight for size in self.sizes.values())]))

    def fits(self, shapes: Mapping[str, Shape]) -> bool:
        """Say whether weights of these shapes may be of this layout."""
        if not all(mark in shapes for mark in self.marks):
            return False
        if self.condition is not None and not self.condition(shapes):
            return False
        sizes = self.sizes_of(shapes)
        return all(sizes.get(name) in values for name, values in self.only.items())

    @property
    def strictness(self) -> int:
        """How much a checkpoint must have to be of this layout; of those that fit, the strictest is meant."""
        return len(self.marks) + len(self.only) + len(self.settings)

    def is_said(self, config: Mapping[str, Any], *, enough: bool) -> bool:
        """Say whether the config of a checkpoint has the settings of this layout.

        Args:
            config: the config; empty if the checkpoint has none.
            enough: whether it is enough that it does not say otherwise.
        """
        return all(
            setting(config, path, wanted if enough else None) == wanted
            for path, wanted in self.settings.items()
        )

    def options_of(self, config: Mapping[str, Any]) -> dict[str, Any]:
        """Return the options of the model that the config of a checkpoint tells."""
        found = {option: setting(config, path) for option, path in self.told.items()}
        return {option: value for option, value in found.items() if value is not None}

    def sizes_of(self, shapes: Mapping[str, Shape]) -> dict[str, Any]:
        """Return the sizes of the model whose weights have these shapes.

        Example:
            >>> layout = Layout("X", (), {"hidden": Size("a/w", 1, less=4)}, {"layers": "a/layer."})
            >>> layout.sizes_of({"a/w": (2, 10), "a/layer.0.w": (3,), "a/layer.1.w": (3,)})
            {'hidden': 6, 'layers': 2}
        """
        found: dict[str, Any] = dict(self.fixed)
        for name, (weight, dimension, less) in self.sizes.items():
            shape = shapes.get(weight, ())
            if -len(shape) <= dimension < len(shape):
                found[name] = shape[dimension] - (found.get(less, 0) if isinstance(less, str) else less)
        for name, prefix in self.switches.items():
            found[name] = any(weight.startswith(prefix) for weight in shapes)
        for name, prefix in self.layers.items():
            number = re.compile(re.escape(prefix) + r"(\d+)\.")
            found[name] = len({match[1] for weight in shapes if (match := number.match(weight))})
        return found


def setting(config: Mapping[str, Any], path: str, otherwise: Any = None) -> Any:
    """Return what a config has at a path, such as ``MODEL.tour_memory``.

    Example:
        >>> setting({"MODEL": {"tour_memory": True}}, "MODEL.tour_memory")
        True
    """
    found: Any = config
    for name in path.split("."):
        if not isinstance(found, Mapping) or name not in found:
            return otherwise
        found = found[name]
    return found
