"""Verdicts: what the statements of all benchmarks together say of an ability."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st
from msgspec.structs import replace

from vlnscope.benchmarks.kit import abilities as topics
from vlnscope.benchmarks.kit.abilities import abilities
from vlnscope.benchmarks.kit.findings import Findings, Statement, Wording
from vlnscope.reporting.verdicts import CAN, Verdict, headline, verdicts

WORDS = Wording(plain="{value}")


def said(
    topic: str, low: float, value: float, high: float, *, key: str = "", agent: str = "mine"
) -> Statement:
    """A statement of how much there is of an ability, in percent."""
    return Statement(
        key=key or topic,
        agent=agent,
        value=value,
        low=low,
        high=high,
        wording=WORDS,
        topic=topic,
        worst=0.0,
        best=100.0,
    )


def found(**statements: list[Statement]) -> list[Findings]:
    return [
        Findings(benchmark=name, data="made/up", agents=("mine",), statements=tuple(its))
        for name, its in statements.items()
    ]


def judged(**statements: list[Statement]) -> dict[str, Verdict]:
    return {verdict.topic: verdict for verdict in verdicts(found(**statements), "mine")}


@pytest.mark.parametrize(
    ("interval", "grade"),
    [
        ((80, 90, 95), "can"),
        ((80, 90, 100), "can"),
        ((0, 4, 10), "cannot"),
        ((0, 5.8, 20.1), "unclear"),
        ((10, 15, 20), "partly"),
        ((0, 10, 40), "unclear"),
        ((0, 20, 60), "unclear"),
        ((30, 50, 70), "partly"),
        ((10, 30, 40), "partly"),
        ((60, 80, 100), "mostly"),
        ((40, 80, 100), "unclear"),
        ((0, 40, 100), "unclear"),
    ],
)
def test_no_grade_without_the_interval_to_back_it(interval: tuple[float, float, float], grade: str) -> None:
    assert judged(nuances=[said("rooms", *interval)])["rooms"].grade == grade


@given(
    st.dictionaries(
        st.sampled_from(list(abilities())), st.tuples(*[st.integers(0, 20)] * 3).map(sorted), min_size=1
    )
)
def test_the_worst_comes_first(abilities: dict[str, list[int]]) -> None:
    made = judged(nuances=[said(topic, *(5.0 * end for end in ends)) for topic, ends in abilities.items()])
    places = {"cannot": 0, "partly": 1, "unclear": 1, "mostly": 2, "can": 3}
    ranks = [places[verdict.grade] for verdict in made.values()]
    assert ranks == sorted(ranks)


def test_within_a_benchmark_the_weakest_counts() -> None:
    first, later = said("counting", 80, 90, 100, key="all"), said("counting", 0, 5, 10, key="later")
    verdict = judged(nuances=[first, later])["counting"]
    assert (verdict.grade, verdict.statement.key, verdict.others) == (
        "cannot",
        "later",
        (("nuances", "all"),),
    )


def test_the_benchmark_that_was_made_for_it_decides() -> None:
    verdict = judged(behavior=[said("things", 0, 1, 2)], nuances=[said("things", 85, 95, 100)])["things"]
    assert (verdict.grade, verdict.benchmark) == ("can", "nuances")


def test_what_another_shows_clearly_is_not_denied() -> None:
    none, some = said("rooms", 0, 1, 2), said("rooms", 40, 50, 60)
    assert judged(nuances=[none], errors=[none])["rooms"].grade == "cannot"
    assert judged(nuances=[none], errors=[some])["rooms"].grade == "partly"


def test_how_ordinary_walks_end_is_not_taken_back() -> None:
    made = judged(outcomes=[said("stopping", 0, 1, 2)], behavior=[said("stopping", 40, 50, 60)])
    assert made["stopping"].grade == "cannot"


def test_where_it_says_nothing_the_one_that_shows_most_decides() -> None:
    verdict = judged(behavior=[said("rooms", 0, 1, 2)], errors=[said("rooms", 80, 90, 95)])["rooms"]
    assert (verdict.grade, verdict.benchmark) == ("can", "errors")


def test_who_does_not_read_gets_things_right_without_reading() -> None:
    made = judged(
        fidelity=[said("reading", 0, 0, 0)],
        nuances=[said("left", 90, 95, 100), said("rooms", 0, 0, 5)],
        outcomes=[said("stopping", 90, 95, 100)],
    )
    assert list(made) == ["reading", "rooms", "left", "stopping"]
    assert (made["left"].grade, made["left"].because) == ("unclear", "reading")
    assert headline(made["left"]) == "turns left when told to, but not by reading"
    assert (made["rooms"].grade, made["rooms"].because) == ("cannot", "reading")
    assert made["stopping"].grade == "can"


def test_who_never_stops_is_not_accused_of_what_follows() -> None:
    made = judged(
        outcomes=[said("stopping", 0, 0, 0)],
        nuances=[said("stairs", 0, 10, 20), said("left", 90, 95, 100)],
        fidelity=[said("reading", 80, 90, 95)],
    )
    assert next(iter(made)) == "stopping"
    assert (made["stairs"].grade, made["stairs"].because) == ("unclear", "stopping")
    assert headline(made["stairs"]).endswith("it is not clear that it stops where it should")
    assert (made["left"].grade, made["left"].because) == ("can", "")


def test_what_only_may_be_missing_explains_nothing() -> None:
    made = judged(outcomes=[said("stopping", 0, 20, 40)], nuances=[said("left", 0, 20, 60)])
    assert [(one.topic, one.grade, one.because) for one in made.values()] == [
        ("stopping", "unclear", ""),
        ("left", "unclear", ""),
    ]


def test_of_several_that_show_a_lack_the_weightiest_is_the_reason() -> None:
    least = said("stopping", 0, 0, 0, key="stops-there")
    telling = replace(said("stopping", 2, 5, 10, key="stops-early"), weight=0.95)
    assert judged(outcomes=[least, telling])["stopping"].statement.key == "stops-early"


def test_who_does_not_know_things_cannot_be_asked_to_count_them() -> None:
    made = judged(nuances=[said("things", 0, 5, 10), said("counting", 0, 0, 0)])
    assert list(made) == ["things", "counting"]
    assert (made["counting"].grade, made["counting"].because) == ("unclear", "things")


def test_of_a_whole_and_its_parts_what_tells_more_comes_first() -> None:
    whole = said("directions", 40, 50, 60)
    one_sided = judged(nuances=[whole, said("left", 0, 30, 60), said("right", 90, 95, 100)])
    assert next(iter(one_sided)) == "left"
    assert list(one_sided).index("directions") > 0
    none = said("directions", 0, 0, 0), said("left", 0, 0, 0), said("right", 0, 0, 0)
    memory = [said("memory", 0, 0, 0)]
    assert list(judged(nuances=list(none), tours=memory)) == ["directions", "memory", "left", "right"]


def test_other_agents_and_statements_of_no_ability_do_not_count() -> None:
    other = said("rooms", 0, 0, 0, agent="theirs")
    plain = Statement(key="SR", agent="mine", value=50.0, low=40.0, high=60.0, wording=WORDS)
    assert judged(nuances=[other, plain]) == {}


intervals = st.tuples(*[st.floats(0, 100)] * 3).map(sorted)
known = st.sampled_from(sorted(abilities()))
statements = st.builds(lambda topic, ends: said(topic, *ends), known, intervals)
benchmarks = st.dictionaries(
    st.sampled_from(["outcomes", "fidelity", "tours", "behavior", "nuances", "errors"]),
    st.lists(statements, max_size=6),
)


@given(benchmarks)
def test_every_topic_gets_one_verdict_that_its_interval_backs(made: dict[str, list[Statement]]) -> None:
    given_topics = {one.topic for its in made.values() for one in its}
    order = verdicts(found(**made), "mine")
    assert sorted(verdict.topic for verdict in order) == sorted(given_topics)
    for verdict in order:
        assert verdict.statement.ability is not None
        low, _, high = verdict.statement.ability
        if verdict.grade == "can":
            assert low >= CAN
        if verdict.grade == "cannot":
            assert verdict.statement.shows_absence
            assert "not" in headline(verdict)
        if verdict.grade == "partly":
            assert high < 1
        assert headline(verdict)


@given(benchmarks)
def test_verdicts_do_not_depend_on_the_order_of_benchmarks(made: dict[str, list[Statement]]) -> None:
    turned = dict(reversed(made.items()))
    ours, theirs = (verdicts(found(**its), "mine") for its in (made, turned))
    assert [(one.topic, one.grade, one.because) for one in ours] == [
        (one.topic, one.grade, one.because) for one in theirs
    ]


def test_topics_hang_together() -> None:
    for name, topic in abilities().items():
        assert topic.part_of in ("", *abilities())
        assert all(need in abilities() for need in topic.needs)
        assert name not in topic.needs
        assert len({topic.can, topic.cannot, topic.partly}) == 3
    assert 0 < topics.HALF <= 1
