"""Tours on maps: whole tours in their order (Figure 1 of IVLN), and walks beside references (3 and 6)."""
