"""Case sets: on disk, in a run, in a merged run."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import msgspec
import pytest

from vlnscope.benchmarks.kit.case_set import ABOUT, CASES, CaseSet, CaseTour, Loss, is_case_set
from vlnscope.core.exceptions import DataNotFoundError, InputError
from vlnscope.engine.jobs import case_set_jobs
from vlnscope.engine.merge import merge
from vlnscope.engine.run import run
from vlnscope.episodes.datasets.dataset import open_dataset
from vlnscope.evaluate.benchmarking import build, find_runs
from vlnscope.types import Case, Rules


def asked(**more: Any) -> CaseSet:
    episodes = list(open_dataset("sample/demo").episodes())
    cases = tuple(
        Case(case_id=f"c{k}", episode=e, groups={"variant": "full"}) for k, e in enumerate(episodes)
    )
    return CaseSet(
        **{
            "benchmark": "fidelity",
            "data": "sample/demo",
            "rules": Rules(max_steps=3),
            "cases": cases,
            "options": {"seed": 1},
            "losses": (Loss("near", 10, 4),),
        }
        | more
    )


def test_a_set_comes_back_from_its_folder(tmp_path: Path) -> None:
    made = asked()
    tours = (CaseTour(tour_id="t", scan=made.cases[0].episode.scan, case_ids=("c0",), forgets=True),)
    made = msgspec.structs.replace(made, tours=tours)
    assert CaseSet.load(made.save(tmp_path / "set")) == made
    assert is_case_set(tmp_path / "set")
    assert not is_case_set(tmp_path)


def test_bad_sets_are_told(tmp_path: Path) -> None:
    with pytest.raises(DataNotFoundError, match="holds no cases"):
        CaseSet.load(tmp_path)
    scan = asked().cases[0].episode.scan
    for ids, why in ((("nobody",), "does not have"), (("c0", "c0"), "is in tour t and in tour t")):
        odd = asked(tours=(CaseTour(tour_id="t", scan=scan, case_ids=ids),)).save(tmp_path / "odd")
        with pytest.raises(InputError, match=why):
            CaseSet.load(odd)
    (tmp_path / "odd" / ABOUT).write_text('{"v": 1}')
    with pytest.raises(InputError, match="benchmark"):
        CaseSet.load(tmp_path / "odd")


def test_a_run_takes_data_and_rules_from_the_set_and_keeps_it(tmp_path: Path) -> None:
    made = asked()
    made.save(tmp_path / "set")
    found = run("random", cases=tmp_path / "set", out=tmp_path / "run", seed=4)
    assert found.record.data.name == "sample/demo"
    assert found.record.rules == Rules(max_steps=3, seed=4)
    assert set(found.lines()) == {case.case_id for case in made.cases}
    assert (tmp_path / "run" / CASES).read_bytes() == (tmp_path / "set" / CASES).read_bytes()
    again = run("random", cases=made, out=tmp_path / "run", seed=4, resume=True)
    assert again.record.size == found.record.size
    assert run("random", cases=made, out=tmp_path / "longer", max_steps=5).record.rules.max_steps == 5


def test_merged_shards_keep_the_set(tmp_path: Path) -> None:
    made = asked()
    shards = [run("random", cases=made, out=tmp_path / str(k), shard=f"{k}/2").folder for k in (1, 2)]
    merged = merge(shards, out=tmp_path / "whole")
    assert CaseSet.load(merged.folder) == made


def test_without_data_and_without_a_set_there_is_nothing_to_run(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="no data are named"):
        run("random", out=tmp_path / "run")


def test_jobs_of_tours_stand_in_their_order() -> None:
    made = asked()
    scan = made.cases[0].episode.scan
    here = [case.case_id for case in made.cases if case.episode.scan == scan]
    tour = CaseTour(tour_id="t", scan=scan, case_ids=tuple(reversed(here)), forgets=True)
    (job,) = case_set_jobs(msgspec.structs.replace(made, tours=(tour,)))
    assert [case.case_id for case in job.cases] == here[::-1]
    assert job.toured
    assert job.forgets


def test_reports_say_who_was_told_and_what_is_missing(tmp_path: Path) -> None:
    made = build("fidelity", "sample/demo", ablations=("full", "none"), max_episodes=6)
    run("shortest", cases=made, out=tmp_path / "told")
    run("random", cases=made, out=tmp_path / "cut", limit=4, max_steps=2)
    (found,) = find_runs([tmp_path / "told"])
    assert "shortest is privileged: it is told the reference" in found.notes
    (found,) = find_runs([tmp_path / "cut"])
    assert "random: 4 of 12 cases were run" in found.notes
    run("random", cases=made, out=tmp_path / "long")
    (found,) = find_runs([tmp_path / "told", tmp_path / "long"])
    assert not any("differ" in note for note in found.notes)
    run("stop", cases=made, out=tmp_path / "short", max_steps=2)
    (found,) = find_runs([tmp_path / "told", tmp_path / "short"])
    assert any(note.startswith("the runs differ in max_steps: shortest ") for note in found.notes)


def test_cases_that_say_their_tours_take_no_others(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="say themselves in which tours"):
        run("random", cases=asked(), tours=[], out=tmp_path / "run")
