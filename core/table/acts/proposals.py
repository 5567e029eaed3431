"""Proposals: what others at the table must agree to, by form or by `ok 7` in a mail.

An undo needs everybody whom it concerns; what a host may do, a majority may where the host is gone,
and ending a game always. Whoever asks agrees. What is agreed is done in the same transaction.
"""

from collections.abc import Collection, Mapping, Sequence
from dataclasses import asdict, dataclass
from datetime import datetime, timedelta
from typing import Any, Final

from sqlmodel import Session, col, func, select

from core.game.errors import GameError
from core.game.events import Rewound, SeatMoved
from core.game.narrate.lines import Narrator
from core.game.types import Seat
from core.mail.message import Notice, Reader
from core.mail.outbox import NotWanted
from core.statuses import GameStatus, MailStatus, ProposalStatus
from core.store.tables import Game, OutboxMail, Proposal, ProposalAnswer
from core.table.acts import host_acts, undo
from core.table.notify import mails
from core.table.record import gamelog, seats
from core.table.record.errors import TableError
from core.tableview import TableView
from core.text import _
from core.when import exact

LIFE: Final = timedelta(days=7)
"""How long the players have to agree on something that the game's moving on does not settle."""


@dataclass(frozen=True, slots=True)
class ProposalKind:
    """What a kind of proposal means: who is asked, how long, how many must agree, what is done."""

    session: Session
    game: Game
    row: Proposal

    @property
    def ends(self) -> datetime:
        """When it lapses."""
        return self.row.created_at + LIFE

    @property
    def bygone(self) -> bool:
        """Has the game moved on, so that it cannot be done any more?"""
        return False

    @property
    def voters(self) -> tuple[Seat, ...]:
        """Who is to say yes or no, the proposer among them where a majority decides."""
        return tuple(sorted(seats.present(self.session, self.game.id)))

    @property
    def needed(self) -> int:
        """How many must agree: more than half of the people."""
        return len(self.voters) // 2 + 1

    def words(self) -> str:
        """Return what is proposed, in one or two sentences."""
        raise NotImplementedError

    def until(self, when: str) -> str:
        """Return how it is decided; `when`: its end, as the reader writes it."""
        raise NotImplementedError

    def carry_out(self, now: datetime) -> None:
        """Do what was agreed. The game must be locked."""
        raise NotImplementedError


class TakeBack(ProposalKind):
    """A player would like to take a move back: all whom it concerns must agree, or it is off."""

    @property
    def ends(self) -> datetime:
        return self.row.created_at + timedelta(hours=self.game.turn_hours)

    @property
    def bygone(self) -> bool:
        since = gamelog.events(self.session, self.game.id, after=self.row.seq)
        return any(isinstance(entry.event, SeatMoved | Rewound) for entry in since)

    @property
    def voters(self) -> tuple[Seat, ...]:
        there = seats.present(self.session, self.game.id)
        return tuple(Seat(s) for s in self.row.body["agree"] if Seat(s) in there)

    @property
    def needed(self) -> int:
        return len(self.voters)

    def words(self) -> str:
        names = [r.name for r in seats.seats(self.session, self.game.id)]
        text = _("{asker} would like to take the last move back.")
        return f"{text.format(asker=names[self.row.seat])} {self.vanishing(names)}"

    def vanishing(self, names: Sequence[str]) -> str:
        """Return whose moves would not count any more; `names`: of the players by seat."""
        lost = undo.moves(self.row.body["whose"], names)
        return _("These would not count any more: {moves}.").format(moves=lost)

    def until(self, when: str) -> str:
        text = _("Nobody can answer any more once somebody has moved, or after {when}.")
        return text.format(when=when)

    def carry_out(self, now: datetime) -> None:
        found = undo.look(self.session, self.game.id, self.row.seat)
        if found.turn != self.row.turn:
            raise undo.moved_on()
        undo.carry_out(self.session, self.game, found, "consent", now)


class ByMajority(ProposalKind):
    """What the host may do (core.table.acts.host_acts), decided by more than half of the people."""

    @property
    def act(self) -> host_acts.HostAct:
        """The act, as it was proposed."""
        return host_acts.HOST_ACTS[self.row.kind](**self.row.body)

    def words(self) -> str:
        names = [r.name for r in seats.seats(self.session, self.game.id)]
        name = names[self.row.body["seat"]] if "seat" in self.row.body else ""
        sentence = self.act.sentence(names[self.row.seat], name)
        return _("{sentence} The reason: “{reason}”.").format(
            sentence=sentence, reason=self.act.reason
        )

    def until(self, when: str) -> str:
        return _(
            "It is done once {needed} of {count} agree, and can be answered until {when}."
        ).format(needed=self.needed, count=len(self.voters), when=when)

    def carry_out(self, now: datetime) -> None:
        host_acts.perform(self.session, self.game, self.act, "vote", now)


