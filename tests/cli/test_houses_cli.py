"""`vlnscope houses` from end to end."""

from __future__ import annotations

from functools import partial
from pathlib import Path

import msgspec
import numpy as np
import pytest
from PIL import Image

from commands import Cli, Result
from small_house import small_plan
from vlnscope.worlds.houses.contact_sheet import sample_paths, telling_viewpoints
from vlnscope.worlds.houses.house import house_scene
from vlnscope.worlds.houses.plan.file import read_plan, write_plan
from vlnscope.worlds.houses.show import film
from vlnscope.worlds.houses.splits import HouseScenes, load_house
from vlnscope.worlds.matterport.scans import MatterportScenes
from vlnscope.worlds.rendering.glb import from_glb
from vlnscope.worlds.scene_stats import real_statistics

HOUSE = "house-00001"


@pytest.fixture(name="cli")
def houses_cli(cli: Cli) -> Cli:
    return partial(cli, "houses")


def refused(result: Result) -> str:
    assert result.code == 2
    assert result.out == ""
    assert "Traceback" not in result.err
    labels = [line.split()[0] for line in result.err.splitlines() if line.split()]
    assert labels[0] == "error"
    return result.err


def test_a_folder_of_generated_houses_is_a_data_folder(cli: Cli, tmp_path: Path) -> None:
    result = cli(
        "generate", "--split", "train", "--seed", 1, "--count", 1, "--glb", "--out", tmp_path, "--json"
    )
    assert result.code == 0
    (house,) = result.data["houses"]
    assert sorted(Path(path) for path in house["files"]) == sorted(
        p for p in tmp_path.rglob("*") if p.is_file()
    )
    scan = MatterportScenes(tmp_path).scene(HOUSE)
    made = HouseScenes([HOUSE]).scene(HOUSE)
    assert scan.graph.nodes == made.graph.nodes
    assert np.array_equal(scan.graph.positions, made.graph.positions)
    assert np.array_equal(scan.graph.edges, made.graph.edges)
    assert np.array_equal(scan.heights, made.heights)
    assert scan.regions.of == made.regions.of
    assert all(scan.regions.label(node) == made.regions.label(node) for node in scan.graph.nodes)
    assert read_plan(tmp_path / "plans" / f"{HOUSE}.json") == load_house(HOUSE)
    assert len(from_glb(tmp_path / "meshes" / f"{HOUSE}.glb")) == len(made.layer("mesh"))
    assert (house["viewpoints"], house["edges"]) == (len(made.graph.nodes), len(made.graph.edges))


