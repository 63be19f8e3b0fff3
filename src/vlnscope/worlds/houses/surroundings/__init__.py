"""What is around a house: garden, street, neighbours, land and horizon (`around` builds all of it)."""
