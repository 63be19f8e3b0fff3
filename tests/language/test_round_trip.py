"""Studies of grounding: instructions lead to their goals, for the right reason, by what they name."""

from __future__ import annotations

from dataclasses import replace
from functools import partial
from itertools import islice

import pytest

from counterfactual import counterfactual
from round_trip import SETTINGS, reworded, round_trip, tasks_of, walk_all, without
from vlnscope.core.exceptions import InputError
from vlnscope.episodes.datasets.dataset import Dataset
from vlnscope.episodes.datasets.house_paths import house_paths
from vlnscope.language.describe import Describer
from vlnscope.types import Episode
from vlnscope.worlds.houses.splits import HouseScenes

HOUSES = ("house-00007", "house-00005")
PATHS = 5


@pytest.fixture(scope="module")
def episodes() -> tuple[Episode, ...]:
    found = []
    scenes = HouseScenes(HOUSES)
    for seed, house in ((7, HOUSES[0]), (5, HOUSES[1])):
        scene = scenes.scene(house)
        for k, path in enumerate(islice(house_paths(scene, seed), PATHS)):
            said = Describer(scene, path.nodes, path.heading).describe("rxr")
            found.append(
                Episode(
                    episode_id=f"{seed}{k}_0",
                    path_id=f"{seed}{k}",
                    scan=house,
                    instruction=said.text,
                    path=path.nodes,
                    heading=path.heading,
                )
            )
    return tuple(found)


@pytest.fixture(scope="module")
def dataset(episodes: tuple[Episode, ...]) -> Dataset:
    return Dataset(
        name="small/test",
        split="test",
        format="",
        files=(),
        load=lambda _: iter(episodes),
        load_scenes=partial(HouseScenes, HOUSES),
    )


def test_instructions_lead_to_their_goals_and_others_do_not(dataset: Dataset) -> None:
    found = round_trip(dataset)
    success = {row["setting"]: row["metrics"]["SR"]["mean"] for row in found.rows()}
    assert tuple(success) == SETTINGS
    assert success["whole"] >= 75
    assert success["another path"] <= 50
    assert success["no landmarks"] < success["whole"]
    assert all(f"| {setting} | {2 * PATHS} |" in found.table() for setting in SETTINGS)


@pytest.mark.slow
def test_the_number_of_processes_changes_nothing(episodes: tuple[Episode, ...]) -> None:
    tasks = tasks_of(episodes[::PATHS], "whole")
    scenes = partial(HouseScenes, HOUSES)
    alone = walk_all(tasks, scenes, knowledge="in sight")
    assert walk_all(tasks, scenes, knowledge="in sight", workers=2) == alone
    assert [done.episode_id for done in alone] == [task.episode_id for task in tasks]


def test_words_are_taken_away_by_category() -> None:
    text = "Turn left at the red sofa and walk into the kitchen."
    assert "left" not in without(text, ("turning", "direction"))
    assert "sofa" in without(text, ("turning", "direction"))
    assert "sofa" not in without(text, ("landmark", "attribute"))
    assert "kitchen" not in without(text, ("region",))
    assert without(text, ()) == text


def test_another_path_is_of_the_same_scene_and_always_the_same(episodes: tuple[Episode, ...]) -> None:
    for episode in episodes:
        other = reworded(episode, episodes, "another path")
        assert other == reworded(episode, tuple(episodes), "another path")
        assert other != episode.instruction
        assert any(e.scan == episode.scan and e.instruction == other for e in episodes)
    alone = episodes[:1]
    assert reworded(alone[0], alone, "another path") == alone[0].instruction


def test_a_limit_takes_episodes_from_everywhere(dataset: Dataset) -> None:
    found = round_trip(dataset, settings=("whole",), limit=4)
    assert found.scores["whole"].n == 4
    assert set(found.scores["whole"].episodes.scans) == set(HOUSES)


def test_bad_settings_and_data_are_refused(dataset: Dataset) -> None:
    with pytest.raises(InputError, match="no verbs"):
        round_trip(dataset, settings=("no verbs",))  # type: ignore[arg-type]
    with pytest.raises(InputError, match="no navigation graphs"):
        round_trip(replace(dataset, load_scenes=None))


def test_what_is_named_matters_and_the_rest_does_not() -> None:
    found = counterfactual(HOUSES[:1], changes=("named objects", "other objects"), paths=6)
    shares = {row["change"]: row for row in found.rows()}
    assert set(shares) == {"named objects", "other objects"}
    assert shares["named objects"]["after"] < shares["named objects"]["before"]
    assert shares["other objects"]["after"] == shares["other objects"]["before"]
    assert "| named objects |" in found.table()
