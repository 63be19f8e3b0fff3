"""Grows the grammar in rounds: finds what it cannot cover and proposes productions."""
