"""A seat's turn: keep a draft, preview it, send it; from the game page or from a mail's link.

The form carries the turn it answers and a nonce. What is sent is one line of notation, the very
line that was previewed, and it goes the way that a mail's line goes.
"""

import secrets
import time
from collections.abc import Sequence
from contextlib import suppress
from dataclasses import dataclass
from typing import Any, Final

from flask import Blueprint, flash, jsonify, redirect, render_template, request, url_for
from flask.typing import ResponseReturnValue
from sqlmodel import Session
from werkzeug.exceptions import HTTPException, NotFound

from core import questions
from core.game import notation
from core.game.errors import GameError, InvalidMove, StaleMove
from core.game.observe import PlayerView
from core.game.types import Seat
from core.mail.addresses import TurnLink
from core.orders.notation import Said
from core.orders.notation import parse as parse_order
from core.questions.building import BuildingQuestion
from core.questions.question import Fields, MoveQuestion, Unfilled, one
from core.statuses import SubmissionStatus
from core.store.tables import Game, Submission, User
from core.table.play import submissions
from core.table.record import gamelog, seats, standing_orders, turns
from core.table.record.errors import TableError
from core.table.record.order_runner import then_build
from core.text import _
from tasks import enqueue
from webapp import web
from webapp.access import Access, as_mover, opened, table_of
from webapp.errors import Refused
from webapp.forms import UNREADABLE, Form, Number, Text, read, whole
from webapp.identity import current_user, limiter, sign_in_first, signed_in
from webapp.play import game_page
from webapp.play.game_page import Preview
from webapp.seat import open_seat, opened_seat

PATIENCE: Final = 2.5
"""Seconds for which a request waits for the worker before it answers "being judged"."""
_PAUSE: Final = 0.05
MOVES: Final = "600 per minute"
"""Far above what anybody plays, program or person: no limit may stop a move."""


def own_submission(session: Session, access: Access) -> Submission | None:
    """Return the submission that the address names, if it is of the reader's own seat."""
    number = whole(request.args.get("sent", ""))
    return None if number is None else find(session, number, access.game.id, access.acting)


def find(session: Session, number: int, game_id: int, seat: int | None) -> Submission | None:
    """Return a submission of this seat of this game, and of no other."""
    row = session.get(Submission, number)
    mine = row is not None and row.game_id == game_id and row.seat == seat
    return row if mine else None


def decided(number: int) -> bool:
    """Wait a moment until the worker has judged; False if it has not."""
    end = time.monotonic() + PATIENCE
    while True:
        with web.reading() as s:
            row = s.get(Submission, number)
            if row is not None and row.status != SubmissionStatus.PENDING:
                return True
        if time.monotonic() > end:
            return False
        time.sleep(_PAUSE)


pages = Blueprint("turns", __name__)


@dataclass(frozen=True, slots=True)
class TurnSource:
    """The way by which a seat came to its form: its account, or a turn mail's link, or after it."""

    game_id: int
    token: str = ""
    by_seat: bool = False

    def enter(self, session: Session) -> Access:
        """Return the seat's access. Raises 404 or 403 for anybody else."""
        if self.token:
            return _by_link(session, opened(TurnLink, self.token))
        if self.by_seat:
            link = opened_seat(self.game_id)
            if link is not None:
                return _by_link(session, link)
            if current_user() is None:
                raise HTTPException(response=sign_in_first())
        return as_mover(session, self.game_id)

    def urls(self) -> dict[str, str]:
        """Where the form goes, and where the game is."""
        return game_page.urls(self.game_id, self.token, by_seat=self.by_seat)

    def sent(self, number: int) -> str:
        """Where the answer to a submission is shown."""
        if self.token:
            return url_for("turns.link_sent", token=self.token, number=number)
        at = "turns.seat_sent" if self.by_seat else "turns.sent"
        return url_for(at, game_id=self.game_id, number=number)

    def onward(self) -> "TurnSource":
        """Return by which way one goes on once a link's turn is over; the same if there is none."""
        if not self.token:
            return self
        link, user = opened(TurnLink, self.token), current_user()
        if user is not None and user.id == link.user:
            return TurnSource(link.game)
        here = opened_seat(link.game)
        mine = here is not None and (here.user, here.seat) == (link.user, link.seat)
        return TurnSource(link.game, by_seat=True) if mine else self


