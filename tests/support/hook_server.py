"""A service with a webhook: a real https server on this machine, and callers that may reach it."""

import json
import ssl
import threading
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any

from core.channels.http_caller import Caller

TLS = Path(__file__).with_name("tls")
"""A certificate for `hooks.test`, good for a hundred years, and its key: for tests alone."""


@dataclass(frozen=True)
class Received:
    """A call as it came in."""

    path: str
    headers: dict[str, str]
    body: bytes

    @property
    def json(self) -> Any:
        return json.loads(self.body)


class _Handler(BaseHTTPRequestHandler):
    """Keeps a call and answers it as its server says."""

    server: "_Server"

    def do_POST(self) -> None:
        owner = self.server.owner
        body = self.rfile.read(int(self.headers["Content-Length"]))
        owner.received.append(Received(self.path, dict(self.headers), body))
        while owner.drip and not owner.stopped.wait(0.02):
            self.wfile.write(b"H")
        self.send_response(owner.status)
        for name, value in owner.headers.items():
            self.send_header(name, value)
        self.end_headers()
        self.wfile.write(b"x" * 100_000)

    def handle(self) -> None:
        try:
            super().handle()
        except OSError:
            return  # the other side has hung up

    def log_message(self, format: str, *args: Any) -> None:
        """Say nothing."""


class _Server(ThreadingHTTPServer):
    owner: "HookServer"


@dataclass
class HookServer:
    """Answers every call with `status`, or drips out an answer that never ends."""

    status: int = 200
    headers: dict[str, str] = field(default_factory=dict)
    drip: bool = False
    received: list[Received] = field(default_factory=list)
    stopped: threading.Event = field(default_factory=threading.Event)

    def __post_init__(self) -> None:
        self.server = _Server(("127.0.0.1", 0), _Handler)
        self.server.owner = self
        tls = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
        tls.load_cert_chain(TLS / "certificate.pem", TLS / "key.pem")
        self.server.socket = tls.wrap_socket(
            self.server.socket, server_side=True, do_handshake_on_connect=False
        )
        self.thread = threading.Thread(target=self.server.serve_forever, args=(0.01,), daemon=True)
        self.thread.start()

    @property
    def port(self) -> int:
        return self.server.server_port

    @property
    def url(self) -> str:
        return f"https://hooks.test:{self.port}/services/T0/B1?x=1"

    def close(self) -> None:
        self.stopped.set()
        self.server.shutdown()
        self.server.server_close()


def near(**other: Any) -> Caller:
    """A caller that differs from the real one in what it may reach, and whom it trusts."""
    given = {
        "reachable": lambda address: address == "127.0.0.1",
        "addresses": lambda _host, _port: ("127.0.0.1",),
        "tls": ssl.create_default_context(cafile=str(TLS / "certificate.pem")),
        **other,
    }
    return Caller(**given)
