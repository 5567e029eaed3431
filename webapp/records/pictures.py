"""Pictures of a game for everybody who may see it: its film, and the card of its link."""

from datetime import timedelta
from typing import Final

from flask import (
    Blueprint,
    Flask,
    current_app,
    redirect,
    render_template,
    url_for,
)
from flask.typing import ResponseReturnValue
from sqlmodel import Session
from werkzeug.exceptions import NotFound

from core.statuses import GAME_OVER, PictureStatus
from core.store.tables import Game, Heartbeat, Picture
from core.table.views import pictures as made
from core.text import _
from tasks import enqueue
from webapp import web
from webapp.access import look
from webapp.errors import NotYours, refusals
from webapp.identity import limiter

pages = Blueprint("pictures", __name__, url_prefix="/games/<int:game_id>")

_SILENT: Final = timedelta(minutes=1)
"""A worker that was not heard of for so long makes no pictures."""
_AGAIN: Final = "3"
"""Seconds after which a page that waits looks again."""


def init_app(app: Flask) -> None:
    """Let templates say which card goes with a link."""
    app.jinja_env.globals.update(card_address=card_address, public_address=_public)


def card_address(game_id: int | None, private: bool) -> str:
    """Return the picture's address for a preview of a link: a public game's, or the general."""
    if game_id is None or private:
        return _public(url_for("static", filename="card.png"))
    return _public(url_for("pictures.card", game_id=game_id))


@pages.get("/film")
def film(game_id: int) -> ResponseReturnValue:
    """Return the film, how far its making has got, or the button that asks for it."""
    with web.reading() as s:
        game = _over(s, game_id)
        row = s.get(Picture, (game_id, made.FILM))
        page = render_template(
            "records/film.html", game=game, picture=row, idle=_is_idle(s), why=_why(row)
        )
    waits = row is not None and row.status == PictureStatus.OWED
    return page, 200, {"Refresh": _AGAIN} if waits else {}


@pages.post("/film")
@limiter.limit("20 per hour")
def ask(game_id: int) -> ResponseReturnValue:
    """Ask for the film; once more where its making has failed."""
    with web.writing() as s, refusals():
        game = _over(s, game_id)
        row = s.get(Picture, (game_id, made.FILM))
        if row is None or row.status == PictureStatus.FAILED:
            made.owe(s, game, made.FILM, web.now())
    enqueue.draw()
    return redirect(url_for("pictures.film", game_id=game_id), 303)


@pages.get("/film.webp")
def reel(game_id: int) -> ResponseReturnValue:
    """Return the film itself."""
    with web.reading() as s:
        game = look(s, game_id).game
        row = s.get(Picture, (game_id, made.FILM))
        if row is None or row.status != PictureStatus.READY:
            raise NotFound
        return web.kept(row.body, "image/webp", private=game.private)


@pages.get("/card.png")
def card(game_id: int) -> ResponseReturnValue:
    """Return the card of a public game.

    The general one while there is none, and for private games.
    """
    with web.reading() as s:
        game = look(s, game_id).game
        row = None if game.private else s.get(Picture, (game_id, made.CARD))
        if row is None or not row.body:
            return current_app.send_static_file("card.png")
        answer = web.kept(row.body, "image/png", private=False)
    # others show it beside a link to us
    answer.headers["Cross-Origin-Resource-Policy"] = "cross-origin"
    return answer


def _over(session: Session, game_id: int) -> Game:
    """Return a game that is over, which the reader may see."""
    game = look(session, game_id).game
    if game.status not in GAME_OVER:
        raise NotYours(_("The film is made when the game is over."))
    return game


def _is_idle(session: Session) -> bool:
    """Return True if there is no worker that could make a picture."""
    beat = session.get(Heartbeat, "worker")
    return beat is None or web.now() - beat.at > _SILENT


def _why(row: Picture | None) -> str:
    """Return why a picture was not made, and what to do."""
    if row is None or row.status != PictureStatus.FAILED:
        return ""
    if row.error == "large":
        return _("The film grew larger than 2 MB, so that nobody could send it.")
    return _("Its making stopped again and again. Whoever runs the site finds why in the log.")


def _public(path: str) -> str:
    return web.settings().public_url.rstrip("/") + path
