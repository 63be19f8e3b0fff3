"""Serves an agent to vlnscope, or writes evidence for it: one file, any Python since 3.6, nothing to install.

Copy it to where your agent lives (``vlnscope agent-file`` does). Either let vlnscope ask your agent::

    from vlnscope_agent import serve

    class MyAgent:
        def start_episode(self, instruction, observation):  # optional, as is everything but act
            self.words = instruction.split()

        def act(self, observation):
            picture = observation.seen["rgb"]
            return "forward"

    serve(MyAgent, port=8000, needs=("rgb", "depth"), action_space="vlnce")

and run ``vlnscope run http://127.0.0.1:8000 --data …`` elsewhere. Or keep your own loop, and write where the
agent went into a file for ``vlnscope score evidence.jsonl --data …``: see `EvidenceWriter`.

What ``act`` may return: the name of an action in ``observation.actions``; its place there (-1, the last, is
to stop; Habitat numbers actions otherwise, see `HABITAT_ACTIONS`); a probability for each of them; an object
or a dict with ``probabilities`` and, in spaces where agents think of actions themselves, ``proposals``, or,
on graphs, a ``route``: all viewpoints on the way to a place farther off, ``<stop>`` at its end to stop there;
or, where nothing but stopping is offered, one such proposal: ``(angle, distance)``.
"""
# ruff: noqa: UP006, UP035, UP037, UP045  (Python 3.6 knows nothing newer)

import base64
import json
import math
import operator
import os
import re
import signal
import struct
import sys
import threading
import traceback
from collections import OrderedDict
from contextlib import suppress
from http.server import BaseHTTPRequestHandler, HTTPServer
from ipaddress import ip_address
from pathlib import Path
from socket import SHUT_RDWR, socket
from socketserver import ThreadingMixIn
from typing import Any, Callable, Dict, Iterable, List, Optional, Sequence, Set, Tuple
from urllib.parse import urlsplit

try:
    import numpy as _numpy

    numpy: Any = _numpy
except ImportError:
    numpy = None

PROTOCOL = 1
METHODS = ("start_tour", "start_episode", "act", "observe", "end_episode", "end_tour")
STOP = "<stop>"
HABITAT_ACTIONS = (STOP, "forward", "left", "right", "up", "down")
"""What vlnscope calls the actions that Habitat numbers: ``return HABITAT_ACTIONS[number]``."""
HOST = "127.0.0.1"
LARGEST = 1 << 28
"""Bytes that a call may have: room for a panorama of full size."""
CONNECTIONS = 128
SESSIONS = 64
IDLE = 120.0
"""Seconds that a client may be silent."""
Answer = Tuple[int, Dict[str, Any]]
"""Status and content of what is sent back."""
_ANY = ("", "0.0.0.0", "::")
_OWN = ("localhost", HOST, "::1")
_CODES = {"b1": "?", "i1": "b", "u1": "B", "i2": "h", "u2": "H", "i4": "i", "u4": "I", "i8": "q", "u8": "Q",
          "f2": "e", "f4": "f", "f8": "d"}  # fmt: skip


# What an agent is given, and what it returns.


class PlainArray:
    """An array where there is no numpy: ``dtype`` as numpy writes it, ``shape``, and ``data``, row by row.

    Example:
        >>> PlainArray("<i2", (2, 3), struct.pack("<6h", 1, 2, 3, 4, 5, 6)).tolist()
        [[1, 2, 3], [4, 5, 6]]
    """

    def __init__(self, dtype: str, shape: Sequence[int], data: bytes) -> None:
        self.dtype, self.shape, self.data = dtype, tuple(shape), data
        size = struct.calcsize(_CODES[dtype[1:]])
        for side in self.shape:
            size *= side
        if size != len(data):
            raise ValueError(f"an array of the shape {list(self.shape)} has {len(data)} bytes, not {size}")

    def tolist(self) -> Any:
        """Return the numbers as lists of lists."""
        numbers = struct.iter_unpack("<" + _CODES[self.dtype[1:]], self.data)

        def rows(shape: Tuple[int, ...]) -> Any:
            return [rows(shape[1:]) for _ in range(shape[0])] if shape else next(numbers)[0]

        return rows(self.shape)


