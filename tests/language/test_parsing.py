"""Parsing: what sentences ask for, on our own sentences, on any text, and on real instructions."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest
from hypothesis import example, given
from hypothesis import strategies as st
from lark import UnexpectedInput
from typer.testing import CliRunner

from parsing import earley_parser
from vlnscope.cli.main import app
from vlnscope.episodes.datasets.dataset import open_dataset
from vlnscope.language.actions import NamedPlace, Parse, summarise
from vlnscope.language.lexicon import lexicon
from vlnscope.language.lexicon.tokens import readings, sentences
from vlnscope.language.parse import parse
from vlnscope.language.parse.chart import cover

# `summarise`: kind(direction, relation place[attributes, #ordinal, xcount, side, relations], side, @where)
UNDERSTOOD = [
    ("Turn left.", "turn(left)"),
    ("Make a sharp right.", "turn(right)"),
    ("Take a slight left.", "turn(slight left)"),
    ("Turn slightly to your right.", "turn(slight right)"),
    ("Veer left at the lamp.", "turn(slight left, @at lamp)"),
    ("Hang a left past the piano.", "turn(left) + past(piano)"),
    ("Turn around.", "turn(around)"),
    ("Do a 180.", "turn(around)"),
    ("Make a u-turn.", "turn(around)"),
    ("Turn 90 degrees to the left.", "turn(left)"),
    ("Turn 45 degrees right.", "turn(slight right)"),
    ("Take the second right.", "turn(right, @at doorway[#2, side right])"),
    ("Turn left at the couch.", "turn(left, @at sofa)"),
    ("At the couch, turn left.", "turn(left, @at sofa)"),
    ("When you reach the couch, turn left.", "turn(left, @at sofa)"),
    ("Turn left before the bookshelf.", "turn(left, @before bookshelf)"),
    ("Turn right after passing the fridge.", "turn(right, @after refrigerator)"),
    ("Turn left into the bedroom.", "turn(left) + enter(BEDROOM)"),
    ("Left at the sofa.", "turn(left, @at sofa)"),
    ("Then right, and left again.", "turn(right) + turn(left)"),
    ("Turn right right before the stairs.", "turn(right, @before stairs)"),
    ("Go right after the desk.", "turn(right, @after desk)"),
    ("Turn to face the mirror.", "face(mirror)"),
    ("Turn towards the window.", "face(window)"),
    ("Face the two red chairs.", "face(chair[red, x2])"),
    ("Turn so that the bed is on your left.", "face(bed, side left)"),
    ("Walk straight.", "go(straight)"),
    ("Go forward a few steps.", "go(straight)"),
    ("Take three steps and stop.", "go() + stop()"),
    ("Walk straight past the table on your right.", "past(straight, table, side right)"),
    ("Pass the two lamps and the piano.", "past(lamp[x2]) + past(piano)"),
    ("Walk past the second door on the left.", "past(door[#2, side left], side left)"),
    ("Go to the left of the dining table.", "past(left of dining table, side right)"),
    ("Walk around the kitchen island.", "past(kitchen island)"),
    ("Walk between the sofa and the coffee table.", "past(between sofa[with coffee table])"),
    ("Walk with the pool on your right.", "past(pool, side right)"),
    ("Keeping the pool to your right, walk to the gate.", "past(pool, side right) + towards(gate)"),
    (
        "With the fireplace behind you, go through the archway.",
        "face(fireplace, side behind) + through(archway)",
    ),
    ("Walk towards the large wooden desk.", "towards(desk[large/wood])"),
    ("Go up to the table.", "towards(table)"),
    ("Walk until you see a grand piano.", "towards(grand piano)"),
    ("Continue until the end of the hallway.", "towards(at the end of HALLWAY)"),
    ("Walk down the hall.", "go(HALLWAY)"),
    (
        "Walk down the hallway past the bathroom and into the office.",
        "go(HALLWAY) + past(BATHROOM) + enter(OFFICE)",
    ),
    ("Go along the railing.", "go(railing)"),
    ("Follow the hallway to the kitchen.", "go(HALLWAY) + towards(KITCHEN)"),
    ("Go away from the windows.", "go(window[x0], side behind)"),
    ("Go down the stairs.", "stairs(down, stairs)"),
    ("Walk up the first three steps.", "stairs(up, stairs[#1, x3])"),
    ("Climb the stairs and turn left at the top.", "stairs(up, stairs) + turn(left, @top of stairs)"),
    ("Descend the spiral staircase.", "stairs(down, spiral staircase)"),
    ("Go upstairs.", "stairs(up)"),
    ("Head downstairs to the landing.", "stairs(down) + towards(LANDING)"),
    ("Take the stairs up.", "stairs(up, stairs)"),
    ("Take the stairs on the right.", "stairs(stairs[side right])"),
    ("Walk up to the landing.", "stairs(up, LANDING)"),
    ("Go to the top of the stairs.", "towards(top of stairs)"),
    ("Enter the kitchen.", "enter(KITCHEN)"),
    ("Walk in the front door.", "through(door[front])"),
    ("Go inside.", "enter()"),
    ("Step out onto the balcony.", "enter(BALCONY)"),
    ("Walk outside.", "enter(OUTDOOR)"),
    ("Leave the room through the glass door.", "exit(ROOM, @at door[glass])"),
    ("Exit the bedroom to the right.", "exit(BEDROOM) + turn(right)"),
    ("Exit through the door on your left.", "through(door[side left])"),
    ("Once you have left the library, turn right.", "exit(LIBRARY) + turn(right)"),
    ("Walk out of the closet and across the bedroom.", "exit(CLOSET) + through(BEDROOM)"),
    ("Go through the door that leads to the garage.", "through(door[at GARAGE])"),
    ("Go through the kitchen and the dining room.", "through(KITCHEN) + through(DINING ROOM)"),
    ("Take the second door on the left.", "through(door[#2, side left])"),
    ("Enter the bathroom, which is the first room on the right.", "enter(BATHROOM[#1, side right])"),
    ("Go through the bedroom door.", "through(door[at BEDROOM])"),
    ("Stop.", "stop()"),
    ("Wait there.", "stop()"),
    ("Stop and wait by the sink.", "stop(near sink)"),
    ("Stop at the top of the stairs.", "stop(top of stairs)"),
    ("Stop halfway down the stairs.", "stop(on stairs)"),
    ("Wait in front of the third window.", "stop(in front of window[#3])"),
    ("Stand next to the bed with the blue pillows.", "stop(near bed[with cushion[blue, x0]])"),
    ("Stop just inside the bathroom.", "stop(in BATHROOM)"),
    ("Stop just past the doorway.", "stop(after doorway)"),
    ("Stop before you enter the office.", "stop(before OFFICE)"),
    ("Stop once you are in the gym.", "stop(in GYM)"),
    ("Wait in the doorway of the laundry room.", "stop(in doorway[at LAUNDRY ROOM])"),
    ("Stop on the left of the bench.", "stop(left of bench)"),
    ("Stop at the chair in the corner, near the plant.", "stop(at chair[in corner], @near plant)"),
    ("This is your destination.", "stop()"),
    ("You will see a fireplace on your left.", "remark(fireplace[side left])"),
    ("There is a rug in front of you.", "remark(rug[side ahead])"),
    ("The bathroom is on the right.", "remark(BATHROOM[side right])"),
    ("You should be facing a white door.", "remark(door[white])"),
    ("Do not go down the stairs.", "remark(stairs)"),
    ("Walk to the sofa and go past it.", "towards(sofa) + past(sofa)"),
    ("There are two doors. Go through the left one.", "remark(door[x2]) + through(door[side left])"),
    ("You need to go into the living room.", "enter(LIVING ROOM)"),
    ("Next, you'll walk past the bar and turn right.", "past(bar) + turn(right)"),
    ("The stairs will be on your right, go up them.", "remark(stairs[side right]) + stairs(up, stairs)"),
    ("Go past the black and white painting.", "past(picture[black and white])"),
    (
        "Wait at the end of the hall by the first of the two benches.",
        "stop(at the end of HALLWAY[near bench[#1]])",
    ),
    ("Stop on the fourth stair down from the top.", "stop(on stairs[#4])"),
    ("Go past the large, round, white table.", "past(table[large/round/white])"),
    ("Enter the room. Once you enter the room, turn left.", "enter(ROOM) + turn(left)"),
    ("Continue to the steps before taking a slight right.", "towards(stairs) + turn(slight right)"),
    ("Stop when the television is on your left.", "stop(at tv[side left])"),
    ("Walk on the left side of the pool.", "past(left of pool, side right)"),
    ("Go to the right side of the TV.", "towards(right of tv)"),
    ("Wait outside, on the patio.", "stop(in OUTDOOR, @on PORCH)"),
    ("make a left go straight past the bar stop", "turn(left) + past(straight, bar) + stop()"),
    (
        "walk thru the kichen and trun left at the refridgerator",
        "through(KITCHEN) + turn(left, @at refrigerator)",
    ),
    ("Walk into the livingroom.Turn left.", "enter(LIVING ROOM) + turn(left)"),
    ("Walk right past the sofa.", "turn(right) + past(sofa)"),
    ("Stop right past the sofa.", "stop(after sofa)"),
    ("Turn the corner.", "past(corner)"),
    ("Go under the archway and over the rug.", "through(archway) + past(rug)"),
    ("Step onto the rug and turn to the left.", "go(rug) + turn(left)"),
    ("Cross the room and approach the desk.", "through(ROOM) + towards(desk)"),
    ("Put the bed on your right and walk forward.", "past(bed, side right) + go(straight)"),
    ("Take the hallway on the left.", "go(HALLWAY[side left])"),
    ("Turn into the second room on your right.", "enter(ROOM[#2, side right])"),
    ("Keep going straight until you are in the kitchen.", "enter(straight, KITCHEN)"),
    ("Walk until you pass the stairs.", "past(stairs)"),
    ("The second door on the left.", "remark(door[#2, side left])"),
]
WORDS = sorted({form for entry in lexicon().words.values() for form in entry.forms})
NAMES = [
    "sofa",
    "two red chairs",
    "kitchen",
    "stairs",
    "second door",
    "blorf",
    "xyzzy",
    "it",
    "end of the hall",
]


def outlines(text: str) -> str:
    return " + ".join(summarise(action) for action in parse(text).actions)


@pytest.mark.parametrize(("text", "expected"), UNDERSTOOD)
def test_understood_in_full(text: str, expected: str) -> None:
    assert outlines(text) == expected
    assert parse(text).skipped == ()


def places(found: Parse) -> list[NamedPlace]:
    front = [place for action in found.actions for place in (action.place, action.at) if place is not None]
    every = []
    while front:
        every += front
        front = [other for place in front for _, other in place.relations]
    return every


def check(found: Parse) -> None:
    """What holds of every parse."""
    text = found.text
    last = 0
    for token in found.tokens:
        assert last <= token.span.start < token.span.end <= len(text)
        assert text[token.span.start : token.span.end] == token.text
        last = token.span.end
        if token.action is not None:
            span = found.actions[token.action].span
            assert span.start <= token.span.start < token.span.end <= span.end
            assert token.category != "unknown"
    for number, action in enumerate(found.actions):
        own = [token.span for token in found.tokens if token.action == number]
        assert (min(span.start for span in own), max(span.end for span in own)) == action.span
    for place in places(found):
        assert 0 <= place.span.start < place.span.end <= len(text)
        assert place.name in (lexicon().rooms if place.what == "room" else lexicon().objects)
        assert set(place.attributes) <= set(lexicon().attributes)
    assert found.coverage == pytest.approx(1 - len(found.skipped) / max(len(found.tokens), 1))


@given(st.text())
@example("to go " * 200)
@example("once you go " * 200)
@example("in the room " * 100)
@example("that leads to the door " * 60)
@example("red " * 200 + "door")
@example("Turn left when you can no xyzzy")
@example("Xyzzy until you see a door, xyzzy")
@example("ß’ß't & İ don’t ﬁrst, … ½ ²")
@example("\x00\ud800 left")
def test_no_text_makes_it_fail(text: str) -> None:
    check(parse(text))


@given(st.lists(st.sampled_from([*WORDS, *NAMES, ".", ","]), max_size=25))
def test_no_sequence_of_known_words_makes_it_fail(words: list[str]) -> None:
    found = parse(" ".join(words))
    check(found)
    assert parse(found.text) == found


@given(st.lists(st.sampled_from(UNDERSTOOD), min_size=1, max_size=4))
def test_sentences_are_understood_one_by_one(cases: list[tuple[str, str]]) -> None:
    """Pronouns and repetitions apart, what one sentence means does not depend on the others."""
    alone = [case for case in cases if not {"it", "top", "end", "one", "once", "them"} & words_of(case[0])]
    text = " ".join(text if text.endswith(".") else f"{text}." for text, _ in alone)
    assert outlines(text) == " + ".join(expected for _, expected in alone)


def words_of(text: str) -> set[str]:
    return set(text.lower().replace(".", " ").replace(",", " ").split())


@pytest.mark.parametrize("number", range(5, len(UNDERSTOOD), 50))
def test_lark_itself_accepts_what_was_read(number: int) -> None:
    """The grammar file alone says what is read: lark's general parser agrees with ours."""
    for sentence in sentences(UNDERSTOOD[number][0]):
        steps = cover(readings(sentence))
        terminals = [leaf.lexeme.terminal for step in steps for leaf in step.leaves()]
        assert earley_parser().parse(terminals).data == "s"
        with pytest.raises(UnexpectedInput):
            earley_parser().parse([*terminals, "OF"])


