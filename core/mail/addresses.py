"""Signed reply addresses: who answers which turn, said by the address alone.

>>> box = ReplyAddress("a long secret", "play.example.org")
>>> address = box.make(TurnToken(game=12, seat=3, turn=57))
>>> address
'turn+12.3.57.fkjgfokrzbumz72kuhl4pg7n@play.example.org'
>>> box.read(address.upper())
TurnToken(game=12, seat=3, turn=57)
>>> box.read(address.replace("12.3", "12.4")) is None
True
"""

import hmac
import re
from base64 import b32encode
from dataclasses import astuple, dataclass
from typing import Final, Literal, TypeVar

from itsdangerous import BadData, URLSafeSerializer

LOCAL_PART_LIMIT = 64
"""Octets that a local part may have (RFC 5321, 4.5.3.1.1)."""

_MAC_BYTES = 15  # 120 bits, which base32 writes as exactly 24 characters, without padding
_LOCAL = re.compile(r"(turn|invite|table|place)[+.]([0-9.]+)\.([a-z2-7]{24})")


@dataclass(frozen=True, slots=True)
class TurnToken:
    """Answers one turn (log position at which a seat was asked) of one seat of one game."""

    game: int
    seat: int
    turn: int


@dataclass(frozen=True, slots=True)
class InviteToken:
    """Answers one invitation."""

    invitation: int


@dataclass(frozen=True, slots=True)
class TableToken:
    """Writes to a table as one of its seats while it is not asked: status, chat."""

    game: int
    seat: int


@dataclass(frozen=True, slots=True)
class PlaceToken:
    """Writes as a user: to a table at which they have no seat yet, or, with game 0, to none."""

    game: int
    user: int


Token = TurnToken | InviteToken | TableToken | PlaceToken

_KINDS: dict[str, type[Token]] = {
    "turn": TurnToken, "invite": InviteToken, "table": TableToken, "place": PlaceToken,
}  # fmt: skip
_NAMES: dict[type[Token], str] = {token: name for name, token in _KINDS.items()}


class ReplyAddress:
    """Makes and reads signed addresses at one domain.

    Mail servers may fold case, so a token is lower case and read in any case. The signature covers
    kind and numbers as they are written, so it holds for no other kind, game, seat or turn.
    """

    def __init__(self, secret: str, domain: str, mailbox: str = "") -> None:
        """Sign with `secret`; receive mail at `domain`, or in one `mailbox` with tags behind a +.

        ``club@example.org`` gets ``club+turn.12.3.57.…@example.org``.
        """
        if not secret:
            raise ValueError("the secret for reply addresses is empty")
        self._box, _at, at = mailbox.lower().rpartition("@")
        self.domain = (at or domain).lower()
        # The service's secret signs other things too: a key of our own keeps them apart.
        self._key = hmac.digest(secret.encode(), b"kraftpost reply address 1", "sha256")

    def make(self, token: Token) -> str:
        """Address that says `token`; ValueError for negative or absurdly long numbers."""
        numbers = astuple(token)
        if min(numbers) < 0:
            raise ValueError(f"negative number in {token}")
        plain = f"{_NAMES[type(token)]}+{'.'.join(map(str, numbers))}"
        local = f"{plain}.{self._sign(plain)}"
        if self._box:
            local = f"{self._box}+{local.replace('+', '.', 1)}"
        if len(local) > LOCAL_PART_LIMIT:
            raise ValueError(f"{token} does not fit into an address")
        return f"{local}@{self.domain}"

    def read(self, address: str) -> Token | None:
        """Return what a genuine address of ours says, in any case of letters.

        None for any other.
        """
        # Not ASCII is not ours: lower() would turn a Kelvin sign into a k.
        local, _at, domain = address.lower().rpartition("@")
        own = f"{self._box}+" if self._box else ""
        if not address.isascii() or domain != self.domain or not local.startswith(own):
            return None
        match = _LOCAL.fullmatch(local.removeprefix(own))
        if not match or address.lower() != self._written(own, *match.groups()):
            return None
        kind, numbers, mac = match[1], match[2], match[3]
        if not hmac.compare_digest(mac, self._sign(f"{kind}+{numbers}")):
            return None
        return _KINDS[kind](*map(int, numbers.split(".")))

    def _written(self, own: str, kind: str, numbers: str, mac: str) -> str:
        """Return an address as `make` writes it: no other is ours."""
        return f"{own}{kind}{'.' if own else '+'}{numbers}.{mac}@{self.domain}"

    def _sign(self, plain: str) -> str:
        mac = hmac.digest(self._key, plain.encode(), "sha256")[:_MAC_BYTES]
        return b32encode(mac).decode().lower()


