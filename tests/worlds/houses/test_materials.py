"""Names of colours and materials become paints; unknown ones are errors that help."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from math import inf

import pytest

from vlnscope.core.exceptions import InputError
from vlnscope.core.rng import rng_for
from vlnscope.worlds.houses.furnish.catalogue import COLOURS, catalogue, palette_of
from vlnscope.worlds.houses.layout.finishes import STYLES, make_finishes
from vlnscope.worlds.houses.mesh.colours import (
    floor_paint,
    paint,
    rgb,
    texture,
    varied,
    wall_bands,
    wall_paint,
)
from vlnscope.worlds.houses.parts import items_mesh
from vlnscope.worlds.houses.plan.plan import PlanItem
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


@pytest.mark.parametrize("colour", COLOURS)
def test_tones_differ_but_keep_the_name_of_their_colour(colour: str) -> None:
    tones = {varied(paint(colour, "fabric"), "sofa", number) for number in range(60)}
    assert len(tones) > 20
    for tone in tones:
        away = {name: sum((p - q) ** 2 for p, q in zip(tone, rgb(name), strict=False)) for name in COLOURS}
        assert min(away, key=away.__getitem__) == colour
    assert varied(paint(colour), "sofa", 1) == varied(paint(colour), "sofa", 1)


def test_wood_of_a_colour_that_no_wood_has_is_painted() -> None:
    assert TEXTURES[paint("brown", "wood").texture] == "wood"
    assert TEXTURES[paint("white", "wood").texture] == "painted wood"


def test_all_finishes_of_all_styles_can_be_built() -> None:
    for style in STYLES.values():
        for material in (*style.dry, *style.wet, *style.soft):
            floor_paint(material)
        for scheme in style.schemes:
            assert len(scheme) == 3
            for colour in scheme:
                for material in style.papers:
                    wall_paint(colour, material)


def test_houses_of_one_style_differ_and_rooms_of_a_house_match() -> None:
    drawn = [make_finishes(rng_for(seed, "finishes")) for seed in range(200)]
    assert {finishes.style for finishes in drawn} == set(STYLES)
    assert len({(f.style, f.dry, f.wet, f.colours, f.paper) for f in drawn}) > 100
    for finishes in drawn:
        walls = {finishes.wall_of("b", number) for number in range(17)}
        assert walls <= {*finishes.colours, "terracotta", "white", "oak", "sand"}
        floor_paint(finishes.floor_of("p"))
        wall_paint("white", finishes.covering_of("a", 0))
        assert finishes.covering_of("a", 0) != "plaster"


def test_palettes_have_quiet_colours_and_two_accents() -> None:
    for style in ("modern", "rustic", "no such style"):
        palettes = {palette_of(style, rng_for(seed, "palette")).colours for seed in range(40)}
        assert len(palettes) > 3
        for colours in palettes:
            assert set(colours) <= set(COLOURS)
            assert len(set(colours)) == len(colours)


def test_wood_has_one_tone_in_a_house() -> None:
    items = [
        PlanItem(id=name, name=name, room="r", position=(0, 0, 0), size=(1, 0.5, height), colour="brown")
        for name, height in (("desk", 0.75), ("dresser", 1.0), ("bench", 0.5))
    ]
    wood = TEXTURES.index("wood")
    tones = []
    for style in ("modern", "rustic"):
        mesh = items_mesh(items, style)
        main = [
            {tuple(row) for row in mesh.colour[(mesh.instance == i) & (mesh.texture == wood)].tolist()}
            for i in range(len(items))
        ]
        tones.append(set.intersection(*main))
    assert all(tones)
    assert tones[0] != tones[1]
