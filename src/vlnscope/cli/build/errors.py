"""`vlnscope build errors`: finds the paths of VLN-CE episodes, and writes files as R2RIE-CE has them."""

from __future__ import annotations

from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from vlnscope.cli.build._command import BuildRequest, print_cases
from vlnscope.core.exceptions import DataNotFoundError

if TYPE_CHECKING:
    from vlnscope.episodes.datasets.dataset import Dataset

VOCABULARY = Path("bert", "bert-base-uncased-vocab.txt")


def errors(
    request: BuildRequest,
    *,
    graph: Annotated[
        str | None,
        typer.Option(
            help="Data set with the paths and the alignment of R2R's episodes; fgr2r/SPLIT or r2r/SPLIT."
        ),
    ] = None,
    files: Annotated[
        bool, typer.Option("--files", help="Write episode files as R2RIE-CE has them, too.")
    ] = False,
    **options: Any,
) -> None:
    """Plant wrong words in instructions: directions, rooms, objects, and more.

    Types of errors: direction, room, object, room-object, all (R2RIE-CE); attribute, ordinal, vertical,
    order. Every instruction comes twice, right and wrong. Where the scenes have room labels or objects, a
    swap that happens to be true at that place is drawn again. VLN-CE episodes get the paths that the same
    instructions have in r2r/SPLIT, if the data folder has it, so that they can be walked on the graph.

    **Examples**

    `vlnscope build errors --data houses/val_unseen@3 --out errors`

    `vlnscope build errors --data r2r-ce/val_unseen --files --out errors`

    `vlnscope build errors --data r2r/val_unseen --type direction --type order --limit 300 --out errors`

    `vlnscope build errors --data r2r-ce/train --type all --no-common-sense --out training`

    `vlnscope build errors --data r2r-ce/val_unseen --matching substring --shortest 10 --length-in pieces
    --out e`
    """
    from vlnscope.benchmarks.errors.build.files import save_episodes
    from vlnscope.benchmarks.errors.build.types import TYPES

    dataset = request.dataset()
    options["graph"] = (
        request.dataset(graph)
        if graph
        else _twin(dataset, request.root, plain=options.get("filters") == "paper")
    )
    options.setdefault("vocabulary", _vocabulary(request.root))
    case_set = request.benchmark.build_cases(dataset, **options)
    case_set.save(request.out)
    files_written = save_episodes(case_set, request.out) if files else []
    published = {name: kind.published for name, kind in TYPES.items()}
    print_cases(case_set, request, published=published, files=files_written)


def _twin(dataset: Dataset, root: Path | None, *, plain: bool) -> Dataset | None:
    """Return the discrete data set with the same instructions, aligned with their paths unless `plain`."""
    from vlnscope.episodes.datasets.dataset import aligned_data, open_dataset

    if not dataset.name.startswith(("r2r-ce/", "r2r/")):
        return None
    discrete = f"r2r/{dataset.split}"
    for name in (discrete,) if plain else (aligned_data(discrete), discrete):
        try:
            return open_dataset(name, root)
        except DataNotFoundError:
            continue
    return None


def _vocabulary(root: Path | None) -> Path | None:
    from vlnscope.core.data_root import data_root
    from vlnscope.core.files import find_file

    folder = data_root(root)
    return find_file(folder / VOCABULARY) if folder and find_spec("tokenizers") else None
