"""Who sees what: the one place where a page learns in which part its reader looks at a table."""

from dataclasses import dataclass, replace
from datetime import datetime

from flask import Flask, request
from sqlmodel import Session
from werkzeug.exceptions import NotFound

from core.mail.addresses import L, Links, TurnLink
from core.store.tables import Game, SeatRow, User
from core.table.acts import lobby
from core.table.notify import quiet, sitters
from core.table.record import seats
from core.table.views.table_view import table_view
from core.tableview import TableView
from core.text import _
from webapp import language, web
from webapp.errors import NotYours
from webapp.identity import current_user
from webapp.seat import opened_seat


@dataclass(frozen=True, slots=True)
class Access:
    """A reader at a table. `row`: the place they hold; None for a spectator."""

    game: Game
    user: User | None
    row: SeatRow | None
    sits_for: SeatRow | None = None
    """The place of somebody on vacation who has named the reader as their sitter."""

    @property
    def seat(self) -> int | None:
        """The reader's seat in the game, once it has begun."""
        return self.row.seat if self.row else None

    @property
    def place(self) -> int:
        """The reader's seat to act upon: -1, which no game has, before theirs has begun."""
        return -1 if self.seat is None else self.seat

    @property
    def acting(self) -> int | None:
        """The seat that the reader moves for and sees as: their own, or one they sit in for."""
        row = self.row or self.sits_for
        return row.seat if row else None

    @property
    def host(self) -> bool:
        """Whether the reader is the host of this table."""
        return self.user is not None and self.user.id == self.game.host_id

    @property
    def belongs(self) -> bool:
        """Whether the reader sits here or hosts here, so that they may speak."""
        return self.host or self.row is not None


def look(session: Session, game_id: int) -> Access:
    """Return the reader's access to a table; a hidden table looks like none at all (404)."""
    user = current_user()
    game = session.get(Game, game_id)
    if game is None:
        raise NotFound
    if not may_see(session, game, user):
        raise NotFound
    sits_for = sitters.sits_for(session, game, user, web.now()) if user else None
    row = seats.seat_of(session, game_id, user.id) if user else None
    return Access(game, user, row, sits_for)


def may_see(session: Session, game: Game, user: User | None) -> bool:
    """Tell whether somebody may see a table: the same by page, API and feed (S8).

    Who sits in for somebody away sees what they see.
    """
    if lobby.may_see(session, game, user):
        return True
    return user is not None and sitters.sits_for(session, game, user, web.now()) is not None


def as_host(session: Session, game_id: int) -> Access:
    """Return the access of the host; others are refused (403)."""
    access = look(session, game_id)
    if not access.host:
        raise NotYours(_("Only the host of this table can do that."))
    return access


def at_table(session: Session, game_id: int) -> Access:
    """Return the access of somebody who sits or hosts here; others are refused (403)."""
    access = look(session, game_id)
    if not access.belongs:
        raise NotYours(_("Only those at the table can do that."))
    return access


def as_player(session: Session, game_id: int) -> Access:
    """Return the access of somebody who holds a place; others are refused (403)."""
    access = look(session, game_id)
    if access.row is None:
        raise NotYours(_("Only the players of this table can do that."))
    return access


def as_mover(session: Session, game_id: int) -> Access:
    """Return the access of who holds a place or sits in for somebody; others are refused (403)."""
    access = look(session, game_id)
    if access.acting is None:
        raise NotYours(_("Only the players of this table can do that."))
    return access


def table_of(session: Session, access: Access) -> TableView:
    """Return the table as who may move sees it.

    A sitter sees nothing of the owner's standing orders.
    """
    table = table_view(session, access.game.id, access.acting, now=web.now())
    return table if access.row is not None else replace(table, orders=(), ordered=())


def opened(kind: type[L], token: str) -> L:
    """Return what a mail's signed link says.

    Raises NotFound for one that is not ours, or of somebody whom the operator has blocked.
    """
    found = links().read(kind, token)
    if found is None:
        raise NotFound
    if (number := getattr(found, "user", None)) is not None:
        with web.reading() as s:
            user = s.get(User, number)
        if user is not None and user.blocked_at is not None:
            raise NotFound
        language.follow(user)
    return found


def links() -> Links:
    """Return what makes and reads the signed links of mails."""
    settings = web.settings()
    return Links(settings.secret_key, settings.public_url)


def init_app(app: Flask) -> None:
    """Look at each request before its view: what the view brings about may owe a mail already."""
    app.before_request(_note)


def saw_form(access: Access, since: datetime) -> None:
    """Note that somebody opened the form of a turn, asked at `since`: its mail may wait for them.

    What a browser fetches ahead, or a page by itself, is nobody's look.
    """
    fetched = "Sec-Purpose" in request.headers or "X-Renew" in request.headers
    if request.method == "GET" and not fetched and access.row is not None and access.user:
        _write_down(access.game.id, access.user.id, since)


def _note() -> None:
    who = _who()
    if who is not None:
        _write_down(*who)


def _write_down(game_id: int, user_id: int, since: datetime | None = None) -> None:
    with web.reading() as s:
        if seats.seat_of(s, game_id, user_id) is None:
            return
        if quiet.is_known(s, game_id, user_id, web.now(), since):
            return
    with web.writing() as s:
        quiet.acted(s, game_id, user_id, web.now())


def _who() -> tuple[int, int] | None:
    """Return the table at which this request is an act, and whose."""
    given = request.view_args or {}
    if request.method != "POST":
        return None
    if "game_id" in given:
        user, here = current_user(), opened_seat(given["game_id"])
        if here is not None and request.endpoint == "turns.seat_act":
            return here.game, here.user
        return (given["game_id"], user.id) if user else None
    link = links().read(TurnLink, given["token"]) if "token" in given else None
    return (link.game, link.user) if link else None
