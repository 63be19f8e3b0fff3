"""Turn what readers said about drawn items into the page of docs that keeps it.

    python tools/reading_table.py READ... > docs/items-read.md

READ is a folder of `tools/reading_sheets.py` whose ``items.csv`` a reader has filled in: yes or no for true,
clear and natural, and a reason where it is no. Folders are named BENCHMARK-real or BENCHMARK-houses. Texts of
real data sets are not repeated: their items are listed by id.
"""

from __future__ import annotations

import argparse
import csv
import sys
from collections.abc import Iterator, Sequence
from pathlib import Path

ASPECTS = ("true", "clear", "natural")


def read(folder: Path) -> list[dict[str, str]]:
    """Return the items of a folder, or end with what is missing."""
    with (folder / "items.csv").open(encoding="utf-8", newline="") as stream:
        items = list(csv.DictReader(stream))
    blank = [item["number"] for item in items if any(item[key] not in ("yes", "no") for key in ASPECTS)]
    if blank:
        sys.exit(f"{folder}: items {', '.join(blank)} have no verdict (yes or no)")
    return items


def is_right(item: dict[str, str]) -> bool:
    """Say whether an item is true, clear and natural."""
    return all(item[key] == "yes" for key in ASPECTS)


def summary(folders: Sequence[Path]) -> Iterator[str]:
    """Yield the table of all cells."""
    yield "| items | read | true | clear | natural | all three |"
    yield "|---|---:|---:|---:|---:|---:|"
    for folder in folders:
        items = read(folder)
        counts = [sum(item[key] == "yes" for item in items) for key in ASPECTS]
        right = sum(map(is_right, items))
        yield (
            f"| {folder.name.replace('-', ', ')} | {len(items)} | {' | '.join(map(str, counts))} "
            f"| **{right}** ({100 * right / len(items):.0f} %) |"
        )


def listing(folder: Path) -> Iterator[str]:
    """Yield the items of a cell: first those with a fault, with the reason, then all by id."""
    items, real = read(folder), folder.name.endswith("-real")
    yield f"\n## {folder.name.replace('-', ', ')}\n"
    faults = [item for item in items if not is_right(item)]
    if faults:
        yield "| id | fault | why |" if real else "| id | text | fault | why |"
        yield "|---|---|---|" if real else "|---|---|---|---|"
    for item in faults:
        fault = ", ".join(f"not {key}" for key in ASPECTS if item[key] == "no")
        text = "" if real else f" {_cell(item['text'])} |"
        yield f"| `{item['case_id']}` |{text} {fault} | {_cell(item['reason'])} |"
    fine = [item for item in items if is_right(item)]
    said = (f"`{item['case_id']}`" if real else f"“{_cell(item['text'])}”" for item in fine)
    yield f"\nRight ({len(fine)}): " + "; ".join(said) + "."


def _cell(text: str) -> str:
    return " ".join(text.replace("|", "\\|").split())


def main() -> None:
    """Print the summary and the lists."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("read", type=Path, nargs="+")
    folders = parser.parse_args().read
    print("\n".join(summary(folders)))
    for folder in folders:
        print("\n".join(listing(folder)))


if __name__ == "__main__":
    main()
