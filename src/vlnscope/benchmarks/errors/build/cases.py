"""Making case sets: every instruction as it is (E_C) and once more with planted errors (E_P), in pairs."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Literal, get_args

import msgspec

from vlnscope.benchmarks.errors.build.planting import (
    FILTERS,
    Filters,
    Planted,
    Planting,
    SwapCounts,
    can_hold,
    plant,
    unchanged,
)
from vlnscope.benchmarks.errors.build.priors import SOURCES, Source
from vlnscope.benchmarks.errors.build.still_true import Surroundings
from vlnscope.benchmarks.errors.build.strict.filters import StrictFilters
from vlnscope.benchmarks.errors.build.strict.witnesses import Witnesses
from vlnscope.benchmarks.errors.build.types import PAPER, TYPES, ErrorType
from vlnscope.benchmarks.errors.build.word_matching import MATCHINGS, Matching
from vlnscope.benchmarks.errors.build.word_pieces import WordPieces
from vlnscope.benchmarks.errors.protocol import rules
from vlnscope.benchmarks.kit.case_set import CaseSet, Loss
from vlnscope.benchmarks.kit.filter_counts import FilterCounts
from vlnscope.benchmarks.kit.routes import refuse_secret
from vlnscope.core.exceptions import InputError, UnknownNameError
from vlnscope.core.rng import rng_for
from vlnscope.episodes.datasets.dataset import Dataset
from vlnscope.types import Case, Episode
from vlnscope.worlds.scene import Scenes

_WORD = re.compile(r"\w+")


def episodes_on(dataset: Dataset, graph: Dataset | None) -> Iterator[Episode]:
    """Yield the episodes of a data set, those of VLN-CE with path, heading and chunks of their R2R twins.

    Args:
        dataset: where the instructions come from.
        graph: where the paths come from; None to take the episodes as they are. The twin of an episode has
            the same scene, the same path id and the same words. An episode without twin has no path.
    """
    twins = {} if graph is None else {_key(episode): episode for episode in graph.episodes()}
    for episode in dataset.episodes():
        extra = {key: value for key, value in episode.extra.items() if key != "file"}
        merged = msgspec.structs.replace(episode, extra=extra)
        if twin := twins.get(_key(episode)):
            more = {"path": twin.path, "heading": twin.heading, "chunks": twin.chunks}
            merged = msgspec.structs.replace(merged, **more)
        yield merged


def _key(episode: Episode) -> tuple[str, str, tuple[str, ...]]:
    return episode.scan, episode.path_id, tuple(_WORD.findall(episode.instruction.lower()))


LengthIn = Literal["words", "pieces"]
SHORTEST = 7


@dataclass(frozen=True)
class _Builder:
    episodes: Sequence[Episode]
    scenes: Scenes | None
    witnesses: Witnesses | None
    how: Planting
    shortest: int
    length_in: LengthIn
    limit: int | None
    seed: int

    def build(self, error: ErrorType) -> tuple[list[Case], list[Loss]]:
        """Return the cases of one type, a pair after the other, and what was lost on the way."""
        long = [episode for episode in self.episodes if self._length(episode.instruction) >= self.shortest]
        able = [episode for episode in long if can_hold(episode.instruction, error, self.how)]
        tally, counts = SwapCounts(), FilterCounts()
        tried, pairs = self._pairs(able, error, tally, counts)
        unit = "words" if self.length_in == "words" else "word-pieces"
        steps = [
            (f"at least {self.shortest} {unit}", len(self.episodes), len(long)),
            ("has the words that are made wrong", len(long), len(able)),
            *([("tried until there were enough", len(able), tried)] if tried < len(able) else []),
            *((loss.filter, loss.before, loss.after) for loss in counts.losses()),
            ("drawn swaps that are wrong where they are said", tally.drawn, tally.drawn - tally.true),
            ("some swap is wrong where it is said", tried, len(pairs)),
        ]
        losses = [Loss(f"{error.name}: {name}", before, after) for name, before, after in steps]
        return [case for pair in pairs for case in self._cases(*pair, error)], losses

    def _length(self, text: str) -> int:
        if self.length_in == "words":
            return len(text.split())
        assert self.how.pieces is not None  # checked before
        return self.how.pieces.count(text)

    def _plant(
        self, episode: Episode, error: ErrorType, tally: SwapCounts, counts: FilterCounts
    ) -> Planted | None:
        scene = None if self.scenes is None or not episode.path else self.scenes.scene(episode.scan)
        rng = rng_for(self.seed, "errors", error.name, episode.scan, episode.episode_id)
        strict = (
            StrictFilters(episode, scene, self.witnesses, counts) if self.how.filters == "strict" else None
        )
        return plant(episode, error, Surroundings(scene, episode), self.how, rng, tally, strict)

    def _pairs(
        self, able: Sequence[Episode], error: ErrorType, tally: SwapCounts, counts: FilterCounts
    ) -> tuple[int, list[tuple[Episode, Planted]]]:
        """Return how many episodes were tried, and the pairs; with a limit they are tried in random order."""
        order = list(range(len(able)))
        if self.limit is not None:
            order = rng_for(self.seed, "errors", "limit", error.name).permutation(len(able)).tolist()
        planted_by_index: dict[int, Planted] = {}
        tried = 0
        while tried < len(order) and (self.limit is None or len(planted_by_index) < self.limit):
            planted = self._plant(able[order[tried]], error, tally, counts)
            if planted is not None:
                planted_by_index[order[tried]] = planted
            tried += 1
        return tried, [(able[k], planted_by_index[k]) for k in sorted(planted_by_index)]

    def _cases(self, episode: Episode, planted: Planted, error: ErrorType) -> list[Case]:
        pair = f"{error.name}-{episode.episode_id}"
        drawn = bool({"room", "object"} & set(error.ingredients)) and self.how.common_sense
        groups = {
            "type": error.name,
            "pair": pair,
            "position": str(planted.quintile),
            "common_sense": "yes" if drawn else "no",
        }
        clean = unchanged(episode, self.how)
        return [
            Case(case_id=f"{pair}-{variant}", episode=its, groups=groups | {"variant": variant})
            for variant, its in (("clean", clean), ("wrong", planted.episode))
        ]


def build_cases(
    dataset: Dataset,
    *,
    seed: int = 0,
    types: Sequence[str] = PAPER,
    common_sense: bool = True,
    priors: Source = "real",
    matching: Matching = "word",
    filters: Filters = "strict",
    shortest: int = SHORTEST,
    length_in: LengthIn = "words",
    vocabulary: str | Path | None = None,
    graph: Dataset | None = None,
    limit: int | None = None,
) -> CaseSet:
    """Make pairs of right and wrong instructions.

    Args:
        dataset: where the instructions come from: R2R, VLN-CE, houses.
        seed: of all random choices; those of an episode do not depend on other episodes.
        types: types of errors, keys of `TYPES`; the paper's five by default.
        common_sense: put in rooms that adjoin and objects that share a room (the paper's validation sets)
            instead of any other (its training set).
        priors: where that was counted: ``real`` scans or ``houses``.
        matching: find directions and rooms as whole words or as substrings.
        filters: ``strict`` leaves out swaps that are ungrammatical, that nobody would say, or that are not
            wrong for the path, as far as scene and captions tell; ``paper`` plants as the paper describes.
        shortest: τ, the least length of an instruction.
        length_in: what it is counted in: ``words`` (by spaces) or word-``pieces``.
        vocabulary: a BERT ``vocab.txt``; positions are those of words if there is none.
        graph: for a continuous data set the discrete one with the same instructions, such as
            ``r2r/val_unseen``: the cases can then be walked, and rooms and objects be checked.
        limit: keep so many pairs of each type, drawn at random.

    Raises:
        InputError: an option cannot be used, or no pair could be made.
    """
    refuse_secret(dataset, "name a split whose goals are known, such as r2r/val_unseen")
    _check("type of error", types, TYPES)
    _check("source of priors", [priors], SOURCES)
    _check("matching", [matching], MATCHINGS)
    _check("set of filters", [filters], FILTERS)
    _check("unit of length", [length_in], get_args(LengthIn))
    pieces = None if vocabulary is None else WordPieces(Path(vocabulary))
    if length_in == "pieces" and pieces is None:
        raise InputError(
            "lengths in word-pieces need a vocabulary", expected="vocabulary", fix="name a BERT vocab.txt"
        )
    episodes = list(episodes_on(dataset, graph))
    scenes = graph.scenes if graph else dataset.scenes
    how = Planting(common_sense, priors, matching, pieces, filters)
    witnesses = None if scenes is None else Witnesses(scenes)
    builder = _Builder(episodes, scenes, witnesses, how, shortest, length_in, limit, seed)
    cases: list[Case] = []
    losses: list[Loss] = []
    for name in types:
        built, lost = builder.build(TYPES[name])
        cases += built
        losses += lost
    if not cases:
        raise InputError(
            f"{dataset.name}: no instruction can be made wrong in the ways asked for",
            expected=f"instructions of {shortest} {length_in} or more that name what is swapped",
            fix='ask for other types of errors, a smaller length, or filters="paper"',
        )
    options: dict[str, Any] = {
        "seed": seed,
        "types": list(types),
        "common_sense": common_sense,
        "priors": priors,
        "matching": matching,
        "filters": filters,
        "shortest": shortest,
        "length_in": length_in,
        "positions": "words" if pieces is None else "word-pieces",
        "instructions_from": dataset.name,
        "limit": limit,
    }
    return CaseSet(
        benchmark="errors",
        data=(graph or dataset).name,
        rules=rules(),
        cases=tuple(cases),
        options=options,
        losses=tuple(losses),
        notes=_notes(cases, scenes),
    )


def _check(kind: str, names: Sequence[str], known: Any) -> None:
    for name in names:
        if name not in known:
            raise UnknownNameError(kind, name, known)


def _notes(cases: Sequence[Case], scenes: Scenes | None) -> tuple[str, ...]:
    notes = []
    if scenes is None:
        notes.append("without graphs and labels no swap was checked against the place where it is said")
    if lost := sum(not case.episode.path for case in cases):
        notes.append(f"{lost} cases have no path on a graph and cannot be run there")
    return tuple(notes)


def count_cases(case_set: CaseSet) -> dict[str, int]:
    """Return how many pairs there are of each type of error."""
    return dict(Counter(case.groups["type"] for case in case_set.cases if case.groups["variant"] == "wrong"))
