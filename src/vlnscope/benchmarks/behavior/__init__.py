"""Does the next step change as it should when the instruction changes? (vln-behave, Yang et al. 2023)."""

from vlnscope.benchmarks.kit.benchmark import register_benchmark

register_benchmark(
    "behavior",
    question="Does its next step change as it should when the instruction changes?",
    paper="Yang et al. 2023, Behavioral Analysis of Vision-and-Language Navigation Agents (CVPR)",
    package=__name__,
)
