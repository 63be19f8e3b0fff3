"""Explaining gaps: parts add up to what is recomputed, flips have causes, noise is called noise."""

from __future__ import annotations

import json
import re
from collections.abc import Sequence
from dataclasses import fields, replace
from decimal import Decimal
from pathlib import Path
from typing import Literal

import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

import vlnscope as vs
from commands import Cli
from made_up import dataset, path, repeated, street
from vlnscope.benchmarks.fidelity.joins.join import join_paths
from vlnscope.core.exceptions import InputError
from vlnscope.episodes.datasets.dataset import Dataset, open_dataset
from vlnscope.evaluate.gap.claims import ClaimedNumber, read_claims
from vlnscope.evaluate.gap.published import get_published, published
from vlnscope.evaluate.gap.result import Gap, GapPart
from vlnscope.evaluate.gap.switch_shares import EXACT, WORDS, shares, subsets
from vlnscope.evaluate.gap.words import sentence_of
from vlnscope.metrics.metric import get_metric
from vlnscope.metrics.profiles.profile import get_profile, profiles
from vlnscope.metrics.profiles.switches import Switches
from vlnscope.types import Prediction

WALKER = Path(vs.__file__).parent / "sample" / "predictions" / "walker.json"
DEMO = "sample/demo"
PREVALENT = "agent_predictions/PREVALENT_seq2seq_teacher_imagenet_val_unseen_iter_36000.json.gz"
STREET = street(0.0, 2.0, 4.0, 6.0, 8.0, 11.0)


def walks(**paths: str) -> list[Prediction]:
    return [Prediction(episode_id=id_.lstrip("e"), path=tuple(nodes)) for id_, nodes in paths.items()]


def scenes(count: int = 8) -> Dataset:
    """Return one path a-b-c-d-e in each of several streets."""
    made = [street(0.0, 2.0, 4.0, 6.0, 8.0, 11.0, scan=f"s{k}") for k in range(count)]
    return dataset([e for k in range(count) for e in repeated(k, "abcde", 1, scan=f"s{k}")], *made)


def each(paths: Sequence[str]) -> list[Prediction]:
    return [Prediction(episode_id=f"{k}_0", path=tuple(nodes)) for k, nodes in enumerate(paths)]


def mean(predictions: object, data: Dataset, profile: str, metric: str) -> float:
    score = vs.score(predictions, data, profile=profile, metrics=[metric], partial=True)  # type: ignore[arg-type]
    found = score.intervals[metric].mean
    assert found is not None
    return found * get_metric(metric).scale


def total(gap: Gap, metric: str) -> float:
    return sum(part.points for part in gap.of(metric).parts)


# --- sharing out ---------------------------------------------------------------------------------------


@given(st.integers(1, 5), st.data())
def test_shares_add_up_and_nothing_goes_to_what_does_nothing(size: int, data: st.DataObject) -> None:
    names = "abcde"[:size]
    numbers = {
        made: data.draw(st.floats(-100, 100)) for made in subsets(names[1:])
    }  # what the first name does is nothing

    def worth(made: frozenset[str]) -> float:
        return numbers[made - {"a"}]

    found = shares(names, worth)
    assert found.method == "shapley"
    assert found.points["a"] == pytest.approx(0.0, abs=1e-9)
    assert sum(found.points.values()) == pytest.approx(worth(frozenset(names)) - worth(frozenset()), abs=1e-9)


@given(st.lists(st.floats(-10, 10), min_size=1, max_size=EXACT + 3))
def test_changes_that_do_not_touch_each_other_get_what_they_do_alone(alone: list[float]) -> None:
    names = [f"n{k}" for k in range(len(alone))]
    found = shares(names, lambda made: sum(alone[names.index(n)] for n in sorted(made)))
    assert found.method == ("in order" if len(alone) > EXACT else "shapley")
    assert list(found.points.values()) == pytest.approx(alone, abs=1e-9)


