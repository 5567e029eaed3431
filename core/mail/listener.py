"""The SMTP or LMTP server that takes answers in, hands them on and says what became of them.

A message is answered with 250 only after `receive` has returned, that is, after it was stored;
if `receive` fails the sender hears 451 and tries again later. It may also send a stored message
again, if the line broke before our answer: `receive` must know a Message-ID it has seen.
"""

import asyncio
import logging
import signal
import ssl
import threading
from collections.abc import Callable, Coroutine, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from typing import Any, AnyStr, Final, TypeVar

from aiosmtpd.lmtp import LMTP
from aiosmtpd.smtp import SMTP, Envelope, Session

from core.mail.inbound import MAX_BYTES

STORED: Final = "250 2.0.0 Stored"
REFUSED: Final = "550 5.1.1 This address answers nothing any more; answer the newest mail instead"
LATER: Final = "451 4.3.0 Cannot store your mail just now; please try again later"
UNKNOWN: Final = "550 5.1.1 No such address here; answer a mail of ours, it has the right one"
TOO_MANY: Final = "452 4.5.3 Too many recipients in one message"
BUSY: Final = b"421 4.3.2 Too many connections; please try again later\r\n"

Receive = Callable[[bytes, str, Sequence[str]], Sequence[str]]
"""Takes (raw message, envelope sender, recipients), returns a reply for each recipient.

Called in a thread. A reply is STORED, REFUSED, LATER or another line of that form; an exception
counts as LATER for all.
"""

_log = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class Limits:
    """What one sender may ask of the listener."""

    message_bytes: int = MAX_BYTES
    recipients: int = 20
    connections: int = 64
    seconds: float = 120
    """For one command, the whole of a message included; then the line is cut."""
    commands: int = 200
    """Of one name in one connection."""
    threads: int = 4
    """Messages that are handed on at the same time."""


class _Handler:
    """What aiosmtpd calls for recipients and messages."""

    def __init__(self, receive: Receive, known: Callable[[str], bool], limits: Limits) -> None:
        self._receive, self._known, self._limits = receive, known, limits
        self.pool = ThreadPoolExecutor(limits.threads, thread_name_prefix="mail-in")

    async def handle_RCPT(  # noqa: N802 (the name is aiosmtpd's)
        self, server: SMTP, session: Session, envelope: Envelope, address: str, options: list[str]
    ) -> str:
        if len(envelope.rcpt_tos) >= self._limits.recipients:
            return TOO_MANY
        if not self._known(address):
            return UNKNOWN
        envelope.rcpt_tos.append(address)
        return "250 2.1.5 OK"

    async def handle_DATA(  # noqa: N802
        self, server: SMTP, session: Session, envelope: Envelope
    ) -> str:
        recipients = tuple(envelope.rcpt_tos)
        sender = "" if envelope.mail_from == "<>" else str(envelope.mail_from or "")
        arguments = (bytes(envelope.original_content or b""), sender, recipients)
        try:
            loop = asyncio.get_running_loop()
            replies = await loop.run_in_executor(self.pool, self._receive, *arguments)
        except Exception:
            _log.exception("a mail could not be stored")
            replies = ()
        if len(replies) != len(recipients):
            replies = [LATER] * len(recipients)
        return "\r\n".join(replies) if isinstance(server, LMTP) else _one_reply(replies)

    async def handle_exception(self, error: Exception) -> str:
        _log.error("mail listener", exc_info=error)
        return LATER


def _one_reply(replies: Sequence[str]) -> str:
    """SMTP has one answer for all recipients: try again if any must, else stored if any was."""
    return min(replies, key=lambda reply: "425".find(reply[:1]))


class _Smtp(SMTP):
    """A connection that strikes itself off the list when it is lost."""

    line_length_limit = MAX_BYTES  # RFC 5321 has 1000; longer lines are cut when they are read
    lines: "set[_Smtp]"

    def connection_lost(self, error: Exception | None) -> None:
        super().connection_lost(error)
        self.lines.discard(self)


