"""Standing orders and the other commands of one mail, each done and answered; orders as a whole.

A mail may hold a move, several orders, and fuel and building together: what is to be built is then
an order for this round, at the prices of now.
"""

from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from typing import Any, Final

from sqlmodel import Session, col

from core.game.errors import GameError
from core.game.notation import parse
from core.game.types import Seat
from core.lists import both, sentences
from core.mail import outbox
from core.mail.addresses import TableToken, TurnToken
from core.mail.commands import (
    CancelOrder,
    Command,
    Consent,
    GameMove,
    GiveOrder,
    GoAway,
    ListOrders,
    Ready,
    Undo,
)
from core.mail.inbound import Inbound
from core.mail.kinds import MailKind
from core.orders.model import Limit, LimitOff
from core.orders.notation import Said
from core.orders.notation import parse as parse_order
from core.orders.words import in_full
from core.statuses import GameStatus, ProposalStatus
from core.store.session import count
from core.store.tables import Game, OutboxMail, Proposal, StandingOrder, User
from core.table.acts import proposals, undo, vacation
from core.table.play import play, submissions
from core.table.record import gamelog, seats, standing_orders, turns
from core.table.record.errors import TableError
from core.table.record.order_runner import dry_run, then_build
from core.text import SOURCE, _, ngettext
from core.when import exact, zone

ERROR_PAUSE: Final = timedelta(hours=1)
"""An address gets one reply an hour to mails that cannot be understood (M22)."""
MOST_NEAR: Final = 10
"""Replies an hour to what is nearly a command."""


@dataclass(frozen=True)
class Answer:
    """What all answers to one mail share: their reader, their table, the mail that they answer."""

    session: Session
    mail: Inbound
    key: str
    now: datetime
    table: Game | None
    user: User | None
    seat: int | None = None
    done: list[tuple[str, str]] = field(default_factory=list)
    """What was done and what there is to say on it, for one mail at the end."""
    touched: list[int] = field(default_factory=list)
    """Games that are to be brought up to date."""

    @property
    def game(self) -> Game:
        """The table that it is about; TableError if it is about none."""
        if self.table is None:
            text = _("Which table? Answer a mail about it; “tables” names yours.")
            raise TableError("no-table", text)
        return self.table

    def about(self, game: Game) -> None:
        """Answer about this table from here on."""
        object.__setattr__(self, "table", game)

    def ring(self, game: int) -> None:
        """Have a game brought up to date."""
        self.touched.append(game)

    def owe(self, kind: MailKind, number: int, **context: Any) -> None:
        """Owe an answer to command `number` of the mail."""
        self._owe(kind, f"answer:{self.key}:{number}", context)

    def refuse(self, said: str, reason: str, hints: Sequence[str] = ()) -> None:
        """Refuse a mail that asks for something that can be done, only not so or not now."""
        self.owe(MailKind.REFUSED, 0, said=said, reason=reason, hints=list(hints))

    def not_understood(
        self, said: str, reason: str, hints: Sequence[str] = (), *, near: bool = False
    ) -> None:
        """Say that it is no answer to what was asked, as often as M22 lets us.

        Once an hour, since a program may write it; what is `near` a command up to a cap an hour.
        """
        prefix, most = ("near:", MOST_NEAR) if near else ("error:", 1)
        said_before = count(
            self.session,
            OutboxMail.address == self.mail.sender,
            col(OutboxMail.key).startswith(prefix),
            col(OutboxMail.created_at) > self.now - ERROR_PAUSE,
        )
        if said_before >= most:
            return
        if said_before == most - 1:
            user = self.user
            until = self.now + ERROR_PAUSE
            when = exact(until, user.zone if user else "UTC", user.locale if user else SOURCE)
            silence = _("Until {when} other mails like this get no answer; commands do.")
            reason = f"{reason} {silence.format(when=when)}"
        context = {"said": said, "reason": reason, "hints": list(hints)}
        self._owe(MailKind.REFUSED, f"{prefix}{self.key}", context)

    def attempt(self, number: int, said: str, do: Callable[[], str]) -> None:
        """Do command `number`; keep the remark that `do` returns, or answer with its refusal."""
        try:
            with self.session.begin_nested():
                remark = do()
        except TableError as error:
            self.owe(MailKind.REFUSED, number, said=said, reason=str(error))
        else:
            self.done.append((said, remark))

    def tell(self) -> None:
        """Owe one answer to all that was done."""
        if self.done:
            said, remarks = zip(*self.done, strict=True)
            told = sentences(dict.fromkeys(remarks))
            self.owe(MailKind.DONE, 1, said="; ".join(said), remark=told)

    def _owe(self, kind: MailKind, key: str, context: dict[str, Any]) -> None:
        turn = context.pop("turn", None)
        outbox.owe(
            self.session,
            kind if self.table is not None else MailKind.ANSWER,
            key=key,
            now=self.now,
            user=self.user,
            address=self.mail.sender,
            game_id=self.table.id if self.table is not None else None,
            context={**context, "kind": kind},
            thread=self.mail.message_id,
            seat=self.seat,
            turn=turn,
        )


