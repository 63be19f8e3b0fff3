"""Does an agent get better as it gets to know the house? (IVLN, Krantz et al. 2023)."""

from vlnscope.benchmarks.kit.abilities import Ability
from vlnscope.benchmarks.kit.benchmark import BuildOption, Chapter, register_benchmark

_OPTIONS = (
    BuildOption(
        name="legs",
        default="end-to-start",
        help="What to keep short: end-to-start, or start-to-start as for test splits.",
    ),
    BuildOption(name="memory", repeated=True, help="Cases with memory kept or reset; both if not given."),
    BuildOption(name="max_tours", type=int, help="Cases of so many tours of each scene."),
    BuildOption(name="max_episodes", type=int, help="Cases of so many episodes of each tour, the first."),
    BuildOption(
        name="max_steps",
        type=int,
        default=15,
        least=1,
        help="Steps of an agent in an episode, for cases.",
    ),
    BuildOption(
        name="oracle",
        default="whole",
        help="How oracles lead: the `whole` way, to `starts` alone, or as in the code of `ivln`.",
    ),
)

register_benchmark(
    "tours",
    question="Does it get better as it gets to know the house?",
    paper="Krantz et al. 2023, Iterative Vision-and-Language Navigation (CVPR)",
    package=__name__,
    summary="Order the paths of each scene to tours, in which an agent keeps its memory.",
    options=_OPTIONS,
    sizes={"quick": {"max_tours": 1, "max_episodes": 16}, "full": {"max_tours": 1}},
    limit="max_episodes",
    order=30,
    cost=5,
    chapters=(Chapter(title="Memory along tours", anchor="tours", order=20),),
    abilities={
        "memory": Ability(
            can="remembers the house",
            cannot="does not remember the house",
            partly="remembers only some of the house",
            order=130,
        )
    },
)
