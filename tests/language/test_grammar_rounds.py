"""Construction rounds of the grammar: views, gaps, proposals, verdicts, logs, a model as a proposer."""

from __future__ import annotations

import json
import threading
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any, ClassVar

import pytest
from lark import Lark
from typer.testing import CliRunner

from vlnscope.cli.main import app
from vlnscope.core.exceptions import InputError
from vlnscope.evaluate.language.grammar_model import ModelProposer, prompt
from vlnscope.language.actions import summarise
from vlnscope.language.induce.coverage import (
    Coverage,
    TerminalContexts,
    coverage,
    failures,
    leftovers,
    read_sentences,
)
from vlnscope.language.induce.proposals import UNDERSTOOD, propose, rank
from vlnscope.language.induce.rounds import Construction, ProposalDecision, extended
from vlnscope.language.parse import parse
from vlnscope.language.parse.grammar_view import ATOMIC, PAPER_NAMES, view
from vlnscope.language.parse.rules import compiled, extended_rules, grammar, grammar_text, plain_rules
from vlnscope.language.productions import (
    PRODUCTIONS,
    Production,
    accepted,
    read_productions,
    write_productions,
)

KNOWN = [
    "Walk past the sofa.", "Walk past the red chair.", "Go past the table and stop.",
    "Turn left at the lamp.", "Walk past the white table.", "Stop near the bed.", "Walk towards the desk.",
    "Wait by the old piano.",
]  # fmt: skip
UNKNOWN = [
    "Walk past the zorple.",
    "Stop near the zorple.",
    "Turn left at the zorple.",
    "Walk past the blimmy chair.",
]
TEXTS = [(str(k), text) for k, text in enumerate([*KNOWN, *UNKNOWN])]
ZORPLE = Production("OBJECT", ("zorple",))


def contexts() -> TerminalContexts:
    return TerminalContexts(line for text in KNOWN for line in read_sentences(text))


# ---- what the parser reads


def outlines(text: str) -> list[str]:
    return [summarise(action) for action in parse(text).actions]


def test_words_that_were_added_are_understood_for_a_while() -> None:
    text = "Walk past the zorple right by the sofa."
    before = parse(text)
    with extended([ZORPLE, Production("PAST", ("by", "way", "of"))]):
        assert outlines("Walk past the zorple.") == ["past(zorple)"]
        assert outlines("Walk by way of the zorple.") == ["past(zorple)"]
        assert [t.category for t in parse("Walk past the zorple.").tokens][-1] == "landmark"
    assert parse(text) == before


def test_productions_of_categories_are_understood_for_a_while() -> None:
    text = "Walk to the desk hand a lamp."
    assert parse(text).skipped
    with extended([Production("post", ("HAND", "place"), "post_with")]):
        assert outlines(text) == ["towards(desk[with lamp])"]
        assert not parse(text).skipped


def test_added_words_mend_nothing() -> None:
    """A misspelling is taken for a word that was written into the lexicon, never for one that was found."""
    with extended([Production("OBJECT", ("zorple",))]):
        assert [token.text for token in parse("Walk past the zorpla.").skipped] == ["zorpla"]


def test_lark_and_the_short_way_agree() -> None:
    """Rules with productions are the same whether lark reads them or they are appended here."""
    some = (
        Production("post", ("HAND", "place"), "post_with"),
        Production("past", ("HAND", "place")),
        Production("lead", ("HAND",)),
    )
    lark = Lark(grammar_text(some), parser="earley", lexer="basic", start="s")
    theirs = {
        (r.origin.name, tuple(s.name for s in r.expansion), r.alias or r.origin.name) for r in lark.rules
    }
    with extended(some):
        ours = {
            (head, tuple(name for name, _ in symbols), rule.name) for head, symbols, rule in plain_rules()
        }
    assert ours == theirs


@pytest.mark.parametrize(
    ("production", "why"),
    [
        (Production("post", ("THAT", "blorf"), "post_with"), "no 'blorf'"),
        (Production("blorf", ("THAT",)), "no 'blorf'"),
        (Production("post", ()), "no 'post'"),
        (Production("lead", ("AND",)), "already"),
        (Production("landmark", ("place",)), "begin with itself"),
    ],
)
def test_productions_that_cannot_be(production: Production, why: str) -> None:
    with pytest.raises(InputError, match=why):
        extended_rules([production])


def test_productions_in_a_file(tmp_path: Path) -> None:
    some = (ZORPLE, Production("post", ("THAT", "HAVE", "place"), "post_with"))
    write_productions(some, tmp_path / "p.json")
    assert read_productions(tmp_path / "p.json") == some
    (tmp_path / "q.json").write_text('{"productions": 3}')
    with pytest.raises(InputError, match=r"q\.json"):
        read_productions(tmp_path / "q.json")


