"""Agents without learning: what they do, and that their two forms agree."""

from __future__ import annotations

import json
import math
import re
import sys
from collections import Counter
from collections.abc import Iterator, Sequence
from importlib.metadata import EntryPoint
from itertools import pairwise
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from commands import Cli
from made_up import seen_at
from random_agent import METRICS, mean_scores
from vlnscope.agents.rules.random import EDGES
from vlnscope.agents.rules.shortest import way_to
from vlnscope.agents.spec import SEED, AgentSpec, Option, as_spec, make_agent, register_agent
from vlnscope.agents.vectorised import episode_keys, has_many
from vlnscope.benchmarks.kit.case_file import episode_cases
from vlnscope.core import registry
from vlnscope.core.exceptions import InputError
from vlnscope.core.rng import uniform, uniforms
from vlnscope.engine.action_spaces.graph import start_pose
from vlnscope.engine.environment import Environment
from vlnscope.engine.jobs import make_jobs
from vlnscope.engine.rollout import roll_out
from vlnscope.engine.vectorised import move_many, roll_out_arrays
from vlnscope.episodes.datasets.dataset import Dataset, open_dataset
from vlnscope.types import Case, Decision, Episode, Observation, Rules
from vlnscope.worlds.graph.candidates import candidates
from vlnscope.worlds.graph.navgraph import NavGraph
from vlnscope.worlds.graph.views import STEP, snap_heading
from vlnscope.worlds.scene import Scene

MANY = (
    "random",
    "random:edges=r4r",
    "random:protocol=nuances",
    "random:protocol=mattersim",
    "stop",
    "forward",
    "forward:moves=0",
    "shortest",
    "noisy:p=0.4",
    "noisy:p=1",
)


class OneScene:
    def __init__(self, graph: NavGraph) -> None:
        self._scene = Scene("s", graph)

    def scans(self) -> tuple[str, ...]:
        return ("s",)

    def scene(self, scan: str) -> Scene:
        return self._scene


# a corridor a - b - c - d along +y, a side way b - e to the east, f all alone
GRAPH = NavGraph.build(
    list("abcdef"),
    [[0, 0, 0], [0, 2, 0], [0, 4, 0], [0, 6, 0], [2, 2, 0], [9, 9, 0]],
    [("a", "b"), ("b", "c"), ("c", "d"), ("b", "e")],
)


def episode(path: str, *, name: str = "0_0", heading: float = 0.0) -> Episode:
    return Episode(
        episode_id=name, path_id="0", scan="s", instruction="go", path=tuple(path), heading=heading
    )


def walk(spec: str, of: Episode, *, forced: int = 0, max_steps: int = 15) -> tuple[str, bool | None]:
    """Return where an agent goes in the little graph, and whether it stopped."""
    agent = make_agent(spec).agent
    environment = Environment(OneScene(GRAPH), getattr(agent, "needs", ()))
    case = Case(case_id=of.episode_id, episode=of, forced_steps=forced)
    [line] = roll_out(agent, make_jobs([case])[0], environment, Rules(max_steps=max_steps))
    assert line.failed is None
    return "".join(line.path), line.stopped


def look(of: Episode, viewpoint: str, heading: float = 0.0, needs: Sequence[str] = ()) -> Observation:
    return seen_at(Environment(OneScene(GRAPH), needs), of, viewpoint, heading)


def test_uniforms_are_uniform_independent_and_the_same_one_by_one() -> None:
    keys = np.arange(200_000, dtype=np.uint64)
    columns = [uniforms(0, "turn", keys, step) for step in range(4)]
    columns += [uniforms(1, "turn", keys, 0), uniforms(0, "move", keys, 0)]
    for column in columns:
        assert column.min() >= 0
        assert column.max() < 1
        counts = np.histogram(column, 20, (0, 1))[0]
        assert ((counts - 10_000) ** 2 / 10_000).sum() < 50  # chi squared, 19 degrees: 1 in 10,000
    assert np.abs(np.corrcoef(columns) - np.eye(6)).max() < 0.012
    assert abs(np.corrcoef(columns[0][1:], columns[0][:-1])[0, 1]) < 0.012
    big = np.array([2**64 - 1, 2**63, 0], dtype=np.uint64)
    for step in (0, 7, 10**6):
        assert uniforms(-3, "x", big, step).tolist() == [uniform(-3, "x", int(k), step) for k in big]


