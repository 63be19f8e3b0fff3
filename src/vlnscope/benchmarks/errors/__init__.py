"""`errors`: what a wrong word in an instruction costs, and whether it can be found (R2RIE-CE)."""

from vlnscope.benchmarks.kit.benchmark import register_benchmark

register_benchmark(
    "errors",
    question="what does a wrong word cost, and can the wrong word be detected and located?",
    paper="Taioli et al. 2024, Mind the Error! Detection and Localization of Instruction Errors (R2RIE-CE)",
    package=__name__,
)