def test_unknown_words_are_skipped_and_reported() -> None:
    found = parse("Walk past the blorf on the left and frobnicate.")
    assert [token.text for token in found.skipped] == ["blorf", "and", "frobnicate"]
    assert summarise(found.actions[0]) == "past(side left)"
    assert [token.category for token in found.skipped] == ["unknown", "glue", "unknown"]


def test_nothing_is_made_of_nothing() -> None:
    assert parse("").actions == ()
    assert parse("").coverage == 1.0
    assert parse("colourless ideas sleep furiously").actions == ()


def test_spans_and_categories() -> None:
    text = "Turn left at the red sofa, then stop."
    found = parse(text)
    turn, stop = found.actions
    assert text[slice(*turn.span)] == "Turn left at the red sofa"
    assert text[slice(*stop.span)] == "then stop"
    assert turn.at is not None
    assert text[slice(*turn.at.span)] == "the red sofa"
    assert [(token.lemma, token.category) for token in found.tokens] == [
        ("turn", "turning"), ("left", "direction"), ("at", "relation"), ("the", "glue"), ("red", "attribute"),
        ("sofa", "landmark"), ("then", "glue"), ("stop", "stop"),
    ]  # fmt: skip


@pytest.mark.parametrize(
    ("text", "direction_words"),
    [
        ("Go straight and turn right at the sofa on the left.", {"straight": 0, "right": 1, "left": 1}),
        ("Walk up the stairs, then back down the hall.", {"up": 0, "back": 1, "down": 1}),
        ("Turn left into the room on the right and walk forward.", {"left": 0, "right": 1, "forward": 2}),
    ],
)
def test_direction_words_belong_to_their_actions(text: str, direction_words: dict[str, int]) -> None:
    found = parse(text)
    assert {t.text: t.action for t in found.tokens if t.text in direction_words} == direction_words


