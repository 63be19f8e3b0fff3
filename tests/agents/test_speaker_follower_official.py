"""Speaker-Follower has the layout of the official code, and computes, searches and chooses as it does."""

from __future__ import annotations

import json
from functools import cached_property
from itertools import pairwise
from pathlib import Path
from typing import Any

import numpy as np
import pytest

torch = pytest.importorskip("torch", reason="needs torch (pip install 'vlnscope[learn]')")

from hash_rule import fill, hashed, key_of, made_input  # noqa: E402
from vlnscope.agents.learned.inputs import NOTHING  # noqa: E402
from vlnscope.agents.learned.speaker_follower.choice import (  # noqa: E402
    ScoreSpread,
    speaker_scores,
    walk_of,
    worths,
)
from vlnscope.agents.learned.speaker_follower.follower import SpeakerFollower, SpeakerFollowerConfig  # noqa: E402
from vlnscope.agents.learned.speaker_follower.routes import (  # noqa: E402
    Searcher,
    SearchStart,
)
from vlnscope.agents.learned.speaker_follower.search import (  # noqa: E402
    beam_search,
    state_factored_search,
)
from vlnscope.agents.learned.speaker_follower.speaker import Speaker, SpeakerConfig  # noqa: E402
from vlnscope.agents.learned.speaker_follower.views import official_order, shown_actions  # noqa: E402
from vlnscope.agents.learned.speaker_follower.walks import Walks, read_walks  # noqa: E402
from vlnscope.agents.learned.tensors import ViewpointNumbers, visual_input  # noqa: E402
from vlnscope.agents.rules.shortest import way_to  # noqa: E402
from vlnscope.types import Observation  # noqa: E402
from vlnscope.worlds.graph.candidates import candidates_of  # noqa: E402
from vlnscope.worlds.graph.views import VIEW_ELEVATIONS, VIEW_HEADINGS, view_index  # noqa: E402
from vlnscope.worlds.matterport.connectivity import load_graph  # noqa: E402

pytestmark = pytest.mark.usefixtures("one_thread_of_torch")

FIXTURE = Path(__file__).resolve().parents[3] / "shared" / "fixtures" / "speaker_follower.json"
ANGLES = 128
CASES = [case["case"] for case in json.loads(FIXTURE.read_text())["cases"]] if FIXTURE.is_file() else []

CLOSE = 2e-5


