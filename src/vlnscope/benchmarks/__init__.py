"""The benchmarks: each builds files from a data set, says how they are run and what the scores mean."""
