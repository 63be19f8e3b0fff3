"""What `houses show` writes: maps, a poster, a sheet of views, a model and films, with progress."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from vlnscope.cli.shared.progress import progress
from vlnscope.core.files import write_text, write_whole

if TYPE_CHECKING:
    from PIL.Image import Image

    from vlnscope.worlds.houses.plan.plan import FloorPlan
    from vlnscope.worlds.scene import Scene


class WantedPictures(NamedTuple):
    """What to write of a house beside its maps and its poster.

    Attributes:
        paths: random paths to draw on the maps.
        seed: of these paths.
        viewpoints: rows of a sheet of plain views; 0 for no sheet.
        glb: a model with its light.
        film: a walk and a turn around the house.
    """

    paths: int = 0
    seed: int = 0
    viewpoints: int = 0
    glb: bool = False
    film: bool = False


def write_pictures(scene: Scene, out: Path, wanted: WantedPictures) -> list[Path]:
    """Write pictures of a house into a folder and return the files, maps first."""
    stem = str(out / scene.id)
    files = _maps(scene, stem, wanted)
    writers: list[tuple[bool, str, Callable[[Scene, Path], None]]] = [
        (True, "-poster.png", _poster),
        (wanted.viewpoints > 0, "-views.png", lambda scene, path: _views(scene, path, wanted.viewpoints)),
        (wanted.glb, ".glb", _model),
        (wanted.film, "-walk.webp", _walk),
        (wanted.film, "-turntable.webp", _turntable),
    ]
    for asked, ending, write in writers:
        if asked:
            files.append(Path(stem + ending))
            write(scene, files[-1])
    return files


def _maps(scene: Scene, stem: str, wanted: WantedPictures) -> list[Path]:
    from vlnscope.worlds.houses.contact_sheet import sample_paths
    from vlnscope.worlds.maps.floor_map import floor_maps

    plan: FloorPlan = scene.layer("plan")
    drawn = sample_paths(scene, wanted.paths, seed=wanted.seed)
    files = []
    for level, svg in floor_maps(plan, scene=scene, paths=drawn).items():
        files.append(Path(f"{stem}-floor-{level}.svg"))
        write_text(files[-1], svg)
    return files


def _poster(scene: Scene, path: Path) -> None:
    from vlnscope.worlds.houses.show.poster import PARTS, poster_parts, stacked
    from vlnscope.worlds.rendering.images import save_png

    save_png(stacked(list(progress(poster_parts(scene), PARTS, "poster"))), path)


def _views(scene: Scene, path: Path, viewpoints: int) -> None:
    from vlnscope.worlds.houses.contact_sheet import view_sheet
    from vlnscope.worlds.rendering.images import save_png

    save_png(view_sheet(scene, viewpoints=viewpoints), path)


def _model(scene: Scene, path: Path) -> None:
    from vlnscope.worlds.houses.show.model import write_lit_model

    write_lit_model(scene, path)


def _walk(scene: Scene, path: Path) -> None:
    from vlnscope.worlds.houses.show.film import walk_pictures, walk_through

    way = walk_through(scene)
    _film(walk_pictures(scene, way), len(way.headings), "walk", path)


def _turntable(scene: Scene, path: Path) -> None:
    from vlnscope.worlds.houses.show.film import TURN, turntable_pictures

    _film(turntable_pictures(scene, count=TURN), TURN, "turntable", path)


def _film(pictures: Iterator[Image], count: int, what: str, path: Path) -> None:
    from vlnscope.worlds.houses.show.film import webp_film

    with write_whole(path) as stream:
        stream.write(webp_film(progress(pictures, count, what)))
