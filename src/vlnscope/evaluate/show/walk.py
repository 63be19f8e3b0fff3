"""The walk of an episode as it is drawn: an agent's or the annotated one, beside reference and shortest path.

Ground-truth files have turns without their size. Experts walk where they look, so the size that fits the
moves best is taken.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from itertools import groupby, pairwise

from vlnscope.core.exceptions import InputError
from vlnscope.types import Continuous, Episode, Floats, Points, Prediction
from vlnscope.worlds.continuous.pathfinder import PathFinder
from vlnscope.worlds.frames import heading_of_quaternion
from vlnscope.worlds.maps.walks import MapWalk, feet_on_graph
from vlnscope.worlds.scene import Scene

_TURNS = (math.radians(15), math.radians(30))
_SIDES = {2: -1.0, 3: 1.0}
_FORWARD = 1
_STOP = 0
_MOVED = 0.05


def reference_prediction(episode: Episode) -> Prediction:
    """Return the annotated walk of an episode as if an agent had done it.

    In continuous space that is the expert's walk of the ground truth, action by action, else the straight
    lines between the points of the reference; on a graph, the reference path.

    Raises:
        InputError: the file keeps the reference secret.
    """
    space = episode.continuous
    if space is not None and space.locations:
        positions, headings = _expert(space)
        return Prediction(
            episode_id=episode.episode_id, positions=positions, headings=headings or None, stopped=True
        )
    positions = () if space is None else space.reference_path
    path = () if positions else episode.path
    if len(positions or path) < 2:
        raise InputError(
            f"episode {episode.episode_id} has no reference that could be drawn",
            expected="an episode whose reference is not kept secret",
            fix="name what an agent did, with --run or --predictions",
        )
    return Prediction(episode_id=episode.episode_id, positions=positions, path=path, stopped=True)


def drawn_walk(scene: Scene, episode: Episode, prediction: Prediction, *, radius: float = 3.0) -> MapWalk:
    """Return what is drawn of a walk: all that is known, in Habitat's frame.

    Args:
        scene: where it took place; has a graph, if the walk is one of viewpoints.
        episode: what was asked.
        prediction: what was done.
        radius: how near to the goal counts as there, metres.

    Raises:
        InputError: the walk goes to viewpoints that the scene does not have, or nowhere.
    """
    if not prediction.positions and not prediction.path:
        raise InputError(
            f"episode {episode.episode_id}: the prediction is empty",
            expected="positions, or viewpoints",
            fix="let the agent walk the episode",
        )
    if prediction.positions:
        positions, headings = prediction.positions, _headings(prediction)
    else:
        positions, headings = _on_graph(scene, episode, prediction)
    return MapWalk(
        positions,
        headings=headings,
        collisions=collided(prediction),
        reference=_reference(scene, episode),
        shortest=_shortest(scene, episode, positions),
        goals=_goals(scene, episode),
        radius=radius,
        stopped=prediction.stopped,
        on_graph=not prediction.positions,
    )


def collided(prediction: Prediction) -> tuple[int, ...]:
    """Return the numbers of the positions at which an agent had just run into something, as far as is known.

    Example:
        >>> collided(Prediction(episode_id="1", positions=((0, 0, 0),) * 3, extra={"collisions": [1]}))
        (2,)
    """
    known = prediction.extra.get("collisions")
    if not isinstance(known, Sequence) or isinstance(known, str):
        return ()
    return tuple(at + 1 for at in known if isinstance(at, int) and 0 <= at < len(prediction.positions) - 1)


def _expert(space: Continuous) -> tuple[Points, tuple[float, ...]]:
    """Return the pose of an expert after each action, of a file that has a location per step forward."""
    moves = [action for action in space.actions if action != _STOP]
    if moves.count(_FORWARD) + 1 != len(space.locations):
        return space.locations, ()
    at = [0]
    for move in moves:
        at.append(at[-1] + (move == _FORWARD))
    positions = tuple(space.locations[k] for k in at)
    start = heading_of_quaternion(space.start_rotation)
    readings: list[list[float]] = []
    for turn in _TURNS:
        looks = [start]
        for move in moves:
            looks.append((looks[-1] + turn * _SIDES.get(move, 0.0)) % math.tau)
        readings.append(looks)
    fit: list[float] = min(readings, key=lambda looks: _misfit(positions, looks))
    return positions, tuple(fit)


def _headings(prediction: Prediction) -> tuple[float, ...]:
    """Return where an agent looked at its positions; nothing where no file says so."""
    angles = prediction.headings
    return () if angles is None or len(angles) != len(prediction.positions) else angles


def _misfit(positions: Points, headings: Sequence[float]) -> float:
    """Return by how many radians, in the mean, moves lead elsewhere than where the agent looks after them."""
    errors = []
    for (a, b), heading in zip(pairwise(positions), headings[1:], strict=True):
        if math.dist(a[::2], b[::2]) > _MOVED:
            way = math.atan2(b[0] - a[0], a[2] - b[2])
            errors.append(abs((way - heading + math.pi) % math.tau - math.pi))
    return round(sum(errors) / len(errors), 6) if errors else 0.0


def _on_graph(scene: Scene, episode: Episode, prediction: Prediction) -> tuple[Points, tuple[float, ...]]:
    """Return the viewpoints of a walk, turns on the spot left out, and where it looked when it left each."""
    groups = [list(group) for _, group in groupby(range(len(prediction.path)), prediction.path.__getitem__)]
    positions = feet_on_graph(scene, [prediction.path[group[0]] for group in groups])
    if prediction.headings is not None and len(prediction.headings) == len(prediction.path):
        return positions, tuple(prediction.headings[group[-1]] for group in groups)
    return positions, () if episode.heading is None else (episode.heading,)


def _reference(scene: Scene, episode: Episode) -> Points:
    if episode.continuous is not None:
        return episode.continuous.reference_path
    return feet_on_graph(scene, episode.path) if len(episode.path) > 1 else ()


def _goals(scene: Scene, episode: Episode) -> Points:
    if episode.continuous is not None:
        return episode.continuous.goals
    return feet_on_graph(scene, episode.path[-1:]) if len(episode.path) > 1 else ()


def _shortest(scene: Scene, episode: Episode, positions: Points) -> Points:
    """Return the shortest path to the goal; nothing where it is the reference, or is not known."""
    if episode.continuous is None:
        if len(episode.path) < 2:
            return ()
        nodes = scene.graph.shortest_path(episode.path[0], episode.path[-1])
        return () if tuple(nodes) == episode.path else feet_on_graph(scene, nodes)
    goals = episode.continuous.goals
    if not goals or not scene.has("navmesh"):
        return ()
    ground: PathFinder = scene.layer("navmesh")
    corners: Floats = ground.path(positions[0], goals[0])
    return tuple((x, y, z) for x, y, z in corners.tolist())
