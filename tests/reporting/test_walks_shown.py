"""Walks on maps: when words are due, what is shown of a walk, the cards, and what a page holds."""

from __future__ import annotations

import base64
import gzip
import io
import json
import re
import xml.etree.ElementTree as ET
from html.parser import HTMLParser
from pathlib import Path

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st
from PIL import Image

from vlnscope.benchmarks.kit.case_set import CaseSet
from vlnscope.benchmarks.kit.findings import Findings, Statement, Wording
from vlnscope.benchmarks.outcomes.score.cases import score_cases
from vlnscope.episodes.datasets.dataset import open_dataset
from vlnscope.episodes.formats.evidence import DecisionRecord, EvidenceLine, TourPhases
from vlnscope.evaluate.diagnose.examples.outcomes import TrajectoryVerdict, outcome
from vlnscope.evaluate.diagnose.examples.scenes import KnownScenes, SceneMaps
from vlnscope.evaluate.diagnose.examples.show import show_walks
from vlnscope.evaluate.diagnose.examples.steps import Passage, choices, shown_steps
from vlnscope.evaluate.diagnose.examples.words import DueWords, Sources, due_words, followed, lit, planted
from vlnscope.reporting.examples import ExampleTrajectories, WrongWords
from vlnscope.reporting.page.example_cards import walk_card, walks_payload
from vlnscope.reporting.report_data import EvidenceLink, Report, ReportedAgent
from vlnscope.types import STOP, Case, Chunk, Episode, InstructionErrors, Rules, TimedWord, WordSwap
from vlnscope.worlds.graph.navgraph import NavGraph
from vlnscope.worlds.maps.floor_map import bare_map, levels, levels_of
from vlnscope.worlds.rooms import Regions
from vlnscope.worlds.scene import Scene

SQUARE = NavGraph.build(
    list("abcdef"),
    [[0, 0, 1.5], [0, 3, 1.5], [0, 6, 1.5], [0, 9, 1.5], [3, 3, 1.5], [-3, 3, 1.5]],
    [("a", "b"), ("b", "c"), ("c", "d"), ("b", "e"), ("b", "f")],
)
"""A street to the north with a turn to the right and one to the left after three metres."""
CROSSING = Scene("crossing", SQUARE)
HOUSE = "houses/val_unseen@1+1"
SCAN = "house-40001"


def told(text: str, nodes: str = "abcd", **more: object) -> Episode:
    return msgspec.convert(
        {"episode_id": "1_0", "path_id": "1", "scan": "crossing", "instruction": text, "path": list(nodes)}
        | {"heading": 0.0}
        | msgspec.to_builtins(more),
        Episode,
    )


def due_of(case: Case, *sources: Episode) -> dict[int, str]:
    due = due_words(case, SQUARE, Sources(sources))
    return {
        step: "".join(word for word, at in zip(due.words, due.steps, strict=True) if at == step).strip()
        for step in sorted(set(due.steps))
    }


CHUNKED = told(
    "Go on past the sofa. Turn left, and stop by the door.",
    chunks=(
        Chunk(("go", "on", "past", "the", "sofa"), 1, 3),
        Chunk(("turn", "left"), 3, 4),
        Chunk(("stop", "by", "the", "door"), 4, 4),
    ),
)


def test_sub_instructions_say_when_words_are_due() -> None:
    assert due_of(Case(case_id="1", episode=CHUNKED)) == {
        0: "Go on past",
        1: "the sofa.",
        2: "Turn left,",
        3: "and stop by the door.",
    }


def test_what_a_case_adds_is_due_where_it_asks() -> None:
    asked = told("Go on past the sofa. You are done.", "abc")
    found = due_of(Case(case_id="1", episode=asked, forced_steps=2, correct=(STOP,)), CHUNKED)
    assert found == {0: "Go on past", 1: "the sofa.", 2: "You are done."}


def test_parts_of_a_joined_episode_keep_their_own_alignment() -> None:
    first = told("Walk. Stop.", "ab", chunks=(Chunk(("walk",), 1, 2), Chunk(("stop",), 2, 2)))
    second = told("Run. Halt.", "bcd", chunks=(Chunk(("run",), 1, 3), Chunk(("halt",), 3, 3)))
    second = msgspec.structs.replace(second, episode_id="2_0")
    joined = told("Walk. Stop. Run. Halt.", "abcd")
    joined = msgspec.structs.replace(joined, episode_id="9_0")
    found = due_of(Case(case_id="9", episode=joined), first, second)
    assert found == {0: "Walk.", 1: "Stop. Run.", 3: "Halt."}


