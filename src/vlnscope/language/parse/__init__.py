"""Parses instructions into atomic actions with places, directions and numbers.

`parser.parse` reads a text sentence by sentence: `chart` covers a sentence with phrases of the grammar
(`rules`, ``grammar.lark``), `action_builder` makes actions of the phrases, `moves` of their verbs and
`places` of what they name. “Turn left” becomes an action in `moves.MotionReader`.
"""

from vlnscope.language.parse.parser import parse

__all__ = ["parse"]
