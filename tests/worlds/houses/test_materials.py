"""Names of colours and materials become paints; unknown ones are errors that help."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from math import inf

import pytest

from vlnscope.core.exceptions import InputError
from vlnscope.worlds.houses.furnish.catalogue import catalogue
from vlnscope.worlds.houses.mesh.colours import floor_paint, paint, rgb, texture, wall_bands, wall_paint
from vlnscope.worlds.rendering.mesh import TEXTURES


@pytest.mark.parametrize(
    "look", [texture, floor_paint, partial(wall_paint, "white"), partial(paint, "white")]
)
def test_unknown_materials_are_named_with_those_that_are_known(look: Callable[[str], object]) -> None:
    with pytest.raises(InputError, match="'unobtainium'") as caught:
        look("unobtainium")
    assert "stone" in caught.value.expected
    with pytest.raises(InputError, match="'stine'; did you mean 'stone'"):
        look("stine")


def test_all_materials_of_the_catalogue_are_known() -> None:
    for name, kind in catalogue().items():
        for material in kind.materials:
            assert texture(material) < len(TEXTURES), name


def test_tiles_and_panels_end_below_plaster() -> None:
    (height, tiles), (end, above) = wall_bands("blue", "metro tiles")
    assert 1.0 < height < end == inf
    assert (TEXTURES[tiles.texture], TEXTURES[above.texture]) == ("metro tiles", "plaster")
    assert above[:3] == rgb("blue")
    assert wall_bands("blue", "brick") == [(inf, wall_paint("blue", "brick"))]
