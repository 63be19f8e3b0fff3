"""Small things that stand, lie and hang about."""
