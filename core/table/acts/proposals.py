"""Proposals: what others at the table must agree to, by form or by `ok 7` in a mail.

An undo needs everybody whom it concerns; what a host may do, a majority may where the host is gone,
and ending a game always. Whoever asks agrees. What is agreed is done in the same transaction.
"""

from collections.abc import Collection, Mapping, Sequence
from dataclasses import asdict, dataclass
from datetime import datetime, timedelta
from typing import Any, Final, assert_never

from sqlmodel import Session, col, func, select

from core.game.errors import GameError, LogError
from core.game.events import Rewound, SeatMoved
from core.game.narrate.lines import Narrator
from core.game.types import Seat
from core.mail.message import Notice, Reader
from core.mail.outbox import NotWanted
from core.statuses import GameStatus, MailStatus, ProposalStatus
from core.store.tables import Game, OutboxMail, Proposal, ProposalAnswer, User
from core.table.acts import consent, host_acts, undo
from core.table.notify import mails
from core.table.record import gamelog, seats
from core.table.record.errors import TableError
from core.table.record.telling import as_told
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

    @property
    def answers(self) -> dict[Seat, bool]:
        """Who agrees, and who does not."""
        query = select(ProposalAnswer).where(ProposalAnswer.proposal_id == self.row.id)
        return {Seat(answer.seat): answer.agrees for answer in self.session.exec(query)}

    @property
    def outcome(self) -> ProposalStatus | None:
        """What those who are here have made of it; None while it hangs on who is silent."""
        said, asked, enough = self.answers, self.voters, self.needed
        if sum(said.get(seat) is True for seat in asked) >= enough:
            return ProposalStatus.ACCEPTED
        still = sum(said.get(seat) is not False for seat in asked)
        return ProposalStatus.REFUSED if still < enough else None

    def open_at(self, now: datetime) -> bool:
        """Return True if it can still be answered: time and the game's moving on end it."""
        live = self.row.status == ProposalStatus.OPEN and self.game.status == GameStatus.RUNNING
        return live and now < self.ends and not self.bygone

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

    @property
    def _consent(self) -> consent.Consent:
        """Who decides; of an act that cannot be done any more, nobody in particular."""
        try:
            return self.act.asked_of(self.session, self.game, Seat(self.row.seat))
        except TableError:
            people = seats.present(self.session, self.game.id)
            return consent.Consent(people, len(people))

    @property
    def bygone(self) -> bool:
        """A correction is about the last move of a seat: another move ends it."""
        if self.row.kind != host_acts.Correct.kind:
            return False
        since = gamelog.events(self.session, self.game.id, after=self.row.seq)
        return any(isinstance(entry.event, SeatMoved | Rewound) for entry in since)

    @property
    def voters(self) -> tuple[Seat, ...]:
        return tuple(sorted(self._consent.seats))

    @property
    def needed(self) -> int:
        return self._consent.needed

    def words(self) -> str:
        names = [r.name for r in seats.seats(self.session, self.game.id)]
        name = names[self.row.body["seat"]] if "seat" in self.row.body else ""
        sentence = self.act.sentence(names[self.row.seat], name)
        if isinstance(self.act, host_acts.Correct):
            sentence = f"{sentence} {self._would_go(self.act, names)}".rstrip()
        return _("{sentence} The reason: “{reason}”.").format(
            sentence=sentence, reason=self.act.reason
        )

    def _would_go(self, act: host_acts.Correct, names: Sequence[str]) -> str:
        """Return what a correction would do to whose moves, so that each knows it beforehand."""
        try:
            found = host_acts.look(self.session, self.game, act.seat, act.line)
        except TableError:
            return ""
        told = {e.seq: e.event for e in as_told(gamelog.events(self.session, self.game.id))}
        narrator = Narrator(gamelog.load(self.session, self.game.id).ruleset, names)
        own = [e.seq for e in found.vanish if getattr(e.event, "seat", None) == act.seat]
        before = [narrator.line(told[seq]) for seq in own if isinstance(told[seq], SeatMoved)]
        lost = _("These would not count any more: {moves}.")
        return " ".join((
            _("Now it says: {lines}").format(lines=" ".join(filter(None, before))),
            lost.format(moves=undo.moves(found.whose.items(), names)),
        ))  # fmt: skip

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

    `yes`, `no`, `silent`: seats by what they have said. `mine`: the reader made it; `asked`: they
    are to answer. `needed`: how many must agree.
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
    """Return the proposals that wait for answers, as the holder of a seat sees them."""
    return tuple(_seen(one, seat) for one in _pending(session, game) if one.open_at(now))


