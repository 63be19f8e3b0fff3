"""`vlnscope houses` (data)."""

from __future__ import annotations

from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from vlnscope.cli.shared import output
from vlnscope.cli.shared.house_files import (
    check_target,
    chosen_houses,
    export_for_habitat,
    export_named_house,
    export_scene,
    show_houses,
    write_houses,
)
from vlnscope.cli.shared.options import Json, Out, Seed, Workers, one_of
from vlnscope.cli.shared.progress import progress
from vlnscope.cli.shared.verbs import subverb
from vlnscope.core.exceptions import InputError
from vlnscope.core.results import TextTable

if TYPE_CHECKING:
    from vlnscope.language.describe import Register
    from vlnscope.worlds.scene import Scene
    from vlnscope.worlds.scene_stats import Statistics, StatisticsRow

app = typer.Typer(no_args_is_help=True)


@app.callback()
def houses() -> None:
    """Make, import, look at, describe and measure furnished houses, which need no licence."""


SHOWN = 5

House = Annotated[str, typer.Argument(metavar="ID|PLAN", help="A house such as house-00012, or a plan.")]
Count = Annotated[int | None, typer.Option(min=1, help="How many houses; 40 or 10 by split.")]
Skip = Annotated[int, typer.Option(min=0, help="How many houses of the split to skip.")]
Glb = Annotated[bool, typer.Option("--glb", help="Write the mesh too.")]


@subverb(app, "generate")
def generate(
    out: Out,
    split: Annotated[str, typer.Option(help="train, val_seen, val_unseen, nuances or fresh.")] = "val_unseen",
    count: Count = None,
    seed: Skip = 0,
    workers: Workers = 1,
    glb: Glb = False,
    json: Json = False,
) -> None:
    """Generate houses: plan, navigation graph, rooms, and mesh.

    A house is called after its seed: house-00012. Seeds 0 to 39,999 are **train** (and val_seen), 40,000 to
    99,999 **val_unseen**, to 139,999 **nuances**, all above **fresh**. The folder can be given as `--root` to
    all other commands.

    **Examples**

    `vlnscope houses generate --out my-houses`

    `vlnscope houses generate --split train --count 40 --workers 2 --out my-houses`

    `vlnscope houses generate --split fresh --seed 20270101 --count 5 --glb --out never-seen`
    """
    from vlnscope.worlds.houses.splits import house_ids

    houses = house_ids(split, count, seed=seed)
    written = write_houses(houses, partial(export_named_house, out=out, glb=glb), workers)
    if json:
        output.print_json({"split": split, "houses": written})
        return
    show_houses(f"{len(houses)} houses of {split}, written to {out}", written)


@subverb(app, "export")
def export(
    out: Annotated[Path, typer.Argument(metavar="DIR", help="Folder to write to.")],
    houses: Annotated[
        list[str] | None, typer.Argument(metavar="[HOUSE]", help="Houses such as house-00012.")
    ] = None,
    habitat: Annotated[bool, typer.Option("--habitat", help="Write what Habitat loads.")] = False,
    split: Annotated[
        str | None,
        typer.Option(help="Split to take houses from, if none are named; val_unseen if not given."),
    ] = None,
    count: Count = None,
    seed: Skip = 0,
    workers: Workers = 1,
    glb: Glb = False,
    json: Json = False,
) -> None:
    """Write houses for other programs, named or by split.

    With `--habitat`: meshes with textures, navigation meshes, semantics and configurations that Habitat
    loads, and the episodes of the houses in VLN-CE's format. More houses can be exported to the same folder;
    its configuration and its episodes are then those of all houses in it. Without `--habitat` it writes what
    `houses generate` does.

    **Examples**

    `vlnscope houses export for-habitat --habitat --split val_unseen`

    `vlnscope houses export for-habitat house-00012 house-00013 --habitat --workers 2`

    `vlnscope houses export my-houses house-00012 --glb`
    """
    chosen = chosen_houses(houses or [], split, count, seed)
    check_target(out)
    if habitat:
        written, files = export_for_habitat(chosen, split, out, workers)
    else:
        written, files = write_houses(chosen, partial(export_named_house, out=out, glb=glb), workers), []
    if json:
        output.print_json({"houses": written, "files": files})
        return
    show_houses(f"{len(chosen)} houses, written to {out}", written, *files)


