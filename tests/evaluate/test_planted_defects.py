"""Agents with a known defect: the first verdicts name it. perf/planted_defects.py asks more of them."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from vlnscope.agents.spec import make_agent
from vlnscope.benchmarks.kit.benchmark import get_benchmark
from vlnscope.benchmarks.kit.case_set import CaseSet
from vlnscope.benchmarks.kit.findings import Findings
from vlnscope.benchmarks.tours.findings.memory_gain import gain_statements
from vlnscope.benchmarks.tours.findings.tour_rows import memory_rows
from vlnscope.engine.run import run
from vlnscope.engine.store.evidence_log import read_log
from vlnscope.engine.store.run_folder import EVIDENCE
from vlnscope.episodes.datasets.dataset import Dataset, open_dataset
from vlnscope.reporting.verdicts import Verdict, verdicts
from vlnscope.types import ScoreRow

FIRST = 3
Diagnose = Callable[[str, str], list[Verdict]]


@pytest.fixture(scope="module")
def parts() -> dict[str, tuple[Dataset, CaseSet]]:
    houses, sample = open_dataset("houses/val_unseen@2"), open_dataset("sample/demo")
    most = {"DC": 5, "RR": 3}
    words = get_benchmark("nuances").build_cases(houses, categories=tuple(most), most=most)
    return {"nuances": (houses, words), "outcomes": (sample, get_benchmark("outcomes").build_cases(sample))}


@pytest.fixture(scope="module")
def diagnose(parts: dict[str, tuple[Dataset, CaseSet]], tmp_path_factory: pytest.TempPathFactory) -> Diagnose:
    def verdicts_on(agent: str, part: str) -> list[Verdict]:
        out = tmp_path_factory.mktemp("planted") / "run"
        data, asked = parts[part]
        run(agent, data, cases=asked, out=out)
        assert data.scenes is not None
        benchmark = get_benchmark(part)
        rows = benchmark.score_cases(asked, read_log(out / EVIDENCE), data.scenes)
        return verdicts([benchmark.find(asked, {agent: rows})], agent)

    return verdicts_on


@pytest.mark.parametrize(
    ("agent", "part", "topic"),
    [
        ("planted_agents:IgnoresLeft", "nuances", "left"),
        ("planted_agents:IgnoresRooms", "nuances", "rooms"),
        ("planted_agents:NeverStops:base=shortest", "outcomes", "stopping"),
        ("planted_agents:StopsAfter:base=shortest,steps=2", "outcomes", "stopping"),
        ("planted_agents:StopsEarly:base=shortest", "outcomes", "stopping"),
    ],
)
def test_the_first_verdicts_name_the_defect(diagnose: Diagnose, agent: str, part: str, topic: str) -> None:
    first = diagnose(agent, part)[:FIRST]
    assert topic in [verdict.topic for verdict in first if verdict.grade in ("cannot", "unclear", "partly")]


@pytest.mark.parametrize(("agent", "part"), [("follower", "nuances"), ("shortest", "outcomes")])
def test_sound_agents_are_not_accused(diagnose: Diagnose, agent: str, part: str) -> None:
    made = diagnose(agent, part)
    assert made
    assert not [verdict for verdict in made if verdict.grade == "cannot"]


@pytest.mark.parametrize(("gain", "grade"), [(0.0, "cannot"), (0.45, "can")])
def test_an_agent_that_forgets_between_episodes(gain: float, grade: str) -> None:
    rows = [
        ScoreRow(
            episode_id=f"{variant}/{house}-{place}",
            scan=f"house-{house}",
            path_id=f"{house}-{place}",
            values=dict.fromkeys(
                ("nDTW", "SR", "SPL"), level + 0.002 * (variant == "kept") * ((3 * house + place) % 5 - 2)
            ),
            groups={
                "level": "episode",
                "variant": variant,
                "tour": str(house),
                "place": str(place),
                "pair": f"{house}-{place}",
            },
        )
        for variant, level in (("kept", 0.3 + gain), ("reset", 0.3))
        for house in range(8)
        for place in range(4)
    ]
    said = gain_statements("mine", memory_rows(rows))
    found = Findings(benchmark="tours", data="made/up", agents=("mine",), statements=tuple(said))
    (verdict,) = verdicts([found], "mine")
    assert (verdict.topic, verdict.grade) == ("memory", grade)


@pytest.mark.parametrize(
    ("name", "told", "heard"),
    [
        ("IgnoresLeft", "Turn left. Take the door on your left.", "Turn . Take the door ."),
        ("IgnoresRooms", "Leave the living room.", "Leave the ."),
        ("BlursThings", "Walk to the sofa.", "Walk to the thing."),
        ("IgnoresLeft:share=0", "Turn left.", "Turn left."),
    ],
)
def test_planted_agents_do_not_hear_what_they_ignore(name: str, told: str, heard: str) -> None:
    assert make_agent(f"planted_agents:{name}").agent.told(told) == heard
