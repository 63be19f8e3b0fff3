"""The sensors of recurrent agents in continuous space: cameras, and for MAP-CMA a map of what they showed."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
import torch

from vlnscope.agents.learned.cma.policy import ContinuousPolicy
from vlnscope.agents.learned.cma.sights import Sights
from vlnscope.core.exceptions import InputError
from vlnscope.perception.mapping import Mapper, MemoryMode, PointCloud, read_cloud
from vlnscope.perception.mapping.classes import class_table
from vlnscope.types import SpaceObservation
from vlnscope.worlds.cameras import Stance, camera_of
from vlnscope.worlds.frames import yaw_of_heading

ACTION_SPACES: Mapping[int, str] = {4: "vlnce", 6: "rxr-ce"}
"""The action space of a policy, by how many actions it knows."""
CLASS_NAMES = "semantic-classes"


class SensorChoice(NamedTuple):
    """What a policy is shown.

    Attributes:
        rgb: the camera of colours, as behind ``rgb:``.
        depth: the camera of depth, and of the semantics that a map is made of.
        memory: how long maps last.
        known: the folder with a cloud ``SCAN.npz`` for each scene, where maps are known.
    """

    rgb: str
    depth: str
    memory: MemoryMode = "episodic"
    known: str = ""


class Sensors:
    """Shows a policy what it was trained with.

    Attributes:
        action_space: what the policy can do.
        needs: what it has to be given.
        maps: whether it sees a map.
    """

    def __init__(self, policy: ContinuousPolicy, choice: SensorChoice) -> None:
        self.action_space = ACTION_SPACES[policy.config.actions]
        self.maps, self._choice = "map" in policy.sees, choice
        self._cameras = {
            name: f"{name}:{getattr(choice, name)}" for name in ("rgb", "depth") if name in policy.sees
        }
        self._semantic = f"semantic:{choice.depth}"
        self.needs = tuple(self._cameras.values()) + ((self._semantic, CLASS_NAMES) if self.maps else ())

    def mapper(self, scan: str) -> Mapper | None:
        """Return the map of an agent whose tour begins in a scene; None if the policy sees none."""
        if not self.maps:
            return None
        choice = self._choice
        known = known_clouds(choice.known) if choice.memory == "known" else None
        mapper = Mapper(memory=choice.memory, camera=camera_of(choice.depth, "depth"), known=known)
        mapper.begin_tour(scan)
        return mapper

    def add(self, mapper: Mapper, seen: SpaceObservation, *, led: bool) -> None:
        """Put what an agent sees on its map."""
        names: Sequence[str] = seen.seen[CLASS_NAMES]
        classes = class_table(names)[np.asarray(seen.seen[self._semantic])]
        depth = np.asarray(seen.seen[self._cameras["depth"]])
        mapper.add(depth[None], [stance_of(seen)], classes[None], led=led)

    def sights(
        self, observations: Sequence[SpaceObservation], mappers: Sequence[Mapper | None], like: torch.Tensor
    ) -> Sights:
        """Return what some agents see, a row each."""
        images = {
            name: torch.from_numpy(np.stack([np.asarray(each.seen[need]) for each in observations])).to(like)
            for name, need in self._cameras.items()
        }
        if not self.maps:
            return Sights(**images)
        pairs = zip(mappers, observations, strict=True)
        read = [mapper.read([stance_of(seen)]) for mapper, seen in pairs if mapper is not None]
        occupancy, classes = (
            torch.from_numpy(np.concatenate(layer)).to(like.device) for layer in zip(*read, strict=True)
        )
        return Sights(**images, occupancy=occupancy, semantic=classes)


def stance_of(seen: SpaceObservation) -> Stance:
    """Return how an agent stands that is given this."""
    return Stance(seen.position, yaw_of_heading(seen.heading), seen.elevation)


def known_clouds(folder: str) -> Callable[[str], PointCloud]:
    """Return what reads the map of a whole house by its scan.

    Raises:
        InputError: nobody says in which folder they are.
    """
    if not folder:
        raise InputError(
            "maps are known, and nobody says where they are",
            expected="a folder with a cloud for each scene, SCAN.npz",
            fix="write memory=known,clouds=FOLDER; `perception.mapping.survey` makes clouds",
        )
    return lambda scan: read_cloud(Path(folder) / f"{scan}.npz")


def sensors_noted(
    policy: ContinuousPolicy, notes: Mapping[str, Any], memory: str, known: str
) -> SensorChoice:
    """Return the sensors of a policy: as its checkpoint notes them, VLN-CE's or RxR-CE's if it does not.

    Args:
        policy: the policy.
        notes: of its checkpoint.
        memory: how long maps last; as in training if empty.
        known: the folder of known maps.

    Raises:
        InputError: a memory is asked for, and the policy sees no map; or the policy has other actions.
    """
    if (memory or known) and "map" not in policy.sees:
        raise InputError(
            f"the model {policy.name!r} sees no map that could be {memory or 'known'}",
            expected="memory and clouds with a model that sees a map, such as map_cma",
            fix="leave them out",
        )
    if policy.config.actions not in ACTION_SPACES:
        raise InputError(
            f"the model {policy.name!r} has {policy.config.actions} actions",
            expected=" or ".join(f"{count} ({name})" for count, name in ACTION_SPACES.items()),
            fix="name another checkpoint",
        )
    cameras, usual = notes.get("cameras", {}), ACTION_SPACES[policy.config.actions]
    lasts: Any = memory or notes.get("memory", "episodic")
    return SensorChoice(cameras.get("rgb", usual), cameras.get("depth", usual), lasts, known)
