"""A POST to an address that a stranger has chosen, which must reach nothing of ours (M24).

Only https. The name is looked up once, every address that it has must be public, and the
connection goes to an address that was looked at, so that a second look-up cannot lead elsewhere.
Redirects are not followed, proxies of the environment not asked, and all of it ends in time.
"""

import socket
import ssl
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from http.client import HTTPException, HTTPSConnection
from ipaddress import IPv6Address, ip_address, ip_network
from queue import Empty, SimpleQueue
from threading import Thread, Timer
from time import monotonic
from typing import Final
from urllib.parse import urlsplit

from core.text import _

SECONDS: Final = 10.0
"""What a call may take from the first packet to the last."""
LONGEST: Final = 500
"""Characters of an address."""
_READ: Final = 4096
"""Bytes of an answer that are looked at: none of them is kept."""


class Unfit(ValueError):
    """An address that is never called; says why and what to give instead."""


class Failed(Exception):
    """A call that did not arrive; says why."""


_SPECIAL: Final = tuple(
    map(
        ip_network,
        ("192.0.0.0/24", "192.88.99.0/24", "64:ff9b::/96", "64:ff9b:1::/48", "2001::/23",
         "5f00::/16", "3fff::/20"),
    )
)  # fmt: skip
"""Blocks that IANA keeps for protocols; Python calls some of them global."""


def public(address: str) -> bool:
    """Return True if an IP address lies in the open internet, by itself and not through a tunnel.

    >>> public("9.9.9.9"), public("10.0.0.1"), public("100.64.0.1"), public("169.254.169.254")
    (True, False, False, False)
    >>> public("2620:fe::fe"), public("::1"), public("::ffff:9.9.9.9"), public("2002:7f00:1::")
    (True, False, False, False)
    >>> public("192.0.0.192"), public("64:ff9b::7f00:1")
    (False, False)
    """
    try:
        ip = ip_address(address)
    except ValueError:  # with a zone, or no address at all
        return False
    if isinstance(ip, IPv6Address) and (
        ip.ipv4_mapped or ip.sixtofour or ip.teredo or ip.is_site_local
    ):
        return False
    special = any(ip in net for net in _SPECIAL if net.version == ip.version)
    return ip.is_global and not (ip.is_multicast or ip.is_reserved or special)


def look_up(host: str, port: int) -> tuple[str, ...]:
    """Return all addresses of a host; OSError if it has none."""
    found = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM)
    return tuple(dict.fromkeys(str(entry[4][0]) for entry in found))


@dataclass(frozen=True, slots=True)
class Target:
    """An https address in parts. `path` holds the query, too."""

    host: str
    port: int
    path: str

    @classmethod
    def of(cls, url: str) -> "Target":
        """Read an address; Unfit if it is none that could be called."""
        if len(url) > LONGEST or not url.isascii() or not url.isprintable() or " " in url:
            raise Unfit(_("Give the address as the other service shows it, without spaces."))
        try:
            parts = urlsplit(url)
            port = parts.port or 443
        except ValueError as error:
            raise Unfit(_("This is no address: copy it again from the other service.")) from error
        if parts.scheme != "https":
            raise Unfit(_("Only addresses that begin with https:// are called."))
        if not parts.hostname or parts.username is not None:
            raise Unfit(_("Give the address with its host and without a name and password."))
        path = (parts.path or "/") + (f"?{parts.query}" if parts.query else "")
        return cls(parts.hostname, port, path)


def check(url: str) -> None:
    """Unfit if an address can be seen to be none of the open internet, without looking it up."""
    target = Target.of(url)
    try:
        ip_address(target.host)
    except ValueError:
        local = target.host == "localhost" or target.host.endswith((".localhost", ".local"))
        if not local and "." in target.host:
            return
    else:
        if public(target.host):
            return
    raise Unfit(_not_public())


