"""Count which rooms and objects R2R's training instructions name after which words, for `errors`.

Usage: ``python tools/measure_selection.py --root ../shared/data``. The table holds names, single words and
counts only, never the data; running it again gives the same bytes.
"""

from __future__ import annotations

import argparse
from collections import Counter, defaultdict
from collections.abc import Iterable
from pathlib import Path

import msgspec

from vlnscope.benchmarks.errors.build.strict.context import context, is_whole
from vlnscope.benchmarks.errors.build.strict.selection import Kind, SelectionCounts, SelectionFile
from vlnscope.benchmarks.errors.build.word_matching import found_classes
from vlnscope.benchmarks.errors.build.words import DATA
from vlnscope.core.files import write_text
from vlnscope.episodes.datasets.dataset import open_dataset

LEAST = 2
ABOUT = "How often R2R's training instructions name a class after a governing word and after a modifier."
Table = defaultdict[str, Counter[str]]


def count(texts: Iterable[str], kind: Kind) -> SelectionCounts:
    """Count one kind of name; names that are a part of another (“kitchen table”) are left out."""
    names: Counter[str] = Counter()
    plurals: Counter[str] = Counter()
    governors: Table = defaultdict(Counter)
    modifiers: Table = defaultdict(Counter)
    for text in texts:
        for found in found_classes(text, kind):
            around = context(text, found.start, found.end)
            if not is_whole(around):
                continue
            names[found.name] += 1
            plurals[found.name] += found.plural
            governors[around.governor][found.name] += 1
            for word in around.modifiers:
                modifiers[word][found.name] += 1
    return SelectionCounts(_sorted(names), _sorted(+plurals), _frequent(governors), _frequent(modifiers))


def _frequent(table: Table) -> dict[str, dict[str, int]]:
    kept = {word: {name: n for name, n in names.items() if n >= LEAST} for word, names in table.items()}
    return {word: _sorted(kept[word]) for word in sorted(kept) if kept[word]}


def _sorted(names: dict[str, int]) -> dict[str, int]:
    return dict(sorted(names.items(), key=lambda item: (-item[1], item[0])))


def main() -> None:
    """Measure and write."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else None)
    parser.add_argument("--root", required=True, type=Path)
    root: Path = parser.parse_args().root
    texts = [episode.instruction for episode in open_dataset("r2r/train", root).episodes()]
    made = SelectionFile(ABOUT, count(texts, "room"), count(texts, "object"))
    write_text(
        DATA / "selection.json", msgspec.json.format(msgspec.json.encode(made), indent=0).decode() + "\n"
    )


if __name__ == "__main__":
    main()
