"""Agents in another process, another Python or another language, asked over HTTP.

The protocol is in docs/agents.md, a ready-made server in `vlnscope.agents.remote.server`. What goes wrong is
told apart: an agent that raises or takes too long fails its case; one that does not answer any more stops the
run, which can be resumed.
"""

from __future__ import annotations

import http.client
import socket
import threading
import time
import uuid
import weakref
from collections.abc import Mapping
from typing import Any
from urllib.parse import parse_qsl, urlsplit

import msgspec

from vlnscope.agents.remote.vlnscope_agent import METHODS, PROTOCOL
from vlnscope.agents.remote.wire import observation_to_json
from vlnscope.agents.spec import NamedAgent
from vlnscope.core.exceptions import DataNotFoundError, InputError
from vlnscope.perception.sight import is_sight, known_sights
from vlnscope.types import Decision, Observation

TIMEOUT = 60.0
RETRIES = 3
LONGEST = 1 << 20
"""Bytes of an answer that are read; a decision has a few hundred."""
_FIRST_PAUSE = 0.2
_START = "start it, for example with `python -m vlnscope.agents.remote.server AGENT --port PORT`"


class AgentGoneError(DataNotFoundError):
    """An agent in another process does not answer (any more)."""


class ServedAgentError(Exception):
    """An agent in another process raised an error."""


class MemoryLostError(ServedAgentError):
    """An agent in another process has lost its memory of the tour that it is in."""


class LongAnswerError(ServedAgentError):
    """An agent in another process answers with more than anybody would read."""


class AgentCard(msgspec.Struct, frozen=True):
    """What a server says of its agent.

    Attributes:
        protocol: version of the protocol.
        name: of the agent.
        identity: name with everything that its decisions depend on.
        needs: what it wants to see.
        methods: which methods of an agent's life it has; others are not sent.
        action_space: what it can do.
    """

    protocol: int
    name: str
    identity: str = ""
    needs: tuple[str, ...] = ()
    methods: tuple[str, ...] = METHODS
    action_space: str = "graph"


class HttpAgent:
    """An agent that is asked over HTTP.

    Args:
        url: of the server, e.g. ``http://127.0.0.1:8000``.
        timeout: seconds that one call may take, from the first byte sent to the last received.
        retries: how often to try again if the server cannot be reached or hangs up.

    Raises:
        AgentGoneError: there is no server.
        InputError: it speaks another protocol, or its agent needs what cannot be sent.
    """

    def __init__(self, url: str, *, timeout: float = TIMEOUT, retries: int = RETRIES) -> None:
        self._line = _Line(url, timeout, retries)
        self.card = self._line.card()
        self.needs = self.card.needs
        self.action_space = self.card.action_space
        self._broken: str | None = None

    def start_tour(self, scan: str) -> None:
        """Tell that a tour begins."""
        if self._broken is not None:
            self._line.hang_up()
            self._broken = None
        self._call("start_tour", scan=scan)

    def start_episode(self, instruction: str, observation: Observation) -> None:
        """Tell that an episode begins."""
        self._call("start_episode", instruction=instruction, observation=observation)

    def act(self, observation: Observation) -> Decision:
        """Ask what to do."""
        answer = self._call("act", observation=observation)
        try:
            return msgspec.convert(answer, Decision)
        except msgspec.ValidationError:
            raise ServedAgentError(
                f"the answer to act is {str(answer)[:200]}, not {{'probabilities': [numbers]}}"
            ) from None

    def observe(self, observation: Observation) -> None:
        """Show a place."""
        self._call("observe", observation=observation)

    def end_episode(self) -> None:
        """Tell that the episode is over."""
        self._call("end_episode")

    def end_tour(self) -> None:
        """Tell that the tour is over."""
        self._call("end_tour")

    def _call(self, method: str, **arguments: Any) -> Mapping[str, Any]:
        if self._broken is not None:
            raise MemoryLostError(f"the agent's memory of this tour is lost: {self._broken}")
        if method not in self.card.methods:
            return {}
        if "observation" in arguments:
            arguments["observation"] = observation_to_json(arguments["observation"])
        try:
            return self._line.ask(method, arguments)
        except (TimeoutError, MemoryLostError, AgentGoneError, LongAnswerError) as error:
            self._broken = str(error).partition("\n")[0]
            raise


