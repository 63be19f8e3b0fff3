"""Where words stand: by word, and by BERT word-piece where a vocabulary is at hand."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from vlnscope.core.exceptions import DataNotFoundError, InputError, MissingPackageError
from vlnscope.core.files import check_regular
from vlnscope.language.alignment import words_of

LONGEST = 80
"""Word-pieces of an instruction that R2RIE-CE keeps, the special ones included."""


def word_positions(text: str, start: int, end: int) -> tuple[int, ...]:
    """Return which words of a text, counted from 0, lie in ``text[start:end]``.

    Example:
        >>> word_positions("Go up, then stop.", 7, 16)
        (2, 3)
    """
    spans = [span for _, span in words_of(text)]
    return tuple(number for number, span in enumerate(spans) if span.start < end and start < span.end)


class WordPieces:
    """A BERT vocabulary (``vocab.txt``), used as bert-base-uncased is.

    Raises:
        DataNotFoundError: there is no such file.
        InputError: the library `tokenizers` is not installed, or the file is no vocabulary.
    """

    def __init__(self, vocabulary: Path) -> None:
        if not vocabulary.is_file():
            raise DataNotFoundError(
                f"{vocabulary}: there is no such vocabulary",
                expected="the vocab.txt of a BERT model",
                fix="correct the path, or leave it out: positions are then those of words",
            )
        try:
            from tokenizers import BertWordPieceTokenizer
        except ImportError:
            raise MissingPackageError(
                "tokenizers", "tokens", "positions of word pieces need", "leave the vocabulary out"
            ) from None
        check_regular(vocabulary)
        try:
            self._tokenizer: Any = BertWordPieceTokenizer(str(vocabulary), lowercase=True)
        except Exception as error:  # the library raises plain Exception
            raise _no_vocabulary(vocabulary, str(error)) from None
        for mark in ("[CLS]", "[SEP]", "[UNK]"):
            if self._tokenizer.token_to_id(mark) is None:
                raise _no_vocabulary(vocabulary, f"it has no {mark}")

    def count(self, text: str) -> int:
        """Return the number of word-pieces, special ones left out."""
        return len(self._tokenizer.encode(text, add_special_tokens=False).ids)

    def ids(self, text: str) -> list[int]:
        """Return the ids as R2RIE-CE stores them: [CLS] first, [SEP] last, cut or filled up to 80."""
        ids: list[int] = self._tokenizer.encode(text).ids
        return (ids + [0] * LONGEST)[:LONGEST]

    def places(self, text: str, start: int, end: int) -> tuple[tuple[int, ...], tuple[int, ...]]:
        """Return ids and positions of the pieces in ``text[start:end]``; position 0 is [CLS]."""
        encoded = self._tokenizer.encode(text)
        at = [
            number
            for number, (first, last) in enumerate(encoded.offsets)
            if first < end and start < last and not encoded.special_tokens_mask[number]
        ]
        return tuple(encoded.ids[number] for number in at), tuple(at)


def _no_vocabulary(path: Path, why: str) -> InputError:
    return InputError(
        f"{path}: cannot be used as a vocabulary ({why})",
        expected="the vocab.txt of a BERT model, a piece a line",
        fix="name another file, or leave it out: positions are then those of words",
    )
