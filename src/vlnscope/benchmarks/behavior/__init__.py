"""Does the next step change as it should when the instruction changes? (vln-behave, Yang et al. 2023)."""

from pathlib import Path

from vlnscope.benchmarks.kit.benchmark import BuildOption, Chapter, register_benchmark

_GUIDE = """
The data must say which words lead to which viewpoint: houses and FGR2R do by sub-instructions, RxR does by
the guides' pose traces (`--traces`). Of real scenes, the skill room needs the labels of rooms (mp3d_rooms/),
object the boxes of REVERIE (reverie_bbox/) and Matterport's category mapping.

**Examples**

`vlnscope build behavior --data houses/val_unseen@3 --out cases`

`vlnscope build behavior --data fgr2r/val_unseen --out cases`

`vlnscope build behavior --data houses/val_unseen --skill room-k --hops 1 --hops 4 --most 300 --out rooms`

`vlnscope build behavior --data rxr/val_unseen --traces rxr/pose_traces/rxr_val_unseen --out cases`

`vlnscope build behavior --data fgr2r/val_unseen --turns facing --out turned`

`vlnscope build behavior --data fgr2r/val_unseen --truncations paired --filters legacy --templates released
--turns released --ahead released --items released --out as-released`
"""
_OPTIONS = (
    BuildOption(
        name="skills",
        flag="--skill",
        repeated=True,
        help="stop, direction, object, room or room-k; may be repeated; all but room-k if not given.",
    ),
    BuildOption(
        name="truncations",
        default="all",
        help="`all`, as in the paper, or those `paired` with a text one step ahead, as released.",
    ),
    BuildOption(
        name="filters",
        default="paper",
        help="Of directions: two neighbours elsewhere (`paper`), or before it (`legacy`).",
    ),
    BuildOption(
        name="facing",
        default="view",
        help="Directions from the agent's `view` (30° steps) or `exact` heading.",
    ),
    BuildOption(name="templates", default="paper", help="The sentences of the `paper`, or all `released`."),
    BuildOption(
        name="turns",
        default="left-out",
        help="After a text that ends with a turn to be made, directions are `left-out`, seen from where it "
        "has the walker `facing`, or from the way it came, as `released`.",
    ),
    BuildOption(
        name="ahead",
        default="strict",
        help="Texts one step ahead lead exactly one viewpoint further (`strict`), or as far as the next text "
        "does (`released`).",
    ),
    BuildOption(
        name="items",
        default="clear",
        help="Leave out what a reader may misunderstand (`clear`), or nothing (`released`).",
    ),
    BuildOption(
        name="one_hop_stop",
        type=bool,
        default=False,
        help="Say of neighbouring rooms too that they are the destination.",
    ),
    BuildOption(name="neighbours", type=int, default=3, help="That a viewpoint with an object must have."),
    BuildOption(name="reach", type=float, default=3.0, help="Metres to the farthest object."),
    BuildOption(
        name="hops",
        type=int,
        repeated=True,
        help="How far away rooms of room-k are; may be repeated; 1 to 8.",
    ),
    BuildOption(
        name="hop_rule",
        default="within",
        help="Rooms `within` so many hops, as released, or `exactly` so many.",
    ),
    BuildOption(
        name="language",
        default="en-US",
        help="Of the instructions: en-US as released, en as in the paper.",
    ),
    BuildOption(
        name="most", type=int, help="Keep so many questions of each skill, direction and number of hops."
    ),
    BuildOption(name="traces", type=Path, help="Folder of RxR's guide pose traces of the split."),
)

register_benchmark(
    "behavior",
    question="Does its next step change as it should when the instruction changes?",
    paper="Yang et al. 2023, Behavioral Analysis of Vision-and-Language Navigation Agents (CVPR)",
    package=__name__,
    summary="Append sentences with a known right answer to truncated episodes: stop, turn, object, room.",
    guide=_GUIDE,
    options=_OPTIONS,
    sizes={"quick": {"most": 30}, "full": {"most": 200}},
    limit="most",
    order=40,
    cost=2,
    aligned=True,
    chapters=(Chapter(title="Behaviour: the next step", anchor="behavior", order=40),),
)