PROPOSAL_KINDS: Final[dict[str, type[ProposalKind]]] = {
    "undo": TakeBack,
    **dict.fromkeys(host_acts.HOST_ACTS, ByMajority),
}
"""What can be proposed, by the name that its row keeps."""


def meaning(session: Session, row: Proposal) -> ProposalKind:
    """Return what a proposal means."""
    return PROPOSAL_KINDS[row.kind](session, gamelog.find(session, row.game_id), row)


@dataclass(frozen=True, slots=True)
class Proposed:
    """An open proposal as one reader sees it.

    `yes`, `no`, `silent`: seats by what they have said. `mine`: the reader made it; `asked`: he is
    to answer. `needed`: how many must agree.
    """

    number: int
    kind: str
    text: str
    yes: tuple[Seat, ...]
    no: tuple[Seat, ...]
    silent: tuple[Seat, ...]
    needed: int
    mine: bool
    asked: bool
    until: datetime


def open_ones(
    session: Session, game: Game, seat: int | None, now: datetime
) -> tuple[Proposed, ...]:
    """The proposals that wait for answers, as the holder of a seat sees them."""
    return tuple(
        _seen(session, row, seat) for row in rows(session, game.id)
        if is_open(session, row, now)
    )  # fmt: skip


def rows(session: Session, game_id: int) -> list[Proposal]:
    """Those that nobody has closed yet, oldest first; some may have lapsed (`is_open`)."""
    query = select(Proposal).where(
        Proposal.game_id == game_id, Proposal.status == ProposalStatus.OPEN
    )
    return list(session.exec(query.order_by(col(Proposal.number))))


def is_open(session: Session, proposal: Proposal, now: datetime) -> bool:
    """Can it still be answered? Time and the game's moving on end it without anybody's help."""
    means = meaning(session, proposal)
    live = proposal.status == ProposalStatus.OPEN and means.game.status == GameStatus.RUNNING
    return live and now < means.ends and not means.bygone


def outcome(session: Session, proposal: Proposal) -> ProposalStatus | None:
    """What those who are here have made of it; None while it hangs on who is silent."""
    means = meaning(session, proposal)
    asked, enough = means.voters, means.needed
    answers = [said(session, proposal, seat) for seat in asked]
    if answers.count(True) >= enough:
        return ProposalStatus.ACCEPTED
    return ProposalStatus.REFUSED if len(asked) - answers.count(False) < enough else None


def said(session: Session, proposal: Proposal, seat: Seat) -> bool | None:
    """What a seat has answered, if anything."""
    row = session.get(ProposalAnswer, (proposal.id, seat))
    return row.agrees if row else None


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
    _ask(session, row, found.must_agree)
    return row


def propose(
    session: Session, game_id: int, seat: int, kind: str, body: Mapping[str, Any], now: datetime
) -> Proposal:
    """Propose to the players what a host may do (core.table.acts.host_acts).

    Raises:
        TableError: `host-is-here` while the host can do it; `proposed` while the same is open;
            and whatever the act itself refuses.
    """
    game = gamelog.lock(session, game_id)
    asker = Seat(seat)
    _demand_vote(session, game, asker, kind, now)
    wanted = host_acts.checked(session, game, kind, body, now)
    row = _propose(session, game, asker, kind, asdict(wanted), now)
    _say(session, row, asker, agrees=True, now=now)
    _ask(session, row, [s for s in meaning(session, row).voters if s != asker])
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
    if place not in meaning(session, row).voters:
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
    return {
        row.game_id
        for row in session.exec(select(Proposal).where(Proposal.status == ProposalStatus.OPEN))
        if not is_open(session, row, now) or outcome(session, row)
    }


def tend(session: Session, game: Game, now: datetime) -> None:
    """Close what has lapsed, and do what those agree to who are still here when others have left.

    What cannot be done any more lapses. The game must be locked.
    """
    lapse(session, game, now)
    for row in rows(session, game.id):
        try:
            with session.begin_nested():
                _settle(session, game, row, now)
        except (TableError, GameError):
            session.refresh(row)
            _close(session, game, row, ProposalStatus.LAPSED, now)


def lapse(session: Session, game: Game, now: datetime) -> None:
    """Close those proposals; who made them is told. The game must be locked."""
    for row in rows(session, game.id):
        if not is_open(session, row, now):
            _close(session, game, row, ProposalStatus.LAPSED, now)


