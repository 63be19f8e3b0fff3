"""Does an agent follow the described path, or only head for the goal? (R4R and CLS, Jain et al. 2019)."""

from __future__ import annotations

import vlnscope.benchmarks.fidelity.avoid  # noqa: F401 - registers "avoid"
from vlnscope.benchmarks.kit.abilities import Ability
from vlnscope.benchmarks.kit.benchmark import BuildOption, Chapter, comma_list, register_benchmark

_OPTIONS = (
    BuildOption(name="variant", default="r4r", help="r4r, r6r, r8r, or as-is (with --cases)."),
    BuildOption(
        name="ablations",
        default="full,last-five,none,other,shuffled",
        read=comma_list,
        help="What cases say: full, last-five, none, other, shuffled.",
    ),
    BuildOption(
        name="max_episodes",
        type=int,
        least=1,
        help="Ask so many episodes, spread over scenes; all if not given.",
    ),
    BuildOption(
        name="operator",
        default="<=",
        help="Join paths that are `<=` (today's script) or `<` (the paper) so near.",
    ),
    BuildOption(
        name="near",
        type=float,
        default=3.0,
        help="Metres from the end of a path to the start of the next.",
    ),
    BuildOption(
        name="separator",
        help="Text between two instructions; a space unless most end in one, as in R2R.",
    ),
    BuildOption(name="max_paths", type=int, help="Keep so many joined paths; 0 for all."),
    BuildOption(name="max_instructions", type=int, help="Keep so many instructions of each; 0 for all."),
)

register_benchmark(
    "fidelity",
    question="does it follow the described path, or only head for the goal?",
    paper="Jain et al. 2019, Stay on the Path: Instruction Fidelity in Vision-and-Language Navigation",
    package=__name__,
    summary="Join paths to longer ones that are not the shortest to their goal, and ask agents to follow "
    "them.",
    options=_OPTIONS,
    sizes={
        "quick": {"max_episodes": 32, "ablations": ("full", "none", "last-five", "other")},
        "full": {"max_episodes": 200},
    },
    limit="max_episodes",
    order=20,
    cost=6,
    predictions={"variant": "as-is", "ablations": ("full",)},
    chapters=(
        Chapter(title="Fidelity against goal-seeking", anchor="fidelity", order=10),
        Chapter(
            title="Ablations: what its words are worth to it",
            anchor="ablations",
            order=11,
            question="What does it lose when its instruction is cut, put in another order, swapped or "
            "taken away?",
            prefixes=("language",),
        ),
    ),
    abilities={
        "reading": Ability(
            can="reads its instructions",
            cannot="does not read its instructions",
            partly="makes too little of its instructions",
            order=20,
        ),
        "route": Ability(
            can="takes the described way",
            cannot="does not take the described way",
            partly="does not always take the described way",
            order=120,
        ),
    },
)