class PlainRecord(Dict[str, Any]):
    """A dict whose members are attributes too.

    Example:
        >>> PlainRecord(name="sofa").name
        'sofa'
    """

    def __getattr__(self, name: str) -> Any:
        if name in self:
            return self[name]
        raise AttributeError(f"there is no {name!r}, only {', '.join(self)}")


class PlainObservation(PlainRecord):
    """What an agent is given at one step.

    ``episode_id``, ``instruction``, ``scan``, ``step``, ``heading`` (radians, clockwise) and ``elevation``;
    ``actions``, what it may do, stopping last; ``seen``, what it declared that it needs, by name, with arrays
    of numpy, or `PlainArray` where there is none. On graphs ``viewpoint`` and ``candidates``; in continuous
    space ``position`` and ``rotation`` (x, y, z, w) in Habitat's frame, and ``collided``.
    """

    def __init__(self, data: Dict[str, Any]) -> None:
        super().__init__(plain(data))
        self.setdefault("candidates", ())
        self.setdefault("actions", (*(candidate.viewpoint for candidate in self["candidates"]), STOP))
        self.setdefault("seen", PlainRecord())


def plain(value: Any) -> Any:
    """Return what JSON data stand for: records, tuples and arrays."""
    if isinstance(value, list):
        return tuple(map(plain, value))
    if not isinstance(value, dict):
        return value
    if set(value) != {"dtype", "shape", "base64"}:
        return PlainRecord((name, plain(part)) for name, part in value.items())
    dtype, shape, data = value["dtype"], value["shape"], base64.b64decode(value["base64"], validate=True)
    if dtype[0] not in "<|" or dtype[1:] not in _CODES:
        raise ValueError(f"there is an array of {dtype!r}")
    if numpy is None:
        return PlainArray(dtype, shape, data)
    return numpy.frombuffer(data, dtype=dtype).reshape(shape).copy()  # which may be written to


def answer_of(result: Any, actions: Sequence[Any]) -> Dict[str, Any]:
    """Return the answer to ``act`` for what an agent returned; see the module for what that may be.

    Example:
        >>> answer_of("left", ("forward", "left", "<stop>"))
        {'probabilities': [0.0, 1.0, 0.0]}
        >>> answer_of((0.5, 2.0), ("<stop>",))
        {'probabilities': [1.0], 'proposals': [[0.5, 2.0]]}
    """
    if isinstance(result, dict):
        result = PlainRecord(result)
    if hasattr(result, "probabilities"):
        answer = _distribution(result.probabilities, getattr(result, "proposals", ()))
        route = [str(viewpoint) for viewpoint in getattr(result, "route", ())]
        return {**answer, "route": route} if route else answer
    if result is None:
        raise ValueError("act returned nothing")
    offers_nothing = tuple(actions) == (STOP,)
    with suppress(TypeError):  # it is no whole number
        place = _place(result, actions) if isinstance(result, str) else operator.index(result)
        hot = [0.0] * len(actions)
        hot[place] = 1.0
        return _distribution(hot, [STOP] if offers_nothing else ())
    numbers = _numbers(result)
    if len(numbers) != len(actions) and not offers_nothing:
        raise ValueError(f"{len(numbers)} numbers for {len(actions)} actions, stopping included")
    return _distribution(numbers) if len(numbers) == len(actions) else _distribution([1.0], [numbers])


def _distribution(probabilities: Iterable[Any], proposals: Iterable[Any] = ()) -> Dict[str, Any]:
    answer: Dict[str, Any] = {"probabilities": _numbers(probabilities)}
    named = [part if isinstance(part, str) else _numbers(part) for part in proposals]
    return {**answer, "proposals": named} if named else answer