class Case:
    """A case of the oracles: its models, and what is seen."""

    def __init__(self, oracles: Any, number: int, root: Path) -> None:
        self.told = next(case for case in oracles["cases"] if case["case"] == number)
        self.sizes = oracles["state_dict_example"]
        self._graphs = {
            item["scan"]: load_graph(root / "connectivity" / f"{item['scan']}_connectivity.json")
            for item in self.told["items"]
        }
        self._shown: dict[tuple[str, str, int], Observation] = {}

    def views(self, observation: Observation) -> Any:
        return made_input((36, self.width), key_of(observation.viewpoint)).numpy()

    @property
    def needs(self) -> tuple[str, ...]:
        return ()

    @property
    def width(self) -> int:
        return int(self.sizes["speaker_encoder"]["visual_attention_layer.linear_in_v.weight"][1]) - ANGLES

    def items(self) -> list[Any]:
        """The items, the longest instruction first."""
        return sorted(self.told["items"], key=lambda item: -len(item["instr_encoding"]))

    def graph(self, item: Any) -> Any:
        return self._graphs[item["scan"]]

    def asked(self, item: Any) -> SearchStart:
        return SearchStart(
            item["path"][0], view_index(item["heading"]), lambda at, view: self.look(item, at, view)
        )

    def look(self, item: Any, viewpoint: str, view: int) -> Observation:
        key = (item["scan"], viewpoint, view)
        if key not in self._shown:
            self._shown[key] = Observation(
                episode_id="",
                instruction="",
                scan=item["scan"],
                viewpoint=viewpoint,
                heading=float(VIEW_HEADINGS[view]),
                elevation=float(VIEW_ELEVATIONS[view]),
                step=0,
                candidates=candidates_of(self.graph(item), viewpoint),
            )
        return self._shown[key]

    def tokens(self, *, backwards: bool) -> Any:
        longest = self.told["max_instruction_length"]
        texts = [item["instr_encoding"][:: -1 if backwards else 1] for item in self.items()]
        rows = [[*text, 2][:longest] for text in texts]
        return torch.tensor([row + [0] * (max(map(len, rows)) - len(row)) for row in rows])

    def filled(self, module: Any) -> Any:
        return fill(module, salt=self.told["weights_salt"], scale=self.told["weights_scale"])

    @cached_property
    def follower(self) -> SpeakerFollower:
        model = SpeakerFollower(
            SpeakerFollowerConfig(**self._config(), bidirectional=self.told["bidirectional"])
        )
        self.filled(model.encoder), self.filled(model.decoder)
        return model.eval()

    @cached_property
    def speaker(self) -> Speaker:
        model = Speaker(SpeakerConfig(**self._config(), runs_on=True))
        self.filled(model.encoder), self.filled(model.decoder)
        return model.eval()

    def _config(self) -> Any:
        vocabulary, word = self.sizes["speaker_decoder"]["embedding.weight"]
        return {
            "vocabulary": vocabulary, "word_size": word, "image_size": self.width, "angle_size": ANGLES,
            "hidden": self.sizes["speaker_encoder"]["encoder2decoder.weight"][0],
            "common": self.sizes["speaker_encoder"]["visual_attention_layer.linear_in_h.bias"][0],
        }  # fmt: skip

    def searcher(self) -> Searcher:
        tokens = self.tokens(backwards=True)
        state = self.follower.start(tokens, tokens != 0)
        return Searcher(self.follower, self, [self.asked(item) for item in self.items()], state)

    @cached_property
    def found(self) -> Any:
        return state_factored_search(
            self.searcher(), self.told["beam_size"], key_parts=self.told["first_n_ws_key"],
            max_steps=self.told["episode_len"], together=True,
        )  # fmt: skip

    @cached_property
    def groups(self) -> Any:
        return torch.tensor([row for row, found in enumerate(self.found) for _ in found.routes])

    @cached_property
    def walks(self) -> Walks:
        asked = [self.asked(self.items()[int(row)]) for row in self.groups]
        routes = [route for found in self.found for route in found.routes]
        return Walks(routes, [each.look for each in asked], [each.view for each in asked])

    def official_actions(self, item: Any, route: Any) -> list[int]:
        """What a route did, as the official code counts it."""
        parts, found = route.parts, []
        for before, after in pairwise(parts):
            view = before.view if before.before is not None else view_index(item["heading"])
            ways = candidates_of(self.graph(item), before.viewpoint)
            order = official_order(torch.tensor([way.heading for way in ways]), VIEW_HEADINGS[view])
            found.append(0 if after.stopped else 1 + order.index(after.action))
        return found


@pytest.fixture(scope="module")
def oracles(shared: Path) -> Any:
    return json.loads((shared / "fixtures" / "speaker_follower.json").read_text())


@pytest.fixture(scope="module", params=CASES)
def case(request: pytest.FixtureRequest, oracles: Any, data_root: Path) -> Case:
    return Case(oracles, request.param, data_root)


def test_the_rule_of_the_weights_is_that_of_the_oracles(shared: Path) -> None:
    told = json.loads((shared / "fixtures" / "model_weight_rule.json").read_text())["rule_check"]
    assert key_of("a.weight") == told['key("a.weight")']
    assert made_input((5,), 11).numpy() == pytest.approx(told["in((5,), seed 11, scale 1)"], abs=1e-7)
    wide = hashed(5, key_of("a.weight"), 0)
    assert wide == pytest.approx(told["a.weight 2-D salt 0 scale 1, first 5"], abs=1e-7)


