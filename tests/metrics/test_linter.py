"""The linter of metrics: it catches broken plug-ins, and what it says of the built-in metrics is so."""

from __future__ import annotations

import itertools
import json
import math
from collections.abc import Callable, Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import typer
from hypothesis import given, settings
from hypothesis import strategies as st
from typer.testing import CliRunner

from vlnscope.cli import check_metric as command
from vlnscope.core import registry
from vlnscope.core.exceptions import InputError, UnknownNameError
from vlnscope.core.rng import rng_for
from vlnscope.metrics.batch import PathBatch
from vlnscope.metrics.lint import desiderata
from vlnscope.metrics.lint.axioms import AXIOMS, paths
from vlnscope.metrics.lint.desiderata import DESIDERATA, PAPER, desiderata_row, time_growth
from vlnscope.metrics.lint.linter import CONTRACT, MetricReport, check_metric
from vlnscope.metrics.lint.probes import (
    NEVER_MOVES,
    ProbeWorld,
    corridor,
    kite,
    random_rooms,
    renumbering,
    worlds,
)
from vlnscope.metrics.lint.trial import MetricTrial, Row, Space
from vlnscope.metrics.measures.ndtw import normalised_warping
from vlnscope.metrics.metric import Metric, get_metric
from vlnscope.metrics.profiles.profile import PATH_METRICS, profiles
from vlnscope.metrics.profiles.switches import Switches
from vlnscope.metrics.values import Values
from vlnscope.worlds.matterport.scans import MatterportScenes

RADIUS = Switches().radius
Compute = Callable[[PathBatch, Switches], Any]


def plugin(compute: Compute, **declared: Any) -> Metric:
    facts = {"name": "plugged", "unit": "%", "better": "higher", "high": 1.0, **declared}
    return Metric(title="a plug-in", compute=compute, paper="none", **facts)


def statuses(report: MetricReport) -> dict[str, str]:
    return {finding.axiom: finding.status for finding in report.findings}


def ndtw(batch: PathBatch, switches: Switches) -> np.ndarray[Any, np.dtype[np.float64]]:
    return normalised_warping(batch, switches).values.copy()


def nearest_gaussian(batch: PathBatch, switches: Switches) -> Values:
    """Mean over the agent's points of a Gaussian of the distance to the nearest reference point."""
    del switches
    out = []
    for k, (n, m) in enumerate(zip(batch.pred.sizes, batch.ref.sizes, strict=True)):
        matrix = batch.costs[batch.cost_offsets[k] : batch.cost_offsets[k + 1]].reshape(n, m)
        out.append(np.exp(-(matrix.min(axis=1) ** 2) / 2).mean())
    return Values.of(np.asarray(out))


# --- broken plug-ins ---------------------------------------------------------------------------------


def not_a_number(batch: PathBatch, switches: Switches) -> Values:
    values = ndtw(batch, switches)
    values[batch.pred.sizes == 1] = np.nan
    return Values(values)


def sealed_not_a_number(batch: PathBatch, switches: Switches) -> Values:
    return Values.of(not_a_number(batch, switches).values)


def never_a_number(batch: PathBatch, switches: Switches) -> Values:
    return Values.of(np.full(len(batch), np.nan))


def infinite(batch: PathBatch, switches: Switches) -> Values:
    return Values(np.where(batch.pred.sizes == 1, np.inf, ndtw(batch, switches)))


def below(batch: PathBatch, switches: Switches) -> Values:
    return Values.of(2 * ndtw(batch, switches) - 1)


def best_is_not_reached(batch: PathBatch, switches: Switches) -> Values:
    return Values.of(0.9 * ndtw(batch, switches))


def upside_down(batch: PathBatch, switches: Switches) -> Values:
    return Values.of(1 - ndtw(batch, switches))


def numbers_matter(batch: PathBatch, switches: Switches) -> Values:
    share = np.where(batch.pred.flat[batch.pred.last] % 2 == 0, 1.0, 0.99)
    return Values.of(ndtw(batch, switches) * share)


def rows_matter(batch: PathBatch, switches: Switches) -> Values:
    return Values.of(ndtw(batch, switches) / (1.0 + 1e-6 * np.arange(len(batch))))


