"""`vlnscope_agent.py`, the one file that is copied to where vlnscope is not: its Python, its server."""

from __future__ import annotations

import ast
import hashlib
import signal
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra import numpy as numpy_st

from old_pythons import OLD, old_pythons
from vlnscope.agents.remote import vlnscope_agent as agent_file
from vlnscope.agents.remote.client import HttpAgent, MemoryLostError, ServedAgentError
from vlnscope.agents.remote.vlnscope_agent import STOP, PlainObservation, PlainServer, answer_of, plain
from vlnscope.core import registry
from vlnscope.engine.run import run
from vlnscope.perception.sight import SightKind, SightRequest, register_sight
from vlnscope.perception.wire import to_wire
from vlnscope.types import Decision, Observation

SOURCE = Path(agent_file.__file__)
IN_36 = {
    "base64": {"b64decode"},
    "collections": {"OrderedDict"},
    "contextlib": {"suppress"},
    "http.server": {"BaseHTTPRequestHandler", "HTTPServer"},
    "ipaddress": {"ip_address"},
    "json": {"dumps", "loads"},
    "math": {"atan2", "hypot", "isfinite", "tau"},
    "operator": {"index"},
    "os": {"SEEK_END", "write"},
    "pathlib": {"Path"},
    "re": {"match"},
    "signal": {"SIGTERM", "signal"},
    "socket": {"SHUT_RDWR", "socket"},
    "socketserver": {"ThreadingMixIn"},
    "struct": {"calcsize", "iter_unpack"},
    "sys": {"exit", "stdout"},
    "threading": {"Lock", "Thread"},
    "traceback": {"print_exc"},
    "typing": {"Any", "Callable", "Dict", "Iterable", "List", "Optional", "Sequence", "Set", "Tuple"},
    "urllib.parse": {"urlsplit"},
}
"""What of Python 3.6 the file uses; add only what Python 3.6's documentation has."""


# Any Python since 3.6.


NEWER = {"bit_count", "hardlink_to", "is_relative_to", "isascii", "link_to", "readlink",
         "removeprefix", "removesuffix", "toreadonly", "with_stem"}  # fmt: skip
"""Methods of built-in types and paths that came later."""


def used(text: str) -> dict[str, set[str]]:
    """Return what a module takes of which other, and which newer methods it calls."""
    tree = ast.parse(text, feature_version=(3, 6))
    modules, names = set(), {}
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            modules |= {alias.name for alias in node.names}
        elif isinstance(node, ast.ImportFrom):
            assert node.module
            names[node.module] = {alias.name for alias in node.names}
    for node in ast.walk(tree):
        if isinstance(node, ast.Attribute) and isinstance(node.value, ast.Name) and node.value.id in modules:
            names.setdefault(node.value.id, set()).add(node.attr)
        elif isinstance(node, ast.Attribute) and node.attr in NEWER:
            names.setdefault("newer", set()).add(node.attr)
    return names


def test_the_file_uses_nothing_that_python_36_lacks() -> None:
    assert used(SOURCE.read_text("utf-8")) == {**IN_36, "numpy": {"frombuffer"}}


@pytest.mark.parametrize(
    "newer",
    [
        "x = (y := 1)",
        "def f(a, /): pass",
        "from dataclasses import dataclass",
        "import msgspec; msgspec.json",
        "x = math.dist",
        "x = 'a'.isascii()",
        "with (open('a') as x, open('b') as y): pass",
        "try: pass\nexcept* ValueError: pass",
    ],
)
def test_what_is_newer_would_be_found(newer: str) -> None:
    text = SOURCE.read_text("utf-8")
    try:
        found = used(f"{text}\n{newer}\n")
    except SyntaxError:
        return
    assert found != used(text)


@pytest.mark.parametrize("version", OLD)
def test_the_file_works_in_old_pythons(version: str, tmp_path: Path) -> None:
    if version not in old_pythons():
        pytest.skip(f"there is no Python {version} here")
    file = tmp_path / SOURCE.name
    file.write_bytes(SOURCE.read_bytes())
    checks = "\n".join(
        f"assert hasattr(__import__({module!r}, fromlist=['x']), {name!r})"
        for module, names in IN_36.items()
        for name in names
    )
    code = f"import doctest, {SOURCE.stem}\n{checks}\nassert doctest.testmod({SOURCE.stem})[0] == 0"
    command = [old_pythons()[version], "-S", "-E", "-W", "error", "-c", code]
    done = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, check=False)
    assert (done.returncode, done.stderr) == (0, "")


# The same agent, served by the file and at home.

