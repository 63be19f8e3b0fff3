"""Agents in another process: the protocol, and what happens when something goes wrong."""

from __future__ import annotations

import http.client
import re
import socket
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager, suppress
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any

import msgspec
import numpy as np
import pytest

from old_pythons import old_pythons
from vlnscope.agents.remote import vlnscope_agent as agent_file
from vlnscope.agents.remote.client import AgentGoneError, HttpAgent, MemoryLostError, ServedAgentError
from vlnscope.agents.remote.server import AgentServer
from vlnscope.agents.remote.wire import observation_from_json, observation_to_json
from vlnscope.agents.spec import make_agent
from vlnscope.benchmarks.kit.case_file import episode_cases
from vlnscope.core.exceptions import InputError
from vlnscope.engine.environment import Environment
from vlnscope.engine.jobs import make_jobs
from vlnscope.engine.rollout import roll_out
from vlnscope.engine.session import Session
from vlnscope.episodes.datasets.dataset import open_dataset
from vlnscope.perception.sight import decode_sight, encode_sight, sight
from vlnscope.types import Decision, Observation, Percept, Rules, SeenObject, SeenRoom
from vlnscope.worlds.houses.house import generate, house_scene
from vlnscope.worlds.rendering.views import Views

DATA = open_dataset("sample/demo")
JOBS = make_jobs(episode_cases(DATA))


def environment() -> Environment:
    assert DATA.scenes is not None
    return Environment(DATA.scenes)


def first_look() -> Observation:
    episode = JOBS[0].cases[0].episode
    return Session(environment()).reset(episode)


def did(agent: Any) -> list[Any]:
    lines = [
        line for job in JOBS for line in roll_out(agent, job, environment(), Rules(max_steps=6, log="all"))
    ]
    return [(line.case_id, line.failed, line.path, line.stopped, line.decisions) for line in lines]


class Counting:
    """Stops as soon as it was asked twice in a tour; goes wrong as told."""

    def __init__(self, *, wrong: str = "") -> None:
        self.count = 0
        self.wrong = wrong

    def start_tour(self, scan: str) -> None:
        self.count = 0

    def act(self, observation: Observation) -> Decision:
        self.count += 1
        if self.wrong == "raise" and observation.episode_id == JOBS[1].name:
            raise RuntimeError("no weights for this scan")
        if self.wrong == "sleep" and observation.episode_id == JOBS[1].name:
            time.sleep(1.0)
        if self.wrong == "text":
            return Decision(("much",))  # type: ignore[arg-type]
        return Decision.choose(observation, -1 if self.count > 1 else 0)


def test_served_agents_decide_as_they_do_at_home() -> None:
    for spec in ("random:seed=3", "forward"):
        with AgentServer(lambda spec=spec: make_agent(spec).agent, 0, name="served") as server:  # type: ignore[misc]
            named = make_agent(server.url)
            assert (named.name, named.identity) == ("served", "http:served")
            assert did(named.agent) == did(make_agent(spec).agent)


def test_clients_have_memories_of_their_own() -> None:
    with AgentServer(Counting, 0, name="counting") as server:
        one, other = HttpAgent(server.url), HttpAgent(server.url)
        for agent in (one, other, one, other):
            agent.start_tour("s")
        look = first_look()
        assert [one.act(look), other.act(look)] == [Decision.choose(look, 0)] * 2
        assert [one.act(look), other.act(look)] == [Decision.stop(look)] * 2


def test_an_error_fails_its_own_case_only() -> None:
    with AgentServer(lambda: Counting(wrong="raise"), 0, name="counting") as server:
        lines = did(HttpAgent(server.url))
    assert [bool(line[1]) for line in lines] == [job is JOBS[1] for job in JOBS]
    assert "RuntimeError: no weights for this scan" in lines[1][1]


def test_a_late_answer_fails_its_own_case_only() -> None:
    with AgentServer(lambda: Counting(wrong="sleep"), 0, name="counting") as server:
        agent = make_agent(f"{server.url}?timeout=0.3&retries=0").agent
        lines = did(agent)
        assert [bool(line[1]) for line in lines] == [job is JOBS[1] for job in JOBS]
        assert "took longer than 0.3 s" in lines[1][1]
        assert lines[2][2:] == did(Counting())[2][2:]


