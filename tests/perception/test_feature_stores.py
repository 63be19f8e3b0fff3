"""Feature stores: made once, kept by content, found by name, resumed after an interruption."""

from __future__ import annotations

import json
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from commands import Cli
from made_up import seen_at
from vlnscope.core.exceptions import InputError, MissingLayerError, UnknownNameError
from vlnscope.engine.environment import Environment
from vlnscope.perception.features import store as feature_stores
from vlnscope.perception.features.files import features_of
from vlnscope.perception.features.minilm import WIDTH
from vlnscope.perception.features.store import build_store, open_store, store_spec
from vlnscope.perception.features.stores.captions_minilm import caption_inputs, view_mix
from vlnscope.types import Episode
from vlnscope.worlds.graph.navgraph import NavGraph
from vlnscope.worlds.graph.views import VIEW_HEADINGS
from vlnscope.worlds.scene import Scene

NAME = "captions-minilm"


class Counting:
    """Makes of a text its length and its hash-free rank of letters; counts what it was asked."""

    def __init__(self, breaks_at: int | None = None) -> None:
        self.asked: list[str] = []
        self.breaks_at = breaks_at

    def encode(self, inputs: Sequence[Any]) -> Any:
        if self.breaks_at is not None and len(self.asked) >= self.breaks_at:
            raise KeyboardInterrupt
        self.asked += inputs
        rows = np.zeros((len(inputs), WIDTH), dtype=np.float32)
        rows[:, 0] = [len(text) for text in inputs]
        rows[:, 1] = [sum(map(ord, text)) for text in inputs]
        return rows


def caption(scan: str, viewpoint: str, sector: int, level: str) -> str:
    return f"{level} of {sector}" if viewpoint == "v1" else f"{scan} {viewpoint} {level} {sector}"


def write_captions(root: Path, *, lines: int = 3, scans: Sequence[str] = ("one", "two")) -> Path:
    levels = ("down", "middle", "top")[:lines]
    told = {
        scan: {
            viewpoint: [
                "\n".join(f"{level}: {caption(scan, viewpoint, sector, level)}" for level in levels)
                for sector in range(8)
            ]
            for viewpoint in ("v1", "v2")
        }
        for scan in scans
    }
    (root / "navgpt_text").mkdir(parents=True, exist_ok=True)
    (root / "navgpt_text" / "observations_list_raw_captions.json").write_text(json.dumps(told))
    return root