def _pending(session: Session, game: Game) -> list[ProposalKind]:
    """Return those that nobody has closed yet, oldest first; some may have lapsed."""
    query = select(Proposal).where(
        Proposal.game_id == game.id, Proposal.status == ProposalStatus.OPEN
    )
    return [meaning(session, row) for row in session.exec(query.order_by(col(Proposal.number)))]


def _seen(one: ProposalKind, seat: int | None) -> Proposed:
    said, asked = one.answers, one.voters
    return Proposed(
        number=one.row.number,
        kind=one.row.kind,
        text=one.words(),
        yes=tuple(s for s in asked if said.get(s) is True),
        no=tuple(s for s in asked if said.get(s) is False),
        silent=tuple(s for s in asked if s not in said),
        needed=one.needed,
        mine=seat == one.row.seat,
        asked=seat in asked and seat not in said,
        until=one.ends,
    )


def ask_to_undo(
    session: Session, game_id: int, seat: int, last: int | None, now: datetime
) -> Proposal | None:
    """Take the seat's last move back, or ask those who must agree; None where it is done.

    Raises:
        TableError: as `undo.look`; `moved-on` if more has happened than the player has seen;
            `asked-once` if they have asked before for this move (M57).
    """
    game = gamelog.lock(session, game_id)
    found = undo.look(session, game_id, seat)
    if last is not None and last != game.seq:
        raise undo.moved_on()
    if found.free:
        undo.carry_out(session, game, found, "player", now)
        return None
    if undo.asked_before(session, game_id, found):
        raise TableError("asked-once", _(
            "You have asked once already to take this move back; that is all. If it is a mistake, "
            "ask the host to correct it."
        ))  # fmt: skip
    body = {"agree": list(found.must_agree), "whose": [list(p) for p in found.whose.items()]}
    row = _propose(session, game, found.seat, "undo", body, now, found.turn)
    _tell(meaning(session, row), mails.SeatNotice.PROPOSAL, found.must_agree, now)
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
    wanted.refuse_for(session, game, asker)
    return _put(session, game, asker, wanted, now)


def act_as_host(
    session: Session, game_id: int, host: User, kind: str, body: Mapping[str, Any], now: datetime
) -> Proposal | None:
    """Do something as the host; ask first whom it needs, and return that proposal.

    None where it is done. TableError as `host_acts.act`, and `others-decide` for a host who does
    not play where others must agree: the players can propose it.
    """
    try:
        host_acts.act(session, game_id, host, kind, body, now)
    except TableError as refused:
        row = seats.seat_of(session, game_id, host.id)
        if refused.code != "others-decide" or row is None or row.seat is None:
            raise
        game = gamelog.lock(session, game_id)
        _demand_new(session, game, kind, now)
        wanted = host_acts.checked(session, game, kind, body, now)
        return _put(session, game, Seat(row.seat), wanted, now)
    return None


def _put(
    session: Session, game: Game, asker: Seat, wanted: host_acts.HostAct, now: datetime
) -> Proposal:
    """Ask those who decide; the asker agrees."""
    kind = wanted.kind
    row = _propose(session, game, asker, kind, asdict(wanted), now)
    _say(session, row, asker, agrees=True, now=now)
    one = meaning(session, row)
    _tell(one, mails.SeatNotice.PROPOSAL, [s for s in one.voters if s != asker], now)
    _settle(one, now)
    return row


