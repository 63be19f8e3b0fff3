"""Keeps digests of a few built-in houses and of their episodes, each with its version number.

    python tools/house_digests.py            compare with tests/worlds/houses/generator_digest.json
    python tools/house_digests.py --write    keep what is found as what these versions make

`tests/worlds/houses/test_house_version.py` compares too, so that nobody changes the houses under an old
number: raise GENERATOR_VERSION (or EPISODES_VERSION, SPACE_VERSION, if only these come out otherwise) in the
same change, then write. A number is raised once per release, not once per change that is not released yet.
"""

from __future__ import annotations

import argparse
import json
from pathlib import Path
from typing import Any

import msgspec

from vlnscope.core.files import digest
from vlnscope.core.json_file import write_json
from vlnscope.episodes.datasets.house_episodes import EPISODES_VERSION, make_episodes, reworded
from vlnscope.episodes.datasets.house_space import SPACE_VERSION, walked_path
from vlnscope.worlds.houses.house import generate, house_scene
from vlnscope.worlds.houses.plan.file import encode_plan
from vlnscope.worlds.houses.splits import house_id
from vlnscope.worlds.houses.version import GENERATOR_VERSION
from vlnscope.worlds.rendering.mesh import Mesh
from vlnscope.worlds.scene import Scene

KEPT = Path(__file__).resolve().parents[1] / "tests" / "worlds" / "houses" / "generator_digest.json"
SEEDS = (1, 40_003, 100_007)
"""Seeds of the houses that stand for all."""
DESCRIBED = 1
"""The seed whose episodes are written."""
PARTS = {
    "houses": ("GENERATOR_VERSION", "vlnscope/worlds/houses/version.py", GENERATOR_VERSION),
    "episodes": ("EPISODES_VERSION", "vlnscope/episodes/datasets/house_episodes.py", EPISODES_VERSION),
    "space": ("SPACE_VERSION", "vlnscope/episodes/datasets/house_space.py", SPACE_VERSION),
}
"""What has a version of its own: the name of the number, where it stands, and its value."""


def houses() -> dict[str, str]:
    """Return a digest of each house: its plan, its graph, and where its surfaces are."""
    return {house_id(seed): _house_digest(house_scene(generate(seed), cached=False)) for seed in SEEDS}


def _house_digest(scene: Scene) -> str:
    mesh: Mesh = scene.layer("mesh")
    surfaces = (part.tobytes() for part in (mesh.vertices, mesh.faces, mesh.colour, mesh.texture))
    return digest(encode_plan(scene.layer("plan")), scene.graph.digest.encode(), *surfaces)


def episodes() -> dict[str, str]:
    """Return a digest of the episodes of a house in each register."""
    scene = house_scene(generate(DESCRIBED), cached=False)
    plain = make_episodes(scene, DESCRIBED, held_out=True)
    worded = {"r2r": plain, "rxr": reworded(scene, plain, "rxr"), "terse": reworded(scene, plain, "terse")}
    return {register: digest(msgspec.json.encode(made.episodes)) for register, made in worded.items()}


def space() -> dict[str, str]:
    """Return a digest of a few walks of experts in continuous space."""
    scene = house_scene(generate(DESCRIBED), cached=False)
    chosen = make_episodes(scene, DESCRIBED, held_out=True).episodes[:9:3]
    return {one.path_id: digest(msgspec.json.encode(walked_path(scene, one))) for one in chosen}


def found(part: str) -> dict[str, Any]:
    """Return the version and the digests of a part."""
    make = {"houses": houses, "episodes": episodes, "space": space}[part]
    return {"version": PARTS[part][2], "digests": make()}


def problem(part: str, kept: dict[str, Any], now: dict[str, Any]) -> str:
    """Say what is wrong with the version of a part, and what to do; empty if nothing is."""
    name, file, number = PARTS[part]
    write = "`python tools/house_digests.py --write`"
    if kept == now:
        return ""
    if kept["version"] != number:
        return f"{name} is {number}, and the digests are of {kept['version']}: keep new ones with {write}"
    other = sorted(key for key in now["digests"] if kept["digests"].get(key) != now["digests"][key])
    return (
        f"{', '.join(other)}: the {part} come out otherwise under the same version {number}. If that is "
        f"meant, raise {name} in src/{file} (once per release), and keep the new digests with {write}"
    )


def main() -> None:
    """Do what the arguments say."""
    options = argparse.ArgumentParser(description="Keep digests of built-in houses.")
    options.add_argument("--write", action="store_true", help="keep what is found")
    now = {part: found(part) for part in PARTS}
    if options.parse_args().write:
        write_json(KEPT, now)
        return
    kept = json.loads(KEPT.read_text())
    problems = [text for part in PARTS if (text := problem(part, kept[part], now[part]))]
    if problems:
        raise SystemExit("\n".join(problems))


if __name__ == "__main__":
    main()
