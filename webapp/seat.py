"""A seat that a mail's link has opened to this browser for half an hour, without signing in.

It begins with a form sent by a link that is still good, and opens that one seat: no account page,
no chat, no other table. It lies in the signed cookie of the forms.
"""

from datetime import timedelta
from typing import Final

from flask import session

from core.mail.addresses import TurnLink
from webapp import web

LIFE: Final = timedelta(minutes=30)
_KEY: Final = "seats"
_MOST: Final = 5


def open_seat(link: TurnLink) -> None:
    """Let this browser play the link's seat for a while."""
    until = int((web.now() + LIFE).timestamp())
    others = {game: rest for game, rest in _seats().items() if game != str(link.game)}
    kept = dict(list(others.items())[-(_MOST - 1) :])
    session[_KEY] = {**kept, str(link.game): [link.user, link.seat, until]}


def opened_seat(game_id: int) -> TurnLink | None:
    """Return whose seat of this game is open to this browser; its `turn` says nothing."""
    user, seat, until = _seats().get(str(game_id), (0, 0, 0))
    if web.now().timestamp() >= until:
        return None
    return TurnLink(user, game_id, seat, 0)


def close_seats() -> None:
    """Shut all of them, as who signs out expects."""
    session.pop(_KEY, None)


def _seats() -> dict[str, list[int]]:
    found: dict[str, list[int]] = session.get(_KEY, {})
    return found