@pages.post("/games/<int:game_id>/turn")
@signed_in
@limiter.limit(MOVES)
def act(game_id: int) -> ResponseReturnValue:
    """Preview, keep or send a move."""
    return _act(TurnSource(game_id))


@pages.get("/games/<int:game_id>/turn/<int:number>")
@signed_in
def sent(game_id: int, number: int) -> ResponseReturnValue:
    """Show what became of a move that was sent."""
    return _answer(TurnSource(game_id), number)


@pages.get("/games/<int:game_id>/turn/reckon")
@signed_in
@limiter.limit(MOVES)
def reckon(game_id: int) -> ResponseReturnValue:
    """Return what the form would cost and do as it is filled in, for its script."""
    return _reckon(TurnSource(game_id))


@pages.get("/turn/<token>/reckon")
@limiter.limit(MOVES)
def link_reckon(token: str) -> ResponseReturnValue:
    """Return the same by a mail's link."""
    return _reckon(TurnSource(opened(TurnLink, token).game, token))


@pages.get("/seat/<int:game_id>/reckon")
@limiter.limit(MOVES)
def seat_reckon(game_id: int) -> ResponseReturnValue:
    """Return the same for the seat that is open here."""
    return _reckon(TurnSource(game_id, by_seat=True))


@pages.get("/turn/<token>")
def link(token: str) -> ResponseReturnValue:
    """Show the form behind a turn mail's link; opening it changes nothing."""
    with web.reading() as s:
        link = opened(TurnLink, token)
        access, source = _by_link(s, link), TurnSource(link.game, token)
        if asked_for_plans(s, access, link.turn):
            return redirect(url_for("orders.link", token=token))
        if not _still_asked(s, access, link.turn):
            onward = source.onward()
            if onward == source:
                return _played(link.game), 410
            return redirect(onward.urls()["game"], 303)
        return render_template("game/show.html", **game_page.page(s, access, links=source.urls()))


@pages.post("/turn/<token>")
@limiter.limit(MOVES)
def link_act(token: str) -> ResponseReturnValue:
    """Preview, keep or send a move by a mail's link."""
    return _act(TurnSource(opened(TurnLink, token).game, token))


@pages.get("/turn/<token>/sent/<int:number>")
def link_sent(token: str, number: int) -> ResponseReturnValue:
    """Show what became of a move that was sent by a mail's link."""
    return _answer(TurnSource(opened(TurnLink, token).game, token).onward(), number)


@pages.get("/seat/<int:game_id>")
def seat(game_id: int) -> ResponseReturnValue:
    """Show the table to the seat that a mail's link has opened here: its next form, or whom for."""
    if opened_seat(game_id) is None:
        return redirect(url_for("game.show", game_id=game_id), 303)
    source = TurnSource(game_id, by_seat=True)
    with web.reading() as s:
        access = source.enter(s)
        verdict = own_submission(s, access)
        page = game_page.page(s, access, links=source.urls(), sent=verdict)
    return game_page.shown_to(access, page)


@pages.post("/seat/<int:game_id>")
@limiter.limit(MOVES)
def seat_act(game_id: int) -> ResponseReturnValue:
    """Preview, keep or send a move of the seat that is open here."""
    return _act(TurnSource(game_id, by_seat=True))


@pages.get("/seat/<int:game_id>/turn/<int:number>")
def seat_sent(game_id: int, number: int) -> ResponseReturnValue:
    """Show what became of a move of the seat that is open here."""
    return _answer(TurnSource(game_id, by_seat=True), number)


class TurnForm(Form):
    """What is to be done with a turn's form: try, keep or send it; its other fields are a move's.

    `turn`: the log position at which the seat was asked. `nonce`: the same where a form is sent
    twice. `line`, `then`: the move and the order with it, as they were previewed.
    """

    do: Text = ""
    turn: Number = UNREADABLE
    quick: Text = ""
    nonce: Text = ""
    line: Text = ""
    then: Text = ""


