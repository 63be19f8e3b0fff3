"""Tiny models, what they are shown, and models as their authors release them."""

from __future__ import annotations

import math
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from dataclasses import replace
from typing import Any
from unittest.mock import patch

import pytest

from vlnscope.core.rng import rng_for

torch = pytest.importorskip("torch", reason="needs torch (pip install 'vlnscope[learn]')")

from vlnscope.agents.learned.checkpoints import make_model  # noqa: E402
from vlnscope.agents.learned.inputs import NOTHING, VisualInput, look_at  # noqa: E402
from vlnscope.agents.learned.model import NavModel, model_class  # noqa: E402
from vlnscope.agents.learned.network import Network, class_named, network_classes  # noqa: E402
from vlnscope.agents.learned.public_checkpoints import official_weights  # noqa: E402

NAMES = ("clip_vil", "envdrop", "hamt", "rcm", "scout", "seq2seq", "speaker_follower", "tour_hamt", "vlnbert")
LEAPERS = ("duet", "scalevln")
WIDTH = 6
TINY: dict[str, Any] = {"vocabulary": 12, "image_size": WIDTH, "hidden": 16, "max_tokens": 9}
HAMT_TINY = {
    "heads": 2, "wide": 16, "max_positions": 9, "text_layers": 1, "cross_layers": 1, "max_steps": 9,
    "critic": 4,
}  # fmt: skip
DUET_TINY = {
    **HAMT_TINY, "pano_layers": 1, "alike_heads": 0, "feature_scale": 1.0, "panorama": True,
}  # fmt: skip
MORE: dict[str, dict[str, Any]] = {
    "duet": DUET_TINY, "scalevln": DUET_TINY, "hamt": HAMT_TINY, "tour_hamt": HAMT_TINY,
    "scout": {"word_size": 8, "alike_heads": 0, "feature_scale": 1.0},
    "speaker_follower": {"word_size": 8, "common": 6, "feature_scale": 1.0, "train_words": True},
    "vlnbert": {
        **{key: size for key, size in HAMT_TINY.items() if key != "max_steps"},
        "text_layers": 2, "cross_layers": 2, "alike_heads": 0, "feature_scale": 1.0,
    },
}  # fmt: skip


def tiny(name: str, *, seed: int = 0, **changes: Any) -> NavModel[Any]:
    sizes = {**TINY, **MORE.get(name, {}), **changes}
    model = make_model(name, model_class(name).Config.preset("small", **sizes), seed=seed)
    return livelier(model, seed)


def livelier(model: Any, seed: int, share: float = 0.3) -> Any:
    """Change fresh weights, so that what is seen and read shows."""
    with torch.no_grad():
        for weight in model.parameters():
            weight += share * torch.randn(weight.shape, generator=torch.Generator().manual_seed(seed))
    return model.double().eval()


def visuals(seed: int, rows: int, ways: int) -> VisualInput:
    """A made-up visual; rows have different numbers of candidates, all of them where views say."""
    chance = rng_for(seed, "sight")
    heading = chance.uniform(0, math.tau, (rows, ways))
    elevation = chance.uniform(-0.6, 0.6, (rows, ways))
    views = look_at(torch.tensor(heading), torch.tensor(elevation))
    counts = chance.integers(min(1, ways), ways + 1, rows)
    return VisualInput(
        torch.tensor(chance.normal(size=(rows, 36, WIDTH))),
        torch.tensor(chance.integers(0, 36, rows)),
        views,
        torch.tensor(heading),
        torch.tensor(elevation),
        torch.arange(ways) < torch.tensor(counts)[:, None],
        torch.full((rows,), NOTHING),
        torch.full((rows,), 100 * seed),
        100 * seed + 1 + torch.arange(ways).expand(rows, -1),
        torch.tensor(chance.uniform(1, 4, (rows, ways))),
    )


def texts(seed: int, rows: int) -> tuple[Any, Any]:
    chance = rng_for(seed, "texts")
    lengths = torch.tensor(chance.integers(1, 8, rows))
    mask = torch.arange(int(lengths.max())) < lengths[:, None]
    return torch.tensor(chance.integers(1, 12, tuple(mask.shape))) * mask, mask


def walk(model: NavModel[Any], seed: int, rows: int, steps: int) -> tuple[list[Any], Any]:
    state, logits = model.start(*texts(seed, rows)), []
    for step in range(steps):
        visual = visuals(seed + step, rows, 4)
        taken = torch.zeros(rows, dtype=torch.long) if step else visual.taken
        found, state = model.step(state, replace(visual, taken=taken))
        logits.append(found)
    return logits, state


@contextmanager
def idle_init() -> Iterator[None]:
    """Leave fresh weights as memory has them: to make them takes long, and on paper loads a compiler."""
    with ExitStack() as stack:
        for how in ("normal", "uniform", "kaiming_uniform", "kaiming_normal", "orthogonal"):
            stack.enter_context(patch(f"torch.nn.init.{how}_"))
        yield


def on_paper(name: str, preset: str = "full", **changes: Any) -> Any:
    """A model of full size that has shapes and no numbers."""
    kind = class_named(name, network_classes())
    with torch.device("meta"), idle_init():
        return kind(kind.Config.preset(preset, **changes))


def released(model: Network) -> dict[str, Any]:
    """Lay weights out as official code saves them."""
    return {
        part: {
            "epoch": 1,
            "state_dict": {f"module.{key}": tensor for key, tensor in official_weights(model, part).items()},
        }
        for part in model.parts()
    }
