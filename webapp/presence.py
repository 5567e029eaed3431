"""Writes down that somebody acts at a table, so that mails about it wait a moment for him (M3).

Acts are forms that are sent, and a game's page opened by hand by somebody who has signed in. What
a page does by itself is none (M2), and the mere opening of a mail's link is none either: mail
scanners do that, and it changes nothing (M19).
"""

from flask import Flask, request

from core.mail.links import TurnLink
from core.table.notify import quiet
from core.table.record import seats
from webapp import web
from webapp.access import links
from webapp.identity import current_user


def init_app(app: Flask) -> None:
    """Look at each request before its view: what the view brings about may owe a mail already."""
    app.before_request(_note)


def _note() -> None:
    who = _who()
    if who is None:
        return
    game_id, user_id = who
    with web.reading() as s:
        if seats.seat_of(s, game_id, user_id) is None:
            return
        if quiet.is_known(s, game_id, user_id, web.now()):
            return
    with web.writing() as s:
        quiet.acted(s, game_id, user_id, web.now())


def _who() -> tuple[int, int] | None:
    """The table at which this request is an act, and whose."""
    given = request.view_args or {}
    opened = request.method == "GET" and request.endpoint == "game.show"
    if request.method != "POST" and not (opened and "Sec-Purpose" not in request.headers):
        return None
    if "game_id" in given:
        user = current_user()
        return (given["game_id"], user.id) if user else None
    link = links().read(TurnLink, given["token"]) if "token" in given else None
    return (link.game, link.user) if link else None