@subverb(app, "import")
def import_plan(
    plan: Annotated[Path, typer.Argument(help="Floor plan, JSON or JSON in gzip.")],
    out: Out,
    furnish: Annotated[bool, typer.Option("--furnish", help="Put furniture into an empty plan.")] = False,
    seed: Seed = 0,
    glb: Glb = False,
    json: Json = False,
) -> None:
    """Give a building of your own all layers: navigation graph, rooms, objects, mesh.

    A plan is JSON: floors, rooms (polygons with labels), openings, stairs and items. What is wrong with it is
    named with its place. `houses generate` writes plans to look at.

    **Examples**

    `vlnscope houses import plan.json --out my-building`

    `vlnscope houses import plan.json --furnish --seed 3 --glb --out my-building`
    """
    from vlnscope.core.files import check_not_source

    scene = _scene_of_file(plan, furnish, seed)
    check_not_source(out / "plans" / f"{scene.id}.json", plan)
    written = export_scene(scene, out, glb)
    if json:
        output.print_json(written)
        return
    sizes = ", ".join(
        f"{written[key]} {key}" for key in ("floors", "rooms", "objects", "viewpoints", "edges")
    )
    output.show(f"{written['id']}: {sizes}", *(f"  {path}" for path in written["files"]))


def _scene_of_file(path: Path, furnish: bool, seed: int) -> Scene:
    from vlnscope.worlds.houses.checks import check_house
    from vlnscope.worlds.houses.furnish.furnish import furnish as put_furniture
    from vlnscope.worlds.houses.house import house_scene
    from vlnscope.worlds.houses.plan.file import read_plan

    plan = read_plan(path)
    if furnish and plan.items:
        raise InputError(
            f"{path}: has {len(plan.items)} objects already",
            expected="a plan without objects beside --furnish",
            fix="leave --furnish out, or empty the plan's member `items`",
        )
    plan = put_furniture(plan, seed) if furnish else plan
    problems = check_house(plan)
    if problems:
        more = f"; and {len(problems) - SHOWN} more" if len(problems) > SHOWN else ""
        raise InputError(
            f"{path}: {'; '.join(problems[:SHOWN])}{more}",
            expected="a building to walk in: room to stand everywhere, ways between rooms, no overlaps",
            fix="move or remove what is named, or widen the way to it",
        )
    return house_scene(plan)


@subverb(app, "show")
def show(
    house: House,
    out: Out,
    viewpoints: Annotated[
        int, typer.Option(min=0, help="Viewpoints on a plain sheet of views; 0 for none.")
    ] = 0,
    paths: Annotated[int, typer.Option(min=0, help="Random paths to draw on the maps.")] = 0,
    glb: Annotated[bool, typer.Option("--glb", help="Write a glTF with its light baked in.")] = False,
    film: Annotated[bool, typer.Option("--film", help="Write a walk and a turntable (WebP).")] = False,
    seed: Seed = 0,
    json: Json = False,
) -> None:
    """Draw a house: a map of each floor (SVG) and a poster (PNG); a model and films if asked for.

    The model opens in Blender and in browsers and looks there as it does here. The films are a walk through
    the rooms and a turn around the house, which loses its roof and its floors on the way.

    **Examples**

    `vlnscope houses show house-00012 --out look`

    `vlnscope houses show house-00012 --glb --film --out look`

    `vlnscope houses show plan.json --paths 2 --viewpoints 10 --out look`
    """
    from vlnscope.cli.shared.house_pictures import WantedPictures, write_pictures

    scene = _scene_of(house)
    files = write_pictures(scene, out, WantedPictures(paths, seed, viewpoints, glb, film))
    if json:
        output.print_json({"id": scene.id, "files": [str(path) for path in files]})
        return
    output.show(*map(str, files))


def _scene_of(house: str) -> Scene:
    from vlnscope.worlds.houses.house import house_scene
    from vlnscope.worlds.houses.splits import load_house

    path = Path(house)
    if path.suffix in (".json", ".gz") or path.is_file():
        return _scene_of_file(path, False, 0)
    return house_scene(load_house(house))


