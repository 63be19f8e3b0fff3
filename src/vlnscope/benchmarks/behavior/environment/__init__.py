"""Environment interventions: the same instruction before and after a change to the house."""
