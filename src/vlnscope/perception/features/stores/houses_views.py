"""``houses-views``: pictures of houses as numbers, by an encoder that comes with vlnscope.

Nothing has to be made before: a viewpoint is drawn and encoded when an agent first comes there (about 30 ms),
and kept in the cache folder under a key that depends on the plan of the house, on the code that draws it and
on the encoder's weights. Edited houses and houses of one's own have plans of their own, and so rows of their
own. Houses of ``fresh`` leave no trace.
"""

from __future__ import annotations

from collections import OrderedDict
from contextlib import suppress
from functools import cache, cached_property, lru_cache
from importlib import resources
from pathlib import Path
from typing import Any

import numpy as np

from vlnscope.core.cache_key import PACKAGE, cache_key
from vlnscope.core.exceptions import InputError, MissingLayerError, MissingPackageError
from vlnscope.core.files import cache_dir, digest, file_digest
from vlnscope.perception.features.files import Features, Rows, save_array
from vlnscope.perception.features.house_views import HEIGHT, VFOV, WIDTH, draw
from vlnscope.perception.features.store import LiveStore, register_store
from vlnscope.worlds.graph.views import VIEWS
from vlnscope.worlds.houses.house import house_scene
from vlnscope.worlds.houses.plan.file import encode_plan
from vlnscope.worlds.houses.plan.plan import FloorPlan
from vlnscope.worlds.houses.splits import SPLITS, is_house, load_house, split_of
from vlnscope.worlds.houses.version import houses_key
from vlnscope.worlds.scene import Scene

NAME = "houses-views"
COLUMNS = 128
VERSION = 3
"""Version of the rows, raised with every change of how a house of the same version is drawn."""
KEPT_HOUSES = 8
"""Houses whose meshes are kept ready to be drawn."""
KEPT_PLANS = 64


def encoder_file() -> Path:
    """Return the weights that come with vlnscope."""
    return Path(str(resources.files("vlnscope.perception.features") / "weights" / "house_views.npz"))


class HouseFeatures(Features):
    """The rows of any house, made when they are asked for.

    Args:
        width: D, to take the first columns only.
        file: weights of the encoder; those that come with vlnscope if None.
    """

    def __init__(self, width: int | None = None, file: Path | None = None) -> None:
        super().__init__(file or encoder_file(), width)
        self._plans: OrderedDict[str, tuple[FloorPlan, str]] = OrderedDict()
        self._scenes: OrderedDict[str, Scene] = OrderedDict()

    def of(self, scene: Scene, viewpoint: str) -> Rows:
        """Return the rows of a viewpoint of a house, whatever it is called.

        Raises:
            MissingLayerError: the scene is no house.
        """
        if "plan" not in scene.loaders:
            raise _no_house(scene.id)
        key = f"{scene.id} {_content_of(scene)}"
        self._note(key, scene.layer("plan"), _content_of(scene))
        return self.at(key, viewpoint)

    def _read(self, scan: str, viewpoint: str) -> Rows | None:
        plan, content = self._plan(scan)
        kept = self._folder / content / f"{viewpoint}.npy"
        if (stored := _kept(kept)) is not None:
            return stored
        scene = self._scene(plan, content)
        if viewpoint not in scene.graph.index:
            return None
        rows = self._encoded(scene, viewpoint)
        if not is_house(plan.id) or SPLITS[split_of(plan.id)].cached:
            with suppress(InputError):  # a cache that cannot be written to is done without
                save_array(kept, rows)
        return rows.astype(np.float32)

    def _first(self) -> Rows:
        return np.zeros((VIEWS, COLUMNS), dtype=np.float32)

    def _plan(self, scan: str) -> tuple[FloorPlan, str]:
        if scan not in self._plans:
            if not is_house(scan):
                raise _no_house(scan)
            plan = load_house(scan)
            self._note(scan, plan, _content(plan))
        return self._plans[scan]

    def _note(self, key: str, plan: FloorPlan, content: str) -> None:
        if key not in self._plans:
            self._plans[key] = plan, content
            if len(self._plans) > KEPT_PLANS:
                self._plans.popitem(last=False)

    def _scene(self, plan: FloorPlan, content: str) -> Scene:
        """Return a house of our own, so that not every scene of a data set keeps a mesh."""
        if content not in self._scenes:
            self._scenes[content] = house_scene(plan)
            if len(self._scenes) > KEPT_HOUSES:
                self._scenes.popitem(last=False)
        self._scenes.move_to_end(content)
        return self._scenes[content]

    def _encoded(self, scene: Scene, viewpoint: str) -> np.ndarray[Any, np.dtype[np.float16]]:
        from vlnscope.perception.features.house_tower import encode

        return encode(self._tower, draw(scene, viewpoint).rgb).astype(np.float16)

    @cached_property
    def _tower(self) -> Any:
        try:
            import torch as torch
        except ImportError:
            raise MissingPackageError("torch", "learn", f"the features {NAME!r} need") from None
        from vlnscope.perception.features.house_tower import load_tower

        return load_tower(self.path)

    @cached_property
    def _folder(self) -> Path:
        """Where rows are kept; another for other weights, and for code that draws otherwise."""
        size = f"{VERSION} {WIDTH} {HEIGHT} {VFOV}"
        key = digest(size.encode(), file_digest(self.path).encode(), _drawing_key().encode())
        return cache_dir() / "features" / f"{NAME}-{key}"


def _kept(path: Path) -> Rows | None:
    """Return rows from the cache; None if they are not there, or damaged."""
    if path.is_file():
        with suppress(ValueError, OSError, EOFError):
            return np.asarray(np.load(path), dtype=np.float32)
    return None


def _content(plan: FloorPlan) -> str:
    return digest(encode_plan(plan))


@lru_cache(maxsize=KEPT_PLANS)
def _content_of(scene: Scene) -> str:
    return _content(scene.layer("plan"))


@cache
def _drawing_key() -> str:
    """Return what decides how a plan looks: the version of the houses, and the code that draws them."""
    sources = sorted((PACKAGE / "worlds" / "rendering").rglob("*.py"))
    return f"{houses_key()}-{cache_key(VERSION, libraries=('embreex',), sources=sources)}"


def _no_house(scan: str) -> MissingLayerError:
    return MissingLayerError(
        f"scene {scan} has no features {NAME!r}, since it is no house",
        expected="a generated house, or one that was imported from a plan",
        fix="name a data set such as houses/val_unseen, or features that cover this scene",
    )


register_store(
    LiveStore(
        name=NAME,
        summary="pictures of houses, by an encoder that comes with vlnscope",
        command="houses",
        width=COLUMNS,
        open=HouseFeatures,
    )
)