def _demand_vote(session: Session, game: Game, seat: Seat, kind: str, now: datetime) -> None:
    if kind not in host_acts.HOST_ACTS:
        raise TableError("no-proposal", _("There is nothing of this kind to propose."))
    if game.status != GameStatus.RUNNING:
        raise TableError("not-running", _("This game is not running."))
    if seat not in seats.present(session, game.id):
        text = _("A bot plays your seat; take it back first.")
        raise TableError("not-asked", text)
    if not host_acts.HOST_ACTS[kind].always and not host_acts.host_is_gone(session, game, now):
        raise TableError("host-is-here", _(
            "The host of this table can do that; ask the host. The players decide once the host "
            "has been silent for {days} days."
        ).format(days=host_acts.SILENCE.days))  # fmt: skip
    if any(r.kind == kind and is_open(session, r, now) for r in rows(
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
    if not is_open(session, row, now):
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
    settled = outcome(session, row)
    if settled:
        _close(session, game, row, settled, now)
    if settled == ProposalStatus.ACCEPTED:
        meaning(session, row).carry_out(now)


def _close(
    session: Session, game: Game, row: Proposal, status: ProposalStatus, now: datetime
) -> None:
    row.status, row.closed_at = status, now
    session.add(row)
    session.flush()
    if (
        game.status == GameStatus.RUNNING and status != ProposalStatus.ACCEPTED
    ):  # what is done is told by itself
        _tell_over(session, game, row, now)


def _seen(session: Session, row: Proposal, seat: int | None) -> Proposed:
    answers = session.exec(select(ProposalAnswer).where(ProposalAnswer.proposal_id == row.id))
    told = {Seat(answer.seat): answer.agrees for answer in answers}
    means = meaning(session, row)
    asked = means.voters
    return Proposed(
        number=row.number,
        kind=row.kind,
        text=means.words(),
        yes=tuple(s for s in asked if told.get(s) is True),
        no=tuple(s for s in asked if told.get(s) is False),
        silent=tuple(s for s in asked if s not in told),
        needed=means.needed,
        mine=seat == row.seat,
        asked=seat in asked and seat not in told,
        until=means.ends,
    )


def _ask(session: Session, proposal: Proposal, voters: Collection[Seat]) -> None:
    """Owe everybody who is to say yes or no a notice of what is proposed."""
    game = gamelog.find(session, proposal.game_id)
    what, now = mails.SeatNotice.PROPOSAL, proposal.created_at
    for seat in voters:
        key = f"proposal:{proposal.id}:{seat}"
        mails.notify_seat(session, game, seat, what, now, key, proposal=proposal.id)


def _tell_over(session: Session, game: Game, proposal: Proposal, now: datetime) -> None:
    """Owe word of a proposal that comes to nothing: to who waits for it, or would yet answer it."""
    for seat in _concerned(session, proposal):
        what, key = mails.SeatNotice.OVER, f"over:{proposal.id}:{seat}"
        mails.notify_seat(session, game, seat, what, now, key, proposal=proposal.id)


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
        for seat in meaning(session, proposal).voters
        if seat != proposal.seat
        and f"proposal:{proposal.id}:{seat}" not in unasked
        and said(session, proposal, seat) is None
    ]


def notice(
    session: Session,
    table: TableView,
    context: dict[str, Any],
    reader: Reader,
    now: datetime,
) -> Notice | None:
    """Return what a notice says; None if its context is about no act and no proposal."""
    match context["what"]:
        case mails.SeatNotice.ACT:
            return _told(table, context)
        case mails.SeatNotice.PROPOSAL:
            return _asked(session, table, context, reader, now)
        case mails.SeatNotice.OVER:
            return _over(session, table, context)
    return None


def _told(table: TableView, context: dict[str, Any]) -> Notice:
    """What was done, word for word as the log says it: nothing of it is secret (M77)."""
    event = next(e.event for e in table.log if e.seq == context["seq"])
    said = Narrator(table.view.ruleset, table.names).line(event)
    return Notice(table, host_acts.heading(event), said or "")


def _over(session: Session, table: TableView, context: dict[str, Any]) -> Notice:
    row = session.get_one(Proposal, context["proposal"])
    why = {
        ProposalStatus.LAPSED: _(
            "Not enough have answered in time, or the game has moved on: it is not done."
        ),
        ProposalStatus.REFUSED: _("Not enough agree: it is not done."),
        ProposalStatus.WITHDRAWN: _("This has been withdrawn; you need not answer it any more."),
    }[row.status]
    said = meaning(session, row).words()
    return Notice(table, _("A proposal came to nothing"), f"{said} {why}")


def _asked(
    session: Session,
    table: TableView,
    context: dict[str, Any],
    reader: Reader,
    now: datetime,
) -> Notice:
    """NotWanted once the proposal is over, or the reader has answered."""
    row = session.get(Proposal, context["proposal"])
    seat = table.view.seat
    if row is None or seat is None or not is_open(session, row, now):
        raise NotWanted("it is over")
    if said(session, row, seat) is not None:
        raise NotWanted("answered meanwhile")
    means = meaning(session, row)
    until = means.until(exact(means.ends, reader.zone, reader.locale))
    return Notice(
        table,
        _("{name} asks: do you agree?").format(name=table.names[row.seat]),
        f"{means.words()} {until}",
        commands=(
            _("ok {number}").format(number=row.number),
            _("no {number}").format(number=row.number),
        ),
    )
