"""Building chains: atomic instructions of a scene, one after the other, and each of them alone.

Cases are grouped by

============  ============================================================================================
``variant``   ``chain``, or ``alone`` for a step that is asked by itself
``length``    how many steps the chain has
``pair``      the chain, shared by its steps
``place``     of a step that is asked alone: its place in the chain, from 1
``kind``      of a step that is asked alone: what is asked, such as ``RR into``
============  ============================================================================================
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterator

import msgspec

from vlnscope.benchmarks.kit.case_set import CaseSet
from vlnscope.benchmarks.kit.filter_counts import FilterCounts
from vlnscope.benchmarks.nuances.build.cases import NEEDS, scenes_of, site_of
from vlnscope.benchmarks.nuances.build.paraphrases import template
from vlnscope.benchmarks.nuances.chains.build.chance import chance_of
from vlnscope.benchmarks.nuances.chains.build.linking import Chain, Linker
from vlnscope.benchmarks.nuances.chains.build.poses import Atom, AtomIndex
from vlnscope.benchmarks.nuances.chains.build.wording import chain_text
from vlnscope.benchmarks.nuances.chains.judging import ChainJudge
from vlnscope.benchmarks.nuances.chains.lengths import LONGEST, MOST, SHORTEST, checked_lengths
from vlnscope.benchmarks.nuances.chains.protocol import rules
from vlnscope.benchmarks.nuances.chains.steps import CHANCE, FIELD, ChainStep
from vlnscope.core.exceptions import InputError
from vlnscope.core.rng import rng_for
from vlnscope.episodes.datasets.dataset import Dataset
from vlnscope.types import Case, Episode

LENGTHS = tuple(range(SHORTEST, LONGEST + 1))
KEPT_FIELDS = ("obj_center", "valid_ends", "region_starts", "set_paths")
"""What the evaluators read of an item; turns are told by the walker's own view."""


def build_cases(
    dataset: Dataset,
    *,
    seed: int = 0,
    lengths: Collection[int] = LENGTHS,
    most: int = MOST,
    alone: bool = True,
) -> CaseSet:
    """Return chains of atomic instructions as cases, and their steps.

    Args:
        dataset: whose scenes to take; its episodes do not matter.
        seed: of all random choices.
        lengths: how many steps chains have, 2 to 5.
        most: how many chains of each length a scene gives.
        alone: ask every step by itself too, from the pose in which the chain comes to it.

    Raises:
        InputError: the data set has no scenes, or nothing can be built.
    """
    lengths = checked_lengths(tuple(lengths))
    scenes, scans = scenes_of(dataset)
    counts = FilterCounts()
    lacking: Counter[str] = Counter()
    cases: list[Case] = []
    for scan in scans:
        site = site_of(scenes, scan, clear=True, any_of=False)
        lacking.update({layer for needed in NEEDS.values() for layer in needed if not site.scene.has(layer)})
        linker = Linker(AtomIndex(site, seed), step_of)
        for length in lengths:
            for number, chain in enumerate(_drawn(linker, length, most, seed, counts)):
                cases += _cases(linker, chain, f"{scan}-chain{length}-{number}", seed, alone=alone)
    if not cases:
        raise InputError(
            f"{dataset.name}: no chain of {', '.join(map(str, lengths))} steps can be built",
            expected="scenes with rooms, landmarks, stairs or junctions near each other",
            fix="take more scenes, shorter chains, or a data folder with rooms and objects (--root DIR)",
        )
    return CaseSet(
        benchmark="chains",
        data=dataset.address,
        rules=rules(longest=max(len(case.episode.path) - 1 for case in cases)),
        cases=tuple(cases),
        options={"seed": seed, "lengths": list(lengths), "most": most, "alone": alone},
        losses=counts.losses(),
        notes=tuple(
            f"items that need the layer {layer!r} are left out in {count} of {len(scans)} scenes"
            for layer, count in sorted(lacking.items())
        ),
    )


