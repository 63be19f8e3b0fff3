"""Searches for routes, the pragmatic choice among them, and the agent that walks what was chosen."""

from __future__ import annotations

import math
from itertools import groupby, pairwise
from pathlib import Path
from typing import Any

import numpy as np
import pytest

torch = pytest.importorskip("torch", reason="needs torch (pip install 'vlnscope[learn]')")

from made_up import Held, dataset  # noqa: E402
from tiny_models import livelier  # noqa: E402
from training_world import WIDTH, MadeFeatures, episodes, scene  # noqa: E402
from vlnscope.agents.learned.checkpoints import make_network  # noqa: E402
from vlnscope.agents.learned.speaker_follower.choice import ScoreSpread, first_moves, walk_of, worths  # noqa: E402
from vlnscope.agents.learned.speaker_follower.files import (  # noqa: E402
    open_follower,
    open_speaker,
    pragmatic_agent,
)
from vlnscope.agents.learned.speaker_follower.follower import SpeakerFollower  # noqa: E402
from vlnscope.agents.learned.speaker_follower.pragmatic import PragmaticAgent, SearchSettings  # noqa: E402
from vlnscope.agents.learned.speaker_follower.routes import (  # noqa: E402
    FoundRoute,
    Searcher,
    SearchStart,
    common_walk,
)
from vlnscope.agents.learned.speaker_follower.search import (  # noqa: E402
    beam_search,
    state_factored_search,
)
from vlnscope.agents.learned.speaker_follower.speaker import Speaker  # noqa: E402
from vlnscope.agents.learned.speaker_follower.walks import route_along  # noqa: E402
from vlnscope.agents.learned.speaker_network import encoded_words  # noqa: E402
from vlnscope.agents.learned.tensors import tokens_of  # noqa: E402
from vlnscope.agents.learned.vocabulary import WordVocabulary, vocabulary_of  # noqa: E402
from vlnscope.agents.spec import make_agent  # noqa: E402
from vlnscope.core.exceptions import InputError  # noqa: E402
from vlnscope.engine.environment import Environment, Explorer, without_answer  # noqa: E402
from vlnscope.engine.run import run  # noqa: E402
from vlnscope.evaluate.conformance.check_agent import check_agent  # noqa: E402
from vlnscope.types import STOP, Observation  # noqa: E402
from vlnscope.worlds.graph.candidates import candidates_of  # noqa: E402
from vlnscope.worlds.graph.views import VIEW_ELEVATIONS, VIEW_HEADINGS, view_index  # noqa: E402

pytestmark = pytest.mark.usefixtures("one_thread_of_torch")

PLACE = scene("a")
EPISODES = episodes(PLACE, each=6)
WORDS = WordVocabulary.build((each.instruction for each in EPISODES), least=1, backwards=True)
SAID = WordVocabulary.build((each.instruction for each in EPISODES), least=1)
SMALL: dict[str, Any] = {
    "image_size": WIDTH, "hidden": 12, "word_size": 6, "common": 5, "angle_size": 8, "feature_scale": 1.0,
}  # fmt: skip


class Made:
    """Where images come from, without any need to declare."""

    needs: tuple[str, ...] = ()

    def views(self, observation: Observation) -> Any:
        return MadeFeatures().at(observation.scan, observation.viewpoint)

    def grid(self, observation: Observation) -> None:
        return None


def follower(seed: int = 0) -> SpeakerFollower:
    config = SpeakerFollower.Config.preset("small", vocabulary=WORDS.size, **SMALL)
    return livelier(make_network(SpeakerFollower, config), seed, 0.5)


def speaker(seed: int = 0, **changes: Any) -> Speaker:
    config = Speaker.Config.preset("small", vocabulary=SAID.size, max_tokens=12, **{**SMALL, **changes})
    return livelier(make_network(Speaker, config), seed, 0.5)