def test_two_that_only_work_together_share_alike() -> None:
    assert shares("abc", lambda made: 6.0 if {"a", "b"} <= made else 0.0).points == {"a": 3, "b": 3, "c": 0}


def test_every_switch_has_words() -> None:
    assert set(WORDS) == {f.name for f in fields(Switches)}


# --- one file, two profiles ----------------------------------------------------------------------------


def test_the_reference_length_is_named_and_its_points_are_exact() -> None:
    data = dataset(repeated(1, "abcdcb", 2) + repeated(2, "bcd", 2), STREET)
    there_and_back = walks(e1_0="abcdcb", e1_1="ab", e2_0="bcd", e2_1="bcb")
    gap = vs.explain_gap(there_and_back, data=data, profile="hamt", against_profile="paper")
    spl = gap.of("SPL")
    expected = mean(there_and_back, data, "paper", "SPL") - mean(there_and_back, data, "hamt", "SPL")
    assert abs(expected) > 10
    named = [part for part in spl.parts if part.shown]
    assert [part.name for part in named] == ["spl_optimum"]
    assert named[0].points == pytest.approx(expected, abs=1e-9)
    assert named[0].setting == ("reference", "shortest")
    assert spl.points == pytest.approx(expected, abs=1e-9)
    assert spl.flips == 0
    assert "spl_optimum: reference → shortest" in sentence_of(spl)
    assert sentence_of(gap.of("SR")).endswith("no gap.")
    assert "0 episodes flip." in gap.sentences()


GRAPH_PROFILES = [p.name for p in profiles().values() if p.space in ("both", "graph")]


@settings(max_examples=25)
@given(
    st.lists(st.lists(st.sampled_from((1, 1, 1, 0, -1, 3)), max_size=6), min_size=6, max_size=6),
    st.permutations(GRAPH_PROFILES),
    st.sampled_from(["SPL", "CLS", "SR", "DTW", "nDTW", "TL"]),
)
def test_parts_add_up_to_what_scoring_says(moves: list[list[int]], names: list[str], metric: str) -> None:
    data = dataset(repeated(1, "abcdcb", 4) + repeated(2, "aa", 2), STREET)
    paths = ["".join("abcdef"[min(5, max(0, sum(made[:k])))] for k in range(len(made) + 1)) for made in moves]
    ids = ("e1_0", "e1_1", "e1_2", "e1_3", "e2_0", "e2_1")
    made = walks(**dict(zip(ids, paths, strict=True)))
    first, second = names[:2]
    found = vs.explain_gap(made, data=data, profile=first, against_profile=second, metrics=[metric])
    gap = found.of(metric)
    assume(gap.mean_a is not None and gap.mean_b is not None)
    assume(gap.parts or not gap.points)  # some setting on the way may have no value for any episode
    assert gap.mean_a == pytest.approx(mean(made, data, first, metric), abs=1e-9)
    assert gap.mean_b == pytest.approx(mean(made, data, second, metric), abs=1e-9)
    assert total(found, metric) == pytest.approx(gap.points, abs=1e-9)


def test_a_flip_by_the_rule_alone_is_called_so() -> None:
    data = dataset(repeated(1, "def", 1), STREET)  # e is exactly 3 m from f
    gap = vs.explain_gap(walks(e1_0="de"), data=data, against_profile="paper", metrics=["SR"])
    (cluster,) = gap.of("SR").clusters
    assert (cluster.step, cluster.change, cluster.cause) == ("rules", "gained", "the same walk, another rule")
    (part,) = [p for p in gap.of("SR").parts if p.shown]
    assert (part.name, part.points) == ("success", 100.0)


# --- two files -----------------------------------------------------------------------------------------