@subverb(app, "describe")
def describe(
    house: House,
    register: Annotated[str, typer.Option(help="r2r, terse or rxr.")] = "r2r",
    paths: Annotated[int, typer.Option(min=1, help="How many of the house's paths to show.")] = 3,
    path: Annotated[str | None, typer.Option(help="Viewpoints of a path, separated by commas.")] = None,
    out: Annotated[Path | None, typer.Option(help="Folder for maps with the paths (SVG).")] = None,
    json: Json = False,
) -> None:
    """Describe paths of a house in words, with the steps that the words belong to.

    Shows the paths that the data set `houses` has in a house, each with three instructions, cut into the
    pieces that go with its steps. A path of your own is named by its viewpoints (the first few digits will
    do); between two that share no edge it takes the shortest way.

    **Examples**

    `vlnscope houses describe house-40000`

    `vlnscope houses describe house-40000 --register rxr --paths 1 --out look`

    `vlnscope houses describe plan.json --path 3f2a,90bc`
    """
    from vlnscope.core.files import write_text
    from vlnscope.evaluate.language.described_paths import dataset_paths, episodes_of, maps_of, own_path

    scene = _scene_of(house)
    chosen = _register(register)
    notes = []
    if path:
        described = [own_path(scene, path, chosen)]
    else:
        episodes = episodes_of(house, scene, chosen)
        described = dataset_paths(scene, episodes.episodes)
        notes = _paths_notes(len(described), len(episodes.given_up), episodes.missing)
        described = described[:paths]
    files = []
    for name, svg in maps_of(scene, described).items() if out else ():
        files.append((out or Path()) / name)
        write_text(files[-1], svg)
    if json:
        drawn = [str(file) for file in files]
        output.print_json({"id": scene.id, "paths": described, "notes": notes, "files": drawn})
        return
    output.show(*(line for path in described for line in path.lines()), *notes, *map(str, files))


def _register(name: str) -> Register:
    from vlnscope.language.describe import REGISTERS

    return one_of("register", name, REGISTERS)


def _paths_notes(paths: int, given_up: int, missing: int) -> list[str]:
    notes = [f"the house has {paths} paths; {given_up} others were given up, which no words tell apart"]
    return notes + ([f"{missing} fewer than usual: the house has no more such paths"] if missing else [])


@subverb(app, "stats")
def stats(
    count: Annotated[int, typer.Option(min=1, help="How many houses to measure.")] = 60,
    split: Annotated[str, typer.Option(help="Split to take them from.")] = "train",
    root: Annotated[
        Path | None, typer.Option(help="Data folder whose real graphs are measured for comparison.")
    ] = None,
    workers: Workers = 2,
    json: Json = False,
) -> None:
    """Compare generated houses with real ones: sizes, degrees, lengths, turns, rooms.

    Quartiles may differ from the real ones by 25 %, shares of turns by 0.08, shares of rooms by 2 points or
    30 %. Exit code 0, whatever the verdicts.

    **Examples**

    `vlnscope houses stats`

    `vlnscope houses stats --count 20 --json`

    `vlnscope houses stats --root ~/vln-data`
    """
    from vlnscope.worlds.houses.parallel import graph_scenes
    from vlnscope.worlds.houses.splits import house_ids
    from vlnscope.worlds.scene_stats import compare, graph_statistics, real_statistics

    houses = house_ids(split, count)
    real = real_statistics(root)
    scenes = progress(graph_scenes(houses, workers=workers), len(houses), "houses")
    ours = graph_statistics(scenes)
    rows = compare(ours, real)
    if json:
        output.print_json({"ours": ours, "real": real, "rows": [_row(row) for row in rows]})
    else:
        _show_stats(ours, real, rows)


def _row(row: StatisticsRow) -> dict[str, Any]:
    numbers = {"ours": row.ours, "real": row.real, "low": row.low, "high": row.high}
    return {"name": row.name, **numbers, "holds": row.holds}


def _show_stats(ours: Statistics, real: Statistics, rows: list[StatisticsRow]) -> None:
    cells = [
        [
            row.name,
            _figure(row.ours),
            _figure(row.real),
            f"{_figure(max(0.0, row.low))} … {_figure(row.high)}",
            _verdict(row),
        ]
        for row in rows
    ]
    title = f"{ours.scenes} generated houses beside {real.scenes} real buildings"
    close = sum(row.holds for row in rows)
    output.show(
        TextTable(title, ("what", "houses", "real", "may be", "verdict"), cells),
        f"{close} of {len(rows)} as in real buildings; {ours.connected:.0%} of the houses are connected",
    )


def _verdict(row: StatisticsRow) -> str:
    return "fine" if row.holds else "too low" if row.ours < row.low else "too high"


def _figure(value: float) -> str:
    return f"{value:.1f}" if abs(value) >= 10 else f"{value:.2f}" if abs(value) >= 1 else f"{value:.3f}"
