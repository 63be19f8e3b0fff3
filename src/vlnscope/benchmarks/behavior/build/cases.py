"""Builds behavior cases: truncated episodes with a sentence appended whose right answer is known.

As Z. Yang, A. Majumdar and S. Lee do (*Behavioral Analysis of Vision-and-Language Navigation Agents*, CVPR
2023). Where the paper and its code disagree there is an option; the default is that of the protocols' section
K. The plain truncated instruction is asked once per truncated path, whatever is asked there besides, and all
cases of a truncated path share the group ``pair``.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

import numpy as np

from vlnscope.benchmarks.behavior import protocol
from vlnscope.benchmarks.behavior.build.arrival import those_that_arrive
from vlnscope.benchmarks.behavior.build.interventions import Asker, plain
from vlnscope.benchmarks.behavior.build.options import ALL_SKILLS, BehaviorOptions
from vlnscope.benchmarks.behavior.build.question import AHEAD, CaseDraft, case_of
from vlnscope.benchmarks.behavior.build.truncation import Truncation, truncations
from vlnscope.benchmarks.kit.case_set import CaseSet
from vlnscope.benchmarks.kit.filter_counts import FilterCounts
from vlnscope.benchmarks.kit.routes import graphs_of, refuse_secret, routes_of
from vlnscope.core.exceptions import InputError
from vlnscope.core.rng import rng_for
from vlnscope.episodes.datasets.dataset import Dataset
from vlnscope.types import Case


def build_cases(dataset: Dataset, *, seed: int = 0, **options: Any) -> CaseSet:
    """Make the cases of a data set whose words are aligned with its paths.

    Args:
        dataset: with sub-instructions (``fgr2r/…``, ``houses/…``) or, with `traces`,
            with timed words (``rxr/…``).
        seed: of the templates, of the names of rooms that have several, and of what `most` draws.
        **options: fields of `BehaviorOptions`:
            ``skills`` (stop, direction, object, room; also room-k);
            ``truncations`` ``paired`` or ``all`` (DIFF-16); ``language`` ``en-US`` or ``en`` (DIFF-15);
            ``filters`` of directions, ``paper`` or ``legacy`` (DIFF-18), the latter also asking for rooms
            without a label; ``facing`` ``view`` (30° steps) or ``exact``; ``templates`` ``paper`` or
            ``released``; ``turns`` ``facing``, ``left-out`` or ``released``, what becomes of directions after
            a text that ends with a turn; ``ahead`` ``strict`` or ``released``, how far the text one step
            ahead may lead; ``items`` ``clear`` or ``released``, whether to leave out what a reader may
            misunderstand; ``one_hop_stop`` (DIFF-17); ``neighbours`` that an object's viewpoint must have
            (DIFF-19); ``reach`` in metres of objects; ``hops`` and ``hop_rule`` ``within`` or ``exactly``
            (DIFF-20) of room-k; ``most`` questions of each skill, direction and number of hops, drawn at
            random; ``traces``, the folder of the guides' pose traces.

    Raises:
        InputError: an option is wrong, an episode's words are not aligned with its path, a scene lacks the
            rooms or objects that are asked for, an object's name is unknown, or no case is left.
    """
    chosen = _options(options, seed)
    refuse_secret(dataset, "build from train, val_seen or val_unseen")
    graphs_of(dataset, routes_of(dataset))
    scenes = dataset.scenes
    assert scenes is not None  # `graphs_of` refuses data without graphs
    counts = FilterCounts()
    cut = truncations(
        list(dataset.episodes()),
        counts,
        keep=chosen.truncations,
        language=chosen.language,
        traces=chosen.trace_folder,
        ahead=chosen.ahead,
        clear=chosen.clear,
    )
    if chosen.clear:
        cut = those_that_arrive(cut, scenes, counts, paired=chosen.truncations == "paired")
    cases = tuple(_cases(cut, Asker(scenes, counts, chosen), chosen))
    if not cases:
        raise InputError(
            f"{dataset.name}: no case is left after all filters",
            expected="episodes with inner viewpoints that a part of the instruction leads to",
            fix="name more data or other skills, or use truncations=all or items=released",
        )
    hops = max(chosen.hops) if "room-k" in chosen.skills else 0
    return CaseSet(
        benchmark="behavior",
        data=dataset.address,
        rules=protocol.rules(hops=hops, prefix=max(case.forced_steps for case in cases)),
        cases=cases,
        options={name: getattr(chosen, name) for name in BehaviorOptions.__struct_fields__},
        losses=counts.losses(by_prefix=True),
        notes=tuple(_notes(chosen)),
    )


def _options(options: dict[str, Any], seed: int) -> BehaviorOptions:
    try:
        return BehaviorOptions(**options, seed=seed)
    except TypeError as error:
        raise InputError(
            f"an option of the builder is unknown ({error})",
            expected=f"among {', '.join(BehaviorOptions.__struct_fields__)}",
            fix="use one of these names",
        ) from None


def _cases(cut: Sequence[Truncation], asker: Asker, options: BehaviorOptions) -> Iterator[Case]:
    """Yield the cases of each truncated episode, the plain one first."""
    drafts = [
        question
        for skill in ALL_SKILLS
        if skill in options.skills
        for question in _drawn([q for it in cut for q in asker.ask(skill, it)], options, asker.counts)
    ]
    by_pair: dict[str, list[CaseDraft]] = {it.pair: [] for it in cut}
    for question in drafts:
        by_pair[question.truncation.pair].append(question)
    for it in cut:
        if questions := by_pair[it.pair]:
            groups = {"filters": options.filters, "facing": f"{asker.look(it):.6f}"}
            yield from (case_of(question, groups) for question in (plain(it), *questions))


def _drawn(
    questions: Sequence[CaseDraft], options: BehaviorOptions, counts: FilterCounts
) -> Sequence[CaseDraft]:
    """Draw at most so many questions of each stratum; those about stopping on a path stay together."""
    if options.most is None:
        return questions
    strata: dict[str, dict[str, bool]] = {}
    for question in questions:
        units = strata.setdefault(question.stratum, {})
        units[question.unit] = units.get(question.unit, False) or question.variant == AHEAD
    kept: set[str] = set()
    for stratum, units in strata.items():
        size = min(options.most, len(units))
        rng = rng_for(options.seed, "behavior", "most", stratum)
        kept |= set(_first_drawn(units, size, rng))
        counts.add(f"{stratum}: drawn at random", len(units), size)
    return [question for question in questions if question.unit in kept]


def _first_drawn(units: Mapping[str, bool], size: int, rng: np.random.Generator) -> list[str]:
    """Draw units, those first that are marked: truncated paths with a text one step ahead to compare with."""
    marked = [unit for unit, first in units.items() if first]
    if len(marked) >= size:
        return list(rng.choice(marked, size, replace=False).tolist())
    others = [unit for unit, first in units.items() if not first]
    return marked + list(rng.choice(others, size - len(marked), replace=False).tolist())


def _notes(options: BehaviorOptions) -> Iterator[str]:
    yield "the plain truncated instruction is asked once per truncated path: skill stop, sub implicit"
    if "room-k" in options.skills:
        yield "room-k: right is to enter a room of the asked kind within so many moves, see the group hops"
    if options.facing == "view":
        yield "directions are measured from the middle of the agent's view, a multiple of 30°"


def count_cases(case_set: CaseSet) -> dict[str, int]:
    """Return how many cases there are of each kind, skill by skill."""
    kinds = [(ALL_SKILLS.index(case.groups["skill"]), _kind(case.groups)) for case in case_set.cases]
    return {kind: count for (_, kind), count in sorted(Counter(kinds).items())}


def _kind(groups: Mapping[str, str]) -> str:
    if groups["skill"] in ("stop", "direction"):
        return f"{groups['skill']}: {groups['sub']}"
    return f"room-{groups['hops']}" if "hops" in groups else groups["skill"]