def test_spoken_words_are_spread_by_their_times() -> None:
    words = tuple(TimedWord(word, k * 1.0, k + 1.0) for k, word in enumerate(["eins", "zwei", "drei"]))
    assert due_of(Case(case_id="1", episode=told("eins zwei drei", words=words))) == {
        0: "eins",
        1: "zwei",
        2: "drei",
    }


def test_without_alignment_actions_are_spread_and_stopping_is_last() -> None:
    found = due_of(Case(case_id="1", episode=told("Walk past the sofa. Walk past the table. Stop there.")))
    assert found[0].startswith("Walk past")
    assert found[3] == "Stop there."
    assert due_of(Case(case_id="1", episode=told(""))) == {}


@given(st.text(max_size=60), st.sampled_from(["", "abcd", "ab"]))
def test_words_join_to_the_text_and_are_due_on_the_path(text: str, nodes: str) -> None:
    due = due_words(Case(case_id="1", episode=told(text, nodes or "a")), SQUARE, Sources(()))
    assert "".join(due.words) == text
    assert all(0 <= step < max(1, len(nodes)) for step in due.steps)


@st.composite
def walks(draw: st.DrawFn) -> str:
    nodes = [draw(st.sampled_from(SQUARE.nodes))]
    for _ in range(draw(st.integers(0, 8))):
        nodes.append(draw(st.sampled_from(SQUARE.neighbours(nodes[-1]))))
    return "".join(nodes)


@given(walks(), walks())
def test_a_walk_never_goes_back_along_the_reference(walk: str, reference: str) -> None:
    reached = followed(walk, reference, SQUARE)
    assert len(reached) == len(walk)
    assert reached == sorted(reached)
    assert followed(reference, reference, SQUARE) == list(range(len(reference)))
    due = DueWords(tuple("x" * len(reference)), tuple(range(len(reference))))
    shown = lit(due, reached)
    assert {word for words in shown for word in words} == set(range(reached[-1] + 1))


def line(path: str, **more: object) -> EvidenceLine:
    record = {"v": 2, "case_id": "1", "episode_id": "1_0", "path": list(path)} | more
    return msgspec.convert(record, EvidenceLine)


def became(case: Case, done: EvidenceLine, success: bool | None = None) -> TrajectoryVerdict:
    stages = KnownScenes(Held(CROSSING), {})
    passage = Passage.of(case, done, stages.stage("crossing"))
    asked = CaseSet(benchmark="outcomes", data="made/up", rules=Rules(), cases=(case,))
    rows = score_cases(asked, {"1": done}, stages) if done.failed is None and not case.correct else []
    return outcome(passage, rows[0] if rows else None, success)


class Held:
    def __init__(self, scene: Scene) -> None:
        self.held = scene

    def scans(self) -> tuple[str, ...]:
        return (self.held.id,)

    def scene(self, scan: str) -> Scene:
        assert scan == self.held.id
        return self.held


WHOLE = Case(case_id="1", episode=CHUNKED)


@pytest.mark.parametrize(
    ("path", "more", "said", "succeeded", "decisive"),
    [
        ("abcd", {"stopped": True}, "took the described way and stopped 0.0 m from the goal", True, None),
        ("ab", {"stopped": True}, "stopped 6.0 m short of the goal, on the described way", False, 1),
        ("abbe", {}, "at step 2 it went right; the way was to go straight on; ended 9.0 m", False, 1),
        ("a", {"stopped": True}, "never left the start, 9.0 m from the goal", False, 0),
        ("a", {"failed": "out of memory"}, "the agent failed: out of memory", False, None),
    ],
)
def test_one_line_says_what_became_of_a_walk(
    path: str, more: dict[str, object], said: str, succeeded: bool, decisive: int | None
) -> None:
    found = became(WHOLE, line(path, **more))
    assert found.line.startswith(said)
    assert (found.succeeded, found.decisive) == (succeeded, decisive)


def test_what_the_benchmark_counts_as_right_is_right() -> None:
    found = became(WHOLE, line("abcd", stopped=True), success=False)
    assert found.succeeded is False
    assert found.line.startswith("did not do what it was told: ")


LEFT = Case(case_id="1", episode=told("Turn left.", "abf"), forced_steps=1, correct=("f",))
DECIDED = DecisionRecord(1, "b", ["c", "e", "f", "a"], [0.1, 0.6, 0.25, 0.0, 0.05])


