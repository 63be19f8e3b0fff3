"""Does an agent keep out of a place, or go there first, when it is told to? (after Jain et al. 2019)."""

from vlnscope.benchmarks.kit.benchmark import BuildOption, Chapter, comma_list, register_benchmark

_OPTIONS = (
    BuildOption(
        name="tasks", default="avoid,rescue", read=comma_list, help="Which of avoid, rescue, with commas."
    ),
    BuildOption(
        name="most", type=int, default=6, least=1, help="How many routes of each task a scene gives."
    ),
)

register_benchmark(
    "avoid",
    question="does it keep out of a place, or go there first, when it is told to?",
    paper="Jain et al. 2019, Stay on the Path (traps and rescues, which its Section 7 leaves to future work)",
    package=__name__,
    summary="Build routes on which the shortest way to the goal is wrong: a place to avoid, or to go first.",
    guide="""**avoid**: the shortest way leads through a room, the described way around it. **rescue**: the
described way leads to a room first, which lies off the shortest way. In houses the same start and goal are
also asked with the shortest way described, so that `vlnscope report` can say what the words change. For
other data, the instructions of two paths are joined as in R4R, and the room is named.

**Examples**

`vlnscope build avoid --data houses/val_unseen@20 --out avoid`

`vlnscope build avoid --data r2r/val_unseen --root DATA --most 20 --out avoid-r2r`""",
    options=_OPTIONS,
    sizes={"quick": {"most": 2}},
    limit="most",
    order=25,
    cost=2,
    asked_by_default=False,
    chapters=(Chapter(title="Avoid and rescue: the shortest way is wrong", anchor="avoid", order=15),),
)
