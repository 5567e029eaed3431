"""The lobby: your tables, tables to join or to watch, and a table before its game begins.

Its lists hold nothing that their reader may not see.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from functools import partial
from typing import Final

from flask import (
    Blueprint,
    Response,
    flash,
    make_response,
    redirect,
    render_template,
    request,
    url_for,
)
from flask.typing import ResponseReturnValue
from flask_limiter.util import get_remote_address
from sqlmodel import Session, col, or_, select
from werkzeug.exceptions import NotFound

from core.drawing.sketch import sketch
from core.game.rules import catalog
from core.statuses import GAME_OVER, GameStatus, InvitationStatus
from core.store.tables import Game, Invitation, SeatRow, Turn, User
from core.table.acts import invitations, lobby
from core.table.people import accounts, guests
from core.table.record.telling import by_the_hour
from core.text import _
from core.when import NEVER
from tasks import enqueue
from webapp import web
from webapp.access import as_host, at_table, look
from webapp.errors import NotYours, refusal, refusals
from webapp.forms import Form, Text, read
from webapp.identity import current_user, is_signed_in, limiter, me, remember, signed_in
from webapp.joining import new_table
from webapp.play import open_seats

pages = Blueprint("lobby", __name__)


SHOWN: Final = 30
"""Tables of a kind that the lobby lists."""


@dataclass(frozen=True, slots=True)
class Listed:
    """A table in a list: who sits there, and since when somebody is waited for."""

    game: Game
    seats: Sequence[SeatRow]
    waiting: Sequence[str]
    deadline: datetime | None
    my_turn: bool = False

    @property
    def asleep(self) -> bool:
        """Tell whether all its people are away."""
        people = [row for row in self.seats if row.user_id is not None]
        return bool(people) and all(row.open for row in people)

    @property
    def people(self) -> int:
        """Players without bots; every place while the table waits for players."""
        bots = sum(bool(row.bot) for row in self.seats)
        return self.game.players - bots

    @property
    def free(self) -> int:
        """Places not yet taken."""
        return self.game.players - len(self.seats)


@dataclass(frozen=True, slots=True)
class Lobby:
    """Everything the lobby lists."""

    mine: Sequence[Listed]
    past: Sequence[Listed]
    invitations: Sequence[tuple[Invitation, Listed]]
    joinable: Sequence[Listed]
    vacant: Sequence[Listed]
    running: Sequence[Listed]
    finished: Sequence[Listed]


def _lists(session: Session, user: User | None) -> Lobby:
    mine = _mine(session, user) if user else []
    own = {entry.game.id for entry in mine}
    return Lobby(
        mine=[
            entry for entry in mine if entry.game.status in (GameStatus.OPEN, GameStatus.RUNNING)
        ],
        past=[entry for entry in mine if entry.game.status in GAME_OVER],
        invitations=_invitations(session, user) if user else [],
        joinable=_public(session, own, GameStatus.OPEN),
        vacant=_listed(session, open_seats.vacant(session, user, SHOWN), None),
        running=_public(session, own, GameStatus.RUNNING),
        finished=_public(session, own, *GAME_OVER),
    )


def _mine(session: Session, user: User) -> list[Listed]:
    at_table = select(SeatRow.game_id).where(SeatRow.user_id == user.id)
    games = session.exec(
        select(Game)
        .where(or_(col(Game.id).in_(at_table), Game.host_id == user.id))
        .order_by(col(Game.id).desc())
        .limit(4 * SHOWN)
    ).all()
    listed = _listed(session, games, user)
    return sorted(
        listed, key=lambda entry: (not entry.my_turn, entry.game.status != GameStatus.RUNNING)
    )


def _public(session: Session, own: set[int], *statuses: GameStatus) -> list[Listed]:
    games = session.exec(
        select(Game)
        .where(
            col(Game.status).in_(statuses),
            col(Game.private).is_(False),
            col(Game.id).not_in(own),
        )
        .order_by(col(Game.id).desc())
        .limit(SHOWN)
    ).all()
    return _listed(session, games, None)


def _invitations(session: Session, user: User) -> list[tuple[Invitation, Listed]]:
    rows = session.exec(
        select(Invitation, Game)
        .join(Game, col(Game.id) == col(Invitation.game_id))
        .where(
            Invitation.email == user.email,
            Invitation.status == InvitationStatus.PENDING,
            Game.status == GameStatus.OPEN,
        )
    ).all()
    listed = _listed(session, [game for _row, game in rows], user)
    return [(row, entry) for (row, _game), entry in zip(rows, listed, strict=True)]


def _listed(session: Session, games: Sequence[Game], user: User | None) -> list[Listed]:
    ids = [game.id for game in games]
    seats = session.exec(
        select(SeatRow).where(col(SeatRow.game_id).in_(ids)).order_by(col(SeatRow.id))
    ).all()
    turns = session.exec(
        select(Turn).where(col(Turn.game_id).in_(ids), col(Turn.closed_at).is_(None))
    ).all()
    return [_entry(game, seats, turns, user) for game in games]


def _entry(
    game: Game, seats: Sequence[SeatRow], turns: Sequence[Turn], user: User | None
) -> Listed:
    at_table = [row for row in seats if row.game_id == game.id]
    asked = [turn for turn in turns if turn.game_id == game.id]
    waited_for = {turn.seat for turn in asked}
    waiting = [row for row in at_table if row.seat in waited_for]
    due = min((t.deadline for t in asked if t.deadline < NEVER), default=None)
    mine = user is not None and any(row.user_id == user.id for row in waiting)
    return Listed(
        game=game,
        seats=at_table,
        waiting=[row.name for row in waiting],
        deadline=due if mine or due is None else by_the_hour(due),
        my_turn=mine,
    )


@pages.get("/")
def index() -> ResponseReturnValue:
    """Show the reader's tables, invitations, tables to join and to watch."""
    with web.reading() as s:
        return render_template(
            "lobby/index.html", lobby=_lists(s, current_user()), maps=catalog.maps()
        )


