"""Instructions: describing a path in words, understanding words, and finding the way by them."""
