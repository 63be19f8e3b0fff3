"""Recipes: what is put into each type of room, read from ``rooms.toml`` and carried out step by step."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from functools import cache
from pathlib import Path
from typing import Any, Literal

import msgspec

from vlnscope.worlds.houses.furnish import bathrooms, bedrooms, dining, halls, kitchens, outside, seating
from vlnscope.worlds.houses.furnish.arrangements import EYE, Furnisher
from vlnscope.worlds.houses.furnish.catalogue import Appearance
from vlnscope.worlds.houses.furnish.finish import Finish
from vlnscope.worlds.houses.furnish.placements import Score
from vlnscope.worlds.houses.furnish.placer import Clear
from vlnscope.worlds.houses.plan.plan import XYZ, PlanItem


class Times(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """How often: `least`, or drawn from a range; one more per `per` m², and for every area of `over`."""

    least: int = 0
    drawn: tuple[int, int] | None = None
    per: float = 0.0
    over: tuple[float, ...] = ()

    def of(self, f: Furnisher) -> int:
        """Return the number for a room."""
        count = self.least if self.drawn is None else int(f.rng.integers(*self.drawn))
        count += int(f.area / self.per) if self.per else 0
        return count + sum(f.area > area for area in self.over)


class Step(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """One step of a recipe.

    Attributes:
        do: the procedure or the recipe to carry out.
        options: arguments of the procedure (``with`` in the file).
        put: the class of the object to put in; of several, one is drawn.
        at: where: along a ``wall``, at its ``ends``, ``far`` from doors, ``near`` the last object or a
            ``window``, in a ``corner``, ``hang`` on a wall, ``above``, ``beside``, in ``front`` of or ``on``
            the object that the step belongs to.
        chance: how likely the step is, in a house of average density; None if it is always done.
        over: area that the room must exceed, m².
        far: how much the distance from doors counts; 1 if it is not said.
        height: of the middle of what hangs.
        gap: between an object and what is put in front of it.
        size, material: what the object has instead of what is drawn for it.
        like: whether the object looks like the one that the step belongs to, or differs in colour alone.
        clear: depth of the floor to keep free before it, if it is not the usual one.
        group: objects of one group may stand in each other's clearance.
        times: how many are put in, which look alike.
        alike: the share of these that look alike.
        things: small things of which `count` are put on the object that the step belongs to.
        on: the class of that object, if it is not the one before.
        then: further steps that belong to the object, if it found a place.
    """

    do: str = ""
    options: dict[str, Any] = msgspec.field(default_factory=dict, name="with")
    put: str | tuple[str, ...] = ""
    at: Literal[
        "wall", "ends", "far", "near", "window", "corner", "hang", "above", "beside", "front", "on"
    ] = "wall"
    chance: float | None = None
    over: float = 0.0
    far: float | None = None
    height: float = EYE
    gap: float = 0.0
    size: XYZ | None = None
    material: str = ""
    like: Literal["", "same", "other colour"] = ""
    clear: float = 0.0
    group: str = ""
    times: Times | None = None
    alike: float = 1.0
    things: tuple[str, ...] = ()
    count: int = 0
    on: str = ""
    then: tuple[Step, ...] = ()


class Recipe(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """How a type of room is furnished.

    Attributes:
        steps: what is done, in this order.
        labels: the rooms that it furnishes, each with the share of the floor that furniture may cover.
        finish: curtains, furniture along free walls, pictures, plants and lamps at last.
        some: how many of the steps are done, drawn at random; None for all of them.
    """

    steps: tuple[Step, ...]
    labels: dict[str, float] = {}
    finish: Finish | None = None
    some: Times | None = None

    def carry_out(self, f: Furnisher) -> None:
        """Furnish a room."""
        steps = self.steps
        if self.some is not None:
            order = f.rng.permutation(len(steps)).tolist()
            steps = tuple(steps[k] for k in order[: self.some.of(f)])
        _carry_out(f, steps, None)
        if self.finish is not None:
            self.finish.carry_out(f)


Procedure = Callable[..., object]
PROCEDURES: Mapping[str, Procedure] = {
    procedure.__name__: procedure
    for module in (bathrooms, bedrooms, dining, halls, kitchens, outside, seating)
    for procedure in module.PROCEDURES
}
"""What a step may `do`, besides other recipes."""


@cache
def recipes() -> Mapping[str, Recipe]:
    """Return all recipes by name."""
    path = Path(__file__).with_name("rooms.toml")
    return msgspec.toml.decode(path.read_bytes(), type=dict[str, Recipe])


@cache
def recipes_by_label() -> Mapping[str, Recipe]:
    """Return the recipe of each type of room; rooms of other types stay empty."""
    return {label: recipe for recipe in recipes().values() for label in recipe.labels}


def _carry_out(f: Furnisher, steps: tuple[Step, ...], base: PlanItem | None) -> None:
    for step in steps:
        if f.area > step.over and (step.chance is None or f.chance(step.chance)):
            _do(f, step, base)


def _do(f: Furnisher, step: Step, base: PlanItem | None) -> None:
    if step.on:
        base = f.first(step.on)
    if step.do in PROCEDURES:
        PROCEDURES[step.do](f, **step.options)
    elif step.do:
        recipes()[step.do].carry_out(f)
    elif step.things:
        if base is not None:
            f.small_things(base, step.things, step.count)
    else:
        name = step.put if isinstance(step.put, str) else f.pick(step.put)
        for look in _looks(f, step, name, base):
            item = _put(f, step, name, look, base)
            if item is not None:
                _carry_out(f, step.then, item)


def _looks(f: Furnisher, step: Step, name: str, base: PlanItem | None) -> Iterator[Appearance | None]:
    """Yield how each object of a step looks; None if that is to be drawn when it is put in."""
    if step.times is not None:
        look = f.look(name)
        for _ in range(step.times.of(f)):
            yield look if step.alike == 1.0 or f.rng.random() < step.alike else None
    elif step.like:
        assert base is not None
        colour = base.colour if step.like == "same" else f.other_colour(base)
        yield f.look(name, like=base, colour=colour)
    elif step.size or step.material:
        look = f.look(name)
        yield look._replace(size=step.size or look.size, material=step.material or look.material)
    else:
        yield None


def _put(
    f: Furnisher, step: Step, name: str, look: Appearance | None, base: PlanItem | None
) -> PlanItem | None:
    match step.at:
        case "corner":
            return f.corner(name, look=look, group=step.group)
        case "hang":
            score = f.far(step.far) if step.far else None
            return f.hang(name, look=look, centre=step.height, score=score)
        case "above" | "beside" | "front" | "on":
            assert base is not None
            return _put_at(f, step, name, look, base)
    clear = Clear(step.clear) if step.clear else None
    return f.against(name, _score(f, step, base), look=look, clear=clear, group=step.group)


def _put_at(f: Furnisher, step: Step, name: str, look: Appearance | None, base: PlanItem) -> PlanItem | None:
    match step.at:
        case "above":
            return f.above(base, name, look=look)
        case "beside":
            return f.beside(base, name, f.pick((-1, 1)), look=look, group=step.group)
        case "front":
            return f.in_front(base, name, (step.gap,), look=look, turn=0, group=step.group)
    return f.put_on(base, name, look=look)


def _score(f: Furnisher, step: Step, base: PlanItem | None) -> Score:
    match step.at:
        case "ends":
            return f.ends()
        case "far":
            return f.far(step.far or 1.0)
        case "near":
            assert base is not None
            return f.near(base.position[:2])
        case "window":
            return f.near_window()
    return f.anywhere()
