"""A language model as a proposer of productions: any server that speaks the chat protocol of OpenAI.

The model sees the grammar and instructions that it does not cover, and answers with productions, one a line.
What it proposes is checked and tried like any other proposal. Only the standard library is needed.
"""

from __future__ import annotations

import json
import re
import urllib.error
import urllib.request
from collections.abc import Sequence
from typing import Any

from vlnscope.core.exceptions import InputError
from vlnscope.language.induce.coverage import ReadSentence, TerminalContexts, UncoveredText
from vlnscope.language.induce.proposals import UNDERSTOOD
from vlnscope.language.parse.grammar_view import PAPER_NAMES, view
from vlnscope.language.parse.rules import terminals
from vlnscope.language.productions import Production

PROMPT = """You help to complete a context-free grammar of navigation instructions.

Terminals are in capitals; some words of each are given. Categories are in small letters.

{grammar}

Below are sentences that the grammar does not cover. Words that are left over stand in square brackets.
Parse each sentence with the grammar, find out what the grammar lacks, and propose productions.

{sentences}

Answer with one production per line and nothing else, in one of these two forms:
TERMINAL -> "word or phrase"
category -> SYMBOL SYMBOL ... (as meaning)
Allowed terminals: {terminals}
Allowed categories, with what their productions may mean: {categories}
"""
_ANSWER = re.compile(r"^\W*(\w+)\s*->\s*(.+?)\s*(?:\(as (\w+)\))?\s*$")
_SECONDS = 120


class ModelProposer:
    """Asks a model what the grammar lacks.

    Args:
        url: of the server's API, such as ``http://localhost:8000/v1``.
        model: name of the model.
        key: secret that the server wants, if any.
        sentences: how many sentences are shown.
    """

    def __init__(self, url: str, model: str, *, key: str | None = None, sentences: int = 40) -> None:
        self._url = url.rstrip("/") + "/chat/completions"
        self._model, self._key, self._sentences = model, key, sentences

    def __call__(self, corpus: Sequence[UncoveredText], contexts: TerminalContexts) -> list[Production]:
        """Return what the model proposes; lines that are no production are passed over."""
        del contexts
        if not corpus:
            return []
        return read_answer(self._ask(prompt(corpus, self._sentences)))

    def _ask(self, text: str) -> str:
        body = {"model": self._model, "temperature": 0, "messages": [{"role": "user", "content": text}]}
        request = urllib.request.Request(
            self._url, json.dumps(body).encode(), {"Content-Type": "application/json"}
        )
        if self._key:
            request.add_header("Authorization", f"Bearer {self._key}")
        try:
            with urllib.request.urlopen(request, timeout=_SECONDS) as answer:
                return _content(json.load(answer))
        except (OSError, ValueError, KeyError, IndexError, TypeError) as error:
            raise InputError(
                f"{self._url}: no answer of model {self._model!r} ({error})",
                expected="a server that speaks OpenAI's chat protocol",
                fix="check address, model and key",
            ) from None


def prompt(corpus: Sequence[UncoveredText], sentences: int) -> str:
    """Return what a model is asked: the grammar, and sentences spread over the corpus."""
    step = max(1, len(corpus) // sentences)
    lines = [failure.lines[0] for failure in corpus[::step]][:sentences]
    return PROMPT.format(
        grammar=_grammar(),
        sentences="\n".join(_marked(line) for line in lines),
        terminals=", ".join(terminals()),
        categories=", ".join(sorted(f"{head} (as {name})" if name else head for head, name in UNDERSTOOD)),
    )


def read_answer(text: str) -> list[Production]:
    """Return the productions of an answer, each once.

    Example:
        >>> answer = '1. NEAR -> "close by"\\nSorry!\\npost -> THAT HAVE place (as post_with)'
        >>> for each in read_answer(answer):
        ...     print(each)
        NEAR -> "close by"
        post -> THAT HAVE place  (as post_with)
    """
    productions: dict[Production, None] = {}
    for line in text.splitlines():
        match = _ANSWER.match(re.sub(r"^\W*\d+[.)]\s*", "", line))
        if match is None:
            continue
        head, symbols, name = match.groups()
        words = symbols.replace('"', " ").split()
        if head.isupper():
            words = [word.casefold() for word in words]
        if words:
            productions[Production(head, tuple(words), name or "")] = None
    return list(productions)


def _grammar() -> str:
    whole = view()
    lines = [
        f"{each.name} -> " + " | ".join(" ".join(symbols) for symbols in each.productions[:12])
        for each in whole.categories
        if each.name in PAPER_NAMES or any(each.name == head for head, _ in UNDERSTOOD)
    ]
    lines += [f"{each.name}: {', '.join(each.words[:6])}" for each in whole.terminals if each.words]
    return "\n".join(lines)


def _marked(line: ReadSentence) -> str:
    left = set(line.left)
    return " ".join(f"[{word}]" if at in left else word for at, word in enumerate(line.words))


def _content(answer: Any) -> str:
    return str(answer["choices"][0]["message"]["content"])
