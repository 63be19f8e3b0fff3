"""Furniture: what is put into which room, and where it may stand.

``rooms.toml`` says what each type of room is furnished with, `recipes` carries that out. What is more than a
list (a sofa before a tv, a run of kitchen units, a bed with its nightstands) is a procedure of `seating`,
`kitchens`, `bedrooms`, `bathrooms`, `dining`, `halls` or `outside`. All use the moves of `arrangements`
(against a wall, into a corner, beside …), which put things in by `placer`, so that no rule of `rules` is
broken and doors and walkways stay free. Sizes and colours of objects are in `catalogue`.
"""
