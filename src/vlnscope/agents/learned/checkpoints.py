"""Weights in files: public checkpoints of the official codes, and our own.

Our own file holds the model's name and sizes, its vocabulary, its weights, a digest of them, and notes (what
it was trained on). Nothing in a file is ever executed: both kinds are read with ``weights_only``.
"""

from __future__ import annotations

import io
import pickle
import struct
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any, NamedTuple

import torch
from torch import Tensor, nn

from vlnscope.agents.learned.model import ModelConfig, NavModel, model_class
from vlnscope.agents.learned.vocabulary import AnyVocabulary, check_fit, vocabulary_of
from vlnscope.core.exceptions import InputError
from vlnscope.core.files import digest, read_bytes, write_whole
from vlnscope.core.limits import STREAM_MB
from vlnscope.core.rng import rng_for

VERSION = 1
_MARK = "vlnscope checkpoint"
RUN_MARK = "vlnscope training"
"""Marks the state of a training run, which is no checkpoint."""
_ALIKE = 0.75
"""Of all weights that a model and a checkpoint of it have, so many they must have in common."""

UNREADABLE = (
    pickle.UnpicklingError,
    struct.error,
    AttributeError,
    EOFError,
    LookupError,
    OSError,
    RuntimeError,
    TypeError,
    ValueError,
)
"""What torch raises where a file is none of its own, or a damaged one."""


class Checkpoint(NamedTuple):
    """What a file of ours holds.

    Attributes:
        model: the model, ready to be run.
        vocabulary: that it was trained with.
        notes: what was noted about it.
        digest: of its weights.
    """

    model: NavModel[Any]
    vocabulary: AnyVocabulary
    notes: dict[str, Any]
    digest: str


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


def make_model(name: str, config: ModelConfig, *, seed: int = 0) -> NavModel[Any]:
    """Make a model with random weights, the same ones for the same seed."""
    with torch.random.fork_rng(devices=[]):
        torch.manual_seed(int(rng_for(seed, "weights", name).integers(2**62)))
        return model_class(name)(config)


def save_checkpoint(
    path: str | Path, model: NavModel[Any], vocabulary: AnyVocabulary, notes: Mapping[str, Any] | None = None
) -> str:
    """Write a model, whole or not at all, and return the digest of its weights.

    Args:
        path: the file.
        model: the model.
        vocabulary: that it was trained with.
        notes: plain values to keep with it; ``features`` names the image features that it was trained with,
            which agents made of the file then use.

    Raises:
        InputError: the vocabulary does not fit, or the file cannot be written.
    """
    check_fit(vocabulary, model.config, model.name)
    weights = {name: tensor.detach().cpu() for name, tensor in model.state_dict().items()}
    weights_hash = weights_digest(model)
    content = {
        _MARK: VERSION,
        "model": model.name,
        "config": model.config.to_dict(),
        "vocabulary": vocabulary.to_dict(),
        "weights": weights,
        "digest": weights_hash,
        "notes": dict(notes or {}),
    }
    buffer = io.BytesIO()
    torch.save(content, buffer)
    with write_whole(path) as stream:
        stream.write(buffer.getbuffer())
    return weights_hash


def load_checkpoint(path: str | Path, name: str | None = None) -> Checkpoint:
    """Read a model from a file of ours.

    Args:
        path: the file.
        name: the model that it must be.

    Raises:
        InputError: the file is damaged, no checkpoint of ours, or one of another model.
    """
    content = _read(path)
    if RUN_MARK in content:
        raise InputError(
            f"{path}: is the state of a training run",
            expected="the weights of a model",
            fix=f"name {Path(path).parent / 'best.pt'}",
        )
    if _MARK not in content or content[_MARK] != VERSION:
        raise InputError(
            f"{path}: is no checkpoint that vlnscope wrote",
            expected=f"a checkpoint of version {VERSION}",
            fix="read public checkpoints with vlnscope.agents.learned.checkpoints.load_official",
        )
    if name not in (None, content["model"]):
        raise InputError(
            f"{path}: holds a model {content['model']!r}, not {name!r}",
            expected=f"a checkpoint of {name!r}",
            fix=f"name another file, or ask for {content['model']!r}",
        )
    kind = model_class(content["model"])
    model = make_model(kind.name, kind.Config.of(content["config"]))
    try:
        model.load_state_dict(content["weights"])
    except RuntimeError as error:
        raise _damaged(path, str(error).partition("\n")[2].strip() or str(error)) from None
    weights_hash = weights_digest(model)
    if weights_hash != content["digest"]:
        raise _damaged(path, "its weights are not those that were saved")
    vocabulary = vocabulary_of(content["vocabulary"])
    check_fit(vocabulary, model.config, model.name)
    return Checkpoint(model.eval(), vocabulary, content["notes"], weights_hash)