def test_an_answer_is_told_with_its_probabilities() -> None:
    wrong = line("abe", stopped=False, decisions=[msgspec.to_builtins(DECIDED)])
    assert became(LEFT, wrong) == TrajectoryVerdict("went right (60 %); it should go left (25 %)", False, 1)
    right = line("abf", stopped=False)
    assert became(LEFT, right) == TrajectoryVerdict("went left, as it should", True, 1)


def test_choices_are_as_logged_the_likeliest_first() -> None:
    done = line("abe", stopped=False, decisions=[msgspec.to_builtins(DECIDED)])
    passage = Passage.of(LEFT, done, SceneMaps(CROSSING))
    found = choices(passage, 1)
    assert [choice.probability for choice in found] == [0.6, 0.25, 0.1, 0.05, 0.0]
    assert [choice.label for choice in found] == [
        "right, 3.0 m",
        "left, 3.0 m",
        "ahead, 3.0 m",
        "stop",
        "back, 3.0 m",
    ]
    assert [choice.chosen for choice in found] == [True, False, False, False, False]
    assert [choice.right for choice in found] == [False, True, False, False, False]
    steps = shown_steps(passage, due_words(LEFT, SQUARE, Sources(())), 1)
    assert [step.forced for step in steps] == [False, True, False]
    assert [bool(step.choices) for step in steps] == [False, True, False]


def test_without_a_logged_decision_the_decisive_step_still_has_choices() -> None:
    passage = Passage.of(WHOLE, line("abe"), SceneMaps(CROSSING))
    steps = shown_steps(passage, due_words(WHOLE, SQUARE, Sources(())), 1)
    assert {choice.probability for choice in steps[1].choices} == {None}
    assert [choice.label for choice in steps[1].choices if choice.right] == ["ahead, 3.0 m"]


def test_bare_maps_hold_their_viewpoints() -> None:
    regions = Regions(dict.fromkeys(SQUARE.nodes, 0), {0: "k"})
    scene = Scene("one", SQUARE, {"regions": lambda: regions})
    drawn = bare_map(scene)
    root = ET.fromstring(drawn.svg)
    assert [float(side) for side in root.attrib["viewBox"].split()] == pytest.approx(
        [0, 0, drawn.width, drawn.height]
    )
    for place in SQUARE.positions.tolist():
        x, y = drawn.canvas.at(place)
        assert 0 < x < drawn.width
        assert 0 < y < drawn.height
    assert set(levels(scene).values()) == {0} == set(levels_of(None, scene))
    assert "kitchen" in drawn.svg


# Walks of a made-up agent in a real house, edited and as it was


def statement(key: str, *episodes: str, weight: float = 0.5) -> Statement:
    return Statement(
        key=key, agent="mine", value=1.0, wording=Wording(plain="x"), episodes=episodes, weight=weight
    )


@pytest.fixture(scope="module")
def diagnosed(tmp_path_factory: pytest.TempPathFactory) -> tuple[Report, Path]:
    folder = tmp_path_factory.mktemp("diagnosis")
    scenes = open_dataset(HOUSE).scenes
    assert scenes is not None
    scene = scenes.scene(SCAN)
    item = next(i for i in scene.layer("plan").items if i.on is None and not i.mounted).id
    nodes = max(
        (scene.graph.shortest_path(scene.graph.nodes[0], node) for node in scene.graph.nodes), key=len
    )
    cases, lines = [], []
    for name, scan, path in (
        ("whole", SCAN, nodes),
        ("early", SCAN, nodes[:3]),
        ("again", SCAN, nodes[:3]),
        ("edited", f"{SCAN}~remove-item;item={item}", nodes[:2]),
    ):
        there = scenes.scene(scan).graph
        reference = nodes if set(nodes) <= set(there.nodes) else there.nodes[:1]
        episode = Episode(
            episode_id=f"{name}_0", path_id=name, scan=scan, instruction=f"Walk <b>on</b> & stop, {name}.",
            path=tuple(reference), heading=1.0, chunks=(Chunk(("walk",), 1, len(reference)),),
        )  # fmt: skip
        groups = {"pair": "both"} if name in ("whole", "early") else {}
        cases.append(Case(case_id=name, episode=episode, groups=groups))
        walked = path if set(path) <= set(there.nodes) else reference
        phases = TourPhases("t", 0, oracle_start=tuple(nodes[:2])) if name == "again" else None
        done = EvidenceLine(v=2, case_id=name, episode_id=f"{name}_0", path=tuple(walked), phases=phases)
        lines.append(done)
    run = folder / "runs/mine/outcomes"
    CaseSet(benchmark="outcomes", data=HOUSE, rules=Rules(), cases=tuple(cases)).save(run)
    (run / "evidence.jsonl").write_bytes(b"".join(msgspec.json.encode(done) + b"\n" for done in lines))
    said = (
        statement("light", "again", "early", weight=0.1),
        statement("heavy", "whole", "edited", weight=0.9),
        statement("pair", "both", weight=0.05),
    )
    found = Findings(benchmark="outcomes", data=HOUSE, agents=("mine",), statements=said)
    evidence = "runs/mine/outcomes/evidence.jsonl"
    link = EvidenceLink(benchmark="outcomes", data=HOUSE, agent="mine", evidence=evidence, scores="")
    mine = ReportedAgent(name="mine", identity="mine")
    return Report(title="t", data=HOUSE, agents=(mine,), findings=(found,), links=(link,)), folder


