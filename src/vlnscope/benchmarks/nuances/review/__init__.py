"""Review of items by people: a page to look at, and the verdict files it leads to."""
