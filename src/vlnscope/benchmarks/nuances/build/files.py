"""NavNuances files, ``R2R_DC.json`` and its sisters: written from cases, and read as cases with groups."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path

from vlnscope.benchmarks.kit.case_set import CaseSet
from vlnscope.benchmarks.nuances.evaluators import direction, landmark, numerical, region, vertical
from vlnscope.benchmarks.nuances.evaluators.evaluator import CATEGORIES, category_of
from vlnscope.core.files import write_whole
from vlnscope.episodes.formats.navnuances import CODEC
from vlnscope.types import Case, Episode
from vlnscope.worlds.scene import Scenes


def save_files(case_set: CaseSet, folder: str | Path) -> list[Path]:
    """Write a file for each category that has items; return the files."""
    folder = Path(folder)
    folder.mkdir(parents=True, exist_ok=True)
    written = []
    for category in CATEGORIES:
        episodes = [case.episode for case in case_set.cases if case.groups["category"] == category]
        if episodes:
            written.append(folder / f"R2R_{category}.json")
            with write_whole(written[-1]) as stream:
                CODEC.write(episodes, stream)
    return written


_ORDINALS = ("first", "second", "third", "fourth", "fifth", "sixth", "seventh", "eighth", "ninth", "tenth")


def annotated_cases(episodes: Iterable[Episode], scenes: Scenes) -> list[Case]:
    """Return a case for each NavNuances record, called after its episode.

    Groups are ``category``, ``subset``, ``scene``; ``pair`` for items from one view (DC) or one start (NU);
    ``both`` (yes, no) for stairs.

    Raises:
        InputError: a record is of no category, or its keyword is missing.
    """
    return [
        Case(case_id=episode.episode_id, episode=episode, groups=_groups(episode, scenes))
        for episode in episodes
    ]


def ordinal_subset(key: str) -> str:
    """Return the subset of a key of `set_paths`.

    Example:
        >>> ordinal_subset("2-left")
        'second left'
    """
    number, _, side = key.partition("-")
    known = number.isdigit() and 1 <= int(number) <= len(_ORDINALS)
    return f"{_ORDINALS[int(number) - 1] if known else number} {side}".strip()


def _groups(episode: Episode, scenes: Scenes) -> dict[str, str]:
    category = category_of(episode)
    groups = {"category": category, "scene": episode.scan}
    if category == "DC":
        pair = episode.path_id.rpartition("-path-")[0] or episode.path_id
        return {**groups, "subset": direction.subset(episode), "pair": pair}
    if category == "NU":
        key = numerical.own_key(episode)
        pair = episode.path_id.removesuffix(f"-{key}")
        return {**groups, "subset": ordinal_subset(key), "pair": pair}
    if category == "VM":
        both = "yes" if vertical.has_both_directions(episode) else "no"
        graph = scenes.scene(episode.scan).graph
        return {**groups, "subset": vertical.subset(episode, graph), "both": both}
    subset = landmark.subset(episode) if category == "LR" else region.subset(episode)
    return {**groups, "subset": subset}