def _place(name: str, actions: Sequence[Any]) -> int:
    name = STOP if name.lower() == "stop" and name not in actions else name
    if name not in actions:
        raise ValueError(f"there is no action {name!r}, only {', '.join(map(str, actions))}")
    return list(actions).index(name)


def _numbers(values: Iterable[Any]) -> List[float]:
    numbers = [float(value) for value in values]
    if not all(map(math.isfinite, numbers)):
        raise ValueError("a number is NaN or infinite")
    return numbers


# The listening side of HTTP, bounded in size, time and number.


class RefusedError(Exception):
    """A call that is not done, and the answer to it."""

    def __init__(self, status: int, why: str) -> None:
        super().__init__(why)
        self.answer = status, {"error": why}


class Listener(ThreadingMixIn, HTTPServer):
    """Takes calls, each connection in a thread of its own, and answers in JSON.

    When there are too many connections, the one that has been silent for longest is closed. Web pages cannot
    make calls: a browser says in ``Host`` and ``Origin`` on whose behalf it asks.

    Args:
        address: host and port.
        respond: answers a call: its verb, its path and its body.
        allow: names of hosts, and origins of pages, that clients may name besides those of this machine.
    """

    daemon_threads = True
    request_queue_size = CONNECTIONS

    def __init__(
        self, address: Tuple[str, int], respond: Callable[[str, str, bytes], Answer], allow: Iterable[str]
    ) -> None:
        self.respond = respond
        self.allow = frozenset(allow)
        self._open: Set[socket] = set()
        self._silent: "OrderedDict[socket, None]" = OrderedDict()
        self._lock = threading.Lock()
        super().__init__(address, _Handler)

    def process_request(self, request: Any, client_address: Any) -> None:
        """Begin to listen to a client, if there is room for it."""
        with self._lock:
            room = len(self._open) < CONNECTIONS or self._close_silent()
            if room:
                self._open.add(request)
                self._silent[request] = None
        if room:
            super().process_request(request, client_address)
        else:
            self.shutdown_request(request)

    def shutdown_request(self, request: Any) -> None:
        """Forget a client."""
        with self._lock:
            self._open.discard(request)
            self._silent.pop(request, None)
        super().shutdown_request(request)

    def handle_error(self, request: Any, client_address: Any) -> None:
        """Say nothing of clients that hang up."""

    def begin(self, request: socket) -> None:
        """Note that a client's call is being answered, so that it is not to be closed."""
        with self._lock:
            self._silent.pop(request, None)

    def rest(self, request: socket) -> None:
        """Note that a client has its answer."""
        with self._lock:
            if request in self._open:
                self._silent[request] = None

    def check_names(self, hosts: Sequence[str], origins: Sequence[str]) -> None:
        """Refuse calls on behalf of others: those without one ``Host``, or with a name that is not known."""
        if len(hosts) != 1 or not self._is_own(hosts[0]):
            raise RefusedError(403, f"Host {', '.join(hosts) or 'is missing'}: not a name of this server")
        for origin in origins:
            if origin not in self.allow:
                raise RefusedError(403, f"Origin {origin}: web pages may not ask this server")

    def _is_own(self, host: str) -> bool:
        bound = str(self.server_address[0])
        with suppress(ValueError):
            name = (urlsplit("//" + host).hostname or "").lower()
            if name in _OWN or name == bound or name in self.allow:
                return True
            return bound in _ANY and bool(ip_address(name))  # a name could be made to mean something else
        return False

    def _close_silent(self) -> bool:
        if not self._silent:
            return False
        request, _ = self._silent.popitem(last=False)
        self._open.discard(request)
        with suppress(OSError):
            request.shutdown(SHUT_RDWR)  # its thread sees the end, and closes it
        return True