WALKER = """
import hashlib


class Walker:
    needs = ("made-up-picture",)

    def start_episode(self, instruction, observation):
        self.told = instruction + observation.viewpoint

    def weights(self, observation):
        picture = observation.seen["made-up-picture"]
        assert picture.shape == (2, 3)
        angles = ["%.6f" % candidate.heading for candidate in observation.candidates]
        told = [self.told, observation.episode_id, str(observation.step)] + angles
        digest = hashlib.sha256("|".join(told).encode("utf-8") + bytes(picture.data)).digest()
        shares = [digest[k] + 1.0 for k in range(len(observation.actions))]
        return [share / sum(shares) for share in shares]

    act = weights
"""
SERVE = """
import signal, vlnscope_agent, walker

signal.signal(signal.SIGINT, signal.default_int_handler)  # tests in the background are not interrupted else
vlnscope_agent.serve(walker.Walker, port=0, identity="walker, of May")
"""


@pytest.fixture
def _picture(monkeypatch: pytest.MonkeyPatch) -> None:
    """A kind of sight: a small array that differs from viewpoint to viewpoint."""
    registry.names("sight")
    monkeypatch.setattr(registry._kinds["sight"], "entries", dict(registry._kinds["sight"].entries))

    def show(request: SightRequest) -> Any:
        digest = hashlib.sha256(request.viewpoint.encode()).digest()
        return np.frombuffer(digest[:24], np.float32).reshape(2, 3)

    register_sight(SightKind("made-up-picture", "a picture", show))


@contextmanager
def served(folder: Path, program: str) -> Iterator[tuple[subprocess.Popen[str], str]]:
    """Serve the agent from a folder in which there is nothing else, with nothing but Python."""
    (folder / SOURCE.name).write_bytes(SOURCE.read_bytes())
    (folder / "walker.py").write_text(WALKER)
    command = [program, "-S", "-E", "-c", SERVE]
    with subprocess.Popen(command, cwd=folder, stdout=subprocess.PIPE, text=True) as process:
        assert process.stdout is not None
        try:
            yield process, process.stdout.readline().strip()
        finally:
            process.kill()


def oldest() -> str:
    return next(iter(old_pythons().values()), sys.executable)


def did(agent: Any, folder: Path) -> list[Any]:
    lines = run(agent, "sample/demo", out=folder, log="all", limit=30).lines().values()
    return [(line.case_id, line.failed, line.path, line.headings, line.decisions) for line in lines]


@pytest.mark.usefixtures("_picture")
def test_an_agent_decides_as_at_home(tmp_path: Path) -> None:
    names: dict[str, Any] = {}
    exec(WALKER, names)

    class AtHome(names["Walker"]):  # type: ignore[misc]
        def act(self, observation: Observation) -> Decision:
            return Decision(tuple(self.weights(observation)))

    home = did(AtHome(), tmp_path / "home")
    assert all(line[1] is None for line in home)
    (tmp_path / "there").mkdir()
    with served(tmp_path / "there", oldest()) as (process, told):
        identity, _, url = told.rpartition(" is at ")
        assert identity == "walker, of May"
        assert did(url, tmp_path / "served") == home
        assert HttpAgent(url).card.needs == ("made-up-picture",)
        process.terminate()
        assert process.wait(10) == 128 + signal.SIGTERM


def test_a_served_agent_ends_when_interrupted(tmp_path: Path) -> None:
    with served(tmp_path, oldest()) as (process, _):
        process.send_signal(signal.SIGINT)
        assert process.wait(10) == 0


@pytest.mark.usefixtures("one_process", "_picture")
def test_a_served_agent_keeps_the_rules(tmp_path: Path) -> None:
    from vlnscope.evaluate.conformance.check_agent import check_agent

    with served(tmp_path, oldest()) as (_, told):
        assert check_agent(told.rpartition(" ")[2], data="sample/demo").wrong == ()


# Clients of one agent.


class Counter:
    def __init__(self) -> None:
        self.count = 0

    def act(self, observation: Any) -> int:
        self.count += 1
        return -1 if self.count % 2 else 0


def look(**more: Any) -> Observation:
    return Observation(
        episode_id="1", instruction="Go.", scan="s", heading=0.0, elevation=0.0, step=0, **more
    )


def test_an_agent_that_was_made_serves_its_latest_client() -> None:
    agent = Counter()
    with PlainServer(agent, 0) as server:
        assert server.card["name"] == "Counter"
        one, other = HttpAgent(server.url), HttpAgent(server.url)
        assert [one.act(look()), one.act(look())] == [Decision((1.0,), (STOP,))] * 2
        other.act(look())
        with pytest.raises(MemoryLostError, match="has another client now"):
            one.act(look())
        assert agent.count == 3
        one.start_tour("s")
        one.act(look())
        assert agent.count == 4


def test_what_is_given_to_serve_comes_before_what_the_agent_says() -> None:
    with PlainServer(Counter, 0, needs=("objects",), action_space="vlnce", name="mine") as server:
        agent = HttpAgent(server.url)
        assert (agent.needs, agent.action_space) == (("objects",), "vlnce")
        assert (agent.card.name, agent.card.identity, agent.card.methods) == ("mine", "mine", ("act",))
    with pytest.raises(ValueError, match="cannot be served"):
        PlainServer(Counter, 0, needs=("annotation",))