def answer(
    session: Session, game_id: int, number: int, seat: int, *, agrees: bool, now: datetime
) -> Proposal:
    """Say yes or no as a seat; with the last word that it needs, the thing is done.

    Raises:
        TableError: `no-proposal` of this number; `proposal-over` if it is settled, has lapsed, or
            the game has moved on; `not-asked` if this seat has nothing to say to it.
    """
    game = gamelog.lock(session, game_id)
    one, place = _find(session, game, number, now), Seat(seat)
    if place not in one.voters:
        raise TableError("not-asked", _("You are not asked for this: it does not concern you."))
    _say(session, one.row, place, agrees=agrees, now=now)
    _settle(one, now)
    return one.row


def withdraw(session: Session, game_id: int, number: int, seat: int, now: datetime) -> None:
    """Take one's own proposal back; TableError as `answer`."""
    one = _find(session, gamelog.lock(session, game_id), number, now)
    if one.row.seat != seat:
        raise TableError("not-asked", _("Only who has proposed something can withdraw it."))
    _close(one, ProposalStatus.WITHDRAWN, now)


def due(session: Session, now: datetime) -> set[int]:
    """Return games with proposals that nobody can answer any more, or that enough agree to.

    One that cannot be read is among them, until it is stopped.
    """
    rows = session.exec(select(Proposal).where(Proposal.status == ProposalStatus.OPEN)).all()
    return {row.game_id for row in rows if _is_due(meaning(session, row), now)}


def _is_due(one: ProposalKind, now: datetime) -> bool:
    try:
        return not one.open_at(now) or one.outcome is not None
    except LogError:
        return not one.game.stopped_reason


def tend(session: Session, game: Game, now: datetime) -> None:
    """Close what has lapsed, and do what those agree to who are still here when others have left.

    What cannot be done any more lapses. The game must be locked.
    """
    lapse(session, game, now)
    for one in _pending(session, game):
        try:
            with session.begin_nested():
                _settle(one, now)
        except (TableError, GameError):
            session.refresh(one.row)
            _close(one, ProposalStatus.LAPSED, now)


def lapse(session: Session, game: Game, now: datetime) -> None:
    """Close those proposals; who made them is told. The game must be locked."""
    for one in _pending(session, game):
        if not one.open_at(now):
            _close(one, ProposalStatus.LAPSED, now)


def _demand_vote(session: Session, game: Game, seat: Seat, kind: str, now: datetime) -> None:
    if kind not in host_acts.HOST_ACTS:
        raise TableError("no-proposal", _("There is nothing of this kind to propose."))
    gamelog.demand_running(game, even_stopped=True)
    if seat not in seats.present(session, game.id):
        text = _("A bot plays your seat; take it back first.")
        raise TableError("not-asked", text)
    seated = seats.seat_of(session, game.id, game.host_id) is not None
    free = host_acts.HOST_ACTS[kind].always or not seated
    if not free and not host_acts.host_is_gone(session, game, now):
        raise TableError("host-is-here", _(
            "The host of this table can do that; ask the host. The players decide once the host "
            "has been silent for {days} days."
        ).format(days=host_acts.SILENCE.days))  # fmt: skip
    _demand_new(session, game, kind, now)


def _demand_new(session: Session, game: Game, kind: str, now: datetime) -> None:
    if any(one.row.kind == kind and one.open_at(now) for one in _pending(session, game)):
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


def _find(session: Session, game: Game, number: int, now: datetime) -> ProposalKind:
    query = select(Proposal).where(Proposal.game_id == game.id, Proposal.number == number)
    row = session.exec(query).first()
    if row is None:
        text = _("There is no proposal {number} at this table.")
        raise TableError("no-proposal", text.format(number=number))
    one = meaning(session, row)
    if not one.open_at(now):
        text = _("Proposal {number} is over: it was settled, or the game has moved on.")
        raise TableError("proposal-over", text.format(number=number))
    return one


