"""Tours on maps: what is matched is what t-nDTW sums up, and maps show who walked where."""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping
from itertools import pairwise

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from made_up import dataset, street
from made_up import repeated as path
from vlnscope.benchmarks.kit.case_set import CaseSet
from vlnscope.benchmarks.kit.findings import Panel, Series
from vlnscope.benchmarks.tours.build.cases import build_cases
from vlnscope.benchmarks.tours.build.tours import build_tours
from vlnscope.benchmarks.tours.coverage.curves import tour_walks
from vlnscope.benchmarks.tours.maps.aligned import ranked_figure, telling_figure
from vlnscope.benchmarks.tours.maps.subtours import SubTour, subtours
from vlnscope.benchmarks.tours.maps.whole import tour_figure
from vlnscope.benchmarks.tours.score.cases import score_cases
from vlnscope.core.exceptions import InputError
from vlnscope.episodes.datasets.dataset import Dataset, open_dataset
from vlnscope.episodes.formats.evidence import EvidenceLine, TourPhases
from vlnscope.metrics.kernels.alignment import alignment
from vlnscope.metrics.kernels.loops import warping_costs
from vlnscope.worlds.maps.outline import floor_outline


def small() -> Dataset:
    """Four paths along a street of eight viewpoints, 4 m apart."""
    paths = [path(1, "abc", 1), path(2, "cde", 1), path(3, "efg", 1), path(4, "fed", 1)]
    return dataset([episode for group in paths for episode in group], street(*range(0, 32, 4)))


def walked(asked: CaseSet, paths: Mapping[str, Iterable[str]]) -> dict[str, EvidenceLine]:
    cases = {case.case_id: case for case in asked.cases}
    return {
        name: EvidenceLine(
            v=2,
            case_id=name,
            episode_id=cases[name].episode.episode_id,
            path=tuple(paths.get(name.partition("/")[2], cases[name].episode.path)),
            stopped=True,
            phases=TourPhases(tour.tour_id, place, oracle_goal=("d",)),
        )
        for tour in asked.tours or ()
        for place, name in enumerate(tour.case_ids)
    }


def found(
    paths: Mapping[str, Iterable[str]], profile: str = "default", variant: str = "kept"
) -> list[SubTour]:
    data = small()
    asked = build_cases(data)
    assert data.scenes is not None
    every = subtours(asked, walked(asked, paths), data.scenes, profile=profile)
    return [one for one in every if one.variant == variant]


@given(
    sizes=st.tuples(st.integers(1, 6), st.integers(1, 6)),
    seed=st.integers(0, 2**16),
    pins=st.tuples(st.booleans(), st.booleans()),
)
def test_matches_are_those_whose_distances_dtw_sums_up(
    sizes: tuple[int, int], seed: int, pins: tuple[bool, bool]
) -> None:
    costs = np.random.default_rng(seed).integers(0, 9, sizes).astype(np.float64)
    flags = [np.array([pin], dtype=np.uint8) for pin in pins]
    ends = np.array([0, costs.size], dtype=np.int64)
    (total,) = warping_costs(costs.ravel(), ends, np.array([sizes[1]], dtype=np.int64), *flags)
    pairs = alignment(costs, pin_first=pins[0], pin_last=pins[1])
    if math.isinf(total):
        assert pairs == []
        return
    assert sum(costs[pair] for pair in pairs) == total
    assert (pairs[0], pairs[-1]) == ((0, 0), (sizes[0] - 1, sizes[1] - 1))
    steps = {(b[0] - a[0], b[1] - a[1]) for a, b in pairwise(pairs)}
    assert steps <= {(0, 1), (1, 0), (1, 1)}


def test_pairs_of_episodes_score_as_tours_of_two() -> None:
    """The tour has two episodes here, so its own t-nDTW is that of the only pair."""
    data = dataset([*path(1, "abc", 1), *path(2, "cde", 1)], street(*range(0, 32, 4)))
    asked = build_cases(data)
    lines = walked(asked, {"1_0": "abcd"})
    assert data.scenes is not None
    for profile in ("default", "paper"):
        rows = score_cases(asked, lines, data.scenes, profile=profile)
        wanted = {row.episode_id: row.values["t-nDTW"] for row in rows if row.groups["level"] == "tour"}
        for one in subtours(asked, lines, data.scenes, profile=profile):
            assert one.score == pytest.approx(wanted[f"{one.variant}/{one.key[0]}"])
            metres = sum(4.0 * abs(ord(a) - ord(b)) for episode in one.matches for a, b in episode)
            points = sum(map(len, one.references))
            assert one.score == pytest.approx(math.exp(-metres / (3.0 * points)))


