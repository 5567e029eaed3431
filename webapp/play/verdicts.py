"""What became of a move that a form sent: read from its row, waited for a moment."""

import time
from typing import Final

from flask import request
from sqlmodel import Session, select

from core.store.tables import Submission
from webapp import web
from webapp.access import Access

PATIENCE: Final = 2.5
"""Seconds for which a request waits for the worker before it answers "being judged"."""
_PAUSE: Final = 0.05


def own_submission(session: Session, access: Access) -> Submission | None:
    """The submission named in the address, if it is of the reader's own seat."""
    number = request.args.get("sent", "")
    if not number.isascii() or not number.isdecimal() or len(number) > 9:
        return None
    return find(session, int(number), access.game.id, access.acting)


def find(session: Session, number: int, game_id: int, seat: int | None) -> Submission | None:
    """A submission of this seat of this game, and of no other."""
    row = session.get(Submission, number)
    mine = row is not None and row.game_id == game_id and row.seat == seat
    return row if mine else None


def known(session: Session, game_id: int, seat: int, key: str) -> Submission | None:
    """The submission that carries this key already: a form sent twice."""
    query = select(Submission).where(
        Submission.game_id == game_id, Submission.seat == seat, Submission.key == key
    )
    return session.exec(query).first()


def decided(number: int) -> bool:
    """Wait a moment until the worker has judged; False if it has not."""
    end = time.monotonic() + PATIENCE
    while True:
        with web.reading() as s:
            row = s.get(Submission, number)
            if row is not None and row.status != "pending":
                return True
        if time.monotonic() > end:
            return False
        time.sleep(_PAUSE)