def test_after_a_late_answer_the_rest_of_the_tour_is_refused() -> None:
    with AgentServer(lambda: Counting(wrong="sleep"), 0, name="counting") as server:
        agent = HttpAgent(server.url, timeout=0.3)
        late = msgspec.structs.replace(first_look(), episode_id=JOBS[1].name)
        agent.start_tour("s")
        with pytest.raises(TimeoutError):
            agent.act(late)
        with pytest.raises(ServedAgentError, match="memory of this tour is lost"):
            agent.act(first_look())
        agent.start_tour("s")
        assert agent.act(first_look()) == Decision.choose(first_look(), 0)


def test_a_server_that_dies_or_starts_anew() -> None:
    first = AgentServer(Counting, 0, name="counting")
    port = int(first.url.rpartition(":")[2])
    with first:
        agent = HttpAgent(first.url, timeout=5, retries=1)
        agent.start_tour("s")
        agent.act(first_look())
    agent._line._connection.close()  # what is left of the old server is only its connection
    with pytest.raises(AgentGoneError, match="does not answer") as caught:
        agent.act(first_look())
    assert "agents.remote.server" in caught.value.fix
    with AgentServer(Counting, port, name="counting") as second:
        assert second.url == first.url
        with pytest.raises(ServedAgentError, match="memory of this tour is lost"):
            agent.act(first_look())
        agent.start_tour("s")
        assert agent.act(first_look()) == Decision.choose(first_look(), 0)


def test_a_restart_in_the_middle_of_a_tour_is_noticed() -> None:
    first = AgentServer(Counting, 0, name="counting")
    port = int(first.url.rpartition(":")[2])
    with first:
        agent = HttpAgent(first.url, timeout=5)
        agent.start_tour("s")
    agent._line._connection.close()
    with AgentServer(Counting, port, name="counting"):
        with pytest.raises(MemoryLostError, match="started anew"):
            agent.act(first_look())
        agent.start_tour("s")
        assert agent.act(first_look()) == Decision.choose(first_look(), 0)


def test_a_call_is_not_done_twice() -> None:
    server = AgentServer(Counting, 0, name="counting")
    look = observation_to_json(first_look())

    def call(number: int, session: str = "a", **more: Any) -> tuple[int, Any]:
        told = {
            "protocol": 1,
            "session": session,
            "call": number,
            "method": "act",
            "observation": look,
            **more,
        }
        return server.answer(msgspec.json.encode(told))

    first = call(0)
    assert (first, first[1]["probabilities"][0]) == (call(0), 1.0)
    assert call(1)[1]["probabilities"][-1] == 1.0  # its second decision, not its third
    assert call(3)[0] == 409
    assert call(5, "b")[0] == 409
    assert call(2, protocol=2)[0] == 400
    assert call(2, method="__init__")[0] == 400
    assert server.answer(b"{")[0] == 400
    assert server.answer(b'{"protocol": 1}')[0] == 400
    assert call(2)[0] == 200
    server.listener.server_close()


def test_the_server_answers_strange_requests() -> None:
    with AgentServer(Counting, 0, name="counting") as server:
        port = int(server.url.rpartition(":")[2])
        connection = http.client.HTTPConnection("127.0.0.1", port, timeout=5)
        for verb, place, status in (("GET", "/", 404), ("POST", "/", 404), ("POST", "/call", 400)):
            connection.request(verb, place)
            response = connection.getresponse()
            assert response.status == status
            assert "error" in msgspec.json.decode(response.read())
        connection.close()
        with pytest.raises(InputError, match=f"port {port} cannot be listened on"):
            AgentServer(Counting, port, name="again")