def _say(session: Session, row: Proposal, seat: Seat, *, agrees: bool, now: datetime) -> None:
    known = session.get(ProposalAnswer, (row.id, seat))
    said = known or ProposalAnswer(proposal_id=row.id, seat=seat, agrees=agrees, at=now)
    said.agrees, said.at = agrees, now
    session.add(said)
    session.flush()


def _settle(one: ProposalKind, now: datetime) -> None:
    """Do what enough have agreed to; give up what cannot be agreed any more."""
    settled = one.outcome
    if settled:
        _close(one, settled, now)
    if settled == ProposalStatus.ACCEPTED:
        one.carry_out(now)


def _close(one: ProposalKind, status: ProposalStatus, now: datetime) -> None:
    one.row.status, one.row.closed_at = status, now
    one.session.add(one.row)
    one.session.flush()
    if one.game.status == GameStatus.RUNNING and status != ProposalStatus.ACCEPTED:
        _tell(one, mails.SeatNotice.OVER, _concerned(one), now)  # what is done is told by itself


def _tell(one: ProposalKind, what: mails.SeatNotice, to: Collection[Seat], now: datetime) -> None:
    """Tell seats what they are asked, or that it comes to nothing."""
    for seat in to:
        key = f"{what}:{one.row.id}:{seat}"
        mails.notify_seat(one.session, one.game, seat, what, now, key, proposal=one.row.id)


def _concerned(one: ProposalKind) -> list[Seat]:
    """Return who proposed it; if it was withdrawn, who was asked by mail and has not answered."""
    if one.row.status != ProposalStatus.WITHDRAWN:
        return [Seat(one.row.seat)]
    asked = f"proposal:{one.row.id}:"
    waiting = select(OutboxMail.key).where(
        col(OutboxMail.key).startswith(asked), OutboxMail.status == MailStatus.PENDING
    )
    spared = {one.row.seat, *one.answers}
    unasked = set(one.session.exec(waiting))
    return [s for s in one.voters if s not in spared and f"{asked}{s}" not in unasked]


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
    """Say what was done, word for word as the log says it: nothing of it is secret (M77)."""
    event = next(e.event for e in table.log if e.seq == context["seq"])
    narrator = Narrator(table.view.ruleset, table.names)
    said = narrator.line(event) or ""
    if isinstance(event, Rewound):
        changed = host_acts.effect(narrator, table.names, table.log, event, context["seq"])
        said = f"{said} {changed}"
    return Notice(table, host_acts.heading(event), said)


def _over(session: Session, table: TableView, context: dict[str, Any]) -> Notice:
    row = session.get_one(Proposal, context["proposal"])
    match row.status:
        case ProposalStatus.LAPSED:
            why = _("Not enough have answered in time, or the game has moved on: it is not done.")
        case ProposalStatus.REFUSED:
            why = _("Not enough agree: it is not done.")
        case ProposalStatus.WITHDRAWN:
            why = _("This has been withdrawn; you need not answer it any more.")
        case ProposalStatus.OPEN | ProposalStatus.ACCEPTED:
            raise NotWanted("it has not come to nothing")
        case _:
            assert_never(row.status)
    said = meaning(session, row).words()
    return Notice(table, _("A proposal came to nothing"), f"{said} {why}")


def _asked(
    session: Session,
    table: TableView,
    context: dict[str, Any],
    reader: Reader,
    now: datetime,
) -> Notice:
    """Ask the reader; NotWanted once the proposal is over, or the reader has answered."""
    row = session.get(Proposal, context["proposal"])
    one = meaning(session, row) if row else None
    if one is None or table.view.seat is None or not one.open_at(now):
        raise NotWanted("it is over")
    if table.view.seat in one.answers:
        raise NotWanted("answered meanwhile")
    until = one.until(exact(one.ends, reader.zone, reader.locale))
    return Notice(
        table,
        _("{name} asks: do you agree?").format(name=table.names[one.row.seat]),
        f"{one.words()} {until}",
        commands=(
            _("ok {number}").format(number=one.row.number),
            _("no {number}").format(number=one.row.number),
        ),
    )
