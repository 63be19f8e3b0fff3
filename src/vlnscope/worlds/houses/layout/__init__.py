"""The floor plan generator: a seed becomes a house without furniture.

`generator` does so: `programme` chooses rooms, `massing` the outline; `floors`, `bays` and `open_plan` divide
it into rooms; `stairs`, `openings` and `outside` add stairs, doors and porches, `finishes` the materials.
"""
