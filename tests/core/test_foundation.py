"""Errors, registry, random numbers, files: what everything stands on."""

from __future__ import annotations

import gzip
import os
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from vlnscope.core import files, registry
from vlnscope.core.exceptions import DataNotFoundError, DuplicateNameError, InputError, UnknownNameError
from vlnscope.core.rng import rng_for
from vlnscope.types import Candidate, Decision, Observation

keys = st.lists(st.one_of(st.text(), st.integers(), st.booleans(), st.none(), st.floats(allow_nan=False)))


@given(st.integers(), keys, keys)
def test_streams_depend_on_seed_and_keys_alone(seed: int, a: list[object], b: list[object]) -> None:
    first, second = rng_for(seed, *a), rng_for(seed, *b)  # type: ignore[arg-type]
    same = repr(a) == repr(b)
    assert bool(first.integers(2**62) == second.integers(2**62)) is same
    assert rng_for(seed, *a).random() != rng_for(seed + 1, *a).random()  # type: ignore[arg-type]


def test_streams_do_not_depend_on_the_hash_seed() -> None:
    code = "from vlnscope.core.rng import rng_for; print(rng_for(3, 'a', 1, None).integers(2**60))"
    seen = {
        subprocess.run(
            [sys.executable, "-c", code],
            env={**os.environ, "PYTHONHASHSEED": hash_seed},
            capture_output=True,
            check=True,
        ).stdout
        for hash_seed in ("0", "1")
    }
    assert len(seen) == 1


def test_keys_do_not_run_together() -> None:
    assert rng_for(0, "ab", "c").random() != rng_for(0, "a", "bc").random()


def test_unknown_names_suggest_the_nearest() -> None:
    with pytest.raises(UnknownNameError, match=r"did you mean 'nDTW'"):
        registry.get("metric", "ndtv")
    with pytest.raises(UnknownNameError, match="kind"):
        registry.get("metrik", "SR")


def test_a_name_is_given_once() -> None:
    with pytest.raises(DuplicateNameError, match="two metrics are called 'SR'"):
        registry.register("metric", "SR", registry.get("metric", "SPL"))
    again = registry.get("metric", "SR")
    assert registry.register("metric", "SR", again) is again


def test_every_kind_has_things() -> None:
    for kind in registry.kinds():
        assert registry.names(kind) or not registry.HOMES[kind], kind
        assert not registry.problems(kind)


def test_errors_have_three_parts() -> None:
    text = str(InputError("file x: wrong", expected="right", fix="do this"))
    assert text.splitlines() == ["file x: wrong", "expected: right", "fix: do this"]


@pytest.mark.parametrize("name", ["a.txt", "a.txt.gz"])
def test_files_appear_whole_or_not_at_all(tmp_path: Path, name: str) -> None:
    target = tmp_path / "new" / name
    with pytest.raises(TypeError), files.write_whole(target) as stream:
        stream.writelines([b"half", None])  # type: ignore[list-item]
    assert list((tmp_path / "new").iterdir()) == []
    files.write_text(target, "one")
    with pytest.raises(TypeError), files.write_whole(target) as stream:
        stream.writelines([b"two", None])  # type: ignore[list-item]
    assert files.read_bytes(target) == b"one"
    assert [p.name for p in (tmp_path / "new").iterdir()] == [name]


def test_compressed_bytes_are_reproducible(tmp_path: Path) -> None:
    files.write_text(tmp_path / "a.gz", "text")
    files.write_text(tmp_path / "b.gz", "text")
    assert (tmp_path / "a.gz").read_bytes() == (tmp_path / "b.gz").read_bytes()


def test_reading_says_what_is_wrong(tmp_path: Path) -> None:
    with pytest.raises(DataNotFoundError, match="no such file"):
        files.read_bytes(tmp_path / "none")
    with pytest.raises(InputError, match="directory"):
        files.read_bytes(tmp_path)
    packed = gzip.compress(os.urandom(5000))
    (tmp_path / "cut.gz").write_bytes(packed[:2500])
    with pytest.raises(InputError, match="cut off"):
        files.read_bytes(tmp_path / "cut.gz")
    (tmp_path / "torn.gz").write_bytes(packed[:1000] + bytes(500) + packed[1500:])
    with pytest.raises(InputError, match="gzip"):
        files.read_bytes(tmp_path / "torn.gz")


def test_writing_where_nothing_can_be_written(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    with pytest.raises(InputError, match="cannot be written"):
        files.write_text(tmp_path / "file" / "below", "x")


def test_content_hashes_see_boundaries() -> None:
    assert files.digest(b"ab", b"c") != files.digest(b"a", b"bc")


def test_decisions() -> None:
    candidate = Candidate("v", 12, 1, 0.0, 0.0, 0.0, 1.0)
    observation = Observation(
        episode_id="e", instruction="", scan="s", viewpoint="u", heading=0.0, elevation=0.0, step=0,
        candidates=(candidate, candidate),
    )  # fmt: skip
    assert Decision.choose(observation, 1).probabilities == (0.0, 1.0, 0.0)
    assert Decision.stop(observation).probabilities == (0.0, 0.0, 1.0)
    with pytest.raises(IndexError):
        Decision.choose(observation, 3)


def test_the_sample_is_what_its_tool_makes(tmp_path: Path) -> None:
    from make_sample import make

    make(tmp_path)
    shipped = Path(files.__file__).parents[1] / "sample"
    made = {p.relative_to(tmp_path): p.read_bytes() for p in tmp_path.rglob("*.json")}
    assert made == {p.relative_to(shipped): p.read_bytes() for p in shipped.rglob("*.json")}


def test_importing_the_package_is_light() -> None:
    heavy = "numba", "scipy", "pyarrow", "pandas"
    code = f"import sys, vlnscope, vlnscope.cli.main; print([m for m in {heavy} if m in sys.modules])"
    run = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert run.stdout.strip() == "[]"


def test_public_names_exist() -> None:
    import vlnscope

    for name in vlnscope.__all__:
        assert getattr(vlnscope, name) is not None
    with pytest.raises(AttributeError):
        _ = vlnscope.nonsense
    assert np.all([isinstance(name, str) for name in vlnscope.__all__])
