"""From statements to text: clauses with names filled in, joined to sentences; where everything is."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, field

import numpy as np
from msgspec.structs import replace

from vlnscope.language.actions import Action, NamedPlace, Relation, Side, Span
from vlnscope.language.describe.candidates.referring import Ref
from vlnscope.language.describe.candidates.statements import RouteStatement
from vlnscope.language.describe.realise.clause_keys import clause_key
from vlnscope.language.describe.realise.noun_phrases import NounPhrases, TextBuffer, is_plural
from vlnscope.language.describe.realise.phrases import clauses, leads
from vlnscope.language.describe.realise.sentences import Unit, joints, sentences_of, units_of

_PART = re.compile(r"(\[|\]|\{[A-Za-z0-9 ]+\})")
_TRIES = 8
_TRAILING = {"terse": 0.0, "r2r": 0.04, "rxr": 0.0}
_GERUNDS = frozenset(
    {"walk", "go", "head", "move", "proceed", "turn", "rotate", "veer", "take", "make", "do", "stop", "stand",
     "wait", "end", "pass", "enter", "exit", "leave", "climb", "descend", "cross", "face"}
)  # fmt: skip
_DOUBLED = frozenset({"get", "step", "stop"})
_OPEN_AIR = frozenset({"porch", "balcony", "outdoor"})
_GOING_IN = re.compile(r"\b(go|walk|step|head) in(?:side)? \{")
_INDOORS = re.compile(r"\bin(?:side)?(to)? \{")


@dataclass(frozen=True)
class RealisedStatement:
    """A statement as it was worded: the action with its spans, the statement, and what its places are."""

    action: Action
    statement: RouteStatement
    refs: tuple[tuple[NamedPlace, Ref], ...]


@dataclass
class _Clause:
    """A clause that is being written: where its actions are, and the places named, by slot."""

    unit: Unit
    template: str
    spans: list[Span] = field(default_factory=list)
    places: dict[str, tuple[NamedPlace, Ref]] = field(default_factory=dict)

    @property
    def turn(self) -> RouteStatement:
        """The statement whose direction the clause says."""
        return next((statement for statement in self.unit if statement.kind == "turn"), self.unit[0])

    def statement(self, slot: str) -> RouteStatement:
        """Return the statement that a slot belongs to: the last, or the first if the slot begins with a 1."""
        return self.unit[0] if slot.startswith("1") else self.unit[-1]


class Realiser:
    """Words statements in one register.

    Args:
        register: ``terse``, ``r2r`` or ``rxr``.
        rng: chooses among clauses, words and ways to join them.
    """

    def __init__(self, register: str, rng: np.random.Generator) -> None:
        self._register = register
        self._rng = rng
        self._nouns = NounPhrases(rng)
        self._verb = ""
        self._buffer = TextBuffer()
        self._said: list[RealisedStatement] = []

    def write(self, statements: Sequence[RouteStatement]) -> tuple[str, tuple[RealisedStatement, ...]]:
        """Return an instruction that says the statements in order, and how it says each."""
        for sentence in sentences_of(units_of(statements, self._rng), self._register, self._rng):
            self._sentence(sentence)
        if self._register == "rxr":
            self._farewell(statements[-1])
        return self._buffer.text, tuple(self._said)

    def _farewell(self, stop: RouteStatement) -> None:
        here = stop._replace(first=stop.last, place=None, relation=None)
        self._buffer.add(" ")
        start = len(self._buffer.text)
        span = self._buffer.add(clauses("goal", self._register).draw(self._rng))
        self._said.append(RealisedStatement(Action(kind="stop", span=span), here, ()))
        self._buffer.capitalise(start)
        self._buffer.add(".")

    def _sentence(self, units: list[Unit]) -> None:
        if self._buffer.text:
            self._buffer.add(" ")
        start = len(self._buffer.text)
        lead = self._lead(units)
        between = ("", *joints(len(units), self._rng))
        for unit, joint in zip(units, between, strict=True):
            first = not joint and not lead
            template = self._template(unit, first=first, alone=len(units) == 1)
            trailing = (
                joint and len(unit) == 1 and unit[0].kind in ("stop", "turn") and self._trails(template)
            )
            if not joint:
                self._buffer.add(lead if _verb(template) in _GERUNDS or not lead.endswith(" by ") else "")
            if trailing or self._buffer.text.endswith(" by "):
                template = gerund(template)
            self._buffer.add(", " if trailing else joint)
            self._clause(_Clause(unit, template))
        self._buffer.capitalise(start)
        self._buffer.add(".")

    def _trails(self, template: str) -> bool:
        """Return whether a clause is to trail its sentence: “…, stopping by the bed”."""
        fits = _verb(template) in _GERUNDS and " and " not in template and " " in template
        return fits and self._rng.random() < _TRAILING[self._register]

    def _lead(self, units: list[Unit]) -> str:
        """Return what a sentence begins with before its first clause."""
        kind = units[0][0].kind
        if kind == "remark" or (self._said and self._said[-1].statement.kind == "remark"):
            return ""
        if kind == "stop":
            return leads("ends", self._register).draw(self._rng) if self._said else ""
        if self._said:
            return leads("leads", self._register).draw(self._rng)
        return leads("starts", self._register).draw(self._rng) if len(units) == 1 else ""

    def _template(self, unit: Unit, *, first: bool, alone: bool) -> str:
        """Draw a clause that suits its place in the sentence, with a fresh verb if it can be."""
        before = self._said[-1].statement if self._said else None
        choice = clauses(clause_key(unit, before, self._rng), self._register)
        drawn = [choice.draw(self._rng) for _ in range(_TRIES)]
        suited = [template for template in drawn if _suits(template, unit, first=first, alone=alone)]
        template = next((t for t in suited if _verb(t) != self._verb), (suited or drawn)[0])
        self._verb = _verb(template)
        statement = unit[-1]
        if any(
            ref is not None and ref.name in _OPEN_AIR
            for ref in (statement.into or statement.place, statement.at)
        ):
            return outdoors(template)
        return template

    def _clause(self, clause: _Clause) -> None:
        start = len(self._buffer.text)
        opened = start
        for part in _PART.split(clause.template):
            if part == "[":
                opened = len(self._buffer.text)
            elif part == "]":
                clause.spans.append(Span(opened, len(self._buffer.text)))
            elif part.startswith("{"):
                self._slot(part[1:-1], clause)
            else:
                self._buffer.add(part)
        if clause.template.endswith(" it") and clause.unit[-1].place is not None:
            end = len(self._buffer.text)
            place, ref = self._said[-1].refs[0]
            clause.places["place"] = (replace(place, span=Span(end - 2, end)), ref)
        spans = clause.spans or [Span(start, len(self._buffer.text))]
        for (statement, slots), span in zip(_actions(clause), spans, strict=True):
            self._said.append(_said(statement, slots, span, clause))

    def _slot(self, slot: str, clause: _Clause) -> None:
        if slot == "dir":
            self._buffer.add((clause.turn.direction or "").removeprefix("slight "))
        elif slot == "side":
            self._buffer.add(clause.statement(slot).side or "")
        elif slot == "outside":
            ref = clause.unit[-1].place
            assert ref is not None
            span = self._buffer.add(slot)
            clause.places["place"] = (NamedPlace(what="room", name=ref.name, span=span), ref)
        elif slot == "is":
            self._buffer.add("are" if self._plural(clause) else "is")
        elif slot == "YOUR":
            self._buffer.add("your" if self._rng.random() < 0.5 else "the")
        else:
            article, _, key = slot.rpartition(" ")
            self._place(key, article.lower() or "the", clause)

    def _place(self, key: str, article: str, clause: _Clause) -> None:
        statement = clause.statement(key)
        ref = {"place": statement.place, "into": statement.into, "at": statement.at}[key.lstrip("1")]
        assert ref is not None
        if _says_side(clause):
            place = self._nouns.name(self._buffer, ref._replace(side=None), article)
            if len(clause.unit) == 2:
                place = replace(place, side=_side(clause.turn), span=place.span)
        else:
            place = self._nouns.name(self._buffer, ref, article)
        clause.places[key] = (place, ref)

    def _plural(self, clause: _Clause) -> bool:
        """Return whether the place of a clause, named before or still to be named, is a plural."""
        ref = clause.unit[-1].place
        assert ref is not None
        if "place" in clause.places:
            return ref.number is not None or is_plural(self._buffer.text.split()[-1])
        return self._nouns.foresee(ref)


def _verb(template: str) -> str:
    return template.lstrip("[").split()[0]


def _suits(template: str, unit: Unit, *, first: bool, alone: bool) -> bool:
    """Return whether a clause sounds right where it is to stand.

    Commas belong to the beginning of a sentence and “and” to a sentence of one clause; “and step” would be
    a thing (“the couch and step”), and walking “up to the stairs” would be climbing them.
    """
    if not first and ("," in template or _verb(template) == "step"):
        return False
    stairs = unit[-1].place is not None and unit[-1].place.name == "stairs"
    return (alone or " and " not in template) and not (stairs and "up to" in template)


def _says_side(clause: _Clause) -> bool:
    """Return whether a clause itself says on which side its place is."""
    return "{side}" in clause.template or (len(clause.unit) == 2 and "[" not in clause.template)


def _side(turn: RouteStatement) -> Side:
    return "right" if turn.direction == "right" else "left"


def _actions(clause: _Clause) -> list[tuple[RouteStatement, dict[str, str]]]:
    """Return the actions of a clause: the statement, and which slots fill its places."""
    actions: list[tuple[RouteStatement, dict[str, str]]] = []
    unit = clause.unit if "[" in clause.template else clause.unit[-1:]
    for statement in unit:
        prefix = "1" if len(unit) == 2 and statement is unit[0] else ""
        actions.append((statement, {"place": f"{prefix}place", "at": f"{prefix}at"}))
        if statement.into is not None:
            actions.append((statement, {"place": "into"}))
    return actions


def _said(statement: RouteStatement, slots: dict[str, str], span: Span, clause: _Clause) -> RealisedStatement:
    places = {name: clause.places[slot] for name, slot in slots.items() if slot in clause.places}
    if slots["place"] == "into":
        return RealisedStatement(
            Action(kind="enter", span=span, place=places["place"][0]), statement, tuple(places.values())
        )
    if statement.kind == "remark":
        place, ref = places["place"]
        places["place"] = (replace(place, side=statement.side), ref)
    action = Action(
        kind=statement.kind,
        span=span,
        direction=statement.direction,
        relation=_relation(statement, clause.template),
        at_relation=statement.at_relation,
        side=statement.side
        if statement.kind == "go" or (statement.kind == "past" and "{side}" in clause.template)
        else None,
        **{name: place for name, (place, _) in places.items()},
    )
    return RealisedStatement(action, statement, tuple(places.values()))


def _relation(statement: RouteStatement, template: str) -> Relation | None:
    """Return how an action stands to its place as the clause words it."""
    if statement.kind not in ("stop", "remark"):
        return statement.relation
    if statement.relation == "in" and " on {" in template:
        return "on"
    named = statement.place is not None and statement.place.what == "object"
    if statement.relation in ("near", "in") and named and (" at {" in template or " you " in template):
        return "at"
    return statement.relation


def gerund(template: str) -> str:
    """Return a clause with its verb as people say it after “by”.

    Example:
        >>> gerund("[take a {dir}] [into {place}]"), gerund("exit {place}"), gerund("get to {place}")
        ('[taking a {dir}] [into {place}]', 'exiting {place}', 'getting to {place}')
    """
    bracket = "[" if template.startswith("[") else ""
    verb, _, rest = template.removeprefix("[").partition(" ")
    stem = verb.removesuffix("e") if verb.endswith("e") else verb + verb[-1] if verb in _DOUBLED else verb
    return f"{bracket}{stem}ing {rest}"


def outdoors(template: str) -> str:
    """Return a clause with the prepositions that porches and balconies want.

    Example:
        >>> outdoors("[exit {place}] [into {into}]"), outdoors("go inside {place}"), outdoors("in {at}")
        ('[exit {place}] [onto {into}]', 'go onto {place}', 'on {at}')
    """
    onto = _GOING_IN.sub(r"\1 onto {", template)
    return _INDOORS.sub(lambda match: f"on{match[1] or ''} {{", onto)