def test_chance_does_not_depend_on_the_machine() -> None:
    assert int(episode_keys(["4332_0"])[0]) == 0x5186FCE104D8D32E
    assert uniform(0, "random move", 12345, 3) == 0.6424574507394668


@pytest.mark.parametrize("spec", MANY)
def test_both_forms_walk_alike(spec: str) -> None:
    dataset = open_dataset("sample/demo")
    assert dataset.scenes is not None
    compare_forms(spec, dataset, None)


@pytest.mark.parametrize("spec", MANY)
def test_both_forms_walk_alike_on_real_scans(spec: str, data_root: Path) -> None:
    compare_forms(spec, open_dataset("r2r/val_unseen", data_root), 150)


def compare_forms(spec: str, dataset: Dataset, limit: int | None) -> None:
    assert dataset.scenes is not None
    agent = make_agent(spec, seed=5).agent
    assert has_many(agent)
    environment = Environment(dataset.scenes, getattr(agent, "needs", ()))
    jobs = make_jobs(episode_cases(dataset, limit))
    one = {line.case_id: line for job in jobs for line in roll_out(agent, job, environment, Rules())}
    many = {
        line.case_id: line for part in roll_out_arrays(agent, jobs, environment, Rules()) for line in part
    }
    assert one.keys() == many.keys()
    for case, line in one.items():
        assert line.failed is None
        assert (line.path, line.stopped) == (many[case].path, many[case].stopped)


def test_random_draws_as_many_edges_as_training_paths_have() -> None:
    agent = make_agent("random:edges=3:1/5:3").agent
    ring = 12
    corners = [[math.sin(i), math.cos(i), 0] for i in np.arange(ring) * math.tau / ring]
    names = [str(i) for i in range(ring)]
    graph = NavGraph.build(names, corners, [(names[i], names[i - 1]) for i in range(ring)])
    start = Episode(episode_id="x", path_id="x", scan="s", instruction="", path=("0",))
    rows = np.zeros(40_000, dtype=np.int64)
    walks = move_many(agent, Scene("s", graph), [start], rows, np.arange(40_000, dtype=np.uint64), 30)
    lengths = Counter(walks.lengths.tolist())
    assert set(lengths) == {3, 5}
    assert lengths[3] == pytest.approx(10_000, abs=400)
    assert walks.stopped.all()
    first = Counter(walks.nodes()[:, 1].tolist())
    assert first[1] == pytest.approx(20_000, abs=500)
    assert first[1] + first[ring - 1] == 40_000


def test_edge_tables_are_those_of_the_training_splits(data_root: Path) -> None:
    edges = Counter(len(e.path) - 1 for e in open_dataset("r2r/train", data_root).episodes())
    assert dict(sorted(edges.items())) == EDGES["r2r"]
    assert sum(EDGES["r4r"].values()) == 233_532  # instructions that today's generator makes of R2R train


@pytest.mark.slow
def test_random_rows_of_the_r4r_paper(data_root: Path, shared: Path) -> None:
    """Within three standard errors of both samples of the fixture's 60,000 walks; perf has the million."""
    wanted = json.loads((shared / "fixtures" / "random_agent_r2r_r4r.json").read_text())["results"]
    for split in ("val_seen", "val_unseen"):
        found = mean_scores("random", f"r2r/{split}", data_root, 60_000)
        for ours, theirs in METRICS.items():
            mean, error = found[ours]
            assert abs(mean - wanted[f"R2R_{split}"][theirs]) < 3 * math.sqrt(2) * error, (split, ours)


def test_random_row_on_r4r(data_root: Path, shared: Path, tmp_path: Path) -> None:
    items = json.loads((shared / "fixtures" / "r4r_construction.json").read_text())["val_seen_items"]
    records = [
        {"heading": 0.0, "distance": 20.0, **item, "path_id": k, "instructions": ["go"]}
        for k, item in enumerate(items)
    ]
    (tmp_path / "R4R_val_seen.json").write_text(json.dumps(records))
    wanted = json.loads((shared / "fixtures" / "random_agent_r2r_r4r.json").read_text())["results"]
    found = mean_scores("random:edges=r4r", str(tmp_path / "R4R_val_seen.json"), data_root, 60_000)
    for ours, theirs in METRICS.items():
        mean, error = found[ours]
        assert abs(mean - wanted["R4R_val_seen"][theirs]) < 3 * math.sqrt(2) * error, (ours, found)