def batch_matters(batch: PathBatch, switches: Switches) -> Values:
    values = ndtw(batch, switches)
    return Values.of(np.where(values == 1.0, 1.0, values / (1.0 + values.sum())))


def changes_its_mind() -> Compute:
    calls = itertools.count(1)
    return lambda batch, switches: Values.of(ndtw(batch, switches) ** next(calls))


def too_few(batch: PathBatch, switches: Switches) -> Values:
    return Values(ndtw(batch, switches)[:-1])


def mask_too_long(batch: PathBatch, switches: Switches) -> Values:
    return Values(ndtw(batch, switches), {"why not": np.zeros(len(batch) + 1, dtype=np.bool_)})


def not_values(batch: PathBatch, switches: Switches) -> Any:
    return ndtw(batch, switches)


def complex_numbers(batch: PathBatch, switches: Switches) -> Values:
    return Values(ndtw(batch, switches) * (1 + 0j))  # type: ignore[arg-type]


def raises(batch: PathBatch, switches: Switches) -> Values:
    raise KeyError("boom")


def raises_at_rest(batch: PathBatch, switches: Switches) -> Values:
    if (batch.pred.sizes == 1).any():
        raise ZeroDivisionError("no steps")
    return normalised_warping(batch, switches)


def raises_in_company(batch: PathBatch, switches: Switches) -> Values:
    if len(batch) > 1:
        raise NotImplementedError("one at a time")
    return normalised_warping(batch, switches)


def raises_when_scaled(batch: PathBatch, switches: Switches) -> Values:
    if switches.radius > RADIUS:
        raise OverflowError("too large")
    return normalised_warping(batch, switches)


def changes_paths(batch: PathBatch, switches: Switches) -> Values:
    found = normalised_warping(batch, switches)
    batch.pred.flat[:] = 0
    return found


def changes_what_is_shared(batch: PathBatch, switches: Switches) -> Values:
    found = normalised_warping(batch, switches)
    batch.costs[:] = 0.0
    return found


def changes_coverage(batch: PathBatch, switches: Switches) -> Values:
    found = batch.coverage(switches.radius)
    found *= 0.5
    return normalised_warping(batch, switches)


BROKEN: list[tuple[Compute, str]] = [
    (not_a_number, "range"),
    (sealed_not_a_number, "range"),
    (never_a_number, "range"),
    (infinite, "range"),
    (below, "range"),
    (best_is_not_reached, "identity"),
    (upside_down, "identity"),
    (numbers_matter, "renaming"),
    (rows_matter, "determinism"),
    (batch_matters, "determinism"),
    (changes_its_mind(), "determinism"),
    (too_few, CONTRACT),
    (mask_too_long, CONTRACT),
    (not_values, CONTRACT),
    (complex_numbers, CONTRACT),
    (raises, CONTRACT),
    (raises_at_rest, CONTRACT),
    (raises_in_company, CONTRACT),
    (changes_paths, CONTRACT),
    (changes_what_is_shared, CONTRACT),
    (changes_coverage, CONTRACT),
]


@pytest.mark.parametrize(("compute", "axiom"), BROKEN)
def test_each_kind_of_broken_plugin_is_caught(compute: Compute, axiom: str) -> None:
    report = check_metric(plugin(compute))
    assert axiom in report.wrong
    assert report[axiom].text


def test_a_sound_plugin_is_not_wrong() -> None:
    report = check_metric(plugin(lambda batch, switches: Values.of(ndtw(batch, switches))))
    assert report.wrong == ()
    assert statuses(report) == statuses(check_metric(get_metric("nDTW")))


def test_broken_axioms_are_not_confused() -> None:
    """A plug-in with one fault is not blamed for others."""
    assert check_metric(plugin(numbers_matter)).wrong == ("identity", "renaming")
    assert check_metric(plugin(best_is_not_reached)).wrong == ("identity",)
    assert check_metric(plugin(below, low=-1.0)).wrong == ()
    assert check_metric(plugin(batch_matters)).wrong == ("determinism",)


