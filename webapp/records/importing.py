"""Bringing a finished game back from its file."""

from functools import partial
from typing import Final, Literal

from flask import Blueprint, Flask, flash, redirect, render_template, request, url_for
from flask.typing import ResponseReturnValue

from core.game.errors import LogError
from core.game.log.jsonl import GameLog
from core.game.log.jsonl import read as read_log
from core.table.people import archive
from core.table.record.errors import TableError
from core.text import _
from webapp import web
from webapp.errors import refusal
from webapp.forms import Form, read
from webapp.identity import limiter, me, signed_in

pages = Blueprint("importing", __name__)

LARGEST: Final = 4 * 1024 * 1024
"""Bytes of a file; the longest games have a tenth of that."""
_FORM: Final = 64 * 1024  # what the form needs beside the file


def init_app(app: Flask) -> None:
    """Let this one form be larger than others; before anything reads it."""

    @app.before_request
    def _allow() -> None:
        if request.endpoint == "importing.bring":
            request.max_content_length = LARGEST + _FORM


class ImportForm(Form):
    """Who may see the game that is brought."""

    who: Literal["all", "me"] = "all"


@pages.get("/import")
@signed_in
def ask() -> ResponseReturnValue:
    """Ask for a file, and who may see the game."""
    return _page(ImportForm(), "")


@pages.post("/import")
@signed_in
@limiter.limit("20 per hour")
def bring() -> ResponseReturnValue:
    """Store the game of a file, or say which line is wrong and why."""
    form, now = read(ImportForm), web.now()
    try:
        log = _read()
        with web.writing() as s:
            game = archive.import_log(s, log, now, me(), private=form.who == "me")
    except (LogError, TableError) as error:
        raise refusal(str(error), partial(_page, form)) from error
    done = _("The game is here, with every position of it.")
    flash(done if game.created_at == now else _("This game is here already."), "good")
    return redirect(url_for("game.show", game_id=game.id), 303)


def _page(form: ImportForm, wrong: str) -> str:
    return render_template("records/import.html", wrong=wrong, private=form.who == "me")


def _read() -> GameLog:
    file = request.files.get("file")
    raw = file.stream.read(LARGEST + 1) if file else b""
    if not raw.strip():
        raise TableError("file-missing", _("Choose the file of a game; this one is empty."))
    if len(raw) > LARGEST:
        text = _("The file is larger than {most} MB; no game needs so much.")
        raise TableError("file-large", text.format(most=LARGEST // 1024**2))
    return read_log(raw)