class _Handler(BaseHTTPRequestHandler):
    """One connection."""

    protocol_version = "HTTP/1.1"
    disable_nagle_algorithm = True
    timeout = IDLE
    server: Listener

    def do_GET(self) -> None:
        """Answer a question."""
        self._answer(b"")

    def do_POST(self) -> None:
        """Answer a call."""
        try:
            length = self._length()
        except RefusedError as refusal:
            self.close_connection = True  # nobody knows where the next call begins
            self._reply(refusal.answer)
            return
        self._answer(self.rfile.read(length))

    def send_error(self, code: int, message: Optional[str] = None, explain: Optional[str] = None) -> None:
        """Say what is wrong with a request that is no HTTP, or too long."""
        self.close_connection = True
        self._reply((int(code), {"error": message or explain or "not understood"}))

    def log_message(self, format: str, *args: Any) -> None:  # noqa: A002
        """Say nothing of each call."""

    def _length(self) -> int:
        if self.headers.get_all("Transfer-Encoding"):
            raise RefusedError(400, "calls in chunks are not taken: send Content-Length")
        lengths = set(self.headers.get_all("Content-Length") or ("",))
        text = lengths.pop()
        if lengths or not re.match(r"[0-9]{1,20}\Z", text):
            raise RefusedError(400, "Content-Length must be one whole number: how many bytes the call has")
        if int(text) > LARGEST:
            raise RefusedError(413, f"the call has {int(text):,} bytes, more than {LARGEST:,}")
        return int(text)

    def _answer(self, body: bytes) -> None:
        self.server.begin(self.connection)
        try:
            self.server.check_names(self.headers.get_all("Host") or [], self.headers.get_all("Origin") or [])
            answer = self.server.respond(self.command, self.path, body)
        except RefusedError as refusal:
            answer = refusal.answer
        except Exception as error:  # an agent may fail in any way while it is made
            answer = _failure(error)
        self._reply(answer)
        self.server.rest(self.connection)

    def _reply(self, answer: Answer) -> None:
        status, content = answer[0], json.dumps(answer[1]).encode()
        self.send_response(status)
        self.send_header("Content-Type", "application/json")
        self.send_header("Content-Length", str(len(content)))
        if self.close_connection:
            self.send_header("Connection", "close")
        self.end_headers()
        self.wfile.write(content)


def _failure(error: Exception) -> Answer:
    traceback.print_exc()
    return 500, {"error": f"{type(error).__name__}: {error}"}


# The protocol: who is there, and calls of which none is done twice.


class _Session:
    """One client: an agent of its own, and the last answer in case that it got lost."""

    def __init__(self, agent: Any, observation: Callable[[Dict[str, Any]], Any], lock: Any) -> None:
        self.agent, self.observation, self.lock = agent, observation, lock
        self.done = -1
        self.last: Answer = (200, {})

    def answer(self, call: Dict[str, Any]) -> Answer:
        """Do what a call asks, unless it was done before."""
        with self.lock:
            if call["call"] == self.done:
                return self.last
            if call["call"] != self.done + 1:
                return 409, {"error": f"call {call['call']} follows call {self.done}; a call is missing"}
            try:
                self.last = 200, self._do(call["method"], call)
            except Exception as error:  # an agent may fail in any way
                return _failure(error)
            self.done += 1
            return self.last

    def _do(self, name: str, call: Dict[str, Any]) -> Dict[str, Any]:
        method = getattr(self.agent, name, None)
        if method is None:
            return {}
        if name in ("start_tour", "end_episode", "end_tour"):
            method(*([call.get("scan")] if name == "start_tour" else []))
            return {}
        observation = self.observation(call.get("observation") or {})
        if name == "act":
            return answer_of(method(observation), observation.actions)
        method(*([call.get("instruction")] if name == "start_episode" else []), observation)
        return {}


