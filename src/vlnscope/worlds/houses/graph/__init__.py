"""The navigation graph of a house: where viewpoints stand, which are joined, what each sees."""