def test_the_oracle_leads_from_where_the_agent_stopped_to_the_next_start() -> None:
    first = found({})[0]
    assert first.led == (first.walked[0][-1], "d", first.walked[1][0])


def test_figure_3_shows_a_first_episode_that_went_wrong() -> None:
    data = small()
    assert data.scenes is not None
    pairs = found({"1_0": "aaa", "2_0": "cdd"})
    drawn = telling_figure("me", pairs, data.scenes, data="street")
    assert [panel.title[:3] for panel in drawn.panels] == ["(a)", "(b)", "(c)"]
    spoilt = max(pairs, key=lambda one: one.each[1] - one.each[0])
    assert drawn.panels[2].note.startswith(f"nDTW {100 * spoilt.each[0]:.0f} in episode 1")
    with pytest.raises(InputError, match="2 pairs"):
        telling_figure("me", pairs[:2], data.scenes, data="street")


def named(panel: Panel, name: str) -> Series:
    return next(series for series in panel.series if series.name == name)


def test_figure_6_ranks_walkers_of_the_same_references() -> None:
    data = small()
    assert data.scenes is not None
    good, bad = found({}), found({"1_0": "a", "2_0": "cba", "3_0": "e", "4_0": "fgh"})
    walkers = {("a", "kept"): bad, ("b", "kept"): good, ("b", "reset"): found({}, variant="reset")}
    drawn = ranked_figure(walkers, data.scenes, data="street", most=2)
    assert drawn.columns == 2  # to remember made no difference to b, which is shown once
    assert [panel.note for panel in drawn.panels] == ["b", "a", "b", "a"]
    for left, right in zip(drawn.panels[::2], drawn.panels[1::2], strict=True):
        assert int(left.title.split()[-1]) >= int(right.title.split()[-1])
        assert named(left, "target path") == named(right, "target path")
    with pytest.raises(InputError, match="0 pairs"):
        ranked_figure({("a", "kept"): bad, ("b", "kept"): []}, data.scenes, data="street")


def test_whole_tours_are_numbered_and_led_ways_dashed() -> None:
    data = small()
    assert data.scenes is not None
    (panel,) = tour_figure(tour_walks(build_tours(data)), data.scenes, data="street", most=3).panels
    episodes = [series for series in panel.series if series.role == "ordered"]
    assert [series.labels[0] for series in episodes] == ["1", "2", "3"]
    assert panel.note.startswith("3 of 4 episodes: 24 m, led ")
    for series, leg in zip(episodes, tour_walks(build_tours(data))[0].legs, strict=False):
        assert len([x for x in series.x if x is not None]) == len(leg.path)
    with pytest.raises(InputError, match="no tour"):
        tour_figure([], data.scenes, data="street")


def test_houses_have_walls_with_doors_and_scans_ground_around_their_graph() -> None:
    scenes = open_dataset("houses/val_unseen@1").scenes
    assert scenes is not None
    house = scenes.scene(scenes.scans()[0])
    plan = house.layer("plan")
    outline = floor_outline(house, plan.floors[0].level)
    assert len(outline.areas) == sum(room.floor == plan.floors[0].level for room in plan.rooms)
    doors = [one for one in plan.openings if one.kind == "door" and one.floor == plan.floors[0].level]
    ends = {point for line in outline.lines for point in (line[0], line[-1])}
    x, y = doors[0].centre
    half = doors[0].width / 2
    jambs = [(x - half, y), (x + half, y)] if doors[0].axis == "x" else [(x, y - half), (x, y + half)]
    assert all(min(math.dist(jamb, end) for end in ends) < 0.02 for jamb in jambs)
    bare = small()
    assert bare.scenes is not None
    graph = bare.scenes.scene(bare.scenes.scans()[0])
    assert len(floor_outline(graph, 0).lines) == len(graph.graph.edges)
