"""``captions-minilm``: what is written about each direction of the real viewpoints, as sentence embeddings.

A viewpoint has 24 captions, for eight headings 45° apart and three heights. An agent gets 36 rows, one per
view of MatterSim: level by level, each a mix of the captions of the two headings that it lies between (view
30° is a third of heading 0° and two thirds of heading 45°).
"""

from __future__ import annotations

import math
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from vlnscope.core.exceptions import InputError
from vlnscope.core.files import file_digest
from vlnscope.perception.features.minilm import MINILM, WIDTH, MiniLm
from vlnscope.perception.features.store import Inputs, StoreSpec, register_store
from vlnscope.perception.sights.captions import CaptionFile
from vlnscope.worlds.graph.views import HEADINGS, LEVELS, VIEWS
from vlnscope.worlds.objects import SECTORS


def view_mix() -> NDArray[np.float32]:
    """(36, 24): how views are mixed of captions; the captions of a heading lie together, the lowest first.

    Example:
        >>> mix = view_mix()
        >>> mix[0, 0], mix[12, 1], mix[1, [0, 3]].round(3).tolist()
        (np.float32(1.0), np.float32(1.0), [0.3330000042915344, 0.6669999957084656])
    """
    mix = np.zeros((VIEWS, SECTORS * LEVELS), dtype=np.float32)
    for view in range(VIEWS):
        level, sector = view // HEADINGS, view % HEADINGS * SECTORS / HEADINGS
        before = math.floor(sector)
        mix[view, before * LEVELS + level] = 1 - (sector - before)
        mix[view, (before + 1) % SECTORS * LEVELS + level] += sector - before
    return mix


def caption_inputs(root: Path) -> Inputs:
    """Read all captions of a data folder; each text once, short ones first.

    Raises:
        MissingLayerError: the folder has none.
        InputError: a heading has not three of them.
    """
    file = CaptionFile(root)
    keys: list[tuple[str, str]] = []
    texts: list[str] = []
    for scan in file.scans():
        captions = file.scan(scan)
        for viewpoint in captions.viewpoints():
            keys.append((scan, viewpoint))
            for text in captions.at(viewpoint):
                texts += _three(text, scan, viewpoint)
    if not keys:
        raise InputError(
            f"{file.path}: holds no captions",
            expected="captions of at least one viewpoint",
            fix="copy the raw captions of the NavGPT release again",
        )
    things = sorted(set(texts), key=lambda text: (len(text), text))
    number = {text: row for row, text in enumerate(things)}
    index = np.array([number[text] for text in texts], dtype=np.int64)
    return Inputs(keys, things, index.reshape(len(keys), SECTORS * LEVELS))


def _three(text: str, scan: str, viewpoint: str) -> list[str]:
    lines = [line.strip() for line in text.split("\n")]
    if len(lines) != LEVELS:
        raise InputError(
            f"viewpoint {viewpoint} of scan {scan} has {len(lines)} captions at one heading",
            expected="three: down, level and up, a line each",
            fix="use the raw captions of the NavGPT release",
        )
    return lines


register_store(
    StoreSpec(
        name="captions-minilm",
        summary="MiniLM sentence embeddings of the NavGPT captions of real viewpoints",
        command="captions",
        encoder_id=MINILM,
        width=WIDTH,
        views=view_mix(),
        fingerprint=lambda root: file_digest(CaptionFile(root).path),
        inputs=caption_inputs,
        encoder=MiniLm,
    )
)
