"""Understanding instructions: from text to atomic actions with places, directions, numbers and spans.

Words are looked up (`tokens`), sentences are read under the grammar (`chart`), and what was read
becomes actions (`action_builder`). Words that the lexicon does not know, and words that fit nowhere, are
skipped and reported; nothing that can be typed makes it fail.

Some readings that are not obvious from `actions`:

- “down the hall”, “along the wall”: ``go`` with a place; “away from the wall”: ``go`` with side ``behind``.
- “with the sofa behind you, …”: ``face`` with a side; “…, with the sofa on your left”: ``past`` with a side.
- What is passed has its side with the action; its place has one too only where it is counted.
- “to the left of the table”: ``past`` with relation ``left of``, the table being passed on the right.
- “exit the room through the door”: ``exit`` with the door as `at`; “enter the door”: ``through``.
- “take the second left”: ``turn`` at the second ``doorway`` on the left.
- “between A and B”: A with relation ``between``, and B as the place's relation ``with``.
- A thing that the lexicon does not know leaves `place` empty; what is not to be done is a ``remark``.
"""

from __future__ import annotations

from collections.abc import Sequence

from vlnscope.language.actions import Action, Category, Parse, Span, Token
from vlnscope.language.lexicon.entries import lexicon
from vlnscope.language.lexicon.tokens import (
    COMMA,
    UNKNOWN,
    Lexeme,
    LexicalReading,
    RawWord,
    readings,
    sentences,
)
from vlnscope.language.parse.action_builder import ActionBuilder
from vlnscope.language.parse.chart import Node, cover
from vlnscope.language.parse.draft_actions import DraftAction

_TERMINALS: dict[Category, str] = {
    "turning": "TURN VEER MAKE TURNING UTURN FACE DEGREES",
    "stairs": "CLIMB DESCEND UPSTAIRS DOWNSTAIRS",
    "landmark": "OBJECT DOOR",
    "region": "ROOM OUTSIDE INSIDE",
    "number": "NUMBER ORDINAL MEASURE",
    "direction": "LEFT RIGHT LEFTMOST RIGHTMOST STRAIGHT AROUND BACK UP DOWN",
    "attribute": "ATTRIBUTE SLIGHT SHARP",
    "stop": "STOP DESTINATION",
    "motion": "WALK CONTINUE START TAKE PASS ENTER EXIT CROSS FOLLOW REACH KEEP AWAY OUT",
    "relation": "TOWARDS TO PAST THROUGH INTO IN ONTO ON ACROSS ALONG AT BY NEAR FRONT BEHIND BETWEEN UNDER "
    "ABOVE OPPOSITE BEFORE AFTER UNTIL ONCE WITH OF FROM SIDE HAND TOP BOTTOM END MIDDLE BORDER "
    "OTHER_SIDE FRONT_PART BACK_PART BEGINNING LEADS LEADING GOING THAT",
    "irrelevant": "SEE BE THERES ITS PLACED IRRELEVANT",
}
_CATEGORY: dict[str, Category] = {
    terminal: category for category, terminals in _TERMINALS.items() for terminal in terminals.split()
}


def category_of(lexeme: Lexeme) -> Category:
    """Return the category of a word as it was read; small words are glue.

    Example:
        >>> category_of(Lexeme("OBJECT", "sofa")), category_of(Lexeme("OBJECT", "stairs"))
        ('landmark', 'stairs')
    """
    if lexeme.terminal == UNKNOWN:
        return "unknown"
    if lexeme.terminal == "OBJECT" and lexicon().is_a(lexeme.name, "stairs"):
        return "stairs"
    return _CATEGORY.get(lexeme.terminal, "glue")


def parse(text: str) -> Parse:
    """Return what an instruction asks for.

    Example:
        >>> found = parse("Turn left at the couch and wait.")
        >>> [(action.kind, action.direction, action.at and action.at.name) for action in found.actions]
        [('turn', 'left', 'sofa'), ('stop', None, None)]
    """
    actions: list[Action] = []
    tokens: list[Token] = []
    steps = ActionBuilder()
    for sentence in sentences(text):
        possible = readings(sentence)
        steps.begin(sentence)
        nodes = cover(possible)
        drafts: list[DraftAction] = []
        for node in nodes:
            drafts += steps.step(node, drafts)
        drafts = _merged([draft for draft in drafts if draft.words])
        owners = {word: len(actions) + i for i, draft in enumerate(drafts) for word in draft.words}
        actions += [draft.finished(_span(draft, sentence)) for draft in drafts]
        roles = _roles(nodes, possible)
        tokens += [
            _token(text, word, *roles[at], owners.get(at))
            for at, word in enumerate(sentence)
            if word is not COMMA
        ]
    return Parse(text, tuple(actions), tuple(tokens))


def _merged(drafts: Sequence[DraftAction]) -> list[DraftAction]:
    """Take “stop and wait by the door” for one action."""
    kept: list[DraftAction] = []
    for draft in drafts:
        if kept and draft.kind == kept[-1].kind == "stop" and kept[-1].place is None and kept[-1].at is None:
            draft.words |= kept.pop().words
        kept.append(draft)
    return kept


def _span(draft: DraftAction, words: Sequence[RawWord]) -> Span:
    own = [words[word] for word in sorted(draft.words)]
    return Span(min(word.start for word in own), max(word.end for word in own))


def _roles(
    nodes: Sequence[Node], possible: Sequence[Sequence[LexicalReading]]
) -> list[tuple[str | None, Category]]:
    """Return what each word was read as; a skipped one as the first of its readings."""
    roles: list[tuple[str | None, Category]] = [
        (None, category_of(here[0].lexeme) if here else "unknown") for here in possible
    ]
    for leaf in (leaf for node in nodes for leaf in node.leaves()):
        if leaf.is_word:
            for at in range(leaf.start, leaf.stop):
                roles[at] = (leaf.lexeme.name, category_of(leaf.lexeme))
    return roles


def _token(text: str, word: RawWord, name: str | None, category: Category, action: int | None) -> Token:
    written = text[word.start : word.end]
    lemma = name or word.spelling or written.casefold()
    return Token(written, Span(word.start, word.end), lemma, category, action)
