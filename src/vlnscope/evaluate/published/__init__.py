"""What published agents do: prediction files as found, scored, compared and diagnosed on one page."""
