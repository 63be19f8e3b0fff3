"""Which atomic instructions does an agent understand? (NavNuances, Wang et al. 2024)."""

from vlnscope.benchmarks.kit.benchmark import register_benchmark

register_benchmark(
    "nuances",
    question="which atomic instructions does it understand (turns, stairs, counting, landmarks, rooms)?",
    paper="Wang et al. 2024, Navigating the Nuances",
    package=__name__,
)