Scope = Literal["turns", "games", "chat", "answers", "notices"]
"""What one unsubscribes from: turn mails; start, end and invitations; chat (M15, M16); answers to
one's own mails; what becomes of one's seat."""


@dataclass(frozen=True, slots=True)
class TurnLink:
    """Opens the form of one turn of one seat, for the user who sits there."""

    user: int
    game: int
    seat: int
    turn: int


@dataclass(frozen=True, slots=True)
class BackLink:
    """Opens the page on which the owner of a seat takes it back from its caretaker."""

    user: int
    game: int
    seat: int


@dataclass(frozen=True, slots=True)
class InviteLink:
    """Opens an invitation."""

    invitation: int


@dataclass(frozen=True, slots=True)
class UnsubscribeLink:
    """Ends one kind of mails to a user; a POST of the mail program does it (RFC 8058)."""

    user: int
    scope: Scope


@dataclass(frozen=True, slots=True)
class DeclineLink:
    """Declines an invitation and with it every further mail about it (RFC 8058)."""

    invitation: int


@dataclass(frozen=True, slots=True)
class AddressLink:
    """Changes the address of a user from `old` to `new`, `until` then (seconds since 1970, UTC)."""

    user: int
    old: str
    new: str
    until: int


@dataclass(frozen=True, slots=True)
class FeedLink:
    """Reads a user's calendar and feeds, until they count up the version of their addresses."""

    user: int
    version: int


@dataclass(frozen=True, slots=True)
class ReachedLink:
    """Says that a test mail (row of the outbox) has reached `email`; `until`: seconds, UTC."""

    mail: int
    user: int
    email: str
    until: int


Link = (
    TurnLink
    | BackLink
    | InviteLink
    | UnsubscribeLink
    | DeclineLink
    | AddressLink
    | FeedLink
    | ReachedLink
)
L = TypeVar("L", bound=Link)

_PATHS: Final[dict[type, str]] = {
    TurnLink: "turn",
    BackLink: "back",
    InviteLink: "invitation",
    UnsubscribeLink: "unsubscribe",
    DeclineLink: "no-thanks",
    AddressLink: "address",
    FeedLink: "feeds",
    ReachedLink: "reached",
}


class Links:
    """Makes and reads the links of one installation."""

    def __init__(self, secret: str, public_url: str) -> None:
        """Sign with `secret`; all links begin with `public_url`."""
        self.public_url = public_url.rstrip("/")
        self._secret = secret

    def page(self, path: str) -> str:
        """Return a page that needs no token, such as ``/games/12``."""
        return f"{self.public_url}{path}"

    def sign_in(self, token: str) -> str:
        """Return ``/sign-in/<token>``; the token is made and kept by core.table.people.accounts."""
        return self.page(f"/sign-in/{token}")

    def url(self, link: Link) -> str:
        """Return the address that opens what `link` says: ``/turn/<token>`` and so on."""
        token = self._signer(type(link)).dumps(astuple(link))
        text = token if isinstance(token, str) else token.decode()
        return self.page(f"/{_PATHS[type(link)]}/{text}")

    def read(self, kind: type[L], token: str) -> L | None:
        """Return what a genuine token of this kind says; None for any other."""
        try:
            values = self._signer(kind).loads(token)
        except BadData:
            return None
        return kind(*values)

    def _signer(self, kind: type) -> URLSafeSerializer:
        # The salt is the purpose: a token made for one kind of link opens no other.
        return URLSafeSerializer(self._secret, salt=f"kraftpost link {_PATHS[kind]}")


_DOTLESS: Final = ("gmail.com", "googlemail.com")
"""Domains whose mailboxes ignore dots, and are one by either name."""


def mailbox(address: str) -> str:
    """Return the mailbox behind an address: tags behind a + lead nowhere else.

    >>> mailbox("An.Na+kraft@googlemail.com"), mailbox("an.na@example.org")
    ('anna@gmail.com', 'an.na@example.org')
    """
    local, _at, domain = address.lower().rpartition("@")
    local = local.partition("+")[0] or local
    if domain in _DOTLESS:
        return f"{local.replace('.', '')}@{_DOTLESS[0]}"
    return f"{local}@{domain}"
