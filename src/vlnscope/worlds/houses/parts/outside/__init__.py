"""Gardens, terraces and garages."""
