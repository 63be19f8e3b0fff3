"""The table of names: number, articles, the words for going, and labels that look alike."""

from __future__ import annotations

import pytest

from vlnscope.core.exceptions import InputError
from vlnscope.language.lexicon.entries import read_words
from vlnscope.language.names import alike, look_alikes, noun, plural_of, room_noun, room_nouns, takes_an
from vlnscope.language.parse import parse
from vlnscope.worlds.rooms import ROOM_NAMES, SPOKEN_ROOMS


@pytest.mark.parametrize(
    ("name", "indefinite", "plural", "enter", "leave"),
    [
        ("familyroom", "a family room", "family rooms", "into the family room", "out of the family room"),
        ("office", "an office", "offices", "into the office", "out of the office"),
        (
            "utility room",
            "a utility room",
            "utility rooms",
            "into the utility room",
            "out of the utility room",
        ),
        ("porch", "a porch", "porches", "onto the porch", "off the porch"),
        ("patio", "a patio", "patios", "out to the patio", "off the patio"),
        ("balcony", "a balcony", "balconies", "out onto the balcony", "in from the balcony"),
        ("tv room", "a TV room", "TV rooms", "into the TV room", "out of the TV room"),
        ("stairs", "some stairs", "stairs", "onto the stairs", "off the stairs"),
        ("doorway", "a doorway", "doorways", "through the doorway", "away from the doorway"),
        ("rec", "a rec room", "rec rooms", "into the rec room", "out of the rec room"),
    ],
)
def test_names_of_places(name: str, indefinite: str, plural: str, enter: str, leave: str) -> None:
    said = noun(name)
    assert (said.indefinite, said.plural, said.enter, said.leave) == (indefinite, plural, enter, leave)


def test_plurals_stay_plural_and_mass_nouns_uncounted() -> None:
    assert (noun("books").definite, noun("books").be, noun("book").be) == ("the books", "are", "is")
    assert (noun("furniture").indefinite, noun("furniture").be) == ("some furniture", "is")
    assert noun("chairs") != noun("chair")
    assert noun("chairs").singular == "chair"


@pytest.mark.parametrize(
    ("name", "plural"),
    [
        ("gizmo", "gizmos"),
        ("brass tray", "brass trays"),
        ("wall bench", "wall benches"),
        ("glass shelf", "glass shelves"),
    ],
)
def test_unknown_names_are_inflected_as_english_is(name: str, plural: str) -> None:
    assert plural_of(name) == noun(name).plural == plural


def test_every_label_and_every_released_spelling_has_a_name() -> None:
    assert set(SPOKEN_ROOMS) == set(ROOM_NAMES)
    assert {label for label in ROOM_NAMES if not room_nouns(label)} == {"Z", "-"}
    run_together = {
        name for names in ROOM_NAMES.values() for name in names if name.endswith("room") and " " not in name
    }
    for name in run_together - {"bathroom", "bedroom", "classroom", "mudroom"}:
        assert noun(name).singular == name.removesuffix("room") + " room"


def test_every_name_of_a_label_is_read_as_that_label() -> None:
    """What is said for a label must be understood as a room of it, or an agent could not do what is asked."""
    letters = read_words("rooms").entries
    for label in set(ROOM_NAMES) - {"s", "Z", "-"}:
        for said in room_nouns(label):
            place = parse(f"Walk towards the {said.said}.").actions[0].place
            assert place is not None, said
            assert label in letters[place.name].letters, (label, said, place.name)


def test_variants_go_round() -> None:
    assert room_noun("o", 0) == room_noun("o", 2) != room_noun("o", 1)


def test_articles_follow_the_sound() -> None:
    words = ("hour", "urn", "urinal", "unit", "one way", "oven", "x-ray")
    assert [takes_an(word) for word in words] == [True, True, False, False, False, True, False]


def test_alike_holds_both_ways_and_not_from_one_to_the_next() -> None:
    for label in SPOKEN_ROOMS:
        assert alike(label, label)
        assert all(alike(other, label) for other in look_alikes(label))
    assert alike("p", "x")
    assert alike("p", "y")
    assert not alike("x", "y")
    assert not alike("k", "d")
    assert all(alike("z", other) for other in SPOKEN_ROOMS)


def test_labels_without_a_name_are_refused_with_what_to_do() -> None:
    with pytest.raises(InputError, match="no room label 'q'"):
        room_nouns("q")
    with pytest.raises(InputError, match="has no name"):
        room_noun("Z")
    with pytest.raises(InputError, match="no room label"):
        alike("k", "?")
