"""The words: complete, consistent, spelt as people spell them, and mended where they are not."""

from __future__ import annotations

import re
from pathlib import Path

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st

import measure_words
from vlnscope.language.lexicon.entries import WORDS, LexiconEntry, lexicon, read_words
from vlnscope.language.lexicon.spelling import SpellingIndex
from vlnscope.language.lexicon.tokens import COMMA, correct_spelling, readings, sentences
from vlnscope.language.parse.rules import Branch, grammar
from vlnscope.worlds.houses.furnish.catalogue import COLOURS, catalogue
from vlnscope.worlds.rooms import ROOM_NAMES

BUILDING = ("door", "doorway", "window", "stairs", "wall", "floor", "railing")
UNNAMED_ROOMS = ("Z", "-")


def entries() -> list[LexiconEntry]:
    words = lexicon()
    parts = (words.objects, words.rooms, words.attributes, words.ordinals, words.numbers, words.words)
    return [entry for part in parts for entry in part.values()]


def test_objects_of_houses_have_entries_under_their_names() -> None:
    assert set(catalogue()) | set(BUILDING) <= set(lexicon().objects)
    assert len(lexicon().objects) >= 130


def test_every_class_of_objects_can_be_said_by_its_own_name() -> None:
    for name in catalogue():
        entry = lexicon().objects[name]
        assert name in entry.forms + entry.plurals


def test_colours_and_materials_of_houses_are_attributes() -> None:
    materials = {material for kind in catalogue().values() for material in kind.materials}
    assert set(COLOURS) | materials <= set(lexicon().attributes)


def test_rooms_answer_to_the_letters_that_people_have_names_for() -> None:
    letters = {letter for entry in lexicon().rooms.values() for letter in entry.letters}
    letters |= set(lexicon().objects["stairs"].letters)
    assert letters == set(ROOM_NAMES) - set(UNNAMED_ROOMS)
    assert "b" in lexicon().rooms["bedroom"].letters
    assert set(lexicon().rooms["room"].letters) >= set("abkl")


def test_entries_are_well_formed() -> None:
    for entry in entries():
        assert entry.forms, entry.name
        assert len(entry.forms) == len(set(entry.forms)) == len(entry.plurals) == len(entry.counts), (
            entry.name
        )
        assert list(entry.counts) == sorted(entry.counts, reverse=True), entry.name
        for form, _, _ in entry.spellings():
            assert form == form.casefold().strip() != "", form


@pytest.mark.parametrize("part", ["objects", "rooms", "attributes", "ordinals", "numbers"])
def test_no_form_has_two_meanings_of_one_kind(part: str) -> None:
    forms = [form for entry in getattr(lexicon(), part).values() for form, _, _ in entry.spellings()]
    assert sorted(form for form in set(forms) if forms.count(form) > 1) == []


def test_broader_names_exist_and_never_lead_back() -> None:
    words = lexicon()
    for part in (words.objects, words.rooms):
        for name, entry in part.items():
            assert set(entry.kinds) <= set(part), name
            assert name not in words.broader(name)


@pytest.mark.parametrize(
    ("name", "other", "expected"),
    [
        ("armchair", "chair", True),
        ("chair", "armchair", False),
        ("recliner", "seat", True),
        ("coffee table", "table", True),
        ("bedroom", "room", True),
        ("door", "doorway", True),
        ("spiral staircase", "stairs", True),
        ("sofa", "sofa", True),
        ("no such thing", "table", False),
    ],
)
def test_is_a(name: str, other: str, expected: bool) -> None:
    assert lexicon().is_a(name, other) is expected


@pytest.mark.parametrize(
    ("form", "plural"),
    [("bookshelf", "bookshelves"), ("person", "people"), ("bench", "benches"), ("pantry", "pantries")],
)
def test_plurals(form: str, plural: str) -> None:
    pairs = {pair for entry in entries() for pair in zip(entry.forms, entry.plurals, strict=True)}
    assert (form, plural) in pairs


def test_grammar_and_words_have_the_same_terminals() -> None:
    used: set[str] = set()
    rules = grammar()
    branches: list[Branch] = [*rules.heads.values(), *rules.growth.values()]
    while branches:
        branch = branches.pop()
        used |= set(branch.terminals)
        branches += [*branch.terminals.values(), *branch.categories.values()]
    named = {"OBJECT", "DOOR", "ROOM", "ATTRIBUTE", "NUMBER", "ORDINAL", "UNKNOWN"}
    assert used == set(lexicon().words) | named


