"""Users and how they sign in: by a mailed link, without a password."""

import re
import secrets
import unicodedata
from dataclasses import astuple, dataclass
from datetime import datetime, timedelta
from email.utils import parseaddr
from hashlib import sha256
from typing import Final
from zoneinfo import available_timezones

from sqlalchemy.exc import IntegrityError
from sqlmodel import Session, col, delete, or_, select, update

from core.mail import bounces, outbox
from core.mail.addresses import AddressLink, ReachedLink
from core.mail.kinds import MailKind
from core.store.session import count
from core.store.tables import Invitation, OutboxMail, SeatRow, SignInToken, User, WebSession
from core.table.people import guests
from core.table.record.errors import TableError
from core.text import _, language, one_line

TOKEN_LIFE: Final = timedelta(minutes=15)
SESSION_LIFE: Final = timedelta(days=90)
LINKS_AT_ONCE: Final = 5
"""Sign-in links that one address gets within `TOKEN_LIFE`."""
NAME_LENGTH: Final = 40
_NAMELESS: Final = "Player"
ADDRESS_LENGTH: Final = 254
_ATOM: Final = r"[a-z0-9!#$%&'*+/=?^_`{|}~-]+"
_LOCAL: Final = re.compile(rf"(?=.{{1,64}}\Z){_ATOM}(?:\.{_ATOM})*")
_PARTS: Final = re.compile(r'(?:"[^"\n]*"|<[^>\n]*>?|[^,;\n"<])+')
_BLANK: Final = frozenset("\u115f\u1160\u3164\uffa0\u2800")
"""Letters that show nothing."""
_LINK: Final = re.compile(
    r"://|\bwww\.|\b[\w-]+\.(?:com|net|org|info|io|de|ru|cn|xyz|top|biz)\b", re.IGNORECASE
)
"""What mail programs make a link of; titles and names stand in mails to strangers (H15)."""
_LABEL: Final = r"[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?"
_DOMAIN: Final = re.compile(rf"{_LABEL}(?:\.{_LABEL})*")


@dataclass(frozen=True, slots=True)
class Profile:
    """What a user chooses about themselves: name, IANA time zone, language, what to show."""

    name: str
    zone: str
    locale: str
    share_private: bool = True


def clean_address(text: str) -> str:
    """Return an address in the one form in which it is kept; TableError if it is none.

    Only what every mail server takes: ASCII before the @, and a domain of other letters as IDNA
    writes it. So each address that is accepted can be written into a header and mailed to.
    """
    local, _at, domain = unicodedata.normalize("NFKC", text).strip().lower().rpartition("@")
    domain = _ascii_domain(domain)
    address = f"{local}@{domain}"
    sound = _LOCAL.fullmatch(local) and _DOMAIN.fullmatch(domain) and "=?" not in local
    if not sound or len(address) > ADDRESS_LENGTH:
        raise TableError("address-invalid", _("This is not an e-mail address."))
    return address


def pasted(text: str) -> list[tuple[str, str]]:
    """Return names and addresses as mail programs write them, many on a line or one.

    TableError `address-invalid` names the one that is none (H9).

    >>> pasted('"Doe, Jane" <jane@example.org>, ben@example.org; Cho <c@example.org>')
    [('Doe, Jane', 'jane@example.org'), ('', 'ben@example.org'), ('Cho', 'c@example.org')]
    """
    found = []
    for part in _PARTS.findall(text):
        name, bracket, rest = part.strip().rpartition("<")
        address = rest.partition(">")[0].strip() if bracket else part.strip()
        if not address:
            continue
        try:
            clean_address(address)
        except TableError as error:
            text = _("“{address}” is not an e-mail address.").format(address=one_line(part)[:80])
            raise TableError("address-invalid", text) from error
        found.append((name.strip(' "\t') if bracket else "", address))
    return found


def refuse_own(address: str, domain: str, sender: str) -> None:
    """Raise TableError `address-ours` for an address that the service itself reads (H10)."""
    local, _at, of = clean_address(address).rpartition("@")
    own_local, _at, own_domain = parseaddr(sender)[1].lower().rpartition("@")
    ours = of == own_domain and local.partition("+")[0] == own_local
    if ours or (of == domain.lower() and "+" in local):
        text = _("This address belongs to the service itself; it reads what comes there.")
        raise TableError("address-ours", text)