def test_the_reason_of_a_failure_is_told(capsys: pytest.CaptureFixture[str]) -> None:
    class Failing:
        def act(self, observation: Any) -> str:
            return "fly"

    with PlainServer(Failing, 0) as server, pytest.raises(ServedAgentError, match="no action 'fly', only"):
        HttpAgent(server.url).act(look())
    assert "Traceback" in capsys.readouterr().err, "whoever serves it sees where"


# What agents are given and what they return.

STEPS = ("forward", "left", "right", STOP)


@pytest.mark.parametrize(
    ("result", "actions", "probabilities", "proposals"),
    [
        ("left", STEPS, [0, 1, 0, 0], None),
        ("stop", STEPS, [0, 0, 0, 1], None),
        ("STOP", STEPS, [0, 0, 0, 1], None),
        (2, STEPS, [0, 0, 1, 0], None),
        (-1, STEPS, [0, 0, 0, 1], None),
        (np.int64(1), STEPS, [0, 1, 0, 0], None),
        ([0.5, 0.25, 0.25, 0], STEPS, [0.5, 0.25, 0.25, 0], None),
        (np.array([0.5, 0.5, 0, 0], np.float32), STEPS, [0.5, 0.5, 0, 0], None),
        ({"probabilities": (1, 0, 0, 0)}, STEPS, [1, 0, 0, 0], None),
        (Decision((0.5, 0.5), ((1.0, 2.0), STOP)), (STOP,), [0.5, 0.5], [[1.0, 2.0], STOP]),
        (SimpleNamespace(probabilities=[1], proposals=np.ones((1, 2))), (STOP,), [1], [[1.0, 1.0]]),
        ((0.5, 2.25), (STOP,), [1], [[0.5, 2.25]]),
        (np.array([0.5, 2.25]), (STOP,), [1], [[0.5, 2.25]]),
        ("stop", (STOP,), [1], [STOP]),
        (0, (STOP,), [1], [STOP]),
        ([1.0], (STOP,), [1], None),
    ],
)
def test_what_an_agent_may_return(
    result: Any, actions: tuple[str, ...], probabilities: list[float], proposals: list[Any] | None
) -> None:
    expected = {"probabilities": probabilities} | ({"proposals": proposals} if proposals else {})
    assert answer_of(result, actions) == expected


@pytest.mark.parametrize(
    ("result", "complaint"),
    [
        (None, "returned nothing"),
        ("fly", "no action 'fly', only forward, left, right, <stop>"),
        (4, "out of range"),
        (-5, "out of range"),
        ([1.0, 0.0], "2 numbers for 4 actions"),
        ([float("nan")] * 4, "NaN"),
        ({"action": 1}, "could not convert"),
        (1.5, "not iterable"),
        (["much"] * 4, "could not convert"),
    ],
)
def test_what_an_agent_may_not_return(result: Any, complaint: str) -> None:
    with pytest.raises((ValueError, TypeError, IndexError), match=complaint):
        answer_of(result, STEPS)


ARRAYS = numpy_st.arrays(
    numpy_st.scalar_dtypes().filter(lambda kind: kind.kind in "biuf" and kind.itemsize <= 8),
    numpy_st.array_shapes(min_dims=0, min_side=0, max_side=3),
    elements=None,
)


@given(ARRAYS)
def test_arrays_are_as_they_were_sent(array: Any) -> None:
    told = to_wire({"picture": array, "rows": [array]})
    again = plain(told)
    assert again.picture.dtype == array.dtype.newbyteorder("=")
    np.testing.assert_array_equal(again.picture, array)
    again.rows[0][...] = 1  # it may be written to
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(agent_file, "numpy", None)
        bare = plain(told).picture
    assert (bare.shape, bare.dtype[1:]) == (array.shape, told["picture"]["dtype"][1:])
    np.testing.assert_equal(bare.tolist(), array.tolist())


@pytest.mark.parametrize("numpy_is_here", [True, False])
@pytest.mark.parametrize(
    "wrong",
    [
        {"dtype": "|O", "shape": [1], "base64": "AAAAAAAAAAA="},
        {"dtype": "<f4", "shape": [2], "base64": "AAAAAA=="},
        {"dtype": "<f4", "shape": [1], "base64": "AAAAAA==!"},
        {"dtype": ">f4", "shape": [1], "base64": "AAAAAA=="},
    ],
)
def test_damaged_arrays_are_refused(wrong: Any, numpy_is_here: bool, monkeypatch: pytest.MonkeyPatch) -> None:
    if not numpy_is_here:
        monkeypatch.setattr(agent_file, "numpy", None)
    with pytest.raises(ValueError):  # noqa: PT011
        plain(wrong)


@given(st.lists(st.text(max_size=3)))
def test_actions_of_an_older_client_are_its_candidates(names: list[str]) -> None:
    seen = PlainObservation({"step": 0, "candidates": [{"viewpoint": name} for name in names]})
    assert seen.actions == (*names, STOP)
    assert seen.seen == {}
    with pytest.raises(AttributeError, match="no 'smell', only step, candidates"):
        seen.smell  # noqa: B018
