"""Serves an agent over HTTP, on this machine only.

    python -m vlnscope.agents.remote.server my_module:MyAgent --port 8000

Then, from any other process: ``vlnscope run http://127.0.0.1:8000 --data …``. In Python: `serve`. It is the
server of `vlnscope.agents.remote.vlnscope_agent`, which serves agents where there is no vlnscope; here they
are given the same observations as in the process of a run.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Callable, Sequence
from functools import partial
from typing import Any

from vlnscope.agents.remote.vlnscope_agent import HOST, PlainServer
from vlnscope.agents.remote.wire import observation_from_json
from vlnscope.agents.spec import make_agent
from vlnscope.core.exceptions import InputError, VlnscopeError
from vlnscope.types import Observation


class AgentServer(PlainServer):
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
        try:
            super().__init__(make, port, name=name, identity=identity, host=host, allow=allow)
        except OSError as error:
            raise InputError(
                f"port {port} cannot be listened on ({error.strerror or error})",
                expected="a free port",
                fix="name another with --port, or 0 for any",
            ) from None

    def observation(self, data: dict[str, Any]) -> Observation:
        """Return what the agent is given, of the JSON that tells it."""
        return observation_from_json(data)

    def check(self, agent: Any, needs: Sequence[str]) -> None:
        """Refuse agents that cannot be served.

        Raises:
            InputError: it takes lists, or is told the answer.
        """
        try:
            super().check(agent, needs)
        except ValueError as error:
            raise InputError(
                str(error),
                expected="an agent that takes one observation at a time and is no oracle",
                fix="run it in this process",
            ) from None


def serve(make: Callable[[], Any], port: int = 8000, *, name: str | None = None, identity: str = "") -> None:
    """Serve an agent on this machine until interrupted.

    Args:
        make: a class or function without arguments that makes an agent; each client gets one of its own.
        port: where.
        name: what the agent is called; the name of `make` if not given.
        identity: name with everything that its decisions depend on; the name if not given.
    """
    server = AgentServer(make, port, name=name or str(getattr(make, "__name__", "agent")), identity=identity)
    sys.stdout.write(f"{server.card['identity']} is at {server.url}\n")
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