def test_flips_have_causes_and_carry_the_points_of_the_walks() -> None:
    data = scenes()
    good = ["abcde"] * 5 + ["ab", "abcd", "a"]
    bad = ["ab", "abc", "a", "abcdef", "abababab", "abcde", "abcde", "abcde"]
    gap = vs.explain_gap(each(good), each(bad), data=data, metrics=["SPL", "nDTW"])
    for metric in ("SPL", "nDTW"):
        one = gap.of(metric)
        assert one.points == pytest.approx(
            mean(each(bad), data, "default", metric) - mean(each(good), data, "default", metric), abs=1e-9
        )
        assert total(gap, metric) == pytest.approx(one.points, abs=1e-9)
        (part,) = one.of("walks")
        assert sum(c.points for c in one.clusters) == pytest.approx(part.points, abs=1e-9)
    causes = {(c.change, c.cause): c.episodes for c in gap.of("SPL").clusters if c.flips}
    assert causes[("lost", "stopped early")] == ("0_0", "1_0")
    assert causes[("lost", "never left")] == ("2_0",)
    assert causes[("lost", "wandered")] == ("4_0",)
    assert causes[("gained", "stopped early")] == ("5_0",)
    assert causes[("gained", "never left")] == ("7_0",)


def test_a_wrong_turn_is_named_with_its_move() -> None:
    fork = street(0.0, 2.0, 10.0, 20.0)
    data = dataset(repeated(1, "bcd", 1), fork)
    gap = vs.explain_gap(walks(e1_0="bcd"), walks(e1_0="ba"), data=data, metrics=["SR"])
    (cluster,) = gap.of("SR").clusters
    assert (cluster.cause, cluster.moves) == ("wrong turn", {1: 1})


def test_episodes_that_only_one_side_has_are_a_part() -> None:
    data = scenes(4)
    whole, partial = each(["abcde", "abcde", "a", "a"]), each(["abcde", "abcde", "a"])
    gap = vs.explain_gap(whole, partial, data=data, metrics=["SR"])
    (part,) = gap.of("SR").of("episodes")
    assert (part.name, part.episodes) == ("only in A", ("3_0",))
    assert part.points == pytest.approx(100 * (2 / 3 - 1 / 2))
    assert total(gap, "SR") == pytest.approx(gap.of("SR").points, abs=1e-9)
    assert any("have no prediction" in note for note in gap.notes)


def test_other_data_are_a_part_and_what_differs_is_counted() -> None:
    old = dataset(path(1, "abc", "go", heading=0.0) + path(2, "abcd", "go", heading=0.0), STREET)
    new = dataset(path(1, "abcdef", "go", heading=1.0) + path(2, "abcd", "go", heading=0.0), STREET)
    made = walks(e1_0="abc", e2_0="abcd")
    other = walks(e1_0="abc", e2_0="ab")
    gap = vs.explain_gap(made, other, data=old, against_data=new, metrics=["SR"])
    assert [(p.kind, p.points) for p in gap.of("SR").parts] == [("data", -50.0), ("walks", -50.0)]
    assert [(c.step, c.cause) for c in gap.of("SR").clusters] == [
        ("data", "the same walk, other data"),
        ("walks", "stopped early"),
    ]
    assert any("1 reference that differs, 1 start heading that differs" in note for note in gap.notes)


def test_flips_are_not_denied_where_success_is_unknown() -> None:
    hidden = dataset(repeated(1, "a", 2), STREET)  # a test split: goals are secret
    made, other = walks(e1_0="abc", e1_1="ab"), walks(e1_0="ab", e1_1="ab")
    gap = vs.explain_gap(made, other, data=hidden, metrics=["SR", "TL"])
    said = gap.sentences()
    assert said[0] == "SR: one side has no mean, so there is no gap to explain."
    assert gap.of("TL").points == pytest.approx(-1.0)
    assert said[-1].startswith("Whether episodes flip is not known")


