"""How many atomic instructions does an agent carry out in a row? (chains of NavNuances items)."""

from vlnscope.benchmarks.kit.benchmark import BuildOption, Chapter, register_benchmark
from vlnscope.benchmarks.nuances.chains.lengths import LONGEST, MOST, SHORTEST, read_lengths

_OPTIONS = (
    BuildOption(
        name="lengths",
        default=f"{SHORTEST}-{LONGEST}",
        read=read_lengths,
        help="How many steps chains have, such as 2-5 or 3.",
    ),
    BuildOption(
        name="most", type=int, default=MOST, least=1, help="How many chains of each length a scene gives."
    ),
    BuildOption(
        name="alone", type=bool, default=True, help="Ask every step by itself too, from where it begins."
    ),
)

register_benchmark(
    "chains",
    question="how many atomic instructions does it carry out in a row?",
    paper="after Wang et al. 2024, Navigating the Nuances",
    package=__name__,
    summary="Build chains of two to five atomic instructions, to be carried out one after the other.",
    guide="""Every step is an item of `vlnscope build nuances` that is valid where the one before leaves the
walker. Each is also asked alone, from the same place and with the same view, so that `vlnscope report` can
say whether it is harder to do them in a row.

**Examples**

`vlnscope build chains --data houses/nuances@20 --out chains`

`vlnscope build chains --data r2r/val_unseen --root DATA --lengths 2-3 --out chains-mp3d`""",
    options=_OPTIONS,
    sizes={"quick": {"most": 2}},
    limit="most",
    order=55,
    cost=1,
    asked_by_default=False,
    chapters=(Chapter(title="Chains: several instructions in a row", anchor="chains", order=55),),
)