@pytest.mark.parametrize(
    ("misspelt", "meant"),
    [
        ("Trun letf at teh sofa", "Turn left at the sofa"),
        ("climb the stiars, stop infront of the bathrom", "climb the stairs, stop in front of the bathroom"),
        ("exit the bedroomand turn right", "exit the bedroom and turn right"),
        ("GO INTO THE LIVINGROOM", "go into the living room"),
    ],
)  # fmt: skip
def test_misspelt(misspelt: str, meant: str) -> None:
    assert outlines(misspelt) == outlines(meant) != ""


def test_punctuation_may_be_missing() -> None:
    with_it = outlines("Leave the bedroom. Turn left. Walk past the stairs, then stop.")
    assert outlines("leave the bedroom turn left walk past the stairs then stop") == with_it


def test_synonyms_mean_the_same() -> None:
    for name, entry in lexicon().objects.items():
        form = entry.forms[0]
        (action,) = parse(f"Walk towards the {form}.").actions
        assert action.place is not None
        assert action.place.name == name


def test_the_same_in_every_process() -> None:
    code = (
        "from vlnscope.language.parse import parse; import msgspec, sys;"
        "found = [parse(text) for text in msgspec.json.decode(sys.stdin.read())];"
        "sys.stdout.write(msgspec.json.encode(found).decode())"
    )
    texts = json.dumps([text for text, _ in UNDERSTOOD])
    runs = [
        subprocess.run(
            [sys.executable, "-c", code],
            input=texts,
            capture_output=True,
            text=True,
            check=True,
            env={**os.environ, "PYTHONHASHSEED": seed},
        ).stdout
        for seed in ("1", "2")
    ]
    assert runs[0] == runs[1]


def test_real_instructions(data_root: Path) -> None:
    texts = [episode.instruction for episode in open_dataset("r2r/val_unseen", data_root).episodes()]
    found = [parse(text) for text in texts[::12]]
    for each in found:
        check(each)
    words = sum(len(each.tokens) for each in found)
    assert 1 - sum(len(each.skipped) for each in found) / words >= 0.95
    assert sum(not each.skipped for each in found) / len(found) >= 0.7


def test_command() -> None:
    result = CliRunner().invoke(app, ["parse", "Turn left at the [sofa] blorf."])
    assert result.exit_code == 0
    assert "turn(left, @at sofa)" in result.output
    assert "skipped: blorf" in result.output


def test_command_json_and_standard_input() -> None:
    result = CliRunner().invoke(app, ["parse", "--json", "-"], input="Stop.")
    found = json.loads(result.output)
    assert found["coverage"] == 1.0
    assert [action["kind"] for action in found["parse"]["actions"]] == ["stop"]