def _act(source: TurnSource) -> ResponseReturnValue:
    form = read(TurnForm)
    turn = opened(TurnLink, source.token).turn if source.token else form.turn
    begin(source)
    if form.do == "send":
        return _send(source, turn, form)
    sent = ("line", *questions.FIELDS)
    fields = {name: request.form.getlist(name)[:60] for name in sent if name in request.form}
    with web.writing() as s:
        access = source.enter(s)
        asked = _still_asked(s, access, turn)
        if asked and access.row is not None:  # a sitter leaves the owner's draft alone
            draft = {} if form.do == "afresh" else fields
            submissions.save_draft(s, access.game.id, _seat(access), turn, draft, web.now())
    if not asked:
        return _moved_on(source, turn, fields)
    if form.do in ("keep", "afresh"):
        words = _("Kept. Nothing has been sent.") if form.do == "keep" else _("Draft thrown away.")
        flash(words, "good")
        return redirect(source.urls()["game"], 303)
    return _preview(source, turn, {**fields, "quick": [form.quick]}, send=form.do != "reckon")


def _reckon(source: TurnSource) -> ResponseReturnValue:
    """Return prices and effects of a form as JSON; 409 if its question is not asked any more."""
    turn = (
        opened(TurnLink, source.token).turn if source.token else whole(request.args.get("turn", ""))
    )
    fields = {name: request.args.getlist(name)[:60] for name in questions.FIELDS}
    with web.reading() as s:
        access = source.enter(s)
        if turn is None or not _still_asked(s, access, turn):
            return jsonify(stale=True), 409
        table = table_of(s, access)
        question = questions.of(table.view)
        found: dict[str, Any] = {"told": [], "wrong": ""}
        if isinstance(question, BuildingQuestion):
            priced = question.priced(fields)
            found |= {"rows": priced.rows, "picked": priced.picked, "total": priced.total}
            found |= {"sum": game_page.told_sum(priced), "short": priced.left < 0}
            found |= {"map": priced.targets, "dear": priced.dear, "chosen": priced.chosen}
        try:
            if question is not None:
                line = question.line(fields)
                tried = submissions.check(s, access.game.id, _seat(access), turn, line)
                found["told"] = Preview.of(question, tried, table.names).sums
        except (Unfilled, GameError) as error:
            found["wrong"] = str(error)
    return jsonify(found)


def _preview(
    source: TurnSource, turn: int, fields: Fields, *, send: bool = True
) -> ResponseReturnValue:
    """Show what the filled form would do, or why it is refused (422); to `send` it, or to go on."""
    with web.reading() as s:
        access = source.enter(s)
        table = table_of(s, access)
        question = questions.of(table.view)
        preview, wrong, refused = None, "", ""
        try:
            if question is None:
                raise StaleMove
            line = question.line(fields)
            tried = submissions.check(s, access.game.id, _seat(access), turn, line)
            then = _then(question, fields, tried.view) if access.row else None
            preview = Preview.of(question, tried, table.names, then)
        except StaleMove:
            return _moved_on(source, turn, fields)
        except (Unfilled, GameError) as error:
            wrong, refused = str(error), getattr(error, "code", "")
        shown = preview if send else None
        page = game_page.page(
            s, access, links=source.urls(), fields=fields, wrong=wrong, preview=shown
        )
        page["reckoned"] = [] if send or preview is None else preview.sums
    return render_template("game/show.html", **page, refused=refused), 200 if preview else 422


def _then(question: MoveQuestion[Any], fields: Fields, after: PlayerView) -> Said | None:
    """Return the building turn that is given with a purchase: an order at the prices of now.

    `after`: the view with the purchase made. Raises InvalidMove, IllegalMove.
    """
    cities = one(fields, "then").strip()
    if not cities or "then" not in question.fields:
        return None
    return then_build(notation.parse(f"build {cities}", question.rules), after)


