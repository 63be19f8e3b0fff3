"""Does an agent get better as it gets to know the house? (IVLN, Krantz et al. 2023)."""