def look(viewpoint: str, view: int) -> Observation:
    return Observation(
        episode_id="",
        instruction="",
        scan=PLACE.id,
        viewpoint=viewpoint,
        heading=float(VIEW_HEADINGS[view]),
        elevation=float(VIEW_ELEVATIONS[view]),
        step=0,
        candidates=candidates_of(PLACE.graph, viewpoint),
    )


def searcher(model: SpeakerFollower, rows: list[int]) -> Searcher:
    asked = [
        SearchStart(EPISODES[row].path[0], view_index(EPISODES[row].heading or 0.0), look) for row in rows
    ]
    tokens, mask = tokens_of([EPISODES[row].instruction for row in rows], WORDS, 80)
    return Searcher(model, Made(), asked, model.start(tokens, mask))


def everything(search: Searcher, longest: int) -> list[FoundRoute]:
    """All complete routes of the first agent, by trying all."""
    found: list[FoundRoute] = []
    going = search.begin()[:1]
    for step in range(1, longest + 1):
        going = [route for each in going for route in search.successors([(0, each)])[0]]
        found += [route for route in going if route.stopped or step == longest]
        going = [route for route in going if not route.stopped]
    return sorted(found, key=lambda route: -route.score)


@torch.no_grad()
def test_a_wide_beam_finds_all_routes_and_a_narrow_one_probable_ones() -> None:
    search = searcher(follower(), [0])
    whole = everything(search, 3)
    assert math.fsum(math.exp(route.score) for route in whole) == pytest.approx(1, abs=1e-4)
    wide = beam_search(search, len(whole), 3)[0].routes
    assert [(route.viewpoints, route.score) for route in wide] == [
        (route.viewpoints, pytest.approx(route.score)) for route in whole
    ]
    for beam in (1, 4):
        narrow = beam_search(search, beam, 3)[0].routes
        assert len(narrow) == beam
        assert {tuple(route.viewpoints) for route in narrow} <= {tuple(each.viewpoints) for each in whole}
    greedy, route = beam_search(search, 1, 3)[0].routes[0], search.begin()[0]
    for part in greedy.parts[1:]:
        best = max(search.successors([(0, route)])[0], key=lambda each: each.score)
        assert (best.viewpoint, best.stopped) == (part.viewpoint, part.stopped)
        route = best


@torch.no_grad()
@pytest.mark.parametrize("key_parts", [2, 3, 4])
def test_states_have_one_route_each_and_can_be_walked_to(key_parts: int) -> None:
    search = searcher(follower(), [0, 1, 2])
    for found in state_factored_search(search, 6, key_parts=key_parts, max_steps=5):
        keys = [route.key(key_parts) for route in found.routes]
        assert len(set(keys)) == len(keys) == 6
        scores = [route.score for route in found.routes]
        assert scores == sorted(scores, reverse=True)
        for route in found.routes:
            assert route.stopped or route.steps == 5
            assert route.steps == len(route.parts) - 1
            if key_parts == 2:  # a viewpoint comes once, but for stopping there
                inner = [part.viewpoint for part in route.parts if not part.stopped]
                assert len(set(inner)) == len(inner)
        for walk in (walk_of(found, route, traversal=True) for route in found.routes):
            assert walk[0] == found.routes[0].parts[0].viewpoint
            for here, there in pairwise(walk):
                assert here == there or PLACE.graph.adjacency[PLACE.graph.row(here), PLACE.graph.row(there)]
        chosen = found.routes[-1]
        assert walk_of(found, chosen, traversal=True)[-1] == chosen.viewpoint
        assert walk_of(found, chosen, traversal=False) == chosen.viewpoints


@torch.no_grad()
def test_searches_do_not_depend_on_who_else_is_searched_for() -> None:
    model = follower(1)
    together = state_factored_search(searcher(model, [0, 1, 2, 3]), 5)
    for row, found in enumerate(together):
        alone = state_factored_search(searcher(model, [row]), 5)[0]
        assert [route.viewpoints for route in found.routes] == [route.viewpoints for route in alone.routes]
        assert [route.score for route in found.routes] == [route.score for route in alone.routes]
        assert [part.viewpoint for part in found.walked] == [part.viewpoint for part in alone.walked]


