"""How long parsing takes: R2R instructions, beside lark's Earley parser under the same grammar.

Earley is given an easier task: only sentences that were understood without skipping a word, and each word
with the one terminal that was chosen for it, so it has neither ambiguous words nor errors to deal with.

    python perf/parsing.py --root ../shared/data [--split val_unseen] [--count 2349]
"""

from __future__ import annotations

import argparse
import time
from collections.abc import Iterator, Sequence
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np
from lark import Lark, Token
from lark.lexer import Lexer

from vlnscope.episodes.datasets.dataset import open_dataset
from vlnscope.language.lexicon.tokens import RawWord, readings, sentences
from vlnscope.language.parse import parse
from vlnscope.language.parse.chart import cover
from vlnscope.language.parse.rules import grammar_text
from vlnscope.language.productions import accepted

EARLEY = 150
"""How many sentences Earley is given, which needs a good part of a second for each."""


class _Given(Lexer):
    """Passes terminals on that are already known."""

    def __init__(self, conf: Any) -> None:
        del conf

    def lex(self, terminals: Sequence[str]) -> Iterator[Token]:  # type: ignore[override]
        return (Token(terminal, terminal) for terminal in terminals)


def main() -> None:
    """Measure."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else None)
    parser.add_argument("--root", required=True, type=Path)
    parser.add_argument("--split", default="val_unseen")
    parser.add_argument("--count", type=int, default=2349)
    chosen = parser.parse_args()
    episodes = open_dataset(f"r2r/{chosen.split}", chosen.root).episodes()
    texts = [episode.instruction for episode in episodes][: chosen.count]
    began = time.perf_counter()
    parse("Walk.")
    print(f"first parse, with reading words and grammar: {time.perf_counter() - began:.2f} s")
    report(texts)
    compare([sentence for text in texts for sentence in sentences(text)][:EARLEY])


@cache
def earley_parser() -> Lark:
    """Return lark's own parser for the grammar; it takes a list of terminals."""
    return Lark(grammar_text(accepted()), parser="earley", lexer=_Given, start="s")


def report(texts: Sequence[str]) -> None:
    times, covered, whole = [], [], 0
    for text in texts:
        began = time.process_time()
        parsed = parse(text)
        times.append(time.process_time() - began)
        covered.append((len(parsed.tokens) - len(parsed.skipped), len(parsed.tokens)))
        whole += not parsed.skipped
    share = sum(known for known, _ in covered) / sum(words for _, words in covered)
    low, high = np.percentile(times, (50, 95)) * 1e3
    print(f"{len(texts):,} instructions: {len(texts) / sum(times):,.0f} per second of processor time")
    print(f"median {low:.2f} ms, 95 % below {high:.2f} ms")
    print(f"words understood {share:.1%}, instructions understood in full {whole / len(texts):.1%}")


def compare(found: Sequence[Sequence[RawWord]]) -> None:
    earley = earley_parser()
    ours = theirs = 0.0
    count = 0
    for sentence in found:
        began = time.process_time()
        steps = cover(readings(sentence))
        spent = time.process_time() - began
        leaves = [leaf for step in steps for leaf in step.leaves()]
        if not leaves or sum(leaf.stop - leaf.start for leaf in leaves) < len(sentence):
            continue
        began = time.process_time()
        earley.parse([leaf.lexeme.terminal for leaf in leaves])
        theirs += time.process_time() - began
        ours += spent
        count += 1
    print(
        f"{count:,} sentences read in full: {ours / count * 1e3:.2f} ms each, finding the terminals included;"
    )
    print(f"Earley {theirs / count * 1e3:.2f} ms each with terminals given, ratio {theirs / ours:.1f}")


if __name__ == "__main__":
    main()
