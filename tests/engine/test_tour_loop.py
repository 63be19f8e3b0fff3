"""The loop of tours in continuous space against IVLN-CE's own environment."""

from __future__ import annotations

import json
import math
from pathlib import Path
from typing import Any

import pytest

from plane import Plane
from vlnscope.engine.tour_loop import TourEpisode, TourLoop
from vlnscope.types import Point
from vlnscope.worlds.continuous.motion import SpacePose

CASES = ("three_episodes", "new_tour", "no_goal_phase", "wall_failure")
ACTIONS = {0: "stop", 1: "forward", 2: "left", 3: "right"}


def pose(position: list[float], degrees: float) -> SpacePose:
    x, y, z = position
    return SpacePose((x, y, z), math.radians(degrees))


def loop_of(case: dict[str, Any]) -> TourLoop:
    settings = case["settings"]
    episodes = []
    for e in case["episodes"]:
        x, y, z = e["goal"]
        goal: Point = (x, y, z)
        episodes.append(TourEpisode(str(e["id"]), str(e["tour"]), pose(e["start"], e["yaw"]), goal))
    return TourLoop(
        Plane(settings["wall_x"]),
        episodes,
        max_steps=settings["max_steps"],
        oracle_limit=settings["step_limit"],
        oracle_phases=settings["oracle_phases"],
        goal_phase=settings["oracle_goal_phase"],
    )


def played(case: dict[str, Any]) -> tuple[list[Any], TourLoop]:
    """Play a case as the official trainer does: reset after every finished episode."""
    loop = loop_of(case)
    rows = []
    for _ in loop.episodes:
        before, step = "reset", loop.reset()
        script = [ACTIONS[code] for code in case["agent_script"][loop.episode.episode_id]]
        while True:
            rows.append((before, loop.episode.episode_id, loop.phase, step))
            if step.episode_done:
                break
            before = loop.phase
            step = loop.step(script.pop(0) if loop.phase == "agent" else "stop")
    return rows, loop


@pytest.mark.parametrize("name", CASES)
def test_every_value_is_that_of_the_official_environment(shared: Path, name: str) -> None:
    case = json.loads((shared / "fixtures/ce_tour_environment.json").read_text())["cases"][name]
    rows, loop = played(case)
    assert len(rows) == len(case["rows"])
    for (before, episode, phase, step), wanted in zip(rows, case["rows"], strict=True):
        flags = [None if v is None else int(v) for v in step[1:]]
        assert [before, episode, phase, *flags] == [*wanted[:3], *wanted[4:]]
        *position, yaw = wanted[3]
        assert step.shown.position == pytest.approx(position, abs=1e-3)
        assert math.remainder(math.degrees(step.shown.yaw) - yaw, 360) == pytest.approx(0, abs=1e-3)
    log = [
        [phase, episode, pytest.approx(position, abs=1e-3)] for phase, episode, position in case["dtw_data"]
    ]
    assert [[p, e, list(position)] for p, e, position in loop.log] == log


def line(step_limit: int) -> TourLoop:
    episodes = [
        TourEpisode("1", "t", pose([0, 0, 0], 0), (0.0, 0.0, -3.0)),
        TourEpisode("2", "t", pose([0, 0, -9], 0), (0.0, 0.0, -10.0)),
    ]
    return TourLoop(Plane(), episodes, oracle_limit=step_limit)


def test_a_phase_holds_one_step_more_than_its_limit_and_then_teleports_behind_a_stale_view() -> None:
    loop = line(4)
    loop.reset()
    step = loop.step("stop")
    led = 0
    while not step.episode_done:
        step, led = loop.step(""), led + 1
    assert led == 5
    assert loop.pose.position == (0.0, 0.0, -1.25)
    loop.reset()
    led = 0
    while loop.phase == "oracle_start":
        step, led = loop.step(""), led + 1
    assert led == 5
    assert step.shown.position == (0.0, 0.0, -2.5)
    assert loop.pose == pose([0, 0, -9], 0)
    assert step.produce_action


@pytest.mark.parametrize(("start", "here"), [(0, 180), (90, -90), (-30, 150), (-150, 30), (60, -120)])
def test_half_a_circle_is_turned_to_the_right_at_a_start(start: float, here: float) -> None:
    episodes = [
        TourEpisode("1", "t", pose([0, 0, 0], here), (0.0, 0.0, 0.0)),
        TourEpisode("2", "t", pose([0, 0, 0], start), (0.0, 0.0, -1.0)),
    ]
    loop = TourLoop(Plane(), episodes)
    loop.reset()
    loop.step("stop")
    loop.reset()
    turned = loop.step("").shown.yaw
    assert math.remainder(math.degrees(turned) - (here - 15), 360) == pytest.approx(0, abs=1e-6)


def test_running_out_of_actions_ends_the_agent_phase() -> None:
    loop = TourLoop(Plane(), [TourEpisode("1", "t", pose([0, 0, 0], 0), (0.0, 0.0, -3.0))], max_steps=3)
    loop.reset()
    assert [loop.step("left").agent_done for _ in range(3)] == [False, False, True]
    assert len(loop.log) == 3


def test_without_goal_phases_agents_are_led_from_where_they_stop_to_the_next_start() -> None:
    loop = line(1000)
    loop.goal_phase = False
    loop.reset()
    assert loop.step("stop").episode_done
    loop.reset()
    while loop.phase == "oracle_start":
        loop.step("")
    assert {entry.phase for entry in loop.log} == {"agent", "oracle_start"}
    assert loop.pose.position == pytest.approx((0.0, 0.0, -9.0), abs=0.25)


def test_without_oracles_agents_are_put_at_each_start() -> None:
    loop = line(1000)
    loop.oracle_phases = False
    loop.reset()
    assert loop.step("stop").episode_done
    step = loop.reset()
    assert (loop.pose, step.produce_action, step.tour_done) == (pose([0, 0, -9], 0), True, False)
