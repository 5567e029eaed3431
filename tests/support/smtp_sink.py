"""A real SMTP server on the loopback that keeps what it is given, and can refuse for a while."""

import email
import email.policy
import threading
import time
from collections.abc import Callable
from dataclasses import dataclass
from email.message import EmailMessage
from typing import Any, cast

from aiosmtpd.controller import Controller
from aiosmtpd.smtp import SMTP, Envelope, Session

BUSY = "421 4.3.2 Come back later"


@dataclass(frozen=True)
class Received:
    """One message as it arrived, with its envelope."""

    sender: str
    recipients: tuple[str, ...]
    raw: bytes

    @property
    def message(self) -> EmailMessage:
        """The message, parsed."""
        parsed = email.message_from_bytes(self.raw, policy=email.policy.default)
        return cast(EmailMessage, parsed)


class _AnyPort(Controller):
    """A controller that lets the system choose the port."""

    def _trigger_server(self) -> None:
        self.port = self.server.sockets[0].getsockname()[1]
        super()._trigger_server()


class SmtpSink:
    """Messages by arrival in ``messages``; ``url`` is what MAIL_URL wants."""

    def __init__(self) -> None:
        self.messages: list[Received] = []
        self.refused = 0
        self._refuse_until = 0.0
        self._changed = threading.Condition()
        self._controller = _AnyPort(self, hostname="127.0.0.1", port=0)
        self._controller.start()
        self.port: int = self._controller.port
        self.url = f"smtp://127.0.0.1:{self.port}"

    def refuse(self, seconds: float) -> None:
        """Answer 421 to every message for so many seconds; 0 ends it."""
        self._refuse_until = time.monotonic() + seconds

    async def handle_DATA(  # noqa: N802 (the name is aiosmtpd's)
        self, _server: SMTP, _session: Session, envelope: Envelope
    ) -> str:
        """Keep the message, or refuse it."""
        with self._changed:
            if time.monotonic() < self._refuse_until:
                self.refused += 1
                return BUSY
            self.messages.append(
                Received(
                    envelope.mail_from or "",
                    tuple(envelope.rcpt_tos),
                    cast(bytes, envelope.content),
                )
            )
            self._changed.notify_all()
        return "250 2.0.0 Kept"

    def wait(
        self, wanted: Callable[[list[Received]], Any] = bool, *, within: float = 30
    ) -> list[Received]:
        """Wait until ``wanted(messages)`` holds, and return a copy of the messages.

        Raises:
            TimeoutError: it does not hold within so many seconds.
        """
        with self._changed:
            if not self._changed.wait_for(lambda: wanted(self.messages), within):
                raise TimeoutError(f"{len(self.messages)} messages after {within} s")
            return list(self.messages)

    def close(self) -> None:
        """End the server."""
        self._controller.stop()