def test_five_moves_of_nuances() -> None:
    for name in ("0_0", "1_0", "2_0"):
        path, stopped = walk("random:protocol=nuances", episode("a", name=name))
        assert (len(path), stopped) == (6, True)


def mattersim_by_hand(graph: NavGraph, of: Episode, turns: int) -> list[str]:
    """The simulator's RandomAgent action by action, from its description."""
    heading, node = snap_heading(of.heading or 0.0) + turns * STEP, of.path[0]
    path, used, moves = [node], turns, 0
    while used < 30 and moves < 5:
        shown = []
        for candidate in Scene("s", graph).candidates(node):
            right = math.remainder(candidate.heading - heading, math.tau)
            if abs(right) <= math.radians(40):
                shown.append((math.hypot(right, candidate.elevation), candidate.viewpoint))
        if not shown and not graph.neighbours(node):
            break
        used += 1
        if shown:
            node = min(shown)[1]
            path.append(node)
            moves += 1
        else:
            heading += STEP
    return path


def test_mattersim_walk_is_that_of_the_simulator(data_root: Path) -> None:
    dataset = open_dataset("r2r/val_unseen", data_root)
    assert dataset.scenes is not None
    lengths = set()
    for case in episode_cases(dataset, 200)[::3]:
        agent = make_agent("random:protocol=mattersim").agent
        environment = Environment(dataset.scenes)
        [line] = roll_out(agent, make_jobs([case])[0], environment, Rules())
        turns = int(uniform(0, "random turn", int(episode_keys([case.episode.episode_id])[0]), 0) * 12)
        graph = environment.scene(case.episode.scan).graph
        assert list(line.path) == mattersim_by_hand(graph, case.episode, turns)
        lengths.add(len(line.path))
    assert 6 in lengths


def test_mattersim_runs_out_of_actions_and_stays_where_it_is_alone() -> None:
    assert walk("random:protocol=mattersim", episode("f")) == ("f", True)
    lengths = set()
    for number in range(40):
        of = episode("d", name=f"{number}_0", heading=number)
        turns = int(uniform(0, "random turn", int(episode_keys([of.episode_id])[0]), 0) * 12)
        path, stopped = walk("random:protocol=mattersim", of)
        assert (list(path), stopped) == (mattersim_by_hand(GRAPH, of, turns), True)
        lengths.add(len(path))
    assert len(lengths) > 1  # turning round in dead ends takes so many actions that 30 do not always suffice


def test_forward_prefers_what_lies_ahead() -> None:
    agent = make_agent("forward").agent
    seen = look(episode("b"), "b", heading=math.radians(80))
    agent.start_episode("", seen)
    shares = dict(
        zip([*(c.viewpoint for c in seen.candidates), "stop"], agent.act(seen).probabilities, strict=True)
    )
    raw = {
        "e": 1 / (0.1 + math.radians(10)),
        "c": 1 / (0.1 + math.radians(80)),
        "a": 1 / (0.1 + math.radians(100)),
    }
    total = sum(raw.values())
    for name, share in raw.items():
        assert shares[name] == pytest.approx(share / total, rel=1e-6)
    assert shares["stop"] == 0


def test_forward_walks_straight_and_stops_after_its_moves() -> None:
    assert walk("forward:moves=3", episode("a")) == ("abcd", True)
    assert walk("forward:moves=2", episode("a", heading=6.2)) == ("abc", True)
    path, stopped = walk("forward:moves=0", episode("a"), max_steps=6)
    assert (path, stopped) == ("abcdcba", False)
    assert walk("forward:moves=1", episode("abc"), forced=2) == ("abcd", True)  # forced steps are not its own


def test_stop_and_oracles() -> None:
    assert walk("stop", episode("abcd")) == ("a", True)
    assert walk("shortest", episode("abcd")) == ("abcd", True)
    assert walk("shortest", episode("abebc")) == ("abc", True)
    assert walk("shortest:follow=reference", episode("abebcd")) == ("abebcd", True)
    assert walk("shortest:follow=reference", episode("ababcb")) == ("ababcb", True)
    assert walk("shortest:follow=reference", episode("abebcd"), forced=3) == ("abebcd", True)
    assert walk("shortest", episode("a")) == ("a", True)
    assert walk("shortest", episode("fa")) == ("f", True)  # no way leads there