def step_of(atom: Atom) -> ChainStep:
    """Return an item as the step of a chain, without where the walker goes on from."""
    item = atom.item
    fields = {name: item.fields[name] for name in KEPT_FIELDS if name in item.fields}
    if item.category == "NU":
        fields["path_id"] = item.name
    return ChainStep(
        category=item.category,
        subset=item.subset,
        text=template(item.phrase, item.slots),
        path=item.path,
        fields=fields,
    )


def _drawn(linker: Linker, length: int, most: int, seed: int, counts: FilterCounts) -> list[Chain]:
    """Draw chains; a first step begins one chain of a length at most, and starts differ where they can."""
    atoms = linker.index.atoms
    rng = rng_for(seed, "chains", linker.site.scene.id, length)
    order = rng.permutation(len(atoms)).tolist()
    rounds: Counter[int] = Counter()
    ranked: list[tuple[int, int]] = []
    for place, pick in enumerate(order):
        start = atoms[pick].path[0]
        ranked.append((rounds[start], place))
        rounds[start] += 1
    picked: list[Chain] = []
    tried = 0
    for _, place in sorted(ranked):
        if len(picked) == most:
            break
        tried += 1
        chain = linker.chain_from(atoms[order[place]], length, rng)
        if chain is not None and not any(_ends_alike(chain, other) for other in picked):
            picked.append(chain)
    counts.add(f"first steps that begin a chain of {length}", tried, len(picked))
    return picked


def _ends_alike(chain: Chain, other: Chain) -> bool:
    """Return whether two chains share their last two steps."""
    return [link.atom.meaning for link in chain[-2:]] == [link.atom.meaning for link in other[-2:]]


def _cases(linker: Linker, chain: Chain, name: str, seed: int, *, alone: bool) -> Iterator[Case]:
    site = linker.site
    steps = [
        msgspec.structs.replace(step_of(link.atom), handover=site.named(link.handover)) for link in chain
    ]
    groups = {"length": str(len(chain)), "pair": name, "scene": site.scene.id}
    kinds = "; ".join(step.kind for step in steps)
    path = (steps[0].path[0], *(node for step in steps for node in step.path[1:]))
    yield Case(
        case_id=name,
        episode=_episode(name, linker, chain, steps, path, seed),
        groups={"variant": "chain", "kinds": kinds, **groups},
    )
    for place, (link, step) in enumerate(zip(chain, steps, strict=True), 1) if alone else ():
        own, single = f"{name}-step{place}", msgspec.structs.replace(step, handover=())
        yield Case(
            case_id=own,
            episode=_episode(own, linker, (link,), [single], step.path, seed),
            groups={"variant": "alone", "place": str(place), "kind": step.kind, **groups},
        )


def _episode(
    name: str, linker: Linker, chain: Chain, steps: list[ChainStep], path: tuple[str, ...], seed: int
) -> Episode:
    site = linker.site
    judge = ChainJudge(steps, site.graph, site.scene.id, chain[0].heading)
    known = {
        FIELD: msgspec.json.decode(msgspec.json.encode(steps)),
        CHANCE: chance_of(judge, site.graph, path[0], len(steps), name),
    }
    return Episode(
        episode_id=f"{name}_0",
        path_id=name,
        scan=site.scene.id,
        instruction=chain_text([link.atom.item for link in chain], seed, name),
        path=path,
        heading=chain[0].heading,
        distance=round(site.metres(tuple(site.graph.index[node] for node in path)), 2),
        extra=known,
    )


def count_cases(case_set: CaseSet) -> dict[str, int]:
    """Return how many chains there are of each length, and how many steps are asked alone."""
    return dict(
        Counter(
            f"{case.groups['length']} steps" if case.groups["variant"] == "chain" else "steps alone"
            for case in sorted(case_set.cases, key=lambda case: case.groups["variant"] == "alone")
        )
    )