def test_the_package_s_own_productions_are_sound() -> None:
    """Each is a new one, can be understood, and the file is as it would be written."""
    own = read_productions(PRODUCTIONS)
    assert len(set(own)) == len(own) == len({(each.head, each.symbols) for each in own})
    assert {(each.head, each.name) for each in own if not each.is_word} <= UNDERSTOOD
    heads = {head for head, _, _ in plain_rules()}
    for each in own:
        assert each.symbols
        assert each.is_word or each.head in heads
        assert not each.is_word or each.phrase == each.phrase.casefold()


# ---- gaps and proposals


def test_coverage_and_what_is_left_over() -> None:
    assert coverage(TEXTS) == Coverage(12, 8, 56, 52)
    found = failures(TEXTS)
    assert [failure.text_id for failure in found] == ["8", "9", "10", "11"]
    assert [failure.left for failure in found] == [1, 1, 1, 1]
    assert [(each.phrase, each.instructions) for each in leftovers(found)] == [("zorple", 3), ("blimmy", 1)]
    assert leftovers(found)[0].examples == ("8", "9", "10")


def test_surroundings_tell_what_a_word_is() -> None:
    proposals = rank(propose(failures(TEXTS), contexts(), least=1), failures(TEXTS))
    best = {each.production.phrase: each for each in proposals if each.production.is_word}
    assert best["zorple"].production == ZORPLE
    assert (best["zorple"].unlocks, best["zorple"].words) == (3, 3)
    assert best["zorple"].examples == ("8", "9", "10")
    assert best["blimmy"].production == Production("ATTRIBUTE", ("blimmy",))
    assert [each.unlocks for each in proposals] == sorted((each.unlocks for each in proposals), reverse=True)


def test_unlocks_are_what_the_parser_then_covers() -> None:
    """Of each proposal: the parser that has it parses as many more instructions in full as was promised."""
    found = failures(TEXTS)
    before = coverage(TEXTS)
    for each in rank(propose(found, contexts(), least=1), found):
        with extended((*accepted(), each.production)):
            after = coverage(TEXTS)
        assert after.whole - before.whole == each.unlocks
        assert after.consumed - before.consumed == each.words


def test_what_the_grammar_cannot_take_is_not_proposed() -> None:
    strange = [
        Production("vp", ("TURN", "zorple")),
        Production("blorf", ("TURN",)),
        Production("vp", ("TURN",)),
    ]
    assert rank(strange, failures(TEXTS), least=0) == []


# ---- rounds


def test_rounds() -> None:
    building = Construction(TEXTS, [("x", "Stop by the zorple."), ("y", "Stop.")], start=accepted())
    start = building.state()
    assert (start.number, start.corpus, start.check.whole) == (0, Coverage(12, 8, 56, 52), 1)
    proposals = building.proposals(least=1)
    assert proposals[0].production == ZORPLE
    verdicts = [ProposalDecision(proposal=each, accept=each.production == ZORPLE) for each in proposals]
    first = building.close(verdicts)
    assert (first.number, first.corpus, first.check.whole) == (1, Coverage(12, 11, 56, 55), 2)
    assert building.productions == (*accepted(), ZORPLE)
    assert building.proposals(least=1) == []  # what was rejected does not come back
    assert coverage(TEXTS).whole == 8  # the package's own grammar is as it was


def test_the_same_every_time() -> None:
    runs = [Construction(TEXTS, TEXTS[:1], start=accepted()).proposals(least=1) for _ in range(2)]
    assert runs[0] == runs[1]
    assert compiled(plain_rules()).firsts == grammar().firsts


# ---- the view


def test_view_has_the_paper_s_names() -> None:
    whole = view()
    assert {each.paper for each in whole.categories} >= set(PAPER_NAMES.values())
    assert {kind for each in whole.categories for kind in each.atomic} == set(ATOMIC)
    symbols = {symbol for each in whole.categories for way in each.productions for symbol in way}
    assert not any(symbol.startswith("__") for symbol in symbols)
    turning = next(each for each in whole.categories if each.name == "action_t")
    assert ("TURN", "direction") in turning.productions
    assert "couch" in next(each for each in whole.terminals if each.name == "OBJECT").words


# ---- a model


