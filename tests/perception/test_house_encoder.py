"""The house encoder: what pictures are told to show, how it learns, and features made with it."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from vlnscope.core.exceptions import InputError, MissingLayerError
from vlnscope.perception.features.files import features_of
from vlnscope.perception.features.house_views import HEIGHT, WIDTH, PhraseBook, draw
from vlnscope.perception.features.stores.houses_views import HouseFeatures
from vlnscope.worlds.graph.navgraph import NavGraph
from vlnscope.worlds.houses.edit.apply import edit
from vlnscope.worlds.houses.edit.edits import RemoveItem
from vlnscope.worlds.houses.house import house_scene
from vlnscope.worlds.houses.splits import HouseScenes
from vlnscope.worlds.rooms import ROOM_NAMES
from vlnscope.worlds.scene import Scene

torch = pytest.importorskip("torch", reason="needs torch (pip install 'vlnscope[learn]')")

from vlnscope.perception.features.house_tower import ImageTower, encode, load_tower  # noqa: E402
from vlnscope.perception.networks import save_weights  # noqa: E402
from vlnscope.training.encoder import report as house_encoder_report  # noqa: E402
from vlnscope.training.encoder.house_encoder import EncoderExperiment, read_encoder_experiment, train_encoder  # noqa: E402
from vlnscope.training.encoder.pictures import ROOMS, Pictures, phrase_list, take_pictures  # noqa: E402
from vlnscope.training.encoder.report import report, retrieval, room_probe  # noqa: E402

HOUSE = "house-00005"
BUILDING = {
    *(
        "beam",
        "ceiling",
        "cornice",
        "door",
        "floor",
        "panelling",
        "railing",
        "stairs",
        "tiles",
        "wall",
        "window",
    )
}
"""What belongs to the house and is no object in sight."""
TINY = EncoderExperiment(
    houses="train@1+5", held="train@1+5", viewpoints=10, views=4, least=3, updates=6, batch=16, warmup=2
)


@pytest.fixture(scope="module")
def scene() -> Scene:
    return HouseScenes([HOUSE]).scene(HOUSE)


@pytest.fixture(scope="module")
def pictures() -> Pictures:
    return take_pictures([HOUSE], viewpoints=10, views=4, seed=0)


@pytest.fixture(scope="module")
def tower_file(tmp_path_factory: pytest.TempPathFactory) -> Path:
    torch.manual_seed(1)
    path = tmp_path_factory.mktemp("tower") / "tower.npz"
    save_weights(path, ImageTower())
    return path


def test_pictures_are_those_that_users_see(scene: Scene) -> None:
    node = scene.graph.nodes[4]
    position = scene.graph.positions[scene.graph.row(node)]
    shown = scene.layer("renderer").panorama(position, width=WIDTH, height=HEIGHT, supersample=2)
    assert (draw(scene, node).rgb == shown.rgb).all()
    assert (draw(scene, node, [3, 20]).rgb == shown.rgb[[3, 20]]).all()


def test_phrases_name_the_room_one_stands_in_and_what_can_be_seen(scene: Scene) -> None:
    """Phrases and the houses' own lists of objects in sight are found in different ways."""
    book = PhraseBook(scene)
    agree = total = 0
    for node in scene.graph.nodes[::16]:
        told = book.tell(node, draw(scene, node), range(36))
        assert ROOM_NAMES[scene.regions.label(node) or "-"][0] in set().union(*told)
        names = {it.name for it in scene.objects.at(node)}
        said = {phrase for each in told for phrase, weight in each.items() if weight > 0.2} & set(
            scene.layer("mesh").classes
        )
        said -= BUILDING
        agree, total = agree + len(said & names), total + len(said)
    assert total > 10
    assert agree == total


def test_removed_thing_is_no_longer_told(scene: Scene) -> None:
    plan = scene.layer("plan")
    item = next(
        it for it in plan.items if it.name in ("sofa", "bed") and not any(o.on == it.id for o in plan.items)
    )
    node = next(n for n in scene.graph.nodes if any(o.object_id == item.id for o in scene.objects.at(n)))
    phrase = f"{item.colour} {item.name}"
    alike = [it for it in plan.items if (it.name, it.colour) == (item.name, item.colour)]
    before = PhraseBook(scene).tell(node, draw(scene, node), range(36))
    changed = house_scene(edit(plan, *(RemoveItem(it.id) for it in alike)))
    after = PhraseBook(changed).tell(node, draw(changed, node), range(36))
    assert any(phrase in each for each in before)
    assert not any(phrase in each for each in after)


def test_loss_falls_and_the_same_seed_gives_the_same_weights(pictures: Pictures) -> None:
    first, second = (train_encoder(TINY, pictures) for _ in range(2))
    start = train_encoder(EncoderExperiment(**{**_plain(TINY), "updates": 1}), pictures).curve[0]["loss"]
    assert first.curve[-1]["loss"] < 0.9 * start
    for name, tensor in first.towers.state_dict().items():
        assert torch.equal(tensor, second.towers.state_dict()[name]), name