@contextmanager
def strange_server(answer: bytes, status: int = 200) -> Iterator[str]:
    class Handler(BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            self.send_response(status)
            self.end_headers()
            self.wfile.write(answer)

        def log_message(self, *args: Any) -> None:
            pass

    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    thread = threading.Thread(target=server.serve_forever, args=(0.02,), daemon=True)
    thread.start()
    try:
        yield f"http://127.0.0.1:{server.server_port}"
    finally:
        server.shutdown()
        server.server_close()


# Servers that mean harm, or are broken.


@contextmanager
def raw_server(answer: Callable[[socket.socket], None]) -> Iterator[str]:
    """Answer every request with whatever bytes, on the connection itself."""
    listening = socket.create_server(("127.0.0.1", 0))

    def listen() -> None:
        with suppress(OSError):  # closed at the end
            while True:
                connection, _ = listening.accept()
                with connection, suppress(OSError):
                    connection.recv(1 << 16)
                    answer(connection)

    thread = threading.Thread(target=listen, daemon=True)
    thread.start()
    try:
        yield f"http://127.0.0.1:{listening.getsockname()[1]}"
    finally:
        listening.shutdown(socket.SHUT_RDWR)
        listening.close()
        thread.join()


def test_a_server_that_drips_is_not_waited_for() -> None:
    def drip(connection: socket.socket) -> None:
        connection.sendall(b"HTTP/1.1 200 OK\r\nContent-Length: 1000\r\n\r\n{")
        for _ in range(100):
            time.sleep(0.1)
            connection.sendall(b" ")

    with raw_server(drip) as url, pytest.raises(AgentGoneError, match=r"took longer than 0\.3 s to answer"):
        make_agent(f"{url}?timeout=0.3&retries=0")


def test_answers_without_end_are_not_read() -> None:
    def pour(connection: socket.socket) -> None:
        connection.sendall(b"HTTP/1.1 200 OK\r\nContent-Length: 10000000000\r\n\r\n")
        with suppress(OSError):
            for _ in range(10_000):
                connection.sendall(b" " * (1 << 16))

    with raw_server(pour) as url, pytest.raises(InputError, match="more than 1,048,576 bytes"):
        make_agent(url)


def test_redirections_are_not_followed() -> None:
    with AgentServer(Counting, 0, name="elsewhere") as server:
        moved = f"HTTP/1.1 302 Found\r\nLocation: {server.url}/agent\r\nContent-Length: 0\r\n\r\n".encode()
        with raw_server(lambda c: c.sendall(moved)) as url, pytest.raises(InputError, match="status 302"):
            make_agent(url)


# Clients that mean harm, or are broken.


@pytest.fixture(scope="module", params=["here", "old"])
def port(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Iterator[int]:
    """A server of this Python, and one of the oldest that there is, with nothing but the one file."""
    if request.param == "here":
        with AgentServer(Counting, 0, name="counting") as server:
            yield int(server.url.rpartition(":")[2])
        return
    folder = tmp_path_factory.mktemp("old")
    (folder / "vlnscope_agent.py").write_bytes(Path(agent_file.__file__).read_bytes())
    code = "import vlnscope_agent\nclass A: act = len\nvlnscope_agent.serve(A, port=0)"
    program = next(iter(old_pythons().values()), sys.executable)
    with started("-S", "-E", "-c", code, program=program, cwd=folder) as (_, told):
        yield int(told.rpartition(":")[2])


def said(port: int, request: bytes) -> tuple[int, str]:
    """Send bytes and return the status and what is wrong."""
    with socket.create_connection(("127.0.0.1", port), timeout=10) as connection:
        connection.sendall(request)
        response = http.client.HTTPResponse(connection)
        response.begin()
        return response.status, msgspec.json.decode(response.read()).get("error", "")


def post(body: bytes = b"{}", *more: str, length: str | None = None, host: str = "127.0.0.1") -> bytes:
    told = str(len(body)) if length is None else length
    heads = [f"Host: {host}", *([f"Content-Length: {told}"] if told else []), *more]
    return "\r\n".join(["POST /call HTTP/1.1", *heads, "", ""]).encode() + body


@pytest.mark.parametrize(
    ("request_", "status", "why"),
    [
        (post(length="-1"), 400, "Content-Length"),
        (post(length=""), 400, "Content-Length"),
        (post(length="two"), 400, "Content-Length"),
        (post(length="²"), 400, "Content-Length"),
        (post(b"{}", "Content-Length: 3"), 400, "Content-Length"),
        (post(b"2\r\n{}\r\n0\r\n\r\n", "Transfer-Encoding: chunked", length=""), 400, "chunks"),
        (post(b"{}", "Transfer-Encoding: chunked"), 400, "chunks"),
        (post(length="10000000000"), 413, "more than 268,435,456"),
        (post(length="9" * 5000), 400, "Content-Length"),
        (post(b'{"session": "\xff\xfe"}'), 400, "cannot be understood"),
        (post(b'{"observation": ' + b'{"a":' * 100_000), 400, "cannot be understood"),
        (post(b"[" * 100_000), 400, "cannot be understood"),
        (post(b'{"protocol": ' + b"9" * 5000 + b"}"), 400, "cannot be understood"),
        (post(host="evil.example"), 403, "Host"),
        (post(host="127.0.0.1.evil.example:8000"), 403, "Host"),
        (post(host="[::1"), 403, "Host"),
        (post(b"{}", "Host: evil.example"), 403, "Host"),
        (b"GET /agent HTTP/1.1\r\n\r\n", 403, "Host is missing"),
        (post(b"{}", "Origin: https://evil.example"), 403, "Origin"),
        (post(b"{}", "Origin: null"), 403, "Origin"),
        (b"GET /agent HTTP/1.1\r\nHost: localhost\r\nOrigin: http://localhost\r\n\r\n", 403, "Origin"),
        (b"DELETE /agent HTTP/1.1\r\nHost: localhost\r\n\r\n", 501, "Unsupported method"),
        (b"GET /agent HTTP/1.1\r\nHost: LOCALHOST:1\r\n\r\n", 200, ""),
        (b"GET /agent HTTP/1.1\r\nHost: [::1]:8000\r\n\r\n", 200, ""),
    ],
)
def test_every_request_is_answered(port: int, request_: bytes, status: int, why: str) -> None:
    found, error = said(port, request_)
    assert found == status
    assert why in error
    assert said(port, b"GET /agent HTTP/1.1\r\nHost: localhost\r\n\r\n")[0] == 200


def test_other_names_can_be_allowed() -> None:
    allowed = ("agents.example", "https://page.example")
    with AgentServer(Counting, 0, name="counting", allow=allowed) as server:
        port = int(server.url.rpartition(":")[2])
        head = b"GET /agent HTTP/1.1\r\nHost: agents.example\r\n"
        assert said(port, head + b"Origin: https://page.example\r\n\r\n")[0] == 200
        assert said(port, head + b"Origin: https://other.example\r\n\r\n")[0] == 403


def test_silent_clients_make_room(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(agent_file, "CONNECTIONS", 4)
    with AgentServer(Counting, 0, name="counting") as server, ExitStack() as held:
        port = int(server.url.rpartition(":")[2])
        agent = HttpAgent(server.url, retries=1)
        silent = [
            held.enter_context(socket.create_connection(("127.0.0.1", port), timeout=10)) for _ in range(20)
        ]
        agent.start_tour("s")
        assert agent.act(first_look()) == Decision.choose(first_look(), 0)
        assert [connection.recv(1) for connection in silent[:16]] == [b""] * 16, "the oldest were closed"
        assert len(server.listener._open) <= 4


def test_a_silent_client_is_not_waited_for(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(agent_file._Handler, "timeout", 0.05)
    with AgentServer(Counting, 0, name="counting") as server:
        port = int(server.url.rpartition(":")[2])
        with socket.create_connection(("127.0.0.1", port), timeout=10) as connection:
            connection.sendall(b"POST /call HTTP/1.1\r\nHost: localhost\r\nContent-Length: 9\r\n\r\n{")
            assert connection.recv(1) == b""


@pytest.mark.parametrize(
    ("answer", "complaint"),
    [
        (b"[" * 100_000, "is no server of an agent"),
        (b'{"protocol": "\xff"}', "is no server of an agent"),
        (b"<html>hello</html>", "is no server of an agent"),
        (b'{"protocol": "one"}', "is no server of an agent"),
        (b'{"protocol": 2, "name": "x"}', "speaks version 2"),
        (
            b'{"protocol": 1, "name": "x", "needs": ["annotation"]}',
            "needs 'annotation', which cannot be sent",
        ),
        (b'{"protocol": 1, "name": "x", "needs": ["smell"]}', "needs 'smell'"),
    ],
)
def test_servers_of_other_things_are_refused(answer: bytes, complaint: str) -> None:
    with strange_server(answer) as url, pytest.raises(InputError, match=complaint):
        make_agent(url)


@pytest.mark.parametrize(
    "query",
    ["timeout=soon", "timeout=nan", "timeout=inf", "timeout=0", "retries=1.5", "retries=-1", "speed=3"],
)
def test_options_of_the_address(query: str) -> None:
    with pytest.raises(InputError, match="cannot be used"):
        make_agent(f"http://127.0.0.1:1?{query}")


def test_nobody_there() -> None:
    with pytest.raises(AgentGoneError, match="ConnectionRefused"):
        make_agent("http://127.0.0.1:1?retries=0")


def test_what_cannot_be_served() -> None:
    with pytest.raises(InputError, match="cannot be served"):
        AgentServer(lambda: make_agent("shortest").agent, 0, name="shortest")


def test_an_answer_that_is_no_decision_fails_the_case() -> None:
    with AgentServer(lambda: Counting(wrong="text"), 0, name="counting") as server:
        assert all("ValueError" in line[1] for line in did(HttpAgent(server.url)))


class Percepts:
    def room(self) -> str | None:
        return "k"

    def rooms(self) -> tuple[SeenRoom, ...]:
        return (SeenRoom("h", 1.0, 2.0),)

    def objects(self) -> tuple[SeenObject, ...]:
        return (SeenObject("sofa", 0.5, attributes=("red",), centre=(1.0, 2.0, 3.0)), SeenObject("tv", 0.1))

    def captions(self) -> tuple[str, ...]:
        return ("a sofa",) * 8


def sent(need: str, value: Any) -> Any:
    return decode_sight(need, msgspec.json.decode(msgspec.json.encode(encode_sight(need, value))))


def test_everything_that_can_be_seen_survives_the_wire() -> None:
    scene = house_scene(generate(3))
    viewpoint = scene.graph.nodes[0]
    for need in ("objects", "rooms"):
        value = sight(need, scene, viewpoint)
        assert value
        assert sent(need, value) == value
    chance = np.random.default_rng(1)
    views = Views(
        rgb=chance.integers(0, 255, (2, 4, 6, 3), dtype=np.uint8),
        depth=chance.random((2, 4, 6), dtype=np.float32),
        semantic=chance.integers(-1, 9, (2, 4, 6), dtype=np.int32),
        instance=chance.integers(-1, 9, (2, 4, 6), dtype=np.int32),
        vfov=60.0,
    )
    again = sent("views", views)
    for part in ("rgb", "depth", "semantic", "instance"):
        array = getattr(again, part)
        assert array.dtype == getattr(views, part).dtype
        assert np.array_equal(array, getattr(views, part))
    assert again.vfov == views.vfov
    rows = np.random.default_rng(0).random((36, 5)).astype(np.float32)
    assert np.array_equal(sent("features:x=y.h5", rows), rows)
    percept = sent("percept", Percepts())
    assert isinstance(percept, Percept)
    for part in ("room", "rooms", "objects", "captions"):
        assert getattr(percept, part)() == getattr(Percepts(), part)()
    with pytest.raises(TypeError, match="cannot be sent"):
        encode_sight("of a plug-in that is not here", scene)


def test_observations_survive_the_wire() -> None:
    look = first_look()
    seen = msgspec.structs.replace(look, seen={"captions": ("a door",) * 8})
    assert observation_from_json(msgspec.json.decode(msgspec.json.encode(observation_to_json(seen)))) == seen


@contextmanager
def started(
    *command: str, program: str = sys.executable, cwd: Path | None = None
) -> Iterator[tuple[subprocess.Popen[str], str]]:
    process = subprocess.Popen([program, *command], stdout=subprocess.PIPE, text=True, cwd=cwd)
    assert process.stdout is not None
    try:
        yield process, process.stdout.readline().strip()
    finally:
        process.kill()
        process.wait()
        process.stdout.close()


def test_a_server_in_another_process_that_is_killed() -> None:
    with started("-m", "vlnscope.agents.remote.server", "random", "--port", "0", "--seed", "4") as (
        process,
        told,
    ):
        url = told.rpartition(" ")[2]
        agent = make_agent(f"{url}?retries=1")
        assert agent.identity == "http:random:edges=r2r,protocol=r4r,seed=4"
        assert did(agent.agent) == did(make_agent("random", seed=4).agent)
        process.kill()
        process.wait()
        with pytest.raises(AgentGoneError):
            did(agent.agent)


def test_the_server_of_the_documentation(tmp_path: Path) -> None:
    text = (Path(__file__).parents[2] / "docs" / "agents.md").read_text()
    [code] = [
        block for block in re.findall(r"```python\n(.*?)```", text, re.DOTALL) if "ThreadingHTTP" in block
    ]
    (tmp_path / "server.py").write_text(code)
    with started("-u", str(tmp_path / "server.py")) as (_, port):
        lines = did(make_agent(f"http://127.0.0.1:{port}").agent)
    assert all(line[1] is None and line[3] for line in lines)
    assert {len(line[2]) for line in lines} == {5}


@pytest.mark.usefixtures("one_process")
def test_the_agent_of_the_documentation(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    from vlnscope.evaluate.conformance.check_agent import check_agent

    text = (Path(__file__).parents[2] / "docs" / "agents.md").read_text()
    (tmp_path / "my_agent.py").write_text(re.findall(r"```python\n(.*?)```", text, re.DOTALL)[0])
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(sys, "path", list(sys.path))
    assert check_agent("my_agent:MyAgent").wrong == ()