def test_counter_examples_say_where_and_what() -> None:
    finding = check_metric(plugin(not_a_number))["range"]
    assert finding.example is not None
    assert finding.example.probe == NEVER_MOVES
    assert finding.example.value is None
    assert finding.text == "'never moves' on the kite scores nan, and gives no reason"
    assert len(finding.example.prediction) == 1
    assert finding.example.prediction[0] == finding.example.reference[0]


def test_exceptions_are_pinned_to_the_path_that_causes_them() -> None:
    finding = check_metric(plugin(raises_at_rest))[CONTRACT]
    assert finding.text == "raises ZeroDivisionError: no steps, given 'never moves' on the kite"
    assert "rows at once" in check_metric(plugin(raises_in_company))[CONTRACT].text


def test_nothing_else_is_judged_after_a_broken_contract() -> None:
    report = check_metric(plugin(raises))
    assert {finding.status for finding in report.findings[1:]} == {"not applicable"}


def test_an_exception_in_a_later_probe_fails_that_axiom_alone() -> None:
    found = statuses(check_metric(plugin(raises_when_scaled)))
    assert {axiom for axiom, status in found.items() if status == "fail"} == {"units", "scale"}


def test_a_metric_that_is_undefined_everywhere_is_not_judged() -> None:
    def nowhere(batch: PathBatch, switches: Switches) -> Values:
        return Values.of(np.zeros(len(batch)), {"not today": np.ones(len(batch), dtype=np.bool_)})

    report = check_metric(plugin(nowhere))
    assert report.wrong == ()
    assert report["range"].status == "not applicable"
    assert "not today" in report["range"].text


def test_a_metric_that_never_punishes_is_neither_soft_nor_unique() -> None:
    found = statuses(check_metric(plugin(lambda batch, switches: Values.of(np.ones(len(batch))))))
    for axiom in ("soft penalty", "uniqueness", "path similarity", "order"):
        assert found[axiom] == "fail"
    assert found["identity"] == "pass"


def test_a_wrongly_declared_unit_is_found() -> None:
    length = get_metric("TL").compute
    assert check_metric(plugin(length, unit="m", better="none", high=None))["units"].status == "pass"
    assert check_metric(plugin(length, unit="%", better="none", high=None))["units"].status == "fail"


@settings(max_examples=12, deadline=None)
@given(st.floats(1e-6, 10.0))
def test_any_excess_is_out_of_range(excess: float) -> None:
    metric = plugin(lambda batch, switches: Values.of(ndtw(batch, switches) + excess))
    assert "range" in check_metric(metric).wrong


# --- what is said of known metrics -------------------------------------------------------------------


def test_the_nearest_point_gaussian_is_blind_to_order_and_completion() -> None:
    """What some code calls nDTW gives full marks to agents that never move or walk backwards."""
    report = check_metric(plugin(nearest_gaussian))
    found = statuses(report)
    assert report.wrong == ()
    assert found["order"] == found["uniqueness"] == found["path similarity"] == "fail"
    assert "scores 1, the same as the reference (1)" in report["uniqueness"].text
    straight = next(world for world in worlds(0, RADIUS) if world.name == "the corridor")
    for probe in (NEVER_MOVES, "walks backwards", "stops half-way", "ping-pongs at the start"):
        assert value(plugin(nearest_gaussian), (straight, straight.probes[probe])) == 1.0


def test_figures_on_a_straight_reference_of_ten_metres() -> None:
    """Six nodes over ten metres: the nDTW of three agents, worked out by hand."""
    world = next(w for w in worlds(0, RADIUS) if w.name == "the corridor").scaled(10 / (5 * 0.7 * RADIUS))
    sums = {NEVER_MOVES: 30.0, "walks backwards": 36.0, "stops half-way": 12.0}
    for probe, cost in sums.items():
        expected = math.exp(-cost / (RADIUS * 6))
        assert value(get_metric("nDTW"), (world, world.probes[probe])) == pytest.approx(expected)


def value(metric: Metric, row: Row) -> float:
    return float(MetricTrial(metric, Switches()).run([row]).values[0])


