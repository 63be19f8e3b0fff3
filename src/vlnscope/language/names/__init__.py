"""How objects and rooms are named in what is said: one table for all generated texts.

`nouns` gives a name with its plural, article and the words for going in, out and there; `look_alikes` says
which labels of rooms cannot be told apart by eye. The table (``names.json``) holds only what the lexicon does
not know.
"""

from vlnscope.language.names.look_alikes import alike, look_alikes
from vlnscope.language.names.nouns import Noun, noun, plural_of, room_noun, room_nouns, takes_an

__all__ = [
    "Noun",
    "alike",
    "look_alikes",
    "noun",
    "plural_of",
    "room_noun",
    "room_nouns",
    "takes_an",
]
