"""What the pragmatic choice brings: one search, and then the choice with every weight of the speaker.

Prints the standard deviations over the data set as well (`pragmatic:spread=SPEAKER/FOLLOWER`), which the
official code divides scores by. TL counts the walk of an agent that searches on its feet in the last lines.

python perf/pragmatic.py FOLLOWER.pt SPEAKER.pt --data r2r/val_seen [--root DATA] [--beam 40] [--limit 200]
"""

from __future__ import annotations

import argparse
from collections.abc import Iterator, Sequence
from itertools import groupby, islice
from typing import NamedTuple

import numpy as np

from vlnscope.agents.learned.speaker_follower.choice import ScoreSpread, walk_of
from vlnscope.agents.learned.speaker_follower.files import pragmatic_agent
from vlnscope.agents.learned.speaker_follower.pragmatic import PragmaticAgent, RatedRoutes, SearchSettings
from vlnscope.core.data_root import data_root
from vlnscope.engine.environment import Environment, without_answer
from vlnscope.episodes.datasets.dataset import Dataset, open_dataset
from vlnscope.evaluate.score.score import score
from vlnscope.types import Episode, Prediction

WEIGHTS = (0.0, 0.25, 0.5, 0.75, 0.9, 0.95, 1.0)
METRICS = ("TL", "SR", "OSR", "SPL", "nDTW")
BATCH = 32


class Setting(NamedTuple):
    """How routes are chosen: what is printed of it, and how."""

    title: str
    choosing: SearchSettings


def searched(
    agent: PragmaticAgent, dataset: Dataset, episodes: Sequence[Episode], root: str | None
) -> Iterator[RatedRoutes]:
    """Yield what the agent finds for each episode."""
    assert dataset.scenes is not None
    environment = Environment(dataset.scenes, agent.needs, data_root(root))
    for part in _batches(episodes):
        seen = [environment.observe(without_answer(each), environment.space.start(each), 0) for each in part]
        slots = list(range(len(part)))
        agent.start_episode(slots, [each.instruction for each in part], seen)
        yield from agent.rate(slots, seen)
        agent.end_episode(slots)


def _batches(episodes: Sequence[Episode]) -> Iterator[Sequence[Episode]]:
    for start in range(0, len(episodes), BATCH):
        yield episodes[start : start + BATCH]


def predicted(episode: Episode, rated: RatedRoutes, choosing: SearchSettings) -> Prediction:
    """Return the walk that a choice leads to."""
    best = rated.found.routes[int(rated.worth(choosing).argmax())]
    walk = walk_of(rated.found, best, traversal=choosing.traversal)
    path = tuple(place for place, _ in groupby(walk))
    return Prediction(episode_id=episode.episode_id, path=path, stopped=True)


def settings(spread: ScoreSpread) -> list[Setting]:
    """Return the choices that are compared."""
    whole = [Setting(f"w = {w}, over the data", SearchSettings(weight=w, spread=spread)) for w in WEIGHTS]
    each = [Setting(f"w = {w}, per instruction", SearchSettings(weight=w)) for w in (0.5, 0.95)]
    walked = [
        Setting(f"w = {w}, with traversal", SearchSettings(weight=w, spread=spread, traversal=True))
        for w in (0.0, 0.95)
    ]
    return whole + each + walked


def main() -> None:
    """Search once, and print a line per choice."""
    parser = argparse.ArgumentParser()
    parser.add_argument("follower")
    parser.add_argument("speaker")
    parser.add_argument("--data", default="r2r/val_seen")
    parser.add_argument("--root")
    parser.add_argument("--beam", type=int, default=40)
    parser.add_argument("--limit", type=int, help="so many episodes, spread over the data set")
    asked = parser.parse_args()
    dataset = open_dataset(asked.data, asked.root)
    episodes = list(dataset.episodes())
    if asked.limit:
        stride = max(len(episodes) // asked.limit, 1)
        episodes = list(islice(episodes, 0, stride * asked.limit, stride))
    agent = pragmatic_agent(asked.follower, asked.speaker, "", "", SearchSettings(beam=asked.beam))
    rated = list(searched(agent, dataset, episodes, asked.root))
    spread = ScoreSpread.of(
        np.concatenate([each.speaker for each in rated]), np.concatenate([each.follower for each in rated])
    )
    routes = np.mean([len(each.speaker) for each in rated])
    print(f"{len(episodes)} episodes of {asked.data}, {routes:.1f} routes each")
    print(f"spread={spread.speaker:.4f}/{spread.follower:.4f}")
    print(f"| choice | {' | '.join(METRICS)} |", "|---" * (len(METRICS) + 1) + "|", sep="\n")
    for title, choosing in settings(spread):
        predictions = [predicted(*pair, choosing) for pair in zip(episodes, rated, strict=True)]
        means = score(predictions, dataset, metrics=METRICS, partial=True).to_dict()["metrics"]
        values = [f"{means[name]['mean']:.1f}" for name in METRICS]
        print(f"| {title} | {' | '.join(values)} |")


if __name__ == "__main__":
    main()