class Answers(BaseHTTPRequestHandler):
    """Answers as a model's server does, with what the test says."""

    text = ""
    seen: ClassVar[list[tuple[str, str | None, dict[str, Any]]]] = []

    def do_POST(self) -> None:
        body = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
        self.seen.append((self.path, self.headers.get("Authorization"), body))
        answer = json.dumps({"choices": [{"message": {"content": self.text}}]}).encode()
        self.send_response(200)
        self.send_header("Content-Length", str(len(answer)))
        self.end_headers()
        self.wfile.write(answer)

    def log_message(self, *_: Any) -> None:
        pass


@pytest.fixture
def server() -> Iterator[str]:
    Answers.seen.clear()
    with ThreadingHTTPServer(("127.0.0.1", 0), Answers) as made:
        thread = threading.Thread(target=made.serve_forever)
        thread.start()
        yield f"http://127.0.0.1:{made.server_port}/v1"
        made.shutdown()
        thread.join()


def test_a_model_proposes(server: str) -> None:
    Answers.text = 'Here you are:\n- OBJECT -> "Zorple"\n2) vp -> DROP TABLE\nATTRIBUTE -> "blimmy"\n'
    building = Construction(
        TEXTS, TEXTS[:1], start=accepted(), proposer=ModelProposer(server, "tiny", key="secret")
    )
    proposals = building.proposals(least=1)
    assert [str(each.production) for each in proposals] == ['OBJECT -> "zorple"', 'ATTRIBUTE -> "blimmy"']
    ((path, key, body),) = Answers.seen
    assert (path, key, body["model"]) == ("/v1/chat/completions", "Bearer secret", "tiny")
    asked = body["messages"][0]["content"]
    assert "walk past the [zorple]" in asked
    assert "action_t -> " in asked
    assert asked == prompt(failures(TEXTS), 40)


def test_a_model_that_does_not_answer_is_an_error(server: str) -> None:
    for url in ("http://127.0.0.1:1/v1", "ftp://nowhere"):
        with pytest.raises(InputError, match="no answer of model 'tiny'"):
            ModelProposer(url, "tiny")(failures(TEXTS), contexts())
    assert ModelProposer(server, "tiny")([], contexts()) == []


# ---- the command


@pytest.fixture
def data(tmp_path: Path) -> Path:
    """A small data set whose instructions have words that nobody knows."""
    records = [
        {
            "path_id": k, "scan": "demo", "heading": 0.0, "distance": 1.0, "path": ["a"],
            "instructions": [f"{text} Stop.", text],
        }
        for k, (_, text) in enumerate(TEXTS)
    ]  # fmt: skip
    (tmp_path / "R2R_made.json").write_text(json.dumps(records))
    return tmp_path / "R2R_made.json"


def call(*arguments: str) -> Any:
    result = CliRunner().invoke(app, ["grammar", *arguments, "--json"], catch_exceptions=False)
    return json.loads(result.output)


def test_commands(data: Path, tmp_path: Path) -> None:
    found = call("cover", "--data", str(data))
    assert found["coverage"]["instructions"] == 24
    assert [each["phrase"] for each in found["left_over"]] == ["zorple", "blimmy"]
    out = tmp_path / "rounds"
    build = ["build", "--data", str(data), "--check", str(data), "--out", str(out)]
    waiting = call(*build)
    assert [each["number"] for each in waiting["rounds"]] == [0]  # nobody decides
    lines = [json.loads(line) for line in (out / "undecided.jsonl").read_text().splitlines()]
    assert {line["accept"] for line in lines} == {None}
    decided = tmp_path / "verdicts.jsonl"
    decided.write_text(
        "".join(json.dumps(line | {"accept": "zorple" in line["production"]}) + "\n" for line in lines)
    )
    first = call(*build, "--verdicts", str(decided))
    assert [each["number"] for each in first["rounds"]] == [1]
    assert first["rounds"][0]["check"]["whole"] == 22
    second = call(*build, "--accept-all")
    assert second["rounds"][-1]["check"]["whole"] == 24
    log = [json.loads(line) for line in (out / "rounds.jsonl").read_text().splitlines()]
    assert [each["number"] for each in log] == list(range(len(log)))
    assert ZORPLE in read_productions(out / "productions.json")
    assert call("show", "ORDINAL")["terminals"][0]["words"][0] == "first"


def test_commands_say_what_is_wrong(data: Path, tmp_path: Path) -> None:
    build = ["grammar", "build", "--data", str(data), "--check", str(data), "--out", str(tmp_path / "o")]
    for more, why in (
        (["--accept-all", "--verdicts", str(data)], "different things"),
        (["--url", "http://x"], "an address and a name"),
        (["--verdicts", str(data)], "R2R_made.json"),
    ):
        result = CliRunner().invoke(app, [*build, *more])
        assert isinstance(result.exception, InputError)
        assert why in result.exception.what