def test_values_of_numbers() -> None:
    values = {form: entry.value for entry in lexicon().ordinals.values() for form in entry.forms}
    assert (values["first"], values["2nd"], values["tenth"], values["last"]) == (1, 2, 10, -1)
    assert lexicon().numbers["three"].value == 3


@pytest.mark.parametrize(
    ("written", "meant"),
    [
        ("stiars", "stairs"),
        ("bedrom", "bedroom"),
        ("hallwway", "hallway"),
        ("doorwsy", "doorway"),
        ("livingroom", "living room"),
        ("kitchen's", "kitchen"),
        ("left", "left"),
        ("hill", None),
        ("poor", None),
        ("xyzzy", None),
        ("lft", None),
        ("42", None),
    ],
)
def test_mending(written: str, meant: str | None) -> None:
    assert correct_spelling(written) == meant


def test_common_words_are_not_ours_and_never_mended() -> None:
    ours = {word for entry in entries() for form, _, _ in entry.spellings() for word in form.split()}
    assert not ours & lexicon().common
    assert all(correct_spelling(word) is None for word in sorted(lexicon().common))


def edits(word: str) -> set[str]:
    """Every word one edit away, the slow way."""
    letters = "abcdefghijklmnopqrstuvwxyz"
    halves = [(word[:i], word[i:]) for i in range(len(word) + 1)]
    found = {a + b[1:] for a, b in halves if b}
    found |= {a + b[1] + b[0] + b[2:] for a, b in halves if len(b) > 1}
    found |= {a + c + b[1:] for a, b in halves if b for c in letters}
    found |= {a + c + b for a, b in halves for c in letters}
    return found - {word}


@given(
    st.text("abcd", min_size=1, max_size=6), st.lists(st.text("abcd", min_size=1, max_size=6), max_size=12)
)
def test_neighbours_are_one_edit_away(word: str, known: list[str]) -> None:
    assert SpellingIndex(known).of(word) == tuple(sorted(set(known) & edits(word)))


def test_names_of_several_words_are_read_beside_their_parts() -> None:
    (sentence,) = sentences("next to the coffee table")
    found = [[(r.lexeme.terminal, r.lexeme.name, r.end) for r in here] for here in readings(sentence)]
    assert ("NEAR", "next to", 2) in found[0]
    assert found[3] == [("OBJECT", "coffee table", 5)]
    assert ("OBJECT", "table", 5) in found[4]


@pytest.mark.parametrize(
    ("text", "spellings"),
    [
        ("stairs.Turn left", [["stairs"], ["turn", "left"]]),
        ("Walk tothe sofa", [["walk", "to", "the", "sofa"]]),
        ("left/right", [["left", "right"]]),
        ("you’ll go, then stop", [["you'll", "go", ",", "then", "stop"]]),
        ("walk-in closet", [["walk", "in", "closet"]]),
        (" \n ... ", []),
    ],
)
def test_sentences(text: str, spellings: list[list[str]]) -> None:
    assert [[word.spelling for word in sentence] for sentence in sentences(text)] == spellings


@given(st.text())
def test_words_lie_in_the_text_in_order(text: str) -> None:
    words = [word for sentence in sentences(text) for word in sentence if word is not COMMA]
    ends = [0, *(word.end for word in words)]
    assert all(end <= word.start < word.end <= len(text) for end, word in zip(ends, words, strict=False))
    assert all(re.fullmatch(r"\w+(['’]\w+)*|&", text[word.start : word.end]) for word in words)


def test_counting_takes_the_longest_name() -> None:
    spellings = {"table", "coffee table", "turn", "left"}
    counts = measure_words.count(["Turn left at the coffee table. Table: coffee. Table"], spellings)
    assert counts == {"turn": 1, "left": 1, "coffee table": 1, "table": 2}


def test_measuring_again_changes_nothing(data_root: Path) -> None:
    names = ("objects", "rooms", "paths")
    files = {name: read_words(name) for name in measure_words.FILES}
    spellings = measure_words.spellings_of(files.values())
    counts = measure_words.count(measure_words.training_texts(data_root), spellings)
    for name in names:
        written = measure_words.counted_file(files[name], counts)
        assert written == (WORDS / f"{name}.json").read_text()


def test_files_hold_words_only() -> None:
    for path in sorted(WORDS.glob("*.json")):
        content = msgspec.json.decode(path.read_bytes())
        for form in [form for facts in content.get("entries", {}).values() for form in facts["forms"]]:
            assert len(form.split()) <= 4, (path.name, form)
