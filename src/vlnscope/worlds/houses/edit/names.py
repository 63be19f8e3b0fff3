"""Names of edited houses: the name of a house and the edits that were made to it, e.g. for case files.

``house-00012~remove-item;item=chair-2`` is house-00012 without one chair. Whoever can load houses by name
can load it, and needs no file for it.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from urllib.parse import quote, unquote

from vlnscope.core.exceptions import DataNotFoundError, InputError
from vlnscope.worlds.houses.edit.edits import edit_of, record_of

MARK = "~"
_BETWEEN = ";"
_SAFE = "[],.-_"


def edited_name(house: str, history: Iterable[Mapping[str, object]]) -> str:
    """Return the name of a house after some edits.

    Args:
        house: the name of the house as it was.
        history: records of the edits, as in `FloorPlan.history`.

    Example:
        >>> edited_name("house-00012", [{"edit": "remove-item", "item": "chair-2"}])
        'house-00012~remove-item;item=chair-2'
    """
    return MARK.join([house, *(_written(record_of(edit_of(record))) for record in history)])


def base_name(name: str) -> str:
    """Return the name of the house that an edited one was made from; a house that is not edited is its own.

    Example:
        >>> base_name("house-00012~remove-item;item=chair-2"), base_name("house-00012")
        ('house-00012', 'house-00012')
    """
    return name.partition(MARK)[0]


def edits_in(name: str) -> tuple[dict[str, object], ...]:
    """Return the records of the edits in a name; none if the house is not edited.

    Example:
        >>> edits_in("house-00012~move-item;item=chair-2;at=[1.5,2.0]")
        ({'edit': 'move-item', 'item': 'chair-2', 'at': [1.5, 2.0]},)

    Raises:
        DataNotFoundError: a part of the name is no edit.
    """
    return tuple(_read(name, part) for part in name.split(MARK)[1:])


def _written(record: Mapping[str, object]) -> str:
    return _BETWEEN.join(
        [str(record["edit"]), *(f"{key}={_value(value)}" for key, value in record.items() if key != "edit")]
    )


def _value(value: object) -> str:
    plain = isinstance(value, str) and not _is_json(value)
    text = quote(str(value) if plain else json.dumps(value, separators=(",", ":")), safe=_SAFE)
    return text.replace(MARK, "%7E")  # which `quote` leaves as it is


def _read(name: str, part: str) -> dict[str, object]:
    edit, *members = part.split(_BETWEEN)
    record: dict[str, object] = {"edit": edit}
    for member in members:
        key, _, written = member.partition("=")
        text = unquote(written)
        record[key] = json.loads(text) if _is_json(text) else text
    try:
        return record_of(edit_of(record))
    except InputError as error:
        raise DataNotFoundError(
            f"there is no house called {name!r}: {error.what}",
            expected="the name of a house, then `~` and an edit such as `remove-item;item=chair-2`",
            fix="take the name from the case file that it came with",
        ) from None


def _is_json(text: str) -> bool:
    try:
        json.loads(text)
    except (ValueError, RecursionError):
        return False
    return True
