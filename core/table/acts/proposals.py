"""Proposals: what others at the table must agree to, by form or by `ok 7` in a mail.

An undo needs everybody whom it concerns; what a host may do, a majority may where he is gone, and
ending a game always. Whoever asks agrees. What is agreed is done in the same transaction.
"""

from collections.abc import Mapping
from datetime import datetime
from typing import Any

from sqlmodel import Session, col, func, select

from core.game.errors import GameError
from core.game.types import Seat
from core.statuses import GameStatus, ProposalStatus
from core.store.tables import Game, Proposal, ProposalAnswer
from core.table.acts import announcements, host_acts, proposed, undo
from core.table.record import gamelog
from core.table.record.errors import TableError
from core.text import _


def ask_to_undo(
    session: Session, game_id: int, seat: int, last: int | None, now: datetime
) -> Proposal | None:
    """Take the seat's last move back, or ask those who must agree; None where it is done.

    Raises:
        TableError: as `undo.look`; `moved-on` if more has happened than the player has seen;
            `asked-once` if he has asked before for this move (M57).
    """
    game = gamelog.lock(session, game_id)
    found = undo.look(session, game_id, seat)
    if found.free:
        undo.take_back(session, game_id, seat, last, now)
        return None
    if last is not None and last != game.seq:
        raise undo.moved_on()
    if undo.asked_before(session, game_id, found):
        raise TableError("asked-once", _(
            "You have asked once already to take this move back; that is all. If it is a mistake, "
            "ask the host to correct it."
        ))  # fmt: skip
    body = {"agree": list(found.must_agree), "whose": [list(p) for p in found.whose.items()]}
    row = _propose(session, game, found.seat, "undo", body, now, found.turn)
    announcements.ask(session, game, row, found.must_agree)
    return row


def propose(
    session: Session, game_id: int, seat: int, kind: str, body: Mapping[str, Any], now: datetime
) -> Proposal:
    """Propose to the players what a host may do (core.table.acts.host_acts.ACTS).

    Raises:
        TableError: `host-is-here` while the host can do it; `proposed` while the same is open;
            and whatever the act itself refuses.
    """
    game = gamelog.lock(session, game_id)
    asker = Seat(seat)
    _demand_vote(session, game, asker, kind, now)
    clean = host_acts.checked(session, game, kind, body, now)
    row = _propose(session, game, asker, kind, clean, now)
    _say(session, row, asker, agrees=True, now=now)
    announcements.ask(session, game, row, [s for s in proposed.voters(session, row) if s != asker])
    _settle(session, game, row, now)
    return row


def answer(
    session: Session, game_id: int, number: int, seat: int, *, agrees: bool, now: datetime
) -> Proposal:
    """A seat says yes or no; with the last word that it needs, the thing is done.

    Raises:
        TableError: `no-proposal` of this number; `proposal-over` if it is settled, has lapsed, or
            the game has moved on; `not-asked` if this seat has nothing to say to it.
    """
    game = gamelog.lock(session, game_id)
    row = _find(session, game, number, now)
    place = Seat(seat)
    if place not in proposed.voters(session, row):
        raise TableError("not-asked", _("You are not asked for this: it does not concern you."))
    _say(session, row, place, agrees=agrees, now=now)
    _settle(session, game, row, now)
    return row


def withdraw(session: Session, game_id: int, number: int, seat: int, now: datetime) -> None:
    """Whoever has proposed something does not want it any more."""
    row = _find(session, gamelog.lock(session, game_id), number, now)
    if row.seat != seat:
        raise TableError("not-asked", _("Only who has proposed something can withdraw it."))
    _close(session, gamelog.find(session, game_id), row, ProposalStatus.WITHDRAWN, now)


def due(session: Session, now: datetime) -> set[int]:
    """Games with proposals that nobody can answer any more, or on which enough have agreed."""
    rows = session.exec(select(Proposal).where(Proposal.status == ProposalStatus.OPEN)).all()
    return {
        row.game_id
        for row in rows
        if not proposed.is_open(session, row, now) or proposed.outcome(session, row)
    }


