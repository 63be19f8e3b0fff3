"""The words of instructions: names, synonyms, plurals, tokens, spelling, and what answers to which name.

The words lie in ``words/*.json``; `entries` reads them, `tokens` finds them in a text, `matching` says how
well the name of something seen answers to a name that is asked for, `sizes` when a thing is called large.
"""

from vlnscope.language.lexicon.entries import Lexicon, LexiconEntry, lexicon
from vlnscope.language.lexicon.matching import Concept, mentions, name_match, object_entry, room_match

__all__ = [
    "Concept",
    "Lexicon",
    "LexiconEntry",
    "lexicon",
    "mentions",
    "name_match",
    "object_entry",
    "room_match",
]
