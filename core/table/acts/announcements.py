"""What host, majority or players do to a game is told to all at the table, from the log itself.

The mail says what the log says, word for word: nothing of it is secret, and nothing of it can be
said of one and be kept from another (M77).
"""

from collections.abc import Collection
from datetime import datetime
from typing import Any

from sqlmodel import Session, col, select

from core.game.events import (
    DeadlineExtended,
    Event,
    GamePaused,
    GameResumed,
    Rewound,
    SeatOpened,
    SeatTaken,
    TurnSkipped,
)
from core.game.narrate.lines import Narrator
from core.game.types import Seat
from core.mail import message as letters
from core.mail.outbox import NotWanted
from core.statuses import MailStatus, ProposalStatus
from core.store.tables import Game, OutboxMail, Proposal
from core.table.acts import proposed
from core.table.notify import post
from core.table.record import gamelog, seats
from core.tableview import TableView
from core.text import _
from core.when import exact


def tell(session: Session, game: Game, kind: type[Event], but: Seat | None, now: datetime) -> None:
    """Owe everybody at the table a notice of the last event of a kind, but for who did it."""
    seq = max(e.seq for e in gamelog.events(session, game.id) if isinstance(e.event, kind))
    for seat, (_row, user) in seats.players(session, game.id).items():
        if user is not None and seat != but:
            key = f"act:{game.id}:{seq}:{seat}"
            post.note(session, user, game, seat, key, now, {"what": "act", "seq": seq})


def ask(session: Session, game: Game, proposal: Proposal, voters: Collection[Seat]) -> None:
    """Owe everybody who is to say yes or no a notice of what is proposed."""
    for seat in voters:
        user = seats.owner(session, game.id, seat)
        if user is not None:
            key = f"proposal:{proposal.id}:{seat}"
            context = {"what": "proposal", "proposal": proposal.id}
            post.note(session, user, game, seat, key, proposal.created_at, context)


def tell_over(session: Session, game: Game, proposal: Proposal, now: datetime) -> None:
    """Owe word of a proposal that comes to nothing: to who waits for it, or would yet answer it."""
    for seat in _concerned(session, proposal):
        user = seats.owner(session, game.id, seat)
        if user is not None:
            key = f"over:{proposal.id}:{seat}"
            context = {"what": "over", "proposal": proposal.id}
            post.note(session, user, game, seat, key, now, context)


def _concerned(session: Session, proposal: Proposal) -> list[Seat]:
    """Who proposed it; of one that was withdrawn, who has been asked by mail and not answered."""
    if proposal.status != ProposalStatus.WITHDRAWN:
        return [Seat(proposal.seat)]
    waiting = select(OutboxMail.key).where(
        col(OutboxMail.key).startswith(f"proposal:{proposal.id}:"),
        OutboxMail.status == MailStatus.PENDING,
    )
    unasked = set(session.exec(waiting))
    return [
        seat
        for seat in proposed.voters(session, proposal)
        if seat != proposal.seat
        and f"proposal:{proposal.id}:{seat}" not in unasked
        and proposed.said(session, proposal, seat) is None
    ]


def letter(
    session: Session,
    table: TableView,
    context: dict[str, Any],
    reader: letters.Reader,
    now: datetime,
) -> letters.Notice | None:
    """What the mail says; None where its context speaks of no act and no proposal."""
    match context["what"]:
        case "act":
            return _told(table, context)
        case "proposal":
            return _asked(session, table, context, reader, now)
        case "over":
            return _over(session, table, context)
    return None


def _told(table: TableView, context: dict[str, Any]) -> letters.Notice:
    tell = Narrator(table.view.ruleset, table.names)
    event = next(e.event for e in table.log if e.seq == context["seq"])
    return letters.Notice(table, _heading(event), tell.line(event) or "")


def _heading(event: Event) -> str:
    """What has been done, for the subject."""
    return {
        DeadlineExtended: _("There is more time"),
        GamePaused: _("The game is paused"),
        GameResumed: _("The game goes on"),
        SeatTaken: _("A seat has changed hands"),
        SeatOpened: _("A seat can be taken"),
        TurnSkipped: _("A turn was skipped"),
        Rewound: _("A move was taken back"),
    }[type(event)]


def _over(session: Session, table: TableView, context: dict[str, Any]) -> letters.Notice:
    row = session.get_one(Proposal, context["proposal"])
    why = {
        ProposalStatus.LAPSED: _(
            "Not enough have answered in time, or the game has moved on: it is not done."
        ),
        ProposalStatus.REFUSED: _("Not enough agree: it is not done."),
        ProposalStatus.WITHDRAWN: _("This has been withdrawn; you need not answer it any more."),
    }[row.status]
    said = proposed.words(session, gamelog.find(session, row.game_id), row)
    return letters.Notice(table, _("A proposal came to nothing"), f"{said} {why}")


def _asked(
    session: Session,
    table: TableView,
    context: dict[str, Any],
    reader: letters.Reader,
    now: datetime,
) -> letters.Notice:
    """NotWanted once the proposal is over, or the reader has answered."""
    row = session.get(Proposal, context["proposal"])
    seat = table.view.seat
    if row is None or seat is None or not proposed.is_open(session, row, now):
        raise NotWanted("it is over")
    if proposed.said(session, row, seat) is not None:
        raise NotWanted("answered meanwhile")
    game = gamelog.find(session, row.game_id)
    ends = exact(proposed.ends(game, row), reader.zone, reader.locale)
    until = (
        _("Nobody can answer any more once somebody has moved, or after {when}.")
        if row.kind == "undo"
        else _("It is done once {needed} of {count} agree, and can be answered until {when}.")
    ).format(
        when=ends,
        needed=proposed.needed(session, row),
        count=len(proposed.voters(session, row)),
    )
    return letters.Notice(
        table,
        _("{name} asks: do you agree?").format(name=table.names[row.seat]),
        f"{proposed.words(session, game, row)} {until}",
        commands=(
            _("ok {number}").format(number=row.number),
            _("no {number}").format(number=row.number),
        ),
    )
