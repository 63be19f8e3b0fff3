"""The listening side of HTTP, for small JSON services on this machine: bounded in size, time and number.

A call that cannot be understood is answered with a reason, as JSON. Web pages cannot make calls: a browser
says in ``Host`` and ``Origin`` on whose behalf it asks, and only names of this machine are served.
"""

from __future__ import annotations

import threading
from collections.abc import Callable, Collection
from contextlib import suppress
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from ipaddress import ip_address
from socket import SHUT_RDWR, socket
from typing import Any, NamedTuple
from urllib.parse import urlsplit

import msgspec

LARGEST = 1 << 28
"""Bytes that a call may have: room for a panorama of full size."""
CONNECTIONS = 128
IDLE = 120.0
"""Seconds that a client may be silent."""
_ANY = ("", "0.0.0.0", "::")
_OWN = frozenset({"localhost", "127.0.0.1", "::1"})


class Answer(NamedTuple):
    """Status and content of what is sent back."""

    status: int
    content: dict[str, Any]


Respond = Callable[[str, str, bytes], Answer]
"""Answers a call: its verb, its path and its body."""


class RefusedError(Exception):
    """A call that is not done, and the answer to it."""

    def __init__(self, status: int, why: str) -> None:
        super().__init__(why)
        self.answer = Answer(status, {"error": why})


class Listener(ThreadingHTTPServer):
    """Takes calls, each connection in a thread of its own.

    When there are too many connections, the one that has been silent for longest is closed.

    Args:
        address: host and port.
        respond: answers a call.
        allow: names of hosts, and origins of pages, that clients may name besides those of this machine.
    """

    daemon_threads = True
    request_queue_size = CONNECTIONS

    def __init__(self, address: tuple[str, int], respond: Respond, allow: Collection[str] = ()) -> None:
        self.respond = respond
        self.allow = frozenset(allow)
        self._open: set[socket] = set()
        self._silent: dict[socket, None] = {}
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

    def check_names(self, hosts: Collection[str], origins: Collection[str]) -> None:
        """Refuse calls on behalf of others.

        Raises:
            RefusedError: there is not one ``Host``, or a name that is not known.
        """
        if len(hosts) != 1 or not self._is_own(next(iter(hosts))):
            raise RefusedError(403, f"Host {', '.join(hosts) or 'is missing'}: not a name of this server")
        for origin in origins:
            if origin not in self.allow:
                raise RefusedError(403, f"Origin {origin}: web pages may not ask this server")

    def _is_own(self, host: str) -> bool:
        try:
            name = (urlsplit(f"//{host}").hostname or "").lower()
        except ValueError:
            return False
        bound = str(self.server_address[0])
        if name in _OWN or name == bound or name in self.allow:
            return True
        return bound in _ANY and _is_number(name)  # no name, so that nobody can let it mean something else

    def _close_silent(self) -> bool:
        for request in self._silent:
            self._silent.pop(request)
            self._open.discard(request)
            with suppress(OSError):
                request.shutdown(SHUT_RDWR)  # its thread sees the end, and closes it
            return True
        return False


def _is_number(name: str) -> bool:
    try:
        ip_address(name)
    except ValueError:
        return False
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

    def send_error(self, code: int, message: str | None = None, explain: str | None = None) -> None:
        """Say what is wrong with a request that is no HTTP, or too long."""
        del explain
        self.close_connection = True
        self._reply(Answer(int(code), {"error": message or self.responses.get(code, ("not understood",))[0]}))

    def log_message(self, format: str, *args: Any) -> None:  # noqa: A002
        """Say nothing of each call."""

    def _length(self) -> int:
        if self.headers.get_all("Transfer-Encoding"):
            raise RefusedError(400, "calls in chunks are not taken: send Content-Length")
        lengths = set(self.headers.get_all("Content-Length") or ())
        text = lengths.pop() if len(lengths) == 1 else ""
        if not (text.isascii() and text.isdigit()) or lengths or len(text) > 20:
            raise RefusedError(400, "Content-Length must be one whole number: how many bytes the call has")
        if int(text) > LARGEST:
            raise RefusedError(413, f"the call has {int(text):,} bytes, more than {LARGEST:,}")
        return int(text)

    def _answer(self, body: bytes) -> None:
        self.server.begin(self.connection)
        try:
            hosts, origins = (self.headers.get_all(name) or [] for name in ("Host", "Origin"))
            self.server.check_names(hosts, origins)
            answer = self.server.respond(self.command, self.path, body)
        except RefusedError as refusal:
            answer = refusal.answer
        except Exception as error:  # an agent may fail in any way while it is made
            answer = Answer(500, {"error": f"{type(error).__name__}: {error}"})
        self._reply(answer)
        self.server.rest(self.connection)

    def _reply(self, answer: Answer) -> None:
        content = msgspec.json.encode(answer.content)
        self.send_response(answer.status)
        self.send_header("Content-Type", "application/json")
        self.send_header("Content-Length", str(len(content)))
        if self.close_connection:
            self.send_header("Connection", "close")
        self.end_headers()
        self.wfile.write(content)
