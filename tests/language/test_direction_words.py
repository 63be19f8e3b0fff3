"""Direction words of real instructions go to the action that a reader gives them to."""

from __future__ import annotations

import re
from pathlib import Path

import msgspec

from vlnscope.episodes.datasets.dataset import open_dataset
from vlnscope.language.actions import Parse
from vlnscope.language.parse import parse

VERDICTS = Path(__file__).with_name("verdicts") / "direction_words.json"
WORD = re.compile(r"\w+(?:'\w+)?")


class Verdicts(msgspec.Struct):
    about: str
    belongs_to: dict[str, list[tuple[int, int]]]


def action_at(parsed: Parse, place: int) -> int | None:
    """Return the action of the token that covers a character."""
    return next((t.action for t in parsed.tokens if t.span.start <= place < t.span.end), None)


def misses(text: str, pairs: list[tuple[int, int]]) -> list[tuple[str, str]]:
    starts = [(match.start(), match[0]) for match in WORD.finditer(text)]
    parsed = parse(text)
    found = []
    for word, head in pairs:
        action = action_at(parsed, starts[word][0])
        if action is None or action != action_at(parsed, starts[head][0]):
            found.append((starts[word][1], starts[head][1]))
    return found


def test_direction_words_of_100_real_instructions(data_root: Path) -> None:
    verdicts = msgspec.json.decode(VERDICTS.read_bytes(), type=Verdicts).belongs_to
    texts = {e.episode_id: e.instruction for e in open_dataset("r2r/val_unseen", data_root).episodes()}
    wrong = {name: misses(texts[name], pairs) for name, pairs in verdicts.items()}
    total = sum(len(pairs) for pairs in verdicts.values())
    assert len(verdicts) == 100
    assert sum(map(len, wrong.values())) <= 0.05 * total, {n: w for n, w in wrong.items() if w}
