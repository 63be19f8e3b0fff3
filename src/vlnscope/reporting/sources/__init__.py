"""Where numbers come from: definitions, papers, reproducibility."""
