"""Shows one walk: maps, a poster and a film as files, and what became of it in words."""

from __future__ import annotations

import io
import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from PIL import Image

from vlnscope.core.exceptions import InputError
from vlnscope.core.files import check_folder, check_output, write_text, write_whole
from vlnscope.core.results import Block, Line, Result, notes
from vlnscope.episodes.datasets.dataset import Dataset, open_dataset
from vlnscope.evaluate.data_profile import profile_for
from vlnscope.evaluate.run_data import opened_for
from vlnscope.evaluate.score.score import score
from vlnscope.evaluate.show.found import REFERENCE, FoundWalk, find_walk
from vlnscope.evaluate.show.walk import drawn_walk
from vlnscope.evaluate.show.words import no_view, outcome, unmeasured
from vlnscope.metrics.profiles.profile import Profile
from vlnscope.reporting.walks.animation import encoded, film
from vlnscope.reporting.walks.frames import can_see
from vlnscope.reporting.walks.poster import WalkTexts, poster
from vlnscope.types import Episode, ScoreRow
from vlnscope.worlds.maps.walk_map import walk_maps
from vlnscope.worlds.maps.walks import MapWalk

KINDS = (".svg", ".png", ".gif", ".webp")
"""Endings of the files that a walk can be drawn into: maps, the poster, films."""
_WRITTEN = (".svg", ".png", ".gif")
_UNSAFE = re.compile(r"[^\w.-]")
_STEMS = {".svg": "map", ".png": "poster", ".gif": "walk", ".webp": "walk"}


@dataclass(frozen=True)
class WalkShow(Result):
    """What is told of a walk, and the files that show it.

    Attributes:
        episode: what was asked.
        data: name of the data set.
        agent: who walked; ``reference`` for the annotated walk.
        profile: whose conventions the numbers follow.
        walk: where it went.
        row: the metrics of the profile.
        texts: the same in words.
        files: what was written.
    """

    episode: Episode
    data: str
    agent: str
    profile: Profile
    walk: MapWalk
    row: ScoreRow
    texts: WalkTexts
    files: tuple[Path, ...]

    def to_dict(self) -> dict[str, Any]:
        """Return everything as plain data."""
        return {
            **self._about(),
            "instruction": self.episode.instruction,
            "outcome": self.texts.outcome,
            "metrics": dict(self.row.values),
            "undefined": dict(self.row.undefined),
            "notes": list(self.texts.notes),
            "files": [str(file) for file in self.files],
        }

    def records(self) -> Iterator[Mapping[str, Any]]:
        """Yield one row: whose walk it is, and its metrics."""
        yield {**self._about(), **self.row.values}

    def display(self) -> Iterator[Block]:
        """Yield the instruction, what became of the walk, and the files."""
        yield Line(self.texts.title, style="bold")
        yield Line(f"“{' '.join(self.episode.instruction.split())}”")
        yield Line(self.texts.outcome)
        yield from notes(self.texts.notes)
        yield from (Line(f"  {file}") for file in self.files)

    def _about(self) -> dict[str, Any]:
        return {
            "episode_id": self.episode.episode_id,
            "scan": self.episode.scan,
            "data": self.data,
            "agent": self.agent,
            "profile": self.profile.name,
            "actions": len(self.walk.positions) - 1,
            "metres": round(self.walk.length, 3),
            "collisions": len(self.walk.collisions),
            "stopped": self.walk.stopped,
        }


def show(
    episode: str,
    data: str | Path | Dataset | None = None,
    *,
    predictions: str | Path | None = None,
    out: str | Path | None = None,
    root: str | Path | None = None,
    profile: str | None = None,
) -> WalkShow:
    """Draw one walk, and say what became of it.

    Args:
        episode: its id.
        data: a data set such as ``houses-ce/val_unseen``, an episode file, or an opened data set; a run knows
            its own.
        predictions: the folder of a run, or a prediction file; the annotated walk is shown if not given.
        out: a folder for maps (SVG), poster (PNG) and film (GIF), or one file whose ending says what to draw;
            the folder ``walk-EPISODE`` if not given.
        root: folder of the data; ``$VLNSCOPE_DATA`` if not given.
        profile: whose conventions say what success is; ``vlnce`` in continuous space, else
            ``default``, which is the data set's own where it has one.

    Raises:
        InputError: there is no such episode or no walk of it, the data are not the run's, or the files
            cannot be written.
    """
    target = Path(out if out is not None else "walk-" + _UNSAFE.sub("_", episode))
    kinds = _kinds(target, is_folder=out is None)
    dataset = _dataset(data, predictions, root)
    chosen = profile_for(profile or ("vlnce" if dataset.continuous else "default"), dataset)
    found = find_walk(episode, dataset, predictions, root)
    walk = drawn_walk(found.scene, found.episode, found.prediction, radius=chosen.switches.radius)
    row = _measured(found, dataset, chosen)
    texts = _texts(found, dataset, walk, row, chosen)
    files = tuple(_write(found, walk, texts, target, kinds))
    return WalkShow(found.episode, dataset.name, found.agent, chosen, walk, row, texts, files)


