"""Studies of the language room: round trips, counterfactuals, grammar construction."""