@pytest.mark.parametrize(
    ("name", "axiom", "status"),
    [
        ("nDTW", "order", "pass"),
        ("nDTW", "uniqueness", "pass"),
        ("nDTW", "sampling", "varies"),
        ("t-nDTW", "order", "pass"),
        ("CLS", "order", "fail"),
        ("CLS", "uniqueness", "fail"),
        ("CLS", "path similarity", "pass"),
        ("CLS", "soft penalty", "pass"),
        ("CLS", "sampling", "pass"),
        ("SR", "uniqueness", "fail"),
        ("SR", "soft penalty", "fail"),
        ("SED", "soft penalty", "fail"),
        ("SED", "uniqueness", "pass"),
        ("SED", "path similarity", "pass"),
        ("SPL", "path similarity", "fail"),
        ("SPL", "direction", "fail"),
        ("NE", "soft penalty", "pass"),
        ("NE", "units", "pass"),
        ("NE", "scale", "fail"),
        ("PC", "path similarity", "fail"),
        ("TL", "identity", "not applicable"),
        ("GD", "uniqueness", "not applicable"),
        ("steps", "direction", "not applicable"),
    ],
)
def test_what_is_said_of_built_in_metrics(name: str, axiom: str, status: str) -> None:
    assert check_metric(get_metric(name))[axiom].status == status


def test_spl_rewards_staying_put_only_where_its_convention_says_so() -> None:
    """On a reference that ends where it starts, dividing by the reference's length mends SPL."""
    assert check_metric(get_metric("SPL"))["direction"].status == "fail"
    assert check_metric(get_metric("SPL"), Switches(spl_optimum="reference"))["direction"].status == "pass"


def settings_in_use() -> set[tuple[str, Space, Switches]]:
    """Every metric of every profile, but for switches that decide which rows there are."""
    found: set[tuple[str, Space, Switches]] = set()
    for profile in profiles().values():
        plain = replace(profile.switches, missing="refused", start="any", jumps="shortest", instructions=0)
        for space in ("graph", "continuous"):
            if profile.space in (space, "both"):
                found |= {(name, space, plain) for name in profile.metrics}
    return found


@pytest.mark.parametrize("name", PATH_METRICS)
def test_no_built_in_metric_is_wrong_under_any_profile(name: str) -> None:
    used = [(space, switches) for other, space, switches in settings_in_use() if other == name]
    assert used
    for space, switches in used:
        assert check_metric(get_metric(name), switches, space=space).wrong == (), (space, switches)


@pytest.mark.parametrize("name", PATH_METRICS)
def test_verdicts_on_built_in_metrics_do_not_depend_on_the_seed(name: str) -> None:
    found = [statuses(check_metric(get_metric(name), seed=seed)) for seed in (0, 1, 2, -7)]
    assert found[1:] == found[:-1]


def test_verdicts_do_not_depend_on_the_radius() -> None:
    for name in ("SR", "CLS", "nDTW", "SPL"):
        base = statuses(check_metric(get_metric(name)))
        assert statuses(check_metric(get_metric(name), Switches(radius=0.5))) == base


def test_reports_are_reproducible() -> None:
    assert check_metric(get_metric("CLS"), seed=5) == check_metric(get_metric("CLS"), seed=5)


def test_metrics_of_nodes_are_not_judged_on_points() -> None:
    report = check_metric(get_metric("ED"), space="continuous")
    assert report["range"].status == "not applicable"
    assert "no nodes" in report["range"].text
    assert check_metric(get_metric("nDTW"), space="continuous")["order"].status == "pass"


@given(st.floats(0.1, 50.0), st.floats(0.1, 50.0))
@settings(max_examples=20, deadline=None)
def test_both_orders_on_the_kite_are_equally_good_for_cls(scale: float, radius: float) -> None:
    """The counter-example to CLS' unique optimum holds at any size: same places, same length, same ends."""
    world = kite(3.0).scaled(scale)
    ((swapped,), reference) = world.reorderings, world.reference
    other = world.probes[swapped]
    assert sorted(other) == sorted(reference) == sorted(set(reference))
    assert (other[0], other[-1]) == (reference[0], reference[-1])
    assert length(world, other) == pytest.approx(length(world, reference))
    trial = MetricTrial(get_metric("CLS"), Switches(radius=radius))
    assert trial.run([(world, other)]).values[0] == pytest.approx(1.0)


