"""`errors`: what a wrong word in an instruction costs, and whether it can be found (R2RIE-CE)."""

from pathlib import Path

from vlnscope.benchmarks.kit.benchmark import BuildOption, Chapter, register_benchmark

_OPTIONS = (
    BuildOption(
        name="types",
        flag="--type",
        repeated=True,
        help="Type of error; may be repeated; the paper's five.",
    ),
    BuildOption(
        name="common_sense",
        type=bool,
        default=True,
        help="Put in rooms that adjoin and objects that share a room, or any others.",
    ),
    BuildOption(
        name="priors",
        default="real",
        help="Where that was counted: `real` scans, or built-in `houses`.",
    ),
    BuildOption(
        name="matching", default="word", help="Find directions and rooms by `word` or by `substring`."
    ),
    BuildOption(
        name="filters",
        default="strict",
        help="Let through natural swaps that are wrong for the path (`strict`), or as the `paper` does.",
    ),
    BuildOption(name="shortest", type=int, default=7, help="Leave out shorter instructions."),
    BuildOption(name="length_in", default="words", help="Count their length in `words` or in `pieces`."),
    BuildOption(
        name="vocabulary",
        type=Path,
        help="A BERT vocab.txt for positions of word-pieces; bert/bert-base-uncased-vocab.txt of the data "
        "folder.",
    ),
    BuildOption(name="limit", type=int, least=1, help="Keep so many pairs of each type, at random."),
)

register_benchmark(
    "errors",
    question="what does a wrong word cost, and can the wrong word be detected and located?",
    paper="Taioli et al. 2024, Mind the Error! Detection and Localization of Instruction Errors (R2RIE-CE)",
    package=__name__,
    summary="Plant wrong words in instructions: directions, rooms, objects, and more.",
    options=_OPTIONS,
    sizes={"quick": {"types": ("direction", "room", "object"), "limit": 32}, "full": {"limit": 150}},
    limit="limit",
    order=60,
    cost=4,
    partly_ordinary=True,
    chapters=(Chapter(title="Sensitivity to wrong words", anchor="errors", order=30),),
)
