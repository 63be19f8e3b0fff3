"""Edits of houses: small changes (`edits`), made by `apply`, written with the plan and replayable."""