@given(st.permutations(range(8)), st.integers(0, 50))
@settings(max_examples=25, deadline=None)
def test_cls_sees_of_an_order_only_its_length(order: list[int], seed: int) -> None:
    world = random_rooms(seed, 24, 6.0)
    inner = world.reference[1:-1]
    mixed = tuple(inner[k] for k in order if k < len(inner)) + inner[8:]
    path = (world.reference[0], *mixed, world.reference[-1])
    whole, walked = length(world, world.reference), length(world, path)
    assert value(get_metric("CLS"), (world, path)) == pytest.approx(whole / (whole + abs(whole - walked)))


def length(world: ProbeWorld, path: tuple[int, ...]) -> float:
    return float(sum(world.graph.distances[a, b] for a, b in itertools.pairwise(path)))


# --- worlds ------------------------------------------------------------------------------------------


@pytest.mark.parametrize("seed", [0, 3])
def test_probes_are_what_their_groups_say(seed: int) -> None:
    for world in worlds(seed, RADIUS):
        reference = world.reference
        for name in world.probes:
            assert world.probes[name] != reference, (world.name, name)
        for name in present(world, world.reorderings):
            assert sorted(world.probes[name]) == sorted(reference)
        for name in present(world, world.deviations):
            path = world.probes[name]
            assert (path[0], path[-1]) == (reference[0], reference[-1])
            assert set(path) != set(reference) or len(path) != len(reference)
        for ladder in world.ladders:
            far = [
                max(world.graph.distances[list(reference)].min(axis=0)[list(world.probes[n])]) for n in ladder
            ]
            assert far == sorted(set(far))
            assert {len(world.probes[name]) for name in ladder} == {len(reference)}
        for name in present(world, world.same_route):
            assert length(world, world.probes[name]) == pytest.approx(length(world, reference))


def present(world: ProbeWorld, names: tuple[str, ...]) -> Iterator[str]:
    return (name for name in names if name in world.probes)


@pytest.mark.parametrize("seed", range(5))
def test_no_place_is_at_the_radius_from_a_goal(seed: int) -> None:
    """Otherwise rounding would decide about success, and scaling or renaming could seem to change it."""
    for world in worlds(seed, RADIUS):
        assert not np.isclose(world.graph.distances[:, world.reference[-1]], RADIUS, rtol=1e-6).any()


def test_worlds_are_legal_walks_but_for_shuffling() -> None:
    for world in worlds(0, RADIUS):
        for name, path in paths(world).items():
            if not name.startswith("shuffles"):
                steps = itertools.pairwise(path)
                assert all(a == b or world.graph.adjacency[a, b] for a, b in steps), (world.name, name)


def test_direct_and_winding_references_are_told_apart() -> None:
    direct = {world.name: world.is_direct for world in worlds(1, RADIUS)}
    assert [name for name, straight in direct.items() if not straight] == [
        "the kite",
        "the ring",
        "a winding way over 24 nodes",
    ]


@given(st.integers(0, 30), st.permutations(range(16)), st.floats(0.1, 20.0))
@settings(max_examples=20, deadline=None)
def test_renaming_and_scaling_keep_the_shape(seed: int, order: list[int], factor: float) -> None:
    world = random_rooms(seed, 16, 9.0)
    number = np.asarray(order)
    renamed, scaled = world.renamed(number), world.scaled(factor)
    np.testing.assert_allclose(renamed.graph.distances[np.ix_(number, number)], world.graph.distances)
    np.testing.assert_allclose(scaled.graph.distances, factor * world.graph.distances)
    assert renamed.reference == tuple(number[list(world.reference)])


@given(st.integers(2, 40), st.integers(0, 99))
@settings(max_examples=25, deadline=None)
def test_renumbering_moves_every_node(size: int, seed: int) -> None:
    number = renumbering(size, rng_for(seed, "test"))
    assert sorted(number) == list(range(size))
    assert (number != np.arange(size)).all()


# --- the desiderata table ----------------------------------------------------------------------------


