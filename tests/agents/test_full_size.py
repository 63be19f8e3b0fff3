"""Models of full size, read from files as they are released, walk real episodes."""

from __future__ import annotations

import gzip
import json
import math
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np
import pytest

torch = pytest.importorskip("torch", reason="needs torch (pip install 'vlnscope[learn]')")
h5py = pytest.importorskip("h5py", reason="needs h5py (pip install 'vlnscope[features]')")

from commands import Cli, cli  # noqa: E402, F401
from tiny_models import released  # noqa: E402
from vlnscope.agents.learned.layouts import Layout  # noqa: E402
from vlnscope.agents.learned.model import NavModel, model_class, model_names  # noqa: E402
from vlnscope.agents.learned.public_checkpoints import recognise  # noqa: E402
from vlnscope.core.rng import rng_for  # noqa: E402

pytestmark = pytest.mark.slow

EPISODES = 10
STEPS = 4
PATCHES = 14
OTHERS = ("small", "rxr")  # those of RxR read tokens of another tokenizer
FULL = [
    pytest.param(name, preset, id=f"{name}-{preset}")
    for name in model_names()
    if model_class(name).layouts
    for preset in model_class(name).Config.PRESETS
    if preset not in OTHERS
]


def random_model(name: str, preset: str) -> NavModel[Any]:
    kind = model_class(name)
    torch.manual_seed(1)
    return kind(kind.Config.preset(preset)).eval()


def layout_of(model: NavModel[Any]) -> Layout:
    found = recognise([released(model)])
    assert found is not None
    return found.layout


def vocabulary(size: int, layout: Layout) -> str:
    """Words as a released file has them, one per line; Speaker-Follower's has no mark of the beginning."""
    marks = ["<PAD>", "<UNK>", "<EOS>", *(["<BOS>"] if layout.reads.begin else [])]
    return "\n".join([*marks, *(f"word{k}" for k in range(len(marks), size))])


@pytest.fixture(scope="module")
def records(data_root: Path) -> list[Any]:
    """Ten real paths of the building that has most of them, each with one instruction."""
    whole = json.loads(gzip.decompress((data_root / "r2r" / "R2R_val_unseen.json.gz").read_bytes()))
    scans = [record["scan"] for record in whole]
    chosen = [record for record in whole if record["scan"] == max(sorted(set(scans)), key=scans.count)]
    return [{**record, "instructions": record["instructions"][:1]} for record in chosen[:EPISODES]]


def viewpoints(data_root: Path, scan: str) -> list[str]:
    text = (data_root / "connectivity" / f"{scan}_connectivity.json").read_text()
    return [node["image_id"] for node in json.loads(text) if node["included"]]


def write_features(path: Path, keys: Sequence[str], shape: tuple[int, ...], *, share: float = 1.0) -> None:
    """Write made-up numbers between 0 and `share`, the same for each key but for where they begin."""
    numbers = rng_for(0, "features", path.name).random(math.prod(shape) + len(keys)) * share
    stored = numbers.astype(np.float16)
    with h5py.File(path, "w") as file:
        for k, key in enumerate(keys):
            file.create_dataset(key, data=stored[k : k + math.prod(shape)].reshape(shape))


@pytest.mark.parametrize(("name", "preset"), FULL)
def test_models_of_full_size_walk_ten_real_episodes(
    cli: Cli,  # noqa: F811
    data_root: Path,
    records: list[Any],
    tmp_path: Path,
    name: str,
    preset: str,
) -> None:
    model = random_model(name, preset)
    torch.save(released(model), checkpoint := tmp_path / "best_val_unseen")
    keys = [f"{scan}_{each}" for scan in {r["scan"] for r in records} for each in viewpoints(data_root, scan)]
    write_features(tmp_path / "views.hdf5", keys, (36, model.config.image_size))
    options = [f"learned:file={checkpoint}", f"features=views={tmp_path / 'views.hdf5'}", "device=cpu"]
    if width := model.config.patch_width:
        write_features(tmp_path / "patches.hdf5", keys, (12, PATCHES**2, width))
        depths = tmp_path / f"depth_{PATCHES}x{PATCHES}.hdf5"
        write_features(depths, keys, (12, PATCHES, PATCHES))
        options.append(f"grid=patches={tmp_path / 'patches.hdf5'}")
    if (layout := layout_of(model)).words == "words":
        words = tmp_path / "train_vocab.txt"
        words.write_text(vocabulary(model.config.vocabulary, layout))
        options.append(f"words={words}")
    (tmp_path / "ten.json").write_text(json.dumps(records))
    run = tmp_path / "run"
    done = cli(
        "run",
        ",".join(options),
        "--data",
        tmp_path / "ten.json",
        "--root",
        data_root,
        "--out",
        run,
        "--max-steps",
        STEPS,
    )
    assert done.code == 0, done.err
    record = json.loads((run / "run.json").read_text())
    assert (record["size"], record["failed"]) == (EPISODES, 0)
    lines = [json.loads(line) for line in (run / "evidence.jsonl").read_text().splitlines()]
    assert len(lines) == EPISODES
    starts = [record["path"][0] for record in records]
    assert sorted(line["path"][0] for line in lines) == sorted(starts)