@pages.get("/tables/new")
@signed_in
def new() -> ResponseReturnValue:
    """Show the form for a new table, every setting explained."""
    return _form(new_table.blank(me()), "")


@pages.post("/tables/new")
@signed_in
@limiter.limit("20 per hour")
def create() -> ResponseReturnValue:
    """Open the table, seat bots and ask friends to it."""
    form, wrong = new_table.filled()
    again = partial(_form, form)
    if wrong:
        raise refusal(wrong, again)
    if request.form.get("do") == "reckon":
        return again("")
    with refusals(again), web.writing() as s:
        game = new_table.open_table(s, me(), form)
    enqueue.table(game.id)
    return redirect(url_for("game.show", game_id=game.id), 303)


class QuickForm(Form):
    """One of the buttons that open a table at once, and the map for it."""

    kind: Text = ""
    map: Text = ""


@pages.post("/tables/quick")
@signed_in
@limiter.limit("20 per hour")
def quick() -> ResponseReturnValue:
    """Open a table as one button says."""
    return _opened(me(), read(QuickForm))


@pages.post("/play")
@limiter.limit("10 per day", key_func=get_remote_address, exempt_when=is_signed_in)
def play_now() -> ResponseReturnValue:
    """Open a table with bots and begin, also for a stranger: as a guest, for a week."""
    user, secret = current_user(), ""
    if user is None:
        with web.writing() as s:
            user = guests.welcome(s, web.now())
            secret = accounts.open_session(s, user, web.now())
    response = _opened(user, QuickForm(kind="bots", map=read(QuickForm).map))
    if secret:
        remember(response, secret)
    return response


def _opened(host: User, form: QuickForm) -> Response:
    table = new_table.quick(form.kind, form.map, host)
    if table is None:
        raise refusal(_("There is no such button; choose one of those on the page."))
    with refusals(), web.writing() as s:
        game_id = new_table.open_table(s, host, table).id
    enqueue.table(game_id)
    return make_response(redirect(url_for("game.show", game_id=game_id), 303))


@pages.get("/maps/<key>.svg")
def sketched(key: str) -> ResponseReturnValue:
    """Return a map's sketch."""
    if key not in {one.key for one in catalog.maps()}:
        raise NotFound
    return web.kept(sketch(key).encode(), "image/svg+xml; charset=utf-8", private=False)