def test_noise_is_called_noise_and_an_effect_an_effect() -> None:
    data = scenes()
    good, mixed = ["abcde"] * 4 + ["a"] * 4, ["a"] + ["abcde"] * 3 + ["abcde", "abcde"] + ["a"] * 2
    noise = vs.explain_gap(each(good), each(mixed), data=data, metrics=["SR"])
    assert "cannot be told from noise" in sentence_of(noise.of("SR"))
    assert "explain +" not in sentence_of(noise.of("SR"))
    clear = vs.explain_gap(each(["a"] * 8), each(["abcde"] * 7 + ["a"]), data=data, metrics=["SR"])
    assert "the walks explain +87.50" in sentence_of(clear.of("SR"))


@given(st.sampled_from(("walks", "rest")), st.floats(-5, 5), st.floats(0, 5), st.floats(0, 5))
def test_a_part_is_shown_only_if_its_interval_allows(
    kind: Literal["walks", "rest"], points: float, down: float, up: float
) -> None:
    low, high = points - down, points + up
    assert GapPart(kind, "x", "x", points, low=low, high=high).shown == (not low <= 0 <= high)
    assert not GapPart(kind, "x", "x", points).shown


def test_with_three_scenes_nothing_is_shown() -> None:
    gap = vs.explain_gap(each(["a"] * 3), each(["abcde"] * 3), data=scenes(3), metrics=["SR"])
    assert "cannot be told from noise" in sentence_of(gap.of("SR"))


@pytest.mark.parametrize(("count", "shown"), [(2, False), (6, True)])
def test_what_is_left_of_a_claim_needs_scenes_too(count: int, shown: bool) -> None:
    made = each(["abcde"] * (count - 1) + ["a"])
    gap = vs.explain_gap(made, data=scenes(count), claimed="SR=0")
    (part,) = gap.of("SR").parts
    assert part.shown == shown
    words = "more than other scenes would bring" if shown else "and may be noise"
    assert words in sentence_of(gap.of("SR"))


# --- flips ---------------------------------------------------------------------------------------------

WALKS = st.sampled_from(("abcde", "abcd", "ab", "a", "abcdef", "acde", "bcde", "ace", None))
"""Ways that reach the goal, miss it, jump, start elsewhere, or are not there."""


def outcomes(predictions: list[Prediction], data: Dataset, profile: str) -> dict[str, float]:
    score = vs.score(predictions, data, profile=profile, metrics=["SR"], partial=True)
    return {row.episode_id: row.values["SR"] for row in score.rows() if "SR" in row.values}


@settings(max_examples=30)
@given(
    st.lists(st.tuples(WALKS, WALKS), min_size=4, max_size=4),
    st.permutations(GRAPH_PROFILES),
    st.sampled_from(["SR", "SPL", "CLS", "TL"]),
    st.booleans(),
)
def test_flips_are_what_scoring_both_sides_says(
    pairs: list[tuple[str | None, str | None]], names: list[str], metric: str, moved: bool
) -> None:
    data = dataset([e for k in range(4) for e in repeated(k, "abcde", 1)], STREET)
    other = dataset([e for k in range(4) for e in repeated(k, "abcdef"[: 2 + k], 1)], STREET)
    against = other if moved else data
    mine, theirs = (
        [
            Prediction(episode_id=f"{k}_0", path=tuple(path))
            for k, path in enumerate(paths)
            if path is not None
        ]
        for paths in zip(*pairs, strict=True)
    )
    assume(mine and theirs)
    first, second = names[:2]
    a, b = outcomes(mine, data, first), outcomes(theirs, against, second)
    gap = vs.explain_gap(
        mine,
        theirs,
        data=data,
        profile=first,
        against_profile=second,
        against_data=other if moved else None,
        metrics=[metric],
    )
    found = {id_: c.change for c in gap.of(metric).clusters if c.flips for id_ in c.episodes}
    assert found == {
        id_: "gained" if b[id_] else "lost" for id_ in a if id_ in b and bool(a[id_]) != bool(b[id_])
    }
    assert gap.of(metric).flips == len(found)
    assert [set(ids) for ids in gap.one_sided] == [set(a) - set(b), set(b) - set(a)]


