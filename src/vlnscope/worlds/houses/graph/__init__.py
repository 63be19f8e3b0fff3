"""The navigation graph of a house.

`viewpoint_spots` chooses where viewpoints stand, `edges` joins them, `viewpoints` puts both together;
`objects_in_sight` and `openings_in_sight` say what each sees, `walkability` checks the result with rays.
"""