@dataclass(frozen=True, slots=True)
class Caller:
    """Makes the calls; tests replace which addresses may be reached and which are trusted.

    `reachable`: is an IP address allowed? `addresses`: those of a host.
    """

    reachable: Callable[[str], bool] = public
    addresses: Callable[[str, int], tuple[str, ...]] = look_up
    tls: ssl.SSLContext = field(default_factory=ssl.create_default_context)
    seconds: float = SECONDS

    def post(self, url: str, body: bytes, headers: Mapping[str, str]) -> None:
        """Send `body`; return once the other side has answered that all is well (2xx).

        Raises:
            Unfit: the address must not be called.
            Failed: it was called, or tried to be, and did not say yes.
        """
        target, end = Target.of(url), monotonic() + self.seconds
        found = self._checked(target)
        connection = _Pinned(target, found, self.tls, max(end - monotonic(), 0.01))
        try:
            with connection:
                connection.request("POST", target.path, body, dict(headers))
                answer = connection.getresponse()
                answer.read(_READ)
        except (OSError, HTTPException, ValueError) as error:
            late = connection.cut or isinstance(error, TimeoutError)
            raise Failed(_too_slow(self.seconds) if late else _why(error)) from error
        if 300 <= answer.status < 400:
            raise Failed(
                _("It leads elsewhere (status {status}): give the address it leads to.").format(
                    status=answer.status
                )
            )
        if not 200 <= answer.status < 300:
            raise Failed(_("It answered with status {status}.").format(status=answer.status))

    def _checked(self, target: Target) -> tuple[str, ...]:
        """Return the addresses of the host, looked up once.

        One that is not public spoils them all.
        """
        try:
            found = self._looked_up(target)
        except TimeoutError as error:
            raise Failed(_too_slow(self.seconds)) from error
        except (OSError, UnicodeError) as error:
            raise Failed(_("There is no host {host}.").format(host=target.host)) from error
        if not found or not all(self.reachable(address) for address in found):
            raise Unfit(_not_public())
        return found

    def _looked_up(self, target: Target) -> tuple[str, ...]:
        """Return what `addresses` finds in time.

        The system's resolver has no time limit of its own.

        One that is too slow ends some time later in its own thread; nobody waits for it.
        """
        answer: SimpleQueue[tuple[str, ...] | Exception] = SimpleQueue()

        def look() -> None:
            try:
                answer.put(self.addresses(target.host, target.port))
            except (OSError, UnicodeError) as error:
                answer.put(error)

        Thread(target=look, name="look-up", daemon=True).start()
        try:
            found = answer.get(timeout=self.seconds)
        except Empty:
            raise TimeoutError from None
        if isinstance(found, Exception):
            raise found
        return found


class _Pinned(HTTPSConnection):
    """A connection to addresses that are given, for the name that the certificate must bear."""

    def __init__(
        self, target: Target, addresses: tuple[str, ...], tls: ssl.SSLContext, seconds: float
    ) -> None:
        super().__init__(target.host, target.port, context=tls)
        self.cut = False
        self._addresses, self._tls = addresses, tls
        self._end = monotonic() + seconds
        self._timer = Timer(seconds, self._cut)
        self._timer.daemon = True

    def __enter__(self) -> "_Pinned":
        self._timer.start()
        return self

    def __exit__(self, *_error: object) -> None:
        self._timer.cancel()
        self.close()

    def connect(self) -> None:
        """Reach the first address that answers; http.client calls this."""
        plain = self._reach()
        # Without the handshake first, so that it, too, can be cut short.
        self.sock = self._tls.wrap_socket(
            plain, server_hostname=self.host, do_handshake_on_connect=False
        )
        if self.cut:  # in the very moment in which there was no socket to cut
            raise TimeoutError
        self.sock.do_handshake()

    def _reach(self) -> socket.socket:
        for address in self._addresses[:-1]:
            try:
                return self._open(address)
            except OSError:
                continue
        return self._open(self._addresses[-1])

    def _open(self, address: str) -> socket.socket:
        left = max(self._end - monotonic(), 0.01)
        return socket.create_connection((address, self.port), timeout=left)

    def _cut(self) -> None:
        """End a call that is dripped out, however it keeps the line busy."""
        self.cut = True
        if self.sock is not None:
            try:
                socket.socket.shutdown(self.sock, socket.SHUT_RDWR)
            except OSError:
                return  # it has just ended by itself


def _too_slow(seconds: float) -> str:
    return _("It did not answer within {seconds} seconds.").format(seconds=round(seconds))


def _why(error: Exception) -> str:
    """Return what went wrong, in words that tell nothing of what the other side sent."""
    match error:
        case ssl.SSLCertVerificationError():
            return _("Its certificate is not valid: {why}.").format(why=error.verify_message)
        case ConnectionRefusedError():
            return _("It takes no connections.")
        case ssl.SSLError():
            return _("It speaks no https that we understand.")
        case _:
            return _("The connection broke ({kind}).").format(kind=type(error).__name__)


def _not_public() -> str:
    return _("This address is not in the open internet: private networks are never called.")
