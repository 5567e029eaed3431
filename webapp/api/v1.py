"""The calls of the API: each does what a page's form does, by the same functions of the table."""

import secrets
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace
from http import HTTPStatus
from threading import BoundedSemaphore
from typing import Any, Final

from flask import Response, g, request
from flask_openapi3.blueprint import APIBlueprint
from flask_openapi3.models.tag import Tag
from pydantic import BaseModel
from sqlmodel import Session, col, select
from werkzeug.exceptions import HTTPException

from core import questions
from core.game.errors import GameError, IllegalMove, InvalidMove, StaleMove
from core.game.log.codec import encode
from core.game.narrate.lines import Narrator
from core.game.types import Seat
from core.orders.notation import parse as parse_order
from core.questions.effects import Effects
from core.statuses import SubmissionStatus
from core.store.session import Busy
from core.store.tables import ApiToken, Game, SeatRow, Submission, User
from core.table.people import tokens
from core.table.people.tokens import Scope
from core.table.play import chat, play, submissions
from core.table.record import gamelog, seats, standing_orders, turns
from core.table.record.errors import TableError
from core.table.views import feeds
from core.table.views.table_view import table_view
from core.tableview import Logged, TableView
from core.terms import Terms
from core.text import _
from core.when import NEVER
from tasks import enqueue
from webapp import language, web
from webapp.access import Access, links, may_see
from webapp.api import problems, shapes
from webapp.api.problems import Problem, Refusal
from webapp.identity import limiter

MOST_TABLES: Final = 100
MOST_EVENTS: Final = 500
PER_MINUTE: Final = "600 per minute"
_LOOK_AGAIN: Final = 0.5
"""Seconds between two looks at whether something has happened."""
_waiting: Final = BoundedSemaphore(2)
"""Requests of this process that may wait at once: the others keep threads for people."""

Answer = dict[str, Any] | tuple[dict[str, Any] | str, HTTPStatus]

pages = APIBlueprint(
    "v1",
    __name__,
    url_prefix="/api/v1",
    abp_tags=[Tag(name="Kraftpost", description=__doc__ or "")],
    abp_security=[{"token": []}],
    abp_responses={401: Problem, 403: Problem, 404: Problem, 429: Problem},
)
limiter.limit(PER_MINUTE)(pages)


@pages.errorhandler(HTTPException)
def wrong(error: HTTPException) -> Response:
    """Tell programs what went wrong as problem details."""
    return problems.of(error)


@pages.errorhandler(Busy)
def busy(_error: Busy) -> Response:
    """Tell programs that others hold the database: nothing was done."""
    return problems.answer(503, _("The site is very busy just now."), "busy", {"Retry-After": "10"})


@pages.before_request
def enter() -> None:
    """Let in who brings a token; what cookies say does not count here, so no page can misuse it."""
    scheme, _space, secret = request.headers.get("Authorization", "").partition(" ")
    if scheme.lower() != "bearer" or not secret.strip():
        detail = _("Send the header “Authorization: Bearer TOKEN”; your profile makes tokens.")
        raise Refusal(HTTPStatus.UNAUTHORIZED, "token", detail)
    with web.reading() as s:
        found = tokens.holder(s, secret.strip())
    if found is None:
        text = _("This token is not known, or it is revoked; your profile makes others.")
        raise Refusal(HTTPStatus.UNAUTHORIZED, "token", text)
    g.user, g.api_token = found
    language.follow(g.user)
    if tokens.was_unused(g.api_token, web.now()):
        with web.writing() as s:
            tokens.used(s, g.api_token.id, web.now())


def _me() -> User:
    user: User = g.user
    return user


def _may(scope: Scope) -> None:
    """Demand that the token is for this."""
    token: ApiToken = g.api_token
    if scope not in tokens.scopes_of(token):
        text = _("This token is not for “{scope}”; make one that is.").format(scope=scope.value)
        raise Refusal(HTTPStatus.FORBIDDEN, "scope", text)


@contextmanager
def _refusals() -> Iterator[None]:
    """Make problems of what rules and tables refuse."""
    try:
        yield
    except StaleMove as error:
        text = str(error) or _("The game has moved on; ask for the question of now.")
        raise Refusal(HTTPStatus.CONFLICT, "stale", text) from error
    except IllegalMove as error:
        raise Refusal(HTTPStatus.UNPROCESSABLE_ENTITY, error.code, str(error)) from error
    except (GameError, InvalidMove) as error:
        raise Refusal(HTTPStatus.UNPROCESSABLE_ENTITY, "invalid", str(error)) from error
    except TableError as error:
        raise Refusal(HTTPStatus.UNPROCESSABLE_ENTITY, error.code, str(error)) from error


