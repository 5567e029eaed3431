"""Pages behind the links of mails: the seat taken back, invitations, unsubscription.

Opening one changes nothing, however often (M19); a button's POST acts. A mail
program's one-click unsubscription is such a POST, too (RFC 8058).
"""

from flask import Blueprint, render_template, url_for
from flask.typing import ResponseReturnValue
from sqlmodel import Session
from werkzeug.exceptions import NotFound

from core.mail.addresses import BackLink, DeclineLink, InviteLink, Scope, UnsubscribeLink
from core.store.tables import Game, Invitation, User
from core.table.acts import absence, invitations, replace
from core.table.notify import modes
from core.table.record import seats
from core.text import _
from webapp import web
from webapp.access import opened
from webapp.errors import refusals
from webapp.forms import Form, Ticked, read
from webapp.identity import limiter

pages = Blueprint("mail_links", __name__)


@pages.get("/back/<token>")
def back(token: str) -> ResponseReturnValue:
    """Ask the owner of a seat whether they are back."""
    link = opened(BackLink, token)
    with web.reading() as s:
        _owned(s, link)
        return _letter(
            _("Are you back?"),
            _("A bot has played your seat at “{title}” while you were away.").format(
                title=_game(s, link.game).title
            ),
            _("I am back"),
        )


@pages.post("/back/<token>")
def back_now(token: str) -> ResponseReturnValue:
    """Give the seat back to its owner."""
    link = opened(BackLink, token)
    with web.writing() as s, refusals():
        _owned(s, link)
        absence.return_owner(s, link.game, link.seat, web.now())
    return _done(
        _("Welcome back: the seat is yours, and you are asked again from now on."), link.game
    )


def _owned(session: Session, link: BackLink) -> None:
    """Raise NotFound for a link to a seat that has another owner by now (S8)."""
    row = seats.seat_of(session, link.game, link.user)
    if row is None or row.seat != link.seat:
        raise NotFound


@pages.get("/invitation/<token>")
def invitation(token: str) -> ResponseReturnValue:
    """Show what one is invited to."""
    with web.reading() as s:
        row = _invitation(s, opened(InviteLink, token).invitation)
        game = _game(s, row.game_id)
        host = s.get(User, game.host_id)
        return render_template(
            "mail_links/invitation.html", row=row, game=game, host_name=host.name if host else ""
        )


@pages.post("/invitation/<token>")
@limiter.limit("30 per hour")
def accept(token: str) -> ResponseReturnValue:
    """Take the place."""
    with web.writing() as s, refusals():
        row = _invitation(s, opened(InviteLink, token).invitation)
        replace.accept_seat(s, row, web.now())
        title = _game(s, row.game_id).title
    return _done(_("You have a place at “{title}”. The rest comes by mail.").format(title=title))


@pages.get("/no-thanks/<token>")
def no_thanks(token: str) -> ResponseReturnValue:
    """Ask whether to decline."""
    with web.reading() as s:
        row = _invitation(s, opened(DeclineLink, token).invitation)
        text = _("You are invited to “{title}”.").format(title=_game(s, row.game_id).title)
    never = _("Decline, and never invite me again")
    return _letter(_("Decline the invitation?"), text, _("Decline"), never)


class DeclineForm(Form):
    """How an invitation is declined; `never`: so that no other comes."""

    never: Ticked = False


@pages.post("/no-thanks/<token>")
def decline(token: str) -> ResponseReturnValue:
    """Decline, also when a mail program asks."""
    never = read(DeclineForm).never
    with web.writing() as s, refusals():
        row = _invitation(s, opened(DeclineLink, token).invitation)
        invitations.decline(s, row, web.now())
        if never:
            invitations.never_again(s, row.email, web.now())
    if never:
        return _done(_("You have declined, and nobody here can invite this address any more."))
    return _done(_("You have declined, and hear of this table only if its host asks again."))


@pages.get("/unsubscribe/<token>")
def unsubscribe(token: str) -> ResponseReturnValue:
    """Ask whether to end these mails."""
    text = _("You will get no more {mails}.").format(
        mails=_mails(opened(UnsubscribeLink, token).scope)
    )
    return _letter(_("Unsubscribe?"), text, _("Unsubscribe"))


@pages.post("/unsubscribe/<token>")
def one_click(token: str) -> ResponseReturnValue:
    """End these mails, also when a mail program asks."""
    link = opened(UnsubscribeLink, token)
    with web.writing() as s:
        user = s.get(User, link.user)
        if user is None:
            raise NotFound
        modes.unsubscribe(s, user, link.scope, web.now())
    text = _("You get no more {mails}. Answering a mail with “mail on” brings them back.")
    return _done(text.format(mails=_mails(link.scope)))


UNGUARDED = (decline, one_click)
"""Views that mail programs POST to, without a form of ours: their signed token is the guard."""


def _mails(scope: Scope) -> str:
    return {
        "turns": _("turn mails"),
        "games": _("mails about games that start, end or invite you"),
        "chat": _("mails with what others say"),
        "answers": _("answers to your own mails"),
        "notices": _("notices of what becomes of your seat"),
    }[scope]


def _invitation(session: Session, number: int) -> Invitation:
    row = session.get(Invitation, number)
    if row is None:
        raise NotFound
    return row


def _game(session: Session, number: int) -> Game:
    game = session.get(Game, number)
    if game is None:
        raise NotFound
    return game


def _letter(heading: str, text: str, button: str, never: str = "") -> str:
    return render_template(
        "mail_links/ask.html", heading=heading, text=text, button=button, never=never
    )


def _done(text: str, game_id: int | None = None) -> str:
    at = url_for("game.show", game_id=game_id) if game_id else ""
    return render_template("mail_links/done.html", text=text, at=at)
