"""The navigation graph of a house.

`viewpoint_spots` chooses where viewpoints stand, `edges` joins them, `viewpoints` puts both together;
`visibility` says what each sees, `walkability` checks the result with rays.
"""
