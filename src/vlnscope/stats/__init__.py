"""Statistics: how sure a number is, and whether two numbers really differ."""
