"""Which part each word plays: the categories of the NavNuances grammar and what joins them."""

from __future__ import annotations

from vlnscope.language.actions import Category
from vlnscope.language.lexicon.lexicon import lexicon
from vlnscope.language.lexicon.tokens import UNKNOWN, Lexeme

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
