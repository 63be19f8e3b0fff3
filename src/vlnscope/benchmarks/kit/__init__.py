"""What all benchmarks share: case sets, findings, estimates, and the contract of a benchmark."""