def test_the_table_agrees_with_the_paper_but_for_three_verdicts() -> None:
    rows = {name: desiderata_row(get_metric(name), check_metric(get_metric(name))) for name in PAPER}
    differing = {(name, v.number) for name, row in rows.items() for v in row.verdicts if v.differs}
    assert differing == {("TL", 2), ("SPL", 2), ("CLS", 3)}
    for name, row in rows.items():
        assert len(row.differences()) == sum(v.differs for v in row.verdicts)
        for verdict, sentence in zip((v for v in row.verdicts if v.differs), row.differences(), strict=True):
            assert desiderata.REMARKS[name, verdict.number] in sentence
            assert DESIDERATA[verdict.number - 1] in sentence


def test_the_table_is_computed_not_looked_up() -> None:
    """A metric that passes for CLS, but is not, gets other verdicts."""
    impostor = Metric(
        name="CLS", title="", compute=get_metric("SR").compute, unit="%", better="higher", high=1.0, paper=""
    )
    row = desiderata_row(impostor, check_metric(impostor))
    assert [verdict.met for verdict in row.verdicts] == [False, False, False, True, True]
    assert len(row.differences()) == 3


def test_metrics_outside_the_paper_have_no_assertions_to_differ_from() -> None:
    row = desiderata_row(get_metric("PC"), check_metric(get_metric("PC")))
    assert row.in_text is None
    assert row.differences() == []
    assert {verdict.asserted for verdict in row.verdicts} == {None}


def test_a_broken_metric_has_an_empty_row() -> None:
    metric = plugin(raises)
    row = desiderata_row(metric, check_metric(metric))
    assert [verdict.met for verdict in row.verdicts] == [None] * 5
    assert row.growth is None


@pytest.mark.parametrize(
    ("seconds", "growth"),
    [(lambda n: 1e-7 * n**2, (362 / 181) ** 2), (lambda n: 1e-6 * n, 2.0), (lambda n: 1e-6 * 2.0**n, None)],
)
def test_growth_of_time_is_measured_or_given_up(
    seconds: Callable[[int], float], growth: float | None, monkeypatch: pytest.MonkeyPatch
) -> None:
    asked: list[int] = []

    def pretend(self: MetricTrial, rows: list[Row], repeats: int = 2) -> float:
        asked.append(len(rows[0][1]))
        return seconds(asked[-1])

    monkeypatch.setattr(MetricTrial, "seconds", pretend)
    assert time_growth(get_metric("SR")) == (growth if growth is None else pytest.approx(growth))
    assert growth is not None or max(asked) < 32


def test_time_is_measured_on_paths_of_the_stated_length() -> None:
    for length in (8, 362):
        for world, path in desiderata._long_walks(length):
            assert len(path) == len(world.reference) == length


# --- the command -------------------------------------------------------------------------------------


@pytest.fixture
def app() -> typer.Typer:
    made = typer.Typer()
    made.command("check-metric")(command.check_metric)
    return made


@pytest.fixture
def registered(monkeypatch: pytest.MonkeyPatch) -> Callable[[str, object], None]:
    registry.names("metric")
    return lambda name, thing: monkeypatch.setitem(registry._kinds["metric"].entries, name, thing)


def run(app: typer.Typer, *arguments: str) -> Any:
    return CliRunner().invoke(app, arguments)


def test_a_line_for_every_axiom(app: typer.Typer) -> None:
    result = run(app, "CLS")
    assert result.exit_code == 0
    for axiom in (CONTRACT, *(axiom.name for axiom in AXIOMS)):
        assert sum(line.strip().startswith(axiom) for line in result.stdout.splitlines()) == 1
    assert "'visits the two places between in the other order' on the kite scores 1" in result.stdout


def test_exit_code_one_for_wrong_metrics(app: typer.Typer, registered: Callable[[str, object], None]) -> None:
    registered("broken", plugin(below))
    result = run(app, "SR", "broken")
    assert result.exit_code == 1
    assert "✗ fail (wrong)" in result.stdout


