"""Counterfactual honesty: does following an instruction depend on what it names, and on nothing else?

Houses are edited: what an instruction names is taken away or called something else, and, for comparison, as
many things that it does not name. The same instruction is then followed in the house before and after.

python perf/counterfactual.py [--houses 5] [--workers 2]
"""

from __future__ import annotations

import argparse
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import partial
from itertools import islice
from typing import Literal, NamedTuple, get_args

from vlnscope.benchmarks.behavior.environment.edits import LABELS, may_mean_object, may_mean_room
from vlnscope.benchmarks.behavior.score.cases import NEAR
from vlnscope.core.exceptions import InputError
from vlnscope.core.rng import rng_for
from vlnscope.episodes.datasets.house_paths import house_paths
from vlnscope.language.describe import Describer, Description, Register
from vlnscope.language.ground import KnownMap, best_walk
from vlnscope.language.parse import parse
from vlnscope.perception.sights.percept import scene_percepts
from vlnscope.worlds.houses.edit.apply import edit
from vlnscope.worlds.houses.edit.edits import Edit, RelabelRoom, RemoveItem
from vlnscope.worlds.houses.house import house_scene
from vlnscope.worlds.houses.parallel import for_houses
from vlnscope.worlds.houses.plan.plan import FloorPlan
from vlnscope.worlds.houses.splits import house_ids, load_house, seed_of
from vlnscope.worlds.scene import Scene

Change = Literal["named objects", "other objects", "named rooms", "other rooms"]
CHANGES: tuple[Change, ...] = get_args(Change)


class Trial(NamedTuple):
    """One instruction in a house before and after a change.

    Attributes:
        house, instruction: which.
        change: what kind of change.
        edits: how many edits were made.
        before, after: whether the walk ended at the goal.
    """

    house: str
    instruction: str
    change: Change
    edits: int
    before: bool
    after: bool


@dataclass(frozen=True)
class Counterfactual:
    """All trials of a study."""

    trials: tuple[Trial, ...]

    def rows(self) -> Iterator[dict[str, object]]:
        """Yield, per kind of change, how many trials there were and what share succeeded before and after."""
        for change in CHANGES:
            its = [trial for trial in self.trials if trial.change == change]
            if its:
                before = 100 * sum(trial.before for trial in its) / len(its)
                after = 100 * sum(trial.after for trial in its) / len(its)
                yield {"change": change, "n": len(its), "before": before, "after": after}

    def table(self) -> str:
        """Return the shares as a table in Markdown."""
        lines = ["| change | n | SR before | SR after |", "|---|---|---|---|"]
        lines += [f"| {r['change']} | {r['n']} | {r['before']:.1f} | {r['after']:.1f} |" for r in self.rows()]
        return "\n".join(lines)


def counterfactual(
    houses: Sequence[str],
    *,
    changes: Sequence[Change] = CHANGES,
    register: Register = "r2r",
    paths: int = 5,
    seed: int = 0,
    workers: int = 1,
) -> Counterfactual:
    """Follow instructions in houses before and after changes.

    Args:
        houses: names of houses.
        changes: what is done to them, one after the other.
        register: how the instructions are worded.
        paths: how many paths of each house are described; ambiguous descriptions are left out.
        seed: decides what else is changed.
        workers: number of processes; it changes nothing but the time.
    """
    work = partial(_trials, changes=tuple(changes), register=register, paths=paths, seed=seed)
    found = for_houses(work, houses, workers=workers)
    return Counterfactual(tuple(trial for trials in found for trial in trials))


def _trials(
    house: str, *, changes: Sequence[Change], register: Register, paths: int, seed: int
) -> list[Trial]:
    plan = load_house(house)
    scene = house_scene(plan)
    known = _map(scene)
    trials = []
    for path in islice(house_paths(scene, seed_of(house)), paths):
        said = Describer(scene, path.nodes, path.heading).describe(register)
        if said.ambiguous is not None:
            continue
        before = _arrives(said.text, scene, known, path.nodes, path.heading)
        for change in changes:
            edited, count = _edited(plan, change, said, seed)
            if count:
                other = house_scene(edited)
                after = _arrives(said.text, other, _map(other), path.nodes, path.heading)
                if before is not None and after is not None:
                    trials.append(Trial(house, said.text, change, count, before, after))
    return trials


def _map(scene: Scene) -> KnownMap:
    return KnownMap.of_scene(scene.graph, scene_percepts(scene))


def _arrives(text: str, scene: Scene, known: KnownMap, path: Sequence[str], heading: float) -> bool | None:
    """Return whether the walk ends near the goal; None if the house no longer has the path's ends."""
    graph = scene.graph
    if path[0] not in graph.index or path[-1] not in graph.index:
        return None
    walk = best_walk(parse(text), known, path[0], heading)
    return graph.distance(walk[-1], path[-1]) < NEAR


def _edited(plan: FloorPlan, change: Change, said: Description, seed: int) -> tuple[FloorPlan, int]:
    """Return the changed house and how many edits that took; 0 if there is nothing to change."""
    rng = rng_for(seed, "counterfactual", plan.id, said.text, change)
    objects = [name for statement in said.statements for name in statement.object_ids]
    regions = [region for statement in said.statements for region in statement.regions]
    named_items = [item.id for item in plan.items if item.id in objects]
    named_rooms = sorted(set(regions))
    free_labels = [letter for letter in LABELS if not may_mean_room(said, letter)]
    edits: list[Edit] = []
    if change == "named objects":
        edits += [RemoveItem(name) for name in named_items]
    elif change == "other objects":
        others = [item.id for item in plan.items if not may_mean_object(said, item.name)]
        picked = rng.permutation(len(others))[: len(named_items)].tolist()
        edits += [RemoveItem(others[k]) for k in picked]
    else:
        rooms = named_rooms
        if change == "other rooms":
            spare = [
                k
                for k, room in enumerate(plan.rooms)
                if not may_mean_room(said, room.label) and room.label != "s"
            ]
            rooms = [spare[k] for k in rng.permutation(len(spare))[: len(named_rooms)].tolist()]
        for number in rooms:
            room = plan.rooms[number]
            labels = [letter for letter in free_labels if letter != room.label]
            if labels:
                edits.append(RelabelRoom(room.id, labels[int(rng.integers(len(labels)))]))
    return _applied(plan, edits)


def _applied(plan: FloorPlan, edits: Sequence[Edit]) -> tuple[FloorPlan, int]:
    """Make the edits that can be made: a thing may have gone with what it stood on."""
    count = 0
    for change in edits:
        try:
            plan = edit(plan, change)
        except InputError:
            continue
        count += 1
    return plan, count


def main() -> None:
    """Print how often walks succeed before and after each kind of change."""
    parser = argparse.ArgumentParser()
    parser.add_argument("--houses", type=int, default=5)
    parser.add_argument("--workers", type=int, default=2)
    chosen = parser.parse_args()
    print(counterfactual(house_ids("val_unseen", chosen.houses), workers=chosen.workers).table())


if __name__ == "__main__":
    main()