def test_what_data_take_and_walks_give_back_is_no_flip() -> None:
    old, new = (dataset(repeated(1, nodes, 2), STREET) for nodes in ("abcdef", "ab"))
    mine, theirs = walks(e1_0="abcdef", e1_1="abcdef"), walks(e1_0="ab", e1_1="ab")
    gap = vs.explain_gap(mine, theirs, data=old, against_data=new, metrics=["SR"])
    assert [(p.kind, p.points) for p in gap.of("SR").parts] == [("data", -100.0), ("walks", 100.0)]
    assert (gap.of("SR").flips, gap.sentences()[-1]) == (0, "0 episodes flip.")


def test_an_outcome_on_one_side_only_is_no_flip() -> None:
    data = dataset(repeated(1, "abcde", 2), STREET)
    jumping, staying = walks(e1_0="ace", e1_1="abcde"), walks(e1_0="a", e1_1="abcde")
    gap = vs.explain_gap(
        jumping,
        staying,
        data=data,
        profile="r2r-server",
        against_profile="default",
        metrics=["SR"],
    )
    assert gap.one_sided == ((), ("1_0",))
    assert gap.sentences()[-2:] == [
        "0 episodes flip.",
        "Success is known in 1 episode for B only; no flips are counted there.",
    ]


def test_how_many_flip_does_not_depend_on_the_metric() -> None:
    data = dataset(repeated(1, "abcde", 2) + repeated(2, "aa", 1), STREET)
    mine, theirs = walks(e1_0="abcde", e1_1="a", e2_0="a"), walks(e1_0="a", e1_1="a", e2_0="abcdef")
    for metric in ("SR", "CLS", "nDTW", "TL"):
        gap = vs.explain_gap(mine, theirs, data=data, profile="google", metrics=[metric])
        assert gap.of(metric).flips == 2
        said = [re.sub(r" \(.*?\)", "", s) for s in gap.sentences() if s.startswith("B ")]
        assert len(said) == 1
        assert said[0].startswith("B fails in 2 episodes that A reached: ")


# --- stated numbers ------------------------------------------------------------------------------------


def test_claims_are_as_exact_as_they_are_written() -> None:
    assert read_claims("SPL=56.05, SR=60.2") == {"SPL": ClaimedNumber(56.05, 2), "SR": ClaimedNumber(60.2, 1)}
    assert read_claims({"SR": 60}) == {"SR": ClaimedNumber(60.0, 0)}
    assert ClaimedNumber.read("60").fits(60.4)
    assert not ClaimedNumber.read("60.0").fits(60.4)


@pytest.mark.parametrize(
    ("text", "written"),
    [("7.78e1", "77.8"), ("1e-1", "0.1"), ("6E1", "60"), (" 60.20 ", "60.20"), ("0", "0")],
)
def test_claims_may_be_written_with_powers(text: str, written: str) -> None:
    assert str(ClaimedNumber.read(text)) == written


@given(st.decimals(0, 100, places=3), st.integers(-3, 3))
def test_a_claim_fits_itself_however_it_is_written(number: Decimal, power: int) -> None:
    claim = ClaimedNumber.read(f"{number.scaleb(-power)}e{power}")
    assert claim == ClaimedNumber(float(number), 3)
    assert claim.fits(float(number))


def test_a_share_of_one_gets_a_hint() -> None:
    gap = vs.explain_gap(WALKER, data=DEMO, claimed="SR=0.78,SPL=60")
    assert [n for n in gap.notes if "share" in n] == [
        "SR 0.78 was read as 0.78 %; if a share of 1 is meant, write SR=78"
    ]


@pytest.mark.parametrize(
    "text",
    ["", "SR", "SR=high", "SR=nan", "SR=1e999", "TL=1e-400", "SR=60,=3", "SR=78,SR=50", "SR=120", "NE=-0.1"],
)
def test_claims_that_cannot_be_read(text: str) -> None:
    with pytest.raises(InputError):
        read_claims(text)


