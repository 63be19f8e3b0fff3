"""Serves an agent over HTTP, on this machine only.

    python -m vlnscope.agents.remote.server my_module:MyAgent --port 8000

Then, from any other process: ``vlnscope run http://127.0.0.1:8000 --data …``. In Python: `serve`.
"""

from __future__ import annotations

import argparse
import sys
import threading
from collections import OrderedDict
from collections.abc import Callable, Sequence
from functools import partial
from typing import Any

import msgspec

from vlnscope.agents.protocol import is_batched, needs_of
from vlnscope.agents.remote.client import AgentCard
from vlnscope.agents.remote.listener import Answer, Listener
from vlnscope.agents.remote.wire import PROTOCOL, observation_from_json
from vlnscope.agents.spec import make_agent
from vlnscope.core.exceptions import InputError, VlnscopeError

HOST = "127.0.0.1"
SESSIONS = 64
_METHODS = ("start_tour", "start_episode", "act", "observe", "end_episode", "end_tour")


class AgentRequest(msgspec.Struct, frozen=True):
    """What a client sends; see docs/agents.md."""

    protocol: int
    session: str
    call: int
    method: str
    scan: str | None = None
    instruction: str | None = None
    observation: dict[str, Any] | None = None


class _Session:
    """One client: an agent of its own, and the last answer in case that it got lost."""

    def __init__(self, agent: Any) -> None:
        self.agent = agent
        self.lock = threading.Lock()
        self.done = -1
        self.last = Answer(200, {})

    def answer(self, call: AgentRequest) -> Answer:
        """Do what a call asks, unless it was done before."""
        with self.lock:
            if call.call == self.done:
                return self.last
            if call.call != self.done + 1:
                return Answer(409, {"error": f"call {call.call} follows call {self.done}; a call is missing"})
            answer = self._do(call)
            if answer.status == 200:
                self.done, self.last = call.call, answer
            return answer

    def _do(self, call: AgentRequest) -> Answer:
        method = getattr(self.agent, call.method, None)
        if method is None:
            return Answer(200, {})
        try:
            result = method(*_arguments(call))
            if call.method != "act":
                return Answer(200, {})
            numbers = {"probabilities": [float(p) for p in result.probabilities]}
            return Answer(200, numbers | ({"proposals": result.proposals} if result.proposals else {}))
        except Exception as error:  # an agent may fail in any way
            return Answer(500, {"error": f"{type(error).__name__}: {error}"})


def _arguments(call: AgentRequest) -> tuple[Any, ...]:
    if call.method == "start_tour":
        return (call.scan,)
    if call.method in ("end_episode", "end_tour"):
        return ()
    observation = observation_from_json(call.observation or {})
    return (call.instruction, observation) if call.method == "start_episode" else (observation,)


