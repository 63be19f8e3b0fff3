"""Profiles: whose convention the numbers follow."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal, cast

import msgspec

from vlnscope.core import registry
from vlnscope.core.toml_file import packaged_toml
from vlnscope.metrics.profiles.switches import Switches

PATH_METRICS = (
    "TL", "steps", "NE", "ONE", "SR", "OSR", "SPL", "oracle-SPL", "SED", "PC", "LS", "CLS", "DTW", "nDTW",
    "sDTW", "ED", "GD", "t-nDTW",
)  # fmt: skip

DEFAULT_SWITCHES = Switches()


@dataclass(frozen=True)
class Profile:
    """A named setting of all switches.

    Attributes:
        name: what users call it.
        title: whose numbers it reproduces.
        switches: the setting; profile.toml names those that differ from the defaults.
        metrics: what that source reports, in its order; `score` shows these unless told otherwise.
        space: where it applies: on graphs, in continuous space, or both.
        goal: whether it is made for episodes that end at a place, or for those that ask for an object.
    """

    name: str
    title: str
    switches: Switches = DEFAULT_SWITCHES
    metrics: tuple[str, ...] = PATH_METRICS
    space: Literal["graph", "continuous", "both"] = "both"
    goal: Literal["place", "object"] = "place"


def get_profile(name: str) -> Profile:
    """Return the profile called `name`."""
    return cast(Profile, registry.get("profile", name))


def profiles() -> dict[str, Profile]:
    """Return all profiles, the default one first."""
    by_name = cast(dict[str, Profile], registry.everything("profile"))
    return dict(sorted(by_name.items(), key=lambda item: (item[0] != "default", item[0])))


def profiles_for(space: Literal["graph", "continuous"], *, objects: bool = False) -> dict[str, Profile]:
    """Return the profiles that are made for some data, the default one first.

    Args:
        space: where agents walk in them.
        objects: whether episodes ask for objects; profiles for places are returned all the same.

    Example:
        >>> "reverie" in profiles_for("graph"), "reverie" in profiles_for("graph", objects=True)
        (False, True)
    """
    goals = ("place", "object") if objects else ("place",)
    return {name: p for name, p in profiles().items() if p.space in ("both", space) and p.goal in goals}


for _row in packaged_toml(__name__)["profile"]:
    registry.register("profile", _row["name"], msgspec.convert(_row, Profile))
