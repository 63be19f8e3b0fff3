"""Scores of behavior cases: does the agent do at the last forced node what the instruction says?

================  ========================================================================================
``mass``          probability of the right actions (Eq. 1 of the paper); 0 if the agent failed
``top1``          1 if the most probable action is right; 0 if the agent failed
``stop``          probability of stopping
``chance``        what ``mass`` would be if every way and stopping were equally likely; for ``room-k``
                  what ``reached`` would be for such an agent
``mass_none``     probability of the same actions without the intervention's words; ``top1_none``,
                  ``stop_none`` likewise
``effect``        ``mass`` − ``mass_none``
``stop_ahead``    probability of stopping where the instruction goes on by one step
``ahead``         direction: share of the moves that goes straight on; ``ahead_chance`` of the ways
``turn``          degrees between the last two forced steps
``delta_m``       room: metres nearer to the nearest target room, as expected of the ways the agent may go
                  (stopping left out); ``delta_m_none`` likewise, ``delta_m_effect`` their difference
``reached``       room-k: 1 if such a room is entered within k moves of the free run; 0 if the agent failed
``ended``         room-k: 1 if the free run ends in one; 0 if the agent failed
``distance_m``    room-k: metres from the end of the free run to the nearest target; ``distance_m_none``,
                  and ``distance_m_stop`` for stopping in place
``distance_m_effect``  ``distance_m`` − ``distance_m_none``; under ``legacy`` − ``distance_m_stop`` (DIFF-21)
================  ========================================================================================

Values with a dot are masses of bins, for figures: ``polar.`` (direction), ``error.`` (distance from the
object; ``error_forward.`` is the forward-bias agent's), ``delta.`` (metres), each also with ``_none``. A bin
that is not there is empty. Environment cases are scored by `environment_values`.

Of a failed case, what is not 0 is undefined. Cases that have no line (of a partial run) have no row. The
profile ``legacy`` follows the released code where it errs, ``default`` and ``paper`` do not.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping, Sequence
from itertools import pairwise
from typing import NamedTuple

import numpy as np

from vlnscope.benchmarks.behavior.build.direction import sector, turn_degrees
from vlnscope.benchmarks.behavior.build.room_kinds import will_do
from vlnscope.benchmarks.behavior.build.rooms import HopRule, hops_from
from vlnscope.benchmarks.behavior.score.bins import (
    error_masses,
    forward_bias,
    legacy_forward_bias,
    polar_masses,
    progress_masses,
    turns_of,
)
from vlnscope.benchmarks.behavior.score.decisions import Partners, ScoredStep, scored_step
from vlnscope.benchmarks.kit.case_set import CaseSet
from vlnscope.core.exceptions import UnknownNameError
from vlnscope.episodes.formats.evidence import EvidenceLine
from vlnscope.types import Case, Flags, Floats, ScoreRow
from vlnscope.worlds.graph.navgraph import NavGraph
from vlnscope.worlds.houses.edit.names import base_name
from vlnscope.worlds.rooms import Regions
from vlnscope.worlds.scene import Scene, Scenes

NEAR = 3.0
"""Metres from the goal within which a walk succeeds."""
PROFILES = ("default", "paper", "legacy")
NOT_LOGGED = "no decision was logged where the forced steps end"
_FAILED: Mapping[str, tuple[str, ...]] = {
    "room-k": ("reached", "ended"),
    "environment": ("success",),
}
Values = dict[str, float]


class RoomSearch(NamedTuple):
    """A kind of room that is looked for from a viewpoint.

    Attributes:
        graph: where.
        start: where the search begins.
        targets: the viewpoints in such rooms within so many hops.
        hops: how many moves the search may take.
    """

    graph: NavGraph
    start: str
    targets: Flags
    hops: int

    def distance(self, viewpoint: str) -> float:
        """Return the metres along the graph to the nearest target."""
        return float(self.graph.distances[self.graph.row(viewpoint), self.targets].min(initial=np.inf))

    def reached(self, path: Sequence[str]) -> bool:
        """Return whether a walk from the start enters a target within the hops; a stay is no hop."""
        moves = [here for before, here in pairwise(path) if here != before]
        return any(self.targets[self.graph.row(viewpoint)] for viewpoint in moves[: self.hops])

    def holds(self, viewpoint: str) -> bool:
        """Return whether a viewpoint is a target."""
        return bool(self.targets[self.graph.row(viewpoint)])

    def progress(self, viewpoints: Iterable[str]) -> list[float]:
        """Return how many metres nearer to the nearest target each viewpoint is than the start."""
        before = self.distance(self.start)
        return [before - self.distance(viewpoint) for viewpoint in viewpoints]

    def chance(self) -> float:
        """Return how often a target is reached by taking any way or stopping, all equally likely."""
        ways = self.graph.adjacency
        moves: Floats = ways / (ways.sum(axis=1, keepdims=True) + 1.0)
        here = np.zeros(len(self.graph.nodes))
        here[self.graph.row(self.start)] = 1.0
        probability = 0.0
        for _ in range(self.hops):
            here = here @ moves
            probability += float(here[self.targets].sum())
            here[self.targets] = 0.0
        return probability


def room_search(
    graph: NavGraph,
    regions: Regions,
    start: str,
    label: str,
    hops: int,
    rule: HopRule = "within",
    *,
    clear: bool = False,
) -> RoomSearch:
    """Return the search for rooms of a label within so many hops, or exactly so many away (DIFF-20).

    With `clear`, rooms that cannot be told from one of the label by eye will do.
    """
    away = hops_from(graph, start, hops)
    near = (away > 0) & (away <= hops) if rule == "within" else away == hops
    labels = [None if regions.of.get(node) is None else regions.label(node) for node in graph.nodes]
    labelled = [its is not None and will_do(label, its, clear=clear) for its in labels]
    return RoomSearch(graph, start, near & np.array(labelled), hops)


def environment_values(case: Case, line: EvidenceLine, scenes: Scenes) -> dict[str, float]:
    """Return whether a walk ended near the goal (less than 3 m along the graph), and how far from it.

    The goal is the end of the path that the instruction describes in the house as it was. Where there is no
    way to the goal there is no distance, and no success.
    """
    graph = scenes.scene(case.episode.scan).graph
    distance = graph.distance(line.path[-1], case.episode.path[-1])
    values = {"success": float(distance < NEAR)}
    return values | ({"distance_m": distance} if math.isfinite(distance) else {})


def score_cases(
    case_set: CaseSet, evidence: Mapping[str, EvidenceLine], scenes: Scenes, *, profile: str = "default"
) -> list[ScoreRow]:
    """Score the cases that have a line, in the order in which they were asked.

    Args:
        case_set: the cases.
        evidence: evidence by case id.
        scenes: where they take place; room cases need the regions, object cases the objects.
        profile: ``default``, ``paper`` or ``legacy``.

    Raises:
        UnknownNameError: there is no such profile.
    """
    if profile not in PROFILES:
        raise UnknownNameError("profile of behavior", profile, PROFILES)
    scorer = _Scorer(case_set, evidence, scenes, profile == "legacy")
    return [scorer.row(case) for case in case_set.cases if case.case_id in evidence]


class _Scorer:
    def __init__(
        self, case_set: CaseSet, evidence: Mapping[str, EvidenceLine], scenes: Scenes, legacy: bool
    ) -> None:
        self._partners = Partners(case_set.cases)
        self._lines = evidence
        self._scenes = scenes
        self._legacy = legacy
        self._rule: HopRule = case_set.options.get("hop_rule", "within")
        self._clear = case_set.options.get("items") == "clear"
        self._searches: dict[tuple[str, str, str, int], tuple[RoomSearch, float]] = {}

    def row(self, case: Case) -> ScoreRow:
        line, skill = self._lines[case.case_id], case.groups.get("skill", "")
        values: Values = {}
        undefined: dict[str, str] = {}
        if line.failed is not None:
            worst = _FAILED.get(skill, ("mass", "top1"))
            worst = (*worst, "mass", "top1") if skill == "environment" and case.correct else worst
            values = dict.fromkeys(worst, 0.0) | self._chance(case)
            undefined = {"stop": f"the agent failed: {line.failed}"}
        elif skill == "environment":
            values = environment_values(case, line, self._scenes)
            if case.correct:
                values |= _next_step(case, scored_step(case, line))
        else:
            step = scored_step(case, line)
            if step is not None:
                values = self._step_values(case, step)
            if skill == "room-k":
                values |= self._search_values(case, line)
            elif step is None:
                undefined = dict.fromkeys(("mass", "top1", "stop"), NOT_LOGGED)
        return ScoreRow(
            episode_id=case.case_id,
            scan=base_name(case.episode.scan),
            path_id=case.episode.path_id,
            values=values,
            undefined=undefined,
            groups=case.groups,
        )

    def _step_values(self, case: Case, step: ScoredStep) -> Values:
        scene, plain = self._scenes.scene(case.episode.scan), self._plain_step(case)
        values = {"stop": step.stop} | _turn(case, scene)
        if plain is not None:
            values["stop_none"] = plain.stop
        if case.correct:
            values |= _next_step(case, step)
            if plain is not None:
                values |= _against(case, values["mass"], plain)
        if (ahead := self._step(self._partners.ahead(case))) is not None:
            values["stop_ahead"] = ahead.stop
        return values | self._figure_values(case, scene, step, plain)

    def _figure_values(self, case: Case, scene: Scene, step: ScoredStep, plain: ScoredStep | None) -> Values:
        skill = case.groups.get("skill")
        both = {"": step} if plain is None else {"": step, "_none": plain}
        if skill == "direction":
            look = _look(case)
            turns = {key: [h - look for h in _headings(scene, its)] for key, its in both.items()}
            bins = [("polar" + key, polar_masses(turns[key], its.masses)) for key, its in both.items()]
            return _ahead(turns[""], step) | _merged(bins)
        if skill == "object" and "object_heading" in case.groups:
            target = float(case.groups["object_heading"])
            bins = [
                ("error" + key, error_masses(_headings(scene, its), its.masses, target))
                for key, its in both.items()
            ]
            return _merged([*bins, ("error_forward", self._forward(case, scene, step, target))])
        if skill == "room" and case.correct:
            return self._room_values(case, scene, both)
        return {}

    def _forward(self, case: Case, scene: Scene, step: ScoredStep, target: float) -> Values:
        headings = _headings(scene, step)
        if not self._legacy:
            return error_masses(headings, forward_bias(headings, _look(case)), target)
        shares, again, _ = legacy_forward_bias(headings)
        return error_masses([*headings, *headings], [*shares, *again], target)

    def _room_values(self, case: Case, scene: Scene, both: Mapping[str, ScoredStep]) -> Values:
        label = case.groups.get("room") or scene.regions.label(case.correct[0]) or ""
        search, _ = self._search(scene, case.episode.path[case.forced_steps], label, 1)
        values: Values = {}
        for key, step in both.items():
            progress = search.progress(step.candidates)
            if (moves := sum(step.masses)) > 0:
                gained = sum(metres * mass for metres, mass in zip(progress, step.masses, strict=True))
                values["delta_m" + key] = gained / moves
            values |= _merged([("delta" + key, progress_masses(progress, step.masses))])
        return values | _difference(values, "delta_m", "delta_m_none", "delta_m_effect")

    def _search_values(self, case: Case, line: EvidenceLine) -> Values:
        """Score the free run of a case that asks for a room some hops away."""
        search, chance = self._case_search(case)
        free = line.path[case.forced_steps :]
        values = {
            "reached": float(search.reached(free)),
            "ended": float(search.holds(free[-1])),
            "chance": chance,
            "distance_m": search.distance(free[-1]),
            "distance_m_stop": search.distance(search.start),
        }
        plain = self._partners.plain(case)
        if plain is not None and (other := self._lines.get(plain.case_id)) and other.failed is None:
            values["distance_m_none"] = search.distance(other.path[-1])
        values = {name: value for name, value in values.items() if math.isfinite(value)}
        base = "distance_m_stop" if self._legacy else "distance_m_none"
        return values | _difference(values, "distance_m", base, "distance_m_effect")

    def _case_search(self, case: Case) -> tuple[RoomSearch, float]:
        scene, start = self._scenes.scene(case.episode.scan), case.episode.path[case.forced_steps]
        hops = int(case.groups.get("hops", "1"))
        return self._search(scene, start, case.groups.get("room", ""), hops)

    def _search(self, scene: Scene, start: str, label: str, hops: int) -> tuple[RoomSearch, float]:
        key = (scene.id, start, label, hops)
        if key not in self._searches:
            search = room_search(
                scene.graph, scene.regions, start, label, hops, self._rule, clear=self._clear
            )
            self._searches[key] = search, search.chance()
        return self._searches[key]

    def _chance(self, case: Case) -> Values:
        """Return the chance level of a case whose agent decided nothing."""
        scene, start = self._scenes.scene(case.episode.scan), case.episode.path[case.forced_steps]
        if case.groups.get("skill") == "room-k":
            return {"chance": self._case_search(case)[1]}
        ways = tuple(candidate.viewpoint for candidate in scene.candidates(start))
        return {"chance": ScoredStep(start, ways, (), 0.0).chance(case.correct)} if case.correct else {}

    def _step(self, case: Case | None) -> ScoredStep | None:
        return None if case is None else scored_step(case, self._lines.get(case.case_id))

    def _plain_step(self, case: Case) -> ScoredStep | None:
        return self._step(self._partners.plain(case))


def _look(case: Case) -> float:
    """Return where the agent looks when it decides, as the builder has it."""
    return float(case.groups.get("facing", case.episode.heading or 0.0))


def _ahead(turns: Sequence[float], step: ScoredStep) -> Values:
    """Return how much of the moves goes straight on, and how many of the ways do."""
    ahead = [sector(turn_degrees(turn)) == "forward" for turn in turns]
    moves = sum(step.masses)
    if not moves:
        return {}
    straight = sum(mass for mass, on in zip(step.masses, ahead, strict=True) if on)
    return {"ahead": straight / moves, "ahead_chance": sum(ahead) / len(ahead)}


def _next_step(case: Case, step: ScoredStep | None) -> Values:
    """Return what a decision is worth; nothing if none was logged."""
    if step is None:
        return {}
    right = case.correct
    return {
        "mass": step.mass(right),
        "top1": float(step.choice() in right),
        "chance": step.chance(right),
        "stop": step.stop,
    }


def _against(case: Case, mass: float, plain: ScoredStep) -> Values:
    before = plain.mass(case.correct)
    return {
        "mass_none": before,
        "top1_none": float(plain.choice() in case.correct),
        "effect": mass - before,
    }


def _difference(values: Values, a: str, b: str, name: str) -> Values:
    return {name: values[a] - values[b]} if a in values and b in values else {}


def _headings(scene: Scene, step: ScoredStep) -> list[float]:
    """Return the absolute headings of the ways of a step."""
    known = {candidate.viewpoint: candidate.heading for candidate in scene.candidates(step.viewpoint)}
    return [known[name] for name in step.candidates]


def _turn(case: Case, scene: Scene) -> Values:
    """Return by how much the last forced step turned away from the one before."""
    turns = turns_of(scene.graph, case.episode.path[: case.forced_steps + 1][-3:])
    return {"turn": turns[0]} if turns else {}


def _merged(named: Iterable[tuple[str, Mapping[str, float]]]) -> Values:
    return {f"{name}.{key}": mass for name, bins in named for key, mass in bins.items()}