def load_official(model: NavModel[Any], *paths: str | Path) -> KeyReport:
    """Fill a model with the weights of public checkpoints, and say what was missing and what else was there.

    A file may hold all parts (``{'vln_bert': {'state_dict': …}, 'critic': …}``, ``{'encoder': …, 'decoder':
    …}``) or one of them (a plain state dict). ``module.`` before names is left out.

    Raises:
        InputError: a file cannot be read, has too little of the model, or weights of other shapes; the model
            is then unchanged.
    """
    parts = model.parts()
    wanted = {f"{part}/{key}": tensor for part in parts for key, tensor in _weights(model, part).items()}
    weights: dict[str, Tensor] = {}
    for path in paths:
        weights |= _named(_read(path), model)
    loaded = [name for name in wanted if name in weights]
    either = [name for name in {**wanted, **weights} if not name.startswith("critic/")]
    if sum(name in wanted and name in weights for name in either) < _ALIKE * len(either):
        raise InputError(
            f"{', '.join(map(str, paths))}: holds another model than {model.name!r}: "
            f"{len(loaded)} of {len(wanted)} weights are there, and {len(weights) - len(loaded)} others",
            expected=f"weights such as {_few(list(wanted))}; found {_few(list(weights)) or 'none'}",
            fix="name a checkpoint of this model, or make the model that the checkpoint is of",
        )
    for name in loaded:
        if wanted[name].shape != weights[name].shape:
            raise InputError(
                f"{', '.join(map(str, paths))}: {name} has the shape {tuple(weights[name].shape)}",
                expected=f"{tuple(wanted[name].shape)}, as the model {model.name!r} was made",
                fix="make the model with the sizes of the checkpoint (vocabulary, image_size, angle_size, …)",
            )
    with torch.no_grad():
        for name in loaded:
            wanted[name].copy_(weights[name])
    missing = tuple(name for name in wanted if name not in weights)
    return KeyReport(tuple(loaded), missing, tuple(name for name in weights if name not in wanted))


def weights_digest(model: nn.Module) -> str:
    """Return a digest of all weights, with names, types and shapes."""
    parts: list[bytes] = []
    for name, tensor in model.state_dict().items():
        parts += [f"{name} {tensor.dtype} {tuple(tensor.shape)}".encode()]
        parts += [tensor.detach().cpu().contiguous().view(-1).view(torch.uint8).numpy().tobytes()]
    return digest(*parts)


def _weights(model: NavModel[Any], part: str) -> dict[str, Tensor]:
    """Return the weights of a part as its official checkpoint names them, sharing memory with the model."""
    prefix = (
        f"{part}." if part == "vln_bert" else ""
    )  # the official wrapper has the transformer one level down
    return {prefix + key: tensor for key, tensor in model.parts()[part].state_dict().items()}


def _named(content: Mapping[str, Any], model: NavModel[Any]) -> dict[str, Tensor]:
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


def _part_of(plain: Mapping[str, Tensor], model: NavModel[Any]) -> str:
    """Return the part that a plain state dict has most in common with."""
    common = {part: len(_weights(model, part).keys() & plain.keys()) for part in model.parts()}
    return max(common, key=lambda part: common[part])


def _read(path: str | Path) -> dict[str, Any]:
    stream = io.BytesIO(read_bytes(path, STREAM_MB))
    try:
        content = torch.load(stream, map_location="cpu", weights_only=True)
    except UNREADABLE as error:
        raise _damaged(path, f"torch: {type(error).__name__}") from None
    if not isinstance(content, dict):
        raise _damaged(path, f"it holds a {type(content).__name__}")
    return content


def _damaged(path: str | Path, why: str) -> InputError:
    return InputError(
        f"{path}: cannot be read as a checkpoint ({why})",
        expected="a complete file of weights, as torch.save writes it",
        fix="copy or download the file again, or train again",
    )


def _few(names: Sequence[str]) -> str:
    return ", ".join(names[:3]) + (" …" if len(names) > 3 else "")
