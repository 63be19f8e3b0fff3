"""`vlnscope build behavior`."""

from __future__ import annotations

from collections import Counter
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from vlnscope.cli.build.output import print_cases
from vlnscope.cli.shared.options import Data, Json, Out, Positions, Root, Seed, passed

if TYPE_CHECKING:
    from vlnscope.benchmarks.kit.case_set import CaseSet

EPILOG = """
The data must say which words lead to which viewpoint: houses and FGR2R do by sub-instructions, RxR does by
the guides' pose traces (`--traces`). Of real scenes, the skill room needs the labels of rooms (mp3d_rooms/),
object the boxes of REVERIE (reverie_bbox/) and Matterport's category mapping.

**Examples**

`vlnscope build behavior --data houses/val_unseen@3 --out cases`

`vlnscope build behavior --data fgr2r/val_unseen --truncations all --out cases`

`vlnscope build behavior --data houses/val_unseen --skill room-k --hops 1 --hops 4 --most 300 --out rooms`

`vlnscope build behavior --data rxr/val_unseen --traces rxr/pose_traces/rxr_val_unseen --out cases`

`vlnscope build behavior --data fgr2r/val_unseen --filters legacy --templates released --out as-released`
"""


def behavior(
    data: Data,
    out: Out,
    root: Root = None,
    positions: Positions = "connectivity",
    skill: Annotated[
        list[str] | None,
        typer.Option(
            help="stop, direction, object, room or room-k; may be repeated; all but room-k if not given."
        ),
    ] = None,
    truncations: Annotated[
        str, typer.Option(help="`paired` with a text one step ahead, as released, or `all`, as in the paper.")
    ] = "paired",
    filters: Annotated[
        str, typer.Option(help="Of directions: two neighbours elsewhere (`paper`), or before it (`legacy`).")
    ] = "paper",
    facing: Annotated[
        str, typer.Option(help="Directions from the agent's `view` (30° steps) or `exact` heading.")
    ] = "view",
    templates: Annotated[
        str, typer.Option(help="The sentences of the `paper`, or all `released`.")
    ] = "paper",
    one_hop_stop: Annotated[
        bool,
        typer.Option("--one-hop-stop", help="Say of neighbouring rooms too that they are the destination."),
    ] = False,
    neighbours: Annotated[int, typer.Option(help="That a viewpoint with an object must have.")] = 3,
    reach: Annotated[float, typer.Option(help="Metres to the farthest object.")] = 3.0,
    hops: Annotated[
        list[int] | None, typer.Option(help="How far away rooms of room-k are; may be repeated; 1 to 8.")
    ] = None,
    hop_rule: Annotated[
        str, typer.Option(help="Rooms `within` so many hops, as released, or `exactly` so many.")
    ] = "within",
    language: Annotated[
        str, typer.Option(help="Of the instructions: en-US as released, en as in the paper.")
    ] = "en-US",
    most: Annotated[
        int | None, typer.Option(help="Keep so many questions of each skill, direction and number of hops.")
    ] = None,
    traces: Annotated[
        Path | None, typer.Option(help="Folder of RxR's guide pose traces of the split.")
    ] = None,
    seed: Seed = 0,
    json: Json = False,
) -> None:
    """Append sentences with a known right answer to truncated episodes: stop, turn, object, room."""
    options = passed(locals(), "data", "out", "root", "positions", "skill", "hops", "traces")
    from vlnscope.benchmarks.behavior.build.cases import build_cases
    from vlnscope.episodes.datasets.dataset import open_dataset

    options |= {"skills": tuple(skill)} if skill else {}
    options |= {"hops": tuple(hops)} if hops else {}
    options |= {"traces": str(traces)} if traces else {}
    made = build_cases(open_dataset(data, root, positions=positions), **options)
    made.save(out)
    print_cases(made, out, dict(_counts(made)), json=json)


def _counts(made: CaseSet) -> list[tuple[str, int]]:
    """Return how many cases there are of each kind, skill by skill."""
    from vlnscope.benchmarks.behavior.build.options import ALL_SKILLS

    names = [(ALL_SKILLS.index(case.groups["skill"]), _kind(case.groups)) for case in made.cases]
    return [(kind, count) for (_, kind), count in sorted(Counter(names).items())]


def _kind(groups: dict[str, str]) -> str:
    if groups["skill"] in ("stop", "direction"):
        return f"{groups['skill']}: {groups['sub']}"
    return f"room-{groups['hops']}" if "hops" in groups else groups["skill"]
