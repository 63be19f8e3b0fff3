"""Public checkpoints as they are released: which model a file holds, and that model with its weights."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any, NamedTuple

import torch
from torch import Tensor

from vlnscope.agents.learned.checkpoints import make_network, read_content
from vlnscope.agents.learned.layouts import Layout, Shape
from vlnscope.agents.learned.model import ModelConfig, Network, network_class, network_names
from vlnscope.agents.learned.vocabulary import AnyVocabulary, PieceVocabulary, WordVocabulary
from vlnscope.core.data_root import data_root
from vlnscope.core.exceptions import InputError
from vlnscope.core.files import find_file

PIECES = "bert/bert-base-uncased-vocab.txt"
"""Where the vocabulary of word pieces lies in a data folder."""


_ALIKE = 0.75
"""Of all weights that a model and a checkpoint of it have, so many they must have in common."""


class KeyReport(NamedTuple):
    """How a public checkpoint fitted a model; names are those of the model's parts, ``part/key``.

    Attributes:
        loaded: weights that were found.
        missing: weights of the model that the files do not have; they stay as they were.
        unexpected: what else the files have.
    """

    loaded: tuple[str, ...]
    missing: tuple[str, ...]
    unexpected: tuple[str, ...]

    def __str__(self) -> str:
        lines = [f"{len(self.loaded)} weights loaded"]
        for what, names in (("missing", self.missing), ("unexpected", self.unexpected)):
            lines += [f"{len(names)} {what}: {_few(names)}"] if names else []
        return "\n".join(lines)


class Recognised(NamedTuple):
    """Which model a public checkpoint holds.

    Attributes:
        kind: the model.
        layout: how the checkpoint is laid out.
        config: the sizes that it shows.
    """

    kind: type[Network]
    layout: Layout
    config: ModelConfig


class PublicModel(NamedTuple):
    """A model with the weights of public checkpoints.

    Attributes:
        model: the model.
        layout: of the checkpoint.
        report: how the weights fitted.
    """

    model: Network
    layout: Layout
    report: KeyReport


def files_of(text: str | Path) -> list[Path]:
    """Return the files that a model's weights lie in: one, or several with ``+`` between.

    Example:
        >>> [path.name for path in files_of("encoder.pt+decoder.pt")]
        ['encoder.pt', 'decoder.pt']
    """
    whole = Path(text)
    return [whole] if whole.exists() else [Path(part) for part in str(text).split("+")]


def recognise(contents: Sequence[Mapping[str, Any]], model: str = "") -> Recognised | None:
    """Return which model files hold; None if it is none that is known.

    Args:
        contents: what the files hold, as `read_content` returns it.
        model: only this one.
    """
    found = [
        (kind, layout, shapes)
        for kind in map(network_class, [model] if model else network_names())
        for layout in kind.layouts
        if layout.fits(shapes := _shapes(contents, layout))
    ]
    if not found:
        return None
    kind, layout, shapes = max(found, key=lambda each: each[1].strictness)
    return Recognised(kind, layout, kind.Config.of(_sizes(kind, layout, shapes)))


def open_public(files: str | Path, model: str = "") -> PublicModel:
    """Return the model of public checkpoints, with its weights.

    Args:
        files: one file, or several with ``+`` between.
        model: which model it is; found out if not given.

    Raises:
        InputError: a file cannot be read, is of no model that is known, or does not fit.
    """
    paths = files_of(files)
    contents = [read_content(path) for path in paths]
    found = recognise(contents, model)
    if found is None:
        raise InputError(
            f"{files}: is no checkpoint of " + (f"the model {model!r}" if model else "a model that is known"),
            expected=f"the weights of {model or ', '.join(network_names())}, as they are released",
            fix="`vlnscope agents inspect FILE` says what is in it",
        )
    made = make_network(found.kind, found.config)
    return PublicModel(made, found.layout, fill(made, contents, str(files)))


def load_official(model: Network, *paths: str | Path) -> KeyReport:
    """Fill a model with the weights of public checkpoints, and say what was missing and what else was there.

    A file may hold all parts (``{'vln_bert': {'state_dict': …}, 'critic': …}``, ``{'encoder': …, 'decoder':
    …}``) or one of them (a plain state dict). ``module.`` before names is left out.

    Raises:
        InputError: a file cannot be read, has too little of the model, or weights of other shapes; the model
            is then unchanged.
    """
    return fill(model, [read_content(path) for path in paths], ", ".join(map(str, paths)))


def fill(model: Network, contents: Sequence[Mapping[str, Any]], where: str) -> KeyReport:
    """Fill a model with the weights that files hold; `where` names them in errors."""
    parts = model.parts()
    wanted = {
        f"{part}/{key}": tensor for part in parts for key, tensor in official_weights(model, part).items()
    }
    weights: dict[str, Tensor] = {}
    for content in contents:
        weights |= _named(content, model)
    loaded = [name for name in wanted if name in weights]
    either = [name for name in {**wanted, **weights} if not name.startswith("critic/")]
    if sum(name in wanted and name in weights for name in either) < _ALIKE * len(either):
        raise InputError(
            f"{where}: holds another model than {model.name!r}: "
            f"{len(loaded)} of {len(wanted)} weights are there, and {len(weights) - len(loaded)} others",
            expected=f"weights such as {_few(list(wanted))}; found {_few(list(weights)) or 'none'}",
            fix="name a checkpoint of this model, or make the model that the checkpoint is of",
        )
    for name in loaded:
        if wanted[name].shape != weights[name].shape:
            raise InputError(
                f"{where}: {name} has the shape {tuple(weights[name].shape)}",
                expected=f"{tuple(wanted[name].shape)}, as the model {model.name!r} was made",
                fix="make the model with the sizes of the checkpoint (vocabulary, image_size, angle_size, …)",
            )
    with torch.no_grad():
        for name in loaded:
            wanted[name].copy_(weights[name])
    missing = tuple(name for name in wanted if name not in weights)
    return KeyReport(tuple(loaded), missing, tuple(name for name in weights if name not in wanted))


def words_for(layout: Layout, words: str) -> AnyVocabulary:
    """Return the vocabulary that a checkpoint of a layout was trained with.

    Args:
        layout: of the checkpoint.
        words: the file; of word pieces, that of the data folder if not given.

    Raises:
        InputError: nobody says which words they are.
    """
    if layout.words not in ("pieces", "words"):
        raise InputError(
            f"{layout.title} reads tokens of {layout.words}, which vlnscope cannot make",
            expected="a model that reads words, or word pieces of bert-base-uncased",
            fix="run the agent in its own code: docs/agents.md says how it is connected",
        )
    root = data_root(None)
    path: Path | None = Path(words) if words else None
    if path is None and layout.words == "pieces" and root is not None:
        path = find_file(root / PIECES)
    if path is None:
        kind = (
            "the vocab.txt of bert-base-uncased"
            if layout.words == "pieces"
            else "a file such as train_vocab.txt"
        )
        raise InputError(
            f"the file of the words that {layout.title} reads is not named",
            expected=kind,
            fix="name it: learned:file=FILE,words=FILE",
        )
    if layout.words == "pieces":
        return PieceVocabulary.read(path)
    return WordVocabulary.read(
        path, begin=not layout.backwards, backwards=layout.backwards, cut_end=layout.backwards
    )


def _sizes(kind: type[Network], layout: Layout, shapes: Mapping[str, Shape]) -> dict[str, Any]:
    """Return all sizes: those that weights show, else those of the official preset."""
    preset = kind.Config.PRESETS.get("full", next(iter(kind.Config.PRESETS.values()), {}))
    return {**preset, **layout.sizes_of(shapes)}


def _shapes(contents: Sequence[Mapping[str, Any]], layout: Layout) -> dict[str, Shape]:
    """Return the shapes of weights as ``part/key``; a plain state dict counts for each part of the layout."""
    parts = {mark.partition("/")[0] for mark in layout.marks}
    shapes: dict[str, Shape] = {}
    for content in contents:
        for part, inside in _parts(content, parts):
            shapes |= {
                f"{part}/{key.removeprefix('module.')}": tuple(value.shape) for key, value in inside.items()
            }
    return shapes


def _parts(content: Mapping[str, Any], parts: set[str]) -> list[tuple[str, dict[str, Tensor]]]:
    plain = {key: value for key, value in content.items() if isinstance(value, Tensor)}
    if plain:
        return [(part, plain) for part in sorted(parts)]
    nested = [
        (part, inside.get("state_dict", inside))
        for part, inside in content.items()
        if isinstance(inside, Mapping)
    ]
    return [
        (part, {key: value for key, value in inside.items() if isinstance(value, Tensor)})
        for part, inside in nested
        if isinstance(inside, Mapping)
    ]


def official_weights(model: Network, part: str) -> dict[str, Tensor]:
    """Return the weights of a part as its official checkpoint names them, sharing memory with the model."""
    module = model.parts()[part]
    one_down = part == "vln_bert" and not hasattr(module, part)  # the official wrapper has it one level down
    prefix = f"{part}." if one_down else ""
    return {prefix + key: tensor for key, tensor in module.state_dict().items()}


def _named(content: Mapping[str, Any], model: Network) -> dict[str, Tensor]:
    """Return the weights of a file as ``part/key``."""
    named: dict[str, Tensor] = {}
    plain = {key: value for key, value in content.items() if isinstance(value, Tensor)}
    if plain:
        plain = {key.removeprefix("module."): value for key, value in plain.items()}
        return {f"{_part_of(plain, model)}/{key}": value for key, value in plain.items()}
    for part, inside in content.items():
        weights = inside.get("state_dict", inside) if isinstance(inside, Mapping) else {}
        named |= {
            f"{part}/{key.removeprefix('module.')}": value
            for key, value in weights.items()
            if isinstance(value, Tensor)
        }
    return named


def _part_of(plain: Mapping[str, Tensor], model: Network) -> str:
    """Return the part that a plain state dict has most in common with."""
    common = {part: len(official_weights(model, part).keys() & plain.keys()) for part in model.parts()}
    return max(common, key=lambda part: common[part])


def _few(names: Sequence[str]) -> str:
    return ", ".join(names[:3]) + (" …" if len(names) > 3 else "")
