"""`vlnscope build errors`."""

from __future__ import annotations

from collections import Counter
from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from vlnscope.cli.build.output import print_cases
from vlnscope.cli.shared.options import Data, Json, Out, Root, Seed
from vlnscope.core.exceptions import DataNotFoundError

if TYPE_CHECKING:
    from vlnscope.benchmarks.kit.case_set import CaseSet
    from vlnscope.episodes.datasets.dataset import Dataset

EPILOG = """
Types of errors: direction, room, object, room-object, all (R2RIE-CE); attribute, ordinal, vertical, order.
Every instruction comes twice, right and wrong. Where the scenes have room labels or objects, a swap that
happens to be true at that place is drawn again. VLN-CE episodes get the paths that the same instructions have
in r2r/SPLIT, if the data folder has it, so that they can be walked on the graph.

**Examples**

`vlnscope build errors --data houses/val_unseen@3 --out errors`

`vlnscope build errors --data r2r-ce/val_unseen --files --out errors`

`vlnscope build errors --data r2r/val_unseen --type direction --type order --limit 300 --out errors`

`vlnscope build errors --data r2r-ce/train --type all --no-common-sense --out training`

`vlnscope build errors --data r2r-ce/val_unseen --matching substring --shortest 10 --length-in pieces --out e`
"""
VOCABULARY = Path("bert", "bert-base-uncased-vocab.txt")


def errors(
    data: Data,
    out: Out,
    root: Root = None,
    error: Annotated[
        list[str] | None, typer.Option("--type", help="Type of error; may be repeated; the paper's five.")
    ] = None,
    common_sense: Annotated[
        bool, typer.Option(help="Put in rooms that adjoin and objects that share a room, or any others.")
    ] = True,
    priors: Annotated[
        str, typer.Option(help="Where that was counted: `real` scans, or built-in `houses`.")
    ] = "real",
    matching: Annotated[
        str, typer.Option(help="Find directions and rooms by `word` or by `substring`.")
    ] = "word",
    shortest: Annotated[int, typer.Option(help="Leave out shorter instructions.")] = 7,
    length_in: Annotated[str, typer.Option(help="Count their length in `words` or in `pieces`.")] = "words",
    vocabulary: Annotated[
        Path | None,
        typer.Option(help=f"A BERT vocab.txt for positions of word-pieces; {VOCABULARY} of the data folder."),
    ] = None,
    graph: Annotated[
        str | None, typer.Option(help="Data set with the paths of VLN-CE episodes; r2r/SPLIT.")
    ] = None,
    limit: Annotated[int | None, typer.Option(help="Keep so many pairs of each type, at random.")] = None,
    files: Annotated[
        bool, typer.Option("--files", help="Write episode files as R2RIE-CE has them, too.")
    ] = False,
    seed: Seed = 0,
    json: Json = False,
) -> None:
    """Plant wrong words in instructions: directions, rooms, objects, and more."""
    from vlnscope.benchmarks.errors.build.cases import build_cases
    from vlnscope.benchmarks.errors.build.files import save_episodes
    from vlnscope.benchmarks.errors.build.types import TYPES
    from vlnscope.episodes.datasets.dataset import open_dataset

    dataset = open_dataset(data, root)
    options: dict[str, Any] = {"common_sense": common_sense, "priors": priors, "matching": matching}
    options |= {"shortest": shortest, "length_in": length_in, "limit": limit, "seed": seed}
    options |= {"types": tuple(error)} if error else {}
    twin = open_dataset(graph, root) if graph else _twin(dataset, root)
    made = build_cases(dataset, graph=twin, vocabulary=vocabulary or _vocabulary(root), **options)
    made.save(out)
    written = save_episodes(made, out) if files else []
    published = {name: kind.published for name, kind in TYPES.items()}
    print_cases(made, out, _pairs(made), json=json, published=published, files=written)


def _twin(dataset: Dataset, root: Path | None) -> Dataset | None:
    """Return the discrete data set with the same instructions, if the data folder has it."""
    from vlnscope.episodes.datasets.dataset import open_dataset

    if not dataset.name.startswith("r2r-ce/"):
        return None
    try:
        return open_dataset(f"r2r/{dataset.split}", root)
    except DataNotFoundError:
        return None


def _vocabulary(root: Path | None) -> Path | None:
    from vlnscope.core.data_root import data_root
    from vlnscope.core.files import find_file

    folder = data_root(root)
    return find_file(folder / VOCABULARY) if folder and find_spec("tokenizers") else None


def _pairs(made: CaseSet) -> dict[str, int]:
    return dict(Counter(case.groups["type"] for case in made.cases if case.groups["variant"] == "wrong"))
