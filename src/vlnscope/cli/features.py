"""`vlnscope features` (learning)."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from vlnscope.cli.shared import output, signals
from vlnscope.cli.shared.options import Device, Json, Root
from vlnscope.cli.shared.progress import phases
from vlnscope.cli.shared.verbs import subverb
from vlnscope.core.devices import AUTO
from vlnscope.core.exceptions import InputError, UnknownNameError
from vlnscope.core.results import TextTable

if TYPE_CHECKING:
    from vlnscope.perception.features.store import LiveStore

app = typer.Typer(no_args_is_help=True)


@app.callback()
def features() -> None:
    """Make the numbers that learned agents see, once, and see which there are."""


@subverb(app, "build")
def build(
    what: Annotated[str, typer.Argument(help="What to make features of: captions, houses.")],
    root: Root = None,
    data: Annotated[str, typer.Option(help="For houses: the data set whose houses to take.")] = "",
    device: Device = AUTO,
    json: Json = False,
) -> None:
    """Make features of all viewpoints of a data folder, or of the houses of a data set.

    Features are kept in the cache folder (`$VLNSCOPE_CACHE`, else `~/.cache/vlnscope`), under a key that
    depends on the data and on the encoder. Ctrl-C loses little: the same command goes on. Numbers that were
    made on a graphics card differ from those of a CPU in their last digits. Houses are always drawn and
    encoded on the CPU.

    **Examples**

    `vlnscope features build captions --root ~/vln-data`

    `vlnscope features build houses --data houses/train@60`
    """
    from vlnscope.core.data_root import data_root, no_root
    from vlnscope.perception.features.store import LiveStore, build_store, stores

    signals.on_stop("what is made is kept; the same command goes on")
    specs = {spec.command: spec for spec in stores().values()}
    if what not in specs:
        raise UnknownNameError("kind of features", what, specs)
    spec, folder = specs[what], data_root(root)
    if isinstance(spec, LiveStore):
        if device not in (AUTO, "cpu"):
            raise InputError(
                f"features:{spec.name} cannot be made on {device}",
                expected="--device cpu: each viewpoint is drawn there, which takes longer than encoding it",
                fix="leave --device out",
            )
        _build_live(spec, data, folder, json)
        return
    if data:
        raise InputError(
            f"features of {what} are made of a whole data folder, not of {data}",
            expected="no --data",
            fix="leave --data out",
        )
    if folder is None:
        raise no_root(what)
    building, parts = build_store(spec, folder, device=device), 0
    with phases() as shown:
        if building.parts:
            shown.phase(f"features:{spec.name}", building.parts)
        for parts, _ in enumerate(building.work, 1):
            shown.at(parts)
    if json:
        output.print_json({"name": spec.name, "folder": str(building.folder), "parts": parts})
        return
    done = "made" if parts else "already there"
    output.show(f"features:{spec.name} {done}: {building.folder}")


def _build_live(spec: LiveStore, data: str, root: Path | None, json: bool) -> None:
    """Have a store make the rows of all viewpoints of a data set's scenes."""
    from vlnscope.episodes.datasets.dataset import open_dataset

    if not data:
        raise InputError(
            f"which scenes to make features:{spec.name} of is not said",
            expected="a data set of houses",
            fix=f"for example vlnscope features build {spec.command} --data houses/val_unseen",
        )
    scenes = open_dataset(data, root).scenes
    names = scenes.scans() if scenes else ()
    features, rows = spec.open(None), 0
    with phases() as shown:
        shown.phase(f"features:{spec.name}", len(names))
        for done, name in enumerate(names, 1):
            assert scenes is not None
            scene = scenes.scene(name)
            for viewpoint in scene.graph.nodes:
                features.of(scene, viewpoint)
                rows += 1
            shown.at(done)
    if json:
        output.print_json({"name": spec.name, "scenes": len(names), "viewpoints": rows})
        return
    output.show(f"features:{spec.name} made: {rows} viewpoints of {len(names)} houses")


@subverb(app, "ls")
def ls(root: Root = None, json: Json = False) -> None:
    """Say which features can be made, and which are.

    **Examples**

    `vlnscope features ls --root ~/vln-data`
    """
    from vlnscope.core.data_root import data_root
    from vlnscope.core.exceptions import MissingLayerError
    from vlnscope.perception.features.store import LiveStore, open_store, stores

    folder, rows = data_root(root), []
    for name, spec in stores().items():
        try:
            open_store(name, folder)
            ready = True
        except MissingLayerError:
            ready = False
        when = "on demand" if isinstance(spec, LiveStore) else "yes" if ready else "no"
        rows.append({"name": name, "summary": spec.summary, "width": spec.width, "made": ready, "when": when})
    if json:
        output.print_json({"features": rows})
        return
    cells = [
        [f"features:{row['name']}", *(str(row[key]) for key in ("summary", "width", "when"))] for row in rows
    ]
    output.show(TextTable("features", ("name", "what", "width", "made"), cells, texts=2))
