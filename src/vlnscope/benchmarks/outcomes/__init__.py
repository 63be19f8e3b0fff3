"""How do walks end, and where do they go wrong? Ordinary episodes, or a prediction file alone."""

from __future__ import annotations

from vlnscope.benchmarks.kit.abilities import Ability
from vlnscope.benchmarks.kit.benchmark import BuildOption, Chapter, Share, register_benchmark
from vlnscope.benchmarks.outcomes.kinds import OUTCOMES, SUCCESSES

_GUIDE = """
The episodes are asked as they are. Runs of them keep every decision, so that a report can show what else
was probable at any step. `vlnscope report` then says how walks end (reached, stopped early, overshot, wrong
turn …), when they go wrong, and which turns are missed.

**Examples**

`vlnscope build outcomes --data houses/val_unseen@6 --most 60 --out outcomes`

`vlnscope build outcomes --data r2r/val_unseen --out outcomes`

`vlnscope build outcomes --data reverie/val_unseen --max-steps 20 --most 500 --seed 3 --out outcomes`
"""

register_benchmark(
    "outcomes",
    question="how do its walks end, and where do they go wrong?",
    paper="Anderson et al. 2018, Vision-and-Language Navigation (metrics); kinds of failure: vlnscope",
    package=__name__,
    summary="Ask the episodes of a data set as they are, to see how walks end and where they go wrong.",
    guide=_GUIDE,
    options=(
        BuildOption(
            name="most",
            type=int,
            least=1,
            help="Ask so many episodes, spread over scenes; all if not given.",
        ),
        BuildOption(
            name="max_steps",
            type=int,
            least=1,
            help="Steps of an agent; twice those of the longest path, 15 at least.",
        ),
    ),
    sizes={"quick": {"most": 96}, "full": {"most": 600}},
    limit="most",
    order=10,
    cost=3,
    predictions={},
    ordinary=True,
    chapters=(Chapter(title="How walks end, and where they fail", anchor="outcomes", order=60),),
    abilities={
        "stopping": Ability(
            can="stops where it should",
            cannot="does not stop where it should",
            partly="does not always stop where it should",
            order=10,
        )
    },
    headlines=("SR", "SPL", "nDTW"),
    shares={f"outcome.{kind}": Share(phrase, kind in SUCCESSES) for kind, phrase in OUTCOMES.items()},
)
