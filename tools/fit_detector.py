"""Fit the calibration of the detector `grounding` on planted errors in training instructions.

    python tools/fit_detector.py labels   --data houses/train
    python tools/fit_detector.py captions --data r2r/train --root DIR

Writes ``src/vlnscope/benchmarks/errors/detectors/grounding_SENSES.json``: numbers only, no text.
"""

from __future__ import annotations

import argparse
import math
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import replace
from pathlib import Path
from typing import NamedTuple

import msgspec
import numpy as np
from scipy.optimize import minimize

from vlnscope.benchmarks.errors import detectors
from vlnscope.benchmarks.errors.build.cases import build_cases
from vlnscope.benchmarks.errors.build.priors import Source
from vlnscope.benchmarks.errors.detection.annotation import wrong_words
from vlnscope.benchmarks.errors.detection.protocol import Outing, look_along
from vlnscope.benchmarks.errors.detectors.calibration import Calibration, Sightings
from vlnscope.benchmarks.errors.detectors.claims import claims_of
from vlnscope.benchmarks.errors.detectors.grounding import Evidence, WalkFit, found_in, weigh
from vlnscope.benchmarks.errors.detectors.presence import LEVELS, presence
from vlnscope.benchmarks.errors.detectors.turns import (
    BINS,
    OTHER,
    Sign,
    TurnModel,
    bins_of,
    signs_of,
    turns_of,
)
from vlnscope.episodes.datasets.dataset import Dataset, open_dataset
from vlnscope.language.alignment import words_of
from vlnscope.language.parse import parse
from vlnscope.perception.sights.captions import CaptionFile
from vlnscope.perception.sights.percept import Sense, scene_percepts
from vlnscope.types import Case, Episode, Floats

ROUNDS = 4
PSEUDO = 5.0
TYPES = {"direction": 1.5, "room": 1.0, "object": 1.0, "attribute": 0.05, "ordinal": 0.05, "vertical": 0.05}
"""Types of errors that are planted, and how much each counts as a whole.

Directions count more: in held-out scenes of r2r/train all three of the paper are then found about as well.
"""
PAPER = ("direction", "room", "object")
RIDGE = 1.0
ENOUGH = 8
"""A name that is said less often is treated as the others."""
PRIOR = 20.0
"""As many sightings of the others count with those of a name."""
ELSEWHERE = 10
"""Every so many-th walk shows how often names are seen where nobody says them."""


class Weighed(NamedTuple):
    """A case, what speaks for or against its claims, and which of them are wrong."""

    case: Case
    evidence: list[Evidence]
    wrong: list[bool]


