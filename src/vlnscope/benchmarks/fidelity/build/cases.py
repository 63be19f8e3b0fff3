"""Builds the cases of fidelity: long or plain paths, each with the whole instruction and with parts of it.

An episode becomes one case per ablation. The cases of an episode share the group ``pair``, its id, and differ
in the group ``variant``, the name of the ablation; they also keep the episode's id, so that agents that draw
at random draw the same. What an ablation costs is therefore measured episode by episode. The group
``reference`` says whether the described path is a ``shortest`` one or ``roundabout``.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from itertools import chain
from typing import Any, NamedTuple

import msgspec
from msgspec.structs import replace

from vlnscope.benchmarks.fidelity.build.ablations import ABLATIONS, FULL, Ablation, check_ablations
from vlnscope.benchmarks.fidelity.build.paths import DescribedPath, described_paths, draw_episodes
from vlnscope.benchmarks.fidelity.build.reference_statistics import STATISTICS, References, statistics_of
from vlnscope.benchmarks.fidelity.joins.join import NEAR, VARIANTS, join_paths
from vlnscope.benchmarks.fidelity.joins.paths import combinations
from vlnscope.benchmarks.fidelity.joins.result import Joined
from vlnscope.benchmarks.fidelity.protocol import rules
from vlnscope.benchmarks.kit.case_set import CaseSet, Loss
from vlnscope.benchmarks.kit.routes import Routes, sound_routes
from vlnscope.core.exceptions import InputError, UnknownNameError
from vlnscope.episodes.datasets.dataset import Dataset
from vlnscope.types import Case, Episode

AS_IS = "as-is"


def build_cases(
    dataset: Dataset,
    *,
    variant: str = "r4r",
    ablations: Sequence[str] = ABLATIONS,
    max_episodes: int | None = None,
    operator: str = "<=",
    near: float = NEAR,
    separator: str | None = None,
    max_paths: int | None = None,
    max_instructions: int | None = None,
    seed: int = 0,
) -> CaseSet:
    """Make the cases of fidelity.

    Args:
        dataset: any data set with paths over navigation graphs; the cases take place in its scenes.
        variant: ``r4r``, ``r6r`` or ``r8r`` join its paths (see `joining`); ``as-is`` takes them as they are.
        ablations: which parts of the instruction to give, some of `ABLATIONS`; ``full`` must be among them.
        max_episodes: how many episodes to ask, spread over scenes and paths; all if None.
        operator: as in `join_paths`, and likewise the next four; ``as-is`` ignores them.
        near: how near paths must be to be joined.
        separator: what stands between two instructions.
        max_paths: how many joined paths to keep.
        max_instructions: how many instructions of each.
        seed: of all choices.

    Returns:
        The cases, an episode after the other. An episode that an ablation cannot change (a single
        sub-instruction, no other path) has no such case, and `losses` says how many. The option
        ``statistics`` describes all references of the data set and of what was built from it.

    Raises:
        InputError: the data set cannot be used (see `sound_routes`), no paths can be joined, or an argument
            is out of range.
    """
    wanted = check_ablations(ablations)
    joining = {
        "operator": operator,
        "near": near,
        "separator": separator,
        "max_paths": max_paths,
        "max_instructions": max_instructions,
    }
    source = _as_is(dataset) if variant == AS_IS else _joined(dataset, variant, joining, seed)
    chosen = draw_episodes(source.paths, max_episodes, seed)
    cases = _cases(chosen, wanted, Ablation(source.paths, seed))
    every = sum(path.count for path in source.paths)
    options = {"variant": variant, "ablations": list(wanted), "max_episodes": max_episodes, "seed": seed}
    return CaseSet(
        benchmark="fidelity",
        data=dataset.address,
        rules=rules(longest=max(len(episode.path) - 1 for _, episode in chosen)),
        cases=tuple(cases),
        options=options | source.options | {STATISTICS: msgspec.to_builtins(source.statistics)},
        losses=(
            *source.losses,
            Loss("episodes asked", every, len(chosen)),
            *_ablation_losses(cases, wanted, len(chosen)),
        ),
        notes=source.notes,
    )


class _Source(NamedTuple):
    """The paths to ask about, and what there is to say about them."""

    paths: list[DescribedPath]
    statistics: list[References]
    options: dict[str, Any]
    losses: tuple[Loss, ...] = ()
    notes: tuple[str, ...] = ()


def _as_is(dataset: Dataset) -> _Source:
    routes, graphs = sound_routes(dataset)
    paths = described_paths(list(chain.from_iterable(routes.values())), graphs)
    return _Source(paths, [statistics_of(dataset.name, paths)], {})


def _joined(dataset: Dataset, variant: str, options: dict[str, Any], seed: int) -> _Source:
    if variant not in VARIANTS:
        raise UnknownNameError("variant", variant, (*VARIANTS, AS_IS))
    joined = join_paths(dataset, variant, **options, seed=seed)
    if not joined.paths:
        raise InputError(
            f"{dataset.name}: no path starts near the end of another, so none can be joined",
            expected=f"paths that follow each other within {options['near']:g} m",
            fix="take a data set with more paths per scene, a larger `near`, or the variant as-is",
        )
    routes, graphs = sound_routes(dataset)
    plain = described_paths(list(chain.from_iterable(routes.values())), graphs)
    paths = described_paths(joined.paths, graphs)
    resolved = options | {"separator": joined.paths[0].separator}
    statistics = [statistics_of(dataset.name, plain), statistics_of(joined.dataset().name, paths)]
    return _Source(paths, statistics, resolved, _joining_losses(routes, joined), joined.notes)


def _joining_losses(routes: Routes, joined: Joined) -> tuple[Loss, ...]:
    pairs = sum(len(group) ** 2 for group in routes.values())
    kept = sum(path.instruction_count for path in joined.paths)
    every = sum(combinations(path.parts) for path in joined.paths)
    return (
        Loss("pairs of paths near enough to join", pairs, pairs - joined.filtered),
        Loss("joined paths kept", joined.possible, len(joined.paths)),
        Loss("their instructions kept", every, kept),
    )


def _cases(
    chosen: Sequence[tuple[DescribedPath, Episode]], wanted: Sequence[str], ablation: Ablation
) -> list[Case]:
    cases: list[Case] = []
    for path, episode in chosen:
        groups = {"pair": episode.episode_id, "reference": "shortest" if path.is_shortest else "roundabout"}
        for name in wanted:
            text = ablation.word(name, path, episode)
            if text is not None:
                cases.append(_case(episode, name, text, groups))
    return cases


def _case(episode: Episode, name: str, text: str, groups: dict[str, str]) -> Case:
    if name != FULL:
        episode = replace(episode, instruction=text, chunks=(), words=())
    return Case(case_id=f"{episode.episode_id}-{name}", episode=episode, groups={"variant": name, **groups})


def _ablation_losses(cases: Sequence[Case], wanted: Sequence[str], episodes: int) -> list[Loss]:
    counts = Counter(case.groups["variant"] for case in cases)
    return [
        Loss(f"episodes that {name} can change", episodes, counts[name]) for name in wanted if name != FULL
    ]
