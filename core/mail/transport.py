"""Takes a message to the mail server, or into a directory as an ``.eml`` file for local play."""

import re
import smtplib
import socket
import ssl
from contextlib import suppress
from datetime import UTC, datetime
from email.message import EmailMessage
from pathlib import Path
from typing import Final, Self

from core.settings import MailServer

_GREETING: Final = 10  # seconds for a connection and its first answer
_ANSWER: Final = 30  # for each other one: who hangs up before the last sends the mail twice
_NO_MAILBOX: Final = (550, 551, 553)  # RFC 5321, 4.2.3
_STATUS: Final = re.compile(r"\s*([245]\.\d{1,3})\.\d{1,3}\b")  # enhanced status, RFC 3463
_BAD_ADDRESS: Final = "5.1"
_POLICY: Final = re.compile(r"relay|denied|polic|auth|block|spam|listed|reputation", re.IGNORECASE)


class Unreachable(Exception):
    """No server answers, or it does not let us in: no mail can be sent just now."""


class Refused(Exception):
    """The server does not take this message; `permanent`: its address will never be taken."""

    def __init__(self, reason: str, *, permanent: bool = False) -> None:
        """Say why, as the server put it."""
        super().__init__(reason)
        self.permanent = permanent


class Smtp:
    """An SMTP server; one connection serves all messages sent within a ``with`` block."""

    def __init__(self, server: MailServer) -> None:
        """Connect at the first message, not before."""
        self._server = server
        self._connection: smtplib.SMTP | None = None

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_exception: object) -> None:
        self._hang_up()

    def send(self, message: EmailMessage) -> None:
        """Return when the server has taken the message over.

        Raises:
            Unreachable: no connection, no TLS, no login, or the server hung up.
            Refused: it is there and does not take this message.
        """
        try:
            connection = self._connection or self._connect()
            self._connection = connection
            self._hand_over(connection, message)
        except (OSError, smtplib.SMTPException) as error:
            self._hang_up()
            raise Unreachable(f"{self._server.host}: {_plain(error)}") from error
        except (Refused, Unreachable):
            raise
        except BaseException:
            # Stopped in the midst of it: what is answered yet would be taken for other answers.
            if self._connection is not None:
                self._connection.close()
            self._connection = None
            raise

    def _hand_over(self, connection: smtplib.SMTP, message: EmailMessage) -> None:
        try:
            connection.send_message(message)
        except smtplib.SMTPRecipientsRefused as error:
            code, text = next(iter(error.recipients.values()))
            raise self._refused(code, text, permanent=_no_mailbox(code, text)) from error
        except (smtplib.SMTPSenderRefused, smtplib.SMTPDataError) as error:
            raise self._refused(error.smtp_code, error.smtp_error) from error
        except (smtplib.SMTPNotSupportedError, UnicodeError) as error:
            # An address that this server cannot be told: it is this mail's trouble alone.
            self._hang_up()
            raise Refused(f"{self._server.host}: {_plain(error)}", permanent=True) from error

    def _connect(self) -> smtplib.SMTP:
        server = self._server
        connection: smtplib.SMTP
        if server.tls == "implicit":
            connection = smtplib.SMTP_SSL(
                server.host, server.port, timeout=_GREETING, context=ssl.create_default_context()
            )
        else:
            connection = smtplib.SMTP(server.host, server.port, timeout=_GREETING)
        if connection.sock is not None:
            connection.sock.settimeout(_ANSWER)
        try:
            if server.tls == "starttls":
                connection.starttls(context=ssl.create_default_context())
            if server.user:
                connection.login(server.user, server.password)
        except BaseException:
            connection.close()
            raise
        return connection

    def _refused(self, code: int, text: bytes | str, *, permanent: bool = False) -> Exception:
        if code == 421:  # "closing transmission channel": it is the server, not this message
            self._hang_up()
            return Unreachable(f"{self._server.host}: {code} {_plain(text)}")
        return Refused(f"{self._server.host}: {code} {_plain(text)}", permanent=permanent)

    def _hang_up(self) -> None:
        connection, self._connection = self._connection, None
        if connection is not None:
            with suppress(OSError, smtplib.SMTPException):
                connection.quit()


class Directory:
    """A directory that keeps each message as one file; the names sort by time."""

    def __init__(self, directory: Path) -> None:
        """Make the directory where it is missing."""
        self._directory = directory
        directory.mkdir(parents=True, exist_ok=True)

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_exception: object) -> None:
        pass

    def send(self, message: EmailMessage) -> None:
        """Write the file aside and rename it, so that no reader ever sees half of it.

        The name holds the Message-ID: the same mail written twice is one file.

        Raises:
            Unreachable: the directory cannot be written.
        """
        name = file_name(message)
        aside = self._directory / f".{name}.{socket.gethostname()}.part"
        try:
            if next(self._directory.glob(f"*.{_id(message)}.eml"), None) is None:
                aside.write_bytes(message.as_bytes())
                aside.rename(self._directory / name)
        except OSError as error:
            raise Unreachable(f"{self._directory}: {error}") from error


def sender(server: MailServer) -> Smtp | Directory:
    """Return the way out that MAIL_URL names; use it in a ``with`` block."""
    return Directory(server.directory) if server.directory else Smtp(server)


def file_name(message: EmailMessage) -> str:
    """Return ``20261130T012345.678901Z.turn.<id>.eml``: sorts by time, says the kind."""
    at = datetime.now(UTC)
    kind = message.get("X-Kraftpost-Kind", "mail")
    return f"{at:%Y%m%dT%H%M%S.%fZ}.{kind}.{_id(message)}.eml"


def _id(message: EmailMessage) -> str:
    return "".join(c for c in message["Message-ID"].split("@")[0] if c.isalnum())


def _no_mailbox(code: int, text: bytes | str) -> bool:
    """Return whether a refused recipient does not exist.

    A 5xx may as well be the server's policy (5.7.1, relaying denied), which somebody mends, and
    which must not make all addresses bad.
    """
    told = _plain(text)
    status = _STATUS.match(told)
    bad = status[1] == _BAD_ADDRESS if status else not _POLICY.search(told)
    return code in _NO_MAILBOX and bad


def _plain(error: object) -> str:
    text = error.decode("utf-8", "replace") if isinstance(error, bytes) else str(error)
    return " ".join(text.split())[:300]
