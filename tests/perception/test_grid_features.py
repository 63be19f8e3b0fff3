"""BevGrid features: patches of level views and their depths, from two HDF5 files."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest

h5py = pytest.importorskip("h5py", reason="needs h5py (pip install 'vlnscope[features]')")

from vlnscope.core.exceptions import InputError, MissingLayerError  # noqa: E402
from vlnscope.perception.features.grids import KEPT, PatchGrid, grid_features_of  # noqa: E402
from vlnscope.perception.features.house_grids import PIXELS, patch_depths  # noqa: E402
from vlnscope.perception.sight import decode_sight, encode_sight, sight  # noqa: E402
from vlnscope.worlds.graph.navgraph import NavGraph  # noqa: E402
from vlnscope.worlds.houses.splits import HouseScenes  # noqa: E402
from vlnscope.worlds.scene import Scene  # noqa: E402

SIDE, WIDTH = 3, 5


def grids(count: int = 2, kind: str = "f2") -> dict[str, PatchGrid]:
    chance = np.random.default_rng(count)
    return {
        f"s_v{i}": PatchGrid(
            chance.normal(size=(12, SIDE, SIDE, WIDTH)).astype(kind),
            chance.uniform(0, 1, (12, SIDE, SIDE)).astype("f4"),
        )
        for i in range(count)
    }


def written(root: Path, patches: dict[str, Any], depths: dict[str, Any], ending: str = "hdf5") -> Path:
    (root / "features").mkdir(exist_ok=True)
    path = root / "features" / f"clip.{ending}"
    for file, arrays in ((path, patches), (path.with_name(f"depth_{SIDE}x{SIDE}.{ending}"), depths)):
        with h5py.File(file, "w") as stream:
            for key, array in arrays.items():
                stream.create_dataset(key, data=array)
    return path


def laid(root: Path, made: dict[str, PatchGrid], *, flat: bool = True, ending: str = "hdf5") -> Path:
    shape = (12, SIDE * SIDE, WIDTH) if flat else (12, SIDE, SIDE, WIDTH)
    patches = {key: grid.patches.reshape(shape) for key, grid in made.items()}
    return written(root, patches, {key: grid.depths for key, grid in made.items()}, ending)


@pytest.mark.parametrize("ending", ["hdf5", "h5"])
@pytest.mark.parametrize(("flat", "kind"), [(True, "f2"), (False, "f4")])
def test_grids_are_read_as_written(tmp_path: Path, ending: str, flat: bool, kind: str) -> None:
    made = grids(kind=kind)
    path = laid(tmp_path, made, flat=flat, ending=ending)
    for need, root in (("grid:clip", tmp_path), (f"grid:x={path}", None)):
        found = grid_features_of(need, root)
        assert found.width == WIDTH
        for key, grid in reversed(made.items()):
            again = found.at(*key.split("_"))
            assert again.patches.dtype == np.dtype(kind)
            assert np.array_equal(again.patches, grid.patches)
            assert np.array_equal(again.depths, grid.depths)
            with pytest.raises(ValueError, match="read-only"):
                again.depths[0, 0, 0] = 1


def test_only_the_last_are_kept(tmp_path: Path) -> None:
    made = grids(KEPT + 1)
    laid(tmp_path, made)
    found = grid_features_of("grid:clip", tmp_path)
    first = found.at("s", "v0")
    assert found.at("s", "v0") is first
    for key in list(made)[1:]:
        found.at(*key.split("_"))
    assert found.at("s", "v0") is not first


def test_agents_see_them_here_and_elsewhere(tmp_path: Path) -> None:
    laid(tmp_path, made := grids())
    scene = Scene("s", NavGraph.build(["v0", "v1"], [[0, 0, 0], [0, 3, 0]], [("v0", "v1")]))
    seen = sight("grid:clip", scene, "v1", tmp_path)
    sent = decode_sight("grid:clip", encode_sight("grid:clip", seen))
    for grid in (seen, sent):
        assert isinstance(grid, PatchGrid)
        assert np.array_equal(grid.patches, made["s_v1"].patches)
        assert np.array_equal(grid.depths, made["s_v1"].depths)


def test_files_that_are_not_there_are_named(tmp_path: Path) -> None:
    with pytest.raises(MissingLayerError, match=r"features.clip\.hdf5"):
        grid_features_of("grid:clip", tmp_path)
    with pytest.raises(MissingLayerError, match="no data folder"):
        grid_features_of("grid:clip", None)
    with pytest.raises(InputError, match="cannot be understood"):
        grid_features_of("grid:", tmp_path)
    path = laid(tmp_path, grids())
    path.with_name(f"depth_{SIDE}x{SIDE}.hdf5").unlink()
    with pytest.raises(MissingLayerError, match=f"depth_{SIDE}x{SIDE}"):
        grid_features_of("grid:clip", tmp_path).at("s", "v0")


def test_what_is_no_grid_is_refused(tmp_path: Path) -> None:
    good = grids()["s_v0"]
    deep, flat = good.depths, good.patches.reshape(12, -1, WIDTH)
    for number, (patches, depths, message) in enumerate(
        (
            (flat[:11], deep, r"\(11, 9, 5\)"),
            (flat[:, :8], deep, r"\(12, 8, 5\)"),
            (flat, deep[:, :2], r"\(12, 2, 3\)"),
            (flat, deep * 10, "tens of metres"),
            (flat, deep * np.nan, "tens of metres"),
        )
    ):
        root = tmp_path / str(number)
        root.mkdir()
        written(root, {"s_v0": patches}, {"s_v0": depths})
        with pytest.raises(InputError, match=message):
            grid_features_of("grid:clip", root).at("s", "v0")
    written(tmp_path, {"s_v0": flat, "s_v1": flat[..., :4]}, {"s_v0": deep, "s_v1": deep})
    with pytest.raises(InputError, match="4 wide"):
        grid_features_of("grid:clip", tmp_path).at("s", "v1")
    with pytest.raises(InputError, match="nothing of viewpoint v2"):
        grid_features_of("grid:clip", tmp_path).at("s", "v2")


@pytest.mark.slow
def test_patches_of_houses_lie_where_their_surfaces_are() -> None:
    torch = pytest.importorskip("torch", reason="needs torch (pip install 'vlnscope[learn]')")
    from vlnscope.agents.learned.maps.bev_grid import lift

    scene = HouseScenes(["house-00005"]).scene("house-00005")
    source = grid_features_of("grid:houses-views", None)
    node = scene.graph.nodes[0]
    grid = source.of(scene, node)
    assert source.of(scene, node) is grid
    assert grid.patches.shape == (12, 7, 7, source.width)
    assert np.isfinite(grid.patches).all()
    assert (grid.patches[0] != grid.patches[6]).any()
    points, known = lift(torch.from_numpy(grid.depths.copy()))
    assert known.float().mean() > 0.9
    floor = -float(scene.heights[scene.graph.row(node)])
    heights = points[known][:, 2]
    assert heights.min() > floor - 0.3, "nothing lies below the floor"
    assert ((heights - floor).abs() < 0.3).float().mean() > 0.1, "some of what is seen is floor"
    plain = Scene("flat", NavGraph.build(["a"], [[0, 0, 1.5]], []))
    with pytest.raises(MissingLayerError, match="no house"):
        source.of(plain, "a")


def test_depths_of_patches_leave_out_the_sky() -> None:
    metres = np.full((1, 2 * PIXELS, 2 * PIXELS), 4.0, dtype=np.float32)
    metres[0, :PIXELS, :PIXELS] = np.inf
    metres[0, 0, PIXELS:] = np.inf
    metres[0, PIXELS:, :PIXELS] = 25.0
    assert patch_depths(metres)[0].tolist() == pytest.approx(np.array([[0.0, 0.4], [1.0, 0.4]]))
