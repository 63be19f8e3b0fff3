"""Which atomic instructions does an agent understand? (NavNuances, Wang et al. 2024)."""

import vlnscope.benchmarks.nuances.chains  # noqa: F401 - registers "chains"
from vlnscope.benchmarks.kit.abilities import Ability
from vlnscope.benchmarks.kit.benchmark import BuildOption, Chapter, comma_list, register_benchmark
from vlnscope.benchmarks.nuances.limits import MOST, read_limits

_OPTIONS = (
    BuildOption(
        name="categories",
        default="DC,VM,NU,LR,RR",
        read=comma_list,
        help="Which of DC, VM, NU, LR, RR, with commas.",
    ),
    BuildOption(
        name="most",
        default=MOST,
        read=read_limits,
        help="How much of a scene is taken, by category, such as DC=5,LR=20; see the docs.",
    ),
    BuildOption(name="paraphrase", type=bool, default=True, help="Draw from several wordings."),
    BuildOption(
        name="clear",
        type=bool,
        default=True,
        help="Leave out what a stranger may doubt: odd turns, small landmarks, rooms unlike their label.",
    ),
    BuildOption(
        name="any_of",
        type=bool,
        default=True,
        help="Ask for one of several landmarks alike too; released files name one each.",
    ),
)


def _heeded(can: str, words: str, order: int, part_of: str) -> Ability:
    return Ability(
        can=can,
        cannot=f"does not heed {words}",
        partly=f"does not always heed {words}",
        order=order,
        part_of=part_of,
    )


_ABILITIES = {
    "left": _heeded("turns left when told to", "“left”", 30, "directions"),
    "right": _heeded("turns right when told to", "“right”", 40, "directions"),
    "directions": _heeded("goes in the direction it is told", "directions", 50, "reading"),
    "up": _heeded("goes up when told to", "“up”", 60, "stairs"),
    "down": _heeded("goes down when told to", "“down”", 70, "stairs"),
    "stairs": Ability(
        can="takes the right stairs",
        cannot="does not heed “up” and “down”",
        partly="does not always take the right stairs",
        order=80,
        part_of="reading",
    ),
    "rooms": _heeded("knows rooms by name", "the names of rooms", 90, "reading"),
    "things": _heeded("knows things by name", "the names of things", 100, "reading"),
    "counting": Ability(
        can="counts",
        cannot="does not count",
        partly="does not always count right",
        order=110,
        part_of="reading",
        needs=("left", "right", "things"),
    ),
}

register_benchmark(
    "nuances",
    question="which atomic instructions does it understand (turns, stairs, counting, landmarks, rooms)?",
    paper="Wang et al. 2024, Navigating the Nuances",
    package=__name__,
    summary="Build atomic instructions: turns, stairs, counting, landmarks and rooms.",
    options=_OPTIONS,
    sizes={"quick": {"most": {"DC": 5, "VM": 3, "NU": 4, "LR": 5, "RR": 5}}},
    limit="most",
    order=50,
    cost=1,
    chapters=(Chapter(title="Nuances: atomic instructions", anchor="nuances", order=50),),
    abilities=_ABILITIES,
)
