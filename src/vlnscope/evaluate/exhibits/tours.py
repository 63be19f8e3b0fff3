"""Figures 1, 3 and 6 of IVLN: tours, and walks beside their references, on maps."""

from __future__ import annotations

from collections.abc import Iterator

from vlnscope.benchmarks.kit.findings import Figure, Findings
from vlnscope.benchmarks.tours.build.tours import build_tours
from vlnscope.benchmarks.tours.coverage.curves import OracleWalk, led_walk, tour_walks
from vlnscope.benchmarks.tours.maps.aligned import ranked_figure, telling_figure
from vlnscope.benchmarks.tours.maps.subtours import SubTour, subtours
from vlnscope.benchmarks.tours.maps.whole import tour_figure
from vlnscope.benchmarks.tours.score.cases import tours_of
from vlnscope.core.exceptions import InputError
from vlnscope.evaluate.benchmarking import agent_names
from vlnscope.evaluate.exhibit import Exhibit, ExhibitRequest, WalkedRun, register_exhibit, scans_of
from vlnscope.worlds.scene import Scenes

PAPER = "Krantz et al., 2023"
TOURS = 3
"""Tours that are drawn, if no scene is named."""
EPISODES = 10


def _found(data: str, figure: Figure, agents: tuple[str, ...] = ()) -> Findings:
    return Findings(benchmark="tours", data=data, agents=agents, figures=(figure,))


def _whole(request: ExhibitRequest) -> Findings:
    if request.runs:
        run = request.walked()[0]
        data, scenes = run.case_set.data, request.scenes_of(run)
        walks = list(_asked(run, scenes))
    else:
        dataset = request.dataset()
        scans_of(dataset, request.scene)
        data, walks = dataset.name, tour_walks(build_tours(dataset))
        assert dataset.scenes is not None  # tours are built on graphs
        scenes = dataset.scenes
    chosen = [walk for walk in walks if request.scene in ("", walk.scan)]
    most = request.most or EPISODES
    return _found(data, tour_figure(chosen[:TOURS], scenes, data=data, most=most))


def _asked(run: WalkedRun, scenes: Scenes) -> Iterator[OracleWalk]:
    """Yield the tours of a run, each once."""
    cases = {case.case_id: case for case in run.case_set.cases}
    for tour in tours_of(run.case_set):
        if not tour.forgets:
            paths = [cases[name].episode.path for name in tour.case_ids]
            yield led_walk(tour.scan, scenes.scene(tour.scan).graph, paths)


def _aligned(request: ExhibitRequest) -> Findings:
    run = request.walked()[0]
    found = _subtours(run, request, variant="kept")
    data, agent = run.case_set.data, run.record.agent.name
    return _found(data, telling_figure(agent, found, request.scenes_of(run), data=data), (agent,))


def _ranked(request: ExhibitRequest) -> Findings:
    runs = request.walked()
    names = agent_names(runs)
    walkers: dict[tuple[str, str], list[SubTour]] = {}
    for name, run in zip(names, runs, strict=True):
        for variant in ("kept", "reset"):
            if found := _subtours(run, request, variant=variant):
                walkers[name, variant] = found
    data, scenes = runs[0].case_set.data, request.scenes_of(runs[0])
    figure = ranked_figure(walkers, scenes, data=data, **({"most": request.most} if request.most else {}))
    return _found(data, figure, tuple(names))


def _subtours(run: WalkedRun, request: ExhibitRequest, *, variant: str) -> list[SubTour]:
    if run.case_set.benchmark != "tours":
        raise InputError(
            f"{run.folder}: is a run of {run.case_set.benchmark}",
            expected="a run of tours",
            fix="build them with `vlnscope build tours --cases`, and run the agent on them",
        )
    found = subtours(run.case_set, run.evidence, request.scenes_of(run), profile=request.profile)
    return [one for one in found if one.variant == variant and request.scene in ("", one.scan)]


register_exhibit(
    Exhibit(
        name="tours-figure-1",
        title="tours on maps, in the order of their episodes",
        paper=PAPER,
        needs="either",
        counts="episodes of a tour",
        make=_whole,
    )
)
register_exhibit(
    Exhibit(
        name="tours-figure-3",
        title="a run on two successive episodes of tours: three alignments on maps, and their t-nDTW",
        paper=PAPER,
        needs="runs",
        make=_aligned,
    )
)
register_exhibit(
    Exhibit(
        name="tours-figure-6",
        title="walks of several runs beside the same references on maps, ranked by t-nDTW",
        paper=PAPER,
        needs="runs",
        counts="pairs of references",
        make=_ranked,
    )
)
