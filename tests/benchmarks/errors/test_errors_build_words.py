"""The words of errors: lists, priors, finding and swapping."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from vlnscope.benchmarks.errors.build import types as extra_types
from vlnscope.benchmarks.errors.build.priors import SOURCES, neighbours, others, prior_file
from vlnscope.benchmarks.errors.build.swaps import Edit, cased_like, reword, takes_an
from vlnscope.benchmarks.errors.build.types import TYPES, mentions, replacements
from vlnscope.benchmarks.errors.build.word_matching import directions, has_words, is_sure, objects, rooms
from vlnscope.benchmarks.errors.build.words import object_classes, opposites, room_classes, same_thing

PAPER_ROOMS = (
    "kitchen archway bathroom bedroom gym lounge hallway living_room office dining_room laundry restroom"
)
TEXTS = (
    "Leave the Kitchen and turn left. Walk past an armchair into the dining room.",
    "Go up the stairs, go around the couches and wait at the second door by an ottoman.",
    "Exit an office, pass the leftmost grey sofa. Go back inside. Stop near a refrigerator.",
    "WALK OUT OF THE BATHROOM AND STOP BY THE BEDS",
)


def test_the_directions_are_the_paper_s_seven_pairs() -> None:
    assert len(opposites()) == 14
    assert all(opposites()[opposites()[word]] == word for word in opposites())


def test_the_rooms_are_the_paper_s_with_synonyms_put_together() -> None:
    said = {form for room in room_classes().values() for form in room.forms}
    assert {word.replace("_", " ") for word in PAPER_ROOMS.split()} <= said
    assert same_thing("lounge", "living room")
    assert not has_words("the foyer", "room", "word")


def test_at_least_sixty_objects_and_no_word_for_two_of_them() -> None:
    classes = object_classes()
    assert len(classes) >= 60
    said = [word for one in classes.values() for word in {*one.forms, *one.plurals}]
    assert len(said) == len(set(said))


@pytest.mark.parametrize("source", SOURCES)
def test_neighbours_are_counted_and_never_mean_the_same(source: str) -> None:
    for what, classes in (("room", room_classes()), ("object", object_classes())):
        for name in classes:
            near = neighbours(what, name, source)  # type: ignore[arg-type]
            assert all(count > 0 and not same_thing(name, other) for other, count in near.items())
            assert set(near) <= set(others(what, name))  # type: ignore[arg-type]
            for other, count in near.items():
                assert neighbours(what, other, source)[name] == count  # type: ignore[arg-type]


def test_common_sense_is_as_one_knows_it() -> None:
    assert "bathroom" in list(neighbours("room", "bedroom", "real"))[:2]
    bed, toilet = neighbours("object", "bed", "real"), neighbours("object", "toilet", "real")
    assert bed["nightstand"] > bed.get("toilet", 0)
    assert toilet["sink"] > toilet.get("sofa", 0)


def test_no_pair_is_more_frequent_than_its_members() -> None:
    for name in ("room_adjacency", "object_colocation"):
        for counts in prior_file(name).sources.values():
            for pair, count in counts.pairs.items():
                assert count <= min(counts.names[part] for part in pair.split("|")) <= counts.groups


def test_directions_are_told_from_other_uses_of_the_words() -> None:
    text = "Go down the hallway. Go down the stairs, wait right in front of the right door."
    assert [(m.name, is_sure(text, m)) for m in directions(text)] == [
        ("go down", False),
        ("go down", True),
        ("right", False),
        ("right", True),
    ]


def test_rooms_inside_names_of_objects_are_doubtful_and_substrings_are_a_switch() -> None:
    text = "Enter the Living  Room, pass the kitchen island and the bedrooms."
    assert [(m.name, m.plural, is_sure(text, m)) for m in rooms(text)] == [
        ("living room", False, True),
        ("kitchen", False, False),
        ("bedroom", True, True),
    ]
    assert not rooms("the gymnasium")
    assert [m.name for m in rooms("the gymnasium", "substring")] == ["gym"]


def test_objects_are_nouns_that_stand_for_themselves() -> None:
    found = objects("Exit past the glass coffee table, the pool area and two lounge chairs by the bed.")
    assert [(m.name, m.plural) for m in found] == [
        ("coffee table", False),
        ("armchair", True),
        ("bed", False),
    ]


def test_up_and_down_are_vertical_on_stairs_only() -> None:
    found = extra_types.verticals("Walk down the hall, up the stairs and stop at the top of the steps.")
    assert [m.name for m in found] == ["up", "top"]


def test_colours_that_look_alike_are_not_swapped() -> None:
    assert "silver" not in extra_types.other_colours("grey")
    assert "grey" not in extra_types.other_colours("grey")


@pytest.mark.parametrize(
    ("old", "new", "text", "expected"),
    [
        ("office", "kitchen", "Enter an office.", "Enter a kitchen."),
        ("kitchen", "office", "A kitchen is ahead.", "An office is ahead."),
        ("kitchen", "office", "Leave the kitchen.", "Leave the office."),
        ("Kitchen", "living room", "Kitchen first", "Living room first"),
        ("LEFT", "right", "TURN LEFT", "TURN RIGHT"),
        ("urn", "unicycle", "an urn", "a unicycle"),
    ],
)
def test_grammar_is_kept(old: str, new: str, text: str, expected: str) -> None:
    at = text.index(old)
    assert reword(text, [Edit(at, at + len(old), new)]).text == expected


@given(st.data())
def test_undoing_what_is_recorded_gives_the_original(data: st.DataObject) -> None:
    text = data.draw(st.sampled_from(TEXTS))
    what = data.draw(st.sampled_from(sorted({w for t in TYPES.values() for w in t.ingredients})))
    found = mentions(text, what, "word")
    if not found:
        return
    spot = data.draw(st.sampled_from(found))
    options = replacements(spot, common_sense=data.draw(st.booleans()), priors="real")
    if not options:
        return
    new = data.draw(st.sampled_from(options))
    made = reword(text, [Edit(spot.start, spot.end, new.words)])
    back = made.text
    for swap in sorted((*made.swaps, *made.agreed), key=lambda one: -one.start):
        assert back[swap.start : swap.end] == swap.new
        back = back[: swap.start] + swap.old + back[swap.end :]
    assert back == text != made.text


@given(st.text("abcXYZ ", min_size=1), st.sampled_from(["left", "living room", "tv"]))
def test_casing_changes_no_letter(old: str, new: str) -> None:
    assert cased_like(old, new).lower() == new


def test_sounds_decide_the_article() -> None:
    assert [takes_an(word) for word in ("ottoman", "hourglass", "urinal", "bed")] == [
        True,
        True,
        False,
        False,
    ]
