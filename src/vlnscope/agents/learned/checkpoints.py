"""Weights in files of our own; those of the official codes are read by `public_checkpoints`.

A file holds the model's name and sizes, its vocabulary, its weights, a digest of them, and notes (what
it was trained on). Nothing in a file is ever executed: it is read with ``weights_only``.
"""

from __future__ import annotations

import io
import pickle
import re
import struct
import warnings
import zipfile
from collections.abc import Mapping
from pathlib import Path
from typing import Any, Generic, NamedTuple, TypeAlias, TypeVar

import torch
from torch import nn

from vlnscope.agents.learned.model import ModelConfig, NavModel, model_class
from vlnscope.agents.learned.network import Network, NetworkConfig, class_named, network_classes
from vlnscope.agents.learned.released_files import stand_ins
from vlnscope.agents.learned.vocabulary import AnyVocabulary, check_fit, vocabulary_of
from vlnscope.core.devices import as_array
from vlnscope.core.exceptions import InputError
from vlnscope.core.files import check_regular, digest, read_bytes, write_whole
from vlnscope.core.limits import STREAM_MB, allowed, too_large
from vlnscope.core.rng import rng_for

VERSION = 1
_MARK = "vlnscope checkpoint"
RUN_MARK = "vlnscope training"
"""Marks the state of a training run, which is no checkpoint."""
_PARTS = {"model": str, "config": dict, "vocabulary": dict, "weights": dict, "digest": str, "notes": dict}
_OBJECT = re.compile(r"GLOBAL ([\w.]+)")
"""How torch names the type of an object that it refuses to load."""
UNREADABLE = (
    pickle.UnpicklingError,
    zipfile.BadZipFile,
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


N = TypeVar("N", bound=Network)


class Loaded(NamedTuple, Generic[N]):
    """What a file of ours holds.

    Attributes:
        model: the model, ready to be run.
        vocabulary: that it was trained with.
        notes: what was noted about it.
        digest: of its weights.
    """

    model: N
    vocabulary: AnyVocabulary
    notes: dict[str, Any]
    digest: str


Checkpoint: TypeAlias = Loaded[NavModel[Any]]
"""A model that navigates, from a file of ours."""


def make_model(name: str, config: ModelConfig, *, seed: int = 0) -> NavModel[Any]:
    """Make a model that navigates, with random weights, the same ones for the same seed."""
    return make_network(model_class(name), config, seed=seed)


def make_network(kind: type[N], config: NetworkConfig, *, seed: int = 0) -> N:
    """Make any model with random weights, the same ones for the same seed."""
    with torch.random.fork_rng(devices=[]):
        torch.manual_seed(int(rng_for(seed, "weights", kind.name).integers(2**62)))
        return kind(config)


def save_checkpoint(
    path: str | Path, model: Network, vocabulary: AnyVocabulary, notes: Mapping[str, Any] | None = None
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
    """Read a model that navigates from a file of ours.

    Args:
        path: the file.
        name: the model that it must be.

    Raises:
        InputError: the file is damaged, no checkpoint of ours, or one of another model.
    """
    loaded = load_network(path, name)
    if not isinstance(loaded.model, NavModel):
        raise InputError(
            f"{path}: holds a {loaded.model.name!r}, which does not walk on navigation graphs",
            expected="a checkpoint of a model that does",
            fix="name another file",
        )
    return Checkpoint(loaded.model, loaded.vocabulary, loaded.notes, loaded.digest)


def load_network(path: str | Path, name: str | None = None) -> Loaded[Network]:
    """Read any model from a file of ours; as `load_checkpoint`."""
    content = read_content(path)
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
            fix="`vlnscope agents inspect FILE` says what it holds",
        )
    _check_parts(path, content)
    if name not in (None, content["model"]):
        raise InputError(
            f"{path}: holds a model {content['model']!r}, not {name!r}",
            expected=f"a checkpoint of {name!r}",
            fix=f"name another file, or ask for {content['model']!r}",
        )
    kind, weights = class_named(content["model"], network_classes()), content["weights"]
    config = _config(path, kind, content)
    model = make_network(kind, config)
    model.load_state_dict(weights)
    weights_hash = weights_digest(model)
    if weights_hash != content["digest"]:
        raise _damaged(path, "its weights are not those that were saved")
    vocabulary = _vocabulary(path, content["vocabulary"])
    check_fit(vocabulary, model.config, model.name)
    return Loaded(model.eval(), vocabulary, content["notes"], weights_hash)


def _check_parts(path: str | Path, content: Mapping[str, Any]) -> None:
    for part, kind in _PARTS.items():
        if not isinstance(content.get(part), kind):
            raise _damaged(
                path, f"it has no {part}" if part not in content else f"its {part} is no {kind.__name__}"
            )
    for name, weight in content["weights"].items():
        if not isinstance(weight, torch.Tensor) or not is_whole(weight):
            raise _damaged(path, f"{name} is no tensor with all of its numbers")


def _config(path: str | Path, kind: type[Network], content: Mapping[str, Any]) -> NetworkConfig:
    """Return the sizes of a model; its weights must have the shapes that follow.

    Shapes are compared before the model takes any memory.
    """
    try:
        config = kind.Config.of(content["config"])
        with torch.device("meta"):
            expected = {name: weight.shape for name, weight in kind(config).state_dict().items()}
    except (*UNREADABLE, ArithmeticError, InputError) as error:
        raise _damaged(path, f"no {kind.name} has its sizes: {getattr(error, 'what', error)}") from None
    found = {name: weight.shape for name, weight in content["weights"].items()}
    if wrong := [name for name in {**expected, **found} if expected.get(name) != found.get(name)]:
        name = wrong[0]
        raise _damaged(path, f"{name} has the shape {_shape(found, name)}, not {_shape(expected, name)}")
    return config


def _shape(shapes: Mapping[str, torch.Size], name: str) -> str:
    return str(tuple(shapes[name])) if name in shapes else "of nothing"


def _vocabulary(path: str | Path, plain: Mapping[str, Any]) -> AnyVocabulary:
    try:
        return vocabulary_of(plain)
    except UNREADABLE as error:
        raise _damaged(path, f"its vocabulary cannot be read ({type(error).__name__}: {error})") from None


def is_whole(tensor: torch.Tensor) -> bool:
    """Say whether a tensor has a number of its own for each that it claims.

    A small file can hold one number that claims to be a billion.
    """
    plain = tensor.layout is torch.strided and not tensor.is_meta
    return plain and tensor.numel() * tensor.element_size() <= tensor.untyped_storage().nbytes()


def weights_digest(model: nn.Module) -> str:
    """Return a digest of all weights, with names, types and shapes."""
    parts: list[bytes] = []
    for name, tensor in model.state_dict().items():
        parts += [f"{name} {tensor.dtype} {tuple(tensor.shape)}".encode()]
        parts += [as_array(tensor.detach().cpu().contiguous().view(-1).view(torch.uint8)).tobytes()]
    return digest(*parts)


def is_ours(content: Mapping[str, Any]) -> bool:
    """Say whether vlnscope wrote what a file holds."""
    return _MARK in content or RUN_MARK in content


def read_content(path: str | Path) -> dict[str, Any]:
    """Return what a file of weights holds, ours or not.

    Raises:
        InputError: it cannot be read.
    """
    try:
        with warnings.catch_warnings(action="ignore"):  # torch doubts pickles that it then refuses
            content = _loaded(path)
    except pickle.UnpicklingError as error:
        found = _OBJECT.search(str(error))
        what = f"objects besides weights ({found[1]})" if found else "objects besides weights"
        raise InputError(
            f"{path}: holds {what}, which are never loaded, or is damaged",
            expected="a file of tensors, as torch.save writes a state_dict",
            fix="load it in its own code and save its state_dict alone",
        ) from None
    except zipfile.BadZipFile as error:
        raise _damaged(path, str(error)) from None
    except UNREADABLE as error:
        raise _damaged(path, f"torch: {type(error).__name__}") from None
    if not isinstance(content, dict):
        raise _damaged(path, f"it holds a {type(content).__name__}")
    return content


def _loaded(path: str | Path) -> Any:
    """Return what torch reads; weights stay in the file until they are needed, where its kind allows it."""
    if check_regular(path) > allowed(STREAM_MB):
        raise too_large(path, STREAM_MB)
    if zipfile.is_zipfile(path):
        with zipfile.ZipFile(path) as packed:
            if changed := packed.testzip():  # torch would load flipped bits without a word
                raise zipfile.BadZipFile(f"{changed} is not what was written")
        with stand_ins():
            return torch.load(path, map_location="cpu", weights_only=True, mmap=True)
    with stand_ins():
        return torch.load(io.BytesIO(read_bytes(path, STREAM_MB)), map_location="cpu", weights_only=True)


def _damaged(path: str | Path, why: str) -> InputError:
    return InputError(
        f"{path}: cannot be read as a checkpoint ({why})",
        expected="a complete file of weights, as torch.save writes it",
        fix="copy or download the file again, or train again",
    )
