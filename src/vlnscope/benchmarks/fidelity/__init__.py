"""Does an agent follow the described path, or only head for the goal? (R4R and CLS, Jain et al. 2019)."""
