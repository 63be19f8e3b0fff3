"""Reports on any runs, and the tables of results in them."""
