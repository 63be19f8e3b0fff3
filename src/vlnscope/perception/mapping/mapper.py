"""The mapper of MAP-CMA: remembers what agents saw as points in space, and shows them their surroundings.

MAP-CMA (Krantz et al., "Iterative Vision-and-Language Navigation", CVPR 2023) sees a map instead of pictures:
64 × 64 cells of 10 cm that turn with the agent, one layer of occupancy and one of semantic classes. `Mapper`
makes it from depth, pose and a class for each pixel.

There are two rules. ``official`` computes what IVLN-CE's released mapper computes, in the same precision and
order. Where the released one writes a cell from several threads, which write is the last depends on the
machine; here it is the last in the order of the cloud. ``clean`` is the default, and differs where the
released one has traps:

- environments do not influence each other, and columns of points never merge (`official` says how they do);
- storeys stay apart, so that a way upstairs does not erase the rooms below it;
- of several things in one cell the highest is shown, not the last in the order of keys;
- cameras may have any shape and range; the official rule takes angles of view as proportional to sides, and
  fraction 1 of depth as 10 m;
- it computes in 64 bits.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Literal, Protocol, get_args

import numpy as np
from numpy.typing import ArrayLike

from vlnscope.core.exceptions import InputError
from vlnscope.perception.mapping.clouds import REMOTE, PointCloud, Reals
from vlnscope.perception.mapping.egocentric import EgocentricMap, blank_map, draw_points
from vlnscope.perception.mapping.memory import MapMemory, MemoryMode
from vlnscope.perception.mapping.official import OfficialCloud
from vlnscope.perception.mapping.unprojection import clean_unprojection, map_classes, official_unprojection
from vlnscope.perception.mapping.voxels import VoxelClouds
from vlnscope.worlds.cameras import CAMERAS, Camera, Stance

MapRule = Literal["clean", "official"]
KnownMaps = Callable[[str], PointCloud]
"""Returns the cloud of a whole house by its scan: `clouds.read_cloud` reads one, `survey` makes one."""


class _Clouds(Protocol):
    """What all environments have seen, by one of the rules."""

    def clear(self, environment: int) -> None: ...
    def load(self, environment: int, cloud: PointCloud) -> None: ...
    def insert(self, environments: list[int], seen: list[PointCloud]) -> None: ...
    def around(self, environment: int, eye: Reals) -> PointCloud: ...
    def count(self, environment: int) -> int: ...


class Mapper:
    """Maps for the agents of some environments.

    Args:
        rule: ``clean`` or ``official``; the module says how they differ.
        memory: how long maps last: ``episodic``, ``iterative`` or ``known``; see `memory`.
        environments: how many agents there are, each with its own map.
        camera: what takes the depth pictures; VLN-CE's if not given.
        known: gives the maps of whole houses to memories that are ``known``.

    Raises:
        InputError: there is no such rule or memory, or no `known` for ``known`` maps.

    Example:
        >>> mapper = Mapper(camera=Camera(4, 4))
        >>> stance = Stance((0.0, 0.0, 0.0))
        >>> mapper.begin_tour()
        >>> mapper.add(np.full((1, 4, 4), 0.1), [stance], np.full((1, 4, 4), 7))  # a table, 1 m ahead
        >>> shown = mapper.read([stance])
        >>> np.argwhere(shown.classes[0] == 7).tolist()
        [[22, 24], [22, 29], [22, 35], [22, 40]]
    """

    def __init__(
        self,
        *,
        rule: MapRule = "clean",
        memory: MemoryMode = "episodic",
        environments: int = 1,
        camera: Camera = CAMERAS["vlnce"]["depth"],
        known: KnownMaps | None = None,
    ) -> None:
        if rule not in get_args(MapRule):
            raise InputError(
                f"maps have no rule {rule!r}", expected=", ".join(get_args(MapRule)), fix="choose one"
            )
        if (memory == "known") != (known is not None):
            raise InputError(
                f"maps are {memory}, and maps of whole houses are {'' if known else 'not '}given",
                expected="such maps with the memory ``known``, and only with it",
                fix="give `known=read_cloud_of_scan` or `known=survey_of_scan`",
            )
        official = rule == "official"
        self.rule: MapRule = rule
        self.memory = MapMemory(memory, environments)
        self.environments = environments
        self._known = known
        self._loaded: set[int] = set()
        self._unprojection = (official_unprojection if official else clean_unprojection)(camera)
        self._clouds: _Clouds = OfficialCloud() if official else VoxelClouds(environments)

    def begin_tour(self, scan: str = "", *, environment: int = 0) -> None:
        """Begin a tour; a tour may be a single episode.

        Args:
            scan: the scene; needed for known maps alone.
            environment: which agent's.
        """
        self._check([environment])
        if self.memory.begin_tour(environment):
            self._clouds.clear(environment)
        if self._known is not None:
            self._clouds.load(environment, self._known(scan))
            self._loaded.add(environment)

    def begin_episode(self, *, environment: int = 0) -> None:
        """Begin an episode of a tour, before its first observation is added.

        IVLN-CE's loop takes that one at the start of the episode, and only then lets an oracle walk the agent
        there: an iterative map sees the start before the agent does, if the observation is added.
        """
        self._check([environment])
        if self.memory.begin_episode(environment):
            self._clouds.clear(environment)

    def add(
        self,
        depth: ArrayLike,
        stances: Sequence[Stance],
        semantics: ArrayLike,
        *,
        environments: Sequence[int] | None = None,
        led: Sequence[bool] | bool = False,
    ) -> None:
        """Add an observation of each agent; where it shows nothing, nothing is added.

        The official rule maps what is given together in one go, so all agents of a batch belong in one call.

        Args:
            depth: pictures of the camera, (n, height, width) or (n, height, width, 1).
            stances: how the agents stand.
            semantics: class of each pixel, (n, height, width): numbers below 13 (`classes.CLASSES`).
            environments: whose observations these are, one number each; all in order if not given.
            led: whether an oracle leads the agents; one for all or one each.

        Raises:
            InputError: sizes do not fit together, a stance is not finite, or semantics are no classes.
        """
        fraction = self._unprojection.fraction(depth)
        classes = map_classes(semantics, fraction.shape)
        numbers = self._numbers(environments, stances)
        are_led = [led] * len(numbers) if isinstance(led, bool) else led
        if not len(fraction) == len(are_led) == len(numbers):
            raise _unequal(min(len(fraction), len(are_led)), len(numbers))
        for number, is_led in zip(numbers, are_led, strict=True):
            if self.memory.observe(number, led=bool(is_led)):
                self._clouds.clear(number)
        if self._known is None:
            seen = map(self._unprojection.points, fraction, classes, stances)
            self._clouds.insert(numbers, list(seen))

    def read(self, stances: Sequence[Stance], *, environments: Sequence[int] | None = None) -> EgocentricMap:
        """Return the maps of agents as they stand, one each.

        Args:
            stances: how they stand.
            environments: which agents; all in order if not given.

        Raises:
            InputError: there are not as many stances as environments, or one is not finite.
        """
        numbers = self._numbers(environments, stances)
        shown = blank_map(len(numbers))
        for row, (number, stance) in enumerate(zip(numbers, stances, strict=True)):
            eye = self._unprojection.eye(stance)
            draw_points(shown, row, self._clouds.around(number, eye), eye, stance.yaw)
        return shown

    def count(self, environment: int = 0) -> int:
        """Return how many points the map of an agent is made of."""
        return self._clouds.count(environment)

    def _numbers(self, environments: Sequence[int] | None, stances: Sequence[Stance]) -> list[int]:
        numbers = list(range(self.environments)) if environments is None else list(environments)
        if len(numbers) != len(stances):
            raise _unequal(len(stances), len(numbers))
        self._check(numbers)
        if self._known is not None and not set(numbers) <= self._loaded:
            raise InputError(
                "nobody said which house is known",
                expected="a scan for each environment, before anything is added or read",
                fix="call `begin_tour(scan, environment=…)` first",
            )
        if not all(np.abs((*it.position, it.yaw, it.pitch)).max() < REMOTE for it in stances):
            raise InputError(
                "an agent stands at a place, or looks in a direction, that there is not",
                expected=f"x, y, z in metres, yaw and pitch in radians, all less than {REMOTE:.0f}",
                fix="check the pose; a point off the navigation mesh snaps to NaN",
            )
        return numbers

    def _check(self, numbers: list[int]) -> None:
        if len(set(numbers)) != len(numbers) or not set(numbers) <= set(range(self.environments)):
            raise InputError(
                f"the environments are {numbers}",
                expected=f"different numbers from 0 to {self.environments - 1}",
                fix="make the mapper with as many environments as there are agents",
            )


def _unequal(given: int, environments: int) -> InputError:
    return InputError(
        f"there are {given} observations or stances of {environments} environments",
        expected="one each",
        fix="name the environments that are meant with `environments`",
    )