def test_json_holds_the_counter_examples(app: typer.Typer, registered: Callable[[str, object], None]) -> None:
    registered("broken", plugin(not_a_number))
    result = run(app, "broken", "nDTW", "--json", "--seed", "3")
    assert result.exit_code == 1
    content = json.loads(result.stdout)
    broken, sound = content["metrics"]
    assert broken["wrong"] == ["range"]
    assert sound["wrong"] == []
    example = next(f for f in broken["findings"] if f["axiom"] == "range")["example"]
    assert example["probe"] == NEVER_MOVES
    assert example["value"] is None
    assert [len(point) for point in example["reference"]] == [3] * 4


def test_all_prints_the_desiderata(app: typer.Typer, registered: Callable[[str, object], None]) -> None:
    registered("bro[ken", plugin(raises, name="bro[ken"))
    result = run(app, "--all")
    assert result.exit_code == 1
    assert "bro[ken is wrong: contract: raises KeyError: 'boom'" in result.stdout
    lines = result.stdout.splitlines()
    assert sum(line.split()[:1] == ["nDTW"] for line in lines) == 2
    assert any(line.startswith("CLS (3) unique optimum: the paper says yes, computed no") for line in lines)
    assert "✗ (paper ✓)" in result.stdout


def test_all_as_json(app: typer.Typer) -> None:
    result = run(app, "--all", "--json")
    assert result.exit_code == 0
    content = json.loads(result.stdout)
    assert {report["metric"] for report in content["metrics"]} >= set(PATH_METRICS)
    rows = {row["metric"]: row for row in content["desiderata"]}
    assert [v["desideratum"] for v in rows["CLS"]["verdicts"] if v["differs"]] == ["unique optimum"]


def test_profiles_decide_how_and_where(app: typer.Typer) -> None:
    content = json.loads(run(app, "nDTW", "--profile", "vlnce", "--json").stdout)
    assert (content["profile"], content["space"]) == ("vlnce", "continuous")
    spl = json.loads(run(app, "SPL", "--profile", "hamt", "--json").stdout)["metrics"][0]
    assert next(f["status"] for f in spl["findings"] if f["axiom"] == "direction") == "pass"


def test_bad_arguments_are_refused(app: typer.Typer, registered: Callable[[str, object], None]) -> None:
    registered("junk", "not a metric")
    assert isinstance(run(app, "NDWT").exception, UnknownNameError)
    for arguments in ((), ("SR", "--all"), ("junk",)):
        error = run(app, *arguments).exception
        assert isinstance(error, InputError)
        assert error.expected
        assert error.fix


# --- real houses -------------------------------------------------------------------------------------


def test_real_references_walked_backwards(shared: Path, data_root: Path) -> None:
    """In real houses too, CLS cannot tell a reference from its reverse, and nDTW can."""
    rows = json.loads((shared / "fixtures" / "episode_metrics_r2r.json").read_text())
    scenes = MatterportScenes(data_root)
    walks: list[Row] = []
    for row in (row for row in rows if row["agent"] == "reference"):
        graph = scenes.scene(row["scan"]).graph
        reference = tuple(graph.index[node] for node in row["reference"])
        walks.append((ProbeWorld(row["scan"], graph, reference, {}), reference[::-1]))
    assert walks
    np.testing.assert_allclose(MetricTrial(get_metric("CLS"), Switches()).run(walks).values, 1.0)
    assert (MetricTrial(get_metric("nDTW"), Switches()).run(walks).values < 0.9).all()


def test_official_numbers_bear_the_verdicts_out(shared: Path) -> None:
    """What other evaluators computed on real paths: no path but the reference has an nDTW of 1."""
    rows = json.loads((shared / "fixtures" / "episode_metrics_r4r.json").read_text())
    others = [row for row in rows if [k for k, _ in itertools.groupby(row["prediction"])] != row["reference"]]
    assert others
    assert all(row["values"]["hamt_nDTW"] < 1 for row in others)
    assert any(row["values"]["hamt_success"] == 1 for row in others)
    assert any(row["values"]["mp3d_spl"] == 1 for row in others)


def test_the_corridor_is_walked_over_the_nodes_it_has() -> None:
    world = corridor(RADIUS, legs=3)
    assert world.reference == (0, 2, 4, 6)
    assert world.probes[world.same_route[0]] == tuple(range(7))
