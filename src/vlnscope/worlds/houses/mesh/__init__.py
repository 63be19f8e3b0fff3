"""The mesh of a house: `house` joins walls, openings, stairs, the exterior and the furniture of ``parts``."""
