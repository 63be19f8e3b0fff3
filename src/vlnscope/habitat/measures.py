"""The measures that come with Habitat and VLN-CE, brought up to date after each action by their rules.

They give what ``vlnscope score --profile vlnce`` gives for the same walk; a test compares them. Positions are
the simulator's own, in double precision.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import numpy as np

from vlnscope.core.exceptions import InputError
from vlnscope.episodes.datasets.ground_truth import GroundTruth, read_ground_truth
from vlnscope.habitat.coverage import NotCoveredError
from vlnscope.habitat.episodes import VLNEpisode
from vlnscope.habitat.registration import TaskMeasure, registry
from vlnscope.habitat.simulator import Simulator
from vlnscope.metrics.kernels.fastdtw import fast_warping_costs
from vlnscope.metrics.kernels.loops import warping_costs
from vlnscope.metrics.kernels.ragged import Ragged
from vlnscope.types import Floats, Points

MOVED = 1e-4
"""A distance to the goal is measured again when a coordinate has moved by more than this, in metres, and
more than 1e-5 of itself."""


def option(config: Any, name: str, default: Any) -> Any:
    """Return an option in small letters or in capitals; `default` if it is not there."""
    options: Mapping[str, Any] = config or {}
    return options.get(name, options.get(name.upper(), default))


class WalkMeasure(TaskMeasure):
    """A measure of how an agent walks; knows the simulator, its options, and the measures it builds on."""

    needs: tuple[str, ...] = ()

    def __init__(self, sim: Simulator, config: Any = None, *args: Any, **kwargs: Any) -> None:
        self._sim = sim
        self._config = config
        super().__init__()

    @property
    def _at(self) -> Floats:
        return np.asarray(self._sim.pose.position)

    def reset_metric(self, episode: VLNEpisode, task: Any, *args: Any, **kwargs: Any) -> None:
        """Begin an episode: where the agent is put counts already."""
        task.measurements.check_measure_dependencies(self.uuid, list(self.needs))
        self.start(episode, task)
        self.look(task)

    def update_metric(self, episode: VLNEpisode, task: Any, *args: Any, **kwargs: Any) -> None:
        """Take an action in."""
        self.look(task)

    def start(self, episode: VLNEpisode, task: Any) -> None:
        """Forget the episode before."""

    def look(self, task: Any) -> None:
        """Bring the value up to date."""
        raise NotImplementedError

    def _value(self, task: Any, name: str) -> float:
        return float(task.measurements.measures[name].get_metric())


@registry.provide("measure", "DistanceToGoal")
class DistanceToGoal(WalkMeasure):
    """Metres along the ground to the nearest goal; infinite if there is no way."""

    cls_uuid = "distance_to_goal"

    def __init__(self, sim: Simulator, config: Any = None, *args: Any, **kwargs: Any) -> None:
        super().__init__(sim, config, *args, **kwargs)
        if option(config, "distance_to", "POINT") != "POINT":
            raise NotCoveredError("distance_to_goal.distance_to other than POINT", "POINT")

    def start(self, episode: VLNEpisode, task: Any) -> None:
        """Look up the goals."""
        self._goals = np.asarray([goal.position for goal in episode.goals], dtype=np.float64)
        self._measured_at: Floats | None = None

    def look(self, task: Any) -> None:
        """Measure anew if the agent has moved."""
        here = self._at
        if self._measured_at is None or not np.allclose(self._measured_at, here, atol=MOVED):
            self._measured_at = here
            self._metric = self._sim.geodesic_distance(here, self._goals)


@registry.provide("measure", "Success")
class Success(WalkMeasure):
    """1 if the agent has stopped nearer to the goal than ``success_distance``, else 0."""

    cls_uuid = "success"
    needs = ("distance_to_goal",)

    def look(self, task: Any) -> None:
        """Compare the distance, once the agent has stopped."""
        near = self._value(task, "distance_to_goal") < float(option(self._config, "success_distance", 0.2))
        self._metric = float(task.is_stop_called and near)


@registry.provide("measure", "PathLength")
class PathLength(WalkMeasure):
    """Metres that the agent has walked, summed over the straight lines of its steps."""

    cls_uuid = "path_length"

    def start(self, episode: VLNEpisode, task: Any) -> None:
        """Begin at 0."""
        self._before, self._metric = self._at, 0.0

    def look(self, task: Any) -> None:
        """Add the last step."""
        self._metric += float(np.linalg.norm(self._at - self._before))
        self._before = self._at


@registry.provide("measure", "SPL")
class SPL(WalkMeasure):
    """Success weighted by path length; the shortest way is the distance to the goal at the start."""

    cls_uuid = "spl"
    needs: tuple[str, ...] = ("distance_to_goal", "success")

    def start(self, episode: VLNEpisode, task: Any) -> None:
        """Measure the shortest way."""
        self._shortest = self._value(task, "distance_to_goal")
        self._before, self._walked = self._at, 0.0

    def look(self, task: Any) -> None:
        """Add the last step, and weight."""
        self._walked += float(np.linalg.norm(self._at - self._before))
        self._before = self._at
        longest = max(self._shortest, self._walked)
        share = self._shortest / longest if longest > 0 and math.isfinite(longest) else float(longest == 0)
        self._metric = self._weight(task) * share

    def _weight(self, task: Any) -> float:
        return self._value(task, "success")


@registry.provide("measure", "SoftSPL")
class SoftSPL(SPL):
    """As SPL, with the share of the way that is done in place of success."""

    cls_uuid = "soft_spl"
    needs = ("distance_to_goal",)

    def _weight(self, task: Any) -> float:
        left = self._value(task, "distance_to_goal")
        return max(0.0, 1.0 - left / self._shortest) if self._shortest > 0 else float(left == 0)


@registry.provide("measure", "DistanceToGoalReward")
class DistanceToGoalReward(WalkMeasure):
    """Metres by which the last action brought the agent nearer to the goal."""

    cls_uuid = "distance_to_goal_reward"
    needs = ("distance_to_goal",)

    def start(self, episode: VLNEpisode, task: Any) -> None:
        """Measure the first distance."""
        self._before = self._value(task, "distance_to_goal")

    def look(self, task: Any) -> None:
        """Subtract."""
        now = self._value(task, "distance_to_goal")
        self._metric, self._before = self._before - now, now


@registry.provide("measure", "OracleNavigationError")
class OracleNavigationError(WalkMeasure):
    """Smallest distance to the goal so far."""

    cls_uuid = "oracle_navigation_error"
    needs = ("distance_to_goal",)

    def start(self, episode: VLNEpisode, task: Any) -> None:
        """Begin far away."""
        self._metric = math.inf

    def look(self, task: Any) -> None:
        """Keep the smaller one."""
        self._metric = min(self._metric, self._value(task, "distance_to_goal"))


@registry.provide("measure", "OracleSuccess")
class OracleSuccess(WalkMeasure):
    """1 once the agent has been nearer to the goal than ``success_distance``, whether it stopped or not."""

    cls_uuid = "oracle_success"
    needs = ("distance_to_goal",)

    def start(self, episode: VLNEpisode, task: Any) -> None:
        """Begin at 0."""
        self._metric = 0.0

    def look(self, task: Any) -> None:
        """Compare the distance."""
        near = self._value(task, "distance_to_goal") < float(option(self._config, "success_distance", 3.0))
        self._metric = float(self._metric or near)


@registry.provide("measure", "OracleSPL")
class OracleSPL(WalkMeasure):
    """Largest SPL so far, as VLN-CE has it: SPL is 0 until the agent stops, so the two end alike."""

    cls_uuid = "oracle_spl"
    needs = ("spl",)

    def start(self, episode: VLNEpisode, task: Any) -> None:
        """Begin at 0."""
        self._metric = 0.0

    def look(self, task: Any) -> None:
        """Keep the larger one."""
        self._metric = max(self._metric, self._value(task, "spl"))


@registry.provide("measure", "StepsTaken")
class StepsTaken(WalkMeasure):
    """Number of actions, stopping included."""

    cls_uuid = "steps_taken"

    def start(self, episode: VLNEpisode, task: Any) -> None:
        """Begin such that the start counts 0."""
        self._metric = -1.0

    def look(self, task: Any) -> None:
        """Count."""
        self._metric += 1.0


@registry.provide("measure", "NumStepsMeasure")
class NumSteps(StepsTaken):
    """The same under habitat-lab's name."""

    cls_uuid = "num_steps"