def test_a_claim_is_traced_to_the_switch_that_gives_it() -> None:
    data = dataset(repeated(1, "abcdcb", 2) + repeated(2, "bcd", 2), STREET)
    made = walks(e1_0="abcdcb", e1_1="ab", e2_0="bcd", e2_1="bcb")
    claim = f"SPL={mean(made, data, 'hamt', 'SPL'):.2f},SR={mean(made, data, 'hamt', 'SR'):.1f}"
    gap = vs.explain_gap(made, data=data, claimed=claim)
    assert gap.fits[0].changes == {"spl_optimum": ("shortest", "reference")}
    assert gap.fits[0].matches
    assert re.search(r"are what `spl_optimum = reference` gives", gap.sentences()[-1])
    assert total(gap, "SPL") == pytest.approx(gap.of("SPL").points, abs=1e-9)
    assert [p.name for p in gap.of("SPL").parts] == ["spl_optimum", "rounding"]
    assert any(re.match(r"\d+ settings of the switches were tried", note) for note in gap.notes)


def test_a_claim_that_nothing_gives_is_not_explained() -> None:
    data = dataset(repeated(1, "abcd", 2), STREET)
    gap = vs.explain_gap(walks(e1_0="abcd", e1_1="a"), data=data, claimed={"SR": "71.3"})
    assert not gap.fits[0].matches
    assert [p.name for p in gap.of("SR").parts] == ["rest"]
    assert any(s.startswith("No setting of the switches gives SR 71.3") for s in gap.sentences())


def test_published_rows_can_be_followed() -> None:
    rows = published()
    assert len(rows) > 60
    for key, row in rows.items():
        assert key.count("/") == 2
        assert row.numbers
        assert all(get_metric(metric).per == "episode" for metric in row.numbers)
        assert get_profile(row.profile).space != ("continuous" if row.data.startswith("r2r/") else "graph")
        assert re.search(r"20\d\d.*Table \d", row.source)
    assert {row.data for row in rows.values()} >= {"r2r/val_unseen", "r4r/val_unseen", "r2r-ce/val_unseen"}
    assert str(rows["rcm-goal-oriented-none/r4r/val_unseen"].numbers["SPL"]) == "2.3"
    assert str(rows["tourhamt/ir2r/val_seen"].numbers["nDTW"]) == "59"


def test_published_rows_have_keys_of_their_own() -> None:
    from vlnscope.evaluate.gap import published as module

    assert len(published()) == len([*module._jain(), *module._nuances(), *module._krantz()])


@pytest.mark.parametrize(
    ("key", "near"),
    [
        ("hamt2/r2r/val_unseen", "did you mean hamt/r2r/val_unseen"),
        ("hamt/r2r/valunseen", "did you mean hamt/r2r/val_unseen"),
        ("HAMT", "did you mean hamt/"),
        ("foo", "there is no published row 'foo'"),
    ],
)
def test_unknown_rows_are_refused_with_the_nearest(key: str, near: str) -> None:
    with pytest.raises(InputError, match=near) as error:
        get_published(key)
    assert "--list-published" in error.value.fix
    assert len(str(error.value)) < 400


def test_published_rows_are_listed(cli: Cli) -> None:
    found = cli("explain-gap", "--list-published")
    assert found.code == 0
    assert [line.split()[0] for line in found.out.splitlines()] == list(published())


def test_a_row_is_held_against_walks_of_its_own_data_only() -> None:
    data = replace(dataset(repeated(1, "abcd", 1), STREET), name="r2r/val_seen", split="val_seen")
    with pytest.raises(InputError, match="was measured on r2r/val_unseen"):
        vs.explain_gap(walks(e1_0="abcd"), data=data, published="hamt/r2r/val_unseen")


# --- results and the command ---------------------------------------------------------------------------