class PlainServer:
    """A server of an agent; use it in a ``with`` block, or call `run`.

    Args:
        agent: a class or function that makes an agent, called once per client (each worker of a run is one);
            or an agent, which then serves one client at a time: the latest.
        port: 0 for any that is free; see `url`.
        name: what the agent is called.
        identity: name with everything that its decisions depend on; only with the same one are runs resumed.
        needs: what it wants to see; if not given, its attribute ``needs`` says.
        action_space: what it can do; if not given, its attribute says, or it is ``graph``.
        host: where to listen; only this machine unless told otherwise.
        allow: names by which clients may call this server besides those of this machine, and origins of web
            pages that may ask it.
    """

    def __init__(
        self,
        agent: Any,
        port: int = 8000,
        *,
        name: Optional[str] = None,
        identity: str = "",
        needs: Optional[Sequence[str]] = None,
        action_space: Optional[str] = None,
        host: str = HOST,
        allow: Sequence[str] = (),
    ) -> None:
        is_made = hasattr(agent, "act") and not isinstance(agent, type)
        self._make: Callable[[], Any] = (lambda: agent) if is_made else agent
        self._turn = threading.Lock() if is_made else None
        self._first = first = self._make()
        name = name or str(getattr(agent, "__name__", type(agent).__name__))
        self.card: Dict[str, Any] = {
            "protocol": PROTOCOL,
            "name": name,
            "identity": identity or name,
            "needs": list(getattr(first, "needs", ()) if needs is None else needs),
            "methods": [method for method in METHODS if callable(getattr(first, method, None))],
            "action_space": action_space or str(getattr(first, "action_space", "graph")),
        }
        self.check(first, self.card["needs"])
        self._sessions: "OrderedDict[str, _Session]" = OrderedDict()
        self._lock = threading.Lock()
        self.listener = Listener((host, port), self._respond, (host, *allow))

    @property
    def url(self) -> str:
        """Where the agent is found."""
        host, port = self.listener.server_address[:2]
        return f"http://{host!s}:{port}"

    def run(self) -> None:
        """Serve until interrupted."""
        try:
            self.listener.serve_forever(poll_interval=0.1)
        finally:
            self.listener.server_close()

    def __enter__(self) -> "PlainServer":
        self._thread = threading.Thread(target=self.listener.serve_forever, args=(0.02,), daemon=True)
        self._thread.start()
        return self

    def __exit__(self, *_: object) -> None:
        self.listener.shutdown()
        self.listener.server_close()
        self._thread.join()

    def observation(self, data: Dict[str, Any]) -> Any:
        """Return what the agent is given, of the JSON that tells it."""
        return PlainObservation(data)

    def check(self, agent: Any, needs: Sequence[str]) -> None:
        """Refuse agents that cannot be served."""
        if getattr(agent, "batched", False) or "annotation" in needs:
            raise ValueError("the agent cannot be served: it takes lists, or needs the annotation")

    def answer(self, body: bytes) -> Answer:
        """Answer a POST."""
        try:
            call = _call_of(body)
        except (ValueError, RecursionError) as error:
            return 400, {"error": f"the call cannot be understood: {error}"}
        if call["protocol"] != PROTOCOL or call["method"] not in METHODS:
            known = f"known is protocol {PROTOCOL} with {', '.join(METHODS)}"
            return 400, {"error": f"protocol {call['protocol']}, method {call['method']!r}: {known}"}
        session = self._session(call)
        if session is None:
            why = "it was started anew, or has another client now"
            return 409, {"error": f"the server does not know this session: {why}"}
        return session.answer(call)

    def _respond(self, verb: str, path: str, body: bytes) -> Answer:
        if (verb, path) == ("GET", "/agent"):
            return 200, self.card
        if (verb, path) == ("POST", "/call"):
            return self.answer(body)
        return 404, {"error": "there is only GET /agent and POST /call"}

    def _session(self, call: Dict[str, Any]) -> Optional[_Session]:
        name = call["session"]
        with self._lock:
            if name not in self._sessions:
                if call["call"] != 0:
                    return None
                agent, self._first = self._make() if self._first is None else self._first, None
                self._sessions[name] = _Session(agent, self.observation, self._turn or threading.Lock())
                if len(self._sessions) > (1 if self._turn else SESSIONS):
                    self._sessions.popitem(last=False)
            self._sessions.move_to_end(name)
            return self._sessions[name]


