"""What somebody wrote in a form that came too late: their session had ended, or its token was old.

Nothing of it is done. It lies signed in a cookie of this browser for an hour, so that nothing of
strangers is stored, and comes back filled in on the page that it was sent from.
"""

from collections.abc import Sequence
from dataclasses import asdict, dataclass
from datetime import timedelta
from typing import Final
from urllib.parse import urlsplit

from flask import Flask, Response, current_app, g, redirect, request, url_for
from flask.typing import ResponseReturnValue
from itsdangerous import BadData, URLSafeTimedSerializer
from werkzeug.exceptions import HTTPException

from core.questions.question import Fields
from webapp import web

COOKIE: Final = "kraftpost_kept"
LIFE: Final = timedelta(hours=1)
MOST: Final = 3800
"""Bytes that fit into a cookie; what is longer is shown, and cannot be kept."""
_UNSEEN: Final = ("csrf_token", "nonce", "turn", "do", "order", "for", "round")
_FORMS: Final = {
    "turns.act": "turn",
    "turns.seat_act": "turn",
    "turns.link_act": "turn",
    "game.say": "chat",
    "game.note": "note",
}
"""Forms of a table that fill themselves in again; others are offered whole."""


@dataclass(frozen=True, slots=True)
class Kept:
    """A form that was not done: where it was sent to, from which page, and what it said.

    `kind`: turn, chat or note of a `game`; empty for any other form.
    """

    path: str
    page: str
    fields: dict[str, list[str]]
    kind: str = ""
    game: int = 0

    @property
    def texts(self) -> Sequence[str]:
        """What was written or chosen, for people."""
        told = ((name, text) for name, texts in self.fields.items() for text in texts)
        return [
            text for name, text in told if name not in _UNSEEN and text.strip() not in ("", "0")
        ]


def init_app(app: Flask) -> None:
    """Give every template its `kept`; a form that has been done at last is not kept any longer."""
    app.context_processor(lambda: {"kept": kept()})
    app.after_request(_settle)
    app.add_url_rule("/kept/forget", "forget_kept", _forget, methods=["POST"])


def keep() -> Kept | None:
    """Keep the form of this request, and return it; nothing that another site has sent."""
    if request.method != "POST" or not _ours():
        return None
    fields = {name: texts for name, texts in request.form.lists() if name != "csrf_token"}
    given = request.view_args or {}
    kind = _FORMS.get(request.endpoint or "", "")
    found = Kept(request.path, _page(), fields, kind, given.get("game_id", 0))
    g.kept, g.kept_now = found, True
    return found


def kept(kind: str = "", game: int = 0) -> Kept | None:
    """Return what this browser could not send; of this kind and game alone, if they are given."""
    if "kept" not in g:
        g.kept = _read(request.cookies.get(COOKIE, ""))
    found: Kept | None = g.kept
    if found is None or (kind and (found.kind, found.game) != (kind, game)):
        return None
    return found


def turn_fields(game: int) -> Fields:
    """Return what was filled in for a turn of this game, or nothing."""
    found = kept("turn", game)
    return found.fields if found else {}


def _forget() -> ResponseReturnValue:
    found = kept()
    page = found.page if found else url_for("lobby.index")
    g.kept, g.kept_now = None, True
    return redirect(page, 303)


def _read(text: str) -> Kept | None:
    try:
        return Kept(**_signer().loads(text, max_age=int(LIFE.total_seconds())))
    except (BadData, TypeError):
        return None


def _settle(response: Response) -> Response:
    found = kept() if COOKIE in request.cookies or "kept" in g else None
    done = request.method == "POST" and response.status_code < 400 and not g.get("kept_now")
    if found is not None and g.get("kept_now"):
        text = _signer().dumps(asdict(found))
        if len(text) <= MOST:
            secure = web.settings().public_url.startswith("https://")
            response.set_cookie(
                COOKIE, text, max_age=LIFE, secure=secure, httponly=True, samesite="Lax"
            )
    elif g.get("kept_now") or (found is not None and done and _answers(found)):
        response.delete_cookie(COOKIE)
    return response


def _answers(found: Kept) -> bool:
    """Return True if this request sends again what was kept."""
    given = request.view_args or {}
    same = found.kind and _FORMS.get(request.endpoint or "") == found.kind
    return request.path == found.path or bool(same and given.get("game_id") == found.game)


def _ours() -> bool:
    """Return True unless another site's page has sent this form."""
    whence = request.origin if request.origin not in (None, "null") else request.referrer
    return not whence or urlsplit(whence).netloc == request.host


def _page() -> str:
    """Return the page to come back to: where the form stood, or its table, or the lobby."""
    came = urlsplit(request.referrer or "")
    for path in (came.path if came.netloc == request.host else "", _table()):
        try:
            if path and current_app.url_map.bind("").test(path, "GET"):
                return f"{path}?{came.query}" if path == came.path and came.query else path
        except HTTPException:
            continue
    return url_for("lobby.index")


def _table() -> str:
    game = (request.view_args or {}).get("game_id")
    return url_for("game.show", game_id=game) if game else ""


def _signer() -> URLSafeTimedSerializer:
    return URLSafeTimedSerializer(web.settings().secret_key, salt="kept form")