def main() -> None:
    """Fit and write one calibration."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else "")
    parser.add_argument("senses", choices=("labels", "captions"))
    parser.add_argument("--data", required=True)
    parser.add_argument("--root")
    parser.add_argument("--scenes", type=int, default=60)
    parser.add_argument("--described", type=int, default=4000, help="instructions that are read as they are")
    parser.add_argument("--episodes", type=int, default=1400, help="instructions that errors are planted in")
    args = parser.parse_args()
    whole = open_dataset(args.data, args.root)
    captions = CaptionFile(args.root) if args.senses == "captions" else None
    look = Looking(whole, captions)
    described = list(some_of(whole, args.scenes, args.described).episodes())
    turns = fit_turns([(signs_of(parse(e.instruction)), turns_of(look.at(e))) for e in described])
    read = Reading(look)
    for episode in described:
        read.add(episode)
    about = f"{len(described)} instructions of {whole.name} as they are"
    known = Calibration(about=about, turns=turns, said=read.said(), sightings=read.sightings(), weights={})
    dataset = some_of(whole, args.scenes, args.episodes)
    priors: Source = "houses" if captions is None else "real"
    cases = build_cases(dataset, seed=1, types=tuple(TYPES), priors=priors, filters="paper").cases
    weighing = Weighing(look, known)
    weights = fit_weights([weighing.weighed(case) for case in cases], known)
    about = f"{about}, and {len(cases)} of {len(set(_ids(cases)))} of them, half with a planted error"
    known = msgspec.structs.replace(known, about=about, weights=weights)
    path = Path(detectors.__file__).with_name(f"grounding_{args.senses}.json")
    path.write_bytes(msgspec.json.format(msgspec.json.encode(known), indent=1) + b"\n")
    print(f"{path}: {len(cases)} cases, {len(known.weights)} weights")


def _ids(cases: Iterable[Case]) -> list[str]:
    return [case.episode.episode_id for case in cases]


class Looking:
    """What is seen along the paths of cases, kept for the next case on the same path."""

    def __init__(self, dataset: Dataset, captions: CaptionFile | None) -> None:
        assert dataset.scenes is not None
        self._scenes, self._captions = dataset.scenes, captions
        self._seen: dict[str, Outing] = {}

    def at(self, episode: Episode) -> Outing:
        """Return what is seen along the reference path of an episode."""
        key = f"{episode.scan}/{episode.path}/{episode.heading}"
        if key not in self._seen:
            scene = self._scenes.scene(episode.scan)
            texts = self._captions.scan(episode.scan) if self._captions else None
            senses: tuple[Sense, ...] = ("objects", "captions") if texts else ("rooms", "objects")
            percepts = scene_percepts(scene, texts, senses=senses)
            self._seen[key] = look_along(scene, percepts, episode.path, episode.heading or 0.0)
        return self._seen[key]


def some_of(dataset: Dataset, scenes: int, most: int) -> Dataset:
    """Return a data set with some of the episodes of some scenes, evenly spread."""
    every = list(dataset.episodes())
    scans = list(dict.fromkeys(episode.scan for episode in every))
    kept = set(scans[:: max(len(scans) // scenes, 1)][:scenes])
    every = [episode for episode in every if episode.scan in kept]
    spread = every[:: max(len(every) // most, 1)][:most]
    return replace(dataset, load=lambda on_problem: iter(spread))


class Weighing:
    """Weighs the claims of cases; walks and right instructions come up again and again, so they are kept."""

    def __init__(self, look: Looking, known: Calibration) -> None:
        self._look, self._known = look, known
        self._fits: dict[int, WalkFit] = {}
        self._done: dict[tuple[int, str], list[Evidence]] = {}

    def weighed(self, case: Case) -> Weighed:
        """Return a case with what speaks for or against its claims."""
        walk, text = self._look.at(case.episode), case.episode.instruction
        if id(walk) not in self._fits:
            self._fits[id(walk)] = WalkFit(walk)
        if (id(walk), text) not in self._done:
            self._done[id(walk), text] = weigh(text, walk, self._fits[id(walk)], self._known)
        evidence = self._done[id(walk), text]
        words = words_of(text)
        wrong = [words[at][1] for error in wrong_words(case.episode) for at in error]
        hits = [
            any(s.start < e.claim.span.end and e.claim.span.start < s.end for s in wrong) for e in evidence
        ]
        return Weighed(case, evidence, hits)


def fit_turns(talks: Sequence[tuple[list[Sign], Floats]]) -> TurnModel:
    """Learn what words for directions mean, by expectation and maximisation."""
    talks = [(signs, turns) for signs, turns in talks if len(turns)]
    model = _first_guess({sign.role for signs, _ in talks for sign in signs})
    for _ in range(ROUNDS):
        model = _better(model, talks)
    return model


def _first_guess(roles: Iterable[str]) -> TurnModel:
    middle = (np.arange(BINS) + 0.5) * 360 / BINS - 180
    flat = np.full(BINS, 1 / BINS)
    shapes = {"around": np.exp(-(180 - np.abs(middle)) / 30), "straight": np.exp(-np.abs(middle) / 20)}
    spoken = {}
    for role in sorted({*roles, OTHER}):
        lean = 3.0 if role.startswith(("turn", "slight")) else 1.0
        spoken[role] = _rows(shapes.get(role, lean * np.exp(-np.abs(middle - 80) / 40) + 0.3))
    silent = (tuple(flat), tuple(_scaled(np.exp(-np.abs(middle) / 30))))
    return TurnModel(width=0.25, unseen=0.15, together=0.2, silent=silent, spoken=spoken)


def _better(model: TurnModel, talks: Sequence[tuple[list[Sign], Floats]]) -> TurnModel:
    silent = np.ones((2, BINS))
    spoken: dict[str, Floats] = {}
    off, sure, count = 0.0, 0.0, 0
    for signs, turns in talks:
        shares = _aligned(model, signs, turns)
        kind, size = np.minimum(np.arange(len(turns)), 1), bins_of(turns)
        np.add.at(silent, (kind, size), np.clip(1 - shares.sum(axis=0), 0, 1))
        place = (np.arange(len(turns)) + 0.5) / len(turns)
        for sign, share in zip(signs, shares, strict=True):
            for role in (sign.role, OTHER) if sign.role.startswith("side") else (sign.role,):
                seen = size if sign.side >= 0 else BINS - 1 - size
                np.add.at(spoken.setdefault(role, np.zeros((2, BINS))), (kind, seen), share)
            off += float((share * (place - sign.at) ** 2).sum())
            sure += float(share.sum())
            count += 1
    silent = (silent + silent[:, ::-1]) / 2
    silent /= silent.sum(axis=1, keepdims=True)
    made = {}
    for role, counts in sorted(spoken.items()):
        both = (counts + counts[:, ::-1]) / 2 if role in ("around", "straight") else counts
        smooth = both + PSEUDO * silent
        made[role] = tuple(tuple(_scaled(row)) for row in smooth)
    kept = {role: made.get(role, rows) for role, rows in model.spoken.items()}
    return TurnModel(
        width=round(math.sqrt(off / sure), 4),
        unseen=round(1 - sure / count, 4),
        together=model.together,
        silent=(tuple(_scaled(silent[0])), tuple(_scaled(silent[1]))),
        spoken=kept,  # type: ignore[arg-type]
    )


def _aligned(model: TurnModel, signs: Sequence[Sign], turns: Floats) -> Floats:
    """Return, per word and turn, how likely the word speaks of the turn."""
    weights = model.weights(signs, turns)
    forward = [np.eye(1, len(turns) + 1)[0]]
    for weight in weights:
        now = forward[-1]
        step = weight * (np.cumsum(now)[:-1] + model.together * now[1:])
        forward.append(model.unseen * now + np.append(0.0, step))
    backward = [np.ones(len(turns) + 1)]
    for weight in weights[::-1]:
        later = backward[-1]
        gain = weight * later[1:]
        rest = np.append(np.cumsum(gain[::-1])[::-1], 0.0)
        backward.append(model.unseen * later + rest + np.append(0.0, model.together * gain))
    backward.reverse()
    total = forward[-1].sum()
    rows = [
        weight * (np.cumsum(now)[:-1] + model.together * now[1:]) * later[1:] / total
        for weight, now, later in zip(weights, forward, backward[1:], strict=False)
    ]
    return np.array(rows).reshape(len(signs), len(turns))


def _rows(shape: Floats) -> tuple[tuple[float, ...], tuple[float, ...]]:
    row = tuple(_scaled(shape))
    return row, row


def _scaled(row: Floats) -> list[float]:
    return [round(float(value), 5) for value in np.maximum(row / row.sum(), 1e-5)]


class Reading:
    """What instructions say, as they are, and whether what they name is seen.

    Args:
        look: shows what is seen along their paths.
    """

    def __init__(self, look: Looking) -> None:
        self._look = look
        self._episodes: list[tuple[Episode, frozenset[tuple[str, str]]]] = []
        self._said: dict[str, Counter[str]] = {}
        self._named: dict[tuple[str, str], Floats] = {}
        self._places: dict[str, list[float]] = {}

    def add(self, episode: Episode) -> None:
        """Read one more."""
        claims = claims_of(parse(episode.instruction))
        self._episodes.append((episode, frozenset((claim.aspect, claim.word) for claim in claims)))
        for claim in claims:
            self._said.setdefault(claim.aspect, Counter())[claim.word] += 1
            if claim.aspect not in ("room", "object"):
                continue
            level = presence(claim.aspect, claim.word, claim.at, self._look.at(episode))
            if level is not None:
                row = self._named.setdefault((claim.aspect, claim.word), np.zeros(len(LEVELS)))
                row[level] += 1
                self._places.setdefault(claim.aspect, []).append(claim.at)

    def said(self) -> dict[str, dict[str, int]]:
        """Return how often each direction, room and object is named; not those named once."""
        return {
            aspect: {word: n for word, n in sorted(self._said.get(aspect, {}).items()) if n > 1}
            for aspect in ("direction", "object", "room")
        }

    def sightings(self) -> Sightings:
        """Return how often names are seen on walks whose instruction says them, and on other walks."""
        names = sorted(name for name, row in self._named.items() if row.sum() >= ENOUGH)
        others = self._elsewhere(names)
        made: Sightings = {}
        for aspect in ("object", "room"):
            mine = [name for name in names if name[0] == aspect]
            named = sum(row for name, row in self._named.items() if name[0] == aspect) + np.ones(len(LEVELS))
            other = sum(others[name] / others[name].sum() for name in mine) + np.full(len(LEVELS), 0.05)
            usual = named / named.sum(), other / other.sum()
            made[aspect] = {"*": (_rounded(PRIOR * usual[0]), _rounded(PRIOR * usual[1]))}
            for name in mine:
                rows = self._named[name] + PRIOR * usual[0], others[name] + PRIOR * usual[1]
                made[aspect][name[1]] = (_rounded(rows[0]), _rounded(rows[1]))
        return made

    def _elsewhere(self, names: Sequence[tuple[str, str]]) -> dict[tuple[str, str], Floats]:
        """Look for names where nobody says them, at places of the text as people name such things at."""
        made = {name: np.zeros(len(LEVELS)) for name in names}
        for walk, (episode, own) in enumerate(self._episodes[::ELSEWHERE]):
            for number, (aspect, word) in enumerate(names):
                places = self._places[aspect]
                at = places[(walk * 7919 + number * 104729) % len(places)]
                level = None if (aspect, word) in own else presence(aspect, word, at, self._look.at(episode))
                if level is not None:
                    made[aspect, word][level] += 1
        return made


def _rounded(row: Floats) -> tuple[float, ...]:
    return tuple(round(float(value), 3) for value in row)


def fit_weights(weighed: Sequence[Weighed], known: Calibration) -> dict[str, float]:
    """Fit a multinomial logit: nothing is wrong, or one of the claims is."""
    weighed = [one for one in weighed if any(one.wrong) or one.case.groups["variant"] != "wrong"]
    rows = [found for one in weighed for found in found_in(one.evidence, known)]
    names = sorted({name for row in rows for name in row})
    column = {name: k for k, name in enumerate(names)}
    matrix = np.zeros((len(rows), len(names)))
    for k, row in enumerate(rows):
        for name, value in row.items():
            matrix[k, column[name]] = value
    owner = np.repeat(np.arange(len(weighed)), [len(one.evidence) for one in weighed])
    wrong = np.array([hit / max(sum(one.wrong), 1) for one in weighed for hit in one.wrong])
    weight = _weights_of_types([one.case.groups["type"] for one in weighed])

    def loss(weights: Floats) -> tuple[float, Floats]:
        odds = np.clip(matrix @ weights, -30, 30)
        raised = np.exp(odds)
        total = 1 + np.bincount(owner, raised, len(weighed))
        value = weight @ np.log(total) - (weight[owner] * wrong) @ odds + RIDGE / 2 * weights @ weights
        return float(value), matrix.T @ (weight[owner] * (raised / total[owner] - wrong)) + RIDGE * weights

    fitted = minimize(loss, np.zeros(len(names)), jac=True, method="L-BFGS-B", options={"maxiter": 500}).x
    return {name: round(float(w), 4) for name, w in zip(names, fitted, strict=True) if abs(w) >= 5e-5}


def _weights_of_types(types: Sequence[str]) -> Floats:
    """Return a weight per case so that types count as `TYPES` says, however many cases they have."""
    count = Counter(types)
    usual = sum(count[name] for name in PAPER) / len(PAPER)
    return np.array([TYPES[name] * usual / count[name] for name in types])


if __name__ == "__main__":
    main()
