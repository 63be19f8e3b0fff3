"""Agents in another process, another Python or another language, asked over HTTP.

The protocol is in docs/agents.md, a ready-made server in `vlnscope.agents.http_server`. What goes wrong is
told apart: an agent that raises or takes too long fails its case; one that does not answer any more stops the
run, which can be resumed.
"""

from __future__ import annotations

import http.client
import time
import uuid
import weakref
from collections.abc import Mapping
from typing import Any
from urllib.parse import parse_qsl, urlsplit

import msgspec

from vlnscope.agents.protocol import NEEDS
from vlnscope.agents.spec import NamedAgent
from vlnscope.agents.wire import PROTOCOL, observation_to_json
from vlnscope.exceptions import DataNotFoundError, InputError
from vlnscope.types import Decision, Observation

TIMEOUT = 60.0
RETRIES = 3
_FIRST_PAUSE = 0.2
_START = "start it, for example with `python -m vlnscope.agents.http_server AGENT --port PORT`"


class AgentGoneError(DataNotFoundError):
    """An agent in another process does not answer (any more)."""


class ServedAgentError(Exception):
    """An agent in another process raised an error."""


class MemoryLostError(ServedAgentError):
    """An agent in another process has lost its memory of the tour that it is in."""


class Card(msgspec.Struct, frozen=True):
    """What a server says of its agent.

    Attributes:
        protocol: version of the protocol.
        name: of the agent.
        identity: name with everything that its decisions depend on.
        needs: what it wants to see.
        methods: which methods of an agent's life it has; others are not sent.
    """

    protocol: int
    name: str
    identity: str = ""
    needs: tuple[str, ...] = ()
    methods: tuple[str, ...] = ("start_tour", "start_episode", "act", "observe", "end_episode", "end_tour")


class HttpAgent:
    """An agent that is asked over HTTP.

    Args:
        url: of the server, e.g. ``http://127.0.0.1:8000``.
        timeout: seconds that one call may take.
        retries: how often to try again if the server cannot be reached or hangs up.

    Raises:
        AgentGoneError: there is no server.
        InputError: it speaks another protocol, or its agent needs what cannot be sent.
    """

    def __init__(self, url: str, *, timeout: float = TIMEOUT, retries: int = RETRIES) -> None:
        self._line = _Line(url, timeout, retries)
        self.card = self._line.card()
        self.needs = self.card.needs
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
            return Decision(msgspec.convert(answer.get("probabilities"), tuple[float, ...]))
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
        except (TimeoutError, MemoryLostError, AgentGoneError) as error:
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
        self._connection = http.client.HTTPConnection(parts.hostname, parts.port or 80, timeout=timeout)
        weakref.finalize(self, self._connection.close)
        self._session, self._calls = uuid.uuid4().hex, 0

    def hang_up(self) -> None:
        """Leave the session behind; the next call begins another."""
        self._connection.close()
        self._session, self._calls = uuid.uuid4().hex, 0

    def card(self) -> Card:
        """Ask who is there."""
        status, answer = self._send("GET", "/agent", None)
        try:
            card = msgspec.convert(answer, Card)
        except msgspec.ValidationError as error:
            raise InputError(
                f"{self.url}: is no server of an agent (status {status}; {error})",
                expected='an answer to GET /agent such as {"protocol": 1, "name": "mine"}',
                fix=_START,
            ) from None
        if card.protocol != PROTOCOL:
            raise InputError(
                f"{self.url}: speaks version {card.protocol} of the protocol",
                expected=f"version {PROTOCOL}",
                fix="use the vlnscope that the server was written for, or bring the server up to date",
            )
        for need in card.needs:
            if need == "annotation" or (need not in NEEDS and not need.startswith("features:")):
                raise InputError(
                    f"{self.url}: its agent needs {need!r}, which cannot be sent",
                    expected=f"needs among {', '.join(n for n in NEEDS if n != 'annotation')}, features:NAME",
                    fix="run the agent in this process if it is an oracle, or correct its needs",
                )
        return card

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

    def _send(self, verb: str, place: str, body: bytes | None) -> tuple[int, Any]:
        for attempt in range(self._retries + 1):
            try:
                self._connection.request(verb, place, body, {"Content-Type": "application/json"})
                response = self._connection.getresponse()
                status, content = response.status, response.read()
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
        try:
            return status, msgspec.json.decode(content)
        except msgspec.DecodeError:
            return status, content[:200].decode(errors="replace")


def connect(address: str) -> NamedAgent:
    """Return the agent at an address such as ``http://127.0.0.1:8000?timeout=10&retries=1``."""
    url, _, query = address.partition("?")
    options: dict[str, Any] = {}
    for key, text in parse_qsl(query, keep_blank_values=True):
        try:
            options[key] = {"timeout": float, "retries": int}[key](text)
        except (KeyError, ValueError):
            raise InputError(
                f"{address}: {key}={text} cannot be used",
                expected="timeout=SECONDS and retries=NUMBER",
                fix="for example http://127.0.0.1:8000?timeout=10&retries=1",
            ) from None
    agent = HttpAgent(url, **options)
    return NamedAgent(agent.card.name, f"http:{agent.card.identity or agent.card.name}", agent)
