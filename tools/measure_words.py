"""Count the words of the lexicon in the R2R training instructions, and list the words it must not mend.

Usage: ``python tools/measure_words.py --root ../shared/data``. Writes the counts into
``src/vlnscope/language/lexicon/words``, commonest form first, and ``common.json``: frequent words of English
(those of BERT's vocabulary) that are one edit away from a word of the lexicon without being one. The files
hold single words, names and numbers; running it again gives the same bytes.
"""

from __future__ import annotations

import argparse
import gzip
import re
from collections import Counter
from collections.abc import Iterable, Sequence
from pathlib import Path

import msgspec

from vlnscope.core.files import write_text
from vlnscope.language.lexicon.entries import WORDS, WordFacts, WordFile, read_words
from vlnscope.language.lexicon.spelling import SpellingIndex

FILES = ("objects", "rooms", "attributes", "numbers", "ordinals", "directions", "paths", "function")
WORD = re.compile(r"[^\W_]+(?:['’][^\W_]+)*|[.!?;,:\n]")


class _Path(msgspec.Struct):
    instructions: list[str]


def main() -> None:
    """Measure and write."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else None)
    parser.add_argument("--root", required=True, type=Path)
    root: Path = parser.parse_args().root
    files = {name: read_words(name) for name in FILES}
    spellings = spellings_of(files.values())
    counts = count(training_texts(root), spellings)
    for name, file in files.items():
        write_text(WORDS / f"{name}.json", counted_file(file, counts))
    vocabulary = (root / "bert" / "bert-base-uncased-vocab.txt").read_text().split()
    write_text(WORDS / "common.json", _common(vocabulary, spellings))


def spellings_of(files: Iterable[WordFile]) -> set[str]:
    """Return all forms and plurals."""
    return {
        spelling
        for file in files
        for facts in file.entries.values()
        for spelling in (*facts.forms, *facts.plurals)
    }


def training_texts(root: Path) -> list[str]:
    """Return the instructions of R2R train."""
    with gzip.open(root / "r2r" / "R2R_train.json.gz") as stream:
        return [
            text
            for path in msgspec.json.decode(stream.read(), type=list[_Path])
            for text in path.instructions
        ]


def count(texts: Iterable[str], spellings: set[str]) -> Counter[str]:
    """Count spellings, the longest that fits at each place; none reaches across punctuation."""
    longest = max(len(spelling.split()) for spelling in spellings)
    found: Counter[str] = Counter()
    for text in texts:
        words = [word.replace("’", "'") for word in WORD.findall(text.casefold())]
        at = 0
        while at < len(words):
            size = _longest(words[at : at + longest], spellings)
            if size:
                found[" ".join(words[at : at + size])] += 1
            at += size or 1
    return found


def _longest(words: Sequence[str], spellings: set[str]) -> int:
    return next((n for n in range(len(words), 0, -1) if " ".join(words[:n]) in spellings), 0)


def _counted(facts: WordFacts, counts: Counter[str]) -> WordFacts:
    plurals = facts.plurals or facts.forms
    rows = [
        (counts[form] + (counts[plural] if plural != form else 0), form, plural)
        for form, plural in zip(facts.forms, plurals, strict=True)
    ]
    rows.sort(key=lambda row: (-row[0], row[1]))
    return msgspec.structs.replace(
        facts,
        forms=tuple(form for _, form, _ in rows),
        plurals=tuple(plural for _, _, plural in rows) if facts.plurals else (),
        counts=tuple(number for number, _, _ in rows),
    )


def counted_file(file: WordFile, counts: Counter[str]) -> str:
    """Return a file of words with these counts, one entry per line."""
    rows = [f"  {_json(name)}: {_json(_counted(facts, counts))}" for name, facts in file.entries.items()]
    return f'{{\n "about": {_json(file.about)},\n "entries": {{\n' + ",\n".join(rows) + "\n }\n}\n"


def _json(thing: object) -> str:
    return msgspec.json.encode(thing).decode()


def _common(vocabulary: Iterable[str], spellings: set[str]) -> str:
    ours = {word for spelling in spellings for word in (*spelling.split(), spelling.replace(" ", ""))}
    foreign = (
        word for word in sorted(set(vocabulary)) if re.fullmatch("[a-z]{4,}", word) and word not in ours
    )
    near = SpellingIndex(sorted(ours))
    words = [word for word in foreign if near.of(word)]
    about = "Frequent words of English, one edit away from a word of ours, that are no misspellings of it."
    return msgspec.json.format(_json({"about": about, "words": words}), indent=1) + "\n"


if __name__ == "__main__":
    main()
