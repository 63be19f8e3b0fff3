"""What a loop through `vlnscope.habitat` costs, and whether it measures what `vlnscope score` does.

    python perf/habitat_loop.py [--data NAME] [--episodes N]

Habitat's follower walks each episode in a loop with Habitat's calls, once without cameras and once with
VLN-CE's two (224² RGB, 256² depth). Beside it, the same pictures at the same poses from the renderer alone,
and `vlnscope run shortest` without cameras. Processor time of one thread; pictures of a few episodes only.
"""

from __future__ import annotations

import argparse
import os
import tempfile
import time
from collections.abc import Callable
from typing import Any

os.environ |= {"OMP_NUM_THREADS": "1", "NUMBA_NUM_THREADS": "1"}

import vlnscope as vs
import vlnscope.habitat as habitat
from vlnscope.habitat.cameras import drawn
from vlnscope.habitat.config.settings import settings_of
from vlnscope.habitat.follower import ShortestPathFollower
from vlnscope.worlds.continuous.motion import SpacePose

RADIUS, WITH_PICTURES = 0.25, 12
METRICS = {
    "distance_to_goal": "NE",
    "success": "SR",
    "oracle_success": "OSR",
    "spl": "SPL",
    "ndtw": "nDTW",
    "sdtw": "sDTW",
    "path_length": "TL",
    "steps_taken": "steps",
    "collisions": "collisions",
}
Found = dict[str, dict[str, Any]]


def config_for(data: str, cameras: bool) -> habitat.Config:
    """VLN-CE's settings, with its cameras or with none."""
    config = habitat.get_config("vlnce", [f"habitat.dataset.data_path={data}"])
    with habitat.config.read_write(config):
        if not cameras:
            config.habitat.simulator.agents.main_agent.sim_sensors.clear()
    return config


def walk(env: habitat.Env, count: int) -> tuple[Found, list[SpacePose]]:
    """Let the follower walk the first episodes; return the metrics of each, and all poses."""
    metrics, poses = {}, []
    for episode in env.episodes[:count]:
        env.current_episode = episode
        env.reset()
        follower = ShortestPathFollower(env.sim, RADIUS, return_one_hot=False)
        while not env.episode_over:
            env.step(int(follower.get_next_action(episode.goals[0].position)))
            poses.append(env.sim.pose)
        metrics[episode.episode_id] = env.get_metrics()
    return metrics, poses


def seconds(work: Callable[[], object]) -> float:
    """Processor time of a piece of work."""
    begun = time.process_time()
    work()
    return time.process_time() - begun


def value(measured: Any) -> float:
    """The number of a measure; collisions have it beside another."""
    return float(measured["count"] if isinstance(measured, dict) else measured)


def compare(found: Found, rows: Found) -> None:
    """Print how far metrics of the loop are from the scores of the run, at most."""
    assert found.keys() == rows.keys()
    for name, own in METRICS.items():
        apart = max(abs(value(found[episode][name]) - rows[episode][own]) for episode in found)
        print(f"  {name:18} differs from {own:6} by at most {apart:.1e}")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--data", default="houses-ce/val_unseen@1")
    parser.add_argument("--episodes", type=int, default=180)
    options = parser.parse_args()

    blind = habitat.Env(config_for(options.data, cameras=False))
    walk(blind, 1)  # opens the scene, compiles
    found: Found = {}
    poses: list[SpacePose] = []

    def go() -> None:
        metrics, walked = walk(blind, options.episodes)
        found.update(metrics)
        poses.extend(walked)

    looped = seconds(go)
    with tempfile.TemporaryDirectory() as folder:
        ran = seconds(lambda: vs.run("shortest", options.data, out=folder, limit=options.episodes))
        rows = {row.episode_id: dict(row.values) for row in vs.score(folder, profile="vlnce").rows()}
    print(f"{options.data}: {len(found)} episodes, {len(poses)} steps")
    print(f"loop without cameras: {len(poses) / looped:,.0f} steps/s; vlnscope run: {len(poses) / ran:,.0f}")
    compare(found, rows)

    config = config_for(options.data, cameras=True)
    seeing = habitat.Env(config)
    walk(seeing, 1)
    sensors = settings_of(config).sensors
    poses = walk(blind, WITH_PICTURES)[1]
    with_pictures = seconds(lambda: walk(seeing, WITH_PICTURES))
    alone = seconds(lambda: [drawn(seeing.sim.scene, sensors, pose) for pose in poses])
    print(f"loop with VLN-CE's cameras: {len(poses) / with_pictures:.1f} steps/s,", end=" ")
    print(f"{alone / with_pictures:.1%} of what drawing alone gives ({len(poses) / alone:.1f} poses/s)")


if __name__ == "__main__":
    main()
