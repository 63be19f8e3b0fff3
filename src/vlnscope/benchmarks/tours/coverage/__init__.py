"""How much of a scene has been seen along a tour, and what can be seen from where."""
