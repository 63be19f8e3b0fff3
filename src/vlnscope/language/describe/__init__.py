"""Describes a path in words: true, as short as a person would, and leading to the goal alone.

`candidates` lists the statements that are true of a route, `select` chooses among them with a literal reader
(`verify.literal_reader`) that looks for other goals, and `realise` writes the text. `verify.truth` checks a
finished description from the scene alone.
"""

from vlnscope.language.describe.describer import (
    REGISTERS,
    Describer,
    Description,
    GroundedAction,
    Referent,
    Register,
    describe,
)

__all__ = ["REGISTERS", "Describer", "Description", "GroundedAction", "Referent", "Register", "describe"]
