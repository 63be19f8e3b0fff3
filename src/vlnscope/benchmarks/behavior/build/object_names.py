"""How objects are called, and which are not asked for.

Objects of Matterport3D are called by the 40 categories of its taxonomy, as in vln-behave; those of built-in
houses by their own names, which say more.
"""

from __future__ import annotations

import csv
import io
import re
from collections.abc import Mapping
from pathlib import Path

from vlnscope.core.exceptions import DataNotFoundError, InputError, UnknownNameError
from vlnscope.core.files import find_file, read_bytes
from vlnscope.language.lexicon.matching import object_entry
from vlnscope.language.names import noun
from vlnscope.worlds.houses.furnish.catalogue import catalogue
from vlnscope.worlds.matterport.scans import MatterportScenes
from vlnscope.worlds.scene import Scenes

EXCLUDED = frozenset(
    {
        "appliances", "ceiling", "door", "floor", "lighting", "misc", "objects", "railing", "shelving",
        "stairs", "unlabeled", "void", "wall", "window",
    }
)  # fmt: skip
"""Categories that vln-behave does not ask for: parts of the building, and names for all and nothing."""
HOUSE_EXCLUDED = frozenset(
    {
        "door", "doorway", "window", "stairs", "rug", "floor lamp", "table lamp", "chandelier", "bookshelf",
        "coat rack", "shoe rack", "stove", "refrigerator", "dishwasher", "microwave", "washing machine",
        "dryer", "blinds", "bath mat", "yoga mat", "oven", "range hood", "toaster", "coffee machine",
        "wall shelf", "wine rack", "radiator", "ceiling fan", "air conditioner",
    }
)  # fmt: skip
"""Objects of houses that belong to these categories."""
VAGUE = frozenset(
    {
        "beam", "blinds", "board", "clothes", "clutter", "column", "exercise equipment", "frame", "furniture",
        "panel", "seat", "stand", "unit", "weights",
        "basin", "bedpost", "countertop", "curtain rod", "drawer", "headboard", "rod", "sheet", "shower head",
        "book", "books", "bottle", "bowl", "candle", "cup", "dress", "glass", "kettle", "knife block",
        "photo frame", "plate", "pot", "robe", "shoes", "toiletry",
    }
)  # fmt: skip
"""Names that do not say what to look for, of parts of other things, and of things too small to walk to."""
_CLUTTER = re.compile(r"\s*(?:/?\s*w/|/\s*w\b|\bwith\b|/|\bbehind\b).*")
_BUILDING = frozenset({"door", "doorway", "window", "stairs"})
_FILES = ("mp3d_rooms/mp3d_category_mapping.tsv", "category_mapping.tsv", "mp3d_category_mapping.tsv")


class ObjectNames:
    """Names of objects by what a scene calls them.

    Args:
        categories: the category of each raw name, None for built-in houses.
    """

    def __init__(self, categories: Mapping[str, str] | None) -> None:
        self._categories = categories

    def spoken(self, raw: str, where: str) -> str:
        """Return how an object is called; `where` is for the error message.

        Raises:
            InputError: nothing is known of this name.
        """
        if self._categories is None:
            known = raw in catalogue() or raw in _BUILDING
        else:
            known = raw in self._categories
        if not known:
            unknown = UnknownNameError("object", raw, self._categories or catalogue())
            raise InputError(
                f"{where}: {unknown.what}",
                expected="an object of the category mapping"
                if self._categories
                else "an object of the houses",
                fix="correct the name, or add it to the category mapping",
            )
        return raw if self._categories is None else self._categories[raw]

    def said(self, raw: str, where: str) -> str | None:
        """Return what people would call an object; None if that does not tell what to look for.

        Its own name, as the lexicon has it, says more than the category: a nightstand is no chest of drawers.

        Raises:
            InputError: nothing is known of this name.
        """
        if not self.is_asked(self.spoken(raw, where)):
            return None
        plain = _CLUTTER.sub("", raw)
        name = object_entry(plain) if self._categories is not None else plain
        return None if name is None or name in VAGUE else noun(name).said

    def is_asked(self, name: str) -> bool:
        """Return whether an object of this (spoken) name is asked for."""
        return name not in (HOUSE_EXCLUDED if self._categories is None else EXCLUDED)


def names_for(scenes: Scenes, source: str) -> ObjectNames:
    """Return the names of the objects of scenes; `source` is that of their objects.

    Raises:
        DataNotFoundError: Matterport's category mapping is not in the data folder.
    """
    if source == "houses":
        return ObjectNames(None)
    root = scenes.root if isinstance(scenes, MatterportScenes) else Path()
    path = find_file(*(root / name for name in _FILES))
    if path is None:
        raise DataNotFoundError(
            f"{root}: the category mapping of Matterport3D is not there",
            expected=f"{root / _FILES[0]}, a table with the columns raw_category and mpcat40",
            fix="copy category_mapping.tsv of the Matterport3D release there, or leave out the skill object",
        )
    return ObjectNames(read_categories(path))


def read_categories(path: Path) -> dict[str, str]:
    """Read the category of each raw name from Matterport's ``category_mapping.tsv``, with spaces for ``_``.

    Raises:
        InputError: the file is no such table.
    """
    text = read_bytes(path).decode("utf-8", "replace")
    rows = csv.DictReader(io.StringIO(text), delimiter="\t", quoting=csv.QUOTE_NONE)
    if not {"raw_category", "mpcat40"} <= set(rows.fieldnames or ()):
        raise InputError(
            f"{path}: has no columns raw_category and mpcat40",
            expected="the category mapping of Matterport3D, separated by tabs",
            fix="copy it again",
        )
    return {row["raw_category"]: (row["mpcat40"] or "void").replace("_", " ") for row in rows}
