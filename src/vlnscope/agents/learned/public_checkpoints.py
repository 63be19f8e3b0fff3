"""Public checkpoints as they are released: which model a file holds, and that model with its weights."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import fields
from pathlib import Path
from types import MappingProxyType
from typing import Any, NamedTuple

import torch
from torch import Tensor

from vlnscope.agents.learned.checkpoints import is_ours, is_whole, load_network, make_network, read_content
from vlnscope.agents.learned.layouts import Layout, Shape
from vlnscope.agents.learned.network import Network, NetworkConfig, class_named, network_classes
from vlnscope.agents.learned.released_files import named_weights
from vlnscope.agents.learned.vocabulary import AnyVocabulary, PieceVocabulary, WordVocabulary
from vlnscope.core.data_root import data_root
from vlnscope.core.exceptions import InputError
from vlnscope.core.files import find_file

PIECES = "bert/bert-base-uncased-vocab.txt"
"""Where the vocabulary of word pieces lies in a data folder."""

CRITIC = "critic/"
"""How the names of the weights begin that only training needs."""

NO_SIZES: Mapping[str, Any] = MappingProxyType({})
"""No size is given: those that weights do not show are those of the official preset."""

_WHOLE = "name a checkpoint of the whole model; of one that lies in two files, name both: ENCODER+DECODER"
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
    config: NetworkConfig


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

    @property
    def lacks(self) -> tuple[str, ...]:
        """Weights that the model needs to be run, and that the files do not have."""
        return tuple(name for name in self.report.missing if not name.startswith(CRITIC))

    def complete(self, files: str | Path) -> PublicModel:
        """Return the same; a critic, which only training needs, may be missing.

        Raises:
            InputError: something else is missing.
        """
        if self.lacks:
            raise InputError(
                f"{files}: lacks {len(self.lacks)} weights of {self.layout.title}: {_few(self.lacks)}",
                expected="all weights of the model; what is missing would be random",
                fix=_WHOLE,
            )
        return self


def released_models() -> list[str]:
    """Return the names of the models whose public checkpoints are known."""
    return [name for name, kind in network_classes().items() if kind.layouts]


def files_of(text: str | Path) -> list[Path]:
    """Return the files that a model's weights lie in: one, or several with ``+`` between.

    Example:
        >>> [path.name for path in files_of("encoder.pt+decoder.pt")]
        ['encoder.pt', 'decoder.pt']
    """
    whole = Path(text)
    return [whole] if whole.exists() else [Path(part) for part in str(text).split("+")]


def recognise(
    contents: Sequence[Mapping[str, Any]], model: str = "", sizes: Mapping[str, Any] = NO_SIZES
) -> Recognised | None:
    """Return which model files hold; None if it is none that is known.

    Args:
        contents: what the files hold, as `read_content` returns it.
        model: only this one.
        sizes: of the model, as far as its weights do not show them (``begin`` of EnvDrop, ``keeps_map`` of
            DUET); those of the official preset if not given.

    Raises:
        InputError: they hold one in part, or of sizes that it cannot have.
    """
    said = _config_of(contents)
    found = [
        (kind, layout, shapes)
        for kind in _kinds(model)
        for layout in kind.layouts
        if layout.is_said(said, enough=bool(model)) and layout.fits(shapes := _shapes(contents, layout))
    ]
    if not found:
        return None
    kind, layout, shapes = max(found, key=lambda each: (each[1].strictness, not _absent(*each[1:])))
    if absent := _absent(layout, shapes):
        raise InputError(
            f"the file is like {layout.title}, but lacks {_few(absent)}",
            expected="all weights of the model: its sizes cannot be known without",
            fix=_WHOLE,
        )
    shown = layout.sizes_of(shapes)
    if told := [name for name in sizes if name in shown]:
        raise InputError(
            f"the size {told[0]} was given, and the weights of {layout.title} show it: {shown[told[0]]}",
            expected="sizes that weights do not show",
            fix=f"leave {told[0]} out",
        )
    try:
        config = kind.Config.of({**_sizes(kind, layout, shapes), **_options(kind, layout, said), **sizes})
        if "vocabulary" in layout.sizes and not shown.get("vocabulary"):
            raise InputError("vocabulary cannot be 0", expected="1 or more words", fix="name another file")
    except InputError as error:
        raise InputError(
            f"the file is like {layout.title}, but of sizes that none has: {error.what}",
            expected=error.expected,
            fix="name a checkpoint that is as it was released, and sizes that its model can have",
        ) from None
    return Recognised(kind, layout, config)


def open_public(files: str | Path, model: str = "", sizes: Mapping[str, Any] = NO_SIZES) -> PublicModel:
    """Return the model of public checkpoints, with its weights.

    Args:
        files: one file, or several with ``+`` between.
        model: which model it is; found out if not given.
        sizes: as `recognise` takes them.

    Raises:
        InputError: a file cannot be read, is of no model that is known, or does not fit.
    """
    paths = files_of(files)
    contents = [read_content(path) for path in paths]
    found = recognise(contents, model, sizes)
    if found is None:
        raise InputError(
            f"{files}: is no checkpoint of " + (f"the model {model!r}" if model else "a model that is known"),
            expected=f"the weights of {model or ', '.join(released_models())}, as they are released",
            fix="`vlnscope agents inspect FILE` says what is in it",
        )
    made = make_network(found.kind, found.config)
    return PublicModel(made, found.layout, fill(made, contents, str(files)))


def open_network(files: str, words: str, model: str = "") -> tuple[Network, AnyVocabulary, str]:
    """Return the model of a checkpoint, ours or public, with its vocabulary and the name of its features.

    Args:
        files: one file, or several with ``+`` between.
        words: the file of the words of a public checkpoint.
        model: the model that it must be; any if not given.

    Raises:
        InputError: the file holds no such model, or a part of one.
    """
    paths = files_of(files)
    if len(paths) == 1 and is_ours(read_content(paths[0])):
        loaded = load_network(paths[0], model or None)
        return loaded.model, loaded.vocabulary, loaded.notes.get("features", "")
    opened = open_public(files, model).complete(files)
    return opened.model, words_for(opened.layout, words), ""


def load_official(model: Network, *paths: str | Path) -> KeyReport:
    """Fill a model with the weights of public checkpoints, and say what was missing and what else was there.

    How files may be laid out: `vlnscope.agents.learned.released_files`.

    Raises:
        InputError: a file cannot be read, has too little of the model, or weights of other shapes; the model
            is then unchanged.
    """
    return fill(model, [read_content(path) for path in paths], ", ".join(map(str, paths)))


def fill(model: Network, contents: Sequence[Mapping[str, Any]], where: str) -> KeyReport:
    """Fill a model with the weights that files hold; `where` names them in errors."""
    parts = {part: official_weights(model, part) for part in model.parts()}
    wanted = {f"{part}/{key}": tensor for part, its in parts.items() for key, tensor in its.items()}
    weights = named_weights(contents, parts)
    loaded = [name for name in wanted if name in weights]
    either = [name for name in {**wanted, **weights} if not name.startswith(CRITIC)]
    if sum(name in wanted and name in weights for name in either) < _ALIKE * len(either):
        raise InputError(
            f"{where}: holds another model than {model.name!r}: "
            f"{len(loaded)} of {len(wanted)} weights are there, and {len(weights) - len(loaded)} others",
            expected=f"weights such as {_few(list(wanted))}; found {_few(list(weights)) or 'none'}",
            fix="name a checkpoint of this model, or make the model that the checkpoint is of",
        )
    return place_weights(wanted, weights, where, f"the model {model.name!r}")


def place_weights(
    wanted: Mapping[str, Tensor], weights: Mapping[str, Tensor], where: str, what: str
) -> KeyReport:
    """Copy weights to where they belong, all or none, and say what was missing and what else there was.

    Args:
        wanted: what is to be filled, by name.
        weights: what a file has.
        where: the file, as errors name it.
        what: what is filled, as errors name it.

    Raises:
        InputError: a weight has another shape, or is no plain finite numbers.
    """
    loaded = [name for name in wanted if name in weights]
    for name in loaded:
        if wanted[name].shape != weights[name].shape:
            raise InputError(
                f"{where}: {name} has the shape {tuple(weights[name].shape)}",
                expected=f"{tuple(wanted[name].shape)}, as {what} was made",
                fix="name a checkpoint that is as it was released; a model that is made in Python must have "
                "its sizes (vocabulary, image_size, angle_size, …)",
            )
    for name in loaded:
        _check_numbers(where, name, wanted[name], weights[name])
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
            fix="name it: words=FILE",
        )
    if layout.words == "pieces":
        return PieceVocabulary.read(path, keep_end=layout.keeps_end)
    return WordVocabulary.read(path, **layout.reads._asdict())


def _kinds(model: str) -> list[type[Network]]:
    known = network_classes()
    return [class_named(model, known)] if model else list(known.values())


def _config_of(contents: Sequence[Mapping[str, Any]]) -> Mapping[str, Any]:
    """Return the config that lies beside weights; empty if there is none."""
    configs = [content["config"] for content in contents if isinstance(content.get("config"), Mapping)]
    return configs[0] if configs else {}


def _options(kind: type[Network], layout: Layout, said: Mapping[str, Any]) -> dict[str, Any]:
    known = {field.name for field in fields(kind.Config)}
    return {option: value for option, value in layout.options_of(said).items() if option in known}


def _absent(layout: Layout, shapes: Mapping[str, Shape]) -> list[str]:
    """Return the weights without which the sizes of a model cannot be known."""
    return [name for name in layout.needed if name not in shapes and not name.startswith(CRITIC)]


def _sizes(kind: type[Network], layout: Layout, shapes: Mapping[str, Shape]) -> dict[str, Any]:
    """Return all sizes: those that weights show, else those of the official preset.

    A model reads no more word pieces than it has positions.
    """
    preset = kind.Config.PRESETS.get("full", next(iter(kind.Config.PRESETS.values()), {}))
    sizes = {**preset, **layout.sizes_of(shapes)}
    if "max_positions" in sizes:
        read = sizes.get("max_tokens", getattr(kind.Config, "max_tokens", 0))
        sizes["max_tokens"] = min(read, sizes["max_positions"])
    return sizes


def _shapes(contents: Sequence[Mapping[str, Any]], layout: Layout) -> dict[str, Shape]:
    """Return the shapes of weights as ``part/key``; a plain state dict goes where the layout has most."""
    known: dict[str, set[str]] = {}
    for name in layout.needed:
        part, _, key = name.partition("/")
        known.setdefault(part, set()).add(key)
    return {name: tuple(weight.shape) for name, weight in named_weights(contents, known).items()}


def official_weights(model: Network, part: str) -> dict[str, Tensor]:
    """Return the weights of a part as its official checkpoint names them, sharing memory with the model."""
    module = model.parts()[part]
    one_down = part == "vln_bert" and not hasattr(module, part)  # the official wrapper has it one level down
    prefix = f"{part}." if one_down else ""
    return {prefix + key: tensor for key, tensor in module.state_dict().items()}


def _check_numbers(where: str, name: str, wanted: Tensor, weight: Tensor) -> None:
    """Refuse weights that a model cannot compute with."""
    if not is_whole(weight):
        found = "numbers that are not stored one by one (sparse, or expanded)"
    elif weight.is_floating_point() != wanted.is_floating_point():
        found = f"numbers of the type {weight.dtype}"
    elif not bool(weight.isfinite().all()):
        found = "numbers that are infinite or not a number"
    else:
        return
    raise InputError(
        f"{where}: {name} has {found}",
        expected="finite numbers",
        fix="copy or download the file again, or name an earlier checkpoint of the training",
    )


def _few(names: Sequence[str]) -> str:
    return ", ".join(names[:3]) + (" …" if len(names) > 3 else "")
