"""The benchmark `blocks`: does an agent walk as many blocks as it is told?"""

from __future__ import annotations

from vlnscope.benchmarks.kit.abilities import Ability
from vlnscope.benchmarks.kit.benchmark import Benchmark, BuildOption, Chapter

BLOCKS = Benchmark(
    name="blocks",
    question="does it walk as many blocks as it is told?",
    paper="nobody: an example of a plug-in",
    package=__name__,
    summary="Ask for errands of a known number of blocks.",
    options=(BuildOption(name="most", type=int, least=1, help="Ask so many errands; all if not given."),),
    sizes={"quick": {"most": 48}, "full": {}},
    limit="most",
    chapters=(Chapter(title="Counting blocks", anchor="blocks", order=500),),
    abilities={
        "blocks": Ability(
            can="counts blocks", cannot="does not count blocks", partly="does not always count blocks"
        )
    },
)