def _plain(experiment: EncoderExperiment) -> dict[str, object]:
    return {name: getattr(experiment, name) for name in experiment.__struct_fields__}


def test_report_is_of_the_file_that_was_written(
    pictures: Pictures, tower_file: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    asked: list[str] = []
    monkeypatch.setattr(
        house_encoder_report, "pictures_of", lambda experiment, houses: (asked.append(houses), pictures)[1]
    )
    trained = train_encoder(EncoderExperiment(**{**_plain(TINY), "updates": 2}), pictures)
    told = report(TINY, trained, load_tower(tower_file), pictures, "digest")
    assert asked == [TINY.held]
    assert told.pictures == told.held == len(pictures.told)
    assert told.chance == 1 / told.batch
    assert 0 <= told.retrieval <= 1
    assert told.room >= told.room_by_frequency


def test_retrieval_and_probe_know_right_from_wrong() -> None:
    class Same(torch.nn.Module):
        def forward(self, weights: torch.Tensor) -> torch.Tensor:
            return weights

    rows = torch.nn.functional.normalize(
        torch.randn(64, 16, generator=torch.Generator().manual_seed(0)), dim=1
    )
    assert retrieval(rows, Same(), rows, 32, 0) == 1.0
    assert retrieval(rows, Same(), rows.roll(1, 0), 32, 0) < 0.2
    rooms = torch.arange(64) % 4
    known = torch.nn.functional.one_hot(rooms, 4).float()
    right, usual = room_probe(known, rooms, known, rooms)
    assert (right, usual) == (1.0, 0.25)


def test_room_of_a_picture_is_the_one_with_most_of_it() -> None:
    told = [{"kitchen": 0.4, "hallway": 0.6}, {"sofa": 0.9}]
    found = Pictures(torch.zeros(2, 1, 1, 3), told).rooms().tolist()
    assert found == [ROOMS.index("hallway"), -1]
    assert phrase_list(told + told[:1], 2) == ("hallway", "kitchen")


def test_tower_in_a_file(tower_file: Path, tmp_path: Path) -> None:
    tower = load_tower(tower_file)
    again = tmp_path / "again.npz"
    save_weights(again, tower)
    assert again.read_bytes() == tower_file.read_bytes()
    rgb = np.random.default_rng(0).integers(0, 256, (36, HEIGHT, WIDTH, 3), dtype=np.uint8)
    rows = encode(tower, rgb)
    assert rows.shape == (36, 128)
    assert np.allclose((rows**2).sum(1), 1, atol=1e-5)
    (tmp_path / "bad.npz").write_bytes(tower_file.read_bytes()[:1000])
    with pytest.raises(InputError, match="as a house encoder"):
        load_tower(tmp_path / "bad.npz")


def test_features_are_kept_and_belong_to_the_plan(scene: Scene, tower_file: Path) -> None:
    features, node = HouseFeatures(file=tower_file), scene.graph.nodes[0]
    rows = features.of(scene, node)
    assert rows.shape == (36, 128)
    assert (features.at(HOUSE, node) == rows).all()
    fresh = HouseFeatures(file=tower_file)
    fresh.__dict__["_tower"] = None  # what is kept needs no encoder
    assert (fresh.of(scene, node) == rows).all()
    for path in features._folder.rglob(f"{node}.npy"):
        path.write_bytes(b"damaged")
    assert (HouseFeatures(file=tower_file).of(scene, node) == rows).all()
    plan = scene.layer("plan")
    near = next(it for it in scene.objects.at(node) if it.object_id in {i.id for i in plan.items})
    changed = house_scene(edit(plan, RemoveItem(near.object_id or "")))
    assert (features.of(changed, node) != rows).any()


def test_other_scenes_have_none(tower_file: Path) -> None:
    features = HouseFeatures(file=tower_file)
    with pytest.raises(MissingLayerError, match="no house"):
        features.of(Scene("flat", NavGraph.build(["a"], [[0, 0, 1.5]], [])), "a")
    with pytest.raises(MissingLayerError, match="no house"):
        features.at("zsNo4HB9uLZ", "a")
    with pytest.raises(InputError, match="no features of viewpoint"):
        features.at(HOUSE, "nowhere")


def test_store_is_known_by_name_without_a_data_folder() -> None:
    assert isinstance(features_of("features:houses-views", None), HouseFeatures)
    assert features_of("features:houses-views@64", None).width == 64


def test_bad_settings_are_told() -> None:
    assert read_encoder_experiment(["updates=3"]).updates == 3
    for change, match in (
        ("updates=0", "updates"),
        ("batch=1", "batch"),
        ("rate=0.0", "rate"),
        ("decay=nan", "decay"),
        ("speed=1", "speed"),
        ("x", "cannot"),
    ):
        with pytest.raises(InputError, match=match):
            read_encoder_experiment([change])
    with pytest.raises(InputError, match="fewer than a batch"):
        train_encoder(TINY, Pictures(torch.zeros(2, 36, 48, 3, dtype=torch.uint8), [{}, {}]))
