"""Actions and places in one short line each, to show and to compare them."""

from __future__ import annotations

from vlnscope.language.actions import Action, Place


def outline(action: Action) -> str:
    """Return what an action asks for in one line: kind, direction, place, side, where it happens.

    Example:
        >>> sofa = Place(what="object", name="sofa", attributes=("red",))
        >>> outline(Action(kind="turn", direction="left", at=sofa, at_relation="after"))
        'turn(left, @after sofa[red])'
    """
    place = action.place and place_outline(action.place)
    parts = [
        action.direction,
        " ".join(part for part in (action.relation, place) if part),
        action.side and f"side {action.side}",
        action.at and f"@{action.at_relation} {place_outline(action.at)}",
    ]
    return f"{action.kind}({', '.join(part for part in parts if part)})"


def place_outline(place: Place) -> str:
    """Return a place in one line; rooms are in capitals, ``#2`` is the second, ``x2`` two of them.

    Example:
        >>> kitchen = Place(what="room", name="kitchen")
        >>> place_outline(Place(what="object", name="door", ordinal=2, relations=(("at", kitchen),)))
        'door[#2, at KITCHEN]'
    """
    parts = [
        "/".join(place.attributes),
        place.ordinal and f"#{place.ordinal}",
        None if place.count is None else f"x{place.count}",
        place.side and f"side {place.side}",
        *(f"{relation} {place_outline(other)}" for relation, other in place.relations),
    ]
    said = ", ".join(str(part) for part in parts if part)
    name = place.name.upper() if place.what == "room" else place.name
    return f"{name}[{said}]" if said else name