@pytest.mark.slow
def test_workers_change_no_byte(cli: Cli, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PYTHONHASHSEED", "7")
    for workers in (1, 2):
        options = ("--split", "fresh", "--count", 2, "--workers", workers)
        assert cli("generate", *options, "--out", tmp_path / str(workers)).code == 0
    files = [
        {path.relative_to(folder): path.read_bytes() for path in folder.rglob("*") if path.is_file()}
        for folder in (tmp_path / "1", tmp_path / "2")
    ]
    assert len(files[0]) == 6
    assert files[0] == files[1]


def test_generate_prints_a_table_without_progress(cli: Cli, tmp_path: Path) -> None:
    result = cli("generate", "--split", "train", "--seed", 1, "--count", 1, "--out", tmp_path)
    assert HOUSE in result.out
    assert result.err == ""
    assert not (tmp_path / "meshes").exists()


def test_imported_plans_get_the_same_layers(cli: Cli, tmp_path: Path) -> None:
    plan = load_house(HOUSE)
    write_plan(tmp_path / "plan.json", plan)
    result = cli("import", tmp_path / "plan.json", "--out", tmp_path / "out", "--json")
    assert result.code == 0
    scan = MatterportScenes(tmp_path / "out").scene(HOUSE)
    assert scan.graph.digest == house_scene(plan).graph.digest
    assert scan.objects.at(scan.graph.nodes[0]) == house_scene(plan).objects.at(scan.graph.nodes[0])
    assert scan.has("mesh")
    assert np.isfinite(scan.graph.distances).all()


def test_empty_plans_can_be_furnished(cli: Cli, tmp_path: Path) -> None:
    empty = msgspec.structs.replace(load_house(HOUSE), items=(), id="mine")
    write_plan(tmp_path / "plan.json", empty)
    bare = cli("import", tmp_path / "plan.json", "--out", tmp_path / "bare", "--json").data
    full = cli("import", tmp_path / "plan.json", "--furnish", "--out", tmp_path / "full", "--json").data
    assert (bare["id"], bare["objects"]) == ("mine", 0)
    assert full["objects"] > 20
    again = tmp_path / "full" / "plans" / "mine.json"
    assert "already" in refused(cli("import", again, "--furnish", "--out", tmp_path / "no"))
    assert not (tmp_path / "no").exists()


def test_errors_in_plans_are_named_with_their_place(cli: Cli, tmp_path: Path) -> None:
    plan = load_house(HOUSE)
    shifted = msgspec.structs.replace(plan.openings[0], centre=(500.0, 500.0))
    bad = msgspec.structs.replace(plan, openings=(shifted, *plan.openings[1:]))
    path = tmp_path / "bad.json"
    write_plan(path, bad)
    said = refused(cli("import", path, "--out", tmp_path / "out"))
    assert str(path) in said.replace("\n", "")
    assert shifted.id in said
    (tmp_path / "text.json").write_text("not a plan")
    refused(cli("import", tmp_path / "text.json", "--out", tmp_path / "out"))
    refused(cli("import", tmp_path / "absent.json", "--out", tmp_path / "out"))
    assert not (tmp_path / "out").exists()


def test_show_draws_maps_a_poster_and_views(cli: Cli, tmp_path: Path) -> None:
    write_plan(tmp_path / "plan.json.gz", small_plan())
    result = cli(
        *(
            "show",
            tmp_path / "plan.json.gz",
            "--viewpoints",
            2,
            "--paths",
            1,
            "--out",
            tmp_path / "out",
            "--json",
        )
    )
    assert result.code == 0, result.err
    files = [Path(path) for path in result.data["files"]]
    assert [path.name for path in files] == ["flat-floor-0.svg", "flat-poster.png", "flat-views.png"]
    assert "path 1, " in files[0].read_text()
    for path, width in zip(files[1:], (2400, 4 * 320), strict=True):
        with Image.open(path) as sheet:
            assert sheet.width >= width
            assert len(sheet.getcolors(maxcolors=1 << 24) or ()) > 100
    with Image.open(files[-1]) as sheet:
        assert 2 * 240 < sheet.height < 3 * 240


def test_show_writes_a_model_and_films(cli: Cli, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(film, "TURN", 2)
    monkeypatch.setattr(film, "MOST_STEPS", 3)
    write_plan(tmp_path / "plan.json", small_plan())
    result = cli("show", tmp_path / "plan.json", "--glb", "--film", "--out", tmp_path / "out")
    assert result.code == 0, result.err
    names = [Path(line).name for line in result.out.splitlines()]
    assert names[2:] == ["flat.glb", "flat-walk.webp", "flat-turntable.webp"]
    assert all(Path(line).is_file() for line in result.out.splitlines())


def test_viewpoints_of_the_sheet_are_in_rooms_of_different_kinds() -> None:
    scene = house_scene(load_house(HOUSE))
    kinds = len({scene.regions.label(node) for node in scene.graph.nodes})
    chosen = telling_viewpoints(scene, kinds)
    assert len({scene.regions.label(node) for node in chosen}) == kinds
    everywhere = telling_viewpoints(scene, 10_000)
    rooms = {scene.regions.region(node) for node in scene.graph.nodes}
    assert len(everywhere) == len({scene.regions.region(node) for node in everywhere}) == len(rooms)


def test_sample_paths_follow_edges() -> None:
    graph = house_scene(load_house(HOUSE)).graph
    paths = sample_paths(house_scene(load_house(HOUSE)), 3)
    assert len(paths) == 3
    for path in paths:
        assert len(path.viewpoints) >= 5
        for a, b in zip(path.viewpoints, path.viewpoints[1:], strict=False):
            assert b in graph.neighbours(a)


def test_stats_stand_beside_the_real_ones(cli: Cli) -> None:
    result = cli("stats", "--count", 2, "--workers", 1, "--json")
    assert result.code == 0
    data = result.data
    assert data["ours"]["scenes"] == 2
    assert data["real"]["scenes"] == 90
    assert data["real"]["quartiles"]["degree"] == [3.0, 4.0, 5.0]
    for row in data["rows"]:
        assert row["holds"] == (row["low"] - 1e-9 <= row["ours"] <= row["high"] + 1e-9)
    table = cli("stats", "--count", 2, "--workers", 1)
    assert table.code == 0
    for row in data["rows"]:
        assert row["name"] in table.out


def test_real_graphs_give_the_table_of_the_package(data_root: Path) -> None:
    assert real_statistics(data_root) == real_statistics()


@pytest.mark.parametrize(
    "arguments",
    [
        ("generate", "--split", "test"),
        ("generate", "--split", "train", "--count", 50_000),
        ("show", "house-12"),
        ("show", "absent.json"),
    ],
)
def test_bad_requests_are_refused(cli: Cli, tmp_path: Path, arguments: tuple[object, ...]) -> None:
    refused(cli(*arguments, "--out", tmp_path / "out"))
    assert not (tmp_path / "out").exists()


@pytest.mark.parametrize("verb", ["generate", "import", "show", "stats"])
def test_help_has_examples(cli: Cli, verb: str) -> None:
    result = cli(verb, "--help")
    assert result.code == 0
    assert f"vlnscope houses {verb}" in result.out