def _look(session: Session, number: int) -> Access:
    """Return the reader's access to a table; one that they may not see looks like none (404)."""
    game = session.get(Game, number)
    if game is None or not may_see(session, game, _me()):
        text = _("There is no such table, or it is not for you to see.")
        raise Refusal(HTTPStatus.NOT_FOUND, "no-table", text)
    return Access(game, _me(), seats.seat_of(session, number, _me().id))


def _sit(session: Session, number: int) -> tuple[Access, Seat]:
    """Return the access of a player of a game, and their seat; others are refused (403)."""
    access = _look(session, number)
    if access.seat is None:
        text = _("You have no seat in this game.")
        raise Refusal(HTTPStatus.FORBIDDEN, "no-seat", text)
    return access, Seat(access.seat)


def _begun(access: Access) -> None:
    if access.game.started_at is None and not access.game.imported:
        raise Refusal(HTTPStatus.CONFLICT, "not-begun", _("This game has not begun yet."))


def _view(session: Session, access: Access) -> TableView:
    _begun(access)
    return table_view(session, access.game.id, access.seat, now=web.now())


def _json(shape: BaseModel) -> dict[str, Any]:
    return shape.model_dump(mode="json")


def _table(session: Session, game: Game) -> shapes.TableShape:
    rows = seats.seats(session, game.id)
    mine = next((row for row in rows if row.user_id == _me().id), None)
    return shapes.TableShape(
        id=game.id,
        title=game.title,
        url=links().page(f"/games/{game.id}"),
        status=game.status,
        map=game.map,
        variant=game.variant,
        places=game.players,
        players=[row.name for row in rows],
        seat=mine.seat if mine else None,
        seq=game.seq,
        turn_hours=game.turn_hours,
        terms=Terms.model_validate(game.terms).model_dump(by_alias=True),
    )


@pages.get("/me", responses={200: shapes.Account}, summary="Whose token it is")
def me() -> Answer:
    """Return the account, and what the token is for."""
    scopes = sorted(tokens.scopes_of(g.api_token))
    return _json(shapes.Account(name=_me().name, zone=_me().zone, scopes=scopes))


@pages.get("/me/turns", responses={200: shapes.Turns}, summary="What you are asked")
def my_turns() -> Answer:
    """Return what the reader is asked at all their tables, the most urgent first."""
    _may(Scope.READ)
    with web.reading() as s:
        found = feeds.deadlines(s, _me(), links())
    told = [
        shapes.TurnShape(
            table=one.table,
            title=one.title,
            seat=one.seat,
            turn=one.turn,
            plan=one.plan,
            since=one.asked_at,
            deadline=one.at if one.at < NEVER else None,
            url=one.url,
        )
        for one in found
    ]
    return _json(shapes.Turns(turns=told))


@pages.get("/tables", responses={200: shapes.Tables}, summary="Tables")
def tables(query: shapes.Which) -> Answer:
    """Return the newest tables that the reader may see, a hundred at most."""
    _may(Scope.READ)
    mine = select(SeatRow.game_id).where(SeatRow.user_id == _me().id)
    asked = select(Game).order_by(col(Game.id).desc()).limit(MOST_TABLES)
    if query.mine:
        asked = asked.where(col(Game.id).in_(mine))
    else:
        asked = asked.where(col(Game.private).is_(False) | col(Game.id).in_(mine))
    if query.status is not None:
        asked = asked.where(Game.status == query.status)
    with web.reading() as s:
        found = [_table(s, game) for game in s.exec(asked)]
    return _json(shapes.Tables(tables=found))


@pages.get("/tables/<int:table>", responses={200: shapes.TableShape}, summary="A table")
def table(path: shapes.Here) -> Answer:
    """Return one table."""
    _may(Scope.READ)
    with web.reading() as s:
        return _json(_table(s, _look(s, path.table).game))


@pages.get(
    "/tables/<int:table>/position",
    responses={200: shapes.PositionOf, 409: Problem},
    summary="Where the game stands",
)
def position(path: shapes.Here) -> Answer:
    """Return the position as the reader's seat may see it, and who is waited for."""
    _may(Scope.READ)
    with web.reading() as s:
        seen = _view(s, _look(s, path.table))
    asked = [
        shapes.AskedShape(
            seat=one.seat,
            name=seen.names[one.seat],
            turn=one.turn,
            since=one.since,
            deadline=one.deadline,
            plan=one.plan,
        )
        for one in seen.asked
    ]
    shown = shapes.PositionShape.model_validate(seen.view)
    return _json(shapes.PositionOf(position=shown, asked=asked))