class AgentServer:
    """A server of an agent; use it in a ``with`` block, or call `run`.

    Args:
        make: makes an agent; called once per client (each worker of a run is one).
        port: 0 for any that is free; see `url`.
        name: what the agent is called.
        identity: name with everything that its decisions depend on.
        host: where to listen; only this machine unless told otherwise.
        allow: names by which clients may call this server besides those of this machine, and origins of web
            pages that may ask it.
    """

    def __init__(
        self,
        make: Callable[[], Any],
        port: int = 8000,
        *,
        name: str,
        identity: str = "",
        host: str = HOST,
        allow: Sequence[str] = (),
    ) -> None:
        self._make = make
        self._first: Any = make()
        if is_batched(self._first) or "annotation" in needs_of(self._first):
            raise InputError(
                f"agent {name!r} cannot be served: it is batched, or needs the annotation",
                expected="an agent that takes one observation at a time and is no oracle",
                fix="run it in this process",
            )
        methods = tuple(m for m in _METHODS if callable(getattr(self._first, m, None)))
        self.card = AgentCard(PROTOCOL, name, identity or name, needs_of(self._first), methods)
        self._sessions: OrderedDict[str, _Session] = OrderedDict()
        self._lock = threading.Lock()
        try:
            self._server = Listener((host, port), self._respond, (host, *allow))
        except OSError as error:
            raise InputError(
                f"port {port} cannot be listened on ({error.strerror or error})",
                expected="a free port",
                fix="name another with --port, or 0 for any",
            ) from None

    @property
    def url(self) -> str:
        """Where the agent is found."""
        host, port = self._server.server_address[:2]
        return f"http://{host!s}:{port}"

    def run(self) -> None:
        """Serve until interrupted."""
        try:
            self._server.serve_forever(poll_interval=0.1)
        finally:
            self._server.server_close()

    def __enter__(self) -> AgentServer:
        self._thread = threading.Thread(target=self._server.serve_forever, args=(0.02,), daemon=True)
        self._thread.start()
        return self

    def __exit__(self, *_: object) -> None:
        self._server.shutdown()
        self._server.server_close()
        self._thread.join()

    def _respond(self, verb: str, path: str, body: bytes) -> Answer:
        if (verb, path) == ("GET", "/agent"):
            return Answer(200, msgspec.to_builtins(self.card))
        return self.answer(body) if (verb, path) == ("POST", "/call") else _NOWHERE

    def answer(self, body: bytes) -> Answer:
        """Answer a POST."""
        try:
            call = msgspec.json.decode(body, type=AgentRequest)
        except (msgspec.DecodeError, RecursionError, ValueError) as error:
            return Answer(400, {"error": f"the call cannot be understood: {error}"})
        if call.protocol != PROTOCOL or call.method not in _METHODS:
            known = f"known is protocol {PROTOCOL} with {', '.join(_METHODS)}"
            return Answer(400, {"error": f"protocol {call.protocol}, method {call.method!r}: {known}"})
        session = self._session(call)
        if session is None:
            return Answer(409, {"error": "the server does not know this session: it was started anew"})
        return session.answer(call)

    def _session(self, call: AgentRequest) -> _Session | None:
        with self._lock:
            if call.session not in self._sessions:
                if call.call != 0:
                    return None
                agent, self._first = self._first or self._make(), None
                self._sessions[call.session] = _Session(agent)
                if len(self._sessions) > SESSIONS:
                    self._sessions.popitem(last=False)
            self._sessions.move_to_end(call.session)
            return self._sessions[call.session]


_NOWHERE = Answer(404, {"error": "there is only GET /agent and POST /call"})


def serve(make: Callable[[], Any], port: int = 8000, *, name: str | None = None, identity: str = "") -> None:
    """Serve an agent on this machine until interrupted.

    Args:
        make: a class or function without arguments that makes an agent; each client gets one of its own.
        port: where.
        name: what the agent is called; the name of `make` if not given.
        identity: name with everything that its decisions depend on; the name if not given.
    """
    server = AgentServer(make, port, name=name or str(getattr(make, "__name__", "agent")), identity=identity)
    sys.stdout.write(f"{server.card.identity} is at {server.url}\n")
    sys.stdout.flush()
    server.run()


def main() -> None:
    """Serve the agent that the command line names."""
    parser = argparse.ArgumentParser(
        prog="python -m vlnscope.agents.remote.server", description=serve.__doc__
    )
    parser.add_argument("agent", help="as in `vlnscope run`: NAME[:OPTION=VALUE,…] or MODULE:OBJECT")
    parser.add_argument("--port", type=int, default=8000)
    parser.add_argument("--seed", type=int)
    args = parser.parse_args()
    make = partial(make_agent, args.agent, seed=args.seed)
    try:
        named = make()
        serve(lambda: make().agent, args.port, name=named.name, identity=named.identity)
    except VlnscopeError as error:
        sys.exit(str(error))
    except KeyboardInterrupt:
        sys.exit(130)


if __name__ == "__main__":
    main()