def test_oracle_takes_only_ways_that_are_offered() -> None:
    lift = NavGraph.build(
        ["low", "high", "stair"],
        [[0, 0, 0], [0, 0, 3], [4, 0, 1.5]],
        [("low", "high"), ("low", "stair"), ("stair", "high")],
    )
    scene = Scene("s", lift)
    assert [c.viewpoint for c in scene.candidates("low")] == ["stair"]  # straight up is no candidate
    assert way_to(lift, "low", "high") == 0
    assert scene.candidates("stair")[way_to(lift, "stair", "high")].viewpoint == "high"
    shaft = NavGraph.build(["low", "high"], [[0, 0, 0], [0, 0, 3]], [("low", "high")])
    assert way_to(shaft, "low", "high") == 0 == len(Scene("s", shaft).candidates("low"))


def test_oracle_follows_shortest_ways_everywhere(data_root: Path) -> None:
    scenes = open_dataset("r2r/val_unseen", data_root).scenes
    assert scenes is not None
    scene = scenes.scene("2azQ1b91cZZ")
    graph, chance = scene.graph, np.random.default_rng(0)
    for here, goal in chance.integers(len(graph.nodes), size=(60, 2)).tolist():
        node, length = graph.nodes[here], 0.0
        while (choice := way_to(graph, node, graph.nodes[goal])) < len(scene.candidates(node)):
            ahead = scene.candidates(node)[choice].viewpoint
            length += graph.distance(node, ahead)
            node = ahead
        assert node == graph.nodes[goal]
        assert length == pytest.approx(graph.distances[here, goal], abs=1e-9)


def test_noisy_errs_as_often_as_told_and_never_by_doing_what_is_right() -> None:
    keys = np.arange(30_000, dtype=np.uint64)
    rows = np.zeros(len(keys), dtype=np.int64)
    chosen: dict[float, Any] = {}
    for p in (0.0, 0.3, 0.6, 1.0):
        walks = move_many(
            make_agent(f"noisy:p={p}").agent, Scene("s", GRAPH), [episode("bcd")], rows, keys, 1
        )
        chosen[p] = walks.nodes()[:, 1]
        wrong = chosen[p] != GRAPH.row("c")
        assert wrong.mean() == pytest.approx(p, abs=0.01)
        others = Counter(chosen[p][wrong].tolist())  # a, e and stopping, equally often
        assert len(others) in (0, 3)
        assert all(count == pytest.approx(p * 10_000, rel=0.06) for count in others.values())
    slips = chosen[0.3] != GRAPH.row("c")
    assert (chosen[0.6][slips] == chosen[0.3][slips]).all()  # the same errors, and more


def test_noisy_reference_returns_to_where_it_left() -> None:
    for number in range(30):
        path, stopped = walk(f"noisy:p=0.3,follow=reference,seed={number}", episode("abebcd"), max_steps=40)
        if stopped and path.endswith("d"):
            assert "e" in path


def test_noisy_gets_worse_with_p(data_root: Path) -> None:
    names = ("SR", "SPL", "CLS", "nDTW")
    curves = [
        mean_scores(f"noisy:p={k / 10}", "r2r/val_unseen", data_root, 2349, metrics=names) for k in range(11)
    ]
    for name in names:
        values = [scores[name][0] for scores in curves]
        assert all(a > b for a, b in pairwise(values)), (name, values)
    assert curves[0]["SR"][0] == 1
    assert curves[-1]["SR"][0] < 0.01


def test_replay_gives_back_what_a_file_says(tmp_path: Path) -> None:
    dataset = open_dataset("sample/demo")
    assert dataset.scenes is not None
    file = next((Path(__file__).parents[2] / "src/vlnscope/sample/predictions").glob("*.json"))
    from vlnscope.episodes.reading import read_predictions

    wanted = {p.episode_id: p.path for p in read_predictions(file)}
    named = make_agent(f"replay:file={file}")
    assert "sha256" in named.identity
    environment = Environment(dataset.scenes)
    same = 0
    for job in make_jobs(episode_cases(dataset)):
        [line] = roll_out(named.agent, job, environment, Rules(max_steps=60))
        path = [
            n for i, n in enumerate(wanted[line.episode_id]) if not i or n != wanted[line.episode_id][i - 1]
        ]
        if line.failed is None:
            assert list(line.path) == path
            same += 1
        else:
            assert "InputError" in line.failed
    assert same > 0