def test_layouts_are_official(oracles: Any) -> None:
    full = oracles["full_size"]
    for name, part, kind, preset in (
        ("follower_encoder", "encoder", SpeakerFollower, {}),
        ("follower_encoder_bidirectional", "encoder", SpeakerFollower, {"bidirectional": True}),
        ("follower_decoder", "decoder", SpeakerFollower, {}),
        ("speaker_encoder", "encoder", Speaker, {}),
        ("speaker_decoder", "decoder", Speaker, {}),
    ):
        with torch.device("meta"):
            weights = kind(kind.Config.preset("full", **preset)).parts()[part].state_dict()
        assert {key: list(weight.shape) for key, weight in weights.items()} == full[name]["state_dict"]
        assert sum(weight.numel() for weight in weights.values()) == full[name]["num_params"]


def test_actions_are_shown_in_the_official_way(case: Case) -> None:
    for item, told in zip(case.items(), case.told["first_observation"], strict=True):
        asked = case.asked(item)
        seen = asked.look(asked.viewpoint, asked.view)
        assert told["instr_id"] == f"{item['path_id']}_0"
        assert told["viewIndex"] == asked.view
        order = official_order(
            torch.tensor([way.heading for way in seen.candidates]), VIEW_HEADINGS[asked.view]
        )
        assert [way["nextViewpointId"] for way in told["adj_loc_list"][1:]] == [
            seen.candidates[k].viewpoint for k in order
        ]
        assert [way["absViewIndex"] for way in told["adj_loc_list"][1:]] == [
            seen.candidates[k].view_index for k in order
        ]
        visual = visual_input([seen], case, [NOTHING], [ViewpointNumbers()], torch.zeros(0), case.width)
        first = shown_actions(visual, ANGLES)[0, order[0]]
        blocks = [case.width + k * ANGLES // 4 for k in range(4)]
        shown = [*first[:3].tolist(), *first[blocks].tolist()]
        assert shown == pytest.approx(told["action_embedding_1_first3_and_loc"], abs=CLOSE)
        teacher = way_to(case.graph(item), asked.viewpoint, item["path"][-1])
        assert told["teacher"] == 1 + order.index(teacher)


@pytest.mark.parametrize("led", ["argmax", "teacher"])
@torch.no_grad()
def test_rollouts_and_losses_are_those_of_the_official_code(case: Case, led: str) -> None:
    told = {each["instr_id"]: each for each in case.told[led]["rollouts"]}
    tokens, items = case.tokens(backwards=True), case.items()
    state, taken = case.follower.start(tokens, tokens != 0), [NOTHING] * len(items)
    asked, numbers = [case.asked(item) for item in items], [ViewpointNumbers() for _ in items]
    here, over = [(each.viewpoint, each.view) for each in asked], [False] * len(items)
    done: list[list[int]] = [[] for _ in items]
    scores: list[list[float]] = [[] for _ in items]
    walked = [[place] for place in here]
    loss = 0.0
    for _ in range(case.told["episode_len"]):
        seen = [each.look(*place) for each, place in zip(asked, here, strict=True)]
        visual = visual_input(seen, case, taken, numbers, torch.zeros(0), case.width)
        logits, state = case.follower.step(state, visual)
        logs, losses = logits.log_softmax(1), []
        for row, (item, look) in enumerate(zip(items, seen, strict=True)):
            if over[row]:
                taken[row] = NOTHING
                continue
            ways = look.candidates
            order = official_order(torch.tensor([way.heading for way in ways]), VIEW_HEADINGS[here[row][1]])
            teacher = way_to(case.graph(item), here[row][0], item["path"][-1])
            column = teacher if teacher < len(ways) else -1
            losses.append(-float(logs[row, column]))
            if led == "argmax":
                official = told[f"{item['path_id']}_0"]["actions"][len(done[row])]
                column = order[official - 1] if official else -1
                assert float(logs[row].max() - logs[row, column]) < 1e-4
            scores[row].append(float(logs[row, column]))
            done[row].append(0 if column < 0 else 1 + order.index(column))
            taken[row], over[row] = column, column < 0
            if column >= 0:
                here[row] = (ways[column].viewpoint, ways[column].view_index)
            walked[row].append(here[row])
        loss += float(np.mean(losses))
        if all(over):
            break
    assert loss == pytest.approx(case.told[led]["loss"], abs=CLOSE)
    for item, own, own_scores, places in zip(items, done, scores, walked, strict=True):
        official = told[f"{item['path_id']}_0"]
        assert own == official["actions"]
        assert own_scores == pytest.approx(official["scores"], abs=CLOSE)
        assert [at for at, _ in places] == [at for at, _, _ in official["trajectory"]]
        for (_, view), (_, heading, elevation) in zip(places, official["trajectory"], strict=True):
            assert (VIEW_HEADINGS[view], VIEW_ELEVATIONS[view]) == pytest.approx(
                (heading, elevation), abs=1e-5
            )


@torch.no_grad()
def test_searches_find_the_official_routes(case: Case) -> None:
    beams = beam_search(case.searcher(), case.told["beam_size"], case.told["episode_len"])
    for kind, all_found in (("beam_search", beams), ("state_factored_search", case.found)):
        for item, found, told in zip(case.items(), all_found, case.told[kind], strict=True):
            assert [case.official_actions(item, route) for route in found.routes] == [
                each["actions"] for each in told
            ]
            assert [route.score for route in found.routes] == pytest.approx(
                [each["score"] for each in told], abs=CLOSE
            )
            for route, each in zip(found.routes, told, strict=True):
                if "trajectory" in each:
                    assert route.viewpoints == [at for at, _, _ in each["trajectory"]]
                else:
                    assert route.viewpoint == each["end"]
    for found, walked in zip(case.found, case.told["traversed_viewpoints"], strict=True):
        assert [route.viewpoint for route in found.walked] == walked


@torch.no_grad()
def test_the_speaker_scores_routes_as_the_official_one(case: Case) -> None:
    tokens = case.tokens(backwards=False)[case.groups]
    scores = speaker_scores(case.speaker, case, case.walks, tokens, case.groups, together=True)
    told = case.told["speaker_scores"]
    items = case.items()
    for row, each in enumerate(told):
        assert each["instr_id"] == f"{items[int(case.groups[row])]['path_id']}_0"
        assert float(scores[row].sum()) == pytest.approx(each["score"], abs=CLOSE)
        assert scores[row, : len(each["scores"])].tolist() == pytest.approx(each["scores"], abs=CLOSE)
    assert len(scores) == len(told)
    there = (tokens != 0).sum(0)
    loss = -(scores.sum(0) / there).sum()
    assert float(loss) == pytest.approx(case.told["speaker_loss"], abs=CLOSE)
    first = Walks(*(part[:3] for part in case.walks))
    state = read_walks(case.speaker, case, first)
    longest = case.told["max_instruction_length"]
    said = case.speaker.write(state, lambda logits, _: logits.argmax(1), longest).tolist()
    assert said == case.told["speaker_argmax_words_first3"]


def test_the_choice_is_the_official_one(case: Case) -> None:
    follower = np.array([route.score for found in case.found for route in found.routes])
    speaker = np.array([each["score"] for each in case.told["speaker_scores"]])
    spread = ScoreSpread.of(speaker, follower)
    groups = case.groups.numpy()
    for told in case.told["rational"]:
        for weight, walks in zip(told["weights"], told["trajectories_viewpoints"], strict=True):
            worth, chosen = worths(speaker, follower, spread, weight), []
            for row, (item, found) in enumerate(zip(case.items(), case.found, strict=True)):
                best = int(worth[groups == row].argmax())
                chosen.append(best)
                walk = walk_of(found, found.routes[best], traversal=told["physical_traversal"])
                assert walk == walks[f"{item['path_id']}_0"]
            counts = sorted([index, chosen.count(index)] for index in set(chosen))
            assert counts == told["chosen_index_counts"][str(weight)]