@pages.get(
    "/tables/<int:table>/question",
    responses={200: shapes.QuestionShape, 409: Problem},
    summary="What your seat is asked",
)
def question(path: shapes.Here) -> Answer:
    """Return the question that waits for a move of the reader's seat, with all its options."""
    _may(Scope.READ)
    with web.reading() as s:
        access, _seat = _sit(s, path.table)
        seen = _view(s, access)
    asked, offer = seen.mine, seen.view.offer
    now = questions.of(seen.view)
    if asked is None or now is None or offer is None or asked.plan:
        text = _("You are not asked for a move now; “me/turns” says when you are.")
        raise Refusal(HTTPStatus.CONFLICT, "not-asked", text)
    card = now.card(seen.names)
    return _json(
        shapes.QuestionShape(
            turn=asked.turn,
            deadline=asked.deadline,
            asks=type(offer).__name__,
            heading=card.heading,
            text=card.text,
            options=offer,
            commands=[shapes.CommandShape(line=one.text, note=one.note) for one in now.commands()],
            silence=now.silence,
        )
    )


@pages.post(
    "/tables/<int:table>/preview",
    responses={200: shapes.Effect, 409: Problem},
    summary="What a move would do",
)
def preview(path: shapes.Here, body: shapes.Line) -> Answer:
    """Try a move and change nothing. What hangs on chance, or on others' moves, is not told."""
    _may(Scope.READ)
    with web.reading() as s, _refusals():
        access, seat = _sit(s, path.table)
        seen = _view(s, access)
        tried = submissions.check(s, access.game.id, seat, body.turn, body.line)
        asked = questions.of(seen.view)
    lines: tuple[str, ...] = ()
    if asked is not None:
        found = Effects.of(asked, tried.move, tried.events, tried.view, seen.names)
        lines = (*found.lines, *found.sums)
    shown = shapes.PositionShape.model_validate(replace(tried.view, offer=None))
    return _json(shapes.Effect(line=tried.line, events=list(lines), position=shown))


@pages.post(
    "/tables/<int:table>/moves",
    responses={202: shapes.MoveShape, 409: Problem},
    summary="Make a move",
)
def move(path: shapes.Here, body: shapes.MoveIn) -> Answer:
    """Hand a move in, once for each key; it is judged as one from a form or a mail is."""
    _may(Scope.PLAY)
    key = f"api:{_me().id}:{body.key or secrets.token_hex(16)}"
    with web.writing() as s:
        access, seat = _sit(s, path.table)
        _begun(access)
        row = submissions.with_key(s, access.game.id, seat, key)
        if row is None:
            with _refusals():
                turns.expect(turns.current_turn(s, access.game.id, seat), body.turn)
            row = submissions.submit(
                s, access.game.id, seat, body.turn, body.line, "api", key, web.now()
            )
        s.flush()
        handed_in = _move(row)
    if handed_in.status == SubmissionStatus.PENDING:
        enqueue.adjudicate(path.table)
    return _json(handed_in), HTTPStatus.ACCEPTED


@pages.get(
    "/tables/<int:table>/moves/<int:move>",
    responses={200: shapes.MoveShape},
    summary="What became of a move",
)
def move_made(path: shapes.MoveHere) -> Answer:
    """Return a move that the reader's seat has handed in."""
    _may(Scope.READ)
    with web.reading() as s:
        access, seat = _sit(s, path.table)
        row = s.get(Submission, path.move)
        if row is None or (row.game_id, row.seat) != (access.game.id, seat):
            text = _("You have handed in no such move.")
            raise Refusal(HTTPStatus.NOT_FOUND, "no-move", text)
        return _json(_move(row))


def _move(row: Submission) -> shapes.MoveShape:
    return shapes.MoveShape(
        id=row.id,
        turn=row.turn,
        line=row.text,
        status=row.status,
        code=row.code,
        reason=row.reason,
        seq=row.seq,
    )


