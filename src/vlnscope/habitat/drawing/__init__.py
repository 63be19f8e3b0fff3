"""Top-down maps and pictures of what an agent sees, as Habitat draws them."""