def test_walks_go_over_where_routes_part() -> None:
    ways = [PLACE.graph.shortest_path(PLACE.graph.nodes[0], node) for node in PLACE.graph.nodes]
    path = max(ways, key=len)
    assert len(path) > 3
    whole = route_along(path, look, 0)
    assert whole.viewpoints == [*path, path[-1]]
    there = [part.viewpoint for part in common_walk(whole, whole.parts[1])]
    assert there == [path[-1], *reversed(path[1:])]  # stopping has a part of its own
    with pytest.raises(InputError, match="where no way leads"):
        route_along((path[0], "nowhere"), look, 0)


def test_moves_are_as_probable_as_the_routes_that_begin_with_them() -> None:
    search = searcher(follower(), [0])
    start = search.begin()[0]
    ways = len(look(start.viewpoint, 0).candidates)
    with torch.no_grad():
        routes = everything(search, 2)
    shares = first_moves(start, routes, np.array([route.score for route in routes]), ways)
    assert shares.sum() == pytest.approx(1)
    once = {
        (each.viewpoint, each.stopped): math.exp(each.score) for each in search.successors([(0, start)])[0]
    }
    seen = look(start.viewpoint, 0).candidates
    expected = [once[way.viewpoint, False] for way in seen] + [once[start.viewpoint, True]]
    assert shares.tolist() == pytest.approx(expected, abs=1e-5)


def agent(**changes: Any) -> PragmaticAgent:
    how = SearchSettings(**{"beam": 5, "max_steps": 5, **changes})
    return PragmaticAgent((follower(), WORDS), (speaker(runs_on=True), SAID), Made(), how)


@pytest.mark.parametrize("traversal", [False, True])
def test_the_agent_walks_what_it_chooses(traversal: bool, tmp_path: Path) -> None:
    made = dataset(EPISODES, PLACE)
    done = run(agent(traversal=traversal), made, out=tmp_path / "run", log="all")
    assert not done.failures()
    environment = Environment(Held(PLACE), ("exploration",))
    for episode in EPISODES:
        line = done.lines()[episode.episode_id]
        own = agent(traversal=traversal)
        pose = environment.space.start(episode)
        seen = environment.observe(without_answer(episode), pose, 0)
        own.start_episode([0], [episode.instruction], [seen])
        rated = own.rate([0], [seen])[0]
        worth = rated.worth(own.choosing)
        walk = walk_of(rated.found, rated.found.routes[int(worth.argmax())], traversal=traversal)
        assert tuple(line.path) == tuple(place for place, _ in groupby(walk))
        decision = own.act([0], [seen])[0]
        assert decision.route[-1] == STOP
        assert sum(decision.probabilities) == pytest.approx(1)


def test_without_a_speaker_the_most_probable_route_is_taken() -> None:
    own = agent(weight=0.0)
    seen = Environment(Held(PLACE), ("exploration",)).observe(
        without_answer(EPISODES[0]), Environment(Held(PLACE)).space.start(EPISODES[0]), 0
    )
    own.start_episode([3], [EPISODES[0].instruction], [seen])
    rated = own.rate([3], [seen])[0]
    assert int(rated.worth(own.choosing).argmax()) == 0
    spread = ScoreSpread.of(rated.speaker, rated.follower)
    assert np.allclose(worths(rated.speaker, rated.follower, spread, 1.0), rated.speaker / spread.speaker)