@pages.get(
    "/tables/<int:table>/events",
    responses={200: shapes.Events, 409: Problem},
    summary="The log, and what happens next",
)
def events(path: shapes.Here, query: shapes.After) -> Answer:
    """Return up to 500 events after a position; with `wait`, hold until there is one.

    Only some requests are held at a time; the others are answered at once, as if nothing had
    happened.
    """
    _may(Scope.READ)
    with web.reading() as s:
        _begun(_look(s, path.table))
    if query.wait and _waiting.acquire(blocking=False):
        try:
            _hold(path.table, query.after, query.wait)
        finally:
            _waiting.release()
    with web.reading() as s:
        seen = _view(s, _look(s, path.table))
    narrator = Narrator(seen.view.ruleset, seen.names, (entry.event for entry in seen.log))
    told = [_told(narrator, entry) for entry in seen.log]
    after = [one for one in told if one.seq > query.after][:MOST_EVENTS]
    return _json(shapes.Events(seq=after[-1].seq if after else seen.view.seq, events=after))


def _told(narrator: Narrator, entry: Logged) -> shapes.EventShape:
    line = narrator.line(entry.event) or ""
    return shapes.EventShape(seq=entry.seq, at=entry.at, text=line, body=encode(entry.event))


def _hold(number: int, after: int, seconds: int) -> None:
    """Wait until the log is longer than `after`; no transaction is open meanwhile."""
    end = time.monotonic() + seconds
    while time.monotonic() < end:
        with web.reading() as s:
            if gamelog.find(s, number).seq > after:
                return
        time.sleep(_LOOK_AGAIN)


@pages.get(
    "/tables/<int:table>/orders", responses={200: shapes.Orders}, summary="Your standing orders"
)
def orders(path: shapes.Here) -> Answer:
    """Return the standing orders of the reader's seat that are in force."""
    _may(Scope.READ)
    with web.reading() as s:
        access, _seat = _sit(s, path.table)
        return _json(_orders(_view(s, access)))


@pages.post(
    "/tables/<int:table>/orders",
    responses={200: shapes.Orders},
    summary="Give a standing order, or say that you have no more",
)
def order(path: shapes.Here, body: shapes.OrderIn) -> Answer:
    """Give one order; the line `ready` says that there are no more for this round."""
    _may(Scope.PLAY)
    with web.writing() as s, _refusals():
        access, seat = _sit(s, path.table)
        _begun(access)
        game = gamelog.lock(s, access.game.id)
        if body.line.strip().lower() == "ready":
            play.ready(s, game, seat, web.now())
        else:
            state = gamelog.load(s, game.id)
            said = parse_order(body.line, state.ruleset)
            standing_orders.give(s, game, state, seat, said, web.now())
    enqueue.adjudicate(path.table)
    return _mine(path.table)


@pages.delete(
    "/tables/<int:table>/orders/<int:number>",
    responses={200: shapes.Orders},
    summary="Cancel a standing order",
)
def cancel(path: shapes.OrderHere) -> Answer:
    """Take an order back by its number."""
    _may(Scope.PLAY)
    with web.writing() as s, _refusals():
        access, seat = _sit(s, path.table)
        _begun(access)
        game = gamelog.lock(s, access.game.id)
        standing_orders.cancel(s, game, seat, path.number, web.now())
    return _mine(path.table)


def _mine(number: int) -> dict[str, Any]:
    with web.reading() as s:
        access, _seat = _sit(s, number)
        return _json(_orders(_view(s, access)))


def _orders(seen: TableView) -> shapes.Orders:
    return shapes.Orders(orders=[shapes.OrderShape.model_validate(one) for one in seen.orders])


@pages.get("/tables/<int:table>/chat", responses={200: shapes.Chat}, summary="What was said")
def said(path: shapes.Here) -> Answer:
    """Return the last 200 lines that were said at a table of the reader's."""
    _may(Scope.READ)
    with web.reading() as s:
        access = _look(s, path.table)
        if not access.belongs:
            text = _("Only those at the table read what is said there.")
            raise Refusal(HTTPStatus.FORBIDDEN, "not-at-table", text)
        lines = [
            shapes.ChatShape(id=line.id, name=name, text=line.text, at=line.at)
            for line, name in chat.lines(s, access.game.id)
        ]
    return _json(shapes.Chat(lines=lines))


@pages.post("/tables/<int:table>/chat", responses={204: None}, summary="Say something")
@limiter.limit("30 per minute")
def say(path: shapes.Here, body: shapes.SaidIn) -> Answer:
    """Say a line at a table of the reader's."""
    _may(Scope.CHAT)
    with web.writing() as s, _refusals():
        game = gamelog.lock(s, _look(s, path.table).game.id)
        chat.say(s, game, _me(), body.text, f"api:{body.key or secrets.token_hex(8)}", web.now())
    return "", HTTPStatus.NO_CONTENT