@registry.provide("measure", "Collisions")
class Collisions(WalkMeasure):
    """How many actions ran into something (``count``), and whether the last did (``is_collision``)."""

    cls_uuid = "collisions"

    def start(self, episode: VLNEpisode, task: Any) -> None:
        """Begin at 0."""
        self._count = 0

    def look(self, task: Any) -> None:
        """Count."""
        self._count += self._sim.previous_step_collided
        self._metric = {"count": self._count, "is_collision": self._sim.previous_step_collided}


@registry.provide("measure", "NDTW")
class NDTW(WalkMeasure):
    """Normalised dynamic time warping against the dense ground truth, worked out when it is asked for.

    Places where the agent stays count once. ``FDTW`` (the default) warps with FastDTW, as VLN-CE does.
    ``GT_PATH`` may name a ``_gt`` file; without it, the ground truth of the data set is taken.
    """

    cls_uuid = "ndtw"
    _truths: Mapping[str, GroundTruth] | None = None

    def start(self, episode: VLNEpisode, task: Any) -> None:
        """Look up the ground truth."""
        self._truth = self._locations(episode, task)
        self._walk: list[tuple[float, ...]] = []
        self._known = (0, 1.0)

    def look(self, task: Any) -> None:
        """Note where the agent is, if it has moved."""
        here = tuple(self._sim.pose.position)
        if not self._walk or here != self._walk[-1]:
            self._walk.append(here)

    def get_metric(self) -> float:
        """Return the value."""
        if self._known[0] != len(self._walk):
            walk, truth = Ragged.points([self._walk]), Ragged.points([self._truth])
            warp = fast_warping if option(self._config, "fdtw", True) else exact_warping
            cost = warp(walk, truth)
            radius = float(option(self._config, "success_distance", 3.0))
            self._known = (len(self._walk), math.exp(-cost / (radius * len(self._truth))))
        return self._known[1]

    def _locations(self, episode: VLNEpisode, task: Any) -> Points:
        named = str(option(self._config, "gt_path", "")).replace("{split}", str(task.split))
        if self._truths is None and named and Path(named).is_file():
            self._truths = dict(read_ground_truth(named))
        truth = (self._truths or {}).get(episode.episode_id)
        locations = truth.locations if truth else episode.locations
        if not locations:
            raise InputError(
                f"episode {episode.episode_id}: ndtw has no ground truth to compare with",
                expected="a _gt file beside the episodes, or one that ndtw.gt_path names",
                fix="put the _gt file there, or take ndtw and sdtw out of task.measurements",
            )
        return locations


@registry.provide("measure", "SDTW")
class SDTW(WalkMeasure):
    """nDTW if the agent succeeded, else 0."""

    cls_uuid = "sdtw"
    needs = ("ndtw", "success")

    def start(self, episode: VLNEpisode, task: Any) -> None:
        """Remember the task, whose measures it multiplies."""
        self._task = task

    def look(self, task: Any) -> None:
        """Do nothing: the value is worked out when it is asked for."""

    def get_metric(self) -> float:
        """Return the value."""
        reached = self._value(self._task, "success")
        return reached * self._value(self._task, "ndtw") if reached else 0.0


def fast_warping(walk: Ragged, truth: Ragged) -> float:
    """Return what FastDTW with radius 1 makes of the cost of warping a walk onto another."""
    return float(fast_warping_costs(*walk, *truth, 1)[0])


def exact_warping(walk: Ragged, truth: Ragged) -> float:
    """Return the cost of warping a walk onto another."""
    costs = np.linalg.norm(walk.flat[:, None] - truth.flat[None], axis=-1).ravel()
    free = np.zeros(1, dtype=np.uint8)
    return float(warping_costs(costs, np.array([0, len(costs)]), truth.sizes, free, free)[0])
