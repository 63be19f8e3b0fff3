"""REVERIE: who sees the object succeeds, so nothing that is judged by distance is printed as success."""

from __future__ import annotations

import json
import shutil
from pathlib import Path
from typing import Any

import pytest

import vlnscope as vs
from commands import Cli
from vlnscope.core.exceptions import InputError

SAMPLE = Path(vs.__file__).parent / "sample"
BY_SUCCESS = {"SR", "OSR", "SPL", "oracle-SPL", "SED", "sDTW"}


@pytest.fixture(scope="module")
def root(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The sample as REVERIE would have it: each path with an object at its end, and predictions for it."""
    folder = tmp_path_factory.mktemp("reverie")
    shutil.copytree(SAMPLE / "connectivity", folder / "connectivity")
    (folder / "reverie").mkdir()
    records: list[dict[str, Any]] = json.loads((SAMPLE / "r2r" / "R2R_demo.json").read_text())
    objects = [record | {"objId": 7, "id": f"{record['path_id']}_7"} for record in records]
    (folder / "reverie" / "REVERIE_val_unseen.json").write_text(json.dumps(objects))
    walked = json.loads((SAMPLE / "predictions" / "walker.json").read_text())
    for record in walked:
        record |= {"instr_id": "_7_".join(record["instr_id"].split("_")), "predObjId": 7}
    (folder / "walker.json").write_text(json.dumps(walked))
    return folder


@pytest.mark.parametrize("profile", ["default", "hamt", "paper", "r2r-server"])
def test_success_is_undefined_under_every_profile(root: Path, profile: str) -> None:
    found = vs.score(root / "walker.json", "reverie/val_unseen", root=root, profile=profile)
    summary = found.to_dict()["metrics"]
    undefined = {name for name, its in summary.items() if its["mean"] is None}
    assert undefined == BY_SUCCESS & set(summary)
    for name in undefined:
        (reason,) = summary[name]["undefined_reasons"]
        assert "asks for an object" in reason


def test_the_reason_is_printed_and_the_rest_is_scored(root: Path, cli: Cli) -> None:
    plain = cli("score", SAMPLE / "predictions" / "walker.json", "--data", "sample/demo", "--json").data
    asked = ("score", root / "walker.json", "--data", "reverie/val_unseen", "--root", root)
    scored = cli(*asked, "--json").data
    for name in ("NE", "TL", "CLS", "nDTW"):
        assert scored["metrics"][name]["mean"] == plain["metrics"][name]["mean"]
    for profile in ("default", "all"):
        assert "undefined for 90: the episode asks for an object" in cli(*asked, "--profile", profile).out


def test_a_comparison_says_why_there_is_nothing_to_compare(root: Path) -> None:
    file = root / "walker.json"
    with pytest.raises(InputError, match="SR of a: undefined for 90: the episode asks for an object"):
        vs.compare(f"a={file}", f"b={file}", data="reverie/val_unseen", root=root)


def test_benchmarks_of_ordinary_walks_refuse_it(root: Path) -> None:
    for benchmark in ("outcomes", "fidelity"):
        with pytest.raises(InputError, match="its episodes ask for objects"):
            vs.build(benchmark, "reverie/val_unseen", root=root)