def _ascii_domain(domain: str) -> str:
    """Return the domain as mail servers know it; empty if it has no such form."""
    try:
        encoded = domain.encode("idna")
        told = encoded.decode("idna")
        # Some letters, such as ß, would become others, and with them another domain; what is
        # encoded already must be what its letters are encoded as.
        same = told == domain or (domain.isascii() and told.encode("idna") == encoded)
        return encoded.decode("ascii") if same else ""
    except UnicodeError:
        return ""


def clean_name(text: str, longest: int = NAME_LENGTH) -> str:
    """Return a name on one line of printable characters; TableError if nothing is left."""
    name = one_line(text)[:longest].strip()
    if not any(_has_ink(char) for char in name):
        raise TableError("name-empty", _("Please give a name."))
    if _LINK.search(name):
        text = _("A name or title holds no link; write the address into the chat.")
        raise TableError("name-link", text)
    return name


def _has_ink(char: str) -> bool:
    return unicodedata.category(char)[0] not in "ZCM" and char not in _BLANK


def find_user(session: Session, email: str) -> User | None:
    """Return the user with this address."""
    return session.exec(select(User).where(User.email == clean_address(email))).first()


def user_for(session: Session, email: str, now: datetime, name: str = "") -> User:
    """Return the user with this address, made if there is none, with a neutral name if not given.

    Their address is nobody's business, so no part of it becomes the name that others see.
    """
    address = clean_address(email)
    if found := find_user(session, address):
        return found
    user = User(
        email=address, name=clean_name(name or _NAMELESS), created_at=now, locale=language()
    )
    try:
        with session.begin_nested():
            session.add(user)
    except IntegrityError:  # somebody else made it in this moment
        return session.exec(select(User).where(User.email == address)).one()
    if not name:
        user.name = _neutral_name(user)
        session.add(user)
    return user


def is_nameless(user: User) -> bool:
    """Whether this user has not chosen a name yet, so that they are to be asked for one."""
    return user.name == _neutral_name(user)


def _neutral_name(user: User) -> str:
    return f"{_NAMELESS} {user.id}"


def new_token(session: Session, email: str, now: datetime, life: timedelta = TOKEN_LIFE) -> str:
    """Return a secret that signs its bearer in once, within `life`."""
    token = secrets.token_urlsafe(32)
    session.add(
        SignInToken(
            email=clean_address(email),
            digest=_digest(token),
            created_at=now,
            expires_at=now + life,
        )
    )
    return token


