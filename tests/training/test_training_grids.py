"""Models that look at grid features learn from them, and are run with them."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest

torch = pytest.importorskip("torch", reason="needs torch (pip install 'vlnscope[learn]')")
h5py = pytest.importorskip("h5py", reason="needs h5py (pip install 'vlnscope[features]')")

from training_world import SIZES, WIDTH, made, write_data  # noqa: E402
from vlnscope.agents.learned.agent import LearnedAgent  # noqa: E402
from vlnscope.core.exceptions import InputError  # noqa: E402
from vlnscope.core.rng import rng_for  # noqa: E402
from vlnscope.training.experiment import DataConfig, Experiment, LearningConfig, ModelChoice  # noqa: E402
from vlnscope.training.loop import Trainer  # noqa: E402
from vlnscope.training.preparation import prepare  # noqa: E402
from vlnscope.training.ranks import Ranks  # noqa: E402

pytestmark = pytest.mark.usefixtures("one_thread_of_torch")

PATCH = 5
BEV = {
    **{name: SIZES[name] for name in ("hidden", "heads", "wide", "max_positions", "max_tokens", "max_steps")},
    **dict.fromkeys(("text_layers", "pano_layers", "cross_layers"), 1),
    "critic": 4, "grid_size": 9,
}  # fmt: skip


@pytest.fixture(scope="module")
def root(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("grids")
    data: Any = made()
    write_data(folder, data)
    (folder / "features").mkdir()
    files = {
        name: h5py.File(folder / "features" / f"{name}.hdf5", "w") for name in ("made", "patch", "depth_3x3")
    }
    for scan in data.scenes.scans():
        for viewpoint in data.scenes.scene(scan).graph.nodes:
            chance, key = rng_for(1, scan, viewpoint), f"{scan}_{viewpoint}"
            files["made"][key] = chance.normal(size=(36, WIDTH)).astype(np.float32)
            files["patch"][key] = chance.normal(size=(12, 9, PATCH)).astype(np.float16)
            files["depth_3x3"][key] = chance.uniform(0.05, 0.5, (12, 3, 3)).astype(np.float32)
    for file in files.values():
        file.close()
    return folder


def experiment(grid: str = "patch", model: str = "bevbert", **sizes: Any) -> Experiment:
    return Experiment(
        title="grids",
        data=DataConfig(train="r2r/train", validate="r2r/val_seen", features="made", grid=grid, mirror=True),
        model=ModelChoice(name=model, sizes={**(BEV if model == "bevbert" else {}), **sizes}, least=1),
        learning=LearningConfig(updates=2, batch=4, warmup=1, max_steps=6),
        choose="SPL",
        validate_every=2,
        save_every=2,
    )


def test_a_model_learns_from_a_grid(root: Path, tmp_path: Path) -> None:
    task = prepare(experiment(), root)
    assert task.config.patch_width == PATCH
    trainer = Trainer(task, tmp_path, Ranks())
    before = trainer.model.state_dict()["vln_bert.local_encoder.bev_fts_embeddings.0.weight"].clone()
    trainer.begin(resume=False)
    for _ in range(2):
        trainer.advance()
    after = trainer.model.state_dict()["vln_bert.local_encoder.bev_fts_embeddings.0.weight"]
    assert not torch.equal(before, after)
    agent = LearnedAgent.from_file(tmp_path / "best.pt")
    assert agent.needs == ("features:made", "grid:patch")
    assert agent.widths == {"features:made": WIDTH, "grid:patch": PATCH}


def test_grids_and_models_must_fit(root: Path) -> None:
    with pytest.raises(InputError, match="looks at grid features, and none are named"):
        prepare(experiment(grid=""), root)
    with pytest.raises(InputError, match="has no 'patch_size'"):
        prepare(experiment(model="envdrop"), root)
    with pytest.raises(InputError, match="patch_size in"):
        prepare(experiment(patch_size=3), root)
