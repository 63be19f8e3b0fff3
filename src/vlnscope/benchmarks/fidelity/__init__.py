"""Does an agent follow the described path, or only head for the goal? (R4R and CLS, Jain et al. 2019)."""

from __future__ import annotations

from vlnscope.benchmarks.kit.benchmark import register_benchmark

register_benchmark(
    "fidelity",
    question="does it follow the described path, or only head for the goal?",
    paper="Jain et al. 2019, Stay on the Path: Instruction Fidelity in Vision-and-Language Navigation",
    package=__name__,
)
