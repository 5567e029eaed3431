"""How long the site waits: for a slow client to say what it wants, and for a page to be made.

A request whose bytes trickle in would hold a thread for as long as it likes; it is cut off. A page
that is reckoned for too long is stopped where it is: its transaction is undone, and it says so.
"""

import ctypes
import errno
import socket
import threading
import time
from typing import Any, Final

from flask import Flask, g, request
from gunicorn.workers.gthread import ThreadWorker

from webapp.errors import TooLong

READ_SECONDS: Final = 10.0
"""A request has arrived after so long, or never will …"""
BYTES_PER_SECOND: Final = 32 * 1024
"""… but a long one, such as a game's file, may take as long as this rate needs."""
PAGE_SECONDS: Final = 5.0
"""A page takes no longer …"""
LONG_SECONDS: Final = 20.0
"""… except those that replay a whole game."""
LONG_PAGES: Final = ("importing.bring", "pictures.reel")
_LOOK: Final = 0.2


class PatientSocket:
    """A client's socket that is read from for a limited time a request."""

    def __init__(self, sock: socket.socket) -> None:
        self._sock = sock
        self.begin()

    def begin(self) -> None:
        """Await a new request."""
        self._began, self._received = time.monotonic(), 0

    def recv(self, *size: int) -> bytes:
        """Receive what there is; what does not come in time counts as hung up."""
        allowed = READ_SECONDS + self._received / BYTES_PER_SECOND
        left = self._began + allowed - time.monotonic()
        try:
            if left <= 0:
                raise TimeoutError
            self._sock.settimeout(left)
            found = self._sock.recv(*size)
        except TimeoutError:
            raise ConnectionResetError(errno.ECONNRESET, "it took too long") from None
        self._sock.settimeout(READ_SECONDS)  # also for who does not take the answer
        self._received += len(found)
        return found

    def __getattr__(self, name: str) -> Any:
        return getattr(self._sock, name)


class PatientWorker(ThreadWorker):  # type: ignore[misc]
    """gunicorn's worker of threads, none of which waits for a slow client for ever (S5)."""

    def handle(self, conn: Any) -> Any:
        """Handle a request as before, its socket read in a limited time."""
        if isinstance(conn.sock, PatientSocket):
            conn.sock.begin()
        else:
            conn.sock = PatientSocket(conn.sock)
        return super().handle(conn)


class _Limit:
    """What stops a thread that has not done with its request by a time."""

    def __init__(self, seconds: float) -> None:
        self._thread, self._until = threading.get_ident(), time.monotonic() + seconds
        self._lock, self._over = threading.Lock(), False
        _watch.put(self)

    def look(self, now: float) -> bool:
        """Stop the thread if it is time; return True while there is more to watch."""
        with self._lock:
            if self._over:
                return False
            if now < self._until:
                return True
            self._over = True
            _raise_in(self._thread, TooLong)
            return False

    def end(self) -> None:
        """Watch no more: the request is answered."""
        with self._lock:
            self._over = True


class _Watch:
    """A thread that looks after all requests of a process; begun with the first after a fork."""

    def __init__(self) -> None:
        self._limits: list[_Limit] = []
        self._thread: threading.Thread | None = None
        self._lock = threading.Lock()

    def put(self, limit: _Limit) -> None:
        """Watch one more."""
        with self._lock:
            self._limits.append(limit)
            if self._thread is None or not self._thread.is_alive():
                self._thread = threading.Thread(target=self._run, daemon=True, name="patience")
                self._thread.start()

    def _run(self) -> None:
        while True:
            time.sleep(_LOOK)
            now = time.monotonic()
            with self._lock:
                limits, self._limits = self._limits, []
            rest = [limit for limit in limits if limit.look(now)]
            with self._lock:
                self._limits += rest


_watch: Final = _Watch()


def _raise_in(thread: int, error: type[Exception]) -> None:
    """Raise an error in another thread, at the next step of its Python."""
    ctypes.pythonapi.PyThreadState_SetAsyncExc(ctypes.c_ulong(thread), ctypes.py_object(error))


def init_app(app: Flask) -> None:
    """Limit the time of every page."""
    app.config.setdefault("PAGE_SECONDS", 60.0 if app.testing else PAGE_SECONDS)

    @app.before_request
    def _begin() -> None:
        longer = request.endpoint in LONG_PAGES
        seconds = app.config["PAGE_SECONDS"]
        g.limit = _Limit(max(LONG_SECONDS, seconds) if longer else seconds)

    @app.teardown_request
    def _end(_error: BaseException | None) -> None:
        if "limit" in g:
            g.limit.end()