def tend(session: Session, game: Game, now: datetime) -> None:
    """Close what has lapsed, and do what those agree to who are still here when others have left.

    What cannot be done any more lapses. The game must be locked.
    """
    lapse(session, game, now)
    for row in proposed.rows(session, game.id):
        try:
            with session.begin_nested():
                _settle(session, game, row, now)
        except (TableError, GameError):
            session.refresh(row)
            _close(session, game, row, ProposalStatus.LAPSED, now)


def lapse(session: Session, game: Game, now: datetime) -> None:
    """Close those proposals; who made them is told. The game must be locked."""
    for row in proposed.rows(session, game.id):
        if not proposed.is_open(session, row, now):
            _close(session, game, row, ProposalStatus.LAPSED, now)


def _demand_vote(session: Session, game: Game, seat: Seat, kind: str, now: datetime) -> None:
    if kind not in host_acts.ACTS:
        raise TableError("no-proposal", _("There is nothing of this kind to propose."))
    if game.status != GameStatus.RUNNING:
        raise TableError("not-running", _("This game is not running."))
    if seat not in proposed.present(session, game.id):
        text = _("A bot plays your seat; take it back first.")
        raise TableError("not-asked", text)
    if kind != "end" and not host_acts.host_is_gone(session, game, now):
        raise TableError("host-is-here", _(
            "The host of this table can do that; ask the host. The players decide once the host "
            "has been silent for {days} days."
        ).format(days=host_acts.SILENCE.days))  # fmt: skip
    if any(r.kind == kind and proposed.is_open(session, r, now) for r in proposed.rows(
        session, game.id
    )):  # fmt: skip
        raise TableError("proposed", _("This is proposed already; answer that first."))


def _propose(
    session: Session,
    game: Game,
    seat: Seat,
    kind: str,
    body: dict[str, Any],
    now: datetime,
    turn: int | None = None,
) -> Proposal:
    lapse(session, game, now)
    last = session.exec(select(func.max(col(Proposal.number))).where(Proposal.game_id == game.id))
    row = Proposal(
        game_id=game.id,
        number=(last.one() or 0) + 1,
        kind=kind,
        seat=seat,
        turn=turn,
        body=body,
        seq=game.seq,
        created_at=now,
    )
    session.add(row)
    session.flush()
    return row


def _find(session: Session, game: Game, number: int, now: datetime) -> Proposal:
    query = select(Proposal).where(Proposal.game_id == game.id, Proposal.number == number)
    row = session.exec(query).first()
    if row is None:
        text = _("There is no proposal {number} at this table.")
        raise TableError("no-proposal", text.format(number=number))
    if not proposed.is_open(session, row, now):
        text = _("Proposal {number} is over: it was settled, or the game has moved on.")
        raise TableError("proposal-over", text.format(number=number))
    return row


def _say(session: Session, row: Proposal, seat: Seat, *, agrees: bool, now: datetime) -> None:
    known = session.get(ProposalAnswer, (row.id, seat))
    said = known or ProposalAnswer(proposal_id=row.id, seat=seat, agrees=agrees, at=now)
    said.agrees, said.at = agrees, now
    session.add(said)
    session.flush()


def _settle(session: Session, game: Game, row: Proposal, now: datetime) -> None:
    """Do what enough have agreed to; give up what cannot be agreed any more."""
    outcome = proposed.outcome(session, row)
    if outcome:
        _close(session, game, row, outcome, now)
    if outcome == ProposalStatus.ACCEPTED:
        _carry_out(session, game, row, now)


def _carry_out(session: Session, game: Game, row: Proposal, now: datetime) -> None:
    if row.kind == "undo":
        found = undo.look(session, game.id, row.seat)
        if found.turn != row.turn:
            raise undo.moved_on()
        undo.carry_out(session, game, found, "consent", now)
    else:
        host_acts.perform(session, game, row.kind, row.body, "vote", now)


def _close(
    session: Session, game: Game, row: Proposal, status: ProposalStatus, now: datetime
) -> None:
    row.status, row.closed_at = status, now
    session.add(row)
    session.flush()
    if (
        game.status == GameStatus.RUNNING and status != ProposalStatus.ACCEPTED
    ):  # what is done is told by itself
        announcements.tell_over(session, game, row, now)
