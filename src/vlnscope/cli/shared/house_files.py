"""Houses written as files: which ones, how, and what is printed about them."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

from vlnscope.cli.shared import output
from vlnscope.cli.shared.progress import progress
from vlnscope.core.exceptions import InputError
from vlnscope.core.results import TextTable

if TYPE_CHECKING:
    from vlnscope.worlds.houses.plan.plan import FloorPlan
    from vlnscope.worlds.scene import Scene

Written = dict[str, Any]
"""A house that was written: its id, its sizes and its files."""


def write_houses(houses: Sequence[str], work: Callable[[str], Written], workers: int) -> list[Written]:
    """Write houses in several processes and return what was written of each."""
    from vlnscope.worlds.houses.parallel import for_houses

    return list(progress(for_houses(work, houses, workers=workers), len(houses), "houses"))


def show_houses(title: str, written: Sequence[Written], *notes: str) -> None:
    """Print a table of houses that were written, and lines below it."""
    columns = ["house", "floors", "rooms", "objects", "viewpoints", "edges"]
    rows = [[str(house[key]) for key in ("id", *columns[1:])] for house in written]
    output.show(TextTable(title, columns, rows), *notes)


def export_named_house(house: str, out: Path, glb: bool) -> Written:
    """Write a house by its name, as `export_scene` does."""
    from vlnscope.worlds.houses.house import house_scene
    from vlnscope.worlds.houses.splits import load_house

    return export_scene(house_scene(load_house(house)), out, glb)


def export_scene(scene: Scene, out: Path, glb: bool) -> Written:
    """Write a house as a data folder has it: plan, navigation graph, rooms and, if `glb`, its mesh."""
    from vlnscope.worlds.houses.export import export_house

    return _summary(scene, export_house(scene, out, glb=glb))


def _summary(scene: Scene, paths: Sequence[Path]) -> Written:
    plan: FloorPlan = scene.layer("plan")
    return {
        "id": plan.id,
        "floors": len(plan.floors),
        "rooms": len(plan.rooms),
        "objects": len(plan.items),
        "viewpoints": len(scene.graph.nodes),
        "edges": len(scene.graph.edges),
        "files": [str(path) for path in paths],
    }


def chosen_houses(named: list[str], split: str | None, count: int | None, seed: int) -> tuple[str, ...]:
    """Return the houses that are named or, if none are, those of a split.

    Raises:
        DataNotFoundError: there is no house of such a name.
        InputError: both were asked for, or the split has not so many houses.
    """
    from vlnscope.worlds.habitat_files import check_house_name
    from vlnscope.worlds.houses.splits import house_ids

    if not named:
        return house_ids(split or "val_unseen", count, seed=seed)
    if split or count or seed:
        raise InputError(
            "both houses and a part of a split are named",
            expected="names of houses, or --split, --count and --seed",
            fix="leave one of them out",
        )
    for house in named:
        check_house_name(house)
    return tuple(dict.fromkeys(named))


def check_target(out: Path) -> None:
    """Refuse a folder in which nothing could be written, and a house that was named in its place."""
    from vlnscope.core.files import check_folder
    from vlnscope.worlds.houses.splits import is_house

    if is_house(str(out)) and not out.exists():
        raise InputError(
            f"{out} is a house, and no folder is named",
            expected="a folder to write to, then houses",
            fix=f"name the folder first: `vlnscope houses export DIR {out}`",
        )
    try:
        check_folder(out)
    except InputError as error:
        error.fix = "name another folder"
        raise


def export_for_habitat(
    houses: Sequence[str], split: str | None, out: Path, workers: int
) -> tuple[list[Written], list[str]]:
    """Write houses, their configuration and their episodes for Habitat.

    Args:
        houses: names of the houses.
        split: whose episodes to write; None for the splits that the houses belong to.
        out: the folder.
        workers: number of processes.

    Returns:
        What was written of each house, and the files that belong to all of them.
    """
    from vlnscope.episodes.datasets.habitat_houses import check_episodes_file, write_habitat_index
    from vlnscope.worlds.houses.splits import split_of

    splits = [split] if split else sorted({split_of(house) for house in houses})
    for name in splits:
        check_episodes_file(out, name)
    written = write_houses(houses, partial(_habitat_by_name, out=out), workers)
    return written, [str(path) for path in write_habitat_index(out, splits)]


def _habitat_by_name(house: str, out: Path) -> Written:
    from vlnscope.worlds.habitat_files import write_habitat_scene
    from vlnscope.worlds.houses.splits import HouseScenes

    scene = HouseScenes([house]).scene(house)
    return _summary(scene, write_habitat_scene(scene, out))
