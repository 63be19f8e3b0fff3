"""How do walks end, and where do they go wrong? Ordinary episodes, or a prediction file alone."""

from __future__ import annotations

from vlnscope.benchmarks.kit.benchmark import register_benchmark

register_benchmark(
    "outcomes",
    question="how do its walks end, and where do they go wrong?",
    paper="Anderson et al. 2018, Vision-and-Language Navigation (metrics); kinds of failure: vlnscope",
    package=__name__,
)
