"""Print figures of R2R's instructions and of those made for houses, side by side.

Usage: ``python tools/measure_instructions.py --root ../shared/data --houses 40 --register r2r``. Lengths are
in words; shares are of instructions that hold a word of the list; duplicates are instructions that another
one equals, case aside. Type-token ratio and share of distinct bigrams are means over blocks of 10,000 words,
since both fall with the size of a text.
"""

from __future__ import annotations

import argparse
import gzip
import re
from collections import Counter
from collections.abc import Mapping, Sequence
from itertools import pairwise
from pathlib import Path

import msgspec
import numpy as np

from vlnscope.episodes.datasets.house_episodes import make_episodes, reworded
from vlnscope.worlds.houses.house import house_scene
from vlnscope.worlds.houses.splits import house_ids, load_house, seed_of

WORD = re.compile(r"[a-z0-9]+(?:['’-][a-z0-9]+)*")
BLOCK = 10_000

MENTIONS: Mapping[str, re.Pattern[str]] = {
    name: re.compile(words)
    for name, words in {
        "left or right": r"\b(left|right)\b",
        "stairs": r"stair|\bsteps\b",
        "a room": "room|kitchen|hallway",
        "an ordinal": r"\b(first|second|third)\b",
        "furniture or a door": r"table|chair|couch|sofa|\bbeds?\b|desk|door",
        "stop or wait": r"\b(stop|wait)\b",
    }.items()
}


class _Path(msgspec.Struct):
    instructions: list[str]


def real_texts(root: Path) -> list[str]:
    """Return the instructions of R2R train."""
    with gzip.open(root / "r2r" / "R2R_train.json.gz") as stream:
        paths = msgspec.json.decode(stream.read(), type=list[_Path])
    return [text for path in paths for text in path.instructions]


def made_texts(houses: Sequence[str], register: str) -> list[str]:
    """Return the instructions of houses."""
    texts = []
    for house in houses:
        scene = house_scene(load_house(house))
        made = make_episodes(scene, seed_of(house))
        if register != "r2r":
            made = reworded(scene, made, register)  # type: ignore[arg-type]
        texts += [episode.instruction for episode in made.episodes]
    return texts


def figures(texts: Sequence[str]) -> dict[str, str]:
    """Return what is measured of a collection of instructions."""
    words = [WORD.findall(text.lower()) for text in texts]
    lengths = np.percentile([len(its) for its in words], (5, 25, 50, 75, 95))
    flat = [word for its in words for word in its]
    counts = Counter(text.strip().lower() for text in texts)
    sentences = [len(re.findall(r"[.!?]+(?:\s|$)", text)) or 1 for text in texts]
    found = {
        "instructions": f"{len(texts)}",
        "words 5/25/50/75/95 %": "/".join(f"{length:.0f}" for length in lengths),
        "sentences, mean": f"{np.mean(sentences):.2f}",
    }
    for name, pattern in MENTIONS.items():
        found[f"mentions {name}"] = f"{np.mean([bool(pattern.search(text.lower())) for text in texts]):.2f}"
    return found | {
        "distinct words": f"{len(set(flat))}",
        "distinct words used 3 times": f"{sum(n >= 3 for n in Counter(flat).values())}",
        "type-token ratio": f"{_mean_over_blocks(flat):.4f}",
        "distinct bigrams": f"{_mean_over_blocks(list(pairwise(flat))):.4f}",
        "duplicates": f"{sum(n for n in counts.values() if n > 1) / len(texts):.4f}",
    }


def _mean_over_blocks(items: Sequence[object]) -> float:
    blocks = [items[k : k + BLOCK] for k in range(0, max(1, len(items) - BLOCK + 1), BLOCK)]
    return float(np.mean([len(set(block)) / len(block) for block in blocks]))


def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else None)
    parser.add_argument("--root", required=True, type=Path)
    parser.add_argument("--houses", type=int, default=40)
    parser.add_argument("--register", default="r2r", choices=("terse", "r2r", "rxr"))
    parser.add_argument("--save", type=Path, help="file to write the instructions of the houses to")
    asked = parser.parse_args()
    made = made_texts(house_ids("train", asked.houses), asked.register)
    if asked.save:
        asked.save.write_text("\n".join(made))
    real, houses = figures(real_texts(asked.root)), figures(made)
    print(f"{'':30}{'R2R train':>18}{'houses':>18}")
    for name in real:
        print(f"{name:30}{real[name]:>18}{houses[name]:>18}")


if __name__ == "__main__":
    main()