ORDERING = (GiveOrder, CancelOrder, ListOrders, Ready)


class Unfit(Exception):
    """A line for which the whole mail is refused: Unfit(line, why)."""


@contextmanager
def _fit(line: str) -> Iterator[None]:
    """Raise Unfit for this line where it cannot be done."""
    try:
        yield
    except GameError as error:
        raise Unfit(line, str(error)) from error


@dataclass(frozen=True, slots=True)
class Intent:
    """What a mail orders, read and found to go."""

    orders: tuple[Said, ...]
    cancel: tuple[int, ...]
    plan: bool
    """It answers a planning call, or says that there are no more plans."""


def together(commands: Sequence[Command]) -> bool:
    """Return True for a purchase and then a building, which one mail may say together."""
    verbs = [c.text.split(" ")[0] for c in commands if isinstance(c, GameMove)]
    return verbs == ["buy", "build"]


def concerns(commands: Sequence[Command]) -> bool:
    """Return True if the mail orders anything ahead."""
    return together(commands) or any(isinstance(c, ORDERING) for c in commands)


def read(commands: Sequence[Command], answer: Answer, token: TurnToken | TableToken) -> Intent:
    """Read all orders of a mail and try its move; raise Unfit for the first that does not go."""
    session, game = answer.session, answer.game
    if game.status != GameStatus.RUNNING:
        raise Unfit(_said(commands), _("This game is not running; no order would be executed."))
    state = gamelog.load(session, game.id)
    seat = Seat(token.seat)
    orders: list[Said] = []
    for line in (c.text for c in commands if isinstance(c, GiveOrder)):
        with _fit(line):
            orders.append(parse_order(line, state.ruleset))
    _demand_fresh(orders, commands, answer, token)
    moves = [c.text for c in commands if isinstance(c, GameMove)]
    if moves and isinstance(token, TurnToken):
        with _fit(moves[0]):
            tried = submissions.check(session, game.id, seat, token.turn, moves[0])
        if together(commands):
            with _fit(moves[1]):
                orders.append(then_build(parse(moves[1], state.ruleset), tried.view))
    cancel = [c.number for c in commands if isinstance(c, CancelOrder)]
    known = {row.number for row in standing_orders.rows(session, game.id, seat)}
    for number in cancel:
        if number not in known:
            raise Unfit(f"cancel {number}", standing_orders.unknown(number))
    plan = turns.current_plan(session, game.id, seat)
    answered = plan is not None and isinstance(token, TurnToken) and token.turn == plan.turn
    ready = any(isinstance(c, Ready) for c in commands) or bool(answered and orders)
    return Intent(tuple(orders), tuple(cancel), ready)


def _demand_fresh(
    orders: Sequence[Said],
    commands: Sequence[Command],
    answer: Answer,
    token: TurnToken | TableToken,
) -> None:
    """Unfit where a late mail orders something for a round, and another one asks by now (M12)."""
    lasting = all(said.every_round or isinstance(said.order, Limit | LimitOff) for said in orders)
    if lasting or not isinstance(token, TurnToken):
        return
    session, game = answer.session, answer.game
    asked = next((t for t in turns.asked(session, game.id) if t.seat == token.seat), None)
    if asked is None or asked.turn <= token.turn:
        return
    then, now = (gamelog.load(session, game.id, seq).round for seq in (token.turn, asked.turn))
    if then < now:
        raise Unfit(_said(commands), _(
            "This answers a mail of round {then}, and you are asked in round {now} by now. Answer "
            "the newest mail."
        ).format(then=then, now=now))  # fmt: skip


def act(
    commands: Sequence[Command], answer: Answer, token: TurnToken | TableToken
) -> tuple[Command, ...] | None:
    """Do what a mail orders and answer it; return the other commands, or None if it is refused.

    Whole or not at all: nothing is ordered unless all of it goes, and its move with it.
    """
    if not concerns(commands):
        return tuple(commands)
    try:
        intent = read(commands, answer, token)
        with answer.session.begin_nested():
            given = _obey(intent, answer, Seat(token.seat))
    except Unfit as error:
        answer.refuse(*error.args)
        return None
    except TableError as error:
        answer.refuse(_said(commands), str(error))
        return None
    _tell(commands, intent, given, answer, Seat(token.seat))
    rest = [c for c in commands if not isinstance(c, ORDERING)]
    if together(commands):
        rest = [c for c in rest if not (isinstance(c, GameMove) and c.text.startswith("build"))]
    return tuple(rest)


