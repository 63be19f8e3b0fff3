"""Floor plans as data: the plan itself, its file, and what must hold of it."""