def request_sign_in(
    session: Session, email: str, now: datetime, *, invited_only: bool = False
) -> None:
    """Mail a sign-in link. The same for known, unknown and impatient addresses: tells nothing.

    `invited_only`: nothing is mailed to a stranger whom nobody has invited.
    """
    address = clean_address(email)
    stranger = invited_only and find_user(session, address) is None
    if stranger and count(session, Invitation.email == address) == 0:
        return
    lately = col(SignInToken.created_at) > now - TOKEN_LIFE
    if count(session, SignInToken.email == address, lately) >= LINKS_AT_ONCE:
        return
    token = new_token(session, address, now)
    outbox.owe(
        session,
        MailKind.SIGN_IN,
        key=f"signin:{_digest(token)}",
        now=now,
        user=find_user(session, address),
        address=address,
        context={"token": token, "minutes": TOKEN_LIFE // timedelta(minutes=1)},
    )


def is_alive(session: Session, token: str, now: datetime) -> bool:
    """Return whether this token would still sign its bearer in."""
    query = select(SignInToken).where(SignInToken.digest == _digest(token))
    row = session.exec(query).first()
    return row is not None and row.used_at is None and row.expires_at > now


def redeem(session: Session, token: str, now: datetime, guest: User | None = None) -> User:
    """Return the user whose token this is, made if new, with all that their `guest` has played.

    A token works once (TableError afterwards).
    """
    row = session.exec(
        select(SignInToken).where(SignInToken.digest == _digest(token)).with_for_update()
    ).first()
    if row is None or row.used_at is not None or row.expires_at <= now:
        raise used_up()
    row.used_at = now
    session.add(row)
    user = (
        user_for(session, row.email, now)
        if guest is None
        else guests.settle(session, guest, row.email, now)
    )
    if user.blocked_at is not None:
        text = _("This account is closed by whoever runs the site; write to them.")
        raise TableError("blocked", text)
    return user


def open_session(session: Session, user: User, now: datetime) -> str:
    """Sign a browser in; the secret goes into its cookie and is not kept here."""
    secret = secrets.token_urlsafe(32)
    session.add(
        WebSession(
            user_id=user.id,
            digest=_digest(secret),
            created_at=now,
            seen_at=now,
            expires_at=now + SESSION_LIFE,
        )
    )
    return secret


def session_user(session: Session, secret: str, now: datetime) -> tuple[User, datetime] | None:
    """Who is signed in with this secret, and when they were last `seen`."""
    return session.exec(
        select(User, col(WebSession.seen_at))
        .join(WebSession, col(WebSession.user_id) == col(User.id))
        .where(
            WebSession.digest == _digest(secret),
            col(WebSession.expires_at) > now,
            col(User.blocked_at).is_(None),
        )
    ).first()


def seen(session: Session, secret: str, now: datetime) -> None:
    """Whoever is signed in with this secret is here now."""
    session.exec(
        update(WebSession).where(col(WebSession.digest) == _digest(secret)).values(seen_at=now)
    )


def signed_in_at(session: Session, secret: str) -> datetime | None:
    """Return when the browser with this secret was signed in."""
    query = select(WebSession.created_at).where(WebSession.digest == _digest(secret))
    return session.exec(query).first()


def close_session(session: Session, secret: str) -> None:
    """Sign one browser out."""
    session.exec(delete(WebSession).where(col(WebSession.digest) == _digest(secret)))


def sign_out_everywhere(session: Session, user: User) -> None:
    """Sign all browsers of a user out, and void the sign-in links not yet used."""
    session.exec(delete(WebSession).where(col(WebSession.user_id) == user.id))
    session.exec(
        delete(SignInToken).where(
            col(SignInToken.email) == user.email, col(SignInToken.used_at).is_(None)
        )
    )


def change_profile(session: Session, user: User, profile: Profile) -> None:
    """Store a user's choices; TableError for an unknown zone or an empty name.

    A first name of their own takes the place of the neutral one wherever they sit; else a table
    keeps the names that it began with.
    """
    if profile.zone not in available_timezones():
        raise TableError("zone-unknown", _("There is no such time zone."))
    neutral, user.name = _neutral_name(user), clean_name(profile.name)
    session.exec(
        update(SeatRow)
        .where(col(SeatRow.user_id) == user.id, col(SeatRow.name) == neutral)
        .values(name=user.name)
    )
    user.zone, user.locale = profile.zone, profile.locale
    user.share_private = profile.share_private
    session.add(user)


def used_up() -> TableError:
    """Return what is said of a mailed link that does nothing any more."""
    text = _("This link has been used or is too old. Ask for a new one.")
    return TableError("link-used-up", text)


def _digest(secret: str) -> str:
    return sha256(secret.encode()).hexdigest()


UNDO_LIFE: Final = timedelta(days=3)
"""How long the owner of a former address can take a change back."""


def request_change(session: Session, user: User, email: str, now: datetime) -> None:
    """Mail a link to a new address; only when its bearer confirms it do mails go there.

    The same for addresses that are free and those of other users: it tells nothing. TableError
    `address-same`, and `too-many-links` for the impatient.
    """
    address = clean_address(email)
    if address == user.email:
        raise TableError("address-same", _("Your mails go to this address already."))
    recent = count(
        session,
        OutboxMail.kind == MailKind.NEW_ADDRESS,
        or_(OutboxMail.user_id == user.id, OutboxMail.address == address),
        col(OutboxMail.created_at) > now - TOKEN_LIFE,
    )
    if recent >= LINKS_AT_ONCE:
        text = _("Too many links have been asked for. Please wait a quarter of an hour.")
        raise TableError("too-many-links", text)
    link = AddressLink(user.id, user.email, address, int((now + TOKEN_LIFE).timestamp()))
    _owe_link(session, MailKind.NEW_ADDRESS, user, address, link, now)


def may_change(user: User, link: AddressLink, now: datetime) -> bool:
    """Whether this link still changes the address of this user: once, and within its time."""
    return user.id == link.user and user.email == link.old and now.timestamp() < link.until


def change(session: Session, link: AddressLink, now: datetime) -> User:
    """Do what a confirmed link says; their pending invitations move with them.

    The former address is told, with a link that takes it back. Every browser is signed out, so
    that whoever takes it back is rid of an intruder; whoever confirmed may be signed in anew.
    TableError `link-used-up` or `address-taken`.
    """
    user = session.exec(select(User).where(User.id == link.user).with_for_update()).first()
    if user is None or not may_change(user, link, now):
        raise used_up()
    sign_out_everywhere(session, user)
    try:
        with session.begin_nested():
            user.email = link.new
            session.add(user)
    except IntegrityError as error:
        text = _("Somebody plays under this address already.")
        raise TableError("address-taken", text) from error
    _move_invitations(session, user, link.old)
    if user.undeliverable_at is not None:
        bounces.lift(session, user, now)
    back = AddressLink(user.id, link.new, link.old, int((now + UNDO_LIFE).timestamp()))
    _owe_link(session, MailKind.OLD_ADDRESS, user, link.old, back, now)
    return user


def _move_invitations(session: Session, user: User, old: str) -> None:
    mine = select(Invitation).where(Invitation.email == user.email)
    taken = {row.game_id for row in session.exec(mine)}
    for row in session.exec(select(Invitation).where(Invitation.email == old)):
        if row.game_id not in taken:
            # Where there is no name the host sees the address that they wrote; not this one.
            row.email, row.name = user.email, row.name or user.name
            session.add(row)


def _owe_link(
    session: Session, kind: MailKind, user: User, to: str, link: AddressLink, now: datetime
) -> None:
    outbox.owe(
        session,
        kind,
        key=f"{kind}:{user.id}:{secrets.token_hex(8)}",
        now=now,
        user=user,
        address=to,
        context={"link": list(astuple(link))},
    )


LIFE: Final = timedelta(days=3)
"""How long the link in a test mail works: mail may be slow."""
AT_ONCE: Final = 3
"""Test mails that a user gets within `PAUSE`."""
PAUSE: Final = timedelta(hours=1)


def owe(session: Session, user: User, now: datetime) -> None:
    """Send a user a test mail; TableError `too-many-tests` for the impatient."""
    mine = OutboxMail.kind == MailKind.TEST, OutboxMail.user_id == user.id
    if count(session, *mine, col(OutboxMail.created_at) > now - PAUSE) >= AT_ONCE:
        text = _("Test mails are on their way already. Please wait an hour for them.")
        raise TableError("too-many-tests", text)
    key = f"test:{user.id}:{now.isoformat()}"
    outbox.owe(session, MailKind.TEST, key=key, now=now, user=user)


def arrived(session: Session, link: ReachedLink, now: datetime) -> User:
    """Tell a user by mail again, since they say that they got the test mail.

    Said twice it is the same; but a test says nothing of what has come back since it was sent.
    TableError `link-used-up`.
    """
    user = session.exec(select(User).where(User.id == link.user).with_for_update()).first()
    mail = session.get(OutboxMail, link.mail)
    if user is None or mail is None or user.email != link.email or now.timestamp() >= link.until:
        raise used_up()
    since = user.undeliverable_at
    if since is not None and since > mail.created_at:
        text = _("Mail has come back since this test was sent. Send another one.")
        raise TableError("test-too-old", text)
    mail.context = {"arrived": now.isoformat()}
    session.add(mail)
    if since is not None:
        bounces.lift(session, user, now)
    return user