def _kinds(target: Path, *, is_folder: bool) -> tuple[str, ...]:
    """Return what is to be drawn, and refuse what could not be written before any work is done."""
    if not is_folder and target.suffix in KINDS and not target.is_dir():
        check_output(target)
        return (target.suffix,)
    if not is_folder and target.suffix and not target.is_dir():
        raise InputError(
            f"{target}: a walk cannot be drawn as {target.suffix}",
            expected=f"a folder, or a file that ends in {', '.join(KINDS)}",
            fix=f"name it {target.stem}.png, or name a folder",
        )
    check_folder(target)
    return _WRITTEN


def _dataset(
    data: str | Path | Dataset | None, predictions: str | Path | None, root: str | Path | None
) -> Dataset:
    if predictions is not None:
        return opened_for(predictions, data, root)
    if data is None:
        raise InputError(
            "an episode of which data set?",
            expected="the data set that the episode is in, or a run, which knows its own",
            fix="add --data, for example --data houses-ce/val_unseen@1, or --run",
        )
    return data if isinstance(data, Dataset) else open_dataset(data, root)


def _measured(found: FoundWalk, dataset: Dataset, profile: Profile) -> ScoreRow:
    """Return the metrics of one walk: the data set is taken to have this episode only."""
    alone = replace(dataset, load=lambda on_problem: iter([found.episode]), prepare=None)
    return next(score([found.prediction], alone, profile=profile, partial=True).rows())


def _texts(found: FoundWalk, dataset: Dataset, walk: MapWalk, row: ScoreRow, profile: Profile) -> WalkTexts:
    whose = "annotated walk" if found.agent == REFERENCE else f"walk of {found.agent}"
    told = outcome(walk, row, profile, failed=found.prediction.extra.get("failed"))
    return WalkTexts(
        title=f"Episode {found.episode.episode_id} of {dataset.name}: {whose} in {found.episode.scan}",
        instruction=found.episode.instruction,
        outcome=told,
        succeeded=row.values["SR"] == 1.0 if "SR" in row.values else None,
        notes=tuple(filter(None, (unmeasured(row), "" if can_see(found.scene) else no_view(found.scene)))),
    )


def _write(
    found: FoundWalk, walk: MapWalk, texts: WalkTexts, target: Path, kinds: tuple[str, ...]
) -> Iterator[Path]:
    for kind in kinds:
        file = target if target.suffix == kind and len(kinds) == 1 else target / f"{_STEMS[kind]}{kind}"
        if kind == ".svg":
            yield from _write_maps(found, walk, file)
        elif kind == ".png":
            yield _write_bytes(file, _png(poster(found.scene, walk, texts)))
        else:
            yield _write_bytes(file, encoded(film(found.scene, walk), "gif" if kind == ".gif" else "webp"))


def _write_maps(found: FoundWalk, walk: MapWalk, file: Path) -> Iterator[Path]:
    """Write a map of each storey; where there are several, the names of the files say which."""
    title = f"{found.episode.episode_id}, {found.agent}, {found.scene.id}"
    sheets = walk_maps(found.scene, walk, title=title)
    for sheet in sheets:
        named = file if len(sheets) == 1 else file.with_name(f"{file.stem}-floor-{sheet.level}{file.suffix}")
        write_text(named, sheet.svg())
        yield named


def _png(picture: Image.Image) -> bytes:
    buffer = io.BytesIO()
    picture.save(buffer, "PNG", optimize=True)
    return buffer.getvalue()


def _write_bytes(file: Path, content: bytes) -> Path:
    with write_whole(file) as stream:
        stream.write(content)
    return file