def test_it_goes_on_from_where_it_is_led() -> None:
    """Led along an edge, the agent searches on with what it did as the beginning of every route."""
    episode, own = EPISODES[0], agent()
    environment = Environment(Held(PLACE), ("exploration",))
    visible, pose = without_answer(episode), environment.space.start(episode)
    seen = environment.observe(visible, pose, 0)
    own.start_episode([0], [episode.instruction], [seen])
    own.observe([0], [seen])
    moved = environment.space.move(PLACE, pose, seen.candidates[0].viewpoint)
    there = environment.observe(visible, moved, 1)
    rated = own.rate([0], [there])[0]
    for route in rated.found.routes:
        assert route.viewpoints[:2] == [seen.viewpoint, there.viewpoint]
    decision = own.act([0], [there])[0]
    assert len(decision.probabilities) == len(there.actions)
    first = Explorer(environment, visible).look(there.viewpoint, there.heading, there.elevation)
    assert first.candidates == there.candidates
    elsewhere = environment.observe(visible, pose._replace(viewpoint=PLACE.graph.nodes[9]), 2)
    assert own.rate([0], [elsewhere])[0].found.routes[0].parts[0].viewpoint == PLACE.graph.nodes[9]


def test_public_files_make_an_agent(tmp_path: Path) -> None:
    """The official code saves encoders and decoders apart; its vocabulary has no mark of the beginning."""
    words = [word for word in WORDS.words if word != "<BOS>"]
    (tmp_path / "words.txt").write_text("\n".join(words) + "\n")
    sizes = {**SMALL, "vocabulary": len(words), "angle_size": 128, "max_tokens": 80}
    made = {
        kind.name: livelier(make_network(kind, kind.Config.preset("full", **sizes)), 1, 0.5).float()
        for kind in (SpeakerFollower, Speaker)
    }
    names = {}
    for name, model in made.items():
        for part, module in model.parts().items():
            torch.save(module.state_dict(), tmp_path / f"{name}_{part}")
        names[name] = f"{tmp_path / name}_encoder+{tmp_path / name}_decoder"
    own = pragmatic_agent(
        names["speaker_follower"],
        names["speaker"],
        "made",
        str(tmp_path / "words.txt"),
        SearchSettings(beam=3),
    )
    assert own.needs == ("exploration", "features:made")
    assert own.widths == {"features:made": WIDTH}
    said, vocabulary, _ = open_speaker(names["speaker"], str(tmp_path / "words.txt"))
    assert said.config.runs_on
    assert encoded_words("go left", vocabulary, 80) == [*vocabulary.encode("go left", 80)]
    for key, weight in made["speaker"].state_dict().items():
        assert torch.equal(said.state_dict()[key], weight)
    with pytest.raises(InputError, match="is not named"):
        open_speaker(names["speaker"])
    with pytest.raises(InputError):
        open_follower(names["speaker"], str(tmp_path / "words.txt"))


@pytest.mark.parametrize(
    ("options", "told"),
    [
        ("beam=0", "beam=0"),
        ("w=1.5", "w=1.5"),
        ("spread=3", "spread=3"),
        ("search=all", "search=all"),
        ("search=beam,traversal=yes", "traversal=yes"),
        ("follower=nowhere.pt", "nowhere.pt"),
    ],
)
def test_options_that_cannot_be_are_refused(options: str, told: str) -> None:
    with pytest.raises(InputError, match=told):
        make_agent(f"pragmatic:{options}")


def test_long_texts_lose_their_end_as_in_the_official_code() -> None:
    words = [word for word in WORDS.words if word != "<BOS>"]
    cut = WordVocabulary(words, begin=False, backwards=True, cut_end=True)
    kept = WordVocabulary(words, begin=False, backwards=True)
    assert cut.encode("go left right up", 3) == [*kept.encode("go left right up", 80)[:3]]
    assert cut.encode("go left", 80) == kept.encode("go left", 80)
    assert vocabulary_of(cut.to_dict()).encode("go left right up", 3) == cut.encode("go left right up", 3)


@pytest.mark.slow
@pytest.mark.usefixtures("one_process")
def test_the_agent_keeps_the_rules_of_agents() -> None:
    report = check_agent(agent, data=dataset(EPISODES, PLACE))
    assert report.wrong == ()