@pytest.fixture(scope="module")
def shown(diagnosed: tuple[Report, Path]) -> ExampleTrajectories:
    return show_walks(*diagnosed)


def test_each_walk_is_shown_once_the_weightiest_first(
    shown: ExampleTrajectories, diagnosed: tuple[Report, Path]
) -> None:
    report, _ = diagnosed
    (found,) = report.findings
    assert [walk.case_id for walk in shown.walks] == ["whole", "edited", "again", "early"]
    by_key = {said.key: shown.showing(found, said) for said in found.statements}
    assert [walk.case_id for walk in by_key["light"]] == ["again", "early"]
    assert [walk.case_id for walk in by_key["heavy"]] == ["whole", "edited"]
    assert {walk.case_id for walk in by_key["pair"]} == {"whole", "early"}


def test_walks_lie_on_their_maps(shown: ExampleTrajectories) -> None:
    edited = {floor for floor in shown.maps if "~" in floor}
    assert edited
    assert len(shown.maps) > len(edited)
    for walk in shown.walks:
        for place in (*(step.place for step in walk.steps), *walk.reference, *walk.led_in):
            drawn = shown.maps[place.floor]
            assert place.floor.startswith(f"{walk.scan}/")
            assert 0 < place.x < drawn.width
            assert 0 < place.y < drawn.height
        assert "".join(walk.words) == f"Walk <b>on</b> & stop, {walk.case_id}."
    again = next(walk for walk in shown.walks if walk.case_id == "again")
    assert len(again.led_in) == 2


def test_the_decisive_step_shows_what_could_be_seen(shown: ExampleTrajectories) -> None:
    early = next(walk for walk in shown.walks if walk.case_id == "early")
    assert early.decisive == 2
    assert early.succeeded is False
    step = early.steps[early.decisive]
    assert step.picture
    assert step.choices[-1].chosen
    assert step.choices[-1].place is None
    assert set(shown.pictures) == {
        step.picture for walk in shown.walks for step in walk.steps if step.picture
    }
    for picture in shown.pictures.values():
        head, _, content = picture.partition(",")
        assert head == "data:image/webp;base64"
        assert len(picture) < 15_000
        width, height = Image.open(io.BytesIO(base64.b64decode(content))).size
        assert width > 4 * height


def test_the_same_report_gives_the_same_walks_and_no_more_than_asked(
    shown: ExampleTrajectories, diagnosed: tuple[Report, Path], tmp_path: Path
) -> None:
    few = show_walks(*diagnosed, most=1)
    assert few.walks == shown.walks[:1]
    assert few.maps.items() <= shown.maps.items()
    assert ExampleTrajectories.load(shown.save(tmp_path / "walks.json")) == shown


class _Tags(HTMLParser):
    def __init__(self) -> None:
        super().__init__()
        self.open: list[str] = []
        self.seen: list[str] = []
        self.text = ""

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.seen.append(tag)
        assert not [name for name, _ in attrs if name.startswith("on")]
        self.open.append(tag)

    def handle_startendtag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.seen.append(tag)

    def handle_endtag(self, tag: str) -> None:
        assert self.open.pop() == tag

    def handle_data(self, data: str) -> None:
        self.text += data


