"""Mails to whoever sits in for a player who is away: that he may move, and that it is time to."""

from datetime import datetime

from sqlmodel import Session

from core.game.types import Seat
from core.mail import outbox
from core.mail.letter import Memo
from core.mail.outbox import NotWanted
from core.store.tables import Game, OutboxMail, User, Vacation
from core.store.tables import Turn as TurnRow
from core.table import turns
from core.table.away import sitters
from core.text import _
from core.when import exact


def owe_word(
    session: Session, game: Game, seat: Seat, sitter: User, row: Vacation, now: datetime
) -> None:
    """He may move for the seat from now on."""
    key = f"sitter:{row.id}:{game.id}"
    outbox.enqueue(session, "sitter", key=key, now=now, user=sitter, game_id=game.id, seat=seat)


def owe_turn(session: Session, owner: User, asked: TurnRow, now: datetime) -> None:
    """A seat is asked whose owner is away: tell his sitter."""
    game = session.get_one(Game, asked.game_id)
    sitter = sitters.sitter(session, game, owner.id, now)
    if sitter is not None:
        outbox.enqueue(
            session,
            "sitter",
            key=f"sitter:{asked.game_id}:{asked.seat}:{asked.turn}",
            now=now,
            user=sitter,
            game_id=asked.game_id,
            seat=asked.seat,
            turn=asked.turn,
        )


def memo(session: Session, mail: OutboxMail, game: Game, now: datetime) -> Memo:
    """What to write; NotWanted once he may not move any more, or has moved."""
    reader = session.get(User, mail.user_id)
    place = sitters.sits_for(session, game, reader, now) if reader else None
    if reader is None or place is None or place.seat != mail.seat:
        raise NotWanted("nobody to sit in for any more")
    row = sitters.present(session, place.user_id, now)
    until = exact(row.ends_at, reader.zone, reader.locale) if row else ""
    heading = _("You may move for {name}").format(name=place.name)
    if mail.turn is not None:
        asked = turns.current_turn(session, game.id, Seat(mail.seat or 0))
        if asked is None or asked.turn != mail.turn:
            raise NotWanted("answered meanwhile")
        heading = _("{name}'s company is asked for a move").format(name=place.name)
    return Memo(
        heading=heading,
        lines=(
            _("{name} is away until {until} and has named you as sitter at “{title}”.").format(
                name=place.name, until=until, title=game.title
            ),
            _(
                "You see the game as {name} does and may move on the page; everybody can read in "
                "the log that it was you. If you do nothing, nothing is lost: the clock stands."
            ).format(name=place.name),
        ),
        path=f"/games/{game.id}",
        button=_("Open the game"),
    )
