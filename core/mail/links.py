"""Links in mails. Opening one changes nothing, by GET or HEAD; acting is a POST (M19).

Each token is signed for one purpose and says whom and what it is for; the page that it opens asks
whether that is still so (the turn open, the invitation unanswered).

>>> links = Links("a long secret", "https://play.example.org")
>>> token = links.url(TurnLink(user=7, game=12, seat=3, turn=57)).rpartition("/")[2]
>>> links.read(TurnLink, token)
TurnLink(user=7, game=12, seat=3, turn=57)
>>> links.read(BackLink, token) is None
True
"""

from dataclasses import astuple, dataclass
from typing import Final, Literal, TypeVar

from itsdangerous import BadData, URLSafeSerializer

Scope = Literal["turns", "games", "chat"]
"""What one unsubscribes from: turn mails; start, end and invitations; chat (M15, M16)."""


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
    """Reads a user's calendar and feeds, until he counts up the version of his addresses."""

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
_L = TypeVar(
    "_L",
    TurnLink,
    BackLink,
    InviteLink,
    UnsubscribeLink,
    DeclineLink,
    AddressLink,
    FeedLink,
    ReachedLink,
)

_PATHS: Final[dict[type[Link], str]] = {
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
        """A page that needs no token, such as ``/games/12``."""
        return f"{self.public_url}{path}"

    def sign_in(self, token: str) -> str:
        """``/sign-in/<token>``; the token is made and kept by core.table.people.accounts."""
        return self.page(f"/sign-in/{token}")

    def url(self, link: Link) -> str:
        """The address that opens what `link` says: ``/turn/<token>`` and so on."""
        token = self._signer(type(link)).dumps(astuple(link))
        text = token if isinstance(token, str) else token.decode()
        return self.page(f"/{_PATHS[type(link)]}/{text}")

    def read(self, kind: type[_L], token: str) -> _L | None:
        """What a genuine token of this kind says; None for any other."""
        try:
            values = self._signer(kind).loads(token)
        except BadData:
            return None
        return kind(*values)

    def _signer(self, kind: type[Link]) -> URLSafeSerializer:
        # The salt is the purpose: a token made for one kind of link opens no other.
        return URLSafeSerializer(self._secret, salt=f"kraftpost link {_PATHS[kind]}")