@pages.post("/tables/new/length")
@signed_in
@limiter.limit("120 per minute")
def reckon() -> ResponseReturnValue:
    """Say how long a game by the form's settings will take, for the form's script."""
    form, wrong = new_table.filled()
    return wrong or form.length


def _form(form: new_table.NewTable, wrong: str) -> str:
    asked = request.method == "POST" or bool(request.args)
    return render_template("lobby/new.html", form=form, wrong=wrong, whole=asked)


@pages.post("/games/<int:game_id>/join")
@signed_in
def join(game_id: int) -> ResponseReturnValue:
    """Take a place."""
    with web.writing() as s, refusals():
        lobby.join(s, look(s, game_id).game, me(), web.now())
    return redirect(url_for("game.show", game_id=game_id), 303)


@pages.post("/games/<int:game_id>/leave")
@signed_in
def leave(game_id: int) -> ResponseReturnValue:
    """Give one's place up."""
    with web.writing() as s, refusals():
        lobby.leave(s, look(s, game_id).game, me(), web.now())
    flash(_("You have left the table."), "good")
    return redirect(url_for("lobby.index"), 303)


@pages.post("/games/<int:game_id>/decline")
@signed_in
def decline(game_id: int) -> ResponseReturnValue:
    """Say no to an invitation."""
    with web.writing() as s, refusals():
        invitation = invitations.invitation_for(s, look(s, game_id).game, me().email)
        if invitation is not None:
            invitations.decline(s, invitation, web.now())
    flash(_("You have declined."), "good")
    return redirect(url_for("lobby.index"), 303)


class BotForm(Form):
    """A bot to seat, by its name in core.bots."""

    bot: Text = ""


@pages.post("/games/<int:game_id>/bots")
@signed_in
def add_bot(game_id: int) -> ResponseReturnValue:
    """Seat a bot."""
    bot = read(BotForm).bot
    with web.writing() as s, refusals():
        lobby.add_bot(s, as_host(s, game_id).game, bot, web.now())
    return redirect(url_for("game.show", game_id=game_id), 303)


@pages.post("/games/<int:game_id>/seats/<int:row_id>/remove")
@signed_in
def remove(game_id: int, row_id: int) -> ResponseReturnValue:
    """Free a place."""
    with web.writing() as s, refusals():
        lobby.remove_seat(s, as_host(s, game_id).game, row_id)
    return redirect(url_for("game.show", game_id=game_id), 303)


class InvitationForm(Form):
    """Somebody to ask to the table."""

    email: Text = ""
    name: Text = ""


@pages.post("/games/<int:game_id>/invitations")
@signed_in
@limiter.limit("60 per hour")
def invite(game_id: int) -> ResponseReturnValue:
    """Ask somebody to the table by mail."""
    form = read(InvitationForm)
    with web.writing() as s, refusals():
        game, own = as_host(s, game_id).game, web.settings()
        accounts.refuse_own(form.email, own.mail_domain, own.mail_from)
        row = invitations.invite(s, game, form.email, form.name, web.now())
        by_mail = invitations.posted(s, row)
    enqueue.deliver()
    at_home = _("Invited. No mail goes out: who wants none finds the invitation on this site.")
    flash(_("The invitation is in the post.") if by_mail else at_home, "good")
    return redirect(url_for("game.show", game_id=game_id), 303)


@pages.post("/games/<int:game_id>/start")
@signed_in
def start(game_id: int) -> ResponseReturnValue:
    """Begin the game."""
    with web.writing() as s, refusals():
        access = at_table(s, game_id)
        if not lobby.may_begin(s, access.game, me(), web.now()):
            raise NotYours(_(
                "Only the host can begin the game now; once the table has been full for two days, "
                "anybody who sits there can."
            ))  # fmt: skip
        lobby.start(s, access.game, web.now())
    enqueue.table(game_id)
    return redirect(url_for("game.show", game_id=game_id), 303)


@pages.post("/games/<int:game_id>/cancel")
@signed_in
def cancel(game_id: int) -> ResponseReturnValue:
    """Close a table whose game has not begun."""
    with web.writing() as s, refusals():
        lobby.cancel(s, as_host(s, game_id).game, web.now())
    enqueue.deliver()
    flash(_("The table is closed."), "good")
    return redirect(url_for("lobby.index"), 303)