def test_cards_can_be_read_without_scripts(shown: ExampleTrajectories) -> None:
    for walk in shown.walks:
        tags = _Tags()
        tags.feed(str(walk_card(walk, shown.maps)))
        assert tags.open == []
        assert walk.outcome in tags.text
        assert "Walk " in tags.text
        assert "<b>on</b>" in tags.text
        assert "svg" in tags.seen
        assert "script" not in tags.seen
        if walk.decisive is not None:
            choices = walk.steps[walk.decisive].choices
            assert all(choice.label in tags.text for choice in choices)
            assert tags.seen.count("li") == len(choices)


def test_cards_mark_planted_errors(shown: ExampleTrajectories) -> None:
    errors = InstructionErrors(True, 1, (WordSwap("left", "right now", (), (1, 2)),))
    episode = told("Turn right now, and stop.", errors=errors)
    pieces = due_words(Case(case_id="1", episode=episode), SQUARE, Sources(())).words
    assert planted(episode, pieces) == (WrongWords((1, 2), "left"),)
    assert planted(CHUNKED, pieces) == ()
    walk = msgspec.structs.replace(shown.walks[0], words=pieces, wrong=planted(episode, pieces))
    marked = re.findall(r'walk-wrong" data-word="(\d)"', str(walk_card(walk, shown.maps)))
    assert marked == ["1", "2"]
    assert "(true: left)" in walk_card(walk, shown.maps)


def test_a_page_holds_each_map_and_each_walk_once(shown: ExampleTrajectories) -> None:
    payload = str(walks_payload(shown))
    style, script = re.fullmatch(r"<style>(.*)</style><script ([^>]*>.*)</script>", payload, re.S).groups()  # type: ignore[union-attr]
    assert style.count("data:image/svg+xml") == len(shown.maps)
    assert "</" not in style
    assert "#" not in style.replace("&#", "")
    head, _, content = script.partition(">")
    data = json.loads(gzip.decompress(base64.b64decode(content)) if "data-packed" in head else content)
    assert list(data["walks"]) == [walk.id for walk in shown.walks]
    assert data["pictures"] == shown.pictures
    first = data["walks"][shown.walks[0].id]
    assert len(first["steps"]) == len(shown.walks[0].steps)


def test_much_data_is_packed(shown: ExampleTrajectories) -> None:
    large = msgspec.structs.replace(shown, pictures={"x": "y" * 200_000})
    assert "data-packed" in str(walks_payload(large))[-2_000:]
    assert len(walks_payload(large)) < len(walks_payload(shown)) + 100_000


def test_matterport_walks_need_no_pictures(data_root: Path, tmp_path: Path) -> None:
    sources = {e.episode_id: e for e in open_dataset("fgr2r/val_unseen", data_root).episodes()}
    episode = next(e for e in sources.values() if len(e.path) > 4 and e.chunks)
    case = Case(case_id="one", episode=msgspec.structs.replace(episode, chunks=()))
    run = tmp_path / "runs/mine/outcomes"
    CaseSet(benchmark="outcomes", data="r2r/val_unseen", rules=Rules(), cases=(case,)).save(run)
    done = EvidenceLine(v=2, case_id="one", episode_id=episode.episode_id, path=episode.path[:2])
    (run / "evidence.jsonl").write_bytes(msgspec.json.encode(done) + b"\n")
    found = Findings(
        benchmark="outcomes", data="r2r/val_unseen", agents=("mine",), statements=(statement("s", "one"),)
    )
    link = EvidenceLink(
        benchmark="outcomes", data="r2r/val_unseen", agent="mine",
        evidence="runs/mine/outcomes/evidence.jsonl", scores="",
    )  # fmt: skip
    mine = ReportedAgent(name="mine", identity="mine")
    report = Report(title="t", data="r2r/val_unseen", agents=(mine,), findings=(found,), links=(link,))
    walks = show_walks(report, tmp_path, root=data_root)
    (walk,) = walks.walks
    assert not walks.pictures
    assert walk.decisive == 1
    assert "short of the goal" in walk.outcome
    expected = due_words(
        Case(case_id="one", episode=episode), open_scene(data_root, episode.scan), Sources(())
    )
    assert walk.words == expected.words
    assert walk.steps[0].words == tuple(k for k, step in enumerate(expected.steps) if step == 0)


def open_scene(root: Path, scan: str) -> NavGraph:
    scenes = open_dataset("r2r/val_unseen", root).scenes
    assert scenes is not None
    return scenes.scene(scan).graph