@pytest.fixture
def root(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("VLNSCOPE_CACHE", str(tmp_path / "cache"))
    monkeypatch.setattr(feature_stores, "PART", 10)
    features_of.cache_clear()
    return write_captions(tmp_path / "data")


def test_every_caption_is_encoded_once_and_found_by_name(root: Path) -> None:
    encoder = Counting()
    building = build_store(store_spec(NAME), root, encoder)
    assert len(list(building.work)) == building.parts == 8
    assert len(encoder.asked) == len(set(encoder.asked)) == 24 * 3  # v1 reads alike in both scans
    features = features_of(f"features:{NAME}", root)
    rows = features.at("two", "v2")
    assert rows.shape == (36, WIDTH)
    assert features.width == WIDTH
    level, sector = 2, 4  # 180° is both a view and a heading of captions
    view = 12 * level + 6
    assert rows[view, 0] == len(caption("two", "v2", sector, "top"))
    assert rows[view, 1] == sum(map(ord, caption("two", "v2", sector, "top")))
    between = [sum(map(ord, caption("two", "v2", s, "middle"))) for s in (0, 1)]
    assert rows[13, 1] == pytest.approx(between[0] / 3 + between[1] * 2 / 3)
    assert not rows.flags.writeable


def test_an_agent_is_shown_them(root: Path) -> None:
    list(build_store(store_spec(NAME), root, Counting()).work)
    scene = Scene("one", NavGraph.build(["v1", "v2"], [[0, 0, 0], [1, 0, 0]], [("v1", "v2")]))

    class Scenes:
        def scans(self) -> tuple[str, ...]:
            return ("one",)

        def scene(self, scan: str) -> Scene:
            return scene

    environment = Environment(Scenes(), (f"features:{NAME}",), root)
    episode = Episode(episode_id="1_0", path_id="1", scan="one", instruction="go", path=("v1", "v2"))
    seen = seen_at(environment, episode, "v2").seen[f"features:{NAME}"]
    assert np.array_equal(seen, open_store(NAME, root).at("one", "v2"))


def test_what_an_interruption_left_is_not_made_again(root: Path) -> None:
    first, second = Counting(breaks_at=30), Counting()
    with pytest.raises(KeyboardInterrupt):
        list(build_store(store_spec(NAME), root, first).work)
    with pytest.raises(MissingLayerError, match="not to their end"):
        open_store(NAME, root)
    building = build_store(store_spec(NAME), root, second)
    assert building.parts == 5
    list(building.work)
    assert len(first.asked) == 30
    assert sorted(first.asked + second.asked) == sorted(caption_inputs(root).things)
    assert not (building.folder / "parts").exists()
    assert build_store(store_spec(NAME), root, Counting(breaks_at=0)).parts == 0


def test_other_captions_are_another_store(root: Path) -> None:
    list(build_store(store_spec(NAME), root, Counting()).work)
    write_captions(root, scans=("one",))
    with pytest.raises(MissingLayerError) as error:
        open_store(NAME, root)
    assert "vlnscope features build captions --root" in error.value.fix


def test_errors_say_what_to_do(root: Path, tmp_path: Path) -> None:
    with pytest.raises(MissingLayerError, match="no data folder"):
        open_store(NAME, None)
    with pytest.raises(UnknownNameError, match="captions-minilm"):
        store_spec("captions-minilmm")
    with pytest.raises(MissingLayerError, match="no such file"):
        open_store(NAME, tmp_path / "empty")
    with pytest.raises(InputError, match="2 captions at one heading"):
        caption_inputs(write_captions(tmp_path / "few", lines=2))
    list(build_store(store_spec(NAME), root, Counting()).work)
    with pytest.raises(InputError, match="no features of viewpoint v9 of scan one"):
        features_of(f"features:{NAME}", root).at("one", "v9")
    with pytest.raises(InputError, match="fewer than the width 999"):
        _ = features_of(f"features:{NAME}@999", root).width
    assert features_of(f"features:{NAME}@5", root).at("one", "v1").shape == (36, 5)


def test_views_are_mixed_of_the_two_headings_beside_them() -> None:
    mix = view_mix()
    assert np.allclose(mix.sum(1), 1)
    assert (mix >= 0).all()
    directions = np.repeat(np.exp(1j * np.radians(np.arange(8) * 45.0)), 3)
    seen = mix @ directions  # the mean direction of what is mixed is that of the view
    assert np.abs(np.angle(seen * np.exp(-1j * VIEW_HEADINGS))).max() < np.radians(3)
    levels = mix @ np.tile([0, 1, 2], 8)
    assert np.allclose(levels, np.repeat([0, 1, 2], 12))


def test_the_command_lists_and_refuses(root: Path, cli: Cli) -> None:
    listed = cli("features", "ls", "--root", root, "--json").data["features"]
    assert {row["name"]: row["made"] for row in listed} == {NAME: False, "houses-views": True}
    list(build_store(store_spec(NAME), root, Counting()).work)
    assert "yes" in cli("features", "ls", "--root", root).out
    assert cli("features", "build", "captions", "--root", root, "--json").data["parts"] == 0
    refused = cli("features", "build", "pictures", "--root", root)
    assert refused.code == 2
    assert "kind of features" in refused.err
    assert cli("features", "build", "captions").code == 2
    unused = cli("features", "build", "captions", "--root", root, "--data", "r2r/train")
    assert (unused.code, "--data" in unused.err) == (2, True)


def test_real_captions_are_three_at_each_heading(data_root: Path) -> None:
    found = caption_inputs(data_root)
    assert len(found.keys) == 10567
    assert found.parts.shape == (10567, 24)
    assert len(found.things) == 127372