class _Line:
    """The connection to a server: one session, calls numbered so that none is done twice."""

    def __init__(self, url: str, timeout: float, retries: int) -> None:
        parts = urlsplit(url)
        if parts.scheme != "http" or not parts.hostname or parts.path not in ("", "/"):
            raise InputError(
                f"the agent's address {url!r} cannot be used",
                expected="http://HOST:PORT",
                fix="for example http://127.0.0.1:8000",
            )
        self.url = f"http://{parts.netloc}"
        self._timeout, self._retries = timeout, retries
        self._connection = _Connection(parts.hostname, parts.port or 80, timeout=timeout)
        weakref.finalize(self, self._connection.close)
        self._session, self._calls = uuid.uuid4().hex, 0

    def hang_up(self) -> None:
        """Leave the session behind; the next call begins another."""
        self._connection.close()
        self._session, self._calls = uuid.uuid4().hex, 0

    def card(self) -> AgentCard:
        """Ask who is there."""
        try:
            status, answer = self._send("GET", "/agent", None)
            card = msgspec.convert(answer, AgentCard)
        except TimeoutError as error:
            raise AgentGoneError(str(error), expected="a server that answers", fix=_START) from None
        except LongAnswerError as error:
            raise self._no_agent(str(error)) from None
        except msgspec.ValidationError as error:
            raise self._no_agent(f"status {status}; {error}") from None
        if card.protocol != PROTOCOL:
            raise InputError(
                f"{self.url}: speaks version {card.protocol} of the protocol",
                expected=f"version {PROTOCOL}",
                fix="use the vlnscope that the server was written for, or bring the server up to date",
            )
        for need in card.needs:
            if not is_sight(need):
                raise InputError(
                    f"{self.url}: its agent needs {need!r}, which cannot be sent",
                    expected=f"needs among {', '.join(known_sights())}",
                    fix="run the agent in this process if it is an oracle, or change its `needs`",
                )
        return card

    def _no_agent(self, why: str) -> InputError:
        return InputError(
            f"{self.url}: is no server of an agent ({why})",
            expected='an answer to GET /agent such as {"protocol": 1, "name": "mine"}',
            fix=_START,
        )

    def ask(self, method: str, arguments: Mapping[str, Any]) -> Mapping[str, Any]:
        """Make a call and return the answer."""
        head = {"protocol": PROTOCOL, "session": self._session, "call": self._calls, "method": method}
        status, answer = self._send("POST", "/call", msgspec.json.encode({**head, **arguments}))
        if not isinstance(answer, dict):
            raise ServedAgentError(f"{self.url} answers {method} with {str(answer)[:200]}, not an object")
        if status != 200:
            kind = MemoryLostError if status == http.HTTPStatus.CONFLICT else ServedAgentError
            raise kind(str(answer.get("error", f"{self.url} answers {method} with {status}")))
        self._calls += 1
        return answer

    def _send(self, verb: str, path: str, body: bytes | None) -> tuple[int, Any]:
        for attempt in range(self._retries + 1):
            try:
                status, content = self._once(verb, path, body)
                break
            except TimeoutError:
                self._connection.close()
                raise TimeoutError(f"{self.url} took longer than {self._timeout:g} s to answer") from None
            except (OSError, http.client.HTTPException) as error:
                self._connection.close()
                if attempt == self._retries:
                    raise AgentGoneError(
                        f"{self.url}: the agent does not answer ({type(error).__name__}: {error})",
                        expected="a server that runs",
                        fix=_START,
                    ) from None
                time.sleep(_FIRST_PAUSE * 2**attempt)
        if len(content) > LONGEST:
            self._connection.close()
            raise LongAnswerError(f"{self.url} answers with more than {LONGEST:,} bytes")
        try:
            return status, msgspec.json.decode(content)
        except (msgspec.DecodeError, RecursionError, ValueError):
            return status, content[:200].decode(errors="replace")

    def _once(self, verb: str, path: str, body: bytes | None) -> tuple[int, bytes]:
        self._connection.begin(self._timeout)
        self._connection.request(verb, path, body, {"Content-Type": "application/json"})
        response = self._connection.getresponse()
        return response.status, response.read(LONGEST + 1)


class _Connection(http.client.HTTPConnection):
    """A connection with one deadline for all that belongs to a call, however slowly the answer comes."""

    def begin(self, seconds: float) -> None:
        """Set the deadline."""
        self._deadline = time.monotonic() + seconds
        if isinstance(self.sock, _Socket):
            self.sock.deadline = self._deadline

    def connect(self) -> None:
        """Connect."""
        super().connect()
        family, kind, number = self.sock.family, self.sock.type, self.sock.proto
        self.sock = _Socket(family, kind, number, fileno=self.sock.detach())
        self.sock.deadline = self._deadline


class _Socket(socket.socket):
    """A socket that waits until a deadline, where others wait for so long each time."""

    deadline: float

    def recv_into(self, *args: Any, **options: Any) -> int:
        """Receive."""
        self._wait_no_longer()
        return super().recv_into(*args, **options)

    def sendall(self, *args: Any) -> None:
        """Send."""
        self._wait_no_longer()
        super().sendall(*args)

    def _wait_no_longer(self) -> None:
        left = self.deadline - time.monotonic()
        if left <= 0:
            raise TimeoutError
        self.settimeout(left)


def connect(address: str) -> NamedAgent:
    """Return the agent at an address such as ``http://127.0.0.1:8000?timeout=10&retries=1``."""
    url, _, query = address.partition("?")
    options: dict[str, Any] = {}
    for key, text in parse_qsl(query, keep_blank_values=True):
        try:
            options[key] = {"timeout": _seconds, "retries": _count}[key](text)
        except (KeyError, ValueError):
            raise InputError(
                f"{address}: {key}={text} cannot be used",
                expected="timeout=SECONDS, above 0, and retries=NUMBER",
                fix="for example http://127.0.0.1:8000?timeout=10&retries=1",
            ) from None
    agent = HttpAgent(url, **options)
    return NamedAgent(agent.card.name, f"http:{agent.card.identity or agent.card.name}", agent)


def _seconds(text: str) -> float:
    if not 0 < float(text) <= threading.TIMEOUT_MAX:
        raise ValueError(text)
    return float(text)


def _count(text: str) -> int:
    if int(text) < 0:
        raise ValueError(text)
    return int(text)