def _obey(intent: Intent, answer: Answer, seat: Seat) -> list[StandingOrder]:
    """Put the orders in force; those that were given. TableError says what does not go."""
    session, game, now = answer.session, answer.game, answer.now
    state = gamelog.load(session, game.id)
    for number in intent.cancel:
        standing_orders.cancel(session, game, seat, number, now)
    given = [standing_orders.give(session, game, state, seat, said, now) for said in intent.orders]
    if intent.plan:
        play.ready(session, game, seat, now)
    return [row for row in given if row is not None]


def _tell(
    commands: Sequence[Command],
    intent: Intent,
    given: Sequence[StandingOrder],
    answer: Answer,
    seat: Seat,
) -> None:
    """Answer with what was understood, what it would do now, and all that is in force."""
    state = gamelog.load(answer.session, answer.game.id)
    rules = state.ruleset
    told = [
        f"{row.number}: {in_full(standing_orders.standing(row, rules), rules)}" for row in given
    ]
    told += [_("Order {number} is cancelled.").format(number=n) for n in intent.cancel]
    lifted = [s.order.plant for s in intent.orders if isinstance(s.order, LimitOff)]
    told += [_("There is no limit on plant {plant} any more.").format(plant=p) for p in lifted]
    if intent.plan:
        told.append(_("You are asked only where your orders do not carry."))
    mine = standing_orders.rows(answer.session, answer.game.id, seat)
    tried = dry_run(state, seat, [standing_orders.standing(row, rules) for row in mine])
    said = "; ".join(_line(c) for c in commands if isinstance(c, ORDERING))
    built = [c.text for c in commands if isinstance(c, GameMove) and c.text.startswith("build")]
    said = "; ".join(filter(None, [said, *(built if together(commands) else [])]))
    answer.owe(MailKind.DONE, 0, said=said, given=told, tried=tried if mine else [])


def _line(command: Command) -> str:
    match command:
        case GiveOrder(text):
            return text
        case CancelOrder(number):
            return f"cancel {number}"
        case Ready():
            return "ready"
        case _:
            return "orders"


def _said(commands: Sequence[Command]) -> str:
    return next((c.text for c in commands if isinstance(c, GiveOrder)), "orders")


def act_on_vacation(command: GoAway, number: int, answer: Answer) -> None:
    """Enter or end the sender's vacation, for all their tables, and answer."""
    user = answer.user
    if user is not None:
        try:
            plan = _plan(command, user, answer.now)
        except TableError as error:
            answer.refuse("vacation", str(error))
            return
        said = "vacation end"
        if plan is not None:
            said = f"vacation {plan.days} {'day' if plan.days == 1 else 'days'}"
        if plan is not None and plan.first is not None:
            said += f" from {plan.first.isoformat()}"
        answer.attempt(number, said, lambda: _vacation_done(plan, answer, user))


def _plan(command: GoAway, user: User, now: datetime) -> vacation.Plan | None:
    """Return the vacation that is meant, by the calendar of the user; None for its end."""
    if command.last is None:
        return vacation.Plan(command.days) if command.days else None
    today = now.astimezone(zone(user.zone)).date()
    first = command.first.on(today) if command.first is not None else today
    last = command.last.on(today)
    if first is None or last is None:
        raise TableError("no-such-day", _("There is no such day in the calendar."))
    if first > last and command.first is not None and command.first.year is None:
        later = command.last.on(first)
        begun = later is None or (later - first).days >= vacation.BUDGET
        first, last = (today, last) if begun else (first, later or last)
    return vacation.Plan((last - first).days + 1, first if first > today else None)


def _vacation_done(plan: vacation.Plan | None, answer: Answer, user: User) -> str:
    session, now = answer.session, answer.now
    if plan is None:
        if vacation.end(session, user, now):
            return _("Welcome back: your clocks run again.")
        return _("You are on no vacation.")
    row = vacation.take(session, user, plan, now)
    until = exact(row.ends_at, user.zone, user.locale)
    text = _(
        "Your clocks stand still until {until}; answer “vacation end” if you are back before."
    ).format(until=until)
    if plan.first is not None:
        text = _(
            "Your clocks stand still from {start} until {until}; answer “vacation end” if you do "
            "not go, or are back before."
        ).format(start=exact(row.starts_at, user.zone, user.locale), until=until)
    deaf = vacation.deaf_tables(session, user)
    if not deaf:
        return text
    more = _("These tables were opened without vacations, so their clocks run on: {titles}")
    return f"{text} {more.format(titles=', '.join(deaf))}"