def _call_of(body: bytes) -> Dict[str, Any]:
    call = json.loads(body.decode("utf-8"), parse_int=_whole, parse_constant=_no_number)
    if not isinstance(call, dict) or not isinstance(call.get("observation") or {}, dict):
        raise ValueError("the call, or its observation, is no object")
    for name, kind in (("protocol", int), ("session", str), ("call", int), ("method", str)):
        if not isinstance(call.get(name), kind):
            raise ValueError(f"{name} is missing, or of another type than {kind.__name__}")
    return call


def _whole(digits: str) -> int:
    return int(digits) if len(digits) < 100 else _no_number(digits[:20])


def _no_number(text: str) -> int:
    raise ValueError(f"{text} is no number that can be worked with")


def serve(agent: Any, port: int = 8000, **options: Any) -> None:
    """Serve an agent until interrupted (Ctrl-C or SIGTERM); takes all that `PlainServer` does."""
    server = PlainServer(agent, port, **options)
    with suppress(ValueError):  # only the main thread may ask for signals
        signal.signal(signal.SIGTERM, lambda *_: sys.exit(143))
    with suppress(KeyboardInterrupt):
        sys.stdout.write(f"{server.card['identity']} is at {server.url}\n")
        sys.stdout.flush()
        server.run()


# Evidence, from a loop of one's own.


def heading_of_rotation(rotation: Any) -> float:
    """Return the heading along which a rotation of Habitat looks: radians in [0, 2 pi), clockwise from -z.

    Args:
        rotation: x, y, z, w in this order, or an object with these attributes, such as numpy-quaternion's.

    Raises:
        ValueError: it looks straight up or down, or is no rotation.

    Example:
        >>> left = (0, math.sin(math.radians(15) / 2), 0, math.cos(math.radians(15) / 2))
        >>> round(math.degrees(heading_of_rotation(left)), 6)
        345.0
    """
    parts = [getattr(rotation, axis) for axis in "xyzw"] if hasattr(rotation, "w") else rotation
    x, y, z, w = map(float, parts)
    right, ahead = -2 * (x * z + w * y), w * w + z * z - x * x - y * y
    size = x * x + y * y + z * z + w * w
    if not (math.isfinite(size) and math.hypot(right, ahead) > 1e-9 * size):
        raise ValueError(f"the rotation {x}, {y}, {z}, {w} (w last) has no heading")
    heading = math.atan2(right, ahead) % math.tau
    return 0.0 if heading == math.tau else heading


def pose_of(state: Any) -> Tuple[List[float], float]:
    """Return position and heading of an agent state of Habitat: of its ``position`` and ``rotation``."""
    return _numbers(state.position), heading_of_rotation(state.rotation)