def _send(source: TurnSource, turn: int, form: TurnForm) -> ResponseReturnValue:
    """Hand a line in, once for each nonce; then wait a moment for the worker."""
    key = f"web:{form.nonce[:64] or secrets.token_hex(16)}"
    line = form.line.strip()
    with web.writing() as s:
        access = source.enter(s)
        seat, game_id = _seat(access), access.game.id
        row = submissions.with_key(s, game_id, seat, key)
        if row is None and _still_asked(s, access, turn):
            how: submissions.Channel = "web" if access.row is not None else "sitter"
            row = submissions.submit(s, game_id, seat, turn, line, how, key, web.now())
            if access.row is not None and form.then:  # orders are the owner's alone
                _give_then(s, game_id, Seat(seat), form.then)
        number = row.id if row else None
    if number is None:
        return _moved_on(source, turn, {"line": [line]})
    enqueue.adjudicate(game_id)
    return redirect(source.onward().sent(number), 303)


def _give_then(session: Session, game_id: int, seat: Seat, line: str) -> None:
    """Keep the order that was previewed with a purchase. Raises Refused."""
    game = gamelog.lock(session, game_id)
    state = gamelog.load(session, game_id)
    try:
        said = parse_order(line, state.ruleset)
        standing_orders.give(session, game, state, seat, said, web.now())
    except (InvalidMove, TableError) as error:
        raise Refused(str(error)) from error


def _answer(source: TurnSource, number: int) -> ResponseReturnValue:
    with web.reading() as s:
        access = source.enter(s)
        if find(s, number, access.game.id, access.acting) is None:
            raise NotFound
    if not decided(number):
        page = render_template("game/judging.html", urls=source.urls())
        return page, 202, {"Refresh": "3"}
    with web.reading() as s:
        row = s.get_one(Submission, number)
    if row.status == SubmissionStatus.STALE:
        return _moved_on(source, row.turn, {"line": [row.text]})
    if source.token:  # the seat is not open here any more
        return _played(source.game_id, [row.text])
    return redirect(f"{source.urls()['game']}?sent={number}", 303)


def _moved_on(source: TurnSource, turn: int, fields: Fields) -> ResponseReturnValue:
    """Say in three lines what has happened since, before the form of now (409, M63).

    The choices are shown, and filled in where the same is asked again. An old link alone tells no
    news: it was good for its own turn, and mails are passed on.
    """
    unsaid = ("for", "order", "quick")
    chosen = ((name, text) for name, texts in fields.items() for text in texts)
    lost = [text for name, text in chosen if text not in ("", "0") and name not in unsaid]
    source = source.onward()
    if source.token:
        return _played(source.game_id, lost), 409
    with web.reading() as s:
        access = source.enter(s)
        page = game_page.page(s, access, links=source.urls(), sent=max(turn, 0))
    return render_template("game/show.html", **page, lost=lost), 409


def _played(game_id: int, lost: Sequence[str] = ()) -> str:
    return render_template("game/played.html", urls=game_page.urls(game_id), lost=lost)


def _still_asked(session: Session, access: Access, turn: int) -> bool:
    asked = turns.current_turn(session, access.game.id, Seat(_seat(access)))
    return asked is not None and asked.turn == turn


def asked_for_plans(session: Session, access: Access, turn: int) -> bool:
    """Is the planning call of this number still open for the seat?"""
    plan = turns.current_plan(session, access.game.id, Seat(_seat(access)))
    return plan is not None and plan.turn == turn


def open_source(session: Session, source: TurnSource) -> Access:
    """Return the access of a source. Raises 404 once what a link asks for is answered."""
    access = source.enter(session)
    if source.token:
        turn = opened(TurnLink, source.token).turn
        if not (_still_asked(session, access, turn) or asked_for_plans(session, access, turn)):
            raise NotFound
    return access


def begin(source: TurnSource) -> None:
    """Open the seat of a link that is still good to this browser, unless its owner is signed in."""
    if source.token and source.onward() == source:
        with web.reading() as s, suppress(NotFound):
            open_source(s, source)
            open_seat(opened(TurnLink, source.token))


def _seat(access: Access) -> int:
    if access.acting is None:
        raise NotFound
    return access.acting


def _by_link(session: Session, link: TurnLink) -> Access:
    """Return the access to the seat that a link names, as long as its user sits there."""
    game, user = session.get(Game, link.game), session.get(User, link.user)
    row = seats.seat_of(session, link.game, link.user)
    if game is None or user is None or row is None or row.seat != link.seat:
        raise NotFound
    return Access(game, user, row)
