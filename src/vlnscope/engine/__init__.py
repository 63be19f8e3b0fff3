"""Running agents: what they see, how cases are rolled out, and how what they did is kept."""