class EvidenceWriter:
    """Writes a line per finished episode into a file that vlnscope scores; continues one that was begun.

    A loop around Habitat::

        writer = EvidenceWriter("evidence.jsonl")
        for _ in env.episodes:
            observations, name = env.reset(), env.current_episode.episode_id
            if name in writer.done:
                continue
            poses, actions, collisions = [pose_of(env.sim.get_agent_state())], [], []
            while not env.episode_over:
                actions.append(agent.act(observations))
                observations = env.step(actions[-1])
                poses.append(pose_of(env.sim.get_agent_state()))
                collisions.append(env.sim.previous_step_collided)
            positions, headings = zip(*poses)
            stopped = env.task.is_stop_called
            writer.episode(name, positions, headings, stopped, actions, collisions)

    Attributes:
        path: the file.
        done: ids of the episodes that it has.

    Raises:
        ValueError: the file holds something else than evidence.
    """

    _BEGINS = b'{"v":'

    def __init__(self, path: Any) -> None:
        self.path = Path(str(path))
        self.done: Set[str] = set()
        size = self._read() if self.path.exists() else 0
        with self.path.open("ab") as stream:
            stream.truncate(size)

    def episode(
        self,
        episode_id: Any,
        positions: Iterable[Iterable[float]],
        headings: Optional[Iterable[float]],
        stopped: bool,
        actions: Optional[Iterable[Any]] = None,
        collisions: Optional[Iterable[bool]] = None,
    ) -> None:
        """Add a finished episode; it is in the file when this returns.

        Args:
            episode_id: its id in the data set.
            positions: x, y, z where the agent was, as Habitat has them: at the start, then after each action.
            headings: where it looked there, radians clockwise from -z (see `pose_of`); None if unknown.
            stopped: whether it ended the episode itself.
            actions: what it did, by name or by Habitat's numbers (see `HABITAT_ACTIONS`).
            collisions: for each action, whether something was in the way.

        Raises:
            ValueError: a number is NaN or infinite, parts do not fit together, or it was added before.
        """
        name, places = str(episode_id), [_numbers(place) for place in positions]
        looks = None if headings is None else _numbers(headings)
        if not name or name in self.done:
            raise ValueError(f"episode {name!r} is in {self.path} already, or has no id")
        if not places or any(len(place) != 3 for place in places):
            raise ValueError(f"episode {name}: positions must be x, y, z, the start at least")
        if looks is not None and len(looks) != len(places):
            raise ValueError(f"episode {name}: {len(looks)} headings for {len(places)} positions")
        line: Dict[str, Any] = {"v": 2, "case_id": name, "episode_id": name, "headings": looks}
        line.update(positions=places, stopped=bool(stopped))
        if actions is not None or collisions is not None:
            _add_actions(line, () if actions is None else actions, collisions)
        self._append({key: value for key, value in line.items() if value is not None})
        self.done.add(name)

    def _append(self, line: Dict[str, Any]) -> None:
        text = json.dumps(line, allow_nan=False, separators=(",", ":")).encode() + b"\n"
        with self.path.open("ab", buffering=0) as stream:
            start, written = stream.seek(0, os.SEEK_END), 0
            try:
                while written < len(text):
                    written += os.write(stream.fileno(), text[written:])
            except OSError:
                stream.truncate(start)  # the disk is full, say: no half line is left
                raise

    def _read(self) -> int:
        """Note which episodes are there; return where the last whole line ends."""
        size = 0
        with self.path.open("rb") as stream:
            for number, text in enumerate(stream, 1):
                begins = text.startswith(self._BEGINS) or self._BEGINS.startswith(text)
                if begins and not text.endswith(b"\n"):
                    break  # cut off when the process or the machine went down
                try:
                    line = json.loads(text.decode("utf-8"))
                    self.done.add({1: line, 2: line, 3: line}[line["v"]]["episode_id"])
                except (ValueError, TypeError, KeyError):
                    raise ValueError(f"{self.path}: line {number} is no evidence") from None
                size += len(text)
        return size


def _add_actions(line: Dict[str, Any], actions: Iterable[Any], collisions: Optional[Iterable[bool]]) -> None:
    """Note what was done, without the stop at the end, which moves nobody and is in ``stopped``."""
    did = [_place(act, HABITAT_ACTIONS) if isinstance(act, str) else operator.index(act) for act in actions]
    hits = None if collisions is None else [bool(hit) for hit in collisions]
    if hits is not None and len(hits) != len(did):
        raise ValueError(f"episode {line['episode_id']}: {len(hits)} collisions for {len(did)} actions")
    if did[-1:] == [0] and line["stopped"]:
        did, hits = did[:-1], hits and hits[:-1]
        for part in (line["positions"], line["headings"] or []):
            del part[len(did) + 1 : len(did) + 2]
    if not all(0 < act < len(HABITAT_ACTIONS) for act in did) or len(line["positions"]) != len(did) + 1:
        why = "a position must follow each action, and only one that `stopped` may end with a stop"
        raise ValueError(f"episode {line['episode_id']}: {why}")
    line.update(v=3, actions=did)
    if hits is not None:
        line["collisions"] = [place for place, hit in enumerate(hits) if hit]