def test_results_can_be_kept(tmp_path: Path) -> None:
    gap = vs.explain_gap(WALKER, data=DEMO, against_profile="hamt")
    frame = gap.to_pandas()
    assert set(frame["metric"]) == {"SR", "SPL", "nDTW"}
    assert "spl_optimum" in set(frame["part"])
    assert "<table>" in gap._repr_html_()
    gap.save(tmp_path / "gap.json")
    assert json.loads((tmp_path / "gap.json").read_text()) == json.loads(json.dumps(gap.to_dict()))
    gap.save(tmp_path / "gap.jsonl")
    assert len((tmp_path / "gap.jsonl").read_text().splitlines()) == len(frame)
    gap.save(tmp_path / "gap.parquet")


def test_the_command_says_prints_and_writes(cli: Cli, tmp_path: Path) -> None:
    common = ("explain-gap", WALKER, "--data", DEMO)
    said = cli(*common, "--against-profile", "hamt")
    assert said.code == 0
    assert "SPL: A has" in said.out
    assert "spl_optimum" in said.out
    out = tmp_path / "gap.json"
    found = cli(*common, WALKER, "--against-profile", "hamt", "--metric", "SPL", "--json", "--out", out)
    assert found.code == 0
    assert found.data == json.loads(out.read_text())
    (spl,) = found.data["metrics"]
    assert sum(part["points"] for part in spl["parts"]) == pytest.approx(spl["gap"], abs=1e-9)


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        ((), "no gap to explain"),
        (("--against-profile", "hmat"), "did you mean 'hamt'"),
        (("--claimed", "SR"), "METRIC=NUMBER"),
        (("--claimed", "t-nDTW=50"), "one value per tour"),
        (("--claimed", "SR=50", "--published", "hamt/r2r/val_unseen"), "a published row and claimed numbers"),
        (("--claimed", "SR=50", "--metric", "SPL"), "no number is stated for SPL"),
        (("--against-profile", "hamt", "--metric", "t-nDTW"), "a value for each episode"),
        (("--against-profile", "hamt", "--out", "gap.txt"), "cannot be written"),
    ],
)
def test_wrong_questions_are_refused(cli: Cli, arguments: tuple[str, ...], words: str) -> None:
    result = cli("explain-gap", WALKER, "--data", DEMO, *arguments)
    assert result.code == 2
    assert words in result.err
    assert all(label in result.err for label in ("error", "expected", "fix"))


# --- real data -----------------------------------------------------------------------------------------


def test_prevalent_differs_by_the_reference_length_alone(data_root: Path) -> None:
    data = open_dataset("r2r/val_unseen", data_root)
    file = data_root / PREVALENT
    gap = vs.explain_gap(file, data=data, profile="r2r-server", against_profile="hamt")
    spl = gap.of("SPL")
    expected = mean(file, data, "hamt", "SPL") - mean(file, data, "r2r-server", "SPL")
    assert expected == pytest.approx(0.04, abs=0.005)
    (part,) = [p for p in spl.parts if p.shown]
    assert part.name == "spl_optimum"
    assert part.points == pytest.approx(expected, abs=1e-9)
    assert (spl.flips, gap.of("SR").points) == (0, 0.0)
    claimed = vs.explain_gap(file, data=data, profile="r2r-server", claimed="SPL=56.05")
    assert claimed.fits[0].changes == {"spl_optimum": ("shortest", "reference")}


def test_on_r4r_the_reference_length_is_worth_tens_of_points(data_root: Path) -> None:
    data = join_paths(open_dataset("r2r/val_seen", data_root)).dataset()
    made = [Prediction(episode_id=e.episode_id, path=e.path) for e in data.episodes()]
    gap = vs.explain_gap(made, data=data, profile="hamt", against_profile="paper")
    (part,) = [p for p in gap.of("SPL").parts if p.shown]
    expected = mean(made, data, "paper", "SPL") - mean(made, data, "hamt", "SPL")
    assert part.name == "spl_optimum"
    assert part.points == pytest.approx(expected, abs=1e-9)
    assert expected == pytest.approx(54.42 - 100.0, abs=0.01)