def act_on_table(
    command: Undo | Consent, number: int, answer: Answer, token: TurnToken | TableToken
) -> None:
    """Do it, and answer it; a refusal says why and what to do instead."""
    if isinstance(command, Undo):
        answer.attempt(number, "undo", lambda: _undo(answer, token))
    else:
        said = f"{'ok' if command.agrees else 'no'} {command.number or ''}".rstrip()
        answer.attempt(number, said, lambda: _say(answer, command))


def _undo(answer: Answer, token: TurnToken | TableToken) -> str:
    """Take the last move back, unless the mail is about a question before it."""
    session, game, seat = answer.session, answer.game, token.seat
    if isinstance(token, TurnToken) and token.turn < undo.look(session, game.id, seat).turn:
        raise undo.moved_on()
    row = proposals.ask_to_undo(session, game.id, seat, None, answer.now)
    if row is None:
        return _("Your move is taken back, and you are asked again.")
    names = [r.name for r in seats.seats(session, game.id)]
    means = proposals.TakeBack(session, game, row)
    asked = [names[seat] for seat in means.voters]
    text = ngettext(
        "{names} is asked to agree, and you hear of it. {lost}",
        "{names} are asked to agree, and you hear of it. {lost}",
        len(asked),
    )
    return text.format(names=both(asked), lost=means.vanishing(names))


def _agreed(answer: Answer, command: Consent, row: Proposal) -> str:
    """Say who has not answered yet."""
    shown = proposals.open_ones(answer.session, answer.game, answer.seat, answer.now)
    silent = next((one.silent for one in shown if one.number == row.number), ())
    names = [r.name for r in seats.seats(answer.session, answer.game.id)]
    word = _("You agree.") if command.agrees else _("You do not agree.")
    if not silent:
        return word
    waits = ngettext(
        "{names} has not answered yet.", "{names} have not answered yet.", len(silent)
    ).format(names=both([names[seat] for seat in silent]))
    return f"{word} {waits}"


def _say(answer: Answer, command: Consent) -> str:
    number = command.number
    if not number:
        open_now = proposals.open_ones(answer.session, answer.game, answer.seat, answer.now)
        asked = [one.number for one in open_now if one.asked]
        if len(asked) != 1:
            text = _("{n} requests wait for your answer: name the one you mean, as in “ok 7”.")
            raise TableError("which-proposal", text.format(n=len(asked)))
        number = asked[0]
    row = proposals.answer(
        answer.session,
        answer.game.id,
        number,
        answer.seat if answer.seat is not None else -1,
        agrees=command.agrees,
        now=answer.now,
    )
    return {
        ProposalStatus.ACCEPTED: _("All who had to have agreed: it is done."),
        ProposalStatus.REFUSED: _("You said no, so it is not done."),
    }.get(row.status, _agreed(answer, command, row))


def stands(answer: Answer, token: TurnToken, line: str) -> bool:
    """Answer a move for a turn that the sender has answered already; False if it is still open.

    The same move again was done; another one needs the first one to be taken back.
    """
    session, game, seat = answer.session, answer.game, Seat(token.seat)
    known = submissions.accepted(session, game.id, token.seat, token.turn)
    asked = turns.current_turn(session, game.id, seat)
    if known is None or (asked is not None and asked.turn == token.turn):
        return False
    rules = gamelog.load(session, game.id).ruleset
    try:
        same = parse(line, rules) == parse(known.text, rules)
    except GameError:
        same = False
    if same:
        remark = _("That was done already; nothing was done twice.")
        answer.owe(MailKind.DONE, 0, said=line, remark=remark)
        return True
    reason = _("Your move “{move}” stands. To change it send “undo” first.")
    told = reason.format(move=known.text)
    answer.owe(MailKind.REFUSED, 0, said=line, reason=told, stale=True)
    return True


def instead(
    commands: Sequence[Command], answer: Answer, token: TurnToken | TableToken
) -> TurnToken | None:
    """Take the last move back for the one that stands below it; return the turn that asks again.

    Raises:
        Unfit: others must agree first, so that the new move has to wait.
    """
    session, game = answer.session, answer.game
    line = next(c.text for c in commands if isinstance(c, GameMove))
    try:
        with session.begin_nested():
            if not undo.look(session, game.id, token.seat).free:
                raise Unfit(line, _(
                    "Others must agree before your last move is taken back: send “undo” alone, and "
                    "your new move when you are asked again."
                ))  # fmt: skip
            _undo(answer, token)
    except TableError as error:
        raise Unfit("undo", str(error)) from error
    asked = turns.current_turn(session, game.id, Seat(token.seat))
    return TurnToken(game.id, token.seat, asked.turn) if asked is not None else None