class _Lmtp(LMTP, _Smtp):
    _replies = 1

    async def push(self, status: AnyStr) -> None:
        """Send a reply; the one to a message once for each recipient (RFC 2033, 4.2)."""
        text = status if isinstance(status, str) else status.decode()
        if "\r\n" not in text:
            text = "\r\n".join([text] * self._replies)
        await super().push(text)
        recipients = self.envelope.rcpt_tos if self.envelope else []
        self._replies = len(recipients) if text.startswith("354") else 1


class _Busy(asyncio.Protocol):
    """The answer to one connection too many."""

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        if isinstance(transport, asyncio.WriteTransport):
            transport.write(BUSY)
            transport.close()


_T = TypeVar("_T")


class Listener:
    """An SMTP (or LMTP) server in a thread of its own; `with Listener(…) as l: l.port`."""

    def __init__(  # noqa: PLR0913 - a server is what it is: where, how, for whom
        self,
        receive: Receive,
        known: Callable[[str], bool],
        host: str = "127.0.0.1",
        port: int = 0,
        *,
        lmtp: bool = False,
        hostname: str = "localhost",
        tls: ssl.SSLContext | None = None,
        limits: Limits | None = None,
    ) -> None:
        """Take mail for the addresses that are `known`, all others are refused at once.

        Port 0 lets the system choose; `port` says which one after `start`. With `tls` senders may
        ask for STARTTLS, and need not.
        """
        self.host, self.port = host, port
        self._limits = limits or Limits()
        self._handler = _Handler(receive, known, self._limits)
        self._protocol = _Lmtp if lmtp else _Smtp
        self._hostname, self._tls = hostname, tls
        self._lines: set[_Smtp] = set()
        self._server: asyncio.Server | None = None
        self._loop = asyncio.new_event_loop()
        self._thread = threading.Thread(target=self._loop.run_forever, name="mail-in", daemon=True)

    def start(self) -> None:
        """Listen; OSError if the address is in use."""
        self._thread.start()
        try:
            self._wait(self._listen())
        except OSError:
            self.stop()
            raise

    def stop(self) -> None:
        """Stop listening; messages being stored get their answer, then all lines are cut."""
        if self._loop.is_closed():
            return
        self._wait(self._close())
        self._loop.call_soon_threadsafe(self._loop.stop)
        self._thread.join()
        self._loop.close()

    def __enter__(self) -> "Listener":
        self.start()
        return self

    def __exit__(self, *_: object) -> None:
        self.stop()

    def _wait(self, work: Coroutine[Any, Any, _T]) -> _T:
        return asyncio.run_coroutine_threadsafe(work, self._loop).result()

    async def _listen(self) -> None:
        self._server = await self._loop.create_server(self._new_line, self.host, self.port)
        self.port = self._server.sockets[0].getsockname()[1]

    def _new_line(self) -> asyncio.BaseProtocol:
        if len(self._lines) >= self._limits.connections:
            return _Busy()
        line = self._protocol(
            self._handler,
            hostname=self._hostname,
            ident="Kraftpost",
            data_size_limit=self._limits.message_bytes,
            enable_SMTPUTF8=True,
            timeout=self._limits.seconds,
            command_call_limit=self._limits.commands,
            tls_context=self._tls,
            loop=self._loop,
        )
        line.lines = self._lines
        self._lines.add(line)
        return line

    async def _close(self) -> None:
        if self._server:
            self._server.close()
        # The pool ends after what it stores; by the time we hear of that, the answers are sent.
        await self._loop.run_in_executor(None, self._handler.pool.shutdown)
        others = asyncio.all_tasks() - {asyncio.current_task()}
        for task in others:
            task.cancel()
        await asyncio.gather(*others, return_exceptions=True)
        await self._loop.shutdown_default_executor()


def serve(listener: Listener, ready: Callable[[Listener], None] | None = None) -> None:
    """Listen until SIGINT or SIGTERM, in the main thread; OSError if the address is in use.

    `ready` is called once mail is taken in, with the listener, which then knows its port.
    """
    ended = threading.Event()
    for number in (signal.SIGINT, signal.SIGTERM):
        signal.signal(number, lambda *_: ended.set())
    with listener:
        if ready:
            ready(listener)
        ended.wait()