def test_replay_names_what_it_cannot_replay(tmp_path: Path) -> None:
    file = tmp_path / "p.json"
    predictions = [
        {"instr_id": "0_0", "trajectory": [["a", 0, 0], ["d", 0, 0]]},
        {"instr_id": "1_0", "trajectory": [["c", 0, 0], ["c", 1, 0], ["d", 1, 0]]},
    ]
    file.write_text(json.dumps(predictions))
    agent = make_agent(f"replay:file={file}").agent
    agent.start_episode("", look(episode("a"), "a"))
    with pytest.raises(InputError, match="steps from a to d"):
        agent.act(look(episode("a"), "a"))
    with pytest.raises(InputError, match="no prediction for episode 7_0"):
        agent.start_episode("", look(episode("a", name="7_0"), "a"))
    agent.start_episode("", look(episode("bcd", name="1_0"), "b"))
    with pytest.raises(InputError, match="does not lead through b"):
        agent.act(look(episode("bcd", name="1_0"), "b"))
    assert walk(f"replay:file={file}", episode("cd", name="1_0")) == ("cd", True)
    with pytest.raises(InputError, match="not told which file"):
        make_agent("replay")
    with pytest.raises(InputError, match="no such file"):
        make_agent("replay:file=nowhere.json")


@pytest.mark.parametrize(
    ("spec", "complaint"),
    [
        ("randm", "did you mean 'random'"),
        ("noisy:p=high", "p='high' cannot be used"),
        ("noisy:p=1.5", "no probability"),
        ("noisy:q=1", "no option 'q'"),
        ("noisy:p", "cannot be understood"),
        ("noisy:p=1,follow", "cannot be understood"),
        ("noisy=1", "cannot be understood"),
        ("noisy:follow=star", "cannot follow 'star'"),
        ("random:protocol=x", "no protocol 'x'"),
        ("random:edges=4;5", "edges='4;5'"),
        ("random:edges=4:0", "edges='4:0'"),
        ("forward:moves=-1", "moves=-1"),
        ("no_such_module:Agent", "cannot be imported"),
        ("json:Nothing", "cannot be imported"),
        ("math:pi", "is of the type float"),
        ("json:JSONDecoder", "without the method `act`"),
        ("json:loads", "cannot be made"),
        ("https://127.0.0.1:1", "cannot be used"),
    ],
)
def test_what_names_no_agent_is_refused(spec: str, complaint: str) -> None:
    with pytest.raises(InputError, match=complaint.replace("(", r"\(")):
        make_agent(spec)


