"""Answers from an IMAP mailbox, where no mail can be sent to us directly.

Only what is for an address of ours is read, stored, and then marked as seen; other people's mail in
the same mailbox is not touched. What was stored and not marked comes again, and is known by its
Message-ID.
"""

import contextlib
import logging
import ssl
import threading
from collections.abc import Callable, Iterator, Sequence
from email.parser import HeaderParser
from typing import Any, Final

from imapclient import SEEN, IMAPClient
from imapclient.exceptions import IMAPClientError

from core.settings import ImapServer

Take = Callable[[bytes], bool]
"""Stores a raw mail; False if it is for no address of ours. An exception: try again later."""
LONGEST: Final = 10 << 20
"""Octets of a mail that is fetched; larger ones stay where they are."""
IDLE: Final = 300.0
"""Seconds to wait for news before looking anyway: servers forget, lines die in silence."""
POLL: Final = 30.0
"""Seconds between two looks where the server cannot tell of news."""
FIRST_PAUSE: Final = 2.0
LAST_PAUSE: Final = 300.0
"""Seconds before the next try after a failure: doubled each time, up to this."""
_HEADERS: Final = b"BODY[HEADER]"
_WHOLE: Final = b"BODY[]"

_log = logging.getLogger(__name__)


class Fetcher:
    """Fetches mail in a thread of its own until it is stopped."""

    def __init__(
        self,
        server: ImapServer,
        take: Take,
        ours: Callable[[bytes], bool],
        looked: Callable[[], None] = lambda: None,
    ) -> None:
        """Store by `take` what `ours` says, of its headers, is for us; `looked`: all is read."""
        self._server, self._take, self._ours, self._looked = server, take, ours, looked
        self._stopped = threading.Event()
        self._passed: set[int] = set()
        self._thread = threading.Thread(target=self._run, name="imap", daemon=True)

    def __enter__(self) -> "Fetcher":
        self._thread.start()
        return self

    def __exit__(self, *_: object) -> None:
        self._stopped.set()
        self._thread.join(10)

    def _run(self) -> None:
        pause = FIRST_PAUSE
        while not self._stopped.is_set():
            try:
                with self._opened() as client:
                    self._passed.clear()
                    while not self._stopped.is_set():
                        self.look(client)
                        self._looked()
                        pause = FIRST_PAUSE
                        self._wait(client)
            except Exception as error:  # whatever it is, the next look may be better
                _log.warning("the mailbox cannot be read: %s; again in %d s", error, pause)
                self._stopped.wait(pause)
                pause = min(pause * 2, LAST_PAUSE)

    @contextlib.contextmanager
    def _opened(self) -> Iterator[IMAPClient]:
        server = self._server
        client = IMAPClient(server.host, server.port, ssl=server.tls, timeout=30)
        try:
            if not server.tls and client.has_capability("STARTTLS"):
                client.starttls(ssl.create_default_context())
            client.login(server.user, server.password)
            client.select_folder(server.folder)
            yield client
        finally:
            with contextlib.suppress(IMAPClientError, OSError):
                client.logout()

    def look(self, client: IMAPClient) -> None:
        """Store all unseen mail that is for us."""
        fresh = [uid for uid in client.search(["UNSEEN"]) if uid not in self._passed]
        for uid in fresh:
            found: dict[bytes, Any] = client.fetch([uid], ["RFC822.SIZE", "BODY.PEEK[HEADER]"])[uid]
            if found[b"RFC822.SIZE"] > LONGEST or not self._ours(found[_HEADERS]):
                self._passed.add(uid)
                continue
            raw = client.fetch([uid], ["BODY.PEEK[]"])[uid][_WHOLE]
            if self._take(raw):
                client.add_flags([uid], [SEEN])
            else:
                self._passed.add(uid)

    def _wait(self, client: IMAPClient) -> None:
        """Wait for news: told by the server where it can (RFC 2177)."""
        if not client.has_capability("IDLE"):
            self._stopped.wait(POLL)
            client.noop()
            return
        client.idle()
        try:
            waited = 0.0
            while waited < IDLE and not self._stopped.is_set():
                if _news(client.idle_check(timeout=1.0)):
                    break
                waited += 1.0
        finally:
            client.idle_done()


def envelope_of(raw: bytes) -> str | None:
    """Return the envelope sender that the last server wrote into a mail; None if it did not."""
    path = HeaderParser().parsestr(raw.partition(b"\r\n\r\n")[0].decode("latin-1"))["Return-Path"]
    return None if path is None else path.strip().strip("<>")


def _news(told: Sequence[Any]) -> bool:
    return any(b"EXISTS" in line or b"RECENT" in line for line in told if isinstance(line, tuple))
