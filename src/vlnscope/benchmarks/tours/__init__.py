"""Does an agent get better as it gets to know the house? (IVLN, Krantz et al. 2023)."""

from vlnscope.benchmarks.kit.benchmark import register_benchmark

register_benchmark(
    "tours",
    question="Does it get better as it gets to know the house?",
    paper="Krantz et al. 2023, Iterative Vision-and-Language Navigation (CVPR)",
    package=__name__,
)