@pytest.fixture
def scent(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """A module `scent` with the class `Scent`, and an agent that is registered as `scent`."""
    text = "class Scent:\n    def __init__(self, k=1): self.k = k\n    def act(self, o): ..."
    (tmp_path / "scent.py").write_text(text)
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(sys, "path", [*sys.path])
    register_agent(
        AgentSpec(
            name="scent", summary="", make=lambda seed, p: make_agent("stop").agent, options={"p": SEED}
        )
    )
    yield
    registry._kinds["agent"].entries.pop("scent")
    sys.modules.pop("scent", None)


@pytest.mark.usefixtures("scent")
def test_a_module_and_an_agent_of_the_same_name_are_told_apart(cli: Cli) -> None:
    assert make_agent("scent:Scent:k=3").agent.k == 3
    assert type(make_agent("scent:Scent").agent).__name__ == "Scent"
    assert type(make_agent("scent").agent).__name__ == "StopAgent"
    assert make_agent("scent:p=2").identity == "scent:p=2,seed=0"
    with pytest.raises(InputError, match="no attribute 'Sent'") as error:
        make_agent("scent:Sent")
    assert "scent:OPTION=VALUE" in error.value.fix


@pytest.mark.usefixtures("scent")
def test_the_command_that_is_advised_for_a_wrong_option_works(cli: Cli) -> None:
    for wrong in ("scent:Scent:foo=3", "scent:foo=3"):
        refused = cli("check-agent", wrong)
        assert refused.code == 2
        (advised,) = re.findall("run `vlnscope (.*?)`", refused.err)
        shown = cli(*advised.split(), "--json")
        assert shown.code == 0, shown.err
        assert shown.data["name"] == wrong.removesuffix(":foo=3")
        assert set(shown.data["options"]) == ({"k", "seed"} if "Scent" in wrong else {"p", "seed"})


def test_identity_has_all_options() -> None:
    assert make_agent("noisy:seed=4,p=0.5", seed=9).identity == "noisy:follow=goal,p=0.5,seed=4"
    assert make_agent("noisy", seed=9).identity == "noisy:follow=goal,p=0.1,seed=9"
    assert make_agent("noisy").privileged
    assert not make_agent("random").privileged


def test_agents_of_ones_own(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "my_agent_module.py").write_text(
        "from vlnscope import Decision\n"
        "class Mine:\n"
        "    '''Goes first.\n\n    More.'''\n"
        "    def __init__(self, way=0, seed=0): self.way, self.seed = way, seed\n"
        "    def act(self, observation): return Decision.choose(observation, self.way)\n"
        "class Seedless(Mine):\n"
        "    def __init__(self, way=1.5): self.way = way\n"
        "ready = Mine(2, 3)\n"
    )
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(sys, "path", list(sys.path))
    named = make_agent("my_agent_module:Mine:way=1", seed=8)
    assert (named.agent.way, named.agent.seed) == (1, 8)
    assert named.identity == "my_agent_module:Mine:seed=8,way=1"
    assert make_agent("my_agent_module:Seedless").agent.way == 1.5
    assert make_agent("my_agent_module:ready").agent.way == 2
    assert sys.path.count(str(tmp_path)) == 1
    with pytest.raises(InputError, match="way='x'"):
        make_agent("my_agent_module:Mine:way=x")
    spec = as_spec("mine", type(named.agent))
    assert (spec.summary, spec.options["way"].default) == ("Goes first.", 0)


def test_agents_of_other_packages(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "other_package.py").write_text(
        "from vlnscope import Decision\n"
        "class Mine:\n"
        "    def __init__(self, way=0): self.way = way\n"
        "    def act(self, observation): return Decision.choose(observation, self.way)\n"
    )
    monkeypatch.syspath_prepend(tmp_path)
    registry.names("agent")
    plugins = registry._kinds["agent"].plugins
    monkeypatch.setitem(plugins, "mine", EntryPoint("mine", "other_package:Mine", "vlnscope.agent"))
    try:
        named = make_agent("mine:way=2")
        assert (named.identity, named.agent.way) == ("mine:seed=0,way=2", 2)
    finally:
        registry._kinds["agent"].entries.pop("mine", None)


def test_options_of_all_kinds() -> None:
    made: dict[str, Any] = {}

    class Still:
        def act(self, observation: Observation) -> Decision:
            return Decision.stop(observation)

    def make(**values: Any) -> Still:
        made.update(values)
        return Still()

    options = {"a": Option(int, 1, ""), "b": Option(bool, False, ""), "c": Option(str, "x", "")}
    registry.register(
        "agent", "of-all-kinds", AgentSpec(name="of-all-kinds", summary="", make=make, options=options)
    )
    try:
        make_agent("of-all-kinds:b=yes,c=u:v=w")
        assert made == {"a": 1, "b": True, "c": "u:v=w", "seed": 0}
        with pytest.raises(InputError, match="b='maybe'"):
            make_agent("of-all-kinds:b=maybe")
    finally:
        del registry._kinds["agent"].entries["of-all-kinds"]


def test_every_agent_has_a_name_a_summary_and_documented_options() -> None:
    for name, thing in registry.everything("agent").items():
        spec = as_spec(name, thing)
        assert spec.name == name
        assert spec.summary
        assert all(option.help for option in spec.options.values())


def test_candidates_of_the_little_graph() -> None:
    assert np.diff(candidates(GRAPH).starts).tolist() == [1, 3, 2, 1, 1, 0]
    assert start_pose(episode("a", heading=-0.5)).heading == pytest.approx(math.tau - 0.5)
